// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A send does not wait, so it sends a copy: %x is received when %w lies in its memory.
// The short messages say that %w is there. MPI sends long messages when they are
// received.
//
// REQUIRES: mpi
// RUN: mercator run %s --processes=2 --check --cache=off --threads=1 | FileCheck %s
// CHECK-COUNT-4: equal to the evaluator's

module attributes {mhlo.num_replicas = 1 : i32, mhlo.num_partitions = 2 : i32} {
func.func @main() -> (tensor<300000xi32>, tensor<300000xi32>) {
  %id = stablehlo.partition_id : tensor<ui32>
  %n = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
  %i = stablehlo.iota dim = 0 : tensor<300000xi32>
  %ns = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> tensor<300000xi32>
  %x = stablehlo.add %i, %ns : tensor<300000xi32>
  %t0 = stablehlo.create_token : !stablehlo.token
  %t1 = "stablehlo.send"(%x, %t0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<300000xi32>, !stablehlo.token) -> !stablehlo.token
  %t2 = "stablehlo.send"(%n, %t1) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  %m:2 = "stablehlo.recv"(%t2) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %ms = stablehlo.broadcast_in_dim %m#0, dims = [] : (tensor<i32>) -> tensor<300000xi32>
  %j = stablehlo.multiply %i, %i : tensor<300000xi32>
  %w = stablehlo.subtract %ms, %j : tensor<300000xi32>
  %t3 = "stablehlo.send"(%w, %m#1) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<300000xi32>, !stablehlo.token) -> !stablehlo.token
  %t4 = "stablehlo.send"(%m#0, %t3) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  %k:2 = "stablehlo.recv"(%t4) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %a:2 = "stablehlo.recv"(%k#1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<300000xi32>, !stablehlo.token)
  %b:2 = "stablehlo.recv"(%a#1) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<300000xi32>, !stablehlo.token)
  return %a#0, %b#0 : tensor<300000xi32>, tensor<300000xi32>
}
}
