// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/spmd/Partition.h"

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/hlo/Layouts.h"
#include "mercator/dialects/sdy/Sdy.h"
#include "mercator/dialects/stablehlo/Annotations.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/transforms/spmd/Inline.h"
#include "mercator/transforms/spmd/Operations.h"
#include "mercator/transforms/spmd/Propagation.h"
#include "mercator/transforms/spmd/Shifts.h"
#include "mercator/transforms/spmd/Sizes.h"
#include "mercator/transforms/spmd/Times.h"
#include "mercator/transforms/spmd/Tuples.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::spmd;

namespace {

/// A name as the user knows it: without the dialect.
std::string shortName(Operation *op) {
  StringRef name = op->getName().getStringRef();
  name.consume_front("stablehlo.");
  return name.str();
}

class Partitioner {
public:
  Partitioner(func::FuncOp function, ShardedProgram program,
              const Request &request)
      : function(function), program(std::move(program)),
        mesh(this->program.mesh), proves(request.proves),
        cluster(request.cluster) {
    if (cluster)
      times.emplace(*cluster, mesh);
  }

  LogicalResult run();
  PartitionReport report;

private:
  LogicalResult emitBlock(Block &block, Emitter &emitter);
  LogicalResult emit(Operation *op, Emitter &emitter);
  LogicalResult emitWhile(stablehlo::WhileOp op, Emitter &emitter);
  LogicalResult emitBranches(Operation *op, Emitter &emitter);
  LogicalResult emitManual(sdy::ManualComputationOp op, Emitter &emitter);
  LogicalResult emitSame(Operation *op, Emitter &emitter);
  LogicalResult emitOnShards(Operation *op, const Factors &factors,
                             Emitter &emitter);
  LogicalResult emitOnWhole(Operation *op, StringRef why, Emitter &emitter);
  LogicalResult refuse(Operation *op);

  /// The value with another sharding.
  Value reshard(Operation *at, unsigned operand, Value value, Value local,
                const Sharding &from, const Sharding &to, Emitter &emitter);
  /// The same where no operation computes: it is proved alone.
  Value pass(Operation *at, unsigned operand, Value value, Value local,
             const Sharding &from, const Sharding &to, Emitter &emitter);
  void prove(Operation *op);
  void define(Value value, Value local) { locals[value] = local; }
  void count(Operation *op, unsigned operand, const Movement &movement,
             const Sharding &from, RankedTensorType type);
  OperationReport &reportOf(Operation *op);
  RankedTensorType shardType(Value value, const Sharding &sharding);
  void measure();

  func::FuncOp function;
  ShardedProgram program;
  const Mesh &mesh;
  bool proves;
  const Cluster *cluster;
  std::optional<SendTimes> times; ///< if there is a cluster
  DenseMap<Value, Value> locals;
  DenseMap<Operation *, size_t> reports;
  std::vector<int64_t> receivedBy; ///< bytes, by device
  indexing::Arena arena;
};

} // namespace

RankedTensorType Partitioner::shardType(Value value, const Sharding &sharding) {
  RankedTensorType type = tensorOf(value);
  return RankedTensorType::get(sharding.shardOf(mesh, type.getShape()),
                               type.getElementType());
}

OperationReport &Partitioner::reportOf(Operation *op) {
  auto [it, isNew] = reports.try_emplace(op, report.operations.size());
  if (isNew) {
    report.operations.push_back({.loc = op->getLoc(), .name = shortName(op)});
    OperationReport &added = report.operations.back();
    for (Value result : op->getResults()) {
      auto found = program.values.find(result);
      if (found == program.values.end())
        continue;
      if (added.sharding.empty())
        added.sharding = found->second.text(mesh);
      int64_t elements = 1;
      for (int64_t size :
           found->second.shardOf(mesh, tensorOf(result).getShape()))
        elements *= size;
      added.resultBytes +=
          elements * bytesOfElement(tensorOf(result).getElementType());
    }
  }
  return report.operations[it->second];
}

void Partitioner::count(Operation *op, unsigned operand,
                        const Movement &movement, const Sharding &from,
                        RankedTensorType type) {
  if (movement.received == 0)
    return;
  Type element = type.getElementType();
  int64_t bytes = bytesOfElement(element);
  OperandReport entry;
  entry.operand = operand;
  entry.has = from.text(mesh);
  entry.movement = movement.text(mesh);
  entry.received = movement.received * bytes;
  entry.least = movement.least * bytes;
  entry.receivedByAll = movement.receivedByAll * bytes;
  entry.leastOfAll = movement.leastOfAll * bytes;
  if (times) {
    int64_t elements = 1;
    for (int64_t size : from.shardOf(mesh, type.getShape()))
      elements *= size;
    entry.microseconds = times->of(movement, elements, bytes);
    report.sendMicroseconds += entry.microseconds;
  }
  if (op->getNumResults() > 0 && operand < op->getNumOperands() &&
      isa<RankedTensorType>(op->getResult(0).getType())) {
    llvm::raw_string_ostream os(entry.map);
    indexing::MapSet maps =
        mapsOf(op, arena, indexing::Direction::OutToIn, operand, 0);
    if (maps.size() > 0)
      os << maps.begin()->map;
  }
  receivedBy.resize(mesh.devices);
  for (auto [total, elements] :
       llvm::zip_equal(receivedBy, movement.receivedBy))
    total += elements * bytes;
  report.receivedByAll += entry.receivedByAll;
  report.leastOfAll += entry.leastOfAll;
  reportOf(op).operands.push_back(std::move(entry));
}

Value Partitioner::reshard(Operation *at, unsigned operand, Value value,
                           Value local, const Sharding &from,
                           const Sharding &to, Emitter &emitter) {
  if (from.sameDivision(to))
    return local;
  Need need = Need::shards(mesh, to, tensorOf(value).getShape());
  Movement movement =
      planMovement(mesh, from, tensorOf(value).getShape(), need);
  count(at, operand, movement, from, tensorOf(value));
  return emitter.move(local, movement, need);
}

Value Partitioner::pass(Operation *at, unsigned operand, Value value,
                        Value local, const Sharding &from, const Sharding &to,
                        Emitter &emitter) {
  Value moved = reshard(at, operand, value, local, from, to, emitter);
  if (proves && moved != local) {
    Placed before{tensorOf(value), &from, local},
        after{tensorOf(value), &to, moved};
    report.proofs.push_back(
        {.loc = at->getLoc(),
         .name = shortName(at),
         .proof = proveOnDevices(nullptr, mesh, before, after)});
  }
  return moved;
}

/// Of an operation that was written a moment ago.
void Partitioner::prove(Operation *op) {
  if (!proves)
    return;
  std::vector<Sharding> shardings;
  for (Value value : llvm::concat<Value>(llvm::to_vector(op->getOperands()),
                                         llvm::to_vector(op->getResults())))
    shardings.push_back(program.of(value));
  SmallVector<Placed> operands, results;
  const Sharding *next = shardings.data();
  for (Value operand : op->getOperands())
    operands.push_back({tensorOf(operand), next++, locals[operand]});
  for (Value result : op->getResults())
    results.push_back({tensorOf(result), next++, locals[result]});
  report.proofs.push_back(
      {.loc = op->getLoc(),
       .name = shortName(op),
       .proof = proveOnDevices(op, mesh, operands, results)});
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult Partitioner::refuse(Operation *op) {
  auto isWrong = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return !tensor || !tensor.hasStaticShape();
  };
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (isWrong(type))
      return op->emitError()
             << "expected tensors of static shape in a program that is "
                "partitioned, got "
             << type;
  if (isa<stablehlo::AllReduceOp, stablehlo::AllGatherOp,
          stablehlo::ReduceScatterOp, stablehlo::AllToAllOp,
          stablehlo::CollectivePermuteOp, stablehlo::CollectiveBroadcastOp,
          stablehlo::PartitionIdOp, stablehlo::ReplicaIdOp>(op))
    return op->emitError() << "expected collectives in a manual computation "
                              "only: the rest of the program is not written "
                              "for one device";
  if (isa<stablehlo::RngOp>(op))
    return op->emitError()
           << "expected random numbers from a state (rng_bit_generator): rng "
              "draws other numbers on each device";
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(op))
    if (call.getHasSideEffect())
      return op->emitError() << "expected custom calls without side effects, "
                                "got one of '"
                             << call.getCallTargetName() << "'";
  return success();
}

LogicalResult Partitioner::emitSame(Operation *op, Emitter &emitter) {
  for (auto [i, operand, result] :
       llvm::enumerate(op->getOperands(), op->getResults()))
    define(result, pass(op, i, operand, locals[operand], program.of(operand),
                        program.of(result), emitter));
  return success();
}

LogicalResult Partitioner::emitOnWhole(Operation *op, StringRef why,
                                       Emitter &emitter) {
  IRMapping mapping;
  bool isGathered = false;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    Sharding whole = Sharding::whole(tensorOf(operand).getRank());
    isGathered |= !program.of(operand).isWhole();
    mapping.map(operand, reshard(op, i, operand, locals[operand],
                                 program.of(operand), whole, emitter));
  }
  Operation *clone = emitter.b.clone(*op, mapping);
  clone->removeAttr("sdy.sharding");
  clone->removeAttr("mhlo.sharding");
  if (isGathered)
    reportOf(op).whole = why.str();
  for (auto [result, local] :
       llvm::zip_equal(op->getResults(), clone->getResults()))
    define(result, reshard(op, 0, result, local,
                           Sharding::whole(tensorOf(result).getRank()),
                           program.of(result), emitter));
  return success();
}

LogicalResult Partitioner::emitOnShards(Operation *op, const Factors &factors,
                                        Emitter &emitter) {
  SmallVector<Sharding> operands;
  for (Value operand : op->getOperands())
    operands.push_back(program.of(operand));
  LocalPlan plan =
      planOperation(op, factors, mesh, operands, program.of(op->getResult(0)));
  std::string why = checkPlan(op, plan, mesh, arena);
  if (!why.empty())
    return emitOnWhole(op, why, emitter);
  SmallVector<Value> given;
  for (Value operand : op->getOperands())
    given.push_back(locals[operand]);
  for (auto [i, movement] : llvm::enumerate(plan.movements)) {
    count(op, i, movement, operands[i], tensorOf(op->getOperand(i)));
    if (movement.received == 0 || whyReadWhole(op).empty())
      continue;
    for (auto [dim, axes] : llvm::enumerate(operands[i].dims))
      if (!axes.empty() && !factors.ofOperand(i, int(dim)))
        reportOf(op).whole =
            ("along " + Twine(dim) + ", " + whyReadWhole(op)).str();
  }
  SmallVector<Value> results = emitLocal(op, plan, mesh, given, emitter);
  if (!plan.summed.empty()) {
    OperationReport &entry = reportOf(op);
    entry.reduction = plan.reductionText(mesh);
    entry.reduced = plan.reducedElements *
                    bytesOfElement(tensorOf(op->getResult(0)).getElementType());
    report.reduced += entry.reduced;
    if (times) {
      RankedTensorType type = tensorOf(op->getResult(0));
      double bytes = double(bytesOfElement(type.getElementType()));
      for (int64_t size : plan.compute.shardOf(mesh, type.getShape()))
        bytes *= double(size);
      entry.reducedMicroseconds =
          times->ofSum(plan.summed, bytes, plan.scatteredDim.has_value());
      report.sendMicroseconds += entry.reducedMicroseconds;
    }
  }
  for (auto [result, local] : llvm::zip_equal(op->getResults(), results))
    define(result, reshard(op, 0, result, local, plan.result,
                           program.of(result), emitter));
  return success();
}

/// A region for one device, which begins with these arguments.
static Block &beginRegion(Region &region, TypeRange types, Location loc) {
  Block &block = region.emplaceBlock();
  for (Type type : types)
    block.addArgument(type, loc);
  return block;
}

LogicalResult Partitioner::emitWhile(stablehlo::WhileOp op, Emitter &emitter) {
  SmallVector<Value> operands;
  SmallVector<Type> types;
  for (auto [i, operand, result] :
       llvm::enumerate(op->getOperands(), op->getResults())) {
    operands.push_back(pass(op, i, operand, locals[operand],
                            program.of(operand), program.of(result), emitter));
    types.push_back(operands.back().getType());
  }
  auto loop = stablehlo::WhileOp::create(emitter.b, types, operands);
  for (auto &&[from, to] :
       llvm::zip_equal(op->getRegions(), loop->getRegions())) {
    OpBuilder::InsertionGuard guard(emitter.b);
    Block &block = beginRegion(to, types, op.getLoc());
    emitter.b.setInsertionPointToStart(&block);
    for (auto [i, argument] : llvm::enumerate(from.getArguments())) {
      // Values inside may have another sharding than those that circulate.
      define(argument,
             pass(op, i, argument, block.getArgument(i),
                  program.of(op->getResult(i)), program.of(argument), emitter));
    }
    if (failed(emitBlock(from.front(), emitter)))
      return failure();
    Operation *returns = from.front().getTerminator();
    SmallVector<Value> returned;
    bool isCondition = &from == &op.getCond();
    for (auto [i, value] : llvm::enumerate(returns->getOperands()))
      returned.push_back(
          pass(returns, i, value, locals[value], program.of(value),
               isCondition ? Sharding::whole(0) : program.of(op->getResult(i)),
               emitter));
    stablehlo::ReturnOp::create(emitter.b, returned);
  }
  for (auto [result, local] :
       llvm::zip_equal(op->getResults(), loop->getResults()))
    define(result, local);
  return success();
}

LogicalResult Partitioner::emitBranches(Operation *op, Emitter &emitter) {
  OperationState state(emitter.b.getLoc(), op->getName());
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    state.addOperands(pass(op, i, operand, locals[operand], program.of(operand),
                           Sharding::whole(0), emitter));
  for (Value result : op->getResults())
    state.addTypes(shardType(result, program.of(result)));
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *made = emitter.b.create(state);
  for (auto &&[from, to] :
       llvm::zip_equal(op->getRegions(), made->getRegions())) {
    OpBuilder::InsertionGuard guard(emitter.b);
    emitter.b.setInsertionPointToStart(&beginRegion(to, {}, op->getLoc()));
    if (failed(emitBlock(from.front(), emitter)))
      return failure();
    Operation *returns = from.front().getTerminator();
    SmallVector<Value> returned;
    for (auto [i, value] : llvm::enumerate(returns->getOperands()))
      returned.push_back(pass(returns, i, value, locals[value],
                              program.of(value), program.of(op->getResult(i)),
                              emitter));
    stablehlo::ReturnOp::create(emitter.b, returned);
  }
  for (auto [result, local] :
       llvm::zip_equal(op->getResults(), made->getResults()))
    define(result, local);
  return success();
}

/// The part of a sharding along some axes.
static Sharding along(Sharding sharding, const Axes &axes) {
  for (Axes &dim : sharding.dims)
    llvm::erase_if(
        dim, [&](unsigned axis) { return !llvm::is_contained(axes, axis); });
  return sharding;
}

/// The axes along which the body sees one device.
static Axes manualAxes(sdy::ManualComputationOp op, const Mesh &mesh) {
  Axes axes;
  for (auto [number, axis] : llvm::enumerate(mesh.axes))
    if (op.getManualAxes().getText().contains("\"" + axis.name + "\""))
      axes.push_back(number);
  return axes;
}

/// Along the axes that are free, every device computes the same body.
LogicalResult Partitioner::emitManual(sdy::ManualComputationOp op,
                                      Emitter &emitter) {
  const ManualShardings &shardings = program.manual[op];
  Axes axes = manualAxes(op, mesh);
  IRMapping mapping;
  Block &body = op.getBody().front();
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    Sharding to = along(shardings.in[i], axes);
    Value local =
        pass(op, i, operand, locals[operand], program.of(operand), to, emitter);
    if (local.getType() != body.getArgument(i).getType())
      return op.emitError()
             << "expected operand " << i
             << " to be divided along the manual axes into shards of "
             << body.getArgument(i).getType() << ", got " << local.getType();
    mapping.map(body.getArgument(i), local);
  }
  for (Operation &inner : body.without_terminator())
    emitter.b.clone(inner, mapping);
  for (auto [i, value, result] :
       llvm::enumerate(body.getTerminator()->getOperands(), op->getResults())) {
    Value local = mapping.lookup(value);
    Sharding from = along(shardings.out[i], axes);
    if (local.getType() != shardType(result, from))
      return op.emitError()
             << "expected result " << i
             << " to be divided along the manual axes into "
                "shards of "
             << local.getType() << ", got " << shardType(result, from);
    define(result,
           pass(op, i, result, local, from, program.of(result), emitter));
  }
  return success();
}

LogicalResult Partitioner::emit(Operation *op, Emitter &emitter) {
  emitter.b.setLoc(op->getLoc());
  if (auto computation = dyn_cast<sdy::ManualComputationOp>(op))
    return emitManual(computation, emitter);
  if (op->getNumResults() == 0) {
    if (isa<stablehlo::CustomCallOp>(op) || !isMemoryEffectFree(op))
      if (!isa<sdy::ShardingGroupOp>(op))
        return op->emitError() << "expected an operation with results in a "
                                  "program that is partitioned";
    return success();
  }
  if (failed(refuse(op)))
    return failure();
  if (auto loop = dyn_cast<stablehlo::WhileOp>(op))
    return emitWhile(loop, emitter);
  if (isa<stablehlo::IfOp, stablehlo::CaseOp>(op))
    return emitBranches(op, emitter);
  auto call = dyn_cast<stablehlo::CustomCallOp>(op);
  if (isa<stablehlo::OptimizationBarrierOp>(op) || sdy::isSameValue(op) ||
      (call && stablehlo::isAnnotation(call) &&
       call.getCallTargetName() == "Sharding"))
    return emitSame(op, emitter);
  const Factors &factors = program.factors[op];
  if (failed(factors.refusal.empty()
                 ? emitOnShards(op, factors, emitter)
                 : emitOnWhole(op, factors.refusal, emitter)))
    return failure();
  prove(op);
  return success();
}

LogicalResult Partitioner::emitBlock(Block &block, Emitter &emitter) {
  for (Operation &op : block.without_terminator())
    if (failed(emit(&op, emitter)))
      return failure();
  emitter.b.setLoc(block.getTerminator()->getLoc());
  return success();
}

static double workOf(func::FuncOp function) {
  double work = 0;
  function.getBody().walk([&](Operation *op) {
    // The body of a reduction computes scalars.
    if (op->getParentOp() == function.getOperation() ||
        isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(
            op->getParentOp()))
      work += workOfOperation(op);
  });
  return work;
}

/// The memory of a device: arguments, and all values from their definition to
/// their last use, in the order of the program.
void Partitioner::measure() {
  Block &block = function.getBody().front();
  auto bytes = [](Value value) -> int64_t {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type ? type.getNumElements() * bytesOfElement(type.getElementType())
                : 0;
  };
  for (Value argument : block.getArguments())
    report.argumentBytes += bytes(argument);
  int64_t live = report.argumentBytes;
  DenseMap<Value, Operation *> lastUse;
  for (Operation &op : block)
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        lastUse[operand] = &op;
    });
  report.peakBytes = live;
  for (Operation &op : block) {
    for (Value result : op.getResults())
      live += bytes(result);
    report.peakBytes = std::max(report.peakBytes, live);
    llvm::SmallDenseSet<Value> ended;
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (lastUse[operand] == &op && operand.getDefiningOp() &&
            operand.getDefiningOp()->getBlock() == &block)
          ended.insert(operand);
    });
    for (Value value : ended)
      live -= bytes(value);
  }
}

LogicalResult Partitioner::run() {
  if (cluster && !cluster->joins(mesh.devices))
    return function.emitError()
           << "expected a mesh of devices that '" << cluster->name
           << "' joins, got " << mesh.devices << " devices";
  Block &old = function.getBody().front();
  Operation *returns = old.getTerminator();
  for (auto [i, argument] : llvm::enumerate(old.getArguments())) {
    if (auto type = dyn_cast<RankedTensorType>(argument.getType());
        !type || !type.hasStaticShape())
      return function.emitError() << "expected arguments of static shape, got "
                                  << argument.getType();
    if (!program.of(argument).isEven(mesh, tensorOf(argument).getShape()))
      return function.emitError()
             << "expected axes that divide the sizes of argument " << i
             << ", got " << program.of(argument).text(mesh) << " for "
             << argument.getType();
  }
  for (auto [i, value] : llvm::enumerate(returns->getOperands()))
    if (auto type = dyn_cast<RankedTensorType>(value.getType());
        !type || !type.hasStaticShape() ||
        !program.results[i].isEven(mesh, type.getShape()))
      return function.emitError()
             << "expected axes that divide the sizes of result " << i
             << ", got " << value.getType() << " with "
             << program.results[i].text(mesh);

  // The new body stands beside the old one until it is complete.
  Region body;
  Block &block = body.emplaceBlock();
  SmallVector<Type> in, out;
  for (Value argument : old.getArguments()) {
    in.push_back(shardType(argument, program.of(argument)));
    define(argument, block.addArgument(in.back(), argument.getLoc()));
    report.arguments.push_back(program.of(argument));
  }
  Emitter emitter(mesh, &block, function.getLoc());
  emitter.b.setInsertionPointToEnd(&block);
  if (failed(emitBlock(old, emitter)))
    return failure();
  SmallVector<Value> returned;
  for (auto [i, value] : llvm::enumerate(returns->getOperands())) {
    returned.push_back(pass(returns, i, value, locals[value], program.of(value),
                            program.results[i], emitter));
    out.push_back(returned.back().getType());
    report.results.push_back(program.results[i]);
  }
  func::ReturnOp::create(emitter.b, returned);
  function.getBody().takeBody(body);
  function.setType(FunctionType::get(function.getContext(), in, out));
  StringAttr key = StringAttr::get(function.getContext(), "mercator.sharding");
  auto annotate = [&](auto &&get, auto &&set, size_t count,
                      const std::vector<Sharding> &shardings) {
    for (size_t i = 0; i < count; ++i) {
      NamedAttrList attributes(get(i));
      attributes.erase("sdy.sharding");
      attributes.erase("mhlo.sharding");
      attributes.erase("tf.aliasing_output");
      attributes.set(
          key, StringAttr::get(function.getContext(), shardings[i].text(mesh)));
      set(i, attributes.getDictionary(function.getContext()));
    }
  };
  annotate([&](size_t i) { return function.getArgAttrDict(i); },
           [&](size_t i, DictionaryAttr a) { function.setArgAttrs(i, a); },
           in.size(), report.arguments);
  annotate([&](size_t i) { return function.getResultAttrDict(i); },
           [&](size_t i, DictionaryAttr a) { function.setResultAttrs(i, a); },
           out.size(), report.results);
  report.mesh = mesh;
  for (int64_t bytes : receivedBy)
    report.received = std::max(report.received, bytes);
  report.work = workOf(function);
  if (cluster)
    report.computeMicroseconds = computeTime(function, cluster->device);
  for (const Conflict &conflict : program.conflicts)
    report.conflicts.push_back(conflict.operation + ": " + conflict.one + ", " +
                               conflict.other);
  measure();
  return success();
}

/// Bitcasts read bytes, whose order is the layout.
static bool hasBitcast(ModuleOp module) {
  return module.walk([](hlo::BitcastOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

FailureOr<PartitionReport> mercator::spmd::partition(func::FuncOp function,
                                                     const Request &request) {
  auto module = function->getParentOfType<ModuleOp>();
  if (failed(inlineCalls(function)))
    return failure();
  // HLO's text says how elements lie in memory, StableHLO's does not.
  if (function->hasAttr(hlo::kEntryAttr) && !hasBitcast(module))
    hlo::dropLayouts(module);
  removeTuples(function);
  joinShifts(function);
  FailureOr<Annotations> annotations = readAnnotations(function, request);
  if (failed(annotations))
    return failure();
  double wholeWork = workOf(function);
  ShardedProgram program = propagate(function, std::move(*annotations));
  joinSlices(function, program);
  Partitioner partitioner(function, std::move(program), request);
  partitioner.report.wholeWork = wholeWork;
  if (failed(partitioner.run()))
    return failure();
  // What only the whole program used, callers first.
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if ((isa<sdy::MeshOp>(op) ||
           (isa<func::FuncOp>(op) && cast<func::FuncOp>(op).isPrivate())) &&
          SymbolTable::symbolKnownUseEmpty(&op, module)) {
        op.erase();
        isChanged = true;
      }
  }
  Builder b(module.getContext());
  const Mesh &mesh = partitioner.report.mesh;
  std::string text;
  llvm::raw_string_ostream os(text);
  mesh.print(os);
  module->setAttr("mercator.mesh", b.getStringAttr(text));
  module->setAttr("mhlo.num_partitions", b.getI32IntegerAttr(mesh.devices));
  module->setAttr("mhlo.num_replicas", b.getI32IntegerAttr(1));
  return std::move(partitioner.report);
}
