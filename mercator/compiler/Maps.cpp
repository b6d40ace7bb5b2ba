// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/MapRecords.h"

#include "mercator/analysis/maps/FusionMaps.h"
#include "mercator/analysis/maps/ProgramMaps.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/indexing/simplify/Inverse.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mercator;
using namespace mercator::indexing;

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

/// The type of each member of a tuple, members of members counted through; of
/// any other type, itself.
static void collectLeaves(mlir::Type type,
                          llvm::SmallVectorImpl<mlir::Type> &leaves) {
  auto tuple = llvm::dyn_cast<mlir::TupleType>(type);
  if (!tuple) {
    leaves.push_back(type);
    return;
  }
  for (mlir::Type member : tuple.getTypes())
    collectLeaves(member, leaves);
}

static llvm::SmallVector<mlir::Type> leavesOf(mlir::Type type) {
  llvm::SmallVector<mlir::Type> leaves;
  collectLeaves(type, leaves);
  return leaves;
}

static std::optional<unsigned> elementOf(mlir::Type type, unsigned leaf) {
  if (llvm::isa<mlir::TupleType>(type))
    return leaf;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// One instruction
//===----------------------------------------------------------------------===//

/// True if the operation has the value more than once: its name alone does not
/// say which operand it is.
static bool isRepeated(mlir::Operation *op, mlir::Value operand) {
  return llvm::count(op->getOperands(), operand) > 1;
}

static void forEachResultRecord(const MapProgram &program, mlir::Operation *op,
                                MapRecord &record, RecordFn f) {
  Arena arena;
  FusionMaps maps(arena);
  for (unsigned result = 0; result < op->getNumResults(); ++result) {
    record.from = result;
    record.to.clear();
    std::vector<MapSet> sets = maps.toOperands(op, result);
    for (auto [i, set] : llvm::enumerate(sets))
      record.to.push_back({.number = unsigned(i),
                           .name = program.nameOf(op->getOperand(i)),
                           .isRepeated = isRepeated(op, op->getOperand(i)),
                           .maps = std::move(set)});
    f(record);
  }
}

static void forEachOperandRecord(const MapProgram &program, mlir::Operation *op,
                                 MapRecord &record, RecordFn f) {
  Arena arena;
  FusionMaps maps(arena);
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand) {
    record.from = operand;
    record.fromName = program.nameOf(op->getOperand(operand));
    record.fromIsRepeated = isRepeated(op, op->getOperand(operand));
    record.to.clear();
    std::vector<MapSet> sets = maps.fromOperand(op, operand);
    for (auto [i, set] : llvm::enumerate(sets))
      record.to.push_back({.number = unsigned(i), .maps = std::move(set)});
    f(record);
  }
}

/// A tuple: each of its members is one leaf of one operand.
static void forEachMemberRecord(const MapProgram &program, mlir::Operation *op,
                                MapRecord &record, RecordFn f) {
  Arena arena;
  unsigned member = 0;
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    for (auto [leaf, type] : llvm::enumerate(leavesOf(operand.getType()))) {
      std::string name = program.nameOf(operand);
      std::optional<unsigned> element = elementOf(operand.getType(), leaf);
      Map same = Map::identity(arena, sizesOf(type));
      record.to.clear();
      if (record.direction == Direction::OutToIn) {
        record.element = member;
        record.to.push_back({.number = unsigned(i),
                             .name = std::move(name),
                             .isRepeated = isRepeated(op, operand),
                             .element = element,
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

void mercator::forEachRecord(const MapProgram &program,
                             const Instruction &instruction,
                             Direction direction, RecordFn f) {
  mlir::Operation *op = instruction.op;
  if (!op || op->getNumOperands() == 0 || op->getNumResults() == 0)
    return;
  std::string name = program.nameOf(op);
  MapRecord record{.computation = instruction.computation->name,
                   .instruction = name,
                   .direction = direction,
                   .hasSeveralResults = op->getNumResults() > 1};
  if (llvm::isa<stablehlo::TupleOp>(op))
    forEachMemberRecord(program, op, record, f);
  else if (direction == Direction::OutToIn)
    forEachResultRecord(program, op, record, f);
  else
    forEachOperandRecord(program, op, record, f);
}

//===----------------------------------------------------------------------===//
// Through a computation
//===----------------------------------------------------------------------===//

/// The values of an instruction or a root, each with its leaves.
static llvm::SmallVector<Leaf> leavesOf(llvm::ArrayRef<mlir::Value> values) {
  llvm::SmallVector<Leaf> leaves;
  for (mlir::Value value : values)
    for (unsigned i = 0, e = leavesOf(value.getType()).size(); i < e; ++i)
      leaves.push_back({value, i});
  return leaves;
}

using ToParametersFn = llvm::function_ref<std::vector<Reached>(Leaf)>;

/// From each leaf to the parameters.
static void forEachFusedResult(const MapProgram &program,
                               llvm::ArrayRef<Leaf> leaves, MapRecord &record,
                               ToParametersFn toParameters, RecordFn f) {
  for (auto [i, leaf] : llvm::enumerate(leaves)) {
    record.from = i;
    record.to.clear();
    mlir::Block *block = mlir::Value(leaf.value).getParentBlock();
    for (Reached &reached : toParameters(leaf)) {
      mlir::BlockArgument argument = block->getArgument(reached.number);
      record.to.push_back(
          {.number = reached.number,
           .name = program.nameOf(argument),
           .element = elementOf(argument.getType(), reached.leaf),
           .maps = std::move(reached.maps)});
    }
    f(record);
  }
}

/// From each leaf of each parameter: what was found from the other end, turned
/// round.
static void forEachFusedParameter(const MapProgram &program,
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
        sizesOf(leavesOf(argument.getType())[where.second]);
    record.from = where.first;
    record.fromName = program.nameOf(argument);
    record.element = elementOf(argument.getType(), where.second);
    record.to.clear();
    // Many results read a parameter in the same way.
    llvm::DenseMap<const void *, MapSet> turned;
    for (const auto &[result, set] : sets) {
      auto [it, isNew] = turned.try_emplace(set.identity());
      if (isNew)
        it->second = inverse(set, sizes);
      record.to.push_back({.number = result, .maps = it->second});
    }
    f(record);
  }
}

static void forEachFused(const MapProgram &program, FusionMaps &maps,
                         llvm::ArrayRef<mlir::Value> values, MapRecord record,
                         llvm::ArrayRef<Direction> directions, RecordFn f) {
  llvm::SmallVector<Leaf> leaves = leavesOf(values);
  if (leaves.empty()) { // an empty tuple reads nothing
    if (record.direction == Direction::OutToIn)
      f(record);
    return;
  }
  record.hasSeveralResults = leaves.size() > 1;
  // The second direction is the first one turned round.
  std::map<std::pair<const void *, unsigned>, std::vector<Reached>> known;
  auto toParameters = [&](Leaf leaf) {
    if (directions.size() == 1)
      return maps.toArguments(leaf);
    auto [it, isNew] =
        known.try_emplace({leaf.value.getAsOpaquePointer(), leaf.leaf});
    if (isNew)
      it->second = maps.toArguments(leaf);
    return it->second;
  };
  for (Direction direction : directions) {
    MapRecord next = record;
    next.direction = direction;
    if (direction == Direction::OutToIn)
      forEachFusedResult(program, leaves, next, toParameters, f);
    else
      forEachFusedParameter(program, leaves, next, toParameters, f);
  }
}

void mercator::forEachFusedRecord(const MapProgram &program,
                                  const Instruction &instruction,
                                  llvm::ArrayRef<Direction> directions,
                                  RecordFn f) {
  llvm::SmallVector<mlir::Value> values;
  std::string name;
  if (instruction.op) {
    values.append(instruction.op->result_begin(), instruction.op->result_end());
    name = program.nameOf(instruction.op);
  } else {
    values.push_back(instruction.argument);
    name = program.nameOf(instruction.argument);
  }
  MapRecord record{.computation = instruction.computation->name,
                   .instruction = name,
                   .direction = directions.front()};
  Arena arena;
  FusionMaps maps(arena);
  forEachFused(program, maps, values, record, directions, f);
}

static void forEachFusedRoot(const MapProgram &program, FusionMaps &maps,
                             const Root &root,
                             llvm::ArrayRef<Direction> directions, RecordFn f) {
  MapRecord record{.computation = root.computation->name,
                   .instruction = root.name,
                   .direction = directions.front()};
  forEachFused(program, maps, root.values, record, directions, f);
}

void mercator::forEachFusedRecord(const MapProgram &program, const Root &root,
                                  llvm::ArrayRef<Direction> directions,
                                  RecordFn f) {
  Arena arena;
  FusionMaps maps(arena);
  forEachFusedRoot(program, maps, root, directions, f);
}

void mercator::forEachComputationRecord(const MapProgram &program,
                                        llvm::ArrayRef<Direction> directions,
                                        RecordFn f) {
  Arena arena;
  FusionMaps maps(arena);
  for (Direction direction : directions)
    for (const Computation &computation : program.getComputations())
      if (computation.block->mightHaveTerminator())
        forEachFusedRoot(program, maps, program.root(computation), direction,
                         f);
}

//===----------------------------------------------------------------------===//
// From any instruction to any other
//===----------------------------------------------------------------------===//

static llvm::SmallVector<Leaf> leavesOf(const Instruction &instruction) {
  llvm::SmallVector<mlir::Value> values;
  if (instruction.op)
    values.append(instruction.op->result_begin(), instruction.op->result_end());
  else
    values.push_back(instruction.argument);
  return leavesOf(values);
}

void mercator::forEachRecordBetween(const MapProgram &program,
                                    const Instruction &from,
                                    const Instruction &to,
                                    std::optional<Direction> direction,
                                    RecordFn f) {
  auto nameOf = [&](const Instruction &i) {
    return i.op ? program.nameOf(i.op) : program.nameOf(i.argument);
  };
  std::string name = nameOf(from), toName = nameOf(to);
  if (from.computation != to.computation)
    toName = to.computation->name + "/" + toName;
  Arena arena;
  ProgramMaps maps(arena, program.getModule());
  llvm::SmallVector<Leaf> near = leavesOf(from), far = leavesOf(to);

  auto recordsOf = [&](Direction way) {
    std::vector<MapRecord> records;
    if (near.empty() || far.empty()) { // an empty tuple: nothing is read
      records.push_back(MapRecord{.computation = from.computation->name,
                                  .instruction = name,
                                  .direction = way,
                                  .toInstruction = toName});
      records.back().to.push_back({.number = 0, .name = toName, .maps = {}});
      return records;
    }
    for (auto [i, a] : llvm::enumerate(near)) {
      MapRecord &record =
          records.emplace_back(MapRecord{.computation = from.computation->name,
                                         .instruction = name,
                                         .direction = way,
                                         .from = unsigned(i),
                                         .hasSeveralResults = near.size() > 1,
                                         .toInstruction = toName});
      for (auto [j, b] : llvm::enumerate(far)) {
        MapSet found;
        if (way == Direction::OutToIn) {
          found = maps.between(a, b);
        } else {
          mlir::Type type = leavesOf(a.value.getType())[a.leaf];
          found = inverse(maps.between(b, a), sizesOf(type));
        }
        MapTarget target{
            .number = unsigned(j), .name = toName, .maps = std::move(found)};
        if (far.size() > 1)
          target.element = j;
        record.to.push_back(std::move(target));
      }
    }
    return records;
  };
  auto isEmpty = [](const std::vector<MapRecord> &records) {
    return llvm::all_of(records, [](const MapRecord &record) {
      return llvm::all_of(record.to,
                          [](const MapTarget &t) { return t.maps.empty(); });
    });
  };
  std::vector<MapRecord> records =
      recordsOf(direction.value_or(Direction::OutToIn));
  if (!direction && isEmpty(records)) {
    std::vector<MapRecord> others = recordsOf(Direction::InToOut);
    if (!isEmpty(others))
      records = std::move(others);
  }
  for (const MapRecord &record : records)
    f(record);
}
