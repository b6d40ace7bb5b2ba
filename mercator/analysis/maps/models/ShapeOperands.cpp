// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/maps/models/ShapeOperands.h"
#include "mercator/analysis/values/KnownValues.h"

using namespace mercator;
using namespace mercator::maps;
using mlir::RankedTensorType;
using mlir::Value;

std::optional<RankedTensorType> maps::withSizes(RankedTensorType type,
                                                llvm::ArrayRef<int64_t> sizes) {
  if (type.getRank() != (int64_t)sizes.size())
    return std::nullopt;
  for (auto [declared, size] : llvm::zip_equal(type.getShape(), sizes))
    if (size < 0 || !fits(size) ||
        (!mlir::ShapedType::isDynamic(declared) && declared != size))
      return std::nullopt;
  return RankedTensorType::get(sizes, type.getElementType());
}

std::optional<RankedTensorType> maps::knownResult(const Query &q, Value shape) {
  auto type = llvm::cast<RankedTensorType>(q.outType);
  if (auto sizes = knownIntegers(q.arena, shape))
    if (auto known = withSizes(type, *sizes))
      return known;
  return type.hasStaticShape() ? std::optional(type) : std::nullopt;
}

indexing::IndexValue maps::entry(const Map &map, Value vector, int64_t i) {
  return indexValue(*map.arena, map.domain, vector, map.arena->constant(i));
}
