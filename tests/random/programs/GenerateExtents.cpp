// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs with dynamic extents: a reshape makes them dynamic, a few operations
// follow, and another reshape makes them static again.

#include "Generator.h"

namespace mercator::testing {

namespace {

/// A value with some dynamic extents.
struct Unknown {
  int value;
  Numbers shape;
  std::vector<bool> isUnknown;

  [[nodiscard]] std::string type() const {
    std::string out = "tensor<";
    for (size_t d = 0; d < shape.size(); ++d)
      out += (isUnknown[d] ? "?" : std::to_string(shape[d])) + "x";
    return out + "f32>";
  }
};

std::string number(const char *name, int64_t n) {
  return std::string(name) + " = " + std::to_string(n) + " : i64";
}

/// Adds an operation with one result, which no other operation uses.
void emit(Generator &g, const std::string &name, std::vector<int> operands,
          const std::string &operandTypes, const std::string &attributes,
          Unknown &result, const std::string &regions = "") {
  result.value = g.emit(name, std::move(operands), attributes,
                        {{result.shape, "unknown"}}, regions);
  g.sample.operations.back().operandTypes = "(" + operandTypes + ")";
  g.sample.operations.back().resultTypes = "(" + result.type() + ")";
}

void reshapeTo(Generator &g, Unknown &x, const std::vector<bool> &isUnknown) {
  auto rank = int64_t(x.shape.size());
  int shape = g.constant({{rank}, "i64"}, x.shape);
  std::string types = x.type() + ", tensor<" + std::to_string(rank) + "xi64>";
  x.isUnknown = isUnknown;
  emit(g, "stablehlo.dynamic_reshape", {x.value, shape}, types, "", x);
}

void reduce(Generator &g, Unknown &x, int64_t dim) {
  int init = g.value({{}});
  std::string types = x.type() + ", tensor<f32>";
  x.shape.erase(x.shape.begin() + dim);
  x.isUnknown.erase(x.isUnknown.begin() + dim);
  emit(g, "stablehlo.reduce", {x.value, init}, types,
       "dimensions = " + array({dim}), x,
       "{\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n  %r = stablehlo.add %a, "
       "%b : tensor<f32>\n  stablehlo.return %r : tensor<f32>\n}");
}

/// A slice of size 1 along `dim`, at an index.
void dynamicSlice(Generator &g, Unknown &x, int64_t dim) {
  int at = g.indices({}, -1, x.shape[dim]);
  std::string indexType = g.typeOf(at).text(), types = x.type();
  std::vector<int> operands = {x.value};
  Unknown out = x;
  for (int64_t d = 0; d < int64_t(x.shape.size()); ++d) {
    types += ", " + indexType;
    operands.push_back(at);
    out.isUnknown[d] = false;
  }
  out.shape[dim] = 1;
  emit(g, "stablehlo.dynamic_slice", operands, types,
       "slice_sizes = " + array(out.shape), out);
  x = out;
}

bool unknownExtents(Generator &g) {
  int v = g.any("f32", 1);
  // Maps assume that a dynamic extent is positive. For an empty reduction they
  // give elements that are not read.
  if (g.typeOf(v).size() == 0)
    return false;
  Unknown x{v, g.shapeOf(v), std::vector<bool>(g.shapeOf(v).size())};
  std::vector<bool> some = x.isUnknown;
  for (size_t d = 0; d < some.size(); ++d)
    some[d] = g.once(2);
  reshapeTo(g, x, some);
  for (int64_t i = g.in(1, 3); i > 0; --i) {
    auto rank = int64_t(x.shape.size());
    int64_t dim = rank == 0 ? 0 : g.in(0, rank - 1);
    std::string type = x.type();
    switch (rank == 0 ? 0 : g.in(0, 5)) {
    case 0:
      emit(g, "stablehlo.negate", {x.value}, type, "", x);
      break;
    case 1:
      emit(g, "stablehlo.reverse", {x.value}, type,
           "dimensions = " + array({dim}), x);
      break;
    case 2: {
      Numbers order = g.permutation(rank);
      Unknown out = x;
      for (int64_t d = 0; d < rank; ++d) {
        out.shape[d] = x.shape[order[d]];
        out.isUnknown[d] = x.isUnknown[order[d]];
      }
      emit(g, "stablehlo.transpose", {x.value}, type,
           "permutation = " + array(order), out);
      x = out;
      break;
    }
    case 3:
      reduce(g, x, dim);
      break;
    case 4:
      if (TensorType{x.shape}.size() <= g.sizes.elements) {
        x.shape[dim] *= 2;
        emit(g, "stablehlo.concatenate", {x.value, x.value}, type + ", " + type,
             number("dimension", dim), x);
      }
      break;
    default:
      if (x.shape[dim] > 0)
        dynamicSlice(g, x, dim);
    }
  }
  reshapeTo(g, x, std::vector<bool>(x.shape.size()));
  g.sample.values[x.value].type = {x.shape};
  return true;
}

} // namespace

void addExtentGenerators(std::map<std::string, OperationGenerator> &all) {
  all["unknown extents"] = unknownExtents;
}

} // namespace mercator::testing
