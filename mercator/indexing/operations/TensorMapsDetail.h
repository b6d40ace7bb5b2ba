// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers shared by the files that implement TensorMaps.h.

#ifndef MERCATOR_INDEXING_OPERATIONS_TENSORMAPSDETAIL_H
#define MERCATOR_INDEXING_OPERATIONS_TENSORMAPSDETAIL_H

#include "mercator/indexing/operations/TensorMaps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

namespace mercator::indexing::detail {

/// A map with one dimension for each size and no results yet.
Map onBox(Arena &arena, Sizes sizes);

/// The map with runtime variables merged; the known empty map if the bounds of
/// a variable or a constraint are empty.
Map finish(Map &&map);

/// The map in the given direction: `outToIn` or its inverse. `operand` are the
/// sizes of the operand. A variable with one value stays a variable.
Map inDirection(Direction direction, Map &&outToIn, Sizes operand);

} // namespace mercator::indexing::detail

#endif // MERCATOR_INDEXING_OPERATIONS_TENSORMAPSDETAIL_H
