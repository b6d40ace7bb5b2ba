// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --stablehlo-inline-calls --split-input-file | FileCheck %s

// CHECK-LABEL: @main
// CHECK-NEXT: %[[A:.*]] = stablehlo.negate %arg0
// CHECK-NEXT: %[[B:.*]] = stablehlo.negate %[[A]]
// CHECK-NEXT: return %[[B]], %arg0
// CHECK-NOT: @twice
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = call @twice(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
func.func private @twice(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = call @once(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @once(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %x : tensor<4xf32>, tensor<4xf32>
}
func.func private @once(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Recursion, functions without a body, and functions that others may call stay.
// CHECK-LABEL: @others
// CHECK-COUNT-3: call @
// CHECK: func.func private @again
// CHECK: func.func private @outside
// CHECK: func.func @public
func.func @others(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @again(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @outside(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @public(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @again(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = call @again(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @outside(tensor<4xf32>) -> tensor<4xf32>
func.func @public(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
