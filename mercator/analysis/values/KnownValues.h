// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The known values of elements of integer tensors: the indices that gathers,
// scatters and slices read. "Known" means known before the program runs, as an
// expression or as an interval.
//
//   %i = stablehlo.iota dim = 0 : tensor<8x1xi32>
//   %c = stablehlo.constant dense<3> : tensor<8x1xi32>
//   %x = stablehlo.multiply %i, %c : tensor<8x1xi32>
//
// ```cpp (Arena &arena, const Domain &domain, mlir::Value x)
// KnownValues known(arena, domain); // d0 in [0, 7]
// KnownElement e = known.element(x, {arena.dim(0), arena.constant(0)});
// // e.exact is d0 * 3, e.range is [0, 21]
// ```
//
// Sources of exact values are constants (an element at a known index, or all
// elements if they are an affine function of the index), iotas and sizes. Sums,
// products, minima, maxima, clamps, quotients, remainders, selections and
// conversions of exact values are exact. Reshapes, transposes, slices,
// broadcasts, concatenations, copies and fusions are looked through. An element
// that is not exact has a range: by interval analysis of its operands, at worst
// the range of its type.
//
// If an element is a copy of another element, the answer names the other one.
// So two slices at the same offset are seen to read the same number.
//
// Integers wrap around. A result that may leave the range of its type is
// unknown.
//
// Complexity: one query visits at most kMaxVisits elements, and at most
// kMaxElements of a constant. Beyond these limits the answer is the range of
// the type.

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
  indexing::Interval range; ///< contains its value
  /// The value that it is copied from; the value itself if it is computed.
  mlir::Value origin;
  /// The index in `origin`; nothing if the index is unknown.
  std::optional<llvm::SmallVector<indexing::Expr, 2>> index;
};

class KnownValues {
public:
  static constexpr unsigned kMaxDepth = 64, kMaxVisits = 512;
  static constexpr int64_t kMaxElements = 1 << 16;

  /// Answers hold at the points of `domain`. Requires: `domain` outlives this
  /// object.
  KnownValues(indexing::Arena &arena, const indexing::Domain &domain)
      : arena(arena), domain(domain) {}

  /// Requires: at each point of the domain, `at` is an index of `value`, a
  /// ranked tensor. Ensures: at each point, in every run of the program, the
  /// element at `at` is `exact`, lies in `range` and equals the element of
  /// `origin` at `index`. Elements that are not integers have any range.
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

/// The element of `value` at `at`, as an argument for the functions of
/// TensorMaps.h.
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
