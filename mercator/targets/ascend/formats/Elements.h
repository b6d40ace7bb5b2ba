// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The elements of a constant, in the form that all file formats use.
///
///   dense<[1, -1]> : tensor<2xi16>  ->  "\x01\0\xff\xff"
///
/// Row-major, little-endian, each element in its own bytes. A boolean takes one
/// byte. A complex number is its real part, then its imaginary part.

#ifndef MERCATOR_TARGETS_ASCEND_FORMATS_ELEMENTS_H
#define MERCATOR_TARGETS_ASCEND_FORMATS_ELEMENTS_H

#include "mercator/targets/ascend/formats/Nodes.h"

#include <string>

namespace mercator::ascend {

/// The number of bytes of the elements; none if that is over 2^63 or if GE
/// lacks the element type. Requires: the shape is static.
[[nodiscard]] std::optional<uint64_t> byteSize(mlir::RankedTensorType type);

/// Whether a tensor has more elements than any device holds, 2^40, ignoring
/// extents of 0 and unknown extents. Readers and writers refuse such a tensor.
[[nodiscard]] bool hasTooManyElements(llvm::ArrayRef<int64_t> shape);

/// The limit on a file: its size fields have 32 bits.
inline constexpr uint64_t kMaxFileBytes = INT32_MAX;

/// Checks that a file can hold the nodes. Reports an error and fails for a node
/// whose shape is unknown or whose elements GE lacks, and for constants that
/// are too large. `file` is the kind of file: "an ONNX file".
[[nodiscard]] llvm::LogicalResult checkHeld(const Nodes &nodes,
                                            llvm::StringRef file);

/// Reports an error at the constant and fails if the text omits its elements.
[[nodiscard]] llvm::FailureOr<std::string> elementBytes(ConstOp constant);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_FORMATS_ELEMENTS_H
