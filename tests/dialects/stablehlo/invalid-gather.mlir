// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints of gather, dynamic_gather and scatter: for each constraint of the
// specification a program that violates only this one.

// RUN: mercator-opt %s --split-input-file --verify-diagnostics

// (gather C1)
func.func @gather_c1(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected offset_dims, collapsed_slice_dims and operand_batching_dims together to have one entry for each dimension of operand, 3, got 2}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (dynamic_gather C1)
func.func @dynamic_gather_c1(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  %s = stablehlo.constant dense<[1, 1, 7]> : tensor<3xi64>
  // expected-error @+1 {{expected offset_dims, collapsed_slice_dims and operand_batching_dims together to have one entry for each dimension of operand, 3, got 2}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3xi64>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C2)
func.func @gather_c2(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected index_vector_dim within [0, 3], got 4}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 4>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (dynamic_gather C2)
func.func @dynamic_gather_c2(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  %s = stablehlo.constant dense<[1, 1, 7]> : tensor<3xi64>
  // expected-error @+1 {{expected index_vector_dim within [0, 3], got 4}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 4>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3xi64>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C2)
func.func @gather_c2_2(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected index_vector_dim within [0, 3], got -9223372036854775808}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = -9223372036854775808>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (dynamic_gather C2)
func.func @dynamic_gather_c2_2(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  %s = stablehlo.constant dense<[1, 1, 7]> : tensor<3xi64>
  // expected-error @+1 {{expected index_vector_dim within [0, 3], got -9223372036854775808}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = -9223372036854775808>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3xi64>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C3)
func.func @gather_c3(%a: tensor<3x10x20xf32>, %i: tensor<3x5x2xi32>) {
  // expected-error @+1 {{expected start_index_map of length 2, got 1}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<3x10x20xf32>, tensor<3x5x2xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (dynamic_gather C3)
func.func @dynamic_gather_c3(%a: tensor<3x10x20xf32>, %i: tensor<3x5x2xi32>) {
  %s = stablehlo.constant dense<[1, 1, 7]> : tensor<3xi64>
  // expected-error @+1 {{expected start_index_map of length 2, got 1}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x2xi32>, tensor<3xi64>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C3)
func.func @gather_c3_2(%a: tensor<3x10x20xf32>, %i: tensor<3x5xi32>) {
  // expected-error @+1 {{expected start_index_map of length 1, got 0}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<3x10x20xf32>, tensor<3x5xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (dynamic_gather C3)
func.func @dynamic_gather_c3_2(%a: tensor<3x10x20xf32>, %i: tensor<3x5xi32>) {
  %s = stablehlo.constant dense<[1, 1, 7]> : tensor<3xi64>
  // expected-error @+1 {{expected start_index_map of length 1, got 0}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5xi32>, tensor<3xi64>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C4)
func.func @gather_c4(%a: tensor<3x10x20x4xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected offset_dims in ascending order, got [3, 2]}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [3, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7, 4>} : (tensor<3x10x20x4xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7x4xf32>
  return
}
// -----
// (dynamic_gather C4)
func.func @dynamic_gather_c4(%a: tensor<3x10x20x4xf32>, %i: tensor<3x5x1xi32>) {
  %s = stablehlo.constant dense<[1, 1, 7, 4]> : tensor<4xi64>
  // expected-error @+1 {{expected offset_dims in ascending order, got [3, 2]}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [3, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>} : (tensor<3x10x20x4xf32>, tensor<3x5x1xi32>, tensor<4xi64>) -> tensor<3x5x7x4xf32>
  return
}
// -----
// (gather C4)
func.func @gather_c4_2(%a: tensor<3x10x20x4xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected offset_dims without repetition, got [2, 2]}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7, 4>} : (tensor<3x10x20x4xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7x4xf32>
  return
}
// -----
// (dynamic_gather C4)
func.func @dynamic_gather_c4_2(%a: tensor<3x10x20x4xf32>, %i: tensor<3x5x1xi32>) {
  %s = stablehlo.constant dense<[1, 1, 7, 4]> : tensor<4xi64>
  // expected-error @+1 {{expected offset_dims without repetition, got [2, 2]}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>} : (tensor<3x10x20x4xf32>, tensor<3x5x1xi32>, tensor<4xi64>) -> tensor<3x5x7x4xf32>
  return
}
// -----
// (gather C5)
func.func @gather_c5(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected offset_dims within [0, 3), got 3}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (dynamic_gather C5)
func.func @dynamic_gather_c5(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  %s = stablehlo.constant dense<[1, 1, 7]> : tensor<3xi64>
  // expected-error @+1 {{expected offset_dims within [0, 3), got 3}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3xi64>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C5)
func.func @gather_c5_2(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected offset_dims within [0, 3), got -1}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [-1], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (dynamic_gather C5)
func.func @dynamic_gather_c5_2(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  %s = stablehlo.constant dense<[1, 1, 7]> : tensor<3xi64>
  // expected-error @+1 {{expected offset_dims within [0, 3), got -1}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [-1], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3xi64>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C6)
func.func @gather_c6(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected collapsed_slice_dims and operand_batching_dims without repetition, got [0, 0]}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (dynamic_gather C6)
func.func @dynamic_gather_c6(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  %s = stablehlo.constant dense<[1, 1, 7]> : tensor<3xi64>
  // expected-error @+1 {{expected collapsed_slice_dims and operand_batching_dims without repetition, got [0, 0]}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3xi64>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C7)
func.func @gather_c7(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected collapsed_slice_dims in ascending order, got [2, 1]}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [2, 1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 1>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5xf32>
  return
}
// -----
// (dynamic_gather C6)
func.func @dynamic_gather_c6_2(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  %s = stablehlo.constant dense<[1, 1, 1]> : tensor<3xi64>
  // expected-error @+1 {{expected collapsed_slice_dims in ascending order, got [2, 1]}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [2, 1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3xi64>) -> tensor<3x5xf32>
  return
}
// -----
// (gather C8)
func.func @gather_c8(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected collapsed_slice_dims within [0, 3), got 3}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [3], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (dynamic_gather C7)
func.func @dynamic_gather_c7(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  %s = stablehlo.constant dense<[1, 1, 7]> : tensor<3xi64>
  // expected-error @+1 {{expected collapsed_slice_dims within [0, 3), got 3}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [3], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3xi64>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C9)
func.func @gather_c9(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected slice size 0 or 1 along collapsed_slice_dims 1, got 2}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2, 7>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (dynamic_gather C8)
func.func @dynamic_gather_c8(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  %s = stablehlo.constant dense<[1, 2, 7]> : tensor<3xi64>
  // expected-error @+1 {{expected slice size 0 or 1 along collapsed_slice_dims 1, got 2}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3xi64>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C10)
func.func @gather_c10(%a: tensor<3x5x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected operand_batching_dims in ascending order, got [1, 0]}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [], operand_batching_dims = [1, 0], start_indices_batching_dims = [0, 1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<3x5x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C11)
func.func @gather_c11(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected operand_batching_dims within [0, 3), got -1}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [-1], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C12)
func.func @gather_c12(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected slice size 0 or 1 along operand_batching_dims 0, got 3}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 3, 1, 7>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C13)
func.func @gather_c13(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected start_indices_batching_dims without repetition, got [0, 0]}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0, 0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C14)
func.func @gather_c14(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected start_indices_batching_dims within [0, 3), got 3}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [3], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C15)
func.func @gather_c15(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected start_indices_batching_dims other than index_vector_dim, got 2}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C16)
func.func @gather_c16(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected operand_batching_dims and start_indices_batching_dims of the same length, got 1 and 2}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0, 1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C17)
func.func @gather_c17(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected batching dimensions of the same extent, got 3 and 5}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C18)
func.func @gather_c18(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected start_index_map and operand_batching_dims without repetition, got [0, 0]}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (dynamic_gather C9)
func.func @dynamic_gather_c9(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  %s = stablehlo.constant dense<[1, 1, 7]> : tensor<3xi64>
  // expected-error @+1 {{expected start_index_map and operand_batching_dims without repetition, got [0, 0]}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3xi64>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C19)
func.func @gather_c19(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected start_index_map within [0, 3), got 3}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [3], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (dynamic_gather C10)
func.func @dynamic_gather_c10(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  %s = stablehlo.constant dense<[1, 1, 7]> : tensor<3xi64>
  // expected-error @+1 {{expected start_index_map within [0, 3), got 3}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [3], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3xi64>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C20)
func.func @gather_c20(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected slice_sizes of length 3, got 2}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (dynamic_gather C11)
func.func @dynamic_gather_c11(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %s: tensor<2xi64>) {
  // expected-error @+1 {{expected slice_sizes of shape [3], got [2]}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<2xi64>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C21)
func.func @gather_c21(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected slice size 2 within [0, 20], got 21}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 21>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (dynamic_gather C12)
func.func @dynamic_gather_c12(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  %s = stablehlo.constant dense<[1, 1, 21]> : tensor<3xi64>
  // expected-error @+1 {{expected slice size 2 within [0, 20], got 21}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3xi64>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C21)
func.func @gather_c21_2(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected slice_sizes of at least 0, got -9223372036854775808}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, -9223372036854775808>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf32>
  return
}
// -----
// (dynamic_gather C12)
func.func @dynamic_gather_c12_2(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  %s = stablehlo.constant dense<[1, 1, -9223372036854775808]> : tensor<3xi64>
  // expected-error @+1 {{expected slice_sizes of at least 0, got -9223372036854775808}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3xi64>) -> tensor<3x5x7xf32>
  return
}
// -----
// (gather C22)
func.func @gather_c22(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected result of shape [3, 5, 7], got [3, 5, 8]}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x8xf32>
  return
}
// -----
// (gather C22), where index_vector_dim is missing
func.func @gather_c22_default(%x: tensor<3x4x2xf32>, %i: tensor<2x3x2xi64>) {
  // expected-error @+1 {{expected result of shape [3, 2, 2, 2], got [2, 3, 2, 2]; index_vector_dim is 0, the default, and this shape needs index_vector_dim = 2}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0]>, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
  return
}
// -----
// (dynamic_gather C13)
func.func @dynamic_gather_c13(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  %s = stablehlo.constant dense<[1, 1, 7]> : tensor<3xi64>
  // expected-error @+1 {{expected result of shape [3, 5, 7], got [3, 5, 8]}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3xi64>) -> tensor<3x5x8xf32>
  return
}
// -----
// (dynamic_gather C13)
func.func @dynamic_gather_c13_2(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %s: tensor<3xi64>) {
  // expected-error @+1 {{expected result of shape [3, 5, ?], got [3, 6, 8]}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3xi64>) -> tensor<3x6x8xf32>
  return
}
// -----
// (gather C23)
func.func @gather_c23(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 7>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>) -> tensor<3x5x7xf64>
  return
}
// -----
// (dynamic_gather C14)
func.func @dynamic_gather_c14(%a: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>) {
  %s = stablehlo.constant dense<[1, 1, 7]> : tensor<3xi64>
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3xi64>) -> tensor<3x5x7xf64>
  return
}
// -----
// (scatter C1)
func.func @scatter_c1(%a0: tensor<3x10x20xf32>, %a1: tensor<3x10x21xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>, %u1: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected input of shape [3, 10, 20], got [3, 10, 21]}}
  %0:2 = "stablehlo.scatter"(%a0, %a1, %i, %u0, %u1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x10x21xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> (tensor<3x10x20xf32>, tensor<3x10x21xf32>)
  return
}
// -----
// (scatter C2)
func.func @scatter_c2(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected update_window_dims, inserted_window_dims and input_batching_dims together to have one entry for each dimension of inputs, 3, got 2}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C3)
func.func @scatter_c3(%a0: tensor<3x10x20xf32>, %a1: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>, %u1: tensor<3x5x6xf32>) {
  // expected-error @+1 {{expected updates of shape [3, 5, 7], got [3, 5, 6]}}
  %0:2 = "stablehlo.scatter"(%a0, %a1, %i, %u0, %u1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>, tensor<3x5x6xf32>) -> (tensor<3x10x20xf32>, tensor<3x10x20xf32>)
  return
}
// -----
// (scatter C4)
func.func @scatter_c4(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x21xf32>) {
  // expected-error @+1 {{expected an update window of at most 20 along dimension 2, got 21}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x21xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C4)
func.func @scatter_c4_2(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x4x7xf32>) {
  // expected-error @+1 {{expected updates of shape [3, 5, 7], got [3, 4, 7]}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x4x7xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C4)
func.func @scatter_c4_3(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5xf32>) {
  // expected-error @+1 {{expected updates of rank 3, that of scatter_indices without index_vector_dim plus 1 window dimensions, got 'tensor<3x5xf32>'}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C5)
func.func @scatter_c5(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected inputs, indices and as many updates as inputs, got 4 operands}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C5)
func.func @scatter_c5_2(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected results of length 1, got 2}}
  %0:2 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> (tensor<3x10x20xf32>, tensor<3x10x20xf32>)
  return
}
// -----
// (scatter C6)
func.func @scatter_c6(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xi32>) {
  // expected-error @+1 {{expected updates of element type 'f32' as its input has, got 'i32'}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xi32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C7)
func.func @scatter_c7(%a0: tensor<3x10x20x4xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7x4xf32>) {
  // expected-error @+1 {{expected update_window_dims in ascending order, got [3, 2]}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20x4xf32>, tensor<3x5x1xi32>, tensor<3x5x7x4xf32>) -> tensor<3x10x20x4xf32>
  return
}
// -----
// (scatter C7)
func.func @scatter_c7_2(%a0: tensor<3x10x20x4xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7x4xf32>) {
  // expected-error @+1 {{expected update_window_dims without repetition, got [2, 2]}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20x4xf32>, tensor<3x5x1xi32>, tensor<3x5x7x4xf32>) -> tensor<3x10x20x4xf32>
  return
}
// -----
// (scatter C8)
func.func @scatter_c8(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected update_window_dims within [0, 3), got 3}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C9)
func.func @scatter_c9(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected inserted_window_dims and input_batching_dims without repetition, got [0, 0]}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C10)
func.func @scatter_c10(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5xf32>) {
  // expected-error @+1 {{expected inserted_window_dims in ascending order, got [2, 1]}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [2, 1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C11)
func.func @scatter_c11(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected inserted_window_dims within [0, 3), got 3}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [3], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C12)
func.func @scatter_c12(%a0: tensor<3x5x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected input_batching_dims in ascending order, got [1, 0]}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [], input_batching_dims = [1, 0], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x5x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> tensor<3x5x20xf32>
  return
}
// -----
// (scatter C13)
func.func @scatter_c13(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected input_batching_dims within [0, 3), got -1}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [-1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C14)
func.func @scatter_c14(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected scatter_indices_batching_dims without repetition, got [0, 0]}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0, 0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C15)
func.func @scatter_c15(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected scatter_indices_batching_dims within [0, 3), got 3}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [3], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C16)
func.func @scatter_c16(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected scatter_indices_batching_dims other than index_vector_dim, got 2}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [2], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C17)
func.func @scatter_c17(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected input_batching_dims and scatter_indices_batching_dims of the same length, got 1 and 0}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C18)
func.func @scatter_c18(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected batching dimensions of the same extent, got 3 and 5}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C19)
func.func @scatter_c19(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected scatter_dims_to_operand_dims of length 1, got 2}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C20)
func.func @scatter_c20(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected scatter_dims_to_operand_dims and input_batching_dims without repetition, got [0, 0]}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C21)
func.func @scatter_c21(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected scatter_dims_to_operand_dims within [0, 3), got 9223372036854775807}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [9223372036854775807], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C22)
func.func @scatter_c22(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected index_vector_dim within [0, 3], got -1}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = -1>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C23)
func.func @scatter_c23(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected update_computation of 2 arguments, got 1}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C23)
func.func @scatter_c23_2(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected update_computation that returns a type 'f32' promotes to, got 'i32'}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> tensor<3x10x20xi32>
  return
}
// -----
// (scatter C23)
func.func @scatter_c23_3(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected update_computation arguments of rank 0, got 'tensor<7xf32>'}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<7xf32>, %y: tensor<7xf32>):
    stablehlo.return %x : tensor<7xf32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> tensor<3x10x20xf32>
  return
}
// -----
// (scatter C24)
func.func @scatter_c24(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected result of shape [3, 10, 20], got [3, 10, 21]}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> tensor<3x10x21xf32>
  return
}
// -----
// (scatter C25)
func.func @scatter_c25(%a0: tensor<3x10x20xf32>, %i: tensor<3x5x1xi32>, %u0: tensor<3x5x7xf32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x20xf32>, tensor<3x5x1xi32>, tensor<3x5x7xf32>) -> tensor<3x10x20xf64>
  return
}
