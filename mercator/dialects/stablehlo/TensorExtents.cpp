// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/TensorExtents.h"

using namespace mlir;

namespace mercator::stablehlo {

static_assert(Extent::kUnknown == ShapedType::kDynamic);

Extents extentsOf(RankedTensorType type) {
  Extents extents;
  auto extensions = dyn_cast_or_null<TypeExtensionsAttr>(type.getEncoding());
  ArrayRef<int64_t> bounds =
      extensions ? extensions.getBounds() : ArrayRef<int64_t>();
  for (auto [i, size] : llvm::enumerate(type.getShape()))
    extents.push_back(ShapedType::isDynamic(size) && i < bounds.size()
                          ? Extent::atMost(bounds[i])
                          : Extent::of(size));
  return extents;
}

Extents extentsOf(Value tensor) {
  return extentsOf(cast<RankedTensorType>(tensor.getType()));
}

RankedTensorType tensorOf(ArrayRef<Extent> extents, Type element) {
  SmallVector<int64_t> shape, bounds;
  for (const Extent &extent : extents) {
    shape.push_back(extent.size);
    bounds.push_back(extent.bound);
  }
  Attribute encoding;
  if (llvm::any_of(extents, [](const Extent &e) { return e.isBounded(); }))
    encoding = TypeExtensionsAttr::get(element.getContext(), bounds);
  return RankedTensorType::get(shape, element, encoding);
}

} // namespace mercator::stablehlo
