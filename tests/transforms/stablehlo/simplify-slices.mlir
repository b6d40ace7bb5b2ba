// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One function for each equation of SimplifySlices.cpp. PassesKeepWhatProgramsMean
// runs them before and after, on NaN, infinities and -0.0 too.
// RUN: mercator-opt %s --stablehlo-simplify | FileCheck %s

// CHECK-LABEL: @slice_all(
// CHECK-NEXT: return
func.func @slice_all(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = stablehlo.slice %x [0:4, 0:5] : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// CHECK-LABEL: @slice_twice(
// CHECK-NEXT: stablehlo.slice %arg0 [4:17:6]
// CHECK-NEXT: return
func.func @slice_twice(%x: tensor<20xf32>) -> tensor<3xf32> {
  %0 = stablehlo.slice %x [1:20:3] : (tensor<20xf32>) -> tensor<7xf32>
  %1 = stablehlo.slice %0 [1:7:2] : (tensor<7xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: @slice_of_part(
// CHECK-NEXT: stablehlo.slice %arg1 [1:4:2, 1:3]
// CHECK-NEXT: return
func.func @slice_of_part(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<6x3xf32>
  %1 = stablehlo.slice %0 [3:6:2, 1:3] : (tensor<6x3xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// CHECK-LABEL: @slice_of_two_parts(
// CHECK-NEXT: stablehlo.concatenate
// CHECK-NEXT: stablehlo.slice
// CHECK-NEXT: return
func.func @slice_of_two_parts(%x: tensor<2xf32>, %y: tensor<4xf32>) -> tensor<2xf32> {
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2xf32>, tensor<4xf32>) -> tensor<6xf32>
  %1 = stablehlo.slice %0 [1:3] : (tensor<6xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: @dynamic_slice_all(
// CHECK-NEXT: return
func.func @dynamic_slice_all(%x: tensor<4xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [4] : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @dynamic_slice_known(
// CHECK-NEXT: stablehlo.slice %arg0 [5:9]
// CHECK-NEXT: return
func.func @dynamic_slice_known(%x: tensor<9xf32>) -> tensor<4xf32> {
  %0 = stablehlo.constant dense<7> : tensor<i32>
  %1 = stablehlo.dynamic_slice %x, %0, sizes = [4] : (tensor<9xf32>, tensor<i32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @dynamic_slice_negative(
// CHECK-NEXT: stablehlo.slice %arg0 [0:4]
// CHECK-NEXT: return
func.func @dynamic_slice_negative(%x: tensor<9xf32>) -> tensor<4xf32> {
  %0 = stablehlo.constant dense<-3> : tensor<i32>
  %1 = stablehlo.dynamic_slice %x, %0, sizes = [4] : (tensor<9xf32>, tensor<i32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @update_all(
// CHECK-NEXT: return
func.func @update_all(%x: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @concatenate_one(
// CHECK-NEXT: return
func.func @concatenate_one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.concatenate %x, dim = 0 : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @concatenate_empty(
// CHECK-NEXT: stablehlo.concatenate %arg0, %arg2, dim = 0
// CHECK-NEXT: return
func.func @concatenate_empty(%x: tensor<4xf32>, %e: tensor<0xf32>, %y: tensor<2xf32>) -> tensor<6xf32> {
  %0 = stablehlo.concatenate %x, %e, %y, dim = 0 : (tensor<4xf32>, tensor<0xf32>, tensor<2xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// CHECK-LABEL: @pad_nothing(
// CHECK-NEXT: return
func.func @pad_nothing(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.pad %x, %v, low = [0], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @gather_run(
// CHECK-NEXT: stablehlo.slice %arg0 [2:5, 0:2]
// CHECK-NEXT: return
func.func @gather_run(%x: tensor<6x2xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.constant dense<[[2], [3], [4]]> : tensor<3x1xi32>
  %1 = "stablehlo.gather"(%x, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<6x2xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// CHECK-LABEL: @gather_clamped(
// CHECK-NEXT: stablehlo.constant
// CHECK-NEXT: stablehlo.gather
// CHECK-NEXT: return
func.func @gather_clamped(%x: tensor<6x2xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.constant dense<[[4], [5], [6]]> : tensor<3x1xi32>
  %1 = "stablehlo.gather"(%x, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<6x2xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// CHECK-LABEL: @gather_other(
// CHECK-NEXT: stablehlo.constant
// CHECK-NEXT: stablehlo.gather
// CHECK-NEXT: return
func.func @gather_other(%x: tensor<6x2xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.constant dense<[[2], [4], [3]]> : tensor<3x1xi32>
  %1 = "stablehlo.gather"(%x, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<6x2xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}
