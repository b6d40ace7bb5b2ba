// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Turns the operations of VHLO into those of StableHLO and func.
///
///   vhlo.gather_v1                  stablehlo.gather
///     offset_dims = dense<[1]>        dimension_numbers =
///     index_vector_dim = 1 ..         #stablehlo.gather<offset_dims = [1], ..>
///     indices_are_sorted = false      (the default is omitted)
///   vhlo.func_v1, vhlo.call_v1      func.func, func.call
///   vhlo.return_v1                  func.return or stablehlo.return
///
/// Both dialects have the same operations. What differs is a matter of
/// attributes, and each difference is a row or a function of Convert.cpp.

#ifndef MERCATOR_FRONTENDS_VHLO_CONVERT_H
#define MERCATOR_FRONTENDS_VHLO_CONVERT_H

#include "mlir/IR/Operation.h"

namespace mercator::vhlo {

/// Converts the operations below `root`, which were read by Encodings.h. Also
/// removes the casts that surround operations of other dialects in an artifact
/// that mixes them. Fails after an error.
llvm::LogicalResult convertToStablehlo(mlir::Operation *root);

} // namespace mercator::vhlo

#endif // MERCATOR_FRONTENDS_VHLO_CONVERT_H
