// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Random programs of linalg on tensors: elementwise operations and reductions
/// through permuted and broadcast maps, matrix products, convolutions, slices,
/// padding, concatenations, reshapes, fills, casts, single elements, loops,
/// conditionals, blocks and globals, with static and with dynamic extents.
/// Conditionals and loops also choose between tensors of different extents.
///
///   std::string text = randomFlow(/*seed=*/7, /*operations=*/12);
///
/// A program of fewer operations with the same seed is a prefix, so a failing
/// program can be shortened. The attribute `test.shape` of a parameter is the
/// shape for which the program is valid, `test.value` the number.

#ifndef MERCATOR_TESTS_RANDOM_RANDOMFLOW_H
#define MERCATOR_TESTS_RANDOM_RANDOMFLOW_H

#include <cstdint>
#include <string>

namespace mercator::testing {

std::string randomFlow(uint64_t seed, int operations);

} // namespace mercator::testing

#endif // MERCATOR_TESTS_RANDOM_RANDOMFLOW_H
