// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | FileCheck %s
// RUN: mercator-opt %s --mlir-print-op-generic | mercator-opt | FileCheck %s

// CHECK-LABEL: func @shapes
func.func @shapes(%a: tensor<4x8xf32>, %s: tensor<f32>, %b: tensor<?x8xf32, #stablehlo.bounds<4, ?>>) {
  // CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [0, 2] : (tensor<4x8xf32>) -> tensor<4x3x8xf32>
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<4x8xf32>) -> tensor<4x3x8xf32>
  // CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4xf32>
  // CHECK: stablehlo.broadcast %{{.*}}, sizes = [2] : (tensor<4x8xf32>) -> tensor<2x4x8xf32>
  %2 = stablehlo.broadcast %a, sizes = [2] : (tensor<4x8xf32>) -> tensor<2x4x8xf32>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<4x8xf32>) -> tensor<32xf32>
  %3 = stablehlo.reshape %a : (tensor<4x8xf32>) -> tensor<32xf32>
  // CHECK: stablehlo.transpose %{{.*}}, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %4 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  // CHECK: stablehlo.reverse %{{.*}}, dims = [1] : tensor<4x8xf32>
  %5 = stablehlo.reverse %a, dims = [1] : tensor<4x8xf32>
  // CHECK: stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %6 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  // CHECK: stablehlo.bitcast_convert %{{.*}} : (tensor<4x8xf32>) -> tensor<4x8x2xf16>
  %7 = stablehlo.bitcast_convert %a : (tensor<4x8xf32>) -> tensor<4x8x2xf16>
  // CHECK: stablehlo.negate %{{.*}} : tensor<?x8xf32, #stablehlo.bounds<4, ?>>
  %8 = stablehlo.negate %b : tensor<?x8xf32, #stablehlo.bounds<4, ?>>
  return
}

// CHECK-LABEL: func @windows
func.func @windows(%a: tensor<4x8xf32>, %s: tensor<f32>, %i: tensor<i32>, %u: tensor<2x3xf32>) {
  // CHECK: stablehlo.slice %{{.*}} [0:4, 1:8:3] : (tensor<4x8xf32>) -> tensor<4x3xf32>
  %0 = stablehlo.slice %a [0:4, 1:8:3] : (tensor<4x8xf32>) -> tensor<4x3xf32>
  // CHECK: stablehlo.dynamic_slice %{{.*}}, %{{.*}}, %{{.*}}, sizes = [2, 3] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %1 = stablehlo.dynamic_slice %a, %i, %i, sizes = [2, 3] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  // CHECK: stablehlo.dynamic_slice %{{.*}}, sizes = [] : (tensor<f32>) -> tensor<f32>
  %2 = stablehlo.dynamic_slice %s, sizes = [] : (tensor<f32>) -> tensor<f32>
  // CHECK: stablehlo.dynamic_update_slice %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  %3 = stablehlo.dynamic_update_slice %a, %u, %i, %i : (tensor<4x8xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  // CHECK: stablehlo.pad %{{.*}}, %{{.*}}, low = [1, -1], high = [0, 2], interior = [1, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8x9xf32>
  %4 = stablehlo.pad %a, %s, low = [1, -1], high = [0, 2], interior = [1, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8x9xf32>
  return
}

// CHECK-LABEL: func @indexed
func.func @indexed(%table: tensor<10x20x30xf32>, %at: tensor<5x2xi32>, %updates: tensor<5x30xf32>) {
  // Keys in any order, a trailing comma; empty and zero values are not printed.
  // CHECK: "stablehlo.gather"(%{{.*}}, %{{.*}}) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 30>}> : (tensor<10x20x30xf32>, tensor<5x2xi32>) -> tensor<5x30xf32>
  %0 = "stablehlo.gather"(%table, %at) {dimension_numbers = #stablehlo.gather<index_vector_dim = 1, start_index_map = [0, 1], collapsed_slice_dims = [0, 1], operand_batching_dims = [], offset_dims = [1],>, slice_sizes = array<i64: 1, 1, 30>} : (tensor<10x20x30xf32>, tensor<5x2xi32>) -> tensor<5x30xf32>
  // CHECK: "stablehlo.scatter"(%{{.*}}) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  %1 = "stablehlo.scatter"(%table, %at, %updates) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    "stablehlo.return"(%new) : (tensor<f32>) -> ()
  }) {indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>} : (tensor<10x20x30xf32>, tensor<5x2xi32>, tensor<5x30xf32>) -> tensor<10x20x30xf32>
  // CHECK: "stablehlo.torch_index_select"
  %2 = "stablehlo.torch_index_select"(%table, %at) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<10x20x30xf32>, tensor<5x2xi32>) -> tensor<5x2x20x30xf32>
  return
}

// CHECK-LABEL: func @dynamic
func.func @dynamic(%a: tensor<?x8xf32>, %shape: tensor<2xi32>, %s: tensor<f32>, %n: tensor<i32>, %at: tensor<5x1xi32>) {
  // CHECK: stablehlo.dynamic_iota %{{.*}}, dim = 1 : (tensor<2xi32>) -> tensor<?x8xi32>
  %0 = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi32>) -> tensor<?x8xi32>
  // CHECK: stablehlo.dynamic_broadcast_in_dim %{{.*}}, %{{.*}}, dims = [] {known_expanding_dimensions = array<i64>} : (tensor<f32>, tensor<2xi32>) -> tensor<?x8xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %s, %shape, dims = [] {known_expanding_dimensions = array<i64>} : (tensor<f32>, tensor<2xi32>) -> tensor<?x8xf32>
  // CHECK: stablehlo.dynamic_reshape %{{.*}}, %{{.*}} : (tensor<?x8xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %2 = stablehlo.dynamic_reshape %a, %shape : (tensor<?x8xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK: stablehlo.real_dynamic_slice
  %3 = stablehlo.real_dynamic_slice %a, %shape, %shape, %shape : (tensor<?x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK: stablehlo.dynamic_pad
  %4 = stablehlo.dynamic_pad %a, %s, %shape, %shape, %shape : (tensor<?x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK: "stablehlo.dynamic_gather"
  %5 = "stablehlo.dynamic_gather"(%a, %at, %shape) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<?x8xf32>, tensor<5x1xi32>, tensor<2xi32>) -> tensor<5x8xf32>
  // CHECK: stablehlo.get_dimension_size %{{.*}}, dim = 0 : (tensor<?x8xf32>) -> tensor<i32>
  %6 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x8xf32>) -> tensor<i32>
  // CHECK: stablehlo.set_dimension_size %{{.*}}, %{{.*}}, dim = 0
  %7 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<?x8xf32>, tensor<i32>) -> tensor<?x8xf32>
  return
}
