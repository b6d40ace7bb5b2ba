// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of the operations whose shapes are known when the program runs.

#include "mercator/dialects/stablehlo/Verify.h"

using namespace mlir;
using namespace mercator::stablehlo;

LogicalResult DynamicBroadcastInDimOp::verify() { return success(); }
LogicalResult DynamicIotaOp::verify() { return success(); }
LogicalResult DynamicPadOp::verify() { return success(); }
LogicalResult DynamicReshapeOp::verify() { return success(); }
LogicalResult GetDimensionSizeOp::verify() { return success(); }
LogicalResult RealDynamicSliceOp::verify() { return success(); }
LogicalResult SetDimensionSizeOp::verify() { return success(); }
LogicalResult TorchIndexSelectOp::verify() { return success(); }
