// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Random programs whose operations share many values: what dispatch formation
/// decides about.

#ifndef MERCATOR_TESTS_RANDOM_TRAINING_RANDOMPROGRAMS_H
#define MERCATOR_TESTS_RANDOM_TRAINING_RANDOMPROGRAMS_H

#include <cstdint>
#include <string>
#include <vector>

namespace mercator::testing {

struct RandomProgram {
  std::string text; ///< of one function, @f
  /// For each parameter the number of values, if it has indices or flags; 0 for
  /// floats, which are to be in [-1, 1].
  std::vector<int64_t> below;
};

/// A step of training: some layers (dense, convolutions, pools, norms, attention,
/// an embedding), a loss of some terms over a mask, the gradient, and the update of
/// all parameters (SGD, momentum, Adam, clipping, decay). Floats are f64 or f32.
[[nodiscard]] RandomProgram randomTrainingStep(uint64_t seed);

/// Operations on few shapes that read each other in all ways: sums along each
/// axis and of all, broadcasts, products, masks that several read, reshapes and
/// slices, several results.
[[nodiscard]] RandomProgram randomGraph(uint64_t seed);

/// What a schedule decides about, of sizes that have several tiles: products,
/// reductions, chains of products, blocks, gradients, attention, convolutions, and rows
/// of tables, in turn.
[[nodiscard]] RandomProgram randomKernels(uint64_t seed);

} // namespace mercator::testing

#endif // MERCATOR_TESTS_RANDOM_TRAINING_RANDOMPROGRAMS_H
