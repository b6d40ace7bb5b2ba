// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Slices and updates of slices in corner cases.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s
// RUN: mercator conformance --through=flow %s

func.func private @slice_with_strides_of(%a: tensor<5x6xf32>) -> (tensor<2x6xf32>) {
  %0 = stablehlo.slice %a [1:5:2, 0:6] : (tensor<5x6xf32>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}
func.func @slice_with_strides() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0], [25.0, 26.0, 27.0, 28.0, 29.0, 30.0]]> : tensor<5x6xf32>
  %r = func.call @slice_with_strides_of(%a) : (tensor<5x6xf32>) -> (tensor<2x6xf32>)
  check.expect_eq_const %r, dense<[[7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0]]> : tensor<2x6xf32>
  return
}
// -----
func.func private @slice_empty_at_the_end_of(%a: tensor<5xf32>) -> (tensor<0xf32>) {
  %0 = stablehlo.slice %a [5:5] : (tensor<5xf32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}
func.func @slice_empty_at_the_end() {
  %a = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %r = func.call @slice_empty_at_the_end_of(%a) : (tensor<5xf32>) -> (tensor<0xf32>)
  check.expect_eq_const %r, dense<> : tensor<0xf32>
  return
}
// -----
func.func private @slice_of_unknown_extent_of(%a: tensor<?x4xf32>) -> (tensor<2x2xf32>) {
  %0 = stablehlo.slice %a [1:3, 0:4:3] : (tensor<?x4xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
func.func @slice_of_unknown_extent() {
  %a_static = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0], [17.0, 18.0, 19.0, 20.0]]> : tensor<5x4xf32>
  %a = tensor.cast %a_static : tensor<5x4xf32> to tensor<?x4xf32>
  %r = func.call @slice_of_unknown_extent_of(%a) : (tensor<?x4xf32>) -> (tensor<2x2xf32>)
  check.expect_eq_const %r, dense<[[5.0, 8.0], [9.0, 12.0]]> : tensor<2x2xf32>
  return
}
// -----
func.func private @dynamic_slice_clamps_of(%a: tensor<5x6xf32>, %b: tensor<i32>, %c: tensor<i32>) -> (tensor<2x3xf32>) {
  %0 = stablehlo.dynamic_slice %a, %b, %c, sizes = [2, 3] : (tensor<5x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func @dynamic_slice_clamps() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0], [25.0, 26.0, 27.0, 28.0, 29.0, 30.0]]> : tensor<5x6xf32>
  %b = stablehlo.constant dense<9> : tensor<i32>
  %c = stablehlo.constant dense<-3> : tensor<i32>
  %r = func.call @dynamic_slice_clamps_of(%a, %b, %c) : (tensor<5x6xf32>, tensor<i32>, tensor<i32>) -> (tensor<2x3xf32>)
  check.expect_eq_const %r, dense<[[19.0, 20.0, 21.0], [25.0, 26.0, 27.0]]> : tensor<2x3xf32>
  return
}
// -----
func.func private @dynamic_slice_at_ui8_of(%a: tensor<5x6xf32>, %b: tensor<ui8>, %c: tensor<ui8>) -> (tensor<2x3xf32>) {
  %0 = stablehlo.dynamic_slice %a, %b, %c, sizes = [2, 3] : (tensor<5x6xf32>, tensor<ui8>, tensor<ui8>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func @dynamic_slice_at_ui8() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0], [25.0, 26.0, 27.0, 28.0, 29.0, 30.0]]> : tensor<5x6xf32>
  %b = stablehlo.constant dense<255> : tensor<ui8>
  %c = stablehlo.constant dense<1> : tensor<ui8>
  %r = func.call @dynamic_slice_at_ui8_of(%a, %b, %c) : (tensor<5x6xf32>, tensor<ui8>, tensor<ui8>) -> (tensor<2x3xf32>)
  check.expect_eq_const %r, dense<[[20.0, 21.0, 22.0], [26.0, 27.0, 28.0]]> : tensor<2x3xf32>
  return
}
// -----
func.func private @dynamic_slice_at_ui64_of(%a: tensor<5xf32>, %b: tensor<ui64>) -> (tensor<2xf32>) {
  %0 = stablehlo.dynamic_slice %a, %b, sizes = [2] : (tensor<5xf32>, tensor<ui64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @dynamic_slice_at_ui64() {
  %a = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %b = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %r = func.call @dynamic_slice_at_ui64_of(%a, %b) : (tensor<5xf32>, tensor<ui64>) -> (tensor<2xf32>)
  check.expect_eq_const %r, dense<[4.0, 5.0]> : tensor<2xf32>
  return
}
// -----
func.func private @dynamic_slice_at_i8_of(%a: tensor<5xf32>, %b: tensor<i8>) -> (tensor<2xf32>) {
  %0 = stablehlo.dynamic_slice %a, %b, sizes = [2] : (tensor<5xf32>, tensor<i8>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @dynamic_slice_at_i8() {
  %a = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %b = stablehlo.constant dense<-128> : tensor<i8>
  %r = func.call @dynamic_slice_at_i8_of(%a, %b) : (tensor<5xf32>, tensor<i8>) -> (tensor<2xf32>)
  check.expect_eq_const %r, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}
// -----
func.func private @dynamic_slice_of_dynamic_of(%a: tensor<?x?xf32>, %b: tensor<i64>, %c: tensor<i64>) -> (tensor<2x6xf32>) {
  %0 = stablehlo.dynamic_slice %a, %b, %c, sizes = [2, 6] : (tensor<?x?xf32>, tensor<i64>, tensor<i64>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}
func.func @dynamic_slice_of_dynamic() {
  %a_static = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0], [25.0, 26.0, 27.0, 28.0, 29.0, 30.0]]> : tensor<5x6xf32>
  %a = tensor.cast %a_static : tensor<5x6xf32> to tensor<?x?xf32>
  %b = stablehlo.constant dense<1> : tensor<i64>
  %c = stablehlo.constant dense<9> : tensor<i64>
  %r = func.call @dynamic_slice_of_dynamic_of(%a, %b, %c) : (tensor<?x?xf32>, tensor<i64>, tensor<i64>) -> (tensor<2x6xf32>)
  check.expect_eq_const %r, dense<[[7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0]]> : tensor<2x6xf32>
  return
}
// -----
func.func private @dynamic_slice_empty_of(%a: tensor<5xf32>, %b: tensor<i32>) -> (tensor<0xf32>) {
  %0 = stablehlo.dynamic_slice %a, %b, sizes = [0] : (tensor<5xf32>, tensor<i32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}
func.func @dynamic_slice_empty() {
  %a = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %b = stablehlo.constant dense<9> : tensor<i32>
  %r = func.call @dynamic_slice_empty_of(%a, %b) : (tensor<5xf32>, tensor<i32>) -> (tensor<0xf32>)
  check.expect_eq_const %r, dense<> : tensor<0xf32>
  return
}
// -----
func.func private @dynamic_slice_at_ui4_of(%a: tensor<9xf32>, %b: tensor<ui4>) -> (tensor<1xf32>) {
  %0 = stablehlo.dynamic_slice %a, %b, sizes = [1] : (tensor<9xf32>, tensor<ui4>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
func.func @dynamic_slice_at_ui4() {
  %a = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]> : tensor<9xf32>
  %b = stablehlo.constant dense<15> : tensor<ui4>
  %r = func.call @dynamic_slice_at_ui4_of(%a, %b) : (tensor<9xf32>, tensor<ui4>) -> (tensor<1xf32>)
  check.expect_eq_const %r, dense<[9.0]> : tensor<1xf32>
  return
}
// -----
func.func private @update_clamps_of(%a: tensor<5x4xf32>, %b: tensor<2x3xf32>, %c: tensor<i32>, %d: tensor<i32>) -> (tensor<5x4xf32>) {
  %0 = stablehlo.dynamic_update_slice %a, %b, %c, %d : (tensor<5x4xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}
func.func @update_clamps() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0], [17.0, 18.0, 19.0, 20.0]]> : tensor<5x4xf32>
  %b = stablehlo.constant dense<[[100.0, 101.0, 102.0], [103.0, 104.0, 105.0]]> : tensor<2x3xf32>
  %c = stablehlo.constant dense<9> : tensor<i32>
  %d = stablehlo.constant dense<-2> : tensor<i32>
  %r = func.call @update_clamps_of(%a, %b, %c, %d) : (tensor<5x4xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> (tensor<5x4xf32>)
  check.expect_eq_const %r, dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [100.0, 101.0, 102.0, 16.0], [103.0, 104.0, 105.0, 20.0]]> : tensor<5x4xf32>
  return
}
// -----
func.func private @update_at_ui64_of(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<ui64>) -> (tensor<4xf32>) {
  %0 = stablehlo.dynamic_update_slice %a, %b, %c : (tensor<4xf32>, tensor<2xf32>, tensor<ui64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @update_at_ui64() {
  %a = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %b = stablehlo.constant dense<[100.0, 101.0]> : tensor<2xf32>
  %c = stablehlo.constant dense<18446744073709551614> : tensor<ui64>
  %r = func.call @update_at_ui64_of(%a, %b, %c) : (tensor<4xf32>, tensor<2xf32>, tensor<ui64>) -> (tensor<4xf32>)
  check.expect_eq_const %r, dense<[1.0, 2.0, 100.0, 101.0]> : tensor<4xf32>
  return
}
// -----
func.func private @update_dynamic_of(%a: tensor<?x?xf32>, %b: tensor<?x3xf32>, %c: tensor<i64>, %d: tensor<i64>) -> (tensor<?x?xf32>) {
  %0 = stablehlo.dynamic_update_slice %a, %b, %c, %d : (tensor<?x?xf32>, tensor<?x3xf32>, tensor<i64>, tensor<i64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @update_dynamic() {
  %a_static = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0], [17.0, 18.0, 19.0, 20.0]]> : tensor<5x4xf32>
  %a = tensor.cast %a_static : tensor<5x4xf32> to tensor<?x?xf32>
  %b_static = stablehlo.constant dense<[[100.0, 101.0, 102.0], [103.0, 104.0, 105.0]]> : tensor<2x3xf32>
  %b = tensor.cast %b_static : tensor<2x3xf32> to tensor<?x3xf32>
  %c = stablehlo.constant dense<3> : tensor<i64>
  %d = stablehlo.constant dense<9> : tensor<i64>
  %r = func.call @update_dynamic_of(%a, %b, %c, %d) : (tensor<?x?xf32>, tensor<?x3xf32>, tensor<i64>, tensor<i64>) -> (tensor<?x?xf32>)
  %static = tensor.cast %r : tensor<?x?xf32> to tensor<5x4xf32>
  check.expect_eq_const %static, dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 100.0, 101.0, 102.0], [17.0, 103.0, 104.0, 105.0]]> : tensor<5x4xf32>
  return
}
// -----
func.func private @update_empty_of(%a: tensor<3xf32>, %b: tensor<0xf32>, %c: tensor<i32>) -> (tensor<3xf32>) {
  %0 = stablehlo.dynamic_update_slice %a, %b, %c : (tensor<3xf32>, tensor<0xf32>, tensor<i32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func @update_empty() {
  %a = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %b = stablehlo.constant dense<> : tensor<0xf32>
  %c = stablehlo.constant dense<1> : tensor<i32>
  %r = func.call @update_empty_of(%a, %b, %c) : (tensor<3xf32>, tensor<0xf32>, tensor<i32>) -> (tensor<3xf32>)
  check.expect_eq_const %r, dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  return
}
// -----
func.func private @update_of_rank_0_of(%a: tensor<f32>, %b: tensor<f32>) -> (tensor<f32>) {
  %0 = "stablehlo.dynamic_update_slice"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @update_of_rank_0() {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.constant dense<7.0> : tensor<f32>
  %r = func.call @update_of_rank_0_of(%a, %b) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
  check.expect_eq_const %r, dense<7.0> : tensor<f32>
  return
}
// -----
func.func private @real_dynamic_slice_with_strides_of(%a: tensor<5x6xf32>, %b: tensor<2xi32>, %c: tensor<2xi32>, %d: tensor<2xi32>) -> (tensor<?x?xf32>) {
  %0 = stablehlo.real_dynamic_slice %a, %b, %c, %d : (tensor<5x6xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @real_dynamic_slice_with_strides() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0], [25.0, 26.0, 27.0, 28.0, 29.0, 30.0]]> : tensor<5x6xf32>
  %b = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %c = stablehlo.constant dense<[5, 6]> : tensor<2xi32>
  %d = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  %r = func.call @real_dynamic_slice_with_strides_of(%a, %b, %c, %d) : (tensor<5x6xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<?x?xf32>)
  %static = tensor.cast %r : tensor<?x?xf32> to tensor<2x3xf32>
  check.expect_eq_const %static, dense<[[7.0, 9.0, 11.0], [25.0, 27.0, 29.0]]> : tensor<2x3xf32>
  return
}
// -----
func.func private @real_dynamic_slice_empty_of(%a: tensor<5xf32>, %b: tensor<1xi64>, %c: tensor<1xi64>, %d: tensor<1xi64>) -> (tensor<?xf32>) {
  %0 = stablehlo.real_dynamic_slice %a, %b, %c, %d : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @real_dynamic_slice_empty() {
  %a = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %b = stablehlo.constant dense<[5]> : tensor<1xi64>
  %c = stablehlo.constant dense<[5]> : tensor<1xi64>
  %d = stablehlo.constant dense<[2]> : tensor<1xi64>
  %r = func.call @real_dynamic_slice_empty_of(%a, %b, %c, %d) : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> (tensor<?xf32>)
  %static = tensor.cast %r : tensor<?xf32> to tensor<0xf32>
  check.expect_eq_const %static, dense<> : tensor<0xf32>
  return
}
// -----
func.func private @real_dynamic_slice_at_ui8_of(%a: tensor<?x?xf32>, %b: tensor<2xui8>, %c: tensor<2xui8>, %d: tensor<2xui8>) -> (tensor<?x?xf32>) {
  %0 = stablehlo.real_dynamic_slice %a, %b, %c, %d : (tensor<?x?xf32>, tensor<2xui8>, tensor<2xui8>, tensor<2xui8>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @real_dynamic_slice_at_ui8() {
  %a_static = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0], [25.0, 26.0, 27.0, 28.0, 29.0, 30.0]]> : tensor<5x6xf32>
  %a = tensor.cast %a_static : tensor<5x6xf32> to tensor<?x?xf32>
  %b = stablehlo.constant dense<[1, 2]> : tensor<2xui8>
  %c = stablehlo.constant dense<[2, 3]> : tensor<2xui8>
  %d = stablehlo.constant dense<[1, 1]> : tensor<2xui8>
  %r = func.call @real_dynamic_slice_at_ui8_of(%a, %b, %c, %d) : (tensor<?x?xf32>, tensor<2xui8>, tensor<2xui8>, tensor<2xui8>) -> (tensor<?x?xf32>)
  %static = tensor.cast %r : tensor<?x?xf32> to tensor<1x1xf32>
  check.expect_eq_const %static, dense<[[9.0]]> : tensor<1x1xf32>
  return
}
// -----
func.func private @real_dynamic_slice_at_the_end_of(%a: tensor<5xf32>, %b: tensor<1xi32>) -> (tensor<?xf32>) {
  %s = stablehlo.constant dense<5> : tensor<1xi32>
  %d = stablehlo.constant dense<2> : tensor<1xi32>
  %0 = stablehlo.real_dynamic_slice %a, %s, %b, %d : (tensor<5xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @real_dynamic_slice_at_the_end() {
  %a = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %b = stablehlo.constant dense<5> : tensor<1xi32>
  %r = func.call @real_dynamic_slice_at_the_end_of(%a, %b) : (tensor<5xf32>, tensor<1xi32>) -> (tensor<?xf32>)
  %static = tensor.cast %r : tensor<?xf32> to tensor<0xf32>
  check.expect_eq_const %static, dense<> : tensor<0xf32>
  return
}
// -----
func.func private @set_dimension_size_of(%a: tensor<4x2xf32>, %b: tensor<i32>) -> (tensor<?x2xf32>) {
  %0 = stablehlo.set_dimension_size %a, %b, dim = 0 : (tensor<4x2xf32>, tensor<i32>) -> tensor<?x2xf32, #stablehlo.bounds<4, ?>>
  %1 = tensor.cast %0 : tensor<?x2xf32, #stablehlo.bounds<4, ?>> to tensor<?x2xf32>
  return %1 : tensor<?x2xf32>
}
func.func @set_dimension_size() {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>
  %b = stablehlo.constant dense<3> : tensor<i32>
  %r = func.call @set_dimension_size_of(%a, %b) : (tensor<4x2xf32>, tensor<i32>) -> (tensor<?x2xf32>)
  %static = tensor.cast %r : tensor<?x2xf32> to tensor<3x2xf32>
  check.expect_eq_const %static, dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  return
}
// -----
func.func private @get_dimension_size_of(%a: tensor<?x3xf32>) -> (tensor<i32>, tensor<i32>) {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x3xf32>) -> tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}
func.func @get_dimension_size() {
  %a_static = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %a = tensor.cast %a_static : tensor<2x3xf32> to tensor<?x3xf32>
  %r:2 = func.call @get_dimension_size_of(%a) : (tensor<?x3xf32>) -> (tensor<i32>, tensor<i32>)
  check.expect_eq_const %r#0, dense<2> : tensor<i32>
  check.expect_eq_const %r#1, dense<3> : tensor<i32>
  return
}

// Indices outside the operand are those of the nearest element.
func.func @torch_index_select_outside() {
  %x = stablehlo.constant dense<[5, 6, 7]> : tensor<3xi32>
  %i = stablehlo.constant dense<[9, -4, 1]> : tensor<3xi32>
  %r = "stablehlo.torch_index_select"(%x, %i) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %r, dense<[7, 5, 6]> : tensor<3xi32>
  return
}
