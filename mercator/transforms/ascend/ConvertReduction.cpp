// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reductions.

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/transforms/ascend/Build.h"
#include "mercator/transforms/ascend/Convert.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

FailureOr<Value> ascend::convertReduction(Conversion &c) { return failure(); }
