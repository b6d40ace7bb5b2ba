// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Constants are evaluated by the reference evaluator.
// RUN: mercator compile %s --stop-after=linalg | FileCheck %s

// CHECK-LABEL: @chain
// CHECK-NEXT: %[[C:.*]] = arith.constant dense<[5.000000e-01, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return %[[C]]
func.func @chain() -> tensor<2xf32> {
  %x = stablehlo.constant dense<[3.0, -0.75]> : tensor<2xf32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %ones = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %0 = stablehlo.add %x, %ones : tensor<2xf32>
  %1 = stablehlo.rsqrt %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// A splat is evaluated on one element, whatever its size.
// CHECK-LABEL: @splat
// CHECK-NEXT: %[[C:.*]] = arith.constant dense<3> : tensor<1000000x1000xi32>
// CHECK-NEXT: return %[[C]]
func.func @splat() -> tensor<1000000x1000xi32> {
  %x = stablehlo.constant dense<1> : tensor<1000000x1000xi32>
  %y = stablehlo.constant dense<2> : tensor<1000000x1000xi32>
  %0 = stablehlo.add %x, %y : tensor<1000000x1000xi32>
  return %0 : tensor<1000000x1000xi32>
}

// NaN, infinity and narrow types.
// CHECK-LABEL: @elements
// CHECK-DAG: arith.constant dense<[true, false]> : tensor<2xi1>
// CHECK-DAG: arith.constant dense<[-8, 7]> : tensor<2xi4>
// CHECK-DAG: arith.constant dense<[0x7F80, 0xFF80]> : tensor<2xbf16>
func.func @elements() -> (tensor<2xi1>, tensor<2xi4>, tensor<2xbf16>) {
  %a = stablehlo.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %0 = stablehlo.compare EQ, %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %b = stablehlo.constant dense<[7, 6]> : tensor<2xi4>
  %c = stablehlo.constant dense<[1, 1]> : tensor<2xi4>
  %1 = stablehlo.add %b, %c : tensor<2xi4>
  %d = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xbf16>
  %e = stablehlo.constant dense<[0.0, 0.0]> : tensor<2xbf16>
  %2 = stablehlo.divide %d, %e : tensor<2xbf16>
  return %0, %1, %2 : tensor<2xi1>, tensor<2xi4>, tensor<2xbf16>
}

// Positions are constants, and a gather at them is a slice.
// CHECK-LABEL: @positions
// CHECK-NEXT: return %arg0
func.func @positions(%x: tensor<79x4xf32>) -> tensor<79x4xf32> {
  %i = stablehlo.iota dim = 0 : tensor<79xi32>
  %zero = stablehlo.constant dense<0> : tensor<79xi32>
  %n = stablehlo.constant dense<79> : tensor<79xi32>
  %negative = stablehlo.compare LT, %i, %zero : (tensor<79xi32>, tensor<79xi32>) -> tensor<79xi1>
  %wrapped = stablehlo.add %i, %n : tensor<79xi32>
  %at = stablehlo.select %negative, %wrapped, %i : tensor<79xi1>, tensor<79xi32>
  %column = stablehlo.reshape %at : (tensor<79xi32>) -> tensor<79x1xi32>
  %0 = "stablehlo.gather"(%x, %column) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<79x4xf32>, tensor<79x1xi32>) -> tensor<79x4xf32>
  return %0 : tensor<79x4xf32>
}
