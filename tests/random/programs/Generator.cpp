// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

#include <algorithm>

namespace mercator::testing {

Numbers Generator::shape(int64_t minRank, int64_t maxRank) {
  Numbers out(in(minRank, std::max(minRank, std::min(maxRank, sizes.rank))));
  int64_t left = sizes.elements;
  for (int64_t &e : out) {
    e = std::min(extent(), left);
    left /= std::max<int64_t>(e, 1);
  }
  return out;
}

Numbers Generator::anyOrder(Numbers numbers) {
  std::shuffle(numbers.begin(), numbers.end(), engine);
  return numbers;
}
Numbers Generator::permutation(int64_t n) {
  Numbers all(n);
  for (int64_t i = 0; i < n; ++i)
    all[i] = i;
  return anyOrder(all);
}
Numbers Generator::subset(int64_t n, int64_t count) {
  Numbers some = permutation(n);
  some.resize(count);
  std::sort(some.begin(), some.end());
  return some;
}

int Generator::argument(TensorType type) {
  SampleValue v;
  v.type = std::move(type);
  if (v.type.element == "i1") {
    v.lowest = 0;
    v.highest = 1;
  } else if (v.type.element.starts_with("ui")) {
    v.lowest = 0;
  }
  sample.values.push_back(v);
  return int(sample.values.size()) - 1;
}

int Generator::value(const TensorType &type) {
  std::vector<int> fitting;
  for (int v = 0; v < int(sample.values.size()); ++v)
    if (typeOf(v) == type)
      fitting.push_back(v);
  if (fitting.empty() || once(4))
    return argument(type);
  return once(2) ? fitting.back() : oneOf(fitting);
}

int Generator::any(const std::string &element, int64_t minRank,
                   int64_t maxRank) {
  std::vector<int> fitting;
  for (int v = 0; v < int(sample.values.size()); ++v)
    if (typeOf(v).element == element && typeOf(v).rank() >= minRank &&
        typeOf(v).rank() <= maxRank)
      fitting.push_back(v);
  if (fitting.empty() || once(8))
    return argument({shape(minRank, maxRank), element});
  return once(3) ? oneOf(fitting) : fitting.back();
}

int Generator::constant(const TensorType &type, const Numbers &elements) {
  std::string text;
  bool isFloat = type.element == "f32";
  // Row-major elements as one list need a one-dimensional type; a splat and
  // nested lists do not. Constants are written nested.
  size_t at = 0;
  auto nested = [&](auto &self, size_t dim) -> std::string {
    if (dim == type.shape.size()) {
      std::string number = std::to_string(elements[at++]);
      return isFloat ? number + ".0" : number;
    }
    std::string out = "[";
    for (int64_t i = 0; i < type.shape[dim]; ++i)
      out += (i ? ", " : "") + self(self, dim + 1);
    return out + "]";
  };
  text = type.size() == 0 ? "" : nested(nested, 0);
  return emit("stablehlo.constant", {},
              "value = dense<" + text + "> : " + type.text(), {type});
}

int Generator::indices(const Numbers &shape, int64_t lowest, int64_t highest) {
  TensorType type{shape, once(4) ? "i64" : "i32"};
  // Unsigned numbers, also those whose bits would be negative.
  bool isUnsigned = once(10);
  if (isUnsigned) {
    type.element = once(2) ? "ui8" : "ui32";
    lowest = std::max<int64_t>(lowest, 0);
    highest = std::max(lowest, highest);
  }
  if (once(5)) {
    Numbers elements;
    for (int64_t i = 0; i < type.size(); ++i)
      elements.push_back(isUnsigned && once(3) ? 255 - in(0, 20)
                                               : in(lowest, highest));
    return constant(type, elements);
  }
  if (once(6))
    for (int v = int(sample.values.size()) - 1; v >= 0; --v)
      if (typeOf(v) == type)
        return v;
  if (once(8) && !shape.empty())
    return emit("stablehlo.iota", {},
                "iota_dimension = " +
                    std::to_string(in(0, int64_t(shape.size()) - 1)) + " : i64",
                {type});
  // Numbers computed by the program.
  if (once(8)) {
    int narrow = indices(shape, lowest, highest);
    TensorType wide{shape, "i64"};
    return typeOf(narrow) == wide
               ? emit("hlo.copy", {narrow}, "", {wide})
               : emit("stablehlo.convert", {narrow}, "", {wide});
  }
  if (once(10) && shape.empty()) {
    int one = indices({1}, lowest, highest);
    return emit("stablehlo.reshape", {one}, "",
                {TensorType{shape, typeOf(one).element}});
  }
  int v = argument(type);
  sample.values[v].lowest = lowest;
  sample.values[v].highest = highest;
  sample.values[v].isIndex = true;
  return v;
}

int Generator::emit(std::string name, std::vector<int> operands,
                    std::string attributes, std::vector<TensorType> results,
                    std::string regions, std::vector<int> captured) {
  SampleOperation op;
  op.name = std::move(name);
  op.operands = std::move(operands);
  op.attributes = std::move(attributes);
  op.regions = std::move(regions);
  op.captured = std::move(captured);
  for (size_t r = 0; r < results.size(); ++r) {
    SampleValue v;
    v.type = results[r];
    v.operation = int(sample.operations.size());
    v.result = int(r);
    op.results.push_back(int(sample.values.size()));
    sample.values.push_back(v);
  }
  int first = op.results.empty() ? -1 : op.results[0];
  sample.operations.push_back(std::move(op));
  return first;
}

const std::map<std::string, OperationGenerator> &operationGenerators() {
  static const auto all = [] {
    std::map<std::string, OperationGenerator> list;
    addDataGenerators(list);
    addFoldGenerators(list);
    addProductGenerators(list);
    addControlGenerators(list);
    return list;
  }();
  return all;
}

const std::map<std::string, OperationGenerator> &furtherGenerators() {
  static const auto all = [] {
    std::map<std::string, OperationGenerator> list;
    addLoopGenerators(list);
    addExtentGenerators(list);
    return list;
  }();
  return all;
}

const std::vector<std::string> &generatedNames() {
  static const auto all = [] {
    std::vector<std::string> names = elementwiseNames();
    for (const auto &[name, generator] : operationGenerators())
      names.push_back(name);
    return names;
  }();
  return all;
}

Sample randomProgram(uint64_t seed, int count, const std::string &name,
                     Sizes sizes) {
  Generator g(seed, sizes);
  std::vector<std::string> others;
  for (const auto &[other, generator] : operationGenerators())
    others.push_back(other);
  // A few kinds of elementwise functions are enough.
  auto generate = [&](const std::string &which) {
    auto further = furtherGenerators().find(which);
    if (further != furtherGenerators().end())
      return further->second(g);
    auto known = operationGenerators().find(which);
    return known == operationGenerators().end() ? elementwise(g, which)
                                                : known->second(g);
  };
  for (int tries = 0; tries < 20 * count; ++tries) {
    bool isLast = int(g.sample.operations.size()) >= count - 1;
    bool isDone = generate(isLast && !name.empty() ? name
                           : g.once(6)             ? g.oneOf(elementwiseNames())
                                                   : g.oneOf(others));
    if (isDone && isLast)
      break;
  }
  if (!g.sample.operations.empty()) {
    g.sample.returned = g.sample.operations.back().results;
    g.sample.prune();
  }
  return std::move(g.sample);
}

Sample randomDenseProgram(uint64_t seed, int count) {
  Generator g(seed, {.rank = 3, .extent = 6, .elements = 96});
  std::vector<std::string> dense;
  for (const auto &[name, generator] : operationGenerators())
    for (const char *kind :
         {"dot", "convolution", "reduce", "broadcast", "transpose", "reshape",
          "slice", "pad", "concatenate", "gather", "iota", "select", "reverse"})
      if (std::string_view(name).find(kind) != std::string_view::npos) {
        dense.push_back(name);
        break;
      }
  for (int tries = 0; tries < 20 * count; ++tries) {
    if (int(g.sample.operations.size()) >= count)
      break;
    if (g.once(3))
      elementwise(g, g.oneOf(elementwiseNames()));
    else
      operationGenerators().at(g.oneOf(dense))(g);
  }
  for (size_t i = 0; i < g.sample.operations.size(); ++i)
    if (i + 1 == g.sample.operations.size() || g.once(6))
      g.sample.returned.insert(g.sample.returned.end(),
                               g.sample.operations[i].results.begin(),
                               g.sample.operations[i].results.end());
  g.sample.prune();
  return std::move(g.sample);
}

} // namespace mercator::testing
