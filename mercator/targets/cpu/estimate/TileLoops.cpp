// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/estimate/TileLoops.h"
#include "mercator/targets/cpu/kernels/CellLoops.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"

#include <algorithm>

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

static constexpr llvm::StringLiteral kParts = "mercator.parts";

namespace {
/// A digit of the number of a tile, and the number of its values.
struct TileDigit {
  mlir::Value value; ///< null: it is not used
  int64_t extent;
};
} // namespace

/// The users of a number, if they are a remainder and a quotient by one constant.
static bool findDivision(mlir::Value number, mlir::Value &remainder,
                         mlir::Value &quotient, int64_t &by) {
  by = 0;
  for (Operation *user : number.getUsers()) {
    if (!isa<arith::RemUIOp, arith::DivUIOp>(user) ||
        user->getOperand(0) != number)
      return false;
    auto divisor = getConstantIntValue(user->getOperand(1));
    if (!divisor || *divisor <= 0 || (by != 0 && by != *divisor))
      return false;
    by = *divisor;
    mlir::Value &own = isa<arith::RemUIOp>(user) ? remainder : quotient;
    if (own)
      return false;
    own = user->getResult(0);
  }
  return by != 0;
}

/// The digits of the variable of the loop, the fastest first, if it is used for nothing
/// else; empty if not. `total`: its iterations.
static SmallVector<TileDigit> digitsOf(scf::ForOp loop, int64_t total) {
  SmallVector<TileDigit> digits;
  mlir::Value number = loop.getInductionVar();
  int64_t product = 1;
  for (;;) {
    mlir::Value remainder, quotient;
    int64_t by = 0;
    if (!findDivision(number, remainder, quotient, by))
      break;
    digits.push_back({remainder, by});
    product *= by;
    number = quotient;
    if (!number)
      break;
  }
  if (digits.empty() || total % product != 0)
    return {};
  if (number)
    digits.push_back({number, total / product});
  else if (total != product)
    return {};
  return digits;
}

/// The number that a value is, through sums, products and quotients of constants.
static std::optional<int64_t> constantOf(mlir::Value value) {
  if (auto known = getConstantIntValue(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<arith::AddIOp, arith::MulIOp, arith::DivUIOp>(op))
    return std::nullopt;
  auto a = constantOf(op->getOperand(0)), b = constantOf(op->getOperand(1));
  if (!a || !b || *a < 0 || *b < 0)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return *a + *b;
  if (isa<arith::MulIOp>(op))
    return *a * *b;
  return *b > 0 ? std::optional(*a / *b) : std::nullopt;
}

/// The number that a value is a multiple of the part's number by, if it is.
static std::optional<int64_t> scaleOf(mlir::Value scaled, mlir::Value part) {
  auto product = scaled.getDefiningOp<arith::MulIOp>();
  if (!product || product.getLhs() != part)
    return std::nullopt;
  return getConstantIntValue(product.getRhs());
}

/// The members of all parts, if they are divided into these bounds of a part of the loop
/// (rangeOfPart), which are used `uses` times. Nothing else depends on the part.
static std::optional<int64_t> membersOf(mlir::Value from, mlir::Value to,
                                        unsigned uses, scf::ForOp parts) {
  auto begin = from.getDefiningOp<arith::DivUIOp>(),
       end = to.getDefiningOp<arith::DivUIOp>();
  auto count = getConstantIntValue(parts.getUpperBound());
  if (!begin || !end || !count ||
      getConstantIntValue(begin.getRhs()) != count ||
      getConstantIntValue(end.getRhs()) != count)
    return std::nullopt;
  auto product = end.getLhs().getDefiningOp<arith::MulIOp>();
  auto next = product ? product.getLhs().getDefiningOp<arith::AddIOp>()
                      : arith::AddIOp();
  if (!next || next.getLhs() != parts.getInductionVar() ||
      getConstantIntValue(next.getRhs()) != 1)
    return std::nullopt;
  if (!from.hasNUses(uses) || !to.hasNUses(uses) ||
      llvm::count_if(parts.getInductionVar().getUsers(), [](Operation *user) {
        return isa<arith::MulIOp, arith::AddIOp>(user);
      }) != 2)
    return std::nullopt;
  auto first = scaleOf(begin.getLhs(), parts.getInductionVar()),
       second = getConstantIntValue(product.getRhs());
  return first == second ? first : std::nullopt;
}

static void split(scf::ForOp loop, ArrayRef<TileDigit> digits) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  auto index = [&](int64_t value) -> mlir::Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  mlir::Value zero = index(0), one = index(1);
  SmallVector<mlir::Value> numbers(digits.size(), zero);
  scf::ForOp innermost;
  for (size_t i = digits.size(); i-- > 0;) {
    if (digits[i].extent == 1)
      continue;
    innermost =
        scf::ForOp::create(builder, loc, zero, index(digits[i].extent), one);
    numbers[i] = innermost.getInductionVar();
    builder.setInsertionPointToStart(innermost.getBody());
  }
  if (!innermost)
    return;
  for (auto [digit, number] : llvm::zip_equal(digits, numbers))
    if (mlir::Value value = digit.value)
      value.replaceAllUsesWith(number);
  // Now the number is used by divisions alone, whose results are not used.
  mlir::Value variable = loop.getInductionVar();
  while (!variable.use_empty()) {
    Operation *last = *variable.user_begin();
    while (!last->use_empty())
      last = *last->user_begin();
    last->erase();
  }
  Block *body = innermost.getBody();
  body->getOperations().splice(
      std::prev(body->end()), loop.getBody()->getOperations(),
      loop.getBody()->begin(), std::prev(loop.getBody()->end()));
  loop.erase();
}

static bool hasUnitStep(scf::ForOp loop) {
  return getConstantIntValue(loop.getStep()) == 1 && loop.getInitArgs().empty();
}

/// Makes one part of all.
static void joinParts(scf::ForOp parts) {
  OpBuilder builder(parts);
  auto count = getConstantIntValue(parts.getUpperBound());
  parts->setAttr(kParts, builder.getI64IntegerAttr(*count));
  parts.setUpperBound(
      arith::ConstantIndexOp::create(builder, parts.getLoc(), 1));
}

/// The loops of a part over its cells, and over the tiles of each (CellLoops.cpp), become
/// loops over all of them. Parts that stand for all others would have tiles of any
/// place: with a mask, more work than all have on average, or less.
static void takeAllTiles(scf::ForOp tiles) {
  auto cells = dyn_cast<scf::ForOp>(tiles->getParentOp());
  auto least = tiles.getLowerBound().getDefiningOp<arith::SubIOp>();
  auto most = tiles.getUpperBound().getDefiningOp<arith::MinSIOp>();
  auto from =
      least ? least.getLhs().getDefiningOp<arith::MaxSIOp>() : arith::MaxSIOp();
  auto to =
      most ? most.getLhs().getDefiningOp<arith::SubIOp>() : arith::SubIOp();
  auto count = most ? getConstantIntValue(most.getRhs()) : std::nullopt;
  if (!cells || !from || !to || !count || *count <= 0)
    return;
  auto parts = dyn_cast<scf::ForOp>(cells->getParentOp());
  bool isDivided = parts && parts->hasAttr(kParallel) && hasUnitStep(parts);
  // Used for the first and the last cell, and for the tiles of a cell.
  auto total = isDivided ? membersOf(from.getLhs(), to.getLhs(), 2, parts)
                         : constantOf(to.getLhs());
  if (!total || (!isDivided && constantOf(from.getLhs()) != 0))
    return;
  OpBuilder builder(isDivided ? parts : cells);
  auto index = [&](int64_t value) -> mlir::Value {
    return arith::ConstantIndexOp::create(builder, cells.getLoc(), value);
  };
  cells.setLowerBound(index(0));
  cells.setUpperBound(index(*total / *count));
  tiles.setLowerBound(index(0));
  tiles.setUpperBound(index(*count));
  // Then the number of the cell may have digits alone.
  Operation *begin = least.getRhs().getDefiningOp();
  for (Operation *unused : {least.getOperation(), from.getOperation(),
                            most.getOperation(), to.getOperation(), begin})
    if (unused && unused->use_empty())
      unused->erase();
  if (isDivided)
    joinParts(parts);
}

void cpu::splitTileLoops(func::FuncOp kernel) {
  kernel.walk([](scf::ForOp loop) {
    if (loop->hasAttr(kTiles))
      takeAllTiles(loop);
  });
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops) {
    if (!hasUnitStep(loop))
      continue;
    auto around = dyn_cast<scf::ForOp>(loop->getParentOp());
    auto lower = constantOf(loop.getLowerBound()),
         upper = constantOf(loop.getUpperBound());
    std::optional<int64_t> total;
    if (lower == 0 && upper)
      total = upper;
    else if (around && around->hasAttr(kParallel) && hasUnitStep(around))
      total = membersOf(loop.getLowerBound(), loop.getUpperBound(), 1, around);
    if (!total || *total <= 0)
      continue;
    SmallVector<TileDigit> digits = digitsOf(loop, *total);
    if (digits.empty())
      continue;
    if (!upper)
      joinParts(around);
    split(loop, digits);
  }
}

std::optional<int64_t> cpu::partsBefore(scf::ForOp loop) {
  auto parts = loop->getAttrOfType<IntegerAttr>(kParts);
  return parts ? std::optional(parts.getInt()) : std::nullopt;
}
