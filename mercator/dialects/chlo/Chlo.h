// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The `chlo` dialect: operations that programs exported by JAX and PyTorch use
/// together with StableHLO. It is written from such programs.
///
///   %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
///   %1 = chlo.broadcast_add %a, %b : (tensor<4x8xf32>, tensor<8xf32>) ->
///          tensor<4x8xf32>
///   %v, %i = chlo.top_k(%x, k = 2) : tensor<4xf32> ->
///          (tensor<2xf32>, tensor<2xi32>)
///
/// Functions of one and two operands (erf, lgamma, next_after, ..), StableHLO's
/// elementwise operations with broadcasting (broadcast_*), top_k, scan,
/// ragged_dot, mulhi. Each can be expressed in StableHLO.

#ifndef MERCATOR_DIALECTS_CHLO_CHLO_H
#define MERCATOR_DIALECTS_CHLO_CHLO_H

#include "mercator/dialects/stablehlo/Extents.h"

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

/// The result dimensions to which the dimensions of an operand are broadcast:
/// `given` if the ranks differ and it is present, else the last dimensions of
/// the result.
///
/// ```cpp
/// #include "llvm/ADT/STLExtras.h"
/// assert(llvm::equal(broadcastDims(1, 3, std::nullopt),
///                    llvm::ArrayRef<int64_t>{2}));
/// int64_t first = 0;
/// assert(llvm::equal(broadcastDims(1, 3, llvm::ArrayRef(first)),
///                    llvm::ArrayRef<int64_t>{0}));
/// ```
///
/// Requires: operandRank <= rank; `given` has operandRank entries if it is
/// used.
[[nodiscard]] llvm::SmallVector<int64_t>
broadcastDims(int64_t operandRank, int64_t rank,
              std::optional<llvm::ArrayRef<int64_t>> given);

/// The extent to which two extents broadcast. None if they differ and neither
/// can be 1.
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

/// The dimensions and the mode of a ragged dot.
struct RaggedDotShapes {
  /// The role of the ragged dimension of the left operand.
  enum class Mode { Rows, Contracting, Batch };
  Mode mode;
  int64_t groups;
  /// The dimensions of the left operand that index all but the last dimension
  /// of `group_sizes`.
  llvm::SmallVector<int64_t> prefix;
  /// The free dimensions: those of the result that are no batch dimensions.
  llvm::SmallVector<int64_t> lhsFree, rhsFree;
  llvm::SmallVector<int64_t> result;
};

/// Requires: the operation was verified, or its dimension numbers were checked.
[[nodiscard]] RaggedDotShapes raggedDotShapes(RaggedDotOp op);

} // namespace mercator::chlo

#endif // MERCATOR_DIALECTS_CHLO_CHLO_H
