// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RandomSharded.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <numeric>
#include <random>
#include <vector>

using namespace mercator;

namespace {

using Shape = std::vector<int64_t>;

struct Tensor {
  std::string name;
  Shape shape;
};

class Writer {
public:
  explicit Writer(uint64_t seed) : engine(seed) {}

  std::string write();

private:
  int64_t draw(int64_t low, int64_t high) {
    return low + int64_t(engine() % uint64_t(high - low + 1));
  }
  bool coin() { return engine() % 2; }
  template <typename T> const T &pick(const std::vector<T> &from) {
    return from[engine() % from.size()];
  }
  std::string type(const Shape &shape, const char *element = "f32") {
    std::string text = "tensor<";
    for (int64_t size : shape)
      text += std::to_string(size) + "x";
    return text + element + ">";
  }
  std::string list(const Shape &numbers) {
    std::vector<std::string> texts;
    for (int64_t number : numbers)
      texts.push_back(std::to_string(number));
    return "[" + llvm::join(texts, ", ") + "]";
  }
  std::string array(const Shape &numbers) {
    std::string text = list(numbers);
    return "array<i64" +
           (numbers.empty() ? "" : ": " + text.substr(1, text.size() - 2)) +
           ">";
  }
  std::string fresh() { return "%v" + std::to_string(count++); }
  void line(const std::string &text) { body += "    " + text + "\n"; }
  void add(const std::string &name, const Shape &shape) {
    tensors.push_back({name, shape});
  }
  Shape shape();
  std::string sharding(const Shape &shape, bool isBoundary);
  /// A value of this shape, from a constant or a broadcast.
  std::string given(const Shape &shape);
  std::string scalar(const char *element, int64_t value);
  std::string body2(const char *op);

  void operation();
  void elementwise(const Tensor &x);
  void transpose(const Tensor &x);
  void reshape(const Tensor &x);
  void broadcast(const Tensor &x);
  void reduce(const Tensor &x);
  void dot(const Tensor &x);
  void slice(const Tensor &x);
  void concatenate(const Tensor &x);
  void roll(const Tensor &x);
  void pad(const Tensor &x);
  void reverse(const Tensor &x);
  void iota(const Tensor &x);
  void dynamic(const Tensor &x);
  void gather(const Tensor &x);
  void scatter(const Tensor &x);
  void sort(const Tensor &x);
  void window(const Tensor &x);
  void convolution(const Tensor &x);
  void loop(const Tensor &x);
  void branch(const Tensor &x);
  void constraint(const Tensor &x);

  std::mt19937_64 engine;
  std::vector<std::pair<std::string, int64_t>> axes;
  std::vector<Tensor> tensors;
  std::string body;
  unsigned count = 0;
};

} // namespace

static int64_t volume(const Shape &shape) {
  int64_t product = 1;
  for (int64_t size : shape)
    product *= size;
  return product;
}

Shape Writer::shape() {
  Shape shape(draw(1, 3));
  for (int64_t &size : shape)
    size = pick(std::vector<int64_t>{1, 2, 3, 4, 4, 6, 8, 8, 12});
  return shape;
}

std::string Writer::sharding(const Shape &shape, bool isBoundary) {
  std::vector<std::vector<std::string>> dims(shape.size());
  Shape parts(shape.size(), 1);
  for (const auto &[name, size] : axes) {
    if (shape.empty() || draw(0, 2) == 0)
      continue;
    size_t dim = draw(0, shape.size() - 1);
    std::string text = "\"" + name + "\"";
    int64_t taken = size;
    if (size == 4 && draw(0, 3) == 0) { // a part of the axis
      text += coin() ? ":(1)2" : ":(2)2";
      taken = 2;
    }
    if (isBoundary ? shape[dim] % (parts[dim] * taken) != 0
                   : shape[dim] < parts[dim] * taken)
      continue;
    parts[dim] *= taken;
    dims[dim].push_back(text);
  }
  std::string result = "<@mesh, [";
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (draw(0, 4) == 0)
      dim.emplace_back("?");
    result += (i ? ", {" : "{") + llvm::join(dim, ", ") + "}";
    if (!dim.empty() && draw(0, 7) == 0)
      result += "p" + std::to_string(draw(0, 2));
  }
  return result + "]>";
}

std::string Writer::scalar(const char *element, int64_t value) {
  std::string name = fresh();
  bool isFloat = element[0] == 'f';
  line(name + " = stablehlo.constant dense<" + std::to_string(value) +
       (isFloat ? ".0" : "") + "> : tensor<" + element + ">");
  return name;
}

std::string Writer::given(const Shape &shape) {
  std::vector<const Tensor *> same;
  for (const Tensor &tensor : tensors)
    if (tensor.shape == shape)
      same.push_back(&tensor);
  if (!same.empty() && draw(0, 3) != 0)
    return pick(same)->name;
  std::string name = fresh();
  if (coin() && volume(shape) <= 64) {
    std::vector<std::string> values;
    for (int64_t i = 0; i < volume(shape); ++i)
      values.push_back(std::to_string(draw(-3, 3)) + ".0");
    std::string flat = fresh();
    line(flat + " = stablehlo.constant dense<[" + llvm::join(values, ", ") +
         "]> : " + type({volume(shape)}));
    line(name + " = stablehlo.reshape " + flat + " : (" +
         type({volume(shape)}) + ") -> " + type(shape));
    return name;
  }
  std::string from = scalar("f32", draw(-2, 2));
  line(name + " = stablehlo.broadcast_in_dim " + from +
       ", dims = [] : (tensor<f32>) -> " + type(shape));
  return name;
}

std::string Writer::body2(const char *op) {
  std::string x = fresh(), y = fresh(), z = fresh();
  return std::string("({\n    ^bb0(") + x + ": tensor<f32>, " + y +
         ": tensor<f32>):\n      " + z + " = stablehlo." + op + " " + x + ", " +
         y + " : tensor<f32>\n      stablehlo.return " + z +
         " : tensor<f32>\n    })";
}

void Writer::elementwise(const Tensor &x) {
  std::string name = fresh();
  switch (draw(0, 4)) {
  case 0:
    line(name + " = stablehlo.negate " + x.name + " : " + type(x.shape));
    break;
  case 1: {
    std::string y = given(x.shape), p = fresh();
    line(p + " = stablehlo.compare GT, " + x.name + ", " + y + " : (" +
         type(x.shape) + ", " + type(x.shape) + ") -> " + type(x.shape, "i1"));
    line(name + " = stablehlo.select " + p + ", " + x.name + ", " + y + " : " +
         type(x.shape, "i1") + ", " + type(x.shape));
    break;
  }
  case 2: {
    std::string low = scalar("f32", -9), high = scalar("f32", 9);
    line(name + " = stablehlo.clamp " + low + ", " + x.name + ", " + high +
         " : (tensor<f32>, " + type(x.shape) + ", tensor<f32>) -> " +
         type(x.shape));
    break;
  }
  default: {
    std::string y = given(x.shape);
    line(name + " = stablehlo." +
         pick(std::vector<std::string>{"add", "subtract", "maximum",
                                       "minimum"}) +
         " " + x.name + ", " + y + " : " + type(x.shape));
  }
  }
  add(name, x.shape);
}

void Writer::transpose(const Tensor &x) {
  Shape order(x.shape.size()), result;
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), engine);
  for (int64_t i : order)
    result.push_back(x.shape[i]);
  std::string name = fresh();
  line(name + " = stablehlo.transpose " + x.name + ", dims = " + list(order) +
       " : (" + type(x.shape) + ") -> " + type(result));
  add(name, result);
}

void Writer::reshape(const Tensor &x) {
  Shape result;
  for (int64_t size : x.shape) {
    if (!result.empty() && coin()) {
      result.back() *= size;
      continue;
    }
    int64_t factor = draw(2, 4);
    if (size % factor == 0 && coin()) {
      result.push_back(size / factor);
      result.push_back(factor);
    } else {
      result.push_back(size);
    }
    if (draw(0, 5) == 0)
      result.push_back(1);
  }
  if (result.size() > 5)
    return;
  std::string name = fresh();
  line(name + " = stablehlo.reshape " + x.name + " : (" + type(x.shape) +
       ") -> " + type(result));
  add(name, result);
}

void Writer::broadcast(const Tensor &x) {
  Shape result, dims;
  for (int64_t size : x.shape) {
    if (coin() && result.size() < 4)
      result.push_back(draw(1, 4));
    dims.push_back(result.size());
    result.push_back(size == 1 ? draw(1, 4) : size);
  }
  if (result.size() > 4 || volume(result) > 4096)
    return;
  std::string name = fresh();
  line(name + " = stablehlo.broadcast_in_dim " + x.name + ", dims = " +
       list(dims) + " : (" + type(x.shape) + ") -> " + type(result));
  add(name, result);
}

void Writer::reduce(const Tensor &x) {
  Shape dims, result;
  for (auto [i, size] : llvm::enumerate(x.shape))
    if (coin())
      dims.push_back(i);
    else
      result.push_back(size);
  if (dims.empty())
    return;
  std::string init = scalar("f32", draw(-9, 1)), name = fresh();
  line(name + " = stablehlo.reduce(" + x.name + " init: " + init +
       ") applies stablehlo." +
       pick(std::vector<std::string>{"add", "maximum", "minimum"}) +
       " across dimensions = " + list(dims) + " : (" + type(x.shape) +
       ", tensor<f32>) -> " + type(result));
  add(name, result);
}

void Writer::dot(const Tensor &x) {
  if (x.shape.empty())
    return;
  // Each dimension is batch, contracted or free.
  Shape batch, contracted, freeOnes;
  for (size_t i = 0; i < x.shape.size(); ++i)
    (draw(0, 2) == 0 ? batch : coin() ? contracted : freeOnes).push_back(i);
  Shape rhs, rhsBatch, rhsContracted, result;
  for (int64_t i : batch) {
    rhsBatch.push_back(rhs.size());
    rhs.push_back(x.shape[i]);
    result.push_back(x.shape[i]);
  }
  for (int64_t i : freeOnes)
    result.push_back(x.shape[i]);
  int64_t columns = draw(1, 8);
  rhs.push_back(columns);
  result.push_back(columns);
  for (int64_t i : contracted) {
    rhsContracted.push_back(rhs.size());
    rhs.push_back(x.shape[i]);
  }
  if (result.size() > 4)
    return;
  std::string y = given(rhs), name = fresh();
  line(name + " = stablehlo.dot_general " + x.name + ", " + y + ", " +
       (batch.empty() ? ""
                      : "batching_dims = " + list(batch) + " x " +
                            list(rhsBatch) + ", ") +
       "contracting_dims = " + list(contracted) + " x " + list(rhsContracted) +
       " : (" + type(x.shape) + ", " + type(rhs) + ") -> " + type(result));
  add(name, result);
}

void Writer::slice(const Tensor &x) {
  Shape result;
  std::vector<std::string> ranges;
  for (int64_t size : x.shape) {
    int64_t begin = coin() ? 0 : draw(0, size - 1), end = draw(begin + 1, size),
            stride = draw(0, 2) == 0 ? draw(1, 3) : 1;
    if (coin()) {
      begin = 0;
      end = size;
      stride = 1;
    }
    result.push_back((end - begin + stride - 1) / stride);
    ranges.push_back(std::to_string(begin) + ":" + std::to_string(end) +
                     (stride > 1 ? ":" + std::to_string(stride) : ""));
  }
  std::string name = fresh();
  line(name + " = stablehlo.slice " + x.name + " [" + llvm::join(ranges, ", ") +
       "] : (" + type(x.shape) + ") -> " + type(result));
  add(name, result);
}

void Writer::concatenate(const Tensor &x) {
  if (x.shape.empty())
    return;
  size_t dim = draw(0, x.shape.size() - 1);
  Shape other = x.shape, result = x.shape;
  other[dim] = draw(1, 5);
  bool isBack = coin();
  std::string y = given(other), name = fresh();
  result[dim] += other[dim];
  std::string first = isBack ? x.name : y, second = isBack ? y : x.name;
  line(name + " = stablehlo.concatenate " + first + ", " + second + ", dim = " +
       std::to_string(dim) + " : (" + type(isBack ? x.shape : other) + ", " +
       type(isBack ? other : x.shape) + ") -> " + type(result));
  add(name, result);
}

/// Slices of one tensor, concatenated.
void Writer::roll(const Tensor &x) {
  if (x.shape.empty())
    return;
  size_t dim = draw(0, x.shape.size() - 1);
  Shape result;
  for (int64_t size : x.shape)
    result.push_back(coin() ? size : draw(1, size));
  result[dim] = 0;
  std::vector<std::string> pieces, types;
  for (int64_t i = 0, n = draw(2, 3); i < n; ++i) {
    Shape piece = result;
    piece[dim] = draw(1, x.shape[dim]);
    result[dim] += piece[dim];
    std::vector<std::string> ranges;
    for (auto [size, width] : llvm::zip_equal(x.shape, piece)) {
      int64_t begin = draw(0, size - width);
      ranges.push_back(std::to_string(begin) + ":" +
                       std::to_string(begin + width));
    }
    pieces.push_back(fresh());
    types.push_back(type(piece));
    line(pieces.back() + " = stablehlo.slice " + x.name + " [" +
         llvm::join(ranges, ", ") + "] : (" + type(x.shape) + ") -> " +
         types.back());
  }
  std::string name = fresh();
  line(name + " = stablehlo.concatenate " + llvm::join(pieces, ", ") +
       ", dim = " + std::to_string(dim) + " : (" + llvm::join(types, ", ") +
       ") -> " + type(result));
  add(name, result);
}

void Writer::pad(const Tensor &x) {
  Shape low, high, interior, result;
  for (int64_t size : x.shape) {
    low.push_back(coin() ? 0 : draw(-1, 2));
    high.push_back(coin() ? 0 : draw(-1, 2));
    interior.push_back(draw(0, 5) == 0 ? 1 : 0);
    result.push_back(size + (size - 1) * interior.back() + low.back() +
                     high.back());
    if (result.back() < 1)
      return;
  }
  std::string value = scalar("f32", draw(-2, 2)), name = fresh();
  line(name + " = stablehlo.pad " + x.name + ", " + value + ", low = " +
       list(low) + ", high = " + list(high) + ", interior = " + list(interior) +
       " : (" + type(x.shape) + ", tensor<f32>) -> " + type(result));
  add(name, result);
}

void Writer::reverse(const Tensor &x) {
  Shape dims;
  for (size_t i = 0; i < x.shape.size(); ++i)
    if (coin())
      dims.push_back(i);
  std::string name = fresh();
  line(name + " = stablehlo.reverse " + x.name + ", dims = " + list(dims) +
       " : " + type(x.shape));
  add(name, x.shape);
}

void Writer::iota(const Tensor &x) {
  if (x.shape.empty())
    return;
  std::string index = fresh(), name = fresh(), sum = fresh();
  const char *element = coin() ? "f32" : "i32";
  line(index + " = stablehlo.iota dim = " +
       std::to_string(draw(0, x.shape.size() - 1)) + " : " +
       type(x.shape, element));
  if (element[0] == 'i') {
    line(name + " = stablehlo.convert " + index + " : (" +
         type(x.shape, element) + ") -> " + type(x.shape));
  } else {
    name = index;
  }
  line(sum + " = stablehlo.add " + x.name + ", " + name + " : " +
       type(x.shape));
  add(sum, x.shape);
}

void Writer::dynamic(const Tensor &x) {
  Shape sizes;
  std::vector<std::string> starts, types;
  for (int64_t size : x.shape) {
    starts.push_back(scalar("i32", draw(-1, size)));
    types.emplace_back("tensor<i32>");
    sizes.push_back(coin() ? size : draw(1, size));
  }
  std::string name = fresh();
  std::string indices;
  for (const std::string &start : starts)
    indices += ", " + start;
  std::string indexTypes;
  for (const std::string &each : types)
    indexTypes += ", " + each;
  if (coin()) {
    line(name + " = stablehlo.dynamic_slice " + x.name + indices +
         ", sizes = " + list(sizes) + " : (" + type(x.shape) + indexTypes +
         ") -> " + type(sizes));
    add(name, sizes);
    return;
  }
  std::string update = given(sizes);
  line(name + " = stablehlo.dynamic_update_slice " + x.name + ", " + update +
       indices + " : (" + type(x.shape) + ", " + type(sizes) + indexTypes +
       ") -> " + type(x.shape));
  add(name, x.shape);
}

/// Rows of a table.
void Writer::gather(const Tensor &x) {
  if (x.shape.size() < 2)
    return;
  Shape indices{coin() ? draw(1, 8) : x.shape[0]};
  if (coin())
    indices.push_back(draw(1, 4));
  Shape result = indices, sizes = x.shape, offsets;
  sizes[0] = 1;
  for (size_t i = 1; i < x.shape.size(); ++i) {
    offsets.push_back(result.size());
    if (i > 1 && draw(0, 3) == 0)
      sizes[i] = draw(1, sizes[i]);
    result.push_back(sizes[i]);
  }
  if (result.size() > 4)
    return;
  std::vector<std::string> values;
  bool isInOrder = draw(0, 4) == 0;
  for (int64_t i = 0; i < volume(indices); ++i)
    values.push_back(std::to_string(isInOrder ? i : draw(-1, x.shape[0])));
  std::string flat = fresh(), at = fresh(), name = fresh();
  line(flat + " = stablehlo.constant dense<[" + llvm::join(values, ", ") +
       "]> : " + type({volume(indices)}, "i32"));
  Shape vector = indices;
  vector.push_back(1);
  line(at + " = stablehlo.reshape " + flat + " : (" +
       type({volume(indices)}, "i32") + ") -> " + type(vector, "i32"));
  line(name + " = \"stablehlo.gather\"(" + x.name + ", " + at +
       ") <{dimension_numbers = #stablehlo.gather<offset_dims = " +
       list(offsets) +
       ", collapsed_slice_dims = [0], start_index_map = [0], "
       "index_vector_dim = " +
       std::to_string(indices.size()) +
       ">, indices_are_sorted = false, slice_sizes = " + array(sizes) +
       "}> : (" + type(x.shape) + ", " + type(vector, "i32") + ") -> " +
       type(result));
  add(name, result);
}

/// Adds rows to rows.
void Writer::scatter(const Tensor &x) {
  if (x.shape.empty())
    return;
  int64_t rows = draw(1, 8);
  Shape updates = x.shape, window;
  updates[0] = rows;
  for (size_t i = 1; i < x.shape.size(); ++i)
    window.push_back(i);
  std::vector<std::string> values;
  for (int64_t i = 0; i < rows; ++i)
    values.push_back("[" + std::to_string(draw(-1, x.shape[0])) + "]");
  std::string at = fresh(), u = given(updates), name = fresh();
  line(at + " = stablehlo.constant dense<[" + llvm::join(values, ", ") +
       "]> : " + type({rows, 1}, "i32"));
  line(name + " = \"stablehlo.scatter\"(" + x.name + ", " + at + ", " + u +
       ") <{indices_are_sorted = false, scatter_dimension_numbers = "
       "#stablehlo.scatter<update_window_dims = " +
       list(window) +
       ", inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
       "index_vector_dim = 1>, unique_indices = false}> " +
       body2(coin() ? "add" : "maximum") + " : (" + type(x.shape) + ", " +
       type({rows, 1}, "i32") + ", " + type(updates) + ") -> " + type(x.shape));
  add(name, x.shape);
}

void Writer::sort(const Tensor &x) {
  if (x.shape.empty())
    return;
  std::string a = fresh(), b = fresh(), c = fresh(), name = fresh();
  line(name + " = \"stablehlo.sort\"(" + x.name +
       ") <{dimension = " + std::to_string(draw(0, x.shape.size() - 1)) +
       " : i64, is_stable = true}> ({\n    ^bb0(" + a + ": tensor<f32>, " + b +
       ": tensor<f32>):\n      " + c + " = stablehlo.compare LT, " + a + ", " +
       b +
       " : (tensor<f32>, tensor<f32>) -> tensor<i1>\n      stablehlo.return " +
       c + " : tensor<i1>\n    }) : (" + type(x.shape) + ") -> " +
       type(x.shape));
  add(name, x.shape);
}

void Writer::window(const Tensor &x) {
  Shape sizes, strides, dilations, result;
  std::string padding;
  for (int64_t size : x.shape) {
    int64_t window = coin() ? 1 : draw(1, 3), stride = coin() ? 1 : draw(1, 2),
            dilation = draw(0, 3) == 0 ? 2 : 1, low = coin() ? 0 : draw(0, 2),
            high = coin() ? 0 : draw(0, 2);
    int64_t reach = (window - 1) * dilation + 1, padded = size + low + high;
    if (padded < reach)
      return;
    sizes.push_back(window);
    strides.push_back(stride);
    dilations.push_back(dilation);
    result.push_back((padded - reach) / stride + 1);
    padding += (padding.empty() ? "[" : ", [") + std::to_string(low) + ", " +
               std::to_string(high) + "]";
  }
  if (x.shape.empty())
    return;
  std::string init = scalar("f32", draw(-9, 1)), name = fresh();
  line(name + " = \"stablehlo.reduce_window\"(" + x.name + ", " + init +
       ") <{window_dimensions = " + array(sizes) +
       ", window_strides = " + array(strides) +
       ", window_dilations = " + array(dilations) + ", padding = dense<[" +
       padding + "]> : tensor<" + std::to_string(sizes.size()) + "x2xi64>}> " +
       body2(coin() ? "add" : "maximum") + " : (" + type(x.shape) +
       ", tensor<f32>) -> " + type(result));
  add(name, result);
}

void Writer::convolution(const Tensor &x) {
  if (x.shape.size() != 3)
    return;
  int64_t width = draw(1, 3), stride = draw(1, 2), low = draw(0, 2),
          high = draw(0, 2), dilation = draw(0, 3) == 0 ? 2 : 1,
          base = draw(0, 5) == 0 ? 2 : 1, out = draw(1, 4);
  int64_t reach = (width - 1) * dilation + 1,
          padded = (x.shape[1] - 1) * base + 1 + low + high;
  if (padded < reach)
    return;
  Shape kernel{width, x.shape[2], out},
      result{x.shape[0], (padded - reach) / stride + 1, out};
  std::string w = given(kernel), name = fresh();
  line(name + " = stablehlo.convolution(" + x.name + ", " + w +
       ") dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [" +
       std::to_string(stride) + "], pad = [[" + std::to_string(low) + ", " +
       std::to_string(high) + "]], lhs_dilate = [" + std::to_string(base) +
       "], rhs_dilate = [" + std::to_string(dilation) +
       "]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (" +
       type(x.shape) + ", " + type(kernel) + ") -> " + type(result));
  add(name, result);
}

void Writer::loop(const Tensor &x) {
  std::string zero = scalar("i32", 0), name = fresh(), i = fresh(),
              value = fresh(), limit = fresh(), less = fresh(), one = fresh(),
              next = fresh(), sum = fresh(), y = given(x.shape);
  std::string t = type(x.shape);
  line(name + ":2 = stablehlo.while(" + i + " = " + zero + ", " + value +
       " = " + x.name + ") : tensor<i32>, " + t + "\n    cond {\n      " +
       limit + " = stablehlo.constant dense<" + std::to_string(draw(0, 3)) +
       "> : tensor<i32>\n      " + less + " = stablehlo.compare LT, " + i +
       ", " + limit +
       " : (tensor<i32>, tensor<i32>) -> tensor<i1>\n      stablehlo.return " +
       less + " : tensor<i1>\n    } do {\n      " + one +
       " = stablehlo.constant dense<1> : tensor<i32>\n      " + next +
       " = stablehlo.add " + i + ", " + one + " : tensor<i32>\n      " + sum +
       " = stablehlo.add " + value + ", " + y + " : " + t +
       "\n      stablehlo.return " + next + ", " + sum + " : tensor<i32>, " +
       t + "\n    }");
  add(name + "#1", x.shape);
}

void Writer::branch(const Tensor &x) {
  std::string y = given(x.shape), p = fresh(), name = fresh(), z = fresh();
  std::string t = type(x.shape);
  line(p + " = stablehlo.constant dense<" + (coin() ? "true" : "false") +
       "> : tensor<i1>");
  line(name + " = \"stablehlo.if\"(" + p + ") ({\n      " + z +
       " = stablehlo.negate " + x.name + " : " + t +
       "\n      stablehlo.return " + z + " : " + t +
       "\n    }, {\n      stablehlo.return " + y + " : " + t +
       "\n    }) : (tensor<i1>) -> " + t);
  add(name, x.shape);
}

void Writer::constraint(const Tensor &x) {
  std::string name = fresh();
  line(name + " = sdy.sharding_constraint " + x.name + " " +
       sharding(x.shape, false) + " : " + type(x.shape));
  add(name, x.shape);
}

void Writer::operation() {
  using Maker = void (Writer::*)(const Tensor &);
  static const std::vector<Maker> makers = {
      &Writer::elementwise, &Writer::elementwise, &Writer::transpose,
      &Writer::reshape,     &Writer::broadcast,   &Writer::reduce,
      &Writer::dot,         &Writer::dot,         &Writer::slice,
      &Writer::concatenate, &Writer::roll,        &Writer::pad,
      &Writer::reverse,     &Writer::iota,        &Writer::dynamic,
      &Writer::gather,      &Writer::scatter,     &Writer::sort,
      &Writer::window,      &Writer::convolution, &Writer::loop,
      &Writer::branch,      &Writer::constraint,  &Writer::constraint};
  Tensor x = coin() ? tensors.back() : pick(tensors);
  if (volume(x.shape) > 2048)
    x = tensors.front();
  (this->*pick(makers))(x);
}

std::string Writer::write() {
  static const std::vector<std::vector<int64_t>> meshes = {
      {1}, {2}, {3}, {4}, {8}, {2, 2}, {2, 3}, {2, 4}, {4, 2}, {2, 2, 2}};
  const std::vector<int64_t> &sizes = pick(meshes);
  std::string mesh;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    axes.emplace_back(std::string(1, char('a' + i)), size);
    mesh +=
        (i ? ", \"" : "\"") + axes.back().first + "\"=" + std::to_string(size);
  }
  std::string arguments;
  for (int64_t i = 0, n = draw(1, 3); i < n; ++i) {
    Tensor argument{"%arg" + std::to_string(i), shape()};
    arguments += (i ? ", " : "") + argument.name + ": " + type(argument.shape);
    if (draw(0, 4) != 0)
      arguments += " {sdy.sharding = #sdy.sharding" +
                   sharding(argument.shape, true) + "}";
    tensors.push_back(argument);
  }
  for (int64_t i = 0, n = draw(1, 7); i < n; ++i)
    operation();
  std::vector<std::string> names, types, results;
  for (int64_t i = 0, n = draw(1, 2); i < n; ++i) {
    const Tensor &result = i == 0 ? tensors.back() : pick(tensors);
    names.push_back(result.name);
    types.push_back(type(result.shape));
    results.push_back(types.back());
    if (draw(0, 2) == 0)
      results.back() +=
          " {sdy.sharding = #sdy.sharding" + sharding(result.shape, true) + "}";
  }
  int64_t devices = volume(sizes);
  if (devices > 2 && draw(0, 4) == 0) { // the devices in another order
    Shape ids(devices);
    std::iota(ids.begin(), ids.end(), 0);
    while (llvm::is_sorted(ids))
      std::shuffle(ids.begin(), ids.end(), engine);
    mesh += "], device_ids=" + list(ids);
  } else {
    mesh += "]";
  }
  return "sdy.mesh @mesh = <[" + mesh + ">\nfunc.func @main(" + arguments +
         ") -> (" + llvm::join(results, ", ") + ") {\n" + body + "    return " +
         llvm::join(names, ", ") + " : " + llvm::join(types, ", ") + "\n}\n";
}

std::string mercator::spmd::randomShardedProgram(uint64_t seed) {
  return Writer(seed).write();
}
