// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The algorithms of dot_general: their names in HLO, and their components.

#ifndef MERCATOR_DIALECTS_STABLEHLO_DOTALGORITHMS_H
#define MERCATOR_DIALECTS_STABLEHLO_DOTALGORITHMS_H

#include "mercator/dialects/stablehlo/Stablehlo.h"

namespace mercator::stablehlo {

/// The parts that each operand is split into. XLA's presets state one component,
/// and the number of products implies the parts: 3 products of 2 parts, 6 or 9
/// of 3.
[[nodiscard]] int64_t componentsOf(DotAlgorithmAttr algorithm);

/// The algorithm that HLO calls `dot_bf16_bf16_f32_x3` and the like, for operands
/// of these element types; null if StableHLO has no such algorithm.
[[nodiscard]] DotAlgorithmAttr algorithmOfHlo(llvm::StringRef name,
                                              mlir::Type lhs, mlir::Type rhs);

} // namespace mercator::stablehlo

#endif // MERCATOR_DIALECTS_STABLEHLO_DOTALGORITHMS_H
