// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Products and convolutions as vector code: rows and columns that tiles do not
// divide, both operands in panels, transposed operands, batches, strides.
// RUN: mercator run %s --check --input=random:1 | FileCheck %s
// CHECK-COUNT-11: equal to the evaluator's
// CHECK-NOT: differ

func.func @main(%a: tensor<101x256xf32>, %b: tensor<256x263xf32>, %bt: tensor<263x256xf32>,
                %d: tensor<19x29xf64>, %e: tensor<29x21xf64>, %v: tensor<256xf32>,
                %p: tensor<3x17x9xf32>, %q: tensor<3x9x50xf32>,
                %image: tensor<2x14x13x5xf32>, %kernel: tensor<3x3x5x37xf32>, %deep: tensor<3x3x1x5xf32>)
    -> (tensor<101x263xf32>, tensor<101x263xf32>, tensor<263x101xf32>, tensor<19x21xf64>, tensor<101xf32>, tensor<263xf32>,
        tensor<3x17x50xf32>, tensor<2x14x13x37xf32>, tensor<2x7x7x37xf32>, tensor<2x14x13x5xf32>, tensor<101x263xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<101x256xf32>, tensor<256x263xf32>) -> tensor<101x263xf32>
  %1 = stablehlo.dot_general %a, %bt, contracting_dims = [1] x [1] : (tensor<101x256xf32>, tensor<263x256xf32>) -> tensor<101x263xf32>
  %2 = stablehlo.dot_general %b, %a, contracting_dims = [0] x [1] : (tensor<256x263xf32>, tensor<101x256xf32>) -> tensor<263x101xf32>
  %3 = stablehlo.dot_general %d, %e, contracting_dims = [1] x [0] : (tensor<19x29xf64>, tensor<29x21xf64>) -> tensor<19x21xf64>
  %4 = stablehlo.dot_general %a, %v, contracting_dims = [1] x [0] : (tensor<101x256xf32>, tensor<256xf32>) -> tensor<101xf32>
  %5 = stablehlo.dot_general %v, %b, contracting_dims = [0] x [0] : (tensor<256xf32>, tensor<256x263xf32>) -> tensor<263xf32>
  %6 = stablehlo.dot_general %p, %q, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x17x9xf32>, tensor<3x9x50xf32>) -> tensor<3x17x50xf32>
  %7 = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x14x13x5xf32>, tensor<3x3x5x37xf32>) -> tensor<2x14x13x37xf32>
  %8 = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x14x13x5xf32>, tensor<3x3x5x37xf32>) -> tensor<2x7x7x37xf32>
  %9 = stablehlo.convolution(%image, %deep) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 5 : i64} : (tensor<2x14x13x5xf32>, tensor<3x3x1x5xf32>) -> tensor<2x14x13x5xf32>
  %10 = stablehlo.tanh %0 : tensor<101x263xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<101x263xf32>, tensor<101x263xf32>, tensor<263x101xf32>, tensor<19x21xf64>, tensor<101xf32>, tensor<263xf32>, tensor<3x17x50xf32>, tensor<2x14x13x37xf32>, tensor<2x7x7x37xf32>, tensor<2x14x13x5xf32>, tensor<101x263xf32>
}
