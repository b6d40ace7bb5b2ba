// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Forms graphs for export from functions.
///
/// ```cpp (mlir::ModuleOp module)
/// if (failed(inlineCalls(module))) // GE has no calls
///   return;
/// std::vector<Unconverted> left = convertToAscend(module, {});
/// std::vector<Unconverted> stay = formGraphs(module);
/// ```
///
/// converts
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

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/targets/ascend/lowering/Convert.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace mercator::ascend {

/// Replaces each call of a function with one block by its body, and erases
/// private functions without references. Linear in the size of the result.
/// Fails after an error for recursive functions, and if the result has more
/// than four million operations.
[[nodiscard]] llvm::LogicalResult inlineCalls(mlir::ModuleOp module);

/// The symbols that the module refers to; none if an unknown operation exists,
/// which may refer to any symbol. Walks over the module.
[[nodiscard]] std::optional<llvm::DenseSet<mlir::StringAttr>>
referredSymbols(mlir::ModuleOp module);

/// The names that the program has for a parameter: that of its value, without
/// `%`, and those of its traced source, which are the names inside its location
/// and `jax.arg_info`. `input0` if it has none.
[[nodiscard]] llvm::SmallVector<mlir::StringAttr, 2>
namesOf(mlir::func::FuncOp function, unsigned argument);
/// The same for an input of a graph: first the name of its node.
[[nodiscard]] llvm::SmallVector<mlir::StringAttr, 2> namesOf(DataOp data);
/// The name of a parameter as an input of a graph.
[[nodiscard]] std::string inputName(mlir::func::FuncOp function,
                                    unsigned argument);

/// Makes an `ascend.graph` of each function that contains only operators of GE:
/// a `Data` for each parameter, used or unused, in order and with the names of
/// their locations, and a NetOutput for the results. Erases unused operations
/// from all functions, merges equal constants, and removes redundant operations
/// (Tidy.h). Returns the functions that stay, and why.
std::vector<Unconverted> formGraphs(mlir::ModuleOp module);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_LOWERING_FORMGRAPHS_H
