// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs: a generator for every operation. Operands are values of the
// program so far, or new arguments.

#ifndef MERCATOR_TESTS_RANDOM_PROGRAMS_GENERATOR_H
#define MERCATOR_TESTS_RANDOM_PROGRAMS_GENERATOR_H

#include "Sample.h"

#include <map>
#include <random>

namespace mercator::testing {

/// Limits on the sizes of tensors and programs.
struct Sizes {
  int64_t rank = 3, extent = 4, elements = 48;
};

class Generator {
public:
  explicit Generator(uint64_t seed, Sizes sizes = {})
      : sizes(sizes), engine(seed) {}

  Sample sample;
  Sizes sizes;

  int64_t in(int64_t lower, int64_t upper) {
    return std::uniform_int_distribution<int64_t>(lower, upper)(engine);
  }
  /// True with probability 1 / n.
  bool once(int64_t n) { return in(1, n) == 1; }
  template <typename T> const T &oneOf(const std::vector<T> &list) {
    return list[in(0, int64_t(list.size()) - 1)];
  }

  int64_t extent() { return once(20) ? 0 : once(4) ? 1 : in(1, sizes.extent); }
  /// A shape with at most sizes.elements elements.
  Numbers shape(int64_t minRank, int64_t maxRank);
  Numbers shape() { return shape(0, sizes.rank); }
  Numbers permutation(int64_t n);
  /// Some of 0 .. n - 1, ascending; or in any order.
  Numbers subset(int64_t n, int64_t count);
  Numbers anyOrder(Numbers numbers);

  int argument(TensorType type);
  /// A value of that type: one of the program, or an argument.
  int value(const TensorType &type);
  /// A value of the program whose type is one of these, or an argument of any
  /// shape.
  int any(const std::string &element, int64_t minRank = 0,
          int64_t maxRank = 99);
  /// Integers in [lowest, highest], for indices: an argument, a constant, or a
  /// value of the program.
  int indices(const Numbers &shape, int64_t lowest, int64_t highest);
  int constant(const TensorType &type, const Numbers &elements);

  const TensorType &typeOf(int v) const { return sample.values[v].type; }
  const Numbers &shapeOf(int v) const { return typeOf(v).shape; }

  /// Adds an operation; its first result.
  int emit(std::string name, std::vector<int> operands, std::string attributes,
           std::vector<TensorType> results, std::string regions = "",
           std::vector<int> captured = {});

private:
  std::mt19937_64 engine;
};

/// Adds one operation. False if the values of the program do not fit.
using OperationGenerator = bool (*)(Generator &g);

/// Generators by the name of the operation; `OPERATION/variant` if it has
/// several.
const std::map<std::string, OperationGenerator> &operationGenerators();

/// Generators of programs with more structure than a sequence of operations, by
/// name.
const std::map<std::string, OperationGenerator> &furtherGenerators();

void addLoopGenerators(std::map<std::string, OperationGenerator> &all);
void addExtentGenerators(std::map<std::string, OperationGenerator> &all);
void addElementwiseGenerators(std::map<std::string, OperationGenerator> &all);
void addDataGenerators(std::map<std::string, OperationGenerator> &all);
void addFoldGenerators(std::map<std::string, OperationGenerator> &all);
void addProductGenerators(std::map<std::string, OperationGenerator> &all);
void addControlGenerators(std::map<std::string, OperationGenerator> &all);

/// Generators of families of operations, by name.
bool elementwise(Generator &g, const std::string &name);
const std::vector<std::string> &elementwiseNames();

/// A program of `count` operations. The last one is `name`, if given, which may
/// be one of furtherGenerators().
Sample randomProgram(uint64_t seed, int count, const std::string &name = "",
                     Sizes sizes = {});
/// A program of `count` operations that move and compute elements of dense
/// tensors: products, windows, sums, reshapes, slices. Some results are those of
/// operations in the middle.
Sample randomDenseProgram(uint64_t seed, int count);
/// All operations with a generator.
const std::vector<std::string> &generatedNames();

} // namespace mercator::testing

#endif // MERCATOR_TESTS_RANDOM_PROGRAMS_GENERATOR_H
