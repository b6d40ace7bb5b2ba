// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Broadcast_in_dim, broadcast, dynamic_broadcast_in_dim.

#include "mercator/transforms/stablehlo/Builders.h"

using namespace mlir;

namespace mercator::stablehlo {

void addBroadcastRules(LoweringRules &rules) {}

} // namespace mercator::stablehlo
