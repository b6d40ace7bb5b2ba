// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/hlo/Layouts.h"

#include "mercator/dialects/hlo/Hlo.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mercator;

RankedTensorType mercator::hlo::rowMajor(RankedTensorType type) {
  auto layout = dyn_cast_or_null<hlo::LayoutAttr>(type.getEncoding());
  if (!layout || !layout.getBounds().empty())
    return type;
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

/// A constant's elements are in row-major order for any layout.
static ElementsAttr rowMajorElements(ElementsAttr elements) {
  auto type = hlo::rowMajor(cast<RankedTensorType>(elements.getShapedType()));
  if (auto dense = dyn_cast<DenseElementsAttr>(elements))
    return dense.isSplat() ? dense.resizeSplat(type) : dense.reshape(type);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  return elements;
}

void mercator::hlo::dropLayouts(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [](RankedTensorType type) { return hlo::rowMajor(type); });
  replacer.addReplacement(
      [](ElementsAttr elements) -> std::pair<Attribute, WalkResult> {
        if (!isa<RankedTensorType>(elements.getShapedType()))
          return {elements, WalkResult::skip()};
        return {rowMajorElements(elements), WalkResult::skip()};
      });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}
