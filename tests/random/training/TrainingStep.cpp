// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Draws.h"
#include "RandomPrograms.h"
#include "Tape.h"

namespace mercator::testing {

namespace {
class StepGenerator : private Draws {
public:
  explicit StepGenerator(uint64_t seed)
      : Draws(seed), t(engine() % 4 == 0 ? "f32" : "f64") {}

  RandomProgram run() {
    int x = input();
    int begin = layers(x);
    int features = flat(begin);
    int loss = this->loss(features);
    if (once(3))
      loss = t.add(loss, penalty());
    std::vector<int> gradients = t.gradients(loss, parameters);
    std::vector<int> results = {loss};
    update(gradients, results);
    if (once(4))
      results.push_back(features);
    RandomProgram program{t.text(results), {}};
    for (const ProgramText::Argument &argument : t.arguments())
      program.below.push_back(argument.below);
    return program;
  }

private:
  Tape t;
  std::vector<int> parameters;

  int parameter(Shape shape) {
    parameters.push_back(t.argument(std::move(shape)));
    return parameters.back();
  }

  int input() {
    int64_t batch = draw(1, 3);
    switch (draw(0, 3)) {
    case 0:
      return t.argument({batch, draw(2, 5)});
    case 1:
      return t.argument({batch, draw(4, 6), draw(4, 6), draw(1, 3)});
    case 2:
      return t.argument({batch, draw(2, 4), 2 * draw(1, 2)});
    default: {
      int64_t words = draw(3, 6);
      int ids = t.indices({batch, draw(2, 4)}, words);
      return t.embed(parameter({words, 2 * draw(1, 2)}), ids);
    }
    }
  }

  int activation(int x) {
    switch (draw(0, 4)) {
    case 0:
      return t.relu(x);
    case 1:
      return t.tanh(x);
    case 2:
      return t.multiply(x, t.logistic(x));
    case 3: // the tanh form of gelu
      return t.multiply(
          t.scale(x, 0.5),
          t.shift(
              t.tanh(t.scale(
                  t.add(x, t.scale(t.multiply(x, t.multiply(x, x)), 0.044715)),
                  0.797885)),
              1));
    default:
      return x;
    }
  }

  int64_t last(int x) { return t.shapeOf(x).back(); }

  int dense(int x, int64_t width) {
    int y = t.dotLast(x, parameter({last(x), width}));
    if (once(4))
      return y;
    Shape shape = t.shapeOf(y);
    return t.add(
        y, t.spread(parameter({width}), {int64_t(shape.size()) - 1}, shape));
  }

  int norm(int x) {
    int64_t rank = int64_t(t.shapeOf(x).size());
    Axes axes = {rank - 1};
    if (once(2)) { // of a batch
      axes.clear();
      for (int64_t axis = 0; axis < rank - 1; ++axis)
        axes.push_back(axis);
    }
    int scale = parameter({last(x)}), shift = parameter({last(x)});
    return t.normalized(x, axes, scale, shift);
  }

  int attention(int x) {
    Shape shape = t.shapeOf(x);
    int64_t batch = shape[0], time = shape[1], width = shape[2];
    int64_t heads = width % 2 == 0 && once(2) ? 2 : 1;
    auto split = [&](int y) {
      return t.shaped(y, {batch, time, heads, width / heads});
    };
    int q = split(t.dotLast(x, parameter({width, width})));
    int k = split(t.dotLast(x, parameter({width, width})));
    int v = split(t.dotLast(x, parameter({width, width})));
    int scores = t.scale(t.product(q, k, {0, 2}, {0, 2}, {3}, {3}), 0.7);
    if (once(2)) {
      Shape square = {time, time};
      int mask =
          t.compare("GE", t.iota(square, 0, "i32"), t.iota(square, 1, "i32"));
      Shape all = t.shapeOf(scores);
      int wide = t.broadcast(mask, {2, 3}, all);
      scores = t.where(wide, scores, t.constant(-1e9, all));
    }
    int weights = t.softmax(scores);
    // batch, heads, query, feature
    int mixed = t.product(weights, v, {0, 1}, {0, 2}, {3}, {1});
    int joined = t.shaped(t.permute(mixed, {0, 2, 1, 3}), shape);
    return t.dotLast(joined, parameter({width, width}));
  }

  int layers(int x) {
    for (int64_t count = draw(1, 3); count > 0; --count) {
      size_t rank = t.shapeOf(x).size();
      int before = x;
      if (rank == 4) {
        int64_t side = std::min(t.shapeOf(x)[1], t.shapeOf(x)[2]);
        if (side >= 2 && once(4)) {
          x = once(2) ? t.maxPool(x) : t.sumPool(x);
          continue;
        }
        if (once(4)) {
          x = norm(x);
          continue;
        }
        int64_t kernel = side >= 3 ? draw(1, 3) : 1;
        int64_t stride = side >= 4 ? draw(1, 2) : 1;
        int64_t pad = kernel - 1;
        int64_t low = pad == 0 ? 0 : draw(0, pad);
        int w = parameter({kernel, kernel, last(x), draw(1, 3)});
        x = activation(t.convolve(x, w, stride, low, pad - low));
      } else {
        switch (draw(0, rank == 3 ? 3 : 2)) {
        case 0:
          x = norm(x);
          break;
        case 3:
          x = attention(x);
          break;
        case 1: { // widened and back
          int64_t width = last(x);
          x = dense(activation(dense(x, draw(2, 5))), width);
          break;
        }
        default:
          x = activation(dense(x, draw(2, 5)));
        }
      }
      if (t.shapeOf(x) == t.shapeOf(before) && once(2))
        x = t.add(before, x);
      else if (t.shapeOf(x).size() == 2 && once(5) && last(x) >= 2) {
        int64_t half = last(x) / 2;
        Shape shape = t.shapeOf(x);
        int a = t.part(x, {0, 0}, {shape[0], half});
        int b = t.part(x, {0, half}, {shape[0], 2 * half});
        x = once(2) ? t.multiply(a, t.logistic(b)) : t.joined(b, a, 1);
      }
    }
    return x;
  }

  /// Brings images and sequences to rows.
  int flat(int x) {
    Shape shape = t.shapeOf(x);
    if (shape.size() == 2)
      return x;
    int64_t inner = 1;
    Axes axes;
    for (size_t axis = 1; axis < shape.size(); ++axis) {
      inner *= shape[axis];
      if (axis + 1 < shape.size())
        axes.push_back(int64_t(axis));
    }
    if (shape.size() == 3 && once(2)) // each step is a row
      return t.shaped(x, {shape[0] * shape[1], shape[2]});
    if (once(2))
      return t.shaped(x, {shape[0], inner});
    int64_t count = inner / shape.back();
    return t.scale(t.sum(x, axes), 1 / double(count));
  }

  /// The mean of one number for each row, of all or of those in the mask. The mask is
  /// counted anew each time.
  int meanOf(int rows, int mask) {
    int64_t count = t.shapeOf(rows)[0];
    if (mask < 0)
      return t.scale(t.sum(rows, {0}), 1 / double(count));
    int as = t.convert(mask, t.real);
    int kept = once(2) ? t.multiply(rows, as)
                       : t.where(mask, rows, t.constant(0, {count}));
    int number = t.reduce("add", as, {0});
    return t.divide(t.sum(kept, {0}), t.shift(number, 0.5));
  }

  int rowLoss(int x) {
    Shape shape = t.shapeOf(x);
    int64_t rows = shape[0], width = shape[1];
    switch (draw(0, 4)) {
    case 0: { // cross entropy
      int labels = t.indices({rows}, width);
      int wide = t.broadcast(labels, {0}, shape);
      int hot =
          t.convert(t.compare("EQ", wide, t.iota(shape, 1, "i32")), t.real);
      return t.scale(t.sum(t.multiply(t.logSoftmax(x), hot), {1}), -1);
    }
    case 1: { // the same, by a mask
      int labels = t.indices({rows}, width);
      int wide = t.broadcast(labels, {0}, shape);
      int hot = t.compare("EQ", wide, t.iota(shape, 1, "i32"));
      int taken = t.where(hot, t.logSoftmax(x), t.constant(0, shape));
      return t.scale(t.sum(taken, {1}), -1);
    }
    case 2: { // squares
      int error = t.subtract(x, t.argument(shape));
      return t.sum(t.multiply(error, error), {1});
    }
    case 3: { // Huber
      int error = t.absolute(t.subtract(x, t.argument(shape)));
      int isSmall = t.compare("LT", error, t.constant(0.5, shape));
      int square = t.scale(t.multiply(error, error), 0.5);
      int line = t.scale(t.shift(error, -0.25), 0.5);
      return t.sum(t.where(isSmall, square, line), {1});
    }
    default: { // a margin
      int most = t.largest(x, {1});
      int mean = t.scale(t.sum(x, {1}), 1 / double(width));
      return t.subtract(most, mean);
    }
    }
  }

  int loss(int x) {
    if (once(2) || parameters.empty())
      x = dense(x, draw(2, 5));
    int64_t rows = t.shapeOf(x)[0];
    int mask = once(2) ? t.flags({rows}) : -1;
    int loss = meanOf(rowLoss(x), mask);
    if (once(3))
      loss = t.add(loss, meanOf(rowLoss(x), mask));
    if (once(3)) { // two sums whose difference counts
      int e = t.sumAll(t.exponential(t.scale(x, 0.1)));
      loss = t.add(loss, t.scale(t.subtract(e, t.sumAll(x)), 0.1));
    }
    return loss;
  }

  int penalty() {
    int sum = -1;
    for (int parameter : parameters) {
      int square = t.sumAll(t.multiply(parameter, parameter));
      sum = sum < 0 ? square : t.add(sum, square);
    }
    return t.scale(sum, 0.01);
  }

  int times(int x, double by) {
    return t.binary("multiply", x, t.constant(by, t.shapeOf(x)));
  }
  int plus(int x, int y) { return t.binary("add", x, y); }

  void update(std::vector<int> gradients, std::vector<int> &results) {
    if (once(2)) { // to a length of all together
      int sum = -1;
      for (int g : gradients) {
        Axes axes;
        for (size_t axis = 0; axis < t.shapeOf(g).size(); ++axis)
          axes.push_back(int64_t(axis));
        int square = t.reduce("add", t.binary("multiply", g, g), axes);
        sum = sum < 0 ? square : plus(sum, square);
      }
      int length = t.unary("sqrt", plus(sum, t.constant(1e-3, {})));
      int by = t.binary("minimum", t.constant(1, {}),
                        t.binary("divide", t.constant(0.5, {}), length));
      for (int &g : gradients)
        g = t.binary("multiply", g, t.broadcast(by, {}, t.shapeOf(g)));
      if (once(2))
        results.push_back(length);
    }
    int64_t kind = draw(0, 2);
    int step = kind == 2 ? t.argument({}) : -1;
    for (size_t i = 0; i < parameters.size(); ++i) {
      int w = parameters[i], g = gradients[i];
      const Shape shape = t.shapeOf(w);
      if (once(3))
        g = plus(g, times(w, 0.05));
      if (kind == 1) {
        int velocity = plus(times(t.argument(shape), 0.9), g);
        results.push_back(velocity);
        g = velocity;
      }
      if (kind == 2) {
        int m = plus(times(t.argument(shape), 0.9), times(g, 0.1));
        int square = t.binary("multiply", g, g);
        int old = t.unary("abs", t.argument(shape));
        int v = plus(times(old, 0.99), times(square, 0.01));
        results.push_back(m);
        results.push_back(v);
        int later = plus(t.binary("multiply", step, step), t.constant(1, {}));
        int power = t.binary("power", t.constant(0.9, {}), later);
        int by = t.binary("subtract", t.constant(1, {}), power);
        int mean = t.binary("divide", m, t.broadcast(by, {}, shape));
        int root = plus(t.unary("sqrt", plus(v, t.constant(1e-2, shape))),
                        t.constant(1e-2, shape));
        g = t.binary("divide", mean, root);
      }
      results.push_back(t.binary("subtract", w, times(g, 0.1)));
    }
  }
};
} // namespace

RandomProgram randomTrainingStep(uint64_t seed) {
  return StepGenerator(seed).run();
}

} // namespace mercator::testing
