// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The indexing map of each kind of tensor operation, made from shapes and
// attributes.
//
// Nothing here depends on an instruction. The sizes of the tensors and the
// attributes of the operation go in, a map comes out:
//
// ```cpp
// Arena arena;
// Map out = slice(arena, Direction::OutToIn, {10, 20}, {5, 3}, {10, 20}, {1,
// 7}); // (d0, d1) -> (d0 + 5, d1 * 7 + 3), domain: d0 in [0, 4], d1 in [0, 2]
// assert(out.domain.dims[1].bounds == Interval::ofSize(3));
//
// Map in = slice(arena, Direction::InToOut, {10, 20}, {5, 3}, {10, 20}, {1,
// 7}); // (d0, d1) -> (d0 - 5, (d1 - 3) floordiv 7),
// //   domain: d0 in [5, 9], d1 in [3, 17], d1 mod 7 in [3, 3]
// assert(in.domain.dims[0].bounds == (Interval{5, 9}));
// ```
//
// Two directions. OutToIn answers: which elements of the operand does element d
// of the result read? InToOut answers: which elements of the result read
// element d of the operand? Both are the same relation, seen from either side.
// Each function builds the map OutToIn and returns its inverse (Inverse.h) for
// InToOut. Windows, convolutions, padding values, matrices and scatters have a
// direct form for InToOut. For random shapes, the inverse of a window is larger
// in 31 of 1,920 cases and smaller in 132; the inverse of a convolution is
// larger in 50 of 4,466 cases and smaller in 127. It is larger by up to 28
// nodes, because the direct form has fewer range variables. The other functions
// lose nothing: simplified, the inverse and a direct form have the same text,
// except for 18 of 9,088 gathers, of which one is larger, by 2 nodes.
//
// Laws. Every map is exact: for every d, and the values that the runtime
// variables then have, it gives the elements that the definition of the
// operation mentions. The few over-approximations are noted below. A map that
// reads nothing because a size is 0 is known empty.
//
// Requires, of all functions: the rules of the operation (sizes >= 0, dimension
// numbers in range and unique, sizes that agree), and that no product of sizes,
// strides and dilations of one dimension leaves 62 bits. Code that builds maps
// from user input checks this first.
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

/// Dimension i of `to` is dimension source[i] of `from`, or takes all its
/// indices if source[i] is -1. Broadcast, transpose, reduce, dot and many other
/// operations are such a map in each direction.
///
///   selectDims({256, 10}, {10}, {1})      (d0, d1) -> (d1)
///   selectDims({10}, {256, 10}, {-1, 0})  (d0)[s0] -> (s0, d0)
[[nodiscard]] Map selectDims(Arena &arena, Sizes from, Sizes to,
                             llvm::ArrayRef<int64_t> source);

/// Every element of `from` reads every element of `to`:
///   everything({4}, {2, 3})   (d0)[s0, s1] -> (s0, s1)
/// An over-approximation for any operation, and exact for a scalar operand.
[[nodiscard]] Map everything(Arena &arena, Sizes from, Sizes to);

/// Dimension i of the operand becomes dimension dims[i] of the result; a size 1
/// may become any size.
[[nodiscard]] Map broadcast(Arena &arena, Direction direction, Sizes operand,
                            Sizes result, llvm::ArrayRef<int64_t> dims);

/// Dimension i of the result is dimension permutation[i] of the operand.
[[nodiscard]] Map transpose(Arena &arena, Direction direction, Sizes operand,
                            llvm::ArrayRef<int64_t> permutation);

/// Reverses the listed dimensions. Both directions are the same map.
[[nodiscard]] Map reverse(Arena &arena, Sizes sizes,
                          llvm::ArrayRef<int64_t> dims);

/// Elements starts[i], starts[i] + strides[i], ... below limits[i].
[[nodiscard]] Map slice(Arena &arena, Direction direction, Sizes operand,
                        llvm::ArrayRef<int64_t> starts,
                        llvm::ArrayRef<int64_t> limits,
                        llvm::ArrayRef<int64_t> strides);

/// One operand of a concatenation along `dim`. Its first index there is
/// `offset`.
[[nodiscard]] Map concatenate(Arena &arena, Direction direction, Sizes operand,
                              int64_t dim, int64_t offset);

//===--- Reshapes ---------------------------------------------------------===//

/// Converts an index of a tensor of sizes `from` to the index of the same
/// element in a tensor of sizes `to` with the same elements in row-major order.
/// The sizes are first split into the shortest groups of equal products. Each
/// group is linearized and delinearized; simplification makes it shorter:
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

/// Each element of `from` reads the same element of the reshaped tensor. The
/// other direction is the reshape back.
[[nodiscard]] Map reshape(Arena &arena, Sizes from, Sizes to);

/// Each element of `from` reads the element at the same place in memory of a
/// tensor with as many elements. A layout lists the dimensions from the
/// fastest-varying to the slowest; an empty layout means row-major. Covers a
/// transpose, a reshape, and transpose-reshape-transpose.
[[nodiscard]] Map bitcast(Arena &arena, Sizes from,
                          llvm::ArrayRef<int64_t> fromLayout, Sizes to,
                          llvm::ArrayRef<int64_t> toLayout);

/// The same for elements of different width: `ratio` elements of one tensor
/// occupy the place of one element of the other. `fromIsNarrow`: those of
/// `from` are the narrow ones. Requires: the sizes agree; ratio >= 1.
[[nodiscard]] Map bitcastWidth(Arena &arena, Sizes from,
                               llvm::ArrayRef<int64_t> fromLayout, Sizes to,
                               llvm::ArrayRef<int64_t> toLayout, int64_t ratio,
                               bool fromIsNarrow);

//===--- Windows ----------------------------------------------------------===//

/// Padding: `low` elements before, `high` after, `interior` between two
/// neighbors. Negative `low` and `high` remove elements.
[[nodiscard]] Map pad(Arena &arena, Direction direction, Sizes operand,
                      Sizes result, llvm::ArrayRef<int64_t> low,
                      llvm::ArrayRef<int64_t> high,
                      llvm::ArrayRef<int64_t> interior);

/// The padding value: read by the result elements that come from no operand
/// element. One constraint describes them, as in dynamicUpdateSliceOperand,
/// unless the bounds of one dimension do.
[[nodiscard]] Map padValue(Arena &arena, Direction direction, Sizes operand,
                           Sizes result, llvm::ArrayRef<int64_t> low,
                           llvm::ArrayRef<int64_t> interior);

/// One dimension of a window that slides over a tensor.
struct WindowDim {
  int64_t size = 1;
  int64_t stride = 1;
  int64_t low = 0, high = 0;  ///< padding; negative removes elements
  int64_t baseDilation = 1;   ///< distance of neighbors in the padded tensor
  int64_t windowDilation = 1; ///< distance of neighbors in the window
  bool reversal = false;      ///< the elements of the window are reversed
};

/// The elements of the operand under the window. Padding is not read.
[[nodiscard]] Map reduceWindow(Arena &arena, Direction direction, Sizes operand,
                               Sizes result, llvm::ArrayRef<WindowDim> window);

/// Each element of a tensor reads the elements that share a window with it, as
/// a select-and-scatter reads its operand. `positions` are the numbers of
/// windows. Both directions are the same map.
///
///   windows of 2, stride 2, over [0, 5]
///   (d0)[s0, s1] -> (d0 - s0 + s1), s0 and s1 in [0, 1], (d0 - s0) mod 2 = 0
[[nodiscard]] Map sharedWindow(Arena &arena, Sizes operand, Sizes positions,
                               llvm::ArrayRef<WindowDim> window);

/// The dimension numbers of the three tensors of a convolution.
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

/// The input elements under the kernel, with groups and dilations. Padding is
/// not read.
[[nodiscard]] Map convolutionInput(Arena &arena, Direction direction,
                                   const Convolution &c);
/// The kernel elements: all those of the result's feature. Kernel elements that
/// meet padding are read too, since they are multiplied with it.
[[nodiscard]] Map convolutionKernel(Arena &arena, Direction direction,
                                    const Convolution &c);
/// From the result: the kernel elements that meet the input, not only padding.
[[nodiscard]] Map convolutionKernelInside(Arena &arena, const Convolution &c);

//===--- Contractions -----------------------------------------------------===//

struct DotDims {
  llvm::ArrayRef<int64_t> lhsBatch, rhsBatch, lhsContracting, rhsContracting;
};
/// Which operand of a dot.
enum class DotSide : uint8_t { Lhs, Rhs };

/// One operand of a dot. The result has the batch dimensions, then the free
/// dimensions of the left operand, then those of the right operand.
[[nodiscard]] Map dot(Arena &arena, Direction direction, DotSide side,
                      Sizes lhs, Sizes rhs, const DotDims &dims);

/// Dimensions with one label have equal indices. A label that only `to` has
/// takes all values. This is einsum, in each direction:
///
///   "ij,jk->ik"    from the result to the left operand: from {0, 2}, to {0, 1}
///                  (d0, d1)[s0] -> (d0, s0)
///   "ii->i"        from the operand: from {0, 0}, to {0}
///                  (d0, d1) -> (d0), d0 - d1 in [0, 0]
[[nodiscard]] Map byLabels(Arena &arena, Sizes from,
                           llvm::ArrayRef<unsigned> fromLabels, Sizes to,
                           llvm::ArrayRef<unsigned> toLabels);

/// The operand of a reduction over the dimensions `dims`.
[[nodiscard]] Map reduce(Arena &arena, Direction direction, Sizes operand,
                         llvm::ArrayRef<int64_t> dims);

//===--- Matrices ---------------------------------------------------------===//
//
// The last two dimensions are a matrix, the others number the matrices. The
// equations that define the result are solved one after the other:
//
//   cholesky        A = L L^H
//     L[j][j] = sqrt(A[j][j] - sum |L[j][k]|^2)               k < j
//     L[i][j] = (A[i][j] - sum L[i][k] L[j][k]*) / L[j][j]    k < j < i
//   triangular      A X = B
//     X[i][j] = (B[i][j] - sum A[i][k] X[k][j]) / A[i][i]     k < i
//
// So an element reads the elements of its own equation and of all equations
// solved before.

/// From the factor to the matrix, or back. L[i][j] reads A[p][q] with
/// q <= p <= j and A[i][q] with q <= j: two maps without common pairs. The
/// other triangle of the factor reads nothing, and the other triangle of the
/// matrix is not read. For an upper factor, rows and columns are exchanged.
[[nodiscard]] llvm::SmallVector<Map, 2>
cholesky(Arena &arena, Direction direction, Sizes sizes, bool lower);

/// op(A) X = B on the left side, X op(A) = B on the right.
struct TriangularSolve {
  Sizes a, b; ///< b: of the right-hand side, and of the solution
  bool leftSide = true, lower = true, unitDiagonal = false, transpose = false;
};
/// The coefficients: one triangle of the equations up to the element's own,
/// without the diagonal if it is known to be 1.
[[nodiscard]] Map triangularSolveMatrix(Arena &arena, Direction direction,
                                        const TriangularSolve &t);
/// The right-hand side: the elements of the equations up to the element's own.
[[nodiscard]] Map triangularSolveRightSide(Arena &arena, Direction direction,
                                           const TriangularSolve &t);

//===--- Offsets known only when the program runs -------------------------===//

/// One element of a tensor of indices: an expression if its value is known,
/// else an interval and the place it is read from.
///
///   IndexValue{.exact = d0 * 2}                     the value is d0 * 2
///   IndexValue{.range = {0, 7}, .source = "e/of1"}  a value in [0, 7], read
///                                                   when the program runs
///
/// If `exact` is an expression, only `range` counts besides it.
/// Requires: the element lies in `range`.
struct IndexValue {
  Expr exact = {}; ///< over the variables of the new map
  Interval range = Interval::everything();
  uint32_t source = 0;  ///< interned name of the tensor, as "entry/of1"
  int32_t element = -1; ///< number of the element if the source is a tuple
  llvm::SmallVector<Expr, 2> index = {}; ///< the position in the tensor
};

/// The index clamped to `to`, as an expression. An exact index is clamped only
/// if it may lie outside `to`. An index read at run time is a constant if one
/// value is possible; else a runtime variable, added to the map, with the
/// values of `range` clamped to `to` as its bounds.
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
/// So one constraint is enough for any number of dimensions. The complement of
/// the box as disjoint boxes would take up to 2 * rank maps, and (2 * rank)^k
/// after k updates. Both directions are the same map.
[[nodiscard]] Map dynamicUpdateSliceOperand(Arena &arena, Sizes operand,
                                            Sizes update,
                                            llvm::ArrayRef<IndexValue> starts);
/// The update: the elements inside the box.
[[nodiscard]] Map dynamicUpdateSliceUpdate(Arena &arena, Direction direction,
                                           Sizes operand, Sizes update,
                                           llvm::ArrayRef<IndexValue> starts);

/// A gather. The dimensions `offsetDims` of the result are the offset
/// coordinates, all others the batch coordinates. The batch coordinates select
/// an index vector along `indexVectorDim` of the indices. The offset
/// coordinates select an element of the slice that begins at this vector.
struct Gather {
  Sizes operand, indices, result;
  llvm::ArrayRef<int64_t> offsetDims, collapsedSliceDims, operandBatchingDims,
      startIndicesBatchingDims, startIndexMap;
  int64_t indexVectorDim = 0; ///< the rank of `indices`: scalar indices
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

/// The operand. The start of each mapped dimension is clamped so that the whole
/// slice lies in the operand. Unknown starts are runtime variables, in the
/// order of `startIndexMap`.
///
///   a gather of rows of [10, 4] by 6 row numbers
///   (d0, d1){rt0} -> (rt0, d1), domain: d0 in [0, 5], d1 in [0, 3],
///     rt0 in [0, 9], where rt0 is element (d0, 0) of the indices
[[nodiscard]] Map gatherOperand(Arena &arena, Direction direction,
                                const Gather &gather);
/// The indices: the index vector of the batch coordinates.
[[nodiscard]] Map gatherIndices(Arena &arena, Direction direction,
                                const Gather &gather);

/// A scatter. The dimensions `updateWindowDims` of the update are the window
/// coordinates, all others the scatter coordinates. The scatter coordinates
/// select an index vector along `indexVectorDim` of the indices. An update goes
/// to the input element at the sum of this vector and the window coordinates,
/// and is dropped if the sum lies outside.
struct Scatter {
  Sizes input, indices, update;
  llvm::ArrayRef<int64_t> updateWindowDims, insertedWindowDims,
      inputBatchingDims, scatterIndicesBatchingDims, scatterDimsToOperandDims;
  int64_t indexVectorDim = 0; ///< the rank of `indices`: scalar indices
  /// As in Gather.
  llvm::function_ref<IndexValue(const Domain &domain, llvm::ArrayRef<Expr> at)>
      read = nullptr;
  /// Restricts the map to the updates with these scatter coordinates; -1 for a
  /// batch coordinate, which is that of the input element. Without it, the map
  /// covers all updates.
  std::optional<llvm::ArrayRef<int64_t>> window = std::nullopt;
};

/// The updates that go to an element of the result. As for a gather, there is
/// one runtime variable for each mapped dimension, but the operation does not
/// clamp its indices. The bounds of the variable, [-size of the window, size of
/// the input], contain all values that make a difference. The domain excludes
/// updates that lie outside.
[[nodiscard]] Map scatterUpdate(Arena &arena, Direction direction,
                                const Scatter &s);
/// The index vectors. Any of them may send an update to an element: all vectors
/// of its batch.
[[nodiscard]] Map scatterIndices(Arena &arena, Direction direction,
                                 const Scatter &s);
/// The elements that some update goes to. Both directions are the same map.
[[nodiscard]] Map scatterReached(Arena &arena, const Scatter &s);
/// The elements outside all listed windows, by one constraint, as in
/// dynamicUpdateSliceOperand. Both directions are the same map.
[[nodiscard]] Map
scatterKept(Arena &arena, const Scatter &s,
            llvm::ArrayRef<llvm::SmallVector<int64_t>> windows);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_OPERATIONS_TENSORMAPS_H
