// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reduce_window, cumulative reductions.

#include "mercator/transforms/stablehlo/Builders.h"

using namespace mlir;

namespace mercator::stablehlo {

void addReduceWindowRules(LoweringRules &rules) {}

} // namespace mercator::stablehlo
