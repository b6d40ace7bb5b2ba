// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Arrays in NumPy's file format, `.npy`.
///
/// ```cpp
/// NpyArray array{{NpyKind::Real, 4}, {2, 3}, std::string(24, '\0')};
/// std::string file = printNpy(array);
///
/// Fallible<NpyArray> read = parseNpy(file);
/// assert(read && read->type == array.type); // float32
/// assert(read->shape == array.shape);
/// assert(read->elements == array.elements);
/// ```
///
/// Versions 1.0, 2.0 and 3.0 are read, in both byte orders and both dimension
/// orders. NumPy has no bfloat16, no floats of 8 bits and fewer, and no
/// integers below 8 bits. They are stored as raw bytes of the same width (as
/// ml_dtypes does) or as `f1`; the caller of the reader says which type is
/// meant. Python objects and structured types are refused.
///
/// Source: numpy.org/doc/stable/reference/generated/numpy.lib.format.html

#ifndef MERCATOR_RUNTIME_NPY_H
#define MERCATOR_RUNTIME_NPY_H

#include "mercator/runtime/Fallible.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mercator {

enum class NpyKind : uint8_t {
  Boolean,
  SignedInt,
  UnsignedInt,
  Real,
  Complex,
  Raw
};

/// The type of an element. `bytes` is the size of the whole element: both parts
/// of a complex number, 1 for booleans.
struct NpyType {
  NpyKind kind = NpyKind::Real;
  unsigned bytes = 4;
  friend bool operator==(const NpyType &, const NpyType &) = default;
};

/// The spelling in the header for the writer's byte order: "<f4", "|b1", "|V1".
[[nodiscard]] std::string toString(NpyType type);

struct NpyArray {
  NpyType type;
  std::vector<int64_t> shape;
  /// In row-major order, little-endian; booleans are 0 or 1.
  std::string elements;
};

/// The largest file that is read: the largest tensor and its header.
inline constexpr size_t kMaxNpyBytes = (size_t(1) << 32) + (size_t(1) << 20);

/// Reads an array from the bytes of a file. Errors say what was expected and
/// what was found. Never allocates more than the size of `bytes`.
Fallible<NpyArray> parseNpy(std::string_view bytes);

/// The form that parseNpy reads. Requires: `array.elements` has the size that the
/// shape and the type say.
[[nodiscard]] std::string printNpy(const NpyArray &array);

} // namespace mercator

#endif // MERCATOR_RUNTIME_NPY_H
