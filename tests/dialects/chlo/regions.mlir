// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each function is printed as written here; its generic form means the same.
// RUN: mercator-opt %s | FileCheck %s
// RUN: mercator-opt %s --mlir-print-op-generic | mercator-opt | FileCheck %s

// CHECK-LABEL: func @top_k
func.func @top_k(%x: tensor<?x8xbf16>) {
  // CHECK: chlo.top_k(%{{.*}}, k = 3) : tensor<?x8xbf16> -> (tensor<?x3xbf16>, tensor<?x3xi32>)
  %0:2 = chlo.top_k(%x, k=3) : tensor<?x8xbf16> -> (tensor<?x3xbf16>, tensor<?x3xi32>)
  // CHECK: chlo.top_k(%{{.*}}, k = 0, is_stable = false) {note = "n"} : tensor<?x8xbf16>
  %1:2 = chlo.top_k(%x, k = 0, is_stable = false) {note = "n"} : tensor<?x8xbf16> -> (tensor<?x0xbf16>, tensor<?x0xi32>)
  return
}

// CHECK-LABEL: func @scan
func.func @scan(%x: tensor<2x3xf32>, %i: tensor<2x3xi8>, %c: tensor<2xf32>) {
  // CHECK: chlo.scan(%{{.*}}) inits (%{{.*}}) dimension=1 {
  // CHECK-NEXT: ^bb0(%[[I:.*]]: tensor<2xf32>, %[[C:.*]]: tensor<2xf32>):
  // CHECK: } : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
  %0:2 = chlo.scan(%x) inits(%c) dimension = 1 {
  ^bb0(%input: tensor<2xf32>, %carry: tensor<2xf32>):
    %s = stablehlo.add %input, %carry : tensor<2xf32>
    stablehlo.return %s, %s : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
  // CHECK: chlo.scan(%{{.*}}, %{{.*}}) inits () dimension=1 attributes {is_associative = true, is_reverse = true, note = "n"} {
  // CHECK: } : (tensor<2x3xf32>, tensor<2x3xi8>) -> tensor<2x3xi8>
  %1 = chlo.scan(%x, %i) inits() dimension = 1 attributes {is_reverse = true, is_associative = true, note = "n"} {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xi8>):
    stablehlo.return %b : tensor<2xi8>
  } : (tensor<2x3xf32>, tensor<2x3xi8>) -> tensor<2x3xi8>
  // CHECK: chlo.scan() inits (%{{.*}}) dimension=0 attributes {scan_dim_size = 5 : i64} {
  %2:2 = chlo.scan() inits(%c) dimension = 0 attributes {scan_dim_size = 5 : i64} {
  ^bb0(%a: tensor<2xf32>):
    stablehlo.return %a, %a : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2xf32>) -> (tensor<5x2xf32>, tensor<2xf32>)
  return
}

// CHECK-LABEL: func @ragged_dot
func.func @ragged_dot(%lhs: tensor<2x11x5xf32>, %rhs: tensor<3x2x5x7xf32>, %sizes: tensor<3xi64>) {
  // CHECK: "chlo.ragged_dot"(%{{.*}}) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision HIGHEST>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}>
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {
    precision_config = [#chlo<precision DEFAULT>, #chlo<precision HIGHEST>],
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      rhs_group_dimensions = [0], lhs_ragged_dimensions = [1],
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],>
  } : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// CHECK-LABEL: func @ragged_dot_modes
func.func @ragged_dot_modes(%lhs: tensor<3x11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<4xi64>, %each: tensor<3x4xi64>) {
  // CHECK: lhs_ragged_dimensions = [2]>
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %each) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [2], rhs_group_dimensions = []>
  } : (tensor<3x11x5xf32>, tensor<3x5x7xf32>, tensor<3x4xi64>) -> tensor<4x3x11x7xf32>
  // CHECK: lhs_ragged_dimensions = [0]>
  %1 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0]>
  } : (tensor<3x11x5xf32>, tensor<3x5x7xf32>, tensor<4xi64>) -> tensor<3x11x7xf32>
  return
}

// A slice in a step lacks the dimension and its bound.
// CHECK-LABEL: func @scan_bounded
func.func @scan_bounded(%x: tensor<4x?xf32, #stablehlo.bounds<?, 9>>, %i: tensor<?xf32, #stablehlo.bounds<9>>) {
  // CHECK: chlo.scan(%{{.*}}) inits (%{{.*}}) dimension=0
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<?xf32, #stablehlo.bounds<9>>, %{{.*}}: tensor<?xf32, #stablehlo.bounds<9>>):
  %s, %t = chlo.scan(%x) inits (%i) dimension=0 {
  ^bb0(%a: tensor<?xf32, #stablehlo.bounds<9>>, %c: tensor<?xf32, #stablehlo.bounds<9>>):
    stablehlo.return %a, %c : tensor<?xf32, #stablehlo.bounds<9>>, tensor<?xf32, #stablehlo.bounds<9>>
  } : (tensor<4x?xf32, #stablehlo.bounds<?, 9>>, tensor<?xf32, #stablehlo.bounds<9>>) -> (tensor<4x?xf32, #stablehlo.bounds<?, 9>>, tensor<?xf32, #stablehlo.bounds<9>>)
  return
}
