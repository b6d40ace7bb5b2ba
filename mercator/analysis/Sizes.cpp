// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sizes of types, and checked products of them.

#include "mercator/analysis/Sizes.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/indexing/expr/Interval.h"

#include "llvm/Support/MathExtras.h"

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

bool maps::fitsInto(llvm::ArrayRef<int64_t> inner,
                    llvm::ArrayRef<int64_t> outer) {
  return llvm::all_of(llvm::zip_equal(inner, outer), [](auto sizes) {
    return std::get<0>(sizes) <= std::get<1>(sizes);
  });
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

std::optional<int64_t> mercator::bytesOf(mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return std::nullopt;
  mlir::Type element = tensor.getElementType();
  int64_t factor = 1;
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(element)) {
    element = complex.getElementType();
    factor = 2;
  }
  if (!element.isIntOrIndexOrFloat())
    return std::nullopt;
  int64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  int64_t bytes = (bits + 7) / 8 * factor;
  for (int64_t size : tensor.getShape())
    if (llvm::MulOverflow(bytes, size, bytes))
      return std::nullopt;
  return bytes;
}
