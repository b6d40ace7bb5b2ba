// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A random program as a list of operations, which can be minimized and printed
// as MLIR text.

#ifndef MERCATOR_TESTS_RANDOM_PROGRAMS_SAMPLE_H
#define MERCATOR_TESTS_RANDOM_PROGRAMS_SAMPLE_H

#include <cstdint>
#include <string>
#include <vector>

namespace mercator::testing {

using Numbers = std::vector<int64_t>;

struct TensorType {
  Numbers shape;
  std::string element = "f32";
  bool operator==(const TensorType &) const = default;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] int64_t size() const {
    int64_t product = 1;
    for (int64_t extent : shape)
      product *= extent;
    return product;
  }
  [[nodiscard]] int64_t rank() const { return int64_t(shape.size()); }
};

/// "1, 2, 3"; "[1, 2, 3]"; "array<i64: 1, 2, 3>".
std::string join(const Numbers &numbers);
std::string list(const Numbers &numbers);
std::string array(const Numbers &numbers);

/// A value of a program: the result of an operation, or an argument.
struct SampleValue {
  TensorType type;
  int operation = -1, result = 0; ///< -1: an argument
  /// For an argument of integers: the bounds of its elements, and whether all
  /// values should be tried.
  int64_t lowest = -2, highest = 5;
  bool isIndex = false;
  [[nodiscard]] bool isArgument() const { return operation < 0; }
};

/// One operation, in the generic form.
struct SampleOperation {
  std::string name, attributes, regions;
  std::vector<int> operands; ///< values
  std::vector<int> captured; ///< values that the regions use
  std::vector<int> results;  ///< values
  /// Types in the text that are not tensors.
  std::string operandTypes, resultTypes;
};

struct Sample {
  std::vector<SampleValue> values;
  std::vector<SampleOperation> operations;
  std::vector<int> returned; ///< values
  std::string functions;     ///< the text of the called functions

  [[nodiscard]] std::string text() const;
  /// The used arguments, in the order of the function.
  [[nodiscard]] std::vector<int> arguments() const;
  /// Removes operations that no returned value depends on.
  void prune();
  /// Programs that are smaller by one step.
  [[nodiscard]] std::vector<Sample> smaller() const;
  [[nodiscard]] int64_t weight() const;
};

} // namespace mercator::testing

#endif // MERCATOR_TESTS_RANDOM_PROGRAMS_SAMPLE_H
