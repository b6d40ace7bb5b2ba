// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indexing maps between any two values of a module.
//
//   func @g(%x) { %r = reverse %x; return %r }
//   func @f(%p) { %t = transpose %p; %y = call @g(%t); %z = negate %y }
//
// ```cpp (Arena &arena, mlir::Operation *module, Leaf z, Leaf r, Leaf p)
// ProgramMaps maps(arena, module);
// MapSet all = maps.between(z, p);   // the elements of %p that %z reads
// MapSet inner = maps.between(z, r); // of %r, in @g
// MapSet outer = maps.between(r, p); // of %p that %r reads, in any call of @g
// auto reads = maps.from(z);         // all of these, in one walk
// ```
//
// Method. As in FusionMaps.h, in two parts. Up: from the block of the root to
// the operands where the block is called, branched to or repeated, and so on to
// the entry. Down: from the results of the operations met on the way up to the
// values that compute them. A call whose computation does not contain the
// target is passed in one step, by the reads of the computation, which are
// computed once. So each block is walked at most three times, for any number of
// paths. Reads that go up from one call do not come down into another call.
//
// Meaning. A value in a loop, a branch or a function has one instance for each
// time that it runs. Downwards, the maps give the elements that are read of any
// instance. Upwards, they give the elements that any instance reads, which is
// not exact if the instances differ. A value inside a branch or a loop does not
// read the predicate; the results do.
//
// Limits: those of FusionMaps.h.

#ifndef MERCATOR_ANALYSIS_MAPS_PROGRAMMAPS_H
#define MERCATOR_ANALYSIS_MAPS_PROGRAMMAPS_H

#include "mercator/analysis/maps/FusionMaps.h"

namespace mercator {

class ProgramMaps {
public:
  /// Caches results. Requires: the arena and the module outlive this object and
  /// are not changed.
  ProgramMaps(indexing::Arena &arena, mlir::Operation *module);
  ~ProgramMaps();

  /// The maps from the elements of `later` to the elements of `earlier` that
  /// they depend on; the empty set if they depend on none.
  [[nodiscard]] indexing::MapSet between(Leaf later, Leaf earlier);

  /// All values that a value depends on, in the order of a walk towards the
  /// entry. Nothing if some computation of the module is recursive or has
  /// several blocks.
  struct Read {
    Leaf leaf;
    indexing::MapSet maps;
  };
  [[nodiscard]] std::optional<std::vector<Read>> from(Leaf root);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace mercator

#endif // MERCATOR_ANALYSIS_MAPS_PROGRAMMAPS_H
