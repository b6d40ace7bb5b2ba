// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProgramText.h"
#include "tests/random/Texts.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace mercator::testing {

static std::string arrayText(llvm::ArrayRef<int64_t> list) {
  std::string text = "array<i64";
  for (auto [i, each] : llvm::enumerate(list))
    text += (i ? ", " : ": ") + std::to_string(each);
  return text + ">";
}

std::string ProgramText::type(int value) const {
  return tensorText(values[value].shape, values[value].element);
}

int ProgramText::make(const std::string &op, Shape shape,
                      const std::string &element) {
  std::string name = "%" + std::to_string(values.size());
  body += "  " + name + " = " + op + "\n";
  values.push_back({name, std::move(shape), element});
  return int(values.size()) - 1;
}

int ProgramText::argument(Shape shape) {
  values.push_back(
      {"%a" + std::to_string(args.size()), std::move(shape), real});
  args.push_back({int(values.size()) - 1, 0});
  return args.back().value;
}
int ProgramText::indices(Shape shape, int64_t below) {
  values.push_back(
      {"%a" + std::to_string(args.size()), std::move(shape), "i32"});
  args.push_back({int(values.size()) - 1, below});
  return args.back().value;
}
int ProgramText::flags(Shape shape) {
  values.push_back(
      {"%a" + std::to_string(args.size()), std::move(shape), "i1"});
  args.push_back({int(values.size()) - 1, 2});
  return args.back().value;
}

int ProgramText::constant(double value, Shape shape) {
  std::string number;
  llvm::raw_string_ostream(number) << llvm::format("%.6e", value);
  int scalar =
      make("stablehlo.constant dense<" + number + "> : tensor<" + real + ">",
           {}, real);
  return shape.empty() ? scalar : broadcast(scalar, {}, shape);
}

int ProgramText::unary(const std::string &op, int x) {
  return make("stablehlo." + op + " " + name(x) + " : " + type(x), shapeOf(x),
              elementOf(x));
}
int ProgramText::binary(const std::string &op, int x, int y) {
  return make("stablehlo." + op + " " + name(x) + ", " + name(y) + " : " +
                  type(x),
              shapeOf(x), elementOf(x));
}
int ProgramText::compare(const std::string &direction, int x, int y) {
  std::string result = tensorText(shapeOf(x), "i1");
  return make("stablehlo.compare " + direction + ", " + name(x) + ", " +
                  name(y) + " : (" + type(x) + ", " + type(y) + ") -> " +
                  result,
              shapeOf(x), "i1");
}
int ProgramText::select(int mask, int x, int y) {
  return make("stablehlo.select " + name(mask) + ", " + name(x) + ", " +
                  name(y) + " : " + type(mask) + ", " + type(x),
              shapeOf(x), elementOf(x));
}
int ProgramText::convert(int x, const std::string &element) {
  return make("stablehlo.convert " + name(x) + " : (" + type(x) + ") -> " +
                  tensorText(shapeOf(x), element),
              shapeOf(x), element);
}
int ProgramText::iota(Shape shape, int64_t axis, const std::string &element) {
  std::string op = "stablehlo.iota dim = " + std::to_string(axis) + " : " +
                   tensorText(shape, element);
  return make(op, shape, element);
}
int ProgramText::broadcast(int x, Axes axes, Shape shape) {
  std::string op = "stablehlo.broadcast_in_dim " + name(x) +
                   ", dims = " + listText(axes) + " : (" + type(x) + ") -> " +
                   tensorText(shape, elementOf(x));
  return make(op, shape, elementOf(x));
}

int ProgramText::reduce(const std::string &op, int x, Axes axes) {
  bool isSum = op == "add";
  int init = make(std::string("stablehlo.constant dense<") +
                      (isSum           ? "0.000000e+00"
                       : real == "f64" ? "0xFFF0000000000000"
                                       : "0xFF800000") +
                      "> : tensor<" + real + ">",
                  {}, real);
  Shape shape;
  for (auto [axis, extent] : llvm::enumerate(shapeOf(x)))
    if (!llvm::is_contained(axes, int64_t(axis)))
      shape.push_back(extent);
  std::string text =
      "stablehlo.reduce(" + name(x) + " init: " + name(init) +
      ") applies stablehlo." + op + " across dimensions = " + listText(axes) +
      " : (" + type(x) + ", " + type(init) + ") -> " + tensorText(shape, real);
  return make(text, shape, real);
}

int ProgramText::transpose(int x, Axes order) {
  Shape shape;
  for (int64_t axis : order)
    shape.push_back(shapeOf(x)[axis]);
  std::string op = "stablehlo.transpose " + name(x) +
                   ", dims = " + listText(order) + " : (" + type(x) + ") -> " +
                   tensorText(shape, elementOf(x));
  return make(op, shape, elementOf(x));
}
int ProgramText::reshape(int x, Shape shape) {
  std::string op = "stablehlo.reshape " + name(x) + " : (" + type(x) + ") -> " +
                   tensorText(shape, elementOf(x));
  return make(op, shape, elementOf(x));
}
int ProgramText::slice(int x, Axes begin, Axes end) {
  Shape shape;
  std::string ranges;
  for (auto [low, high] : llvm::zip_equal(begin, end)) {
    ranges += (shape.empty() ? "" : ", ") + std::to_string(low) + ":" +
              std::to_string(high);
    shape.push_back(high - low);
  }
  std::string op = "stablehlo.slice " + name(x) + " [" + ranges + "] : (" +
                   type(x) + ") -> " + tensorText(shape, elementOf(x));
  return make(op, shape, elementOf(x));
}
int ProgramText::pad(int x, Axes low, Axes high, Axes interior) {
  int zero = constant(0, {});
  Shape shape;
  for (size_t i = 0; i < low.size(); ++i) {
    int64_t extent = shapeOf(x)[i];
    shape.push_back(extent + std::max<int64_t>(0, extent - 1) * interior[i] +
                    low[i] + high[i]);
  }
  std::string op = "stablehlo.pad " + name(x) + ", " + name(zero) +
                   ", low = " + listText(low) + ", high = " + listText(high) +
                   ", interior = " + listText(interior) + " : (" + type(x) +
                   ", " + type(zero) + ") -> " + tensorText(shape, real);
  return make(op, shape, real);
}
int ProgramText::concatenate(int x, int y, int64_t axis) {
  Shape shape = shapeOf(x);
  shape[axis] += shapeOf(y)[axis];
  std::string op = "stablehlo.concatenate " + name(x) + ", " + name(y) +
                   ", dim = " + std::to_string(axis) + " : (" + type(x) + ", " +
                   type(y) + ") -> " + tensorText(shape, elementOf(x));
  return make(op, shape, elementOf(x));
}
int ProgramText::reverse(int x, Axes axes) {
  return make("stablehlo.reverse " + name(x) + ", dims = " + listText(axes) +
                  " : " + type(x),
              shapeOf(x), elementOf(x));
}

int ProgramText::dot(int x, int y, Axes batchX, Axes batchY, Axes sumX,
                     Axes sumY) {
  Shape shape;
  for (int64_t axis : batchX)
    shape.push_back(shapeOf(x)[axis]);
  auto addFree = [&](int value, const Axes &batch, const Axes &sum) {
    for (auto [axis, extent] : llvm::enumerate(shapeOf(value)))
      if (!llvm::is_contained(batch, int64_t(axis)) &&
          !llvm::is_contained(sum, int64_t(axis)))
        shape.push_back(extent);
  };
  addFree(x, batchX, sumX);
  addFree(y, batchY, sumY);
  std::string batching = batchX.empty()
                             ? ""
                             : "batching_dims = " + listText(batchX) + " x " +
                                   listText(batchY) + ", ";
  std::string op = "stablehlo.dot_general " + name(x) + ", " + name(y) + ", " +
                   batching + "contracting_dims = " + listText(sumX) + " x " +
                   listText(sumY) + " : (" + type(x) + ", " + type(y) +
                   ") -> " + tensorText(shape, real);
  return make(op, shape, real);
}

int ProgramText::convolution(int x, int kernel, const std::string &dimensions,
                             const Window &window, Shape shape) {
  std::string pads;
  for (auto [low, high] : llvm::zip_equal(window.low, window.high))
    pads += (pads.empty() ? "" : ", ") + listText({low, high});
  std::string op =
      "stablehlo.convolution(" + name(x) + ", " + name(kernel) +
      ") dim_numbers = " + dimensions +
      ", window = {stride = " + listText(window.strides) + ", pad = [" + pads +
      "], lhs_dilate = " + listText(window.lhsDilation) +
      ", rhs_dilate = " + listText(window.rhsDilation) +
      ", reverse = [false, false]} {batch_group_count = 1 : i64, "
      "feature_group_count = 1 : i64} : (" +
      type(x) + ", " + type(kernel) + ") -> " + tensorText(shape, real);
  return make(op, shape, real);
}

static const char *const poolWindow =
    "window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, "
    "2, 2, 1>";

int ProgramText::pool(const std::string &op, int x) {
  bool isSum = op == "add";
  int init =
      isSum ? constant(0, {})
            : make(std::string("stablehlo.constant dense<") +
                       (real == "f64" ? "0xFFF0000000000000" : "0xFF800000") +
                       "> : tensor<" + real + ">",
                   {}, real);
  Shape shape = shapeOf(x);
  shape[1] /= 2;
  shape[2] /= 2;
  std::string t = "tensor<" + real + ">";
  std::string text = "\"stablehlo.reduce_window\"(" + name(x) + ", " +
                     name(init) + ") <{" + poolWindow +
                     "}> ({\n  ^bb0(%p: " + t + ", %q: " + t +
                     "):\n    %r = stablehlo." + op + " %p, %q : " + t +
                     "\n    stablehlo.return %r : " + t + "\n  }) : (" +
                     type(x) + ", " + t + ") -> " + tensorText(shape, real);
  return make(text, shape, real);
}

int ProgramText::poolGradient(int x, int dy) {
  int zero = constant(0, {});
  std::string t = "tensor<" + real + ">";
  std::string args = "\n  ^bb0(%p: " + t + ", %q: " + t + "):\n";
  std::string text =
      "\"stablehlo.select_and_scatter\"(" + name(x) + ", " + name(dy) + ", " +
      name(zero) + ") <{" + poolWindow + "}> ({" + args +
      "    %r = stablehlo.compare GE, %p, %q : (" + t + ", " + t +
      ") -> tensor<i1>\n    stablehlo.return %r : tensor<i1>\n  }, {" + args +
      "    %r = stablehlo.add %p, %q : " + t +
      "\n    stablehlo.return %r : " + t + "\n  }) : (" + type(x) + ", " +
      type(dy) + ", " + t + ") -> " + type(x);
  return make(text, shapeOf(x), real);
}

int ProgramText::gather(int table, int at) {
  Shape shape = shapeOf(at);
  int64_t rank = int64_t(shape.size());
  Shape indexShape = shape;
  indexShape.push_back(1);
  int column = reshape(at, indexShape);
  shape.push_back(shapeOf(table)[1]);
  std::string text =
      "\"stablehlo.gather\"(" + name(table) + ", " + name(column) +
      ") <{dimension_numbers = #stablehlo.gather<offset_dims = [" +
      std::to_string(rank) +
      "], collapsed_slice_dims = [0], start_index_map = [0], "
      "index_vector_dim = " +
      std::to_string(rank) +
      ">, slice_sizes = " + arrayText({1, shapeOf(table)[1]}) + "}> : (" +
      type(table) + ", " + type(column) + ") -> " + tensorText(shape, real);
  return make(text, shape, real);
}

int ProgramText::scatter(int at, int rows, Shape shape) {
  int zeros = constant(0, shape);
  int64_t rank = int64_t(shapeOf(at).size());
  Shape indexShape = shapeOf(at);
  indexShape.push_back(1);
  int column = reshape(at, indexShape);
  std::string t = "tensor<" + real + ">";
  std::string text =
      "\"stablehlo.scatter\"(" + name(zeros) + ", " + name(column) + ", " +
      name(rows) +
      ") <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = "
      "[" +
      std::to_string(rank) +
      "], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
      "index_vector_dim = " +
      std::to_string(rank) + ">}> ({\n  ^bb0(%p: " + t + ", %q: " + t +
      "):\n    %r = stablehlo.add %p, %q : " + t +
      "\n    stablehlo.return %r : " + t + "\n  }) : (" + type(zeros) + ", " +
      type(column) + ", " + type(rows) + ") -> " + type(zeros);
  return make(text, shape, real);
}

std::string ProgramText::text(const std::vector<int> &results) const {
  std::string header = "func.func @f(", names, types;
  for (auto [i, argument] : llvm::enumerate(args))
    header +=
        (i ? ", " : "") + name(argument.value) + ": " + type(argument.value);
  for (auto [i, result] : llvm::enumerate(results)) {
    names += (i ? ", " : "") + name(result);
    types += (i ? ", " : "") + type(result);
  }
  return header + ") -> (" + types + ") {\n" + body + "  return " + names +
         " : " + types + "\n}\n";
}

} // namespace mercator::testing
