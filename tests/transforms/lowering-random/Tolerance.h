// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How far the results of a program may be from those of another that computes
/// the same in another order.

#ifndef MERCATOR_TESTS_TRANSFORMS_LOWERING_RANDOM_TOLERANCE_H
#define MERCATOR_TESTS_TRANSFORMS_LOWERING_RANDOM_TOLERANCE_H

#include "mercator/reference/core/Tensor.h"
#include "tests/random/programs/Sample.h"

#include <string>

namespace mercator::testing {

inline constexpr double kUlps = 64;
/// For solvers and transforms of whole matrices.
inline constexpr double kUlpsOfSolvers = 4096;

/// The tolerance of an operation of a program; 0 if it gives the same bits.
[[nodiscard]] double ulpsOf(const Sample &sample, const SampleOperation &op);
/// The largest of its operations.
[[nodiscard]] double ulpsOf(const Sample &sample);

/// The distance of two results in units of the last place of the largest
/// element; 0 if they are equal, infinite if the difference is not one of
/// rounding.
[[nodiscard]] double distance(const reference::Tensor &want,
                              const reference::Tensor &got, std::string &why);

} // namespace mercator::testing

#endif // MERCATOR_TESTS_TRANSFORMS_LOWERING_RANDOM_TOLERANCE_H
