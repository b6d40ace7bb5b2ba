// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/FusionMaps.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/maps/Models.h"
#include "mercator/indexing/Simplify.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/RegionUtils.h"

#include <deque>
#include <map>

using namespace mercator;
using namespace mercator::indexing;
using llvm::SmallVector;
using mlir::Block;
using mlir::Operation;
using mlir::Value;
using mlir::ValueRange;

namespace {

//===--- Leaves -----------------------------------------------------------===//

/// Where the members of tuple types begin among their leaves.
class LeafTable {
public:
  unsigned count(mlir::Type type) {
    return llvm::isa<mlir::TupleType>(type) ? offsets(type).back() : 1;
  }
  /// The first leaf of member `index`. Requires: a tuple with such a member.
  unsigned offset(mlir::Type type, unsigned index) {
    return offsets(type)[index];
  }
  mlir::Type leafType(mlir::Type type, unsigned leaf) {
    while (auto tuple = llvm::dyn_cast<mlir::TupleType>(type)) {
      const std::vector<unsigned> &begins = offsets(type);
      // The last member that begins at or before the leaf; empty ones begin
      // where the next one does.
      size_t member = llvm::upper_bound(begins, leaf) - begins.begin() - 1;
      leaf -= begins[member];
      type = tuple.getType(member);
    }
    return type;
  }

private:
  /// One entry for each member, then the number of leaves.
  const std::vector<unsigned> &offsets(mlir::Type type) {
    auto it = table.find(type.getAsOpaquePointer());
    if (it != table.end())
      return it->second;
    std::vector<unsigned> begins = {0};
    for (mlir::Type member : llvm::cast<mlir::TupleType>(type).getTypes())
      begins.push_back(begins.back() + count(member));
    return table[type.getAsOpaquePointer()] = std::move(begins);
  }
  std::map<const void *, std::vector<unsigned>> table;
};

//===--- Computations -----------------------------------------------------===//

/// The block of the computation that an operation stands for. Neither a block
/// nor a refusal: it stands for none.
struct Computation {
  Block *block = nullptr;
  std::string refusal; ///< why it cannot be entered
};

Computation computationOf(Operation *op) {
  mlir::Region *region = nullptr;
  if (auto fusion = llvm::dyn_cast<hlo::FusionOp>(op)) {
    region = &fusion.getBody();
  } else {
    llvm::StringRef callee;
    if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op))
      callee = call.getCallee();
    else if (auto composite = llvm::dyn_cast<stablehlo::CompositeOp>(op))
      callee = composite.getDecomposition();
    else
      return {};
    auto function =
        mlir::SymbolTable::lookupNearestSymbolFrom<mlir::func::FuncOp>(
            op, mlir::StringAttr::get(op->getContext(), callee));
    if (!function || function.isExternal())
      return {nullptr, ("the body of @" + callee + " is not known").str()};
    region = &function.getBody();
  }
  if (!region->hasOneBlock())
    return {nullptr, "control flow between blocks"};
  Block *block = &region->front();
  if (!block->mightHaveTerminator() ||
      block->getNumArguments() != op->getNumOperands() ||
      block->getTerminator()->getNumOperands() != op->getNumResults())
    return {nullptr, "the computation does not fit the operation"};
  return {block, {}};
}

/// A computation seen from one of its results, or from one of its arguments.
struct Question {
  Block *block;
  Direction direction;
  unsigned number, leaf;
  auto operator<=>(const Question &) const = default;
};

struct Answer {
  std::vector<Reached> reached;
  std::string refusal; ///< why there is no answer
};

/// The maps inside name values of the inner block; from outside, its arguments
/// are the operands, and other values are named after the operation.
MapSet lift(Arena &arena, const MapSet &inner, Operation *op, Block *block) {
  MapSet out;
  for (OperandMap m : inner) {
    for (RuntimeVariable &v : m.map.domain.runtimes) {
      std::string name = arena.name(v.source).str();
      auto argument = llvm::find_if(block->getArguments(), [&](Value value) {
        return sourceName(value).name == name;
      });
      if (argument != block->getArguments().end()) {
        SourceName outside =
            sourceName(op->getOperand(argument->getArgNumber()));
        v.source = arena.intern(outside.name);
        v.element = outside.element;
      } else {
        v.source = arena.intern(sourceName(op->getResult(0)).name + "/" +
                                llvm::StringRef(name).split('/').second.str());
      }
    }
    out.insert(std::move(m));
  }
  return out;
}

//===--- Maps along one path ----------------------------------------------===//

/// Runtime variables that are the same element of the same value, clamped to
/// the same interval, have one value: the later ones become the first.
Map mergeRuntimes(Map map) {
  auto &runtimes = map.domain.runtimes;
  SmallVector<Expr, 4> by;
  bool merged = false;
  for (size_t i = 0; i < runtimes.size(); ++i) {
    size_t first = 0;
    while (!(runtimes[first] == runtimes[i]))
      ++first;
    by.push_back(map.arena->runtime(first));
    merged |= first != i;
  }
  if (!merged)
    return map;
  Substitution substitution{{}, {}, by};
  substitute(*map.arena, map.results, substitution);
  for (Constraint &c : map.domain.constraints)
    c.expr = substitute(*map.arena, c.expr, substitution);
  return map;
}

/// True for the identity on the whole of a tensor of these sizes.
bool isWholeIdentity(const Map &map, Sizes sizes) {
  return !map.isKnownEmpty() && map.isIdentity() &&
         map.domain.constraints.empty() &&
         map.domain.dims.size() == sizes.size() &&
         llvm::all_of(llvm::zip(map.domain.dims, sizes), [](auto pair) {
           return std::get<0>(pair).bounds ==
                  Interval::ofSize(std::get<1>(pair));
         });
}

} // namespace

struct FusionMaps::Cache {
  LeafTable leaves;
  std::map<Question, std::optional<Answer>> answers; ///< none: being worked out
  unsigned depth = 0;

  const Answer &answer(FusionMaps &maps, Question question);
};

//===--- The walk ---------------------------------------------------------===//

/// One walk over a block, from one leaf of one value. Output to input, "near"
/// are the results of an operation and "far" its operands; input to output, the
/// other way round. Each step goes from the near values to the far ones.
class FusionMaps::Walk {
public:
  Walk(FusionMaps &maps, Direction direction, Leaf root)
      : owner(maps), arena(maps.arena), leaves(maps.cache->leaves),
        direction(direction), rootSizes(leafSizes(root)) {
    slot(root).maps.insert({Map::identity(arena, rootSizes)});
  }
  void step(Operation *op);
  /// Every element of the values may be read.
  void reachAll(ValueRange values, llvm::Twine reason);
  /// What is known of these values.
  std::vector<Reached> found(ValueRange values);

private:
  struct State {
    MapSet maps;
    bool isFull = false; ///< the whole read: nothing can be added
  };

  State &slot(Leaf at) {
    auto [it, isNew] =
        places.insert({{at.value, at.leaf}, (unsigned)states.size()});
    if (isNew) {
      states.emplace_back();
      known.insert(at.value);
    }
    return states[it->second];
  }
  const State *find(Leaf at) const {
    auto it = places.find({at.value, at.leaf});
    return it == places.end() ? nullptr : &states[it->second];
  }
  bool anyKnown(ValueRange values) const {
    return llvm::any_of(values, [&](Value v) { return known.contains(v); });
  }
  SmallVector<int64_t> leafSizes(Leaf at) {
    return sizesOf(leaves.leafType(at.value.getType(), at.leaf));
  }
  bool isBack() const { return direction == Direction::OutToIn; }
  ValueRange near(Operation *op) const {
    return isBack() ? ValueRange(op->getResults())
                    : ValueRange(op->getOperands());
  }
  ValueRange far(Operation *op) const {
    return isBack() ? ValueRange(op->getOperands())
                    : ValueRange(op->getResults());
  }

  void widen(Leaf to, llvm::Twine reason);
  void insert(Leaf to, OperandMap m);
  void copy(Leaf from, Leaf to);
  void compose(Leaf from, Leaf to, const MapSet &step);
  bool spend(const Map &a, const Map &b);

  bool stepThroughTuples(Operation *op);
  void stepInto(Operation *op, Block *block);
  void stepIntoCaptures(Operation *op);
  void stepOver(Operation *op);
  void stepThroughAll(Operation *op, llvm::Twine reason) {
    if (anyKnown(near(op)))
      reachAll(far(op), reason);
  }

  FusionMaps &owner;
  Arena &arena;
  LeafTable &leaves;
  Direction direction;
  SmallVector<int64_t> rootSizes;
  llvm::DenseMap<std::pair<Value, unsigned>, unsigned> places;
  llvm::DenseSet<Value> known; ///< values with a leaf in `places`
  std::deque<State> states;    ///< a deque: what is there does not move
  uint64_t work = 0; ///< done so far, and allowed so far: see kMaxWork
  uint64_t allowed = 1 << 15;
};

void FusionMaps::Walk::widen(Leaf to, llvm::Twine reason) {
  State &state = slot(to);
  if (state.isFull)
    return;
  state.isFull = true;
  state.maps = MapSet::approximate(everything(arena, rootSizes, leafSizes(to)),
                                   reason.str());
}

void FusionMaps::Walk::reachAll(ValueRange values, llvm::Twine reason) {
  for (Value value : values)
    for (unsigned leaf = 0, e = leaves.count(value.getType()); leaf < e; ++leaf)
      widen({value, leaf}, reason);
}

std::vector<Reached> FusionMaps::Walk::found(ValueRange values) {
  std::vector<Reached> out;
  for (auto [number, value] : llvm::enumerate(values))
    for (unsigned leaf = 0, e = leaves.count(value.getType()); leaf < e; ++leaf)
      if (const State *state = find({value, leaf}))
        out.push_back({(unsigned)number, leaf, state->maps});
  return out;
}

void FusionMaps::Walk::insert(Leaf to, OperandMap m) {
  State &state = slot(to);
  if (state.isFull)
    return;
  const Domain &domain = m.map.domain;
  if (domain.ranges.size() + domain.runtimes.size() > kMaxVariables ||
      domain.constraints.size() > kMaxVariables)
    return widen(to, "a map needs more than " + llvm::Twine(kMaxVariables) +
                         " variables or constraints");
  state.maps.insert(std::move(m));
  if (state.maps.size() > kMaxMaps)
    widen(to, "read in more than " + llvm::Twine(kMaxMaps) + " different ways");
}

/// Element d of the one is element d of the other.
void FusionMaps::Walk::copy(Leaf from, Leaf to) {
  const State *source = find(from);
  if (!source)
    return;
  State &target = slot(to);
  if (target.isFull)
    return;
  if (source->isFull || target.maps.empty()) {
    target = *source;
    return;
  }
  for (const OperandMap &m : source->maps)
    insert(to, m);
}

/// Counts the cost of composing two maps and simplifying the result, where each
/// constraint is held against the others; false if it was too much.
bool FusionMaps::Walk::spend(const Map &a, const Map &b) {
  auto count = [](const Map &m) {
    return m.domain.ranges.size() + m.domain.runtimes.size() +
           m.domain.constraints.size();
  };
  uint64_t size = 1 + count(a) + count(b);
  work += size * size;
  return work <= allowed;
}

void FusionMaps::Walk::compose(Leaf from, Leaf to, const MapSet &step) {
  const State *source = find(from);
  if (!source)
    return;
  SmallVector<int64_t> sizes = leafSizes(from);
  for (const OperandMap &m : source->maps)
    for (const OperandMap &s : step) {
      if (slot(to).isFull)
        return;
      if (!spend(m.map, s.map))
        return widen(to, "following every way it is read is too much work");
      // One cause is enough: the first on the way.
      OperandMap through{m.map, m.exact && s.exact,
                         m.exact ? s.reason : m.reason};
      if (isWholeIdentity(m.map, sizes))
        through.map = simplify(s.map);
      else if (!isWholeIdentity(s.map, sizes))
        through.map = simplify(mergeRuntimes(indexing::compose(m.map, s.map)));
      insert(to, std::move(through));
    }
}

/// Operations that only hand values on, whole or in tuples.
bool FusionMaps::Walk::stepThroughTuples(Operation *op) {
  auto pair = [&](Value operand, unsigned inFirst, Value result,
                  unsigned outFirst, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      Leaf in{operand, inFirst + i}, out{result, outFirst + i};
      isBack() ? copy(out, in) : copy(in, out);
    }
  };
  if (llvm::isa<stablehlo::TupleOp>(op)) {
    Value tuple = op->getResult(0);
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      pair(operand, 0, tuple, leaves.offset(tuple.getType(), i),
           leaves.count(operand.getType()));
    return true;
  }
  if (auto element = llvm::dyn_cast<stablehlo::GetTupleElementOp>(op)) {
    Value tuple = element.getOperand();
    pair(tuple, leaves.offset(tuple.getType(), element.getIndex()),
         element.getResult(), 0, leaves.count(element.getType()));
    return true;
  }
  if (!llvm::isa<stablehlo::OptimizationBarrierOp, hlo::CopyOp, hlo::ElementOp>(
          op))
    return false;
  for (auto [operand, result] :
       llvm::zip_equal(op->getOperands(), op->getResults()))
    pair(operand, 0, result, 0, leaves.count(operand.getType()));
  return true;
}

void FusionMaps::Walk::stepInto(Operation *op, Block *block) {
  for (auto [number, value] : llvm::enumerate(near(op))) {
    for (unsigned leaf = 0, e = leaves.count(value.getType()); leaf < e;
         ++leaf) {
      if (!find({value, leaf}))
        continue;
      const Answer &answer = owner.cache->answer(
          owner, {block, direction, (unsigned)number, leaf});
      if (!answer.refusal.empty())
        return stepThroughAll(op, answer.refusal);
      for (const Reached &r : answer.reached)
        compose({value, leaf}, {far(op)[r.number], r.leaf},
                lift(arena, r.maps, op, block));
    }
  }
}

/// Values from outside that the regions of an operation use. What is computed
/// from them there is not followed.
void FusionMaps::Walk::stepIntoCaptures(Operation *op) {
  llvm::SetVector<Value> captures;
  mlir::getUsedValuesDefinedAbove(op->getRegions(), captures);
  auto reason = [&] {
    return (maps::spelling(op) + ": what its regions read is not analysed")
        .str();
  };
  if (isBack() && anyKnown(op->getResults()))
    reachAll(captures.getArrayRef(), reason());
  if (!isBack() && anyKnown(captures.getArrayRef()))
    reachAll(op->getResults(), reason());
}

void FusionMaps::Walk::stepOver(Operation *op) {
  auto isTuple = [](Value value) {
    return llvm::isa<mlir::TupleType>(value.getType());
  };
  if (!llvm::isa<MapInterface>(op) ||
      llvm::any_of(op->getOperands(), isTuple) ||
      llvm::any_of(op->getResults(), isTuple) ||
      llvm::isa<stablehlo::WhileOp, hlo::OpaqueOp>(op))
    return stepThroughAll(op, maps::spelling(op) +
                                  ": which elements it reads is not analysed");
  // Nothing is asked about values that are computed from nothing.
  auto isSource = [&](Value value) {
    Operation *definition = isBack() ? value.getDefiningOp() : nullptr;
    return definition && definition->getNumOperands() == 0 &&
           definition->getNumRegions() == 0;
  };
  // A region may ignore an operand, as that of a map does.
  bool elementwise =
      op->hasTrait<stablehlo::Elementwise>() && op->getNumRegions() == 0;
  for (auto [i, from] : llvm::enumerate(near(op))) {
    if (!find({from}))
      continue;
    for (auto [j, to] : llvm::enumerate(far(op))) {
      if (isSource(to))
        continue;
      if (elementwise && sizesOf(from.getType()) == sizesOf(to.getType()))
        copy({from}, {to});
      else
        compose(
            {from}, {to},
            mapsOf(op, arena, direction, isBack() ? j : i, isBack() ? i : j));
    }
  }
}

void FusionMaps::Walk::step(Operation *op) {
  if (op->getNumRegions() == 0 && !anyKnown(near(op)))
    return;
  allowed += kMaxWork;
  if (stepThroughTuples(op))
    return;
  Computation computation = computationOf(op);
  if (computation.block)
    return stepInto(op, computation.block);
  if (!computation.refusal.empty())
    return stepThroughAll(op, computation.refusal);
  if (op->getNumRegions() != 0)
    stepIntoCaptures(op);
  stepOver(op);
}

//===--- Whole computations -----------------------------------------------===//

FusionMaps::FusionMaps(Arena &arena)
    : arena(arena), cache(std::make_unique<Cache>()) {}
FusionMaps::~FusionMaps() = default;

const Answer &FusionMaps::Cache::answer(FusionMaps &maps, Question q) {
  static const Answer recursive{{}, "a computation that calls itself"};
  static const Answer tooDeep{{}, "computations are nested too deep"};
  auto [it, isNew] = answers.try_emplace(q);
  if (!isNew)
    return it->second ? *it->second : recursive;
  if (depth == kMaxDepth) {
    answers.erase(it);
    return tooDeep;
  }
  ++depth;
  Answer answer;
  answer.reached =
      q.direction == Direction::OutToIn
          ? maps.toArguments(
                {q.block->getTerminator()->getOperand(q.number), q.leaf})
          : maps.toResults({q.block->getArgument(q.number), q.leaf});
  --depth;
  it->second = std::move(answer);
  return *it->second;
}

std::vector<Reached> FusionMaps::toArguments(Leaf root) {
  Walk walk(*this, Direction::OutToIn, root);
  mlir::Region *region = root.value.getParentRegion();
  ValueRange arguments = region->front().getArguments();
  if (!region->hasOneBlock())
    walk.reachAll(arguments, "control flow between blocks");
  else if (Operation *op = root.value.getDefiningOp())
    for (; op; op = op->getPrevNode())
      walk.step(op);
  return walk.found(arguments);
}

std::vector<Reached> FusionMaps::toResults(Leaf argument) {
  Walk walk(*this, Direction::InToOut, argument);
  mlir::Region *region = argument.value.getParentRegion();
  if (!region->back().mightHaveTerminator())
    return {};
  Operation *terminator = region->back().getTerminator();
  if (!region->hasOneBlock())
    walk.reachAll(terminator->getOperands(), "control flow between blocks");
  else
    for (Operation &op : region->front().without_terminator())
      walk.step(&op);
  return walk.found(terminator->getOperands());
}

//===--- One operation alone ----------------------------------------------===//

std::vector<MapSet> FusionMaps::alone(Operation *op, Direction direction,
                                      unsigned number) {
  bool back = direction == Direction::OutToIn;
  unsigned count = back ? op->getNumOperands() : op->getNumResults();
  Computation computation = computationOf(op);
  std::vector<MapSet> out(count);
  if (!computation.block && computation.refusal.empty()) {
    for (unsigned other = 0; other < count; ++other)
      out[other] = mapsOf(op, arena, direction, back ? other : number,
                          back ? number : other);
    return out;
  }
  std::string refusal = computation.refusal;
  if (computation.block) {
    const Answer &answer =
        cache->answer(*this, {computation.block, direction, number, 0});
    refusal = answer.refusal;
    for (const Reached &r : answer.reached)
      for (const OperandMap &m : lift(arena, r.maps, op, computation.block))
        out[r.number].insert(m);
  }
  std::string spelling = maps::spelling(op).str();
  auto types = back ? mlir::TypeRange(op->getOperandTypes())
                    : mlir::TypeRange(op->getResultTypes());
  bool fromTuple = llvm::isa<mlir::TupleType>(
      (back ? op->getResult(number) : op->getOperand(number)).getType());
  for (unsigned other = 0; other < count; ++other)
    if (!refusal.empty() || fromTuple ||
        llvm::isa<mlir::TupleType>(types[other])) {
      maps::Query q(op, arena, direction, back ? other : number,
                    back ? number : other);
      out[other] = q.everything(
          refusal.empty() ? spelling + ": members of a tuple are not told apart"
                          : refusal);
    }
  return out;
}

std::vector<MapSet> FusionMaps::toOperands(Operation *op, unsigned result) {
  return alone(op, Direction::OutToIn, result);
}

std::vector<MapSet> FusionMaps::fromOperand(Operation *op, unsigned operand) {
  return alone(op, Direction::InToOut, operand);
}

template <typename Op>
static MapSet computationMaps(Op op, const maps::Query &q) {
  FusionMaps maps(q.arena);
  return q.direction == Direction::OutToIn
             ? maps.toOperands(op, q.result)[q.operand]
             : maps.fromOperand(op, q.operand)[q.result];
}

void maps::attachCallMaps(mlir::MLIRContext *context) {
  attach<hlo::FusionOp, computationMaps<hlo::FusionOp>>(context);
  attach<mlir::func::CallOp, computationMaps<mlir::func::CallOp>>(context);
  attach<stablehlo::CompositeOp, computationMaps<stablehlo::CompositeOp>>(
      context);
}
