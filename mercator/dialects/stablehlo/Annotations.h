// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Calls that annotate a tensor and compute nothing.

#ifndef MERCATOR_DIALECTS_STABLEHLO_ANNOTATIONS_H
#define MERCATOR_DIALECTS_STABLEHLO_ANNOTATIONS_H

#include "mercator/dialects/stablehlo/Stablehlo.h"

namespace mercator::stablehlo {

/// Whether a call returns the elements of its operands unchanged, if it has
/// results, and only states their placement, layout or division.
[[nodiscard]] bool isAnnotation(CustomCallOp op);

} // namespace mercator::stablehlo

#endif // MERCATOR_DIALECTS_STABLEHLO_ANNOTATIONS_H
