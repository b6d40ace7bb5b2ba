// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Graphs to export, made of functions.
///
///   if (failed(inlineCalls(module)))             // GE has no calls
///     return failure();
///   std::vector<Unconverted> left = convertToAscend(module, options);
///   std::vector<Unconverted> stay = formGraphs(module);
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

#ifndef MERCATOR_TARGETS_ASCEND_LOWERING_FORMGRAPHS_H
#define MERCATOR_TARGETS_ASCEND_LOWERING_FORMGRAPHS_H

#include "mercator/targets/ascend/lowering/Convert.h"

#include "llvm/ADT/DenseSet.h"

namespace mercator::ascend {

/// Puts the body of a function of one block in the place of each call of it,
/// and erases the private functions that nothing refers to. Linear in the size
/// of what comes out. Fails after an error where functions call themselves, or
/// where the bodies come to more than four million operations.
[[nodiscard]] llvm::LogicalResult inlineCalls(mlir::ModuleOp module);

/// What anything in the module refers to by name; none where an operation is
/// unknown, which may refer to anything. Walks over the module.
[[nodiscard]] std::optional<llvm::DenseSet<mlir::StringAttr>>
referredSymbols(mlir::ModuleOp module);

/// Makes an `ascend.graph` of each function that holds nothing but operators of
/// GE: `Data` for its parameters, in their order and under the names that their
/// locations have, also for those that nothing reads; a NetOutput for what it
/// returns. Operations that nothing uses are erased from all functions, and
/// equal constants become one; what is said twice is said once (Tidy.h). The
/// functions that stay, and why.
std::vector<Unconverted> formGraphs(mlir::ModuleOp module);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_LOWERING_FORMGRAPHS_H
