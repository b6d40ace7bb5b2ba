// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Operations that move elements: small tables, bytes that must be preserved,
/// and dynamic shapes.

#include "Programs.h"

using namespace mercator::reference;

namespace {

struct DataMovement : testing::Test {
  Programs programs;

  /// The error when a program runs.
  std::string errorOf(llvm::StringRef text,
                      llvm::ArrayRef<Value> arguments = {}) {
    EXPECT_FALSE(programs.run(text, arguments)) << text.str();
    return programs.messages;
  }
  void expectError(llvm::StringRef text, llvm::ArrayRef<Value> arguments,
                   llvm::StringRef message) {
    std::string got = errorOf(text, arguments);
    EXPECT_NE(got.find(message.str()), std::string::npos) << got;
  }
};

TEST_F(DataMovement, Iota) {
  programs.expect("stablehlo.iota dim = 1 : tensor<2x3xbf16>", {},
                  "dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : "
                  "tensor<2x3xbf16>");
  programs.expect("stablehlo.iota dim = 0 : tensor<5xi2>", {},
                  "dense<[0, 1, -2, -1, 0]> : tensor<5xi2>");
  programs.expect("stablehlo.iota dim = 0 : tensor<2xcomplex<f32>>", {},
                  "dense<[(0.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>");
}

TEST_F(DataMovement, Shapes) {
  programs.expect("stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<2xi8>) "
                  "-> tensor<2x2xi8>",
                  {"dense<[1, 2]> : tensor<2xi8>"},
                  "dense<[[1, 2], [1, 2]]> : tensor<2x2xi8>");
  programs.expect("stablehlo.broadcast_in_dim %0, dims = [1, 0] : "
                  "(tensor<1x2xi8>) -> tensor<2x2xi8>",
                  {"dense<[[1, 2]]> : tensor<1x2xi8>"},
                  "dense<[[1, 1], [2, 2]]> : tensor<2x2xi8>");
  programs.expect("stablehlo.broadcast %0, sizes = [2] : (tensor<2xi8>) -> "
                  "tensor<2x2xi8>",
                  {"dense<[1, 2]> : tensor<2xi8>"},
                  "dense<[[1, 2], [1, 2]]> : tensor<2x2xi8>");
  programs.expect("stablehlo.reshape %0 : (tensor<2x3xi8>) -> tensor<3x2xi8>",
                  {"dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>"},
                  "dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>");
  programs.expect("stablehlo.transpose %0, dims = [2, 0, 1] : "
                  "(tensor<1x2x3xi8>) -> tensor<3x1x2xi8>",
                  {"dense<[[[1, 2, 3], [4, 5, 6]]]> : tensor<1x2x3xi8>"},
                  "dense<[[[1, 4]], [[2, 5]], [[3, 6]]]> : tensor<3x1x2xi8>");
  programs.expect("stablehlo.reverse %0, dims = [1] : tensor<2x3xi8>",
                  {"dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>"},
                  "dense<[[3, 2, 1], [6, 5, 4]]> : tensor<2x3xi8>");
  programs.expect("stablehlo.concatenate %0, %1, dim = 1 : (tensor<2x1xi8>, "
                  "tensor<2x2xi8>) -> tensor<2x3xi8>",
                  {"dense<[[1], [4]]> : tensor<2x1xi8>",
                   "dense<[[2, 3], [5, 6]]> : tensor<2x2xi8>"},
                  "dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>");
}

TEST_F(DataMovement, Windows) {
  programs.expect("stablehlo.slice %0 [1:6:2] : (tensor<7xi8>) -> tensor<3xi8>",
                  {"dense<[0, 1, 2, 3, 4, 5, 6]> : tensor<7xi8>"},
                  "dense<[1, 3, 5]> : tensor<3xi8>");
  // Start indices are clamped, however far out of range.
  for (auto [start, expected] :
       {std::pair("dense<-9> : tensor<i64>", "dense<[0, 1]> : tensor<2xi8>"),
        std::pair("dense<1> : tensor<ui8>", "dense<[1, 2]> : tensor<2xi8>"),
        std::pair("dense<18446744073709551615> : tensor<ui64>",
                  "dense<[2, 3]> : tensor<2xi8>")}) {
    llvm::StringRef type = llvm::StringRef(start).rsplit(" : ").second;
    programs.expect(("stablehlo.dynamic_slice %0, %1, sizes = [2] : "
                     "(tensor<4xi8>, " +
                     type + ") -> tensor<2xi8>")
                        .str(),
                    {"dense<[0, 1, 2, 3]> : tensor<4xi8>", start}, expected);
  }
  programs.expect("stablehlo.dynamic_update_slice %0, %1, %2 : (tensor<4xi8>, "
                  "tensor<2xi8>, tensor<i32>) -> tensor<4xi8>",
                  {"dense<[0, 1, 2, 3]> : tensor<4xi8>",
                   "dense<[8, 9]> : tensor<2xi8>", "dense<3> : tensor<i32>"},
                  "dense<[0, 1, 8, 9]> : tensor<4xi8>");
}

TEST_F(DataMovement, PadAroundBetweenAndAway) {
  programs.expect("stablehlo.pad %0, %1, low = [1], high = [2], interior = [1] "
                  ": (tensor<3xi8>, tensor<i8>) -> tensor<8xi8>",
                  {"dense<[1, 2, 3]> : tensor<3xi8>", "dense<9> : tensor<i8>"},
                  "dense<[9, 1, 9, 2, 9, 3, 9, 9]> : tensor<8xi8>");
  programs.expect("stablehlo.pad %0, %1, low = [-1], high = [-1], interior = "
                  "[1] : (tensor<3xi8>, tensor<i8>) -> tensor<3xi8>",
                  {"dense<[1, 2, 3]> : tensor<3xi8>", "dense<9> : tensor<i8>"},
                  "dense<[9, 2, 9]> : tensor<3xi8>");
  programs.expect("stablehlo.pad %0, %1, low = [2], high = [0], interior = [3] "
                  ": (tensor<0xi8>, tensor<i8>) -> tensor<2xi8>",
                  {"dense<> : tensor<0xi8>", "dense<9> : tensor<i8>"},
                  "dense<9> : tensor<2xi8>");
  // With one element, the interior padding does not matter, however large.
  programs.expect("stablehlo.pad %0, %1, low = [0], high = [1], interior = "
                  "[9223372036854775807] : (tensor<1xi8>, tensor<i8>) -> "
                  "tensor<2xi8>",
                  {"dense<5> : tensor<1xi8>", "dense<9> : tensor<i8>"},
                  "dense<[5, 9]> : tensor<2xi8>");
}

TEST_F(DataMovement, BitsOfOtherWidths) {
  auto bitcast = [&](llvm::StringRef operand, llvm::StringRef expected) {
    programs.expect(("stablehlo.bitcast_convert %0 : (" +
                     operand.rsplit(" : ").second + ") -> " +
                     expected.rsplit(" : ").second)
                        .str(),
                    {operand}, expected);
  };
  bitcast("dense<1.0> : tensor<1xf32>", "dense<1065353216> : tensor<1xi32>");
  bitcast("dense<[305419896]> : tensor<1xi32>",
          "dense<[[120, 86, 52, 18]]> : tensor<1x4xi8>");
  bitcast("dense<[[120, 86, 52, 18]]> : tensor<1x4xui8>",
          "dense<[305419896]> : tensor<1xui32>");
  bitcast("dense<[18, -1]> : tensor<2xi8>",
          "dense<[[2, 1], [-1, -1]]> : tensor<2x2xi4>");
  bitcast("dense<[[2, 1], [15, 8]]> : tensor<2x2xui4>",
          "dense<[18, -113]> : tensor<2xi8>");
  bitcast("dense<[-28]> : tensor<1xi8>",
          "dense<[[0, 1, -2, -1]]> : tensor<1x4xi2>");
  bitcast("dense<[-1, 3]> : tensor<2xi4>", "dense<[15, 3]> : tensor<2xui4>");
  bitcast("dense<[[1, 0, 1, 0, 0, 0, 0, 1]]> : tensor<1x8xi1>",
          "dense<[133]> : tensor<1xui8>");
  bitcast("dense<[4, 7]> : tensor<2xi4>",
          "dense<[2.0, 6.0]> : tensor<2xf4E2M1FN>");
  bitcast("dense<[(1.0, 2.0)]> : tensor<1xcomplex<f64>>",
          "dense<[[(0.0, 1.875), (0.0, 2.0)]]> : tensor<1x2xcomplex<f32>>");
}

TEST_F(DataMovement, NaNsKeepTheirPayload) {
  for (const char *op :
       {"reverse %0, dims = [0] : tensor<1xf32>",
        "reshape %0 : (tensor<1xf32>) -> tensor<1xf32>",
        "transpose %0, dims = [0] : (tensor<1xf32>) -> tensor<1xf32>",
        "concatenate %0, dim = 0 : (tensor<1xf32>) -> tensor<1xf32>",
        "slice %0 [0:1] : (tensor<1xf32>) -> tensor<1xf32>"}) {
    auto results =
        programs.apply(("stablehlo." + llvm::StringRef(op)).str(),
                       {"dense<0xFF800123> : tensor<1xf32>"}, "tensor<1xf32>");
    ASSERT_TRUE(results) << programs.messages;
    uint32_t word = 0;
    std::memcpy(&word, results->front().tensor()->data(), 4);
    EXPECT_EQ(word, 0xFF800123u) << op;
  }
}

TEST_F(DataMovement, ShapesThatTheProgramComputes) {
  auto results = programs.run(
      R"(func.func @main(%s: tensor<2xi32>, %a: tensor<?xi32>) -> (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<i32>) {
    %0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
    %1 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x?xi32>
    %t = stablehlo.reverse %s, dims = [0] : tensor<2xi32>
    %2 = stablehlo.dynamic_reshape %0, %t : (tensor<?x?xi32>, tensor<2xi32>) -> tensor<?x?xi32>
    %one = stablehlo.constant dense<1> : tensor<1xi32>
    %three = stablehlo.constant dense<3> : tensor<1xi32>
    %two = stablehlo.constant dense<2> : tensor<1xi32>
    %3 = stablehlo.real_dynamic_slice %a, %one, %three, %two : (tensor<?xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.dynamic_pad %3, %zero, %one, %two, %one : (tensor<?xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
    %5 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x?xi32>) -> tensor<i32>
    return %0, %1, %2, %3, %4, %5 : tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<i32>
  })",
      {programs.tensor("dense<[2, 3]> : tensor<2xi32>"),
       programs.tensor("dense<[7, 8, 9]> : tensor<3xi32>")});
  ASSERT_TRUE(results) << programs.messages;
  const char *expected[] = {"dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>",
                            "dense<[[7, 8, 9], [7, 8, 9]]> : tensor<2x3xi32>",
                            "dense<[[0, 1], [2, 0], [1, 2]]> : tensor<3x2xi32>",
                            "dense<[8]> : tensor<1xi32>",
                            "dense<[0, 8, 0, 0]> : tensor<4xi32>",
                            "dense<3> : tensor<i32>"};
  for (auto [result, text] : llvm::zip(*results, expected))
    Programs::expectSame(*result.tensor(), programs.tensor(text), 0, text);
}

TEST_F(DataMovement, ShapesThatDoNotFitAreErrors) {
  Value three = programs.tensor("dense<[7, 8, 9]> : tensor<3xi32>"),
        negative = programs.tensor("dense<[-1]> : tensor<1xi32>"),
        huge = programs.tensor("dense<[9223372036854775807]> : tensor<1xi64>");
  expectError(
      R"(func.func @main(%a: tensor<?xi32>) -> tensor<2x4xi32> {
    %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<?xi32>) -> tensor<2x4xi32>
    return %0 : tensor<2x4xi32>
  })",
      {three}, "expected dimension 0 of the operand to be 1 or 4, got 3");
  expectError(
      R"(func.func @main(%a: tensor<?xi32>) -> tensor<4xi32> {
    %0 = stablehlo.reshape %a : (tensor<?xi32>) -> tensor<4xi32>
    return %0 : tensor<4xi32>
  })",
      {three}, "expected a shape of 3 elements, got 'tensor<4xi32>'");
  expectError(
      R"(func.func @main(%s: tensor<1xi32>) -> tensor<?xi32> {
    %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
    return %0 : tensor<?xi32>
  })",
      {negative}, "expected a shape of extents of at least 0, got -1");
  expectError(
      R"(func.func @main(%s: tensor<1xi64>) -> tensor<?xi32> {
    %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi64>) -> tensor<?xi32>
    return %0 : tensor<?xi32>
  })",
      {huge}, "expected tensors of at most 4 GiB");
  expectError(
      R"(func.func @main(%a: tensor<?xi32>, %s: tensor<1xi32>) -> tensor<?xi32> {
    %0 = stablehlo.real_dynamic_slice %a, %s, %s, %s : (tensor<?xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
    return %0 : tensor<?xi32>
  })",
      {three, negative},
      "expected a slice within [0, 3) in dimension 0, got -1:-1:-1");
}

} // namespace
