// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/ExcludedValues.h"
#include "mercator/targets/cpu/kernels/RowAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

//===----------------------------------------------------------------------===//
// The value
//===----------------------------------------------------------------------===//

namespace {
class ExcludedReader {
public:
  ExcludedReader(ArrayRef<CellMember> members, ArrayRef<MaskBound> bounds,
                 ExcludedValue &own)
      : members(members), bounds(bounds), own(own),
        builder(members.front().op->getContext()) {
    builder.setInsertionPointToEnd(own.body.get());
  }

  /// The element at these indices; null if it is not known.
  mlir::Value element(mlir::Value buffer, AffineMap indices);

private:
  mlir::Value valueOf(const CellMember &member, mlir::Value value,
                      AffineMap loops);
  mlir::Value argumentOf(const CellMember &member, BlockArgument argument,
                         AffineMap loops);
  std::optional<bool> conditionOf(const CellMember &member,
                                  mlir::Value condition) const;

  ArrayRef<CellMember> members;
  ArrayRef<MaskBound> bounds;
  ExcludedValue &own;
  OpBuilder builder;
};
} // namespace

/// The member, but for fills, that writes columns of the buffer.
static const CellMember *columnWriterOf(ArrayRef<CellMember> members,
                                        mlir::Value buffer) {
  for (const CellMember &member : members)
    if (member.column && !isa<linalg::FillOp>(*member.op) &&
        llvm::is_contained(member.op.getDpsInits(), buffer))
      return &member;
  return nullptr;
}

/// Whether a comparison is true or false in all of the block; none if not known.
std::optional<bool> ExcludedReader::conditionOf(const CellMember &member,
                                                mlir::Value condition) const {
  std::optional<SmallVector<MaskBound>> found =
      boundsOf(member.op, condition, member.loops.back(), *member.column);
  if (!found)
    return std::nullopt;
  auto holds = [&](ArrayRef<MaskBound> all) {
    return llvm::all_of(bounds, [&](const MaskBound &bound) {
      return llvm::is_contained(all, bound);
    });
  };
  if (holds(*found))
    return false;
  if (found->size() == 1 && holds(found->front().negated()))
    return true;
  return std::nullopt;
}

mlir::Value ExcludedReader::argumentOf(const CellMember &member,
                                       BlockArgument argument,
                                       AffineMap loops) {
  OpOperand *operand = member.op.getMatchingOpOperand(argument);
  if (member.op.isDpsInit(operand))
    return {};
  if (!isa<MemRefType>(operand->get().getType()))
    return operand->get();
  AffineMap indices = member.op.getMatchingIndexingMap(operand).compose(loops);
  if (columnWriterOf(members, operand->get()))
    return element(operand->get(), indices);
  // A vector of the block, not a matrix.
  RowAccess row = rowAccess(member.op, *operand, member.loops.back()),
            column = rowAccess(member.op, *operand, *member.column);
  if ((row.kind != RowAccess::Kind::All &&
       column.kind != RowAccess::Kind::All) ||
      !indices.isProjectedPermutation())
    return {};
  for (auto [input, known] : llvm::zip(own.inputs, own.body->getArguments()))
    if (input.operand->get() == operand->get() && input.map == indices)
      return known;
  own.inputs.push_back({&member, operand, indices});
  return own.body->addArgument(argument.getType(), argument.getLoc());
}

mlir::Value ExcludedReader::valueOf(const CellMember &member, mlir::Value value,
                                    AffineMap loops) {
  Block *body = member.op.getBlock();
  if (value.getParentBlock() != body)
    return value;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argumentOf(member, argument, loops);
  Operation *op = value.getDefiningOp();
  if (auto select = dyn_cast<arith::SelectOp>(op))
    if (std::optional<bool> holds = conditionOf(member, select.getCondition()))
      return valueOf(member,
                     *holds ? select.getTrueValue() : select.getFalseValue(),
                     loops);
  if (!isPure(op) || op->getNumRegions() != 0 || op->getNumResults() != 1 ||
      isa<linalg::IndexOp>(op))
    return {};
  IRMapping known;
  for (mlir::Value operand : op->getOperands()) {
    mlir::Value made = valueOf(member, operand, loops);
    if (!made)
      return {};
    known.map(operand, made);
  }
  Operation *cloned = builder.clone(*op, known);
  SmallVector<mlir::Value> folded;
  return succeeded(builder.tryFold(cloned, folded)) ? folded[0]
                                                    : cloned->getResult(0);
}

mlir::Value ExcludedReader::element(mlir::Value buffer, AffineMap indices) {
  const CellMember *writer = columnWriterOf(members, buffer);
  if (!writer || writer->isProduct || writer->op.getNumReductionLoops() != 0)
    return {};
  linalg::LinalgOp op = writer->op;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (init.get() != buffer)
      continue;
    AffineMap written = op.getMatchingIndexingMap(&init);
    if (!written.isPermutation())
      return {};
    mlir::Value yielded = op.getBlock()->getTerminator()->getOperand(
        op.getMatchingBlockArgument(&init).getArgNumber() -
        unsigned(op.getNumDpsInputs()));
    return valueOf(*writer, yielded,
                   inversePermutation(written).compose(indices));
  }
  return {};
}

std::optional<ExcludedValue> ExcludedValue::of(ArrayRef<CellMember> members,
                                               mlir::Value buffer,
                                               ArrayRef<MaskBound> bounds) {
  ExcludedValue own;
  own.body = std::make_unique<Block>();
  auto rank = unsigned(cast<MemRefType>(buffer.getType()).getRank());
  own.value = ExcludedReader(members, bounds, own)
                  .element(buffer, AffineMap::getMultiDimIdentityMap(
                                       rank, buffer.getContext()));
  if (!own.value)
    return std::nullopt;
  return own;
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

void ExcludedValue::findNumbers(OpBuilder &builder, Location loc,
                                ValueRange views, mlir::Value found) const {
  if (matchPattern(value, m_AnyZeroFloat()))
    return;
  // The loops: the indices that some input has.
  MLIRContext *context = builder.getContext();
  SmallVector<AffineExpr> places;
  unsigned count = 0;
  for (unsigned dim = 0; !inputs.empty() && dim < inputs[0].map.getNumDims();
       ++dim) {
    bool isUsed = llvm::any_of(inputs, [&](const Input &input) {
      return input.map.isFunctionOfDim(dim);
    });
    places.push_back(isUsed ? getAffineDimExpr(count++, context)
                            : getAffineConstantExpr(0, context));
  }
  SmallVector<AffineMap> maps;
  for (const Input &input : inputs)
    maps.push_back(input.map.replaceDimsAndSymbols(places, {}, count, 0));
  maps.push_back(AffineMap::get(count, 0, context));
  SmallVector<utils::IteratorType> kinds(count, utils::IteratorType::reduction);
  Type bits = cast<MemRefType>(found.getType()).getElementType();
  linalg::GenericOp::create(
      builder, loc, views, found, maps, kinds,
      [&](OpBuilder &b, Location at, ValueRange elements) {
        IRMapping known;
        known.map(body->getArguments(), elements.drop_back());
        for (Operation &op : *body)
          b.clone(op, known);
        mlir::Value made =
            bitsOfNumber(b, at, known.lookupOrDefault(value), bits);
        linalg::YieldOp::create(
            b, at,
            arith::OrIOp::create(b, at, elements.back(), made).getResult());
      });
}
