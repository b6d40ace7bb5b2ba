// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Loads of one thread that LLVM makes one: neighbors in memory, at an address that is
/// aligned for all threads. Internal to this folder.
///
///   window of 16 elements, at (d0 * 16 + s0)     4 loads of 16 bytes, not 16 of 4
///   window of 3, at (d0 * 2 + s0)                1 of 8 bytes and 1 of 4
///   window of 7, at (d0 * 8 + s0)                2 of 16 bytes: what is between, and
///   x[0] and x[3], at (d0 * 4)                   1 of 16   up to 16, is loaded as well
///
/// Source: LLVM's LoadStoreVectorizer. Loads that only some threads carry out, such as
/// those of a pad, stay apart. Loops of reductions are unrolled by XLA as far as their
/// instructions allow (xla/codegen/emitters/transforms/unroll_loops.cc).

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
  int64_t most = 0; ///< loads of the others, at most; else they stay loops, too
  size_t conditions = 0; ///< those that all threads share
  bool isStore = false;
};

/// A part of the loads of `of`: with that many neighbors at once.
struct JoinedLoad {
  size_t of; ///< the first of the given loads that is in it
  indexing::Map
      map; ///< (lane, element, ...) -> (number of the element in memory)
  int64_t vector = 1;
};

struct Neighbors {
  std::vector<JoinedLoad> loads = {}; ///< none if nothing can be joined
  /// Some loads are joined that have a condition: LLVM may see that or not.
  bool isGuess = false;
  /// A loop that is too long to be unrolled wholly has neighbors.
  bool isPartly = false;
};

/// Requires: one element a thread, in elements of whole bytes, of one operand. All
/// are stores, or none.
/// Ensures: all of them are covered, if some are joined.
[[nodiscard]] Neighbors joinNeighbors(llvm::ArrayRef<ThreadLoad> loads);

} // namespace mercator::kernels

#endif // MERCATOR_ANALYSIS_KERNELS_NEIGHBORS_H
