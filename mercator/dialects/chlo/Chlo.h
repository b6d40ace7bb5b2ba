// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The `chlo` dialect: operations that stand beside StableHLO in the programs
/// that JAX and PyTorch export, written from what those programs hold.
///
///   %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
///   %1 = chlo.broadcast_add %a, %b : (tensor<4x8xf32>, tensor<8xf32>) ->
///          tensor<4x8xf32>
///   %v, %i = chlo.top_k(%x, k = 2) : tensor<4xf32> ->
///          (tensor<2xf32>, tensor<2xi32>)
///
/// Functions of one and two operands (erf, lgamma, next_after, ..), the
/// elementwise operations of StableHLO with broadcasting (broadcast_*), top_k,
/// scan, ragged_dot, mulhi. Every one has a spelling in StableHLO.

#ifndef MERCATOR_DIALECTS_CHLO_CHLO_H
#define MERCATOR_DIALECTS_CHLO_CHLO_H

#include "mercator/dialects/stablehlo/TensorExtents.h"

namespace mercator::chlo {

namespace detail {
llvm::LogicalResult verifySameShape(mlir::Operation *op);
} // namespace detail

/// All operands and results have one shape.
template <typename ConcreteType>
class SameShape : public mlir::OpTrait::TraitBase<ConcreteType, SameShape> {
public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifySameShape(op);
  }
};

/// Where the dimensions of an operand of `operandRank` dimensions go in a
/// result of `rank` dimensions: as `given` says where the ranks differ and it
/// is given, else the last ones.
///
///   broadcastDims(1, 3, std::nullopt) == {2}
///   broadcastDims(1, 3, {{0}}) == {0}
///
/// Requires: operandRank <= rank; `given`, if it counts, has operandRank
/// entries.
[[nodiscard]] llvm::SmallVector<int64_t>
broadcastDims(int64_t operandRank, int64_t rank,
              std::optional<llvm::ArrayRef<int64_t>> given);

/// What two extents broadcast to: one of them is 1, or they are the same. None
/// where neither can be.
[[nodiscard]] std::optional<stablehlo::Extent>
broadcastExtent(stablehlo::Extent a, stablehlo::Extent b);

} // namespace mercator::chlo

#include "mercator/dialects/chlo/ChloDialect.h.inc"
#include "mercator/dialects/chlo/ChloEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "mercator/dialects/chlo/ChloAttrs.h.inc"
#define GET_OP_CLASSES
#include "mercator/dialects/chlo/ChloOps.h.inc"

namespace mercator::chlo {

/// The shapes that a product in groups is made of.
struct RaggedDotShapes {
  /// What the ragged dimension of the left operand is.
  enum class Mode { Rows, Contracting, Batch };
  Mode mode;
  int64_t groups;
  /// The dimensions of the left operand that index `group_sizes` before its
  /// last dimension, if it has more than one.
  llvm::SmallVector<int64_t> prefix;
  /// The dimensions that stand in the result beside the batch ones.
  llvm::SmallVector<int64_t> lhsFree, rhsFree;
  llvm::SmallVector<int64_t> result;
};

/// Requires: the operation was verified, or its dimension numbers were checked.
[[nodiscard]] RaggedDotShapes raggedDotShapes(RaggedDotOp op);

} // namespace mercator::chlo

#endif // MERCATOR_DIALECTS_CHLO_CHLO_H
