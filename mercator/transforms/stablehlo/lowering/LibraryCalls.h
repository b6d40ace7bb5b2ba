// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Calls of the runtime's library functions (mercator/runtime/Calls.h): linear
/// algebra, Fourier transforms and random bits.
///
///   %to = tensor.empty() : tensor<2x3x3xf32>
///   %l = call @mercator_cholesky(%a, %to, %lower)
///       : (tensor<2x3x3xf32>, tensor<2x3x3xf32>, i64) -> tensor<2x3x3xf32>
///
/// The operands are the tensors that the function reads, then one *destination*
/// for each result, then numbers of type i64. A destination gives the type and
/// the extents of its result; the function may write the result into it. The
/// elements of a destination are never read. In flow, extents follow the
/// tensors that have dynamic ones; those of a result are those of its
/// destination.
///
/// Declarations of different types have the suffixes `.1`, `.2`, ... The name
/// of the C function is the name of the declaration up to the first dot, and
/// the element type of the first tensor: mercator_cholesky_f32. So a pass may
/// change the types.

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_LIBRARYCALLS_H
#define MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_LIBRARYCALLS_H

#include "mercator/transforms/stablehlo/lowering/Builders.h"

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

/// Whether there are functions for f32, f64 or complex numbers of them.
[[nodiscard]] bool isLibraryElement(mlir::Type element);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_LIBRARYCALLS_H
