// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Arrays in NumPy's file format, `.npy`.
///
///   Expected<NpyArray> array = readNpy("x.npy");
///   array->type          // {NpyKind::real, 4 bytes}: float32
///   array->shape         // {2, 3}
///   array->elements      // 24 bytes, row-major, little-endian
///
///   Error error = writeNpy("y.npy", *array);
///
/// Versions 1.0, 2.0 and 3.0 are read, both byte orders, both orders of
/// dimensions. What numpy itself cannot express (bfloat16, the floats of 8 bits
/// and fewer, integers of fewer) is stored as raw bytes of that width, as
/// ml_dtypes does, or as `f1`; who reads the array says what they mean. Objects
/// and structures are refused.
///
/// Source: numpy.org/doc/stable/reference/generated/numpy.lib.format.html

#ifndef MERCATOR_RUNTIME_NPY_H
#define MERCATOR_RUNTIME_NPY_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <string>

namespace mercator {

enum class NpyKind : uint8_t {
  boolean,
  signedInt,
  unsignedInt,
  real,
  complex,
  raw
};

/// The type of an element: `bytes` is all of it, both parts of a complex
/// number, 1 for booleans.
struct NpyType {
  NpyKind kind = NpyKind::real;
  unsigned bytes = 4;
  friend bool operator==(const NpyType &, const NpyType &) = default;
};

/// As the header spells it, for this byte order: "<f4", "|b1", "|V1".
[[nodiscard]] std::string toString(NpyType type);

struct NpyArray {
  NpyType type;
  llvm::SmallVector<int64_t, 6> shape;
  /// In row-major order, little-endian; booleans are 0 or 1.
  std::string elements;
};

/// The largest file that is read: what a tensor may take, and its header.
inline constexpr size_t kMaxNpyBytes = (size_t(1) << 32) + (size_t(1) << 20);

/// The array in the bytes of a file. Errors say what was expected, and what was
/// found; nothing is allocated beyond the size of `bytes`.
[[nodiscard]] llvm::Expected<NpyArray> parseNpy(llvm::StringRef bytes);

/// The same of a file; errors name it.
[[nodiscard]] llvm::Expected<NpyArray> readNpy(llvm::StringRef path);

/// Writes what parseNpy reads. Requires: as many elements as the shape says.
void printNpy(llvm::raw_ostream &os, const NpyArray &array);

/// Writes the file whole or not at all.
[[nodiscard]] llvm::Error writeNpy(llvm::StringRef path, const NpyArray &array);

} // namespace mercator

#endif // MERCATOR_RUNTIME_NPY_H
