// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results of the provenance evaluator for small programs, compared with results
// computed by hand.

#include "Programs.h"

#include "mercator/reference/provenance/Provenance.h"

using namespace mercator::reference;

namespace {

/// For each element of the result of @main: the elements of the arguments that
/// it depends on, numbered consecutively.
class ProvenanceTest : public ::testing::Test {
protected:
  using Sets = std::vector<std::vector<size_t>>;

  Sets trace(llvm::StringRef text, const std::vector<std::string> &arguments) {
    messages.clear();
    mlir::ScopedDiagnosticHandler handler(
        &programs.context,
        [&](mlir::Diagnostic &it) { messages += it.str() + "\n"; });
    auto module =
        mlir::parseSourceString<mlir::ModuleOp>(text, &programs.context);
    EXPECT_TRUE(module) << messages;
    if (!module)
      return {};
    ProvenanceSets sets(64);
    Provenance provenance(*module, sets);
    size_t first = 0;
    std::vector<Traced> traced;
    for (const std::string &argument : arguments)
      traced.push_back(provenance.identify(programs.tensor(argument), first));
    llvm::FailureOr<std::vector<Traced>> results = provenance.call(
        module->lookupSymbol<mlir::func::FuncOp>("main"), traced);
    if (failed(results))
      return {};
    Sets out;
    for (ProvenanceSets::Id set : results->front().origin.elements) {
      out.emplace_back();
      sets.forEach(set, [&](size_t n) { out.back().push_back(n); });
    }
    return out;
  }

  Programs programs;
  std::string messages;
};

TEST_F(ProvenanceTest, ASumReadsItsRowAndTheInitialValue) {
  EXPECT_EQ(trace(R"(func.func @main(%x: tensor<2x3xf32>, %z: tensor<f32>)
      -> tensor<2xf32> {
    %s = stablehlo.reduce(%x init: %z) applies stablehlo.add
        across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>)
        -> tensor<2xf32>
    return %s : tensor<2xf32>
  })",
                  {"dense<1.0> : tensor<2x3xf32>", "dense<0.0> : tensor<f32>"}),
            (Sets{{0, 1, 2, 6}, {3, 4, 5, 6}}));
}

TEST_F(ProvenanceTest, ABodyIsFollowed) {
  EXPECT_EQ(trace(R"(func.func @main(%x: tensor<3xf32>, %z: tensor<f32>)
      -> tensor<f32> {
    %s = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %b : tensor<f32>
    }) : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    return %s : tensor<f32>
  })",
                  {"dense<1.0> : tensor<3xf32>", "dense<0.0> : tensor<f32>"}),
            (Sets{{2}}));
}

TEST_F(ProvenanceTest, SelectReadsBothSides) {
  EXPECT_EQ(trace(R"(func.func @main(%p: tensor<2xi1>, %x: tensor<2xf32>,
      %y: tensor<2xf32>) -> tensor<2xf32> {
    %s = stablehlo.select %p, %x, %y : tensor<2xi1>, tensor<2xf32>
    return %s : tensor<2xf32>
  })",
                  {"dense<[true, false]> : tensor<2xi1>",
                   "dense<1.0> : tensor<2xf32>", "dense<1.0> : tensor<2xf32>"}),
            (Sets{{0, 2, 4}, {1, 3, 5}}));
}

TEST_F(ProvenanceTest, AWindowIsMovedIntoTheOperand) {
  // The start 9 becomes 2; both elements read it, number 4.
  EXPECT_EQ(trace(R"(func.func @main(%x: tensor<4xf32>, %i: tensor<i32>)
      -> tensor<2xf32> {
    %s = stablehlo.dynamic_slice %x, %i, sizes = [2]
        : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
    return %s : tensor<2xf32>
  })",
                  {"dense<1.0> : tensor<4xf32>", "dense<9> : tensor<i32>"}),
            (Sets{{2, 4}, {3, 4}}));
}

TEST_F(ProvenanceTest, PaddingIsReadWhereNoElementIs) {
  EXPECT_EQ(trace(R"(func.func @main(%x: tensor<3xf32>, %p: tensor<f32>)
      -> tensor<4xf32> {
    %s = stablehlo.pad %x, %p, low = [-1], high = [2], interior = [0]
        : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
    return %s : tensor<4xf32>
  })",
                  {"dense<1.0> : tensor<3xf32>", "dense<0.0> : tensor<f32>"}),
            (Sets{{1}, {2}, {3}, {3}}));
}

TEST_F(ProvenanceTest, AnElementOfAScatterReadsAllIndicesAndItsUpdates) {
  // Updates 5, 6, 7 go to 2, nowhere, 2; indices are 8, 9, 10.
  EXPECT_EQ(trace(R"(func.func @main(%x: tensor<5xf32>, %u: tensor<3xf32>,
      %i: tensor<3x1xi32>) -> tensor<5xf32> {
    %s = "stablehlo.scatter"(%x, %i, %u) <{
      scatter_dimension_numbers = #stablehlo.scatter<
        inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
        index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<5xf32>
    return %s : tensor<5xf32>
  })",
                  {"dense<1.0> : tensor<5xf32>", "dense<1.0> : tensor<3xf32>",
                   "dense<[[2], [7], [2]]> : tensor<3x1xi32>"}),
            (Sets{{0, 8, 9, 10},
                  {1, 8, 9, 10},
                  {2, 5, 7, 8, 9, 10},
                  {3, 8, 9, 10},
                  {4, 8, 9, 10}}));
}

TEST_F(ProvenanceTest, WhatALoopGivesReadsItsConditions) {
  // Two rounds: x is added twice. All results depend on the limit.
  EXPECT_EQ(trace(R"(func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>,
      %n: tensor<i32>) -> tensor<2xf32> {
    %i = stablehlo.constant dense<0> : tensor<i32>
    %r:2 = stablehlo.while(%k = %i, %s = %y) : tensor<i32>, tensor<2xf32>
     cond {
      %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %t = stablehlo.reverse %s, dims = [0] : tensor<2xf32>
      %a = stablehlo.add %t, %x : tensor<2xf32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %k, %one : tensor<i32>
      stablehlo.return %j, %a : tensor<i32>, tensor<2xf32>
    }
    return %r#1 : tensor<2xf32>
  })",
                  {"dense<1.0> : tensor<2xf32>", "dense<1.0> : tensor<2xf32>",
                   "dense<2> : tensor<i32>"}),
            (Sets{{0, 1, 2, 4}, {0, 1, 3, 4}}));
}

TEST_F(ProvenanceTest, TheBranchThatIsTakenIsRead) {
  EXPECT_EQ(trace(R"(func.func @main(%p: tensor<i1>, %x: tensor<f32>,
      %y: tensor<f32>) -> tensor<f32> {
    %r = "stablehlo.if"(%p) ({
      stablehlo.return %x : tensor<f32>
    }, {
      stablehlo.return %y : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    return %r : tensor<f32>
  })",
                  {"dense<false> : tensor<i1>", "dense<1.0> : tensor<f32>",
                   "dense<1.0> : tensor<f32>"}),
            (Sets{{0, 2}}));
}

TEST_F(ProvenanceTest, ATriangleIsReadUpToTheColumn) {
  // L[2, 1] of a 3 x 3 matrix: A[2, 0], A[2, 1] and the triangle before.
  Sets sets = trace(R"(func.func @main(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
    %r = stablehlo.cholesky %x, lower = true : tensor<3x3xf32>
    return %r : tensor<3x3xf32>
  })",
                    {"dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, "
                     "1.0]]> : tensor<3x3xf32>"});
  ASSERT_EQ(sets.size(), 9u);
  EXPECT_EQ(sets[0], (std::vector<size_t>{0}));
  EXPECT_EQ(sets[1], (std::vector<size_t>{}));
  EXPECT_EQ(sets[7], (std::vector<size_t>{0, 3, 4, 6, 7}));
}

TEST_F(ProvenanceTest, AnOperationWithoutARuleIsAnError) {
  EXPECT_EQ(trace(R"(func.func @main(%x: tensor<f32>) -> tensor<f32> {
    %r = stablehlo.custom_call @foo(%x) : (tensor<f32>) -> tensor<f32>
    return %r : tensor<f32>
  })",
                  {"dense<1.0> : tensor<f32>"}),
            Sets());
  EXPECT_NE(messages.find("has no access rule: only "
                          "the target knows what it does"),
            std::string::npos)
      << messages;
}

} // namespace
