// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/kernels/Kernel.h"

#include "mercator/analysis/kernels/Reduction.h"

using namespace mercator;
using namespace mercator::kernels;
using namespace mercator::indexing;

llvm::StringRef kernels::nameOf(Emitter emitter) {
  switch (emitter) {
  case Emitter::Loop:
    return "loop";
  case Emitter::Transpose:
    return "transpose";
  case Emitter::RowReduction:
    return "row-reduction";
  case Emitter::ColumnReduction:
    return "column-reduction";
  case Emitter::Concatenate:
    return "concatenate";
  case Emitter::Scatter:
    return "scatter";
  case Emitter::UpdateInPlace:
    return "update-in-place";
  case Emitter::Sort:
    return "sort";
  case Emitter::TritonBlock:
    return "triton";
  case Emitter::TritonProduct:
    return "triton-product";
  case Emitter::Library:
    return "library";
  case Emitter::Copy:
    return "copy";
  }
  llvm_unreachable("an emitter");
}

static bool isLibraryCall(mlir::Operation *op) {
  auto call = llvm::dyn_cast<stablehlo::CustomCallOp>(op);
  if (!call)
    return false;
  llvm::StringRef target = call.getCallTargetName();
  return target != "AllocateBuffer" && target != "Sharding";
}

bool kernels::launches(mlir::Operation *op) {
  return llvm::isa<hlo::FusionOp, hlo::CopyOp, stablehlo::SortOp,
                   stablehlo::FftOp, stablehlo::TriangularSolveOp,
                   stablehlo::CholeskyOp>(op) ||
         isLibraryCall(op);
}

/// Whether the fusion reads the updated tensor only at the elements that it updates.
static bool isInPlace(stablehlo::DynamicUpdateSliceOp update) {
  mlir::Value operand = update.getOperand();
  if (!llvm::isa<mlir::BlockArgument>(operand))
    return false;
  return llvm::all_of(operand.getUsers(), [&](mlir::Operation *user) {
    auto slice = llvm::dyn_cast<stablehlo::DynamicSliceOp>(user);
    return user == update ||
           (slice && slice.getStartIndices() == update.getStartIndices() &&
            slice.getType() == update.getUpdate().getType());
  });
}

/// Which rule of XLA takes the fusion, in its order (hlo_fusion_analysis.cc).
static Kernel choose(const Fused &fused, Arena &arena, const Device &device,
                     const ByHand &byHand) {
  if (fused.config.isTriton())
    return tritonKernel(fused, arena, device);
  if (auto sort = llvm::dyn_cast_or_null<stablehlo::SortOp>(
          fused.roots[0].getDefiningOp()))
    return sortKernel(fused, arena, device, sort);
  llvm::SmallVector<mlir::Operation *> heroes;
  std::optional<ReductionShape> shape;
  for (mlir::Value root : fused.roots) {
    mlir::Operation *hero = heroOf(root, [](mlir::Operation *op) {
      return reductionShapeOf(op).has_value();
    });
    if (!hero || llvm::is_contained(heroes, hero))
      continue;
    ReductionShape own = *reductionShapeOf(hero);
    if (!shape || own == *shape)
      heroes.push_back(hero), shape = own;
  }
  bool isLoop = fused.kind == "kLoop";
  if (shape && !isLoop)
    return shape->isRow
               ? rowReductionKernel(fused, arena, device, heroes, shape->sizes)
               : columnReductionKernel(fused, arena, device, heroes,
                                       shape->sizes);
  auto find = [&](auto isHero) -> mlir::Operation * {
    for (mlir::Value root : fused.roots)
      if (mlir::Operation *hero = heroOf(root, isHero))
        return hero;
    return nullptr;
  };
  if (!isLoop)
    if (mlir::Operation *hero = find([](mlir::Operation *op) {
          return llvm::isa<stablehlo::TransposeOp>(op);
        }))
      return transposeKernel(fused, arena, device, hero);
  mlir::Operation *root = fused.roots[0].getDefiningOp();
  if (fused.roots.size() == 1 && root) {
    if (llvm::isa<stablehlo::ScatterOp>(root))
      return scatterKernel(fused, arena, device, root);
    constexpr unsigned kMostParts = 4;
    if (mlir::Operation *hero = find([](mlir::Operation *op) {
          return llvm::isa<stablehlo::ConcatenateOp>(op);
        });
        hero && hero->getNumOperands() <= kMostParts)
      return concatenateKernel(fused, arena, hero);
    mlir::Operation *update = root;
    while (llvm::isa_and_nonnull<hlo::BitcastOp>(update))
      update = update->getOperand(0).getDefiningOp();
    if (llvm::isa_and_nonnull<stablehlo::DynamicUpdateSliceOp>(update) &&
        isInPlace(llvm::cast<stablehlo::DynamicUpdateSliceOp>(update)))
      return updateKernel(fused, arena, update);
  }
  return loopKernel(fused, arena, device, byHand);
}

Kernel kernels::kernelOf(mlir::Operation *op, Arena &arena,
                         const Device &device, const ByHand &byHand) {
  auto fusion = llvm::dyn_cast<hlo::FusionOp>(op);
  if (!fusion || !fusion.getLibraryTarget().empty()) {
    bool isCopy = llvm::isa<hlo::CopyOp>(op);
    return {.emitter = isCopy ? Emitter::Copy : Emitter::Library,
            .unknown = isCopy ? "memory is copied without a kernel"
                              : "the library chooses the launch"};
  }
  Fused fused{.op = op, .kind = fusion.getKind()};
  Kernel refused{.emitter = Emitter::Loop};
  auto text = op->getAttrOfType<mlir::StringAttr>("mhlo.backend_config");
  std::optional<Config> config =
      parseConfig(text ? text.getValue() : "", &refused.unknown);
  if (!config)
    return refused;
  fused.config = std::move(*config);
  for (mlir::Value root :
       fusion.getBody().front().getTerminator()->getOperands()) {
    std::optional<Layout> layout = Layout::of(root.getType());
    if (!layout || layout->elements() == 0) {
      refused.unknown = "a result has no elements, or unknown extents";
      return refused;
    }
    fused.roots.push_back(root);
    fused.layouts.push_back(std::move(*layout));
  }
  if (fused.roots.empty()) {
    refused.unknown = "the fusion has no result";
    return refused;
  }
  return choose(fused, arena, device, byHand);
}
