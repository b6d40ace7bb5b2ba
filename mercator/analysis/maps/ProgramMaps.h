// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indexing maps between any two values of a module.
//
//   func @g(%x) { %r = reverse %x; return %r }
//   func @f(%p) { %t = transpose %p; %y = call @g(%t); %z = negate %y }
//
//   ProgramMaps maps(arena, module);
//   maps.between({z}, {p})      which elements of %p an element of %z reads
//   maps.between({z}, {r})      of %r, in @g
//   maps.between({r}, {p})      of %p an element of %r reads, in any of its
//   calls maps.from({z})              all of these, in one walk
//
// How. As FusionMaps.h, in two parts. Up: from the root's block to what its
// arguments are where the block is called, branched to or repeated, and so on
// to the entry. Down: from the results of everything that was met on the way up
// to what computes them. Calls that only stand between are passed by what their
// computation reads, which is worked out once. So each block is walked at most
// three times, whatever the number of paths; and what goes up from one call
// does not come down into another.
//
// What it means. A value in a loop, a branch or a function has as many
// instances as that runs. Downwards, the maps give the elements that are read
// of any instance. Upwards, they give what any instance reads, which is not
// exact where the instances differ. A value inside a branch or a loop does not
// read the predicate: the results do.
//
// Limits: those of FusionMaps.h.

#ifndef MERCATOR_ANALYSIS_MAPS_PROGRAMMAPS_H
#define MERCATOR_ANALYSIS_MAPS_PROGRAMMAPS_H

#include "mercator/analysis/maps/FusionMaps.h"

namespace mercator {

class ProgramMaps {
public:
  /// Keeps what it finds for as long as the arena and the module live and are
  /// not changed.
  ProgramMaps(indexing::Arena &arena, mlir::Operation *module);
  ~ProgramMaps();

  /// From the elements of `later` to those of `earlier` that they depend on; no
  /// map at all where they depend on none.
  [[nodiscard]] indexing::MapSet between(Leaf later, Leaf earlier);

  /// All that a value depends on, in the order of a walk towards the entry.
  /// None where some computation of the module calls itself or has several
  /// blocks.
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
