// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/MapInterface.h"
#include "mercator/dialects/flow/Flow.h"
#include "mercator/tools/driver/Explain.h"
#include "mercator/transforms/flow/Cloneable.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mercator;
using namespace mlir;

std::string mercator::placeOf(Location loc) {
  auto place = loc->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "?";
  return (place.getFilename().getValue() + ":" + llvm::Twine(place.getLine()))
      .str();
}

static std::optional<int64_t> bytesOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return std::nullopt;
  Type element = tensor.getElementType();
  int64_t factor = 1;
  if (auto complex = dyn_cast<ComplexType>(element)) {
    element = complex.getElementType();
    factor = 2;
  }
  if (!element.isIntOrIndexOrFloat())
    return std::nullopt;
  int64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  int64_t bytes = (bits + 7) / 8 * factor;
  for (int64_t size : tensor.getShape())
    if (llvm::MulOverflow(bytes, size, bytes))
      return std::nullopt;
  return bytes;
}

/// What the text calls a value, or what stands there.
static std::string nameOf(Value value) {
  std::string name = nameIn(value.getLoc()).str();
  if (!name.empty())
    return name;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return "argument " + std::to_string(argument.getArgNumber());
  return value.getDefiningOp()->getName().getStringRef().str();
}

static std::string textOf(Operation &op) {
  std::string name = nameIn(op.getLoc()).str();
  return (name.empty() ? "" : name + " = ") + op.getName().getStringRef().str();
}

Explanation::Tensor mercator::describe(Value value) {
  std::string type;
  llvm::raw_string_ostream(type) << value.getType();
  return {nameOf(value), type, bytesOf(value.getType())};
}

/// The number that a workload is, if that is known.
static std::optional<int64_t> numberOf(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  if (!apply)
    return std::nullopt;
  SmallVector<Attribute> operands;
  for (Value operand : apply.getMapOperands()) {
    if (!matchPattern(operand, m_ConstantInt(&number)))
      return std::nullopt;
    operands.push_back(IntegerAttr::get(operand.getType(), number));
  }
  SmallVector<Attribute> results;
  if (failed(apply.getAffineMap().constantFold(operands, results)))
    return std::nullopt;
  return cast<IntegerAttr>(results.front()).getInt();
}

/// What the body is handed: not what it gets a copy of, but what that copy
/// reads.
static llvm::SetVector<Value> valuesRead(flow::DispatchRegionOp region) {
  llvm::SetVector<Value> read, seen;
  getUsedValuesDefinedAbove(region.getBody(), seen);
  for (size_t i = 0; i < seen.size(); ++i) {
    Value value = seen[i];
    Operation *op = value.getDefiningOp();
    if (op && flow::isCloneable(op))
      seen.insert(op->operand_begin(), op->operand_end());
    else if (isa<TensorType>(value.getType()))
      read.insert(value);
  }
  return read;
}

static void collectOperations(Region &body, Explanation::Dispatch &dispatch) {
  for (Block &block : body)
    for (Operation &op : block.without_terminator())
      if (!op.hasTrait<OpTrait::ConstantLike>())
        dispatch.operations.push_back({textOf(op), placeOf(op.getLoc())});
}

static void collect(Operation *op, Explanation &explanation) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (!function || function->getParentOfType<flow::ExecutableOp>())
    return;
  Explanation::Dispatch dispatch{
      function.getName().str(), placeOf(op->getLoc()), {}, {}, {}, {}};
  ValueRange workload;
  SmallVector<Value> read;
  if (auto region = dyn_cast<flow::DispatchRegionOp>(op)) {
    workload = region.getWorkload();
    llvm::append_range(read, valuesRead(region));
    collectOperations(region.getBody(), dispatch);
    Operation *end = region.getBody().front().getTerminator();
    for (Value result : end->getOperands())
      dispatch.gives.push_back(describe(result));
  } else if (auto workgroups = dyn_cast<flow::DispatchWorkgroupsOp>(op)) {
    workload = workgroups.getWorkload();
    llvm::append_range(read, workgroups.getArguments());
    collectOperations(workgroups.getWorkgroupBody(), dispatch);
  } else if (auto call = dyn_cast<flow::DispatchOp>(op)) {
    workload = call.getWorkload();
    llvm::append_range(read, call.getArguments());
    std::string entry;
    llvm::raw_string_ostream(entry) << call.getEntryPointAttr();
    dispatch.operations.push_back({entry, placeOf(op->getLoc())});
  } else {
    return;
  }
  for (Value value : workload)
    dispatch.workload.push_back(numberOf(value));
  for (Value value : read)
    if (isa<TensorType>(value.getType()))
      dispatch.reads.push_back(describe(value));
  if (dispatch.gives.empty())
    for (Value result : op->getResults())
      dispatch.gives.push_back(describe(result));
  explanation.dispatches.push_back(std::move(dispatch));
}

void mercator::collectDispatches(ModuleOp module, Explanation &explanation) {
  module.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { collect(op, explanation); });
}
