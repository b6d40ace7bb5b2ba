// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Programs with loops that carry tensors and update them. Their elements are
/// integers: results are equal or wrong.

#ifndef MERCATOR_TESTS_RANDOM_PROGRAMS_LOOPPROGRAMS_H
#define MERCATOR_TESTS_RANDOM_PROGRAMS_LOOPPROGRAMS_H

#include <cstdint>
#include <string>
#include <vector>

namespace mercator::testing {

/// A tensor that a loop carries: `name` in its body, `init` before it, and `next`
/// at the end of its body.
struct Carried {
  std::string name, init, next, type;
};

/// A loop of `count` iterations with a counter %i<number>, and the results
/// %<result>#0 (the counter), #1 ..
[[nodiscard]] std::string loopText(const std::string &result, int number,
                                   int count,
                                   const std::vector<Carried> &carried,
                                   const std::string &body);

/// A function @f of tensors, with loops in loops and conditionals. Tensors
/// exchange places, are updated while others are read, and are returned twice.
/// `isUnknown`: their extents are not known before the program runs.
[[nodiscard]] std::string randomLoopProgram(uint64_t seed, bool isUnknown);

} // namespace mercator::testing

#endif // MERCATOR_TESTS_RANDOM_PROGRAMS_LOOPPROGRAMS_H
