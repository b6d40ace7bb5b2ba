// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Tensors from and into .npy files. Internal.
///
/// The elements of a file must have the type that the program wants: nothing is
/// converted. Types that numpy lacks are read as ml_dtypes stores them: raw
/// bytes (`V1`, `V2`), 8-bit floats also as `f1`, integers of fewer than 8 bits
/// also as `i1` and `u1`.

#ifndef MERCATOR_COMPILER_PROGRAM_NPYTENSOR_H
#define MERCATOR_COMPILER_PROGRAM_NPYTENSOR_H

#include "mercator/reference/core/Tensor.h"
#include "mercator/runtime/Npz.h"

#include "llvm/Support/Error.h"

namespace mercator {

/// Reads an array from a file. Errors name the file.
[[nodiscard]] llvm::Expected<NpyArray> readNpy(llvm::StringRef path);
/// The same for all arrays of an .npz file.
[[nodiscard]] llvm::Expected<std::vector<NpzMember>>
readNpz(llvm::StringRef path);
/// Writes the file whole or not at all.
[[nodiscard]] llvm::Error writeNpy(llvm::StringRef path, const NpyArray &array);

/// The type that elements are saved as. Integers of fewer than 8 bits are saved
/// as `i1` and `u1`, which every reader of .npy files accepts.
[[nodiscard]] NpyType npyType(const reference::Element &element);

/// The array as a tensor with the element type of `wanted` and the array's own
/// shape. Errors say which element type, or which element, was expected.
[[nodiscard]] llvm::Expected<reference::Tensor>
toTensor(const NpyArray &array, mlir::RankedTensorType wanted);

[[nodiscard]] NpyArray toNpy(const reference::Tensor &tensor);

} // namespace mercator

#endif // MERCATOR_COMPILER_PROGRAM_NPYTENSOR_H
