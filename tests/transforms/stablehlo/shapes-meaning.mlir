// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Broadcasts, reshapes, transposes and reverses in corner cases.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s
// RUN: mercator conformance --through=flow %s

func.func private @broadcast_transposes_of(%a: tensor<2x3xf32>) -> (tensor<3x4x2xf32>) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x4x2xf32>
  return %0 : tensor<3x4x2xf32>
}
func.func @broadcast_transposes() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r = func.call @broadcast_transposes_of(%a) : (tensor<2x3xf32>) -> (tensor<3x4x2xf32>)
  check.expect_eq_const %r, dense<[[[1.0, 4.0], [1.0, 4.0], [1.0, 4.0], [1.0, 4.0]], [[2.0, 5.0], [2.0, 5.0], [2.0, 5.0], [2.0, 5.0]], [[3.0, 6.0], [3.0, 6.0], [3.0, 6.0], [3.0, 6.0]]]> : tensor<3x4x2xf32>
  return
}
// -----
func.func private @broadcast_scalar_of(%a: tensor<i1>) -> (tensor<2x2xi1>) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<i1>) -> tensor<2x2xi1>
  return %0 : tensor<2x2xi1>
}
func.func @broadcast_scalar() {
  %a = stablehlo.constant dense<true> : tensor<i1>
  %r = func.call @broadcast_scalar_of(%a) : (tensor<i1>) -> (tensor<2x2xi1>)
  check.expect_eq_const %r, dense<[[true, true], [true, true]]> : tensor<2x2xi1>
  return
}
// -----
func.func private @broadcast_to_empty_of(%a: tensor<1xf32>) -> (tensor<0x3xf32>) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<1xf32>) -> tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}
func.func @broadcast_to_empty() {
  %a = stablehlo.constant dense<[1.0]> : tensor<1xf32>
  %r = func.call @broadcast_to_empty_of(%a) : (tensor<1xf32>) -> (tensor<0x3xf32>)
  check.expect_eq_const %r, dense<> : tensor<0x3xf32>
  return
}
// -----
func.func private @broadcast_of_unknown_extent_1_of(%a: tensor<?x3xf32>) -> (tensor<4x3xf32>) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<?x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
func.func @broadcast_of_unknown_extent_1() {
  %a_static = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %a = tensor.cast %a_static : tensor<1x3xf32> to tensor<?x3xf32>
  %r = func.call @broadcast_of_unknown_extent_1_of(%a) : (tensor<?x3xf32>) -> (tensor<4x3xf32>)
  check.expect_eq_const %r, dense<[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]> : tensor<4x3xf32>
  return
}
// -----
func.func private @broadcast_of_constants_of(%a: tensor<2xi64>) -> (tensor<?x?xf32>, tensor<2x2xcomplex<f32>>) {
  %c = stablehlo.constant dense<1.5> : tensor<1xf32>
  %0 = stablehlo.dynamic_broadcast_in_dim %c, %a, dims = [1] : (tensor<1xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %z = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  %1 = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<complex<f32>>) -> tensor<2x2xcomplex<f32>>
  return %0, %1 : tensor<?x?xf32>, tensor<2x2xcomplex<f32>>
}
func.func @broadcast_of_constants() {
  %a = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %r:2 = func.call @broadcast_of_constants_of(%a) : (tensor<2xi64>) -> (tensor<?x?xf32>, tensor<2x2xcomplex<f32>>)
  %static = tensor.cast %r#0 : tensor<?x?xf32> to tensor<2x3xf32>
  check.expect_eq_const %static, dense<[[1.5, 1.5, 1.5], [1.5, 1.5, 1.5]]> : tensor<2x3xf32>
  check.expect_eq_const %r#1, dense<[[(1.0, 2.0), (1.0, 2.0)], [(1.0, 2.0), (1.0, 2.0)]]> : tensor<2x2xcomplex<f32>>
  return
}
// -----
func.func private @dynamic_broadcast_expands_of(%a: tensor<?x2xf32>, %b: tensor<3xi32>) -> (tensor<?x?x?xf32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [1, 2] : (tensor<?x2xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
func.func @dynamic_broadcast_expands() {
  %a_static = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %a = tensor.cast %a_static : tensor<1x2xf32> to tensor<?x2xf32>
  %b = stablehlo.constant dense<[4, 3, 2]> : tensor<3xi32>
  %r = func.call @dynamic_broadcast_expands_of(%a, %b) : (tensor<?x2xf32>, tensor<3xi32>) -> (tensor<?x?x?xf32>)
  %static = tensor.cast %r : tensor<?x?x?xf32> to tensor<4x3x2xf32>
  check.expect_eq_const %static, dense<[[[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]], [[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]], [[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]], [[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]]> : tensor<4x3x2xf32>
  return
}
// -----
func.func private @dynamic_broadcast_does_not_expand_of(%a: tensor<?x2xf32>, %b: tensor<3xi32>) -> (tensor<?x?x?xf32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [1, 2] : (tensor<?x2xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
func.func @dynamic_broadcast_does_not_expand() {
  %a_static = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %a = tensor.cast %a_static : tensor<3x2xf32> to tensor<?x2xf32>
  %b = stablehlo.constant dense<[4, 3, 2]> : tensor<3xi32>
  %r = func.call @dynamic_broadcast_does_not_expand_of(%a, %b) : (tensor<?x2xf32>, tensor<3xi32>) -> (tensor<?x?x?xf32>)
  %static = tensor.cast %r : tensor<?x?x?xf32> to tensor<4x3x2xf32>
  check.expect_eq_const %static, dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]> : tensor<4x3x2xf32>
  return
}
// -----
func.func private @dynamic_broadcast_with_hints_of(%a: tensor<?x?xf32>, %b: tensor<2xui8>) -> (tensor<?x?xf32>) {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) {broadcast_dimensions = array<i64: 0, 1>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<?x?xf32>, tensor<2xui8>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @dynamic_broadcast_with_hints() {
  %a_static = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %a = tensor.cast %a_static : tensor<1x2xf32> to tensor<?x?xf32>
  %b = stablehlo.constant dense<[3, 2]> : tensor<2xui8>
  %r = func.call @dynamic_broadcast_with_hints_of(%a, %b) : (tensor<?x?xf32>, tensor<2xui8>) -> (tensor<?x?xf32>)
  %static = tensor.cast %r : tensor<?x?xf32> to tensor<3x2xf32>
  check.expect_eq_const %static, dense<[[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]> : tensor<3x2xf32>
  return
}
// -----
func.func private @dynamic_broadcast_to_sizes_of_another_of(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> (tensor<?x?xf32>) {
  %d0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %d1 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %e0 = stablehlo.reshape %d0 : (tensor<i32>) -> tensor<1xi32>
  %e1 = stablehlo.reshape %d1 : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %e0, %e1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %b, %s, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @dynamic_broadcast_to_sizes_of_another() {
  %a_static = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %a = tensor.cast %a_static : tensor<2x3xf32> to tensor<?x?xf32>
  %b_static = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %b = tensor.cast %b_static : tensor<3xf32> to tensor<?xf32>
  %r = func.call @dynamic_broadcast_to_sizes_of_another_of(%a, %b) : (tensor<?x?xf32>, tensor<?xf32>) -> (tensor<?x?xf32>)
  %static = tensor.cast %r : tensor<?x?xf32> to tensor<2x3xf32>
  check.expect_eq_const %static, dense<[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]> : tensor<2x3xf32>
  return
}
// -----
func.func private @reshape_in_groups_of(%a: tensor<4x6x5xi32>) -> (tensor<4x3x10xi32>) {
  %0 = stablehlo.reshape %a : (tensor<4x6x5xi32>) -> tensor<4x3x10xi32>
  return %0 : tensor<4x3x10xi32>
}
func.func @reshape_in_groups() {
  %a = stablehlo.constant dense<[[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13, 14, 15], [16, 17, 18, 19, 20], [21, 22, 23, 24, 25], [26, 27, 28, 29, 30]], [[31, 32, 33, 34, 35], [36, 37, 38, 39, 40], [41, 42, 43, 44, 45], [46, 47, 48, 49, 50], [51, 52, 53, 54, 55], [56, 57, 58, 59, 60]], [[61, 62, 63, 64, 65], [66, 67, 68, 69, 70], [71, 72, 73, 74, 75], [76, 77, 78, 79, 80], [81, 82, 83, 84, 85], [86, 87, 88, 89, 90]], [[91, 92, 93, 94, 95], [96, 97, 98, 99, 100], [101, 102, 103, 104, 105], [106, 107, 108, 109, 110], [111, 112, 113, 114, 115], [116, 117, 118, 119, 120]]]> : tensor<4x6x5xi32>
  %r = func.call @reshape_in_groups_of(%a) : (tensor<4x6x5xi32>) -> (tensor<4x3x10xi32>)
  check.expect_eq_const %r, dense<[[[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [11, 12, 13, 14, 15, 16, 17, 18, 19, 20], [21, 22, 23, 24, 25, 26, 27, 28, 29, 30]], [[31, 32, 33, 34, 35, 36, 37, 38, 39, 40], [41, 42, 43, 44, 45, 46, 47, 48, 49, 50], [51, 52, 53, 54, 55, 56, 57, 58, 59, 60]], [[61, 62, 63, 64, 65, 66, 67, 68, 69, 70], [71, 72, 73, 74, 75, 76, 77, 78, 79, 80], [81, 82, 83, 84, 85, 86, 87, 88, 89, 90]], [[91, 92, 93, 94, 95, 96, 97, 98, 99, 100], [101, 102, 103, 104, 105, 106, 107, 108, 109, 110], [111, 112, 113, 114, 115, 116, 117, 118, 119, 120]]]> : tensor<4x3x10xi32>
  return
}
// -----
func.func private @reshape_of_coprime_extents_of(%a: tensor<2x3x5xi32>) -> (tensor<5x3x2xi32>) {
  %0 = stablehlo.reshape %a : (tensor<2x3x5xi32>) -> tensor<5x3x2xi32>
  return %0 : tensor<5x3x2xi32>
}
func.func @reshape_of_coprime_extents() {
  %a = stablehlo.constant dense<[[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13, 14, 15]], [[16, 17, 18, 19, 20], [21, 22, 23, 24, 25], [26, 27, 28, 29, 30]]]> : tensor<2x3x5xi32>
  %r = func.call @reshape_of_coprime_extents_of(%a) : (tensor<2x3x5xi32>) -> (tensor<5x3x2xi32>)
  check.expect_eq_const %r, dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]], [[13, 14], [15, 16], [17, 18]], [[19, 20], [21, 22], [23, 24]], [[25, 26], [27, 28], [29, 30]]]> : tensor<5x3x2xi32>
  return
}
// -----
func.func private @reshape_to_rank_0_of(%a: tensor<1x1xi32>) -> (tensor<i32>) {
  %0 = stablehlo.reshape %a : (tensor<1x1xi32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @reshape_to_rank_0() {
  %a = stablehlo.constant dense<[[1]]> : tensor<1x1xi32>
  %r = func.call @reshape_to_rank_0_of(%a) : (tensor<1x1xi32>) -> (tensor<i32>)
  check.expect_eq_const %r, dense<1> : tensor<i32>
  return
}
// -----
func.func private @reshape_from_rank_0_of(%a: tensor<i32>) -> (tensor<1x1x1xi32>) {
  %0 = stablehlo.reshape %a : (tensor<i32>) -> tensor<1x1x1xi32>
  return %0 : tensor<1x1x1xi32>
}
func.func @reshape_from_rank_0() {
  %a = stablehlo.constant dense<1> : tensor<i32>
  %r = func.call @reshape_from_rank_0_of(%a) : (tensor<i32>) -> (tensor<1x1x1xi32>)
  check.expect_eq_const %r, dense<[[[1]]]> : tensor<1x1x1xi32>
  return
}
// -----
func.func private @reshape_of_empty_of(%a: tensor<0x3xi32>) -> (tensor<5x0xi32>) {
  %0 = stablehlo.reshape %a : (tensor<0x3xi32>) -> tensor<5x0xi32>
  return %0 : tensor<5x0xi32>
}
func.func @reshape_of_empty() {
  %a = stablehlo.constant dense<> : tensor<0x3xi32>
  %r = func.call @reshape_of_empty_of(%a) : (tensor<0x3xi32>) -> (tensor<5x0xi32>)
  check.expect_eq_const %r, dense<> : tensor<5x0xi32>
  return
}
// -----
func.func private @reshape_of_unknown_extent_of(%a: tensor<?x6xi32>) -> (tensor<2x2x6xi32>) {
  %0 = stablehlo.reshape %a : (tensor<?x6xi32>) -> tensor<2x2x6xi32>
  return %0 : tensor<2x2x6xi32>
}
func.func @reshape_of_unknown_extent() {
  %a_static = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]]> : tensor<4x6xi32>
  %a = tensor.cast %a_static : tensor<4x6xi32> to tensor<?x6xi32>
  %r = func.call @reshape_of_unknown_extent_of(%a) : (tensor<?x6xi32>) -> (tensor<2x2x6xi32>)
  check.expect_eq_const %r, dense<[[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]], [[13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]]]> : tensor<2x2x6xi32>
  return
}
// -----
func.func private @dynamic_reshape_to_static_of(%a: tensor<?x?xf32>, %b: tensor<2xui16>) -> (tensor<4x3xf32>) {
  %0 = stablehlo.dynamic_reshape %a, %b : (tensor<?x?xf32>, tensor<2xui16>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
func.func @dynamic_reshape_to_static() {
  %a_static = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0]]> : tensor<2x6xf32>
  %a = tensor.cast %a_static : tensor<2x6xf32> to tensor<?x?xf32>
  %b = stablehlo.constant dense<[4, 3]> : tensor<2xui16>
  %r = func.call @dynamic_reshape_to_static_of(%a, %b) : (tensor<?x?xf32>, tensor<2xui16>) -> (tensor<4x3xf32>)
  check.expect_eq_const %r, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]> : tensor<4x3xf32>
  return
}
// -----
func.func private @dynamic_reshape_of_static_of(%a: tensor<2x6xf32>, %b: tensor<2xindex>) -> (tensor<?x3xf32>) {
  %0 = stablehlo.dynamic_reshape %a, %b : (tensor<2x6xf32>, tensor<2xindex>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
func.func @dynamic_reshape_of_static() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0]]> : tensor<2x6xf32>
  %b = arith.constant dense<[4, 3]> : tensor<2xindex>
  %r = func.call @dynamic_reshape_of_static_of(%a, %b) : (tensor<2x6xf32>, tensor<2xindex>) -> (tensor<?x3xf32>)
  %static = tensor.cast %r : tensor<?x3xf32> to tensor<4x3xf32>
  check.expect_eq_const %static, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]> : tensor<4x3xf32>
  return
}
// -----
func.func private @dynamic_reshape_to_rank_0_of(%a: tensor<?xf32>, %b: tensor<0xi64>) -> (tensor<f32>) {
  %0 = stablehlo.dynamic_reshape %a, %b : (tensor<?xf32>, tensor<0xi64>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @dynamic_reshape_to_rank_0() {
  %a_static = stablehlo.constant dense<[1.0]> : tensor<1xf32>
  %a = tensor.cast %a_static : tensor<1xf32> to tensor<?xf32>
  %b = stablehlo.constant dense<> : tensor<0xi64>
  %r = func.call @dynamic_reshape_to_rank_0_of(%a, %b) : (tensor<?xf32>, tensor<0xi64>) -> (tensor<f32>)
  check.expect_eq_const %r, dense<1.0> : tensor<f32>
  return
}
// -----
func.func private @dynamic_reshape_of_empty_of(%a: tensor<?x3x?xf32>, %b: tensor<2xi32>) -> (tensor<?x?xf32>) {
  %0 = stablehlo.dynamic_reshape %a, %b : (tensor<?x3x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @dynamic_reshape_of_empty() {
  %a_static = stablehlo.constant dense<> : tensor<0x3x5xf32>
  %a = tensor.cast %a_static : tensor<0x3x5xf32> to tensor<?x3x?xf32>
  %b = stablehlo.constant dense<[0, 7]> : tensor<2xi32>
  %r = func.call @dynamic_reshape_of_empty_of(%a, %b) : (tensor<?x3x?xf32>, tensor<2xi32>) -> (tensor<?x?xf32>)
  %static = tensor.cast %r : tensor<?x?xf32> to tensor<0x7xf32>
  check.expect_eq_const %static, dense<> : tensor<0x7xf32>
  return
}
// -----
func.func private @dynamic_reshape_splits_of(%a: tensor<?x?x4xf32>, %b: tensor<4xi32>) -> (tensor<?x?x2x2xf32>) {
  %0 = stablehlo.dynamic_reshape %a, %b : (tensor<?x?x4xf32>, tensor<4xi32>) -> tensor<?x?x2x2xf32>
  return %0 : tensor<?x?x2x2xf32>
}
func.func @dynamic_reshape_splits() {
  %a_static = stablehlo.constant dense<[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]], [[13.0, 14.0, 15.0, 16.0], [17.0, 18.0, 19.0, 20.0], [21.0, 22.0, 23.0, 24.0]]]> : tensor<2x3x4xf32>
  %a = tensor.cast %a_static : tensor<2x3x4xf32> to tensor<?x?x4xf32>
  %b = stablehlo.constant dense<[2, 3, 2, 2]> : tensor<4xi32>
  %r = func.call @dynamic_reshape_splits_of(%a, %b) : (tensor<?x?x4xf32>, tensor<4xi32>) -> (tensor<?x?x2x2xf32>)
  %static = tensor.cast %r : tensor<?x?x2x2xf32> to tensor<2x3x2x2xf32>
  check.expect_eq_const %static, dense<[[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0]]], [[[13.0, 14.0], [15.0, 16.0]], [[17.0, 18.0], [19.0, 20.0]], [[21.0, 22.0], [23.0, 24.0]]]]> : tensor<2x3x2x2xf32>
  return
}
// -----
func.func private @transpose_of_unit_dimension_of(%a: tensor<2x1x4xi16>) -> (tensor<1x2x4xi16>) {
  %0 = stablehlo.transpose %a, dims = [1, 0, 2] : (tensor<2x1x4xi16>) -> tensor<1x2x4xi16>
  return %0 : tensor<1x2x4xi16>
}
func.func @transpose_of_unit_dimension() {
  %a = stablehlo.constant dense<[[[1, 2, 3, 4]], [[5, 6, 7, 8]]]> : tensor<2x1x4xi16>
  %r = func.call @transpose_of_unit_dimension_of(%a) : (tensor<2x1x4xi16>) -> (tensor<1x2x4xi16>)
  check.expect_eq_const %r, dense<[[[1, 2, 3, 4], [5, 6, 7, 8]]]> : tensor<1x2x4xi16>
  return
}
// -----
func.func private @transpose_dynamic_of(%a: tensor<?x3x?xi16>) -> (tensor<3x?x?xi16>) {
  %0 = stablehlo.transpose %a, dims = [1, 2, 0] : (tensor<?x3x?xi16>) -> tensor<3x?x?xi16>
  return %0 : tensor<3x?x?xi16>
}
func.func @transpose_dynamic() {
  %a_static = stablehlo.constant dense<[[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], [[13, 14, 15, 16], [17, 18, 19, 20], [21, 22, 23, 24]]]> : tensor<2x3x4xi16>
  %a = tensor.cast %a_static : tensor<2x3x4xi16> to tensor<?x3x?xi16>
  %r = func.call @transpose_dynamic_of(%a) : (tensor<?x3x?xi16>) -> (tensor<3x?x?xi16>)
  %static = tensor.cast %r : tensor<3x?x?xi16> to tensor<3x4x2xi16>
  check.expect_eq_const %static, dense<[[[1, 13], [2, 14], [3, 15], [4, 16]], [[5, 17], [6, 18], [7, 19], [8, 20]], [[9, 21], [10, 22], [11, 23], [12, 24]]]> : tensor<3x4x2xi16>
  return
}
// -----
func.func private @transpose_of_i4_of(%a: tensor<2x3xi4>) -> (tensor<3x2xi4>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xi4>) -> tensor<3x2xi4>
  return %0 : tensor<3x2xi4>
}
func.func @transpose_of_i4() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi4>
  %r = func.call @transpose_of_i4_of(%a) : (tensor<2x3xi4>) -> (tensor<3x2xi4>)
  check.expect_eq_const %r, dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi4>
  return
}
// -----
func.func private @reverse_dynamic_of(%a: tensor<?x?xui32>) -> (tensor<?x?xui32>) {
  %0 = stablehlo.reverse %a, dims = [1] : tensor<?x?xui32>
  return %0 : tensor<?x?xui32>
}
func.func @reverse_dynamic() {
  %a_static = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  %a = tensor.cast %a_static : tensor<2x3xui32> to tensor<?x?xui32>
  %r = func.call @reverse_dynamic_of(%a) : (tensor<?x?xui32>) -> (tensor<?x?xui32>)
  %static = tensor.cast %r : tensor<?x?xui32> to tensor<2x3xui32>
  check.expect_eq_const %static, dense<[[3, 2, 1], [6, 5, 4]]> : tensor<2x3xui32>
  return
}
// -----
func.func private @reverse_middle_dimension_of(%a: tensor<2x3x2xui32>) -> (tensor<2x3x2xui32>) {
  %0 = stablehlo.reverse %a, dims = [1] : tensor<2x3x2xui32>
  return %0 : tensor<2x3x2xui32>
}
func.func @reverse_middle_dimension() {
  %a = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xui32>
  %r = func.call @reverse_middle_dimension_of(%a) : (tensor<2x3x2xui32>) -> (tensor<2x3x2xui32>)
  check.expect_eq_const %r, dense<[[[5, 6], [3, 4], [1, 2]], [[11, 12], [9, 10], [7, 8]]]> : tensor<2x3x2xui32>
  return
}
// -----
func.func private @reverse_empty_of(%a: tensor<0x3xui32>) -> (tensor<0x3xui32>) {
  %0 = stablehlo.reverse %a, dims = [0] : tensor<0x3xui32>
  return %0 : tensor<0x3xui32>
}
func.func @reverse_empty() {
  %a = stablehlo.constant dense<> : tensor<0x3xui32>
  %r = func.call @reverse_empty_of(%a) : (tensor<0x3xui32>) -> (tensor<0x3xui32>)
  check.expect_eq_const %r, dense<> : tensor<0x3xui32>
  return
}
// -----
// An extent that is bounded by 2 and is 1 when the program runs is broadcast to 3.
func.func private @broadcast_bounded_of(%a: tensor<?x2xi32, #stablehlo.bounds<2, ?>>, %b: tensor<3x2xi32>) -> (tensor<3x2xi32>) {
  %0 = chlo.broadcast_add %a, %b : (tensor<?x2xi32, #stablehlo.bounds<2, ?>>, tensor<3x2xi32>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}
func.func @broadcast_bounded() {
  %a = stablehlo.constant dense<[[1, 2], [99, 99]]> : tensor<2x2xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %short = stablehlo.set_dimension_size %a, %one, dim = 0 : (tensor<2x2xi32>, tensor<i32>) -> tensor<?x2xi32, #stablehlo.bounds<2, ?>>
  %b = stablehlo.constant dense<[[10, 20], [30, 40], [50, 60]]> : tensor<3x2xi32>
  %r = func.call @broadcast_bounded_of(%short, %b) : (tensor<?x2xi32, #stablehlo.bounds<2, ?>>, tensor<3x2xi32>) -> (tensor<3x2xi32>)
  check.expect_eq_const %r, dense<[[11, 22], [31, 42], [51, 62]]> : tensor<3x2xi32>
  return
}
