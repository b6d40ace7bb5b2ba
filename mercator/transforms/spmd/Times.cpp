// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/spmd/Times.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/transforms/spmd/Sizes.h"

#include <map>

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

double mercator::spmd::computeTime(func::FuncOp function,
                                   const Device &device) {
  double seconds = 0;
  std::map<std::string, double> operations;
  function.walk([&](Operation *op) {
    if (isa<stablehlo::DotGeneralOp, stablehlo::ConvolutionOp>(op))
      operations[rateName(cast<RankedTensorType>(op->getOperand(0).getType())
                              .getElementType())] += 2 * workOfOperation(op);
  });
  for (const auto &[type, count] : operations) {
    double rate = std::max(device.multiplyAddRate(type),
                           device.multiplyAddRate(type, Device::Unit::Matrix));
    if (rate > 0)
      seconds += count / (rate * 1e9 * double(device.cores));
  }
  double bytes = 0;
  for (Type type : llvm::concat<const Type>(function.getArgumentTypes(),
                                            function.getResultTypes()))
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      bytes += double(tensor.getNumElements()) *
               double(bytesOfElement(tensor.getElementType()));
  if (device.gigabytesPerSecond > 0)
    seconds = std::max(seconds, bytes / (device.gigabytesPerSecond * 1e9));
  return seconds * 1e6;
}
