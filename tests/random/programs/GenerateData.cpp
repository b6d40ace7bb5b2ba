// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

#include <algorithm>

namespace mercator::testing {

namespace {

std::string i64Array(const char *name, const Numbers &numbers) {
  return std::string(name) + " = " + array(numbers);
}
std::string i64(const char *name, int64_t number) {
  return std::string(name) + " = " + std::to_string(number) + " : i64";
}

std::string anyElement(Generator &g) {
  return g.once(5) ? "i32" : g.once(12) ? "i1" : "f32";
}

bool constant(Generator &g) {
  TensorType type{g.shape(), "f32"};
  Numbers elements(type.size(), 1);
  g.constant(type, elements);
  return true;
}
bool chloConstant(Generator &g) {
  Numbers shape = {g.in(1, 3)};
  g.emit("chlo.constant", {},
         "value = dense<2.0> : tensor<" + std::to_string(shape[0]) + "xf32>",
         {{shape, "f32"}});
  return true;
}
bool constantLike(Generator &g) {
  int v = g.any("f32");
  g.emit("chlo.constant_like", {v}, "value = 1.0 : f32", {g.typeOf(v)});
  return true;
}
bool iota(Generator &g) {
  Numbers shape = g.shape(1, 3);
  g.emit("stablehlo.iota", {},
         i64("iota_dimension", g.in(0, int64_t(shape.size()) - 1)),
         {{shape, g.once(2) ? "i32" : "f32"}});
  return true;
}

/// The numbers as a constant operand of the operation, since they determine the
/// shape of the result.
int shapeOperand(Generator &g, const Numbers &numbers, const char *element) {
  TensorType type{{int64_t(numbers.size())}, element};
  return g.constant(type, numbers);
}
const char *shapeElement(Generator &g) { return g.once(2) ? "i32" : "i64"; }

bool dynamicIota(Generator &g) {
  Numbers shape = g.shape(1, 3);
  g.emit("stablehlo.dynamic_iota", {shapeOperand(g, shape, shapeElement(g))},
         i64("iota_dimension", g.in(0, int64_t(shape.size()) - 1)),
         {{shape, "f32"}});
  return true;
}

bool broadcastInDimOf(Generator &g, bool isDynamic) {
  int v = g.any(anyElement(g));
  Numbers from = g.shapeOf(v), shape(from.size()), dims;
  int64_t added = g.in(0, 2);
  for (int64_t i = 0; i < added; ++i)
    shape.push_back(0);
  dims = g.permutation(int64_t(shape.size()));
  dims.resize(from.size());
  for (int64_t &extent : shape)
    extent = g.extent();
  for (size_t d = 0; d < from.size(); ++d)
    if (from[d] != 1)
      shape[dims[d]] = from[d];
  TensorType type{shape, g.typeOf(v).element};
  if (type.size() > 2 * g.sizes.elements)
    return false;
  if (isDynamic)
    g.emit("stablehlo.dynamic_broadcast_in_dim",
           {v, shapeOperand(g, shape, shapeElement(g))},
           i64Array("broadcast_dimensions", dims), {type});
  else
    g.emit("stablehlo.broadcast_in_dim", {v},
           i64Array("broadcast_dimensions", dims), {type});
  return true;
}
bool broadcastInDim(Generator &g) { return broadcastInDimOf(g, false); }
bool dynamicBroadcastInDim(Generator &g) { return broadcastInDimOf(g, true); }

bool broadcast(Generator &g) {
  int v = g.any("f32", 0, 2);
  Numbers added = g.shape(0, 2), shape = added;
  for (int64_t extent : g.shapeOf(v))
    shape.push_back(extent);
  TensorType type{shape, "f32"};
  if (type.size() > 2 * g.sizes.elements)
    return false;
  g.emit("stablehlo.broadcast", {v}, i64Array("broadcast_sizes", added),
         {type});
  return true;
}

/// Another shape with the same number of elements.
Numbers reshaped(Generator &g, int64_t total) {
  Numbers shape;
  int64_t rank = g.in(0, 4);
  if (total == 0) {
    shape.push_back(0);
    for (int64_t i = 0; i < rank; ++i)
      shape.insert(shape.begin() + g.in(0, int64_t(shape.size())), g.extent());
    return shape;
  }
  for (int64_t i = 0; i < rank; ++i) {
    int64_t factor = g.in(1, total);
    while (total % factor != 0)
      --factor;
    shape.push_back(factor);
    total /= factor;
  }
  if (total != 1 || g.once(3))
    shape.insert(shape.begin() + g.in(0, int64_t(shape.size())), total);
  return shape;
}
bool reshape(Generator &g) {
  int v = g.any(anyElement(g));
  g.emit("stablehlo.reshape", {v}, "",
         {{reshaped(g, g.typeOf(v).size()), g.typeOf(v).element}});
  return true;
}
bool dynamicReshape(Generator &g) {
  int v = g.any("f32");
  Numbers shape = reshaped(g, g.typeOf(v).size());
  g.emit("stablehlo.dynamic_reshape",
         {v, shapeOperand(g, shape, shapeElement(g))}, "", {{shape, "f32"}});
  return true;
}

bool transpose(Generator &g) {
  int v = g.any(anyElement(g));
  Numbers shape = g.shapeOf(v), dims = g.permutation(int64_t(shape.size())), to;
  for (int64_t dim : dims)
    to.push_back(shape[dim]);
  g.emit("stablehlo.transpose", {v}, i64Array("permutation", dims),
         {{to, g.typeOf(v).element}});
  return true;
}

bool reverse(Generator &g) {
  int v = g.any(anyElement(g));
  int64_t rank = g.typeOf(v).rank();
  g.emit("stablehlo.reverse", {v},
         i64Array("dimensions", g.anyOrder(g.subset(rank, g.in(0, rank)))),
         {g.typeOf(v)});
  return true;
}

struct Ranges {
  Numbers starts, limits, strides, shape;
};
Ranges ranges(Generator &g, const Numbers &shape) {
  Ranges r;
  for (int64_t extent : shape) {
    int64_t start = g.in(0, extent), limit = g.in(start, extent),
            stride = g.in(1, 3);
    if (start == limit && extent > 0 && !g.once(4)) {
      start = 0;
      limit = extent;
    }
    r.starts.push_back(start);
    r.limits.push_back(limit);
    r.strides.push_back(stride);
    r.shape.push_back((limit - start + stride - 1) / stride);
  }
  return r;
}
bool slice(Generator &g) {
  int v = g.any(anyElement(g));
  Ranges r = ranges(g, g.shapeOf(v));
  g.emit("stablehlo.slice", {v},
         i64Array("start_indices", r.starts) + ", " +
             i64Array("limit_indices", r.limits) + ", " +
             i64Array("strides", r.strides),
         {{r.shape, g.typeOf(v).element}});
  return true;
}
bool realDynamicSlice(Generator &g) {
  int v = g.any("f32");
  Ranges r = ranges(g, g.shapeOf(v));
  const char *element = shapeElement(g);
  int starts = shapeOperand(g, r.starts, element),
      limits = shapeOperand(g, r.limits, element),
      strides = shapeOperand(g, r.strides, element);
  g.emit("stablehlo.real_dynamic_slice", {v, starts, limits, strides}, "",
         {{r.shape, "f32"}});
  return true;
}

bool concatenate(Generator &g) {
  int v = g.any(anyElement(g), 1);
  Numbers shape = g.shapeOf(v);
  int64_t dim = g.in(0, int64_t(shape.size()) - 1), count = g.in(1, 4);
  std::vector<int> operands = {v};
  for (int64_t i = 1; i < count; ++i) {
    TensorType type = g.typeOf(v);
    if (!g.once(3))
      type.shape[dim] = g.extent();
    operands.push_back(g.once(4) ? v : g.value(type));
    shape[dim] += g.shapeOf(operands.back())[dim];
  }
  std::string element = g.typeOf(v).element;
  if (TensorType{shape, element}.size() > 2 * g.sizes.elements)
    return false;
  g.emit("stablehlo.concatenate", operands, i64("dimension", dim),
         {{shape, element}});
  return true;
}

bool padOf(Generator &g, bool isDynamic) {
  int v = g.any(isDynamic ? "f32" : anyElement(g));
  Numbers low, high, interior, shape;
  for (int64_t extent : g.shapeOf(v)) {
    low.push_back(g.in(-2, 2));
    high.push_back(g.in(-2, 2));
    interior.push_back(g.once(3) ? g.in(1, 2) : 0);
    shape.push_back(low.back() + high.back() + extent +
                    std::max<int64_t>(extent - 1, 0) * interior.back());
    if (shape.back() < 0)
      return false;
  }
  TensorType type{shape, g.typeOf(v).element};
  if (type.size() > 3 * g.sizes.elements)
    return false;
  int padding = g.value({{}, type.element});
  if (isDynamic) {
    const char *element = shapeElement(g);
    int a = shapeOperand(g, low, element), b = shapeOperand(g, high, element),
        c = shapeOperand(g, interior, element);
    g.emit("stablehlo.dynamic_pad", {v, padding, a, b, c}, "", {type});
  } else {
    g.emit("stablehlo.pad", {v, padding},
           i64Array("edge_padding_low", low) + ", " +
               i64Array("edge_padding_high", high) + ", " +
               i64Array("interior_padding", interior),
           {type});
  }
  return true;
}
bool pad(Generator &g) { return padOf(g, false); }
bool dynamicPad(Generator &g) { return padOf(g, true); }

bool bitcastConvert(Generator &g) {
  int v = g.any(g.once(2) ? "f32" : "i32");
  TensorType type = g.typeOf(v);
  if (g.once(2)) {
    type.element = "i8";
    type.shape.push_back(4);
  } else if (!type.shape.empty() && type.shape.back() == 2) {
    type.element = "i64";
    type.shape.pop_back();
  } else {
    type.element = "ui32";
  }
  g.emit("stablehlo.bitcast_convert", {v}, "", {type});
  return true;
}

bool getDimensionSize(Generator &g) {
  int v = g.any("f32", 1);
  g.emit("stablehlo.get_dimension_size", {v},
         i64("dimension", g.in(0, g.typeOf(v).rank() - 1)), {{{}, "i32"}});
  return true;
}
bool setDimensionSize(Generator &g) {
  int v = g.any("f32", 1);
  int64_t dim = g.in(0, g.typeOf(v).rank() - 1);
  int size = g.constant({{}, "i32"}, {g.shapeOf(v)[dim]});
  g.emit("stablehlo.set_dimension_size", {v, size}, i64("dimension", dim),
         {g.typeOf(v)});
  return true;
}

//===--- At places that operands say --------------------------------------===//

bool dynamicSlice(Generator &g) {
  int v = g.any(anyElement(g));
  Numbers shape;
  std::vector<int> operands = {v};
  for (int64_t extent : Numbers(g.shapeOf(v)))
    shape.push_back(g.in(g.once(4) ? 0 : std::min<int64_t>(1, extent), extent));
  std::string element = g.once(3) ? "i64" : "i32";
  for (int64_t extent : Numbers(g.shapeOf(v))) {
    int index = g.indices({}, -1, extent + 1);
    if (operands.size() > 1)
      if (g.typeOf(index).element != g.typeOf(operands[1]).element)
        index = g.argument(g.typeOf(operands[1]));
    operands.push_back(index);
  }
  g.emit("stablehlo.dynamic_slice", operands, i64Array("slice_sizes", shape),
         {{shape, g.typeOf(v).element}});
  return true;
}

bool dynamicUpdateSlice(Generator &g) {
  int v = g.any(anyElement(g));
  Numbers shape;
  for (int64_t extent : g.shapeOf(v))
    shape.push_back(g.in(g.once(4) ? 0 : std::min<int64_t>(1, extent), extent));
  std::vector<int> operands = {v, g.value({shape, g.typeOf(v).element})};
  for (int64_t extent : Numbers(g.shapeOf(v))) {
    int index = g.indices({}, -1, extent + 1);
    if (operands.size() > 2)
      if (g.typeOf(index).element != g.typeOf(operands[2]).element)
        index = g.argument(g.typeOf(operands[2]));
    operands.push_back(index);
  }
  g.emit("stablehlo.dynamic_update_slice", operands, "", {g.typeOf(v)});
  return true;
}

/// The dimensions of a tensor that consists of windows, of its indices, and of
/// the tensor of the windows.
struct Windowed {
  Numbers big, sliceSizes, removed, batching, indicesBatching, indexMap,
      indices, small, windowDims;
  int64_t vectorDim, furthest = 0;
};
Windowed windowed(Generator &g, const Numbers &big, bool isGather) {
  Windowed w;
  w.big = big;
  auto rank = int64_t(big.size());
  // Each dimension of the big tensor: batching, removed, or in the window.
  Numbers order = g.permutation(rank), others;
  int64_t batching = g.once(2) ? 0 : g.in(0, std::min<int64_t>(rank, 2));
  for (int64_t i = 0; i < rank; ++i)
    (i < batching ? w.batching : others).push_back(order[i]);
  std::sort(w.batching.begin(), w.batching.end());
  Numbers window;
  w.sliceSizes.assign(rank, 1);
  for (int64_t dim : w.batching)
    w.sliceSizes[dim] = std::min<int64_t>(big[dim], 1);
  for (int64_t dim : others) {
    bool isRemoved = big[dim] > 0 && g.once(2);
    (isRemoved ? w.removed : window).push_back(dim);
    if (!isRemoved)
      w.sliceSizes[dim] =
          g.in(g.once(6) ? 0 : std::min<int64_t>(1, big[dim]), big[dim]);
  }
  std::sort(w.removed.begin(), w.removed.end());
  std::sort(window.begin(), window.end());
  w.indexMap = g.anyOrder(others);
  w.indexMap.resize(
      g.in(others.empty() ? 0 : std::min<int64_t>(1, others.size()),
           int64_t(others.size())));
  for (int64_t dim : w.indexMap)
    w.furthest = std::max(w.furthest, big[dim]);
  // The batch: batching dimensions in any order among others.
  Numbers batch, kind; // extents, and which batching dimension, or -1
  int64_t free = g.in(0, 1);
  for (size_t i = 0; i < w.batching.size(); ++i) {
    batch.push_back(big[w.batching[i]]);
    kind.push_back(int64_t(i));
  }
  for (int64_t i = 0; i < free; ++i) {
    batch.push_back(g.once(12) ? 0 : g.in(1, 3));
    kind.push_back(-1);
  }
  Numbers shuffled = g.permutation(int64_t(batch.size())), batchShape, kinds;
  for (int64_t i : shuffled) {
    batchShape.push_back(batch[i]);
    kinds.push_back(kind[i]);
  }
  w.indices = batchShape;
  w.vectorDim = g.in(0, int64_t(batchShape.size()));
  bool isImplicit = w.indexMap.size() == 1 && g.once(2);
  if (isImplicit)
    w.vectorDim = int64_t(batchShape.size());
  else
    w.indices.insert(w.indices.begin() + w.vectorDim,
                     int64_t(w.indexMap.size()));
  w.indicesBatching.resize(w.batching.size());
  for (size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i] >= 0)
      w.indicesBatching[kinds[i]] =
          int64_t(i) + (!isImplicit && int64_t(i) >= w.vectorDim);
  // The small tensor: window dimensions anywhere among those of the batch.
  auto smallRank = int64_t(batchShape.size() + window.size());
  w.windowDims = g.subset(smallRank, int64_t(window.size()));
  size_t nextWindow = 0, nextBatch = 0;
  for (int64_t d = 0; d < smallRank; ++d) {
    bool isWindow = std::count(w.windowDims.begin(), w.windowDims.end(), d) > 0;
    w.small.push_back(isWindow ? w.sliceSizes[window[nextWindow++]]
                               : batchShape[nextBatch++]);
  }
  return w;
}

bool gatherOf(Generator &g, bool isDynamic) {
  int v = g.any("f32");
  Windowed w = windowed(g, g.shapeOf(v), true);
  TensorType type{w.small, "f32"};
  if (type.size() > 2 * g.sizes.elements)
    return false;
  int indices = g.indices(w.indices, -1, w.furthest + 1);
  std::string numbers =
      "dimension_numbers = #stablehlo.gather<offset_dims = " +
      list(w.windowDims) + ", collapsed_slice_dims = " + list(w.removed) +
      ", operand_batching_dims = " + list(w.batching) +
      ", start_indices_batching_dims = " + list(w.indicesBatching) +
      ", start_index_map = " + list(w.indexMap) +
      ", index_vector_dim = " + std::to_string(w.vectorDim) + ">";
  if (isDynamic)
    g.emit("stablehlo.dynamic_gather",
           {v, indices, shapeOperand(g, w.sliceSizes, shapeElement(g))},
           numbers, {type});
  else
    g.emit("stablehlo.gather", {v, indices},
           numbers + ", " + i64Array("slice_sizes", w.sliceSizes), {type});
  return true;
}
bool gather(Generator &g) { return gatherOf(g, false); }
bool dynamicGather(Generator &g) { return gatherOf(g, true); }

bool torchIndexSelect(Generator &g) {
  int v = g.any("f32", 1);
  Numbers shape = g.shapeOf(v);
  int64_t dim = g.in(0, int64_t(shape.size()) - 1), batch = g.in(0, dim);
  if (shape[dim] == 0)
    return false;
  Numbers index(shape.begin(), shape.begin() + batch);
  Numbers more = g.shape(0, 1);
  Numbers to(shape.begin(), shape.begin() + dim);
  to.insert(to.end(), more.begin(), more.end());
  to.insert(to.end(), shape.begin() + dim + 1, shape.end());
  index.insert(index.end(), more.begin(), more.end());
  int indices = g.indices(index, 0, shape[dim] - 1);
  g.emit("stablehlo.torch_index_select", {v, indices},
         i64("dim", dim) + ", " + i64("batch_dims", batch), {{to, "f32"}});
  return true;
}

//===--- Layouts ----------------------------------------------------------===//

bool copy(Generator &g) {
  int v = g.any(anyElement(g));
  g.emit("hlo.copy", {v}, "", {g.typeOf(v)});
  return true;
}
bool element(Generator &g) {
  int v = g.any("f32");
  // An element of a fusion with several results, as in HLO text.
  int w = g.value(g.typeOf(v));
  std::string t = g.typeOf(v).text();
  int fusion = g.emit("hlo.fusion", {v, w}, "calls = \"g\", kind = \"kLoop\"",
                      {g.typeOf(v), g.typeOf(v)},
                      "{\n^bb0(%a: " + t + ", %b: " + t +
                          "):\n  %s = stablehlo.add %a, %b : " + t +
                          "\n  hlo.return %s, %a : " + t + ", " + t + "\n}");
  int64_t which = g.in(0, 1);
  g.emit("hlo.element", {fusion + int(which)},
         "index = " + std::to_string(which) + " : i32", {g.typeOf(v)});
  return true;
}
bool bitcast(Generator &g) {
  // Layouts are part of the types, so no other operation uses these values.
  int v = g.any("f32");
  Numbers shape = reshaped(g, g.typeOf(v).size());
  TensorType type{shape, "f32"};
  if (!shape.empty() && g.once(2)) {
    type.element =
        "f32, #hlo.layout<" + list(g.permutation(int64_t(shape.size()))) + ">";
    int to = g.emit("hlo.bitcast", {v}, "", {type});
    Numbers last = reshaped(g, g.typeOf(v).size());
    g.emit("hlo.bitcast", {to}, "", {{last, "f32"}});
  } else {
    g.emit("hlo.bitcast", {v}, "", {type});
  }
  return true;
}

} // namespace

void addDataGenerators(std::map<std::string, OperationGenerator> &all) {
  all["stablehlo.constant"] = constant;
  all["chlo.constant"] = chloConstant;
  all["chlo.constant_like"] = constantLike;
  all["stablehlo.iota"] = iota;
  all["stablehlo.dynamic_iota"] = dynamicIota;
  all["stablehlo.broadcast_in_dim"] = broadcastInDim;
  all["stablehlo.dynamic_broadcast_in_dim"] = dynamicBroadcastInDim;
  all["stablehlo.broadcast"] = broadcast;
  all["stablehlo.reshape"] = reshape;
  all["stablehlo.dynamic_reshape"] = dynamicReshape;
  all["stablehlo.transpose"] = transpose;
  all["stablehlo.reverse"] = reverse;
  all["stablehlo.slice"] = slice;
  all["stablehlo.real_dynamic_slice"] = realDynamicSlice;
  all["stablehlo.concatenate"] = concatenate;
  all["stablehlo.pad"] = pad;
  all["stablehlo.dynamic_pad"] = dynamicPad;
  all["stablehlo.bitcast_convert"] = bitcastConvert;
  all["stablehlo.get_dimension_size"] = getDimensionSize;
  all["stablehlo.set_dimension_size"] = setDimensionSize;
  all["stablehlo.dynamic_slice"] = dynamicSlice;
  all["stablehlo.dynamic_update_slice"] = dynamicUpdateSlice;
  all["stablehlo.gather"] = gather;
  all["stablehlo.dynamic_gather"] = dynamicGather;
  all["stablehlo.torch_index_select"] = torchIndexSelect;
  all["hlo.copy"] = copy;
  all["hlo.element"] = element;
  all["hlo.bitcast"] = bitcast;
}

} // namespace mercator::testing
