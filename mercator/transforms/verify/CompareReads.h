// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Whether a program reads, after a pass, only what it read before.
///
///   before (d0, d1) -> (d1, d0)    after (d0, d1) -> (d0, d1)
///     refuted: at (0, 1), element (0, 1) is read, which was not
///
/// Sets of maps are compared, where the elements that a set gives are the union
/// of those of its maps. A pass may drop reads. So the reads are kept if
///   1. every element that the maps after give is read exactly before, and
///   2. the maps after are exact, or give every element that is read exactly
///      before.
/// Both are *proved*: by prove() and contains() (decide/Prove.h) map by map, or
/// at every point if there are few. They are *refuted* by one element, found by
/// these methods or at points that are tried:
///   1. read exactly after, and given by no map before: added
///   2. read exactly before, and given by no map after, although others are that
///      were not read: moved, if some map after is not exact
/// Otherwise they are *not refuted*.
///
/// Runtime variables are one variable if they are the same element of the same
/// argument. A variable that one side alone has takes any value there, which
/// gives more elements. An element that a map reads only for some values of
/// such a variable refutes nothing: the program may never compute them.

#ifndef MERCATOR_TRANSFORMS_VERIFY_COMPAREREADS_H
#define MERCATOR_TRANSFORMS_VERIFY_COMPAREREADS_H

#include "mercator/indexing/decide/MapSet.h"

#include <optional>
#include <string>
#include <vector>

namespace mercator::verify {

/// An element that one side reads, and the other one does not.
struct ReadCounterexample {
  llvm::SmallVector<int64_t, 6> at, element;
  /// The runtime variables that matter: "argument 1 at (0)", and the value.
  std::vector<std::pair<std::string, int64_t>> runtimes = {};
  bool isAdded = true; ///< else it was read before
};

struct ReadVerdict {
  enum Kind { Proved, NotRefuted, Refuted } kind = NotRefuted;
  /// Less is read than before.
  bool drops = false;
  std::optional<ReadCounterexample> counterexample = {};
};

/// `sizes` of the result and of the argument: indices outside are no elements.
/// Requires: one arena; maps of equal ranks, simplified.
[[nodiscard]] ReadVerdict compareReads(const indexing::MapSet &before,
                                       const indexing::MapSet &after,
                                       llvm::ArrayRef<int64_t> resultSizes,
                                       llvm::ArrayRef<int64_t> argumentSizes);

} // namespace mercator::verify

#endif // MERCATOR_TRANSFORMS_VERIFY_COMPAREREADS_H
