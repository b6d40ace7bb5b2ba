// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tape.h"

#include "llvm/ADT/STLExtras.h"

namespace mercator::testing {

void Tape::give(int value, int gradient) {
  auto [it, isNew] = gradientOf.try_emplace(value, gradient);
  if (!isNew)
    it->second = ProgramText::binary("add", it->second, gradient);
}

std::vector<int> Tape::gradients(int loss, const std::vector<int> &of) {
  gradientOf = {{loss, constant(1, {})}};
  size_t count = rules.size();
  for (size_t i = count; i > 0; --i)
    if (auto it = gradientOf.find(rules[i - 1].result); it != gradientOf.end())
      rules[i - 1].pull(it->second);
  std::vector<int> result;
  for (int value : of) {
    auto it = gradientOf.find(value);
    result.push_back(it == gradientOf.end() ? constant(0, shapeOf(value))
                                            : it->second);
  }
  return result;
}

//===--- Elementwise ------------------------------------------------------===//

int Tape::add(int x, int y) {
  return differentiable(binary("add", x, y), [=, this](int d) {
    give(x, d);
    give(y, d);
  });
}
int Tape::subtract(int x, int y) {
  return differentiable(binary("subtract", x, y), [=, this](int d) {
    give(x, d);
    give(y, unary("negate", d));
  });
}
int Tape::multiply(int x, int y) {
  return differentiable(binary("multiply", x, y), [=, this](int d) {
    give(x, binary("multiply", d, y));
    give(y, binary("multiply", x, d));
  });
}
int Tape::divide(int x, int y) {
  int result = binary("divide", x, y);
  return differentiable(result, [=, this](int d) {
    give(x, binary("divide", d, y));
    int square = binary("multiply", y, y);
    int by = binary("divide", binary("multiply", d, x), square);
    give(y, unary("negate", by));
  });
}
int Tape::scale(int x, double by) {
  return differentiable(
      binary("multiply", x, constant(by, shapeOf(x))), [=, this](int d) {
        give(x, binary("multiply", d, constant(by, shapeOf(x))));
      });
}
int Tape::shift(int x, double by) {
  return differentiable(binary("add", x, constant(by, shapeOf(x))),
                        [=, this](int d) { give(x, d); });
}
int Tape::tanh(int x) {
  int y = unary("tanh", x);
  return differentiable(y, [=, this](int d) {
    int one = constant(1, shapeOf(x));
    int slope = binary("subtract", one, y);
    int both = binary("multiply", d, slope);
    give(x, binary("add", both, binary("multiply", both, y)));
  });
}
int Tape::exponential(int x) {
  int y = unary("exponential", x);
  return differentiable(
      y, [=, this](int d) { give(x, binary("multiply", d, y)); });
}
int Tape::log(int x) {
  return differentiable(unary("log", x),
                        [=, this](int d) { give(x, binary("divide", d, x)); });
}
int Tape::logistic(int x) {
  int y = unary("logistic", x);
  return differentiable(y, [=, this](int d) {
    int other = binary("subtract", constant(1, shapeOf(x)), y);
    give(x, binary("multiply", d, binary("multiply", y, other)));
  });
}
int Tape::rsqrt(int x) {
  int y = unary("rsqrt", x);
  return differentiable(y, [=, this](int d) {
    int slope =
        binary("multiply", constant(-0.5, shapeOf(x)), binary("divide", y, x));
    give(x, binary("multiply", d, slope));
  });
}
int Tape::relu(int x) {
  int zero = constant(0, shapeOf(x));
  int y = binary("maximum", x, zero);
  int mask = compare("GT", x, zero);
  int other = constant(0, shapeOf(x));
  return differentiable(y,
                        [=, this](int d) { give(x, select(mask, d, other)); });
}
int Tape::absolute(int x) {
  int sign = unary("sign", x);
  return differentiable(unary("abs", x), [=, this](int d) {
    give(x, binary("multiply", d, sign));
  });
}
int Tape::where(int mask, int x, int y) {
  return differentiable(select(mask, x, y), [=, this](int d) {
    int zero = constant(0, shapeOf(d));
    give(x, select(mask, d, zero));
    give(y, select(mask, zero, d));
  });
}

//===--- Shapes -----------------------------------------------------------===//

int Tape::spread(int x, Axes axes, Shape shape) {
  return differentiable(broadcast(x, axes, shape), [=, this](int d) {
    Axes summed;
    for (int64_t axis = 0; axis < int64_t(shape.size()); ++axis) {
      auto at = llvm::find(axes, axis);
      if (at == axes.end() || shapeOf(x)[at - axes.begin()] != shape[axis])
        summed.push_back(axis);
    }
    int g = summed.empty() ? d : reduce("add", d, summed);
    give(x, shapeOf(g) == shapeOf(x) ? g : reshape(g, shapeOf(x)));
  });
}
/// The axes that are not summed.
static Axes keptAxes(const Shape &shape, const Axes &axes) {
  Axes kept;
  for (int64_t axis = 0; axis < int64_t(shape.size()); ++axis)
    if (!llvm::is_contained(axes, axis))
      kept.push_back(axis);
  return kept;
}
int Tape::sum(int x, Axes axes) {
  return differentiable(reduce("add", x, axes), [=, this](int d) {
    give(x, broadcast(d, keptAxes(shapeOf(x), axes), shapeOf(x)));
  });
}
int Tape::sumAll(int x) { return sum(x, keptAxes(shapeOf(x), {})); }
int Tape::largest(int x, Axes axes) {
  int y = reduce("maximum", x, axes);
  return differentiable(y, [=, this](int d) {
    Axes kept = keptAxes(shapeOf(x), axes);
    int where = compare("EQ", x, broadcast(y, kept, shapeOf(x)));
    int mask = convert(where, real);
    int count = reduce("add", mask, axes);
    int each = binary("divide", d, count);
    give(x, binary("multiply", broadcast(each, kept, shapeOf(x)), mask));
  });
}
int Tape::permute(int x, Axes order) {
  return differentiable(transpose(x, order), [=, this](int d) {
    Axes back(order.size());
    for (auto [i, axis] : llvm::enumerate(order))
      back[axis] = int64_t(i);
    give(x, transpose(d, back));
  });
}
int Tape::shaped(int x, Shape shape) {
  return differentiable(reshape(x, shape),
                        [=, this](int d) { give(x, reshape(d, shapeOf(x))); });
}
int Tape::part(int x, Axes begin, Axes end) {
  return differentiable(slice(x, begin, end), [=, this](int d) {
    Axes high;
    for (size_t i = 0; i < end.size(); ++i)
      high.push_back(shapeOf(x)[i] - end[i]);
    give(x, pad(d, begin, high, Axes(begin.size())));
  });
}
int Tape::joined(int x, int y, int64_t axis) {
  return differentiable(concatenate(x, y, axis), [=, this](int d) {
    Axes begin(shapeOf(x).size()), end = shapeOf(x);
    give(x, slice(d, begin, end));
    begin[axis] = end[axis];
    end[axis] += shapeOf(y)[axis];
    give(y, slice(d, begin, end));
  });
}

//===--- Products ---------------------------------------------------------===//

/// The transpose that brings a gradient, whose axes are `now`, into order.
static Axes orderOf(const Axes &now) {
  Axes order(now.size());
  for (auto [i, axis] : llvm::enumerate(now))
    order[axis] = int64_t(i);
  return order;
}

int Tape::product(int x, int y, Axes batchX, Axes batchY, Axes sumX,
                  Axes sumY) {
  return differentiable(dot(x, y, batchX, batchY, sumX, sumY), [=,
                                                                this](int d) {
    auto freeOf = [&](int value, const Axes &batch, const Axes &sum) {
      Axes all = batch;
      llvm::append_range(all, sum);
      return keptAxes(shapeOf(value), all);
    };
    Axes freeX = freeOf(x, batchX, sumX), freeY = freeOf(y, batchY, sumY);
    Axes batch, ofX, ofY;
    for (size_t i = 0; i < batchX.size(); ++i)
      batch.push_back(int64_t(i));
    for (size_t i = 0; i < freeX.size(); ++i)
      ofX.push_back(int64_t(batch.size() + i));
    for (size_t i = 0; i < freeY.size(); ++i)
      ofY.push_back(int64_t(batch.size() + freeX.size() + i));
    // d by y has the batch, what is free of x, and what was summed, in the
    // order of y.
    auto pull = [&](int other, const Axes &ofOther, const Axes &otherBatch,
                    const Axes &otherFree, const Axes &ownBatch,
                    const Axes &ownFree, const Axes &ownSum,
                    const Axes &otherSum) {
      int g = dot(d, other, batch, otherBatch, ofOther, otherFree);
      Axes now = ownBatch;
      llvm::append_range(now, ownFree);
      Axes sorted = otherSum;
      llvm::sort(sorted);
      for (int64_t axis : sorted)
        now.push_back(ownSum[llvm::find(otherSum, axis) - otherSum.begin()]);
      Axes order = orderOf(now);
      return llvm::is_sorted(order) ? g : transpose(g, order);
    };
    give(x, pull(y, ofY, batchY, freeY, batchX, freeX, sumX, sumY));
    give(y, pull(x, ofX, batchX, freeX, batchY, freeY, sumY, sumX));
  });
}
int Tape::dotLast(int x, int w) {
  return product(x, w, {}, {}, {int64_t(shapeOf(x).size()) - 1}, {0});
}

int Tape::convolve(int x, int kernel, int64_t stride, int64_t low,
                   int64_t high) {
  const Shape in = shapeOf(x), k = shapeOf(kernel);
  auto extent = [&](int axis) {
    return (in[axis] + low + high - k[axis - 1]) / stride + 1;
  };
  Shape out = {in[0], extent(1), extent(2), k[3]};
  Axes strides = {stride, stride}, ones = {1, 1};
  int y = convolution(x, kernel, "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
                      {strides, {low, low}, {high, high}, ones, ones}, out);
  return differentiable(y, [=, this](int d) {
    Axes lowX, highX, highK;
    for (int axis : {1, 2}) {
      int64_t dilated = (out[axis] - 1) * stride + 1;
      lowX.push_back(k[axis - 1] - 1 - low);
      highX.push_back(in[axis] + k[axis - 1] - 1 - dilated - lowX.back());
      highK.push_back(k[axis - 1] - 1 + dilated - in[axis] - low);
    }
    give(kernel, convolution(x, d, "[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]",
                             {ones, {low, low}, highK, ones, strides}, k));
    int reversed = reverse(kernel, {0, 1});
    give(x, convolution(d, reversed, "[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]",
                        {ones, lowX, highX, strides, ones}, in));
  });
}

int Tape::maxPool(int x) {
  return differentiable(pool("maximum", x),
                        [=, this](int d) { give(x, poolGradient(x, d)); });
}
int Tape::sumPool(int x) {
  return differentiable(pool("add", x), [=, this](int d) {
    // Each element has the gradient of its window.
    Shape small = shapeOf(d); // later values move the others
    Shape split = {small[0], small[1], 2, small[2], 2, small[3]};
    int spread = broadcast(d, {0, 1, 3, 5}, split);
    Shape even = {small[0], 2 * small[1], 2 * small[2], small[3]};
    int g = reshape(spread, even);
    Axes high;
    for (size_t i = 0; i < even.size(); ++i)
      high.push_back(shapeOf(x)[i] - even[i]);
    give(x, shapeOf(x) == even ? g : pad(g, Axes(4), high, Axes(4)));
  });
}
int Tape::embed(int table, int at) {
  return differentiable(gather(table, at), [=, this](int d) {
    give(table, scatter(at, d, shapeOf(table)));
  });
}

//===--- Layers -----------------------------------------------------------===//

int Tape::meanAlong(int x, Axes axes) {
  double count = 1;
  for (int64_t axis : axes)
    count *= double(shapeOf(x)[axis]);
  int mean = scale(sum(x, axes), 1 / count);
  return spread(mean, keptAxes(shapeOf(x), axes), shapeOf(x));
}

int Tape::normalized(int x, Axes axes, int scale, int shift) {
  int centered = subtract(x, meanAlong(x, axes));
  int variance = meanAlong(multiply(centered, centered), axes);
  int unit = multiply(centered, rsqrt(Tape::shift(variance, 0.1)));
  int64_t last = int64_t(shapeOf(x).size()) - 1;
  int scaled = multiply(unit, spread(scale, {last}, shapeOf(x)));
  return add(scaled, spread(shift, {last}, shapeOf(x)));
}

int Tape::logSoftmax(int x) {
  int64_t last = int64_t(shapeOf(x).size()) - 1;
  Axes kept = keptAxes(shapeOf(x), {last});
  // JAX stops the derivative at the maximum.
  int most = broadcast(reduce("maximum", x, {last}), kept, shapeOf(x));
  int shifted = subtract(x, most);
  int sums = log(sum(exponential(shifted), {last}));
  return subtract(shifted, spread(sums, kept, shapeOf(x)));
}

int Tape::softmax(int x) {
  int64_t last = int64_t(shapeOf(x).size()) - 1;
  Axes kept = keptAxes(shapeOf(x), {last});
  int most = broadcast(reduce("maximum", x, {last}), kept, shapeOf(x));
  int e = exponential(subtract(x, most));
  return divide(e, spread(sum(e, {last}), kept, shapeOf(x)));
}

} // namespace mercator::testing
