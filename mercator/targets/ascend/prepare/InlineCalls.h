// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Inlines calls, which GE does not have.

#ifndef MERCATOR_TARGETS_ASCEND_PREPARE_INLINECALLS_H
#define MERCATOR_TARGETS_ASCEND_PREPARE_INLINECALLS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>

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

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_PREPARE_INLINECALLS_H
