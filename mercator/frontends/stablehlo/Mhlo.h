// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Reads the dialect `mhlo`, the predecessor of StableHLO.
///
///   %0 = mhlo.add %a, %b : tensor<4xf32>
///   %1 = "mhlo.compare"(%a, %b) {comparison_direction =
///          #mhlo<comparison_direction LT>} : ..
///
/// An operation, an attribute or a type of mhlo whose name and syntax StableHLO
/// has too is read as that of StableHLO: most operations are. Functions such as
/// `mhlo.erf` are those of chlo. Other operations of mhlo are not converted.

#ifndef MERCATOR_FRONTENDS_STABLEHLO_MHLO_H
#define MERCATOR_FRONTENDS_STABLEHLO_MHLO_H

#include "mlir/IR/Operation.h"

namespace mercator::stablehlo {

/// Lets the parser read mhlo.
void loadMhlo(mlir::MLIRContext &context);

/// Replaces operations of mhlo that were read in the generic form. Fails after an
/// error if an attribute does not fit.
llvm::LogicalResult convertMhlo(mlir::Operation *root);

} // namespace mercator::stablehlo

#endif // MERCATOR_FRONTENDS_STABLEHLO_MHLO_H
