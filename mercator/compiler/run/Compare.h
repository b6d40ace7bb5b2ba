// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Whether computed tensors are those that were expected.
///
/// The rule, in this order:
///
/// 1. Element types and shapes are the same.
/// 2. Integers and bools are equal. A NaN equals a NaN, and an infinity one of the
///    same sign.
/// 3. Floats differ by at most the tolerance times the largest magnitude of a finite
///    expected element: the error of a sum of thousands of products does not depend
///    on the size of a single element.
/// 4. What fails is compared again with a few more evaluations (Variants): one that
///    takes subnormal numbers for zero, as compiled programs do, and some that round
///    up and down at random (reference/core/Perturbation.h). An element may differ by
///    kSpread times as much as these differ in it, or in the median of the elements.
///    A result that is zero in exact arithmetic is compared with the rounding
///    errors of its terms, and not with itself.
/// 5. What 4 accepts is limited: it is at most the tolerance times the largest float
///    of the evaluation. A program that amplifies rounding errors to the size of its
///    values proves nothing, and its results count as different.
///
/// With a tolerance of 0, floats are equal or different by rule 3 alone.

#ifndef MERCATOR_COMPILER_RUN_COMPARE_H
#define MERCATOR_COMPILER_RUN_COMPARE_H

#include "mercator/compiler/run/Results.h"

#include <optional>

namespace mercator {

struct Difference {
  std::string title; ///< as in ResultLeaf
  mlir::RankedTensorType type;
  /// How the type or the shape is another one; then nothing else is compared.
  std::string mismatch;
  double relative = 0;       ///< the largest one
  double tolerance = 0;      ///< what is accepted
  int64_t differing = 0;     ///< elements that are beyond it
  int64_t place = 0;         ///< the row-major place of the worst element
  std::string got, expected; ///< that element
  /// Where rule 4 accepted an element for its rounding errors: the largest difference,
  /// relative to the largest element.
  std::optional<double> roundingErrors = {};
  /// Whether rule 4 accepted an element with subnormal numbers as zero.
  bool isFlushed = false;
  /// Whether rule 5 rejected what rule 4 would have accepted.
  bool isAmplified = false;
  [[nodiscard]] bool isEqual() const {
    return differing == 0 && mismatch.empty();
  }
};

/// Other evaluations of a program.
struct Variants {
  RunResults reference;              ///< exact, rounded to nearest
  std::optional<RunResults> flushed; ///< subnormal numbers are taken for zero
  std::vector<RunResults> perturbed; ///< rounded at random
};

/// The tolerance for an element type: 1e-4 for f32, 1e-2 for bf16 and so on; 0
/// for integers.
[[nodiscard]] double defaultTolerance(mlir::Type element);

[[nodiscard]] Difference compare(const reference::Tensor &got,
                                 const reference::Tensor &expected,
                                 std::optional<double> tolerance = {});

/// What a tensor is compared with.
struct ExpectedTensor {
  std::string name; ///< of the file, or empty
  /// None if the elements have another type, which `mismatch` says.
  std::optional<reference::Tensor> tensor;
  std::string mismatch = {};
};
/// The tensors of results, in order.
[[nodiscard]] std::vector<ExpectedTensor> expectedOf(const RunResults &results);
/// The arrays of .npy and .npz files, in order. Errors say which file cannot be read,
/// or that there are more or fewer arrays than results.
[[nodiscard]] llvm::Expected<std::vector<ExpectedTensor>>
expectedOfFiles(const RunResults &got, llvm::ArrayRef<std::string> paths);

/// A row for each tensor, by rules 1 to 3, or with variants by all.
[[nodiscard]] std::vector<Difference>
compare(const RunResults &got, llvm::ArrayRef<ExpectedTensor> expected,
        std::optional<double> tolerance = {},
        const Variants *variants = nullptr);

} // namespace mercator

#endif // MERCATOR_COMPILER_RUN_COMPARE_H
