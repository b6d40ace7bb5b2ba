// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps of the operations that pad a tensor or slide a window over it.
//
// All of them solve one equation in each dimension. Element `o` of the result,
// at element `k` of the window, meets the padded tensor at
//
//   o * stride + k * windowDilation  =  low + i * baseDilation
//
// where i is the element of the operand. A place without an i is padding.

#include "mercator/indexing/operations/TensorMapsDetail.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::indexing::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

Map indexing::pad(Arena &arena, Direction direction, Sizes operand,
                  Sizes result, ArrayRef<int64_t> low, ArrayRef<int64_t> high,
                  ArrayRef<int64_t> interior) {
  Map map(arena);
  for (size_t i = 0; i < operand.size(); ++i) {
    int64_t step = interior[i] + 1, last = operand[i] - 1;
    Interval inside{low[i], low[i] + last * step};
    Expr d = map.domain.addDim(
        arena, operand[i] == 0 ? Interval::empty()
                               : inside.intersect(Interval::ofSize(result[i])));
    Expr distance = arena.add(d, -low[i]);
    map.results.push_back(arena.floorDiv(distance, step));
    if (step > 1)
      map.domain.addConstraint(arena.mod(distance, step), Interval::point(0));
  }
  return inDirection(direction, finish(std::move(map)), operand);
}

Map indexing::padValue(Arena &arena, Direction direction, Sizes operand,
                       Sizes result, ArrayRef<int64_t> low,
                       ArrayRef<int64_t> interior) {
  bool back = direction == Direction::OutToIn;
  Map map(arena);
  for (int64_t size : result) {
    if (back)
      (void)map.domain.addDim(arena, Interval::ofSize(size));
    else
      map.results.push_back(map.domain.addRange(arena, Interval::ofSize(size)));
  }
  map = finish(std::move(map));
  if (map.isKnownEmpty() || llvm::is_contained(operand, 0))
    return map; // the result consists of padding only

  // The ways in which an index lies outside the operand, and its distance.
  struct Outside {
    Expr by;
    int64_t most;
    size_t dim;
    Interval where; ///< as bounds of the dimension; empty if there are none
  };
  SmallVector<Outside> ways;
  for (size_t i = 0; i < operand.size(); ++i) {
    Expr d = back ? arena.dim(i) : arena.range(i);
    int64_t step = interior[i] + 1, size = result[i];
    int64_t last = low[i] + (operand[i] - 1) * step;
    if (low[i] >= size || last < 0)
      return map;
    if (low[i] > 0)
      ways.push_back({arena.sub(arena.constant(low[i] - 1), d), low[i] - 1, i,
                      Interval{0, low[i] - 1}});
    if (last < size - 1)
      ways.push_back({arena.add(d, -last - 1), size - last - 2, i,
                      Interval{last + 1, size - 1}});
    if (step > 1 && operand[i] > 1)
      ways.push_back({arena.add(arena.mod(arena.add(d, -low[i]), step), -1),
                      step - 2, i, Interval::empty()});
  }
  if (ways.empty())
    return Map::makeEmpty(arena, map.numDims(), map.numResults());
  if (ways.size() == 1 && !ways[0].where.isEmpty()) {
    Interval &bounds = back ? map.domain.dims[ways[0].dim].bounds
                            : map.domain.ranges[ways[0].dim].bounds;
    bounds = bounds.intersect(ways[0].where);
    return map;
  }
  Expr outside;
  int64_t farthest = 0;
  for (const Outside &way : ways) {
    outside = outside ? arena.max(outside, way.by) : way.by;
    farthest = std::max(farthest, way.most);
  }
  map.domain.addConstraint(outside, {0, farthest});
  return map;
}

/// Adds the constraint `expr in bounds`, unless `range`, an interval of the
/// expression, implies it.
static void constrain(Map &map, Expr expr, Interval range, Interval bounds) {
  if (!bounds.contains(range))
    map.domain.addConstraint(expr, bounds);
}

/// Returns distance / step, and restricts the distance to 0, step, ...,
/// (count - 1) * step. `range` is an interval of the distance.
static Expr steps(Map &map, Expr distance, Interval range, int64_t step,
                  int64_t count) {
  Arena &arena = *map.arena;
  constrain(map, distance, range,
            count == 0 ? Interval::empty() : Interval{0, (count - 1) * step});
  if (step > 1)
    map.domain.addConstraint(arena.mod(distance, step), Interval::point(0));
  return arena.floorDiv(distance, step);
}

/// The element of the operand under element k of the window of result element
/// o. Adds the constraints that exclude padding.
static Expr underWindow(Map &map, Expr o, Expr k, const WindowDim &w,
                        int64_t operand, int64_t result) {
  Arena &arena = *map.arena;
  Expr distance = arena.sum({{o, w.stride}, {k, w.windowDilation}}, -w.low);
  Interval range = Interval::ofSize(result) * w.stride +
                   Interval::ofSize(w.size) * w.windowDilation +
                   Interval::point(-w.low);
  return steps(map, distance, range, w.baseDilation, operand);
}

/// The element of the result whose window has operand element i at position k.
static Expr overWindow(Map &map, Expr i, Expr k, const WindowDim &w,
                       int64_t operand, int64_t result) {
  Arena &arena = *map.arena;
  Expr distance =
      arena.sum({{i, w.baseDilation}, {k, -w.windowDilation}}, w.low);
  Interval range = Interval::ofSize(operand) * w.baseDilation -
                   Interval::ofSize(w.size) * w.windowDilation +
                   Interval::point(w.low);
  return steps(map, distance, range, w.stride, result);
}

/// A range variable over the window; the constant 0 for one element.
static Expr windowElement(Map &map, const WindowDim &w) {
  return w.size == 1
             ? map.arena->constant(0)
             : map.domain.addRange(*map.arena, Interval::ofSize(w.size));
}

Map indexing::reduceWindow(Arena &arena, Direction direction, Sizes operand,
                           Sizes result, ArrayRef<WindowDim> window) {
  bool back = direction == Direction::OutToIn;
  Map map = onBox(arena, back ? result : operand);
  for (auto [i, w] : llvm::enumerate(window)) {
    Expr k = windowElement(map, w), d = arena.dim(i);
    map.results.push_back(
        back ? underWindow(map, d, k, w, operand[i], result[i])
             : overWindow(map, d, k, w, operand[i], result[i]));
  }
  return finish(std::move(map));
}

Map indexing::sharedWindow(Arena &arena, Sizes operand, Sizes positions,
                           ArrayRef<WindowDim> window) {
  return compose(
      reduceWindow(arena, Direction::InToOut, operand, positions, window),
      reduceWindow(arena, Direction::OutToIn, operand, positions, window));
}

//===--- Convolution ------------------------------------------------------===//
//
// The features of the result form `groups` blocks of equal length. With feature
// groups, block g reads block g of the input features. With batch groups, block
// g reads block g of the input batch. One of the two counts is 1.

/// A range variable over [0, size - 1]; the constant 0 for size 1.
static Expr anyOf(Map &map, int64_t size) {
  return size == 1 ? map.arena->constant(0)
                   : map.domain.addRange(*map.arena, Interval::ofSize(size));
}

namespace {
/// The map to the input, and where in the kernel its points are.
struct UnderKernel {
  Map map;
  SmallVector<Expr> window;
  Expr feature; ///< of the kernel's input features
};
} // namespace

static UnderKernel underKernel(Arena &arena, const Convolution &c) {
  const ConvolutionDims &dims = c.dims;
  UnderKernel under{onBox(arena, c.output), {}, {}};
  Map &map = under.map;
  map.results.resize(c.input.size(), arena.constant(0));
  for (auto [i, w] : llvm::enumerate(c.window)) {
    int64_t in = dims.inputSpatial[i], out = dims.outputSpatial[i];
    under.window.push_back(windowElement(map, w));
    map.results[in] = underWindow(map, arena.dim(out), under.window.back(), w,
                                  c.input[in], c.output[out]);
  }
  Expr feature = arena.dim(dims.outputFeature);
  int64_t features = c.output[dims.outputFeature];
  int64_t perGroup = c.kernel[dims.kernelInputFeature];
  Expr batch = arena.dim(dims.outputBatch);
  Expr inFeature = under.feature = anyOf(map, perGroup);
  if (c.featureGroups > 1 && features > 0) {
    Expr group = arena.floorDiv(feature, features / c.featureGroups);
    inFeature = arena.add(arena.scale(group, perGroup), inFeature);
  }
  if (c.batchGroups > 1 && features > 0) {
    Expr group = arena.floorDiv(feature, features / c.batchGroups);
    batch = arena.add(arena.scale(group, c.output[dims.outputBatch]), batch);
  }
  map.results[dims.inputBatch] = batch;
  map.results[dims.inputFeature] = inFeature;
  return under;
}

static Map convolutionInputOf(Arena &arena, const Convolution &c) {
  return finish(underKernel(arena, c).map);
}

Map indexing::convolutionKernelInside(Arena &arena, const Convolution &c) {
  UnderKernel under = underKernel(arena, c);
  Map map = std::move(under.map);
  map.results.assign(c.kernel.size(), arena.constant(0));
  for (auto [i, w] : llvm::enumerate(c.window))
    map.results[c.dims.kernelSpatial[i]] =
        w.reversal ? arena.sub(arena.constant(w.size - 1), under.window[i])
                   : under.window[i];
  map.results[c.dims.kernelInputFeature] = under.feature;
  map.results[c.dims.kernelOutputFeature] = arena.dim(c.dims.outputFeature);
  return finish(std::move(map));
}

static Map convolutionOutputOf(Arena &arena, const Convolution &c) {
  const ConvolutionDims &dims = c.dims;
  Map map = onBox(arena, c.input);
  map.results.resize(c.output.size(), arena.constant(0));
  for (auto [i, w] : llvm::enumerate(c.window)) {
    int64_t in = dims.inputSpatial[i], out = dims.outputSpatial[i];
    map.results[out] = overWindow(map, arena.dim(in), windowElement(map, w), w,
                                  c.input[in], c.output[out]);
  }
  Expr feature = arena.dim(dims.inputFeature);
  Expr batch = arena.dim(dims.inputBatch);
  int64_t groups = std::max(c.featureGroups, c.batchGroups);
  int64_t perGroup = c.output[dims.outputFeature] / groups;
  Expr outFeature = anyOf(map, perGroup);
  auto ofGroup = [&](Expr group) {
    return arena.add(arena.scale(group, perGroup), outFeature);
  };
  if (c.featureGroups > 1 && c.kernel[dims.kernelInputFeature] > 0)
    outFeature =
        ofGroup(arena.floorDiv(feature, c.kernel[dims.kernelInputFeature]));
  if (c.batchGroups > 1 && c.output[dims.outputBatch] > 0) {
    int64_t batches = c.output[dims.outputBatch];
    outFeature = ofGroup(arena.floorDiv(batch, batches));
    batch = arena.mod(batch, batches);
  }
  map.results[dims.outputBatch] = batch;
  map.results[dims.outputFeature] = outFeature;
  return finish(std::move(map));
}

Map indexing::convolutionInput(Arena &arena, Direction direction,
                               const Convolution &c) {
  return direction == Direction::OutToIn ? convolutionInputOf(arena, c)
                                         : convolutionOutputOf(arena, c);
}

Map indexing::convolutionKernel(Arena &arena, Direction direction,
                                const Convolution &c) {
  const ConvolutionDims &dims = c.dims;
  bool back = direction == Direction::OutToIn;
  if (!back) {
    SmallVector<int64_t> source(c.output.size(), -1);
    source[dims.outputFeature] = dims.kernelOutputFeature;
    return selectDims(arena, c.kernel, c.output, source);
  }
  SmallVector<int64_t> source(c.kernel.size(), -1);
  source[dims.kernelOutputFeature] = dims.outputFeature;
  // Reversal permutes the kernel elements. All of them are read anyway.
  return selectDims(arena, c.output, c.kernel, source);
}
