// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The block of the computation that an operation enters: a call, a fusion, an
// asynchronous start.

#ifndef MERCATOR_ANALYSIS_COMPUTATIONS_H
#define MERCATOR_ANALYSIS_COMPUTATIONS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"

#include <string>

namespace mercator::maps {

/// The block of the computation that an operation enters. Without a block and
/// without a refusal, the operation enters no computation.
struct CalledBlock {
  mlir::Block *block = nullptr;
  std::string refusal; ///< the reason why it cannot be entered
};
[[nodiscard]] CalledBlock computationOf(mlir::Operation *op,
                                        mlir::SymbolTableCollection *symbols);

/// True for control flow: branches and loops. Their results are those of their
/// regions, and the regions use values from outside. A flow.dispatch.region is
/// a branch that is always taken.
[[nodiscard]] bool isControl(mlir::Operation *op);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_COMPUTATIONS_H
