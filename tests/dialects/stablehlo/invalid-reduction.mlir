// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints of reduce, reduce_window, select_and_scatter, sort and map: for
// each constraint of the specification a program that violates only this one.

// RUN: mercator-opt %s --split-input-file --verify-diagnostics

// (reduce C1)
func.func @reduce_c1(%a: tensor<4x8xf32>, %b: tensor<4x7xi32>, %s: tensor<f32>, %t: tensor<i32>) {
  // expected-error @+1 {{expected input of shape [4, 8], got [4, 7]}}
  %0:2 = "stablehlo.reduce"(%a, %b, %s, %t) ({
  ^bb0(%x: tensor<f32>, %y: tensor<i32>, %z: tensor<f32>, %w: tensor<i32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<4x8xf32>, tensor<4x7xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
  return
}
// -----
// (reduce C2)
func.func @reduce_c2(%a: tensor<4x8xf32>, %s: tensor<i32>) {
  // expected-error @+1 {{expected init value of element type 'f32' as its input has, got 'i32'}}
  %0 = "stablehlo.reduce"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x8xf32>, tensor<i32>) -> tensor<4xf32>
  return
}
// -----
// (reduce C3)
func.func @reduce_c3(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected as many init values as inputs, got 3 operands}}
  %0 = "stablehlo.reduce"(%a, %s, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x8xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
// (reduce C3)
func.func @reduce_c3_2(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected results of length 1, got 2}}
  %0:2 = "stablehlo.reduce"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x8xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}
// -----
// (reduce C4)
func.func @reduce_c4(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected dimensions within [0, 2), got 2}}
  %0 = "stablehlo.reduce"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
// (reduce C4)
func.func @reduce_c4_2(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected dimensions within [0, 2), got -9223372036854775808}}
  %0 = "stablehlo.reduce"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: -9223372036854775808>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
// (reduce C5)
func.func @reduce_c5(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected dimensions without repetition, got [1, 1]}}
  %0 = "stablehlo.reduce"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 1, 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
// (reduce C6)
func.func @reduce_c6(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected body of 2 arguments, got 1}}
  %0 = "stablehlo.reduce"(%a, %s) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
// (reduce C6)
func.func @reduce_c6_2(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected body that returns 1 values, got 2}}
  %0 = "stablehlo.reduce"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
// (reduce C6)
func.func @reduce_c6_3(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected body arguments #0 of element type 'i32', as it returns, got 'f32'}}
  %0 = "stablehlo.reduce"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<i32>):
    stablehlo.return %y : tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
// (reduce C6)
func.func @reduce_c6_4(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected body arguments #1 of element type 'f32', as it returns, got 'i32'}}
  %0 = "stablehlo.reduce"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<i32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
// (reduce C6)
func.func @reduce_c6_5(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected body that returns a type 'f32' promotes to, got 'i32'}}
  %0 = "stablehlo.reduce"(%a, %s) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xi32>
  return
}
// -----
// (reduce C6)
func.func @reduce_c6_6(%a: tensor<4x8xi32>, %s: tensor<i8>) {
  // expected-error @+1 {{expected body that returns a type 'i32' promotes to, got 'i8'}}
  %0 = "stablehlo.reduce"(%a, %s) ({
  ^bb0(%x: tensor<i8>, %y: tensor<i8>):
    stablehlo.return %x : tensor<i8>
  }) {dimensions = array<i64: 1>} : (tensor<4x8xi32>, tensor<i8>) -> tensor<4xi8>
  return
}
// -----
// (reduce C6)
func.func @reduce_c6_7(%a: tensor<4x8xf32>, %s: tensor<8xf32>) {
  // expected-error @+1 {{expected body arguments of rank 0, got 'tensor<8xf32>'}}
  %0 = "stablehlo.reduce"(%a, %s) ({
  ^bb0(%x: tensor<8xf32>, %y: tensor<8xf32>):
    stablehlo.return %x : tensor<8xf32>
  }) {dimensions = array<i64: 1>} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4xf32>
  return
}
// -----
// (reduce C7)
func.func @reduce_c7(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected result of shape [4], got [8]}}
  %0 = "stablehlo.reduce"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
  return
}
// -----
// (reduce C8)
func.func @reduce_c8(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = "stablehlo.reduce"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf64>
  return
}
// -----
// (reduce_window C1)
func.func @reduce_window_c1(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected as many init values as inputs, got 3 operands}}
  %0 = "stablehlo.reduce_window"(%a, %s, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<f32>, tensor<f32>) -> tensor<3x7xf32>
  return
}
// -----
// (reduce_window C1)
func.func @reduce_window_c1_2(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected results of length 1, got 2}}
  %0:2 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<f32>) -> (tensor<3x7xf32>, tensor<3x7xf32>)
  return
}
// -----
// (reduce_window C2)
func.func @reduce_window_c2(%a: tensor<4x8xf32>, %b: tensor<4x7xi32>, %s: tensor<f32>, %t: tensor<i32>) {
  // expected-error @+1 {{expected input of shape [4, 8], got [4, 7]}}
  %0:2 = "stablehlo.reduce_window"(%a, %b, %s, %t) ({
  ^bb0(%x: tensor<f32>, %y: tensor<i32>, %z: tensor<f32>, %w: tensor<i32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<i32>
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<4x7xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x7xf32>, tensor<3x7xi32>)
  return
}
// -----
// (reduce_window C3)
func.func @reduce_window_c3(%a: tensor<4x8xf32>, %s: tensor<i32>) {
  // expected-error @+1 {{expected init value of element type 'f32' as its input has, got 'i32'}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<i32>) -> tensor<3x7xf32>
  return
}
// -----
// (reduce_window C4)
func.func @reduce_window_c4(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected window_dimensions of length 2, got 3}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2, 2>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x7xf32>
  return
}
// -----
// (reduce_window C5)
func.func @reduce_window_c5(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected window_dimensions of at least 1, got 0}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 0>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x7xf32>
  return
}
// -----
// (reduce_window C5)
func.func @reduce_window_c5_2(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected window_dimensions of at least 1, got -9223372036854775808}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, -9223372036854775808>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x7xf32>
  return
}
// -----
// (reduce_window C6)
func.func @reduce_window_c6(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected window strides of length 2, got 1}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x7xf32>
  return
}
// -----
// (reduce_window C7)
func.func @reduce_window_c7(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected window strides of at least 1, got 0}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 0, 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x7xf32>
  return
}
// -----
// (reduce_window C8)
func.func @reduce_window_c8(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected base dilations of length 2, got 3}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, base_dilations = array<i64: 1, 1, 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x7xf32>
  return
}
// -----
// (reduce_window C9)
func.func @reduce_window_c9(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected base dilations of at least 1, got -9223372036854775808}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, base_dilations = array<i64: 1, -9223372036854775808>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x7xf32>
  return
}
// -----
// (reduce_window C10)
func.func @reduce_window_c10(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected window dilations of length 2, got 1}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_dilations = array<i64: 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x7xf32>
  return
}
// -----
// (reduce_window C11)
func.func @reduce_window_c11(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected window dilations of at least 1, got -1}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_dilations = array<i64: 1, -1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x7xf32>
  return
}
// -----
// (reduce_window C12)
func.func @reduce_window_c12(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected padding of shape [2, 2], got [1, 2]}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, padding = dense<0> : tensor<1x2xi64>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x7xf32>
  return
}
// -----
// (reduce_window C12)
func.func @reduce_window_c12_2(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected padding of shape [2, 2], got [4]}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, padding = dense<0> : tensor<4xi64>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x7xf32>
  return
}
// -----
// (reduce_window C13)
func.func @reduce_window_c13(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected body of 2 arguments, got 3}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x7xf32>
  return
}
// -----
// (reduce_window C13)
func.func @reduce_window_c13_2(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected body that returns 1 values, got 0}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x7xf32>
  return
}
// -----
// (reduce_window C13)
func.func @reduce_window_c13_3(%a: tensor<4x8xi32>, %s: tensor<i16>) {
  // expected-error @+1 {{expected body that returns a type 'i32' promotes to, got 'i16'}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<i16>, %y: tensor<i16>):
    stablehlo.return %x : tensor<i16>
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<4x8xi32>, tensor<i16>) -> tensor<3x7xi16>
  return
}
// -----
// (reduce_window C14)
func.func @reduce_window_c14(%a: tensor<4x8xf32>, %b: tensor<4x8xi32>, %s: tensor<f32>, %t: tensor<i32>) {
  // expected-error @+1 {{expected result of shape [3, 7], got [3, 6]}}
  %0:2 = "stablehlo.reduce_window"(%a, %b, %s, %t) ({
  ^bb0(%x: tensor<f32>, %y: tensor<i32>, %z: tensor<f32>, %w: tensor<i32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<i32>
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x7xf32>, tensor<3x6xi32>)
  return
}
// -----
// (reduce_window C15)
func.func @reduce_window_c15(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected result of shape [3, 4], got [4, 8]}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
// (reduce_window C15)
func.func @reduce_window_c15_2(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected result of shape [3, 0], got [3, 1]}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 9>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x1xf32>
  return
}
// -----
// (reduce_window C15)
func.func @reduce_window_c15_3(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected a padded input of fewer than 2^63 elements along dimension 0}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, padding = dense<9223372036854775807> : tensor<2x2xi64>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x7xf32>
  return
}
// -----
// (reduce_window C15)
func.func @reduce_window_c15_4(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected a padded input of fewer than 2^63 elements along dimension 1}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, padding = dense<[[0, 0], [-9223372036854775808, -9223372036854775808]]> : tensor<2x2xi64>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x7xf32>
  return
}
// -----
// (reduce_window C15)
func.func @reduce_window_c15_5(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected a padded input of fewer than 2^63 elements along dimension 0}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, base_dilations = array<i64: 9223372036854775807, 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x7xf32>
  return
}
// -----
// (reduce_window C15)
func.func @reduce_window_c15_6(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected a dilated window of fewer than 2^63 elements along dimension 1}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 1, 9223372036854775807>, window_dilations = array<i64: 1, 9223372036854775807>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x7xf32>
  return
}
// -----
// (reduce_window C16)
func.func @reduce_window_c16(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'i32'}}
  %0 = "stablehlo.reduce_window"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x7xi32>
  return
}
// -----
// (select_and_scatter C1)
func.func @select_and_scatter_c1(%a: tensor<4x8xf32>, %b: tensor<2x4xi32>, %s: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected source of element type 'f32', got 'i32'}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<2x4xi32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
// (select_and_scatter C2)
func.func @select_and_scatter_c2(%a: tensor<4x8xf32>, %b: tensor<2x3xf32>, %s: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected source of shape [2, 4], got [2, 3]}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
// (select_and_scatter C2)
func.func @select_and_scatter_c2_2(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %s: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected a padded input of fewer than 2^63 elements along dimension 0}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<9223372036854775807> : tensor<2x2xi64>} : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
// (select_and_scatter C3)
func.func @select_and_scatter_c3(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %s: tensor<i32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected init_value of element type 'f32' as its input has, got 'i32'}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<4x8xf32>
  return
}
// -----
// (select_and_scatter C4)
func.func @select_and_scatter_c4(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %s: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected window_dimensions of length 2, got 1}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
// (select_and_scatter C4)
func.func @select_and_scatter_c4_2(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %s: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected window_dimensions of length 2, got 0}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_strides = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
// (select_and_scatter C5)
func.func @select_and_scatter_c5(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %s: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected window_dimensions of at least 1, got 0}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 0>, window_strides = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
// (select_and_scatter C6)
func.func @select_and_scatter_c6(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %s: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected window strides of length 2, got 3}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2, 2>} : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
// (select_and_scatter C7)
func.func @select_and_scatter_c7(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %s: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected window strides of at least 1, got -2}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: -2, 2>} : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
// (select_and_scatter C8)
func.func @select_and_scatter_c8(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %s: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected padding of shape [2, 2], got [2, 3]}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x3xi64>} : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
// (select_and_scatter C9)
func.func @select_and_scatter_c9(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %s: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected select of 2 arguments, got 1}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %s) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
// (select_and_scatter C9)
func.func @select_and_scatter_c9_2(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %s: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected select arguments #1 of element type 'f32', got 'i32'}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
// (select_and_scatter C9)
func.func @select_and_scatter_c9_3(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %s: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected select that returns tensor<i1>, got 'tensor<f32>'}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
// (select_and_scatter C9)
func.func @select_and_scatter_c9_4(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %s: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected select that returns 1 values, got 0}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
// (select_and_scatter C10)
func.func @select_and_scatter_c10(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %s: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected scatter of 2 arguments, got 3}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
// (select_and_scatter C10)
func.func @select_and_scatter_c10_2(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %s: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected scatter that returns a type 'f32' promotes to, got 'i32'}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xi32>
  return
}
// -----
// (select_and_scatter C11)
func.func @select_and_scatter_c11(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %s: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected result of shape [4, 8], got [4, 7]}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x7xf32>
  return
}
// -----
// (select_and_scatter C12)
func.func @select_and_scatter_c12(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %s: tensor<f32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf64>
  return
}
// -----
// (sort C1)
func.func @sort_c1(%a: tensor<4x8xf32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected at least one input, got none}}
  "stablehlo.sort"() ({
  ^bb0():
    stablehlo.return %p : tensor<i1>
  }) {dimension = 1 : i64} : () -> ()
  return
}
// -----
// (sort C2)
func.func @sort_c2(%a: tensor<4x8xf32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected results #0 of type 'tensor<4x8xf32>', got 'tensor<4x8xf64>'}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf64>
  return
}
// -----
// (sort C2)
func.func @sort_c2_2(%a: tensor<4x8xf32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected 1 results, got 2}}
  %0:2 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}
// -----
// (sort C3)
func.func @sort_c3_2(%a: tensor<4x?xf32>, %b: tensor<?x5xf32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected result of shape [4, 5], got [5, 5]}}
  %0:2 = "stablehlo.sort"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<4x?xf32>, tensor<?x5xf32>) -> (tensor<4x5xf32>, tensor<5x5xf32>)
  return
}
// -----
// (sort C3)
func.func @sort_c3(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected input of shape [4, 8], got [8, 4]}}
  %0:2 = "stablehlo.sort"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<4x8xf32>, tensor<8x4xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>)
  return
}
// -----
// (sort C4)
func.func @sort_c4(%a: tensor<4x8xf32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected dimension within [-2, 2), got 2}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }) {dimension = 2 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (sort C4)
func.func @sort_c4_2(%a: tensor<4x8xf32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected dimension within [-2, 2), got -3}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }) {dimension = -3 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (sort C4)
func.func @sort_c4_3(%a: tensor<4x8xf32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected dimension within [-2, 2), got -9223372036854775808}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }) {dimension = -9223372036854775808 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (sort C5)
func.func @sort_c5(%a: tensor<4x8xf32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected comparator of 2 arguments, got 1}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (sort C5)
func.func @sort_c5_2(%a: tensor<4x8xf32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected comparator argument of element type 'f32', got 'i32'}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (sort C5)
func.func @sort_c5_3(%a: tensor<4x8xf32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected comparator that returns tensor<i1>, got 'tensor<f32>'}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimension = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (sort C5)
func.func @sort_c5_4(%a: tensor<4x8xf32>, %b: tensor<4x8xi32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected comparator argument of element type 'i32', got 'f32'}}
  %0:2 = "stablehlo.sort"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return
}
// -----
// (map C1)
func.func @map_c1(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected operand #1 of the result's shape 'tensor<4x8xf32>', got 'tensor<f32>'}}
  %0 = "stablehlo.map"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
// (map C1)
func.func @map_c1_2(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<4x7xf32>', got 'tensor<4x8xf32>'}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<4x8xf32>) -> tensor<4x7xf32>
  return
}
// -----
// (map C2)
func.func @map_c2(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected at least one input, got none}}
  %0 = "stablehlo.map"() ({
  ^bb0():
    stablehlo.return %s : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : () -> tensor<4x8xf32>
  return
}
// -----
// (map C3)
func.func @map_c3(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected dimensions of length 2, got 1}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (map C3)
func.func @map_c3_2(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected dimensions 0, 1, 2, .. in this order, got [1, 0]}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 1, 0>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (map C4)
func.func @map_c4(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected computation of 1 arguments, got 2}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (map C4)
func.func @map_c4_2(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected computation argument of element type 'f32', got 'i32'}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<4x8xf32>) -> tensor<4x8xi32>
  return
}
// -----
// (map C4)
func.func @map_c4_3(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected computation arguments of rank 0, got 'tensor<1xf32>'}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<1xf32>):
    stablehlo.return %x : tensor<1xf32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (map C4)
func.func @map_c4_4(%a: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<4x8xf32>) -> tensor<4x8xf64>
  return
}
