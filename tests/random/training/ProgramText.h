// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Writes a program of StableHLO, an operation at a time, as JAX exports it:
///
///   ProgramText p("f32");
///   int x = p.argument({4, 3});
///   int y = p.unary("tanh", x);
///   p.text({y})   // func.func @f(%a0: tensor<4x3xf32>) -> tensor<4x3xf32> { ..
///
/// A value is a number. Shapes are computed here, and must fit.

#ifndef MERCATOR_TESTS_RANDOM_TRAINING_PROGRAMTEXT_H
#define MERCATOR_TESTS_RANDOM_TRAINING_PROGRAMTEXT_H

#include <cstdint>
#include <string>
#include <vector>

namespace mercator::testing {

using Shape = std::vector<int64_t>;
using Axes = std::vector<int64_t>;

class ProgramText {
public:
  struct Value {
    std::string name;
    Shape shape;
    std::string element;
  };
  struct Argument {
    int value;
    int64_t below; ///< of indices: each is at least 0 and less; 0 for fractions
  };
  struct Window {
    Axes strides, low, high, lhsDilation, rhsDilation;
  };

  explicit ProgramText(std::string real) : real(std::move(real)) {}

  int argument(Shape shape);
  int indices(Shape shape, int64_t below);
  int flags(Shape shape);

  int constant(double value, Shape shape);
  int unary(const std::string &name, int x);
  int binary(const std::string &name, int x, int y);
  int compare(const std::string &direction, int x, int y);
  int select(int mask, int x, int y);
  int convert(int x, const std::string &element);
  int iota(Shape shape, int64_t axis, const std::string &element);
  int broadcast(int x, Axes axes, Shape shape);
  /// `name`: add or maximum.
  int reduce(const std::string &name, int x, Axes axes);
  int transpose(int x, Axes order);
  int reshape(int x, Shape shape);
  int slice(int x, Axes begin, Axes end);
  int pad(int x, Axes low, Axes high, Axes interior);
  int concatenate(int x, int y, int64_t axis);
  int reverse(int x, Axes axes);
  /// The result has the batch axes, then the others of x, then those of y.
  int dot(int x, int y, Axes batchX, Axes batchY, Axes sumX, Axes sumY);
  /// `dimensions` as in the text, b, f, i, o, 0 and 1.
  int convolution(int x, int kernel, const std::string &dimensions,
                  const Window &window, Shape shape);
  /// Windows of extent 2 and stride 2 in axes 1 and 2 of four.
  int pool(const std::string &name, int x);
  /// Of a maximum pool.
  int poolGradient(int x, int dy);
  /// Rows of a table, at indices of any shape.
  int gather(int table, int at);
  /// Adds rows to zeros.
  int scatter(int at, int rows, Shape shape);

  const Shape &shapeOf(int value) const { return values[value].shape; }
  const std::string &elementOf(int value) const {
    return values[value].element;
  }
  const std::vector<Argument> &arguments() const { return args; }
  std::string text(const std::vector<int> &results) const;
  const std::string real; ///< the element type of floats

protected:
  int make(const std::string &op, Shape shape, const std::string &element);
  std::string name(int value) const { return values[value].name; }
  std::string type(int value) const;

private:
  std::vector<Value> values;
  std::vector<Argument> args;
  std::string body;
};

} // namespace mercator::testing

#endif // MERCATOR_TESTS_RANDOM_TRAINING_PROGRAMTEXT_H
