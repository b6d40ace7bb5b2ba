// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --convert-stablehlo-to-ascend=gather-v2d | FileCheck %s
// RUN: mercator-opt %s --convert-stablehlo-to-ascend | FileCheck %s --check-prefix=DEFAULT

// DEFAULT-NOT: GatherV2D

// CHECK-LABEL: func.func @rows
// CHECK-NOT:   ascend.GatherV2(
// CHECK:       ascend.GatherV2D(%arg0, %{{.+}}) {axis = 0 : i64} : (tensor<16x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
func.func @rows(%x: tensor<16x4xf32>, %i: tensor<3xi32>) -> tensor<3x4xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
                                          start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>}> : (tensor<16x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// GatherV2D does not support booleans and bfloat16.
// CHECK-LABEL: func.func @booleans
// CHECK-NOT:   GatherV2D
// CHECK:       ascend.GatherV2(
func.func @booleans(%x: tensor<16x4xi1>, %i: tensor<3xi32>) -> tensor<3x4xi1> {
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
                                          start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>}> : (tensor<16x4xi1>, tensor<3xi32>) -> tensor<3x4xi1>
  return %0 : tensor<3x4xi1>
}

// It has no batch dimensions either.
// CHECK-LABEL: func.func @batches
// CHECK-NOT:   GatherV2D
// CHECK:       ascend.GatherV2({{.*}}batch_dims = 1
func.func @batches(%x: tensor<3x16x4xf32>, %i: tensor<3x5xi32>) -> tensor<3x5x4xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1],
                                          operand_batching_dims = [0], start_indices_batching_dims = [0],
                                          start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x16x4xf32>, tensor<3x5xi32>) -> tensor<3x5x4xf32>
  return %0 : tensor<3x5x4xf32>
}
