// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs with unknown extents, in the form that JAX exports: the
// extents of the inputs are read, and vectors of them are the shapes of results.
//
//   DynamicDraw draw(seed);
//   draw.text                     // @main(%x: tensor<?x?x4xi32>, ..)
//   DynamicDraw(seed, DynamicDraw::Kind::Anything)   // also what Ascend refuses
//   draw.inputShapes(2, 3)        // {2x3x4, 2x4, 2x3, 7x4, scalar, 1x4}
//
// The first extent of the last input is unknown, and 1 in every run: a broadcast
// repeats it, which the types do not say.

#ifndef MERCATOR_TESTS_TARGETS_ASCEND_RULES_DYNAMICDRAW_H
#define MERCATOR_TESTS_TARGETS_ASCEND_RULES_DYNAMICDRAW_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <random>
#include <string>
#include <vector>

namespace mercator {

class DynamicDraw {
public:
  /// known * b^b * s^s + more
  struct Dim {
    int64_t known = 1;
    int b = 0, s = 0;
    bool isUnit = false;
    int64_t more = 0;
    bool operator==(const Dim &) const = default;
    bool isKnown() const { return b == 0 && s == 0 && !isUnit; }
    bool isProduct() const { return more == 0; }
    int64_t at(int64_t batch, int64_t sequence) const {
      int64_t out = known;
      for (int i = 0; i < b; ++i)
        out *= batch;
      for (int i = 0; i < s; ++i)
        out *= sequence;
      return out + more;
    }
  };
  using Dims = llvm::SmallVector<Dim, 4>;

  enum class Kind {
    Jax,     ///< as JAX exports them, for all targets
    Anything ///< also padding, slices at unknown places, calls, loops, choices
  };

  explicit DynamicDraw(uint64_t seed, Kind kind = Kind::Jax)
      : engine(seed), kind(kind) {
    element = coin() ? "i32" : "f32";
    static const char *others[] = {"i64", "ui16"};
    extentType = number(0, 5) != 0 ? "i32" : others[number(0, 1)];
    line("%b = stablehlo.get_dimension_size %x, dim = 0 : (" +
         typeOf({B(), S(), N(4)}, element) + ") -> tensor<i32>");
    line("%s = stablehlo.get_dimension_size %x, dim = 1 : (" +
         typeOf({B(), S(), N(4)}, element) + ") -> tensor<i32>");
    assertSame("%y", {B(), N(4)}, element, 0, "%b");
    assertSame("%i", {B(), S()}, "i32", 0, "%b");
    assertSame("%i", {B(), S()}, "i32", 1, "%s");
    values = {{"%x", {B(), S(), N(4)}, element},
              {"%y", {B(), N(4)}, element},
              {"%i", {B(), S()}, "i32"},
              {"%t", {N(7), N(4)}, element}};
    one = {"%o", {unit(), N(4)}, element};
    // Machine code takes time to compile, and many small programs find more.
    int64_t most = kind == Kind::Jax || seed % 8 == 0 ? 7 : 4;
    for (int64_t i = 0, count = number(2, most); i < count; ++i)
      operation();
    std::string names, types;
    for (const Operand &value : values) {
      // A value that is not returned can be a part of a larger kernel.
      if (kind == Kind::Anything && &value != &values.back() &&
          number(0, 3) != 0)
        continue;
      names += (names.empty() ? "" : ", ") + value.name;
      types += (types.empty() ? "" : ", ") + value.type();
    }
    text = "func.func @main(%x: " + values[0].type() +
           ", %y: " + values[1].type() + ", %i: " + values[2].type() +
           ", %t: " + values[3].type() +
           ", %k: tensor<i32>, %o: " + one.type() + ") -> (" + types + ") {\n" +
           text + "  return " + names + " : " + types + "\n}\n" + functions;
  }

  std::vector<llvm::SmallVector<int64_t>> inputShapes(int64_t b,
                                                      int64_t s) const {
    return {{b, s, 4}, {b, 4}, {b, s}, {7, 4}, {}, {1, 4}};
  }

  std::string text;
  /// Whether a size of 0 is not defined.
  bool needsElements = false;

private:
  struct Operand {
    std::string name;
    Dims dims;
    std::string element;
    std::string type() const { return typeOf(dims, element); }
  };

  static Dim B() { return {1, 1, 0}; }
  static Dim S() { return {1, 0, 1}; }
  static Dim N(int64_t n) { return {n, 0, 0}; }
  /// Unknown to the types, but 1.
  static Dim unit() { return {1, 0, 0, true}; }

  static std::string typeOf(const Dims &dims, const std::string &element) {
    std::string text = "tensor<";
    for (const Dim &dim : dims)
      text += (dim.isKnown() ? std::to_string(dim.known) : "?") + "x";
    return text + element + ">";
  }
  static std::string listOf(llvm::ArrayRef<int64_t> list) {
    std::string text = "[";
    for (auto [i, n] : llvm::enumerate(list))
      text += (i ? ", " : "") + std::to_string(n);
    return text + "]";
  }

  int64_t number(int64_t low, int64_t high) {
    return low + int64_t(engine() % uint64_t(high - low + 1));
  }
  bool coin() { return engine() % 2 != 0; }
  Operand any() { return values[engine() % values.size()]; }
  std::string fresh() { return "%v" + std::to_string(next++); }
  void line(const std::string &rest) { text += "  " + rest + "\n"; }
  Operand define(const Operand &value) {
    values.push_back(value);
    return value;
  }
  /// `%v = stablehlo.OP ARGUMENTS : (TYPES) -> TYPE`
  Operand make(const Dims &dims, const std::string &of, const std::string &op,
               const std::string &arguments, const std::string &types) {
    Operand out{fresh(), dims, of};
    line(out.name + " = stablehlo." + op + " " + arguments + " : (" + types +
         ") -> " + out.type());
    return out;
  }

  void assertSame(const std::string &input, const Dims &dims,
                  const std::string &of, int64_t dim, const std::string &to) {
    std::string size = fresh(), same = fresh();
    line(size + " = stablehlo.get_dimension_size " + input + ", dim = " +
         std::to_string(dim) + " : (" + typeOf(dims, of) + ") -> tensor<i32>");
    line(same + " = stablehlo.compare EQ, " + size + ", " + to +
         ", SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>");
    line("stablehlo.custom_call @shape_assertion(" + same +
         ") {has_side_effect = true, error_message = \"differ\"} : "
         "(tensor<i1>) -> ()");
  }

  /// The extent as an i32 scalar.
  std::string scalarOf(const Dim &dim) {
    std::string name;
    auto times = [&](const std::string &factor) {
      if (name.empty()) {
        name = factor;
        return;
      }
      std::string product = fresh();
      line(product + " = stablehlo.multiply " + name + ", " + factor +
           " : tensor<i32>");
      name = product;
    };
    for (int i = 0; i < dim.b; ++i)
      times("%b");
    for (int i = 0; i < dim.s; ++i)
      times("%s");
    if (name.empty() || dim.known != 1) {
      std::string constant = fresh();
      line(constant + " = stablehlo.constant dense<" +
           std::to_string(dim.known) + "> : tensor<i32>");
      times(constant);
    }
    if (dim.more != 0) {
      std::string constant = fresh(), sum = fresh();
      line(constant + " = stablehlo.constant dense<" +
           std::to_string(dim.more) + "> : tensor<i32>");
      line(sum + " = stablehlo.add " + name + ", " + constant +
           " : tensor<i32>");
      name = sum;
    }
    return name;
  }
  std::string shapeOf(const Dims &dims) {
    std::string names, types, vector = "tensor<1x" + extentType + ">";
    for (const Dim &dim : dims) {
      std::string scalar = scalarOf(dim), part = fresh();
      if (extentType != "i32") {
        std::string wide = fresh();
        line(wide + " = stablehlo.convert " + scalar +
             " : (tensor<i32>) -> tensor<" + extentType + ">");
        scalar = wide;
      }
      line(part + " = stablehlo.reshape " + scalar + " : (tensor<" +
           extentType + ">) -> " + vector);
      names += (names.empty() ? "" : ", ") + part;
      types += (types.empty() ? "" : ", ") + vector;
    }
    std::string out = fresh();
    line(out + " = stablehlo.concatenate " + names + ", dim = 0 : (" + types +
         ") -> " + shapeType(dims));
    return out;
  }
  std::string shapeType(const Dims &dims) const {
    return "tensor<" + std::to_string(dims.size()) + "x" + extentType + ">";
  }

  Operand spread(const Operand &x, const Dims &dims,
                 llvm::ArrayRef<int64_t> places) {
    bool isKnown = llvm::all_of(dims, [](const Dim &d) { return d.isKnown(); });
    if (dims.empty() || (isKnown && coin()))
      return make(dims, x.element, "broadcast_in_dim",
                  x.name + ", dims = " + listOf(places), x.type());
    return make(dims, x.element, "dynamic_broadcast_in_dim",
                x.name + ", " + shapeOf(dims) + ", dims = " + listOf(places),
                x.type() + ", " + shapeType(dims));
  }
  Operand constant(const std::string &of) {
    Operand out{fresh(), {}, of};
    line(out.name + " = stablehlo.constant dense<" +
         std::to_string(number(-3, 3)) + (of == "f32" ? ".0" : "") +
         "> : " + out.type());
    return out;
  }
  /// A value of a shape.
  Operand like(const Dims &dims, const std::string &of) {
    std::vector<Operand> found;
    for (const Operand &value : values)
      if (value.dims == dims && value.element == of)
        found.push_back(value);
    if (dims.size() == 2 && dims[1] == N(4) && of == element &&
        number(0, 2) == 0)
      return spread(one, dims, {0, 1});
    if (!found.empty() && number(0, 3) != 0)
      return found[engine() % found.size()];
    // One dimension, or a column of one element.
    for (const Operand &value : values)
      if (value.element == of && value.dims.size() == 1 && !dims.empty() &&
          (value.dims[0] == dims.back() || value.dims[0] == N(1)))
        return spread(value, dims, {int64_t(dims.size()) - 1});
    return spread(constant(of), dims, {});
  }

  void binary() {
    // Sometimes two broadcasts.
    Operand x = any();
    if (coin())
      x = like(x.dims, x.element);
    Operand y = like(x.dims, x.element);
    static const char *ops[] = {"add", "subtract", "maximum", "minimum",
                                "multiply"};
    // Sums and products of floats stay exact if there are few of them.
    std::string op = ops[number(0, x.element == "f32" ? 3 : 4)];
    define(make(x.dims, x.element, op, x.name + ", " + y.name,
                x.type() + ", " + y.type()));
  }
  void choice() {
    Operand x = any(), y = like(x.dims, x.element), z = like(x.dims, x.element);
    Operand which =
        make(x.dims, "i1", "compare", "LT, " + x.name + ", " + y.name,
             x.type() + ", " + y.type());
    Operand out{fresh(), x.dims, x.element};
    line(out.name + " = stablehlo.select " + which.name + ", " + x.name + ", " +
         z.name + " : " + which.type() + ", " + x.type());
    define(out);
  }
  void broadcast() {
    Operand x = any();
    if (x.dims.size() > 3)
      return;
    int64_t at = number(0, int64_t(x.dims.size()));
    Dims dims = x.dims;
    static const Dim more[] = {N(1), N(3), B(), S()};
    dims.insert(dims.begin() + at, more[number(0, 3)]);
    llvm::SmallVector<int64_t> places;
    for (int64_t i = 0, e = x.dims.size(); i < e; ++i)
      places.push_back(i + (i >= at));
    define(spread(x, dims, places));
  }
  void reduce() {
    Operand x = any();
    if (x.dims.empty())
      return;
    int64_t at = number(0, int64_t(x.dims.size()) - 1);
    Dims dims = x.dims;
    bool isMost = coin();
    needsElements |= isMost && !dims[at].isKnown();
    dims.erase(dims.begin() + at);
    std::string init = fresh();
    std::string least = x.element == "f32" ? "0xFF800000" : "-2147483648";
    line(init + " = stablehlo.constant dense<" +
         (isMost               ? least
          : x.element == "f32" ? "0.0"
                               : "0") +
         "> : tensor<" + x.element + ">");
    Operand out{fresh(), dims, x.element};
    line(out.name + " = stablehlo.reduce(" + x.name + " init: " + init +
         ") applies stablehlo." + (isMost ? "maximum" : "add") +
         " across dimensions = [" + std::to_string(at) + "] : (" + x.type() +
         ", tensor<" + x.element + ">) -> " + out.type());
    define(out);
  }
  void transpose() {
    Operand x = any();
    llvm::SmallVector<int64_t> perm;
    for (int64_t i = 0, e = x.dims.size(); i < e; ++i)
      perm.push_back(i);
    std::shuffle(perm.begin(), perm.end(), engine);
    Dims dims;
    for (int64_t i : perm)
      dims.push_back(x.dims[i]);
    define(make(dims, x.element, "transpose",
                x.name + ", dims = " + listOf(perm), x.type()));
  }
  void reshape() {
    Operand x = any();
    Dims dims = x.dims;
    int64_t rank = dims.size();
    if (rank >= 2 && coin()) { // merged
      int64_t at = number(0, rank - 2);
      Dim &first = dims[at], second = dims[at + 1];
      if (!first.isProduct() || !second.isProduct())
        return;
      first = {first.known * second.known, first.b + second.b,
               first.s + second.s};
      dims.erase(dims.begin() + at + 1);
    } else if (rank >= 1) { // split
      int64_t at = number(0, rank - 1);
      Dim whole = dims[at];
      if (!whole.isProduct())
        return;
      Dim part = whole.b ? Dim{1, 1, 0} : Dim{whole.known, 0, 0};
      Dim rest =
          whole.b ? Dim{whole.known, whole.b - 1, whole.s} : Dim{1, 0, whole.s};
      dims[at] = part;
      dims.insert(dims.begin() + at + 1, rest);
    }
    if (rank >= 2 && number(0, 3) == 0) {
      dims = x.dims;
      std::swap(dims[0], dims[1]);
    }
    if (dims.size() > 5 || dims.empty())
      return;
    define(make(dims, x.element, "dynamic_reshape",
                x.name + ", " + shapeOf(dims),
                x.type() + ", " + shapeType(dims)));
  }
  void concatenate() {
    Operand x = any();
    if (x.dims.empty())
      return;
    int64_t at = number(0, int64_t(x.dims.size()) - 1);
    if (x.dims[at].b + x.dims[at].s > 2 || x.dims[at].known > 8)
      return;
    Operand y = like(x.dims, x.element);
    Dims dims = x.dims;
    dims[at].known *= 2;
    dims[at].more *= 2;
    define(make(dims, x.element, "concatenate",
                x.name + ", " + y.name + ", dim = " + std::to_string(at),
                x.type() + ", " + y.type()));
  }
  void dot() {
    Operand x = any();
    if (x.dims.size() < 2 || x.dims.size() > 4)
      return;
    Dim inner = x.dims.back();
    bool hasBatch = x.dims.size() > 2 && coin();
    Dims dims = hasBatch ? Dims{x.dims[0], N(3), inner} : Dims{inner, N(2)};
    Operand y = like(dims, x.element);
    Dims out(x.dims.begin(), x.dims.end() - 1);
    out.push_back(hasBatch ? N(3) : N(2));
    std::string last = std::to_string(x.dims.size() - 1);
    define(make(out, x.element, "dot_general",
                x.name + ", " + y.name +
                    (hasBatch ? ", batching_dims = [0] x [0]" : "") +
                    ", contracting_dims = [" + last + "] x [" +
                    (hasBatch ? "2" : "0") + "]",
                x.type() + ", " + y.type()));
  }
  void iota() {
    Dims dims = any().dims;
    if (dims.empty())
      return;
    define(make(dims, element, "dynamic_iota",
                shapeOf(dims) + ", dim = " +
                    std::to_string(number(0, int64_t(dims.size()) - 1)),
                shapeType(dims)));
  }
  /// Rows of the table, or of any value, at arbitrary indices.
  void gather() {
    Operand x = coin() ? values[3] : any(), at = any();
    if (x.dims.empty() || x.dims.size() + at.dims.size() > 6 ||
        at.element != "i32")
      return;
    needsElements |= !x.dims[0].isKnown();
    Dims vectors = at.dims, sizes = x.dims, out = at.dims;
    vectors.push_back(N(1));
    sizes[0] = N(1);
    out.append(x.dims.begin() + 1, x.dims.end());
    Operand starts = make(vectors, "i32", "dynamic_reshape",
                          at.name + ", " + shapeOf(vectors),
                          at.type() + ", " + shapeType(vectors));
    llvm::SmallVector<int64_t> offsets;
    for (size_t i = at.dims.size(); i < out.size(); ++i)
      offsets.push_back(i);
    Operand result{fresh(), out, x.element};
    std::string shape = shapeOf(sizes);
    line(result.name + " = \"stablehlo.dynamic_gather\"(" + x.name + ", " +
         starts.name + ", " + shape +
         ") <{dimension_numbers = #stablehlo.gather<offset_dims = " +
         listOf(offsets) +
         ", collapsed_slice_dims = [0], start_index_map = [0], "
         "index_vector_dim = " +
         std::to_string(at.dims.size()) +
         ">, indices_are_sorted = false}> : (" + x.type() + ", " +
         starts.type() + ", " + shapeType(sizes) + ") -> " + result.type());
    define(result);
  }
  /// One slice at an arbitrary place.
  void slice() {
    Operand x = any();
    if (x.dims.empty())
      return;
    int64_t at = number(0, int64_t(x.dims.size()) - 1);
    needsElements |= !x.dims[at].isKnown();
    Dims out = x.dims;
    out[at] = N(1);
    std::string start = fresh(), shape = shapeOf(out);
    line(start + " = stablehlo.reshape %k : (tensor<i32>) -> tensor<1xi32>");
    llvm::SmallVector<int64_t> offsets;
    for (size_t i = 0; i < out.size(); ++i)
      offsets.push_back(i);
    Operand result{fresh(), out, x.element};
    line(result.name + " = \"stablehlo.dynamic_gather\"(" + x.name + ", " +
         start + ", " + shape +
         ") <{dimension_numbers = #stablehlo.gather<offset_dims = " +
         listOf(offsets) + ", start_index_map = [" + std::to_string(at) +
         "]>, indices_are_sorted = false}> : (" + x.type() +
         ", tensor<1xi32>, " + shapeType(out) + ") -> " + result.type());
    define(result);
  }
  void part() {
    Operand x = any();
    if (x.dims.empty())
      return;
    Dims out = x.dims, first(x.dims.size(), N(0)), step(x.dims.size(), N(1));
    Dims last = x.dims;
    for (auto [i, dim] : llvm::enumerate(x.dims))
      if (dim.isKnown() && dim.known > 1 && coin()) {
        first[i] = N(1);
        out[i] = N(dim.known - 1);
      }
    std::string names = x.name + ", " + shapeOf(first) + ", " + shapeOf(last) +
                        ", " + shapeOf(step);
    define(make(out, x.element, "real_dynamic_slice", names,
                x.type() + ", " + shapeType(out) + ", " + shapeType(out) +
                    ", " + shapeType(out)));
  }
  void pad() {
    Operand x = any(), value = constant(x.element);
    llvm::SmallVector<int64_t> low, high, between(x.dims.size(), 0);
    Dims out = x.dims;
    for (Dim &dim : out) {
      low.push_back(dim.isKnown() ? number(0, 1) : 0);
      high.push_back(dim.isKnown() ? number(0, 1) : 0);
      dim.known += dim.isKnown() ? low.back() + high.back() : 0;
    }
    define(make(out, x.element, "pad",
                x.name + ", " + value.name + ", low = " + listOf(low) +
                    ", high = " + listOf(high) +
                    ", interior = " + listOf(between),
                x.type() + ", " + value.type()));
  }
  void reverse() {
    Operand x = any();
    llvm::SmallVector<int64_t> dims;
    for (int64_t i = 0, e = x.dims.size(); i < e; ++i)
      if (coin())
        dims.push_back(i);
    Operand out{fresh(), x.dims, x.element};
    line(out.name + " = stablehlo.reverse " + x.name +
         ", dims = " + listOf(dims) + " : " + out.type());
    define(out);
  }
  void update() {
    Operand x = any();
    Dims dims = x.dims;
    std::string names, types;
    for (Dim &dim : dims) {
      if (dim.isKnown() && dim.known > 1 && coin())
        dim.known -= 1;
      names += ", %k";
      types += ", tensor<i32>";
    }
    Operand y = like(dims, x.element);
    define(make(x.dims, x.element, "dynamic_update_slice",
                x.name + ", " + y.name + names,
                x.type() + ", " + y.type() + types));
  }
  void count() {
    static const Dim dims[] = {B(), S(), {2, 1, 1}};
    Operand size{fresh(), {}, element};
    std::string extent = scalarOf(dims[number(0, 2)]);
    line(size.name + " = stablehlo.convert " + extent + " : (tensor<i32>) -> " +
         size.type());
    define(size);
  }

  /// Operations with regions are on several lines.
  void block(const std::string &lines) { text += lines; }
  void unary() {
    Operand x = any();
    static const char *ops[] = {"negate", "abs", "sign"};
    define(make(x.dims, x.element, ops[number(0, 2)], x.name, x.type()));
  }
  void dynamicPad() {
    Operand x = any(), value = constant(x.element);
    if (x.dims.empty())
      return;
    Dims low, high, between(x.dims.size(), N(0)), out = x.dims;
    for (Dim &dim : out) {
      low.push_back(N(number(0, 1)));
      high.push_back(N(number(0, 2)));
      int64_t added = low.back().known + high.back().known;
      (dim.isKnown() ? dim.known : dim.more) += dim.isUnit ? 0 : added;
      if (dim.isUnit)
        low.back() = high.back() = N(0);
    }
    std::string names = x.name + ", " + value.name + ", " + shapeOf(low) +
                        ", " + shapeOf(high) + ", " + shapeOf(between);
    std::string shape = ", " + shapeType(out);
    define(make(out, x.element, "dynamic_pad", names,
                x.type() + ", " + value.type() + shape + shape + shape));
  }
  /// Without the first or the last element, in unknown extents, too.
  void shorter() {
    Operand x = any();
    if (x.dims.empty())
      return;
    Dims out = x.dims, first(x.dims.size(), N(0)), last = x.dims,
         step(x.dims.size(), N(1));
    int64_t at = number(0, int64_t(x.dims.size()) - 1);
    if (out[at].isUnit || (out[at].isKnown() && out[at].known < 2))
      return;
    (out[at].isKnown() ? out[at].known : out[at].more) -= 1;
    needsElements |= !out[at].isKnown();
    if (coin())
      first[at] = N(1);
    else
      last[at] = out[at];
    std::string names = x.name + ", " + shapeOf(first) + ", " + shapeOf(last) +
                        ", " + shapeOf(step);
    std::string shape = ", " + shapeType(out);
    define(make(out, x.element, "real_dynamic_slice", names,
                x.type() + shape + shape + shape));
  }
  /// One element of an unknown extent, at an arbitrary place.
  void dynamicSlice() {
    Operand x = any();
    if (x.dims.empty())
      return;
    Dims out = x.dims;
    std::string names = x.name, types = x.type();
    llvm::SmallVector<int64_t> sizes;
    for (Dim &dim : out) {
      needsElements |= !dim.isKnown();
      dim = N(dim.isKnown() ? number(1, dim.known) : 1);
      sizes.push_back(dim.known);
      names += ", %k";
      types += ", tensor<i32>";
    }
    define(make(out, x.element, "dynamic_slice",
                names + ", sizes = " + listOf(sizes), types));
  }
  /// A function with an operation, and with the shape as an argument.
  void call() {
    Operand x = any();
    Dims dims = x.dims;
    if (dims.empty())
      return;
    std::shuffle(dims.begin(), dims.end(), engine);
    std::string function = "@f" + std::to_string(next++), shape = shapeOf(dims),
                of = shapeType(dims);
    Operand out{fresh(), dims, x.element};
    std::string results = ") -> " + out.type();
    line(out.name + " = func.call " + function + "(" + x.name + ", " + shape +
         ") : (" + x.type() + ", " + of + results);
    functions += "func.func private " + function + "(%x: " + x.type() +
                 ", %s: " + of + results + " {\n  %y = stablehlo." +
                 (coin() ? "negate" : "abs") + " %x : " + x.type() +
                 "\n  %z = stablehlo.dynamic_reshape %y, %s : (" + x.type() +
                 ", " + of + results + "\n  return %z : " + out.type() +
                 "\n}\n";
    define(out);
  }
  /// One of two values, which are computed in the branches or outside.
  void branch() {
    Operand x = any(), y = like(x.dims, x.element),
            out{fresh(), x.dims, x.element};
    std::string zero = fresh(), which = fresh(), type = x.type();
    line(zero + " = stablehlo.constant dense<1> : tensor<i32>");
    line(which + " = stablehlo.compare LT, %k, " + zero +
         ", SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>");
    auto side = [&](const std::string &of) {
      if (coin())
        return "    stablehlo.return " + of + " : " + type + "\n";
      return "    %r = stablehlo.negate " + of + " : " + type +
             "\n    stablehlo.return %r : " + type + "\n";
    };
    std::string first = side(x.name), second = side(y.name);
    block("  " + out.name + " = \"stablehlo.if\"(" + which + ") ({\n" + first +
          "  }, {\n" + second + "  }) : (tensor<i1>) -> " + type + "\n");
    define(out);
  }
  /// A loop that carries one or two tensors, which may exchange their places.
  void loop() {
    Operand x = any(), y = like(x.dims, x.element);
    std::string type = x.type(), out = fresh(), zero = fresh(), one = fresh(),
                most = fresh();
    auto constant = [&](const std::string &name, int64_t value) {
      line(name + " = stablehlo.constant dense<" + std::to_string(value) +
           "> : tensor<i32>");
    };
    constant(zero, 0);
    constant(one, 1);
    constant(most, number(0, 3));
    const char *op = coin() ? "maximum" : "add";
    bool isExchanged = coin();
    std::string results = isExchanged ? "%q, %r" : "%r, %q";
    block("  " + out + ":3 = stablehlo.while(%n = " + zero +
          ", %p = " + x.name + ", %q = " + y.name + ") : tensor<i32>, " + type +
          ", " + type + "\n    cond {\n      %c = stablehlo.compare LT, %n, " +
          most + ", SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n" +
          "      stablehlo.return %c : tensor<i1>\n    } do {\n      %m = "
          "stablehlo.add %n, " +
          one + " : tensor<i32>\n      %r = stablehlo." + op +
          " %p, %q : " + type + "\n      stablehlo.return %m, " + results +
          " : tensor<i32>, " + type + ", " + type + "\n    }\n");
    for (const char *number : {"#1", "#2"})
      define({out + number, x.dims, x.element});
  }
  void sort() {
    Operand x = any();
    if (x.dims.empty())
      return;
    Operand out{fresh(), x.dims, x.element};
    std::string scalar = "tensor<" + x.element + ">";
    block("  " + out.name + " = \"stablehlo.sort\"(" + x.name +
          ") <{dimension = " +
          std::to_string(number(0, int64_t(x.dims.size()) - 1)) +
          " : i64, is_stable = true}> ({\n  ^bb0(%p: " + scalar +
          ", %q: " + scalar + "):\n    %c = stablehlo.compare LT, %p, %q : (" +
          scalar + ", " + scalar +
          ") -> tensor<i1>\n    stablehlo.return %c : "
          "tensor<i1>\n  }) : (" +
          x.type() + ") -> " + x.type() + "\n");
    define(out);
  }

  void operation() {
    using Rule = void (DynamicDraw::*)();
    static const Rule further[] = {
        &DynamicDraw::unary,   &DynamicDraw::dynamicPad,
        &DynamicDraw::shorter, &DynamicDraw::dynamicSlice,
        &DynamicDraw::call,    &DynamicDraw::branch,
        &DynamicDraw::loop,    &DynamicDraw::sort,
        &DynamicDraw::reshape, &DynamicDraw::reshape,
    };
    if (kind == Kind::Anything && coin()) {
      (this->*further[number(0, std::size(further) - 1)])();
      return;
    }
    static const Rule rules[] = {
        &DynamicDraw::binary,    &DynamicDraw::binary,
        &DynamicDraw::choice,    &DynamicDraw::broadcast,
        &DynamicDraw::reduce,    &DynamicDraw::transpose,
        &DynamicDraw::reshape,   &DynamicDraw::concatenate,
        &DynamicDraw::dot,       &DynamicDraw::iota,
        &DynamicDraw::gather,    &DynamicDraw::slice,
        &DynamicDraw::part,      &DynamicDraw::pad,
        &DynamicDraw::reverse,   &DynamicDraw::update,
        &DynamicDraw::broadcast, &DynamicDraw::count,
    };
    (this->*rules[number(0, std::size(rules) - 1)])();
  }

  std::mt19937_64 engine;
  Kind kind;
  std::string functions;
  std::string element, extentType;
  std::vector<Operand> values;
  Operand one;
  int64_t next = 0;
};

} // namespace mercator

#endif // MERCATOR_TESTS_TARGETS_ASCEND_RULES_DYNAMICDRAW_H
