// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Top_k.

#include "mercator/transforms/stablehlo/lowering/Builders.h"

using namespace mlir;

namespace mercator::stablehlo {

void addTopKRules(LoweringRules &rules) {}

} // namespace mercator::stablehlo
