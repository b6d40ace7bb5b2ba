// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --stablehlo-legalize-to-linalg --split-input-file --verify-diagnostics | FileCheck %s

// The common operation is one operation of arith.
// CHECK-LABEL: func.func @add
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[X]], %[[Y]] : f32
// CHECK-NEXT: linalg.yield %[[SUM]] : f32
func.func @add(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %y : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The sign is in the operation.
// CHECK-LABEL: func.func @unsigned
// CHECK-SAME: (%{{.*}}: tensor<4xi8>) -> tensor<4xi1>
// CHECK: arith.cmpi ult
func.func @unsigned(%x: tensor<4xui8>) -> tensor<4xi1> {
  %0 = stablehlo.compare LT, %x, %x : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

// No divisor is 0, and none is -1.
// CHECK-LABEL: func.func @divide
// CHECK: ^bb0(%[[X:.*]]: i32, %[[Y:.*]]: i32, %{{.*}}: i32):
// CHECK: %[[SAFE:.*]] = arith.select %{{.*}}, %{{.*}}, %[[Y]] : i32
// CHECK: arith.divsi %[[X]], %[[SAFE]] : i32
func.func @divide(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.divide %x, %y : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// A float beyond i8 does not reach fptosi.
// CHECK-LABEL: func.func @convert
// CHECK: %[[RAISED:.*]] = arith.maximumf
// CHECK: %[[OUTSIDE:.*]] = arith.cmpf uge, %[[RAISED]]
// CHECK: %[[INSIDE:.*]] = arith.select %[[OUTSIDE]], %{{.*}}, %[[RAISED]] : f32
// CHECK: arith.fptosi %[[INSIDE]] : f32 to i8
func.func @convert(%x: tensor<?xf32>) -> tensor<?xi8> {
  %0 = stablehlo.convert %x : (tensor<?xf32>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

// -----

// A scalar operand is read by all elements; a shape that one operand knows is
// that of all.
// CHECK: #[[ALL:.*]] = affine_map<(d0) -> ()>
// CHECK: #[[EACH:.*]] = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @clamp
// CHECK-SAME: (%[[BOUND:.*]]: tensor<f32>, %[[X:.*]]: tensor<?xf32>)
// CHECK: %[[CAST:.*]] = tensor.cast %[[X]] : tensor<?xf32> to tensor<4xf32>
// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[EACH]], #[[ALL]], #[[EACH]]]
// CHECK-SAME: ins(%[[BOUND]], %[[CAST]], %[[BOUND]] : tensor<f32>, tensor<4xf32>, tensor<f32>)
func.func @clamp(%bound: tensor<f32>, %x: tensor<?xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.clamp"(%bound, %x, %bound) : (tensor<f32>, tensor<?xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @complex
// CHECK: complex.exp %{{.*}} : complex<f64>
func.func @complex(%x: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  %0 = stablehlo.exponential %x : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// -----

// Each slice has its scale.
// CHECK: #[[SLICE:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @dequantize
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xi8>) -> tensor<2x3xf32>
// CHECK: %[[SCALES:.*]] = arith.constant dense<[5.000000e-01, 2.500000e-01]> : tensor<2xf32>
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[SLICE]], #{{.*}}]
// CHECK-SAME: ins(%[[X]], %[[SCALES]] : tensor<2x3xi8>, tensor<2xf32>)
// CHECK: arith.sitofp
// CHECK-NEXT: arith.mulf
func.func @dequantize(%x: tensor<2x3x!quant.uniform<i8:f32:0, {0.5,0.25}>>) -> tensor<2x3xf32> {
  %0 = stablehlo.uniform_dequantize %x : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5,0.25}>>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// An operation on quantized tensors is one on floats.
// CHECK-LABEL: func.func @quantized
// CHECK-SAME: (%{{.*}}: tensor<4xi8>) -> tensor<4xi8>
// CHECK: arith.sitofp
// CHECK: math.tanh %{{.*}} : f32
// CHECK: math.roundeven
// CHECK: arith.fptosi
func.func @quantized(%x: tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>> {
  %0 = stablehlo.tanh %x : tensor<4x!quant.uniform<i8:f32, 0.5>>
  return %0 : tensor<4x!quant.uniform<i8:f32, 0.5>>
}

// -----

// CHECK-LABEL: func.func @constants
// CHECK: arith.constant dense<[-1, 1]> : tensor<2xi4>
// CHECK: arith.constant dense<true> : tensor<2x2xi1>
// CHECK: arith.constant dense<[-56, 3]> : tensor<2xi8>
// CHECK: arith.constant dense_resource<blob> : tensor<2xi8>
// CHECK: arith.constant dense<[5, 0, 6, 0]> : tensor<4xi32>
func.func @constants() -> (tensor<2xui4>, tensor<2x2xi1>, tensor<2x!quant.uniform<u8:f32, 0.5>>, tensor<2xui8>, tensor<4xi32>) {
  %0 = stablehlo.constant dense<[15, 1]> : tensor<2xui4>
  %1 = stablehlo.constant dense<true> : tensor<2x2xi1>
  %2 = "stablehlo.constant"() <{value = dense<[200, 3]> : tensor<2xui8>}> : () -> tensor<2x!quant.uniform<u8:f32, 0.5>>
  %3 = stablehlo.constant dense_resource<blob> : tensor<2xui8>
  %4 = stablehlo.constant sparse<[[0], [2]], [5, 6]> : tensor<4xi32>
  return %0, %1, %2, %3, %4 : tensor<2xui4>, tensor<2x2xi1>, tensor<2x!quant.uniform<u8:f32, 0.5>>, tensor<2xui8>, tensor<4xi32>
}
{-# dialect_resources: { builtin: { blob: "0x08000000FF01" } } #-}

// -----

func.func @remainder(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-error @below {{cannot be lowered to linalg: it is not defined for elements of type 'complex<f32>'}}
  %0 = stablehlo.remainder %x, %x : tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
