// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

#include <algorithm>

namespace mercator::testing {

namespace {

std::string number(const char *name, int64_t value) {
  return std::string(name) + " = " + std::to_string(value) + " : i64";
}

/// An operand with dimensions of given extents and free dimensions.
struct Side {
  Numbers shape, places, free;
};
Side sideWith(Generator &g, const Numbers &extents) {
  Numbers own;
  for (int64_t i = g.in(0, 2); i > 0; --i)
    own.push_back(g.once(15) ? 0 : g.in(1, 3));
  auto rank = int64_t(extents.size() + own.size());
  Numbers order = g.permutation(rank);
  Side side;
  side.shape.assign(rank, 0);
  for (size_t i = 0; i < extents.size(); ++i) {
    side.places.push_back(order[i]);
    side.shape[order[i]] = extents[i];
  }
  size_t next = 0;
  for (int64_t d = 0; d < rank; ++d)
    if (!std::count(side.places.begin(), side.places.end(), d)) {
      side.shape[d] = own[next++];
      side.free.push_back(side.shape[d]);
    }
  return side;
}
Numbers part(const Numbers &numbers, size_t begin, size_t end) {
  return Numbers(numbers.begin() + begin, numbers.begin() + end);
}

bool dotGeneral(Generator &g) {
  int64_t batch = g.in(0, 2), summed = g.in(0, 2);
  Numbers extents;
  for (int64_t i = 0; i < batch + summed; ++i)
    extents.push_back(g.once(15) ? 0 : g.in(1, 3));
  Side lhs = sideWith(g, extents), rhs = sideWith(g, extents);
  Numbers shape = part(extents, 0, batch);
  shape.insert(shape.end(), lhs.free.begin(), lhs.free.end());
  shape.insert(shape.end(), rhs.free.begin(), rhs.free.end());
  if (TensorType{shape}.size() > 2 * g.sizes.elements ||
      TensorType{lhs.shape}.size() > 2 * g.sizes.elements ||
      TensorType{rhs.shape}.size() > 2 * g.sizes.elements)
    return false;
  g.emit("stablehlo.dot_general", {g.value({lhs.shape}), g.value({rhs.shape})},
         "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = " +
             list(part(lhs.places, 0, batch)) +
             ", rhs_batching_dimensions = " + list(part(rhs.places, 0, batch)) +
             ", lhs_contracting_dimensions = " +
             list(part(lhs.places, batch, batch + summed)) +
             ", rhs_contracting_dimensions = " +
             list(part(rhs.places, batch, batch + summed)) + ">",
         {{shape}});
  return true;
}

bool dot(Generator &g) {
  int v = g.any("f32", 1, 2);
  Numbers lhs = g.shapeOf(v), rhs = {lhs.back()}, shape = lhs;
  shape.pop_back();
  if (g.once(2)) {
    rhs.push_back(g.extent());
    shape.push_back(rhs.back());
  }
  g.emit("stablehlo.dot", {v, g.value({rhs})}, "", {{shape}});
  return true;
}

bool einsum(Generator &g) {
  // The extents of the letters a to d.
  Numbers extents = {g.in(1, 3), g.in(1, 3), g.in(1, 2), g.in(0, 2)};
  std::string config, all;
  std::vector<int> operands;
  for (int side = 0; side < 2; ++side) {
    Numbers letters = g.anyOrder(g.subset(4, g.in(0, 3))), shape;
    if (!letters.empty() && g.once(3))
      letters.push_back(letters[0]); // a diagonal
    for (int64_t letter : letters) {
      config += char('a' + letter);
      all += char('a' + letter);
      shape.push_back(extents[letter]);
    }
    operands.push_back(g.value({shape}));
    if (side == 0)
      config += ",";
  }
  std::string result;
  Numbers shape;
  for (int64_t letter : g.permutation(4))
    if (all.find(char('a' + letter)) != std::string::npos && g.once(2)) {
      result += char('a' + letter);
      shape.push_back(extents[letter]);
    }
  g.emit("stablehlo.einsum", operands,
         "einsum_config = \"" + config + "->" + result + "\"", {{shape}});
  return true;
}
bool unaryEinsum(Generator &g) {
  Numbers extents = {g.in(1, 3), g.in(1, 3), g.in(1, 2)}, shape, resultShape;
  std::string letters, result;
  Numbers chosen = g.anyOrder(g.subset(3, g.in(1, 3)));
  if (g.once(3)) { // a diagonal
    letters += char('a' + chosen.back());
    shape.push_back(extents[chosen.back()]);
  }
  for (int64_t letter : chosen) {
    letters += char('a' + letter);
    shape.push_back(extents[letter]);
    if (g.once(2)) {
      result.insert(result.begin(), char('a' + letter));
      resultShape.insert(resultShape.begin(), extents[letter]);
    }
  }
  g.emit("stablehlo.unary_einsum", {g.value({shape})},
         "einsum_config = \"" + letters + "->" + result + "\"",
         {{resultShape}});
  return true;
}

bool raggedDot(Generator &g) {
  int64_t m = g.in(1, 4), k = g.in(1, 3), n = g.in(1, 3), groups = g.in(1, 3),
          b = g.in(1, 2);
  bool hasBatch = g.once(2);
  int64_t mode = g.in(0, 2);
  if (mode == 2)
    hasBatch = true;
  Numbers lhs = {m, k}, rhs = {k, n}, shape = {m, n};
  int64_t off = hasBatch ? 1 : 0;
  if (hasBatch) {
    lhs.insert(lhs.begin(), b);
    rhs.insert(rhs.begin(), b);
    shape.insert(shape.begin(), b);
  }
  Numbers rhsBatch = hasBatch ? Numbers{0} : Numbers(), lhsBatch = rhsBatch,
          rhsSummed = {off}, rhsGroup;
  int64_t ragged = mode == 0 ? off : mode == 1 ? off + 1 : 0;
  if (mode == 0) {
    rhs.insert(rhs.begin(), groups);
    for (int64_t &dim : rhsBatch)
      ++dim;
    ++rhsSummed[0];
    rhsGroup = {0};
  } else if (mode == 1) {
    shape.insert(shape.begin(), groups);
  }
  int sizes = g.argument({{groups}, "i32"});
  g.sample.values[sizes].lowest = 0;
  g.sample.values[sizes].highest = 2;
  g.sample.values[sizes].isIndex = true;
  g.emit("chlo.ragged_dot", {g.value({lhs}), g.value({rhs}), sizes},
         "ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_"
         "dimensions = " +
             list(lhsBatch) + ", rhs_batching_dimensions = " + list(rhsBatch) +
             ", lhs_contracting_dimensions = " + list({off + 1}) +
             ", rhs_contracting_dimensions = " + list(rhsSummed) +
             ", lhs_ragged_dimensions = " + list({ragged}) +
             ", rhs_group_dimensions = " + list(rhsGroup) + ">",
         {{shape}});
  return true;
}

bool convolutionOf(Generator &g, bool isDynamic) {
  int64_t spatial = g.once(8) ? 0 : g.in(1, 2);
  int64_t featureGroups = 1, batchGroups = 1;
  if (g.once(3))
    featureGroups = 2;
  else if (g.once(3))
    batchGroups = 2;
  int64_t batch = g.in(1, 2) * batchGroups, kernelFeatures = g.in(1, 2),
          outputs = g.in(1, 2) * featureGroups * batchGroups;
  auto rank = spatial + 2;
  Numbers lhsDims = g.permutation(rank), rhsDims = g.permutation(rank),
          outDims = g.permutation(rank);
  Numbers lhs(rank), rhs(rank), shape(rank);
  lhs[lhsDims[0]] = batch;
  lhs[lhsDims[1]] = kernelFeatures * featureGroups;
  rhs[rhsDims[0]] = kernelFeatures;
  rhs[rhsDims[1]] = outputs;
  shape[outDims[0]] = batch / batchGroups;
  shape[outDims[1]] = outputs;
  Numbers strides, lhsDilation, rhsDilation, padding;
  std::string reversal;
  for (int64_t i = 0; i < spatial; ++i) {
    int64_t extent = g.once(15) ? 0 : g.in(1, 4), size = g.in(1, 3),
            stride = g.in(1, 2), base = g.once(3) ? 2 : 1,
            dilation = g.once(3) ? 2 : 1, low = 0, high = 0;
    if (g.once(2)) {
      low = g.in(-1, 2);
      high = g.in(-1, 2);
    }
    int64_t dilated = extent == 0 ? 0 : (extent - 1) * base + 1,
            padded = low + dilated + high, reach = (size - 1) * dilation + 1;
    if (padded < 0)
      return false;
    lhs[lhsDims[i + 2]] = extent;
    rhs[rhsDims[i + 2]] = size;
    shape[outDims[i + 2]] =
        padded == 0 || reach > padded ? 0 : (padded - reach) / stride + 1;
    strides.push_back(stride);
    lhsDilation.push_back(base);
    rhsDilation.push_back(dilation);
    padding.push_back(low);
    padding.push_back(high);
    reversal += std::string(i ? ", " : "") + (g.once(3) ? "true" : "false");
  }
  std::string rows;
  for (size_t i = 0; i < padding.size(); i += 2)
    rows += (i ? ", " : "") + list({padding[i], padding[i + 1]});
  std::string attributes =
      "window_strides = " + array(strides) +
      ", lhs_dilation = " + array(lhsDilation) +
      ", rhs_dilation = " + array(rhsDilation) + ", window_reversal = " +
      (spatial ? "array<i1: " + reversal + ">" : "array<i1>") +
      ", dimension_numbers = #stablehlo.conv<raw input_batch_dimension = " +
      std::to_string(lhsDims[0]) +
      ", input_feature_dimension = " + std::to_string(lhsDims[1]) +
      ", input_spatial_dimensions = " + list(part(lhsDims, 2, rank)) +
      ", kernel_input_feature_dimension = " + std::to_string(rhsDims[0]) +
      ", kernel_output_feature_dimension = " + std::to_string(rhsDims[1]) +
      ", kernel_spatial_dimensions = " + list(part(rhsDims, 2, rank)) +
      ", output_batch_dimension = " + std::to_string(outDims[0]) +
      ", output_feature_dimension = " + std::to_string(outDims[1]) +
      ", output_spatial_dimensions = " + list(part(outDims, 2, rank)) + ">, " +
      number("feature_group_count", featureGroups) + ", " +
      number("batch_group_count", batchGroups);
  int a = g.value({lhs}), b = g.value({rhs});
  if (isDynamic) {
    int p = g.constant({{spatial, 2}, "i64"}, padding);
    g.emit("stablehlo.dynamic_conv", {a, b, p}, attributes, {{shape}});
  } else {
    g.emit("stablehlo.convolution", {a, b},
           attributes + ", padding = " +
               (spatial ? "dense<[" + rows + "]>" : "dense<>") + " : tensor<" +
               std::to_string(spatial) + "x2xi64>",
           {{shape}});
  }
  return true;
}
bool convolution(Generator &g) { return convolutionOf(g, false); }
bool dynamicConv(Generator &g) { return convolutionOf(g, true); }

//===--- Matrices ---------------------------------------------------------===//

bool cholesky(Generator &g) {
  Numbers shape = g.shape(0, 1);
  int64_t n = g.in(0, 4);
  shape.push_back(n);
  shape.push_back(n);
  g.emit("stablehlo.cholesky", {g.value({shape})},
         g.once(2) ? "lower = true" : "lower = false", {{shape}});
  return true;
}
bool triangularSolve(Generator &g) {
  Numbers batch = g.shape(0, 1), a = batch, b = batch;
  int64_t n = g.in(0, 4), lines = g.in(0, 3);
  bool isLeft = g.once(2);
  a.insert(a.end(), {n, n});
  b.insert(b.end(), {isLeft ? n : lines, isLeft ? lines : n});
  auto flag = [&](const char *name, bool value) {
    return std::string(name) + " = " + (value ? "true" : "false") + ", ";
  };
  g.emit("stablehlo.triangular_solve", {g.value({a}), g.value({b})},
         flag("left_side", isLeft) + flag("lower", g.once(2)) +
             flag("unit_diagonal", g.once(2)) +
             "transpose_a = #stablehlo<transpose " +
             g.oneOf<std::string>({"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}) +
             ">",
         {{b}});
  return true;
}
bool fft(Generator &g) {
  const std::string complex = "complex<f32>";
  Numbers shape = g.shape(1, 3);
  for (int64_t &extent : shape)
    extent = std::max<int64_t>(extent, 1);
  int64_t count = g.in(1, int64_t(shape.size())), kind = g.in(0, 3);
  Numbers lengths(shape.end() - count, shape.end()), half = shape;
  half.back() = shape.back() / 2 + 1;
  const char *names[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
  TensorType from{kind == 3 ? half : shape, kind == 2 ? "f32" : complex},
      to{kind == 2 ? half : shape, kind == 3 ? "f32" : complex};
  g.emit("stablehlo.fft", {g.value(from)},
         std::string("fft_type = #stablehlo<fft_type ") + names[kind] +
             ">, fft_length = " + array(lengths),
         {to});
  return true;
}

bool batchNorm(Generator &g, int64_t kind) {
  int v = g.any("f32", 1);
  int64_t feature = g.in(0, g.typeOf(v).rank() - 1);
  TensorType whole = g.typeOf(v), vector{{whole.shape[feature]}};
  std::string attributes =
      "epsilon = 1.0e-3 : f32, " + number("feature_index", feature);
  auto fresh = [&] { return g.value(vector); };
  if (kind == 0)
    g.emit("stablehlo.batch_norm_inference",
           {v, fresh(), fresh(), fresh(), fresh()}, attributes, {whole});
  else if (kind == 1)
    g.emit("stablehlo.batch_norm_training", {v, fresh(), fresh()}, attributes,
           {whole, vector, vector});
  else
    g.emit("stablehlo.batch_norm_grad",
           {v, fresh(), fresh(), fresh(), g.value(whole)}, attributes,
           {whole, vector, vector});
  return true;
}
bool batchNormInference(Generator &g) { return batchNorm(g, 0); }
bool batchNormTraining(Generator &g) { return batchNorm(g, 1); }
bool batchNormGrad(Generator &g) { return batchNorm(g, 2); }

} // namespace

void addProductGenerators(std::map<std::string, OperationGenerator> &all) {
  all["stablehlo.dot_general"] = dotGeneral;
  all["stablehlo.dot"] = dot;
  all["stablehlo.einsum"] = einsum;
  all["stablehlo.unary_einsum"] = unaryEinsum;
  all["chlo.ragged_dot"] = raggedDot;
  all["stablehlo.convolution"] = convolution;
  all["stablehlo.dynamic_conv"] = dynamicConv;
  all["stablehlo.cholesky"] = cholesky;
  all["stablehlo.triangular_solve"] = triangularSolve;
  all["stablehlo.fft"] = fft;
  all["stablehlo.batch_norm_inference"] = batchNormInference;
  all["stablehlo.batch_norm_training"] = batchNormTraining;
  all["stablehlo.batch_norm_grad"] = batchNormGrad;
}

} // namespace mercator::testing
