// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/maps/Maps.h"
#include "mercator/compiler/Compilation.h"

#include "mercator/analysis/Computations.h"
#include "mercator/analysis/Leaves.h"
#include "mercator/analysis/Names.h"
#include "mercator/analysis/Sizes.h"
#include "mercator/analysis/maps/FusionMaps.h"
#include "mercator/analysis/maps/Loaded.h"
#include "mercator/analysis/maps/ProgramMaps.h"
#include "mercator/compiler/maps/DispatchMaps.h"
#include "mercator/compiler/program/Instructions.h"
#include "mercator/compiler/program/Load.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/indexing/simplify/Inverse.h"
#include "mercator/transforms/verify/InlineDispatches.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mercator;
using namespace mercator::indexing;

std::string MapRecord::resultName(unsigned result) const {
  return mercator::resultName(instruction, result).str();
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

/// The number of a leaf within its value; none for a value that is one tensor.
static std::optional<unsigned> elementOf(mlir::Type type, unsigned leaf) {
  if (llvm::isa<mlir::TupleType>(type) || maps::Leaves().count(type) > 1)
    return leaf;
  return std::nullopt;
}

/// None for an empty tuple.
static llvm::SmallVector<int64_t> sizesOf(mlir::Type type, unsigned leaf) {
  if (leaf >= maps::Leaves().count(type))
    return {};
  return mercator::sizesOf(maps::Leaves().leafType(type, leaf));
}

static void setTensor(MapRecord &record, mlir::Type type, unsigned leaf) {
  record.sizes = sizesOf(type, leaf);
  record.type = leaf < maps::Leaves().count(type)
                    ? maps::Leaves().leafType(type, leaf)
                    : nullptr;
}

static llvm::SmallVector<Leaf> leavesOf(llvm::ArrayRef<mlir::Value> values) {
  maps::Leaves counter;
  llvm::SmallVector<Leaf> leaves;
  for (mlir::Value value : values)
    for (unsigned i = 0, e = counter.count(value.getType()); i < e; ++i)
      leaves.push_back({value, i});
  return leaves;
}

static llvm::SmallVector<mlir::Value> valuesOf(const Instruction &instruction) {
  if (!instruction.op)
    return {mlir::Value(instruction.argument)};
  return llvm::SmallVector<mlir::Value>(instruction.op->getResults());
}

//===----------------------------------------------------------------------===//
// One instruction
//===----------------------------------------------------------------------===//

static std::string kindOf(mlir::Operation *op) {
  // What only HLO has is one operation for many opcodes.
  if (auto opcode = op->getAttrOfType<mlir::StringAttr>("opcode")) {
    std::string kind = ("hlo." + opcode.getValue()).str();
    llvm::replace(kind, '-', '_');
    return kind;
  }
  if (auto fusion = llvm::dyn_cast<hlo::FusionOp>(op);
      fusion && !fusion.getLibraryTarget().empty())
    return "stablehlo.custom_call";
  return op->getName().getStringRef().str();
}

/// The operation of an instruction and its place. `op` may be null.
static void setOperation(MapRecord &record, mlir::Operation *op) {
  if (!op)
    return;
  record.operation = kindOf(op);
  record.movesOwnBytes =
      !op->getParentOfType<hlo::FusionOp>() &&
      !llvm::isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp,
                 stablehlo::CompositeOp, mlir::func::CallOp>(op);
  record.at = placeOf(op->getLoc());
  record.origin = originOf(op->getLoc());
}

/// True if the operation has the value more than once. Its name then does not
/// identify the operand.
static bool isRepeated(mlir::Operation *op, mlir::Value operand) {
  return llvm::count(op->getOperands(), operand) > 1;
}

/// The instructions between a value and the parameters of its computation.
static std::vector<MapTarget> producersOf(const InstructionTable &table,
                                          FusionMaps &maps, Leaf root) {
  std::vector<MapTarget> targets;
  for (Producer &producer : maps.toProducers(root)) {
    auto [value, leaf] = producer.value;
    mlir::Type type = mercator::maps::Leaves().leafType(value.getType(), leaf);
    std::string name = table.nameOf(value);
    if (name.empty() || !llvm::isa<mlir::ShapedType>(type))
      continue;
    targets.push_back(
        {.number = llvm::cast<mlir::OpResult>(value).getResultNumber(),
         .name = std::move(name),
         .element = elementOf(value.getType(), leaf),
         .type = type,
         .operation = kindOf(value.getDefiningOp()),
         .maps = std::move(producer.maps)});
  }
  return targets;
}

/// The same, of the body of a fusion. None of another operation.
static std::vector<MapTarget> producersInside(const InstructionTable &table,
                                              FusionMaps &maps,
                                              mlir::Operation *op,
                                              unsigned result) {
  mlir::SymbolTableCollection symbols;
  mercator::maps::CalledBlock called =
      mercator::maps::computationOf(op, &symbols);
  if (!called.block || !called.refusal.empty() ||
      !called.block->mightHaveTerminator())
    return {};
  mlir::Operation *end = called.block->getTerminator();
  if (result >= end->getNumOperands())
    return {};
  mlir::Value root = end->getOperand(result);
  if (mercator::maps::Leaves().count(root.getType()) != 1) // a tuple
    return {};
  return producersOf(table, maps, {root, 0});
}

/// From a result of an operation to its operands.
static std::vector<MapSet> toOperands(FusionMaps &maps, Arena &arena,
                                      mlir::Operation *op, unsigned result) {
  if (isDispatch(op))
    if (auto through = mapsThroughDispatch(op, result, arena))
      return std::move(*through);
  return maps.toOperands(op, result);
}

/// From an operand of an operation to its results.
static std::vector<MapSet> fromOperand(FusionMaps &maps, Arena &arena,
                                       mlir::Operation *op, unsigned operand) {
  if (!isDispatch(op))
    return maps.fromOperand(op, operand);
  llvm::SmallVector<int64_t> sizes =
      mercator::sizesOf(op->getOperand(operand).getType());
  std::vector<MapSet> sets;
  for (unsigned result = 0; result < op->getNumResults(); ++result) {
    auto through = mapsThroughDispatch(op, result, arena);
    if (!through)
      return maps.fromOperand(op, operand);
    sets.push_back(inverse((*through)[operand], sizes));
  }
  return sets;
}

static void forEachResultRecord(const InstructionTable &table,
                                mlir::Operation *op, MapRecord &record,
                                bool withProducers, RecordFn f) {
  FusionMaps maps(*record.arena);
  for (unsigned result = 0; result < op->getNumResults(); ++result) {
    record.from = result;
    setTensor(record, op->getResult(result).getType(), 0);
    record.to.clear();
    std::vector<MapSet> sets = toOperands(maps, *record.arena, op, result);
    for (auto [i, set] : llvm::enumerate(sets))
      record.to.push_back({.number = unsigned(i),
                           .name = table.nameOf(op->getOperand(i)),
                           .isRepeated = isRepeated(op, op->getOperand(i)),
                           .type = op->getOperand(i).getType(),
                           .maps = std::move(set)});
    if (withProducers) {
      record.producers = producersInside(table, maps, op, result);
      for (MapTarget &target : record.to)
        target.loaded =
            mercator::maps::loadedOf(op, target.number, *record.arena);
    }
    f(record);
  }
}

static void forEachOperandRecord(const InstructionTable &table,
                                 mlir::Operation *op, MapRecord &record,
                                 RecordFn f) {
  FusionMaps maps(*record.arena);
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand) {
    record.from = operand;
    record.fromName = table.nameOf(op->getOperand(operand));
    record.fromIsRepeated = isRepeated(op, op->getOperand(operand));
    setTensor(record, op->getOperand(operand).getType(), 0);
    record.to.clear();
    std::vector<MapSet> sets = fromOperand(maps, *record.arena, op, operand);
    for (auto [i, set] : llvm::enumerate(sets))
      record.to.push_back({.number = unsigned(i),
                           .type = op->getResult(i).getType(),
                           .maps = std::move(set)});
    f(record);
  }
}

/// A tuple: each of its members is one leaf of one operand.
static void forEachMemberRecord(const InstructionTable &table,
                                mlir::Operation *op, MapRecord &record,
                                RecordFn f) {
  unsigned member = 0;
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    for (Leaf leaf : leavesOf(operand)) {
      std::string name = table.nameOf(operand);
      std::optional<unsigned> element = elementOf(operand.getType(), leaf.leaf);
      setTensor(record, operand.getType(), leaf.leaf);
      Map same = Map::identity(*record.arena, record.sizes);
      record.to.clear();
      if (record.isOutToIn()) {
        record.element = member;
        record.to.push_back({.number = unsigned(i),
                             .name = std::move(name),
                             .isRepeated = isRepeated(op, operand),
                             .element = element,
                             .type = record.type,
                             .maps = std::move(same)});
      } else {
        record.from = i;
        record.fromName = std::move(name);
        record.fromIsRepeated = isRepeated(op, operand);
        record.element = element;
        record.to.push_back(
            {.number = 0, .element = member, .maps = std::move(same)});
      }
      ++member;
      f(record);
    }
}

static void forEachRecordOf(const InstructionTable &table,
                            const Instruction &instruction, Direction direction,
                            bool withProducers, RecordFn f) {
  mlir::Operation *op = instruction.op;
  if (!op || op->getNumOperands() == 0 || op->getNumResults() == 0)
    return;
  MapRecord record{.arena = std::make_shared<Arena>(),
                   .computation = instruction.computation->name,
                   .instruction = table.nameOf(op),
                   .direction = direction,
                   .hasSeveralResults = op->getNumResults() > 1};
  setOperation(record, op);
  if (llvm::isa<stablehlo::TupleOp>(op))
    forEachMemberRecord(table, op, record, f);
  else if (direction == Direction::OutToIn)
    forEachResultRecord(table, op, record, withProducers, f);
  else
    forEachOperandRecord(table, op, record, f);
}

void mercator::forEachRecord(const InstructionTable &table,
                             const Instruction &instruction,
                             Direction direction, RecordFn f) {
  forEachRecordOf(table, instruction, direction, /*withProducers=*/false, f);
}

//===----------------------------------------------------------------------===//
// Through a computation
//===----------------------------------------------------------------------===//

/// Which records of a computation.
struct Ask {
  llvm::ArrayRef<Direction> directions;
  bool producers = false;
};

using ToParametersFn = llvm::function_ref<std::vector<Reached>(Leaf)>;

/// From each leaf to the parameters.
static void forEachFusedResult(const InstructionTable &table,
                               llvm::ArrayRef<Leaf> leaves, MapRecord &record,
                               ToParametersFn toParameters,
                               FusionMaps *producers, RecordFn f) {
  for (auto [i, leaf] : llvm::enumerate(leaves)) {
    record.from = i;
    setTensor(record, leaf.value.getType(), leaf.leaf);
    record.to.clear();
    mlir::Block *block = mlir::Value(leaf.value).getParentBlock();
    for (Reached &reached : toParameters(leaf)) {
      mlir::BlockArgument argument = block->getArgument(reached.number);
      record.to.push_back(
          {.number = reached.number,
           .name = table.nameOf(argument),
           .element = elementOf(argument.getType(), reached.leaf),
           .type = maps::Leaves().leafType(argument.getType(), reached.leaf),
           .maps = std::move(reached.maps)});
    }
    if (producers)
      record.producers = producersOf(table, *producers, leaf);
    f(record);
  }
}

/// From each leaf of each parameter: the inverses of the maps to it.
static void forEachFusedParameter(const InstructionTable &table,
                                  llvm::ArrayRef<Leaf> leaves,
                                  MapRecord &record,
                                  ToParametersFn toParameters, RecordFn f) {
  mlir::Block *block = mlir::Value(leaves.front().value).getParentBlock();
  using Place = std::pair<unsigned, unsigned>; // of a leaf of a parameter
  std::map<Place, std::vector<std::pair<unsigned, MapSet>>> found;
  for (auto [i, leaf] : llvm::enumerate(leaves))
    for (Reached &reached : toParameters(leaf))
      found[{reached.number, reached.leaf}].push_back(
          {unsigned(i), std::move(reached.maps)});
  for (auto &[where, sets] : found) {
    mlir::BlockArgument argument = block->getArgument(where.first);
    llvm::SmallVector<int64_t> sizes =
        sizesOf(argument.getType(), where.second);
    record.from = where.first;
    record.sizes = sizes;
    record.fromName = table.nameOf(argument);
    record.element = elementOf(argument.getType(), where.second);
    record.to.clear();
    // Many results read a parameter in the same way.
    llvm::DenseMap<const void *, MapSet> inverses;
    for (const auto &[result, set] : sets) {
      auto [it, isNew] = inverses.try_emplace(set.identity());
      if (isNew)
        it->second = inverse(set, sizes);
      record.to.push_back({.number = result, .maps = it->second});
    }
    f(record);
  }
}

static void forEachFused(const InstructionTable &table, FusionMaps &maps,
                         llvm::ArrayRef<mlir::Value> values, MapRecord record,
                         const Ask &ask, RecordFn f) {
  llvm::SmallVector<Leaf> leaves = leavesOf(values);
  if (leaves.empty()) { // an empty tuple reads nothing
    if (record.isOutToIn())
      f(record);
    return;
  }
  record.hasSeveralResults = leaves.size() > 1;
  // The second direction is the inverse of the first.
  std::map<std::pair<const void *, unsigned>, std::vector<Reached>> known;
  auto toParameters = [&](Leaf leaf) {
    if (ask.directions.size() == 1)
      return maps.toArguments(leaf);
    auto [it, isNew] =
        known.try_emplace({leaf.value.getAsOpaquePointer(), leaf.leaf});
    if (isNew)
      it->second = maps.toArguments(leaf);
    return it->second;
  };
  for (Direction direction : ask.directions) {
    MapRecord next = record;
    next.direction = direction;
    if (direction == Direction::OutToIn)
      forEachFusedResult(table, leaves, next, toParameters,
                         ask.producers ? &maps : nullptr, f);
    else
      forEachFusedParameter(table, leaves, next, toParameters, f);
  }
}

static void forEachFused(const InstructionTable &table,
                         const Instruction &instruction, const Ask &ask,
                         RecordFn f) {
  auto arena = std::make_shared<Arena>();
  FusionMaps maps(*arena);
  MapRecord record{.arena = arena,
                   .computation = instruction.computation->name,
                   .instruction = table.nameOf(instruction),
                   .direction = ask.directions.front()};
  setOperation(record, instruction.op);
  forEachFused(table, maps, valuesOf(instruction), record, ask, f);
}

/// The instruction that a root is named after. It may be the fusion that makes
/// the members of a tuple.
static mlir::Operation *operationOf(const InstructionTable &table,
                                    const Root &root) {
  mlir::Operation *found = nullptr;
  table.forEachOperation(*root.computation, [&](mlir::Operation *op) {
    if (!found && table.nameOf(op) == root.name)
      found = op;
  });
  return found;
}

static void forEachFused(const InstructionTable &table,
                         std::shared_ptr<Arena> arena, FusionMaps &maps,
                         const Root &root, const Ask &ask, RecordFn f) {
  MapRecord record{.arena = std::move(arena),
                   .computation = root.computation->name,
                   .instruction = root.name,
                   .direction = ask.directions.front()};
  setOperation(record, operationOf(table, root));
  forEachFused(table, maps, root.values, record, ask, f);
}

/// The roots of all computations. A computation with several callers is
/// analyzed once.
static void forEachRoot(const InstructionTable &table, const Selector &select,
                        const Ask &ask, RecordFn f) {
  auto arena = std::make_shared<Arena>();
  FusionMaps maps(*arena);
  for (Direction direction : ask.directions)
    for (const Computation &computation : table.getComputations())
      if (computation.block->mightHaveTerminator() &&
          select.hasComputation(computation.name))
        forEachFused(table, arena, maps, table.root(computation),
                     {direction, ask.producers}, f);
}

/// The root of each entry. Parameters that are not read are omitted.
static void forEachEntry(const InstructionTable &table, const Ask &ask,
                         RecordFn f) {
  for (const Computation *entry : table.getEntries()) {
    Root root = table.root(*entry);
    // Through dispatches, in a copy without them.
    auto function =
        llvm::dyn_cast<mlir::func::FuncOp>(entry->block->getParentOp());
    mlir::func::FuncOp copy =
        function ? verify::copyWithoutDispatches(function) : function;
    mlir::Operation *end =
        copy ? copy.getBody().front().getTerminator() : nullptr;
    if (end && end->getNumOperands() == root.values.size())
      root.values.assign(end->operand_begin(), end->operand_end());
    {
      auto arena = std::make_shared<Arena>();
      FusionMaps maps(*arena);
      forEachFused(table, arena, maps, root, ask, f);
    }
    if (copy)
      copy.erase();
  }
}

//===----------------------------------------------------------------------===//
// From any instruction to any other
//===----------------------------------------------------------------------===//

namespace {
/// From each result of one instruction to each of another, through the whole
/// program. Out-to-in: `from` reads `to`.
class Between {
public:
  Between(const InstructionTable &table, const Instruction &from,
          const Instruction &to)
      : arena(std::make_shared<Arena>()), maps(*arena, table.getModule()),
        near(leavesOf(valuesOf(from))), far(leavesOf(valuesOf(to))),
        computation(from.computation->name), name(table.nameOf(from)),
        toName(table.nameOf(to)), op(from.op) {
    if (from.computation != to.computation)
      toName = to.computation->name + "/" + toName;
  }

  std::vector<MapRecord> records(Direction direction) {
    std::vector<MapRecord> records;
    if (near.empty() || far.empty()) { // an empty tuple: nothing is read
      records.push_back(record(0, direction));
      records.back().to.push_back({.number = 0, .name = toName, .maps = {}});
      return records;
    }
    for (auto [i, leaf] : llvm::enumerate(near)) {
      records.push_back(record(i, direction));
      setTensor(records.back(), leaf.value.getType(), leaf.leaf);
      for (auto [j, other] : llvm::enumerate(far))
        records.back().to.push_back(target(j, direction, leaf, other));
    }
    return records;
  }

private:
  MapRecord record(unsigned from, Direction direction) const {
    MapRecord record{.arena = arena,
                     .computation = computation,
                     .instruction = name,
                     .direction = direction,
                     .from = from,
                     .hasSeveralResults = near.size() > 1,
                     .toInstruction = toName};
    setOperation(record, op);
    return record;
  }
  MapTarget target(unsigned number, Direction direction, Leaf from, Leaf to) {
    MapTarget target{.number = number, .name = toName, .maps = {}};
    if (far.size() > 1)
      target.element = number;
    target.maps = direction == Direction::OutToIn
                      ? maps.between(from, to)
                      : inverse(maps.between(to, from),
                                sizesOf(from.value.getType(), from.leaf));
    return target;
  }

  std::shared_ptr<Arena> arena;
  ProgramMaps maps;
  llvm::SmallVector<Leaf> near, far;
  std::string computation, name, toName;
  mlir::Operation *op;
};
} // namespace

static bool readNothing(const std::vector<MapRecord> &records) {
  return llvm::all_of(records, [](const MapRecord &record) {
    return llvm::all_of(record.to,
                        [](const MapTarget &t) { return t.maps.empty(); });
  });
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

static llvm::ArrayRef<Direction>
directionsOf(std::optional<MapQuery::Directions> directions) {
  static constexpr Direction both[] = {Direction::OutToIn, Direction::InToOut};
  switch (directions.value_or(MapQuery::Directions::OutToIn)) {
  case MapQuery::Directions::OutToIn:
    return llvm::ArrayRef(both).take_front();
  case MapQuery::Directions::InToOut:
    return llvm::ArrayRef(both).drop_front();
  case MapQuery::Directions::Both:
    break;
  }
  return both;
}

static ExitCode forEachBetween(const InstructionTable &table,
                               const MapQuery &query,
                               DiagnosticEngine &diagnostics, RecordFn f) {
  auto from = table.find(query.between->first, "from", diagnostics);
  auto to = table.find(query.between->second, "to", diagnostics);
  if (!from || !to)
    return ExitCode::WrongUsage;
  Between between(table, *from, *to);
  if (query.directions) {
    for (Direction direction : directionsOf(query.directions))
      llvm::for_each(between.records(direction), f);
    return ExitCode::Done;
  }
  // The direction in which anything is read, or else the first.
  std::vector<MapRecord> records = between.records(Direction::OutToIn);
  if (readNothing(records)) {
    std::vector<MapRecord> others = between.records(Direction::InToOut);
    if (!readNothing(others))
      records = std::move(others);
  }
  llvm::for_each(records, f);
  return ExitCode::Done;
}

static void forEachSelected(const InstructionTable &table,
                            const Selector &select, const Ask &ask,
                            RecordFn f) {
  for (const Computation &computation : table.getComputations()) {
    if (!select.hasComputation(computation.name))
      continue;
    for (Direction direction : ask.directions)
      table.forEachOperation(computation, [&](mlir::Operation *op) {
        if (select.hasInstruction(table.nameOf(op), kindOf(op)))
          forEachRecordOf(table, {&computation, op, nullptr}, direction,
                          ask.producers, f);
      });
  }
}

/// The record without operands that all maps are exact for. None is left of
/// most records.
static std::optional<MapRecord> inexactOf(const MapRecord &record) {
  auto isInexact = [](const MapTarget &target) {
    return llvm::any_of(target.maps,
                        [](const OperandMap &m) { return !m.exact; });
  };
  if (llvm::none_of(record.to, isInexact))
    return std::nullopt;
  MapRecord rest = record;
  llvm::erase_if(rest.to, [&](const MapTarget &t) { return !isInexact(t); });
  return rest;
}

ExitCode mercator::forEachRecord(const InstructionTable &table,
                                 const MapQuery &query,
                                 DiagnosticEngine &diagnostics, RecordFn f) {
  if (query.inexact) {
    MapQuery all = query;
    all.inexact = false;
    return forEachRecord(table, all, diagnostics, [&](const MapRecord &record) {
      if (std::optional<MapRecord> rest = inexactOf(record))
        f(*rest);
    });
  }
  std::optional<Selector> select = Selector::make(query.select, diagnostics);
  if (!select)
    return ExitCode::WrongUsage;
  if (table.getComputations().empty()) {
    (void)diagnostics.error({}, "expected a function with a body in " +
                                    quote(table.getName()) + ", got none");
    return ExitCode::InputRejected;
  }
  if (query.between)
    return forEachBetween(table, query, diagnostics, f);
  Ask ask{directionsOf(query.directions), query.producers};
  if (query.instruction) {
    auto instruction =
        table.find(*query.instruction, "instruction", diagnostics);
    if (!instruction)
      return ExitCode::WrongUsage;
    if (query.fused)
      forEachFused(table, *instruction, ask, f);
    else
      for (Direction direction : ask.directions)
        forEachRecordOf(table, *instruction, direction, ask.producers, f);
  } else if (query.fused && query.allComputations) {
    forEachRoot(table, *select, ask, f);
  } else if (query.fused) {
    forEachEntry(table, ask, f);
  } else {
    forEachSelected(table, *select, ask, f);
  }
  return ExitCode::Done;
}

ExitCode Compilation::map(const MapQuery &query, RecordFn f) {
  return forEachRecord(getInstructions(), query, diagnostics, f);
}

Answer<std::vector<MapRecord>> Compilation::map(const MapQuery &query) {
  std::vector<MapRecord> records;
  ExitCode code =
      map(query, [&](const MapRecord &record) { records.push_back(record); });
  if (code != ExitCode::Done)
    return code;
  return records;
}
