// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The custom calls of programs that JAX exports for all sizes. The numbers that
// they take as operands are sums, so they are not constants before the program
// runs. The expected bits are those of rng_bit_generator, in random-meaning.mlir;
// all others are computed by hand.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s
// RUN: mercator conformance --through=flow %s

func.func private @add(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %a, %b : tensor<i32>
  return %0 : tensor<i32>
}
func.func private @subtract_square(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.multiply %b, %b : tensor<i32>
  %1 = stablehlo.subtract %a, %0 : tensor<i32>
  return %1 : tensor<i32>
}
func.func @cumulative() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.constant dense<0> : tensor<2xi32>
  %size = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  %sizes = stablehlo.add %size, %zeros : tensor<2xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %p = stablehlo.constant dense<[[0, 0], [2, 0]]> : tensor<2x2xi32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %sizes, %ones, %ones, %ones, %p) {called_computations = [@add]} : (tensor<2x3xi32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %0, dense<[[1, 3, 6], [4, 9, 15]]> : tensor<2x3xi32>
  return
}
func.func @cumulative_reversed() {
  %x = stablehlo.constant dense<[[1, 2], [4, 5], [7, 9]]> : tensor<3x2xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.constant dense<0> : tensor<2xi64>
  %size = stablehlo.constant dense<[3, 1]> : tensor<2xi64>
  %sizes = stablehlo.add %size, %zeros : tensor<2xi64>
  %ones = stablehlo.constant dense<1> : tensor<2xi64>
  %p = stablehlo.constant dense<[[0, 2], [0, 0]]> : tensor<2x2xi64>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %sizes, %ones, %ones, %ones, %p) {called_computations = [@add]} : (tensor<3x2xi32>, tensor<i32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2x2xi64>) -> tensor<3x2xi32>
  check.expect_eq_const %0, dense<[[12, 16], [11, 14], [7, 9]]> : tensor<3x2xi32>
  return
}
// The body is no monoid: each window starts from the initial value, and folds
// it in the padding too.
func.func @windows_of_another_body() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %z = stablehlo.constant dense<10> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<1xi32>
  %size = stablehlo.constant dense<2> : tensor<1xi32>
  %sizes = stablehlo.add %size, %zero : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %p = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %sizes, %one, %one, %one, %p) {called_computations = [@subtract_square]} : (tensor<3xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<3xi32>
  check.expect_eq_const %0, dense<[-91, 5, -3]> : tensor<3xi32>
  return
}
// Holes between the elements, windows with gaps, steps of two.
func.func @windows_of_unknown_number() {
  %x = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<1xi32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %strides = stablehlo.add %two, %zero : tensor<1xi32>
  %three = stablehlo.constant dense<3> : tensor<1xi32>
  %p = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %three, %strides, %strides, %three, %p) {called_computations = [@add]} : (tensor<5xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xi32>
  %1 = tensor.cast %0 : tensor<?xi32> to tensor<3xi32>
  check.expect_eq_const %1, dense<[2, 3, 4]> : tensor<3xi32>
  return
}
// The windows do not fit.
func.func @no_windows() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<1xi32>
  %five = stablehlo.constant dense<5> : tensor<1xi32>
  %sizes = stablehlo.add %five, %zero : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %p = stablehlo.constant dense<[[1, 1]]> : tensor<1x2xi32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %sizes, %one, %one, %one, %p) {called_computations = [@add]} : (tensor<2xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xi32>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  check.expect_eq_const %1, dense<0> : tensor<i32>
  return
}
func.func @top_k() {
  %x = stablehlo.constant dense<[[1, 5, 3], [9, 2, 9]]> : tensor<2x3xi32>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %k = stablehlo.add %one, %one : tensor<i64>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : (tensor<2x3xi32>, tensor<i64>) -> (tensor<2x?xi32>, tensor<2x?xi32>)
  %1 = tensor.cast %0#0 : tensor<2x?xi32> to tensor<2x2xi32>
  %2 = tensor.cast %0#1 : tensor<2x?xi32> to tensor<2x2xi32>
  check.expect_eq_const %1, dense<[[5, 3], [9, 9]]> : tensor<2x2xi32>
  check.expect_eq_const %2, dense<[[1, 2], [0, 2]]> : tensor<2x2xi32>
  return
}
func.func private @less(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @approx_top_k() {
  %x = stablehlo.constant dense<[[1, 5, 3], [9, 2, 4]]> : tensor<2x3xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %k = stablehlo.add %one, %one : tensor<i64>
  %0 = stablehlo.custom_call @stablehlo.dynamic_approx_top_k(%x, %z, %k) {called_computations = [@less], mhlo.backend_config = {reduction_dim = 1 : i64, recall_target = 1.0 : f32, aggregate_to_topk = true, reduction_input_size_override = -1 : i64, is_fallback = true}} : (tensor<2x3xi32>, tensor<i32>, tensor<i64>) -> tensor<2x?xi32>
  %1 = tensor.cast %0 : tensor<2x?xi32> to tensor<2x2xi32>
  check.expect_eq_const %1, dense<[[1, 3], [2, 4]]> : tensor<2x2xi32>
  return
}
