// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over arrays that has few iterations, all of elementwise operations, is
// unrolled: they share a dispatch then, in which the arrays stay in registers. JAX
// writes the rounds of Threefry, its random numbers, as such a loop.

#include "mercator/transforms/stablehlo/simplify/UnrollLoops.h"
#include "mercator/transforms/stablehlo/Passes.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator::stablehlo;

/// The most iterations, and operations in all of them.
static constexpr int64_t kMostIterations = 8;
static constexpr int64_t kMostUnrolled = 512;

//===--- Counters ---------------------------------------------------------===//

namespace {
using Number = std::optional<APInt>;
using Numbers = llvm::DenseMap<Value, APInt>;

/// Integer scalars that follow from constants and from the counters in `known`.
class Scalars {
public:
  explicit Scalars(Numbers known) : known(std::move(known)) {}

  Number operator()(Value value) { return evaluate(value, /*depth=*/64); }

private:
  Number evaluate(Value value, int depth);
  Number compute(Operation *op, int depth);

  Numbers known;
};
} // namespace

static IntegerType scalarType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() != 1)
    return nullptr;
  return dyn_cast<IntegerType>(type.getElementType());
}

static bool isUnsigned(Value value) {
  IntegerType type = scalarType(value);
  return type.isUnsigned() || type.getWidth() == 1;
}

Number Scalars::evaluate(Value value, int depth) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0 || op->getNumResults() != 1 || !scalarType(value))
    return std::nullopt;
  Number number = compute(op, depth - 1);
  if (number)
    known.try_emplace(value, *number);
  return number;
}

static bool compare(ComparisonDirection direction, const APInt &x,
                    const APInt &y, bool isUnsigned) {
  bool isLess = isUnsigned ? x.ult(y) : x.slt(y);
  switch (direction) {
  case ComparisonDirection::EQ:
    return x == y;
  case ComparisonDirection::NE:
    return x != y;
  case ComparisonDirection::LT:
    return isLess;
  case ComparisonDirection::LE:
    return isLess || x == y;
  case ComparisonDirection::GT:
    return !isLess && x != y;
  case ComparisonDirection::GE:
    return !isLess;
  }
  return false;
}

Number Scalars::compute(Operation *op, int depth) {
  DenseIntElementsAttr constant;
  if (matchPattern(op, m_Constant(&constant)))
    return *constant.begin();
  if (!isa<AddOp, SubtractOp, MulOp, MinOp, MaxOp, AndOp, OrOp, XorOp, NotOp,
           CompareOp, SelectOp, ConvertOp, ReshapeOp>(op))
    return std::nullopt;
  SmallVector<APInt, 3> in;
  for (Value operand : op->getOperands()) {
    Number number = evaluate(operand, depth);
    if (!number)
      return std::nullopt;
    in.push_back(*number);
  }
  unsigned width = scalarType(op->getResult(0)).getWidth();
  bool unsignedIn = isUnsigned(op->getOperand(0));
  bool isLess = in.size() > 1 && in[0].getBitWidth() == in[1].getBitWidth() &&
                (unsignedIn ? in[0].ult(in[1]) : in[0].slt(in[1]));
  bool isBit = width == 1;
  return llvm::TypeSwitch<Operation *, Number>(op)
      .Case([&](AddOp) { return isBit ? in[0] | in[1] : in[0] + in[1]; })
      .Case(
          [&](SubtractOp) { return isBit ? Number() : Number(in[0] - in[1]); })
      .Case([&](MulOp) { return isBit ? in[0] & in[1] : in[0] * in[1]; })
      .Case([&](MinOp) { return isLess ? in[0] : in[1]; })
      .Case([&](MaxOp) { return isLess ? in[1] : in[0]; })
      .Case([&](AndOp) { return in[0] & in[1]; })
      .Case([&](OrOp) { return in[0] | in[1]; })
      .Case([&](XorOp) { return in[0] ^ in[1]; })
      .Case([&](NotOp) { return ~in[0]; })
      .Case([&](CompareOp compared) {
        return APInt(1, compare(compared.getComparisonDirection(), in[0], in[1],
                                unsignedIn));
      })
      .Case([&](SelectOp) { return in[0].isZero() ? in[2] : in[1]; })
      .Case([&](ConvertOp) {
        if (isBit)
          return APInt(1, !in[0].isZero());
        return unsignedIn ? in[0].zextOrTrunc(width) : in[0].sextOrTrunc(width);
      })
      .Case([&](ReshapeOp) { return in[0]; })
      .Default(Number());
}

//===--- Loops ------------------------------------------------------------===//

/// The values of the counters before each iteration, by their places among the
/// operands. Nothing if the number of iterations is not known, or if they are
/// more than `most`.
using Iterations = std::vector<SmallVector<std::pair<unsigned, APInt>, 2>>;

static std::optional<Iterations> iterationsOf(WhileOp loop, int64_t most) {
  Block &cond = loop.getCond().front(), &body = loop.getBody().front();
  SmallVector<std::pair<unsigned, APInt>, 2> counters;
  for (auto [i, init] : llvm::enumerate(loop.getOperand()))
    if (scalarType(init))
      if (Number first = Scalars(Numbers())(init))
        counters.push_back({unsigned(i), *first});
  auto scalarsIn = [&](Block &block) {
    Numbers known;
    for (auto &[i, value] : counters)
      known.try_emplace(block.getArgument(i), value);
    return Scalars(std::move(known));
  };
  Iterations iterations;
  while (true) {
    Number holds = scalarsIn(cond)(cond.getTerminator()->getOperand(0));
    if (!holds)
      return std::nullopt;
    if (holds->isZero())
      return iterations;
    if (int64_t(iterations.size()) == most)
      return std::nullopt;
    iterations.push_back(counters);
    // A value that is no longer known stops being a counter. The condition may
    // not need it.
    Scalars scalars = scalarsIn(body);
    SmallVector<std::pair<unsigned, APInt>, 2> next;
    for (auto &[i, value] : counters)
      if (Number then = scalars(body.getTerminator()->getOperand(i)))
        next.push_back({i, *then});
    counters = std::move(next);
    if (counters.empty())
      return std::nullopt;
  }
}

int64_t mercator::stablehlo::countOperations(Block &block) {
  int64_t count = 0;
  block.walk([&](Operation *) { ++count; });
  return count;
}

static Value integerConstant(OpBuilder &b, Location loc, Type type,
                             const APInt &value) {
  return ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(cast<RankedTensorType>(type), ArrayRef(value)));
}

SmallVector<Value> mercator::stablehlo::copyBlock(OpBuilder &b, Block &block,
                                                  IRMapping &mapping) {
  for (Operation &op : block.without_terminator())
    b.clone(op, mapping);
  SmallVector<Value> results;
  for (Value result : block.getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(result));
  return results;
}

std::optional<APInt> mercator::stablehlo::integerOf(Value value) {
  return Scalars(Numbers())(value);
}

std::optional<int64_t> mercator::stablehlo::unroll(WhileOp loop, int64_t most,
                                                   int64_t mostIterations) {
  Block &body = loop.getBody().front();
  int64_t size = countOperations(body);
  if (size > most)
    return std::nullopt;
  std::optional<Iterations> iterations =
      iterationsOf(loop, std::min(mostIterations, most / size));
  if (!iterations)
    return std::nullopt;
  OpBuilder b(loop);
  SmallVector<Value> carried(loop.getOperand());
  for (const auto &counters : *iterations) {
    IRMapping mapping;
    mapping.map(body.getArguments(), carried);
    for (const auto &[i, value] : counters)
      mapping.map(
          body.getArgument(i),
          integerConstant(b, loop.getLoc(), carried[i].getType(), value));
    carried = copyBlock(b, body, mapping);
  }
  loop.replaceAllUsesWith(carried);
  loop.erase();
  return size * int64_t(iterations->size());
}

//===--- The pass ---------------------------------------------------------===//

/// Whether all operations compute their elements from few others.
static bool isOfElements(WhileOp loop) {
  return llvm::all_of(
      loop.getBody().front().without_terminator(), [](Operation &op) {
        bool isElementwise =
            op.hasTrait<Elementwise>() && op.getNumRegions() == 0;
        return isElementwise || isa<ConstantOp, IotaOp, BroadcastInDimOp,
                                    ReshapeOp, SliceOp, TransposeOp>(op);
      });
}

/// Whether it replaces an array: loops over scalars stay in registers anyway.
static bool replacesArray(WhileOp loop) {
  Block &body = loop.getBody().front();
  return llvm::any_of(
      llvm::zip_equal(body.getArguments(), body.getTerminator()->getOperands()),
      [](auto pair) {
        auto [argument, result] = pair;
        auto type = dyn_cast<RankedTensorType>(argument.getType());
        return argument != result && type && type.getRank() > 0;
      });
}

namespace {
class UnrollLoops : public PassWrapper<UnrollLoops, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(UnrollLoops)

  StringRef getArgument() const final { return "stablehlo-unroll-loops"; }
  StringRef getDescription() const final {
    return "unroll loops of few elementwise iterations over arrays";
  }
  void runOnOperation() override {
    SmallVector<WhileOp> loops;
    getOperation().walk<WalkOrder::PostOrder>(
        [&](WhileOp loop) { loops.push_back(loop); });
    for (WhileOp loop : loops)
      if (isOfElements(loop) && replacesArray(loop))
        (void)unroll(loop, kMostUnrolled, kMostIterations);
  }
};
} // namespace

std::unique_ptr<Pass> mercator::stablehlo::createUnrollLoops() {
  return std::make_unique<UnrollLoops>();
}
