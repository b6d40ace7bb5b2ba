// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints of collectives, infeed, send and recv: for each constraint of the
// specification a program that violates only this one.

// RUN: mercator-opt %s --split-input-file --verify-diagnostics

// (all_gather C1)
func.func @all_gather_c1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected all_gather_dim within [0, 2), got 2}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
// (all_gather C1)
func.func @all_gather_c1_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected all_gather_dim within [0, 2), got -1}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = -1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
// (all_gather C2)
func.func @all_gather_c2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups without repetition, got 1 twice}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
// (all_gather C2)
func.func @all_gather_c2_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups without repetition, got 0 everywhere}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1000000000x1000000000xi64>} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
// (all_gather C4)
func.func @all_gather_c4(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups within [0, 2), got 2}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
// (all_gather C4)
func.func @all_gather_c4_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups within [0, 2), got -1}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, -1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
// (all_gather C4)
func.func @all_gather_c4_3(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups within [0, 1), got 9223372036854775807}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<9223372036854775807> : tensor<1x1xi64>} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
// (all_gather C5)
func.func @all_gather_c5(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected channel_id of at least 0 with use_global_device_ids, got -3}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = -3, type = 1>, use_global_device_ids} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @all_gather(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups of rank 2, got}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1xi64>} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
// (all_gather C6)
func.func @all_gather_c6(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of shape [?, 8], got [8, 9]}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<8x9xf32>
  return
}
// -----
// (all_gather C6)
func.func @all_gather_c6_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected a multiple of 4 along dimension 0, got 9}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<9x8xf32>
  return
}
// -----
// (all_gather C6)
func.func @all_gather_c6_3(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<8x8xf64>
  return
}
// -----
// (all_gather C6)
func.func @all_gather_c6_4(%a0: tensor<0x8xf32>) {
  // expected-error @+1 {{expected an operand that is not empty along all_gather_dim, got 'tensor<0x8xf32>'}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<0x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
// (all_gather C6)
func.func @all_gather_c6_5(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected results of length 1, got 2}}
  %0:2 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  return
}
// -----
// (all_reduce C1)
func.func @all_reduce_c1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups without repetition, got 1 twice}}
  %0 = "stablehlo.all_reduce"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [1, -1]]> : tensor<2x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (all_reduce C1)
func.func @all_reduce_c1_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups without repetition, got 0 everywhere}}
  %0 = "stablehlo.all_reduce"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<0> : tensor<4294967296x4294967296xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (all_reduce C3)
func.func @all_reduce_c3(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups within [0, 3), got 3}}
  %0 = "stablehlo.all_reduce"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [3, -1]]> : tensor<2x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (all_reduce C3)
func.func @all_reduce_c3_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups within [0, 3), got -2}}
  %0 = "stablehlo.all_reduce"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [-2, -1]]> : tensor<2x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (all_reduce C4)
func.func @all_reduce_c4(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected channel_id of at least 1 with use_global_device_ids, got 0}}
  %0 = "stablehlo.all_reduce"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, use_global_device_ids} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (all_reduce C5)
func.func @all_reduce_c5(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected computation of 2 arguments, got 3}}
  %0 = "stablehlo.all_reduce"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (all_reduce C5)
func.func @all_reduce_c5_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected computation that returns a type 'f32' promotes to, got 'i32'}}
  %0 = "stablehlo.all_reduce"(%a0) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xi32>
  return
}
// -----
// (all_reduce C5)
func.func @all_reduce_c5_3(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected computation arguments #1 of element type 'f32', as it returns, got 'i32'}}
  %0 = "stablehlo.all_reduce"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<i32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (all_reduce C6)
func.func @all_reduce_c6(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of shape [4, 8], got [8, 4]}}
  %0 = "stablehlo.all_reduce"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
// (all_reduce C6)
func.func @all_reduce_c6_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected results of length 1, got 2}}
  %0:2 = "stablehlo.all_reduce"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}
// -----
// (all_reduce C7)
func.func @all_reduce_c7(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = "stablehlo.all_reduce"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf64>
  return
}
// -----
// (reduce_scatter C1)
func.func @reduce_scatter_c1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected an extent divisible by the size of a group, 3, along dimension 1, got 8}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
// (reduce_scatter C2)
func.func @reduce_scatter_c2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected scatter_dimension within [0, 2), got -1}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = -1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
// (reduce_scatter C3)
func.func @reduce_scatter_c3(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups without repetition, got 0 twice}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>} : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
// (reduce_scatter C5)
func.func @reduce_scatter_c5(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups within [0, 2), got -1}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, -1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
// (reduce_scatter C6)
func.func @reduce_scatter_c6(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected channel_id of at least 1 with use_global_device_ids, got none}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
// (reduce_scatter C7)
func.func @reduce_scatter_c7(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected computation that returns 1 values, got 0}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
// (reduce_scatter C8)
func.func @reduce_scatter_c8(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of shape [4, ?], got [5, 4]}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<5x4xf32>
  return
}
// -----
// (reduce_scatter C8)
func.func @reduce_scatter_c8_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected a divisor of 8 along dimension 1, got 3}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x3xf32>
  return
}
// -----
// (reduce_scatter C8)
func.func @reduce_scatter_c8_3(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected a divisor of 8 along dimension 1, got 0}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x0xf32>
  return
}
// -----
// (reduce_scatter C8)
func.func @reduce_scatter_c8_4(%a0: tensor<4x0xf32>) {
  // expected-error @+1 {{expected an operand that is not empty along scatter_dimension, got 'tensor<4x0xf32>'}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x0xf32>) -> tensor<4x4xf32>
  return
}
// -----
// (reduce_scatter C9)
func.func @reduce_scatter_c9(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x4xf64>
  return
}
// -----
// (all_to_all C1)
func.func @all_to_all_c1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected split_dimension within [0, 2), got 2}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 2 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
// (all_to_all C2)
func.func @all_to_all_c2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected an extent divisible by split_count 3 along dimension 1, got 8}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 3 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
// (all_to_all C3)
func.func @all_to_all_c3(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected concat_dimension within [0, 2), got -9223372036854775808}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 1 : i64, concat_dimension = -9223372036854775808 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
// (all_to_all C4)
func.func @all_to_all_c4(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected split_count of at least 1, got 0}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
// (all_to_all C4)
func.func @all_to_all_c4_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected split_count of at least 1, got -9223372036854775808}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = -9223372036854775808 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
// (all_to_all C5)
func.func @all_to_all_c5(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups without repetition, got 0 everywhere}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<0> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
// (all_to_all C7)
func.func @all_to_all_c7(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups within [0, 2), got 5}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 5]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
// (all_to_all C8)
func.func @all_to_all_c8(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected groups of split_count 4 devices, got 2}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
// (all_to_all C8)
func.func @all_to_all_c8_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected groups of split_count 2 devices, got 0}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<> : tensor<0x2xi64>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
// (all_to_all C9)
func.func @all_to_all_c9(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of shape [8, 4], got [4, 8]}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (all_to_all C9)
func.func @all_to_all_c9_2(%a0: tensor<9223372036854775807x8xf32>) {
  // expected-error @+1 {{expected an extent below 2^63 along dimension 0, got 9223372036854775807 x 2}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<9223372036854775807x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
// (all_to_all C9)
func.func @all_to_all_c9_3(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<8x4xf64>
  return
}
// -----
// (all_to_all C9)
func.func @all_to_all_c9_4(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected results of length 1, got 2}}
  %0:2 = "stablehlo.all_to_all"(%a0) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return
}
// -----
// (collective_permute C1)
func.func @collective_permute_c1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected source_target_pairs of shape [N, 2], got}}
  %0 = "stablehlo.collective_permute"(%a0) {source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (collective_permute C1)
func.func @collective_permute_c1_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected source_target_pairs of shape [N, 2], got}}
  %0 = "stablehlo.collective_permute"(%a0) {source_target_pairs = dense<[0, 1]> : tensor<2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (collective_permute C2)
func.func @collective_permute_c2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected sources without repetition, got 0 twice}}
  %0 = "stablehlo.collective_permute"(%a0) {source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (collective_permute C2)
func.func @collective_permute_c2_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected source_target_pairs of sources without repetition, got 7 twice}}
  %0 = "stablehlo.collective_permute"(%a0) {source_target_pairs = dense<7> : tensor<1000000000000x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (collective_permute C3)
func.func @collective_permute_c3(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected targets without repetition, got 2 twice}}
  %0 = "stablehlo.collective_permute"(%a0) {source_target_pairs = dense<[[0, 2], [1, 2]]> : tensor<2x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (collective_permute C4)
func.func @collective_permute_c4(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected source_target_pairs of at least 0, got -1}}
  %0 = "stablehlo.collective_permute"(%a0) {source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (collective_permute C5)
func.func @collective_permute_c5(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected results #0 of type 'tensor<4x8xf32>', got 'tensor<8x4xf32>'}}
  %0 = "stablehlo.collective_permute"(%a0) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
// (collective_broadcast C1)
func.func @collective_broadcast_c1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups without repetition, got 4 twice}}
  %0 = "stablehlo.collective_broadcast"(%a0) {replica_groups = dense<[[0, 4], [1, 4]]> : tensor<2x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (collective_broadcast C2)
func.func @collective_broadcast_c2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups of at least 0, got -1}}
  %0 = "stablehlo.collective_broadcast"(%a0) {replica_groups = dense<[[0, -1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (collective_broadcast C3)
func.func @collective_broadcast_c3() {
  // expected-error @+1 {{expected at least one operand, got none}}
  "stablehlo.collective_broadcast"() {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : () -> ()
  return
}
// -----
// (collective_broadcast C3)
func.func @collective_broadcast_c3_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected results #0 of type 'tensor<4x8xf32>', got 'tensor<4x8xf64>'}}
  %0 = "stablehlo.collective_broadcast"(%a0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf64>
  return
}
// -----
// (collective_broadcast C4)
func.func @collective_broadcast_c4(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected an operand and its root, got 1 operands}}
  %0 = "stablehlo.collective_broadcast"(%a0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (collective_broadcast C4)
func.func @collective_broadcast_c4_2(%a0: tensor<4x8xf32>, %a1: tensor<2xi32>) {
  // expected-error @+1 {{expected roots of type tensor<1xi32> as the last operand, got 'tensor<2xi32>'}}
  %0 = "stablehlo.collective_broadcast"(%a0, %a1) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root} : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  return
}
// -----
// (collective_broadcast C4)
func.func @collective_broadcast_c4_3(%a0: tensor<4x8xf32>, %a1: tensor<1xi64>) {
  // expected-error @+1 {{expected roots of type tensor<1xi32> as the last operand, got 'tensor<1xi64>'}}
  %0 = "stablehlo.collective_broadcast"(%a0, %a1) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root} : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<4x8xf32>
  return
}
// -----
// (collective_broadcast C5)
func.func @collective_broadcast_c5(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected results of length 1, got 2}}
  %0:2 = "stablehlo.collective_broadcast"(%a0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}
// -----
// (collective_broadcast C5)
func.func @collective_broadcast_c5_2(%a0: tensor<4x8xf32>, %a1: tensor<1xi32>) {
  // expected-error @+1 {{expected results of length 1, got 2}}
  %0:2 = "stablehlo.collective_broadcast"(%a0, %a1) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root} : (tensor<4x8xf32>, tensor<1xi32>) -> (tensor<4x8xf32>, tensor<1xi32>)
  return
}
// -----
// (collective_broadcast C6)
func.func @collective_broadcast_c6(%x: tensor<4x8xf32>) {
  %r = stablehlo.constant dense<2> : tensor<1xi32>
  // expected-error @+1 {{expected roots within [0, 2), got 2}}
  %0 = "stablehlo.collective_broadcast"(%x, %r) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root} : (tensor<4x8xf32>, tensor<1xi32>) -> tensor<4x8xf32>
  return
}
// -----
// (collective_reduce C1)
func.func @collective_reduce_c1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups without repetition, got 0 twice}}
  %0 = "stablehlo.collective_reduce"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [0, -1]]> : tensor<2x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (collective_reduce C2)
func.func @collective_reduce_c2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups within [0, 2), got 2}}
  %0 = "stablehlo.collective_reduce"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @collective_reduce(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected channel_id of at least 1 with use_global_device_ids, got none}}
  %0 = "stablehlo.collective_reduce"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (collective_reduce C3)
func.func @collective_reduce_c3(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of shape [4, 8], got [8, 4]}}
  %0 = "stablehlo.collective_reduce"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
// (collective_reduce C3)
func.func @collective_reduce_c3_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected results of length 1, got 2}}
  %0:2 = "stablehlo.collective_reduce"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}
// -----
// (collective_reduce C3)
func.func @collective_reduce_c3_3() {
  // expected-error @+1 {{expected at least one operand, got none}}
  "stablehlo.collective_reduce"() ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : () -> ()
  return
}
// -----
// (collective_reduce C3)
func.func @collective_reduce_c3_4(%a0: tensor<4x8xf32>, %a1: tensor<1x1xi32>) {
  // expected-error @+1 {{expected roots of type tensor<1xi32> as the last operand, got 'tensor<1x1xi32>'}}
  %0 = "stablehlo.collective_reduce"(%a0, %a1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root} : (tensor<4x8xf32>, tensor<1x1xi32>) -> tensor<4x8xf32>
  return
}
// -----
// (collective_reduce C4)
func.func @collective_reduce_c4(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected computation of 2 arguments, got 1}}
  %0 = "stablehlo.collective_reduce"(%a0) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// (collective_reduce C4)
func.func @collective_reduce_c4_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = "stablehlo.collective_reduce"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf64>
  return
}
// -----
func.func @cross_replica_sum(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected results #0 of type 'tensor<4x8xf32>', got 'tensor<8xf32>'}}
  %0 = "stablehlo.cross-replica-sum"(%a0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<8xf32>
  return
}
// -----
func.func @partition_id() {
  // expected-error @+1 {{expected result of rank 0, got 'tensor<1xui32>'}}
  %0 = "stablehlo.partition_id"() {} : () -> tensor<1xui32>
  return
}
// -----
func.func @replica_id() {
  // expected-error @+1 {{expected result of rank 0, got 'tensor<1xui32>'}}
  %0 = "stablehlo.replica_id"() {} : () -> tensor<1xui32>
  return
}
// -----
// (infeed C1)
func.func @infeed_c1(%a0: !stablehlo.token) {
  // expected-error @+1 {{expected at least one result, got none}}
  "stablehlo.infeed"(%a0) {infeed_config = ""} : (!stablehlo.token) -> ()
  return
}
// -----
// (infeed C2)
func.func @infeed_c2(%a0: !stablehlo.token) {
  // expected-error @+1 {{expected tensors before the last result, got '!stablehlo.token'}}
  %0:2 = "stablehlo.infeed"(%a0) {infeed_config = ""} : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}
// -----
// (infeed C3)
func.func @infeed_c3(%a0: !stablehlo.token) {
  // expected-error @+1 {{expected a token as the last result, got 'tensor<4x8xf32>'}}
  %0 = "stablehlo.infeed"(%a0) {infeed_config = ""} : (!stablehlo.token) -> tensor<4x8xf32>
  return
}
// -----
func.func @infeed(%a0: !stablehlo.token) {
  // expected-error @+1 {{expected layout of length 1, got 2}}
  %0:2 = "stablehlo.infeed"(%a0) {infeed_config = "", layout = [[0, 1], [0]]} : (!stablehlo.token) -> (tensor<4x8xf32>, !stablehlo.token)
  return
}
// -----
func.func @infeed_2(%a0: !stablehlo.token) {
  // expected-error @+1 {{expected a layout that is a list of integers, got ["a"]}}
  %0:2 = "stablehlo.infeed"(%a0) {infeed_config = "", layout = [["a"]]} : (!stablehlo.token) -> (tensor<4x8xf32>, !stablehlo.token)
  return
}
// -----
// (send C1)
func.func @send_c1(%a0: tensor<4x8xf32>, %a1: !stablehlo.token) {
  // expected-error @+1 {{expected source_target_pairs of shape [N, 2], got}}
  %0 = "stablehlo.send"(%a0, %a1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<4x8xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
// (send C2)
func.func @send_c2(%a0: tensor<4x8xf32>, %a1: !stablehlo.token) {
  // expected-error @+1 {{expected sources without repetition, got 0 twice}}
  %0 = "stablehlo.send"(%a0, %a1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>} : (tensor<4x8xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
// (send C3)
func.func @send_c3(%a0: tensor<4x8xf32>, %a1: !stablehlo.token) {
  // expected-error @+1 {{expected targets without repetition, got 9223372036854775807 twice}}
  %0 = "stablehlo.send"(%a0, %a1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 9223372036854775807], [1, 9223372036854775807]]> : tensor<2x2xi64>} : (tensor<4x8xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
// (send C4)
func.func @send_c4(%a0: tensor<4x8xf32>, %a1: !stablehlo.token) {
  // expected-error @+1 {{expected source_target_pairs of at least 0, got -9223372036854775808}}
  %0 = "stablehlo.send"(%a0, %a1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[-9223372036854775808, 1]]> : tensor<1x2xi64>} : (tensor<4x8xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
// (send C5)
func.func @send_c5(%a0: tensor<4x8xf32>, %a1: !stablehlo.token) {
  // expected-error @+1 {{expected a channel of type 1, device to device, where is_host_transfer is false, got 2}}
  %0 = "stablehlo.send"(%a0, %a1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>} : (tensor<4x8xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
// (recv C1)
func.func @recv_c1(%a0: !stablehlo.token) {
  // expected-error @+1 {{expected source_target_pairs of shape [N, 2], got}}
  %0:2 = "stablehlo.recv"(%a0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (!stablehlo.token) -> (tensor<4x8xf32>, !stablehlo.token)
  return
}
// -----
// (recv C2)
func.func @recv_c2(%a0: !stablehlo.token) {
  // expected-error @+1 {{expected sources without repetition, got 0 twice}}
  %0:2 = "stablehlo.recv"(%a0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>} : (!stablehlo.token) -> (tensor<4x8xf32>, !stablehlo.token)
  return
}
// -----
// (recv C3)
func.func @recv_c3(%a0: !stablehlo.token) {
  // expected-error @+1 {{expected targets without repetition, got 9223372036854775807 twice}}
  %0:2 = "stablehlo.recv"(%a0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 9223372036854775807], [1, 9223372036854775807]]> : tensor<2x2xi64>} : (!stablehlo.token) -> (tensor<4x8xf32>, !stablehlo.token)
  return
}
// -----
// (recv C4)
func.func @recv_c4(%a0: !stablehlo.token) {
  // expected-error @+1 {{expected source_target_pairs of at least 0, got -9223372036854775808}}
  %0:2 = "stablehlo.recv"(%a0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[-9223372036854775808, 1]]> : tensor<1x2xi64>} : (!stablehlo.token) -> (tensor<4x8xf32>, !stablehlo.token)
  return
}
// -----
// (recv C5)
func.func @recv_c5(%a0: !stablehlo.token) {
  // expected-error @+1 {{expected a channel of type 1, device to device, where is_host_transfer is false, got 2}}
  %0:2 = "stablehlo.recv"(%a0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>} : (!stablehlo.token) -> (tensor<4x8xf32>, !stablehlo.token)
  return
}
// -----
// (send C5)
func.func @send_c5_2(%a0: tensor<4x8xf32>, %a1: !stablehlo.token) {
  // expected-error @+1 {{expected a channel of type 2, device to host, where is_host_transfer is true, got 3}}
  %0 = "stablehlo.send"(%a0, %a1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (tensor<4x8xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
// (recv C5)
func.func @recv_c5_2(%a0: !stablehlo.token) {
  // expected-error @+1 {{expected a channel of type 3, host to device, where is_host_transfer is true, got 1}}
  %0:2 = "stablehlo.recv"(%a0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<4x8xf32>, !stablehlo.token)
  return
}
// -----
func.func @recv(%a0: !stablehlo.token) {
  // expected-error @+1 {{expected at least one result, got none}}
  "stablehlo.recv"(%a0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> ()
  return
}
// -----
func.func @recv_2(%a0: !stablehlo.token) {
  // expected-error @+1 {{expected tensors before the last result, got '!stablehlo.token'}}
  %0:2 = "stablehlo.recv"(%a0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}
// -----
func.func @recv_3(%a0: !stablehlo.token) {
  // expected-error @+1 {{expected a token as the last result, got 'tensor<4x8xf32>'}}
  %0 = "stablehlo.recv"(%a0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> tensor<4x8xf32>
  return
}
// -----
func.func @all_gather_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups over a mesh of this module, got @nowhere}}
  %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @nowhere, axes = [#stablehlo.axis_ref<name = "a">]>} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @all_reduce(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups over a mesh of this module, got @nowhere}}
  %0 = "stablehlo.all_reduce"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @nowhere, axes = [#stablehlo.axis_ref<name = "a">]>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @reduce_scatter(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups over a mesh of this module, got @nowhere}}
  %0 = "stablehlo.reduce_scatter"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @nowhere, axes = [#stablehlo.axis_ref<name = "a">]>} : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @all_to_all(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups over a mesh of this module, got @nowhere}}
  %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @nowhere, axes = [#stablehlo.axis_ref<name = "a">]>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @collective_broadcast(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups over a mesh of this module, got @nowhere}}
  %0 = "stablehlo.collective_broadcast"(%a0) {replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @nowhere, axes = [#stablehlo.axis_ref<name = "a">]>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @collective_reduce_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected replica_groups over a mesh of this module, got @nowhere}}
  %0 = "stablehlo.collective_reduce"(%a0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @nowhere, axes = [#stablehlo.axis_ref<name = "a">]>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
