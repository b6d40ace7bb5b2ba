// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Select_and_scatter. The meaning is the same after lowering.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s
// RUN: mercator conformance --through=flow %s

func.func @overlapping() {
  %x = stablehlo.constant dense<[[1, 5, 2], [3, 4, 5], [5, 0, 1]]> : tensor<3x3xi32>
  %s = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<3x3xi32>, tensor<2x2xi32>, tensor<i32>) -> tensor<3x3xi32>
  check.expect_eq_const %0, dense<[[0, 3, 0], [0, 0, 4], [3, 0, 0]]> : tensor<3x3xi32>
  return
}

// The first of equal elements is kept.
func.func @initial_value() {
  %x = stablehlo.constant dense<[1.0, 2.0, 2.0, 1.0]> : tensor<4xf32>
  %s = stablehlo.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %z = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  check.expect_eq_const %0, dense<[0.5, 10.5, 20.5, 0.5]> : tensor<4xf32>
  return
}

// The first window has only padding.
func.func @padded() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui8>
  %s = stablehlo.constant dense<[1, 2, 4]> : tensor<3xui8>
  %z = stablehlo.constant dense<0> : tensor<ui8>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<[[2, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %r = stablehlo.compare GE, %a, %b : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %r = stablehlo.add %a, %b : tensor<ui8>
    stablehlo.return %r : tensor<ui8>
  }) : (tensor<3xui8>, tensor<3xui8>, tensor<ui8>) -> tensor<3xui8>
  check.expect_eq_const %0, dense<[0, 2, 4]> : tensor<3xui8>
  return
}

func.func @cut() {
  %x = stablehlo.constant dense<[9, 1, 2, 9]> : tensor<4xi32>
  %s = stablehlo.constant dense<[1]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>, padding = dense<[[-1, -1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<[0, 0, 1, 0]> : tensor<4xi32>
  return
}

func.func @nan() {
  %x = stablehlo.constant dense<[1.0, 0x7FC00000, 0.0]> : tensor<3xf32>
  %s = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<3xf32>, tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %0, dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  return
}

func.func @minimum() {
  %x = stablehlo.constant dense<[1, 2, 3, 1]> : tensor<4xi8>
  %s = stablehlo.constant dense<[5, 6, 7]> : tensor<3xi8>
  %z = stablehlo.constant dense<1> : tensor<i8>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %r = stablehlo.compare LT, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %r = stablehlo.multiply %a, %b : tensor<i8>
    stablehlo.return %r : tensor<i8>
  }) : (tensor<4xi8>, tensor<3xi8>, tensor<i8>) -> tensor<4xi8>
  check.expect_eq_const %0, dense<[5, 6, 1, 7]> : tensor<4xi8>
  return
}

func.func @no_window() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %s = stablehlo.constant dense<[]> : tensor<0xi32>
  %z = stablehlo.constant dense<3> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<2xi32>, tensor<0xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[3, 3]> : tensor<2xi32>
  return
}
