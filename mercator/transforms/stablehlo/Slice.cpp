// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Slice, real_dynamic_slice, dynamic_slice, dynamic_update_slice.

#include "mercator/transforms/stablehlo/Builders.h"

using namespace mlir;

namespace mercator::stablehlo {

void addSliceRules(LoweringRules &rules) {}

} // namespace mercator::stablehlo
