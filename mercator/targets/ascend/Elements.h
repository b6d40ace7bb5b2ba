// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The elements of a constant as every file format wants them.
///
///   dense<[1, -1]> : tensor<2xi16>  ->  "\x01\0\xff\xff"
///
/// Row-major, little-endian, each in its own bytes; a boolean takes one, a
/// complex number is its real and then its imaginary part.

#ifndef MERCATOR_TARGETS_ASCEND_ELEMENTS_H
#define MERCATOR_TARGETS_ASCEND_ELEMENTS_H

#include "mercator/dialects/ascend/Ascend.h"

#include <string>

namespace mercator::ascend {

/// How many bytes the elements take; none where that is over 2^63 or GE has no
/// such elements. Requires: the shape is static.
[[nodiscard]] std::optional<uint64_t> byteSize(mlir::RankedTensorType type);

/// Fails after an error at the constant where its text leaves the elements out.
[[nodiscard]] llvm::FailureOr<std::string> elementBytes(ConstOp constant);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_ELEMENTS_H
