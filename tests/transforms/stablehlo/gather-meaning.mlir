// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gathers in corner cases.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s
// RUN: mercator conformance --through=flow %s

func.func private @gather_clamps_of(%a: tensor<4x3xi32>, %b: tensor<5x1xi32>) -> (tensor<5x3xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false}> : (tensor<4x3xi32>, tensor<5x1xi32>) -> tensor<5x3xi32>
  return %0 : tensor<5x3xi32>
}
func.func @gather_clamps() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]> : tensor<4x3xi32>
  %b = stablehlo.constant dense<[[0], [3], [9], [-4], [2]]> : tensor<5x1xi32>
  %r = func.call @gather_clamps_of(%a, %b) : (tensor<4x3xi32>, tensor<5x1xi32>) -> (tensor<5x3xi32>)
  check.expect_eq_const %r, dense<[[1, 2, 3], [10, 11, 12], [10, 11, 12], [1, 2, 3], [7, 8, 9]]> : tensor<5x3xi32>
  return
}
// -----
func.func private @gather_at_ui8_of(%a: tensor<4x3xi32>, %b: tensor<5xui8>) -> (tensor<2x5xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>, indices_are_sorted = false}> : (tensor<4x3xi32>, tensor<5xui8>) -> tensor<2x5xi32>
  return %0 : tensor<2x5xi32>
}
func.func @gather_at_ui8() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]> : tensor<4x3xi32>
  %b = stablehlo.constant dense<[0, 3, 200, 4, 2]> : tensor<5xui8>
  %r = func.call @gather_at_ui8_of(%a, %b) : (tensor<4x3xi32>, tensor<5xui8>) -> (tensor<2x5xi32>)
  check.expect_eq_const %r, dense<[[1, 10, 10, 10, 7], [2, 11, 11, 11, 8]]> : tensor<2x5xi32>
  return
}
// -----
func.func private @gather_at_ui64_of(%a: tensor<4x3xi32>, %b: tensor<2xui64>) -> (tensor<2x2xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>, indices_are_sorted = false}> : (tensor<4x3xi32>, tensor<2xui64>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}
func.func @gather_at_ui64() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]> : tensor<4x3xi32>
  %b = stablehlo.constant dense<[18446744073709551615, 1]> : tensor<2xui64>
  %r = func.call @gather_at_ui64_of(%a, %b) : (tensor<4x3xi32>, tensor<2xui64>) -> (tensor<2x2xi32>)
  check.expect_eq_const %r, dense<[[10, 4], [11, 5]]> : tensor<2x2xi32>
  return
}
// -----
func.func private @gather_with_two_components_of(%a: tensor<4x3xi32>, %b: tensor<2x2xi64>) -> (tensor<2xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 0>, slice_sizes = array<i64: 1, 1>, indices_are_sorted = false}> : (tensor<4x3xi32>, tensor<2x2xi64>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @gather_with_two_components() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]> : tensor<4x3xi32>
  %b = stablehlo.constant dense<[[0, 9], [9, -1]]> : tensor<2x2xi64>
  %r = func.call @gather_with_two_components_of(%a, %b) : (tensor<4x3xi32>, tensor<2x2xi64>) -> (tensor<2xi32>)
  check.expect_eq_const %r, dense<[10, 3]> : tensor<2xi32>
  return
}
// -----
func.func private @gather_windows_of(%a: tensor<5x4xi32>, %b: tensor<2x2xi8>) -> (tensor<2x2x3xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 3>, indices_are_sorted = false}> : (tensor<5x4xi32>, tensor<2x2xi8>) -> tensor<2x2x3xi32>
  return %0 : tensor<2x2x3xi32>
}
func.func @gather_windows() {
  %a = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16], [17, 18, 19, 20]]> : tensor<5x4xi32>
  %b = stablehlo.constant dense<[[4, 1], [0, 3]]> : tensor<2x2xi8>
  %r = func.call @gather_windows_of(%a, %b) : (tensor<5x4xi32>, tensor<2x2xi8>) -> (tensor<2x2x3xi32>)
  check.expect_eq_const %r, dense<[[[14, 15, 16], [2, 3, 4]], [[18, 19, 20], [6, 7, 8]]]> : tensor<2x2x3xi32>
  return
}
// -----
func.func private @gather_batching_of(%a: tensor<2x4x3xi32>, %b: tensor<3x2x1xi32>) -> (tensor<3x2x3xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 3>, indices_are_sorted = false}> : (tensor<2x4x3xi32>, tensor<3x2x1xi32>) -> tensor<3x2x3xi32>
  return %0 : tensor<3x2x3xi32>
}
func.func @gather_batching() {
  %a = stablehlo.constant dense<[[[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]], [[13, 14, 15], [16, 17, 18], [19, 20, 21], [22, 23, 24]]]> : tensor<2x4x3xi32>
  %b = stablehlo.constant dense<[[[0], [3]], [[9], [1]], [[2], [-1]]]> : tensor<3x2x1xi32>
  %r = func.call @gather_batching_of(%a, %b) : (tensor<2x4x3xi32>, tensor<3x2x1xi32>) -> (tensor<3x2x3xi32>)
  check.expect_eq_const %r, dense<[[[1, 2, 3], [22, 23, 24]], [[10, 11, 12], [16, 17, 18]], [[7, 8, 9], [13, 14, 15]]]> : tensor<3x2x3xi32>
  return
}
// -----
func.func private @gather_one_element_of(%a: tensor<4xi32>, %b: tensor<1xi32>) -> (tensor<i32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1>, indices_are_sorted = false}> : (tensor<4xi32>, tensor<1xi32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @gather_one_element() {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %b = stablehlo.constant dense<7> : tensor<1xi32>
  %r = func.call @gather_one_element_of(%a, %b) : (tensor<4xi32>, tensor<1xi32>) -> (tensor<i32>)
  check.expect_eq_const %r, dense<4> : tensor<i32>
  return
}
// -----
func.func private @gather_at_rank_0_of(%a: tensor<4xi32>, %b: tensor<i32>) -> (tensor<3xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 3>, indices_are_sorted = false}> : (tensor<4xi32>, tensor<i32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
func.func @gather_at_rank_0() {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %b = stablehlo.constant dense<2> : tensor<i32>
  %r = func.call @gather_at_rank_0_of(%a, %b) : (tensor<4xi32>, tensor<i32>) -> (tensor<3xi32>)
  check.expect_eq_const %r, dense<[2, 3, 4]> : tensor<3xi32>
  return
}
// -----
func.func private @gather_without_components_of(%a: tensor<2x3xi32>, %b: tensor<4x0xi32>) -> (tensor<4x1x3xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false}> : (tensor<2x3xi32>, tensor<4x0xi32>) -> tensor<4x1x3xi32>
  return %0 : tensor<4x1x3xi32>
}
func.func @gather_without_components() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %b = stablehlo.constant dense<> : tensor<4x0xi32>
  %r = func.call @gather_without_components_of(%a, %b) : (tensor<2x3xi32>, tensor<4x0xi32>) -> (tensor<4x1x3xi32>)
  check.expect_eq_const %r, dense<[[[1, 2, 3]], [[1, 2, 3]], [[1, 2, 3]], [[1, 2, 3]]]> : tensor<4x1x3xi32>
  return
}
// -----
func.func private @gather_dynamic_of(%a: tensor<?x3xi32>, %b: tensor<?x1xi32>) -> (tensor<?x3xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false}> : (tensor<?x3xi32>, tensor<?x1xi32>) -> tensor<?x3xi32>
  return %0 : tensor<?x3xi32>
}
func.func @gather_dynamic() {
  %a_static = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]> : tensor<4x3xi32>
  %a = tensor.cast %a_static : tensor<4x3xi32> to tensor<?x3xi32>
  %b_static = stablehlo.constant dense<[[0], [3], [9], [-4], [2]]> : tensor<5x1xi32>
  %b = tensor.cast %b_static : tensor<5x1xi32> to tensor<?x1xi32>
  %r = func.call @gather_dynamic_of(%a, %b) : (tensor<?x3xi32>, tensor<?x1xi32>) -> (tensor<?x3xi32>)
  %static = tensor.cast %r : tensor<?x3xi32> to tensor<5x3xi32>
  check.expect_eq_const %static, dense<[[1, 2, 3], [10, 11, 12], [10, 11, 12], [1, 2, 3], [7, 8, 9]]> : tensor<5x3xi32>
  return
}
// -----
func.func private @gather_dynamic_components_of(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) -> (tensor<?x2xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>, indices_are_sorted = false}> : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x2xi32>
  return %0 : tensor<?x2xi32>
}
func.func @gather_dynamic_components() {
  %a_static = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]> : tensor<4x3xi32>
  %a = tensor.cast %a_static : tensor<4x3xi32> to tensor<?x?xi32>
  %b_static = stablehlo.constant dense<[[0, 1], [3, 0], [9, 9], [-4, 2], [2, 1]]> : tensor<5x2xi32>
  %b = tensor.cast %b_static : tensor<5x2xi32> to tensor<?x?xi32>
  %r = func.call @gather_dynamic_components_of(%a, %b) : (tensor<?x?xi32>, tensor<?x?xi32>) -> (tensor<?x2xi32>)
  %static = tensor.cast %r : tensor<?x2xi32> to tensor<5x2xi32>
  check.expect_eq_const %static, dense<[[2, 3], [10, 11], [11, 12], [2, 3], [8, 9]]> : tensor<5x2xi32>
  return
}
// -----
func.func private @gather_nothing_of(%a: tensor<4x3xi32>, %b: tensor<0x1xi32>) -> (tensor<0x3xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false}> : (tensor<4x3xi32>, tensor<0x1xi32>) -> tensor<0x3xi32>
  return %0 : tensor<0x3xi32>
}
func.func @gather_nothing() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]> : tensor<4x3xi32>
  %b = stablehlo.constant dense<> : tensor<0x1xi32>
  %r = func.call @gather_nothing_of(%a, %b) : (tensor<4x3xi32>, tensor<0x1xi32>) -> (tensor<0x3xi32>)
  check.expect_eq_const %r, dense<> : tensor<0x3xi32>
  return
}
// -----
func.func private @gather_the_only_row_of(%a: tensor<1x3xi32>, %b: tensor<2x1xi32>) -> (tensor<2x3xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false}> : (tensor<1x3xi32>, tensor<2x1xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
func.func @gather_the_only_row() {
  %a = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi32>
  %b = stablehlo.constant dense<[[7], [0]]> : tensor<2x1xi32>
  %r = func.call @gather_the_only_row_of(%a, %b) : (tensor<1x3xi32>, tensor<2x1xi32>) -> (tensor<2x3xi32>)
  check.expect_eq_const %r, dense<[[1, 2, 3], [1, 2, 3]]> : tensor<2x3xi32>
  return
}
// -----
func.func private @dynamic_gather_rows_of(%a: tensor<4x3xf32>, %b: tensor<2x1xi32>, %c: tensor<2xi32>) -> (tensor<2x?xf32>) {
  %0 = "stablehlo.dynamic_gather"(%a, %b, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}
func.func @dynamic_gather_rows() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]> : tensor<4x3xf32>
  %b = stablehlo.constant dense<[[9], [1]]> : tensor<2x1xi32>
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = func.call @dynamic_gather_rows_of(%a, %b, %c) : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> (tensor<2x?xf32>)
  %static = tensor.cast %r : tensor<2x?xf32> to tensor<2x2xf32>
  check.expect_eq_const %static, dense<[[10.0, 11.0], [4.0, 5.0]]> : tensor<2x2xf32>
  return
}
// -----
func.func private @dynamic_gather_windows_of(%a: tensor<?x?xf32>, %b: tensor<2x2xi32>, %c: tensor<2xi64>) -> (tensor<2x?x?xf32>) {
  %0 = "stablehlo.dynamic_gather"(%a, %b, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<?x?xf32>, tensor<2x2xi32>, tensor<2xi64>) -> tensor<2x?x?xf32>
  return %0 : tensor<2x?x?xf32>
}
func.func @dynamic_gather_windows() {
  %a_static = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]> : tensor<4x3xf32>
  %a = tensor.cast %a_static : tensor<4x3xf32> to tensor<?x?xf32>
  %b = stablehlo.constant dense<[[9, 9], [1, 0]]> : tensor<2x2xi32>
  %c = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
  %r = func.call @dynamic_gather_windows_of(%a, %b, %c) : (tensor<?x?xf32>, tensor<2x2xi32>, tensor<2xi64>) -> (tensor<2x?x?xf32>)
  %static = tensor.cast %r : tensor<2x?x?xf32> to tensor<2x2x2xf32>
  check.expect_eq_const %static, dense<[[[8.0, 9.0], [11.0, 12.0]], [[4.0, 5.0], [7.0, 8.0]]]> : tensor<2x2x2xf32>
  return
}
// -----
func.func private @index_select_batching_of(%a: tensor<2x3x4xf32>, %b: tensor<2x2xi64>) -> (tensor<2x2x4xf32>) {
  %0 = "stablehlo.torch_index_select"(%a, %b) <{dim = 1 : i64, batch_dims = 1 : i64}> : (tensor<2x3x4xf32>, tensor<2x2xi64>) -> tensor<2x2x4xf32>
  return %0 : tensor<2x2x4xf32>
}
func.func @index_select_batching() {
  %a = stablehlo.constant dense<[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]], [[13.0, 14.0, 15.0, 16.0], [17.0, 18.0, 19.0, 20.0], [21.0, 22.0, 23.0, 24.0]]]> : tensor<2x3x4xf32>
  %b = stablehlo.constant dense<[[0, 2], [-1, 1]]> : tensor<2x2xi64>
  %r = func.call @index_select_batching_of(%a, %b) : (tensor<2x3x4xf32>, tensor<2x2xi64>) -> (tensor<2x2x4xf32>)
  check.expect_eq_const %r, dense<[[[1.0, 2.0, 3.0, 4.0], [9.0, 10.0, 11.0, 12.0]], [[13.0, 14.0, 15.0, 16.0], [17.0, 18.0, 19.0, 20.0]]]> : tensor<2x2x4xf32>
  return
}
// -----
func.func private @index_select_at_rank_0_of(%a: tensor<2x3xf32>, %b: tensor<i32>) -> (tensor<2xf32>) {
  %0 = "stablehlo.torch_index_select"(%a, %b) <{dim = 1 : i64, batch_dims = 0 : i64}> : (tensor<2x3xf32>, tensor<i32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @index_select_at_rank_0() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<1> : tensor<i32>
  %r = func.call @index_select_at_rank_0_of(%a, %b) : (tensor<2x3xf32>, tensor<i32>) -> (tensor<2xf32>)
  check.expect_eq_const %r, dense<[2.0, 5.0]> : tensor<2xf32>
  return
}
// -----
func.func private @index_select_dynamic_of(%a: tensor<?x4xf32>, %b: tensor<?xi32>) -> (tensor<?x?xf32>) {
  %0 = "stablehlo.torch_index_select"(%a, %b) <{dim = 1 : i64, batch_dims = 0 : i64}> : (tensor<?x4xf32>, tensor<?xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @index_select_dynamic() {
  %a_static = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]]> : tensor<3x4xf32>
  %a = tensor.cast %a_static : tensor<3x4xf32> to tensor<?x4xf32>
  %b_static = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  %b = tensor.cast %b_static : tensor<2xi32> to tensor<?xi32>
  %r = func.call @index_select_dynamic_of(%a, %b) : (tensor<?x4xf32>, tensor<?xi32>) -> (tensor<?x?xf32>)
  %static = tensor.cast %r : tensor<?x?xf32> to tensor<3x2xf32>
  check.expect_eq_const %static, dense<[[3.0, 1.0], [7.0, 5.0], [11.0, 9.0]]> : tensor<3x2xf32>
  return
}
// -----
func.func private @index_select_between_of(%a: tensor<2x3x2xf32>, %b: tensor<2x2xi32>) -> (tensor<2x3x2xf32>) {
  %0 = "stablehlo.torch_index_select"(%a, %b) <{dim = 2 : i64, batch_dims = 1 : i64}> : (tensor<2x3x2xf32>, tensor<2x2xi32>) -> tensor<2x3x2xf32>
  return %0 : tensor<2x3x2xf32>
}
func.func @index_select_between() {
  %a = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xf32>
  %b = stablehlo.constant dense<[[1, 0], [1, 1]]> : tensor<2x2xi32>
  %r = func.call @index_select_between_of(%a, %b) : (tensor<2x3x2xf32>, tensor<2x2xi32>) -> (tensor<2x3x2xf32>)
  check.expect_eq_const %r, dense<[[[2.0, 1.0], [4.0, 3.0], [6.0, 5.0]], [[8.0, 8.0], [10.0, 10.0], [12.0, 12.0]]]> : tensor<2x3x2xf32>
  return
}
