// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --verify-diagnostics

func.func @elementwise_shape(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{expected operand #1 of rank 0 or of the result's shape 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = stablehlo.add %a, %b : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @elementwise_element(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{expected rhs of element type 'f32' as the result has, got 'f64'}}
  %0 = stablehlo.add %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}
// -----
func.func @bitwise_float(%a: tensor<4xf32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of boolean or 2/4/8/16/32/64-bit integer values}}
  %0 = stablehlo.and %a, %a : tensor<4xf32>
  return
}
// -----
func.func @constant_shape() {
  // expected-error @+1 {{expected result of shape [2], got [3]}}
  %0 = stablehlo.constant() <{value = dense<1> : tensor<2xi8>}> : () -> tensor<3xi8>
  return
}
// -----
func.func @iota() {
  // expected-error @+1 {{expected iota dimension within [0, 1), got 1}}
  %0 = stablehlo.iota dim = 1 : tensor<4xf32>
  return
}
// -----
func.func @reduce_precision(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected exponent bits of at least 1, got 0}}
  %0 = stablehlo.reduce_precision %a, format = e0m3 : tensor<4xf32>
  return
}
// -----
func.func @reduce_precision_word(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected a float format such as e8m7, got 'm3e4'}}
  %0 = stablehlo.reduce_precision %a, format = m3e4 : tensor<4xf32>
  return
}
// -----
func.func @compare(%a: tensor<4xf32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{expected rhs of element type 'f32', got 'i32'}}
  %0 = stablehlo.compare LT, %a, %b : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xi1>
  return
}
// -----
func.func @select(%p: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{expected on_false of element type 'f32', got 'i32'}}
  %0 = stablehlo.select %p, %a, %b : (tensor<4xi1>, tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
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
func.func @bitcast_convert(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected result of shape [4, 4], got [4, 2]}}
  %0 = stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<4x2xi8>
  return
}
// -----
func.func @broadcast_count(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected broadcast_dimensions of length 1, got 0}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<4xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @broadcast_range(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected broadcast_dimensions within [0, 2), got -1}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [-1] : (tensor<4xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @broadcast_twice(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{expected broadcast_dimensions without repetition, got [1, 1]}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [1, 1] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @broadcast_extent(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand dimension 0 of extent 1 or 5, got 4}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
func.func @reshape(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected a result of 32 elements, got 31}}
  %0 = stablehlo.reshape %a : (tensor<4x8xf32>) -> tensor<31xf32>
  return
}
// -----
func.func @reshape_overflow(%a: tensor<4294967296x4294967296xf32>) {
  // expected-error @+1 {{expected a number of elements below 2^63}}
  %0 = stablehlo.reshape %a : (tensor<4294967296x4294967296xf32>) -> tensor<4294967296x4294967296xf32>
  return
}
// -----
func.func @transpose(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected permutation without repetition, got [0, 0]}}
  %0 = stablehlo.transpose %a, dims = [0, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @transpose_shape(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of shape [8, 4], got [4, 8]}}
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @reverse(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected dimensions within [0, 2), got 2}}
  %0 = stablehlo.reverse %a, dims = [2] : tensor<4x8xf32>
  return
}
// -----
func.func @slice_limit(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected limit 0 within [1, 4], got 5}}
  %0 = stablehlo.slice %a [1:5] : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @slice_stride(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected strides of at least 1, got 0}}
  %0 = stablehlo.slice %a [1:3:0] : (tensor<4xf32>) -> tensor<2xf32>
  return
}
// -----
func.func @slice_shape(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected result of shape [2], got [3]}}
  %0 = stablehlo.slice %a [0:4:2] : (tensor<4xf32>) -> tensor<3xf32>
  return
}
// -----
func.func @dynamic_slice_count(%a: tensor<4x8xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{expected start indices of length 2, got 1}}
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [2, 2] : (tensor<4x8xf32>, tensor<i32>) -> tensor<2x2xf32>
  return
}
// -----
func.func @dynamic_slice_size(%a: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{expected size 0 within [0, 4], got 5}}
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [5] : (tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return
}
// -----
func.func @dynamic_update_slice(%a: tensor<4xf32>, %u: tensor<2xf64>, %i: tensor<i32>) {
  // expected-error @+1 {{expected update of element type 'f32', got 'f64'}}
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xf32>, tensor<2xf64>, tensor<i32>) -> tensor<4xf32>
  return
}
// -----
func.func @pad_shape(%a: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected result of shape [9], got [8]}}
  %0 = stablehlo.pad %a, %s, low = [1], high = [1], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  return
}
// -----
func.func @pad_negative(%a: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected padding of dimension 0 that leaves an extent of at least 0}}
  %0 = stablehlo.pad %a, %s, low = [-3], high = [-3], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<0xf32>
  return
}
// -----
func.func @pad_huge(%a: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{below 2^63}}
  %0 = stablehlo.pad %a, %s, low = [9223372036854775807], high = [9223372036854775807], interior = [9223372036854775807] : (tensor<4xf32>, tensor<f32>) -> tensor<0xf32>
  return
}
// -----
func.func @concatenate(%a: tensor<4x8xf32>, %b: tensor<5x8xf32>) {
  // expected-error @+1 {{expected input of shape [4, 8], got [5, 8]}}
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x8xf32>, tensor<5x8xf32>) -> tensor<4x16xf32>
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
// expected-error @+1 {{expected 2 bounds, one a dimension, got 1}}
func.func private @bounds_count(tensor<?x8xf32, #stablehlo.bounds<4>>)
