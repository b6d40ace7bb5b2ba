// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/spmd/Times.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/transforms/spmd/Sizes.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::spmd;

double mercator::spmd::ringTime(const Cluster &cluster, Rings groups,
                                int64_t steps, double bytes) {
  double step = 0;
  for (const std::vector<int64_t> &group : groups)
    for (size_t i = 0; i < group.size(); ++i)
      step = std::max(step,
                      cluster.between(group[i], group[(i + 1) % group.size()])
                          ->time(bytes));
  return double(steps) * step;
}

/// The first and the last members have the most neighbors that are far.
double mercator::spmd::exchangeTime(const Cluster &cluster, Rings groups,
                                    double bytes) {
  double most = 0;
  for (const std::vector<int64_t> &group : groups)
    for (int64_t device : {group.front(), group.back()}) {
      double time = 0;
      for (int64_t other : group)
        if (other != device)
          time += cluster.between(device, other)->time(bytes);
      most = std::max(most, time);
    }
  return most;
}

double SendTimes::of(const Movement &movement, int64_t elements,
                     int64_t elementBytes) const {
  double time = 0;
  for (const Movement::Step &step : movement.steps) {
    int64_t parts = mesh.size(step.axes);
    switch (step.kind) {
    case Movement::Step::Kind::Slice:
      elements /= parts;
      break;
    case Movement::Step::Kind::AllToAll: {
      int64_t piece = elements / parts;
      time += exchangeTime(cluster, mesh.groups(step.axes),
                           double(piece) * double(elementBytes));
      break;
    }
    case Movement::Step::Kind::AllGather:
      time += ringTime(cluster, mesh.groups(step.axes), parts - 1,
                       double(elements) * double(elementBytes));
      elements *= parts;
      break;
    }
  }
  if (!movement.steps.empty())
    return time;
  for (const Movement::Round &round : movement.rounds) {
    if (round.isLocal)
      continue;
    double bytes = double(elementBytes), longest = 0;
    for (int64_t size : round.sizes)
      bytes *= double(size);
    for (const Movement::Message &message : round.messages)
      longest = std::max(
          longest,
          cluster.between(message.source, message.target)->time(bytes));
    time += longest;
  }
  return time;
}

double SendTimes::ofSum(ArrayRef<unsigned> axes, double bytes,
                        bool isScattered) const {
  int64_t parts = mesh.size(axes);
  return ringTime(cluster, mesh.groups(axes),
                  (isScattered ? 1 : 2) * (parts - 1), bytes / double(parts));
}

/// The name of a type in the rates of a device.
static std::string rateName(Type type) {
  if (type.isBF16())
    return "bf16";
  if (type.isF16())
    return "f16";
  if (type.isF64())
    return "f64";
  return type.isInteger(8) ? "i8" : "f32";
}

static double memoryOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape()
             ? double(tensor.getNumElements()) *
                   double(bytesOfElement(tensor.getElementType()))
             : 0;
}

/// What an operation moves through memory; 0 if it is fused into others.
static double trafficOf(Operation *op) {
  using namespace stablehlo;
  double results = 0, operands = 0;
  for (Type type : op->getResultTypes())
    results += memoryOf(type);
  for (Type type : op->getOperandTypes())
    operands += memoryOf(type);
  if (isa<DotGeneralOp, ConvolutionOp, ReduceOp, ReduceWindowOp,
          SelectAndScatterOp, SortOp, FftOp, CholeskyOp, TriangularSolveOp>(op))
    return operands + results;
  // Only the rows at the indices.
  if (auto gather = dyn_cast<GatherOp>(op))
    return memoryOf(gather.getStartIndices().getType()) + 2 * results;
  if (auto scatter = dyn_cast<ScatterOp>(op)) {
    double bytes = memoryOf(scatter.getScatterIndices().getType());
    for (Value updates : scatter.getUpdates())
      bytes += 3 * memoryOf(updates.getType());
    return bytes;
  }
  return 0;
}

double mercator::spmd::computeTime(func::FuncOp function,
                                   const Device &device) {
  auto throughMemory = [&](double bytes) {
    return device.gigabytesPerSecond > 0
               ? bytes / (device.gigabytesPerSecond * 1e9)
               : 0;
  };
  double seconds = 0;
  function.walk([&](Operation *op) {
    double computes = 0;
    if (isa<stablehlo::DotGeneralOp, stablehlo::ConvolutionOp>(op)) {
      std::string type = rateName(
          cast<RankedTensorType>(op->getOperand(0).getType()).getElementType());
      double rate =
          std::max(device.multiplyAddRate(type),
                   device.multiplyAddRate(type, Device::Unit::Matrix));
      if (rate > 0)
        computes =
            2 * workOfOperation(op) / (rate * 1e9 * double(device.cores));
    }
    seconds += std::max(computes, throughMemory(trafficOf(op)));
  });
  double bytes = 0;
  for (Type type : llvm::concat<const Type>(function.getArgumentTypes(),
                                            function.getResultTypes()))
    bytes += memoryOf(type);
  return std::max(seconds, throughMemory(bytes)) * 1e6;
}
