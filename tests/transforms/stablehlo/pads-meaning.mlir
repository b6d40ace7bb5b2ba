// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Pads, concatenations and iotas in corner cases.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s
// RUN: mercator conformance --through=flow %s

func.func private @pad_edges_of(%a: tensor<2x3xi32>, %b: tensor<i32>) -> (tensor<5x4xi32>) {
  %0 = stablehlo.pad %a, %b, low = [1, 0], high = [2, 1], interior = [0, 0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<5x4xi32>
  return %0 : tensor<5x4xi32>
}
func.func @pad_edges() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %b = stablehlo.constant dense<-1> : tensor<i32>
  %r = func.call @pad_edges_of(%a, %b) : (tensor<2x3xi32>, tensor<i32>) -> (tensor<5x4xi32>)
  check.expect_eq_const %r, dense<[[-1, -1, -1, -1], [1, 2, 3, -1], [4, 5, 6, -1], [-1, -1, -1, -1], [-1, -1, -1, -1]]> : tensor<5x4xi32>
  return
}
// -----
func.func private @pad_cuts_and_adds_of(%a: tensor<5xi32>, %b: tensor<i32>) -> (tensor<6xi32>) {
  %0 = stablehlo.pad %a, %b, low = [-2], high = [3], interior = [0] : (tensor<5xi32>, tensor<i32>) -> tensor<6xi32>
  return %0 : tensor<6xi32>
}
func.func @pad_cuts_and_adds() {
  %a = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %b = stablehlo.constant dense<-1> : tensor<i32>
  %r = func.call @pad_cuts_and_adds_of(%a, %b) : (tensor<5xi32>, tensor<i32>) -> (tensor<6xi32>)
  check.expect_eq_const %r, dense<[3, 4, 5, -1, -1, -1]> : tensor<6xi32>
  return
}
// -----
func.func private @pad_interior_of(%a: tensor<3x2xi32>, %b: tensor<i32>) -> (tensor<7x3xi32>) {
  %0 = stablehlo.pad %a, %b, low = [0, 1], high = [0, -1], interior = [2, 1] : (tensor<3x2xi32>, tensor<i32>) -> tensor<7x3xi32>
  return %0 : tensor<7x3xi32>
}
func.func @pad_interior() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %b = stablehlo.constant dense<-1> : tensor<i32>
  %r = func.call @pad_interior_of(%a, %b) : (tensor<3x2xi32>, tensor<i32>) -> (tensor<7x3xi32>)
  check.expect_eq_const %r, dense<[[-1, 1, -1], [-1, -1, -1], [-1, -1, -1], [-1, 3, -1], [-1, -1, -1], [-1, -1, -1], [-1, 5, -1]]> : tensor<7x3xi32>
  return
}
// -----
func.func private @pad_interior_and_cuts_of(%a: tensor<4xi32>, %b: tensor<i32>) -> (tensor<5xi32>) {
  %0 = stablehlo.pad %a, %b, low = [-3], high = [1], interior = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<5xi32>
  return %0 : tensor<5xi32>
}
func.func @pad_interior_and_cuts() {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %b = stablehlo.constant dense<-1> : tensor<i32>
  %r = func.call @pad_interior_and_cuts_of(%a, %b) : (tensor<4xi32>, tensor<i32>) -> (tensor<5xi32>)
  check.expect_eq_const %r, dense<[-1, 3, -1, 4, -1]> : tensor<5xi32>
  return
}
// -----
func.func private @pad_of_empty_of(%a: tensor<0x2xi32>, %b: tensor<i32>) -> (tensor<3x2xi32>) {
  %0 = stablehlo.pad %a, %b, low = [1, 0], high = [2, 0], interior = [3, 0] : (tensor<0x2xi32>, tensor<i32>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}
func.func @pad_of_empty() {
  %a = stablehlo.constant dense<> : tensor<0x2xi32>
  %b = stablehlo.constant dense<-1> : tensor<i32>
  %r = func.call @pad_of_empty_of(%a, %b) : (tensor<0x2xi32>, tensor<i32>) -> (tensor<3x2xi32>)
  check.expect_eq_const %r, dense<[[-1, -1], [-1, -1], [-1, -1]]> : tensor<3x2xi32>
  return
}
// -----
func.func private @pad_cuts_all_of(%a: tensor<3xi32>, %b: tensor<i32>) -> (tensor<2xi32>) {
  %0 = stablehlo.pad %a, %b, low = [-5], high = [4], interior = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @pad_cuts_all() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %b = stablehlo.constant dense<-1> : tensor<i32>
  %r = func.call @pad_cuts_all_of(%a, %b) : (tensor<3xi32>, tensor<i32>) -> (tensor<2xi32>)
  check.expect_eq_const %r, dense<[-1, -1]> : tensor<2xi32>
  return
}
// -----
func.func private @pad_to_empty_of(%a: tensor<3xi32>, %b: tensor<i32>) -> (tensor<0xi32>) {
  %0 = stablehlo.pad %a, %b, low = [-1], high = [-2], interior = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<0xi32>
  return %0 : tensor<0xi32>
}
func.func @pad_to_empty() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %b = stablehlo.constant dense<-1> : tensor<i32>
  %r = func.call @pad_to_empty_of(%a, %b) : (tensor<3xi32>, tensor<i32>) -> (tensor<0xi32>)
  check.expect_eq_const %r, dense<> : tensor<0xi32>
  return
}
// -----
func.func private @pad_of_rank_0_of(%a: tensor<i32>, %b: tensor<i32>) -> (tensor<i32>) {
  %0 = stablehlo.pad %a, %b, low = [], high = [], interior = [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @pad_of_rank_0() {
  %a = stablehlo.constant dense<1> : tensor<i32>
  %b = stablehlo.constant dense<-1> : tensor<i32>
  %r = func.call @pad_of_rank_0_of(%a, %b) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
  check.expect_eq_const %r, dense<1> : tensor<i32>
  return
}
// -----
func.func private @pad_of_unknown_extent_of(%a: tensor<?xi32>, %b: tensor<i32>) -> (tensor<?xi32>) {
  %0 = stablehlo.pad %a, %b, low = [1], high = [-1], interior = [2] : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func @pad_of_unknown_extent() {
  %a_static = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %a = tensor.cast %a_static : tensor<3xi32> to tensor<?xi32>
  %b = stablehlo.constant dense<-1> : tensor<i32>
  %r = func.call @pad_of_unknown_extent_of(%a, %b) : (tensor<?xi32>, tensor<i32>) -> (tensor<?xi32>)
  %static = tensor.cast %r : tensor<?xi32> to tensor<7xi32>
  check.expect_eq_const %static, dense<[-1, 1, -1, -1, 2, -1, -1]> : tensor<7xi32>
  return
}
// -----
func.func private @pad_of_unknown_extent_cuts_all_of(%a: tensor<?xi32>, %b: tensor<i32>) -> (tensor<?xi32>) {
  %0 = stablehlo.pad %a, %b, low = [-5], high = [4], interior = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func @pad_of_unknown_extent_cuts_all() {
  %a_static = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %a = tensor.cast %a_static : tensor<3xi32> to tensor<?xi32>
  %b = stablehlo.constant dense<-1> : tensor<i32>
  %r = func.call @pad_of_unknown_extent_cuts_all_of(%a, %b) : (tensor<?xi32>, tensor<i32>) -> (tensor<?xi32>)
  %static = tensor.cast %r : tensor<?xi32> to tensor<2xi32>
  check.expect_eq_const %static, dense<[-1, -1]> : tensor<2xi32>
  return
}
// -----
func.func private @dynamic_pad_edges_of(%a: tensor<2x3xf32>, %b: tensor<f32>, %c: tensor<2xi32>, %d: tensor<2xi32>, %e: tensor<2xi32>) -> (tensor<?x?xf32>) {
  %0 = stablehlo.dynamic_pad %a, %b, %c, %d, %e : (tensor<2x3xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @dynamic_pad_edges() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<-1.0> : tensor<f32>
  %c = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %d = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  %e = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
  %r = func.call @dynamic_pad_edges_of(%a, %b, %c, %d, %e) : (tensor<2x3xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<?x?xf32>)
  %static = tensor.cast %r : tensor<?x?xf32> to tensor<5x4xf32>
  check.expect_eq_const %static, dense<[[-1.0, -1.0, -1.0, -1.0], [1.0, 2.0, 3.0, -1.0], [4.0, 5.0, 6.0, -1.0], [-1.0, -1.0, -1.0, -1.0], [-1.0, -1.0, -1.0, -1.0]]> : tensor<5x4xf32>
  return
}
// -----
func.func private @dynamic_pad_interior_and_cuts_of(%a: tensor<?xf32>, %b: tensor<f32>, %c: tensor<1xi64>, %d: tensor<1xi64>, %e: tensor<1xi64>) -> (tensor<?xf32>) {
  %0 = stablehlo.dynamic_pad %a, %b, %c, %d, %e : (tensor<?xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @dynamic_pad_interior_and_cuts() {
  %a_static = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %a = tensor.cast %a_static : tensor<4xf32> to tensor<?xf32>
  %b = stablehlo.constant dense<-1.0> : tensor<f32>
  %c = stablehlo.constant dense<[-3]> : tensor<1xi64>
  %d = stablehlo.constant dense<[1]> : tensor<1xi64>
  %e = stablehlo.constant dense<[1]> : tensor<1xi64>
  %r = func.call @dynamic_pad_interior_and_cuts_of(%a, %b, %c, %d, %e) : (tensor<?xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> (tensor<?xf32>)
  %static = tensor.cast %r : tensor<?xf32> to tensor<5xf32>
  check.expect_eq_const %static, dense<[-1.0, 3.0, -1.0, 4.0, -1.0]> : tensor<5xf32>
  return
}
// -----
func.func private @dynamic_pad_cuts_all_of(%a: tensor<3xf32>, %b: tensor<f32>, %c: tensor<1xi32>, %d: tensor<1xi32>, %e: tensor<1xi32>) -> (tensor<?xf32>) {
  %0 = stablehlo.dynamic_pad %a, %b, %c, %d, %e : (tensor<3xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @dynamic_pad_cuts_all() {
  %a = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %b = stablehlo.constant dense<-1.0> : tensor<f32>
  %c = stablehlo.constant dense<[4]> : tensor<1xi32>
  %d = stablehlo.constant dense<[-5]> : tensor<1xi32>
  %e = stablehlo.constant dense<[1]> : tensor<1xi32>
  %r = func.call @dynamic_pad_cuts_all_of(%a, %b, %c, %d, %e) : (tensor<3xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<?xf32>)
  %static = tensor.cast %r : tensor<?xf32> to tensor<4xf32>
  check.expect_eq_const %static, dense<[-1.0, -1.0, -1.0, -1.0]> : tensor<4xf32>
  return
}
// -----
func.func private @dynamic_pad_of_empty_of(%a: tensor<?xf32>, %b: tensor<f32>, %c: tensor<1xi32>, %d: tensor<1xi32>, %e: tensor<1xi32>) -> (tensor<?xf32>) {
  %0 = stablehlo.dynamic_pad %a, %b, %c, %d, %e : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @dynamic_pad_of_empty() {
  %a_static = stablehlo.constant dense<> : tensor<0xf32>
  %a = tensor.cast %a_static : tensor<0xf32> to tensor<?xf32>
  %b = stablehlo.constant dense<-1.0> : tensor<f32>
  %c = stablehlo.constant dense<[1]> : tensor<1xi32>
  %d = stablehlo.constant dense<[1]> : tensor<1xi32>
  %e = stablehlo.constant dense<[2]> : tensor<1xi32>
  %r = func.call @dynamic_pad_of_empty_of(%a, %b, %c, %d, %e) : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<?xf32>)
  %static = tensor.cast %r : tensor<?xf32> to tensor<2xf32>
  check.expect_eq_const %static, dense<[-1.0, -1.0]> : tensor<2xf32>
  return
}
// -----
func.func private @dynamic_pad_by_ui8_of(%a: tensor<?xf32>, %b: tensor<f32>, %c: tensor<1xui8>, %d: tensor<1xui8>, %e: tensor<1xui8>) -> (tensor<?xf32>) {
  %0 = stablehlo.dynamic_pad %a, %b, %c, %d, %e : (tensor<?xf32>, tensor<f32>, tensor<1xui8>, tensor<1xui8>, tensor<1xui8>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @dynamic_pad_by_ui8() {
  %a_static = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %a = tensor.cast %a_static : tensor<3xf32> to tensor<?xf32>
  %b = stablehlo.constant dense<-1.0> : tensor<f32>
  %c = stablehlo.constant dense<[1]> : tensor<1xui8>
  %d = stablehlo.constant dense<[2]> : tensor<1xui8>
  %e = stablehlo.constant dense<[1]> : tensor<1xui8>
  %r = func.call @dynamic_pad_by_ui8_of(%a, %b, %c, %d, %e) : (tensor<?xf32>, tensor<f32>, tensor<1xui8>, tensor<1xui8>, tensor<1xui8>) -> (tensor<?xf32>)
  %static = tensor.cast %r : tensor<?xf32> to tensor<8xf32>
  check.expect_eq_const %static, dense<[-1.0, 1.0, -1.0, 2.0, -1.0, 3.0, -1.0, -1.0]> : tensor<8xf32>
  return
}
// -----
func.func private @dynamic_pad_cuts_all_at_known_start_of(%a: tensor<?xi32>, %b: tensor<1xi32>) -> (tensor<?xi32>) {
  %p = stablehlo.constant dense<-1> : tensor<i32>
  %l = stablehlo.constant dense<3> : tensor<1xi32>
  %i = stablehlo.constant dense<0> : tensor<1xi32>
  %0 = stablehlo.dynamic_pad %a, %p, %l, %b, %i : (tensor<?xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func @dynamic_pad_cuts_all_at_known_start() {
  %a_static = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %a = tensor.cast %a_static : tensor<3xi32> to tensor<?xi32>
  %b = stablehlo.constant dense<-5> : tensor<1xi32>
  %r = func.call @dynamic_pad_cuts_all_at_known_start_of(%a, %b) : (tensor<?xi32>, tensor<1xi32>) -> (tensor<?xi32>)
  %static = tensor.cast %r : tensor<?xi32> to tensor<1xi32>
  check.expect_eq_const %static, dense<[-1]> : tensor<1xi32>
  return
}
// -----
func.func private @concatenate_three_of(%a: tensor<2x2xf32>, %b: tensor<2x1xf32>, %c: tensor<2x3xf32>) -> (tensor<2x6xf32>) {
  %0 = stablehlo.concatenate %a, %b, %c, dim = 1 : (tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}
func.func @concatenate_three() {
  %a = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[10.0], [11.0]]> : tensor<2x1xf32>
  %c = stablehlo.constant dense<[[20.0, 21.0, 22.0], [23.0, 24.0, 25.0]]> : tensor<2x3xf32>
  %r = func.call @concatenate_three_of(%a, %b, %c) : (tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x3xf32>) -> (tensor<2x6xf32>)
  check.expect_eq_const %r, dense<[[0.0, 1.0, 10.0, 20.0, 21.0, 22.0], [2.0, 3.0, 11.0, 23.0, 24.0, 25.0]]> : tensor<2x6xf32>
  return
}
// -----
func.func private @concatenate_empty_of(%a: tensor<0x2xf32>, %b: tensor<2x2xf32>, %c: tensor<0x2xf32>) -> (tensor<2x2xf32>) {
  %0 = stablehlo.concatenate %a, %b, %c, dim = 0 : (tensor<0x2xf32>, tensor<2x2xf32>, tensor<0x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
func.func @concatenate_empty() {
  %a = stablehlo.constant dense<> : tensor<0x2xf32>
  %b = stablehlo.constant dense<[[10.0, 11.0], [12.0, 13.0]]> : tensor<2x2xf32>
  %c = stablehlo.constant dense<> : tensor<0x2xf32>
  %r = func.call @concatenate_empty_of(%a, %b, %c) : (tensor<0x2xf32>, tensor<2x2xf32>, tensor<0x2xf32>) -> (tensor<2x2xf32>)
  check.expect_eq_const %r, dense<[[10.0, 11.0], [12.0, 13.0]]> : tensor<2x2xf32>
  return
}
// -----
func.func private @concatenate_dynamic_of(%a: tensor<?x2xf32>, %b: tensor<1x?xf32>) -> (tensor<?x2xf32>) {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<?x2xf32>, tensor<1x?xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
func.func @concatenate_dynamic() {
  %a_static = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  %a = tensor.cast %a_static : tensor<2x2xf32> to tensor<?x2xf32>
  %b_static = stablehlo.constant dense<[[10.0, 11.0]]> : tensor<1x2xf32>
  %b = tensor.cast %b_static : tensor<1x2xf32> to tensor<1x?xf32>
  %r = func.call @concatenate_dynamic_of(%a, %b) : (tensor<?x2xf32>, tensor<1x?xf32>) -> (tensor<?x2xf32>)
  %static = tensor.cast %r : tensor<?x2xf32> to tensor<3x2xf32>
  check.expect_eq_const %static, dense<[[0.0, 1.0], [2.0, 3.0], [10.0, 11.0]]> : tensor<3x2xf32>
  return
}
// -----
func.func private @concatenate_of_unknown_extent_of(%a: tensor<?x?xf32>, %b: tensor<2x1xf32>) -> (tensor<2x3xf32>) {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<?x?xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func @concatenate_of_unknown_extent() {
  %a_static = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  %a = tensor.cast %a_static : tensor<2x2xf32> to tensor<?x?xf32>
  %b = stablehlo.constant dense<[[10.0], [11.0]]> : tensor<2x1xf32>
  %r = func.call @concatenate_of_unknown_extent_of(%a, %b) : (tensor<?x?xf32>, tensor<2x1xf32>) -> (tensor<2x3xf32>)
  check.expect_eq_const %r, dense<[[0.0, 1.0, 10.0], [2.0, 3.0, 11.0]]> : tensor<2x3xf32>
  return
}
// -----
func.func private @concatenate_nothing_of(%a: tensor<0x2xf32>, %b: tensor<0x1xf32>) -> (tensor<0x3xf32>) {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<0x2xf32>, tensor<0x1xf32>) -> tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}
func.func @concatenate_nothing() {
  %a = stablehlo.constant dense<> : tensor<0x2xf32>
  %b = stablehlo.constant dense<> : tensor<0x1xf32>
  %r = func.call @concatenate_nothing_of(%a, %b) : (tensor<0x2xf32>, tensor<0x1xf32>) -> (tensor<0x3xf32>)
  check.expect_eq_const %r, dense<> : tensor<0x3xf32>
  return
}
// -----
func.func private @concatenate_empty_of_unknown_extents_of(%a: tensor<?x1xf32>, %b: tensor<0x?xf32>) -> (tensor<0x?xf32>) {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<?x1xf32>, tensor<0x?xf32>) -> tensor<0x?xf32>
  return %0 : tensor<0x?xf32>
}
func.func @concatenate_empty_of_unknown_extents() {
  %a_static = stablehlo.constant dense<> : tensor<0x1xf32>
  %a = tensor.cast %a_static : tensor<0x1xf32> to tensor<?x1xf32>
  %b_static = stablehlo.constant dense<> : tensor<0x2xf32>
  %b = tensor.cast %b_static : tensor<0x2xf32> to tensor<0x?xf32>
  %r = func.call @concatenate_empty_of_unknown_extents_of(%a, %b) : (tensor<?x1xf32>, tensor<0x?xf32>) -> (tensor<0x?xf32>)
  %static = tensor.cast %r : tensor<0x?xf32> to tensor<0x3xf32>
  check.expect_eq_const %static, dense<> : tensor<0x3xf32>
  return
}
// -----
func.func private @iota_wraps_of(%a: tensor<f32>) -> (tensor<3x4xi2>) {
  %0 = stablehlo.iota dim = 1 : tensor<3x4xi2>
  return %0 : tensor<3x4xi2>
}
func.func @iota_wraps() {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %r = func.call @iota_wraps_of(%a) : (tensor<f32>) -> (tensor<3x4xi2>)
  check.expect_eq_const %r, dense<[[0, 1, -2, -1], [0, 1, -2, -1], [0, 1, -2, -1]]> : tensor<3x4xi2>
  return
}
// -----
func.func private @iota_ui8_of(%a: tensor<f32>) -> (tensor<3x4xui8>) {
  %0 = stablehlo.iota dim = 1 : tensor<3x4xui8>
  return %0 : tensor<3x4xui8>
}
func.func @iota_ui8() {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %r = func.call @iota_ui8_of(%a) : (tensor<f32>) -> (tensor<3x4xui8>)
  check.expect_eq_const %r, dense<[[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]> : tensor<3x4xui8>
  return
}
// -----
func.func private @iota_bf16_of(%a: tensor<f32>) -> (tensor<3x4xbf16>) {
  %0 = stablehlo.iota dim = 1 : tensor<3x4xbf16>
  return %0 : tensor<3x4xbf16>
}
func.func @iota_bf16() {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %r = func.call @iota_bf16_of(%a) : (tensor<f32>) -> (tensor<3x4xbf16>)
  check.expect_eq_const %r, dense<[[0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<3x4xbf16>
  return
}
// -----
// The type has no zero: the first column is NaN.
func.func private @iota_f8_of(%a: tensor<f32>) -> (tensor<3x3xf8E8M0FNU>) {
  %0 = stablehlo.iota dim = 1 : tensor<3x4xf8E8M0FNU>
  %1 = stablehlo.slice %0 [0:3, 1:4] : (tensor<3x4xf8E8M0FNU>) -> tensor<3x3xf8E8M0FNU>
  return %1 : tensor<3x3xf8E8M0FNU>
}
func.func @iota_f8() {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %r = func.call @iota_f8_of(%a) : (tensor<f32>) -> (tensor<3x3xf8E8M0FNU>)
  check.expect_eq_const %r, dense<[[1.0, 2.0, 4.0], [1.0, 2.0, 4.0], [1.0, 2.0, 4.0]]> : tensor<3x3xf8E8M0FNU>
  return
}
// -----
func.func private @iota_quantized_of(%a: tensor<f32>) -> (tensor<2x3xi8>) {
  %0 = stablehlo.iota dim = 1 : tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  %1 = stablehlo.bitcast_convert %0 : (tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x3xi8>
  return %1 : tensor<2x3xi8>
}
func.func @iota_quantized() {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %r = func.call @iota_quantized_of(%a) : (tensor<f32>) -> (tensor<2x3xi8>)
  check.expect_eq_const %r, dense<[[1, 3, 5], [1, 3, 5]]> : tensor<2x3xi8>
  return
}
// -----
func.func private @iota_empty_of(%a: tensor<f32>) -> (tensor<0x3xi8>) {
  %0 = stablehlo.iota dim = 0 : tensor<0x3xi8>
  return %0 : tensor<0x3xi8>
}
func.func @iota_empty() {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %r = func.call @iota_empty_of(%a) : (tensor<f32>) -> (tensor<0x3xi8>)
  check.expect_eq_const %r, dense<> : tensor<0x3xi8>
  return
}
// -----
func.func private @dynamic_iota_of(%a: tensor<2xui8>) -> (tensor<?x?xi32>) {
  %0 = stablehlo.dynamic_iota %a, dim = 0 : (tensor<2xui8>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}
func.func @dynamic_iota() {
  %a = stablehlo.constant dense<[2, 3]> : tensor<2xui8>
  %r = func.call @dynamic_iota_of(%a) : (tensor<2xui8>) -> (tensor<?x?xi32>)
  %static = tensor.cast %r : tensor<?x?xi32> to tensor<2x3xi32>
  check.expect_eq_const %static, dense<[[0, 0, 0], [1, 1, 1]]> : tensor<2x3xi32>
  return
}
// -----
// The extents of an iota are known only through a cast.
func.func private @dynamic_pad_of_iota_of(%n: tensor<1xi64>, %b: tensor<i32>, %c: tensor<1xi64>) -> (tensor<?xi32>) {
  %z = stablehlo.constant dense<0> : tensor<1xi64>
  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi64>) -> tensor<?xi32>
  %1 = stablehlo.dynamic_pad %0, %b, %c, %z, %c : (tensor<?xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi32>
  return %1 : tensor<?xi32>
}
func.func @dynamic_pad_of_iota() {
  %n = stablehlo.constant dense<3> : tensor<1xi64>
  %b = stablehlo.constant dense<-1> : tensor<i32>
  %c = stablehlo.constant dense<1> : tensor<1xi64>
  %r = func.call @dynamic_pad_of_iota_of(%n, %b, %c) : (tensor<1xi64>, tensor<i32>, tensor<1xi64>) -> (tensor<?xi32>)
  %static = tensor.cast %r : tensor<?xi32> to tensor<6xi32>
  check.expect_eq_const %static, dense<[-1, 0, -1, 1, -1, 2]> : tensor<6xi32>
  return
}
// -----
func.func @dynamic_pad_of_constant_iota() {
  %n = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %b = stablehlo.constant dense<9.0> : tensor<f32>
  %l = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %h = stablehlo.constant dense<[0, -1]> : tensor<2xi32>
  %i = stablehlo.constant dense<0> : tensor<2xi32>
  %0 = stablehlo.dynamic_iota %n, dim = 1 : (tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_pad %0, %b, %l, %h, %i : (tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %static = tensor.cast %1 : tensor<?x?xf32> to tensor<3x1xf32>
  check.expect_eq_const %static, dense<[[9.0], [0.0], [0.0]]> : tensor<3x1xf32>
  return
}
// -----
// The operand has an unknown extent, and the padding removes all of it.
func.func private @pad_removes_unknown_of(%a: tensor<?x2xi32>, %b: tensor<i32>) -> (tensor<1x3xi32>) {
  %0 = stablehlo.pad %a, %b, low = [1, 0], high = [-2, 1], interior = [0, 0] : (tensor<?x2xi32>, tensor<i32>) -> tensor<1x3xi32>
  return %0 : tensor<1x3xi32>
}
func.func @pad_removes_unknown() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %unknown = tensor.cast %a : tensor<2x2xi32> to tensor<?x2xi32>
  %b = stablehlo.constant dense<-1> : tensor<i32>
  %r = func.call @pad_removes_unknown_of(%unknown, %b) : (tensor<?x2xi32>, tensor<i32>) -> (tensor<1x3xi32>)
  check.expect_eq_const %r, dense<-1> : tensor<1x3xi32>
  return
}
// -----
// An empty operand of an unknown extent, with padding before its first element.
func.func private @pad_of_unknown_nothing_of(%a: tensor<?xi32>, %b: tensor<i32>) -> (tensor<2xi32>) {
  %0 = stablehlo.pad %a, %b, low = [2], high = [0], interior = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @pad_of_unknown_nothing() {
  %a = stablehlo.constant dense<> : tensor<0xi32>
  %unknown = tensor.cast %a : tensor<0xi32> to tensor<?xi32>
  %b = stablehlo.constant dense<-1> : tensor<i32>
  %r = func.call @pad_of_unknown_nothing_of(%unknown, %b) : (tensor<?xi32>, tensor<i32>) -> (tensor<2xi32>)
  check.expect_eq_const %r, dense<-1> : tensor<2xi32>
  return
}
