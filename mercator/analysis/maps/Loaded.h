// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What code loads of an operand, where that is less than the operation reads.
///
///   convolution, window of 3, padding of 1 on both sides, result of 8
///     reads (s0), s0 in [0, 2]                            24 reads
///     loads the same where d0 + s0 - 1 is in [0, 7]       22 loads
///
/// An element of the kernel that meets padding is multiplied with zero: the maps
/// say that it is read (a NaN in it would matter), and no code loads it.
///
/// ```cpp (mlir::Operation *convolution, indexing::Arena &arena)
/// if (std::optional<indexing::MapSet> loaded =
///         maps::loadedOf(convolution, 1, arena))
///   llvm::outs() << loaded->front();
/// ```

#ifndef MERCATOR_ANALYSIS_MAPS_LOADED_H
#define MERCATOR_ANALYSIS_MAPS_LOADED_H

#include "mercator/indexing/decide/MapSet.h"

#include "mlir/IR/Operation.h"

namespace mercator::maps {

/// From the result to the operand. None where everything that is read is loaded, or
/// where a shape is not static.
[[nodiscard]] std::optional<indexing::MapSet>
loadedOf(mlir::Operation *op, unsigned operand, indexing::Arena &arena);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_LOADED_H
