// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of the elementwise operations.

#include "mercator/dialects/stablehlo/Verify.h"

using namespace mlir;
using namespace mercator::stablehlo;

LogicalResult AbsOp::verify() { return success(); }
LogicalResult AddOp::verify() { return success(); }
LogicalResult ClampOp::verify() { return success(); }
LogicalResult ComplexOp::verify() { return success(); }
LogicalResult ImagOp::verify() { return success(); }
LogicalResult RealOp::verify() { return success(); }
LogicalResult UniformDequantizeOp::verify() { return success(); }
LogicalResult UniformQuantizeOp::verify() { return success(); }
