// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/flow/TensorExt.h"
#include "mercator/dialects/flow/Flow.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

MLIR_DEFINE_EXPLICIT_TYPE_ID(mercator::flow::TensorExtDialect)

TensorExtDialect::TensorExtDialect(MLIRContext *context)
    : Dialect(getDialectNamespace(), context, TypeID::get<TensorExtDialect>()) {
  context->loadDialect<FlowDialect>();
  context->loadDialect<tensor::TensorDialect>();
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

/// Reads `%x : tensor<?xf32>{%d} -> tensor<?xf32>`, which limits how far IREE
/// moves operations, as a tensor.cast to the same type.
static ParseResult parseBarrier(OpAsmParser &parser, OperationState &state) {
  state.name =
      OperationName(tensor::CastOp::getOperationName(), parser.getContext());
  OpAsmParser::UnresolvedOperand operand;
  SmallVector<OpAsmParser::UnresolvedOperand> dims;
  SmallVector<Value> ignored;
  Type from, to;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseOperand(operand) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(from))
    return failure();
  if (succeeded(parser.parseOptionalLBrace()) &&
      (parser.parseOperandList(dims) || parser.parseRBrace()))
    return failure();
  if (parser.parseArrow() || parser.parseType(to) ||
      parser.resolveOperands(dims, parser.getBuilder().getIndexType(), ignored))
    return failure();
  if (!isa<TensorType>(from) || from != to)
    return parser.emitError(where)
           << "expected two tensors of one type, got " << from << " and " << to;
  state.addTypes(to);
  return parser.resolveOperand(operand, from, state.operands);
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
  if (name == "iree_tensor_ext.compute_barrier.start" ||
      name == "iree_tensor_ext.compute_barrier.end")
    return ParseOpHook(parseBarrier);
  return std::nullopt;
}
