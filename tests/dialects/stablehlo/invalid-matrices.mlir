// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints of cholesky, triangular_solve, fft and the batch norms: for each
// constraint of the specification a program that violates only this one.

// RUN: mercator-opt %s --split-input-file --verify-diagnostics

// (cholesky C1)
func.func @cholesky_c1(%a: tensor<2x3x3xf32>) {
  // expected-error @+1 {{expected result of shape [2, 3, 3], got [1, 3, 3]}}
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<2x3x3xf32>) -> tensor<1x3x3xf32>
  return
}
// -----
// (cholesky C1)
func.func @cholesky_c1_2(%a: tensor<2x3x3xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<2x3x3xf32>) -> tensor<2x3x3xf64>
  return
}
// -----
// (cholesky C2)
func.func @cholesky_c2(%a: tensor<3xf32>) {
  // expected-error @+1 {{expected a of rank 2 or more, got 'tensor<3xf32>'}}
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<3xf32>) -> tensor<3xf32>
  return
}
// -----
// (cholesky C3)
func.func @cholesky_c3(%a: tensor<3x4xf32>) {
  // expected-error @+1 {{expected a of square matrices, got 'tensor<3x4xf32>'}}
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}
// -----
// (triangular_solve C1)
func.func @triangular_solve_c1(%a: tensor<2x3x3xf32>, %b: tensor<2x3x4xf64>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x3x3xf32>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
  return
}
// -----
// (triangular_solve C1)
func.func @triangular_solve_c1_2(%a: tensor<2x3x3x!quant.uniform<i8:f32, 1.0>>, %b: tensor<2x3x4xf32>) {
  // expected-error @+1 {{expected b of element type '!quant.uniform<i8:f32, 1.000000e+00>', got 'f32'}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x3x3x!quant.uniform<i8:f32, 1.0>>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}
// -----
// (triangular_solve C2)
func.func @triangular_solve_c2(%a: tensor<3xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{expected a of rank 2 or more, got 'tensor<3xf32>'}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}
// -----
// (triangular_solve C2)
func.func @triangular_solve_c2_2(%a: tensor<3x3xf32>, %b: tensor<2x3x4xf32>) {
  // expected-error @+1 {{expected a and b of the same rank, got 'tensor<3x3xf32>' and 'tensor<2x3x4xf32>'}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}
// -----
// (triangular_solve C3)
func.func @triangular_solve_c3(%a: tensor<2x3x5xf32>, %b: tensor<2x3x4xf32>) {
  // expected-error @+1 {{expected a of square matrices, got 'tensor<2x3x5xf32>'}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x3x5xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}
// -----
// (triangular_solve C3)
func.func @triangular_solve_c3_2(%a: tensor<2x3x3xf32>, %b: tensor<2x4x3xf32>) {
  // expected-error @+1 {{expected b of shape [2, 3, ?], got [2, 4, 3]}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x3x3xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return
}
// -----
// (triangular_solve C3)
func.func @triangular_solve_c3_3(%a: tensor<2x3x3xf32>, %b: tensor<2x3x4xf32>) {
  // expected-error @+1 {{expected b of shape [2, ?, 3], got [2, 3, 4]}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x3x3xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}
// -----
// (triangular_solve C3)
func.func @triangular_solve_c3_4(%a: tensor<2x3x3xf32>, %b: tensor<1x3x4xf32>) {
  // expected-error @+1 {{expected b of shape [2, 3, ?], got [1, 3, 4]}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x3x3xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  return
}
// -----
// (triangular_solve C4)
func.func @triangular_solve_c4(%a: tensor<2x3x3xf32>, %b: tensor<2x3x4xf32>) {
  // expected-error @+1 {{expected result of shape [2, 3, 4], got [2, 3, 5]}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x3x3xf32>, tensor<2x3x4xf32>) -> tensor<2x3x5xf32>
  return
}
// -----
func.func @triangular_solve(%a: tensor<2x3x3xf32>, %b: tensor<2x3x4xf32>) {
  // expected-error @+1 {{expected transpose_a NO_TRANSPOSE, TRANSPOSE or ADJOINT, got TRANSPOSE_INVALID}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>} : (tensor<2x3x3xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}
// -----
// (fft C1)
func.func @fft_c1(%a: tensor<4x9xcomplex<f32>>) {
  // expected-error @+1 {{expected fft_length of at most 2 entries, one for each dimension, got 3}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 2, 4, 9>} : (tensor<4x9xcomplex<f32>>) -> tensor<4x9xcomplex<f32>>
  return
}
// -----
// (fft C2)
func.func @fft_c2(%a: tensor<4x9xcomplex<f32>>) {
  // expected-error @+1 {{expected FFT from complex to complex elements of the same format, got 'complex<f32>' and 'complex<f64>'}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 9>} : (tensor<4x9xcomplex<f32>>) -> tensor<4x9xcomplex<f64>>
  return
}
// -----
// (fft C2)
func.func @fft_c2_2(%a: tensor<4x9xf32>) {
  // expected-error @+1 {{expected IFFT from complex to complex elements of the same format, got 'f32' and 'f32'}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IFFT>, fft_length = array<i64: 9>} : (tensor<4x9xf32>) -> tensor<4x9xf32>
  return
}
// -----
// (fft C2)
func.func @fft_c2_3(%a: tensor<4x9xf32>) {
  // expected-error @+1 {{expected RFFT from real to complex elements of the same format, got 'f32' and 'complex<f64>'}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 9>} : (tensor<4x9xf32>) -> tensor<4x5xcomplex<f64>>
  return
}
// -----
// (fft C2)
func.func @fft_c2_4(%a: tensor<4x9xcomplex<f32>>) {
  // expected-error @+1 {{expected RFFT from real to complex elements of the same format, got 'complex<f32>' and 'complex<f32>'}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 9>} : (tensor<4x9xcomplex<f32>>) -> tensor<4x9xcomplex<f32>>
  return
}
// -----
// (fft C2)
func.func @fft_c2_5(%a: tensor<4x9xcomplex<f32>>) {
  // expected-error @+1 {{expected IRFFT from complex to real elements of the same format, got 'complex<f32>' and 'complex<f32>'}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 9>} : (tensor<4x9xcomplex<f32>>) -> tensor<4x9xcomplex<f32>>
  return
}
// -----
// (fft C3)
func.func @fft_c3(%a: tensor<4x9xcomplex<f32>>) {
  // expected-error @+1 {{expected fft_length of 1 to 3 entries, got 0}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64>} : (tensor<4x9xcomplex<f32>>) -> tensor<4x9xcomplex<f32>>
  return
}
// -----
// (fft C3)
func.func @fft_c3_2(%a: tensor<4x9xcomplex<f32>>) {
  // expected-error @+1 {{expected fft_length of 1 to 3 entries, got 4}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 1, 1, 1, 1>} : (tensor<4x9xcomplex<f32>>) -> tensor<4x9xcomplex<f32>>
  return
}
// -----
// (fft C4)
func.func @fft_c4(%a: tensor<4x9xf32>) {
  // expected-error @+1 {{expected an operand whose last dimensions are fft_length [8], got 'tensor<4x9xf32>'}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : (tensor<4x9xf32>) -> tensor<4x5xcomplex<f32>>
  return
}
// -----
// (fft C4)
func.func @fft_c4_2(%a: tensor<4x9xcomplex<f32>>) {
  // expected-error @+1 {{expected a result whose last dimensions are fft_length [3, 16], got 'tensor<4x16xf32>'}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 3, 16>} : (tensor<4x9xcomplex<f32>>) -> tensor<4x16xf32>
  return
}
// -----
// (fft C4)
func.func @fft_c4_3(%a: tensor<4x9xf32>) {
  // expected-error @+1 {{expected fft_length of at least 0, got -9223372036854775808}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: -9223372036854775808>} : (tensor<4x9xf32>) -> tensor<4x5xcomplex<f32>>
  return
}
// -----
// (fft C5)
func.func @fft_c5(%a: tensor<4x9xcomplex<f32>>) {
  // expected-error @+1 {{expected result of shape [4, 9], got [4, 8]}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 9>} : (tensor<4x9xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
// (fft C5)
func.func @fft_c5_2(%a: tensor<4x9xf32>) {
  // expected-error @+1 {{expected result of shape [4, 5], got [4, 9]}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 9>} : (tensor<4x9xf32>) -> tensor<4x9xcomplex<f32>>
  return
}
// -----
// (fft C5)
func.func @fft_c5_3(%a: tensor<4x9xcomplex<f32>>) {
  // expected-error @+1 {{expected an operand of extent 8 along the last dimension, got 'tensor<4x9xcomplex<f32>>'}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 15>} : (tensor<4x9xcomplex<f32>>) -> tensor<4x15xf32>
  return
}
// -----
// (fft C5)
func.func @fft_c5_4(%a: tensor<4x9xcomplex<f32>>) {
  // expected-error @+1 {{expected result of shape [4, 16], got [5, 16]}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 16>} : (tensor<4x9xcomplex<f32>>) -> tensor<5x16xf32>
  return
}
// -----
// (batch_norm_inference C1)
func.func @batch_norm_inference_c1(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %offset: tensor<5xf32>, %mean: tensor<5xf32>, %variance: tensor<5xf32>) {
  // expected-error @+1 {{expected feature_index within [0, 2), got 2}}
  %0 = "stablehlo.batch_norm_inference"(%a, %scale, %offset, %mean, %variance) {epsilon = 1.0 : f32, feature_index = 2 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  return
}
// -----
// (batch_norm_inference C1)
func.func @batch_norm_inference_c1_2(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %offset: tensor<5xf32>, %mean: tensor<5xf32>, %variance: tensor<5xf32>) {
  // expected-error @+1 {{expected feature_index within [0, 2), got -1}}
  %0 = "stablehlo.batch_norm_inference"(%a, %scale, %offset, %mean, %variance) {epsilon = 1.0 : f32, feature_index = -1 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  return
}
// -----
// (batch_norm_inference C2)
func.func @batch_norm_inference_c2(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %offset: tensor<5xf32>, %mean: tensor<5xf64>, %variance: tensor<5xf32>) {
  // expected-error @+1 {{expected operand of element type 'f32', got 'f64'}}
  %0 = "stablehlo.batch_norm_inference"(%a, %scale, %offset, %mean, %variance) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf64>, tensor<5xf32>) -> tensor<4x5xf32>
  return
}
// -----
// (batch_norm_inference C2)
func.func @batch_norm_inference_c2_2(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %offset: tensor<5xf32>, %mean: tensor<5xf32>, %variance: tensor<5xf32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = "stablehlo.batch_norm_inference"(%a, %scale, %offset, %mean, %variance) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) -> tensor<4x5xf64>
  return
}
// -----
// (batch_norm_inference C3)
func.func @batch_norm_inference_c3(%a: tensor<4x5xf32>, %scale: tensor<4xf32>, %offset: tensor<5xf32>, %mean: tensor<5xf32>, %variance: tensor<5xf32>) {
  // expected-error @+1 {{expected scale of shape [5], got [4]}}
  %0 = "stablehlo.batch_norm_inference"(%a, %scale, %offset, %mean, %variance) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<4xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  return
}
// -----
// (batch_norm_inference C4)
func.func @batch_norm_inference_c4(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %offset: tensor<4xf32>, %mean: tensor<5xf32>, %variance: tensor<5xf32>) {
  // expected-error @+1 {{expected offset of shape [5], got [4]}}
  %0 = "stablehlo.batch_norm_inference"(%a, %scale, %offset, %mean, %variance) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<4xf32>, tensor<5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  return
}
// -----
// (batch_norm_inference C5)
func.func @batch_norm_inference_c5(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %offset: tensor<5xf32>, %mean: tensor<4xf32>, %variance: tensor<5xf32>) {
  // expected-error @+1 {{expected mean of shape [5], got [4]}}
  %0 = "stablehlo.batch_norm_inference"(%a, %scale, %offset, %mean, %variance) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<4xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  return
}
// -----
// (batch_norm_inference C6)
func.func @batch_norm_inference_c6(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %offset: tensor<5xf32>, %mean: tensor<5xf32>, %variance: tensor<4xf32>) {
  // expected-error @+1 {{expected variance of shape [5], got [4]}}
  %0 = "stablehlo.batch_norm_inference"(%a, %scale, %offset, %mean, %variance) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<4xf32>) -> tensor<4x5xf32>
  return
}
// -----
// (batch_norm_inference C7)
func.func @batch_norm_inference_c7(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %offset: tensor<5xf32>, %mean: tensor<5xf32>, %variance: tensor<5xf32>) {
  // expected-error @+1 {{expected result of shape [4, 5], got [5, 5]}}
  %0 = "stablehlo.batch_norm_inference"(%a, %scale, %offset, %mean, %variance) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) -> tensor<5x5xf32>
  return
}
// -----
// (batch_norm_training C1)
func.func @batch_norm_training_c1(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %offset: tensor<5xf32>) {
  // expected-error @+1 {{expected feature_index within [0, 2), got 9223372036854775807}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %scale, %offset) {epsilon = 1.0 : f32, feature_index = 9223372036854775807 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>)
  return
}
// -----
// (batch_norm_training C2)
func.func @batch_norm_training_c2(%a: tensor<4x5xf32>, %scale: tensor<5xf64>, %offset: tensor<5xf32>) {
  // expected-error @+1 {{expected operand of element type 'f32', got 'f64'}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %scale, %offset) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<5xf64>, tensor<5xf32>) -> (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>)
  return
}
// -----
// (batch_norm_training C2)
func.func @batch_norm_training_c2_2(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %offset: tensor<5xf32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %scale, %offset) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf64>)
  return
}
// -----
// (batch_norm_training C3)
func.func @batch_norm_training_c3(%a: tensor<4x5xf32>, %scale: tensor<4xf32>, %offset: tensor<5xf32>) {
  // expected-error @+1 {{expected scale of shape [5], got [4]}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %scale, %offset) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<4xf32>, tensor<5xf32>) -> (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>)
  return
}
// -----
// (batch_norm_training C4)
func.func @batch_norm_training_c4(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %offset: tensor<4xf32>) {
  // expected-error @+1 {{expected offset of shape [5], got [4]}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %scale, %offset) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<4xf32>) -> (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>)
  return
}
// -----
// (batch_norm_training C5)
func.func @batch_norm_training_c5(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %offset: tensor<5xf32>) {
  // expected-error @+1 {{expected batch_mean of shape [5], got [4]}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %scale, %offset) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<4x5xf32>, tensor<4xf32>, tensor<5xf32>)
  return
}
// -----
// (batch_norm_training C6)
func.func @batch_norm_training_c6(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %offset: tensor<5xf32>) {
  // expected-error @+1 {{expected batch_var of shape [5], got [4]}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %scale, %offset) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<4x5xf32>, tensor<5xf32>, tensor<4xf32>)
  return
}
// -----
// (batch_norm_training C7)
func.func @batch_norm_training_c7(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %offset: tensor<5xf32>) {
  // expected-error @+1 {{expected output of shape [4, 5], got [4, 6]}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %scale, %offset) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<4x6xf32>, tensor<5xf32>, tensor<5xf32>)
  return
}
// -----
// (batch_norm_grad C1)
func.func @batch_norm_grad_c1(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %mean: tensor<5xf32>, %variance: tensor<5xf32>, %grad: tensor<4x5xf32>) {
  // expected-error @+1 {{expected feature_index within [0, 2), got 2}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %scale, %mean, %variance, %grad) {epsilon = 1.0 : f32, feature_index = 2 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>)
  return
}
// -----
// (batch_norm_grad C2)
func.func @batch_norm_grad_c2(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %mean: tensor<5xf32>, %variance: tensor<5xf32>, %grad: tensor<4x5xf64>) {
  // expected-error @+1 {{expected operand of element type 'f32', got 'f64'}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %scale, %mean, %variance, %grad) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<4x5xf64>) -> (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>)
  return
}
// -----
// (batch_norm_grad C2)
func.func @batch_norm_grad_c2_2(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %mean: tensor<5xf32>, %variance: tensor<5xf32>, %grad: tensor<4x5xf32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %scale, %mean, %variance, %grad) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<5xf64>, tensor<5xf32>)
  return
}
// -----
// (batch_norm_grad C3)
func.func @batch_norm_grad_c3(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %mean: tensor<5xf32>, %variance: tensor<5xf32>, %grad: tensor<5x4xf32>) {
  // expected-error @+1 {{expected grad_output of shape [4, 5], got [5, 4]}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %scale, %mean, %variance, %grad) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5x4xf32>) -> (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>)
  return
}
// -----
// (batch_norm_grad C3)
func.func @batch_norm_grad_c3_2(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %mean: tensor<5xf32>, %variance: tensor<5xf32>, %grad: tensor<4x5xf32>) {
  // expected-error @+1 {{expected grad_operand of shape [4, 5], got [5, 4]}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %scale, %mean, %variance, %grad) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<4x5xf32>) -> (tensor<5x4xf32>, tensor<5xf32>, tensor<5xf32>)
  return
}
// -----
// (batch_norm_grad C4)
func.func @batch_norm_grad_c4(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %mean: tensor<4xf32>, %variance: tensor<5xf32>, %grad: tensor<4x5xf32>) {
  // expected-error @+1 {{expected mean of shape [5], got [4]}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %scale, %mean, %variance, %grad) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<4xf32>, tensor<5xf32>, tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>)
  return
}
// -----
// (batch_norm_grad C4)
func.func @batch_norm_grad_c4_2(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %mean: tensor<5xf32>, %variance: tensor<4xf32>, %grad: tensor<4x5xf32>) {
  // expected-error @+1 {{expected variance of shape [5], got [4]}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %scale, %mean, %variance, %grad) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<4xf32>, tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>)
  return
}
// -----
// (batch_norm_grad C4)
func.func @batch_norm_grad_c4_3(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %mean: tensor<5xf32>, %variance: tensor<5xf32>, %grad: tensor<4x5xf32>) {
  // expected-error @+1 {{expected grad_scale of shape [5], got [4]}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %scale, %mean, %variance, %grad) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<4xf32>, tensor<5xf32>)
  return
}
// -----
// (batch_norm_grad C4)
func.func @batch_norm_grad_c4_4(%a: tensor<4x5xf32>, %scale: tensor<5xf32>, %mean: tensor<5xf32>, %variance: tensor<5xf32>, %grad: tensor<4x5xf32>) {
  // expected-error @+1 {{expected grad_offset of shape [5], got [4]}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %scale, %mean, %variance, %grad) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<5xf32>, tensor<4xf32>)
  return
}
// -----
// (batch_norm_grad C5)
func.func @batch_norm_grad_c5(%a: tensor<4x5xf32>, %scale: tensor<4xf32>, %mean: tensor<5xf32>, %variance: tensor<5xf32>, %grad: tensor<4x5xf32>) {
  // expected-error @+1 {{expected scale of shape [5], got [4]}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %scale, %mean, %variance, %grad) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<4x5xf32>, tensor<4xf32>, tensor<5xf32>, tensor<5xf32>, tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<5xf32>, tensor<5xf32>)
  return
}
