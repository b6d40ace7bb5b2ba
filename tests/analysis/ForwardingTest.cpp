// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/Forwarding.h"
#include "maps/Program.h"

using namespace mercator;
using namespace mercator::maps;
using mercator::testing::Program;

namespace {

/// Where a leaf comes from, through all that hands it on.
Leaf originOf(Leaf leaf) {
  Leaves leaves;
  while (std::optional<Leaf> from = forwardedLeaf(leaf, leaves))
    leaf = *from;
  return leaf;
}

TEST(Forwarding, ThroughTuplesAndBarriers) {
  Program program(R"(
    func.func @f(%x: tensor<2xf32>, %y: tensor<3xf32>)
        -> (tensor<2xf32>, tensor<3xf32>, tuple<tuple<tensor<3xf32>, tensor<2xf32>>, tensor<2xf32>>) {
      %b:2 = stablehlo.optimization_barrier %x, %y : tensor<2xf32>, tensor<3xf32>
      %n = stablehlo.negate %b#0 : tensor<2xf32>
      %t = stablehlo.tuple %b#1, %n : tuple<tensor<3xf32>, tensor<2xf32>>
      %u = stablehlo.tuple %t, %x : tuple<tuple<tensor<3xf32>, tensor<2xf32>>, tensor<2xf32>>
      %t2 = stablehlo.get_tuple_element %u[0] : (tuple<tuple<tensor<3xf32>, tensor<2xf32>>, tensor<2xf32>>) -> tuple<tensor<3xf32>, tensor<2xf32>>
      %n2 = stablehlo.get_tuple_element %t2[1] : (tuple<tensor<3xf32>, tensor<2xf32>>) -> tensor<2xf32>
      %y2 = stablehlo.get_tuple_element %t2[0] : (tuple<tensor<3xf32>, tensor<2xf32>>) -> tensor<3xf32>
      return %n2, %y2, %u : tensor<2xf32>, tensor<3xf32>, tuple<tuple<tensor<3xf32>, tensor<2xf32>>, tensor<2xf32>>
    })");
  mlir::Block &block = program.function("f").getBody().front();
  mlir::Operation *end = block.getTerminator();
  mlir::Value x = block.getArgument(0), y = block.getArgument(1),
              n = program.find("stablehlo.negate")->getResult(0),
              tuple = end->getOperand(2);
  EXPECT_EQ(originOf({end->getOperand(0)}).value, n);
  EXPECT_EQ(originOf({end->getOperand(1)}).value, y);
  EXPECT_EQ(originOf({tuple, 0}).value, y);
  EXPECT_EQ(originOf({tuple, 1}).value, n);
  EXPECT_EQ(originOf({tuple, 2}).value, x);

  Leaves leaves;
  EXPECT_FALSE(forwardedLeaf({n}, leaves));
  EXPECT_FALSE(forwardedLeaf({x}, leaves));
  EXPECT_FALSE(forwardedOperand(llvm::cast<mlir::OpResult>(tuple)));
}

} // namespace
