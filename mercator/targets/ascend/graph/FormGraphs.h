// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Forms graphs for export from functions. GE has no calls: they are inlined
/// before (prepare/InlineCalls.h), and operations are converted
/// (rules/Convert.h).
///
/// ```cpp (mlir::ModuleOp module)
/// std::vector<Unconverted> stay = formGraphs(module);
/// ```
///
/// Each function that stays has a reason. The others are converted:
///
///   func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
///     %0 = ascend.Exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
///     return %0 : tensor<4xf32>
///   }
///
/// becomes
///
///   ascend.graph @main {
///     %x = ascend.Data {index = 0} : tensor<4xf32>
///     %0 = ascend.Exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
///     ascend.NetOutput %0 : tensor<4xf32>
///   }

#ifndef MERCATOR_TARGETS_ASCEND_GRAPH_FORMGRAPHS_H
#define MERCATOR_TARGETS_ASCEND_GRAPH_FORMGRAPHS_H

#include "mercator/targets/ascend/operators/Unsupported.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace mercator::ascend {

/// Makes an `ascend.graph` of each function that contains only operators of GE:
/// a `Data` for each parameter, used or unused, in order and with the names of
/// their locations, and a NetOutput for the results. Erases unused operations
/// from all functions, merges equal constants, and removes redundant operations
/// (Tidy.h). Returns the functions that stay, and why.
std::vector<Unconverted> formGraphs(mlir::ModuleOp module);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_GRAPH_FORMGRAPHS_H
