// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One function for each equation of SimplifyMovement.cpp. PassesKeepWhatProgramsMean
// runs them before and after, on NaN, infinities and -0.0 too.
// RUN: mercator-opt %s --stablehlo-simplify | FileCheck %s

// CHECK-LABEL: @splat_moved(
// CHECK-NEXT: stablehlo.constant dense<3> : tensor<3x2xi32>
// CHECK-NEXT: return
func.func @splat_moved() -> tensor<3x2xi32> {
  %0 = stablehlo.constant dense<3> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  return %2 : tensor<3x2xi32>
}

// CHECK-LABEL: @pad_splat(
// CHECK-NOT: stablehlo.pad
// CHECK: %[[I:.*]] = stablehlo.iota dim = 0
// CHECK: stablehlo.compare GE, %[[I]]
// CHECK: stablehlo.compare LT, %[[I]]
// CHECK: %[[J:.*]] = stablehlo.iota dim = 1
// CHECK: stablehlo.compare LT, %[[J]]
// CHECK: stablehlo.select
// CHECK-NEXT: return
func.func @pad_splat() -> tensor<200x100xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<100x90xf32>
  %zero = stablehlo.constant dense<-0.0> : tensor<f32>
  %0 = stablehlo.pad %one, %zero, low = [20, -10], high = [80, 20], interior = [0, 0] : (tensor<100x90xf32>, tensor<f32>) -> tensor<200x100xf32>
  return %0 : tensor<200x100xf32>
}

// A small one, and one with gaps, stay.
// CHECK-LABEL: @pads_that_stay(
// CHECK-COUNT-2: stablehlo.pad
func.func @pads_that_stay() -> (tensor<4xf32>, tensor<19999xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<3xf32>
  %many = stablehlo.constant dense<1.0> : tensor<10000xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %one, %zero, low = [0], high = [1], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.pad %many, %zero, low = [0], high = [0], interior = [1] : (tensor<10000xf32>, tensor<f32>) -> tensor<19999xf32>
  return %0, %1 : tensor<4xf32>, tensor<19999xf32>
}

// CHECK-LABEL: @transpose_nothing(
// CHECK-NEXT: return
func.func @transpose_nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.transpose %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @transpose_twice(
// CHECK-NEXT: stablehlo.transpose %arg0, dims = [1, 0, 2]
// CHECK-NEXT: return
func.func @transpose_twice(%x: tensor<2x3x4xf32>) -> tensor<3x2x4xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<3x4x2xf32>) -> tensor<3x2x4xf32>
  return %1 : tensor<3x2x4xf32>
}

// CHECK-LABEL: @transpose_back(
// CHECK-NEXT: return
func.func @transpose_back(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: @transpose_units(
// CHECK-NEXT: stablehlo.reshape
// CHECK-NEXT: return
func.func @transpose_units(%x: tensor<2x1x3xf32>) -> tensor<1x2x3xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<2x1x3xf32>) -> tensor<1x2x3xf32>
  return %0 : tensor<1x2x3xf32>
}

// CHECK-LABEL: @transpose_broadcast(
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [1, 0]
// CHECK-NEXT: return
func.func @transpose_broadcast(%x: tensor<2x3xf32>) -> tensor<3x2x4xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x4x3xf32>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<2x4x3xf32>) -> tensor<3x2x4xf32>
  return %1 : tensor<3x2x4xf32>
}

// CHECK-LABEL: @transpose_product(
// CHECK-NEXT: stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [1], precision = [HIGHEST, DEFAULT]
// CHECK-NEXT: return
func.func @transpose_product(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> tensor<4x2xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// CHECK-LABEL: @transpose_products(
// CHECK-NEXT: stablehlo.dot_general %arg1, %arg0, batching_dims = [0] x [1], contracting_dims = [3] x [0]
// CHECK-NEXT: return
func.func @transpose_products(%x: tensor<5x2x3x6xi32>, %y: tensor<2x4x7x5xi32>) -> tensor<2x4x7x3x6xi32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [1] x [0], contracting_dims = [0] x [3] : (tensor<5x2x3x6xi32>, tensor<2x4x7x5xi32>) -> tensor<2x3x6x4x7xi32>
  %1 = stablehlo.transpose %0, dims = [0, 3, 4, 1, 2] : (tensor<2x3x6x4x7xi32>) -> tensor<2x4x7x3x6xi32>
  return %1 : tensor<2x4x7x3x6xi32>
}

// Rows and columns change their order among themselves: it stays.
// CHECK-LABEL: @transpose_product_rows(
// CHECK: stablehlo.transpose
func.func @transpose_product_rows(%x: tensor<2x3x5xf32>, %y: tensor<5x4xf32>) -> tensor<4x3x2xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [2] x [0] : (tensor<2x3x5xf32>, tensor<5x4xf32>) -> tensor<2x3x4xf32>
  %1 = stablehlo.transpose %0, dims = [2, 1, 0] : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  return %1 : tensor<4x3x2xf32>
}

// The product is needed as it is, too: it stays.
// CHECK-LABEL: @transpose_product_twice(
// CHECK: stablehlo.transpose
func.func @transpose_product_twice(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> (tensor<2x4xf32>, tensor<4x2xf32>) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: @reshape_nothing(
// CHECK-NEXT: return
func.func @reshape_nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @reshape_twice(
// CHECK-NEXT: stablehlo.reshape %arg0 : (tensor<2x6xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return
func.func @reshape_twice(%x: tensor<2x6xf32>) -> tensor<4x3xf32> {
  %0 = stablehlo.reshape %x : (tensor<2x6xf32>) -> tensor<12xf32>
  %1 = stablehlo.reshape %0 : (tensor<12xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// CHECK-LABEL: @reshape_broadcast(
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [2]
// CHECK-NEXT: return
func.func @reshape_broadcast(%x: tensor<3xf32>) -> tensor<2x1x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [2] : (tensor<3xf32>) -> tensor<1x2x3xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x2x3xf32>) -> tensor<2x1x3xf32>
  return %1 : tensor<2x1x3xf32>
}

// CHECK-LABEL: @reshape_broadcast_unit(
// CHECK-NEXT: stablehlo.reshape
// CHECK-NEXT: stablehlo.broadcast_in_dim %0, dims = [1]
// CHECK-NEXT: return
func.func @reshape_broadcast_unit(%x: tensor<1x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<1x3xf32>) -> tensor<1x2x3xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: @broadcast(
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [1]
// CHECK-NEXT: return
func.func @broadcast(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast %x, sizes = [2] : (tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @broadcast_nothing(
// CHECK-NEXT: return
func.func @broadcast_nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @broadcast_transposes(
// CHECK-NEXT: stablehlo.broadcast_in_dim
// CHECK-NEXT: return
func.func @broadcast_transposes(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// CHECK-LABEL: @broadcast_units(
// CHECK-NEXT: stablehlo.reshape
// CHECK-NEXT: return
func.func @broadcast_units(%x: tensor<2x3xf32>) -> tensor<2x1x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
  return %0 : tensor<2x1x3xf32>
}

// CHECK-LABEL: @broadcast_twice(
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [0, 2]
// CHECK-NEXT: return
func.func @broadcast_twice(%x: tensor<1x3xf32>) -> tensor<2x4x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<1x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [2, 0] : (tensor<3x2xf32>) -> tensor<2x4x3xf32>
  return %1 : tensor<2x4x3xf32>
}

// CHECK-LABEL: @broadcast_reshape(
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [1]
// CHECK-NEXT: return
func.func @broadcast_reshape(%x: tensor<3xf32>) -> tensor<2x3x4xf32> {
  %0 = stablehlo.reshape %x : (tensor<3xf32>) -> tensor<1x3x1xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<1x3x1xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// CHECK-LABEL: @broadcast_transpose(
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [2, 0]
// CHECK-NEXT: return
func.func @broadcast_transpose(%x: tensor<2x3xf32>) -> tensor<3x4x2xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<3x2xf32>) -> tensor<3x4x2xf32>
  return %1 : tensor<3x4x2xf32>
}

// CHECK-LABEL: @reverse_nothing(
// CHECK-NEXT: return
func.func @reverse_nothing(%x: tensor<2x1xf32>) -> tensor<2x1xf32> {
  %0 = stablehlo.reverse %x, dims = [1] : tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// CHECK-LABEL: @reverse_twice(
// CHECK-NEXT: stablehlo.reverse %arg0, dims = [0]
// CHECK-NEXT: return
func.func @reverse_twice(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.reverse %x, dims = [0, 1] : tensor<2x3xf32>
  %1 = stablehlo.reverse %0, dims = [1] : tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: @reverse_back(
// CHECK-NEXT: return
func.func @reverse_back(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.reverse %x, dims = [1] : tensor<2x3xf32>
  %1 = stablehlo.reverse %0, dims = [1] : tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
