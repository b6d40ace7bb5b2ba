// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/program/FanIn.h"

#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace mercator;

/// Whether the first result has elements of the first operand, and no others.
static bool movesElements(mlir::Operation *op) {
  return llvm::isa<stablehlo::TransposeOp, stablehlo::ReshapeOp,
                   stablehlo::DynamicReshapeOp, stablehlo::BroadcastInDimOp,
                   stablehlo::ConvertOp, stablehlo::SliceOp,
                   stablehlo::DynamicSliceOp, stablehlo::ReverseOp,
                   stablehlo::GatherOp, hlo::BitcastOp, hlo::CopyOp>(op);
}

/// Whether a value is a parameter of a function or a constant, moved.
static bool isGiven(mlir::Value value) {
  constexpr int kSteps = 64;
  for (int i = 0; i < kSteps; ++i) {
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
      mlir::Operation *parent = argument.getOwner()->getParentOp();
      if (llvm::isa<mlir::func::FuncOp>(parent))
        return true;
      if (!llvm::isa<stablehlo::WhileOp, hlo::FusionOp>(parent) ||
          argument.getArgNumber() >= parent->getNumOperands())
        return false;
      value = parent->getOperand(argument.getArgNumber());
      continue;
    }
    mlir::Operation *op = value.getDefiningOp();
    if (llvm::isa<stablehlo::ConstantOp>(op))
      return true;
    bool isMember = llvm::isa<stablehlo::GetTupleElementOp, hlo::ElementOp>(op);
    if (op->getNumOperands() == 0 || (!movesElements(op) && !isMember))
      return false;
    value = op->getOperand(0);
  }
  return false;
}

static int64_t product(mlir::Value tensor, llvm::ArrayRef<int64_t> dims) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(tensor.getType());
  int64_t count = 1;
  for (int64_t dim : dims)
    if (type && dim < type.getRank() && !type.isDynamicDim(unsigned(dim)))
      count *= std::max<int64_t>(type.getDimSize(unsigned(dim)), 1);
  return count;
}

/// The terms of a product with this factor; 1 for other operations.
static int64_t termsOf(mlir::OpOperand &use) {
  mlir::Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (op->getNumOperands() < 2 || number > 1)
    return 1;
  if (number == 0 && isGiven(op->getOperand(1)))
    return 1;
  return llvm::TypeSwitch<mlir::Operation *, int64_t>(op)
      .Case([&](stablehlo::DotGeneralOp dot) {
        auto dims = dot.getDotDimensionNumbers();
        return product(dot.getLhs(), dims.getLhsContractingDimensions());
      })
      .Case([&](stablehlo::DotOp dot) {
        auto lhs =
            llvm::dyn_cast<mlir::RankedTensorType>(dot.getLhs().getType());
        return lhs && lhs.getRank() > 0
                   ? product(dot.getLhs(), {lhs.getRank() - 1})
                   : 1;
      })
      .Case([&](stablehlo::ConvolutionOp convolution) {
        auto dims = convolution.getDimensionNumbers();
        llvm::SmallVector<int64_t> summed(dims.getKernelSpatialDimensions());
        summed.push_back(dims.getKernelInputFeatureDimension());
        return product(convolution.getRhs(), summed);
      })
      .Default(int64_t(1));
}

namespace {
/// A member of a value: elements of tuples are followed by their numbers.
struct Place {
  mlir::Value value;
  llvm::SmallVector<int64_t, 2> path;
};

class Follower {
public:
  int64_t run(Place from);

private:
  void add(mlir::Value value, llvm::ArrayRef<int64_t> path) {
    if (seen.insert({value.getAsOpaquePointer(), path.vec()}).second)
      work.push_back({value, llvm::SmallVector<int64_t, 2>(path)});
  }
  void follow(mlir::OpOperand &use, llvm::ArrayRef<int64_t> path);

  llvm::SmallVector<Place> work;
  std::set<std::pair<void *, std::vector<int64_t>>> seen;
};
} // namespace

void Follower::follow(mlir::OpOperand &use, llvm::ArrayRef<int64_t> path) {
  mlir::Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (movesElements(op)) {
    if (number == 0)
      add(op->getResult(0), path);
  } else if (llvm::isa<stablehlo::OptimizationBarrierOp>(op)) {
    add(op->getResult(number), path);
  } else if (auto tuple = llvm::dyn_cast<stablehlo::TupleOp>(op)) {
    llvm::SmallVector<int64_t> own = {int64_t(number)};
    llvm::append_range(own, path);
    add(tuple.getResult(), own);
  } else if (auto member = llvm::dyn_cast<stablehlo::GetTupleElementOp>(op)) {
    if (!path.empty() && path.front() == int64_t(member.getIndex()))
      add(member.getResult(), path.drop_front());
  } else if (llvm::isa<stablehlo::WhileOp, hlo::FusionOp>(op)) {
    mlir::Region &body = op->getRegion(op->getNumRegions() - 1);
    if (number < body.getNumArguments())
      add(body.getArgument(number), path);
    if (llvm::isa<stablehlo::WhileOp>(op))
      add(op->getResult(number), path);
  } else if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op)) {
    auto function =
        mlir::SymbolTable::lookupNearestSymbolFrom<mlir::func::FuncOp>(
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
    for (mlir::OpOperand &use : place.value.getUses()) {
      if (place.path.empty())
        most = std::max(most, termsOf(use));
      follow(use, place.path);
    }
  }
  return most;
}

int64_t mercator::fanInOf(mlir::Value value, llvm::ArrayRef<int64_t> path) {
  return Follower().run({value, llvm::SmallVector<int64_t, 2>(path)});
}
