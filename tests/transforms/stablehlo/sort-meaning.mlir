// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sort. The meaning is the same after lowering.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s
// RUN: mercator conformance --through=flow %s

func.func @numbers() {
  %x0 = stablehlo.constant dense<[5, 3, 9, -1, 3, 0, 7]> : tensor<7xi32>
  %0 = "stablehlo.sort"(%x0) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<7xi32>) -> (tensor<7xi32>)
  check.expect_eq_const %0, dense<[-1, 0, 3, 3, 5, 7, 9]> : tensor<7xi32>
  return
}

// Along dimension 0, the largest first.
func.func @unsigned() {
  %x0 = stablehlo.constant dense<[[5, 255], [0, 128]]> : tensor<2x2xui8>
  %0 = "stablehlo.sort"(%x0) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %r = stablehlo.compare GT, %a, %b : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<2x2xui8>) -> (tensor<2x2xui8>)
  check.expect_eq_const %0, dense<[[5, 255], [0, 128]]> : tensor<2x2xui8>
  return
}

func.func @last_dimension() {
  %x0 = stablehlo.constant dense<[[3, 1, 2], [6, 5, 4]]> : tensor<2x3xi16>
  %0 = "stablehlo.sort"(%x0) <{dimension = -1 : i64}> ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %r = stablehlo.compare LT, %a, %b : (tensor<i16>, tensor<i16>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<2x3xi16>) -> (tensor<2x3xi16>)
  check.expect_eq_const %0, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi16>
  return
}

func.func @middle() {
  %x0 = stablehlo.constant dense<[[[3, 1], [2, 2], [1, 3]], [[9, 7], [8, 8], [7, 9]]]> : tensor<2x3x2xi64>
  %0 = "stablehlo.sort"(%x0) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %r = stablehlo.compare LT, %a, %b : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<2x3x2xi64>) -> (tensor<2x3x2xi64>)
  check.expect_eq_const %0, dense<[[[1, 1], [2, 2], [3, 3]], [[7, 7], [8, 8], [9, 9]]]> : tensor<2x3x2xi64>
  return
}

// The comparator decides: NaN is less than nothing.
func.func @nan() {
  %x0 = stablehlo.constant dense<[2.0, 0x7FC00000, 1.0, 0xFF800000, -0.0, 0.0]> : tensor<6xf32>
  %0 = "stablehlo.sort"(%x0) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<6xf32>) -> (tensor<6xf32>)
  check.expect_almost_eq_const %0, dense<[0xFF800000, -0.0, 0.0, 1.0, 2.0, 0x7FC00000]> : tensor<6xf32>, tolerance = 0.0
  return
}

func.func @total_order() {
  %x0 = stablehlo.constant dense<[2.0, 0x7FC00000, 1.0, 0xFFC00000, 0.0, -0.0]> : tensor<6xf32>
  %0 = "stablehlo.sort"(%x0) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<6xf32>) -> (tensor<6xf32>)
  check.expect_almost_eq_const %0, dense<[0x7FC00000, -0.0, 0.0, 1.0, 2.0, 0x7FC00000]> : tensor<6xf32>, tolerance = 0.0
  return
}

// A comparator that is no order still gives a permutation.
func.func @inconsistent() {
  %x0 = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %0 = "stablehlo.sort"(%x0) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<5xi32>) -> (tensor<5xi32>)
  check.expect_eq_const %0, dense<[5, 4, 3, 2, 1]> : tensor<5xi32>
  return
}

// Equal keys keep the order of their values.
func.func @stable() {
  %x0 = stablehlo.constant dense<[2, 1, 2, 1, 2, 1, 0]> : tensor<7xi32>
  %x1 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<7xbf16>
  %0:2 = "stablehlo.sort"(%x0, %x1) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<bf16>, %d: tensor<bf16>):
    %r = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<7xi32>, tensor<7xbf16>) -> (tensor<7xi32>, tensor<7xbf16>)
  check.expect_eq_const %0#0, dense<[0, 1, 1, 1, 2, 2, 2]> : tensor<7xi32>
  check.expect_eq_const %0#1, dense<[7.0, 2.0, 4.0, 6.0, 1.0, 3.0, 5.0]> : tensor<7xbf16>
  return
}

func.func @one() {
  %x0 = stablehlo.constant dense<[[1], [0]]> : tensor<2x1xi32>
  %0 = "stablehlo.sort"(%x0) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<2x1xi32>) -> (tensor<2x1xi32>)
  check.expect_eq_const %0, dense<[[1], [0]]> : tensor<2x1xi32>
  return
}

func.func @none() {
  %x0 = stablehlo.constant dense<[]> : tensor<0xi32>
  %0 = "stablehlo.sort"(%x0) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<0xi32>) -> (tensor<0xi32>)
  check.expect_eq_const %0, dense<> : tensor<0xi32>
  return
}

func.func @no_rows() {
  %x0 = stablehlo.constant dense<> : tensor<0x2xi32>
  %0 = "stablehlo.sort"(%x0) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<0x2xi32>) -> (tensor<0x2xi32>)
  check.expect_eq_const %0, dense<> : tensor<0x2xi32>
  return
}

func.func @booleans() {
  %x0 = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %0 = "stablehlo.sort"(%x0) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %r = stablehlo.compare LT, %a, %b : (tensor<i1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<4xi1>) -> (tensor<4xi1>)
  check.expect_eq_const %0, dense<[false, false, true, true]> : tensor<4xi1>
  return
}

func.func private @unknown_extents_of(%x: tensor<?x?xi32>) -> (tensor<?x?xi32>) {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}
func.func @unknown_extents() {
  %c0 = stablehlo.constant dense<[[3, 1], [9, 4], [-2, 5]]> : tensor<3x2xi32>
  %d0 = tensor.cast %c0 : tensor<3x2xi32> to tensor<?x?xi32>
  %r = func.call @unknown_extents_of(%d0) : (tensor<?x?xi32>) -> (tensor<?x?xi32>)
  %s0 = tensor.cast %r : tensor<?x?xi32> to tensor<3x2xi32>
  check.expect_eq_const %s0, dense<[[-2, 1], [3, 4], [9, 5]]> : tensor<3x2xi32>
  return
}

func.func private @unknown_and_empty_of(%x: tensor<?xi32>) -> (tensor<?xi32>) {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func @unknown_and_empty() {
  %c0 = stablehlo.constant dense<[]> : tensor<0xi32>
  %d0 = tensor.cast %c0 : tensor<0xi32> to tensor<?xi32>
  %r = func.call @unknown_and_empty_of(%d0) : (tensor<?xi32>) -> (tensor<?xi32>)
  %s0 = tensor.cast %r : tensor<?xi32> to tensor<0xi32>
  check.expect_eq_const %s0, dense<> : tensor<0xi32>
  return
}
