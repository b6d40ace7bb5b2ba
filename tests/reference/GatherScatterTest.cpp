// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Gathers and scatters, by handwritten tables.

#include "Programs.h"

using namespace mercator::reference;

namespace {

struct GatherScatter : testing::Test {
  Programs programs;

  /// @main with these arguments returns `expected`.
  void expect(llvm::StringRef text, llvm::ArrayRef<llvm::StringRef> arguments,
              llvm::ArrayRef<llvm::StringRef> expected) {
    std::vector<Value> values;
    for (llvm::StringRef argument : arguments)
      values.emplace_back(programs.tensor(argument));
    auto results = programs.run(text, values);
    ASSERT_TRUE(results) << programs.messages;
    ASSERT_EQ(results->size(), expected.size());
    for (auto [result, want] : llvm::zip(*results, expected))
      Programs::expectSame(*result.tensor(), programs.tensor(want), 0, text);
  }
};

TEST_F(GatherScatter, RowsByIndexClamped) {
  expect(
      R"(func.func @main(%a: tensor<3x2xi8>, %i: tensor<4x1xi32>) -> tensor<4x2xi8> {
    %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>} : (tensor<3x2xi8>, tensor<4x1xi32>) -> tensor<4x2xi8>
    return %0 : tensor<4x2xi8>
  })",
      {"dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>",
       "dense<[[2], [0], [9], [-5]]> : tensor<4x1xi32>"},
      {"dense<[[5, 6], [1, 2], [5, 6], [1, 2]]> : tensor<4x2xi8>"});
}

TEST_F(GatherScatter, BatchesAndIndexVectorsThatAreNotLast) {
  // For each batch b, the pair of columns that starts at i[0, b].
  expect(
      R"(func.func @main(%a: tensor<2x4xi8>, %i: tensor<1x2xui8>) -> tensor<2x2xi8> {
    %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 0>, slice_sizes = array<i64: 1, 2>} : (tensor<2x4xi8>, tensor<1x2xui8>) -> tensor<2x2xi8>
    return %0 : tensor<2x2xi8>
  })",
      {"dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi8>",
       "dense<[[1, 200]]> : tensor<1x2xui8>"},
      {"dense<[[2, 3], [7, 8]]> : tensor<2x2xi8>"});
  // Without an index vector dimension, each index is a vector of one component.
  expect(
      R"(func.func @main(%a: tensor<4xi8>, %i: tensor<2xi64>) -> tensor<2x2xi8> {
    %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2>} : (tensor<4xi8>, tensor<2xi64>) -> tensor<2x2xi8>
    return %0 : tensor<2x2xi8>
  })",
      {"dense<[1, 2, 3, 4]> : tensor<4xi8>", "dense<[0, 2]> : tensor<2xi64>"},
      {"dense<[[1, 3], [2, 4]]> : tensor<2x2xi8>"});
}

TEST_F(GatherScatter, SliceSizesThatTheProgramComputes) {
  const char *text =
      R"(func.func @main(%a: tensor<4xi8>, %i: tensor<2xi64>, %s: tensor<1xi32>) -> tensor<2x?xi8> {
    %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>} : (tensor<4xi8>, tensor<2xi64>, tensor<1xi32>) -> tensor<2x?xi8>
    return %0 : tensor<2x?xi8>
  })";
  expect(text,
         {"dense<[1, 2, 3, 4]> : tensor<4xi8>", "dense<[0, 9]> : tensor<2xi64>",
          "dense<3> : tensor<1xi32>"},
         {"dense<[[1, 2, 3], [2, 3, 4]]> : tensor<2x3xi8>"});
  EXPECT_FALSE(
      programs.run(text, {programs.tensor("dense<[1, 2, 3, 4]> : tensor<4xi8>"),
                          programs.tensor("dense<[0, 9]> : tensor<2xi64>"),
                          programs.tensor("dense<5> : tensor<1xi32>")}));
  EXPECT_NE(
      programs.messages.find("expected slice size 0 within [0, 4], got 5"),
      std::string::npos)
      << programs.messages;
}

TEST_F(GatherScatter, TorchIndexSelect) {
  expect(
      R"(func.func @main(%a: tensor<2x3xi8>, %i: tensor<2x2xi64>) -> tensor<2x2xi8> {
    %0 = "stablehlo.torch_index_select"(%a, %i) {dim = 1 : i64, batch_dims = 1 : i64} : (tensor<2x3xi8>, tensor<2x2xi64>) -> tensor<2x2xi8>
    return %0 : tensor<2x2xi8>
  })",
      {"dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>",
       "dense<[[2, 0], [1, 1]]> : tensor<2x2xi64>"},
      {"dense<[[3, 1], [5, 5]]> : tensor<2x2xi8>"});
}

TEST_F(GatherScatter, ScatterSkipsWhatIsOutOfBounds) {
  const char *text =
      R"(func.func @main(%a: tensor<4xi32>, %i: tensor<3x1xi64>, %u: tensor<3x2xi32>) -> tensor<4xi32> {
    %0 = "stablehlo.scatter"(%a, %i, %u) ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %s = stablehlo.add %x, %y : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4xi32>, tensor<3x1xi64>, tensor<3x2xi32>) -> tensor<4xi32>
    return %0 : tensor<4xi32>
  })";
  expect(text,
         {"dense<[1, 2, 3, 4]> : tensor<4xi32>",
          "dense<[[0], [1], [9223372036854775807]]> : tensor<3x1xi64>",
          "dense<[[10, 20], [100, 200], [1, 1]]> : tensor<3x2xi32>"},
         {"dense<[11, 122, 203, 4]> : tensor<4xi32>"});
  // Element by element, as specified: some elements of a window may be in
  // bounds.
  expect(text,
         {"dense<[1, 2, 3, 4]> : tensor<4xi32>",
          "dense<[[-1], [3], [-2]]> : tensor<3x1xi64>",
          "dense<[[10, 20], [100, 200], [1, 1]]> : tensor<3x2xi32>"},
         {"dense<[21, 2, 3, 104]> : tensor<4xi32>"});
}

TEST_F(GatherScatter, ScatterOfSeveralInputsAtOnce) {
  // The larger of the first, with the corresponding second.
  expect(
      R"(func.func @main(%a: tensor<2xf32>, %b: tensor<2xi8>, %i: tensor<3x1xi32>, %u: tensor<3xf32>, %v: tensor<3xi8>) -> (tensor<2xf32>, tensor<2xi8>) {
    %0:2 = "stablehlo.scatter"(%a, %b, %i, %u, %v) ({
    ^bb0(%x: tensor<f32>, %y: tensor<i8>, %z: tensor<f32>, %w: tensor<i8>):
      %c = stablehlo.compare GE, %x, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %p = stablehlo.select %c, %x, %z : tensor<i1>, tensor<f32>
      %q = stablehlo.select %c, %y, %w : tensor<i1>, tensor<i8>
      stablehlo.return %p, %q : tensor<f32>, tensor<i8>
    }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<2xf32>, tensor<2xi8>, tensor<3x1xi32>, tensor<3xf32>, tensor<3xi8>) -> (tensor<2xf32>, tensor<2xi8>)
    return %0#0, %0#1 : tensor<2xf32>, tensor<2xi8>
  })",
      {"dense<[1.0, 5.0]> : tensor<2xf32>", "dense<[1, 2]> : tensor<2xi8>",
       "dense<[[0], [0], [1]]> : tensor<3x1xi32>",
       "dense<[2.0, 1.5, 3.0]> : tensor<3xf32>",
       "dense<[7, 8, 9]> : tensor<3xi8>"},
      {"dense<[2.0, 5.0]> : tensor<2xf32>", "dense<[7, 2]> : tensor<2xi8>"});
}

} // namespace
