// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reduce_window: padding, holes, strides, cumulative reductions. The meaning is the same after lowering.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s
// RUN: mercator conformance --through=flow %s

func.func @max_pool() {
  %x = stablehlo.constant dense<[[1.0, 5.0, 2.0, 0.0], [3.0, -1.0, 4.0, 8.0], [7.0, 0x7FC00000, 6.0, 9.0]]> : tensor<3x4xf32>
  %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %0, dense<[[3.0, 5.0, 8.0], [7.0, 0x7FC00000, 9.0]]> : tensor<2x3xf32>, tolerance = 0.0
  return
}

func.func @dilated() {
  %x = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi16>
  %z = stablehlo.constant dense<0> : tensor<i16>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, base_dilations = array<i64: 2>, window_dilations = array<i64: 3>, padding = dense<[[1, 2]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %r = stablehlo.add %a, %b : tensor<i16>
    stablehlo.return %r : tensor<i16>
  }) : (tensor<5xi16>, tensor<i16>) -> tensor<3xi16>
  check.expect_eq_const %0, dense<[2, 3, 4]> : tensor<3xi16>
  return
}

// Negative padding cuts elements off, holes too.
func.func @cut() {
  %x = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xui8>
  %z = stablehlo.constant dense<0> : tensor<ui8>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, padding = dense<[[-1, -2]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %r = stablehlo.add %a, %b : tensor<ui8>
    stablehlo.return %r : tensor<ui8>
  }) : (tensor<5xui8>, tensor<ui8>) -> tensor<1xui8>
  check.expect_eq_const %0, dense<[5]> : tensor<1xui8>
  return
}

func.func @cut_holes() {
  %x = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %z = stablehlo.constant dense<10> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, base_dilations = array<i64: 3>, padding = dense<[[-2, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<11xi32>
  check.expect_eq_const %0, dense<[22, 22, 30, 23, 23, 30, 24, 24, 30, 25, 25]> : tensor<11xi32>
  return
}

func.func @cut_all() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %z = stablehlo.constant dense<7> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, padding = dense<[[-5, 5]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[21, 21]> : tensor<2xi32>
  return
}

func.func @cut_low_pad_high() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %z = stablehlo.constant dense<7> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<[[-3, 4]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.multiply %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[196, 343]> : tensor<2xi32>
  return
}

func.func @no_window() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %z = stablehlo.constant dense<7> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 4>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<3xi32>, tensor<i32>) -> tensor<0xi32>
  check.expect_eq_const %0, dense<> : tensor<0xi32>
  return
}

// Only padding.
func.func @no_element() {
  %x = stablehlo.constant dense<[]> : tensor<0xi32>
  %z = stablehlo.constant dense<7> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, padding = dense<[[1, 2]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<0xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[21, 21]> : tensor<2xi32>
  return
}

// Not a cumulative sum: 1 is not the identity element.
func.func @initial_value_counts() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %z = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 3>, padding = dense<[[2, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %0, dense<[4, 5, 7]> : tensor<3xi32>
  return
}

func.func @number() {
  %x = stablehlo.constant dense<3.0> : tensor<f32>
  %z = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %0, dense<6.0> : tensor<f32>
  return
}

func.func @booleans() {
  %x = stablehlo.constant dense<[true, false, false, true]> : tensor<4xi1>
  %z = stablehlo.constant dense<false> : tensor<i1>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %r = stablehlo.or %a, %b : tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<4xi1>, tensor<i1>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[true, false, true]> : tensor<3xi1>
  return
}

// The body has a wider type than the input.
func.func @wider() {
  %x = stablehlo.constant dense<[100, 100, -100]> : tensor<3xi8>
  %z = stablehlo.constant dense<1> : tensor<i8>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<3xi8>, tensor<i8>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[201, 1]> : tensor<2xi32>
  return
}

func.func @wider_real() {
  %x = stablehlo.constant dense<[1.0, 0.001, 1.0]> : tensor<3xf16>
  %z = stablehlo.constant dense<0.0> : tensor<f16>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 3>, padding = dense<[[2, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<3xf16>, tensor<f16>) -> tensor<3xf32>
  check.expect_eq_const %0, dense<[1.0, 1.0010004, 2.0010004]> : tensor<3xf32>
  return
}

func.func @cumsum() {
  %x = stablehlo.constant dense<[[1, 2, 3], [-4, 5, 6]]> : tensor<2x3xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 3>, padding = dense<[[0, 0], [2, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
  check.expect_eq_const %0, dense<[[1, 3, 6], [-4, 1, 7]]> : tensor<2x3xi32>
  return
}

func.func @cumsum_reversed() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xui16>
  %z = stablehlo.constant dense<0> : tensor<ui16>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 3, 1>, padding = dense<[[0, 2], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<ui16>, %b: tensor<ui16>):
    %r = stablehlo.add %a, %b : tensor<ui16>
    stablehlo.return %r : tensor<ui16>
  }) : (tensor<3x2xui16>, tensor<ui16>) -> tensor<3x2xui16>
  check.expect_eq_const %0, dense<[[9, 12], [8, 10], [5, 6]]> : tensor<3x2xui16>
  return
}

func.func @cummax() {
  %x = stablehlo.constant dense<[1.0, 0x7FC00000, 3.0]> : tensor<3xf32>
  %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 3>, padding = dense<[[2, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_almost_eq_const %0, dense<[1.0, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>, tolerance = 0.0
  return
}

// A window that is longer than the dimension.
func.func @cummin_longer() {
  %x = stablehlo.constant dense<[3, 1, 2]> : tensor<3xi8>
  %z = stablehlo.constant dense<127> : tensor<i8>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 5>, padding = dense<[[4, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %r = stablehlo.minimum %a, %b : tensor<i8>
    stablehlo.return %r : tensor<i8>
  }) : (tensor<3xi8>, tensor<i8>) -> tensor<3xi8>
  check.expect_eq_const %0, dense<[3, 1, 1]> : tensor<3xi8>
  return
}

func.func @cumand_reversed() {
  %x = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %z = stablehlo.constant dense<true> : tensor<i1>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 3>, padding = dense<[[0, 2]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %r = stablehlo.and %a, %b : tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<3xi1>, tensor<i1>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[false, false, true]> : tensor<3xi1>
  return
}

// The largest number of each window and its index.
func.func @argmax() {
  %x = stablehlo.constant dense<[3.0, 1.0, 3.0, 5.0, 2.0]> : tensor<5xf32>
  %i = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %m = stablehlo.constant dense<-1> : tensor<i32>
  %0:2 = "stablehlo.reduce_window"(%x, %i, %z, %m) <{window_dimensions = array<i64: 3>, padding = dense<1> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %g = stablehlo.compare GE, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = stablehlo.select %g, %a, %c : tensor<i1>, tensor<f32>
    %n = stablehlo.select %g, %b, %d : tensor<i1>, tensor<i32>
    stablehlo.return %v, %n : tensor<f32>, tensor<i32>
  }) : (tensor<5xf32>, tensor<5xi32>, tensor<f32>, tensor<i32>) -> (tensor<5xf32>, tensor<5xi32>)
  check.expect_eq_const %0#0, dense<[3.0, 3.0, 5.0, 5.0, 5.0]> : tensor<5xf32>
  check.expect_eq_const %0#1, dense<[0, 0, 3, 3, 3]> : tensor<5xi32>
  return
}

// A cumulative reduction whose body does not commute: the last number that is not 0, from the right.
func.func @last_not_zero_reversed() {
  %x = stablehlo.constant dense<[0, 4, 0, 7, 0]> : tensor<5xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 5>, padding = dense<[[0, 4]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.constant dense<0> : tensor<i32>
    %g = stablehlo.compare NE, %b, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %v = stablehlo.select %g, %b, %a : tensor<i1>, tensor<i32>
    stablehlo.return %v : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
  check.expect_eq_const %0, dense<[7, 7, 7, 7, 0]> : tensor<5xi32>
  return
}

// Extents that are known when the program runs.
func.func private @unknown_extents_of(%x: tensor<?x?xi32>, %y: tensor<i32>) -> (tensor<?x?xi32>) {
  %0 = "stablehlo.reduce_window"(%x, %y) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 2, 1>, padding = dense<[[1, 0], [-1, 2]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<?x?xi32>, tensor<i32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}
func.func @unknown_extents() {
  %c0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %d0 = tensor.cast %c0 : tensor<2x3xi32> to tensor<?x?xi32>
  %c1 = stablehlo.constant dense<0> : tensor<i32>
  %r = func.call @unknown_extents_of(%d0, %c1) : (tensor<?x?xi32>, tensor<i32>) -> (tensor<?x?xi32>)
  %s0 = tensor.cast %r : tensor<?x?xi32> to tensor<3x2xi32>
  check.expect_eq_const %s0, dense<[[5, 0], [5, 0], [11, 0]]> : tensor<3x2xi32>
  return
}

func.func private @unknown_rows_of(%x: tensor<?x3xi32>) -> (tensor<?x3xi32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 3>, padding = dense<[[0, 0], [2, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<?x3xi32>, tensor<i32>) -> tensor<?x3xi32>
  return %0 : tensor<?x3xi32>
}
func.func @unknown_rows() {
  %c0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %d0 = tensor.cast %c0 : tensor<2x3xi32> to tensor<?x3xi32>
  %r = func.call @unknown_rows_of(%d0) : (tensor<?x3xi32>) -> (tensor<?x3xi32>)
  %s0 = tensor.cast %r : tensor<?x3xi32> to tensor<2x3xi32>
  check.expect_eq_const %s0, dense<[[1, 3, 6], [4, 9, 15]]> : tensor<2x3xi32>
  return
}

// Padding of nothing, of which the last element is in no window.
func.func @padding_of_nothing() {
  %x = stablehlo.constant dense<> : tensor<1x0x1xi32>
  %z = stablehlo.constant dense<7> : tensor<i32>
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 3, 1>, window_strides = array<i64: 2, 2, 2>, base_dilations = array<i64: 2, 2, 2>, window_dilations = array<i64: 1, 1, 2>, padding = dense<[[0, 0], [2, 2], [0, 2]]> : tensor<3x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<1x0x1xi32>, tensor<i32>) -> tensor<1x1x2xi32>
  check.expect_eq_const %r, dense<7> : tensor<1x1x2xi32>
  return
}

// The first operand has an extent that only the lowering knows, more than the
// only window reads; the second one's is unknown.
func.func @hidden_extent_of(%x: tensor<?x1xf32>, %i: tensor<?x?x1xi32>) -> (tensor<1x2x1xf32>, tensor<1x2x1xi32>) {
  %z = stablehlo.constant dense<-1.0> : tensor<f32>
  %n = stablehlo.constant dense<0> : tensor<i32>
  %xs = "stablehlo.broadcast"(%x) <{broadcast_sizes = array<i64: 4>}> : (tensor<?x1xf32>) -> tensor<?x?x1xf32>
  %r:2 = "stablehlo.reduce_window"(%xs, %i, %z, %n) <{window_dimensions = array<i64: 3, 1, 1>, window_strides = array<i64: 2, 1, 1>, padding = dense<[[0, 0], [-1, 1], [0, 0]]> : tensor<3x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %j: tensor<i32>, %b: tensor<f32>, %k: tensor<i32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %s = stablehlo.select %c, %a, %b : tensor<i1>, tensor<f32>
    %t = stablehlo.add %j, %k : tensor<i32>
    stablehlo.return %s, %t : tensor<f32>, tensor<i32>
  }) : (tensor<?x?x1xf32>, tensor<?x?x1xi32>, tensor<f32>, tensor<i32>) -> (tensor<1x2x1xf32>, tensor<1x2x1xi32>)
  return %r#0, %r#1 : tensor<1x2x1xf32>, tensor<1x2x1xi32>
}
func.func @hidden_extent() {
  %c0 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %c1 = stablehlo.constant dense<[[[1], [2]], [[3], [4]], [[5], [6]], [[7], [8]]]> : tensor<4x2x1xi32>
  %d0 = tensor.cast %c0 : tensor<2x1xf32> to tensor<?x1xf32>
  %d1 = tensor.cast %c1 : tensor<4x2x1xi32> to tensor<?x?x1xi32>
  %r:2 = func.call @hidden_extent_of(%d0, %d1) : (tensor<?x1xf32>, tensor<?x?x1xi32>) -> (tensor<1x2x1xf32>, tensor<1x2x1xi32>)
  check.expect_eq_const %r#1, dense<[[[12], [0]]]> : tensor<1x2x1xi32>
  check.expect_almost_eq_const %r#0, dense<[[[2.0], [-1.0]]]> : tensor<1x2x1xf32>, tolerance = 0.0
  return
}
