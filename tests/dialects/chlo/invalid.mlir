// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --verify-diagnostics

func.func @shape(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of shape [5], got [4]}}
  %0 = chlo.erf %x : tensor<4xf32> -> tensor<5xf32>
  return
}
// -----
func.func @element(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf64>
  return
}
// -----
func.func @integer(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of}}
  %0 = chlo.lgamma %x : tensor<4xi32> -> tensor<4xi32>
  return
}
// -----
func.func @predicate(%x: tensor<4xf32>) {
  // expected-error @+1 {{result #0 must be ranked tensor of boolean values}}
  %0 = chlo.is_inf %x : tensor<4xf32> -> tensor<4xi8>
  return
}
// -----
func.func @two_shapes(%x: tensor<4xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{expected operand #1 of shape [4], got [3]}}
  %0 = chlo.zeta %x, %y : tensor<4xf32>, tensor<3xf32> -> tensor<4xf32>
  return
}
// -----
func.func @mulhi(%x: tensor<4xi1>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of 2/4/8/16/32/64-bit integer values}}
  %0 = chlo.mulhi %x, %x : tensor<4xi1>, tensor<4xi1> -> tensor<4xi1>
  return
}
// -----
func.func @broadcast_extent(%x: tensor<4xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{expected operand #1 of extent 4 or 1 where the result has dimension 0, got 3}}
  %0 = chlo.broadcast_add %x, %y : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @broadcast_result(%x: tensor<4x1xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{expected result of shape [4, 3], got [4, 1]}}
  %0 = chlo.broadcast_add %x, %y : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x1xf32>
  return
}
// -----
func.func @broadcast_count(%x: tensor<4x3xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{expected broadcast_dimensions of length 1, got 2}}
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 0, 1>} : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return
}
// -----
func.func @broadcast_range(%x: tensor<4x3xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{expected broadcast_dimensions within [0, 2), got 2}}
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return
}
// -----
func.func @broadcast_order(%x: tensor<3x3x3xf32>, %y: tensor<3x3xf32>) {
  // expected-error @+1 {{expected broadcast_dimensions in ascending order, got [1, 0]}}
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 1, 0>} : (tensor<3x3x3xf32>, tensor<3x3xf32>) -> tensor<3x3x3xf32>
  return
}
// -----
func.func @broadcast_element(%x: tensor<3xf32>, %y: tensor<3xf64>) {
  // expected-error @+1 {{expected operand #1 of element type 'f32' as the result has, got 'f64'}}
  %0 = chlo.broadcast_add %x, %y : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  return
}
// -----
func.func @compare_element(%x: tensor<3xf32>, %y: tensor<3xf64>) {
  // expected-error @+1 {{expected operand #1 of element type 'f32', got 'f64'}}
  %0 = chlo.broadcast_compare %x, %y {comparison_direction = #chlo<comparison_direction EQ>} : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xi1>
  return
}
// -----
func.func @complex_element(%x: tensor<3xf32>, %y: tensor<3xf64>) {
  // expected-error @+1 {{expected operand #1 of element type 'f32', got 'f64'}}
  %0 = chlo.broadcast_complex %x, %y : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xcomplex<f32>>
  return
}
// -----
func.func @select_element(%p: tensor<i1>, %x: tensor<3xf32>, %y: tensor<3xf64>) {
  // expected-error @+1 {{expected operand #2 of element type 'f32', got 'f64'}}
  %0 = chlo.broadcast_select %p, %x, %y : (tensor<i1>, tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  return
}
// -----
func.func @select_shape(%p: tensor<2xi1>, %x: tensor<3xf32>) {
  // expected-error @+1 {{expected operand #1 of extent 2 or 1 where the result has dimension 0, got 3}}
  %0 = chlo.broadcast_select %p, %x, %x : (tensor<2xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}
// -----
func.func @constant() {
  // expected-error @+1 {{expected result of type 'tensor<2xi32>' as its value has, got 'tensor<3xi32>'}}
  %0 = "chlo.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<3xi32>
  return
}
// -----
func.func @constant_like(%x: tensor<2xi64>) {
  // expected-error @+1 {{expected value of type 'i32', got 'f32'}}
  %0 = "chlo.constant_like"(%x) <{value = 3.2 : f32}> : (tensor<2xi64>) -> tensor<2xi32>
  return
}
// -----
func.func @top_k_rank(%x: tensor<f32>) {
  // expected-error @+1 {{expected operand of rank at least 1, got 'tensor<f32>'}}
  %0:2 = chlo.top_k(%x, k = 1) : tensor<f32> -> (tensor<1xf32>, tensor<1xi32>)
  return
}
// -----
func.func @top_k_extent(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected operand whose last dimension has at least k = 8 elements, got 4}}
  %0:2 = chlo.top_k(%x, k = 8) : tensor<4xf32> -> (tensor<8xf32>, tensor<8xi32>)
  return
}
// -----
func.func @top_k_negative(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected k of at least 0, got -1}}
  %0:2 = chlo.top_k(%x, k = -1) : tensor<4xf32> -> (tensor<?xf32>, tensor<?xi32>)
  return
}
// -----
func.func @top_k_shape(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected indices of shape [2], got [3]}}
  %0:2 = chlo.top_k(%x, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<3xi32>)
  return
}
// -----
func.func @top_k_element(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected values of element type 'f32', got 'f64'}}
  %0:2 = chlo.top_k(%x, k = 2) : tensor<4xf32> -> (tensor<2xf64>, tensor<2xi32>)
  return
}
// -----
func.func @top_k_index(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected indices of element type i32, got 'i64'}}
  %0:2 = chlo.top_k(%x, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi64>)
  return
}
// -----
func.func @lhs_dims(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) {
  // expected-error @+1 {{expected lhs batching and contracting dimensions within [0, 2), got 2}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}
    : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}
// -----
func.func @counts(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) {
  // expected-error @+1 {{expected rhs_contracting_dimensions of length 1, got 0}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}
    : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}
// -----
func.func @batch_counts(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) {
  // expected-error @+1 {{expected rhs_batching_dimensions of length 1, got 0}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}
    : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}
// -----
func.func @contracting(%lhs: tensor<11x5xf32>, %rhs: tensor<3x2x7xf32>, %sizes: tensor<3xi64>) {
  // expected-error @+1 {{expected contracting dimensions of the same size, got 5 and 2}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}
    : (tensor<11x5xf32>, tensor<3x2x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}
// -----
func.func @ragged_count(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) {
  // expected-error @+1 {{expected lhs_ragged_dimensions of length 1, got 2}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0, 1], rhs_group_dimensions = [0]>}
    : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}
// -----
func.func @ragged_range(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) {
  // expected-error @+1 {{expected lhs_ragged_dimensions within [0, 2), got 2}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2], rhs_group_dimensions = [0]>}
    : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}
// -----
func.func @group_contracts(%lhs: tensor<11x3xf32>, %rhs: tensor<3x3x7xf32>, %sizes: tensor<3xi64>) {
  // expected-error @+1 {{expected rhs batching, contracting and group dimensions without repetition, got [1, 1]}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [1]>}
    : (tensor<11x3xf32>, tensor<3x3x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}
// -----
func.func @no_group(%lhs: tensor<11x5xf32>, %rhs: tensor<5x7xf32>, %sizes: tensor<3xi64>) {
  // expected-error @+1 {{expected rhs_group_dimensions of length 1, got 0}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}
    : (tensor<11x5xf32>, tensor<5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}
// -----
func.func @group_of_contracting(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) {
  // expected-error @+1 {{expected rhs_group_dimensions of length 0, got 1}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}
    : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}
// -----
func.func @sizes_rank(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3x2xi64>) {
  // expected-error @+1 {{expected group_sizes of shape [2], got [3, 2]}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}
    : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3x2xi64>) -> tensor<11x7xf32>
  return
}
// -----
func.func @sizes_scalar(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<i64>) {
  // expected-error @+1 {{expected group_sizes of rank at least 1, got 'tensor<i64>'}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}
    : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<i64>) -> tensor<11x7xf32>
  return
}
// -----
func.func @sizes_shape(%lhs: tensor<19x17x11x5xf32>, %rhs: tensor<3x19x5x7xf32>, %sizes: tensor<19x11x3xi64>) {
  // expected-error @+1 {{expected group_sizes of shape [19, 17, 3], got [19, 11, 3]}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [2], rhs_group_dimensions = [0]>}
    : (tensor<19x17x11x5xf32>, tensor<3x19x5x7xf32>, tensor<19x11x3xi64>) -> tensor<19x17x11x7xf32>
  return
}
// -----
func.func @group_size(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<2xi64>) {
  // expected-error @+1 {{expected a group dimension of size 2 in rhs, got 3}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}
    : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<2xi64>) -> tensor<11x7xf32>
  return
}
// -----
func.func @result(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) {
  // expected-error @+1 {{expected result of shape [11, 7], got [11, 8]}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}
    : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x8xf32>
  return
}
// -----
func.func @unknown_key(%x: tensor<1xf32>) {
  // expected-error @+1 {{expected one of lhs_batching_dimensions, rhs_batching_dimensions}}
  %0 = "chlo.ragged_dot"(%x, %x, %x) {ragged_dot_dimension_numbers = #chlo.ragged_dot<batch = [0]>} : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return
}
// -----
func.func @dimension(%x: tensor<2x3xf32>, %c: tensor<2xf32>) {
  // expected-error @+1 {{expected input #0 of rank above dimension 2, got 'tensor<2x3xf32>'}}
  %0:2 = chlo.scan(%x) inits(%c) dimension = 2 {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    stablehlo.return %a, %b : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
  return
}
// -----
func.func @extent(%x: tensor<2x3xf32>, %c: tensor<2xf32>) {
  // expected-error @+1 {{expected input #0 of extent 4 along dimension 1, got 3}}
  %0:2 = chlo.scan(%x) inits(%c) dimension = 1 attributes {scan_dim_size = 4 : i64} {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    stablehlo.return %a, %b : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
  return
}
// -----
func.func @output_extent(%x: tensor<2x3xf32>, %c: tensor<2xf32>) {
  // expected-error @+1 {{expected output #0 of extent 3 along dimension 1, got 4}}
  %0:2 = chlo.scan(%x) inits(%c) dimension = 1 {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    stablehlo.return %a, %b : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x4xf32>, tensor<2xf32>)
  return
}
// -----
func.func @arguments(%x: tensor<2x3xf32>, %c: tensor<2xf32>) {
  // expected-error @+1 {{expected 2 body arguments, got 1}}
  %0:2 = chlo.scan(%x) inits(%c) dimension = 1 {
  ^bb0(%a: tensor<2xf32>):
    stablehlo.return %a, %a : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
  return
}
// -----
func.func @argument(%x: tensor<2x3xf32>, %c: tensor<2xf32>) {
  // expected-error @+1 {{expected body arguments #1 of type 'tensor<2xf32>', got 'tensor<2xi32>'}}
  %0:2 = chlo.scan(%x) inits(%c) dimension = 1 {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xi32>):
    stablehlo.return %a, %a : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
  return
}
// -----
func.func @returned(%x: tensor<2x3xf32>, %c: tensor<2xf32>) {
  // expected-error @+1 {{expected 2 values returned by the body, got 1}}
  %0:2 = chlo.scan(%x) inits(%c) dimension = 1 {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    stablehlo.return %a : tensor<2xf32>
  } : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
  return
}
// -----
func.func @carry(%x: tensor<2x3xf32>, %c: tensor<2xf32>) {
  // expected-error @+1 {{expected carry #0 of type 'tensor<2xf32>', got 'tensor<2xf64>'}}
  %0:2 = chlo.scan(%x) inits(%c) dimension = 1 {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    stablehlo.return %a, %b : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf64>)
  return
}
// -----
func.func @scan_nothing(%c: tensor<2xf32>) {
  // expected-error @+1 {{expected an input or an output, got neither}}
  %0 = chlo.scan() inits(%c) dimension = 0 {
  ^bb0(%a: tensor<2xf32>):
    stablehlo.return %a : tensor<2xf32>
  } : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
func.func @scan_results(%x: tensor<2x3xf32>, %c: tensor<2xf32>) {
  %0 = chlo.scan(%x) inits(%c, %c) dimension = 0 {
  ^bb0(%a: tensor<2xf32>):
    stablehlo.return %a : tensor<2xf32>
  // expected-error @+1 {{expected at least 2 result types, one for each init, got 1}}
  } : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
func.func @scan_operands(%x: tensor<2x3xf32>, %c: tensor<2xf32>) {
  %0 = chlo.scan(%x) inits(%c) dimension = 0 {
  ^bb0(%a: tensor<2xf32>):
    stablehlo.return %a : tensor<2xf32>
  // expected-error @+1 {{expected 2 operand types, got 1}}
  } : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}
