// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Draws.h"
#include "RandomPrograms.h"
#include "Tape.h"

#include "llvm/ADT/STLExtras.h"

namespace mercator::testing {

namespace {
class KernelGenerator : private Draws {
public:
  explicit KernelGenerator(uint64_t seed)
      : Draws(seed), kind(seed % 8), t(engine() % 4 == 0 ? "f64" : "f32") {}

  RandomProgram run() {
    using Kind = void (KernelGenerator::*)();
    constexpr Kind kinds[] = {
        &KernelGenerator::products,    &KernelGenerator::reductions,
        &KernelGenerator::chains,      &KernelGenerator::blocks,
        &KernelGenerator::gradients,   &KernelGenerator::attention,
        &KernelGenerator::convolution, &KernelGenerator::rowsOfTables};
    (this->*kinds[kind])();
    RandomProgram program{t.text(results), {}};
    for (const ProgramText::Argument &argument : t.arguments())
      program.below.push_back(argument.below);
    return program;
  }

private:
  uint64_t kind;
  Tape t;
  std::vector<int> results;

  /// Few, some, or as many as several tiles have.
  int64_t extent(int64_t most = 100) {
    return once(3) ? draw(1, 6) : once(2) ? draw(7, 30) : draw(31, most);
  }
  Axes order(size_t rank) {
    Axes axes(rank);
    for (size_t i = 0; i < rank; ++i)
      axes[i] = int64_t(i);
    std::shuffle(axes.begin(), axes.end(), engine);
    return axes;
  }

  int activation(int x) {
    switch (draw(0, 4)) {
    case 0:
      return t.relu(x);
    case 1:
      return t.tanh(x);
    case 2:
      return t.multiply(x, t.logistic(x));
    case 3:
      return t.exponential(t.scale(x, 0.25));
    default:
      return t.scale(x, 0.5);
    }
  }
  int biased(int x) {
    int64_t axis = int64_t(t.shapeOf(x).size()) - 1;
    return t.add(
        x, t.spread(t.argument({t.shapeOf(x).back()}), {axis}, t.shapeOf(x)));
  }
  int epilogue(int x) {
    for (int64_t count = draw(0, 2); count > 0; --count)
      x = once(3)   ? biased(x)
          : once(3) ? t.add(x, t.argument(t.shapeOf(x)))
                    : activation(x);
    return x;
  }

  /// An argument with these axes in any order; the places of the axes.
  std::pair<int, Axes> shuffled(const Shape &shape) {
    Axes axes = order(shape.size()), places(shape.size());
    Shape own;
    for (auto [place, axis] : llvm::enumerate(axes)) {
      own.push_back(shape[size_t(axis)]);
      places[size_t(axis)] = int64_t(place);
    }
    return {t.argument(own), places};
  }

  void products() {
    Shape batch, rows, columns, sums;
    if (once(3))
      batch.push_back(draw(1, 9));
    for (auto *shape : {&rows, &columns, &sums}) {
      if (once(4))
        shape->push_back(draw(1, 5));
      if (shape == &sums || !once(8))
        shape->push_back(extent(batch.empty() ? 120 : 60));
    }
    if (batch.empty() && once(8)) // several chains
      sums.back() = draw(250, 1100);
    auto operand = [&](const Shape &own) {
      Shape shape = batch;
      shape.insert(shape.end(), own.begin(), own.end());
      shape.insert(shape.end(), sums.begin(), sums.end());
      return shuffled(shape);
    };
    auto [x, ofX] = operand(rows);
    auto [y, ofY] = operand(columns);
    auto part = [](const Axes &axes, size_t from, size_t count) {
      return Axes(axes.begin() + long(from), axes.begin() + long(from + count));
    };
    int product =
        t.product(x, y, part(ofX, 0, batch.size()), part(ofY, 0, batch.size()),
                  part(ofX, batch.size() + rows.size(), sums.size()),
                  part(ofY, batch.size() + columns.size(), sums.size()));
    if (!t.shapeOf(product).empty() && once(4))
      product = t.permute(product, order(t.shapeOf(product).size()));
    results.push_back(t.shapeOf(product).empty() ? product : epilogue(product));
  }

  void reductions() {
    Shape shape = {extent(300), extent(300)};
    if (once(2))
      shape.insert(shape.begin(), draw(1, 7));
    int x = t.argument(shape);
    int64_t last = int64_t(shape.size()) - 1;
    for (int64_t count = draw(1, 3); count > 0; --count) {
      switch (draw(0, 4)) {
      case 0:
        x = t.softmax(x);
        break;
      case 1:
        x = t.normalized(x, {last}, t.argument({shape.back()}),
                         t.argument({shape.back()}));
        break;
      case 2:
        results.push_back(t.sum(activation(x), {draw(0, last)}));
        break;
      case 3:
        results.push_back(t.largest(x, {draw(0, last)}));
        break;
      default:
        x = epilogue(x);
        break;
      }
    }
    if (once(3))
      results.push_back(t.sumAll(t.multiply(x, x)));
    results.push_back(x);
  }

  void chains() {
    int x = t.argument({extent(), extent(60)});
    for (int64_t layers = draw(2, 3); layers > 0; --layers) {
      x = t.dotLast(x, t.argument({t.shapeOf(x).back(), extent(70)}));
      x = epilogue(x);
    }
    if (once(3))
      results.push_back(t.sum(x, {draw(0, 1)}));
    if (once(3))
      x = t.softmax(x);
    results.push_back(x);
  }

  void blocks() {
    int64_t rows = extent(), width = 4 * draw(1, 12);
    int x = t.argument({draw(1, 3), rows, width});
    int normal = t.normalized(x, {2}, t.argument({width}), t.argument({width}));
    int64_t hidden = extent(90);
    int up = activation(biased(t.dotLast(normal, t.argument({width, hidden}))));
    if (once(2)) // gated
      up = t.multiply(up, t.dotLast(normal, t.argument({width, hidden})));
    int y = t.add(x, t.dotLast(up, t.argument({hidden, width})));
    if (once(2))
      y = t.normalized(y, {2}, t.argument({width}), t.argument({width}));
    results.push_back(y);
  }

  void gradients() {
    int64_t batch = extent(60), in = extent(50), out = extent(50);
    int x = t.argument({batch, in}), w = t.argument({in, out});
    std::vector<int> of = {w};
    int y = t.dotLast(x, w);
    if (once(2)) {
      int bias = t.argument({out});
      of.push_back(bias);
      y = t.add(y, t.spread(bias, {1}, {batch, out}));
    }
    if (once(2)) {
      int second = t.argument({out, draw(1, 20)});
      of.push_back(second);
      y = t.dotLast(activation(y), second);
    }
    if (once(3))
      y = t.logSoftmax(y);
    if (once(2))
      of.push_back(x);
    int loss = t.sumAll(t.multiply(y, once(2) ? y : t.argument(t.shapeOf(y))));
    update(of, t.gradients(loss, of));
  }
  /// Gradients, or weights after a step.
  void update(const std::vector<int> &of, const std::vector<int> &gradients) {
    bool isStep = once(2);
    for (auto [value, gradient] : llvm::zip_equal(of, gradients))
      results.push_back(isStep ? t.subtract(value, t.scale(gradient, 0.125))
                               : gradient);
  }

  void attention() {
    bool isLong = once(5);
    int64_t batch = once(3) ? 1 : draw(2, 6),
            queries = isLong ? draw(20, 300) : extent(90),
            keys = isLong ? draw(512, 600) : extent(90), width = draw(1, 24);
    Shape scores = {batch, queries, keys};
    int q = t.argument({batch, queries, width}),
        k = t.argument({batch, keys, width}),
        v = t.argument({batch, keys, width});
    int s = t.scale(t.product(q, k, {0}, {0}, {2}, {2}), 0.5);
    if (once(2)) {
      int i = t.iota(scores, 1, "i32"), j = t.iota(scores, 2, "i32");
      int keep =
          once(4) ? t.flags(scores) : t.compare(once(2) ? "GE" : "GT", i, j);
      s = t.where(keep, s, t.constant(once(2) ? -1e30 : -4, scores));
    }
    results.push_back(t.product(t.softmax(s), v, {0}, {0}, {2}, {1}));
    if (!isLong && once(4)) {
      int loss = t.sumAll(results.back());
      update({q, k, v}, t.gradients(loss, {q, k, v}));
    }
  }

  void convolution() {
    int64_t in = draw(1, 9), out = extent(40), size = 2 * draw(3, 7);
    int x = t.argument({draw(1, 3), size, size, in});
    int64_t side = draw(1, 3);
    int kernel = t.argument({side, side, in, out});
    int64_t stride = once(3) ? 2 : 1;
    int y = t.convolve(x, kernel, stride, draw(0, side - 1), draw(0, side - 1));
    y = epilogue(y);
    const Shape &shape = t.shapeOf(y);
    if (shape[1] % 2 == 0 && shape[2] % 2 == 0 && once(2))
      y = once(2) ? t.maxPool(y) : t.sumPool(y);
    results.push_back(y);
    if (once(3)) {
      std::vector<int> of = {kernel, x};
      update(of, t.gradients(t.sumAll(t.multiply(y, y)), of));
    }
  }

  void rowsOfTables() {
    int64_t words = extent(), width = extent(40);
    int table = t.argument({words, width});
    int ids = t.indices({draw(1, 3), extent(40)}, words);
    int x = t.embed(table, ids);
    int w = t.argument({width, extent(50)});
    int y = epilogue(t.dotLast(x, w));
    if (once(2))
      y = t.softmax(y);
    results.push_back(y);
    if (once(2))
      update({table, w}, t.gradients(t.sumAll(t.multiply(y, y)), {table, w}));
  }
};
} // namespace

RandomProgram randomKernels(uint64_t seed) {
  return KernelGenerator(seed).run();
}

} // namespace mercator::testing
