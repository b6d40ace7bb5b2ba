// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | mercator-opt | FileCheck %s

func.func private @mesh()

// CHECK-LABEL: func @mesh_axes
func.func @mesh_axes(%a: tensor<16x8xf32>) -> tensor<16x16xf32> {
  // CHECK: replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">, #stablehlo.axis_ref<name = "y", sub_axis_info = (1)2>]>
  %0 = "stablehlo.all_gather"(%a) {
    all_gather_dim = 1 : i64,
    replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">, #stablehlo.axis_ref<name = "y", sub_axis_info = (1)2>]>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>
  } : (tensor<16x8xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// CHECK-LABEL: func @mesh_in_place
func.func @mesh_in_place(%a: tensor<4xf32>) -> tensor<8xf32> {
  // CHECK: mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>], device_ids=dense<[1, 0]> : tensor<2xi64>>
  %0 = "stablehlo.all_gather"(%a) {
    all_gather_dim = 0 : i64,
    replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>], device_ids=dense<[1, 0]> : tensor<2xi64>>, axes = [#stablehlo.axis_ref<name = "x">]>
  } : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func @async
func.func @async(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: "stablehlo.async_start"(%{{.*}}) ({
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%b: tensor<4xf32>):
    %2 = "stablehlo.collective_broadcast"(%b) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %2 : tensor<4xf32>
    // CHECK: : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  // CHECK: "stablehlo.async_done"(%{{.*}}) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func @collective_reduce
func.func @collective_reduce(%a: tensor<4xf32>, %root: tensor<1xi32>) -> tensor<4xf32> {
  // CHECK: "stablehlo.collective_reduce"(%{{.*}}, %{{.*}}) <{has_dynamic_root, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> ({
  %0 = "stablehlo.collective_reduce"(%a, %root) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root} : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
