// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --stablehlo-exchange-collectives='replicas=2 partitions=2' | FileCheck %s

// Replicas 0 and 1 of one partition: processes 0 and 2, and 1 and 3. The body combines
// the tensors in the order of the group.
// CHECK-LABEL: func.func @sum
// CHECK-SAME: (%[[X:.*]]: tensor<3xf32>)
func.func @sum(%x: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK: %[[KIND:.*]] = arith.constant 2 : i64
  // CHECK: %[[TO:.*]] = tensor.empty() : tensor<2x3xf32>
  // CHECK: %[[ALL:.*]] = call @mercator_gather(%[[X]], %[[TO]], %[[KIND]], {{.*}}) : (tensor<3xf32>, tensor<2x3xf32>, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> tensor<2x3xf32>
  // CHECK: %[[A:.*]] = stablehlo.slice %[[ALL]] [0:1, 0:3]
  // CHECK: %[[FIRST:.*]] = stablehlo.reshape %[[A]]
  // CHECK: %[[B:.*]] = stablehlo.slice %[[ALL]] [1:2, 0:3]
  // CHECK: %[[SECOND:.*]] = stablehlo.reshape %[[B]]
  // CHECK: "stablehlo.map"(%[[FIRST]], %[[SECOND]])
  // CHECK: stablehlo.subtract
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// A large tensor is cut into a piece for each process; the last one is short.
// CHECK-LABEL: func.func @pieces
func.func @pieces(%x: tensor<99999xf32>) -> tensor<99999xf32> {
  // CHECK: call @mercator_scatter(%{{.*}}) : (tensor<99999xf32>, tensor<4x25000xf32>, {{.*}}) -> tensor<4x25000xf32>
  // CHECK: call @mercator_gather{{.*}} : (tensor<25000xf32>, tensor<99999xf32>, {{.*}}) -> tensor<99999xf32>
  %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<99999xf32>) -> tensor<99999xf32>
  return %0 : tensor<99999xf32>
}

// Each of two combines a half where it lies in the result, in the order of the group.
// CHECK-LABEL: func.func @halves
// CHECK-SAME: (%[[X:.*]]: tensor<200000xf32>)
func.func @halves(%x: tensor<200000xf32>) -> tensor<200000xf32> {
  // CHECK: %[[OTHER:.*]] = call @mercator_scatter_others(%[[X]], {{.*}}) : (tensor<200000xf32>, tensor<100000xf32>, {{.*}}) -> tensor<100000xf32>
  // CHECK: stablehlo.constant dense<[1, 0, 0, 1]> : tensor<4xi64>
  // CHECK: %[[TO:.*]] = tensor.empty() : tensor<200000xf32>
  // CHECK: %[[HALF:.*]] = "stablehlo.if"
  // CHECK: %[[ROW:.*]] = stablehlo.slice %{{.*}} [0:1, 0:100000]
  // CHECK: %[[OWN:.*]] = stablehlo.reshape %[[ROW]]
  // CHECK: %[[SUM:.*]] = "stablehlo.map"(%[[OWN]], %[[OTHER]])
  // CHECK: stablehlo.dynamic_update_slice %[[TO]], %[[SUM]]
  // CHECK: stablehlo.slice %{{.*}} [1:2, 0:100000]
  // CHECK: %[[LAST:.*]] = stablehlo.reshape
  // CHECK: "stablehlo.map"(%[[OTHER]], %[[LAST]])
  // CHECK: call @mercator_gather_others(%[[HALF]], {{.*}} -> tensor<200000xf32>
  %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[1, 0], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<200000xf32>) -> tensor<200000xf32>
  return %0 : tensor<200000xf32>
}

// A part for each process: its dimension goes to the front.
// CHECK-LABEL: func.func @exchanged
func.func @exchanged(%x: tensor<3x4xf32>) -> tensor<6x2xf32> {
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<3x4xf32>) -> tensor<3x2x2xf32>
  // CHECK: stablehlo.transpose %{{.*}}, dims = [1, 0, 2]
  // CHECK: call @mercator_scatter
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2x3x2xf32>) -> tensor<6x2xf32>
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<3x4xf32>) -> tensor<6x2xf32>
  return %0 : tensor<6x2xf32>
}

// A pair that starts and ends apart is done where it starts.
// CHECK-LABEL: func.func @pair
func.func @pair(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[MOVED:.*]] = call @mercator_permute
  // CHECK-NOT: async
  // CHECK: return %[[MOVED]]
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%y: tensor<4xf32>):
    %2 = "stablehlo.collective_permute"(%y) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %2 : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Both numbers follow from that of the process, which is asked once.
// CHECK-LABEL: func.func @numbers
func.func @numbers() -> (tensor<ui32>, tensor<ui32>) {
  // CHECK: %[[OWN:.*]] = call @mercator_process
  // CHECK-NOT: call
  // CHECK: stablehlo.remainder %[[OWN]]
  // CHECK: stablehlo.divide %[[OWN]]
  %0 = stablehlo.partition_id : tensor<ui32>
  %1 = stablehlo.replica_id : tensor<ui32>
  return %0, %1 : tensor<ui32>, tensor<ui32>
}
