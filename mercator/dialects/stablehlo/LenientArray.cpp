// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/LenientArray.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mercator::stablehlo;

/// No tensor has more dimensions, but a one-line splat may have more elements.
constexpr int64_t kMostElements = 4096;

template <typename Array, typename Element>
static Array toArrayOf(Attribute attr, unsigned width) {
  if (auto array = dyn_cast<Array>(attr))
    return array;
  auto dense = dyn_cast<DenseIntElementsAttr>(attr);
  if (!dense || dense.getType().getRank() != 1 ||
      !dense.getElementType().isSignlessInteger(width) ||
      dense.getNumElements() > kMostElements)
    return {};
  SmallVector<Element> elements(dense.getValues<Element>());
  return Array::get(attr.getContext(), elements);
}

DenseI64ArrayAttr mercator::stablehlo::detail::toArray(Attribute attr,
                                                       DenseI64ArrayAttr) {
  return toArrayOf<DenseI64ArrayAttr, int64_t>(attr, 64);
}

DenseBoolArrayAttr mercator::stablehlo::detail::toArray(Attribute attr,
                                                        DenseBoolArrayAttr) {
  return toArrayOf<DenseBoolArrayAttr, bool>(attr, 1);
}
