// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The extent of a dimension: a number, times extents that are known only at
/// run time.
///
/// ```cpp (mlir::ModuleOp module, mlir::Value x)
/// EqualExtents extents(module);
/// SymbolicExtent rows = SymbolicExtent::of(extents, x, 0); // x : tensor<?x8xf32>
/// assert(!rows.isKnown() && SymbolicExtent::of(extents, x, 1) == 8);
/// SymbolicExtent all = rows * 8;
/// assert(all == SymbolicExtent(8) * rows && all != rows);
/// ```
///
/// Extents that compare equal are the same number in every run. Extents that
/// compare unequal may still be equal at run time. So a decision may rely on
/// `a == b`, and never on `a != b`; a decision that needs the number asks
/// `isKnown` first.
///
/// Laws: `a * b == b * a`, `a * 1 == a`, `a * 0 == 0`. Known factors saturate at
/// INT64_MAX.

#ifndef MERCATOR_ANALYSIS_EXTENTS_SYMBOLICEXTENT_H
#define MERCATOR_ANALYSIS_EXTENTS_SYMBOLICEXTENT_H

#include "mercator/analysis/extents/EqualExtents.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <cassert>
#include <string>

namespace mercator {

class SymbolicExtent {
public:
  /// An extent that EqualExtents has a name for.
  using Symbol = EqualExtents::Id;

  SymbolicExtent(int64_t number = 1)
      : factor(number) {} // implicit: numbers are extents
  /// The extent with the number `id`: a plain number if it is constant.
  [[nodiscard]] static SymbolicExtent of(const EqualExtents &extents,
                                         Symbol id);
  [[nodiscard]] static SymbolicExtent of(EqualExtents &extents,
                                         mlir::Value tensor, int64_t dim) {
    return of(extents, extents.extent(tensor, dim));
  }

  [[nodiscard]] bool isKnown() const { return unknown.empty(); }
  /// Requires: isKnown.
  [[nodiscard]] int64_t number() const {
    assert(isKnown() && "an extent that is known only at run time");
    return factor;
  }
  /// The known factor, and the unknown ones in ascending order.
  [[nodiscard]] int64_t known() const { return factor; }
  [[nodiscard]] llvm::ArrayRef<Symbol> symbols() const { return unknown; }

  /// A number to estimate costs with: each unknown factor counts as `kTypical`.
  /// Saturates.
  [[nodiscard]] int64_t estimate() const;
  static constexpr int64_t kTypical = 1024;

  [[nodiscard]] bool operator==(const SymbolicExtent &) const = default;
  [[nodiscard]] SymbolicExtent operator*(const SymbolicExtent &other) const;

  /// `8`, or `8*n3` with the number of a symbol.
  [[nodiscard]] std::string str() const;

private:
  int64_t factor;
  llvm::SmallVector<Symbol, 2> unknown;
};

[[nodiscard]] SymbolicExtent product(llvm::ArrayRef<SymbolicExtent> extents);
[[nodiscard]] bool areKnown(llvm::ArrayRef<SymbolicExtent> extents);
/// Requires: areKnown.
[[nodiscard]] llvm::SmallVector<int64_t, 4>
numbersOf(llvm::ArrayRef<SymbolicExtent> extents);

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     const SymbolicExtent &extent) {
  return os << extent.str();
}

} // namespace mercator

#endif // MERCATOR_ANALYSIS_EXTENTS_SYMBOLICEXTENT_H
