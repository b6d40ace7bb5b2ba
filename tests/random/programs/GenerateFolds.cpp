// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

#include <algorithm>

namespace mercator::testing {

namespace {

std::string scalar(const std::string &element) {
  return "tensor<" + element + ">";
}

/// A region that folds `elements.size()` accumulators %a0.. with values %b0..;
/// sometimes one that ignores something, or swaps.
/// With `captured`, one may use a value from outside.
std::string foldBody(Generator &g, const std::vector<std::string> &elements,
                     std::vector<int> *captured = nullptr) {
  std::string head, body, values, types;
  for (const char *side : {"%a", "%b"})
    for (size_t k = 0; k < elements.size(); ++k)
      head += (head.empty() ? "" : ", ") + std::string(side) +
              std::to_string(k) + ": " + scalar(elements[k]);
  auto add = [&](std::string value, const std::string &element) {
    values += (values.empty() ? "" : ", ") + std::move(value);
    types += (types.empty() ? "" : ", ") + scalar(element);
  };
  int64_t kind = g.in(0, 9);
  bool isPair = elements.size() == 2 && elements[0] == elements[1];
  if (elements.size() == 2 && kind < 4) {
    // The larger element, and the other elements at its index.
    body += "  %c = stablehlo.compare GE, %a0, %b0 : (" + scalar(elements[0]) +
            ", " + scalar(elements[0]) + ") -> tensor<i1>\n";
    for (size_t k = 0; k < 2; ++k) {
      std::string n = std::to_string(k);
      body += "  %r" + n + " = stablehlo.select %c, %a" + n + ", %b" + n +
              " : tensor<i1>, " + scalar(elements[k]) + "\n";
      add("%r" + n, elements[k]);
    }
  } else if (kind == 7 && captured && elements.size() == 1) {
    captured->push_back(g.value({{}, elements[0]}));
    std::string t = scalar(elements[0]);
    body += "  %s = stablehlo.add %a0, %b0 : " + t +
            "\n  %r = stablehlo.add %s, %{" + std::to_string(captured->back()) +
            "} : " + t + "\n";
    add("%r", elements[0]);
  } else {
    for (size_t k = 0; k < elements.size(); ++k) {
      std::string n = std::to_string(k), t = scalar(elements[k]),
                  other = std::to_string(isPair && kind == 4 ? 1 - k : k);
      if (kind == 5) {
        add("%b" + n, elements[k]);
      } else if (kind == 6) {
        add("%a" + n, elements[k]);
      } else {
        body += "  %r" + n + " = stablehlo." +
                g.oneOf<std::string>({"add", "maximum", "multiply"}) + " %a" +
                other + ", %b" + n + " : " + t + "\n";
        add("%r" + n, elements[k]);
      }
    }
  }
  return "{\n^bb0(" + head + "):\n" + body + "  stablehlo.return " + values +
         " : " + types + "\n}";
}

std::vector<std::string> foldElements(Generator &g) {
  return g.once(3) ? std::vector<std::string>{"f32", g.once(2) ? "i32" : "f32"}
                   : std::vector<std::string>{"f32"};
}

/// Inputs of one shape, then initial values.
std::vector<int> foldOperands(Generator &g,
                              const std::vector<std::string> &elements,
                              int first) {
  std::vector<int> operands = {first};
  for (size_t k = 1; k < elements.size(); ++k)
    operands.push_back(g.value({g.shapeOf(first), elements[k]}));
  for (const std::string &element : elements)
    operands.push_back(g.value({{}, element}));
  return operands;
}
std::vector<TensorType> resultsOf(const std::vector<std::string> &elements,
                                  const Numbers &shape) {
  std::vector<TensorType> out;
  for (const std::string &element : elements)
    out.push_back({shape, element});
  return out;
}

bool reduce(Generator &g) {
  std::vector<std::string> elements = foldElements(g);
  int v = g.any("f32");
  Numbers shape = g.shapeOf(v), kept;
  auto rank = int64_t(shape.size());
  Numbers dims = g.subset(rank, g.in(0, rank));
  for (int64_t d = 0; d < rank; ++d)
    if (!std::count(dims.begin(), dims.end(), d))
      kept.push_back(shape[d]);
  std::vector<int> operands = foldOperands(g, elements, v), captured;
  std::string body = foldBody(g, elements, &captured);
  g.emit("stablehlo.reduce", operands,
         "dimensions = " + array(g.anyOrder(dims)), resultsOf(elements, kept),
         body, captured);
  return true;
}

struct Window {
  Numbers sizes, strides, baseDilations, windowDilations, padding, shape;
};
/// Windows that fit somewhere. `pairs` is written row by row.
bool window(Generator &g, const Numbers &shape, bool dilates, Window &w) {
  for (int64_t extent : shape) {
    int64_t size = g.once(3) ? 1 : g.in(1, 3), stride = g.in(1, 2),
            base = dilates && g.once(3) ? 2 : 1,
            dilation = dilates && g.once(3) ? 2 : 1, low = 0, high = 0;
    if (g.once(2)) {
      low = g.in(-1, 2);
      high = g.in(-1, 2);
    }
    int64_t dilated = extent == 0 ? 0 : (extent - 1) * base + 1,
            padded = low + dilated + high, reach = (size - 1) * dilation + 1;
    if (padded < 0)
      return false;
    w.sizes.push_back(size);
    w.strides.push_back(stride);
    w.baseDilations.push_back(base);
    w.windowDilations.push_back(dilation);
    w.padding.push_back(low);
    w.padding.push_back(high);
    w.shape.push_back(
        padded == 0 || reach > padded ? 0 : (padded - reach) / stride + 1);
  }
  return true;
}
std::string paddingText(const Numbers &pairs) {
  if (pairs.empty())
    return "dense<> : tensor<0x2xi64>";
  std::string rows;
  for (size_t i = 0; i < pairs.size(); i += 2)
    rows += (i ? ", " : "") + list({pairs[i], pairs[i + 1]});
  return "dense<[" + rows + "]> : tensor<" + std::to_string(pairs.size() / 2) +
         "x2xi64>";
}

bool reduceWindow(Generator &g) {
  std::vector<std::string> elements = foldElements(g);
  int v = g.any("f32", 0, 3);
  Window w;
  if (!window(g, g.shapeOf(v), true, w) ||
      TensorType{w.shape}.size() > 2 * g.sizes.elements)
    return false;
  std::vector<int> operands = foldOperands(g, elements, v);
  g.emit("stablehlo.reduce_window", operands,
         "window_dimensions = " + array(w.sizes) + ", window_strides = " +
             array(w.strides) + ", base_dilations = " + array(w.baseDilations) +
             ", window_dilations = " + array(w.windowDilations) +
             ", padding = " + paddingText(w.padding),
         resultsOf(elements, w.shape), foldBody(g, elements));
  return true;
}

std::string compareBody(Generator &g,
                        const std::vector<std::string> &elements) {
  std::string head;
  for (size_t k = 0; k < elements.size(); ++k)
    for (const char *side : {"%a", "%b"})
      head += (head.empty() ? "" : ", ") + std::string(side) +
              std::to_string(k) + ": " + scalar(elements[k]);
  std::string by =
      std::to_string(g.once(5) ? g.in(0, int64_t(elements.size()) - 1) : 0);
  std::string left = "%a" + by, right = g.once(20) ? "%a" + by : "%b" + by,
              t = scalar(elements[std::stoul(by)]);
  return "{\n^bb0(" + head + "):\n  %c = stablehlo.compare " +
         g.oneOf<std::string>({"LT", "GT", "GE"}) + ", " + left + ", " + right +
         " : (" + t + ", " + t +
         ") -> tensor<i1>\n  stablehlo.return %c : tensor<i1>\n}";
}

bool selectAndScatter(Generator &g) {
  int v = g.any("f32", 0, 2);
  Window w;
  if (!window(g, g.shapeOf(v), false, w))
    return false;
  int source = g.value({w.shape}), init = g.value({{}});
  g.emit("stablehlo.select_and_scatter", {v, source, init},
         "window_dimensions = " + array(w.sizes) + ", window_strides = " +
             array(w.strides) + ", padding = " + paddingText(w.padding),
         {g.typeOf(v)}, compareBody(g, {"f32"}) + ", " + foldBody(g, {"f32"}));
  return true;
}

bool sort(Generator &g) {
  int v = g.any("f32", 1);
  std::vector<std::string> elements = {"f32"};
  std::vector<int> operands = {v};
  for (int64_t i = g.once(2) ? 0 : g.in(1, 2); i > 0; --i) {
    elements.push_back(g.once(2) ? "i32" : "f32");
    operands.push_back(g.value({g.shapeOf(v), elements.back()}));
  }
  int64_t rank = g.typeOf(v).rank(), dim = g.in(-rank, rank - 1);
  g.emit("stablehlo.sort", operands,
         "dimension = " + std::to_string(dim) + " : i64, is_stable = true",
         resultsOf(elements, g.shapeOf(v)), compareBody(g, elements));
  return true;
}

bool map(Generator &g) {
  int v = g.any("f32");
  std::vector<int> operands = {v};
  if (g.once(2))
    operands.push_back(g.value(g.typeOf(v)));
  Numbers dims;
  for (int64_t d = 0; d < g.typeOf(v).rank(); ++d)
    dims.push_back(d);
  std::string head = "%a: tensor<f32>", body, value = "%a";
  if (operands.size() == 2)
    head += ", %b: tensor<f32>";
  if (operands.size() == 2 && g.once(3)) {
    value = "%b";
  } else if (!g.once(4)) {
    body = "  %r = stablehlo.add %a, " +
           std::string(operands.size() == 2 ? "%b" : "%a") + " : tensor<f32>\n";
    value = "%r";
  }
  g.emit("stablehlo.map", operands, "dimensions = " + array(dims),
         {g.typeOf(v)},
         "{\n^bb0(" + head + "):\n" + body + "  stablehlo.return " + value +
             " : tensor<f32>\n}");
  return true;
}

bool topK(Generator &g) {
  int v = g.any("f32", 1);
  Numbers shape = g.shapeOf(v);
  int64_t k = g.in(0, shape.back());
  shape.back() = k;
  g.emit("chlo.top_k", {v}, "k = " + std::to_string(k) + " : i64",
         {{shape, "f32"}, {shape, "i32"}});
  return true;
}

/// A body that carries %c through slices %x, both of f32.
bool scan(Generator &g) {
  int v = g.any("f32", 1);
  Numbers shape = g.shapeOf(v);
  auto rank = int64_t(shape.size());
  int64_t dim = g.in(0, rank - 1);
  Numbers slice = shape;
  slice.erase(slice.begin() + dim);
  TensorType sliceType{slice};
  int carry = g.value(sliceType);
  std::string t = sliceType.text(), body, out = "%s", next = "%s";
  body = "  %s = stablehlo.add %x, %c : " + t + "\n";
  switch (g.in(0, 3)) {
  case 0:
    out = "%c"; // the old carry
    break;
  case 1:
    next = "%x";
    break;
  default:
    break;
  }
  g.emit("chlo.scan", {v, carry},
         "dimension = " + std::to_string(dim) +
             " : i64, is_reverse = " + (g.once(2) ? "true" : "false") +
             ", operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = "
             "array<i32: 1, 1>",
         {g.typeOf(v), sliceType},
         "{\n^bb0(%x: " + t + ", %c: " + t + "):\n" + body +
             "  stablehlo.return " + out + ", " + next + " : " + t + ", " + t +
             "\n}");
  return true;
}

std::string scatterNumbers(const Numbers &windowDims, const Numbers &removed,
                           const Numbers &batching,
                           const Numbers &indicesBatching,
                           const Numbers &indexMap, int64_t vectorDim) {
  return "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims "
         "= " +
         list(windowDims) + ", inserted_window_dims = " + list(removed) +
         ", input_batching_dims = " + list(batching) +
         ", scatter_indices_batching_dims = " + list(indicesBatching) +
         ", scatter_dims_to_operand_dims = " + list(indexMap) +
         ", index_vector_dim = " + std::to_string(vectorDim) + ">";
}
} // namespace

bool scatter(Generator &g) {
  std::vector<std::string> elements = foldElements(g);
  int v = g.any("f32", 0, 3);
  Numbers big = g.shapeOf(v);
  auto rank = int64_t(big.size());
  Numbers order = g.permutation(rank), batching, removed, window, others;
  int64_t batchCount = g.once(2) ? 0 : g.in(0, std::min<int64_t>(rank, 2));
  for (int64_t i = 0; i < rank; ++i)
    (i < batchCount ? batching : others).push_back(order[i]);
  std::sort(batching.begin(), batching.end());
  for (int64_t dim : others)
    (g.once(2) ? removed : window).push_back(dim);
  std::sort(removed.begin(), removed.end());
  std::sort(window.begin(), window.end());
  Numbers indexMap = g.anyOrder(others);
  indexMap.resize(g.in(others.empty() ? 0 : 1, int64_t(others.size())));
  int64_t furthest = 0;
  for (int64_t dim : indexMap)
    furthest = std::max(furthest, big[dim]);
  // The batch of index vectors.
  Numbers extents, kinds;
  for (size_t i = 0; i < batching.size(); ++i) {
    extents.push_back(big[batching[i]]);
    kinds.push_back(int64_t(i));
  }
  if (!g.once(4)) {
    extents.push_back(g.once(12) ? 0 : g.in(1, 3));
    kinds.push_back(-1);
  }
  Numbers batchShape, indicesBatching(batching.size());
  Numbers shuffled = g.permutation(int64_t(extents.size()));
  for (int64_t i : shuffled)
    batchShape.push_back(extents[i]);
  int64_t vectorDim = g.in(0, int64_t(batchShape.size()));
  bool isImplicit = indexMap.size() == 1 && g.once(2);
  Numbers indices = batchShape;
  if (isImplicit)
    vectorDim = int64_t(batchShape.size());
  else
    indices.insert(indices.begin() + vectorDim, int64_t(indexMap.size()));
  for (size_t i = 0; i < shuffled.size(); ++i)
    if (kinds[shuffled[i]] >= 0)
      indicesBatching[kinds[shuffled[i]]] =
          int64_t(i) + (!isImplicit && int64_t(i) >= vectorDim);
  auto updateRank = int64_t(batchShape.size() + window.size());
  Numbers windowDims = g.subset(updateRank, int64_t(window.size())), updates;
  size_t nextWindow = 0, nextBatch = 0;
  for (int64_t d = 0; d < updateRank; ++d) {
    bool isWindow = std::count(windowDims.begin(), windowDims.end(), d) > 0;
    if (isWindow) {
      int64_t most = big[window[nextWindow++]];
      updates.push_back(g.in(g.once(6) ? 0 : std::min<int64_t>(1, most), most));
    } else {
      updates.push_back(batchShape[nextBatch++]);
    }
  }
  if (TensorType{updates}.size() > g.sizes.elements)
    return false;
  std::vector<int> operands = {v};
  for (size_t k = 1; k < elements.size(); ++k)
    operands.push_back(g.value({big, elements[k]}));
  operands.push_back(g.indices(indices, -1, furthest));
  for (const std::string &element : elements)
    operands.push_back(g.value({updates, element}));
  g.emit("stablehlo.scatter", operands,
         scatterNumbers(windowDims, removed, batching, indicesBatching,
                        indexMap, vectorDim),
         resultsOf(elements, big), foldBody(g, elements));
  return true;
}

void addFoldGenerators(std::map<std::string, OperationGenerator> &all) {
  all["stablehlo.reduce"] = reduce;
  all["stablehlo.reduce_window"] = reduceWindow;
  all["stablehlo.select_and_scatter"] = selectAndScatter;
  all["stablehlo.sort"] = sort;
  all["stablehlo.map"] = map;
  all["stablehlo.scatter"] = scatter;
  all["chlo.top_k"] = topK;
  all["chlo.scan"] = scan;
}

} // namespace mercator::testing
