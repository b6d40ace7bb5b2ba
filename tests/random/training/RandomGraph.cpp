// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Draws.h"
#include "ProgramText.h"
#include "RandomPrograms.h"

#include "llvm/ADT/STLExtras.h"

namespace mercator::testing {

namespace {
/// All values have the shape n x m, n, m, or none.
class GraphGenerator : private Draws {
public:
  explicit GraphGenerator(uint64_t seed) : Draws(seed), p("f64") {}

  RandomProgram run() {
    n = draw(2, 4);
    m = draw(2, 4);
    for (Shape shape : {Shape{n, m}, Shape{n, m}, Shape{n}, Shape{m}, Shape{}})
      values.push_back(p.argument(shape));
    values.push_back(p.flags({n, m}));
    values.push_back(p.flags({n}));
    size_t first = values.size();
    for (int64_t count = draw(4, 24); count > 0; --count)
      operation();
    std::vector<int> results = {values.back()};
    for (size_t i = first; i + 1 < values.size(); ++i)
      if (draw(0, 4) == 0)
        results.push_back(values[i]);
    RandomProgram program{p.text(results), {}};
    for (const ProgramText::Argument &argument : p.arguments())
      program.below.push_back(argument.below);
    return program;
  }

private:
  ProgramText p;
  int64_t n = 0, m = 0;
  std::vector<int> values;

  /// A value of a shape, early or late; -1 if there is none.
  int pick(const Shape &shape, const std::string &element = "f64") {
    std::vector<int> found;
    for (int value : values)
      if (p.shapeOf(value) == shape && p.elementOf(value) == element)
        found.push_back(value);
    if (found.empty())
      return -1;
    int64_t last = int64_t(found.size()) - 1;
    return found[draw(0, 1) == 0 ? draw(0, last)
                                 : std::max<int64_t>(0, last - draw(0, 2))];
  }
  Shape shape() {
    switch (draw(0, 4)) {
    case 0:
      return {n};
    case 1:
      return {m};
    case 2:
      return draw(0, 1) ? Shape{n, m} : Shape{};
    default:
      return {n, m};
    }
  }

  void operation() {
    switch (draw(0, 9)) {
    case 0:
    case 1: { // keeps numbers small
      const char *names[] = {"tanh", "negate", "abs", "sine"};
      return keep(p.unary(names[draw(0, 3)], pick(shape())));
    }
    case 2:
    case 3: {
      const char *names[] = {"add", "subtract", "multiply", "maximum"};
      Shape both = shape();
      return keep(p.binary(names[draw(0, 3)], pick(both), pick(both)));
    }
    case 4: { // along an axis, both, or in two steps
      int x = pick({n, m});
      Axes axes = draw(0, 1) ? Axes{draw(0, 1)} : Axes{0, 1};
      return keep(p.reduce(draw(0, 2) ? "add" : "maximum", x, axes));
    }
    case 5: {
      int64_t extent = draw(0, 1) ? n : m;
      return keep(p.reduce("add", pick({extent}), {0}));
    }
    case 6: {
      switch (draw(0, 2)) {
      case 0:
        return keep(p.broadcast(pick({}), {}, {n, m}));
      case 1:
        return keep(p.broadcast(pick({n}), {0}, {n, m}));
      default:
        return keep(p.broadcast(pick({m}), {1}, {n, m}));
      }
    }
    case 7: {
      int x = pick({n, m}), y = pick({n, m});
      int square = p.dot(x, y, {}, {}, {1}, {1}); // n x n
      return keep(p.dot(p.unary("tanh", square), x, {}, {}, {draw(0, 1)}, {0}));
    }
    case 8: {
      Shape of = draw(0, 1) ? Shape{n, m} : Shape{n};
      int mask = pick(of, "i1");
      if (draw(0, 2) == 0)
        return keep(p.compare("GT", pick(of), pick(of)));
      if (draw(0, 2) == 0)
        return keep(p.convert(mask, "f64"));
      return keep(p.select(mask, pick(of), pick(of)));
    }
    default: { // views
      int x = pick({n, m});
      switch (draw(0, 2)) {
      case 0:
        return keep(p.reshape(p.unary("tanh", p.reshape(x, {m * n})), {n, m}));
      case 1:
        return keep(p.reshape(p.slice(x, {0, 0}, {n, 1}), {n}));
      default:
        return keep(
            p.transpose(p.unary("tanh", p.transpose(x, {1, 0})), {1, 0}));
      }
    }
    }
  }
  void keep(int value) { values.push_back(value); }
};
} // namespace

RandomProgram randomGraph(uint64_t seed) { return GraphGenerator(seed).run(); }

} // namespace mercator::testing
