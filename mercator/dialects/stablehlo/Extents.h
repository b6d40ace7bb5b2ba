// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The known facts about the extents of a tensor. No MLIR: TensorExtents.h has
/// the extents of types, ResultExtents.h those of results.
///
/// An *extent* is a number, an unknown number with a bound, or unknown:
///
///   tensor<3x?x?xf32, #stablehlo.bounds<?, 8, ?>>   has   3, at most 8, any
///
/// Extents are ordered by information: `3` says more than `at most 8`, which
/// says more than `any`. `meet` is the extent of a value for which both facts
/// hold, `join` that of a value for which at least one holds. Other
/// computations treat numbers and bounds alike. They are written once, as a
/// function of a number: `at most 8`, doubled, is `at most 16`.
///
/// ```cpp
/// Extent three = Extent::of(3), atMost8 = Extent::atMost(8);
/// assert(meet(three, atMost8) == three);
/// assert(join(three, atMost8) == atMost8);
/// ```

#ifndef MERCATOR_DIALECTS_STABLEHLO_EXTENTS_H
#define MERCATOR_DIALECTS_STABLEHLO_EXTENTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <limits>

namespace mercator::stablehlo {

struct Extent {
  /// As MLIR has it for types: ShapedType::kDynamic.
  static constexpr int64_t kUnknown = std::numeric_limits<int64_t>::min();
  int64_t size = kUnknown;
  int64_t bound = kUnknown; ///< only if the size is unknown

  static Extent of(int64_t size) { return {size, kUnknown}; }
  static Extent atMost(int64_t bound) { return {kUnknown, bound}; }

  bool isKnown() const { return size != kUnknown; }
  bool isBounded() const { return bound != kUnknown; }
  /// The largest possible value; kUnknown if there is no limit.
  int64_t limit() const { return isKnown() ? size : bound; }
  bool operator==(const Extent &) const = default;
};

using Extents = llvm::SmallVector<Extent, 6>;

/// Each size as an extent; kUnknown is unknown.
[[nodiscard]] Extents known(llvm::ArrayRef<int64_t> sizes);
/// The sizes; kUnknown where they are unknown.
[[nodiscard]] llvm::SmallVector<int64_t>
sizesOf(llvm::ArrayRef<Extent> extents);

/// Whether some number satisfies both.
[[nodiscard]] bool agree(Extent a, Extent b);
[[nodiscard]] bool agree(llvm::ArrayRef<Extent> a, llvm::ArrayRef<Extent> b);
/// The extent of a number that satisfies both. Requires: agree(a, b).
[[nodiscard]] Extent meet(Extent a, Extent b);
/// The extent of a number that satisfies at least one of the two.
[[nodiscard]] Extent join(Extent a, Extent b);
/// The extent of n = a + b.
[[nodiscard]] Extent sum(Extent a, Extent b);
/// The extent of `f(n)`. Requires: f is monotonically increasing. f returns
/// kUnknown if the result does not fit in int64.
[[nodiscard]] Extent map(Extent n, llvm::function_ref<int64_t(int64_t)> f);

} // namespace mercator::stablehlo

#endif // MERCATOR_DIALECTS_STABLEHLO_EXTENTS_H
