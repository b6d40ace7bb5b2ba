// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups along axes of a mesh, along a part of an axis, and of a mesh whose devices
// are in another order. Each process has its own number.
//
// REQUIRES: mpi
// RUN: mercator run %s --processes=4 | FileCheck %s
// CHECK:      process (0, 0), result 0: tensor<2xi32>
// CHECK-NEXT:   [0, 2]
// CHECK-NEXT: process (0, 0), result 1: tensor<2xi32>
// CHECK-NEXT:   [0, 1]
// CHECK-NEXT: process (0, 0), result 2: tensor<2xi32>
// CHECK-NEXT:   [1, 0]
// CHECK:      process (0, 3), result 0: tensor<2xi32>
// CHECK-NEXT:   [1, 3]
// CHECK-NEXT: process (0, 3), result 1: tensor<2xi32>
// CHECK-NEXT:   [2, 3]
// CHECK-NEXT: process (0, 3), result 2: tensor<2xi32>
// CHECK-NEXT:   [3, 2]

sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @line = <["x"=4]>

func.func @main() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %id = stablehlo.partition_id : tensor<ui32>
  %n = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
  %x = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> : (tensor<1xi32>) -> tensor<2xi32>
  %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @line, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (2)2>]>, use_global_device_ids}> : (tensor<1xi32>) -> tensor<2xi32>
  %2 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [<name = "x", size = 2>, <name = "y", size = 2>], device_ids = dense<[1, 0, 3, 2]> : tensor<4xi64>>, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> : (tensor<1xi32>) -> tensor<2xi32>
  return %0, %1, %2 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}
