// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A short name for the work of a dispatch: the linalg operation with the most
/// iterations, and the extent of each loop.
///
///   linalg.fill          outs(tensor<4x8xf32>)
///   linalg.matmul        4 x 8 x 16               "matmul_4x8x16"
///
/// A loop of unknown extent is `D` and counts as longer than any known one. Of
/// operations with equally many iterations the last is named. A loop on numbers
/// is named after the shape of its first result: "loop_8x9".

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_DISPATCHSUMMARY_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_DISPATCHSUMMARY_H

#include "mlir/IR/Region.h"

#include <string>

namespace mercator::flow {

/// Empty if `body` has no linalg operation and no loop.
std::string summarizeDispatch(mlir::Region &body);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_DISPATCHSUMMARY_H
