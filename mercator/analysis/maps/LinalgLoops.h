// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of an operation of linalg, and the values that its body uses from
// outside. Internal.
//
//   linalg.generic ins(%i) outs(%e)             loops d0 in [0, 4], d1 in [0, 19]
//   ^bb0(%n, %out):
//     %0 = index_cast %n  ; %1 = minsi(maxsi(%0, 0), 9)
//     %2 = linalg.index 1 ; %3 = tensor.extract %x[%1, %2] ; yield %3
//
//   from the result to %x   (d0, d1){rt0} -> (rt0, d1), rt0 in [0, 9]
//                           rt0 is element (d0) of %i

#ifndef MERCATOR_ANALYSIS_MAPS_LINALGLOOPS_H
#define MERCATOR_ANALYSIS_MAPS_LINALGLOOPS_H

#include "mercator/analysis/maps/Model.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mercator::maps {

/// The number of iterations of each loop: the size of an operand dimension that
/// the loop variable alone indexes; the largest int64 if no such size is static.
[[nodiscard]] llvm::SmallVector<int64_t> loopSizes(mlir::linalg::LinalgOp op);

/// The map from loop points to the elements of an operand; nothing if the
/// affine map cannot be expressed.
[[nodiscard]] std::optional<Map> fromLoops(Arena &arena, mlir::AffineMap affine,
                                           indexing::Sizes loops);

/// The map from the elements of an operand of these sizes to loop points.
[[nodiscard]] std::optional<Map> toLoops(Arena &arena, mlir::AffineMap affine,
                                         indexing::Sizes loops,
                                         indexing::Sizes sizes);

/// The maps from a result to a value that the body uses from outside. Nothing
/// if the body uses it in a way that is not followed.
[[nodiscard]] std::optional<MapSet> capturedMaps(mlir::linalg::LinalgOp op,
                                                 Arena &arena, unsigned result,
                                                 mlir::Value captured);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_LINALGLOOPS_H
