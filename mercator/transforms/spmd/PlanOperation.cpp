// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/transforms/spmd/Operations.h"
#include "mercator/transforms/spmd/Sums.h"
#include "mercator/transforms/spmd/Windows.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::spmd;

static ArrayRef<int64_t> shapeOfValue(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static int64_t product(ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

//===----------------------------------------------------------------------===//
// One plan
//===----------------------------------------------------------------------===//

/// The sharding in which the results can be computed: the wanted one without
/// what the operation cannot divide.
static Sharding computable(Operation *op, const Factors &factors,
                           const Mesh &mesh, Sharding sharding,
                           ArrayRef<unsigned> summed) {
  ArrayRef<int64_t> shape = shapeOfValue(op->getResult(0));
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    Axes &axes = sharding.dims[dim];
    auto *taken = llvm::find_if(
        axes, [&](unsigned axis) { return llvm::is_contained(summed, axis); });
    axes.erase(taken, axes.end());
    const Factor *factor = factors.ofResult(dim);
    if (!factor) {
      axes.clear();
    } else if (factor->kind == Factor::Kind::Window &&
               isa<stablehlo::ReshapeOp>(op)) {
      // Whole groups of the other dimensions on each device.
      int64_t in = shapeOfValue(op->getOperand(0))[factor->operandDims[0]];
      while (!axes.empty() &&
             (in % mesh.size(axes) != 0 || shape[dim] % mesh.size(axes) != 0))
        axes.pop_back();
    }
  }
  return sharding;
}

/// Axes that a dimension without a factor cannot have divide another one, which
/// they divide evenly: columns are sorted in other rows on each device.
static void spread(const Factors &factors, const Mesh &mesh,
                   ArrayRef<int64_t> shape, const Sharding &wanted,
                   Sharding &compute) {
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (factors.ofResult(dim))
      continue;
    for (unsigned axis : wanted.dims[dim])
      for (size_t other = 0; other < shape.size(); ++other) {
        const Factor *factor = factors.ofResult(other);
        Axes axes = compute.dims[other];
        axes.push_back(axis);
        if (!factor || factor->kind != Factor::Kind::Same ||
            shape[other] == 0 || shape[other] % mesh.size(axes) != 0)
          continue;
        compute.dims[other] = axes;
        break;
      }
  }
}

/// Whether the operation leaves out elements along a dimension.
static bool cutsOff(Operation *op, int dim) {
  if (isa<stablehlo::SliceOp>(op))
    return true;
  auto pad = dyn_cast<stablehlo::PadOp>(op);
  return pad && (pad.getEdgePaddingLow()[dim] < 0 ||
                 pad.getEdgePaddingHigh()[dim] < 0);
}

/// A plan that sums along `reduced` axes of each factor.
static LocalPlan planWith(Operation *op, const Factors &factors,
                          const Mesh &mesh, ArrayRef<Sharding> operands,
                          const Sharding &wanted, std::vector<Axes> reduced,
                          bool spreads) {
  LocalPlan plan;
  for (const Axes &axes : reduced)
    plan.summed.append(axes);
  llvm::sort(plan.summed);
  plan.reduced = std::move(reduced);
  plan.compute = computable(op, factors, mesh, wanted, plan.summed);
  ArrayRef<int64_t> resultShape = shapeOfValue(op->getResult(0));
  if (spreads)
    spread(factors, mesh, resultShape, wanted, plan.compute);
  plan.result = plan.compute;
  plan.isWindow.assign(resultShape.size(), false);
  for (const Factor &factor : factors.factors)
    if (factor.kind == Factor::Kind::Window && !isa<stablehlo::ReshapeOp>(op))
      // A slice reads little even if every device wants the whole result.
      plan.isWindow[factor.resultDim] =
          !plan.compute.dims[factor.resultDim].empty() ||
          (isa<stablehlo::SliceOp>(op) &&
           !operands[0].dims[factor.operandDims[0]].empty());

  // If boxes are fetched, then without the elements that are cut off.
  if (llvm::is_contained(plan.isWindow, true))
    for (const Factor &factor : factors.factors)
      if (factor.kind == Factor::Kind::Window)
        plan.isWindow[factor.resultDim] |= cutsOff(op, factor.resultDim);

  for (auto [k, operand] : llvm::enumerate(op->getOperands())) {
    ArrayRef<int64_t> shape = shapeOfValue(operand);
    Sharding target = Sharding::whole(shape.size());
    bool hasWindow = false;
    plan.isPartial.emplace_back(shape.size(), false);
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      const Factor *factor = factors.ofOperand(k, dim);
      if (!factor)
        continue;
      size_t number = factor - factors.factors.data();
      if (factor->kind == Factor::Kind::Reduced) {
        target.dims[dim] = plan.reduced[number];
        plan.isPartial.back()[dim] = !plan.reduced[number].empty();
      } else if (factor->kind == Factor::Kind::Same ||
                 isa<stablehlo::ReshapeOp>(op)) {
        target.dims[dim] = plan.compute.dims[factor->resultDim];
      } else {
        hasWindow |= plan.isWindow[factor->resultDim];
      }
    }
    Need need = Need::shards(mesh, target, shape);
    if (hasWindow) {
      need.sharding.reset();
      need.isFilled = true;
      for (int64_t device = 0; device < mesh.devices; ++device) {
        auto &end = need.ends.emplace_back(need.starts[device]);
        for (size_t dim = 0; dim < shape.size(); ++dim)
          end[dim] += need.sizes[dim];
      }
      for (size_t dim = 0; dim < shape.size(); ++dim) {
        const Factor *factor = factors.ofOperand(k, dim);
        if (!factor || factor->kind != Factor::Kind::Window ||
            !plan.isWindow[factor->resultDim])
          continue;
        int64_t parts = mesh.size(plan.compute.dims[factor->resultDim]);
        int64_t shard = (resultShape[factor->resultDim] + parts - 1) / parts;
        Window window = windowOf(op, k, factor->resultDim);
        need.sizes[dim] = window.stride * (shard - 1) + window.size;
        for (int64_t device = 0; device < mesh.devices; ++device) {
          int64_t first =
              mesh.coordinate(device, plan.compute.dims[factor->resultDim]) *
              shard;
          // A reversed shard is read from its end.
          need.starts[device][dim] = window.isReversed
                                         ? window.start - first - (shard - 1)
                                         : window.start + window.stride * first;
          // The last shards may be short, or empty.
          int64_t count = std::clamp<int64_t>(
              resultShape[factor->resultDim] - first, 0, shard);
          need.ends[device][dim] =
              window.isReversed ? window.start - first + 1
              : count == 0      ? need.starts[device][dim]
                                : need.starts[device][dim] +
                                      window.stride * (count - 1) + window.size;
        }
      }
    }
    plan.movements.push_back(measureMovement(mesh, operands[k], shape, need));
    plan.needs.push_back(std::move(need));
  }
  if (plan.summed.empty())
    return plan;
  // The parts of a sum that are wanted divided leave by reduce-scatter.
  int64_t parts = mesh.size(plan.summed);
  int64_t elements = product(plan.compute.shardOf(mesh, resultShape));
  for (size_t dim = 0; dim < resultShape.size(); ++dim) {
    Axes divided = plan.compute.dims[dim];
    divided.append(plan.summed);
    Sharding scattered = plan.compute;
    scattered.dims[dim] = divided;
    if (wanted.dims[dim] != divided ||
        !scattered.isEven(mesh, resultShape, dim) || op->getNumResults() != 1 ||
        !canScatterSum(op))
      continue;
    plan.scatteredDim = dim;
    plan.result = scattered;
    plan.reducedElements = elements / parts * (parts - 1);
    return plan;
  }
  // A ring sends pieces; the last one may be short.
  plan.reducedElements = llvm::divideCeil(2 * elements * (parts - 1), parts);
  return plan;
}

/// Operations that are computed along a dimension, one line after the other.
static bool canSpread(Operation *op) {
  return isa<stablehlo::SortOp, stablehlo::FftOp, stablehlo::CholeskyOp,
             stablehlo::TriangularSolveOp, stablehlo::ReduceWindowOp>(op);
}

/// What a device receives, with the way from the plan's result to the wanted one.
static int64_t costOf(Operation *op, const LocalPlan &plan, const Mesh &mesh,
                      const Sharding &wanted) {
  int64_t cost = plan.reducedElements;
  for (const Movement &movement : plan.movements)
    cost += movement.received;
  if (!plan.result.sameDivision(wanted)) {
    ArrayRef<int64_t> shape = shapeOfValue(op->getResult(0));
    cost += measureMovement(mesh, plan.result, shape,
                            Need::shards(mesh, wanted, shape))
                .received;
  }
  return cost;
}

LocalPlan mercator::spmd::planOperation(Operation *op, const Factors &factors,
                                        const Mesh &mesh,
                                        ArrayRef<Sharding> operands,
                                        const Sharding &wanted) {
  // The axes along which each sum may be divided: none, or those of an operand.
  std::vector<std::vector<Axes>> choices;
  size_t combinations = 1;
  for (const Factor &factor : factors.factors) {
    std::vector<Axes> &of = choices.emplace_back();
    of.emplace_back();
    if (factor.kind != Factor::Kind::Reduced || !canDivideSum(op))
      continue;
    for (auto [k, dim] : llvm::enumerate(factor.operandDims)) {
      if (dim < 0)
        continue;
      const Axes &axes = operands[k].dims[dim];
      // Only these fill the end of a short shard (EmitLocal.cpp).
      bool canBeShort = isa<stablehlo::DotGeneralOp, stablehlo::ReduceOp>(op);
      if (!axes.empty() && !llvm::is_contained(of, axes) &&
          (canBeShort ||
           shapeOfValue(op->getOperand(k))[dim] % mesh.size(axes) == 0))
        of.push_back(axes);
    }
    combinations *= of.size();
  }
  constexpr size_t kMost = 64;
  std::optional<LocalPlan> best;
  int64_t bestCost = 0;
  auto dividing = [](const LocalPlan &plan) {
    size_t axes = plan.summed.size();
    for (const Axes &each : plan.compute.dims)
      axes += each.size();
    return axes;
  };
  // Of equal costs, the plan that divides the work.
  auto consider = [&](LocalPlan plan) {
    int64_t cost = costOf(op, plan, mesh, wanted);
    if (!best || cost < bestCost ||
        (cost == bestCost && dividing(plan) > dividing(*best))) {
      best = std::move(plan);
      bestCost = cost;
    }
  };
  for (size_t number = 0; number < std::min(combinations, kMost); ++number) {
    std::vector<Axes> reduced;
    size_t rest = number;
    Axes taken;
    bool isDisjoint = true;
    for (const std::vector<Axes> &of : choices) {
      reduced.push_back(of[rest % of.size()]);
      rest /= of.size();
      for (unsigned axis : reduced.back()) {
        isDisjoint &= !llvm::is_contained(taken, axis);
        taken.push_back(axis);
      }
    }
    if (!isDisjoint)
      continue;
    consider(planWith(op, factors, mesh, operands, wanted, reduced, false));
  }
  // Sums have no dimensions to spread along.
  if (canSpread(op))
    consider(planWith(op, factors, mesh, operands, wanted,
                      std::vector<Axes>(choices.size()), true));
  for (auto [k, operand] : llvm::enumerate(op->getOperands()))
    best->movements[k] =
        planMovement(mesh, operands[k], shapeOfValue(operand), best->needs[k]);
  return std::move(*best);
}

std::string LocalPlan::reductionText(const Mesh &mesh) const {
  std::string text = scatteredDim ? "reduce-scatter " : "all-reduce ";
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      summed, os,
      [&](unsigned axis) {
        os << mesh.axes[axis].name << mesh.axes[axis].part;
      },
      "+");
  if (scatteredDim)
    os << " along " << *scatteredDim;
  return text;
}

//===----------------------------------------------------------------------===//
// The check
//===----------------------------------------------------------------------===//

std::string mercator::spmd::checkPlan(Operation *op, const LocalPlan &plan,
                                      const Mesh &mesh,
                                      indexing::Arena &arena) {
  ArrayRef<int64_t> resultShape = shapeOfValue(op->getResult(0));
  Need tile = Need::shards(mesh, plan.compute, resultShape);
  // The starts are linear in the coordinates: the first and the last devices and
  // some between decide.
  SmallVector<int64_t> devices;
  constexpr int64_t kAll = 16;
  for (int64_t device = 0; device < mesh.devices; ++device)
    if (mesh.devices <= kAll || device < 4 || device + 4 >= mesh.devices)
      devices.push_back(device);
  for (unsigned k = 0; k < op->getNumOperands(); ++k) {
    const Need &need = plan.needs[k];
    ArrayRef<int64_t> shape = shapeOfValue(op->getOperand(k));
    if (need.sharding && need.sharding->isWhole())
      continue; // every device has everything
    indexing::MapSet maps =
        mapsOf(op, arena, indexing::Direction::OutToIn, k, 0);
    for (const indexing::OperandMap &each : maps)
      for (int64_t device : devices) {
        indexing::Map map = each.map;
        if (map.isKnownEmpty() || each.devices != 0)
          continue;
        bool isEmpty = false;
        for (size_t dim = 0; dim < resultShape.size(); ++dim) {
          int64_t start = tile.starts[device][dim],
                  end = std::min(start + tile.sizes[dim], resultShape[dim]);
          isEmpty |= start >= end;
          auto &bounds = map.domain.dims[dim].bounds;
          bounds = bounds.intersect({start, end - 1});
          isEmpty |= bounds.isEmpty();
        }
        if (isEmpty)
          continue;
        indexing::IntervalAnalysis bounds(arena, map.domain);
        if (bounds.isKnownEmpty())
          continue;
        for (size_t dim = 0; dim < shape.size(); ++dim) {
          // The parts of a sum are on several devices.
          bool isSummed = plan.isPartial[k][dim];
          indexing::Interval reads = bounds.interval(map.results[dim]);
          int64_t start = need.starts[device][dim];
          if (!isSummed &&
              !indexing::Interval{start, start + need.sizes[dim] - 1}.contains(
                  reads.intersect({0, shape[dim] - 1})))
            return ("device " + Twine(device) + " reads [" +
                    Twine(reads.lower) + ", " + Twine(reads.upper) +
                    "] along dimension " + Twine(dim) + " of operand " +
                    Twine(k) + " and is given [" + Twine(start) + ", " +
                    Twine(start + need.sizes[dim] - 1) + "]")
                .str();
        }
      }
  }
  return {};
}
