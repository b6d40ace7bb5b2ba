// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Custom calls whose target defines the computation.
// RUN: mercator conformance %s

func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  func.return %0 : tensor<i1>
}
func.func private @less(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  func.return %0 : tensor<i1>
}
func.func private @sum(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %a, %b : tensor<i32>
  func.return %0 : tensor<i32>
}

func.func @top_k() {
  %x = stablehlo.constant dense<[[3.0, 1.0, 4.0, 1.0, 5.0], [2.0, 6.0, 6.0, 3.0, -0.0]]> : tensor<2x5xf32>
  %0:2 = stablehlo.custom_call @TopK(%x) {called_computations = [@greater]} : (tensor<2x5xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %0#0, dense<[[5.0, 4.0], [6.0, 6.0]]> : tensor<2x2xf32>
  check.expect_eq_const %0#1, dense<[[4, 2], [1, 2]]> : tensor<2x2xi32>
  %1 = stablehlo.custom_call @TopK(%x) : (tensor<2x5xf32>) -> tuple<tensor<2x1xf32>, tensor<2x1xi32>>
  %2 = stablehlo.get_tuple_element %1[1] : (tuple<tensor<2x1xf32>, tensor<2x1xi32>>) -> tensor<2x1xi32>
  check.expect_eq_const %2, dense<[[4], [1]]> : tensor<2x1xi32>
  %k = stablehlo.constant dense<3> : tensor<i32>
  %3:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : (tensor<2x5xf32>, tensor<i32>) -> (tensor<2x?xf32>, tensor<2x?xi32>)
  %4 = stablehlo.constant dense<[[4, 2, 0], [1, 2, 3]]> : tensor<2x3xi32>
  %5 = stablehlo.compare EQ, %3#1, %4 : (tensor<2x?xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  check.expect_eq_const %5, dense<true> : tensor<2x3xi1>
  func.return
}

func.func @approx_top_k() {
  %x = stablehlo.constant dense<[[3.0, 1.0], [4.0, 1.0], [0.0, 5.0]]> : tensor<3x2xf32>
  %i = stablehlo.iota dim = 0 : tensor<3x2xi32>
  %inf = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %0:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %inf, %none) {called_computations = [@less], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.949999988 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 2 : i64}} : (tensor<3x2xf32>, tensor<3x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %0#0, dense<[[0.0, 1.0], [3.0, 1.0]]> : tensor<2x2xf32>
  check.expect_eq_const %0#1, dense<[[2, 0], [0, 1]]> : tensor<2x2xi32>
  %k = stablehlo.constant dense<1> : tensor<i32>
  %1:2 = stablehlo.custom_call @stablehlo.dynamic_approx_top_k(%x, %i, %inf, %none, %k) {called_computations = [@less], mhlo.backend_config = {aggregate_to_topk = true, reduction_dim = 0 : i64}} : (tensor<3x2xf32>, tensor<3x2xi32>, tensor<f32>, tensor<i32>, tensor<i32>) -> (tensor<?x2xf32>, tensor<?x2xi32>)
  %2 = stablehlo.constant dense<[[2, 0]]> : tensor<1x2xi32>
  %3 = stablehlo.compare EQ, %1#1, %2 : (tensor<?x2xi32>, tensor<1x2xi32>) -> tensor<1x2xi1>
  check.expect_eq_const %3, dense<true> : tensor<1x2xi1>
  func.return
}

func.func @dynamic_reduce_window() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %size = stablehlo.constant dense<4> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %padding = stablehlo.constant dense<[[3, 0]]> : tensor<1x2xi32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %size, %one, %one, %one, %padding) {called_computations = [@sum]} : (tensor<4xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<[1, 3, 6, 10]> : tensor<4xi32>
  func.return
}

func.func @dynamic_rng_bit_generator() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %shape) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<2xi64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  %1:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  check.expect_eq %0#0, %1#0 : tensor<2xui64>
  check.expect_eq %0#1, %1#1 : tensor<2x3xui32>
  func.return
}

func.func @shape_assertion() {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %n = stablehlo.constant dense<5> : tensor<i32>
  stablehlo.custom_call @shape_assertion(%true, %n) {error_message = "n is {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  check.expect_eq_const %n, dense<5> : tensor<i32>
  func.return
}
