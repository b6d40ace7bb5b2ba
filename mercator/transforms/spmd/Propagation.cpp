// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/spmd/Propagation.h"

#include "mercator/dialects/sdy/Sdy.h"
#include "mercator/dialects/stablehlo/Annotations.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace mlir;
using namespace mercator;
using namespace mercator::spmd;

namespace {

/// A dimension of a tensor, and its name in messages.
struct Place {
  Value value;
  unsigned dim;
  std::string name;
};

/// Dimensions that are divided alike.
struct Tie {
  Operation *op;
  unsigned level; ///< lower levels spread first
  SmallVector<Place, 4> places;
  bool isWindow = false; ///< shards may be empty
  bool isReported = false;
};

class Propagation {
public:
  Propagation(func::FuncOp function, Annotations annotations)
      : function(function) {
    program.mesh = std::move(annotations.mesh);
    program.manual = std::move(annotations.manual);
    program.values = std::move(annotations.values);
    stated = std::move(annotations.results);
    later = std::move(annotations.later);
    resultPriorities = std::move(annotations.resultPriorities);
  }

  ShardedProgram run();

private:
  void collect(Operation *op);
  /// All dimensions of values of one type are divided alike.
  void tieValues(Operation *op, ArrayRef<std::pair<Value, std::string>> values,
                 unsigned level);
  bool spread(Tie &tie);
  bool extend(const Place &place, ArrayRef<unsigned> axes, bool maybeEmpty);
  /// All ties, until nothing changes.
  void spreadAll();
  /// The results of the program ask for their shardings as if they were values.
  void askForResults(int64_t priority);

  func::FuncOp function;
  ShardedProgram program;
  std::vector<std::optional<Sharding>> stated;
  std::vector<LaterDimension> later;
  std::vector<SmallVector<int64_t, 4>> resultPriorities;
  std::vector<Tie> ties;
  llvm::DenseMap<Value, bool> isBoundary;
};

} // namespace

static RankedTensorType staticTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type : nullptr;
}

void Propagation::tieValues(Operation *op,
                            ArrayRef<std::pair<Value, std::string>> values,
                            unsigned level) {
  RankedTensorType type = staticTensor(values.front().first);
  if (!type)
    return;
  for (const auto &[value, name] : values)
    if (value.getType() != type)
      return;
  for (unsigned dim = 0; dim < type.getRank(); ++dim) {
    Tie tie{op, level, {}};
    for (const auto &[value, name] : values)
      tie.places.push_back({value, dim, name});
    ties.push_back(std::move(tie));
  }
}

/// An operation whose result is its operand.
static bool passesOn(Operation *op) {
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(op))
    return stablehlo::isAnnotation(call) && op->getNumResults() == 1 &&
           op->getNumOperands() == 1 && call.getCallTargetName() == "Sharding";
  return sdy::isSameValue(op) && op->getNumResults() == 1 &&
         op->getNumOperands() == 1;
}

void Propagation::collect(Operation *op) {
  if (passesOn(op)) {
    tieValues(op,
              {{op->getOperand(0), "operand 0"}, {op->getResult(0), "result"}},
              0);
    return;
  }
  if (isa<stablehlo::OptimizationBarrierOp>(op)) {
    for (auto [in, out] : llvm::zip_equal(op->getOperands(), op->getResults()))
      tieValues(op, {{in, "operand"}, {out, "result"}}, 0);
    return;
  }
  if (auto loop = dyn_cast<stablehlo::WhileOp>(op)) {
    Operation *next = loop.getBody().front().getTerminator();
    for (unsigned i = 0; i < loop->getNumOperands(); ++i)
      tieValues(op,
                {{loop->getOperand(i), "operand"},
                 {loop.getCond().getArgument(i), "argument of cond"},
                 {loop.getBody().getArgument(i), "argument of body"},
                 {next->getOperand(i), "value of the next iteration"},
                 {loop->getResult(i), "result"}},
                0);
    return;
  }
  if (isa<stablehlo::IfOp, stablehlo::CaseOp>(op)) {
    for (unsigned i = 0; i < op->getNumResults(); ++i) {
      SmallVector<std::pair<Value, std::string>> values{
          {op->getResult(i), "result"}};
      for (Region &branch : op->getRegions())
        values.push_back(
            {branch.front().getTerminator()->getOperand(i), "of a branch"});
      tieValues(op, values, 0);
    }
    return;
  }
  auto found = program.factors.find(op);
  if (found == program.factors.end())
    return;
  bool sums = llvm::any_of(found->second.factors, [](const Factor &factor) {
    return factor.kind == Factor::Kind::Reduced;
  });
  for (const Factor &factor : found->second.factors) {
    Tie tie{op, factor.kind != Factor::Kind::Same ? 2u : sums ? 1u : 0u, {}};
    for (auto [k, dim] : llvm::enumerate(factor.operandDims))
      if (dim >= 0)
        tie.places.push_back(
            {op->getOperand(k), unsigned(dim), "operand " + std::to_string(k)});
    if (factor.resultDim >= 0)
      for (Value result : op->getResults())
        tie.places.push_back({result, unsigned(factor.resultDim), "result"});
    tie.isWindow =
        factor.kind == Factor::Kind::Window && !isa<stablehlo::ReshapeOp>(op);
    if (tie.places.size() > 1)
      ties.push_back(std::move(tie));
  }
}

/// Adds axes to an open dimension, as far as it can take them.
bool Propagation::extend(const Place &place, ArrayRef<unsigned> axes,
                         bool maybeEmpty) {
  Sharding &sharding = program.values.find(place.value)->second;
  Axes &now = sharding.dims[place.dim];
  if (!sharding.isOpen[place.dim] || now.size() >= axes.size() ||
      ArrayRef<unsigned>(now) != axes.take_front(now.size()))
    return false;
  int64_t size = staticTensor(place.value).getDimSize(place.dim);
  bool isChanged = false;
  for (unsigned axis : axes.drop_front(now.size())) {
    int64_t parts = program.mesh.size(now) * program.mesh.axes[axis].size;
    if (sharding.uses(axis) || llvm::is_contained(sharding.replicated, axis) ||
        (parts > size && !maybeEmpty) ||
        (isBoundary.count(place.value) && size % parts != 0))
      break;
    now.push_back(axis);
    isChanged = true;
  }
  return isChanged;
}

bool Propagation::spread(Tie &tie) {
  auto axesOf = [&](const Place &place) -> ArrayRef<unsigned> {
    return program.values.find(place.value)->second.dims[place.dim];
  };
  const Place *longest = &tie.places.front();
  for (const Place &place : tie.places)
    if (axesOf(place).size() > axesOf(*longest).size())
      longest = &place;
  Axes common(axesOf(*longest));
  for (const Place &place : tie.places) {
    ArrayRef<unsigned> axes = axesOf(place);
    size_t shared = 0;
    while (shared < std::min(axes.size(), common.size()) &&
           axes[shared] == common[shared])
      ++shared;
    if (shared == axes.size())
      continue; // it begins the longest
    if (!tie.isReported) {
      tie.isReported = true;
      auto describe = [&](const Place &of) {
        std::string text = of.name + " along " + std::to_string(of.dim) + ": ";
        llvm::raw_string_ostream os(text);
        llvm::interleaveComma(axesOf(of), os, [&](unsigned axis) {
          os << '"' << program.mesh.axes[axis].name << '"'
             << program.mesh.axes[axis].part;
        });
        return text;
      };
      StringRef operation = tie.op->getName().getStringRef();
      operation.consume_front("stablehlo.");
      program.conflicts.push_back(
          {operation.str(), describe(*longest), describe(place)});
    }
    common.truncate(shared);
  }
  bool isChanged = false;
  for (const Place &place : tie.places)
    isChanged |= extend(place, common, tie.isWindow);
  return isChanged;
}

void Propagation::spreadAll() {
  for (unsigned level = 0; level < 3; ++level)
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (Tie &tie : ties)
        if (tie.level <= level)
          isChanged |= spread(tie);
      for (Tie &tie : llvm::reverse(ties))
        if (tie.level <= level)
          isChanged |= spread(tie);
    }
}

void Propagation::askForResults(int64_t priority) {
  Operation *returns = function.getBody().front().getTerminator();
  for (auto [value, sharding, priorities] :
       llvm::zip_equal(returns->getOperands(), stated, resultPriorities))
    if (sharding && staticTensor(value))
      for (size_t dim = 0; dim < sharding->rank(); ++dim)
        if ((priorities.empty() ? 0 : priorities[dim]) == priority)
          extend({value, unsigned(dim), ""}, sharding->dims[dim], false);
}

ShardedProgram Propagation::run() {
  indexing::Arena arena;
  auto add = [&](Value value) {
    if (RankedTensorType type = staticTensor(value))
      program.values.try_emplace(value, Sharding::open(type.getRank()));
  };
  for (Value argument : function.getArguments()) {
    add(argument);
    isBoundary[argument] = true;
  }
  Operation *returns = function.getBody().front().getTerminator();
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      add(result);
    if (isa<sdy::ManualComputationOp>(op)) {
      for (auto [value, sharding] :
           llvm::zip_equal(op->getResults(), program.manual[op].out)) {
        program.values[value] = sharding;
        program.values[value].isOpen.assign(sharding.rank(), false);
      }
      return WalkResult::skip();
    }
    if (isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(op)) {
      for (Region &region : op->getRegions())
        for (Value argument : region.getArguments())
          add(argument);
      return WalkResult::advance();
    }
    if (op->getNumResults() > 0 && !passesOn(op) &&
        llvm::all_of(op->getResults(),
                     [](Value value) { return bool(staticTensor(value)); }))
      program.factors[op] = factorsOf(op, arena);
    return op->getNumRegions() ? WalkResult::skip() : WalkResult::advance();
  });
  for (auto [value, sharding] : llvm::zip_equal(returns->getOperands(), stated))
    if (!sharding && staticTensor(value))
      isBoundary[value] = true;
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<sdy::ManualComputationOp>(op))
      return WalkResult::skip();
    collect(op);
    return op->getNumRegions() &&
                   !isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(
                       op)
               ? WalkResult::skip()
               : WalkResult::advance();
  });
  // Until its turn, a dimension takes no axes, and its own divide nothing else.
  std::set<int64_t> priorities{0};
  std::vector<Axes> own;
  std::vector<bool> isOpen;
  for (const LaterDimension &each : later) {
    Sharding &sharding = program.values.find(each.value)->second;
    priorities.insert(each.priority);
    isOpen.push_back(sharding.isOpen[each.dim]);
    own.push_back(std::move(sharding.dims[each.dim]));
    sharding.isOpen[each.dim] = false;
    sharding.dims[each.dim].clear();
    sharding.replicated.append(own.back());
  }
  for (ArrayRef<int64_t> list : resultPriorities)
    priorities.insert(list.begin(), list.end());
  for (int64_t priority : priorities) {
    for (auto [each, axes, open] : llvm::zip_equal(later, own, isOpen)) {
      if (each.priority != priority)
        continue;
      Sharding &sharding = program.values.find(each.value)->second;
      sharding.isOpen[each.dim] = open;
      sharding.dims[each.dim] = axes;
      llvm::erase_if(sharding.replicated, [&axes = axes](unsigned axis) {
        return llvm::is_contained(axes, axis);
      });
    }
    askForResults(priority);
    spreadAll();
  }
  for (auto [value, sharding] : llvm::zip_equal(returns->getOperands(), stated))
    if (sharding)
      program.results.push_back(*sharding);
    else if (RankedTensorType type = staticTensor(value))
      program.results.push_back(
          program.of(value).isEven(program.mesh, type.getShape())
              ? program.of(value)
              : Sharding::whole(type.getRank()));
    else
      program.results.push_back({});
  return std::move(program);
}

ShardedProgram mercator::spmd::propagate(func::FuncOp function,
                                         Annotations annotations) {
  return Propagation(function, std::move(annotations)).run();
}
