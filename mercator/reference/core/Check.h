// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Compares computed with expected values.
///
/// ```cpp (const Tensor &actual, const Tensor &expected, llvm::raw_ostream &os)
/// Comparison c = compareClose(actual, expected, /*minUlps=*/0, /*maxUlps=*/3);
/// if (!c.passed())
///   os << c.text();
/// ```
///
/// prints
///
///   expected 2.5 at [1, 0], got 2.75, 1 ULP away; 3 of 8 elements differ

#ifndef MERCATOR_REFERENCE_CORE_CHECK_H
#define MERCATOR_REFERENCE_CORE_CHECK_H

#include "mercator/reference/core/Tensor.h"

#include <optional>
#include <string>

namespace mercator::reference {

/// The distance of two values in units in the last place; for complex numbers
/// the larger distance of their parts. For integers it is their difference.
/// Nothing if the distance is infinite: an infinity or a NaN and another value.
[[nodiscard]] std::optional<uint64_t> ulpsBetween(const Element &element,
                                                  Scalar a, Scalar b);

/// The result of comparing two tensors of the same type.
class Comparison {
public:
  Comparison(const Tensor &actual, const Tensor &expected,
             llvm::function_ref<bool(Scalar, Scalar)> agree);

  [[nodiscard]] bool passed() const { return differing == 0; }
  /// Describes the first difference and the number of differing elements.
  /// Requires: !passed().
  [[nodiscard]] std::string text() const;

private:
  const Tensor &actual, &expected;
  int64_t first = -1, differing = 0;
};

// Equality is defined as in StableHLO's own interpreter: a test that fails
// there must fail here.

/// Elements are equal by IEEE 754: 0 equals -0, and a NaN equals nothing.
Comparison compareEqual(const Tensor &actual, const Tensor &expected);
/// Elements are equal, or both NaN, or finite and at most `absolute` + `relative`
/// * |expected| apart.
Comparison compareAlmostEqual(const Tensor &actual, const Tensor &expected,
                              double absolute, double relative = 0);
/// Elements are between `minUlps` and `maxUlps` apart; NaNs are 0 apart.
Comparison compareClose(const Tensor &actual, const Tensor &expected,
                        uint64_t minUlps, uint64_t maxUlps);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_CHECK_H
