// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sums of products in all element types and forms.
// The expected values are those of the evaluator of StableHLO.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s
// RUN: mercator conformance --through=flow %s

func.func @transposed_operands() {
  %a = stablehlo.constant dense<[[1.0,-2.0,3.0],[0.5,4.0,-1.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<[[1.0,2.0],[3.0,4.0],[5.0,-6.0],[0.25,8.0]]> : tensor<4x2xf32>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [0] x [1] : (tensor<2x3xf32>, tensor<4x2xf32>) -> tensor<3x4xf32>
  check.expect_eq_const %r, dense<[[2.0, 5.0, 2.0, 4.25], [6.0, 10.0, -34.0, 31.5], [1.0, 5.0, 21.0, -7.25]]> : tensor<3x4xf32>
  return
}

func.func @several_contracting_dimensions() {
  %a = stablehlo.constant dense<[[[1.0,2.0],[3.0,4.0]],[[5.0,6.0],[7.0,8.0]]]> : tensor<2x2x2xf32>
  %b = stablehlo.constant dense<[[[1.0,-1.0],[0.5,2.0]],[[4.0,3.0],[-2.0,1.0]]]> : tensor<2x2x2xf32>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [0, 2] x [2, 0] : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[22.0, 12.5], [36.0, 15.5]]> : tensor<2x2xf32>
  return
}

func.func @batches_in_any_place() {
  %a = stablehlo.constant dense<[[[1.0,2.0],[3.0,4.0]],[[5.0,6.0],[7.0,8.0]]]> : tensor<2x2x2xf32>
  %b = stablehlo.constant dense<[[[1.0,-1.0],[0.5,2.0]],[[4.0,3.0],[-2.0,1.0]]]> : tensor<2x2x2xf32>
  %r = stablehlo.dot_general %a, %b, batching_dims = [1] x [2], contracting_dims = [2] x [0] : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  check.expect_eq_const %r, dense<[[[9.0, -3.5], [29.0, -9.5]], [[9.0, 10.0], [17.0, 22.0]]]> : tensor<2x2x2xf32>
  return
}

func.func @only_batches() {
  %a = stablehlo.constant dense<[[1.0,2.0],[3.0,4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[1.0,-1.0],[0.5,2.0]]> : tensor<2x2xf32>
  %r = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [1, 0], contracting_dims = [] x [] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[1.0, 1.0], [-3.0, 8.0]]> : tensor<2x2xf32>
  return
}

// The sum of a single -0 and the initial 0 is 0.
func.func @outer_product() {
  %a = stablehlo.constant dense<[-0.0,2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[1.0,-1.0,0.5]> : tensor<3xf32>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [] x [] : (tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %r, dense<[[0.0, 0.0, 0.0], [2.0, -2.0, 1.0]]> : tensor<2x3xf32>
  return
}

func.func @rank_0() {
  %a = stablehlo.constant dense<3.0> : tensor<f32>
  %b = stablehlo.constant dense<-2.0> : tensor<f32>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [] x [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %r, dense<-6.0> : tensor<f32>
  return
}

func.func @empty_sum() {
  %a = stablehlo.constant dense<> : tensor<2x0xf32>
  %b = stablehlo.constant dense<> : tensor<0x2xf32>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x0xf32>, tensor<0x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf32>
  return
}

func.func @empty_result() {
  %a = stablehlo.constant dense<> : tensor<0x2xf32>
  %b = stablehlo.constant dense<[[1.0],[2.0]]> : tensor<2x1xf32>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<0x2xf32>, tensor<2x1xf32>) -> tensor<0x1xf32>
  check.expect_eq_const %r, dense<> : tensor<0x1xf32>
  return
}

func.func @signed_and_unsigned() {
  %a = stablehlo.constant dense<[[-128,127]]> : tensor<1x2xi8>
  %b = stablehlo.constant dense<[[255],[200]]> : tensor<2x1xui8>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x2xi8>, tensor<2x1xui8>) -> tensor<1x1xi32>
  check.expect_eq_const %r, dense<[[-7240]]> : tensor<1x1xi32>
  return
}

func.func @unsigned_extended() {
  %a = stablehlo.constant dense<[[255,254]]> : tensor<1x2xui8>
  %b = stablehlo.constant dense<[[255],[200]]> : tensor<2x1xui8>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x2xui8>, tensor<2x1xui8>) -> tensor<1x1xui32>
  check.expect_eq_const %r, dense<[[115825]]> : tensor<1x1xui32>
  return
}

func.func @unsigned_vector() {
  %a = stablehlo.constant dense<[255,254]> : tensor<2xui8>
  %b = stablehlo.constant dense<[255,200]> : tensor<2xui8>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<2xui8>, tensor<2xui8>) -> tensor<i32>
  check.expect_eq_const %r, dense<115825> : tensor<i32>
  return
}

func.func @integers_wrap() {
  %a = stablehlo.constant dense<[[100,100]]> : tensor<1x2xi8>
  %b = stablehlo.constant dense<[[100],[3]]> : tensor<2x1xi8>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x2xi8>, tensor<2x1xi8>) -> tensor<1x1xi8>
  check.expect_eq_const %r, dense<[[60]]> : tensor<1x1xi8>
  return
}

func.func @integer_narrowed() {
  %a = stablehlo.constant dense<[[100000,7]]> : tensor<1x2xi32>
  %b = stablehlo.constant dense<[[3],[-1000]]> : tensor<2x1xi32>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x2xi32>, tensor<2x1xi32>) -> tensor<1x1xi16>
  check.expect_eq_const %r, dense<[[30856]]> : tensor<1x1xi16>
  return
}

func.func @booleans() {
  %a = stablehlo.constant dense<[[true,false],[false,false],[true,true]]> : tensor<3x2xi1>
  %b = stablehlo.constant dense<[[true,false],[true,true]]> : tensor<2x2xi1>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x2xi1>, tensor<2x2xi1>) -> tensor<3x2xi1>
  check.expect_eq_const %r, dense<[[true, false], [false, false], [true, true]]> : tensor<3x2xi1>
  return
}

func.func @booleans_counted() {
  %a = stablehlo.constant dense<[[true,false],[true,true]]> : tensor<2x2xi1>
  %b = stablehlo.constant dense<[true,true]> : tensor<2xi1>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x2xi1>, tensor<2xi1>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[1, 2]> : tensor<2xi32>
  return
}

func.func @integer_times_float() {
  %a = stablehlo.constant dense<[[200,3]]> : tensor<1x2xui8>
  %b = stablehlo.constant dense<[[0.5],[-1.0]]> : tensor<2x1xf32>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x2xui8>, tensor<2x1xf32>) -> tensor<1x1xf32>
  check.expect_eq_const %r, dense<[[97.0]]> : tensor<1x1xf32>
  return
}

// 256 + 1 is 257 in f32, which is rounded once.
func.func @bf16_summed_in_f32() {
  %a = stablehlo.constant dense<[[256.0,1.0,1.0]]> : tensor<1x3xbf16>
  %b = stablehlo.constant dense<[[1.0],[1.0],[1.0]]> : tensor<3x1xbf16>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x3xbf16>, tensor<3x1xbf16>) -> tensor<1x1xbf16>
  check.expect_eq_const %r, dense<[[258.0]]> : tensor<1x1xbf16>
  return
}

func.func @two_formats() {
  %a = stablehlo.constant dense<[[1.5,-2.0]]> : tensor<1x2xf16>
  %b = stablehlo.constant dense<[[0.25],[3.0]]> : tensor<2x1xbf16>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x2xf16>, tensor<2x1xbf16>) -> tensor<1x1xf32>
  check.expect_eq_const %r, dense<[[-5.625]]> : tensor<1x1xf32>
  return
}

func.func @f8_to_f32() {
  %a = stablehlo.constant dense<[[1.5,-2.0]]> : tensor<1x2xf8E4M3FN>
  %b = stablehlo.constant dense<[[0.25],[3.0]]> : tensor<2x1xf8E5M2>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x2xf8E4M3FN>, tensor<2x1xf8E5M2>) -> tensor<1x1xf32>
  check.expect_eq_const %r, dense<[[-5.625]]> : tensor<1x1xf32>
  return
}

func.func @algorithm_of_bf16() {
  %a = stablehlo.constant dense<[[1.00390625,3.14159274]]> : tensor<1x2xf32>
  %b = stablehlo.constant dense<[[1.0],[2.71828175]]> : tensor<2x1xf32>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<1x1xf32>
  check.expect_eq_const %r, dense<[[9.538574]]> : tensor<1x1xf32>
  return
}

func.func @algorithm_of_bf16_x3() {
  %a = stablehlo.constant dense<[[1.00390625,3.14159274]]> : tensor<1x2xf32>
  %b = stablehlo.constant dense<[[1.0],[2.71828175]]> : tensor<2x1xf32>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 2, rhs_component_count = 2, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<1x1xf32>
  check.expect_eq_const %r, dense<[[9.543641]]> : tensor<1x1xf32>
  return
}

// XLA's presets count one component.
func.func @algorithm_of_bf16_x3_as_preset() {
  %a = stablehlo.constant dense<[[1.00390625,3.14159274]]> : tensor<1x2xf32>
  %b = stablehlo.constant dense<[[1.0],[2.71828175]]> : tensor<2x1xf32>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<1x1xf32>
  check.expect_eq_const %r, dense<[[9.543641]]> : tensor<1x1xf32>
  return
}

func.func @algorithm_of_bf16_x3_of_extremes() {
  %a = stablehlo.constant dense<[[0x7F800000], [0xFF800000], [0x7FC00000], [0x7F7FFF00]]> : tensor<4x1xf32>
  %b = stablehlo.constant dense<[[1.0]]> : tensor<1x1xf32>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  check.expect_almost_eq_const %r, dense<[[0x7F800000], [0xFF800000], [0x7FC00000], [0x7F7FFF00]]> : tensor<4x1xf32>
  return
}

func.func @algorithm_of_bf16_x6_close() {
  %a = stablehlo.constant dense<[[1.00390625,3.14159274]]> : tensor<1x2xf32>
  %b = stablehlo.constant dense<[[1.0],[2.71828175]]> : tensor<2x1xf32>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 3, rhs_component_count = 3, num_primitive_operations = 6, allow_imprecise_accumulation = false> : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<1x1xf32>
  check.expect_close_const %r, dense<[[9.54364]]> : tensor<1x1xf32>, max_ulp_difference = 3
  return
}

// A tie is rounded to even; infinities stay.
func.func @algorithm_of_tf32() {
  %a = stablehlo.constant dense<[[1.00048828],[1.00146484],[3.0e38],[0x7F800000]]> : tensor<4x1xf32>
  %b = stablehlo.constant dense<[[1.0]]> : tensor<1x1xf32>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  check.expect_eq_const %r, dense<[[1.0], [1.0019531], [3.0007322e+38], [0x7F800000]]> : tensor<4x1xf32>
  return
}

func.func @algorithm_of_f16() {
  %a = stablehlo.constant dense<[[2048.0,1.0]]> : tensor<1x2xf16>
  %b = stablehlo.constant dense<[[1.0],[1.0]]> : tensor<2x1xf16>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = f16, rhs_precision_type = f16, accumulation_type = f16, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<1x2xf16>, tensor<2x1xf16>) -> tensor<1x1xf16>
  check.expect_eq_const %r, dense<[[2048.0]]> : tensor<1x1xf16>
  return
}

func.func @dynamic_extents() {
  %a = stablehlo.constant dense<[[1.0,-2.0,3.0],[0.5,4.0,-1.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<[[1.0],[2.0],[3.0]]> : tensor<3x1xf32>
  %c = tensor.cast %a : tensor<2x3xf32> to tensor<?x?xf32>
  %r = stablehlo.dot_general %c, %b, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<3x1xf32>) -> tensor<?x1xf32>
  %s0 = tensor.cast %r : tensor<?x1xf32> to tensor<2x1xf32>
  check.expect_eq_const %s0, dense<[[6.0], [5.5]]> : tensor<2x1xf32>
  return
}

func.func @dot_of_transposes() {
  %a = stablehlo.constant dense<[[[1.0,2.0,-1.0]],[[4.0,0.5,3.0]]]> : tensor<2x1x3xf32>
  %b = stablehlo.constant dense<[[[1.0],[2.0],[3.0]],[[-4.0],[0.5],[2.0]]]> : tensor<2x3x1xf32>
  %c = stablehlo.transpose %a, dims = [1, 2, 0] : (tensor<2x1x3xf32>) -> tensor<1x3x2xf32>
  %d = stablehlo.transpose %b, dims = [2, 0, 1] : (tensor<2x3x1xf32>) -> tensor<1x2x3xf32>
  %r = stablehlo.dot_general %c, %d, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x3x2xf32>, tensor<1x2x3xf32>) -> tensor<1x3x3xf32>
  check.expect_eq_const %r, dense<[[[-15.0, 4.0, 11.0], [0.0, 4.25, 7.0], [-13.0, -0.5, 3.0]]]> : tensor<1x3x3xf32>
  return
}

func.func @dot_of_vector_and_matrix() {
  %a = stablehlo.constant dense<[1.0,2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[[1.0,-2.0,3.0],[0.5,4.0,-1.0]]> : tensor<2x3xf32>
  %r = stablehlo.dot %a, %b : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[2.0, 6.0, 1.0]> : tensor<3xf32>
  return
}

func.func @einsum_matrices() {
  %a = stablehlo.constant dense<[[1.0,-2.0,3.0],[0.5,4.0,-1.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<[[1.0,2.0],[3.0,4.0],[5.0,-6.0]]> : tensor<3x2xf32>
  %r = "stablehlo.einsum"(%a, %b) <{einsum_config = "ij,jk->ki"}> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[10.0, 7.5], [-24.0, 23.0]]> : tensor<2x2xf32>
  return
}

func.func @einsum_one_sided_sum() {
  %a = stablehlo.constant dense<[[1.0,-2.0,3.0],[0.5,4.0,-1.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<[1.0,2.0,-4.0]> : tensor<3xf32>
  %r = "stablehlo.einsum"(%a, %b) <{einsum_config = "ij,k->k"}> : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[5.5, 11.0, -22.0]> : tensor<3xf32>
  return
}

func.func @einsum_diagonal() {
  %a = stablehlo.constant dense<[[1.0,2.0],[3.0,4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[1.0,-2.0,3.0],[0.5,4.0,-1.0]]> : tensor<2x3xf32>
  %r = "stablehlo.einsum"(%a, %b) <{einsum_config = "ii,ij->ij"}> : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %r, dense<[[1.0, -2.0, 3.0], [2.0, 16.0, -4.0]]> : tensor<2x3xf32>
  return
}

func.func @unary_einsum_trace() {
  %a = stablehlo.constant dense<[[1.0,2.0],[3.0,4.0]]> : tensor<2x2xf32>
  %r = "stablehlo.unary_einsum"(%a) <{einsum_config = "ii->"}> : (tensor<2x2xf32>) -> tensor<f32>
  check.expect_eq_const %r, dense<5.0> : tensor<f32>
  return
}

func.func @unary_einsum_transpose() {
  %a = stablehlo.constant dense<[[1.0,-2.0,3.0],[0.5,4.0,-1.0]]> : tensor<2x3xf32>
  %r = "stablehlo.unary_einsum"(%a) <{einsum_config = "ij->ji"}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %r, dense<[[1.0, 0.5], [-2.0, 4.0], [3.0, -1.0]]> : tensor<3x2xf32>
  return
}

func.func @unary_einsum_sum() {
  %a = stablehlo.constant dense<[[1.0,-2.0,3.0],[0.5,4.0,-1.0]]> : tensor<2x3xf32>
  %r = "stablehlo.unary_einsum"(%a) <{einsum_config = "ij->j"}> : (tensor<2x3xf32>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[1.5, 2.0, 2.0]> : tensor<3xf32>
  return
}

// A row takes its own group only: an infinite element of another one has no part
// in it, not even times zero.
func.func @ragged_rows_with_infinities() {
  %a = stablehlo.constant dense<[[1.0, 2.0], [0.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %b = stablehlo.constant dense<[[[0x7F800000], [1.0]], [[1.0], [1.0]], [[0x7FC00000], [0xFF800000]]]> : tensor<3x2x1xf32>
  %g = stablehlo.constant dense<[1, 2, 0]> : tensor<3xi64>
  %r = "chlo.ragged_dot"(%a, %b, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]} : (tensor<3x2xf32>, tensor<3x2x1xf32>, tensor<3xi64>) -> tensor<3x1xf32>
  check.expect_eq_const %r, dense<[[0x7F800000], [4.0], [11.0]]> : tensor<3x1xf32>
  return
}
// Groups of the contracted dimension. The last group has no elements.
func.func @ragged_sums_with_infinities() {
  %a = stablehlo.constant dense<[[0x7F800000, 1.0, 2.0]]> : tensor<1x3xf32>
  %b = stablehlo.constant dense<[[1.0], [3.0], [4.0]]> : tensor<3x1xf32>
  %g = stablehlo.constant dense<[1, 2, 0]> : tensor<3xi32>
  %r = "chlo.ragged_dot"(%a, %b, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]} : (tensor<1x3xf32>, tensor<3x1xf32>, tensor<3xi32>) -> tensor<3x1x1xf32>
  check.expect_eq_const %r, dense<[[[0x7F800000]], [[11.0]], [[0.0]]]> : tensor<3x1x1xf32>
  return
}

// Products with a constant of equal elements are sums of the other operand.
func.func @equal_elements_on_the_left() {
  %one = stablehlo.constant dense<2.0> : tensor<f32>
  %a = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<2x3x2xf32>
  %b = stablehlo.constant dense<[[[1.0,-1.0],[0.5,2.0]],[[4.0,3.0],[-2.0,1.0]]]> : tensor<2x2x2xf32>
  %r = stablehlo.dot_general %a, %b, batching_dims = [0] x [1], contracting_dims = [2] x [2] : (tensor<2x3x2xf32>, tensor<2x2x2xf32>) -> tensor<2x3x2xf32>
  check.expect_eq_const %r, dense<[[[0.0, 14.0], [0.0, 14.0], [0.0, 14.0]], [[5.0, -2.0], [5.0, -2.0], [5.0, -2.0]]]> : tensor<2x3x2xf32>
  return
}

func.func @equal_elements_on_the_right() {
  %a = stablehlo.constant dense<[[1.0,-2.0,3.0],[0.5,4.0,-1.0]]> : tensor<2x3xbf16>
  %b = stablehlo.constant dense<1.0> : tensor<3x2xbf16>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xbf16>, tensor<3x2xbf16>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[2.0, 2.0], [3.5, 3.5]]> : tensor<2x2xf32>
  return
}

func.func @equal_elements_on_both_sides() {
  %a = stablehlo.constant dense<3.0> : tensor<5xf32>
  %r = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<5xf32>, tensor<5xf32>) -> tensor<f32>
  check.expect_eq_const %r, dense<45.0> : tensor<f32>
  return
}
