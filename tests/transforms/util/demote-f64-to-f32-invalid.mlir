// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --iree-util-demote-f64-to-f32 --verify-diagnostics

func.func @bits_of(%x: f64) -> i64 {
  // expected-error @+1 {{expected no f64 in a cast of bits, got 'f64' to 'i64'}}
  %0 = arith.bitcast %x : f64 to i64
  return %0 : i64
}
// -----
func.func @of_bits(%x: tensor<4xi64>) -> tensor<4xf64> {
  // expected-error @+1 {{expected no f64 in a cast of bits, got 'tensor<4xi64>' to 'tensor<4xf64>'}}
  %0 = tensor.bitcast %x : tensor<4xi64> to tensor<4xf64>
  return %0 : tensor<4xf64>
}
// -----
func.func @of_pairs(%x: tensor<4x2xi32>) -> tensor<4xf64> {
  // expected-error @+1 {{expected no f64 in a cast of bits}}
  %0 = stablehlo.bitcast_convert %x : (tensor<4x2xi32>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
// -----
func.func @no_data() -> tensor<3xf64> {
  // expected-error @+1 {{expected the values of a constant of type tensor<3xf64>, got dense_resource<elsewhere> : tensor<3xf64>}}
  %0 = arith.constant dense_resource<elsewhere> : tensor<3xf64>
  return %0 : tensor<3xf64>
}
