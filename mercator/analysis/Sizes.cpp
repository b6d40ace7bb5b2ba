// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sizes of types, and checked products of them.

#include "mercator/analysis/Sizes.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/indexing/expr/Interval.h"

using namespace mercator;
using llvm::SmallVector;

SmallVector<int64_t> mercator::sizesOf(mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor)
    return {};
  SmallVector<int64_t> sizes = hlo::boundedShape(tensor);
  for (int64_t &size : sizes)
    if (mlir::ShapedType::isDynamic(size))
      size = indexing::Interval::kMax;
  return sizes;
}

std::optional<int64_t> maps::elementCount(llvm::ArrayRef<int64_t> sizes) {
  if (!productFits(sizes))
    return std::nullopt;
  if (llvm::is_contained(sizes, 0))
    return 0;
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

bool maps::productFits(llvm::ArrayRef<int64_t> factors) {
  if (llvm::is_contained(factors, 0))
    return true;
  int64_t product = 1;
  for (int64_t factor : factors)
    if (factor < 0 || __builtin_mul_overflow(product, factor, &product) ||
        !fits(product))
      return false;
  return true;
}
