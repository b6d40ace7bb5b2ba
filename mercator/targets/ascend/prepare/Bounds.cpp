// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/prepare/Bounds.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/dialects/stablehlo/TensorExtents.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

static bool hasBounds(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor &&
         isa_and_nonnull<stablehlo::TypeExtensionsAttr>(tensor.getEncoding());
}

/// Null for a type without bounds.
static DenseI64ArrayAttr boundsOf(Type type) {
  if (!hasBounds(type))
    return {};
  SmallVector<int64_t> bounds;
  for (stablehlo::Extent extent :
       stablehlo::extentsOf(cast<RankedTensorType>(type)))
    bounds.push_back(extent.isBounded() ? extent.bound : -1);
  return DenseI64ArrayAttr::get(type.getContext(), bounds);
}

/// Whether the operation needs the bounds: it has no operand for the shape.
static bool needsBounds(Operation *op) {
  return isa<stablehlo::BroadcastInDimOp, stablehlo::IotaOp,
             stablehlo::ReshapeOp>(op) &&
         hasBounds(op->getResult(0).getType());
}

void ascend::moveBounds(ModuleOp module) {
  bool isNeeded = module
                      .walk([](Operation *op) {
                        return needsBounds(op) ? WalkResult::interrupt()
                                               : WalkResult::advance();
                      })
                      .wasInterrupted();
  if (isNeeded)
    return;
  bool isFound = false;
  for (auto function : module.getOps<func::FuncOp>())
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
      if (DenseI64ArrayAttr bounds = boundsOf(type)) {
        function.setArgAttr(i, kBoundsName, bounds);
        isFound = true;
      }
  module.walk([&](Operation *op) {
    isFound |= llvm::any_of(op->getResultTypes(), hasBounds);
  });
  if (!isFound)
    return;
  AttrTypeReplacer replacer;
  replacer.addReplacement([](RankedTensorType type) {
    return hasBounds(type)
               ? RankedTensorType::get(type.getShape(), type.getElementType())
               : type;
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}
