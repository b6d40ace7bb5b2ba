// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bodies of reductions, sorts, scatters and maps that are more than elementwise
// operations on scalars: calls, calls in calls, fusions, bitcasts, and tensors of
// one element. The expected values are computed by hand.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s
// RUN: mercator conformance --through=flow %s
// RUN: mercator conformance --target=cpu %s

func.func private @larger(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.maximum %a, %b : tensor<i32>
  return %0 : tensor<i32>
}
func.func private @larger_of_three(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.constant dense<-5> : tensor<i32>
  %0 = func.call @larger(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %1 = func.call @larger(%0, %c) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func public @less(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i1> attributes {no_inline} {
  %0 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %0 : tensor<i1>
}

func.func @window_that_calls() {
  %x = stablehlo.constant dense<[3, -9, 4, -8, -7]> : tensor<5xi32>
  %i = stablehlo.constant dense<-100> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = func.call @larger_of_three(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<[3, 4, 4, -5]> : tensor<4xi32>
  return
}

func.func @cumulative_that_calls() {
  %x = stablehlo.constant dense<[3, -9, 4, -8, 7]> : tensor<5xi32>
  %i = stablehlo.constant dense<-100> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 5>, padding = dense<[[4, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = func.call @larger(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
  check.expect_eq_const %0, dense<[3, 3, 4, 4, 7]> : tensor<5xi32>
  return
}

func.func @reduction_that_calls() {
  %x = stablehlo.constant dense<[[3, -9, 4], [-8, -7, -6]]> : tensor<2x3xi32>
  %i = stablehlo.constant dense<-100> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %i) across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  reducer(%a: tensor<i32>, %b: tensor<i32>) {
    %1 = func.call @larger_of_three(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }
  check.expect_eq_const %0, dense<[4, -5]> : tensor<2xi32>
  return
}

func.func @sort_that_calls() {
  %x = stablehlo.constant dense<[3, -9, 4, -8, 7]> : tensor<5xi32>
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = func.call @less(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<5xi32>) -> tensor<5xi32>
  check.expect_eq_const %0, dense<[-9, -8, 3, 4, 7]> : tensor<5xi32>
  return
}

func.func @scatter_that_calls() {
  %x = stablehlo.constant dense<[3, -9, 4, -8, -20]> : tensor<5xi32>
  %i = stablehlo.constant dense<[[1], [2], [4]]> : tensor<3x1xi32>
  %u = stablehlo.constant dense<[1, 2, -30]> : tensor<3xi32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = func.call @larger_of_three(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<5xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<5xi32>
  check.expect_eq_const %0, dense<[3, 1, 4, -8, -5]> : tensor<5xi32>
  return
}

func.func @select_and_scatter_that_calls() {
  %x = stablehlo.constant dense<[3, -9, 4, -8]> : tensor<4xi32>
  %s = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = func.call @less(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = func.call @larger(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<[0, 10, 0, 20]> : tensor<4xi32>
  return
}

func.func @map_that_calls() {
  %x = stablehlo.constant dense<[3, -9, 4]> : tensor<3xi32>
  %y = stablehlo.constant dense<[1, -8, 7]> : tensor<3xi32>
  %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = func.call @larger_of_three(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %0, dense<[3, -5, 7]> : tensor<3xi32>
  return
}

func.func @loop_that_calls() {
  %x = stablehlo.constant dense<[3, -9, 4]> : tensor<3xi32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%k = %i, %y = %x) : tensor<i32>, tensor<3xi32>
  cond {
    %1 = func.call @less(%k, %n) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %next = stablehlo.add %k, %one : tensor<i32>
    %1 = func.call @larger_of_three(%k, %i) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %3 = stablehlo.add %y, %2 : tensor<3xi32>
    stablehlo.return %next, %3 : tensor<i32>, tensor<3xi32>
  }
  check.expect_eq_const %0#1, dense<[6, -6, 7]> : tensor<3xi32>
  return
}

func.func @sort_by_bits_in_a_fusion() {
  %x = stablehlo.constant dense<[3.0, -9.0, 4.0, -8.0, 7.0]> : tensor<5xf32>
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = hlo.bitcast %a : (tensor<f32>) -> tensor<ui32>
    %2 = "hlo.fusion"(%b) <{calls = "f", kind = "kLoop"}> ({
    ^bb0(%p: tensor<f32>):
      %q = hlo.bitcast %p : (tensor<f32>) -> tensor<ui32>
      hlo.return %q : tensor<ui32>
    }) : (tensor<f32>) -> tensor<ui32>
    %3 = stablehlo.compare LT, %1, %2, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<5xf32>) -> tensor<5xf32>
  check.expect_eq_const %0, dense<[3.0, 4.0, 7.0, -8.0, -9.0]> : tensor<5xf32>
  return
}

func.func @sort_with_tensors_of_one_element() {
  %x = stablehlo.constant dense<[3, -9, 4, -8, 7]> : tensor<5xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
    %2 = stablehlo.negate %1 : tensor<1x1xi32>
    %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1xi32>, tensor<i32>) -> tensor<i32>
    %4 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.negate %4 : tensor<1xi32>
    %6 = stablehlo.reshape %5 : (tensor<1xi32>) -> tensor<i32>
    %7 = stablehlo.compare LT, %3, %6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %7 : tensor<i1>
  }) : (tensor<5xi32>) -> tensor<5xi32>
  check.expect_eq_const %0, dense<[7, 4, 3, -8, -9]> : tensor<5xi32>
  return
}
