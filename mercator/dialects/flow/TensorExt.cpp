// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/flow/TensorExt.h"
#include "mercator/dialects/flow/Flow.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

MLIR_DEFINE_EXPLICIT_TYPE_ID(mercator::flow::TensorExtDialect)

TensorExtDialect::TensorExtDialect(MLIRContext *context)
    : Dialect(getDialectNamespace(), context, TypeID::get<TensorExtDialect>()) {
  context->loadDialect<FlowDialect>();
}

Type TensorExtDialect::parseType(DialectAsmParser &parser) const {
  StringRef mnemonic;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseKeyword(&mnemonic))
    return {};
  if (mnemonic == DispatchTensorType::getMnemonic())
    return DispatchTensorType::parse(parser);
  parser.emitError(where) << "expected dispatch.tensor, got " << mnemonic;
  return {};
}

/// Reads an OpT under another name.
template <typename OpT>
static ParseResult parseAs(OpAsmParser &parser, OperationState &state) {
  state.name = OperationName(OpT::getOperationName(), parser.getContext());
  return OpT::parse(parser, state);
}

/// Newer text has these operands in parentheses.
template <typename OpT>
static ParseResult parseCountAs(OpAsmParser &parser, OperationState &state) {
  state.name = OperationName(OpT::getOperationName(), parser.getContext());
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  Type index = parser.getBuilder().getIndexType();
  if (parser.parseOptionalAttrDict(state.attributes))
    return failure();
  if (succeeded(parser.parseOptionalLParen())) {
    if (parser.parseOperandList(operands) || parser.parseRParen())
      return failure();
  } else if (parser.parseOperandList(operands)) {
    return failure();
  }
  state.addTypes({index, index, index});
  return parser.resolveOperands(operands, index, state.operands);
}

std::optional<Dialect::ParseOpHook>
TensorExtDialect::getParseOperationHook(StringRef name) const {
  if (name == "iree_tensor_ext.dispatch.tensor.load")
    return ParseOpHook(parseAs<DispatchTensorLoadOp>);
  if (name == "iree_tensor_ext.dispatch.tensor.store")
    return ParseOpHook(parseAs<DispatchTensorStoreOp>);
  if (name == "iree_tensor_ext.dispatch.workgroup_count_from_dag_root")
    return ParseOpHook(parseCountAs<DispatchWorkgroupCountFromDagRootOp>);
  if (name == "iree_tensor_ext.dispatch.workgroup_count_from_slice")
    return ParseOpHook(parseCountAs<DispatchWorkgroupCountFromSliceOp>);
  if (name == "iree_tensor_ext.dispatch.workload.ordinal")
    return ParseOpHook(parseAs<DispatchWorkloadOrdinalOp>);
  return std::nullopt;
}
