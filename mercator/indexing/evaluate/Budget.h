// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A limit on the work of a question that may take too long.
//
// Work is counted, not timed: the same question has the same answer on every
// machine.

#ifndef MERCATOR_INDEXING_EVALUATE_BUDGET_H
#define MERCATOR_INDEXING_EVALUATE_BUDGET_H

#include <cstdint>

namespace mercator::indexing {

struct Budget {
  /// A step gives one value to one variable.
  int64_t steps = int64_t(1) << 20;
  /// The most columns of a polyhedron that is searched for integer points; 0
  /// turns such searches off. See Emptiness.h.
  unsigned columns = 8;

  /// Takes n steps off. False if there were fewer.
  bool spend(int64_t n = 1) {
    steps -= n;
    return steps >= 0;
  }
};

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_EVALUATE_BUDGET_H
