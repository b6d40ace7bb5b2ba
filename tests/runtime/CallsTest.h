// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Arrays for tests of the runtime's calls.

#ifndef MERCATOR_TESTS_RUNTIME_CALLSTEST_H
#define MERCATOR_TESTS_RUNTIME_CALLSTEST_H

#include "mercator/runtime/Calls.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace mercator::test {

/// The product of the sizes from `first` on.
inline int64_t count(const std::vector<int64_t> &sizes, size_t first = 0) {
  int64_t product = 1;
  for (size_t i = first; i < sizes.size(); ++i)
    product *= sizes[i];
  return product;
}

inline std::mt19937_64 &generator() {
  static std::mt19937_64 state(1);
  return state;
}

template <typename T> struct Array {
  std::vector<int64_t> sizes;
  std::vector<T> data;

  explicit Array(std::vector<int64_t> sizes)
      : sizes(std::move(sizes)), data(size_t(count(this->sizes))) {}

  void randomize() {
    std::normal_distribution<double> normal;
    for (T &value : data) {
      if constexpr (std::is_floating_point_v<T>)
        value = T(normal(generator()));
      else
        value = {typename T::value_type(normal(generator())),
                 typename T::value_type(normal(generator()))};
    }
  }
  operator mercator_tensor() {
    return {data.data(), int64_t(sizes.size()), sizes.data()};
  }
};

inline int32_t run(mercator_call *call, std::vector<mercator_tensor> operands,
                   std::vector<int64_t> numbers,
                   std::vector<mercator_tensor> results) {
  return call(operands.data(), numbers.data(), results.data());
}

} // namespace mercator::test

#endif // MERCATOR_TESTS_RUNTIME_CALLSTEST_H
