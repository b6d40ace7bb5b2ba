// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runtime variables that are read at indices with range variables.
//
//   (d0)[s0]{rt0} -> (rt0), rt0 is element (d0)         one value for each d0
//   (d0)[s0]{rt0} -> (rt0), rt0 is element (d0, s0)     a value for each s0, too
//
// For the second one, comparing or counting for one value at a time is not
// enough.

#ifndef MERCATOR_INDEXING_DECIDE_RANGEREADS_H
#define MERCATOR_INDEXING_DECIDE_RANGEREADS_H

#include "mercator/indexing/map/Map.h"

namespace mercator::indexing {

/// True if the index of a runtime variable depends on a range variable.
[[nodiscard]] bool readsAtRanges(const Map &map);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_DECIDE_RANGEREADS_H
