// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/prepare/ControlFlow.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

namespace sh = mercator::stablehlo;

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

static bool compare(sh::ComparisonDirection direction, const APInt &x,
                    const APInt &y, bool isUnsigned) {
  bool isLess = isUnsigned ? x.ult(y) : x.slt(y);
  switch (direction) {
  case sh::ComparisonDirection::EQ:
    return x == y;
  case sh::ComparisonDirection::NE:
    return x != y;
  case sh::ComparisonDirection::LT:
    return isLess;
  case sh::ComparisonDirection::LE:
    return isLess || x == y;
  case sh::ComparisonDirection::GT:
    return !isLess && x != y;
  case sh::ComparisonDirection::GE:
    return !isLess;
  }
  return false;
}

Number Scalars::compute(Operation *op, int depth) {
  DenseIntElementsAttr constant;
  if (matchPattern(op, m_Constant(&constant)))
    return *constant.begin();
  if (!isa<sh::AddOp, sh::SubtractOp, sh::MulOp, sh::MinOp, sh::MaxOp,
           sh::AndOp, sh::OrOp, sh::XorOp, sh::NotOp, sh::CompareOp,
           sh::SelectOp, sh::ConvertOp, sh::ReshapeOp>(op))
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
      .Case([&](sh::AddOp) { return isBit ? in[0] | in[1] : in[0] + in[1]; })
      .Case([&](sh::SubtractOp) {
        return isBit ? Number() : Number(in[0] - in[1]);
      })
      .Case([&](sh::MulOp) { return isBit ? in[0] & in[1] : in[0] * in[1]; })
      .Case([&](sh::MinOp) { return isLess ? in[0] : in[1]; })
      .Case([&](sh::MaxOp) { return isLess ? in[1] : in[0]; })
      .Case([&](sh::AndOp) { return in[0] & in[1]; })
      .Case([&](sh::OrOp) { return in[0] | in[1]; })
      .Case([&](sh::XorOp) { return in[0] ^ in[1]; })
      .Case([&](sh::NotOp) { return ~in[0]; })
      .Case([&](sh::CompareOp compared) {
        return APInt(1, compare(compared.getComparisonDirection(), in[0], in[1],
                                unsignedIn));
      })
      .Case([&](sh::SelectOp) { return in[0].isZero() ? in[2] : in[1]; })
      .Case([&](sh::ConvertOp) {
        if (isBit)
          return APInt(1, !in[0].isZero());
        return unsignedIn ? in[0].zextOrTrunc(width) : in[0].sextOrTrunc(width);
      })
      .Case([&](sh::ReshapeOp) { return in[0]; })
      .Default(Number());
}

//===--- Loops ------------------------------------------------------------===//

/// The values of the counters before each iteration, by their places among the
/// operands. Nothing if the number of iterations is not known, or if they are
/// more than `most`.
using Iterations = std::vector<SmallVector<std::pair<unsigned, APInt>, 2>>;

static std::optional<Iterations> iterationsOf(sh::WhileOp loop, int64_t most) {
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

static int64_t countOperations(Block &block) {
  int64_t count = 0;
  block.walk([&](Operation *) { ++count; });
  return count;
}

namespace {
class Remover {
public:
  void run(ModuleOp module);

private:
  bool unroll(sh::WhileOp loop);
  bool flatten(Operation *branching, Value index);

  int64_t left = kMostUnrolled;
};
} // namespace

static Value constant(OpBuilder &b, Location loc, Type type,
                      const APInt &value) {
  return sh::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(cast<RankedTensorType>(type), ArrayRef(value)));
}

/// Copies a block before the builder's place; the operands of its terminator.
static SmallVector<Value> copy(OpBuilder &b, Block &block, IRMapping &mapping) {
  for (Operation &op : block.without_terminator())
    b.clone(op, mapping);
  SmallVector<Value> results;
  for (Value result : block.getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(result));
  return results;
}

bool Remover::unroll(sh::WhileOp loop) {
  Block &body = loop.getBody().front();
  int64_t size = countOperations(body);
  if (size > left)
    return false;
  std::optional<Iterations> iterations = iterationsOf(loop, left / size);
  if (!iterations)
    return false;
  left -= size * int64_t(iterations->size());
  OpBuilder b(loop);
  SmallVector<Value> carried(loop.getOperand());
  for (const auto &counters : *iterations) {
    IRMapping mapping;
    mapping.map(body.getArguments(), carried);
    for (const auto &[i, value] : counters)
      mapping.map(body.getArgument(i),
                  constant(b, loop.getLoc(), carried[i].getType(), value));
    carried = copy(b, body, mapping);
  }
  loop.replaceAllUsesWith(carried);
  loop.erase();
  return true;
}

//===--- Branches ---------------------------------------------------------===//

/// True for the empty tuple and a token: all values of the type are alike.
static bool holdsNothing(Type type) {
  auto tuple = dyn_cast<TupleType>(type);
  return isa<sh::TokenType>(type) || (tuple && tuple.size() == 0);
}

/// `index` selects region 0, 1, ..; any other number selects the last. The
/// condition of an `if` selects region 0 if it holds.
bool Remover::flatten(Operation *branching, Value index) {
  OpBuilder b(branching);
  Location loc = branching->getLoc();
  MutableArrayRef<Region> regions = branching->getRegions();
  bool isIf = isa<sh::IfOp>(branching);
  if (Number known = Scalars(Numbers())(index)) {
    uint64_t last = regions.size() - 1;
    uint64_t chosen = isIf ? known->isZero()
                      : known->isNegative()
                          ? last
                          : std::min(known->getLimitedValue(), last);
    IRMapping mapping;
    branching->replaceAllUsesWith(copy(b, regions[chosen].front(), mapping));
    branching->erase();
    return true;
  }
  // All branches are computed, so they may have no effect.
  if (!isMemoryEffectFree(branching) ||
      !llvm::all_of(branching->getResultTypes(), [](Type type) {
        return isa<RankedTensorType>(type) || holdsNothing(type);
      }))
    return false;
  int64_t size = 0;
  for (Region &region : regions)
    size += countOperations(region.front());
  if (size > left)
    return false;
  left -= size;
  SmallVector<Value> results;
  for (size_t k = regions.size(); k-- > 0;) {
    IRMapping mapping;
    SmallVector<Value> branch = copy(b, regions[k].front(), mapping);
    if (results.empty()) {
      results = std::move(branch);
      continue;
    }
    Value chosen = index;
    if (!isIf) {
      auto type = cast<RankedTensorType>(index.getType());
      Value number =
          constant(b, loc, type,
                   APInt(type.getElementType().getIntOrFloatBitWidth(), k));
      chosen = sh::CompareOp::create(
          b, loc, type.clone(b.getI1Type()), index, number,
          sh::ComparisonDirectionAttr::get(b.getContext(),
                                           sh::ComparisonDirection::EQ),
          nullptr);
    }
    for (auto [result, other] : llvm::zip_equal(results, branch))
      if (!holdsNothing(result.getType()))
        result = sh::SelectOp::create(b, loc, result.getType(), chosen, other,
                                      result);
  }
  branching->replaceAllUsesWith(results);
  branching->erase();
  return true;
}

//===--- The program ------------------------------------------------------===//

void Remover::run(ModuleOp module) {
  // Inner loops first; a loop whose number of iterations follows from the
  // counter of an outer one has its turn when that one is unrolled.
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    SmallVector<Operation *> found;
    module.walk<WalkOrder::PostOrder>([&](Operation *op) {
      if (isa<sh::WhileOp, sh::IfOp, sh::CaseOp>(op))
        found.push_back(op);
    });
    for (Operation *op : found)
      isChanged |= llvm::TypeSwitch<Operation *, bool>(op)
                       .Case([&](sh::WhileOp loop) { return unroll(loop); })
                       .Case([&](sh::IfOp choice) {
                         return flatten(choice, choice.getPred());
                       })
                       .Case([&](sh::CaseOp choice) {
                         return flatten(choice, choice.getIndex());
                       })
                       .Default(false);
  }
}

void ascend::removeControlFlow(ModuleOp module) { Remover().run(module); }
