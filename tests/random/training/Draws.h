// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of a generator: equal for equal seeds, with every library.
//
//   struct Dice : private Draws { .. if (once(3)) return draw(1, 6); .. };

#ifndef MERCATOR_TESTS_RANDOM_TRAINING_DRAWS_H
#define MERCATOR_TESTS_RANDOM_TRAINING_DRAWS_H

#include <cstdint>
#include <random>

namespace mercator::testing {

class Draws {
protected:
  explicit Draws(uint64_t seed) : engine(seed) {}

  int64_t draw(int64_t low, int64_t high) {
    return low + int64_t(engine() % uint64_t(high - low + 1));
  }
  /// True with probability 1 / n.
  bool once(int64_t n) { return draw(1, n) == 1; }

  std::mt19937_64 engine;
};

} // namespace mercator::testing

#endif // MERCATOR_TESTS_RANDOM_TRAINING_DRAWS_H
