// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/operators/NodeCost.h"

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/dialects/ascend/Registry.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

bool Cost::operator<(const Cost &other) const {
  return std::tuple(weight, indexEntries, movesOperand) <
         std::tuple(other.weight, other.indexEntries, other.movesOperand);
}

namespace {
struct Sum {
  uint64_t value = 0;
  void add(uint64_t count, uint64_t each) {
    value = llvm::SaturatingMultiplyAdd(count, each, value);
  }
  void add(uint64_t more) { value = llvm::SaturatingAdd(value, more); }
  int64_t get() const { return std::min<uint64_t>(value, INT64_MAX); }
};
} // namespace

static bool isInPlace(Operation *op) {
  return isa<ScatterNdUpdateOp, ScatterNdAddOp>(op);
}
static bool isScatter(Operation *op) {
  return isInPlace(op) ||
         isa<TensorScatterUpdateOp, TensorScatterAddOp, TensorScatterMaxOp,
             TensorScatterMinOp, ScatterElementsOp>(op);
}

/// Whether a scatter writes rows without reading them.
static bool replacesElements(Operation *scatter) {
  auto elements = dyn_cast<ScatterElementsOp>(scatter);
  return elements ? elements.getReduction() == "none"
                  : isa<TensorScatterUpdateOp, ScatterNdUpdateOp>(scatter);
}

static bool isGather(Operation *op) {
  return isa<GatherV2Op, GatherV2DOp, GatherNdOp, GatherElementsOp,
             IndexByTensorOp>(op);
}

static uint64_t elementsOf(Value value) {
  uint64_t count = 1;
  for (int64_t extent : cast<RankedTensorType>(value.getType()).getShape())
    count = llvm::SaturatingMultiply<uint64_t>(
        count, ShapedType::isDynamic(extent) ? 0 : extent);
  return count;
}

static uint64_t bytesOf(Value value) {
  Type element = getElementTypeOrSelf(value);
  unsigned bits = 8;
  if (auto complex = dyn_cast<ComplexType>(element))
    bits = 2 * complex.getElementType().getIntOrFloatBitWidth();
  else if (element.isIntOrFloat())
    bits = element.getIntOrFloatBitWidth();
  return llvm::SaturatingMultiply<uint64_t>(elementsOf(value), (bits + 7) / 8);
}

/// A shape, an axis, a limit: the node has it beforehand.
static bool isParameter(Value value) {
  constexpr int64_t kShort = 8;
  auto type = cast<RankedTensorType>(value.getType());
  return type.getRank() <= 1 && type.hasStaticShape() &&
         type.getNumElements() <= kShort && matchPattern(value, m_Constant());
}

bool ascend::isExecuted(Operation *op) {
  return isa_and_nonnull<AscendDialect>(op->getDialect()) &&
         op->getNumResults() != 0 && !isa<ConstOp, ReshapeOp, DataOp>(op);
}

/// An operand that is read and written.
static uint64_t copyOf(Operation *node) {
  return llvm::SaturatingMultiply<uint64_t>(2, bytesOf(node->getOperand(0)));
}

int64_t ascend::bytesMovedBy(Operation *node) {
  if (!isExecuted(node))
    return 0;
  Sum bytes;
  auto read = [&](Value value) {
    if (!isParameter(value))
      bytes.add(bytesOf(value));
  };
  if (isScatter(node)) {
    if (!isInPlace(node))
      bytes.add(copyOf(node));
    bytes.add(bytesOf(node->getOperand(1)));
    // Updates are read and rows are written; combined rows are also read.
    bytes.add(replacesElements(node) ? 2 : 3, bytesOf(node->getOperand(2)));
    return bytes.get();
  }
  for (Value result : node->getResults())
    bytes.add(bytesOf(result));
  if (isGather(node)) {
    size_t count = isa<GatherV2Op>(node) ? 1 : node->getNumOperands() - 1;
    bytes.add(bytesOf(node->getResult(0)));
    for (Value indices : node->getOperands().slice(1, count))
      bytes.add(bytesOf(indices));
  } else if (isa<SliceOp, StridedSliceOp>(node)) {
    bytes.add(bytesOf(node->getResult(0)));
  } else {
    for (Value operand : node->getOperands())
      read(operand);
  }
  return bytes.get();
}

/// How many pieces of a tensor the indices pick, and the bytes of each.
static std::pair<uint64_t, uint64_t> piecesOf(Operation *node) {
  uint64_t pieces = 0, bytes = 0;
  if (isScatter(node)) {
    auto indices = cast<RankedTensorType>(node->getOperand(1).getType());
    pieces = elementsOf(node->getOperand(1));
    if (!isa<ScatterElementsOp>(node))
      pieces /= std::max<int64_t>(1, indices.getShape().back());
    bytes = bytesOf(node->getOperand(2));
  } else if (auto gather = dyn_cast<GatherV2Op>(node)) {
    // Each axis before the indexed one repeats the rows.
    llvm::APInt axis;
    if (!matchPattern(gather.getAxis(), m_ConstantInt(&axis)))
      return {0, 0};
    pieces = elementsOf(gather.getIndices());
    auto shape = cast<RankedTensorType>(gather.getX().getType()).getShape();
    for (int64_t extent :
         shape.slice(gather.getBatchDims(),
                     axis.getSExtValue() - gather.getBatchDims()))
      pieces = llvm::SaturatingMultiply<uint64_t>(pieces, extent);
    bytes = bytesOf(gather.getResult());
  }
  return {pieces, pieces ? bytes / pieces : 0};
}

NodeCost ascend::costOf(llvm::ArrayRef<Operation *> nodes) {
  NodeCost cost;
  Sum bytes, rounding, copied;
  for (Operation *node : nodes) {
    if (!isExecuted(node))
      continue;
    ++cost.nodes;
    bytes.add(bytesMovedBy(node));
    if (isa<TensorMoveOp>(node))
      copied.add(copyOf(node));
    auto [pieces, each] = piecesOf(node);
    if (pieces)
      cost.indexEntries += elementsOf(node->getOperand(1));
    if (each < uint64_t(kPieceBytes))
      rounding.add(pieces, 2 * (kPieceBytes - each));
  }
  cost.bytes = bytes.get();
  cost.copied = copied.get();
  bytes.add(rounding.value);
  bytes.add(cost.nodes, kNodeBytes);
  cost.weight = bytes.get();
  return cost;
}

/// The operand whose type decides: neither a shape nor the condition of a
/// choice.
static Value dataOf(Operation *node) {
  const Operator *entry = findOperator(node->getName().stripDialect());
  size_t first = isa<SelectOp, SelectV2Op>(node);
  while (entry && first < entry->inputs.size() &&
         entry->inputs[first].decidesShape)
    ++first;
  return first < node->getNumOperands() ? node->getOperand(first) : Value();
}

/// Why the cores do not execute a node; empty if they do, or if that is unknown.
static std::string whyBeside(Operation *node, const Device &device) {
  Value data = isExecuted(node) ? dataOf(node) : Value();
  if (!data)
    return "";
  llvm::SmallVector<Value, 2> values = {data};
  if (isa<CastOp>(node))
    values.push_back(node->getResult(0));
  for (Value value : values) {
    std::optional<GeType> element = geType(getElementTypeOrSelf(value));
    if (!element)
      continue;
    std::string why =
        whyNotOnCore(device, node->getName().stripDialect(), name(*element));
    if (!why.empty())
      return why;
  }
  return "";
}

std::vector<BesideCores> ascend::besideCores(llvm::ArrayRef<Operation *> nodes,
                                             const Device &device) {
  std::vector<BesideCores> beside;
  if (device.coreOperators.empty())
    return beside;
  for (Operation *node : nodes) {
    std::string why = whyBeside(node, device);
    if (why.empty())
      continue;
    auto found = llvm::find_if(
        beside, [&](const BesideCores &it) { return it.why == why; });
    if (found == beside.end())
      found = beside.insert(beside.end(), {std::move(why), node->getLoc()});
    ++found->nodes;
    found->bytes = std::min<uint64_t>(
        INT64_MAX,
        llvm::SaturatingAdd<uint64_t>(found->bytes, bytesMovedBy(node)));
  }
  return beside;
}
