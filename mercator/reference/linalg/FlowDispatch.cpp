// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Dispatches of the dialect flow. The body runs once for each workgroup, and
// its stores form the result. If the compiler chooses the number of workgroups,
// there is one, which covers the whole grid.

#include "mercator/dialects/flow/DispatchTarget.h"
#include "mercator/reference/core/Numbers.h"
#include "mercator/reference/linalg/Rules.h"
#include "mercator/reference/linalg/Slice.h"

using namespace mlir;

namespace mercator::reference {

/// The largest number of workgroups; a program with more is not a test program.
static constexpr int64_t kMaxWorkgroups = 1 << 16;

//===----------------------------------------------------------------------===//
// Dispatching
//===----------------------------------------------------------------------===//

/// The number of workgroups that a count region computes from a workload.
static FailureOr<std::array<int64_t, 3>>
countWorkgroups(Step &step, Region &count, ValueRange workload) {
  std::array<int64_t, 3> result = {1, 1, 1};
  if (count.empty())
    return result;
  std::vector<Value> sizes;
  for (mlir::Value size : workload)
    sizes.push_back(*step.evaluator.lookup(size));
  if (sizes.size() != count.getNumArguments())
    return LogicalResult(step.error()
                         << "expected a workload of " << count.getNumArguments()
                         << ", got " << sizes.size());
  FailureOr<std::vector<Value>> counts = step.evaluator.region(count, sizes);
  if (failed(counts))
    return failure();
  int64_t product = 1;
  for (auto [i, each] : llvm::enumerate(*counts)) {
    result[i] = each.tensor()->scalar().integer;
    if (result[i] < 0 || result[i] > kMaxWorkgroups ||
        (product *= result[i]) > kMaxWorkgroups)
      return step.unsupported("there are too many workgroups");
  }
  return result;
}

using Body = llvm::function_ref<FailureOr<std::vector<Value>>(ArrayRef<Value>)>;

/// Runs the body on the arguments and the tensors it writes.
template <typename Op>
static LogicalResult dispatch(Op op, Step &step, TypeRange bodyTypes,
                              Region &count, Body body) {
  std::vector<Value> handed;
  SmallVector<std::shared_ptr<Tensor>> made(step.results.size());
  SmallVector<int64_t> tied = op.getTiedArguments();
  size_t workload = op.getWorkload().size();
  for (auto [i, argument] : llvm::enumerate(op.getArguments())) {
    Value value = *step.evaluator.lookup(argument);
    if (i >= bodyTypes.size())
      return step.error() << "expected a body with more parameters";
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (type &&
        failed(expectExtents(step, value, type,
                             op.getOperandDynamicDims(unsigned(workload + i)))))
      return failure();
    if (!isa<flow::DispatchTensorType>(bodyTypes[i])) {
      handed.push_back(std::move(value));
      continue;
    }
    FailureOr<Tensor> own = value.tensor()->clone([&] { return step.error(); });
    if (failed(own))
      return failure();
    auto cell = std::make_shared<Tensor>(std::move(*own));
    for (auto [result, argument] : llvm::enumerate(tied))
      if (argument == int64_t(i))
        made[result] = cell;
    handed.push_back(Storage{std::move(cell)});
  }
  for (unsigned i = 0; i < made.size(); ++i) {
    auto type = dyn_cast<RankedTensorType>(op->getResult(i).getType());
    if (!type)
      return step.unsupported("a result is no tensor");
    FailureOr<SmallVector<int64_t>> shape =
        shapeOf(step, type, op.getResultDynamicDims(i));
    if (failed(shape))
      return failure();
    if (made[i] && failed(step.expectShape("a tied operand", *made[i], *shape)))
      return failure();
    if (made[i])
      continue;
    FailureOr<Tensor> own =
        step.unwritten(RankedTensorType::get(*shape, type.getElementType()));
    if (failed(own))
      return failure();
    made[i] = std::make_shared<Tensor>(std::move(*own));
    handed.push_back(Storage{made[i]});
  }
  if (handed.size() != bodyTypes.size())
    return step.error() << "expected a body with " << handed.size()
                        << " parameters, got " << bodyTypes.size();

  FailureOr<std::array<int64_t, 3>> grid =
      countWorkgroups(step, count, op.getWorkload());
  if (failed(grid))
    return failure();
  llvm::SaveAndRestore outer(step.evaluator.getWorkgroup());
  for (Index id(*grid); id; ++id) {
    step.evaluator.getWorkgroup() = {{id[0], id[1], id[2]}, *grid};
    if (failed(body(handed)))
      return failure();
  }
  for (auto [result, cell] : llvm::zip(step.results, made))
    result = *cell;
  return success();
}

static LogicalResult evaluateWorkgroups(flow::DispatchWorkgroupsOp op,
                                        Step &step) {
  Region &body = op.getWorkgroupBody();
  return dispatch(op, step, body.getArgumentTypes(), op.getWorkgroupCount(),
                  [&](ArrayRef<Value> handed) {
                    return step.evaluator.region(body, handed);
                  });
}

static LogicalResult evaluateDispatch(flow::DispatchOp op, Step &step) {
  auto [exported, function] = flow::targetOf(op);
  if (!function && step.evaluator.getOpaque()) {
    SymbolRefAttr entry = op.getEntryPoint();
    std::string name = (entry.getRootReference().getValue() +
                        "::" + entry.getLeafReference().getValue())
                           .str();
    return step.evaluator.getOpaque()(step, name);
  }
  if (!function)
    return step.unsupported("there is no such function");
  return dispatch(op, step, function.getArgumentTypes(),
                  exported.getWorkgroupCount(),
                  [&, function = function](ArrayRef<Value> handed) {
                    return step.evaluator.call(function, handed, op);
                  });
}

static LogicalResult evaluateRegion(flow::DispatchRegionOp op, Step &step) {
  FailureOr<std::vector<Value>> values =
      step.evaluator.region(op.getBody(), {});
  if (failed(values))
    return failure();
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (type && failed(expectExtents(step, (*values)[i], type,
                                     op.getResultDynamicDims(i))))
      return failure();
  }
  return give(step, std::move(values));
}

//===----------------------------------------------------------------------===//
// Operations within a dispatch
//===----------------------------------------------------------------------===//

static Tensor &held(const Value &value) {
  return *std::get<Storage>(value).held;
}

static LogicalResult evaluateLoad(flow::DispatchTensorLoadOp op, Step &step) {
  const Tensor &source = held(step.operands[0]);
  if (failed(expectExtents(step, source,
                           op.getSourceType().asRankedTensorType(),
                           op.getSourceDims())))
    return failure();
  FailureOr<Slice> slice =
      Slice::of(step, op.getMixedOffsets(), op.getMixedSizes(),
                op.getMixedStrides(), source.shape());
  if (failed(slice))
    return failure();
  FailureOr<Tensor> part = step.make(0, slice->shape(op.getDroppedDims()));
  if (failed(part))
    return failure();
  slice->read(source, *part);
  step.results[0] = *part;
  return success();
}

static LogicalResult evaluateStore(flow::DispatchTensorStoreOp op, Step &step) {
  Tensor &target = held(step.operands[1]);
  if (failed(expectExtents(step, target,
                           op.getTargetType().asRankedTensorType(),
                           op.getTargetDims())))
    return failure();
  FailureOr<Slice> slice =
      Slice::of(step, op.getMixedOffsets(), op.getMixedSizes(),
                op.getMixedStrides(), target.shape());
  if (failed(slice) ||
      failed(step.expectShape("a value", step.tensor(0),
                              slice->shape(op.getDroppedDims()))))
    return failure();
  slice->write(step.tensor(0), target);
  return success();
}

static LogicalResult evaluateTieShape(flow::DispatchTieShapeOp op, Step &step) {
  auto type = cast<flow::DispatchTensorType>(op.getOperand().getType());
  step.results[0] = step.operands[0];
  return expectExtents(step, held(step.operands[0]), type.asRankedTensorType(),
                       op.getDynamicDims());
}

static LogicalResult evaluateId(flow::DispatchWorkgroupIDOp op, Step &step) {
  return giveIndex(
      step, step.evaluator.getWorkgroup().id[op.getDimension().getZExtValue()]);
}
static LogicalResult evaluateCount(flow::DispatchWorkgroupCountOp op,
                                   Step &step) {
  return giveIndex(
      step,
      step.evaluator.getWorkgroup().count[op.getDimension().getZExtValue()]);
}
static LogicalResult evaluateSize(flow::DispatchWorkgroupSizeOp op,
                                  Step &step) {
  return giveIndex(step, 1);
}

template <typename Op>
static LogicalResult evaluateChosenCount(Op op, Step &step) {
  FailureOr<Value> one = indexNumber(step, 1);
  if (failed(one))
    return failure();
  llvm::fill(step.results, *one);
  return success();
}

static LogicalResult evaluateOrdinal(flow::DispatchWorkloadOrdinalOp op,
                                     Step &step) {
  step.results[0] = step.operands[0];
  return success();
}

void addFlowDispatchRules(EvaluationRules &rules) {
  rules.add<flow::DispatchWorkgroupsOp, evaluateWorkgroups>();
  rules.add<flow::DispatchOp, evaluateDispatch>();
  rules.add<flow::DispatchRegionOp, evaluateRegion>();
  rules.add<flow::DispatchTensorLoadOp, evaluateLoad>();
  rules.add<flow::DispatchTensorStoreOp, evaluateStore>();
  rules.add<flow::DispatchTieShapeOp, evaluateTieShape>();
  rules.add<flow::DispatchWorkgroupIDOp, evaluateId>();
  rules.add<flow::DispatchWorkgroupCountOp, evaluateCount>();
  rules.add<flow::DispatchWorkgroupSizeOp, evaluateSize>();
  rules.add<flow::DispatchWorkgroupCountFromDagRootOp,
            evaluateChosenCount<flow::DispatchWorkgroupCountFromDagRootOp>>();
  rules.add<flow::DispatchWorkgroupCountFromSliceOp,
            evaluateChosenCount<flow::DispatchWorkgroupCountFromSliceOp>>();
  rules.add<flow::DispatchWorkloadOrdinalOp, evaluateOrdinal>();
  rules.add<
      flow::DispatchWorkgroupCountFromSetEncodingOp,
      evaluateChosenCount<flow::DispatchWorkgroupCountFromSetEncodingOp>>();
}

} // namespace mercator::reference
