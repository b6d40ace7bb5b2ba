// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The `ascend` dialect: operators of Ascend's Graph Engine as operations.
///
///   %y = ascend.GatherV2(%x, %ids, %axis) {batch_dims = 1}
///       : (tensor<2x9x4xf32>, tensor<2x3xi32>, tensor<i32>) ->
///       tensor<2x3x4xf32>
///
/// The verifier compares every operator with its entry in Registry.h and its
/// result type with the shape rule of the operator (Infer.h).

#ifndef MERCATOR_DIALECTS_ASCEND_ASCEND_H
#define MERCATOR_DIALECTS_ASCEND_ASCEND_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mercator::ascend {

namespace detail {
llvm::LogicalResult verifyOperator(mlir::Operation *op);
} // namespace detail

/// A trait of the operators of GE's registry.
template <typename ConcreteType>
class GeOperator : public mlir::OpTrait::TraitBase<ConcreteType, GeOperator> {
public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifyOperator(op);
  }
};

} // namespace mercator::ascend

#include "mercator/dialects/ascend/AscendDialect.h.inc"
#define GET_OP_CLASSES
#include "mercator/dialects/ascend/AscendOps.h.inc"

namespace mercator::ascend {

/// The type of a value of this dialect. All values are tensors.
[[nodiscard]] inline mlir::RankedTensorType typeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// The inputs of a graph, in the order of their indices.
[[nodiscard]] llvm::SmallVector<DataOp> inputsOf(GraphOp graph);

} // namespace mercator::ascend

#endif // MERCATOR_DIALECTS_ASCEND_ASCEND_H
