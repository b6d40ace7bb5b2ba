// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Indices of unsigned types: 200 is no -56 : i8, before and after lowering.
// RUN: mercator compile %s --stop-after=flow --verify-maps 2>&1 >/dev/null | FileCheck %s
// CHECK: maps: {{[0-9]+}} proved{{.*}}, 0 refuted
module {
  func.func @main(%x: tensor<300xi32>, %i: tensor<1xui8>) -> (tensor<i32>, tensor<2xi32>, tensor<i32>, tensor<i32>, tensor<i32>) {
    %c = stablehlo.constant dense<[200]> : tensor<1xui8>
    %0 = "stablehlo.gather"(%x, %c) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1>}> : (tensor<300xi32>, tensor<1xui8>) -> tensor<i32>
    %s = stablehlo.constant dense<250> : tensor<ui8>
    %1 = stablehlo.dynamic_slice %x, %s, sizes = [2] : (tensor<300xi32>, tensor<ui8>) -> tensor<2xi32>
    %w = stablehlo.constant dense<[4294967295]> : tensor<1xui32>
    %2 = "stablehlo.gather"(%x, %w) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1>}> : (tensor<300xi32>, tensor<1xui32>) -> tensor<i32>
    %3 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1>}> : (tensor<300xi32>, tensor<1xui8>) -> tensor<i32>
    %k = stablehlo.convert %i : (tensor<1xui8>) -> tensor<1xi32>
    %4 = "stablehlo.gather"(%x, %k) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1>}> : (tensor<300xi32>, tensor<1xi32>) -> tensor<i32>
    return %0, %1, %2, %3, %4 : tensor<i32>, tensor<2xi32>, tensor<i32>, tensor<i32>, tensor<i32>
  }
}
