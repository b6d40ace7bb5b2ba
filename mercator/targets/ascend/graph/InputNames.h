// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The names of the inputs of graphs.
///
///   func.func @main(%arg0: tensor<4xf32> loc("x"))    // x
///   ascend.graph @main { %0 = ascend.Data {index = 0 : i64, name = "x"} .. }

#ifndef MERCATOR_TARGETS_ASCEND_GRAPH_INPUTNAMES_H
#define MERCATOR_TARGETS_ASCEND_GRAPH_INPUTNAMES_H

#include "mercator/dialects/ascend/Ascend.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>

namespace mercator::ascend {

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
/// The first name that the program has for a parameter; null if there is none.
[[nodiscard]] mlir::StringAttr nameOf(mlir::func::FuncOp function,
                                      unsigned argument);
/// A name without the sigil of MLIR's text; the first of `%values,%indices`.
[[nodiscard]] mlir::StringAttr bare(mlir::StringAttr name);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_GRAPH_INPUTNAMES_H
