// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A program that knows the derivative of each of its operations, and writes the
/// gradient of a number as reverse-mode differentiation does:
///
///   Tape t("f64");
///   int w = t.argument({3, 2}), x = t.argument({4, 3});
///   int loss = t.sumAll(t.tanh(t.dotLast(x, w)));
///   std::vector<int> gradients = t.gradients(loss, {w});
///
/// The derivatives have the forms of JAX: products with exchanged operands and a
/// transpose, convolutions with dilated operands and a reversed kernel, masks of
/// comparisons, sums over what was broadcast.

#ifndef MERCATOR_TESTS_RANDOM_TRAINING_TAPE_H
#define MERCATOR_TESTS_RANDOM_TRAINING_TAPE_H

#include "ProgramText.h"

#include <functional>
#include <map>

namespace mercator::testing {

class Tape : public ProgramText {
public:
  using ProgramText::ProgramText;

  //===--- Functions with a derivative ------------------------------------===//

  int add(int x, int y);
  int subtract(int x, int y);
  int multiply(int x, int y);
  int divide(int x, int y);
  int scale(int x, double by);
  int shift(int x, double by);
  int tanh(int x);
  int exponential(int x);
  int log(int x);
  int logistic(int x);
  int rsqrt(int x);
  int relu(int x);
  int absolute(int x);
  int spread(int x, Axes axes, Shape shape);
  int sum(int x, Axes axes);
  int sumAll(int x);
  int largest(int x, Axes axes);
  int permute(int x, Axes order);
  int shaped(int x, Shape shape);
  int part(int x, Axes begin, Axes end);
  int joined(int x, int y, int64_t axis);
  int where(int mask, int x, int y);
  int product(int x, int y, Axes batchX, Axes batchY, Axes sumX, Axes sumY);
  /// x of any rank by a matrix, over the last axis of x.
  int dotLast(int x, int w);
  /// NHWC by HWIO.
  int convolve(int x, int kernel, int64_t stride, int64_t low, int64_t high);
  int maxPool(int x);
  int sumPool(int x);
  int embed(int table, int at);

  //===--- Layers ---------------------------------------------------------===//

  /// The mean along axes, in the shape of x.
  int meanAlong(int x, Axes axes);
  /// x - mean, by the square root of the variance, scaled and shifted. `axes` are
  /// normalized; scale and shift have the last extent.
  int normalized(int x, Axes axes, int scale, int shift);
  int logSoftmax(int x);
  int softmax(int x);

  //===--- The gradient ---------------------------------------------------===//

  /// Of a number, for each of the values.
  std::vector<int> gradients(int loss, const std::vector<int> &of);
  /// Without the derivative.
  int stopped(int x) { return x; }

private:
  struct Rule {
    int result;
    std::function<void(int)> pull; ///< is given the gradient of the result
  };
  std::vector<Rule> rules;
  std::map<int, int> gradientOf;

  void give(int value, int gradient);
  int differentiable(int result, std::function<void(int)> pull) {
    rules.push_back({result, std::move(pull)});
    return result;
  }
};

} // namespace mercator::testing

#endif // MERCATOR_TESTS_RANDOM_TRAINING_TAPE_H
