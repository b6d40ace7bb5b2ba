// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Batch_norm_inference, batch_norm_training, batch_norm_grad.

#include "mercator/transforms/stablehlo/Builders.h"

using namespace mlir;

namespace mercator::stablehlo {

void addBatchNormRules(LoweringRules &rules) {}

} // namespace mercator::stablehlo
