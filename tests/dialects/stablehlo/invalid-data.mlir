// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints of the operations that move elements and of those with dynamic
// shapes: for each constraint of the specification a program that violates only
// this one.

// RUN: mercator-opt %s --split-input-file --verify-diagnostics

// (bitcast_convert C1)
func.func @bitcast_convert_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected result of shape [4], got [5]}}
  %0 = stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<5xi32>
  return
}
// -----
// (bitcast_convert C1)
func.func @bitcast_convert_c1_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected result of shape [4, 4], got [4]}}
  %0 = stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<4xi8>
  return
}
// -----
// (bitcast_convert C1)
func.func @bitcast_convert_c1_3(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected result of shape [4, 4], got [3, 4]}}
  %0 = stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<3x4xi8>
  return
}
// -----
// (bitcast_convert C1)
func.func @bitcast_convert_c1_4(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected result of shape [4, 4], got [4, 2]}}
  %0 = stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<4x2xi8>
  return
}
// -----
// (bitcast_convert C1)
func.func @bitcast_convert_c1_5(%a: tensor<4x3xi8>) {
  // expected-error @+1 {{expected operand of shape [4, 4], got [4, 3]}}
  %0 = stablehlo.bitcast_convert %a : (tensor<4x3xi8>) -> tensor<4xf32>
  return
}
// -----
// (bitcast_convert C1)
func.func @bitcast_convert_c1_6(%a: tensor<i8>) {
  // expected-error @+1 {{expected operand of shape [4], got []}}
  %0 = stablehlo.bitcast_convert %a : (tensor<i8>) -> tensor<f32>
  return
}
// -----
// (bitcast_convert C2)
func.func @bitcast_convert_c2(%a: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{expected operand and result both complex or neither, got 'complex<f32>' and 'i64'}}
  %0 = stablehlo.bitcast_convert %a : (tensor<4xcomplex<f32>>) -> tensor<4xi64>
  return
}
// -----
// (bitcast_convert C2)
func.func @bitcast_convert_c2_2(%a: tensor<4xf64>) {
  // expected-error @+1 {{expected operand and result both complex or neither, got 'f64' and 'complex<f32>'}}
  %0 = stablehlo.bitcast_convert %a : (tensor<4xf64>) -> tensor<4xcomplex<f32>>
  return
}
// -----
// (broadcast_in_dim C1)
func.func @broadcast_in_dim_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf64>
  return
}
// -----
// (broadcast_in_dim C1)
func.func @broadcast_in_dim_c1_2(%a: tensor<4x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error @+1 {{expected result of element type '!quant.uniform<i8:f32, 5.000000e-01:3>', got '!quant.uniform<i8:f32, 2.500000e-01:3>'}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x8x!quant.uniform<i8:f32, 0.25:3>>
  return
}
// -----
// (broadcast_in_dim C1)
func.func @broadcast_in_dim_c1_3(%a: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error @+1 {{expected result of element type '!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>', got '!quant.uniform<i16:f32:0, {5.000000e-01,2.500000e-01}>'}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x8x!quant.uniform<i16:f32:0, {0.5, 0.25}>>
  return
}
// -----
// (broadcast_in_dim C2)
func.func @broadcast_in_dim_c2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected broadcast_dimensions of length 1, got 0}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<4xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (broadcast_in_dim C3)
func.func @broadcast_in_dim_c3(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected broadcast_dimensions within [0, 2), got 2}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [2] : (tensor<4xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (broadcast_in_dim C3)
func.func @broadcast_in_dim_c3_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected broadcast_dimensions within [0, 2), got -1}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [-1] : (tensor<4xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (broadcast_in_dim C4)
func.func @broadcast_in_dim_c4(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{expected broadcast_dimensions without repetition, got [0, 0]}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 0] : (tensor<4x4xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (broadcast_in_dim C5)
func.func @broadcast_in_dim_c5(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand dimension 0 of extent 1 or 8, got 4}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (broadcast_in_dim C6)
func.func @broadcast_in_dim_c6(%a: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error @+1 {{expected a result quantized along dimension 1, got 0}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}
// -----
// (broadcast_in_dim C6)
func.func @broadcast_in_dim_c6_2(%a: tensor<1x!quant.uniform<i8:f32:0, {0.5}>>) {
  // expected-error @+1 {{expected every scale and zero point to be 5.000000e-01 and 0, got 2.500000e-01 and 0}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<1x!quant.uniform<i8:f32:0, {0.5}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}
// -----
// (dynamic_broadcast_in_dim C1)
func.func @dynamic_broadcast_in_dim_c1(%a: tensor<4xf32>, %s: tensor<2xi32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0] : (tensor<4xf32>, tensor<2xi32>) -> tensor<4x8xf64>
  return
}
// -----
// (dynamic_broadcast_in_dim C1)
func.func @dynamic_broadcast_in_dim_c1_2(%a: tensor<4x!quant.uniform<i8:f32, 0.5:3>>, %s: tensor<2xi32>) {
  // expected-error @+1 {{expected result of element type '!quant.uniform<i8:f32, 5.000000e-01:3>', got '!quant.uniform<i8:f32, 2.500000e-01:3>'}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0] : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>, tensor<2xi32>) -> tensor<4x8x!quant.uniform<i8:f32, 0.25:3>>
  return
}
// -----
// (dynamic_broadcast_in_dim C1)
func.func @dynamic_broadcast_in_dim_c1_3(%a: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %s: tensor<2xi32>) {
  // expected-error @+1 {{expected result of element type '!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>', got '!quant.uniform<i16:f32:0, {5.000000e-01,2.500000e-01}>'}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0] : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2xi32>) -> tensor<2x8x!quant.uniform<i16:f32:0, {0.5, 0.25}>>
  return
}
// -----
// (dynamic_broadcast_in_dim C2)
func.func @dynamic_broadcast_in_dim_c2(%a: tensor<4xf32>, %s: tensor<2xi32>) {
  // expected-error @+1 {{expected broadcast_dimensions of length 1, got 0}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [] : (tensor<4xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  return
}
// -----
// (dynamic_broadcast_in_dim C3)
func.func @dynamic_broadcast_in_dim_c3(%a: tensor<4xf32>, %s: tensor<2xi32>) {
  // expected-error @+1 {{expected broadcast_dimensions within [0, 2), got 2}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [2] : (tensor<4xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  return
}
// -----
// (dynamic_broadcast_in_dim C3)
func.func @dynamic_broadcast_in_dim_c3_2(%a: tensor<4xf32>, %s: tensor<2xi32>) {
  // expected-error @+1 {{expected broadcast_dimensions within [0, 2), got -1}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [-1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  return
}
// -----
// (dynamic_broadcast_in_dim C4)
func.func @dynamic_broadcast_in_dim_c4(%a: tensor<4x4xf32>, %s: tensor<2xi32>) {
  // expected-error @+1 {{expected broadcast_dimensions without repetition, got [0, 0]}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0, 0] : (tensor<4x4xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  return
}
// -----
// (dynamic_broadcast_in_dim C5)
func.func @dynamic_broadcast_in_dim_c5(%a: tensor<4xf32>, %s: tensor<2xi32>) {
  // expected-error @+1 {{expected operand dimension 0 of extent 1 or 8, got 4}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  return
}
// -----
// (dynamic_broadcast_in_dim C6)
func.func @dynamic_broadcast_in_dim_c6(%a: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %s: tensor<2xi32>) {
  // expected-error @+1 {{expected a result quantized along dimension 1, got 0}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1] : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2xi32>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}
// -----
// (dynamic_broadcast_in_dim C6)
func.func @dynamic_broadcast_in_dim_c6_2(%a: tensor<1x!quant.uniform<i8:f32:0, {0.5}>>, %s: tensor<2xi32>) {
  // expected-error @+1 {{expected every scale and zero point to be 5.000000e-01 and 0, got 2.500000e-01 and 0}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0] : (tensor<1x!quant.uniform<i8:f32:0, {0.5}>>, tensor<2xi32>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}
// -----
// (dynamic_broadcast_in_dim C5)
func.func @dynamic_broadcast_in_dim_c5_2(%a: tensor<4xf32>) {
  %s = stablehlo.constant dense<[3, 8]> : tensor<2xi32>
  // expected-error @+1 {{expected operand dimension 0 of extent 1 or 3, got 4}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0] : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
// (dynamic_broadcast_in_dim C7)
func.func @dynamic_broadcast_in_dim_c7(%a: tensor<4xf32>, %s: tensor<3xi32>) {
  // expected-error @+1 {{expected output_dimensions of length 2, got 3}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0] : (tensor<4xf32>, tensor<3xi32>) -> tensor<?x?xf32>
  return
}
// -----
// (dynamic_broadcast_in_dim C8)
func.func @dynamic_broadcast_in_dim_c8(%a: tensor<?xf32>, %s: tensor<2xi32>) {
  // expected-error @+1 {{expected known_expanding_dimensions and known_nonexpanding_dimensions without repetition, got [0, 0]}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 0>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
// (dynamic_broadcast_in_dim C8)
func.func @dynamic_broadcast_in_dim_c8_2(%a: tensor<?xf32>, %s: tensor<2xi32>) {
  // expected-error @+1 {{expected known_expanding_dimensions and known_nonexpanding_dimensions without repetition, got [0, 0]}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 0>, known_expanding_dimensions = array<i64: 0, 0>} : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
// (dynamic_broadcast_in_dim C9)
func.func @dynamic_broadcast_in_dim_c9(%a: tensor<?xf32>, %s: tensor<2xi32>) {
  // expected-error @+1 {{expected known_expanding_dimensions within [0, 1), got 1}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 0>, known_expanding_dimensions = array<i64: 1>} : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
// (dynamic_broadcast_in_dim C10)
func.func @dynamic_broadcast_in_dim_c10(%a: tensor<?xf32>, %s: tensor<2xi32>) {
  // expected-error @+1 {{expected known_nonexpanding_dimensions within [0, 1), got -1}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: -1>} : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
// (reshape C1)
func.func @reshape_c1(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'i32'}}
  %0 = stablehlo.reshape %a : (tensor<4x8xf32>) -> tensor<32xi32>
  return
}
// -----
// (reshape C1)
func.func @reshape_c1_2(%a: tensor<4x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error @+1 {{expected result of element type '!quant.uniform<i8:f32, 5.000000e-01:3>', got '!quant.uniform<i8:f32, 2.500000e-01:3>'}}
  %0 = stablehlo.reshape %a : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
  return
}
// -----
// (reshape C1)
func.func @reshape_c1_3(%a: tensor<2x4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error @+1 {{expected result of element type '!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>', got '!quant.uniform<i8:f32:0, {2.500000e-01,5.000000e-01}>'}}
  %0 = stablehlo.reshape %a : (tensor<2x4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x2x!quant.uniform<i8:f32:0, {0.25, 0.5}>>
  return
}
// -----
// (reshape C2)
func.func @reshape_c2(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected a result of 32 elements, got 31}}
  %0 = stablehlo.reshape %a : (tensor<4x8xf32>) -> tensor<31xf32>
  return
}
// -----
// (reshape C3)
func.func @reshape_c3(%a: tensor<2x2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error @+1 {{result #0 must be ranked tensor of 4/6/8/16/32/64-bit float or boolean or 2/4/8/16/32/64-bit integer or complex type with 32-bit float or 64-bit float elements or quantized element values, but got 'tensor<2x4x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>'}}
  %0 = stablehlo.reshape %a : (tensor<2x2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x4x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}
// -----
// (reshape C3)
func.func @reshape_c3_2(%a: tensor<2x6x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error @+1 {{expected dimension 0 of the operand, along which it is quantized, to become dimension 1 of the result, got 'tensor<2x6x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>' and 'tensor<6x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>'}}
  %0 = stablehlo.reshape %a : (tensor<2x6x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<6x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}
// -----
// (dynamic_reshape C1)
func.func @dynamic_reshape_c1(%a: tensor<4x8xf32>, %s: tensor<1xi32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'i32'}}
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<4x8xf32>, tensor<1xi32>) -> tensor<32xi32>
  return
}
// -----
// (dynamic_reshape C1)
func.func @dynamic_reshape_c1_2(%a: tensor<4x!quant.uniform<i8:f32, 0.5:3>>, %s: tensor<2xi32>) {
  // expected-error @+1 {{expected result of element type '!quant.uniform<i8:f32, 5.000000e-01:3>', got '!quant.uniform<i8:f32, 2.500000e-01:3>'}}
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>, tensor<2xi32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
  return
}
// -----
// (dynamic_reshape C1)
func.func @dynamic_reshape_c1_3(%a: tensor<2x4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %s: tensor<3xi32>) {
  // expected-error @+1 {{expected result of element type '!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>', got '!quant.uniform<i8:f32:0, {2.500000e-01,5.000000e-01}>'}}
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<2x4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<3xi32>) -> tensor<2x2x2x!quant.uniform<i8:f32:0, {0.25, 0.5}>>
  return
}
// -----
// (dynamic_reshape C2)
func.func @dynamic_reshape_c2(%a: tensor<4x8xf32>, %s: tensor<1xi32>) {
  // expected-error @+1 {{expected a result of 32 elements, got 31}}
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<4x8xf32>, tensor<1xi32>) -> tensor<31xf32>
  return
}
// -----
// (dynamic_reshape C3)
func.func @dynamic_reshape_c3(%a: tensor<2x2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %s: tensor<2xi32>) {
  // expected-error @+1 {{result #0 must be ranked tensor of 4/6/8/16/32/64-bit float or boolean or 2/4/8/16/32/64-bit integer or complex type with 32-bit float or 64-bit float elements or quantized element values, but got 'tensor<2x4x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>'}}
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<2x2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2xi32>) -> tensor<2x4x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}
// -----
// (dynamic_reshape C3)
func.func @dynamic_reshape_c3_2(%a: tensor<2x6x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %s: tensor<2xi32>) {
  // expected-error @+1 {{expected dimension 0 of the operand, along which it is quantized, to become dimension 1 of the result, got 'tensor<2x6x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>' and 'tensor<6x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>'}}
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<2x6x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2xi32>) -> tensor<6x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}
// -----
// (dynamic_reshape C2)
func.func @dynamic_reshape_c2_2(%a: tensor<4x8xf32>) {
  %s = stablehlo.constant dense<[3, 8]> : tensor<2xi32>
  // expected-error @+1 {{expected a result of 32 elements, got 24}}
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
// (dynamic_reshape C4)
func.func @dynamic_reshape_c4(%a: tensor<4x8xf32>, %s: tensor<2xi32>) {
  // expected-error @+1 {{expected output_shape of length 1, got 2}}
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<32xf32>
  return
}
// -----
// (transpose C1)
func.func @transpose_c1(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf64>
  return
}
// -----
// (transpose C1)
func.func @transpose_c1_2(%a: tensor<2x4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error @+1 {{expected result of element type '!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>', got '!quant.uniform<i8:f32:1, {5.000000e-01,5.000000e-01}>'}}
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.5}>>
  return
}
// -----
// (transpose C2)
func.func @transpose_c2(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected permutation of length 2, got 1}}
  %0 = stablehlo.transpose %a, dims = [1] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
// (transpose C2)
func.func @transpose_c2_2(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected permutation without repetition, got [1, 1]}}
  %0 = stablehlo.transpose %a, dims = [1, 1] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
// (transpose C2)
func.func @transpose_c2_3(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected permutation within [0, 2), got 2}}
  %0 = stablehlo.transpose %a, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
// (transpose C3)
func.func @transpose_c3(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of shape [8, 4], got [4, 8]}}
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (transpose C4)
func.func @transpose_c4(%a: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error @+1 {{expected a result quantized along the dimension that dimension 0 of the operand becomes, got dimension 0}}
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}
// -----
// (reverse C1)
func.func @reverse_c1(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of shape [4, 8], got [8, 4]}}
  %0 = "stablehlo.reverse"(%a) {dimensions = array<i64: 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
// (reverse C1)
func.func @reverse_c1_2(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = "stablehlo.reverse"(%a) {dimensions = array<i64: 0>} : (tensor<4x8xf32>) -> tensor<4x8xf64>
  return
}
// -----
// (reverse C2)
func.func @reverse_c2(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected dimensions without repetition, got [1, 1]}}
  %0 = "stablehlo.reverse"(%a) {dimensions = array<i64: 1, 1>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (reverse C3)
func.func @reverse_c3(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected dimensions within [0, 2), got 2}}
  %0 = "stablehlo.reverse"(%a) {dimensions = array<i64: 2>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (reverse C3)
func.func @reverse_c3_2(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected dimensions within [0, 2), got -1}}
  %0 = "stablehlo.reverse"(%a) {dimensions = array<i64: -1>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (slice C1)
func.func @slice_c1(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 8>, strides = array<i64: 1, 1>} : (tensor<4x8xf32>) -> tensor<2x8xf64>
  return
}
// -----
// (slice C2)
func.func @slice_c2(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected start_indices of length 2, got 1}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0>, limit_indices = array<i64: 2, 8>, strides = array<i64: 1, 1>} : (tensor<4x8xf32>) -> tensor<2x8xf32>
  return
}
// -----
// (slice C2)
func.func @slice_c2_2(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected limit_indices of length 2, got 1}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2>, strides = array<i64: 1, 1>} : (tensor<4x8xf32>) -> tensor<2x8xf32>
  return
}
// -----
// (slice C2)
func.func @slice_c2_3(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected strides of length 2, got 1}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 8>, strides = array<i64: 1>} : (tensor<4x8xf32>) -> tensor<2x8xf32>
  return
}
// -----
// (slice C3)
func.func @slice_c3(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected start_indices of at least 0, got -1}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: -1, 0>, limit_indices = array<i64: 2, 8>, strides = array<i64: 1, 1>} : (tensor<4x8xf32>) -> tensor<2x8xf32>
  return
}
// -----
// (slice C3)
func.func @slice_c3_2(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected limit 0 within [3, 4], got 2}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 3, 0>, limit_indices = array<i64: 2, 8>, strides = array<i64: 1, 1>} : (tensor<4x8xf32>) -> tensor<2x8xf32>
  return
}
// -----
// (slice C3)
func.func @slice_c3_3(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected limit 1 within [0, 8], got 9}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 9>, strides = array<i64: 1, 1>} : (tensor<4x8xf32>) -> tensor<2x8xf32>
  return
}
// -----
// (slice C4)
func.func @slice_c4(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected strides of at least 1, got 0}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 8>, strides = array<i64: 0, 1>} : (tensor<4x8xf32>) -> tensor<2x8xf32>
  return
}
// -----
// (slice C5)
func.func @slice_c5(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of shape [2, 8], got [1, 8]}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 8>, strides = array<i64: 2, 1>} : (tensor<4x8xf32>) -> tensor<1x8xf32>
  return
}
// -----
// (dynamic_slice C1)
func.func @dynamic_slice_c1(%a: tensor<4x8xf32>, %i: tensor<i32>, %j: tensor<i32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = stablehlo.dynamic_slice %a, %i, %j, sizes = [2, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf64>
  return
}
// -----
// (dynamic_slice C2)
func.func @dynamic_slice_c2(%a: tensor<4x8xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{expected start indices of length 2, got 1}}
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [2, 8] : (tensor<4x8xf32>, tensor<i32>) -> tensor<2x8xf32>
  return
}
// -----
// (dynamic_slice C2)
func.func @dynamic_slice_c2_2(%a: tensor<4x8xf32>, %i: tensor<i32>, %j: tensor<i32>) {
  // expected-error @+1 {{expected slice_sizes of length 2, got 1}}
  %0 = stablehlo.dynamic_slice %a, %i, %j, sizes = [2] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
  return
}
// -----
// (dynamic_slice C3)
func.func @dynamic_slice_c3(%a: tensor<4x8xf32>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error @+1 {{expected start indices of the same type, got 'tensor<i32>' and 'tensor<i64>'}}
  %0 = stablehlo.dynamic_slice %a, %i, %j, sizes = [2, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i64>) -> tensor<2x8xf32>
  return
}
// -----
// (dynamic_slice C4)
func.func @dynamic_slice_c4(%a: tensor<4x8xf32>, %i: tensor<i32>, %j: tensor<i32>) {
  // expected-error @+1 {{expected slice_sizes of at least 0, got -1}}
  %0 = stablehlo.dynamic_slice %a, %i, %j, sizes = [-1, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
  return
}
// -----
// (dynamic_slice C4)
func.func @dynamic_slice_c4_2(%a: tensor<4x8xf32>, %i: tensor<i32>, %j: tensor<i32>) {
  // expected-error @+1 {{expected size 0 within [0, 4], got 5}}
  %0 = stablehlo.dynamic_slice %a, %i, %j, sizes = [5, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<5x8xf32>
  return
}
// -----
// (dynamic_slice C5)
func.func @dynamic_slice_c5(%a: tensor<4x8xf32>, %i: tensor<i32>, %j: tensor<i32>) {
  // expected-error @+1 {{expected result of shape [2, 8], got [2, 7]}}
  %0 = stablehlo.dynamic_slice %a, %i, %j, sizes = [2, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x7xf32>
  return
}
// -----
// (dynamic_update_slice C1)
func.func @dynamic_update_slice_c1(%a: tensor<4x8xf32>, %u: tensor<2x8xf32>, %i: tensor<i32>, %j: tensor<i32>) {
  // expected-error @+1 {{expected result of shape [4, 8], got [4, 7]}}
  %0 = stablehlo.dynamic_update_slice %a, %u, %i, %j : (tensor<4x8xf32>, tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x7xf32>
  return
}
// -----
// (dynamic_update_slice C1)
func.func @dynamic_update_slice_c1_2(%a: tensor<4x8xf32>, %u: tensor<2x8xf32>, %i: tensor<i32>, %j: tensor<i32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = stablehlo.dynamic_update_slice %a, %u, %i, %j : (tensor<4x8xf32>, tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf64>
  return
}
// -----
// (dynamic_update_slice C2)
func.func @dynamic_update_slice_c2(%a: tensor<4x8xf32>, %u: tensor<2x8xf64>, %i: tensor<i32>, %j: tensor<i32>) {
  // expected-error @+1 {{expected update of element type 'f32', got 'f64'}}
  %0 = stablehlo.dynamic_update_slice %a, %u, %i, %j : (tensor<4x8xf32>, tensor<2x8xf64>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return
}
// -----
// (dynamic_update_slice C3)
func.func @dynamic_update_slice_c3(%a: tensor<4x8xf32>, %u: tensor<8xf32>, %i: tensor<i32>, %j: tensor<i32>) {
  // expected-error @+1 {{expected update's shape of length 2, got 1}}
  %0 = stablehlo.dynamic_update_slice %a, %u, %i, %j : (tensor<4x8xf32>, tensor<8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return
}
// -----
// (dynamic_update_slice C4)
func.func @dynamic_update_slice_c4(%a: tensor<4x8xf32>, %u: tensor<2x8xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{expected start indices of length 2, got 1}}
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4x8xf32>, tensor<2x8xf32>, tensor<i32>) -> tensor<4x8xf32>
  return
}
// -----
// (dynamic_update_slice C5)
func.func @dynamic_update_slice_c5(%a: tensor<4x8xf32>, %u: tensor<2x8xf32>, %i: tensor<i64>, %j: tensor<i32>) {
  // expected-error @+1 {{expected start indices of the same type, got 'tensor<i64>' and 'tensor<i32>'}}
  %0 = stablehlo.dynamic_update_slice %a, %u, %i, %j : (tensor<4x8xf32>, tensor<2x8xf32>, tensor<i64>, tensor<i32>) -> tensor<4x8xf32>
  return
}
// -----
// (dynamic_update_slice C6)
func.func @dynamic_update_slice_c6(%a: tensor<4x8xf32>, %u: tensor<5x8xf32>, %i: tensor<i32>, %j: tensor<i32>) {
  // expected-error @+1 {{expected size 0 within [0, 4], got 5}}
  %0 = stablehlo.dynamic_update_slice %a, %u, %i, %j : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return
}
// -----
// (pad C1)
func.func @pad_c1(%a: tensor<4x8xf32>, %p: tensor<f64>) {
  // expected-error @+1 {{expected padding_value of element type 'f32', got 'f64'}}
  %0 = stablehlo.pad %a, %p, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<4x8xf32>, tensor<f64>) -> tensor<4x8xf32>
  return
}
// -----
// (pad C1)
func.func @pad_c1_2(%a: tensor<4x8xf32>, %p: tensor<f32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = stablehlo.pad %a, %p, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf64>
  return
}
// -----
// (pad C2)
func.func @pad_c2(%a: tensor<4x8xf32>, %p: tensor<f32>) {
  // expected-error @+1 {{expected low of length 2, got 1}}
  %0 = stablehlo.pad %a, %p, low = [0], high = [0, 0], interior = [0, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
// (pad C2)
func.func @pad_c2_2(%a: tensor<4x8xf32>, %p: tensor<f32>) {
  // expected-error @+1 {{expected high of length 2, got 1}}
  %0 = stablehlo.pad %a, %p, low = [0, 0], high = [0], interior = [0, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
// (pad C2)
func.func @pad_c2_3(%a: tensor<4x8xf32>, %p: tensor<f32>) {
  // expected-error @+1 {{expected interior of length 2, got 1}}
  %0 = stablehlo.pad %a, %p, low = [0, 0], high = [0, 0], interior = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
// (pad C3)
func.func @pad_c3(%a: tensor<4x8xf32>, %p: tensor<f32>) {
  // expected-error @+1 {{expected interior of at least 0, got -1}}
  %0 = stablehlo.pad %a, %p, low = [0, 0], high = [0, 0], interior = [0, -1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
// (pad C4)
func.func @pad_c4(%a: tensor<4x8xf32>, %p: tensor<f32>) {
  // expected-error @+1 {{expected result of shape [6, 8], got [5, 8]}}
  %0 = stablehlo.pad %a, %p, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<5x8xf32>
  return
}
// -----
// (pad C4)
func.func @pad_c4_2(%a: tensor<4x8xf32>, %p: tensor<f32>) {
  // expected-error @+1 {{expected result of shape [4, 15], got [4, 14]}}
  %0 = stablehlo.pad %a, %p, low = [0, 0], high = [0, 0], interior = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x14xf32>
  return
}
// -----
// (pad C4)
func.func @pad_c4_3(%a: tensor<4x8xf32>, %p: tensor<f32>) {
  // expected-error @+1 {{expected padding of dimension 0 that leaves an extent of at least 0 and below 2^63}}
  %0 = stablehlo.pad %a, %p, low = [-5, 0], high = [0, 0], interior = [0, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<0x8xf32>
  return
}
// -----
// (dynamic_pad C1)
func.func @dynamic_pad_c1(%a: tensor<4x8xf32>, %p: tensor<f64>, %l: tensor<2xi32>, %h: tensor<2xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{expected padding_value of element type 'f32', got 'f64'}}
  %0 = stablehlo.dynamic_pad %a, %p, %l, %h, %i : (tensor<4x8xf32>, tensor<f64>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
// (dynamic_pad C1)
func.func @dynamic_pad_c1_2(%a: tensor<4x8xf32>, %p: tensor<f32>, %l: tensor<2xi32>, %h: tensor<2xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = stablehlo.dynamic_pad %a, %p, %l, %h, %i : (tensor<4x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf64>
  return
}
// -----
// (dynamic_pad C2)
func.func @dynamic_pad_c2(%a: tensor<4x8xf32>, %p: tensor<f32>, %l: tensor<1xi32>, %h: tensor<2xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{expected edge_padding_low of length 2, got 1}}
  %0 = stablehlo.dynamic_pad %a, %p, %l, %h, %i : (tensor<4x8xf32>, tensor<f32>, tensor<1xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
// (dynamic_pad C2)
func.func @dynamic_pad_c2_2(%a: tensor<4x8xf32>, %p: tensor<f32>, %l: tensor<2xi32>, %h: tensor<1xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{expected edge_padding_high of length 2, got 1}}
  %0 = stablehlo.dynamic_pad %a, %p, %l, %h, %i : (tensor<4x8xf32>, tensor<f32>, tensor<2xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
// (dynamic_pad C2)
func.func @dynamic_pad_c2_3(%a: tensor<4x8xf32>, %p: tensor<f32>, %l: tensor<2xi32>, %h: tensor<2xi32>, %i: tensor<1xi32>) {
  // expected-error @+1 {{expected interior_padding of length 2, got 1}}
  %0 = stablehlo.dynamic_pad %a, %p, %l, %h, %i : (tensor<4x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<1xi32>) -> tensor<?x?xf32>
  return
}
// -----
// (dynamic_pad C3)
func.func @dynamic_pad_c3(%a: tensor<4x8xf32>, %p: tensor<f32>) {
  %l = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
  %h = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
  %i = stablehlo.constant dense<[0, -1]> : tensor<2xi32>
  // expected-error @+1 {{expected interior_padding of at least 0, got -1}}
  %0 = stablehlo.dynamic_pad %a, %p, %l, %h, %i : (tensor<4x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
// (dynamic_pad C4)
func.func @dynamic_pad_c4(%a: tensor<4x8xf32>, %p: tensor<f32>, %l: tensor<2xi32>, %h: tensor<2xi32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{expected result of shape [?, ?], got [?]}}
  %0 = stablehlo.dynamic_pad %a, %p, %l, %h, %i : (tensor<4x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?xf32>
  return
}
// -----
// (dynamic_pad C4)
func.func @dynamic_pad_c4_2(%a: tensor<4x8xf32>, %p: tensor<f32>) {
  %l = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %h = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %i = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
  // expected-error @+1 {{expected result of shape [6, 8], got [5, ?]}}
  %0 = stablehlo.dynamic_pad %a, %p, %l, %h, %i : (tensor<4x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<5x?xf32>
  return
}
// -----
// (dynamic_pad C4)
func.func @dynamic_pad_c4_3(%a: tensor<4x8xf32>, %p: tensor<f32>) {
  %l = stablehlo.constant dense<[-5, 0]> : tensor<2xi32>
  %h = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
  %i = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
  // expected-error @+1 {{expected padding of dimension 0 that leaves an extent of at least 0 and below 2^63}}
  %0 = stablehlo.dynamic_pad %a, %p, %l, %h, %i : (tensor<4x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
// (concatenate C1)
func.func @concatenate_c1(%a: tensor<4x8xf32>, %b: tensor<4x8xf64>) {
  // expected-error @+1 {{expected input of element type 'f32', got 'f64'}}
  %0 = "stablehlo.concatenate"(%a, %b) {dimension = 0 : i64} : (tensor<4x8xf32>, tensor<4x8xf64>) -> tensor<8x8xf32>
  return
}
// -----
// (concatenate C2)
func.func @concatenate_c2(%a: tensor<4x8xf32>, %b: tensor<4x7xf32>) {
  // expected-error @+1 {{expected input of shape [4, 8], got [4, 7]}}
  %0 = "stablehlo.concatenate"(%a, %b) {dimension = 0 : i64} : (tensor<4x8xf32>, tensor<4x7xf32>) -> tensor<8x8xf32>
  return
}
// -----
// (concatenate C2)
func.func @concatenate_c2_2(%a: tensor<4x8xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{expected input of shape [4, 8], got [4]}}
  %0 = "stablehlo.concatenate"(%a, %b) {dimension = 0 : i64} : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<8x8xf32>
  return
}
// -----
// (concatenate C3)
func.func @concatenate_c3() {
  // expected-error @+1 {{expected at least one input, got none}}
  %0 = "stablehlo.concatenate"() {dimension = 0 : i64} : () -> tensor<8x8xf32>
  return
}
// -----
// (concatenate C4)
func.func @concatenate_c4(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected dimension within [0, 2), got 2}}
  %0 = "stablehlo.concatenate"(%a) {dimension = 2 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (concatenate C4)
func.func @concatenate_c4_2(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected dimension within [0, 2), got -1}}
  %0 = "stablehlo.concatenate"(%a) {dimension = -1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (concatenate C5)
func.func @concatenate_c5(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = "stablehlo.concatenate"(%a, %b) {dimension = 0 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf64>
  return
}
// -----
// (concatenate C6)
func.func @concatenate_c6(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of shape [8, 8], got [4, 8]}}
  %0 = "stablehlo.concatenate"(%a, %b) {dimension = 0 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (concatenate C6)
func.func @concatenate_c6_2(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of shape [8, 8], got [8, 9]}}
  %0 = "stablehlo.concatenate"(%a, %b) {dimension = 0 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x9xf32>
  return
}
// -----
// (dynamic_iota C1)
func.func @dynamic_iota_c1(%s: tensor<1xi32>) {
  // expected-error @+1 {{expected iota dimension within [0, 1), got 1}}
  %0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<1xi32>) -> tensor<?xf32>
  return
}
// -----
// (dynamic_iota C2)
func.func @dynamic_iota_c2(%s: tensor<2xi32>) {
  // expected-error @+1 {{expected output_shape of length 1, got 2}}
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> tensor<?xf32>
  return
}
// -----
// (get_dimension_size C1)
func.func @get_dimension_size_c1(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected dimension within [0, 2), got 2}}
  %0 = stablehlo.get_dimension_size %a, dim = 2 : (tensor<4x8xf32>) -> tensor<i32>
  return
}
// -----
func.func @reshape_two_bounds(%a: tensor<?x?xf32, #stablehlo.bounds<5, 5>>) {
  // expected-error @+1 {{expected a result of at most one bounded dimension, got 'tensor<?x?xf32, #stablehlo.bounds<5, 5>>'}}
  %0 = stablehlo.reshape %a : (tensor<?x?xf32, #stablehlo.bounds<5, 5>>) -> tensor<?x?xf32, #stablehlo.bounds<5, 5>>
  return
}
// -----
func.func @broadcast_in_dim_two_bounds(%a: tensor<?x?xf32, #stablehlo.bounds<5, 5>>) {
  // expected-error @+1 {{expected a result of at most one bounded dimension, got 'tensor<2x?x?xf32, #stablehlo.bounds<?, 5, 5>>'}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<?x?xf32, #stablehlo.bounds<5, 5>>) -> tensor<2x?x?xf32, #stablehlo.bounds<?, 5, 5>>
  return
}
