// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Products of matrices.

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/transforms/ascend/Build.h"
#include "mercator/transforms/ascend/Convert.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

FailureOr<Value> ascend::convertProduct(Conversion &c) { return failure(); }
