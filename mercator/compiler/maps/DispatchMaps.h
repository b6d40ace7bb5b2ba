// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The maps of a dispatch of flow: through the code that it runs.
///
///   %1 = flow.dispatch @softmax::@main(%0)
///     result 0 reads %0 by (d0, d1)[s0] -> (d0, s0)

#ifndef MERCATOR_COMPILER_MAPS_DISPATCHMAPS_H
#define MERCATOR_COMPILER_MAPS_DISPATCHMAPS_H

#include "mercator/indexing/decide/MapSet.h"

#include "mlir/IR/Operation.h"

#include <optional>
#include <vector>

namespace mercator {

[[nodiscard]] bool isDispatch(mlir::Operation *op);

/// From a result of a dispatch to each of its operands. None if its code is not
/// followed. The module is as before. Requires: isDispatch(op).
[[nodiscard]] std::optional<std::vector<indexing::MapSet>>
mapsThroughDispatch(mlir::Operation *op, unsigned result,
                    indexing::Arena &arena);

} // namespace mercator

#endif // MERCATOR_COMPILER_MAPS_DISPATCHMAPS_H
