// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Calls of the runtime's library functions (mercator/runtime/Calls.h): linear
/// algebra, Fourier transforms and random bits.
///
///   %to = tensor.empty() : tensor<2x3x3xf32>
///   %l = call @mercator_cholesky_f32(%a, %to, %lower)
///       : (tensor<2x3x3xf32>, tensor<2x3x3xf32>, i64) -> tensor<2x3x3xf32>
///
/// The operands are the tensors that the function reads, then one *destination*
/// for each result, then numbers of type i64. A destination gives the type and
/// the extents of its result; the function may write the result into it. The
/// elements of a destination are never read.
///
/// The name of the C function is the name of the declaration up to the first
/// dot: declarations of different types have the suffixes `.1`, `.2`, ...

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_LIBRARYCALLS_H
#define MERCATOR_TRANSFORMS_STABLEHLO_LIBRARYCALLS_H

#include "mercator/transforms/stablehlo/Builders.h"

namespace mercator::stablehlo {

struct LibraryResult {
  Sizes sizes;
  mlir::Type element;
};

/// Calls a function and declares it if needed.
Values callLibrary(Lowering &l, const llvm::Twine &name,
                   mlir::ValueRange operands,
                   llvm::ArrayRef<LibraryResult> results,
                   llvm::ArrayRef<int64_t> numbers);

/// The part of a name that tells the element type: f32, f64, c64 or c128. Empty
/// for all other types.
[[nodiscard]] llvm::StringRef librarySuffix(mlir::Type element);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_LIBRARYCALLS_H
