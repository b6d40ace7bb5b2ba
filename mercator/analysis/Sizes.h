// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sizes of tensors for analyses, and checks that arithmetic on them fits
// int64.

#ifndef MERCATOR_ANALYSIS_SIZES_H
#define MERCATOR_ANALYSIS_SIZES_H

#include "mlir/IR/Types.h"

#include <optional>

namespace mercator {

/// The size of each dimension of a value of this type. A dynamic dimension has
/// its bound, or the largest int64 if it has none.
[[nodiscard]] llvm::SmallVector<int64_t> sizesOf(mlir::Type type);

/// The bytes of a tensor whose elements take whole bytes each. Nothing for other
/// types, unknown extents, and more than fits.
[[nodiscard]] std::optional<int64_t> bytesOf(mlir::Type type);

namespace maps {

/// True if the number stays between -2^60 and 2^60.
[[nodiscard]] inline bool fits(int64_t x) {
  return -(int64_t(1) << 60) < x && x < (int64_t(1) << 60);
}
/// True if each factor is >= 0 and the product is 0 or stays below 2^60.
[[nodiscard]] bool productFits(llvm::ArrayRef<int64_t> factors);
/// True if a box of sizes `inner` fits into a box of sizes `outer`. Requires:
/// as many sizes.
[[nodiscard]] bool fitsInto(llvm::ArrayRef<int64_t> inner,
                            llvm::ArrayRef<int64_t> outer);
/// The product of the sizes, if all are known and it stays below 2^60.
[[nodiscard]] std::optional<int64_t>
elementCount(llvm::ArrayRef<int64_t> sizes);

} // namespace maps
} // namespace mercator

#endif // MERCATOR_ANALYSIS_SIZES_H
