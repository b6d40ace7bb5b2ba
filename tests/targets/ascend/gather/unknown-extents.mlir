// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt --convert-stablehlo-to-ascend="soc=910b" %s | FileCheck %s

// The cores have no GatherNd of int16, and GatherV2 of the merged dimensions
// needs the distance between rows, an unknown extent. GatherNd on the AI CPU is
// the way that is left.
// CHECK-LABEL: @distance
// CHECK: ascend.GatherNd
// CHECK-NOT: stablehlo.gather
func.func @distance(%x: tensor<?x?x4xi16>, %i: tensor<6x2xi32>) -> tensor<6x4xi16> {
  %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<?x?x4xi16>, tensor<6x2xi32>) -> tensor<6x4xi16>
  return %r : tensor<6x4xi16>
}

// Only the first dimension is unknown: the distance between rows is 8.
// CHECK-LABEL: @known_distance
// CHECK: ascend.GatherV2
func.func @known_distance(%x: tensor<?x8x4xi16>, %i: tensor<6x2xi32>) -> tensor<6x4xi16> {
  %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<?x8x4xi16>, tensor<6x2xi32>) -> tensor<6x4xi16>
  return %r : tensor<6x4xi16>
}
