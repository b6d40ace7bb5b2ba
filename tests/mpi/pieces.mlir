// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tensors that are reduced in pieces: each process combines one, where it lies in the
// result. The order is that of the group, which the bodies show.
//
// REQUIRES: mpi
// RUN: mercator run %s --processes=4 --function=pairs --check --cache=off | FileCheck %s --check-prefix=PAIRS
// RUN: mercator run %s --processes=4 --function=all --check --cache=off | FileCheck %s
// PAIRS-COUNT-12: equal to the evaluator's
// CHECK-COUNT-4: equal to the evaluator's

module attributes {mhlo.num_replicas = 1 : i32, mhlo.num_partitions = 4 : i32} {

// Groups of two, in both orders. A difference; bf16 is added in f32; an odd number of
// elements.
func.func @pairs() -> (tensor<8x20000xf32>, tensor<300000xf32>, tensor<140001xi32>) {
  %id = stablehlo.partition_id : tensor<ui32>
  %f = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
  %g = stablehlo.convert %id : (tensor<ui32>) -> tensor<bf16>
  %h = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
  %i = stablehlo.iota dim = 1 : tensor<8x20000xf32>
  %j = stablehlo.iota dim = 0 : tensor<300000xbf16>
  %k = stablehlo.iota dim = 0 : tensor<140001xi32>
  %fs = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<8x20000xf32>
  %gs = stablehlo.broadcast_in_dim %g, dims = [] : (tensor<bf16>) -> tensor<300000xbf16>
  %hs = stablehlo.broadcast_in_dim %h, dims = [] : (tensor<i32>) -> tensor<140001xi32>
  %x = stablehlo.multiply %i, %fs : tensor<8x20000xf32>
  %y = stablehlo.multiply %j, %gs : tensor<300000xbf16>
  %z = stablehlo.multiply %k, %hs : tensor<140001xi32>
  %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 3], [2, 1]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x20000xf32>) -> tensor<8x20000xf32>
  %1 = "stablehlo.all_reduce"(%y) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[1, 0], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<300000xbf16>) -> tensor<300000xf32>
  %2 = "stablehlo.all_reduce"(%z) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[3, 2], [0, 1]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.subtract %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<140001xi32>) -> tensor<140001xi32>
  return %0, %1, %2 : tensor<8x20000xf32>, tensor<300000xf32>, tensor<140001xi32>
}

// A group of four, in an order of its own, in a loop that gives its result on.
func.func @all() -> tensor<40000xi32> {
  %id = stablehlo.partition_id : tensor<ui32>
  %f = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
  %i = stablehlo.iota dim = 0 : tensor<40000xi32>
  %fs = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<i32>) -> tensor<40000xi32>
  %x = stablehlo.multiply %i, %fs : tensor<40000xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %limit = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%n = %zero, %y = %x) : tensor<i32>, tensor<40000xi32> cond {
    %c = stablehlo.compare LT, %n, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %d = stablehlo.add %y, %fs : tensor<40000xi32>
    %z = "stablehlo.all_reduce"(%d) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[2, 0, 3, 1]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.subtract %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<40000xi32>) -> tensor<40000xi32>
    %m = stablehlo.add %n, %one : tensor<i32>
    stablehlo.return %m, %z : tensor<i32>, tensor<40000xi32>
  }
  return %r#1 : tensor<40000xi32>
}
}
