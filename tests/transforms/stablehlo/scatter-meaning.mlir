// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Scatter. The meaning is the same after lowering.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s
// RUN: mercator conformance --through=flow %s

func.func @in_order() {
  %x0 = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %i = stablehlo.constant dense<[0, 2, 0, 1]> : tensor<4xi32>
  %u0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.subtract %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<3xi32>, tensor<4xi32>, tensor<4xi32>) -> (tensor<3xi32>)
  check.expect_eq_const %0, dense<[6, 16, 28]> : tensor<3xi32>
  return
}

func.func @last_counts() {
  %x0 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %i = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %u0 = stablehlo.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true, indices_are_sorted = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<3xf32>, tensor<2xi64>, tensor<2xf32>) -> (tensor<3xf32>)
  check.expect_eq_const %0, dense<[1.0, 6.0, 3.0]> : tensor<3xf32>
  return
}

// Such updates are skipped.
func.func @out_of_bounds() {
  %x0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %i = stablehlo.constant dense<[-1, 3, 1, 9223372036854775807]> : tensor<4xi64>
  %u0 = stablehlo.constant dense<[10, 20, 30, 40]> : tensor<4xi32>
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<3xi32>, tensor<4xi64>, tensor<4xi32>) -> (tensor<3xi32>)
  check.expect_eq_const %0, dense<[1, 32, 3]> : tensor<3xi32>
  return
}

func.func @unsigned_index() {
  %x0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %i = stablehlo.constant dense<[255, 2, 128]> : tensor<3xui8>
  %u0 = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<3xi32>, tensor<3xui8>, tensor<3xi32>) -> (tensor<3xi32>)
  check.expect_eq_const %0, dense<[1, 2, 23]> : tensor<3xi32>
  return
}

// Each element of a window is skipped by itself.
func.func @partly_out_of_bounds() {
  %x0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %i = stablehlo.constant dense<[[1, 2], [0, 1]]> : tensor<2x2xi32>
  %u0 = stablehlo.constant dense<[[[10, 20], [30, 40]], [[50, 60], [70, 80]]]> : tensor<2x2x2xi32>
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<2x2xi32>, tensor<2x2x2xi32>) -> (tensor<2x3xi32>)
  check.expect_eq_const %0, dense<[[1, 52, 63], [4, 75, 96]]> : tensor<2x3xi32>
  return
}

// The index vectors are along dimension 0; the window comes first.
func.func @window_first() {
  %x0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %i = stablehlo.constant dense<[[2, 0]]> : tensor<1x2xi32>
  %u0 = stablehlo.constant dense<[[10, 30], [20, 40]]> : tensor<2x2xi32>
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<1x2xi32>, tensor<2x2xi32>) -> (tensor<2x3xi32>)
  check.expect_eq_const %0, dense<[[31, 2, 13], [44, 5, 26]]> : tensor<2x3xi32>
  return
}

func.func @batches() {
  %x0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %i = stablehlo.constant dense<[[0, 2], [1, 1]]> : tensor<2x2xi32>
  %u0 = stablehlo.constant dense<[[10, 20], [30, 40]]> : tensor<2x2xi32>
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<2x2xi32>, tensor<2x2xi32>) -> (tensor<2x3xi32>)
  check.expect_eq_const %0, dense<[[11, 2, 23], [4, 75, 6]]> : tensor<2x3xi32>
  return
}

func.func @two_operands() {
  %x0 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi32>
  %x1 = stablehlo.constant dense<[1.0, 1.0, 1.0]> : tensor<3xf32>
  %i = stablehlo.constant dense<[2, 0, 2]> : tensor<3xi32>
  %u0 = stablehlo.constant dense<[7, 8, 9]> : tensor<3xi32>
  %u1 = stablehlo.constant dense<[3.0, 0.0, 2.0]> : tensor<3xf32>
  %0:2 = "stablehlo.scatter"(%x0, %x1, %i, %u0, %u1) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<f32>):
    %g = stablehlo.compare GT, %d, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = stablehlo.select %g, %c, %a : tensor<i1>, tensor<i32>
    %w = stablehlo.maximum %b, %d : tensor<f32>
    stablehlo.return %v, %w : tensor<i32>, tensor<f32>
  }) : (tensor<3xi32>, tensor<3xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xf32>) -> (tensor<3xi32>, tensor<3xf32>)
  check.expect_eq_const %0#0, dense<[0, 1, 7]> : tensor<3xi32>
  check.expect_eq_const %0#1, dense<[1.0, 1.0, 3.0]> : tensor<3xf32>
  return
}

// The body has a wider type than the operands.
func.func @wider() {
  %x0 = stablehlo.constant dense<[100, 100]> : tensor<2xi8>
  %i = stablehlo.constant dense<[0, 1, 0]> : tensor<3xi32>
  %u0 = stablehlo.constant dense<[100, 50, 100]> : tensor<3xi8>
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<2xi8>, tensor<3xi32>, tensor<3xi8>) -> (tensor<2xi32>)
  check.expect_eq_const %0, dense<[300, 150]> : tensor<2xi32>
  return
}

func.func @no_updates() {
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %i = stablehlo.constant dense<[]> : tensor<0xi32>
  %u0 = stablehlo.constant dense<[]> : tensor<0xi32>
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<2xi32>, tensor<0xi32>, tensor<0xi32>) -> (tensor<2xi32>)
  check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi32>
  return
}

func.func @no_operand() {
  %x0 = stablehlo.constant dense<[]> : tensor<0xi32>
  %i = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %u0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<0xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<0xi32>)
  check.expect_eq_const %0, dense<> : tensor<0xi32>
  return
}

// One window without an index.
func.func @whole() {
  %x0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %i = stablehlo.constant dense<[]> : tensor<0xi32>
  %u0 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %0 = "stablehlo.scatter"(%x0, %i, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], index_vector_dim = 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<2x2xi32>, tensor<0xi32>, tensor<2x2xi32>) -> (tensor<2x2xi32>)
  check.expect_eq_const %0, dense<[[6, 8], [10, 12]]> : tensor<2x2xi32>
  return
}

func.func private @unknown_extents_of(%x: tensor<?xi32>, %y: tensor<?xi32>, %z: tensor<?xi32>) -> (tensor<?xi32>) {
  %0 = "stablehlo.scatter"(%x, %y, %z) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func @unknown_extents() {
  %c0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %d0 = tensor.cast %c0 : tensor<3xi32> to tensor<?xi32>
  %c1 = stablehlo.constant dense<[2, 0, 5, 2]> : tensor<4xi32>
  %d1 = tensor.cast %c1 : tensor<4xi32> to tensor<?xi32>
  %c2 = stablehlo.constant dense<[10, 20, 30, 40]> : tensor<4xi32>
  %d2 = tensor.cast %c2 : tensor<4xi32> to tensor<?xi32>
  %r = func.call @unknown_extents_of(%d0, %d1, %d2) : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> (tensor<?xi32>)
  %s0 = tensor.cast %r : tensor<?xi32> to tensor<3xi32>
  check.expect_eq_const %s0, dense<[21, 2, 53]> : tensor<3xi32>
  return
}
