// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Linear algebra and Fourier transforms become calls of library functions.
// RUN: mercator-opt %s --stablehlo-legalize-to-linalg --split-input-file | FileCheck %s

// Declarations of different types have different names.
// CHECK-LABEL: func.func @cholesky
// CHECK:         %[[LOWER:.*]] = arith.constant 1 : i64
// CHECK:         call @mercator_cholesky(%{{.*}}, %{{.*}}, %[[LOWER]])
// CHECK:         call @mercator_cholesky.1(
// CHECK:         call @mercator_cholesky(
// CHECK:       func.func private @mercator_cholesky(tensor<2x3x3xf32>, tensor<2x3x3xf32>, i64) -> tensor<2x3x3xf32>
// CHECK:       func.func private @mercator_cholesky.1(tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, i64) -> tensor<3x3xcomplex<f64>>
// CHECK-NOT:   func.func private
func.func @cholesky(%a: tensor<2x3x3xf32>, %b: tensor<3x3xcomplex<f64>>) -> (tensor<2x3x3xf32>, tensor<3x3xcomplex<f64>>, tensor<2x3x3xf32>) {
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %1 = "stablehlo.cholesky"(%b) {lower = false} : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
  %2 = "stablehlo.cholesky"(%0) {lower = true} : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  return %0, %1, %2 : tensor<2x3x3xf32>, tensor<3x3xcomplex<f64>>, tensor<2x3x3xf32>
}

// -----

// Narrow floats are computed in f32; dynamic extents come from the operand.
// CHECK-LABEL: func.func @narrow
// CHECK-DAG:     %[[DIM:.*]] = tensor.dim %{{.*}}, %c0
// CHECK:         arith.extf {{.*}} : bf16 to f32
// CHECK:         %[[TO:.*]] = tensor.empty(%[[DIM]]) : tensor<?x4x4xf32>
// CHECK:         call @mercator_cholesky(%{{.*}}, %[[TO]], %{{.*}}) : (tensor<?x4x4xf32>, tensor<?x4x4xf32>, i64) -> tensor<?x4x4xf32>
// CHECK:         arith.truncf {{.*}} : f32 to bf16
func.func @narrow(%a: tensor<?x4x4xbf16>) -> tensor<?x4x4xbf16> {
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<?x4x4xbf16>) -> tensor<?x4x4xbf16>
  return %0 : tensor<?x4x4xbf16>
}

// -----

// The flags are characters: right, upper, adjoint, unit.
// CHECK-LABEL: func.func @solve
// CHECK-DAG:     %[[SIDE:.*]] = arith.constant 82 : i64
// CHECK-DAG:     %[[UPLO:.*]] = arith.constant 85 : i64
// CHECK-DAG:     %[[TRANS:.*]] = arith.constant 67 : i64
// CHECK-DAG:     %[[DIAG:.*]] = arith.constant 85 : i64
// CHECK:         call @mercator_trsm(%arg0, %arg1, %{{.*}}, %[[SIDE]], %{{.*}}, %[[TRANS]], %{{.*}})
func.func @solve(%a: tensor<2x4x4xf64>, %b: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = false, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<2x4x4xf64>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
  return %0 : tensor<2x3x4xf64>
}

// -----

// CHECK-LABEL: func.func @fourier
// CHECK:         %[[TO:.*]] = tensor.empty() : tensor<2x5x5xcomplex<f32>>
// CHECK:         %[[COUNT:.*]] = arith.constant 2 : i64
// CHECK:         %[[HALF:.*]] = call @mercator_rfft(%arg0, %[[TO]], %[[COUNT]])
// CHECK:         call @mercator_irfft(%[[HALF]], %{{.*}}, %{{.*}}) : (tensor<2x5x5xcomplex<f32>>, tensor<2x5x8xf32>, i64) -> tensor<2x5x8xf32>
func.func @fourier(%a: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 5, 8>} : (tensor<2x5x8xf32>) -> tensor<2x5x5xcomplex<f32>>
  %1 = "stablehlo.fft"(%0) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 5, 8>} : (tensor<2x5x5xcomplex<f32>>) -> tensor<2x5x8xf32>
  return %1 : tensor<2x5x8xf32>
}
