// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/Masks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

namespace {
/// A sum of two indices with factors, and a number.
struct Linear {
  int64_t row = 0, column = 0, constant = 0;

  [[nodiscard]] Linear plus(const Linear &other, int64_t factor) const {
    return {row + factor * other.row, column + factor * other.column,
            constant + factor * other.constant};
  }
};

class MaskReader {
public:
  MaskReader(linalg::LinalgOp op, unsigned rowLoop, unsigned columnLoop)
      : op(op), rowLoop(rowLoop), columnLoop(columnLoop) {}

  /// Adds the bounds of a condition. False if it is something else.
  bool read(mlir::Value condition, SmallVector<MaskBound> &bounds);

private:
  std::optional<Linear> linear(mlir::Value value, int depth);
  [[nodiscard]] bool isSmall(const Linear &sum) const;

  linalg::LinalgOp op;
  unsigned rowLoop, columnLoop;
};
} // namespace

/// Whether no sum of this form is near the limits of i32.
bool MaskReader::isSmall(const Linear &sum) const {
  SmallVector<int64_t> extents =
      const_cast<linalg::LinalgOp &>(op).getStaticLoopRanges();
  auto most = [&](int64_t factor, unsigned loop) {
    return double(std::abs(factor)) * double(extents[loop]);
  };
  return most(sum.row, rowLoop) + most(sum.column, columnLoop) +
             double(std::abs(sum.constant)) <
         double(kMostOfMask);
}

std::optional<Linear> MaskReader::linear(mlir::Value value, int depth) {
  constexpr int kMostDepth = 16;
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number))) {
    if (number.getSignificantBits() > 31)
      return std::nullopt;
    return Linear{0, 0, number.getSExtValue()};
  }
  Operation *made = value.getDefiningOp();
  if (!made || depth > kMostDepth)
    return std::nullopt;
  auto checked = [&](Linear sum) {
    return isSmall(sum) ? std::optional(sum) : std::nullopt;
  };
  if (auto index = dyn_cast<linalg::IndexOp>(made)) {
    if (index.getDim() == rowLoop)
      return checked({1, 0, 0});
    if (index.getDim() == columnLoop)
      return checked({0, 1, 0});
    return std::nullopt;
  }
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(made)) {
    auto type = dyn_cast<IntegerType>(value.getType());
    if (type && type.getWidth() < 32)
      return std::nullopt;
    return linear(made->getOperand(0), depth + 1);
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(made))
    return std::nullopt;
  auto type = dyn_cast<IntegerType>(value.getType());
  if (type && type.getWidth() < 32)
    return std::nullopt;
  std::optional<Linear> a = linear(made->getOperand(0), depth + 1),
                        b = linear(made->getOperand(1), depth + 1);
  if (!a || !b)
    return std::nullopt;
  if (isa<arith::AddIOp>(made))
    return checked(a->plus(*b, 1));
  if (isa<arith::SubIOp>(made))
    return checked(a->plus(*b, -1));
  if (a->row != 0 || a->column != 0)
    std::swap(a, b);
  if (a->row != 0 || a->column != 0)
    return std::nullopt;
  return checked(Linear().plus(*b, a->constant));
}

bool MaskReader::read(mlir::Value condition, SmallVector<MaskBound> &bounds) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>())
    return read(both.getLhs(), bounds) && read(both.getRhs(), bounds);
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return false;
  std::optional<Linear> a = linear(compare.getLhs(), 0),
                        b = linear(compare.getRhs(), 0);
  if (!a || !b)
    return false;
  using Is = arith::CmpIPredicate;
  Linear difference;
  switch (compare.getPredicate()) {
  case Is::sge:
    difference = a->plus(*b, -1);
    break;
  case Is::sgt:
    difference = a->plus(*b, -1);
    difference.constant -= 1;
    break;
  case Is::sle:
    difference = b->plus(*a, -1);
    break;
  case Is::slt:
    difference = b->plus(*a, -1);
    difference.constant -= 1;
    break;
  default:
    return false;
  }
  bounds.push_back({difference.row, difference.column, difference.constant});
  return true;
}

namespace {
struct Condition {
  mlir::Value value;
  bool holds = true; ///< or is false

  bool operator==(const Condition &) const = default;
};
} // namespace

/// The one condition under which the body uses the value; none if there is none.
static Condition conditionOf(mlir::Value value) {
  Condition condition;
  SmallVector<mlir::Value> work{value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!work.empty())
    for (OpOperand &use : work.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (auto select = dyn_cast<arith::SelectOp>(user)) {
        Condition own{select.getCondition(), use.getOperandNumber() == 1};
        if (use.getOperandNumber() == 0 ||
            (condition.value && condition != own))
          return {};
        condition = own;
        continue;
      }
      if (user->getNumRegions() != 0 ||
          user->hasTrait<OpTrait::IsTerminator>() || !isPure(user))
        return {};
      if (seen.insert(user).second)
        llvm::append_range(work, user->getResults());
    }
  return condition;
}

std::optional<SmallVector<MaskBound>> cpu::boundsOf(linalg::LinalgOp op,
                                                    mlir::Value condition,
                                                    unsigned rowLoop,
                                                    unsigned columnLoop) {
  SmallVector<MaskBound> bounds;
  if (!MaskReader(op, rowLoop, columnLoop).read(condition, bounds))
    return std::nullopt;
  return bounds;
}

std::optional<SmallVector<MaskBound>> cpu::maskOf(linalg::LinalgOp op,
                                                  OpOperand &operand,
                                                  unsigned rowLoop,
                                                  unsigned columnLoop) {
  Condition condition = conditionOf(op.getMatchingBlockArgument(&operand));
  if (!condition.value)
    return std::nullopt;
  auto bounds = boundsOf(op, condition.value, rowLoop, columnLoop);
  if (!bounds || condition.holds)
    return bounds;
  if (bounds->size() != 1)
    return std::nullopt;
  return SmallVector<MaskBound>{bounds->front().negated()};
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

MaskRange cpu::rangeOf(ArrayRef<MaskBound> bounds, int64_t rowsOfTile,
                       MLIRContext *context) {
  SmallVector<AffineExpr> begins, ends;
  AffineExpr tile = getAffineDimExpr(kTileDim, context) * rowsOfTile;
  for (const MaskBound &bound : bounds) {
    // The row where the condition holds for the most columns.
    AffineExpr row =
        tile +
        getAffineDimExpr(bound.row > 0 ? kLastRowDim : kFirstRowDim, context);
    AffineExpr rest = row * bound.row + bound.constant;
    if (bound.column < 0) // j <= rest / -column
      ends.push_back(rest.floorDiv(-bound.column) + 1);
    else if (bound.column > 0) // j >= -rest / column
      begins.push_back((-rest).ceilDiv(bound.column));
  }
  auto mapOf = [&](ArrayRef<AffineExpr> results) {
    return results.empty() ? AffineMap()
                           : AffineMap::get(kMaskDims, 0, results, context);
  };
  return {mapOf(begins), mapOf(ends)};
}
