// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting, einsum, matrices, transforms, normalization, random numbers,
// elements of another width.

#include "Program.h"

using namespace mercator;
using namespace mercator::testing;

namespace {

TEST(LineMaps, Sort) {
  llvm::StringRef line =
      "(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 3], d1 in [0, 7], s0 in [0, "
      "7]";
  for (const char *dimension : {"1", "-1"})
    check({"%p0: tensor<4x8xf32>",
           (R"(
    %0 = "stablehlo.sort"(%p0) <{dimension = )" +
            std::string(dimension) + R"( : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %m : tensor<i1>
    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>)")
               .c_str(),
           "stablehlo.sort",
           0,
           {line},
           {line}});
}

//===--- Products ---------------------------------------------------------===//

TEST(LineMaps, Einsum) {
  const char *arguments = "%a: tensor<4x5xf32>, %b: tensor<5x6xf32>";
  const char *operation =
      "%0 = stablehlo.einsum %a, %b, config = \"ij,jk->ik\" : "
      "(tensor<4x5xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>";
  check({arguments,
         operation,
         "stablehlo.einsum",
         0,
         {"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 3], d1 in [0, 5], s0 in "
          "[0, 4]"},
         {"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 3], d1 in [0, 4], s0 in "
          "[0, 5]"}});
  check({arguments,
         operation,
         "stablehlo.einsum",
         1,
         {"(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 3], d1 in [0, 5], s0 in "
          "[0, 4]"},
         {"(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 4], d1 in [0, 5], s0 in "
          "[0, 3]"}});
  // The diagonal.
  check({"%a: tensor<4x4xf32>",
         "%0 = stablehlo.unary_einsum %a, config = \"ii->i\" : "
         "(tensor<4x4xf32>) -> tensor<4xf32>",
         "stablehlo.unary_einsum",
         0,
         {"(d0) -> (d0, d0), domain: d0 in [0, 3]"},
         {"(d0, d1) -> (d0), domain: d0 in [0, 3], d1 in [0, 3], d0 - d1 in "
          "[0, 0]"}});
}

//===--- Matrices ---------------------------------------------------------===//

TEST(LineMaps, Cholesky) {
  check({"%a: tensor<2x5x5xf32>",
         "%0 = stablehlo.cholesky %a, lower = true : tensor<2x5x5xf32>",
         "stablehlo.cholesky",
         0,
         {"(d0, d1, d2)[s0, s1] -> (d0, s0, s1), domain: d0 in [0, 1], d1 in "
          "[0, 4], d2 in [0, 4], s0 in [0, 4], s1 in [0, 4], d1 - d2 in [0, "
          "4], d2 - s0 in [0, 4], s0 - s1 in [0, 4]",
          "(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 1], d1 in [0, "
          "4], d2 in [0, 4], s0 in [0, 4], d1 - d2 in [1, 4], d2 - s0 in [0, "
          "4]"},
         {"(d0, d1, d2)[s0, s1] -> (d0, s0, s1), domain: d0 in [0, 1], d1 in "
          "[0, 4], d2 in [0, 4], s0 in [0, 4], s1 in [0, 4], d1 - d2 in [0, "
          "4], s1 - d1 in [0, 4], s0 - s1 in [0, 4]",
          "(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 1], d1 in [0, "
          "4], d2 in [0, 4], s0 in [0, 4], s0 - d2 in [0, 4], d1 - s0 in [1, "
          "4]"}});
}

TEST(LineMaps, TriangularSolve) {
  const char *arguments = "%a: tensor<5x5xf32>, %b: tensor<5x3xf32>";
  std::string operation = R"(
    %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true,
      unit_diagonal = UNIT, transpose_a = #stablehlo<transpose TRANSPOSED>}>
      : (tensor<5x5xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>)";
  auto with = [&](llvm::StringRef unit, llvm::StringRef transpose) {
    std::string text = operation;
    text.replace(text.find("UNIT"), 4, unit.str());
    text.replace(text.find("TRANSPOSED"), 10, transpose.str());
    return text;
  };
  check({arguments,
         with("false", "NO_TRANSPOSE").c_str(),
         "stablehlo.triangular_solve",
         0,
         {"(d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 4], d1 in [0, 2], "
          "s0 in [0, 4], s1 in [0, 4], d0 - s0 in [0, 4], s0 - s1 in [0, 4]"},
         {"(d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 4], d1 in [0, 4], "
          "s0 in [0, 4], s1 in [0, 2], s0 - d0 in [0, 4], d0 - d1 in [0, "
          "4]"}});
  check({arguments,
         with("false", "NO_TRANSPOSE").c_str(),
         "stablehlo.triangular_solve",
         1,
         {"(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 4], d1 in [0, 2], s0 in "
          "[0, 4], d0 - s0 in [0, 4]"},
         {"(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 4], d1 in [0, 2], s0 in "
          "[0, 4], s0 - d0 in [0, 4]"}});
  // From the last row to the first, without the unit diagonal.
  check({arguments,
         with("true", "ADJOINT").c_str(),
         "stablehlo.triangular_solve",
         0,
         {"(d0, d1)[s0, s1] -> (s1, s0), domain: d0 in [0, 4], d1 in [0, 2], "
          "s0 in [0, 4], s1 in [0, 4], s0 - d0 in [0, 4], s1 - s0 in [1, 4]"},
         {"(d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 4], d1 in [0, 4], "
          "s0 in [0, 4], s1 in [0, 2], d1 - s0 in [0, 4], d0 - d1 in [1, "
          "4]"}});
}

TEST(LineMaps, RealTransforms) {
  check({"%a: tensor<2x8xf32>",
         "%0 = stablehlo.fft %a, type = RFFT, length = [8] : "
         "(tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>",
         "stablehlo.fft",
         0,
         {"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 1], d1 in [0, 4], s0 in "
          "[0, 7]"},
         {"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 1], d1 in [0, 7], s0 in "
          "[0, 4]"}});
  check({"%a: tensor<3x5xcomplex<f32>>",
         "%0 = stablehlo.fft %a, type = IRFFT, length = [3, 8] : "
         "(tensor<3x5xcomplex<f32>>) -> tensor<3x8xf32>",
         "stablehlo.fft",
         0,
         {"(d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 2], d1 in [0, 7], "
          "s0 in [0, 2], s1 in [0, 4]"},
         {"(d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 2], d1 in [0, 4], "
          "s0 in [0, 2], s1 in [0, 7]"}});
}

//===--- Normalization ----------------------------------------------------===//

TEST(LineMaps, BatchNorm) {
  const char *arguments =
      "%x: tensor<4x3xf32>, %s: tensor<3xf32>, %o: "
      "tensor<3xf32>, %m: tensor<3xf32>, %g: tensor<4x3xf32>";
  llvm::StringRef whole = "(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 3], d1 "
                          "in [0, 2], s0 in [0, 3]",
                  toVector = "(d0, d1) -> (d1), domain: d0 in [0, 3], d1 in "
                             "[0, 2]",
                  fromVector = "(d0)[s0] -> (s0, d0), domain: d0 in [0, 2], s0 "
                               "in [0, 3]",
                  vector = "(d0) -> (d0), domain: d0 in [0, 2]",
                  fromMatrix = "(d0, d1) -> (0), KNOWN EMPTY",
                  toMatrix = "(d0) -> (0, 0), KNOWN EMPTY",
                  nothing1 = "(d0) -> (0), KNOWN EMPTY";
  const char *training =
      "%0:3 = \"stablehlo.batch_norm_training\"(%x, %s, %o) <{epsilon = 0.5 : "
      "f32, feature_index = 1 : i64}> : (tensor<4x3xf32>, tensor<3xf32>, "
      "tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)";
  const char *name = "stablehlo.batch_norm_training";
  check({arguments, training, name, 0, {whole}, {whole}, 0});
  check({arguments, training, name, 1, {toVector}, {fromVector}, 0});
  for (unsigned result : {1, 2}) {
    check({arguments, training, name, 0, {fromVector}, {toVector}, result});
    check({arguments, training, name, 2, {nothing1}, {nothing1}, result});
  }
  const char *grad =
      "%0:3 = \"stablehlo.batch_norm_grad\"(%x, %s, %o, %m, %g) <{epsilon = "
      "0.5 : f32, feature_index = 1 : i64}> : (tensor<4x3xf32>, tensor<3xf32>, "
      "tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, "
      "tensor<3xf32>, tensor<3xf32>)";
  name = "stablehlo.batch_norm_grad";
  check({arguments, grad, name, 0, {whole}, {whole}, 0});
  check({arguments, grad, name, 1, {toVector}, {fromVector}, 0});
  check({arguments, grad, name, 1, {nothing1}, {nothing1}, 1});
  check({arguments, grad, name, 2, {vector}, {vector}, 1});
  check({arguments, grad, name, 0, {toMatrix}, {fromMatrix}, 2});
  check({arguments, grad, name, 4, {fromVector}, {toVector}, 2});
  const char *inference =
      "%0 = \"stablehlo.batch_norm_inference\"(%x, %s, %o, %m, %m) <{epsilon "
      "= 0.5 : f32, feature_index = 1 : i64}> : (tensor<4x3xf32>, "
      "tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> "
      "tensor<4x3xf32>";
  name = "stablehlo.batch_norm_inference";
  llvm::StringRef identity =
      "(d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 2]";
  check({arguments, inference, name, 0, {identity}, {identity}});
  check({arguments, inference, name, 3, {toVector}, {fromVector}});
}

//===--- Others -----------------------------------------------------------===//

TEST(LineMaps, RandomNumbers) {
  check({"%a: tensor<f32>, %b: tensor<f32>, %s: tensor<1xi64>",
         "%0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : "
         "(tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>",
         "stablehlo.rng",
         0,
         {"(d0) -> (), domain: d0 in [0, 3]"},
         {"()[s0] -> (s0), domain: s0 in [0, 3]"}});
  check({"%a: tensor<f32>, %b: tensor<f32>, %s: tensor<1xi64>",
         "%0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : "
         "(tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>",
         "stablehlo.rng",
         2,
         {"(d0) -> (0), KNOWN EMPTY"},
         {"(d0) -> (0), KNOWN EMPTY"}});
  for (unsigned result : {0, 1})
    check({"%s: tensor<2xui64>",
           "%0, %1 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : "
           "(tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>)",
           "stablehlo.rng_bit_generator",
           0,
           {"(d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 1]"},
           {"(d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 1]"},
           result});
}

TEST(LineMaps, ElementsOfAnotherWidth) {
  llvm::StringRef
      narrower = "(d0, d1) -> (d0), domain: d0 in [0, 3], d1 in [0, 1]",
      wider = "(d0)[s0] -> (d0, s0), domain: d0 in [0, 3], s0 in [0, 1]";
  check({"%p0: tensor<4xi32>",
         "%0 = stablehlo.bitcast_convert %p0 : (tensor<4xi32>) -> "
         "tensor<4x2xi16>",
         "stablehlo.bitcast_convert",
         0,
         {narrower},
         {wider}});
  check({"%p0: tensor<4x2xcomplex<f32>>",
         "%0 = stablehlo.bitcast_convert %p0 : (tensor<4x2xcomplex<f32>>) -> "
         "tensor<4xcomplex<f64>>",
         "stablehlo.bitcast_convert",
         0,
         {wider},
         {narrower}});
  // The same bytes in a different number of elements, across a transpose.
  check({"%p0: tensor<4x6xi16>",
         "%0 = hlo.bitcast %p0 : (tensor<4x6xi16>) -> tensor<12xi32>",
         "hlo.bitcast",
         0,
         {"(d0)[s0] -> (d0 floordiv 3, (d0 mod 3) * 2 + s0), domain: d0 in [0, "
          "11], s0 in [0, 1]"},
         {"(d0, d1) -> (d0 * 3 + d1 floordiv 2), domain: d0 in [0, 3], d1 in "
          "[0, 5]"}});
  check({"%p0: tensor<4x3xi32, #hlo.layout<[0, 1]>>",
         "%0 = hlo.bitcast %p0 : (tensor<4x3xi32, #hlo.layout<[0, 1]>>) -> "
         "tensor<24xi16>",
         "hlo.bitcast",
         0,
         {"(d0) -> ((d0 floordiv 2) mod 4, d0 floordiv 8), domain: d0 in [0, "
          "23]"},
         {"(d0, d1)[s0] -> (d1 * 8 + d0 * 2 + s0), domain: d0 in [0, 3], d1 in "
          "[0, 2], s0 in [0, 1]"}});
}

// Batches of a size that is known only when the program runs: [0, inf].
TEST(LineMaps, DynamicBatchSize) {
  check({"%p0: tensor<?x8xf32>",
         "%0 = stablehlo.reverse %p0, dims = [1] : tensor<?x8xf32>",
         "stablehlo.reverse",
         0,
         {"(d0, d1) -> (d0, 7 - d1), domain: d0 in [0, 9223372036854775806], "
          "d1 in [0, 7]"},
         {"(d0, d1) -> (d0, 7 - d1), domain: d0 in [0, 9223372036854775806], "
          "d1 in [0, 7]"}});
  check({"%p0: tensor<?x8xf32>",
         "%0 = stablehlo.reverse %p0, dims = [0] : tensor<?x8xf32>",
         "stablehlo.reverse",
         0,
         {"~(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 9223372036854775806], "
          "d1 in [0, 7], s0 in [0, 9223372036854775806]"},
         {"~(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 9223372036854775806], "
          "d1 in [0, 7], s0 in [0, 9223372036854775806]"}});
  const char *padding = "%0 = stablehlo.pad %p0, %p1, low = [0, 1], high = [0, "
                        "0], interior = [0, 0] : (tensor<?x8xf32>, "
                        "tensor<f32>) -> tensor<?x9xf32>";
  check({"%p0: tensor<?x8xf32>, %p1: tensor<f32>",
         padding,
         "stablehlo.pad",
         0,
         {"(d0, d1) -> (d0, d1 - 1), domain: d0 in [0, 9223372036854775806], "
          "d1 in [1, 8]"},
         {"(d0, d1) -> (d0, d1 + 1), domain: d0 in [0, 9223372036854775806], "
          "d1 in [0, 7]"}});
  check({"%p0: tensor<?x8xf32>, %p1: tensor<f32>",
         padding,
         "stablehlo.pad",
         1,
         {"(d0, d1) -> (), domain: d0 in [0, 9223372036854775806], d1 in [0, "
          "0]"},
         {"()[s0] -> (s0, 0), domain: s0 in [0, 9223372036854775806]"}});
  check({"%p0: tensor<?x8xf32>, %p1: tensor<f32>",
         R"(%0 = "stablehlo.reduce_window"(%p0, %p1)
            <{window_dimensions = array<i64: 1, 2>}> ({
         ^bb0(%a: tensor<f32>, %b: tensor<f32>):
           %m = stablehlo.add %a, %b : tensor<f32>
           stablehlo.return %m : tensor<f32>
         }) : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x7xf32>)",
         "stablehlo.reduce_window",
         0,
         {"(d0, d1)[s0] -> (d0, d1 + s0), domain: d0 in [0, "
          "9223372036854775806], d1 in [0, 6], s0 in [0, 1]"},
         {"(d0, d1)[s0] -> (d0, d1 - s0), domain: d0 in [0, "
          "9223372036854775806], d1 in [0, 7], s0 in [0, 1], d1 - s0 in [0, "
          "6]"}});
  check({"%p0: tensor<?x8x4xf32>, %p1: tensor<1x4x2xf32>",
         "%0 = stablehlo.convolution(%p0, %p1) dim_numbers = [b, 0, f]x[0, i, "
         "o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, "
         "feature_group_count = 1 : i64} : (tensor<?x8x4xf32>, "
         "tensor<1x4x2xf32>) -> tensor<?x8x2xf32>",
         "stablehlo.convolution",
         0,
         {"(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, "
          "9223372036854775806], d1 in [0, 7], d2 in [0, 1], s0 in [0, 3]"},
         {"(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, "
          "9223372036854775806], d1 in [0, 7], d2 in [0, 3], s0 in [0, 1]"}});
  check({"%p0: tensor<?x2x2xf32>",
         "%0 = stablehlo.cholesky %p0, lower = false : tensor<?x2x2xf32>",
         "stablehlo.cholesky",
         0,
         {"(d0, d1, d2)[s0, s1] -> (d0, s0, s1), domain: d0 in [0, "
          "9223372036854775806], d1 in [0, 1], d2 in [0, 1], s0 in [0, 1], s1 "
          "in [0, 1], d2 - d1 in [0, 1], d1 - s1 in [0, 1], s1 - s0 in [0, "
          "1]",
          "(d0, d1, d2)[s0] -> (d0, s0, d2), domain: d0 in [0, "
          "9223372036854775806], d1 in [0, 1], d2 in [0, 1], s0 in [0, 1], d2 "
          "- d1 in [1, 1], d1 - s0 in [0, 1]"},
         {"(d0, d1, d2)[s0, s1] -> (d0, s0, s1), domain: d0 in [0, "
          "9223372036854775806], d1 in [0, 1], d2 in [0, 1], s0 in [0, 1], s1 "
          "in [0, 1], s1 - s0 in [0, 1], s0 - d2 in [0, 1], d2 - d1 in [0, "
          "1]",
          "(d0, d1, d2)[s0] -> (d0, s0, d2), domain: d0 in [0, "
          "9223372036854775806], d1 in [0, 1], d2 in [0, 1], s0 in [0, 1], d2 "
          "- s0 in [1, 1], s0 - d1 in [0, 1]"}});
}

TEST(LineMaps, ADynamicOperandBehindAnother) {
  check({"%a: tensor<4xf32>, %b: tensor<?xf32>",
         "%0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<4xf32>, "
         "tensor<?xf32>) -> tensor<?xf32>",
         "stablehlo.concatenate",
         1,
         {"~(d0)[s0] -> (s0), domain: d0 in [0, 9223372036854775806], s0 in "
          "[0, 9223372036854775806]"},
         {"~(d0)[s0] -> (s0), domain: d0 in [0, 9223372036854775806], s0 in "
          "[0, 9223372036854775806]"}});
}

} // namespace
