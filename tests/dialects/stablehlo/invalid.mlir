// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --verify-diagnostics

func.func @bitwise_float(%a: tensor<4xf32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of boolean or 2/4/8/16/32/64-bit integer values}}
  %0 = stablehlo.and %a, %a : tensor<4xf32>
  return
}
// -----
func.func @reduce_precision_word(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected a float format such as e8m7, got 'm3e4'}}
  %0 = stablehlo.reduce_precision %a, format = m3e4 : tensor<4xf32>
  return
}
// -----
func.func @signature(%p: tensor<4xi1>) {
  // expected-error @+1 {{expected a signature of 1 operands and 1 result, got 2 and 1}}
  %0 = stablehlo.not %p : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}
// -----
func.func @complex(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected a tensor of complex elements, got 'tensor<4xf32>'}}
  %0 = stablehlo.complex %a, %a : tensor<4xf32>
  return
}
// -----
func.func @reshape_overflow(%a: tensor<4294967296x4294967296xf32>) {
  // expected-error @+1 {{expected a number of elements below 2^63}}
  %0 = stablehlo.reshape %a : (tensor<4294967296x4294967296xf32>) -> tensor<4294967296x4294967296xf32>
  return
}
// -----
func.func @pad_huge(%a: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{below 2^63}}
  %0 = stablehlo.pad %a, %s, low = [9223372036854775807], high = [9223372036854775807], interior = [9223372036854775807] : (tensor<4xf32>, tensor<f32>) -> tensor<0xf32>
  return
}
// -----
func.func @gather_key(%a: tensor<10x20xf32>, %i: tensor<5x2xi32>) {
  // expected-error @+1 {{expected one of offset_dims, collapsed_slice_dims, operand_batching_dims, start_indices_batching_dims, start_index_map, index_vector_dim, got 'offset'}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset = [1]>, slice_sizes = array<i64: 1, 20>} : (tensor<10x20xf32>, tensor<5x2xi32>) -> tensor<5x20xf32>
  return
}
// -----
func.func @gather_key_twice(%a: tensor<10x20xf32>, %i: tensor<5x2xi32>) {
  // expected-error @+1 {{expected each key once, got 'offset_dims' again}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], offset_dims = [1]>, slice_sizes = array<i64: 1, 20>} : (tensor<10x20xf32>, tensor<5x2xi32>) -> tensor<5x20xf32>
  return
}
// -----
func.func @reduce_applies(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected a commutative binary operation of stablehlo, got 'stablehlo.subtract'}}
  %0 = stablehlo.reduce(%a init: %s) applies stablehlo.subtract across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @convolution_labels(%x: tensor<1x6x3xf32>, %k: tensor<3x3x4xf32>) {
  // expected-error @+1 {{expected 'b' or 'f', got 'q'}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, q]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x6x3xf32>, tensor<3x3x4xf32>) -> tensor<1x4x4xf32>
  return
}
// -----
func.func @convolution_window(%x: tensor<1x6x3xf32>, %k: tensor<3x3x4xf32>) {
  // expected-error @+1 {{expected stride, pad, lhs_dilate, rhs_dilate or reverse, got 'size'}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {size = [3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x6x3xf32>, tensor<3x3x4xf32>) -> tensor<1x4x4xf32>
  return
}
// -----
// expected-error @+1 {{expected bound '?' for the static dimension 1, got 8}}
func.func private @bounds(tensor<?x8xf32, #stablehlo.bounds<4, 8>>)
// -----
// expected-error @+1 {{expected 2 bounds, one for each dimension, got 1}}
func.func private @bounds_count(tensor<?x8xf32, #stablehlo.bounds<4>>)
// -----
func.func @accuracy(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected mode TOLERANCE with a tolerance, got HIGHEST}}
  %0 = stablehlo.cbrt %a {result_accuracy = #stablehlo.result_accuracy<atol = 1.0, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf32>
  return
}
// -----
func.func @accuracy_below_nothing(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected atol, rtol and ulps of at least 0}}
  %0 = stablehlo.cbrt %a {result_accuracy = #stablehlo.result_accuracy<ulps = -1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
  return
}
// -----
func.func @constant_without_value() {
  // expected-error @+1 {{expected elements called 'value'}}
  %0 = stablehlo.constant() {note = 1 : i32} : () -> tensor<2xi8>
  return
}
// -----
func.func @while_number(%a: tensor<i1>) {
  // expected-error @+1 {{expected the name of an argument, got '%x#1'}}
  %0 = stablehlo.while(%x#1 = %a) : tensor<i1> cond {
    stablehlo.return %x : tensor<i1>
  } do {
    stablehlo.return %x : tensor<i1>
  }
  return
}
// -----
func.func @concatenate_huge(%a: tensor<9223372036854775807xf32>) {
  // expected-error @+1 {{expected inputs that are below 2^63 long together}}
  %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<9223372036854775807xf32>, tensor<9223372036854775807xf32>) -> tensor<?xf32>
  return
}
