// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Products whose columns are in groups: neighbors in the result, apart in the
// operand, such as the heads of each query. Groups that fill a part of a vector, a
// whole one and more, terms that are neighbors and terms that are not, batches, and
// numbers of rows and columns that tiles do not divide.
// RUN: mercator run %s --check --input=random:1 | FileCheck %s
// RUN: mercator run %s --check --input=random:1 --schedule=random:5 | FileCheck %s
// CHECK-COUNT-11: equal to the evaluator's
// CHECK-NOT: differ

func.func @main(%a0: tensor<61x2x9xf32>, %b0: tensor<13x2x2x9xf32>,
                %a1: tensor<61x2x9xf32>, %b1: tensor<13x2x3x9xf32>,
                %a2: tensor<61x2x9xf32>, %b2: tensor<13x2x4x9xf32>,
                %a3: tensor<61x2x9xf32>, %b3: tensor<13x2x8x9xf32>,
                %a4: tensor<61x2x9xf32>, %b4: tensor<13x2x16x9xf32>,
                %a5: tensor<61x2x9xf32>, %b5: tensor<13x2x32x9xf32>,
                %a6: tensor<2x50x17xf32>, %b6: tensor<2x21x17x4xf32>,
                %a7: tensor<2x50x17xf32>, %b7: tensor<2x21x17x5xf32>,
                %a8: tensor<50x33xf32>, %b8: tensor<11x2x33x8xf32>,
                %a9: tensor<49x20xf64>, %b9: tensor<7x20x2xf64>,
                %a10: tensor<49x300xf32>, %b10: tensor<7x300x4xf32>)
    -> (tensor<2x61x13x2xf32>, tensor<2x61x13x3xf32>, tensor<2x61x13x4xf32>, tensor<2x61x13x8xf32>, tensor<2x61x13x16xf32>, tensor<2x61x13x32xf32>, tensor<2x50x21x4xf32>, tensor<2x50x21x5xf32>, tensor<50x11x2x8xf32>, tensor<49x7x2xf64>, tensor<49x7x4xf32>) {
  %0 = stablehlo.dot_general %a0, %b0, batching_dims = [1] x [1], contracting_dims = [2] x [3] : (tensor<61x2x9xf32>, tensor<13x2x2x9xf32>) -> tensor<2x61x13x2xf32>
  %1 = stablehlo.dot_general %a1, %b1, batching_dims = [1] x [1], contracting_dims = [2] x [3] : (tensor<61x2x9xf32>, tensor<13x2x3x9xf32>) -> tensor<2x61x13x3xf32>
  %2 = stablehlo.dot_general %a2, %b2, batching_dims = [1] x [1], contracting_dims = [2] x [3] : (tensor<61x2x9xf32>, tensor<13x2x4x9xf32>) -> tensor<2x61x13x4xf32>
  %3 = stablehlo.dot_general %a3, %b3, batching_dims = [1] x [1], contracting_dims = [2] x [3] : (tensor<61x2x9xf32>, tensor<13x2x8x9xf32>) -> tensor<2x61x13x8xf32>
  %4 = stablehlo.dot_general %a4, %b4, batching_dims = [1] x [1], contracting_dims = [2] x [3] : (tensor<61x2x9xf32>, tensor<13x2x16x9xf32>) -> tensor<2x61x13x16xf32>
  %5 = stablehlo.dot_general %a5, %b5, batching_dims = [1] x [1], contracting_dims = [2] x [3] : (tensor<61x2x9xf32>, tensor<13x2x32x9xf32>) -> tensor<2x61x13x32xf32>
  %6 = stablehlo.dot_general %a6, %b6, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x50x17xf32>, tensor<2x21x17x4xf32>) -> tensor<2x50x21x4xf32>
  %7 = stablehlo.dot_general %a7, %b7, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x50x17xf32>, tensor<2x21x17x5xf32>) -> tensor<2x50x21x5xf32>
  %8 = stablehlo.dot_general %a8, %b8, contracting_dims = [1] x [2] : (tensor<50x33xf32>, tensor<11x2x33x8xf32>) -> tensor<50x11x2x8xf32>
  %9 = stablehlo.dot_general %a9, %b9, contracting_dims = [1] x [1] : (tensor<49x20xf64>, tensor<7x20x2xf64>) -> tensor<49x7x2xf64>
  %10 = stablehlo.dot_general %a10, %b10, contracting_dims = [1] x [1] : (tensor<49x300xf32>, tensor<7x300x4xf32>) -> tensor<49x7x4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<2x61x13x2xf32>, tensor<2x61x13x3xf32>, tensor<2x61x13x4xf32>, tensor<2x61x13x8xf32>, tensor<2x61x13x16xf32>, tensor<2x61x13x32xf32>, tensor<2x50x21x4xf32>, tensor<2x50x21x5xf32>, tensor<50x11x2x8xf32>, tensor<49x7x2xf64>, tensor<49x7x4xf32>
}
