// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A few words on what a dispatch does, for its name: the linalg operation with
/// the most iterations, and how many along each loop.
///
///   linalg.fill          outs(tensor<4x8xf32>)
///   linalg.matmul        4 x 8 x 16               "matmul_4x8x16"
///
/// A loop whose length is unknown is `D`, and counts as longer than any that is
/// known. Of operations with as many iterations the last is named.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_DISPATCHSUMMARY_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_DISPATCHSUMMARY_H

#include "mlir/IR/Region.h"

#include <string>

namespace mercator::flow {

/// Empty where `body` has no linalg operation.
std::string summarizeDispatch(mlir::Region &body);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_DISPATCHSUMMARY_H
