// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Sorting along one dimension by a comparator of the program.

#ifndef MERCATOR_REFERENCE_STABLEHLO_SORT_H
#define MERCATOR_REFERENCE_STABLEHLO_SORT_H

#include "mercator/reference/core/Evaluator.h"

namespace mercator::reference {

/// The inputs with all slices along `dim` in the order of the comparator;
/// stable. Requires: at least one input, of rank > `dim`.
llvm::FailureOr<llvm::SmallVector<Tensor>> sorted(Step &step,
                                                  mlir::Region &comparator,
                                                  llvm::ArrayRef<Tensor> inputs,
                                                  int64_t dim);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_STABLEHLO_SORT_H
