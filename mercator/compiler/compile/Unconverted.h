// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The operations of a program that have no operator in Ascend's Graph Engine,
/// and the diagnostics about them. Internal.

#ifndef MERCATOR_COMPILER_COMPILE_UNCONVERTED_H
#define MERCATOR_COMPILER_COMPILE_UNCONVERTED_H

#include "mercator/support/Diagnostic.h"
#include "mercator/targets/ascend/operators/Unsupported.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <vector>

namespace mercator {

/// The operations of a function that no graph can hold, in their order, each
/// with the reason. `left` has the reasons that the conversion gave.
[[nodiscard]] std::vector<ascend::Unconverted>
unconvertedOf(mlir::FunctionOpInterface function,
              llvm::ArrayRef<ascend::Unconverted> left);

/// Reports the operations as errors or as remarks: twenty places, with at least
/// one of each kind as far as that goes. Notes count the others of each kind.
void report(llvm::ArrayRef<ascend::Unconverted> unconverted, bool asErrors,
            DiagnosticEngine &diagnostics);

} // namespace mercator

#endif // MERCATOR_COMPILER_COMPILE_UNCONVERTED_H
