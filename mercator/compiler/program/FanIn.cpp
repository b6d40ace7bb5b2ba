// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/program/FanIn.h"

#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace mercator;
using namespace mlir;

/// Whether the first result has elements of the first operand, and no others.
static bool movesElements(Operation *op) {
  return isa<stablehlo::TransposeOp, stablehlo::ReshapeOp,
             stablehlo::DynamicReshapeOp, stablehlo::BroadcastInDimOp,
             stablehlo::ConvertOp, stablehlo::SliceOp,
             stablehlo::DynamicSliceOp, stablehlo::ReverseOp,
             stablehlo::GatherOp, hlo::BitcastOp, hlo::CopyOp>(op);
}

/// Whether a value is a parameter of a function or a constant, moved.
static bool isGiven(Value value) {
  constexpr int kSteps = 64;
  for (int i = 0; i < kSteps; ++i) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *parent = argument.getOwner()->getParentOp();
      if (isa<func::FuncOp>(parent))
        return true;
      if (!isa<stablehlo::WhileOp, hlo::FusionOp>(parent) ||
          argument.getArgNumber() >= parent->getNumOperands())
        return false;
      value = parent->getOperand(argument.getArgNumber());
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (isa<stablehlo::ConstantOp>(op))
      return true;
    bool isMember = isa<stablehlo::GetTupleElementOp, hlo::ElementOp>(op);
    if (op->getNumOperands() == 0 || (!movesElements(op) && !isMember))
      return false;
    value = op->getOperand(0);
  }
  return false;
}

static int64_t product(Value tensor, ArrayRef<int64_t> dims) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  int64_t count = 1;
  for (int64_t dim : dims)
    if (type && dim < type.getRank() && !type.isDynamicDim(unsigned(dim)))
      count *= std::max<int64_t>(type.getDimSize(unsigned(dim)), 1);
  return count;
}

/// The terms of a product with this factor; 1 for other operations.
static int64_t termsOf(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (op->getNumOperands() < 2 || number > 1)
    return 1;
  if (number == 0 && isGiven(op->getOperand(1)))
    return 1;
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([&](stablehlo::DotGeneralOp dot) {
        auto dims = dot.getDotDimensionNumbers();
        return product(dot.getLhs(), dims.getLhsContractingDimensions());
      })
      .Case([&](stablehlo::DotOp dot) {
        auto lhs = dyn_cast<RankedTensorType>(dot.getLhs().getType());
        return lhs && lhs.getRank() > 0
                   ? product(dot.getLhs(), {lhs.getRank() - 1})
                   : 1;
      })
      .Case([&](stablehlo::ConvolutionOp convolution) {
        auto dims = convolution.getDimensionNumbers();
        SmallVector<int64_t> summed(dims.getKernelSpatialDimensions());
        summed.push_back(dims.getKernelInputFeatureDimension());
        return product(convolution.getRhs(), summed);
      })
      .Default(int64_t(1));
}

namespace {
/// A member of a value: elements of tuples are followed by their numbers.
struct Place {
  Value value;
  SmallVector<int64_t, 2> path;
};

class Follower {
public:
  int64_t run(Place from);

private:
  void add(Value value, ArrayRef<int64_t> path) {
    if (seen.insert({value.getAsOpaquePointer(), path.vec()}).second)
      work.push_back({value, SmallVector<int64_t, 2>(path)});
  }
  void follow(OpOperand &use, ArrayRef<int64_t> path);

  SmallVector<Place> work;
  std::set<std::pair<void *, std::vector<int64_t>>> seen;
};
} // namespace

void Follower::follow(OpOperand &use, ArrayRef<int64_t> path) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (movesElements(op)) {
    if (number == 0)
      add(op->getResult(0), path);
  } else if (isa<stablehlo::OptimizationBarrierOp>(op)) {
    add(op->getResult(number), path);
  } else if (auto tuple = dyn_cast<stablehlo::TupleOp>(op)) {
    SmallVector<int64_t> own = {int64_t(number)};
    llvm::append_range(own, path);
    add(tuple.getResult(), own);
  } else if (auto member = dyn_cast<stablehlo::GetTupleElementOp>(op)) {
    if (!path.empty() && path.front() == int64_t(member.getIndex()))
      add(member.getResult(), path.drop_front());
  } else if (isa<stablehlo::WhileOp, hlo::FusionOp>(op)) {
    Region &body = op->getRegion(op->getNumRegions() - 1);
    if (number < body.getNumArguments())
      add(body.getArgument(number), path);
    if (isa<stablehlo::WhileOp>(op))
      add(op->getResult(number), path);
  } else if (auto call = dyn_cast<func::CallOp>(op)) {
    auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (function && !function.isExternal())
      add(function.getArgument(number), path);
  }
}

int64_t Follower::run(Place from) {
  constexpr size_t kMostPlaces = 100'000;
  int64_t most = 1;
  add(from.value, from.path);
  while (!work.empty() && seen.size() < kMostPlaces) {
    Place place = work.pop_back_val();
    for (OpOperand &use : place.value.getUses()) {
      if (place.path.empty())
        most = std::max(most, termsOf(use));
      follow(use, place.path);
    }
  }
  return most;
}

int64_t mercator::fanInOf(Value value, ArrayRef<int64_t> path) {
  return Follower().run({value, SmallVector<int64_t, 2>(path)});
}
