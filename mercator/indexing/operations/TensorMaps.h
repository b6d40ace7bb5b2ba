// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The indexing map of each kind of tensor operation, from shapes and
// attributes.
//
// Nothing here knows an instruction. `sizes` of a tensor and the numbers that
// an operation carries go in, a map comes out:
//
//   slice(arena, OutToIn, {10, 20}, {5, 3}, {10, 20}, {1, 7})
//     (d0, d1) -> (d0 + 5, d1 * 7 + 3), domain: d0 in [0, 4], d1 in [0, 2]
//   slice(arena, InToOut, {10, 20}, {5, 3}, {10, 20}, {1, 7})
//     (d0, d1) -> (d0 - 5, (d1 - 3) floordiv 7),
//       domain: d0 in [5, 9], d1 in [3, 17], (d1 - 3) mod 7 in [0, 0]
//
// Two directions. OutToIn answers "which elements of the operand does element d
// of the result read?"; InToOut answers "which elements of the result read
// element d of the operand?". They are the same relation seen from either end,
// and each function builds both directly.
//
// Laws. Every map is exact: for every d (and the values that the runtime
// variables then have) the set it gives is the set of elements that the
// operation's definition mentions. The few over-approximations say so here. A
// map that reads nothing, because some size is 0, is known empty.
//
// Requires, of all of them: what the operation's own rules require (sizes >= 0,
// dimension numbers in range and unique, sizes that agree), and that no product
// of sizes, strides and dilations of one dimension leaves 62 bits. Whoever
// builds maps from user input checks that first.
//
// Complexity: linear in the ranks.

#ifndef MERCATOR_INDEXING_OPERATIONS_TENSORMAPS_H
#define MERCATOR_INDEXING_OPERATIONS_TENSORMAPS_H

#include "mercator/indexing/map/Map.h"

#include <optional>

namespace mercator::indexing {

enum class Direction : uint8_t { OutToIn, InToOut };

/// The sizes of a tensor's dimensions, outermost first.
using Sizes = llvm::ArrayRef<int64_t>;

//===--- Copies, permutations, whole dimensions ---------------------------===//

/// Dimension i of `to` is dimension source[i] of `from`, or all of its indices
/// where source[i] is -1. Broadcast, transpose, reduce, dot and many others are
/// one of these in each direction.
///
///   selectDims({256, 10}, {10}, {1})      (d0, d1) -> (d1)
///   selectDims({10}, {256, 10}, {-1, 0})  (d0)[s0] -> (s0, d0)
[[nodiscard]] Map selectDims(Arena &arena, Sizes from, Sizes to,
                             llvm::ArrayRef<int64_t> source);

/// Every element of `to`, from every element of `from`:
///   everything({4}, {2, 3})   (d0)[s0, s1] -> (s0, s1)
/// A sound answer for any operation, and the exact one for a scalar operand.
[[nodiscard]] Map everything(Arena &arena, Sizes from, Sizes to);

/// Dimension i of the operand becomes dimension dims[i] of the result; a size 1
/// may become any size.
[[nodiscard]] Map broadcast(Arena &arena, Direction direction, Sizes operand,
                            Sizes result, llvm::ArrayRef<int64_t> dims);

/// Dimension i of the result is dimension permutation[i] of the operand.
[[nodiscard]] Map transpose(Arena &arena, Direction direction, Sizes operand,
                            llvm::ArrayRef<int64_t> permutation);

/// The listed dimensions run backwards. Both directions are the same map.
[[nodiscard]] Map reverse(Arena &arena, Sizes sizes,
                          llvm::ArrayRef<int64_t> dims);

/// Elements starts[i], starts[i] + strides[i], ... below limits[i].
[[nodiscard]] Map slice(Arena &arena, Direction direction, Sizes operand,
                        llvm::ArrayRef<int64_t> starts,
                        llvm::ArrayRef<int64_t> limits,
                        llvm::ArrayRef<int64_t> strides);

/// One operand of a concatenation along `dim`, which begins at `offset` there.
[[nodiscard]] Map concatenate(Arena &arena, Direction direction, Sizes operand,
                              int64_t dim, int64_t offset);

//===--- Reshapes ---------------------------------------------------------===//

/// The index into a tensor of sizes `to` of the element that stands at `index`
/// in a tensor of sizes `from` with the same elements in the same (row-major)
/// order. The sizes are first split into the shortest groups of equal products;
/// each group is written out whole, which simplification makes shorter:
///
///   [4, 8, 12] -> [32, 3, 4]   (d0 * 8 + d1, d2 floordiv 4, d2 mod 4)
///   [4, 8] -> [2, 4, 4]        ((d0 * 8 + d1) floordiv 16,
///                               ((d0 * 8 + d1) floordiv 4) mod 4,
///                               (d0 * 8 + d1) mod 4)
///       simplified             (d0 floordiv 2,
///                               (d0 mod 2) * 2 + d1 floordiv 4, d1 mod 4)
///
/// Requires: no size is 0; the products are equal; each index[i] lies in
/// [0, from[i] - 1].
[[nodiscard]] llvm::SmallVector<Expr, 6>
reshapeIndex(Arena &arena, llvm::ArrayRef<Expr> index, Sizes from, Sizes to);

/// From each element of a tensor to the same element of the reshaped one. The
/// other direction is the reshape back.
[[nodiscard]] Map reshape(Arena &arena, Sizes from, Sizes to);

/// From each element of a tensor to the element at the same place in memory of
/// another with as many elements. A layout lists the dimensions from the
/// fastest-varying to the slowest; none at all means row-major. Covers a
/// transpose, a reshape, and transpose-reshape-transpose.
[[nodiscard]] Map bitcast(Arena &arena, Sizes from,
                          llvm::ArrayRef<int64_t> fromLayout, Sizes to,
                          llvm::ArrayRef<int64_t> toLayout);

/// The same between elements of different width: `ratio` elements of the one
/// tensor stand where one of the other does. `fromIsNarrow` says that they are
/// those of `from`. Requires: the sizes agree; ratio >= 1.
[[nodiscard]] Map bitcastWidth(Arena &arena, Sizes from,
                               llvm::ArrayRef<int64_t> fromLayout, Sizes to,
                               llvm::ArrayRef<int64_t> toLayout, int64_t ratio,
                               bool fromIsNarrow);

//===--- Windows ----------------------------------------------------------===//

/// `low` elements before, `high` after, `interior` between any two; negative
/// `low` and `high` cut elements off.
[[nodiscard]] Map pad(Arena &arena, Direction direction, Sizes operand,
                      Sizes result, llvm::ArrayRef<int64_t> low,
                      llvm::ArrayRef<int64_t> high,
                      llvm::ArrayRef<int64_t> interior);

/// The padding value: read by the elements that no element of the operand
/// becomes. One constraint says which, as in dynamicUpdateSliceOperand, unless
/// bounds of one dimension do.
[[nodiscard]] Map padValue(Arena &arena, Direction direction, Sizes operand,
                           Sizes result, llvm::ArrayRef<int64_t> low,
                           llvm::ArrayRef<int64_t> interior);

/// One dimension of a window that slides over a tensor.
struct WindowDim {
  int64_t size = 1;
  int64_t stride = 1;
  int64_t low = 0, high = 0;  ///< padding; negative cuts elements off
  int64_t baseDilation = 1;   ///< distance of neighbours in the padded tensor
  int64_t windowDilation = 1; ///< distance of neighbours in the window
  bool reversal = false;      ///< the window's elements are taken backwards
};

/// The elements of the operand under the window; padding is not read.
[[nodiscard]] Map reduceWindow(Arena &arena, Direction direction, Sizes operand,
                               Sizes result, llvm::ArrayRef<WindowDim> window);

/// From each element of a tensor to those that share a window with it: what a
/// select-and-scatter reads of its operand. `positions` counts the windows.
/// Both directions are the same map.
///
///   windows of 2, stride 2, over [0, 5]
///   (d0)[s0, s1] -> (d0 - s0 + s1), s0 and s1 in [0, 1], (d0 - s0) mod 2 = 0
[[nodiscard]] Map sharedWindow(Arena &arena, Sizes operand, Sizes positions,
                               llvm::ArrayRef<WindowDim> window);

/// Where the dimensions of a convolution's three tensors stand.
struct ConvolutionDims {
  int64_t inputBatch, inputFeature;
  llvm::ArrayRef<int64_t> inputSpatial;
  int64_t kernelInputFeature, kernelOutputFeature;
  llvm::ArrayRef<int64_t> kernelSpatial;
  int64_t outputBatch, outputFeature;
  llvm::ArrayRef<int64_t> outputSpatial;
};

struct Convolution {
  Sizes input, kernel, output;
  ConvolutionDims dims;
  llvm::ArrayRef<WindowDim> window; ///< one for each spatial dimension
  int64_t featureGroups = 1, batchGroups = 1;
};

/// The input elements under the kernel, groups and dilations included; padding
/// is not read.
[[nodiscard]] Map convolutionInput(Arena &arena, Direction direction,
                                   const Convolution &c);
/// The kernel elements: all those of the result's feature, also where they meet
/// padding, which they are multiplied with.
[[nodiscard]] Map convolutionKernel(Arena &arena, Direction direction,
                                    const Convolution &c);

//===--- Contractions -----------------------------------------------------===//

struct DotDims {
  llvm::ArrayRef<int64_t> lhsBatch, rhsBatch, lhsContracting, rhsContracting;
};
/// Which operand of a dot.
enum class DotSide : uint8_t { Lhs, Rhs };

/// Result dimensions: batch, then the left operand's others, then the right's.
[[nodiscard]] Map dot(Arena &arena, Direction direction, DotSide side,
                      Sizes lhs, Sizes rhs, const DotDims &dims);

/// Dimensions that carry one label run together; a label that only `to` has
/// takes all values. The rule of einsum, in each direction:
///
///   "ij,jk->ik"    from the result to the left operand: from {0, 2}, to {0, 1}
///                  (d0, d1)[s0] -> (d0, s0)
///   "ii->i"        from the operand: from {0, 0}, to {0}
///                  (d0, d1) -> (d0), d0 - d1 in [0, 0]
[[nodiscard]] Map byLabels(Arena &arena, Sizes from,
                           llvm::ArrayRef<unsigned> fromLabels, Sizes to,
                           llvm::ArrayRef<unsigned> toLabels);

/// The operand of a reduction over `dims`.
[[nodiscard]] Map reduce(Arena &arena, Direction direction, Sizes operand,
                         llvm::ArrayRef<int64_t> dims);

//===--- Matrices ---------------------------------------------------------===//
//
// The last two dimensions are a matrix, the others number the matrices. What is
// read follows from the equations that define the result, solved in the order
// in which they can be:
//
//   cholesky, A = L L^H      L[j][j] = sqrt(A[j][j] - sum |L[j][k]|^2)
//                            L[i][j] = (A[i][j] - sum L[i][k] L[j][k]*) /
//                            L[j][j]
//   triangular, A X = B      X[i][j] = (B[i][j] - sum A[i][k] X[k][j]) /
//   A[i][i]
//
// with k over what comes before j, or before i.

/// From the factor to the matrix, or back. L[i][j] reads A[p][q] with
/// q <= p <= j and A[i][q] with q <= j: two maps, which meet in no pair. The
/// other triangle of the factor reads nothing, the other triangle of the matrix
/// is not read. For an upper factor rows and columns change places.
[[nodiscard]] llvm::SmallVector<Map, 2>
cholesky(Arena &arena, Direction direction, Sizes sizes, bool lower);

/// op(A) X = B on the left side, X op(A) = B on the right.
struct TriangularSolve {
  Sizes a, b; ///< b: of the right-hand side, and of the solution
  bool leftSide = true, lower = true, unitDiagonal = false, transpose = false;
};
/// The coefficients: those of the equations that come before, its own included,
/// of one triangle; not the diagonal where it is known to be 1.
[[nodiscard]] Map triangularSolveMatrix(Arena &arena, Direction direction,
                                        const TriangularSolve &t);
/// The right-hand side: its own element and those before.
[[nodiscard]] Map triangularSolveRightSide(Arena &arena, Direction direction,
                                           const TriangularSolve &t);

//===--- Offsets known only when the program runs -------------------------===//

/// One element of a tensor of indices, as far as it is known.
///
///   IndexValue{.exact = d0 * 2}                     it is d0 * 2
///   IndexValue{.range = {0, 7}, .source = "e/of1"}  read when the program
///   runs,
///                                                   between 0 and 7
///
/// Where `exact` is an expression the rest does not count but for `range`.
/// Requires: the element lies in `range`.
struct IndexValue {
  Expr exact = {}; ///< over the variables of the map that is made
  Interval range = Interval::everything();
  uint32_t source = 0;  ///< interned name of the tensor, as "entry/of1"
  int32_t element = -1; ///< which one, where source is a tuple
  llvm::SmallVector<Expr, 2> index = {}; ///< where in the tensor it stands
};

/// The index clamped to `to`, as an expression: without the clamp where the
/// index is known to lie in `to`; a constant where only one value is left; else
/// a runtime variable added to the map, whose bounds are what `range` leaves of
/// `to`.
///
///   {.exact = d0}, d0 in [0, 9], to [0, 20]          d0
///   {.exact = d0}, d0 in [0, 9], to [0, 5]           min(d0, 5)
///   {.range = [2, 30]}, to [0, 5]                    rt0, rt0 in [2, 5]
///   {.range = [7, 30]}, to [0, 5]                    5
/// Requires: `to` is not empty.
[[nodiscard]] Expr clampedIndex(Map &map, const IndexValue &index, Interval to);

/// result[d] = operand[d + start].
[[nodiscard]] Map dynamicSlice(Arena &arena, Direction direction, Sizes operand,
                               Sizes result, llvm::ArrayRef<IndexValue> starts);

/// The operand of a dynamic-update-slice: the elements outside the updated box.
/// With i over the dimensions whose update is smaller than the operand,
///
///   d outside the box  <=>  max over i of
///                           (rt_i - 1 - d_i, d_i - rt_i - n_i)  >=  0
///
/// so one constraint says it, however many dimensions there are; the box's
/// complement written as disjoint boxes would be up to 2 * rank maps, and
/// (2 * rank)^k after k updates in a row. Both directions are the same map.
[[nodiscard]] Map dynamicUpdateSliceOperand(Arena &arena, Sizes operand,
                                            Sizes update,
                                            llvm::ArrayRef<IndexValue> starts);
/// The update: the elements inside the box.
[[nodiscard]] Map dynamicUpdateSliceUpdate(Arena &arena, Direction direction,
                                           Sizes operand, Sizes update,
                                           llvm::ArrayRef<IndexValue> starts);

/// A gather. Each result element has batch coordinates (all its dimensions but
/// `offsetDims`), which select an index vector along `indexVectorDim` of the
/// indices, and offset coordinates inside the slice that this vector points at.
struct Gather {
  Sizes operand, indices, result;
  llvm::ArrayRef<int64_t> offsetDims, collapsedSliceDims, operandBatchingDims,
      startIndicesBatchingDims, startIndexMap;
  int64_t indexVectorDim = 0; ///< the rank of `indices` for implied size 1
  llvm::ArrayRef<int64_t> sliceSizes;
  /// The element of the indices at `at`, over the variables of `domain`.
  llvm::function_ref<IndexValue(const Domain &domain, llvm::ArrayRef<Expr> at)>
      read = nullptr;
};

/// Which dimension of which tensor of a gather is what. The sizes of the result
/// are not looked at.
struct GatherRoles {
  llvm::SmallVector<int64_t> batchDims; ///< of the result, in order
  llvm::SmallVector<int64_t> offsetOf;  ///< operand dim -> result dim, or -1
  /// Operand dim -> component of the index vectors, or -1.
  llvm::SmallVector<int64_t> mapped;
  /// Operand dim -> which of batchDims it is paired with, or -1.
  llvm::SmallVector<int64_t> batchOf;

  explicit GatherRoles(const Gather &gather);
  /// The sizes that the gather gives its result.
  [[nodiscard]] llvm::SmallVector<int64_t>
  resultSizes(const Gather &gather) const;
};

/// The start of each mapped dimension is clamped as the definition says: the
/// whole slice moves. Starts that are not known are runtime variables, in the
/// order of `startIndexMap`.
[[nodiscard]] Map gatherOperand(Arena &arena, Direction direction,
                                const Gather &gather);
/// The index vectors.
[[nodiscard]] Map gatherIndices(Arena &arena, Direction direction,
                                const Gather &gather);

/// A scatter. Each element of the update has scatter coordinates (all its
/// dimensions but `updateWindowDims`), which select an index vector along
/// `indexVectorDim` of the indices, and window coordinates. It lands on the
/// input's element at their sum, or nowhere where that is outside.
struct Scatter {
  Sizes input, indices, update;
  llvm::ArrayRef<int64_t> updateWindowDims, insertedWindowDims,
      inputBatchingDims, scatterIndicesBatchingDims, scatterDimsToOperandDims;
  int64_t indexVectorDim = 0; ///< the rank of `indices` for implied size 1
  /// As in Gather.
  llvm::function_ref<IndexValue(const Domain &domain, llvm::ArrayRef<Expr> at)>
      read = nullptr;
  /// One window: the scatter coordinates of the updates that the map speaks of;
  /// -1 for the coordinate of a batch, which is that of the input's element.
  /// None: of all.
  std::optional<llvm::ArrayRef<int64_t>> window = std::nullopt;
};

/// The updates that land on an element of the result. One runtime variable for
/// each mapped dimension, as for a gather, but nothing is clamped: the bounds
/// of the variable, [-size of the window, size of the input], reach as far as
/// numbers make a difference, and the domain leaves out what lands outside.
[[nodiscard]] Map scatterUpdate(Arena &arena, Direction direction,
                                const Scatter &s);
/// The index vectors, any of which may bring an update here: all of the batch.
[[nodiscard]] Map scatterIndices(Arena &arena, Direction direction,
                                 const Scatter &s);
/// The elements on which some update lands. Both directions are the same map.
[[nodiscard]] Map scatterReached(Arena &arena, const Scatter &s);
/// The elements on which none of the listed windows lands, in one constraint as
/// in dynamicUpdateSliceOperand. Both directions are the same map.
[[nodiscard]] Map
scatterKept(Arena &arena, const Scatter &s,
            llvm::ArrayRef<llvm::SmallVector<int64_t>> windows);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_OPERATIONS_TENSORMAPS_H
