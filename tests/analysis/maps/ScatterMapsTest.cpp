// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scatters: the elements that updates go to, and the elements of the input that
// stay.

#include "Program.h"

using namespace mercator;
using namespace mercator::testing;

namespace {

/// A scatter of one input; `dims` are its dimension numbers.
std::string scatter(llvm::StringRef dims, llvm::StringRef types,
                    llvm::StringRef result, bool add = true,
                    llvm::StringRef indices = "") {
  return (indices +
          "\n%0 = \"stablehlo.scatter\"(%x, %i, %u) "
          "<{scatter_dimension_numbers = #stablehlo.scatter<" +
          dims + ">}> ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n" +
          (add ? "%m = stablehlo.add %a, %b : tensor<f32>\nstablehlo.return %m"
               : "stablehlo.return %b") +
          " : tensor<f32> }) : (" + types + ") -> " + result)
      .str();
}

constexpr const char *kRows =
    "update_window_dims = [1], inserted_window_dims = [0], "
    "scatter_dims_to_operand_dims = [0], index_vector_dim = 1";

TEST(ScatterMaps, RowsOfAnEmbedding) {
  const char *arguments =
      "%x: tensor<10x4xf32>, %i: tensor<6x1xi32>, %u: tensor<6x4xf32>";
  std::string operation =
      scatter(kRows, "tensor<10x4xf32>, tensor<6x1xi32>, tensor<6x4xf32>",
              "tensor<10x4xf32>");
  llvm::StringRef identity =
      "(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 3]";
  check({arguments,
         operation.c_str(),
         "stablehlo.scatter",
         0,
         {identity},
         {identity}});
  check({arguments,
         operation.c_str(),
         "stablehlo.scatter",
         1,
         {"(d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 9], d1 in [0, 3], "
          "s0 in [0, 5], s1 in [0, 0]"},
         {"(d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 5], d1 in [0, 0], "
          "s0 in [0, 9], s1 in [0, 3]"}});
  // Updates out of range are dropped: rt0 = 10 and rt0 = -1 stand for them.
  check({arguments,
         operation.c_str(),
         "stablehlo.scatter",
         2,
         {"(d0, d1)[s0]{rt0} -> (s0, d1), domain: d0 in [0, 9], d1 in [0, 3], "
          "s0 in [0, 5], rt0 in [-1, 10], d0 - rt0 in [0, 0]"},
         {"(d0, d1){rt0} -> (rt0, d1), domain: d0 in [0, 5], d1 in [0, 3], rt0 "
          "in [-1, 10], rt0 in [0, 9]"}});

  // The index that is read.
  Program program(around(operation, arguments));
  Arena arena;
  MapSet maps = mapsOf(program.find("stablehlo.scatter"), arena, kOut, 2, 0);
  const indexing::RuntimeVariable &v = maps[0].map.domain.runtimes[0];
  EXPECT_EQ(arena.name(v.source), "f/arg1");
  ASSERT_EQ(v.index.size(), 2u);
  EXPECT_EQ(v.index[0], arena.range(0));
  EXPECT_EQ(v.index[1], arena.constant(0));
}

TEST(ScatterMaps, IndicesThatAreAProgression) {
  const char *arguments = "%x: tensor<10x4xf32>, %u: tensor<6x4xf32>";
  const char *types = "tensor<10x4xf32>, tensor<6x1xi32>, tensor<6x4xf32>";
  std::string operation = scatter(
      kRows, types, "tensor<10x4xf32>", true,
      "%i = stablehlo.constant dense<[[1], [3], [5], [7], [9], [11]]> : "
      "tensor<6x1xi32>");
  check({arguments,
         operation.c_str(),
         "stablehlo.scatter",
         2,
         {"(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 9], d1 in [0, 3], s0 in "
          "[0, 5], d0 - 2 * s0 in [1, 1]"},
         {"(d0, d1) -> (d0 * 2 + 1, d1), domain: d0 in [0, 4], d1 in [0, 3]"}});
  operation = scatter(kRows, types, "tensor<10x4xf32>", true,
                      "%i = stablehlo.iota dim = 0 : tensor<6x1xi32>");
  check({arguments,
         operation.c_str(),
         "stablehlo.scatter",
         2,
         {"(d0, d1) -> (d0, d1), domain: d0 in [0, 5], d1 in [0, 3]"},
         {"(d0, d1) -> (d0, d1), domain: d0 in [0, 5], d1 in [0, 3]"}});
  // All updates at row 3: their sum.
  operation = scatter(kRows, types, "tensor<10x4xf32>", true,
                      "%i = stablehlo.constant dense<3> : tensor<6x1xi32>");
  check({arguments,
         operation.c_str(),
         "stablehlo.scatter",
         2,
         {"(d0, d1)[s0] -> (s0, d1), domain: d0 in [3, 3], d1 in [0, 3], s0 in "
          "[0, 5]"},
         {"(d0, d1) -> (3, d1), domain: d0 in [0, 5], d1 in [0, 3]"}});
}

TEST(ScatterMaps, IndicesThatAreATable) {
  const char *arguments = "%x: tensor<10xf32>, %u: tensor<3xf32>";
  const char *dims = "inserted_window_dims = [0], scatter_dims_to_operand_dims "
                     "= [0], index_vector_dim = 1";
  const char *types = "tensor<10xf32>, tensor<3x1xi32>, tensor<3xf32>";
  const char *indices =
      "%i = stablehlo.constant dense<[[4], [1], [12]]> : tensor<3x1xi32>";
  std::string operation = scatter(dims, types, "tensor<10xf32>", true, indices);
  check({arguments,
         operation.c_str(),
         "stablehlo.scatter",
         2,
         {"(d0) -> (0), domain: d0 in [4, 4]",
          "(d0) -> (1), domain: d0 in [1, 1]"},
         {"(d0) -> (4), domain: d0 in [0, 0]",
          "(d0) -> (1), domain: d0 in [1, 1]"}});
  // A body that returns the update keeps the other elements.
  operation = scatter(dims, types, "tensor<10xf32>", false, indices);
  llvm::StringRef kept =
      "(d0) -> (d0), domain: d0 in [0, 9], max(3 - d0, d0 - 5) in [0, inf], "
      "max(0 - d0, d0 - 2) in [0, inf]";
  check({arguments, operation.c_str(), "stablehlo.scatter", 0, {kept}, {kept}});
}

TEST(ScatterMaps, OneWindowReplaces) {
  // As a dynamic_update_slice, except for windows that leave the input.
  const char *arguments =
      "%x: tensor<10x4xf32>, %i: tensor<1xi32>, %u: tensor<3x4xf32>";
  std::string operation = scatter(
      "update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0], "
      "index_vector_dim = 0",
      "tensor<10x4xf32>, tensor<1xi32>, tensor<3x4xf32>", "tensor<10x4xf32>",
      false);
  llvm::StringRef kept =
      "(d0, d1){rt0} -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 3], rt0 in "
      "[-3, 10], max(rt0 - d0 - 1, d0 - rt0 - 3) in [0, inf]";
  check({arguments, operation.c_str(), "stablehlo.scatter", 0, {kept}, {kept}});
  check({arguments,
         operation.c_str(),
         "stablehlo.scatter",
         2,
         {"(d0, d1){rt0} -> (d0 - rt0, d1), domain: d0 in [0, 9], d1 in [0, "
          "3], rt0 in [-3, 10], d0 - rt0 in [0, 2]"},
         {"(d0, d1){rt0} -> (d0 + rt0, d1), domain: d0 in [0, 2], d1 in [0, "
          "3], rt0 in [-3, 10], d0 + rt0 in [0, 9]"}});
}

TEST(ScatterMaps, BatchesAreIndependent) {
  const char *arguments =
      "%x: tensor<5x7xf32>, %i: tensor<3x5xi32>, %u: tensor<3x5xf32>";
  std::string operation = scatter(
      "inserted_window_dims = [1], input_batching_dims = [0], "
      "scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = "
      "[1], index_vector_dim = 2",
      "tensor<5x7xf32>, tensor<3x5xi32>, tensor<3x5xf32>", "tensor<5x7xf32>");
  check({arguments,
         operation.c_str(),
         "stablehlo.scatter",
         1,
         {"(d0, d1)[s0] -> (s0, d0), domain: d0 in [0, 4], d1 in [0, 6], s0 in "
          "[0, 2]"},
         {"(d0, d1)[s0] -> (d1, s0), domain: d0 in [0, 2], d1 in [0, 4], s0 in "
          "[0, 6]"}});
  check({arguments,
         operation.c_str(),
         "stablehlo.scatter",
         2,
         {"(d0, d1)[s0]{rt0} -> (s0, d0), domain: d0 in [0, 4], d1 in [0, 6], "
          "s0 in [0, 2], rt0 in [-1, 7], d1 - rt0 in [0, 0]"},
         {"(d0, d1){rt0} -> (d1, rt0), domain: d0 in [0, 2], d1 in [0, 4], rt0 "
          "in [-1, 7], rt0 in [0, 6]"}});
}

TEST(ScatterMaps, SelectAndScatter) {
  const char *arguments =
      "%x: tensor<6xf32>, %s: tensor<3xf32>, %i: tensor<f32>";
  const char *operation = R"(
    %0 = "stablehlo.select_and_scatter"(%x, %s, %i)
        <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %m : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<6xf32>, tensor<3xf32>, tensor<f32>) -> tensor<6xf32>)";
  // The two elements of the same window.
  llvm::StringRef window =
      "(d0)[s0] -> ((d0 floordiv 2) * 2 + s0), domain: d0 in [0, 5], s0 in [0, "
      "1]";
  check({arguments,
         operation,
         "stablehlo.select_and_scatter",
         0,
         {window},
         {window}});
  check({arguments,
         operation,
         "stablehlo.select_and_scatter",
         1,
         {"~(d0) -> (d0 floordiv 2), domain: d0 in [0, 5]"},
         {"~(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 2], s0 in [0, 1]"}});
  check({arguments,
         operation,
         "stablehlo.select_and_scatter",
         2,
         {"(d0) -> (), domain: d0 in [0, 5]"},
         {"()[s0] -> (s0), domain: s0 in [0, 5]"}});
}

} // namespace
