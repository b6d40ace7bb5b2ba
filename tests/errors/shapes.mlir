// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Shapes that the types leave open, and that do not fit when the program runs.

// RUN: %exits 1 mercator run --reference %s --function=add --input='dense<1.0> : tensor<2x3xf32>' --input='dense<1.0> : tensor<4x5xf32>' 2>&1 | FileCheck %s --check-prefix=ADD
// ADD: shapes.mlir:{{[0-9]+}}:8: error: 'stablehlo.add' op expected operands of the same shape, got 'tensor<4x5xf32>' and 'tensor<2x3xf32>'
func.func @add(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// RUN: %exits 1 mercator run --reference %s --function=dot_general --input='dense<1.0> : tensor<2x3xf32>' --input='dense<1.0> : tensor<4x5xf32>' 2>&1 | FileCheck %s --check-prefix=DOT_GENERAL
// DOT_GENERAL: shapes.mlir:{{[0-9]+}}:8: error: 'stablehlo.dot_general' op expected paired dimensions of the same extent, got 3 and 4
func.func @dot_general(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// RUN: %exits 1 mercator run --reference %s --function=concatenate --input='dense<1.0> : tensor<2x3xf32>' --input='dense<1.0> : tensor<4x5xf32>' 2>&1 | FileCheck %s --check-prefix=CONCATENATE
// CONCATENATE: shapes.mlir:{{[0-9]+}}:8: error: 'stablehlo.concatenate' op expected inputs of the same shape except for dimension 0
func.func @concatenate(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// RUN: %exits 1 mercator run --reference %s --function=select --input='dense<1.0> : tensor<2x3xf32>' --input='dense<true> : tensor<2x3xi1>' --input='dense<1.0> : tensor<4x5xf32>' 2>&1 | FileCheck %s --check-prefix=SELECT
// SELECT: shapes.mlir:{{[0-9]+}}:8: error: 'stablehlo.select' op expected operands of the same shape
func.func @select(%x: tensor<?x?xf32>, %p: tensor<?x?xi1>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.select %p, %x, %y : tensor<?x?xi1>, tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// RUN: %exits 1 mercator run --reference %s --function=batch_norm --input='dense<1.0> : tensor<2x3xf32>' --input='dense<1.0> : tensor<2xf32>' 2>&1 | FileCheck %s --check-prefix=BATCH_NORM
// BATCH_NORM: shapes.mlir:{{[0-9]+}}:8: error: 'stablehlo.batch_norm_inference' op expected feature vector of type 'tensor<3xf32>', got 'tensor<2xf32>'
func.func @batch_norm(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = "stablehlo.batch_norm_inference"(%x, %y, %y, %y, %y) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// RUN: %exits 1 mercator run --reference %s --function=cholesky --input='dense<1.0> : tensor<2x3xf32>' 2>&1 | FileCheck %s --check-prefix=CHOLESKY
// CHOLESKY: shapes.mlir:{{[0-9]+}}:8: error: 'stablehlo.cholesky' op expected square matrices, got 'tensor<2x3xf32>'
func.func @cholesky(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.cholesky %x, lower = true : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// RUN: %exits 1 mercator run --reference %s --function=triangular_solve --input='dense<1.0> : tensor<3x3xf32>' --input='dense<1.0> : tensor<4x5xf32>' 2>&1 | FileCheck %s --check-prefix=TRIANGULAR_SOLVE
// TRIANGULAR_SOLVE: shapes.mlir:{{[0-9]+}}:8: error: 'stablehlo.triangular_solve' op expected a and b that fit, got 'tensor<3x3xf32>' and 'tensor<4x5xf32>'
func.func @triangular_solve(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = "stablehlo.triangular_solve"(%x, %y) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// RUN: %exits 1 mercator run --reference %s --function=dynamic_slice --input='dense<1.0> : tensor<2x3xf32>' --input='dense<1> : tensor<i32>' 2>&1 | FileCheck %s --check-prefix=DYNAMIC_SLICE
// DYNAMIC_SLICE: shapes.mlir:{{[0-9]+}}:8: error: 'stablehlo.dynamic_slice' op expected a window of at most 2 in dimension 0, got 3
func.func @dynamic_slice(%x: tensor<?x?xf32>, %i: tensor<i32>) -> tensor<3x1xf32> {
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [3, 1] : (tensor<?x?xf32>, tensor<i32>, tensor<i32>) -> tensor<3x1xf32>
  return %0 : tensor<3x1xf32>
}

// RUN: %exits 1 mercator run --reference %s --function=dynamic_update_slice --input='dense<1.0> : tensor<2x3xf32>' --input='dense<1.0> : tensor<4x5xf32>' --input='dense<1> : tensor<i32>' 2>&1 | FileCheck %s --check-prefix=DYNAMIC_UPDATE_SLICE
// DYNAMIC_UPDATE_SLICE: shapes.mlir:{{[0-9]+}}:8: error: 'stablehlo.dynamic_update_slice' op expected a window of at most 2 in dimension 0, got 4
func.func @dynamic_update_slice(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %i: tensor<i32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_update_slice %x, %y, %i, %i : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<i32>, tensor<i32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// RUN: %exits 1 mercator run --reference %s --function=scatter --input='dense<1.0> : tensor<2x3xf32>' --input='dense<1> : tensor<3x1xi32>' --input='dense<1.0> : tensor<4x5xf32>' 2>&1 | FileCheck %s --check-prefix=SCATTER
// SCATTER: shapes.mlir:{{[0-9]+}}:8: error: 'stablehlo.scatter' op expected updates with the shape of the indices and of a window
func.func @scatter(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %u: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<?x?xf32>, tensor<?x1xi32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// RUN: %exits 1 mercator run --reference %s --function=fft --input='dense<1.0> : tensor<4x5xf32>' 2>&1 | FileCheck %s --check-prefix=FFT
// FFT: shapes.mlir:{{[0-9]+}}:8: error: 'stablehlo.fft' op expected operand of type 'tensor<4x6xf32>', got 'tensor<4x5xf32>'
func.func @fft(%x: tensor<?x?xf32>) -> tensor<?x?xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = RFFT, length = [6] : (tensor<?x?xf32>) -> tensor<?x?xcomplex<f32>>
  return %0 : tensor<?x?xcomplex<f32>>
}

// RUN: %exits 1 mercator run --reference %s --function=convolution --input='dense<1.0> : tensor<2x5x3xf32>' --input='dense<1.0> : tensor<2x3x3xf32>' 2>&1 | FileCheck %s --check-prefix=CONVOLUTION
// CONVOLUTION: shapes.mlir:{{[0-9]+}}:8: error: 'stablehlo.convolution' op expected batch and features divisible by the group counts
func.func @convolution(%x: tensor<?x?x?xf32>, %k: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// RUN: %exits 1 mercator run --reference %s --function=select_and_scatter --input='dense<1.0> : tensor<2x3xf32>' --input='dense<1.0> : tensor<4x5xf32>' 2>&1 | FileCheck %s --check-prefix=SELECT_AND_SCATTER
// SELECT_AND_SCATTER: shapes.mlir:{{[0-9]+}}:8: error: 'stablehlo.select_and_scatter' op expected source of type 'tensor<1x2xf32>'
func.func @select_and_scatter(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %y, %z) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// RUN: %exits 1 mercator run --reference %s --function=map --input='dense<1.0> : tensor<2x3xf32>' --input='dense<1.0> : tensor<4x5xf32>' 2>&1 | FileCheck %s --check-prefix=MAP
// MAP: shapes.mlir:{{[0-9]+}}:8: error: 'stablehlo.map' op expected input of type 'tensor<2x3xf32>'
func.func @map(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A slice of nothing has no element to give.
// RUN: %exits 1 mercator run --reference %s --function=gather_nothing --input='dense<1.0> : tensor<10x4xf32>' --input='dense<12> : tensor<3x1xi32>' 2>&1 | FileCheck %s --check-prefix=GATHER_NOTHING
// GATHER_NOTHING: shapes.mlir:{{[0-9]+}}:8: error: 'stablehlo.gather' op expected slice size 0 to be 1 for a result with elements, got 0
func.func @gather_nothing(%x: tensor<10x4xf32>, %i: tensor<3x1xi32>) -> tensor<3x4xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 0, 4>}> : (tensor<10x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
