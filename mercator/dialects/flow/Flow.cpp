// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/Common.h"
#include "mercator/dialects/flow/Directives.h"
#include "mercator/dialects/util/Util.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator::flow;

#include "mercator/dialects/flow/FlowDialect.cpp.inc"
#include "mercator/dialects/flow/FlowEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "mercator/dialects/flow/FlowTypes.cpp.inc"

void FlowDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "mercator/dialects/flow/FlowTypes.cpp.inc"
      >();
  registerFlowDialectOperations(this);
}

Operation *FlowDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===----------------------------------------------------------------------===//
// !flow.dispatch.tensor
//===----------------------------------------------------------------------===//

LogicalResult
DispatchTensorType::verify(function_ref<InFlightDiagnostic()> emitError,
                           TensorAccess, Type boundType) {
  if (boundType.isIntOrFloat() || isa<RankedTensorType>(boundType))
    return success();
  return emitError() << "expected a ranked tensor, an integer or a float, got "
                     << boundType;
}

RankedTensorType DispatchTensorType::asRankedTensorType() const {
  if (auto tensor = dyn_cast<RankedTensorType>(getBoundType()))
    return tensor;
  return RankedTensorType::get({}, getBoundType());
}
