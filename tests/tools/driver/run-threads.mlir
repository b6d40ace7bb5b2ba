// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir -p %t
// The results are the evaluator's, and have the same bits for any number of
// threads.
// RUN: mercator run %s --function=products --check --threads=2 | FileCheck %s
// RUN: mercator run %s --function=dots --check --threads=2 | FileCheck %s --check-prefix=DOTS
// DOTS-COUNT-5: equal to the evaluator's
// RUN: mercator run %s --function=windows --check --threads=2 | FileCheck %s --check-prefix=WINDOWS
// WINDOWS-COUNT-4: equal to the evaluator's
// RUN: mercator run %s --function=convolution --check --threads=3 | FileCheck %s
// RUN: mercator run %s --function=elements --check --threads=5 | FileCheck %s
// CHECK: equal to the evaluator's
// RUN: mercator run %s --function=products --input=random:2 --threads=1 -o %t/one/
// RUN: mercator run %s --function=products --input=random:2 --threads=2 -o %t/two/
// RUN: mercator run %s --function=products --input=random:2 --threads=1000 -o %t/many/
// RUN: cmp %t/one/0.npy %t/two/0.npy
// RUN: cmp %t/one/1.npy %t/many/1.npy
// RUN: cmp %t/one/2.npy %t/many/2.npy
// RUN: mercator run %s --function=elements --input=random:2 --threads=1 -o %t/e1/
// RUN: mercator run %s --function=elements --input=random:2 --threads=4 -o %t/e4/
// RUN: cmp %t/e1/0.npy %t/e4/0.npy
// RUN: cmp %t/e1/2.npy %t/e4/2.npy
// RUN: %exits 2 mercator run %s --function=elements --threads=0 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: expected `--threads` from 1 to 1024, got '0'

// Divided by rows, by columns, and by the batch.
func.func @products(%a: tensor<301x130xf32>, %b: tensor<130x190xf32>, %c: tensor<12x70x50xf32>, %d: tensor<12x50x90xf32>, %e: tensor<9x700xf32>, %f: tensor<700x513xf32>)
    -> (tensor<301x190xf32>, tensor<12x70x90xf32>, tensor<9x513xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<301x130xf32>, tensor<130x190xf32>) -> tensor<301x190xf32>
  %1 = stablehlo.dot_general %c, %d, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<12x70x50xf32>, tensor<12x50x90xf32>) -> tensor<12x70x90xf32>
  %2 = stablehlo.dot_general %e, %f, contracting_dims = [1] x [0] : (tensor<9x700xf32>, tensor<700x513xf32>) -> tensor<9x513xf32>
  return %0, %1, %2 : tensor<301x190xf32>, tensor<12x70x90xf32>, tensor<9x513xf32>
}

// Few rows, and columns that are contiguous along the sum: dot products.
func.func @dots(%a: tensor<9x705xf32>, %b: tensor<517x705xf32>, %c: tensor<17x64xf64>, %d: tensor<35x64xf64>, %e: tensor<3x5x48xf32>, %f: tensor<3x29x48xf32>)
    -> (tensor<9x517xf32>, tensor<517xf32>, tensor<17x35xf64>, tensor<3x5x29xf32>, tensor<5x29xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<9x705xf32>, tensor<517x705xf32>) -> tensor<9x517xf32>
  %s = stablehlo.slice %a [4:5, 0:705] : (tensor<9x705xf32>) -> tensor<1x705xf32>
  %v = stablehlo.reshape %s : (tensor<1x705xf32>) -> tensor<705xf32>
  %1 = stablehlo.dot_general %v, %b, contracting_dims = [0] x [1] : (tensor<705xf32>, tensor<517x705xf32>) -> tensor<517xf32>
  %2 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [1] : (tensor<17x64xf64>, tensor<35x64xf64>) -> tensor<17x35xf64>
  %3 = stablehlo.dot_general %e, %f, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<3x5x48xf32>, tensor<3x29x48xf32>) -> tensor<3x5x29xf32>
  %4 = stablehlo.dot_general %e, %f, contracting_dims = [0, 2] x [0, 2] : (tensor<3x5x48xf32>, tensor<3x29x48xf32>) -> tensor<5x29xf32>
  return %0, %1, %2, %3, %4 : tensor<9x517xf32>, tensor<517xf32>, tensor<17x35xf64>, tensor<3x5x29xf32>, tensor<5x29xf32>
}

func.func @convolution(%x: tensor<1x30x30x24xf32>, %w: tensor<3x3x24x40xf32>) -> tensor<1x30x30x40xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x30x30x24xf32>, tensor<3x3x24x40xf32>) -> tensor<1x30x30x40xf32>
  return %0 : tensor<1x30x30x40xf32>
}

// Elements, rows, columns, and a transpose.
func.func @elements(%a: tensor<307x401xf32>) -> (tensor<307x401xf32>, tensor<307xf32>, tensor<401xf32>, tensor<401x307xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.tanh %a : tensor<307x401xf32>
  %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<307x401xf32>, tensor<f32>) -> tensor<307xf32>
  %2 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<307x401xf32>, tensor<f32>) -> tensor<401xf32>
  %3 = stablehlo.transpose %a, dims = [1, 0] : (tensor<307x401xf32>) -> tensor<401x307xf32>
  return %0, %1, %2, %3 : tensor<307x401xf32>, tensor<307xf32>, tensor<401xf32>, tensor<401x307xf32>
}

// Sums whose terms are not neighbors in memory, where results are: windows of
// channels, and sums over rows.
func.func @windows(%x: tensor<2x6x30x33xf32>, %w: tensor<6x1x3x3xf32>, %i: tensor<40x50xi32>) -> (tensor<2x6x30x33xf32>, tensor<2x6x14x16xf32>, tensor<50xi32>, tensor<6x33xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 6 : i64} : (tensor<2x6x30x33xf32>, tensor<6x1x3x3xf32>) -> tensor<2x6x30x33xf32>
  %1 = "stablehlo.reduce_window"(%x, %least) <{window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<2x6x30x33xf32>, tensor<f32>) -> tensor<2x6x14x16xf32>
  %2 = stablehlo.reduce(%i init: %none) applies stablehlo.add across dimensions = [0] : (tensor<40x50xi32>, tensor<i32>) -> tensor<50xi32>
  %3 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 2] : (tensor<2x6x30x33xf32>, tensor<f32>) -> tensor<6x33xf32>
  return %0, %1, %2, %3 : tensor<2x6x30x33xf32>, tensor<2x6x14x16xf32>, tensor<50xi32>, tensor<6x33xf32>
}
