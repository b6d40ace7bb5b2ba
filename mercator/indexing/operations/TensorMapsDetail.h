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
Map finish(Map map);

/// Returns dim - start, and restricts it to [0, size - 1]: by the bounds of the
/// dimension if the start is a constant, else by a constraint.
Expr insideSlice(Map &map, int64_t dim, Expr start, int64_t size);

} // namespace mercator::indexing::detail

#endif // MERCATOR_INDEXING_OPERATIONS_TENSORMAPSDETAIL_H
