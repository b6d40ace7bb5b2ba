// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Quantized tensors: bounds of the storage, NaN, each axis its own scale, and
// operations on the floats that they express.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s

func.func @quantize_i8_f32() {
  %x = stablehlo.constant dense<[-100.0, -0.25, 0.05, 0.15, 12.7, 3.0e38, 0xFF800000, 0x7FC00000]> : tensor<8xf32>
  %q = stablehlo.uniform_quantize %x : (tensor<8xf32>) -> tensor<8x!quant.uniform<i8:f32, 0.1:-30>>
  %0 = stablehlo.bitcast_convert %q : (tensor<8x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<8xi8>
  %1 = stablehlo.uniform_dequantize %q : (tensor<8x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<8xf32>
  check.expect_eq_const %0, dense<[-128, -32, -30, -28, 97, 127, -128, 0]> : tensor<8xi8>
  check.expect_eq_const %1, dense<[-9.8, -0.2, 0.0, 0.2, 12.7, 15.7, -9.8, 3.0]> : tensor<8xf32>
  func.return
}
func.func @quantize_u8_f32() {
  %x = stablehlo.constant dense<[-100.0, -0.25, 0.05, 0.15, 12.7, 3.0e38, 0xFF800000, 0x7FC00000]> : tensor<8xf32>
  %q = stablehlo.uniform_quantize %x : (tensor<8xf32>) -> tensor<8x!quant.uniform<u8:f32, 0.05:128>>
  %0 = stablehlo.bitcast_convert %q : (tensor<8x!quant.uniform<u8:f32, 0.05:128>>) -> tensor<8xi8>
  %1 = stablehlo.uniform_dequantize %q : (tensor<8x!quant.uniform<u8:f32, 0.05:128>>) -> tensor<8xf32>
  check.expect_eq_const %0, dense<[0, 123, -127, -125, -1, -1, 0, 0]> : tensor<8xi8>
  check.expect_eq_const %1, dense<[-6.4, -0.25, 0.05, 0.15, 6.35, 6.35, -6.4, -6.4]> : tensor<8xf32>
  func.return
}
func.func @quantize_i4_f32() {
  %x = stablehlo.constant dense<[-100.0, -0.25, 0.05, 0.15, 12.7, 3.0e38, 0xFF800000, 0x7FC00000]> : tensor<8xf32>
  %q = stablehlo.uniform_quantize %x : (tensor<8xf32>) -> tensor<8x!quant.uniform<i4:f32, 0.5>>
  %0 = stablehlo.bitcast_convert %q : (tensor<8x!quant.uniform<i4:f32, 0.5>>) -> tensor<8xi4>
  %1 = stablehlo.uniform_dequantize %q : (tensor<8x!quant.uniform<i4:f32, 0.5>>) -> tensor<8xf32>
  check.expect_eq_const %0, dense<[-8, 0, 0, 0, 7, 7, -8, 0]> : tensor<8xi4>
  check.expect_eq_const %1, dense<[-4.0, 0.0, 0.0, 0.0, 3.5, 3.5, -4.0, 0.0]> : tensor<8xf32>
  func.return
}
func.func @quantize_i16_f32() {
  %x = stablehlo.constant dense<[-100.0, -0.25, 0.05, 0.15, 12.7, 3.0e38, 0xFF800000, 0x7FC00000]> : tensor<8xf32>
  %q = stablehlo.uniform_quantize %x : (tensor<8xf32>) -> tensor<8x!quant.uniform<i16:f32, 0.003:7>>
  %0 = stablehlo.bitcast_convert %q : (tensor<8x!quant.uniform<i16:f32, 0.003:7>>) -> tensor<8xi16>
  %1 = stablehlo.uniform_dequantize %q : (tensor<8x!quant.uniform<i16:f32, 0.003:7>>) -> tensor<8xf32>
  check.expect_eq_const %0, dense<[-32768, -76, 24, 57, 4240, 32767, -32768, 0]> : tensor<8xi16>
  check.expect_eq_const %1, dense<[-98.325005, -0.249, 0.051, 0.15, 12.699, 98.28, -98.325005, -0.021]> : tensor<8xf32>
  func.return
}
func.func @quantize_i32_f32() {
  %x = stablehlo.constant dense<[-100.0, -0.25, 0.05, 0.15, 12.7, 3.0e38, 0xFF800000, 0x7FC00000]> : tensor<8xf32>
  %q = stablehlo.uniform_quantize %x : (tensor<8xf32>) -> tensor<8x!quant.uniform<i32:f32, 1.0e-7:3>>
  %0 = stablehlo.bitcast_convert %q : (tensor<8x!quant.uniform<i32:f32, 1.0e-7:3>>) -> tensor<8xi32>
  %1 = stablehlo.uniform_dequantize %q : (tensor<8x!quant.uniform<i32:f32, 1.0e-7:3>>) -> tensor<8xf32>
  check.expect_eq_const %0, dense<[-1000000000, -2499997, 500003, 1500003, 127000000, 2147483647, -2147483648, 0]> : tensor<8xi32>
  check.expect_eq_const %1, dense<[-100.0, -0.25, 0.05, 0.15, 12.7, 214.74837, -214.74837, -3.0e-07]> : tensor<8xf32>
  func.return
}
func.func @quantize_u8_3_200_f32() {
  %x = stablehlo.constant dense<[-100.0, -0.25, 0.05, 0.15, 12.7, 3.0e38, 0xFF800000, 0x7FC00000]> : tensor<8xf32>
  %q = stablehlo.uniform_quantize %x : (tensor<8xf32>) -> tensor<8x!quant.uniform<u8<3:200>:f32, 0.25:4>>
  %0 = stablehlo.bitcast_convert %q : (tensor<8x!quant.uniform<u8<3:200>:f32, 0.25:4>>) -> tensor<8xi8>
  %1 = stablehlo.uniform_dequantize %q : (tensor<8x!quant.uniform<u8<3:200>:f32, 0.25:4>>) -> tensor<8xf32>
  check.expect_eq_const %0, dense<[3, 3, 4, 5, 55, -56, 3, 0]> : tensor<8xi8>
  check.expect_eq_const %1, dense<[-0.25, -0.25, 0.0, 0.25, 12.75, 49.0, -0.25, -1.0]> : tensor<8xf32>
  func.return
}
func.func @quantize_i8_100_100_f32() {
  %x = stablehlo.constant dense<[-100.0, -0.25, 0.05, 0.15, 12.7, 3.0e38, 0xFF800000, 0x7FC00000]> : tensor<8xf32>
  %q = stablehlo.uniform_quantize %x : (tensor<8xf32>) -> tensor<8x!quant.uniform<i8<-100:100>:f32, 0.3>>
  %0 = stablehlo.bitcast_convert %q : (tensor<8x!quant.uniform<i8<-100:100>:f32, 0.3>>) -> tensor<8xi8>
  %1 = stablehlo.uniform_dequantize %q : (tensor<8x!quant.uniform<i8<-100:100>:f32, 0.3>>) -> tensor<8xf32>
  check.expect_eq_const %0, dense<[-100, -1, 0, 0, 42, 100, -100, 0]> : tensor<8xi8>
  check.expect_eq_const %1, dense<[-30.000002, -0.3, 0.0, 0.0, 12.6, 30.000002, -30.000002, 0.0]> : tensor<8xf32>
  func.return
}
func.func @quantize_axis_1() {
  %x = stablehlo.constant dense<[[1.0, -2.0, 0.7], [100.0, -0.3, 3.3]]> : tensor<2x3xf32>
  %q = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.1:-30,0.5:-20,2.0:0}>>
  %0 = stablehlo.bitcast_convert %q : (tensor<2x3x!quant.uniform<i8:f32:1, {0.1:-30,0.5:-20,2.0:0}>>) -> tensor<2x3xi8>
  %1 = stablehlo.uniform_dequantize %q : (tensor<2x3x!quant.uniform<i8:f32:1, {0.1:-30,0.5:-20,2.0:0}>>) -> tensor<2x3xf32>
  %s = stablehlo.add %q, %q : tensor<2x3x!quant.uniform<i8:f32:1, {0.1:-30,0.5:-20,2.0:0}>>
  %2 = stablehlo.bitcast_convert %s : (tensor<2x3x!quant.uniform<i8:f32:1, {0.1:-30,0.5:-20,2.0:0}>>) -> tensor<2x3xi8>
  check.expect_eq_const %0, dense<[[-20, -24, 0], [127, -21, 2]]> : tensor<2x3xi8>
  check.expect_eq_const %1, dense<[[1.0, -2.0, 0.0], [15.7, -0.5, 4.0]]> : tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[-10, -28, 0], [127, -22, 4]]> : tensor<2x3xi8>
  func.return
}
func.func @quantize_axis_0() {
  %x = stablehlo.constant dense<[[1.0, -2.0, 0.7], [100.0, -0.3, 3.3]]> : tensor<2x3xf32>
  %q = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.1,0.5}>>
  %0 = stablehlo.bitcast_convert %q : (tensor<2x3x!quant.uniform<i8:f32:0, {0.1,0.5}>>) -> tensor<2x3xi8>
  %1 = stablehlo.uniform_dequantize %q : (tensor<2x3x!quant.uniform<i8:f32:0, {0.1,0.5}>>) -> tensor<2x3xf32>
  %s = stablehlo.add %q, %q : tensor<2x3x!quant.uniform<i8:f32:0, {0.1,0.5}>>
  %2 = stablehlo.bitcast_convert %s : (tensor<2x3x!quant.uniform<i8:f32:0, {0.1,0.5}>>) -> tensor<2x3xi8>
  check.expect_eq_const %0, dense<[[10, -20, 7], [127, -1, 7]]> : tensor<2x3xi8>
  check.expect_eq_const %1, dense<[[1.0, -2.0, 0.7], [63.5, -0.5, 3.5]]> : tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[20, -40, 14], [127, -2, 14]]> : tensor<2x3xi8>
  func.return
}
func.func @add_of_two_types() {
  %x = stablehlo.constant dense<[1.0, -2.0, 15.7]> : tensor<3xf32>
  %y = stablehlo.constant dense<[3.0, 0.4, -1.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.1:-30>>
  %b = stablehlo.uniform_quantize %y : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5:-20>>
  %r = "stablehlo.add"(%a, %b) : (tensor<3x!quant.uniform<i8:f32, 0.1:-30>>, tensor<3x!quant.uniform<i8:f32, 0.5:-20>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:-20>>
  %0 = stablehlo.bitcast_convert %r : (tensor<3x!quant.uniform<i8:f32, 0.5:-20>>) -> tensor<3xi8>
  check.expect_eq_const %0, dense<[-12, -23, 9]> : tensor<3xi8>
  func.return
}
func.func @requantize() {
  %x = stablehlo.constant dense<[1.0, -2.0, 15.7]> : tensor<3xf32>
  %y = stablehlo.constant dense<[3.0, 0.4, -1.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.1:-30>>
  %b = stablehlo.uniform_quantize %y : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5:-20>>
  %r = stablehlo.uniform_quantize %a : (tensor<3x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:-20>>
  %0 = stablehlo.bitcast_convert %r : (tensor<3x!quant.uniform<i8:f32, 0.5:-20>>) -> tensor<3xi8>
  check.expect_eq_const %0, dense<[-18, -24, 11]> : tensor<3xi8>
  func.return
}
func.func @tanh_of_quantized() {
  %x = stablehlo.constant dense<[1.0, -2.0, 15.7]> : tensor<3xf32>
  %y = stablehlo.constant dense<[3.0, 0.4, -1.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.1:-30>>
  %b = stablehlo.uniform_quantize %y : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5:-20>>
  %r = stablehlo.tanh %b : tensor<3x!quant.uniform<i8:f32, 0.5:-20>>
  %0 = stablehlo.bitcast_convert %r : (tensor<3x!quant.uniform<i8:f32, 0.5:-20>>) -> tensor<3xi8>
  check.expect_eq_const %0, dense<[-18, -19, -22]> : tensor<3xi8>
  func.return
}
func.func @compare_of_quantized() {
  %x = stablehlo.constant dense<[1.0, -2.0, 15.7]> : tensor<3xf32>
  %y = stablehlo.constant dense<[3.0, 0.4, -1.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.1:-30>>
  %b = stablehlo.uniform_quantize %y : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5:-20>>
  %a2 = stablehlo.uniform_quantize %y : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.1:-30>>
  %0 = stablehlo.compare LT, %a, %a2 : (tensor<3x!quant.uniform<i8:f32, 0.1:-30>>, tensor<3x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[true, true, false]> : tensor<3xi1>
  func.return
}
func.func @select_moves_stored_values() {
  %x = stablehlo.constant dense<[1.0, -2.0, 15.7]> : tensor<3xf32>
  %y = stablehlo.constant dense<[3.0, 0.4, -1.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.1:-30>>
  %b = stablehlo.uniform_quantize %y : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5:-20>>
  %p = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %b2 = stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5:-20>>
  %r = stablehlo.select %p, %b, %b2 : tensor<3xi1>, tensor<3x!quant.uniform<i8:f32, 0.5:-20>>
  %0 = stablehlo.bitcast_convert %r : (tensor<3x!quant.uniform<i8:f32, 0.5:-20>>) -> tensor<3xi8>
  check.expect_eq_const %0, dense<[-14, -24, -22]> : tensor<3xi8>
  func.return
}
func.func @constant_of_u8() {
  %q = "stablehlo.constant"() <{value = dense<[200, 3]> : tensor<2xui8>}> : () -> tensor<2x!quant.uniform<u8:f32, 0.5>>
  %0 = stablehlo.uniform_dequantize %q : (tensor<2x!quant.uniform<u8:f32, 0.5>>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[100.0, 1.5]> : tensor<2xf32>
  func.return
}
