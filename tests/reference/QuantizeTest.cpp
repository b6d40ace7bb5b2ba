// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Quantized tensors, by handwritten tables.

#include "Programs.h"

using namespace mercator::reference;

namespace {

struct Quantize : testing::Test {
  Programs programs;
};

const char *const kPerAxis =
    "tensor<2x2x!quant.uniform<i8:f32:1, {0.5:10, 2.0:-10}>>";

TEST_F(Quantize, RoundsToEvenAndClampsToTheStorageBounds) {
  auto results = programs.run(R"(func.func @main() -> tensor<6xi8> {
    %0 = stablehlo.constant dense<[0.0, 1.25, 1.75, 1000.0, -1000.0, 0x7F800000]> : tensor<6xf32>
    %1 = stablehlo.uniform_quantize %0 : (tensor<6xf32>) -> tensor<6x!quant.uniform<i8<-100:100>:f32, 0.5:3>>
    %2 = stablehlo.bitcast_convert %1 : (tensor<6x!quant.uniform<i8<-100:100>:f32, 0.5:3>>) -> tensor<6xi8>
    return %2 : tensor<6xi8>
  })");
  ASSERT_TRUE(results) << programs.messages;
  Programs::expectSame(
      *results->front().tensor(),
      programs.tensor("dense<[3, 6, 6, 100, -100, 100]> : tensor<6xi8>"), 0,
      "quantize");
}

TEST_F(Quantize, HasAScaleForEachSlice) {
  std::string type = kPerAxis;
  auto results = programs.run(
      "func.func @main() -> (tensor<2x2xi8>, tensor<2x2xf32>) {\n"
      "  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : "
      "tensor<2x2xf32>\n"
      "  %1 = stablehlo.uniform_quantize %0 : (tensor<2x2xf32>) -> " +
      type + "\n  %2 = stablehlo.bitcast_convert %1 : (" + type +
      ") -> tensor<2x2xi8>\n  %3 = stablehlo.uniform_dequantize %1 : (" + type +
      ") -> tensor<2x2xf32>\n"
      "  return %2, %3 : tensor<2x2xi8>, tensor<2x2xf32>\n}");
  ASSERT_TRUE(results) << programs.messages;
  Programs::expectSame(
      *results->front().tensor(),
      programs.tensor("dense<[[12, -9], [16, -8]]> : tensor<2x2xi8>"), 0,
      "quantize");
  Programs::expectSame(
      *results->back().tensor(),
      programs.tensor("dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>"), 0,
      "dequantize");
}

TEST_F(Quantize, OperationsWorkOnTheFloats) {
  // 10 * 0.5 + (20 - 10) * 0.25 = 7.5, and 7.5 / 1 - 1 is a tie: 6.
  auto results =
      programs.run(R"(
    !a = tensor<2x!quant.uniform<i8:f32, 0.5>>
    !b = tensor<2x!quant.uniform<i8:f32, 0.25:10>>
    !c = tensor<2x!quant.uniform<i8:f32, 1.0:-1>>
    func.func @main(%0: tensor<2xi8>, %1: tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi1>) {
      %a = stablehlo.bitcast_convert %0 : (tensor<2xi8>) -> !a
      %b = stablehlo.bitcast_convert %1 : (tensor<2xi8>) -> !b
      %c = "stablehlo.add"(%a, %b) : (!a, !b) -> !c
      %d = "stablehlo.compare"(%a, %b) {comparison_direction = #stablehlo<comparison_direction GT>} : (!a, !b) -> tensor<2xi1>
      %r = stablehlo.bitcast_convert %c : (!c) -> tensor<2xi8>
      return %r, %d : tensor<2xi8>, tensor<2xi1>
    })",
                   {programs.tensor("dense<[10, 4]> : tensor<2xi8>"),
                    programs.tensor("dense<[20, 30]> : tensor<2xi8>")});
  ASSERT_TRUE(results) << programs.messages;
  Programs::expectSame(*results->front().tensor(),
                       programs.tensor("dense<[6, 6]> : tensor<2xi8>"), 0,
                       "add");
  Programs::expectSame(*results->back().tensor(),
                       programs.tensor("dense<[1, 0]> : tensor<2xi1>"), 0,
                       "compare");
}

} // namespace
