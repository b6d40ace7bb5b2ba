// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is done with a product is computed while its tiles are in registers: a bias,
// a factor of each row, a residual, an activation; of a convolution; of sums with
// several chains; of results in another order. All accesses are checked.
// RUN: mercator run %s --check --input=random:1 --sanitize --threads=2 | FileCheck %s
// RUN: mercator run %s --check --input=random:2 --fusion=aggressive | FileCheck %s
// RUN: mercator run %s --check --input=random:2 --fusion=seed | FileCheck %s
// CHECK-COUNT-5: equal to the evaluator's
// CHECK-NOT: differ

// The schedule says so.
// RUN: mercator explain %s --target=cpu | FileCheck %s --check-prefix=SCHEDULE
// SCHEDULE: epilogue=1 {{.*}}addf, maximumf in registers

func.func @main(%x: tensor<67x40xf32>, %w: tensor<40x85xf32>, %bias: tensor<85xf32>, %rows: tensor<67xf32>, %residual: tensor<67x85xf32>,
                %long: tensor<67x600xf32>, %v: tensor<600x85xf32>, %image: tensor<1x14x15x8xf32>, %kernel: tensor<3x3x8x20xf32>, %shift: tensor<20xf32>)
    -> (tensor<67x85xf32>, tensor<67x85xf32>, tensor<67x85xf32>, tensor<1x14x15x20xf32>, tensor<85x67xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<67x85xf32>
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<67x40xf32>, tensor<40x85xf32>) -> tensor<67x85xf32>
  %b = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<85xf32>) -> tensor<67x85xf32>
  %biased = stablehlo.add %p, %b : tensor<67x85xf32>
  %0 = stablehlo.maximum %biased, %zero : tensor<67x85xf32>
  %q = stablehlo.dot_general %0, %w, contracting_dims = [1] x [1] : (tensor<67x85xf32>, tensor<40x85xf32>) -> tensor<67x40xf32>
  %r = stablehlo.dot_general %q, %w, contracting_dims = [1] x [0] : (tensor<67x40xf32>, tensor<40x85xf32>) -> tensor<67x85xf32>
  %f = stablehlo.broadcast_in_dim %rows, dims = [0] : (tensor<67xf32>) -> tensor<67x85xf32>
  %scaled = stablehlo.multiply %r, %f : tensor<67x85xf32>
  %1 = stablehlo.add %scaled, %residual : tensor<67x85xf32>
  %s = stablehlo.dot_general %long, %v, contracting_dims = [1] x [0] : (tensor<67x600xf32>, tensor<600x85xf32>) -> tensor<67x85xf32>
  %moved = stablehlo.subtract %residual, %s : tensor<67x85xf32>
  %2 = stablehlo.divide %moved, %b : tensor<67x85xf32>
  %c = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x14x15x8xf32>, tensor<3x3x8x20xf32>) -> tensor<1x14x15x20xf32>
  %t = stablehlo.broadcast_in_dim %shift, dims = [3] : (tensor<20xf32>) -> tensor<1x14x15x20xf32>
  %3 = stablehlo.add %c, %t : tensor<1x14x15x20xf32>
  %u = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<67x40xf32>, tensor<40x85xf32>) -> tensor<67x85xf32>
  %minus = stablehlo.negate %u : tensor<67x85xf32>
  %4 = stablehlo.transpose %minus, dims = [1, 0] : (tensor<67x85xf32>) -> tensor<85x67xf32>
  return %0, %1, %2, %3, %4 : tensor<67x85xf32>, tensor<67x85xf32>, tensor<67x85xf32>, tensor<1x14x15x20xf32>, tensor<85x67xf32>
}
