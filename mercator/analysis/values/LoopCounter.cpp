// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters of loops.
//
// The idea: guess and check. Assume that carried value k is n in iteration n,
// and evaluate the value that the body returns for it as an affine function of
// n. If the result is n plus a constant, k is a counter with this step. All
// integers of the body that depend affinely on counters are then affine
// functions of n, and the condition gives the number of iterations: the first n
// at which the affine difference of the compared values changes its sign. It is
// the classic analysis of basic induction variables (A. Aho, M. Lam, R. Sethi
// and J. Ullman, "Compilers", section 9.1), across calls and tuples.

#include "mercator/analysis/values/LoopCounter.h"
#include "mercator/analysis/Computations.h"
#include "mercator/analysis/Sizes.h"
#include "mercator/analysis/values/Constants.h"
#include "mercator/dialects/hlo/Hlo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mercator;
using namespace mercator::maps;
using mlir::Operation;
using mlir::Value;

/// Limits on the search: values may nest as deep as the program is long.
static constexpr unsigned kMaxSteps = 1 << 12, kMaxNesting = 48;

std::optional<int64_t> maps::integerConstant(Value value) {
  std::optional<int64_t> constant = splatConstant(value);
  if (constant && !fits(*constant)) // splatConstant saturates
    return std::nullopt;
  return constant;
}

std::optional<int64_t> Affine::at(int64_t n) const {
  int64_t value;
  if (__builtin_mul_overflow(scale, n, &value) ||
      __builtin_add_overflow(value, offset, &value))
    return std::nullopt;
  return value;
}

/// a + k * b.
static std::optional<Affine> combine(Affine a, Affine b, int64_t k) {
  Affine out;
  if (__builtin_mul_overflow(b.scale, k, &out.scale) ||
      __builtin_mul_overflow(b.offset, k, &out.offset) ||
      __builtin_add_overflow(a.scale, out.scale, &out.scale) ||
      __builtin_add_overflow(a.offset, out.offset, &out.offset))
    return std::nullopt;
  return out;
}

//===--- Where values come from -------------------------------------------===//

const LoopCounter::Frame *LoopCounter::enter(Operation *call,
                                             const Frame *outer) {
  const Frame *&frame = entered[{call, outer}];
  if (!frame) {
    frames.push_back({call, outer});
    frame = &frames.back();
  }
  return frame;
}

/// The value that `place` is a copy of, through calls, tuples and copies.
LoopCounter::Place LoopCounter::origin(Place place) {
  for (; steps < kMaxSteps; ++steps) {
    auto &[leaf, frame] = place;
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(leaf.value)) {
      if (!frame ||
          argument.getOwner() != computationOf(frame->call, &symbols).block)
        return place;
      leaf.value = frame->call->getOperand(argument.getArgNumber());
      frame = frame->outer;
      continue;
    }
    auto result = llvm::cast<mlir::OpResult>(leaf.value);
    Operation *op = result.getOwner();
    if (llvm::isa<stablehlo::TupleOp>(op)) {
      unsigned member = 0;
      while (leaf.leaf >= leaves.offset(result.getType(), member + 1))
        ++member;
      leaf = {op->getOperand(member),
              leaf.leaf - leaves.offset(result.getType(), member)};
    } else if (auto element =
                   llvm::dyn_cast<stablehlo::GetTupleElementOp>(op)) {
      Value tuple = element.getOperand();
      leaf = {tuple,
              leaf.leaf + leaves.offset(tuple.getType(), element.getIndex())};
    } else if (llvm::isa<hlo::ElementOp, hlo::CopyOp,
                         stablehlo::OptimizationBarrierOp>(op)) {
      leaf.value = op->getOperand(result.getResultNumber());
    } else if (llvm::isa<mlir::func::CallOp, stablehlo::CompositeOp,
                         hlo::FusionOp>(op)) {
      mlir::Block *block = computationOf(op, &symbols).block;
      unsigned nesting = 0;
      for (const Frame *f = frame; f; f = f->outer)
        ++nesting;
      if (!block || nesting > kMaxNesting)
        return place;
      frame = enter(op, frame);
      leaf.value = block->getTerminator()->getOperand(result.getResultNumber());
    } else {
      return place;
    }
  }
  return place;
}

bool LoopCounter::isUnchanged(unsigned number, unsigned leaf) {
  mlir::Block &body = loop.getBody().front();
  steps = 0;
  Place from =
      origin({{body.getTerminator()->getOperand(number), leaf}, nullptr});
  return !from.frame && from.leaf.value == body.getArgument(number) &&
         from.leaf.leaf == leaf;
}

//===--- What values are --------------------------------------------------===//

/// The width of the integers of a type with one element, or none.
static std::optional<unsigned> widthOf(mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || tensor.getNumElements() != 1)
    return std::nullopt;
  auto integer = llvm::dyn_cast<mlir::IntegerType>(tensor.getElementType());
  if (!integer)
    return std::nullopt;
  return integer.getWidth();
}

std::optional<Affine> LoopCounter::evaluate(Place place, unsigned depth) {
  if (depth > kMaxNesting || ++steps > kMaxSteps)
    return std::nullopt;
  place = origin(place);
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(place.leaf.value)) {
    if (place.frame || argument.getOwner()->getParentOp() != loop)
      return std::nullopt;
    auto it = counters.find({argument.getArgNumber(), place.leaf.leaf});
    if (it == counters.end())
      return std::nullopt;
    return it->second;
  }
  if (std::optional<int64_t> constant = integerConstant(place.leaf.value))
    return Affine{0, *constant};
  std::optional<unsigned> width = widthOf(place.leaf.value.getType());
  if (!width)
    return std::nullopt;
  std::optional<Affine> value =
      evaluateOperation(place.leaf.value.getDefiningOp(), place, depth);
  // An affine function that wraps around neither in the first nor in the last
  // iteration never does.
  if (value)
    for (int64_t n : {int64_t(0), count.value_or(0)}) {
      std::optional<int64_t> x = value->at(n);
      int64_t limit = int64_t(1) << std::min(*width - 1, 61u);
      auto type =
          llvm::cast<mlir::RankedTensorType>(place.leaf.value.getType());
      bool isUnsigned = type.getElementType().isUnsignedInteger();
      if (!x || *x < (isUnsigned ? 0 : -limit) || *x >= limit)
        return std::nullopt;
    }
  return value;
}

std::optional<Affine> LoopCounter::evaluateOperation(Operation *op, Place place,
                                                     unsigned depth) {
  auto operand = [&](unsigned i) {
    return evaluate({{op->getOperand(i)}, place.frame}, depth + 1);
  };
  if (llvm::isa<stablehlo::ConvertOp, stablehlo::ReshapeOp, hlo::BitcastOp,
                stablehlo::BroadcastInDimOp>(op))
    return widthOf(op->getOperand(0).getType()) ? operand(0) : std::nullopt;
  if (llvm::isa<stablehlo::AddOp, stablehlo::SubtractOp>(op)) {
    auto a = operand(0), b = operand(1);
    if (!a || !b)
      return std::nullopt;
    return combine(*a, *b, llvm::isa<stablehlo::AddOp>(op) ? 1 : -1);
  }
  if (llvm::isa<stablehlo::NegOp>(op)) {
    auto a = operand(0);
    return a ? combine({}, *a, -1) : std::nullopt;
  }
  if (llvm::isa<stablehlo::MulOp>(op)) {
    auto a = operand(0), b = operand(1);
    if (!a || !b || (a->scale != 0 && b->scale != 0))
      return std::nullopt;
    return a->scale == 0 ? combine({}, *b, a->offset)
                         : combine({}, *a, b->offset);
  }
  if (llvm::isa<stablehlo::SelectOp>(op)) {
    std::optional<bool> first =
        decide({{op->getOperand(0)}, place.frame}, depth + 1);
    return first ? operand(*first ? 1 : 2) : std::nullopt;
  }
  return std::nullopt;
}

/// True if `a direction 0` holds.
static bool holds(stablehlo::ComparisonDirection direction, int64_t a) {
  using stablehlo::ComparisonDirection;
  switch (direction) {
  case ComparisonDirection::EQ:
    return a == 0;
  case ComparisonDirection::NE:
    return a != 0;
  case ComparisonDirection::GE:
    return a >= 0;
  case ComparisonDirection::GT:
    return a > 0;
  case ComparisonDirection::LE:
    return a <= 0;
  case ComparisonDirection::LT:
    return a < 0;
  }
  return false;
}

/// The truth value of a predicate, if it is the same in every iteration.
std::optional<bool> LoopCounter::decide(Place place, unsigned depth) {
  place = origin(place);
  if (std::optional<int64_t> constant = integerConstant(place.leaf.value))
    return *constant != 0;
  auto compare = place.leaf.value.getDefiningOp<stablehlo::CompareOp>();
  if (!compare || !count)
    return std::nullopt;
  auto a = evaluate({{compare.getLhs()}, place.frame}, depth + 1);
  auto b = evaluate({{compare.getRhs()}, place.frame}, depth + 1);
  std::optional<Affine> difference =
      a && b ? combine(*a, *b, -1) : std::nullopt;
  if (!difference)
    return std::nullopt;
  auto first = difference->at(0);
  auto last = difference->at(std::max<int64_t>(*count - 1, 0));
  if (!first || !last)
    return std::nullopt;
  bool result = holds(compare.getComparisonDirection(), *first);
  // An affine function is monotone, so an inequality that holds at both ends
  // always holds. An equality may hold in between only.
  bool meetsZero = (*first < 0) != (*last < 0) || *first == 0 || *last == 0;
  bool isEquality =
      compare.getComparisonDirection() == stablehlo::ComparisonDirection::EQ ||
      compare.getComparisonDirection() == stablehlo::ComparisonDirection::NE;
  if (result != holds(compare.getComparisonDirection(), *last) ||
      (isEquality && meetsZero && difference->scale != 0))
    return std::nullopt;
  return result;
}

//===--- The loop ---------------------------------------------------------===//

std::optional<int64_t> LoopCounter::findIterations() {
  Place place =
      origin({{loop.getCond().front().getTerminator()->getOperand(0)}});
  if (std::optional<int64_t> constant = integerConstant(place.leaf.value))
    return *constant == 0 ? std::optional<int64_t>(0) : std::nullopt;
  auto compare = place.leaf.value.getDefiningOp<stablehlo::CompareOp>();
  if (!compare)
    return std::nullopt;
  auto a = evaluate({{compare.getLhs()}, place.frame});
  auto b = evaluate({{compare.getRhs()}, place.frame});
  std::optional<Affine> f = a && b ? combine(*a, *b, -1) : std::nullopt;
  if (!f)
    return std::nullopt;
  stablehlo::ComparisonDirection direction = compare.getComparisonDirection();
  if (!holds(direction, f->offset))
    return 0;
  // The first n at which the condition fails: the difference has reached zero
  // or, for LE and GE, has passed it.
  using stablehlo::ComparisonDirection;
  int64_t distance = f->offset, pace = f->scale;
  if (direction == ComparisonDirection::GE ||
      direction == ComparisonDirection::GT) {
    distance = -distance;
    pace = -pace;
  }
  switch (direction) {
  case ComparisonDirection::EQ:
    return pace != 0 ? std::optional<int64_t>(1) : std::nullopt;
  case ComparisonDirection::NE:
    if (pace == 0 || distance % pace != 0 || -distance / pace < 0)
      return std::nullopt;
    return -distance / pace;
  case ComparisonDirection::LT:
  case ComparisonDirection::GT:
    return pace > 0 ? std::optional((-distance + pace - 1) / pace)
                    : std::nullopt;
  case ComparisonDirection::LE:
  case ComparisonDirection::GE:
    return pace > 0 ? std::optional(-distance / pace + 1) : std::nullopt;
  }
  return std::nullopt;
}

//===--- Bounds that are known when the program runs ----------------------===//

/// The constant that the body adds to a carried integer.
std::optional<int64_t> LoopCounter::stepOf(unsigned number, unsigned leaf) {
  if (isUnchanged(number, leaf))
    return 0;
  mlir::Block &body = loop.getBody().front();
  Place next = origin({{body.getTerminator()->getOperand(number), leaf}});
  Operation *op = next.leaf.value.getDefiningOp();
  if (!op || !llvm::isa<stablehlo::AddOp, stablehlo::SubtractOp>(op))
    return std::nullopt;
  auto isCarried = [&](unsigned i) {
    Place place = origin({{op->getOperand(i)}, next.frame});
    return !place.frame && place.leaf.value == body.getArgument(number) &&
           place.leaf.leaf == leaf;
  };
  auto constant = [&](unsigned i) {
    return integerConstant(
        origin({{op->getOperand(i)}, next.frame}).leaf.value);
  };
  std::optional<int64_t> by;
  if (isCarried(0))
    by = constant(1);
  else if (isCarried(1) && llvm::isa<stablehlo::AddOp>(op))
    by = constant(0);
  return by && llvm::isa<stablehlo::SubtractOp>(op) ? -*by : by;
}

std::optional<LoopCounter::Line> LoopCounter::outsideLine(Leaf leaf) {
  Place from = origin({leaf});
  if (!from.frame)
    leaf = from.leaf;
  if (std::optional<int64_t> constant = integerConstant(from.leaf.value))
    return Line{{}, *constant, 0};
  if (!widthOf(leaf.value.getType()))
    return std::nullopt;
  return Line{leaf, 0, 0};
}

std::optional<LoopCounter::Line> LoopCounter::lineOf(Place place) {
  place = origin(place);
  if (std::optional<int64_t> constant = integerConstant(place.leaf.value))
    return Line{{}, *constant, 0};
  if (place.frame)
    return std::nullopt;
  mlir::Value value = place.leaf.value;
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  if (!argument || argument.getOwner()->getParentOp() != loop)
    return loop->isAncestor(value.getParentRegion()->getParentOp())
               ? std::nullopt
               : outsideLine(place.leaf);
  unsigned number = argument.getArgNumber();
  std::optional<int64_t> step = stepOf(number, place.leaf.leaf);
  std::optional<Line> line =
      step ? outsideLine({loop->getOperand(number), place.leaf.leaf})
           : std::nullopt;
  if (line) {
    line->step = *step;
    line->counter = {number, place.leaf.leaf};
  }
  return line;
}

std::optional<Trips> LoopCounter::trips() {
  steps = 0;
  Place place =
      origin({{loop.getCond().front().getTerminator()->getOperand(0)}});
  auto compare = place.leaf.value.getDefiningOp<stablehlo::CompareOp>();
  std::optional<unsigned> width =
      compare ? widthOf(compare.getLhs().getType()) : std::nullopt;
  if (!width)
    return std::nullopt;
  std::optional<Line> low = lineOf({{compare.getLhs()}, place.frame});
  std::optional<Line> high = lineOf({{compare.getRhs()}, place.frame});
  if (!low || !high)
    return std::nullopt;
  // The loop runs while low < high, or low <= high.
  using stablehlo::ComparisonDirection;
  ComparisonDirection direction = compare.getComparisonDirection();
  if (direction == ComparisonDirection::EQ ||
      direction == ComparisonDirection::NE)
    return std::nullopt;
  if (direction == ComparisonDirection::GT ||
      direction == ComparisonDirection::GE)
    std::swap(low, high);
  bool meets = direction == ComparisonDirection::LE ||
               direction == ComparisonDirection::GE;
  bool isUnsigned = mlir::getElementTypeOrSelf(compare.getLhs().getType())
                        .isUnsignedInteger();
  Trips trips;
  trips.plus = high->start;
  trips.minus = low->start;
  trips.offset = high->constant - low->constant + meets;
  trips.step = low->step - high->step;
  trips.isNarrow = *width <= 32;
  if ((low->step != 0 && high->step != 0) || trips.step <= 0 ||
      (isUnsigned && !trips.isNarrow))
    return std::nullopt;
  int64_t bits = std::min(*width - !isUnsigned, 60u),
          greatest = (int64_t(1) << bits) - 1,
          smallest = isUnsigned ? 0 : -greatest - 1;
  trips.goesUp = low->step != 0;
  const Line &start = trips.goesUp ? *low : *high;
  const Line &limit = trips.goesUp ? *high : *low;
  if (trips.step == 1) { // stops exactly at the limit: no wrap-around
    int64_t before = trips.goesUp ? meets - 1 : 1 - meets;
    trips.first = {start.start, start.constant};
    trips.last = {limit.start, limit.constant + before};
    if (!trips.isNarrow)
      return trips;
    tripsCounter = start.counter;
    least = trips.goesUp && !start.start ? start.constant : smallest;
    most = !trips.goesUp && !start.start ? start.constant : greatest;
    if (!limit.start)
      (trips.goesUp ? most : least) = trips.last.constant;
    else if (!meets) // excludes the limit
      trips.goesUp ? --most : ++least;
    return trips;
  }
  // A larger step may pass the limit and leave the type.
  if (limit.start || !fits(trips.step))
    return std::nullopt;
  int64_t last =
      trips.goesUp ? limit.constant + trips.step : limit.constant - trips.step;
  if (last < smallest || last > greatest)
    return std::nullopt;
  return trips;
}

std::optional<Affine> LoopCounter::valueAtCounter(SourcePlace place,
                                                  int32_t element,
                                                  const Arena &arena) {
  if (least > most)
    return std::nullopt;
  // Evaluate as if the counter ran from its lower to its upper bound.
  counters = {{tripsCounter, {1, least}}};
  count = most - least + 1;
  std::optional<Affine> value = valueOf(place, element, arena);
  counters.clear();
  count = std::nullopt;
  return value
             ? combine({value->scale, value->offset}, {0, least}, -value->scale)
             : std::nullopt;
}

LoopCounter::LoopCounter(stablehlo::WhileOp loop, Leaves &leaves,
                         mlir::SymbolTableCollection &symbols)
    : loop(loop), leaves(leaves), symbols(symbols) {
  mlir::Block &body = loop.getBody().front();
  mlir::ValueRange next = body.getTerminator()->getOperands();
  std::map<std::pair<unsigned, unsigned>, Affine> found;
  for (unsigned number = 0; number < next.size(); ++number)
    for (unsigned leaf = 0, e = leaves.count(next[number].getType()); leaf < e;
         ++leaf) {
      if (!widthOf(leaves.leafType(next[number].getType(), leaf)))
        continue;
      steps = 0;
      counters.clear();
      std::optional<Affine> start =
          evaluate({{loop->getOperand(number), leaf}, nullptr});
      if (!start)
        continue;
      // The value that the body returns if the carried value is n.
      counters[{number, leaf}] = {1, 0};
      std::optional<Affine> step = evaluate({{next[number], leaf}, nullptr});
      if (step && step->scale == 1)
        found[{number, leaf}] = {step->offset, start->offset};
    }
  counters = std::move(found);
  steps = 0;
  count = findIterations();
  if (!count)
    return;
  // A counter that leaves its type wraps around and is not affine.
  for (auto &[where, counter] : counters) {
    unsigned width =
        *widthOf(leaves.leafType(next[where.first].getType(), where.second));
    std::optional<int64_t> last = counter.at(*count);
    int64_t limit = int64_t(1) << std::min(width - 1, 61u);
    if (!last || *last < -limit || *last >= limit) {
      counters.clear();
      count = std::nullopt;
      return;
    }
  }
}

std::optional<Affine> LoopCounter::valueOf(SourcePlace place, int32_t element,
                                           const Arena &arena) {
  constexpr unsigned kMaxCalls = 8;
  auto isHere = [&](mlir::Block *block, const Frame *frame) {
    return frame ? block == computationOf(frame->call, &symbols).block
                 : block == &loop.getBody().front() ||
                       block == &loop.getCond().front();
  };
  const Frame *frame = nullptr;
  for (unsigned calls = 0; place.call; ++calls) {
    if (calls == kMaxCalls || !isHere(place.block(), frame))
      return std::nullopt;
    frame = enter(place.call, frame);
    place = sourcePlace(arena, place.inside, element);
  }
  if (!place.value || !isHere(place.block(), frame) ||
      !widthOf(place.value.getType()))
    return std::nullopt;
  steps = 0;
  return evaluate({{place.value}, frame});
}
