// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Uniform_quantize, uniform_dequantize, operations on quantized tensors.

#include "mercator/transforms/stablehlo/Builders.h"

using namespace mlir;

namespace mercator::stablehlo {

void addQuantizeRules(LoweringRules &rules) {}

} // namespace mercator::stablehlo
