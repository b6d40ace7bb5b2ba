// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Mistakes that verifiers do not see, because an operand is not a constant
// before it is lowered.
// RUN: mercator-opt %s --split-input-file --stablehlo-legalize-to-linalg --verify-diagnostics

func.func @too_many_elements(%x: tensor<2x3xf32>) -> tensor<?x?xf32> {
  %c = stablehlo.constant dense<3> : tensor<2xi32>
  %s = stablehlo.slice %c [0:2] : (tensor<2xi32>) -> tensor<2xi32>
  // expected-error @+1 {{expected a shape of 6 elements, got 9}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// -----
func.func @negative() -> tensor<?xf32> {
  %c = stablehlo.constant dense<-3> : tensor<1xi32>
  %s = stablehlo.slice %c [0:1] : (tensor<1xi32>) -> tensor<1xi32>
  // expected-error @+1 {{expected extents of at least 0}}
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
func.func @slice(%x: tensor<5xf32>) -> tensor<?xf32> {
  %a = stablehlo.constant dense<4> : tensor<1xi32>
  %e = stablehlo.constant dense<9> : tensor<1xi32>
  %d = stablehlo.constant dense<1> : tensor<1xi32>
  // expected-error @+1 {{the slice is not within dimension 0}}
  %0 = stablehlo.real_dynamic_slice %x, %a, %e, %d : (tensor<5xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
func.func @pad(%x: tensor<?xf32>, %p: tensor<f32>) -> tensor<?xf32> {
  %l = stablehlo.constant dense<-9223372036854775808> : tensor<1xi64>
  %h = stablehlo.constant dense<9223372036854775807> : tensor<1xi64>
  // expected-error @+1 {{the padding of dimension 0 is out of range}}
  %0 = stablehlo.dynamic_pad %x, %p, %l, %h, %h : (tensor<?xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
func.func @gather(%x: tensor<0x3xf32>, %i: tensor<2xi32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{a slice has no elements in dimension 0}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 0, 3>}> : (tensor<0x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
func.func @size(%x: tensor<4xf32>) -> tensor<?xf32, #stablehlo.bounds<4>> {
  %n = stablehlo.constant dense<9> : tensor<i32>
  // expected-error @+1 {{the size is not within the operand}}
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return %0 : tensor<?xf32, #stablehlo.bounds<4>>
}
// -----
func.func @unknown(%x: tensor<f32>) -> tensor<3x?xf32, #stablehlo.bounds<?, 4>> {
  // expected-error @+1 {{an extent of the result is not known}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<3x?xf32, #stablehlo.bounds<?, 4>>
  return %0 : tensor<3x?xf32, #stablehlo.bounds<?, 4>>
}
