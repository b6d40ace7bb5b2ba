// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Whether computed tensors are those that were expected.
///
/// Integers and bools must be equal. Floats are compared by their difference,
/// divided by the largest magnitude of a finite expected element: a sum of
/// thousands of products has that error, whatever the size of a single element.
/// A NaN equals a NaN, and an infinity one of the same sign.

#ifndef MERCATOR_COMPILER_COMPARE_H
#define MERCATOR_COMPILER_COMPARE_H

#include "mercator/compiler/Results.h"

#include <optional>

namespace mercator {

struct Difference {
  std::string title; ///< as in ResultLeaf
  mlir::RankedTensorType type;
  double relative = 0;       ///< the largest one
  double tolerance = 0;      ///< what is accepted
  int64_t differing = 0;     ///< elements that are beyond it
  int64_t place = 0;         ///< the row-major place of the worst element
  std::string got, expected; ///< that element
  [[nodiscard]] bool isEqual() const { return differing == 0; }
};

/// The tolerance for an element type: 1e-4 for f32, 1e-2 for bf16 and so on; 0
/// for integers.
[[nodiscard]] double defaultTolerance(mlir::Type element);

/// Requires: the tensors have the same type.
[[nodiscard]] Difference compare(const reference::Tensor &got,
                                 const reference::Tensor &expected,
                                 std::optional<double> tolerance = {});

/// The results beside arrays of .npy and .npz files, in order. Errors say which
/// file or array is not as expected.
[[nodiscard]] llvm::Expected<std::vector<Difference>>
compareWithFiles(const RunResults &got, llvm::ArrayRef<std::string> paths,
                 std::optional<double> tolerance = {});

/// A row for each tensor.
[[nodiscard]] std::vector<Difference>
compare(const RunResults &got, const RunResults &expected,
        std::optional<double> tolerance = {});

} // namespace mercator

#endif // MERCATOR_COMPILER_COMPARE_H
