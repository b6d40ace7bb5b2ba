// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// jax-ml/jax#40830: psum_scatter between processes of a CPU is wrong in 148 of 150
// iterations. Here, 150 of them are done in one run: the result counts the elements
// that have other bits than in the first, and the evaluator agrees with all.
//
// REQUIRES: mpi
// RUN: mercator run %s --processes=2 --check | FileCheck %s
// RUN: mercator run %s --processes=2 | FileCheck %s --check-prefix=BITS
// CHECK: process (0, 0), result 0: tensor<i32>, equal to the evaluator's
// CHECK: process (0, 1), result 1: tensor<{{.*}}xf32>, equal to the evaluator's
// BITS: process (0, 0), result 0: tensor<i32>
// BITS-NEXT: 0
// BITS: process (0, 1), result 0: tensor<i32>
// BITS-NEXT: 0

func.func @main() -> (tensor<i32>, tensor<1024xf32>) {
  %id = stablehlo.partition_id : tensor<ui32>
  %number = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
  %all = stablehlo.broadcast_in_dim %number, dims = [] : (tensor<f32>) -> tensor<2048xf32>
  %place = stablehlo.iota dim = 0 : tensor<2048xf32>
  %t = stablehlo.constant dense<0.1> : tensor<2048xf32>
  %0 = stablehlo.add %all, %place : tensor<2048xf32>
  %x = stablehlo.multiply %0, %t : tensor<2048xf32>
  %first = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0]]> : tensor<1x1xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2048xf32>) -> tensor<1024xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %times = stablehlo.constant dense<150> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %wrong = %zero) : tensor<i32>, tensor<i32> cond {
    %c = stablehlo.compare LT, %i, %times : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %next = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0]]> : tensor<1x1xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2048xf32>) -> tensor<1024xf32>
    %u = stablehlo.bitcast_convert %next : (tensor<1024xf32>) -> tensor<1024xi32>
    %v = stablehlo.bitcast_convert %first : (tensor<1024xf32>) -> tensor<1024xi32>
    %differs = stablehlo.compare NE, %u, %v : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi1>
    %ones = stablehlo.convert %differs : (tensor<1024xi1>) -> tensor<1024xi32>
    %count = stablehlo.reduce(%ones init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1024xi32>, tensor<i32>) -> tensor<i32>
    %sum = stablehlo.add %wrong, %count : tensor<i32>
    %k = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %k, %sum : tensor<i32>, tensor<i32>
  }
  return %r#1, %first : tensor<i32>, tensor<1024xf32>
}
