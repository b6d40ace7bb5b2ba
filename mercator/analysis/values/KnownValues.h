// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known, before the program runs, of the elements of integer tensors:
// the indices that gathers, scatters and slices read.
//
//   %i = stablehlo.iota dim = 0 : tensor<8x1xi32>
//   %c = stablehlo.constant dense<3> : tensor<8x1xi32>
//   %x = stablehlo.multiply %i, %c : tensor<8x1xi32>
//
//   KnownValues known(arena, domain);        // d0 in [0, 7]
//   known.element(x, {d0, 0}).exact          d0 * 3
//   known.element(x, {d0, 0}).range          [0, 21]
//
// Exact are constants (an element at a known place, or all of them where they
// are an affine function of the place), iotas, sizes, and what sums, products,
// minima, maxima, clamps, quotients, remainders, selections and conversions
// make of them; reshapes, transposes, slices, broadcasts, concatenations,
// copies and fusions are looked through. Where an element is not exact its
// range is that of what it is computed from, at worst that of its type.
//
// Where an element is a mere copy of another the answer names the other, so
// that two slices at the same offset are seen to read the same number.
//
// Integers wrap around: what may leave the type's range is not known.
//
// Complexity: at most kMaxVisits elements are looked at for one question, and
// at most kMaxElements of a constant; beyond, the type's range is the answer.

#ifndef MERCATOR_ANALYSIS_VALUES_KNOWNVALUES_H
#define MERCATOR_ANALYSIS_VALUES_KNOWNVALUES_H

#include "mercator/analysis/Leaves.h"
#include "mercator/indexing/operations/TensorMaps.h"

#include "mlir/IR/Value.h"

#include <map>
#include <optional>
#include <vector>

namespace mercator {

/// One element of a tensor of integers.
struct KnownElement {
  indexing::Expr exact;     ///< its value, or no expression
  indexing::Interval range; ///< it lies in here
  /// The element that it is a copy of; itself if it is computed.
  mlir::Value origin;
  /// Where in `origin`; none where not even the place is known.
  std::optional<llvm::SmallVector<indexing::Expr, 2>> index;
};

class KnownValues {
public:
  static constexpr unsigned kMaxDepth = 64, kMaxVisits = 512;
  static constexpr int64_t kMaxElements = 1 << 16;

  /// Answers are about the points of `domain`, which must outlive this object.
  KnownValues(indexing::Arena &arena, const indexing::Domain &domain)
      : arena(arena), domain(domain) {}

  /// Requires: at each point of the domain `at` is an index of `value`, a
  /// ranked tensor. Ensures: at each point, and however the program runs, the
  /// element at `at` is `exact`, lies in `range` and equals the element of
  /// `origin` at `index`. Elements that are no integers have any range.
  [[nodiscard]] KnownElement element(mlir::Value value,
                                     llvm::ArrayRef<indexing::Expr> at);
  /// The range of all elements.
  [[nodiscard]] indexing::Interval range(mlir::Value value);

private:
  using At = std::optional<llvm::SmallVector<indexing::Expr, 2>>;
  struct Visitor;
  KnownElement visit(mlir::Value value, At at);

  indexing::Arena &arena;
  const indexing::Domain &domain;
  maps::Leaves leaves;
  std::map<std::pair<void *, std::vector<uint32_t>>, KnownElement> memo;
  unsigned depth = 0, visits = 0;
};

/// The one integer that all elements of a constant are. None where they differ,
/// or where it is not between -2^60 and 2^60. Nothing is looked through.
[[nodiscard]] std::optional<int64_t> integerConstant(mlir::Value value);

/// The element of `value` at `at` as the builders of TensorMaps.h take it.
[[nodiscard]] indexing::IndexValue
indexValue(indexing::Arena &arena, const indexing::Domain &domain,
           mlir::Value value, llvm::ArrayRef<indexing::Expr> at);

/// All elements of a tensor of integers, in row-major order; none where one is
/// not known, or where there are more than kMaxKnownIntegers.
inline constexpr int64_t kMaxKnownIntegers = 1024;
[[nodiscard]] std::optional<llvm::SmallVector<int64_t>>
knownIntegers(indexing::Arena &arena, mlir::Value value);

} // namespace mercator

#endif // MERCATOR_ANALYSIS_VALUES_KNOWNVALUES_H
