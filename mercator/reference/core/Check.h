// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Compares what was computed with what was expected.
///
///   Comparison c = compareClose(actual, expected, 0, /*maxUlps=*/3);
///   if (!c.passed()) step.error() << c.text();
///
///   expected 2.5 at [1, 0], got 2.75, 1 ULP away; 3 of 8 elements differ

#ifndef MERCATOR_REFERENCE_CORE_CHECK_H
#define MERCATOR_REFERENCE_CORE_CHECK_H

#include "mercator/reference/core/Tensor.h"

#include <optional>
#include <string>

namespace mercator::reference {

/// How many steps from float to float two values of a type are apart; of two
/// complex numbers, of the parts that are further apart. Equal integers are 0
/// apart, others as far as their difference. Nothing where no number of steps
/// leads from one to the other: to or from an infinity, or a NaN.
[[nodiscard]] std::optional<uint64_t> ulpsBetween(const Element &element,
                                                  Scalar a, Scalar b);

/// What comparing two tensors of one type found.
class Comparison {
public:
  Comparison(const Tensor &actual, const Tensor &expected,
             llvm::function_ref<bool(Scalar, Scalar)> agree);

  [[nodiscard]] bool passed() const { return differing == 0; }
  /// The first element that differs, and how many do. Requires: !passed().
  [[nodiscard]] std::string text() const;

private:
  const Tensor &actual, &expected;
  int64_t first = -1, differing = 0;
};

// What counts as equal is what StableHLO's own interpreter takes for it: a test
// that it would refuse must not pass here.

/// Elements are equal, as IEEE 754 has it: 0 is -0, and a NaN equals nothing.
Comparison compareEqual(const Tensor &actual, const Tensor &expected);
/// Elements are equal, or both NaN, or finite and at most `tolerance` apart.
Comparison compareAlmostEqual(const Tensor &actual, const Tensor &expected,
                              double tolerance);
/// Elements are between `minUlps` and `maxUlps` apart; NaNs are 0 apart.
Comparison compareClose(const Tensor &actual, const Tensor &expected,
                        uint64_t minUlps, uint64_t maxUlps);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_CHECK_H
