// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | FileCheck %s
// RUN: mercator map %s | FileCheck %s --check-prefix=MAP

// mhlo is the predecessor of StableHLO: what both have is read as StableHLO.

// CHECK-LABEL: func.func @pretty
func.func @pretty(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %z: tensor<f32>) -> tensor<4xf32> {
  // CHECK: stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  // MAP: %0 = dot_general  mhlo.mlir:[[@LINE+1]]
  %0 = "mhlo.dot_general"(%a, %b) {dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  // CHECK: stablehlo.compare GT
  %1 = mhlo.compare GT, %0, %0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xi1>
  %2 = "mhlo.compare"(%0, %0) {comparison_direction = #mhlo<comparison_direction LT>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xi1>
  // CHECK: stablehlo.select
  %3 = mhlo.select %1, %0, %0 : tensor<4x4xi1>, tensor<4x4xf32>
  // CHECK: chlo.erf %{{.*}} : tensor<4x4xf32> -> tensor<4x4xf32>
  %4 = mhlo.erf %3 : tensor<4x4xf32>
  // CHECK: chlo.erf
  %5 = "mhlo.erf"(%4) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [1]
  %6 = mhlo.reduce(%5 init: %z) applies mhlo.add across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: hlo.copy
  %7 = mhlo.copy %6 : tensor<4xf32>
  return %7 : tensor<4xf32>
}

// CHECK-LABEL: func.func @generic
func.func @generic(%a: tensor<4xf32>, %z: tensor<f32>) -> (tensor<f32>, tensor<2x3xf32>) {
  // CHECK: stablehlo.reduce({{.*}}) applies stablehlo.maximum across dimensions = [0]
  %0 = "mhlo.reduce"(%a, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %m = "mhlo.maximum"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "mhlo.return"(%m) : (tensor<f32>) -> ()
  }) {dimensions = dense<0> : tensor<1xi64>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  // CHECK: stablehlo.broadcast_in_dim %arg1, dims = []
  %1 = "mhlo.broadcast_in_dim"(%z) {broadcast_dimensions = dense<> : tensor<0xi64>} : (tensor<f32>) -> tensor<2x3xf32>
  // CHECK: stablehlo.constant dense<1.000000e+00>
  %2 = mhlo.constant dense<1.0> : tensor<2x3xf32>
  %3 = mhlo.add %1, %2 {mhlo.sharding = "{replicated}"} : tensor<2x3xf32>
  return %0, %3 : tensor<f32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @loop
func.func @loop(%n: tensor<i32>) -> tensor<i32> {
  // CHECK: stablehlo.while
  %0 = mhlo.while(%i = %n) : tensor<i32>
    cond {
      %c = mhlo.constant dense<10> : tensor<i32>
      %p = mhlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      mhlo.return %p : tensor<i1>
    } do {
      %one = mhlo.constant dense<1> : tensor<i32>
      %j = mhlo.add %i, %one : tensor<i32>
      mhlo.return %j : tensor<i32>
    }
  return %0 : tensor<i32>
}
