// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tensors that are divided among the devices of a mesh: the dialect `sdy`, and
// the custom calls that represent its operations in other texts.
//
// Outside of code for one device every process has each whole tensor. On entry
// a process takes its own part. On exit the processes meet and assemble the
// whole tensor from the parts of the holders (dialects/sdy/Division.h).

#include "mercator/dialects/sdy/Division.h"
#include "mercator/dialects/sdy/Sdy.h"
#include "mercator/reference/core/Numbers.h"
#include "mercator/reference/core/Processes.h"
#include "mercator/reference/stablehlo/CustomCalls.h"
#include "mercator/reference/stablehlo/Rules.h"

using namespace mlir;
using namespace mercator::sdy;
using mercator::stablehlo::CustomCallOp;

namespace mercator::reference {

//===----------------------------------------------------------------------===//
// Parts and wholes
//===----------------------------------------------------------------------===//

/// The part of a tensor that a device has.
static FailureOr<Tensor> partOf(const Step &step, const Tensor &whole,
                                const Division &division, int64_t device) {
  SmallVector<int64_t> shape(whole.shape()), begin = division.partOf(device);
  for (auto [extent, parts, at] : llvm::zip(shape, division.parts, begin)) {
    if (extent % parts != 0)
      return LogicalResult(step.error()
                           << "expected a tensor of " << parts
                           << " equal parts, got " << whole.type());
    extent /= parts;
    at *= extent;
  }
  FailureOr<Tensor> part =
      step.zeros(RankedTensorType::get(shape, whole.type().getElementType()));
  if (failed(part))
    return failure();
  int64_t place = 0;
  for (Index index(shape); index; ++index) {
    SmallVector<int64_t> at(*index);
    for (auto [i, offset] : llvm::zip(at, begin))
      i += offset;
    part->copy(place++, whole, whole.linear(at));
  }
  return part;
}

/// The tensor whose parts the devices have, from the point of view of `reader`.
/// `partAt(device)` is the part of one device.
static FailureOr<Tensor>
wholeOf(const Step &step, const Division &division, int64_t reader,
        llvm::function_ref<const Tensor *(int64_t device)> partAt) {
  const Tensor *own = partAt(reader);
  SmallVector<int64_t> shape(own->shape());
  for (auto [extent, parts] : llvm::zip(shape, division.parts))
    if (llvm::MulOverflow(extent, parts, extent))
      return LogicalResult(step.error() << "expected a tensor that memory can "
                                           "hold");
  FailureOr<Tensor> whole =
      step.zeros(RankedTensorType::get(shape, own->type().getElementType()));
  if (failed(whole))
    return failure();
  for (Index part(division.parts); part; ++part) {
    const Tensor *from = partAt(division.holder(*part, reader));
    if (from->type() != own->type())
      return LogicalResult(step.error()
                           << "expected parts of the same type, got "
                           << own->type() << " and " << from->type());
    int64_t place = 0;
    for (Index index(from->shape()); index; ++index) {
      SmallVector<int64_t> at(*index);
      for (size_t i = 0; i < at.size(); ++i)
        at[i] += part[i] * from->dim(i);
      whole->copy(whole->linear(at), *from, place++);
    }
  }
  return whole;
}

/// The parts of several values; values that are no tensors are unchanged.
static FailureOr<std::vector<Value>> partsOf(const Step &step,
                                             ArrayRef<Value> values,
                                             ArrayRef<DivisionOr> divisions,
                                             int64_t device) {
  std::vector<Value> parts;
  for (auto [value, division] : llvm::zip_equal(values, divisions)) {
    if (!value.tensor()) {
      parts.push_back(value);
      continue;
    }
    FailureOr<Tensor> part =
        partOf(step, *value.tensor(), division.division, device);
    if (failed(part))
      return failure();
    parts.emplace_back(*part);
  }
  return parts;
}

using PartsAt = llvm::function_ref<ArrayRef<Value>(int64_t device)>;

static FailureOr<std::vector<Value>> wholesOf(const Step &step,
                                              ArrayRef<DivisionOr> divisions,
                                              int64_t reader, PartsAt partsAt) {
  std::vector<Value> wholes;
  for (auto [i, division] : llvm::enumerate(divisions)) {
    const Value &own = partsAt(reader)[i];
    if (!own.tensor()) {
      wholes.push_back(own);
      continue;
    }
    FailureOr<Tensor> whole =
        wholeOf(step, division.division, reader,
                [&](int64_t device) { return partsAt(device)[i].tensor(); });
    if (failed(whole))
      return failure();
    wholes.emplace_back(*whole);
  }
  return wholes;
}

/// The devices whose parts a reader uses: those with the same digits along axes
/// that are not manual.
static ProcessGroup groupOf(const Division &division, int64_t reader) {
  Division rest = division;
  for (Division::Digit &digit : rest.digits)
    if (digit.of != Division::NotManual)
      digit.of = Division::Copies;
  ProcessGroup group;
  int64_t own = rest.holder({}, reader);
  for (int64_t device = 0; device < division.devices; ++device)
    if (rest.holder({}, device) == own)
      group.push_back(device);
  return group;
}

/// Meets the other devices of the replica and assembles the whole tensors.
static FailureOr<std::vector<Value>> meet(Step &step, ProcessGrid &grid,
                                          ArrayRef<Value> parts,
                                          ArrayRef<DivisionOr> divisions) {
  if (parts.empty())
    return std::vector<Value>();
  // Channels of the program are not negative.
  constexpr int64_t kChannel = -1;
  int64_t self = step.evaluator.getProcess(),
          first = self / grid.getPartitions() * grid.getPartitions(),
          reader = self - first;
  ProcessGroup devices = groupOf(divisions.front().division, reader),
               group = devices;
  for (int64_t &process : group)
    process += first;
  SmallVector<Value> held(parts);
  Step bringing{step.op, held, {}, step.evaluator};
  FailureOr<std::vector<std::vector<Value>>> brought =
      grid.meet(bringing, kChannel, group);
  if (failed(brought))
    return failure();
  return wholesOf(
      step, divisions, reader, [&](int64_t device) -> ArrayRef<Value> {
        return (*brought)[llvm::find(devices, device) - devices.begin()];
      });
}

static LogicalResult expectKnown(Step &step, ArrayRef<DivisionOr> divisions) {
  for (const DivisionOr &division : divisions)
    if (!division)
      return step.unsupported(division.why);
  return success();
}

/// The rank of each value; 0 if it is no tensor.
static SmallVector<int64_t> ranksOf(TypeRange types) {
  return llvm::map_to_vector(types, [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? tensor.getRank() : 0;
  });
}

static InFlightDiagnostic expectPartitions(const Step &step, int64_t devices,
                                           int64_t got) {
  return step.error() << "expected a grid of " << devices
                      << " partitions, as many as the mesh has devices "
                         "(`--partitions="
                      << devices << "`), got " << got;
}

//===----------------------------------------------------------------------===//
// sdy
//===----------------------------------------------------------------------===//

/// In a grid with a process for each device, each process evaluates the body
/// once for itself. A single process evaluates it for all devices.
static LogicalResult evaluateManual(ManualComputationOp op, Step &step) {
  StringRef axes = op.getManualAxes().getText();
  std::vector<DivisionOr> in =
                              divisionsOf(op, op.getInShardings().getText(),
                                          axes, ranksOf(op->getOperandTypes())),
                          out =
                              divisionsOf(op, op.getOutShardings().getText(),
                                          axes, ranksOf(op->getResultTypes()));
  if (failed(expectKnown(step, in)) || failed(expectKnown(step, out)))
    return failure();
  Region &body = op.getBody();
  auto expectArguments = [&](ArrayRef<Value> parts) -> LogicalResult {
    for (auto [i, part, type] : llvm::enumerate(parts, body.getArgumentTypes()))
      if (!step.evaluator.fits(part, type)) {
        InFlightDiagnostic error = step.error();
        error << "expected argument #" << i << " of the body of type " << type;
        if (part.tensor())
          error << ", got " << part.tensor()->type();
        return error;
      }
    return success();
  };
  int64_t devices = std::max(devicesOf(in), devicesOf(out));
  if (devices == 0) // nothing is divided
    return give(step, step.evaluator.region(body, step.operands));
  for (ArrayRef<DivisionOr> list : {ArrayRef(in), ArrayRef(out)})
    for (const DivisionOr &division : list)
      if (division.division.devices != devices)
        return step.error() << "expected shardings over one mesh";

  ProcessGrid *grid = step.evaluator.getGrid();
  if (grid && grid->getPartitions() == devices) {
    int64_t device = step.evaluator.getProcess() % devices;
    FailureOr<std::vector<Value>> parts =
        partsOf(step, step.operands, in, device);
    if (failed(parts) || failed(expectArguments(*parts)))
      return failure();
    FailureOr<std::vector<Value>> results = step.evaluator.region(body, *parts);
    if (failed(results))
      return failure();
    return giveCall(step, meet(step, *grid, *results, out));
  }
  if (grid && grid->size() != 1)
    return expectPartitions(step, devices, grid->getPartitions());
  if (devices > kMaxProcesses)
    return step.unsupported("its mesh has more than " + Twine(kMaxProcesses) +
                            " devices");
  std::vector<ProcessGrid::Part> programs;
  for (int64_t device = 0; device < devices; ++device) {
    FailureOr<std::vector<Value>> parts =
        partsOf(step, step.operands, in, device);
    if (failed(parts) || failed(expectArguments(*parts)))
      return failure();
    programs.push_back({&body, std::move(*parts)});
  }
  ProcessGrid inner(/*replicas=*/1, /*partitions=*/devices);
  FailureOr<std::vector<std::vector<Value>>> results =
      inner.run(step.evaluator, programs);
  if (failed(results))
    return failure();
  return giveCall(step, wholesOf(step, out, /*reader=*/0,
                                 [&](int64_t device) -> ArrayRef<Value> {
                                   return (*results)[device];
                                 }));
}

static LogicalResult evaluateNamed(NamedComputationOp op, Step &step) {
  return give(step, step.evaluator.region(op.getBody(), step.operands));
}

static LogicalResult evaluateConstant(ConstantOp op, Step &step) {
  FailureOr<Tensor> value = step.constant(op.getValue());
  if (failed(value))
    return failure();
  step.results[0] = *value;
  return success();
}

static LogicalResult evaluateNothing(ShardingGroupOp, Step &) {
  return success();
}

/// The placement of a tensor does not change it.
static LogicalResult evaluateSame(Step &step) {
  step.results[0] = step.operands[0];
  return success();
}

void addShardingRules(EvaluationRules &rules) {
  rules.add<ManualComputationOp, evaluateManual>();
  rules.add<NamedComputationOp, evaluateNamed>();
  rules.add<ConstantOp, evaluateConstant>();
  rules.add<ShardingGroupOp, evaluateNothing>();
  rules.addWhere(isSameValue, evaluateSame);
}

//===----------------------------------------------------------------------===//
// Custom calls
//===----------------------------------------------------------------------===//

/// The grid, with a process for each device.
static FailureOr<ProcessGrid *> gridOf(Step &step, int64_t devices) {
  ProcessGrid *grid = step.evaluator.getGrid();
  if (!grid)
    return step.unsupported("it needs a grid of processes to run in");
  if (grid->getPartitions() != devices)
    return LogicalResult(
        expectPartitions(step, devices, grid->getPartitions()));
  return grid;
}

static LogicalResult giveParts(Step &step, ArrayRef<DivisionOr> divisions) {
  if (failed(expectKnown(step, divisions)))
    return failure();
  FailureOr<ProcessGrid *> grid = gridOf(step, devicesOf(divisions));
  if (failed(grid))
    return failure();
  return giveCall(
      step, partsOf(step, step.operands, divisions,
                    step.evaluator.getProcess() % (*grid)->getPartitions()));
}

static LogicalResult giveWholes(Step &step, ArrayRef<DivisionOr> divisions) {
  if (failed(expectKnown(step, divisions)))
    return failure();
  FailureOr<ProcessGrid *> grid = gridOf(step, devicesOf(divisions));
  if (failed(grid))
    return failure();
  return giveCall(step, meet(step, **grid, step.operands, divisions));
}

/// GSPMD's sharding of the operand, given by a preceding annotation.
static LogicalResult evaluateFullToShard(CustomCallOp op, Step &step) {
  if (failed(expectTensors(step, 1)))
    return failure();
  return giveParts(step, {divisionOfOperand(op)});
}

static LogicalResult evaluateShardToFull(CustomCallOp op, Step &step) {
  if (failed(expectTensors(step, 1)))
    return failure();
  return giveWholes(step, {divisionOfResult(op)});
}

static LogicalResult evaluateGlobalToLocal(CustomCallOp op, Step &step) {
  if (step.operands.empty())
    return giveCall(step, std::vector<Value>());
  return giveParts(step, divisionsOfCall(op, "xla.sdy.in_shardings",
                                         ranksOf(op->getOperandTypes())));
}

static LogicalResult evaluateLocalToGlobal(CustomCallOp op, Step &step) {
  if (step.operands.empty())
    return giveCall(step, std::vector<Value>());
  return giveWholes(step, divisionsOfCall(op, "xla.sdy.out_shardings",
                                          ranksOf(op->getOperandTypes())));
}

void addShardingCalls(CustomCalls &calls) {
  calls["SPMDFullToShardShape"] = evaluateFullToShard;
  calls["SPMDShardToFullShape"] = evaluateShardToFull;
  calls["xla.sdy.GlobalToLocalShape"] = evaluateGlobalToLocal;
  calls["xla.sdy.LocalToGlobalShape"] = evaluateLocalToGlobal;
}

} // namespace mercator::reference
