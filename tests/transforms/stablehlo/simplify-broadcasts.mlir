// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One function for each equation of SimplifyBroadcasts.cpp. PassesKeepWhatProgramsMean
// runs them before and after, on NaN, infinities and -0.0 too.
// RUN: mercator-opt %s --stablehlo-simplify | FileCheck %s

// CHECK-LABEL: @broadcasts(
// CHECK-NEXT: stablehlo.add %arg0, %arg1 : tensor<3xf32>
// CHECK-NEXT: stablehlo.rsqrt
// CHECK-NEXT: stablehlo.broadcast_in_dim %1, dims = [1]
// CHECK-NEXT: return
func.func @broadcasts(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.add %0, %1 : tensor<2x3xf32>
  %3 = stablehlo.rsqrt %2 : tensor<2x3xf32>
  return %3 : tensor<2x3xf32>
}

// CHECK-LABEL: @with_splat(
// CHECK-NEXT: stablehlo.constant dense<2.000000e+00> : tensor<3xf32>
// CHECK-NEXT: stablehlo.multiply
// CHECK-NEXT: stablehlo.broadcast_in_dim
// CHECK-NEXT: return
func.func @with_splat(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.constant dense<2.0> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %2 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<2x3xf32>
  return %3 : tensor<2x3xf32>
}

// CHECK-LABEL: @with_scalar(
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<3xf32>
// CHECK-NEXT: stablehlo.multiply
// CHECK-NEXT: stablehlo.broadcast_in_dim
// CHECK-NEXT: return
func.func @with_scalar(%x: tensor<3xf32>, %s: tensor<f32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// CHECK-LABEL: @other_broadcasts(
// CHECK-NEXT: stablehlo.broadcast_in_dim
// CHECK-NEXT: stablehlo.broadcast_in_dim
// CHECK-NEXT: stablehlo.add
// CHECK-NEXT: return
func.func @other_broadcasts(%x: tensor<3xf32>, %y: tensor<2xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %y, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.add %0, %1 : tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// CHECK-LABEL: @transposes(
// CHECK-NEXT: stablehlo.compare LT, %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT: stablehlo.transpose
// CHECK-NEXT: return
func.func @transposes(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<3x2xi1> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.transpose %y, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = stablehlo.compare LT, %0, %1 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xi1>
  return %2 : tensor<3x2xi1>
}

// CHECK-LABEL: @reshape(
// CHECK-NEXT: stablehlo.negate %arg0
// CHECK-NEXT: stablehlo.select %arg1, %arg0, %0 : tensor<i1>, tensor<2x3xf32>
// CHECK-NEXT: stablehlo.reshape
// CHECK-NEXT: return
func.func @reshape(%x: tensor<2x3xf32>, %c: tensor<i1>) -> tensor<6xf32> {
  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
  %1 = stablehlo.negate %0 : tensor<6xf32>
  %2 = stablehlo.select %c, %0, %1 : tensor<i1>, tensor<6xf32>
  return %2 : tensor<6xf32>
}

// CHECK-LABEL: @different_reshapes(
// CHECK-NEXT: stablehlo.reshape
// CHECK-NEXT: stablehlo.reshape
// CHECK-NEXT: stablehlo.add
// CHECK-NEXT: return
func.func @different_reshapes(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<6xf32> {
  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
  %1 = stablehlo.reshape %y : (tensor<3x2xf32>) -> tensor<6xf32>
  %2 = stablehlo.add %0, %1 : tensor<6xf32>
  return %2 : tensor<6xf32>
}

// CHECK-LABEL: @splats(
// CHECK-NEXT: stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: stablehlo.sqrt
// CHECK-NEXT: stablehlo.broadcast_in_dim
// CHECK-NEXT: return
func.func @splats() -> tensor<2x3xf32> {
  %0 = stablehlo.constant dense<2.0> : tensor<2x3xf32>
  %1 = stablehlo.sqrt %0 : tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
