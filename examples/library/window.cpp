// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes a map, prints it, and inverts it.

#include "mercator/indexing/map/Map.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/indexing/simplify/Inverse.h"
#include "llvm/Support/raw_ostream.h"

using namespace mercator::indexing;

int main() {
  // Element d0 of the result reads three neighbors in a row of ten.
  Arena arena;
  Map window(arena);
  Expr d0 = window.domain.addDim(arena, {0, 9});
  Expr s0 = window.domain.addRange(arena, {0, 2});
  Expr read = arena.add(arena.add(d0, s0), arena.constant(-1));
  window.results = {read};
  window.domain.addConstraint(read, {0, 9});
  llvm::outs() << toString(window) << '\n';

  // Which elements of the result read element d0 of the row?
  llvm::outs() << toString(inverse(window, {10})) << '\n';
}

// prints
//   (d0)[s0] -> (d0 + s0 - 1), domain: d0 in [0, 9], s0 in [0, 2], d0 + s0 - 1 in [0, 9]
//   (d0)[s0] -> (d0 - s0 + 1), domain: d0 in [0, 9], s0 in [0, 2], d0 - s0 in [-1, 8]
