// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A ragged_dot reads the matrix of its group; its legalization multiplies with
// those of all groups and masks the products. The groups of @constant are known,
// and those of @narrow cover at most one row: the matrices that they leave out
// are read after the pass.

// RUN: mercator-opt %s --split-input-file --chlo-legalize-to-stablehlo --verify-maps -o /dev/null 2>&1 | FileCheck %s
// CHECK: maps: 9 proved, 0 not refuted, 0 refuted, 0 not compared

func.func @constant(%a: tensor<2x3xf32>, %b: tensor<2x3x4xf32>) -> tensor<2x4xf32> {
  %g = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<2x3x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

func.func @narrow(%a: tensor<2x3xf32>, %b: tensor<1x3x4xf32>, %g: tensor<1xi2>) -> tensor<2x4xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<1x3x4xf32>, tensor<1xi2>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

func.func @contracted(%a: tensor<2x8xf32>, %b: tensor<8x4xf32>) -> tensor<2x2x4xf32> {
  %g = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}> : (tensor<2x8xf32>, tensor<8x4xf32>, tensor<2xi32>) -> tensor<2x2x4xf32>
  return %0 : tensor<2x2x4xf32>
}

func.func @batches(%a: tensor<2x5x8xf32>, %b: tensor<2x8x4xf32>, %g: tensor<2xi32>) -> tensor<2x5x4xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>}> : (tensor<2x5x8xf32>, tensor<2x8x4xf32>, tensor<2xi32>) -> tensor<2x5x4xf32>
  return %0 : tensor<2x5x4xf32>
}
