// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the files that implement TensorMaps.h.

#ifndef MERCATOR_INDEXING_OPERATIONS_TENSORMAPSDETAIL_H
#define MERCATOR_INDEXING_OPERATIONS_TENSORMAPSDETAIL_H

#include "mercator/indexing/operations/TensorMaps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

namespace mercator::indexing::detail {

/// A map with one dimension for each size and no results yet.
Map onBox(Arena &arena, Sizes sizes);

/// The map with each runtime variable once, or the known empty one where a
/// variable or a constraint has no value.
Map finish(Map map);

/// dim - start, which is restricted to [0, size - 1]. With a constant start the
/// restriction is the dimension's bounds.
Expr insideSlice(Map &map, int64_t dim, Expr start, int64_t size);

} // namespace mercator::indexing::detail

#endif // MERCATOR_INDEXING_OPERATIONS_TENSORMAPSDETAIL_H
