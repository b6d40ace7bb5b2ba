// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A gather to plan: its dimension numbers, and the static facts about its
/// start indices.
///
///   %r = "stablehlo.gather"(%table, %ids) .. slice_sizes = [1, 896]
///        : (tensor<151936x896xf32>, tensor<1x8x1xi32>) -> tensor<1x8x896xf32>
///
///   FailureOr<GatherProblem> problem = gatherProblem(op, why);
///   problem->roles()    // {point, full}: one row is selected, and taken whole
///
/// A dynamic_gather with constant slice sizes and a dynamic_slice (one slice,
/// whose start is a vector of scalars) are problems of the same form.
///
/// Extents may be known only at run time:
///
///   %r = "stablehlo.gather"(%table, %ids) .. slice_sizes = [1, 16]
///        : (tensor<100x16xf32>, tensor<?x8x1xi32>) -> tensor<?x8x16xf32>
///
///   FailureOr<GatherProblem> problem = gatherProblem(op, why, &extents);
///   problem->resultShape   // {n3, 8, 16}
///
/// Decisions depend on which extents are equal, never on unknown numbers. So a
/// plan is right in every run. The caller clamps the starts in a dimension whose
/// last start is known only at run time.
///
/// Source: StableHLO specification, "gather". Each start is clamped to [0,
/// extent - slice size], so that the whole slice is in range.

#ifndef MERCATOR_TARGETS_ASCEND_GATHER_PROBLEM_H
#define MERCATOR_TARGETS_ASCEND_GATHER_PROBLEM_H

#include "mercator/analysis/extents/SymbolicExtent.h"
#include "mercator/indexing/expr/Interval.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace mercator::gather {

using Ints = llvm::SmallVector<int64_t, 4>;
using Extents = llvm::SmallVector<SymbolicExtent, 4>;

/// One component of the index vectors: the starts of slices in dimension `dim`
/// of the operand.
struct Column {
  int64_t dim = 0;
  indexing::Interval starts; ///< each start lies in here
  /// If known: each start is the coordinate along this batch axis plus
  /// `iotaOffset`, so the column is an iota.
  std::optional<int64_t> iotaAxis;
  int64_t iotaOffset = 0;
};

/// The role of a dimension of the operand.
enum class Role {
  Batching, ///< takes the coordinate of a batch axis
  Full,     ///< taken whole
  Trimmed,  ///< some elements, from a start on that is known
  Point,    ///< one element, at a start
  Window,   ///< some elements, from a start on
};
[[nodiscard]] llvm::StringRef name(Role role);

struct GatherProblem {
  Extents operandShape, indicesShape, resultShape, sliceSizes;
  Ints offsetDims, collapsedSliceDims, operandBatchingDims,
      startIndicesBatchingDims, startIndexMap;
  int64_t indexVectorDim = 0;
  /// The width of the start indices.
  unsigned indexBits = 32;
  bool indexIsSigned = true;
  /// The size in bytes of an element of the operand.
  int64_t elementBytes = 4;
  /// Whether the elements are booleans: GE has no slices of them, so a slice
  /// converts them to bytes and back.
  bool isBoolean = false;
  llvm::SmallVector<Column, 4> columns;
  /// The start indices in row-major order of `indicesShape`, if they are
  /// constant.
  std::optional<llvm::SmallVector<int64_t>> constantStarts;

  /// The shape of the start indices without the index vector dimension.
  [[nodiscard]] Extents batchShape() const;
  [[nodiscard]] SymbolicExtent batchSize() const;
  /// The largest start for which a slice is within dimension `dim`. None if it
  /// is known only at run time; 0 if a slice takes an unknown extent whole.
  [[nodiscard]] std::optional<int64_t> lastStart(int64_t dim) const;
  /// Whether a slice takes the whole dimension in every run.
  [[nodiscard]] bool isWhole(int64_t dim) const {
    return operandShape[dim] == sliceSizes[dim];
  }
  /// The column of a dimension, or null.
  [[nodiscard]] const Column *column(int64_t dim) const;
  /// The start of every slice in a dimension, clamped, if it is known: 0 for a
  /// dimension that no column names.
  [[nodiscard]] std::optional<int64_t> fixedStart(int64_t dim) const;
  /// For each dimension of the operand, the batch axis whose coordinate it
  /// takes, or -1. This includes a point whose column is an iota, if no other
  /// dimension takes that axis and the whole iota is in range.
  [[nodiscard]] Ints batchingAxes() const;
  /// The offset of a batching dimension: 0, or the offset of its iota.
  [[nodiscard]] int64_t batchingOffset(int64_t dim) const;
  /// One role for each dimension of the operand.
  [[nodiscard]] llvm::SmallVector<Role, 4> roles() const;
  /// Whether a dimension is an axis of the result.
  [[nodiscard]] bool isOffset(int64_t dim) const;
};

/// The problem of a stablehlo gather, dynamic_gather or dynamic_slice.
/// Requires: the operation is verified. Fails for tensors whose size does not
/// fit in 64 bits, for slices whose size is known only at run time and that are
/// not whole, and for other operations; then `why` says so. Without `extents` it
/// fails for all unknown extents.
///
/// Starts in a dimension without a known last start are said to be in range.
/// The caller clamps them.
[[nodiscard]] llvm::FailureOr<GatherProblem>
gatherProblem(mlir::Operation *op, std::string &why,
              EqualExtents *extents = nullptr);

} // namespace mercator::gather

#endif // MERCATOR_TARGETS_ASCEND_GATHER_PROBLEM_H
