// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The elements of a constant as every file format wants them.
///
///   dense<[1, -1]> : tensor<2xi16>  ->  "\x01\0\xff\xff"
///
/// Row-major, little-endian, each in its own bytes; a boolean takes one, a
/// complex number is its real and then its imaginary part.

#ifndef MERCATOR_TARGETS_ASCEND_FORMATS_ELEMENTS_H
#define MERCATOR_TARGETS_ASCEND_FORMATS_ELEMENTS_H

#include "mercator/targets/ascend/formats/Nodes.h"

#include <string>

namespace mercator::ascend {

/// How many bytes the elements take; none where that is over 2^63 or GE has no
/// such elements. Requires: the shape is static.
[[nodiscard]] std::optional<uint64_t> byteSize(mlir::RankedTensorType type);

/// Whether a tensor has more elements than any device holds, 2^40, not counting
/// extents of 0 and those that are not known. Neither reader nor writer takes
/// such a tensor.
[[nodiscard]] bool hasTooManyElements(llvm::ArrayRef<int64_t> shape);

/// No file may be larger: the sizes within are of 32 bits.
inline constexpr uint64_t kMaxFileBytes = INT32_MAX;

/// Whether a file can say what the nodes hold: fails after an error at a node
/// whose shape is not known or whose elements GE lacks, and where the constants
/// are too large. `file` is what holds them: "an ONNX file".
[[nodiscard]] llvm::LogicalResult checkHeld(const Nodes &nodes,
                                            llvm::StringRef file);

/// Fails after an error at the constant where its text leaves the elements out.
[[nodiscard]] llvm::FailureOr<std::string> elementBytes(ConstOp constant);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_FORMATS_ELEMENTS_H
