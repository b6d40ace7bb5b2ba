// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Get_dimension_size, set_dimension_size.

#include "mercator/transforms/stablehlo/Builders.h"

using namespace mlir;

namespace mercator::stablehlo {

void addDimensionSizeRules(LoweringRules &rules) {}

} // namespace mercator::stablehlo
