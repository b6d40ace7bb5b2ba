// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Tensors from and into .npy files.
///
/// A file has the element type of the program, never another that would have to
/// be converted. Types that numpy lacks are taken as ml_dtypes stores them: raw
/// bytes (`V1`, `V2`), 8-bit floats also as `f1`, integers of fewer than 8 bits
/// also as `i1` and `u1`.

#ifndef MERCATOR_TOOLS_DRIVER_NPYTENSOR_H
#define MERCATOR_TOOLS_DRIVER_NPYTENSOR_H

#include "mercator/reference/core/Tensor.h"
#include "mercator/runtime/Npy.h"

namespace mercator {

/// How elements of that type are saved. Integers of fewer than 8 bits are saved
/// as `i1` and `u1`, which every program reads.
[[nodiscard]] NpyType npyType(const reference::Element &element);

/// The array as a tensor of the element type of `wanted`, of its own shape.
/// Errors say which element type, or which element, was expected.
[[nodiscard]] llvm::Expected<reference::Tensor>
toTensor(const NpyArray &array, mlir::RankedTensorType wanted);

[[nodiscard]] NpyArray toNpy(const reference::Tensor &tensor);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_NPYTENSOR_H
