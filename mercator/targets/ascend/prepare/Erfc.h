// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The complementary error function as exporters write it: jax.export replaces
/// chlo.erfc by about fifty operations, with three polynomials of float32.

#ifndef MERCATOR_TARGETS_ASCEND_PREPARE_ERFC_H
#define MERCATOR_TARGETS_ASCEND_PREPARE_ERFC_H

#include "mercator/targets/ascend/prepare/Views.h"

namespace mercator::ascend {

/// u, if the view is erfc(u) in this form:
///
///   select(|u| < 1, 1 - u * E(u^2), select(u < 0, 2 - tail, tail))
///   tail = select(-u^2 < -88.7, 0, exp(-u^2) / |u| *
///                                  select(|u| < 2, P(1 / u^2), R(1 / u^2)))
///
/// with the coefficients of Cephes for E, P and R.
[[nodiscard]] std::optional<View> erfcArgument(const Views &views,
                                               const View &view);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_PREPARE_ERFC_H
