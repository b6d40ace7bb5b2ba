// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/util/UtilInterfaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mercator::util;

#include "mercator/dialects/util/UtilInterfaces.cpp.inc"

//===----------------------------------------------------------------------===//
// Ties
//===----------------------------------------------------------------------===//

SmallVector<int64_t> mercator::util::detail::readTies(Operation *op) {
  SmallVector<int64_t> ties(op->getNumResults(), TiedOpInterface::kUntied);
  auto stored = op->getAttrOfType<ArrayAttr>(TiedOpInterface::kStorageAttrName);
  if (!stored)
    return ties;
  unsigned first =
      cast<TiedOpInterface>(op).getTiedOperandsIndexAndLength().first;
  // The list may be invalid: printing and queries precede verification.
  for (auto [tie, attr] : llvm::zip(ties, stored.getAsRange<IntegerAttr>()))
    if (attr.getInt() >= 0)
      tie = first + attr.getInt();
  return ties;
}

std::optional<unsigned> mercator::util::detail::getTie(Operation *op,
                                                       unsigned resultIndex) {
  int64_t tie =
      cast<TiedOpInterface>(op).getTiedResultOperandIndices()[resultIndex];
  if (tie == TiedOpInterface::kUntied)
    return std::nullopt;
  return tie;
}

void mercator::util::detail::setTie(Operation *op, unsigned resultIndex,
                                    std::optional<unsigned> operandIndex) {
  auto tied = cast<TiedOpInterface>(op);
  SmallVector<int64_t> ties = tied.getTiedResultOperandIndices();
  ties[resultIndex] =
      operandIndex ? int64_t(*operandIndex) : TiedOpInterface::kUntied;
  unsigned first = tied.getTiedOperandsIndexAndLength().first;
  for (int64_t &tie : ties)
    if (tie != TiedOpInterface::kUntied)
      tie -= first;
  Builder builder(op->getContext());
  if (ArrayAttr attr = getTiesAttr(builder, ties))
    op->setAttr(TiedOpInterface::kStorageAttrName, attr);
  else
    op->removeAttr(TiedOpInterface::kStorageAttrName);
}

SmallVector<Value> mercator::util::detail::getTiedTo(Operation *op,
                                                     unsigned operandIndex) {
  SmallVector<Value> results;
  SmallVector<int64_t> ties =
      cast<TiedOpInterface>(op).getTiedResultOperandIndices();
  for (auto [result, tie] : llvm::zip_equal(op->getResults(), ties))
    if (tie == int64_t(operandIndex))
      results.push_back(result);
  return results;
}

LogicalResult mercator::util::detail::verifyTies(Operation *op) {
  auto stored = op->getAttrOfType<ArrayAttr>(TiedOpInterface::kStorageAttrName);
  if (!stored)
    return success();
  if (stored.size() != op->getNumResults())
    return op->emitOpError()
           << "expected " << op->getNumResults()
           << " tied operands, one for each result, got " << stored.size();
  int64_t length =
      cast<TiedOpInterface>(op).getTiedOperandsIndexAndLength().second;
  for (Attribute attr : stored) {
    auto tie = dyn_cast<IntegerAttr>(attr);
    if (!tie || !isa<IndexType>(tie.getType()) ||
        tie.getInt() < TiedOpInterface::kUntied || tie.getInt() >= length)
      return op->emitOpError() << "expected a tied operand from -1 to "
                               << length - 1 << ", got " << attr;
  }
  return success();
}

Value mercator::util::findTiedBaseValue(Value value) {
  while (auto tied = value.getDefiningOp<TiedOpInterface>()) {
    Value operand = tied.getTiedResultOperand(value);
    // In a graph region an operation may be its own operand.
    if (!operand || operand.getDefiningOp() == tied)
      return value;
    value = operand;
  }
  return value;
}

bool mercator::util::hasAnyTiedUses(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    auto tied = dyn_cast<TiedOpInterface>(use.getOwner());
    return tied && tied.isOperandTied(use.getOperandNumber());
  });
}

ArrayAttr mercator::util::getTiesAttr(Builder &builder,
                                      ArrayRef<int64_t> ties) {
  if (llvm::all_of(ties,
                   [](int64_t t) { return t == TiedOpInterface::kUntied; }))
    return {};
  return builder.getIndexArrayAttr(ties);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

unsigned mercator::util::getNumDynamicDims(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasRank() ? shaped.getNumDynamicDims() : 0;
}

ValueRange mercator::util::findVariadicDynamicDims(unsigned index,
                                                   TypeRange types,
                                                   ValueRange dims) {
  unsigned before = 0;
  for (Type type : types.take_front(index))
    before += getNumDynamicDims(type);
  return dims.slice(before, getNumDynamicDims(types[index]));
}

std::optional<ValueRange> mercator::util::findDynamicDims(Value value) {
  unsigned count = getNumDynamicDims(value.getType());
  if (count == 0)
    return ValueRange();
  while (Operation *op = value.getDefiningOp()) {
    if (auto aware = dyn_cast<ShapeAwareOpInterface>(op)) {
      ValueRange dims =
          aware.getResultDynamicDims(cast<OpResult>(value).getResultNumber());
      if (dims.size() == count)
        return dims;
    }
    // Ties between unequal types carry no information about shapes.
    auto tied = dyn_cast<TiedOpInterface>(op);
    Value operand = tied ? tied.getTiedResultOperand(value) : Value();
    if (!operand || operand.getType() != value.getType() ||
        operand.getDefiningOp() == op)
      break;
    value = operand;
  }
  return std::nullopt;
}

SmallVector<Value>
mercator::util::buildDynamicDimsForValue(Location loc, Value value,
                                         OpBuilder &builder) {
  if (std::optional<ValueRange> dims = findDynamicDims(value))
    return llvm::to_vector(*dims);
  SmallVector<Value> dims;
  auto type = cast<ShapedType>(value.getType());
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      dims.push_back(builder.createOrFold<tensor::DimOp>(loc, value, i));
  return dims;
}

SmallVector<Value> mercator::util::buildShape(Location loc,
                                              ArrayRef<int64_t> shape,
                                              ValueRange dims,
                                              OpBuilder &builder) {
  SmallVector<Value> extents;
  for (int64_t size : shape) {
    if (ShapedType::isDynamic(size)) {
      extents.push_back(dims.front());
      dims = dims.drop_front();
    } else {
      extents.push_back(arith::ConstantIndexOp::create(builder, loc, size));
    }
  }
  return extents;
}

SmallVector<OpFoldResult> mercator::util::getMixedShape(Builder &builder,
                                                        ArrayRef<int64_t> shape,
                                                        ValueRange dims) {
  SmallVector<OpFoldResult> extents;
  for (int64_t size : shape) {
    if (ShapedType::isDynamic(size)) {
      extents.push_back(dims.front());
      dims = dims.drop_front();
    } else {
      extents.push_back(builder.getIndexAttr(size));
    }
  }
  return extents;
}

LogicalResult mercator::util::verifyDynamicDims(Operation *op, StringRef what,
                                                TypeRange types,
                                                ValueRange dims) {
  unsigned count = 0;
  for (Type type : types)
    count += getNumDynamicDims(type);
  if (dims.size() == count)
    return success();
  return op->emitOpError() << "expected " << count << " dynamic dimensions of "
                           << what << "s, got " << dims.size();
}
