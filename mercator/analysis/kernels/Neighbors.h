// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Loads of one thread that LLVM makes one: neighbors in memory, at an address that is
/// aligned for all threads. Internal to this folder.
///
///   window of 16 elements, at (d0 * 16 + s0)     4 loads of 16 bytes, not 16 of 4
///   window of 3, at (d0 * 2 + s0)                1 of 8 bytes and 1 of 4
///   x[0] and x[1]                                1 of 8 bytes
///
/// Source: LLVM's LoadStoreVectorizer. Loads that only some threads carry out, such as
/// those of a pad, stay apart.

#ifndef MERCATOR_ANALYSIS_KERNELS_NEIGHBORS_H
#define MERCATOR_ANALYSIS_KERNELS_NEIGHBORS_H

#include "mercator/analysis/Layout.h"
#include "mercator/indexing/map/Map.h"

#include <vector>

namespace mercator::kernels {

/// A load of each thread, by a map (lane, element, ...)[loop, ...] -> index.
struct ThreadLoad {
  indexing::Map map;
  access::Layout layout;
  size_t loops = 0; ///< ranges that stay loops; the others are unrolled
};

/// A part of the loads of `of`: with that many neighbors at once.
struct JoinedLoad {
  size_t of; ///< the first of the given loads that is in it
  indexing::Map
      map; ///< (lane, element, ...) -> (number of the element in memory)
  int64_t vector = 1;
};

/// Requires: one element a thread, in elements of whole bytes, of one operand.
/// Ensures: none if nothing can be joined; else all of them are covered.
[[nodiscard]] std::vector<JoinedLoad>
joinNeighbors(llvm::ArrayRef<ThreadLoad> loads);

} // namespace mercator::kernels

#endif // MERCATOR_ANALYSIS_KERNELS_NEIGHBORS_H
