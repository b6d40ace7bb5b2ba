// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The block of a computation that an operation enters: of a call, a fusion, an
// asynchronous start.

#ifndef MERCATOR_ANALYSIS_COMPUTATIONS_H
#define MERCATOR_ANALYSIS_COMPUTATIONS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"

#include <string>

namespace mercator::maps {

/// The block of the computation that an operation stands for. Neither a block
/// nor a refusal: it stands for none.
struct Computation {
  mlir::Block *block = nullptr;
  std::string refusal; ///< why it cannot be entered
};
[[nodiscard]] Computation computationOf(mlir::Operation *op,
                                        mlir::SymbolTableCollection *symbols);

/// True for operations whose regions choose or repeat: their results are those
/// of the regions, and the regions use values from outside.
[[nodiscard]] bool isControl(mlir::Operation *op);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_COMPUTATIONS_H
