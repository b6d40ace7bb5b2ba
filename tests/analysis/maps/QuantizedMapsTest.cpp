// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantization does not change the elements that are read.

#include "Program.h"

using namespace mercator;
using namespace mercator::testing;

namespace {

/// The text of a program, with `T` as the element type.
void expectSameMaps(llvm::StringRef name, llvm::StringRef arguments,
                    llvm::StringRef operation) {
  SCOPED_TRACE(operation.str());
  auto with = [&](const std::string &type) {
    std::string text = around(operation, arguments);
    for (size_t at = text.find('T'); at != std::string::npos;
         at = text.find('T', at + type.size()))
      text.replace(at, 1, type);
    return text;
  };
  Program plain(with("f32")),
      quantized(with("!quant.uniform<i8:f32, 2.000000e+00>"));
  ASSERT_TRUE(plain.module && quantized.module);
  mlir::Operation *a = plain.find(name), *b = quantized.find(name);
  Arena arena;
  for (unsigned k = 0; k < a->getNumOperands(); ++k)
    for (Direction direction : {kOut, kIn}) {
      MapSet expected = mapsOf(a, arena, direction, k, 0),
             got = mapsOf(b, arena, direction, k, 0);
      EXPECT_EQ(toString(got), toString(expected));
      EXPECT_EQ(got.isExact(), expected.isExact());
    }
}

TEST(QuantizedMaps, AreThoseOfTheExpressedType) {
  expectSameMaps("stablehlo.add", "%a: tensor<4x6xT>, %b: tensor<4x6xT>",
                 "%0 = stablehlo.add %a, %b : tensor<4x6xT>");
  expectSameMaps("stablehlo.transpose", "%a: tensor<4x6xT>",
                 "%0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x6xT>) "
                 "-> tensor<6x4xT>");
  expectSameMaps("stablehlo.reshape", "%a: tensor<4x6xT>",
                 "%0 = stablehlo.reshape %a : (tensor<4x6xT>) -> "
                 "tensor<2x12xT>");
  expectSameMaps("stablehlo.dot_general",
                 "%a: tensor<4x6xT>, %b: tensor<6x5xT>",
                 "%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x "
                 "[0] : (tensor<4x6xT>, tensor<6x5xT>) -> tensor<4x5xT>");
  expectSameMaps("stablehlo.dynamic_slice", "%a: tensor<9xT>, %i: tensor<i32>",
                 "%0 = stablehlo.dynamic_slice %a, %i, sizes = [4] : "
                 "(tensor<9xT>, tensor<i32>) -> tensor<4xT>");
}

TEST(QuantizedMaps, OfTheConversions) {
  Program program(around(
      "%0 = stablehlo.uniform_quantize %a : (tensor<4xf32>) -> "
      "tensor<4x!quant.uniform<i8:f32, 2.000000e+00:15>>\n"
      "%1 = stablehlo.uniform_dequantize %0 : "
      "(tensor<4x!quant.uniform<i8:f32, 2.000000e+00:15>>) -> tensor<4xf32>",
      "%a: tensor<4xf32>"));
  Arena arena;
  for (const char *name :
       {"stablehlo.uniform_quantize", "stablehlo.uniform_dequantize"})
    for (Direction direction : {kOut, kIn})
      expectMaps(arena, mapsOf(program.find(name), arena, direction, 0, 0),
                 {"(d0) -> (d0), domain: d0 in [0, 3]"});
}

} // namespace
