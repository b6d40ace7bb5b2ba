// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/Extents.h"

using namespace mlir;

namespace mercator::stablehlo {

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

bool agree(Extent a, Extent b) {
  if (a.isKnown() && b.isKnown())
    return a.size == b.size;
  if (a.isKnown())
    return !b.isBounded() || a.size <= b.bound;
  return !b.isKnown() || !a.isBounded() || b.size <= a.bound;
}

bool agree(ArrayRef<Extent> a, ArrayRef<Extent> b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto pair) {
           return agree(std::get<0>(pair), std::get<1>(pair));
         });
}

Extent meet(Extent a, Extent b) {
  if (a.isKnown() || b.isKnown())
    return a.isKnown() ? a : b;
  if (!a.isBounded() || !b.isBounded())
    return a.isBounded() ? a : b;
  return Extent::atMost(std::min(a.bound, b.bound));
}

Extent join(Extent a, Extent b) {
  if (a == b)
    return a;
  if (a.limit() == Extent::kUnknown || b.limit() == Extent::kUnknown)
    return {};
  return Extent::atMost(std::max(a.limit(), b.limit()));
}

Extent sum(Extent a, Extent b) {
  int64_t limit;
  if (a.limit() == Extent::kUnknown || b.limit() == Extent::kUnknown ||
      llvm::AddOverflow(a.limit(), b.limit(), limit))
    return {};
  return a.isKnown() && b.isKnown() ? Extent::of(limit) : Extent::atMost(limit);
}

Extent map(Extent n, llvm::function_ref<int64_t(int64_t)> f) {
  if (n.isKnown())
    return Extent::of(f(n.size));
  return n.isBounded() ? Extent::atMost(f(n.bound)) : Extent();
}

} // namespace mercator::stablehlo
