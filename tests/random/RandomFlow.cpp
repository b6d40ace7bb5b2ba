// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RandomFlow.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <vector>

namespace mercator::testing {

namespace {

using Strings = std::vector<std::string>;

/// A tensor of the program: the known part of its type, and its true extents.
struct Operand {
  std::string name;
  std::vector<int64_t> extents;
  std::vector<bool> dynamic;
  /// An index value with the extent; empty if it is static.
  Strings sizes;

  [[nodiscard]] size_t rank() const { return extents.size(); }
};

class Writer {
public:
  explicit Writer(uint64_t seed) : engine(seed) {}

  std::string write(int operations);

private:
  // Drawing.
  size_t below(size_t count) { return engine() % count; }
  bool oneIn(size_t count) { return below(count) == 0; }
  Operand &any() { return values[below(values.size())]; }
  std::vector<int64_t> permutation(size_t rank) {
    std::vector<int64_t> order(rank);
    std::iota(order.begin(), order.end(), 0);
    for (size_t i = rank; i > 1; --i)
      std::swap(order[i - 1], order[below(i)]);
    return order;
  }

  // Text.
  std::string fresh() { return "%v" + std::to_string(next++); }
  void line(const std::string &text) {
    body += std::string(size_t(2 * depth), ' ') + text + "\n";
  }
  std::string typeOf(const Operand &value) {
    std::string text = "tensor<";
    for (size_t i = 0; i < value.rank(); ++i)
      text += (value.dynamic[i] ? "?" : std::to_string(value.extents[i])) + "x";
    return text + element + ">";
  }
  std::string index(int64_t value) {
    std::string name = fresh();
    line(name + " = arith.constant " + std::to_string(value) + " : index");
    return name;
  }
  /// An index value for an extent, static or dynamic.
  std::string sizeOf(const Operand &value, size_t dim) {
    return value.dynamic[dim] ? value.sizes[dim] : index(value.extents[dim]);
  }
  /// As in a list of offsets or sizes: a number or a value.
  std::string mixed(const Operand &value, size_t dim) {
    return value.dynamic[dim] ? value.sizes[dim]
                              : std::to_string(value.extents[dim]);
  }
  std::string number() {
    std::string name = fresh();
    int64_t value = int64_t(below(7)) - 3;
    line(name + " = arith.constant " + std::to_string(value) +
         (isFloat ? ".0" : "") + " : " + element);
    return name;
  }
  static std::string mapOf(size_t loops, const Strings &results) {
    Strings dims;
    for (size_t i = 0; i < loops; ++i)
      dims.push_back("d" + std::to_string(i));
    return "affine_map<(" + llvm::join(dims, ", ") + ") -> (" +
           llvm::join(results, ", ") + ")>";
  }
  static std::string dim(int64_t i) { return "d" + std::to_string(i); }
  std::string op(const std::string &name) {
    return "arith." + name + (isFloat ? "f" : "i");
  }

  /// An operand of the same shape in another order or with dimensions dropped:
  /// extents[k] = from.extents[dims[k]].
  static Operand pick(const Operand &from, const std::vector<int64_t> &dims) {
    Operand result;
    for (int64_t d : dims) {
      result.extents.push_back(from.extents[d]);
      result.dynamic.push_back(from.dynamic[d]);
      result.sizes.push_back(from.sizes[d]);
    }
    return result;
  }
  std::string empty(const Operand &like);
  std::string filled(const Operand &like, const std::string &with);
  std::string arithmetic(const std::string &a, const std::string &b);
  void add(Operand value) { values.push_back(std::move(value)); }
  /// Provides values for the extents of a dynamic result.
  void measure(Operand &value);

  // Operations. False if there are no suitable operands.
  bool elementwise();
  bool reduction();
  bool matmul();
  bool convolution();
  bool namedElementwise();
  bool slice();
  bool insert();
  bool pad();
  bool collapse();
  bool expand();
  bool cast();
  bool fill();
  bool loop();
  bool conditional();
  bool blocks();
  bool select();
  bool choice();
  bool indexSwitch();
  bool blocksOfTwo();
  bool swaps();
  bool whileLoop();
  bool global();
  bool concat();
  bool fromElements();
  bool insertElement();
  bool bitcast();
  bool generate();
  bool dynamicReshape();

  // Two tensors, as values of one type; a number that the program does not know
  // selects one.
  struct Pair {
    Operand first, second;
  };
  std::optional<Pair> pair();
  Operand castTo(const Operand &value, const std::vector<bool> &dynamic);
  std::string anElement();
  void inside(Operand &value);

  std::mt19937_64 engine;
  bool isFloat = true;
  std::string element = "f32";
  std::string globals;
  std::string body;
  int depth = 1;
  int next = 0;
  int nextBlock = 0;
  std::vector<Operand> values;
};

std::string Writer::empty(const Operand &like) {
  Strings sizes;
  for (size_t i = 0; i < like.rank(); ++i)
    if (like.dynamic[i])
      sizes.push_back(like.sizes[i]);
  std::string name = fresh();
  line(name + " = tensor.empty(" + llvm::join(sizes, ", ") +
       ") : " + typeOf(like));
  return name;
}

std::string Writer::filled(const Operand &like, const std::string &with) {
  std::string init = empty(like), name = fresh(), type = typeOf(like);
  line(name + " = linalg.fill ins(" + with + " : " + element + ") outs(" +
       init + " : " + type + ") -> " + type);
  return name;
}

void Writer::measure(Operand &value) {
  value.sizes.assign(value.rank(), "");
  for (size_t i = 0; i < value.rank(); ++i) {
    if (!value.dynamic[i])
      continue;
    std::string at = index(int64_t(i));
    value.sizes[i] = fresh();
    line(value.sizes[i] + " = tensor.dim " + value.name + ", " + at + " : " +
         typeOf(value));
  }
}

/// A function of two numbers.
std::string Writer::arithmetic(const std::string &a, const std::string &b) {
  std::string name = fresh();
  switch (below(6)) {
  case 0:
    line(name + " = " + op("sub") + " " + a + ", " + b + " : " + element);
    return name;
  case 1:
    line(name + " = " + op("mul") + " " + a + ", " + b + " : " + element);
    return name;
  case 2:
    line(name + " = " +
         (isFloat ? std::string("arith.maximumf ") : "arith.maxsi ") + a +
         ", " + b + " : " + element);
    return name;
  case 3: {
    std::string less = fresh();
    line(less + " = " +
         (isFloat ? std::string("arith.cmpf olt, ") : "arith.cmpi slt, ") + a +
         ", " + b + " : " + element);
    line(name + " = arith.select " + less + ", " + b + ", " + a + " : " +
         element);
    return name;
  }
  default:
    line(name + " = " + op("add") + " " + a + ", " + b + " : " + element);
    return name;
  }
}

bool Writer::elementwise() {
  Operand a = any();
  if (a.rank() == 0 || a.rank() > 4)
    return false;
  size_t loops = a.rank();
  // Loop order[k] runs over dimension k of the first operand.
  std::vector<int64_t> order = permutation(loops);
  if (oneIn(2))
    std::iota(order.begin(), order.end(), 0);
  std::vector<int64_t> dimOf(loops);
  for (size_t k = 0; k < loops; ++k)
    dimOf[size_t(order[k])] = int64_t(k);
  Operand space = pick(a, dimOf); // by loop

  Strings names = {a.name}, types = {typeOf(a)}, maps, results;
  for (size_t k = 0; k < loops; ++k)
    results.push_back(dim(order[k]));
  maps.push_back(mapOf(loops, results));
  // Another operand; a loop of the same extent runs over each of its
  // dimensions.
  if (!oneIn(3)) {
    Operand b = any();
    results.clear();
    std::set<int64_t> used;
    for (size_t k = 0; k < b.rank(); ++k)
      for (size_t loop = 0; loop < loops; ++loop)
        if (results.size() == k && space.extents[loop] == b.extents[k] &&
            used.insert(int64_t(loop)).second)
          results.push_back(dim(int64_t(loop)));
    if (results.size() == b.rank()) {
      names.push_back(b.name);
      types.push_back(typeOf(b));
      maps.push_back(mapOf(loops, results));
    }
  }
  std::vector<int64_t> outOrder = permutation(loops);
  if (!oneIn(3))
    std::iota(outOrder.begin(), outOrder.end(), 0);
  Operand out = pick(space, outOrder);
  results.clear();
  for (int64_t loop : outOrder)
    results.push_back(dim(loop));
  maps.push_back(mapOf(loops, results));
  bool readsInit = oneIn(4);
  std::string init =
      readsInit ? filled(out, number()) : empty(out); // what it adds to
  Strings iterators(loops, "\"parallel\"");
  std::string outside = oneIn(3) ? number() : "";
  out.name = fresh();
  line(out.name + " = linalg.generic {indexing_maps = [" +
       llvm::join(maps, ", ") + "], iterator_types = [" +
       llvm::join(iterators, ", ") + "]} ins(" + llvm::join(names, ", ") +
       " : " + llvm::join(types, ", ") + ") outs(" + init + " : " +
       typeOf(out) + ") {");
  ++depth;
  Strings arguments, typed;
  for (size_t i = 0; i < names.size() + 1; ++i) {
    arguments.push_back(fresh());
    typed.push_back(arguments.back() + ": " + element);
  }
  line("^bb0(" + llvm::join(typed, ", ") + "):");
  std::string value = arguments[0];
  if (names.size() == 2)
    value = arithmetic(value, arguments[1]);
  if (readsInit)
    value = arithmetic(value, arguments.back());
  if (!outside.empty())
    value = arithmetic(value, outside);
  if (oneIn(5)) {
    std::string i = fresh(), whole = fresh(), real = fresh();
    line(i + " = linalg.index " + std::to_string(below(loops)) + " : index");
    line(whole + " = arith.index_cast " + i + " : index to i32");
    if (isFloat)
      line(real + " = arith.sitofp " + whole + " : i32 to f32");
    value = arithmetic(value, isFloat ? real : whole);
  } else if (value == arguments[0]) {
    value = arithmetic(value, value);
  }
  line("linalg.yield " + value + " : " + element);
  --depth;
  line("} -> " + typeOf(out));
  add(out);
  return true;
}

bool Writer::reduction() {
  Operand a = any();
  if (a.rank() == 0 || a.rank() > 4)
    return false;
  size_t loops = a.rank();
  std::vector<int64_t> order = permutation(loops);
  std::vector<int64_t> kept;
  std::vector<bool> isReduced(loops);
  for (size_t k = 0; k < loops; ++k) {
    isReduced[k] = oneIn(2);
    if (!isReduced[k])
      kept.push_back(int64_t(k));
  }
  Strings in, outs, iterators(loops);
  for (size_t k = 0; k < loops; ++k) {
    in.push_back(dim(order[k]));
    iterators[size_t(order[k])] =
        isReduced[k] ? "\"reduction\"" : "\"parallel\"";
  }
  for (int64_t k : kept)
    outs.push_back(dim(order[size_t(k)]));
  Operand out = pick(a, kept);
  std::string init = filled(out, number());
  out.name = fresh();
  line(out.name + " = linalg.generic {indexing_maps = [" + mapOf(loops, in) +
       ", " + mapOf(loops, outs) + "], iterator_types = [" +
       llvm::join(iterators, ", ") + "]} ins(" + a.name + " : " + typeOf(a) +
       ") outs(" + init + " : " + typeOf(out) + ") {");
  ++depth;
  std::string x = fresh(), y = fresh(), z = fresh();
  line("^bb0(" + x + ": " + element + ", " + y + ": " + element + "):");
  line(z + " = " + op("add") + " " + x + ", " + y + " : " + element);
  line("linalg.yield " + z + " : " + element);
  --depth;
  line("} -> " + typeOf(out));
  add(out);
  return true;
}

bool Writer::matmul() {
  for (int attempt = 0; attempt < 10; ++attempt) {
    Operand a = any(), b = any();
    if (a.rank() != 2 || b.rank() != 2 || a.extents[1] != b.extents[0])
      continue;
    Operand out = pick(a, {0}), column = pick(b, {1});
    out.extents.push_back(column.extents[0]);
    out.dynamic.push_back(column.dynamic[0]);
    out.sizes.push_back(column.sizes[0]);
    std::string init = filled(out, number());
    out.name = fresh();
    line(out.name + " = linalg.matmul ins(" + a.name + ", " + b.name + " : " +
         typeOf(a) + ", " + typeOf(b) + ") outs(" + init + " : " + typeOf(out) +
         ") -> " + typeOf(out));
    add(out);
    return true;
  }
  return false;
}

/// For constants and one operand that is reshaped to an image: 1 x W x C.
bool Writer::convolution() {
  for (int attempt = 0; attempt < 10; ++attempt) {
    Operand image = any();
    if (image.rank() != 2 || image.dynamic[0] || image.dynamic[1])
      continue;
    int64_t width = image.extents[0], depthOf = image.extents[1],
            window = std::min<int64_t>(width, 1 + int64_t(below(3)));
    std::string wide = fresh(), filter = fresh(), name = fresh();
    std::string imageType = "tensor<1x" + std::to_string(width) + "x" +
                            std::to_string(depthOf) + "x" + element + ">";
    std::string filterType = "tensor<" + std::to_string(window) + "x" +
                             std::to_string(depthOf) + "x2x" + element + ">";
    line(wide + " = tensor.expand_shape " + image.name +
         " [[0, 1], [2]] output_shape [1, " + std::to_string(width) + ", " +
         std::to_string(depthOf) + "] : " + typeOf(image) + " into " +
         imageType);
    line(filter + " = arith.constant dense<" + (isFloat ? "0.5" : "2") +
         "> : " + filterType);
    Operand out;
    out.extents = {1, width - window + 1, 2};
    out.dynamic = {false, false, false};
    out.sizes = {"", "", ""};
    std::string init = filled(out, number());
    out.name = name;
    line(name +
         " = linalg.conv_1d_nwc_wcf {dilations = dense<1> : "
         "tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(" +
         wide + ", " + filter + " : " + imageType + ", " + filterType +
         ") outs(" + init + " : " + typeOf(out) + ") -> " + typeOf(out));
    add(out);
    return true;
  }
  return false;
}

/// arith on whole tensors of one type.
bool Writer::namedElementwise() {
  Operand a = any();
  for (int attempt = 0; attempt < 6; ++attempt) {
    const Operand &b = any();
    if (typeOf(b) != typeOf(a) || b.extents != a.extents)
      continue;
    Operand out = a;
    out.name = fresh();
    line(out.name + " = " + op(oneIn(2) ? "add" : "mul") + " " + a.name + ", " +
         b.name + " : " + typeOf(a));
    add(out);
    return true;
  }
  return false;
}

bool Writer::slice() {
  Operand a = any();
  if (a.rank() == 0)
    return false;
  Strings offsets, sizes, strides;
  Operand out;
  bool mayBeDynamic = oneIn(2);
  for (size_t i = 0; i < a.rank(); ++i) {
    int64_t offset = int64_t(below(size_t(a.extents[i]))),
            stride = oneIn(4) ? 2 : 1,
            most = (a.extents[i] - 1 - offset) / stride + 1,
            size = 1 + int64_t(below(size_t(most)));
    // MLIR 22 folds a slice wrongly that drops one dimension while another one
    // turns out to have size 1.
    bool isDynamic = mayBeDynamic && oneIn(4);
    offsets.push_back(oneIn(4) ? index(offset) : std::to_string(offset));
    std::string value = isDynamic ? index(size) : "";
    sizes.push_back(isDynamic ? value : std::to_string(size));
    strides.push_back(std::to_string(stride));
    bool isDropped = size == 1 && !mayBeDynamic && oneIn(3);
    if (isDropped)
      continue;
    out.extents.push_back(size);
    out.dynamic.push_back(isDynamic);
    out.sizes.push_back(value);
  }
  out.name = fresh();
  line(out.name + " = tensor.extract_slice " + a.name + "[" +
       llvm::join(offsets, ", ") + "] [" + llvm::join(sizes, ", ") + "] [" +
       llvm::join(strides, ", ") + "] : " + typeOf(a) + " to " + typeOf(out));
  add(out);
  return true;
}

bool Writer::insert() {
  for (int attempt = 0; attempt < 10; ++attempt) {
    Operand a = any(), b = any();
    if (a.rank() != b.rank() || a.rank() == 0 ||
        llvm::any_of(llvm::zip(a.extents, b.extents), [](auto pair) {
          return std::get<0>(pair) > std::get<1>(pair);
        }))
      continue;
    Strings offsets, sizes, strides;
    for (size_t i = 0; i < a.rank(); ++i) {
      offsets.push_back(
          std::to_string(below(size_t(b.extents[i] - a.extents[i] + 1))));
      sizes.push_back(mixed(a, i));
      strides.emplace_back("1");
    }
    Operand out = b;
    out.name = fresh();
    line(out.name + " = tensor.insert_slice " + a.name + " into " + b.name +
         "[" + llvm::join(offsets, ", ") + "] [" + llvm::join(sizes, ", ") +
         "] [" + llvm::join(strides, ", ") + "] : " + typeOf(a) + " into " +
         typeOf(b));
    add(out);
    return true;
  }
  return false;
}

bool Writer::pad() {
  Operand a = any();
  if (a.rank() == 0 || a.rank() > 3)
    return false;
  Strings low, high, indices;
  Operand out = a;
  for (size_t i = 0; i < a.rank(); ++i) {
    int64_t before = int64_t(below(2)), after = int64_t(below(3));
    low.push_back(std::to_string(before));
    high.push_back(std::to_string(after));
    out.extents[i] += before + after;
    indices.push_back(fresh() + ": index");
  }
  std::string value = number();
  out.name = fresh();
  line(out.name + " = tensor.pad " + a.name + " low[" + llvm::join(low, ", ") +
       "] high[" + llvm::join(high, ", ") + "] {");
  line("^bb0(" + llvm::join(indices, ", ") + "):");
  line("  tensor.yield " + value + " : " + element);
  line("} : " + typeOf(a) + " to " + typeOf(out));
  measure(out);
  add(out);
  return true;
}

bool Writer::collapse() {
  Operand a = any();
  if (a.rank() < 2)
    return false;
  size_t at = below(a.rank() - 1);
  Strings groups;
  Operand out;
  for (size_t i = 0; i < a.rank(); ++i) {
    if (i == at + 1)
      continue;
    bool isPair = i == at;
    groups.push_back("[" + std::to_string(i) +
                     (isPair ? ", " + std::to_string(i + 1) : "") + "]");
    out.extents.push_back(a.extents[i] * (isPair ? a.extents[i + 1] : 1));
    out.dynamic.push_back(a.dynamic[i] || (isPair && a.dynamic[i + 1]));
  }
  out.name = fresh();
  line(out.name + " = tensor.collapse_shape " + a.name + " [" +
       llvm::join(groups, ", ") + "] : " + typeOf(a) + " into " + typeOf(out));
  measure(out);
  add(out);
  return true;
}

bool Writer::expand() {
  Operand a = any();
  if (a.rank() == 0 || a.rank() > 3)
    return false;
  size_t at = below(a.rank());
  if (a.dynamic[at])
    return false;
  int64_t extent = a.extents[at], factor = extent % 2 == 0   ? 2
                                           : extent % 3 == 0 ? 3
                                                             : 1;
  Strings groups, shape;
  Operand out;
  for (size_t i = 0; i < a.rank(); ++i) {
    size_t first = out.rank();
    bool isSplit = i == at;
    groups.push_back("[" + std::to_string(first) +
                     (isSplit ? ", " + std::to_string(first + 1) : "") + "]");
    if (isSplit) {
      for (int64_t part : {factor, extent / factor}) {
        out.extents.push_back(part);
        out.dynamic.push_back(false);
        out.sizes.emplace_back("");
        shape.push_back(std::to_string(part));
      }
      continue;
    }
    out.extents.push_back(a.extents[i]);
    out.dynamic.push_back(a.dynamic[i]);
    out.sizes.push_back(a.sizes[i]);
    shape.push_back(mixed(a, i));
  }
  out.name = fresh();
  line(out.name + " = tensor.expand_shape " + a.name + " [" +
       llvm::join(groups, ", ") + "] output_shape [" + llvm::join(shape, ", ") +
       "] : " + typeOf(a) + " into " + typeOf(out));
  add(out);
  return true;
}

bool Writer::cast() {
  Operand a = any();
  if (a.rank() == 0)
    return false;
  Operand out = a;
  size_t at = below(a.rank());
  out.dynamic[at] = !out.dynamic[at];
  out.name = fresh();
  line(out.name + " = tensor.cast " + a.name + " : " + typeOf(a) + " to " +
       typeOf(out));
  measure(out);
  add(out);
  return true;
}

bool Writer::fill() {
  Operand out = any();
  out.name = filled(out, number());
  add(out);
  return true;
}

bool Writer::loop() {
  Operand a = any();
  std::string zero = index(0), end = index(int64_t(below(4))), one = index(1);
  Operand out = a;
  out.name = fresh();
  Operand state = a;
  state.name = fresh();
  line(out.name + " = scf.for " + fresh() + " = " + zero + " to " + end +
       " step " + one + " iter_args(" + state.name + " = " + a.name + ") -> (" +
       typeOf(a) + ") {");
  ++depth;
  size_t before = values.size();
  std::string result = fresh();
  line(result + " = " + op("add") + " " + state.name + ", " + a.name + " : " +
       typeOf(a));
  Operand inner = state;
  inner.name = result;
  values.push_back(inner);
  // Values defined inside are not visible outside.
  if (oneIn(2))
    elementwise();
  values.resize(before);
  line("scf.yield " + result + " : " + typeOf(a));
  --depth;
  line("}");
  add(out);
  return true;
}

bool Writer::conditional() {
  Operand a = any();
  Operand out = a;
  out.name = fresh();
  line(out.name + " = scf.if %cond -> (" + typeOf(a) + ") {");
  ++depth;
  std::string sum = fresh();
  line(sum + " = " + op("mul") + " " + a.name + ", " + a.name + " : " +
       typeOf(a));
  line("scf.yield " + sum + " : " + typeOf(a));
  --depth;
  line("} else {");
  ++depth;
  std::string other = filled(a, number());
  line("scf.yield " + other + " : " + typeOf(a));
  --depth;
  line("}");
  add(out);
  return true;
}

bool Writer::blocks() {
  Operand a = any();
  std::string n = std::to_string(nextBlock++);
  Operand out = a;
  out.name = fresh();
  std::string taken = fresh();
  line("cf.cond_br %cond, ^then" + n + "(" + a.name + " : " + typeOf(a) +
       "), ^join" + n + "(" + a.name + " : " + typeOf(a) + ")");
  line("^then" + n + "(" + taken + ": " + typeOf(a) + "):");
  std::string sum = fresh();
  line(sum + " = " + op("add") + " " + taken + ", " + a.name + " : " +
       typeOf(a));
  line("cf.br ^join" + n + "(" + sum + " : " + typeOf(a) + ")");
  line("^join" + n + "(" + out.name + ": " + typeOf(a) + "):");
  measure(out);
  add(out);
  return true;
}

/// The value with exactly these extents dynamic.
Operand Writer::castTo(const Operand &value, const std::vector<bool> &dynamic) {
  Operand result = value;
  result.dynamic = dynamic;
  if (dynamic == value.dynamic)
    return result;
  result.name = fresh();
  line(result.name + " = tensor.cast " + value.name + " : " + typeOf(value) +
       " to " + typeOf(result));
  measure(result);
  return result;
}

std::optional<Writer::Pair> Writer::pair() {
  for (int attempt = 0; attempt < 10; ++attempt) {
    Operand a = any(), b = any();
    if (a.rank() != b.rank() || (a.name == b.name && attempt < 9))
      continue;
    std::vector<bool> dynamic(a.rank());
    for (size_t i = 0; i < a.rank(); ++i)
      dynamic[i] = a.extents[i] != b.extents[i] || a.dynamic[i] || b.dynamic[i];
    return Pair{castTo(a, dynamic), castTo(b, dynamic)};
  }
  return std::nullopt;
}

/// A select between whole tensors.
bool Writer::select() {
  std::optional<Pair> two = pair();
  if (!two)
    return false;
  bool isFirst = oneIn(2);
  Operand out = isFirst ? two->first : two->second;
  out.name = fresh();
  line(out.name + " = arith.select " + (isFirst ? "%yes" : "%no") + ", " +
       two->first.name + ", " + two->second.name + " : " + typeOf(out));
  measure(out);
  add(out);
  return true;
}

/// Sometimes an operation on a branch's result, or another select.
void Writer::inside(Operand &value) {
  size_t before = values.size();
  if (oneIn(3)) {
    Operand sum = value;
    sum.name = fresh();
    line(sum.name + " = " + op("add") + " " + value.name + ", " + value.name +
         " : " + typeOf(value));
    value = sum;
  } else if (depth < 4 && oneIn(3)) {
    choice();
  }
  // Values defined inside are not visible outside.
  values.resize(before);
}

bool Writer::choice() {
  std::optional<Pair> two = pair();
  if (!two)
    return false;
  bool isFirst = oneIn(2);
  std::string name = fresh(), type = typeOf(two->first);
  line(name + " = scf.if " + (isFirst ? "%yes" : "%no") + " -> (" + type +
       ") {");
  Operand *branches[] = {&two->first, &two->second};
  for (Operand *branch : branches) {
    ++depth;
    inside(*branch);
    line("scf.yield " + branch->name + " : " + type);
    --depth;
    line(branch == &two->first ? "} else {" : "}");
  }
  Operand out = isFirst ? two->first : two->second;
  out.name = name;
  measure(out);
  add(out);
  return true;
}

bool Writer::indexSwitch() {
  std::optional<Pair> two = pair();
  if (!two)
    return false;
  bool isFirst = oneIn(2);
  std::string name = fresh(), type = typeOf(two->first);
  line(name + " = scf.index_switch %three -> " + type);
  line("case " + std::string(isFirst ? "3" : "2") + " {");
  ++depth;
  inside(two->first);
  line("scf.yield " + two->first.name + " : " + type);
  --depth;
  line("} default {");
  ++depth;
  inside(two->second);
  line("scf.yield " + two->second.name + " : " + type);
  --depth;
  line("}");
  Operand out = isFirst ? two->first : two->second;
  out.name = name;
  measure(out);
  add(out);
  return true;
}

/// Branches that all go to one block.
bool Writer::blocksOfTwo() {
  std::optional<Pair> two = pair();
  if (!two)
    return false;
  bool isFirst = oneIn(2);
  std::string n = std::to_string(nextBlock++), type = typeOf(two->first);
  std::string toFirst =
                  "^join" + n + "(" + two->first.name + " : " + type + ")",
              toSecond =
                  "^join" + n + "(" + two->second.name + " : " + type + ")";
  // cf.switch reads no `%v:2#1`.
  bool isPlain =
      (two->first.name + two->second.name).find('#') == std::string::npos;
  if (!isPlain || oneIn(2))
    line(std::string("cf.cond_br ") + (isFirst ? "%yes" : "%no") + ", " +
         toFirst + ", " + toSecond);
  else
    line("cf.switch %one : i32, [default: " + toSecond + ", " +
         (isFirst ? "1" : "2") + ": " + toFirst + "]");
  Operand out = isFirst ? two->first : two->second;
  out.name = fresh();
  line("^join" + n + "(" + out.name + ": " + type + "):");
  measure(out);
  add(out);
  return true;
}

/// A loop that swaps its two tensors.
bool Writer::swaps() {
  std::optional<Pair> two = pair();
  if (!two)
    return false;
  // MLIR 22 uses the type before a cast for all iterations of the loop, whose
  // extents change here. The pipeline prevents that.
  for (Operand *init : {&two->first, &two->second}) {
    std::string sum = fresh();
    line(sum + " = " + op("add") + " " + init->name + ", " + init->name +
         " : " + typeOf(*init));
    init->name = sum;
  }
  std::string zero = index(0), step = index(1), type = typeOf(two->first);
  bool isEven = oneIn(2);
  std::string end = isEven ? zero : "%three", name = fresh(), x = fresh(),
              y = fresh();
  line(name + ":2 = scf.for " + fresh() + " = " + zero + " to " + end +
       " step " + step + " iter_args(" + x + " = " + two->first.name + ", " +
       y + " = " + two->second.name + ") -> (" + type + ", " + type + ") {");
  line("  scf.yield " + y + ", " + x + " : " + type + ", " + type);
  line("}");
  Operand out = isEven ? two->first : two->second;
  out.name = name + "#0";
  measure(out);
  add(out);
  return true;
}

/// A loop whose tensor changes in its first iteration.
bool Writer::whileLoop() {
  std::optional<Pair> two = pair();
  if (!two)
    return false;
  std::string zero = index(0), step = index(1), type = typeOf(two->first);
  std::string types = "index, " + type, name = fresh(), i = fresh(),
              x = fresh(), j = fresh(), z = fresh(), more = fresh(),
              next = fresh();
  line(name + ":2 = scf.while (" + i + " = " + zero + ", " + x + " = " +
       two->first.name + ") : (" + types + ") -> (" + types + ") {");
  line("  " + more + " = arith.cmpi slt, " + i + ", %three : index");
  line("  scf.condition(" + more + ") " + i + ", " + x + " : " + types);
  line("} do {");
  line("^bb0(" + j + ": index, " + z + ": " + type + "):");
  line("  " + next + " = arith.addi " + j + ", " + step + " : index");
  line("  scf.yield " + next + ", " + two->second.name + " : " + types);
  line("}");
  Operand out = two->second;
  out.name = name + "#1";
  measure(out);
  add(out);
  return true;
}

/// Through a global with dynamic extents.
bool Writer::global() {
  Operand a = any();
  Operand out = castTo(a, std::vector<bool>(a.rank(), true));
  std::string name = "@g" + std::to_string(next++), type = typeOf(out);
  globals += "util.global private mutable " + name + " : " + type + "\n";
  line("util.global.store " + out.name + ", " + name + " : " + type);
  out.name = fresh();
  line(out.name + " = util.global.load " + name + " : " + type);
  measure(out);
  add(out);
  return true;
}

bool Writer::concat() {
  for (int attempt = 0; attempt < 10; ++attempt) {
    Operand a = any(), b = any();
    if (a.rank() != b.rank() || a.rank() == 0)
      continue;
    size_t along = below(a.rank());
    Operand out = a;
    bool fits = true;
    for (size_t i = 0; i < a.rank(); ++i) {
      if (i == along) {
        out.extents[i] += b.extents[i];
        out.dynamic[i] = a.dynamic[i] || b.dynamic[i];
        continue;
      }
      fits &= a.extents[i] == b.extents[i];
      out.dynamic[i] = a.dynamic[i] && b.dynamic[i];
    }
    if (!fits || out.extents[along] > 24)
      continue;
    out.name = fresh();
    line(out.name + " = tensor.concat dim(" + std::to_string(along) + ") " +
         a.name + ", " + b.name + " : (" + typeOf(a) + ", " + typeOf(b) +
         ") -> " + typeOf(out));
    measure(out);
    add(out);
    return true;
  }
  return false;
}

/// A number, or an element of a tensor.
std::string Writer::anElement() {
  Operand a = any();
  if (oneIn(2))
    return number();
  Strings indices;
  for (int64_t extent : a.extents)
    indices.push_back(index(int64_t(below(size_t(extent)))));
  std::string name = fresh();
  line(name + " = tensor.extract " + a.name + "[" + llvm::join(indices, ", ") +
       "] : " + typeOf(a));
  return name;
}

bool Writer::fromElements() {
  Operand out;
  size_t count = 1 + below(6);
  if (count % 2 == 0 && oneIn(2))
    out.extents = {2, int64_t(count) / 2};
  else
    out.extents = {int64_t(count)};
  out.dynamic.assign(out.rank(), false);
  out.sizes.assign(out.rank(), "");
  Strings elements;
  for (size_t i = 0; i < count; ++i)
    elements.push_back(anElement());
  out.name = fresh();
  line(out.name + " = tensor.from_elements " + llvm::join(elements, ", ") +
       " : " + typeOf(out));
  add(out);
  return true;
}

bool Writer::insertElement() {
  Operand a = any();
  Strings indices;
  for (int64_t extent : a.extents)
    indices.push_back(index(int64_t(below(size_t(extent)))));
  std::string value = number();
  Operand out = a;
  out.name = fresh();
  line(out.name + " = tensor.insert " + value + " into " + a.name + "[" +
       llvm::join(indices, ", ") + "] : " + typeOf(a));
  add(out);
  return true;
}

/// A cast to a type of the same width and back, with a select in between.
bool Writer::bitcast() {
  std::optional<Pair> two = pair();
  if (!two)
    return false;
  std::string own = element, other = isFloat ? "i32" : "f32";
  bool isFirst = oneIn(2);
  Strings casts;
  for (const Operand &value : {two->first, two->second}) {
    std::string from = typeOf(value);
    element = other;
    casts.push_back(fresh());
    line(casts.back() + " = tensor.bitcast " + value.name + " : " + from +
         " to " + typeOf(value));
    element = own;
  }
  Operand out = isFirst ? two->first : two->second;
  element = other;
  std::string chosen = fresh(), type = typeOf(out);
  line(chosen + " = arith.select " + (isFirst ? "%yes" : "%no") + ", " +
       llvm::join(casts, ", ") + " : " + type);
  element = own;
  out.name = fresh();
  line(out.name + " = tensor.bitcast " + chosen + " : " + type + " to " +
       typeOf(out));
  measure(out);
  add(out);
  return true;
}

bool Writer::generate() {
  Operand out = any();
  if (out.rank() == 0)
    return false;
  Strings sizes, indices;
  for (size_t i = 0; i < out.rank(); ++i) {
    indices.push_back(fresh());
    if (out.dynamic[i])
      sizes.push_back(out.sizes[i]);
  }
  std::string at = indices[below(indices.size())], cast = fresh(),
              real = fresh();
  out.name = fresh();
  line(out.name + " = tensor.generate " + llvm::join(sizes, ", ") + " {");
  line("^bb0(" + llvm::join(indices, ": index, ") + ": index):");
  line("  " + cast + " = arith.index_cast " + at + " : index to i32");
  if (isFloat)
    line("  " + real + " = arith.sitofp " + cast + " : i32 to f32");
  line("  tensor.yield " + (isFloat ? real : cast) + " : " + element);
  line("} : " + typeOf(out));
  add(out);
  return true;
}

/// To one dimension, whose extent is an element of a tensor.
bool Writer::dynamicReshape() {
  Operand a = any();
  if (a.rank() == 0)
    return false;
  std::string count = sizeOf(a, 0);
  for (size_t i = 1; i < a.rank(); ++i) {
    std::string extent = sizeOf(a, i), product = fresh();
    line(product + " = arith.muli " + count + ", " + extent + " : index");
    count = product;
  }
  std::string shape = fresh();
  line(shape + " = tensor.from_elements " + count + " : tensor<1xindex>");
  Operand out;
  out.extents = {std::accumulate(a.extents.begin(), a.extents.end(), int64_t(1),
                                 std::multiplies<>())};
  out.dynamic = {true};
  out.name = fresh();
  line(out.name + " = tensor.reshape " + a.name + "(" + shape + ") : (" +
       typeOf(a) + ", tensor<1xindex>) -> " + typeOf(out));
  measure(out);
  add(out);
  return true;
}

std::string Writer::write(int operations) {
  if (oneIn(4)) {
    isFloat = false;
    element = "i32";
  }
  Strings parameters = {"%cond: i1", "%yes: i1 {test.value = true}",
                        "%no: i1 {test.value = false}",
                        "%one: i32 {test.value = 1 : i32}",
                        "%three: index {test.value = 3 : index}"};
  // Few different extents, so that operands often fit.
  std::vector<int64_t> extents = {1 + int64_t(below(4)), 2 + int64_t(below(5)),
                                  4};
  size_t count = 2 + below(2);
  for (size_t i = 0; i < count; ++i) {
    Operand value;
    value.name = "%arg" + std::to_string(i);
    size_t rank = i < 2 ? 2 : 1 + below(3);
    Strings shape;
    for (size_t k = 0; k < rank; ++k) {
      value.extents.push_back(extents[below(extents.size())]);
      value.dynamic.push_back(oneIn(3));
      shape.push_back(std::to_string(value.extents.back()));
    }
    parameters.push_back(
        value.name + ": " + typeOf(value) +
        " {test.shape = array<i64: " + llvm::join(shape, ", ") + ">}");
    values.push_back(value);
  }
  for (Operand &value : values)
    measure(value);
  using Step = bool (Writer::*)();
  static constexpr Step steps[] = {&Writer::elementwise,
                                   &Writer::elementwise,
                                   &Writer::elementwise,
                                   &Writer::elementwise,
                                   &Writer::reduction,
                                   &Writer::reduction,
                                   &Writer::matmul,
                                   &Writer::matmul,
                                   &Writer::convolution,
                                   &Writer::slice,
                                   &Writer::namedElementwise,
                                   &Writer::insert,
                                   &Writer::pad,
                                   &Writer::collapse,
                                   &Writer::expand,
                                   &Writer::cast,
                                   &Writer::fill,
                                   &Writer::loop,
                                   &Writer::conditional,
                                   &Writer::blocks,
                                   &Writer::select,
                                   &Writer::choice,
                                   &Writer::indexSwitch,
                                   &Writer::blocksOfTwo,
                                   &Writer::swaps,
                                   &Writer::whileLoop,
                                   &Writer::global,
                                   &Writer::concat,
                                   &Writer::concat,
                                   &Writer::fromElements,
                                   &Writer::insertElement,
                                   &Writer::bitcast,
                                   &Writer::generate,
                                   &Writer::dynamicReshape};
  for (int i = 0; i < operations; ++i)
    while (!(this->*steps[below(std::size(steps))])()) {
    }
  // The last value, and sometimes values with other uses.
  Strings names = {values.back().name}, types = {typeOf(values.back())};
  if (operations > 2 && operations % 2 == 1) {
    const Operand &other = values[values.size() - 2];
    names.push_back(other.name);
    types.push_back(typeOf(other));
  }
  return globals + "func.func @main(" + llvm::join(parameters, ", ") +
         ") -> (" + llvm::join(types, ", ") + ") {\n" + body + "  return " +
         llvm::join(names, ", ") + " : " + llvm::join(types, ", ") + "\n}\n";
}

} // namespace

std::string randomFlow(uint64_t seed, int operations) {
  return Writer(seed * 0x9e3779b97f4a7c15 + 1).write(operations);
}

} // namespace mercator::testing
