// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints of dot_general, dot, convolution, dynamic_conv and einsum: for
// each constraint of the specification a program that violates only this one.

// RUN: mercator-opt %s --split-input-file --verify-diagnostics

// (dot_general C1)
func.func @dot_general_c1(%a: tensor<2x4x8xf32>, %b: tensor<2x8x5xf32>) {
  // expected-error @+1 {{expected as many batching dimensions of rhs as of lhs, got 0 and 1}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  return
}
// -----
// (dot_general C2)
func.func @dot_general_c2(%a: tensor<2x4x8xf32>, %b: tensor<2x8x5xf32>) {
  // expected-error @+1 {{expected as many contracting dimensions of rhs as of lhs, got 2 and 1}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1, 2]>} : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  return
}
// -----
// (dot_general C3)
func.func @dot_general_c3(%a: tensor<2x4x8xf32>, %b: tensor<2x8x5xf32>) {
  // expected-error @+1 {{expected lhs dimensions without repetition, got [2, 2]}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [2], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  return
}
// -----
// (dot_general C4)
func.func @dot_general_c4(%a: tensor<2x4x8xf32>, %b: tensor<2x8x5xf32>) {
  // expected-error @+1 {{expected rhs dimensions without repetition, got [1, 1]}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  return
}
// -----
// (dot_general C5)
func.func @dot_general_c5(%a: tensor<2x4x8xf32>, %b: tensor<2x8x5xf32>) {
  // expected-error @+1 {{expected lhs_batching_dimensions within [0, 3), got 3}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [3], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  return
}
// -----
// (dot_general C6)
func.func @dot_general_c6(%a: tensor<2x4x8xf32>, %b: tensor<2x8x5xf32>) {
  // expected-error @+1 {{expected lhs_contracting_dimensions within [0, 3), got -1}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [-1], rhs_contracting_dimensions = [1]>} : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  return
}
// -----
// (dot_general C7)
func.func @dot_general_c7(%a: tensor<2x4x8xf32>, %b: tensor<2x8x5xf32>) {
  // expected-error @+1 {{expected rhs_batching_dimensions within [0, 3), got -9223372036854775808}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [-9223372036854775808], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  return
}
// -----
// (dot_general C8)
func.func @dot_general_c8(%a: tensor<2x4x8xf32>, %b: tensor<2x8x5xf32>) {
  // expected-error @+1 {{expected rhs_contracting_dimensions within [0, 3), got 9223372036854775807}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [9223372036854775807]>} : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  return
}
// -----
// (dot_general C9)
func.func @dot_general_c9(%a: tensor<2x4x8xf32>, %b: tensor<3x8x5xf32>) {
  // expected-error @+1 {{expected batching dimensions of the same extent, got 2 and 3}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x4x8xf32>, tensor<3x8x5xf32>) -> tensor<2x4x5xf32>
  return
}
// -----
// (dot_general C10)
func.func @dot_general_c10(%a: tensor<2x4x8xf32>, %b: tensor<2x7x5xf32>) {
  // expected-error @+1 {{expected contracting dimensions of the same extent, got 8 and 7}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x4x8xf32>, tensor<2x7x5xf32>) -> tensor<2x4x5xf32>
  return
}
// -----
// (dot_general C11)
func.func @dot_general_c11(%a: tensor<2x4x8xf32>, %b: tensor<2x8x5xf32>) {
  // expected-error @+1 {{expected a precision_config of 2 entries, one for each operand, got 3}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>]} : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  return
}
// -----
// (dot_general C12)
func.func @dot_general_c12(%a: tensor<2x4x8xf32>, %b: tensor<2x8x5xf32>) {
  // expected-error @+1 {{expected result of shape [2, 4, 5], got [2, 5, 4]}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x5x4xf32>
  return
}
// -----
// (dot_general C12)
func.func @dot_general_c12_2(%a: tensor<?x4x8xf32>, %b: tensor<2x8x5xf32>) {
  // expected-error @+1 {{expected result of shape [2, 4, 5], got [3, 4, 5]}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<?x4x8xf32>, tensor<2x8x5xf32>) -> tensor<3x4x5xf32>
  return
}
// -----
// (dot_general C13)
func.func @dot_general_c13(%a: tensor<2x4x8xcomplex<f32>>, %b: tensor<2x8x5xf32>) {
  // expected-error @+1 {{expected rhs of element type 'complex<f32>' as lhs has, got 'f32'}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x4x8xcomplex<f32>>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  return
}
// -----
// (dot_general C14)
func.func @dot_general_c14(%a: tensor<2x4x8x!quant.uniform<i8:f32, 1.0>>, %b: tensor<2x8x5x!quant.uniform<i8:f32, 1.0>>) {
  // expected-error @+1 {{expected a quantized rhs, and lhs and result both quantized or both not, got}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x4x8x!quant.uniform<i8:f32, 1.0>>, tensor<2x8x5x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x4x5xf32>
  return
}
// -----
// (dot_general C14)
func.func @dot_general_c14_2(%a: tensor<2x4x8x!quant.uniform<i8:f32, 1.0>>, %b: tensor<2x8x5xf32>) {
  // expected-error @+1 {{expected a quantized rhs, and lhs and result both quantized or both not, got}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x4x8x!quant.uniform<i8:f32, 1.0>>, tensor<2x8x5xf32>) -> tensor<2x4x5x!quant.uniform<i32:f32, 1.0>>
  return
}
// -----
// (dot_general C15)
func.func @dot_general_c15(%a: tensor<2x4x8x!quant.uniform<i8:f32, 1.0>>, %b: tensor<2x8x5x!quant.uniform<i8:f32, 1.0:3>>) {
  // expected-error @+1 {{expected rhs with zero points 0, got}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x4x8x!quant.uniform<i8:f32, 1.0>>, tensor<2x8x5x!quant.uniform<i8:f32, 1.0:3>>) -> tensor<2x4x5x!quant.uniform<i32:f32, 1.0>>
  return
}
// -----
// (dot_general C15)
func.func @dot_general_c15_2(%a: tensor<2x4x8x!quant.uniform<i8:f32, 1.0>>, %b: tensor<2x8x5x!quant.uniform<i8:f32:2, {1.0:0, 1.0:1, 1.0:0, 1.0:0, 1.0:0}>>) {
  // expected-error @+1 {{expected rhs with zero points 0, got}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x4x8x!quant.uniform<i8:f32, 1.0>>, tensor<2x8x5x!quant.uniform<i8:f32:2, {1.0:0, 1.0:1, 1.0:0, 1.0:0, 1.0:0}>>) -> tensor<2x4x5x!quant.uniform<i32:f32, 1.0>>
  return
}
// -----
// (dot_general C16)
func.func @dot_general_c16(%a: tensor<4x2x!quant.uniform<i8:f32, 1.0>>, %b: tensor<2x5x!quant.uniform<i8:f32:0, {1.0, 1.0}>>) {
  // expected-error @+1 {{expected rhs quantized along a dimension that is not contracted, got 0}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<4x2x!quant.uniform<i8:f32, 1.0>>, tensor<2x5x!quant.uniform<i8:f32:0, {1.0, 1.0}>>) -> tensor<4x5x!quant.uniform<i32:f32, 1.0>>
  return
}
// -----
// (dot_general C17)
func.func @dot_general_c17(%a: tensor<2x4x8x!quant.uniform<i8:f32, 1.0>>, %b: tensor<2x8x5x!quant.uniform<i16:f32, 1.0>>) {
  // expected-error @+1 {{expected lhs and rhs of one storage type, got}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x4x8x!quant.uniform<i8:f32, 1.0>>, tensor<2x8x5x!quant.uniform<i16:f32, 1.0>>) -> tensor<2x4x5x!quant.uniform<i32:f32, 1.0>>
  return
}
// -----
// (dot_general C18)
func.func @dot_general_c18(%a: tensor<2x4x8x!quant.uniform<i8:f32, 1.0>>, %b: tensor<2x8x5x!quant.uniform<i8:f64, 1.0>>) {
  // expected-error @+1 {{expected lhs, rhs and result of one expressed type, got 'f32', 'f64' and 'f32'}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x4x8x!quant.uniform<i8:f32, 1.0>>, tensor<2x8x5x!quant.uniform<i8:f64, 1.0>>) -> tensor<2x4x5x!quant.uniform<i32:f32, 1.0>>
  return
}
// -----
// (dot_general C19)
func.func @dot_general_c19(%a: tensor<2x4x8x!quant.uniform<i8:f32, 1.0>>, %b: tensor<2x8x5x!quant.uniform<i8:f32, 1.0>>) {
  // expected-error @+1 {{expected a result quantized per tensor, as rhs is, got}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x4x8x!quant.uniform<i8:f32, 1.0>>, tensor<2x8x5x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x4x5x!quant.uniform<i32:f32:0, {1.0, 1.0}>>
  return
}
// -----
// (dot_general C20)
func.func @dot_general_c20(%a: tensor<2x4x8xf64>, %b: tensor<2x8x5x!quant.uniform<i8:f32, 1.0>>) {
  // expected-error @+1 {{expected lhs, result and the expressed type of rhs to be one type, got 'f64', 'f64' and 'f32'}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x4x8xf64>, tensor<2x8x5x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x4x5xf64>
  return
}
// -----
// (dot_general C21)
func.func @dot_general_c21(%a: tensor<2x4x8xf32>, %b: tensor<2x8x5xf32>) {
  // expected-error @+1 {{expected precision DEFAULT with an algorithm, got HIGHEST}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>], algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>} : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  return
}
// -----
// (dot_general C22)
func.func @dot_general_c22(%a: tensor<2x4x8xf32>, %b: tensor<2x8x5xf32>) {
  // expected-error @+1 {{expected lhs_component_count of at least 1, got 0}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 0, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>} : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  return
}
// -----
// (dot_general C23)
func.func @dot_general_c23(%a: tensor<2x4x8xf32>, %b: tensor<2x8x5xf32>) {
  // expected-error @+1 {{expected rhs_component_count of at least 1, got -9223372036854775808}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = -9223372036854775808, num_primitive_operations = 1, allow_imprecise_accumulation = false>} : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  return
}
// -----
// (dot_general C24)
func.func @dot_general_c24(%a: tensor<2x4x8xf32>, %b: tensor<2x8x5xf32>) {
  // expected-error @+1 {{expected num_primitive_operations of at least 1, got 0}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 0, allow_imprecise_accumulation = false>} : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  return
}
// -----
func.func @dot_general(%a: tensor<2x4x8xf32>, %b: tensor<2x8x5xf32>) {
  // expected-error @+1 {{expected an algorithm that some hardware supports, got #stablehlo.dot_algorithm<lhs_precision_type = f32,}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true>} : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  return
}
// -----
func.func @dot_general_2(%a: tensor<2x4x8xf32>, %b: tensor<2x8x5xf32>) {
  // expected-error @+1 {{expected an algorithm that some hardware supports, got}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 3, rhs_component_count = 1, num_primitive_operations = 6, allow_imprecise_accumulation = false>} : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  return
}
// -----
func.func @dot_general_3(%a: tensor<2x4x8xf32>, %b: tensor<2x8x5xf32>) {
  // expected-error @+1 {{expected an algorithm that some hardware supports, got}}
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 9223372036854775807, allow_imprecise_accumulation = false>} : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  return
}
// -----
func.func @dot(%a: tensor<2x4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{expected lhs of rank 1 or 2, got rank 3}}
  %0 = stablehlo.dot %a, %b : (tensor<2x4x8xf32>, tensor<8xf32>) -> tensor<2x4xf32>
  return
}
// -----
func.func @dot_2(%a: tensor<8xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{expected rhs of rank 1 or 2, got rank 0}}
  %0 = stablehlo.dot %a, %b : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @dot_3(%a: tensor<4x8xf32>, %b: tensor<7xf32>) {
  // expected-error @+1 {{expected contracting dimensions of the same extent, got 8 and 7}}
  %0 = stablehlo.dot %a, %b : (tensor<4x8xf32>, tensor<7xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @dot_4(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) {
  // expected-error @+1 {{expected result of shape [4, 5], got [5, 4]}}
  %0 = stablehlo.dot %a, %b : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<5x4xf32>
  return
}
// -----
func.func @dot_5(%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{expected a precision_config of 2 entries, one for each operand, got 3}}
  %0 = stablehlo.dot %a, %b, precision = [HIGH, HIGH, HIGH] : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4xf32>
  return
}
// -----
// (convolution C1)
func.func @convolution_c1(%a: tensor<4x8x9x6xf32>, %b: tensor<3x6x10xf32>) {
  // expected-error @+1 {{expected lhs and rhs of the same rank, got 4 and 3}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C1)
func.func @dynamic_conv_c1(%a: tensor<4x8x9x6xf32>, %b: tensor<3x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected lhs and rhs of the same rank, got 4 and 3}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
func.func @convolution(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{expected lhs of rank 2 or more, got 1}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
func.func @dynamic_conv(%a: tensor<4xf32>, %b: tensor<4xf32>, %p: tensor<0x2xi64>) {
  // expected-error @+1 {{expected lhs of rank 2 or more, got 1}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4xf32>, tensor<4xf32>, tensor<0x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C2)
func.func @convolution_c2(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected window strides of length 2, got 1}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C2)
func.func @dynamic_conv_c2(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected window strides of length 2, got 1}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C3)
func.func @convolution_c3(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected window strides of at least 1, got 0}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1, 0>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C3)
func.func @dynamic_conv_c3(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected window strides of at least 1, got 0}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1, 0>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C3)
func.func @convolution_c3_2(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected window strides of at least 1, got -9223372036854775808}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1, -9223372036854775808>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C3)
func.func @dynamic_conv_c3_2(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected window strides of at least 1, got -9223372036854775808}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1, -9223372036854775808>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C4)
func.func @convolution_c4(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected padding of shape [2, 2], got [2, 3]}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, padding = dense<0> : tensor<2x3xi64>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C4)
func.func @dynamic_conv_c4(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x3xi64>
  // expected-error @+1 {{expected padding of shape [2, 2], got [2, 3]}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x3xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C4)
func.func @convolution_c4_2(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected padding of shape [2, 2], got [2]}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, padding = dense<0> : tensor<2xi64>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C4)
func.func @dynamic_conv_c4_2(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2xi64>
  // expected-error @+1 {{expected padding of shape [2, 2], got [2]}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C5)
func.func @convolution_c5(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected base dilations of length 2, got 1}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, lhs_dilation = array<i64: 1>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C5)
func.func @dynamic_conv_c5(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected base dilations of length 2, got 1}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, lhs_dilation = array<i64: 1>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C6)
func.func @convolution_c6(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected base dilations of at least 1, got 0}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, lhs_dilation = array<i64: 0, 1>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C6)
func.func @dynamic_conv_c6(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected base dilations of at least 1, got 0}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, lhs_dilation = array<i64: 0, 1>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C7)
func.func @convolution_c7(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected window dilations of length 2, got 1}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, rhs_dilation = array<i64: 1>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C7)
func.func @dynamic_conv_c7(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected window dilations of length 2, got 1}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, rhs_dilation = array<i64: 1>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C8)
func.func @convolution_c8(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected window dilations of at least 1, got -1}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, rhs_dilation = array<i64: -1, 1>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C8)
func.func @dynamic_conv_c8(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected window dilations of at least 1, got -1}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, rhs_dilation = array<i64: -1, 1>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C9)
func.func @convolution_c9(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected window_reversal of length 2, got 1}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_reversal = array<i1: true>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C9)
func.func @dynamic_conv_c9(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected window_reversal of length 2, got 1}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_reversal = array<i1: true>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C10)
func.func @convolution_c10(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected a batch divisible by batch_group_count 3, got 4}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 3 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C10)
func.func @dynamic_conv_c10(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected a batch divisible by batch_group_count 3, got 4}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 3 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C11)
func.func @convolution_c11(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected input features divisible by feature_group_count 4, got 6}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 4 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C11)
func.func @dynamic_conv_c11(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected input features divisible by feature_group_count 4, got 6}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 4 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C12)
func.func @convolution_c12(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected input_spatial_dimensions of length 2, got 1}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C12)
func.func @dynamic_conv_c12(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected input_spatial_dimensions of length 2, got 1}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C13)
func.func @convolution_c13(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected input dimensions without repetition, got [0, 3, 1, 1]}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 1], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C13)
func.func @dynamic_conv_c13(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected input dimensions without repetition, got [0, 3, 1, 1]}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 1], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C13)
func.func @convolution_c13_2(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected input dimensions within [0, 4), got 4}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 4, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C13)
func.func @dynamic_conv_c13_2(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected input dimensions within [0, 4), got 4}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 4, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C14)
func.func @convolution_c14(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected a kernel of 3 input features, got 6}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C14)
func.func @dynamic_conv_c14(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected a kernel of 3 input features, got 6}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C15)
func.func @convolution_c15(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected output features divisible by batch_group_count 4, got 10}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 4 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C15)
func.func @dynamic_conv_c15(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected output features divisible by batch_group_count 4, got 10}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 4 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C16)
func.func @convolution_c16(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x2x10xf32>) {
  // expected-error @+1 {{expected output features divisible by feature_group_count 3, got 10}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 3 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x2x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C16)
func.func @dynamic_conv_c16(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x2x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected output features divisible by feature_group_count 3, got 10}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 3 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x2x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C17)
func.func @convolution_c17(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected kernel_spatial_dimensions of length 2, got 3}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1, 2], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C17)
func.func @dynamic_conv_c17(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected kernel_spatial_dimensions of length 2, got 3}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1, 2], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C18)
func.func @convolution_c18(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected kernel dimensions without repetition, got [2, 2, 0, 1]}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C18)
func.func @dynamic_conv_c18(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected kernel dimensions without repetition, got [2, 2, 0, 1]}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C18)
func.func @convolution_c18_2(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected kernel dimensions within [0, 4), got -1}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = -1, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C18)
func.func @dynamic_conv_c18_2(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected kernel dimensions within [0, 4), got -1}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = -1, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C19)
func.func @convolution_c19(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected output_spatial_dimensions of length 2, got 0}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = []>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C19)
func.func @dynamic_conv_c19(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected output_spatial_dimensions of length 2, got 0}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = []>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C20)
func.func @convolution_c20(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected output dimensions without repetition, got [0, 0, 1, 2]}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 0, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C20)
func.func @dynamic_conv_c20(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected output dimensions without repetition, got [0, 0, 1, 2]}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 0, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C20)
func.func @convolution_c20_2(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected output dimensions within [0, 4), got 7}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 7, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C20)
func.func @dynamic_conv_c20_2(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected output dimensions within [0, 4), got 7}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 7, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C21)
func.func @convolution_c21(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected feature_group_count of at least 1, got 0}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 0 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C21)
func.func @dynamic_conv_c21(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected feature_group_count of at least 1, got 0}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 0 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C21)
func.func @convolution_c21_2(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected feature_group_count of at least 1, got -9223372036854775808}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = -9223372036854775808 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C21)
func.func @dynamic_conv_c21_2(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected feature_group_count of at least 1, got -9223372036854775808}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = -9223372036854775808 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C22)
func.func @convolution_c22(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected batch_group_count of at least 1, got -1}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = -1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C22)
func.func @dynamic_conv_c22(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected batch_group_count of at least 1, got -1}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = -1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C23)
func.func @convolution_c23(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected one group count of 1, got 2 and 2}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 2 : i64, batch_group_count = 2 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C23)
func.func @dynamic_conv_c23(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected one group count of 1, got 2 and 2}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 2 : i64, batch_group_count = 2 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C10)
func.func @convolution_c10_2(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected a batch divisible by batch_group_count 9223372036854775807, got 4}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 9223372036854775807 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C10)
func.func @dynamic_conv_c10_2(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected a batch divisible by batch_group_count 9223372036854775807, got 4}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 9223372036854775807 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C24)
func.func @convolution_c24(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected a precision_config of 2 entries, one for each operand, got 3}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>]} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C24)
func.func @dynamic_conv_c24(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected a precision_config of 2 entries, one for each operand, got 3}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>]} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C25)
func.func @convolution_c25(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected result of shape [4, 6, 8, 10], got [4, 6, 8, 12]}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x12xf32>
  return
}
// -----
// (dynamic_conv C25)
func.func @dynamic_conv_c25(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected result of shape [4, ?, ?, 10], got [4, 6, 8, 12]}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x12xf32>
  return
}
// -----
// (convolution C25)
func.func @convolution_c25_2(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected result of shape [4, 4, 9, 10], got [4, 4, 8, 10]}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 1>, padding = dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x4x8x10xf32>
  return
}
// -----
// (dynamic_conv C25)
func.func @dynamic_conv_c25_2(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  %p = stablehlo.constant dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>
  // expected-error @+1 {{expected result of shape [4, 4, 9, 10], got [4, 4, 8, 10]}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 1>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x4x8x10xf32>
  return
}
// -----
// (convolution C25)
func.func @convolution_c25_3(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected a padded input of fewer than 2^63 elements along dimension 0}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, padding = dense<9223372036854775807> : tensor<2x2xi64>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C25)
func.func @dynamic_conv_c25_3(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  %p = stablehlo.constant dense<9223372036854775807> : tensor<2x2xi64>
  // expected-error @+1 {{expected a padded input of fewer than 2^63 elements along dimension 0}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C25)
func.func @convolution_c25_4(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected a padded input of fewer than 2^63 elements along dimension 1}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, lhs_dilation = array<i64: 1, 9223372036854775807>, padding = dense<0> : tensor<2x2xi64>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C25)
func.func @dynamic_conv_c25_4(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expected a padded input of fewer than 2^63 elements along dimension 1}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, lhs_dilation = array<i64: 1, 9223372036854775807>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C25)
func.func @convolution_c25_5(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected a dilated window of fewer than 2^63 elements along dimension 0}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, rhs_dilation = array<i64: 9223372036854775807, 1>, padding = dense<0> : tensor<2x2xi64>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C25)
func.func @dynamic_conv_c25_5(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expected a dilated window of fewer than 2^63 elements along dimension 0}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, rhs_dilation = array<i64: 9223372036854775807, 1>} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C26)
func.func @convolution_c26(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>) {
  // expected-error @+1 {{expected a result of rank 4, got 3}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>) -> tensor<4x6x80xf32>
  return
}
// -----
// (dynamic_conv C26)
func.func @dynamic_conv_c26(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected a result of rank 4, got 3}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x80xf32>
  return
}
// -----
// (convolution C27)
func.func @convolution_c27(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xi32>) {
  // expected-error @+1 {{expected rhs of element type 'f32' as lhs has, got 'i32'}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xi32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C27)
func.func @dynamic_conv_c27(%a: tensor<4x8x9x6xf32>, %b: tensor<3x2x6x10xi32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected rhs of element type 'f32' as lhs has, got 'i32'}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x10xi32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
func.func @convolution_2(%a: tensor<4x8x9x6xf32>, %b: tensor<3x0x6x10xf32>) {
  // expected-error @+1 {{expected a kernel that is not empty along a spatial dimension, got}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x0x6x10xf32>) -> tensor<4x6x8x10xf32>
  return
}
// -----
func.func @dynamic_conv_2(%a: tensor<4x8x9x6xf32>, %b: tensor<3x0x6x10xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected a kernel that is not empty along a spatial dimension, got}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x0x6x10xf32>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C28)
func.func @convolution_c28(%a: tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, %b: tensor<3x2x6x10x!quant.uniform<i8:f32, 1.0>>) {
  // expected-error @+1 {{expected a quantized rhs, and lhs and result both quantized or both not, got}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x6x10x!quant.uniform<i8:f32, 1.0>>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (dynamic_conv C28)
func.func @dynamic_conv_c28(%a: tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, %b: tensor<3x2x6x10x!quant.uniform<i8:f32, 1.0>>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected a quantized rhs, and lhs and result both quantized or both not, got}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x6x10x!quant.uniform<i8:f32, 1.0>>, tensor<2x2xi64>) -> tensor<4x6x8x10xf32>
  return
}
// -----
// (convolution C29)
func.func @convolution_c29(%a: tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, %b: tensor<3x2x6x10x!quant.uniform<i8:f32:1, {1.0, 1.0}>>) {
  // expected-error @+1 {{expected rhs quantized along its output features, dimension 3, got 1}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x6x10x!quant.uniform<i8:f32:1, {1.0, 1.0}>>) -> tensor<4x6x8x10x!quant.uniform<i32:f32, 1.0>>
  return
}
// -----
// (dynamic_conv C29)
func.func @dynamic_conv_c29(%a: tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, %b: tensor<3x2x6x10x!quant.uniform<i8:f32:1, {1.0, 1.0}>>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected rhs quantized along its output features, dimension 3, got 1}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x6x10x!quant.uniform<i8:f32:1, {1.0, 1.0}>>, tensor<2x2xi64>) -> tensor<4x6x8x10x!quant.uniform<i32:f32, 1.0>>
  return
}
// -----
// (convolution C30)
func.func @convolution_c30(%a: tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, %b: tensor<3x2x6x10x!quant.uniform<i8:f32:3, {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0}>>) {
  // expected-error @+1 {{expected a result quantized along its features, dimension 3, got 0}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x6x10x!quant.uniform<i8:f32:3, {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0}>>) -> tensor<4x6x8x10x!quant.uniform<i8:f32:0, {1.0, 1.0, 1.0, 1.0}>>
  return
}
// -----
// (dynamic_conv C30)
func.func @dynamic_conv_c30(%a: tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, %b: tensor<3x2x6x10x!quant.uniform<i8:f32:3, {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0}>>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected a result quantized along its features, dimension 3, got 0}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x6x10x!quant.uniform<i8:f32:3, {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0}>>, tensor<2x2xi64>) -> tensor<4x6x8x10x!quant.uniform<i8:f32:0, {1.0, 1.0, 1.0, 1.0}>>
  return
}
// -----
// (convolution C31)
func.func @convolution_c31(%a: tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, %b: tensor<3x2x6x10x!quant.uniform<i16:f32, 1.0>>) {
  // expected-error @+1 {{expected lhs and rhs of one storage type, got}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x6x10x!quant.uniform<i16:f32, 1.0>>) -> tensor<4x6x8x10x!quant.uniform<i32:f32, 1.0>>
  return
}
// -----
// (dynamic_conv C31)
func.func @dynamic_conv_c31(%a: tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, %b: tensor<3x2x6x10x!quant.uniform<i16:f32, 1.0>>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected lhs and rhs of one storage type, got}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x6x10x!quant.uniform<i16:f32, 1.0>>, tensor<2x2xi64>) -> tensor<4x6x8x10x!quant.uniform<i32:f32, 1.0>>
  return
}
// -----
// (convolution C32)
func.func @convolution_c32(%a: tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, %b: tensor<3x2x6x10x!quant.uniform<i8:f32, 1.0>>) {
  // expected-error @+1 {{expected lhs, rhs and result of one expressed type, got 'f32', 'f32' and 'f64'}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x6x10x!quant.uniform<i8:f32, 1.0>>) -> tensor<4x6x8x10x!quant.uniform<i32:f64, 1.0>>
  return
}
// -----
// (dynamic_conv C32)
func.func @dynamic_conv_c32(%a: tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, %b: tensor<3x2x6x10x!quant.uniform<i8:f32, 1.0>>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected lhs, rhs and result of one expressed type, got 'f32', 'f32' and 'f64'}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x6x10x!quant.uniform<i8:f32, 1.0>>, tensor<2x2xi64>) -> tensor<4x6x8x10x!quant.uniform<i32:f64, 1.0>>
  return
}
// -----
// (convolution C33)
func.func @convolution_c33(%a: tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, %b: tensor<3x2x6x10x!quant.uniform<i8:f32, 1.0>>) {
  // expected-error @+1 {{expected a result quantized per tensor, as rhs is, got}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x6x10x!quant.uniform<i8:f32, 1.0>>) -> tensor<4x6x8x10x!quant.uniform<i8:f32:3, {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0}>>
  return
}
// -----
// (dynamic_conv C33)
func.func @dynamic_conv_c33(%a: tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, %b: tensor<3x2x6x10x!quant.uniform<i8:f32, 1.0>>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected a result quantized per tensor, as rhs is, got}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x6x10x!quant.uniform<i8:f32, 1.0>>, tensor<2x2xi64>) -> tensor<4x6x8x10x!quant.uniform<i8:f32:3, {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0}>>
  return
}
// -----
// (convolution C34)
func.func @convolution_c34(%a: tensor<4x8x9x6xf64>, %b: tensor<3x2x6x10x!quant.uniform<i8:f32, 1.0>>) {
  // expected-error @+1 {{expected lhs, result and the expressed type of rhs to be one type, got 'f64', 'f64' and 'f32'}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf64>, tensor<3x2x6x10x!quant.uniform<i8:f32, 1.0>>) -> tensor<4x6x8x10xf64>
  return
}
// -----
// (dynamic_conv C34)
func.func @dynamic_conv_c34(%a: tensor<4x8x9x6xf64>, %b: tensor<3x2x6x10x!quant.uniform<i8:f32, 1.0>>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected lhs, result and the expressed type of rhs to be one type, got 'f64', 'f64' and 'f32'}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x8x9x6xf64>, tensor<3x2x6x10x!quant.uniform<i8:f32, 1.0>>, tensor<2x2xi64>) -> tensor<4x6x8x10xf64>
  return
}
// -----
func.func @einsum(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) {
  // expected-error @+1 {{expected einsum_config such as 'ab,bc->ac', got 'ab->a'}}
  %0 = stablehlo.einsum %a, %b, config = "ab->a" : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @einsum_2(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) {
  // expected-error @+1 {{expected einsum_config such as 'ab,bc->ac', got 'ab,bc'}}
  %0 = stablehlo.einsum %a, %b, config = "ab,bc" : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  return
}
// -----
func.func @einsum_3(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) {
  // expected-error @+1 {{expected einsum_config part of length 2, got 3}}
  %0 = stablehlo.einsum %a, %b, config = "ab,bcd->ac" : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  return
}
// -----
func.func @einsum_4(%a: tensor<4x8xf32>, %b: tensor<7x5xf32>) {
  // expected-error @+1 {{expected dimensions 'b' of the same extent, got 8 and 7}}
  %0 = stablehlo.einsum %a, %b, config = "ab,bc->ac" : (tensor<4x8xf32>, tensor<7x5xf32>) -> tensor<4x5xf32>
  return
}
// -----
func.func @einsum_5(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) {
  // expected-error @+1 {{expected a dimension of the result that an operand has, got 'd'}}
  %0 = stablehlo.einsum %a, %b, config = "ab,bc->ad" : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  return
}
// -----
func.func @unary_einsum(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected einsum_config such as 'ab->a', got 'ab,c->a'}}
  %0 = stablehlo.unary_einsum %a, config = "ab,c->a" : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}
