// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/stablehlo/Shape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

void mercator::stablehlo::loadShape(MLIRContext &context) {
  context.getOrLoadDialect<shape::ShapeDialect>();
  context.getOrLoadDialect<arith::ArithDialect>();
  context.getOrLoadDialect<tensor::TensorDialect>();
}

namespace {
/// Converts one operation. The values that replace its results are empty if it
/// stays.
class Converter {
public:
  explicit Converter(Operation *op) : b(op), loc(op->getLoc()) {
    // Only the result has the name of the text.
    if (auto named = dyn_cast<NameLoc>(op->getLoc()))
      loc = named.getChildLoc();
  }

  SmallVector<Value> convert(Operation *op);

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value extent(Value shaped, int64_t dim) {
    auto type = cast<RankedTensorType>(shaped.getType());
    if (!type.isDynamicDim(dim))
      return constant(type.getDimSize(dim));
    return tensor::DimOp::create(b, loc, shaped, constant(dim));
  }
  /// The elements of a tensor of extents; none if their number is unknown.
  std::optional<SmallVector<Value>> elements(Value extents);
  /// A tensor of these extents, of the given type; nothing for other types.
  SmallVector<Value> pack(ArrayRef<Value> extents, Type type);
  SmallVector<Value> broadcast(shape::BroadcastOp op);

  OpBuilder b;
  Location loc;
};
} // namespace

std::optional<SmallVector<Value>> Converter::elements(Value extents) {
  // Its length may be unknown, and still it is made of a known number of elements.
  if (auto cast = extents.getDefiningOp<tensor::CastOp>())
    extents = cast.getSource();
  auto type = dyn_cast<RankedTensorType>(extents.getType());
  if (!type || type.getRank() != 1 || type.isDynamicDim(0) ||
      !type.getElementType().isIndex())
    return std::nullopt;
  if (auto made = extents.getDefiningOp<tensor::FromElementsOp>())
    return SmallVector<Value>(made.getElements());
  SmallVector<Value> values;
  for (int64_t i = 0; i < type.getDimSize(0); ++i)
    values.push_back(
        tensor::ExtractOp::create(b, loc, extents, ValueRange{constant(i)}));
  return values;
}

SmallVector<Value> Converter::pack(ArrayRef<Value> extents, Type type) {
  auto tensorType = dyn_cast<RankedTensorType>(type);
  if (!tensorType || tensorType.getRank() != 1 ||
      !tensorType.getElementType().isIndex() ||
      (!tensorType.isDynamicDim(0) &&
       tensorType.getDimSize(0) != int64_t(extents.size())))
    return {};
  auto exact =
      RankedTensorType::get({int64_t(extents.size())}, b.getIndexType());
  Value packed = tensor::FromElementsOp::create(b, loc, exact, extents);
  if (exact != type)
    packed = tensor::CastOp::create(b, loc, type, packed);
  return {packed};
}

/// An extent of 1 gives way to the other.
SmallVector<Value> Converter::broadcast(shape::BroadcastOp op) {
  SmallVector<Value> all;
  for (Value shape : op.getShapes()) {
    auto extents = elements(shape);
    if (!extents)
      return {};
    size_t rank = std::max(all.size(), extents->size());
    SmallVector<Value> merged(rank);
    for (size_t i = 0; i < rank; ++i) {
      // Counted from the last dimension.
      Value before = i < all.size() ? all[all.size() - 1 - i] : Value(),
            own = i < extents->size() ? (*extents)[extents->size() - 1 - i]
                                      : Value();
      if (!before || !own) {
        merged[rank - 1 - i] = before ? before : own;
        continue;
      }
      Value isOne = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          before, constant(1));
      merged[rank - 1 - i] =
          arith::SelectOp::create(b, loc, isOne, own, before);
    }
    all = merged;
  }
  return pack(all, op.getType());
}

SmallVector<Value> Converter::convert(Operation *op) {
  return TypeSwitch<Operation *, SmallVector<Value>>(op)
      .Case([&](shape::ShapeOfOp op) -> SmallVector<Value> {
        auto type = dyn_cast<RankedTensorType>(op.getArg().getType());
        if (!type)
          return {};
        SmallVector<Value> extents;
        for (int64_t dim = 0; dim < type.getRank(); ++dim)
          extents.push_back(extent(op.getArg(), dim));
        return pack(extents, op.getType());
      })
      .Case([&](shape::ConstShapeOp op) {
        SmallVector<Value> extents;
        for (const APInt &value : op.getShape().getValues<APInt>())
          extents.push_back(constant(value.getSExtValue()));
        return pack(extents, op.getType());
      })
      .Case([&](shape::BroadcastOp op) { return broadcast(op); })
      .Case([&](shape::ConcatOp op) -> SmallVector<Value> {
        auto left = elements(op.getLhs()), right = elements(op.getRhs());
        if (!left || !right)
          return {};
        left->append(*right);
        return pack(*left, op.getType());
      })
      .Case([&](shape::GetExtentOp op) -> SmallVector<Value> {
        if (!isa<RankedTensorType>(op.getShape().getType()) ||
            !op.getDim().getType().isIndex() || !op.getType().isIndex())
          return {};
        return {tensor::ExtractOp::create(b, loc, op.getShape(),
                                          ValueRange{op.getDim()})};
      })
      .Case([&](shape::NumElementsOp op) -> SmallVector<Value> {
        auto extents = elements(op.getShape());
        if (!extents || !op.getType().isIndex())
          return {};
        Value product = constant(1);
        for (Value factor : *extents)
          product = arith::MulIOp::create(b, loc, product, factor);
        return {product};
      })
      .Case([&](shape::DimOp op) -> SmallVector<Value> {
        if (!isa<RankedTensorType>(op.getValue().getType()) ||
            !op.getIndex().getType().isIndex() || !op.getType().isIndex())
          return {};
        return {tensor::DimOp::create(b, loc, op.getValue(), op.getIndex())};
      })
      .Case([&](shape::RankOp op) -> SmallVector<Value> {
        auto extents = elements(op.getShape());
        if (!extents || !op.getType().isIndex())
          return {};
        return {constant(extents->size())};
      })
      .Case<shape::IndexToSizeOp, shape::SizeToIndexOp,
            shape::ToExtentTensorOp>([&](Operation *op) -> SmallVector<Value> {
        Value operand = op->getOperand(0);
        Type type = op->getResult(0).getType();
        if (operand.getType() == type)
          return {operand};
        if (auto extents = elements(operand))
          return pack(*extents, type);
        return {};
      })
      .Case([&](shape::AssumingOp op) -> SmallVector<Value> {
        Block &body = op.getDoRegion().front();
        if (body.empty() || !isa<shape::AssumingYieldOp>(body.back()) ||
            body.back().getNumOperands() != op->getNumResults())
          return {};
        SmallVector<Value> results(body.getTerminator()->getOperands());
        body.getTerminator()->erase();
        op->getBlock()->getOperations().splice(op->getIterator(),
                                               body.getOperations());
        return results;
      })
      .Default([](Operation *) { return SmallVector<Value>(); });
}

LogicalResult mercator::stablehlo::convertShape(Operation *root) {
  SmallVector<Operation *> found;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getName().getDialectNamespace() == "shape")
      found.push_back(op);
  });
  for (Operation *op : found)
    if (failed(verify(op, /*verifyRecursively=*/false)))
      return failure();
  // The terminators of `assuming` go with it.
  llvm::erase_if(found, llvm::IsaPred<shape::AssumingYieldOp>);
  SmallVector<Operation *> witnesses;
  for (Operation *op : found) {
    if (isa<shape::CstrBroadcastableOp, shape::CstrEqOp, shape::CstrRequireOp,
            shape::ConstWitnessOp, shape::AssumingAllOp>(op)) {
      witnesses.push_back(op);
      continue;
    }
    SmallVector<Value> values = Converter(op).convert(op);
    if (values.size() != op->getNumResults() ||
        (isa<shape::AssumingOp>(op) && !op->getRegion(0).front().empty()))
      continue;
    if (auto *made = values.empty() ? nullptr : values[0].getDefiningOp();
        made && made == op->getPrevNode())
      made->setLoc(op->getLoc());
    op->replaceAllUsesWith(values);
    op->erase();
  }
  for (Operation *op : llvm::reverse(witnesses))
    if (op->use_empty())
      op->erase();
  return success();
}
