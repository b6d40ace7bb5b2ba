// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The values of the StableHLO evaluator.
// RUN: mercator conformance %s --through=linalg

func.func @cholesky_f32_true() {
  %a = stablehlo.constant dense<[[[4.0, 2.0, -2.0], [2.0, 10.0, 2.0], [-2.0, 2.0, 6.0]], [[9.0, 3.0, 0.0], [3.0, 5.0, 4.0], [0.0, 4.0, 20.0]]]> : tensor<2x3x3xf32>
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_close_const %0, dense<[[[2.0, 0.0, 0.0], [1.0, 3.0, 0.0], [-1.0, 1.0, 2.0]], [[3.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 2.0, 4.0]]]> : tensor<2x3x3xf32>, max_ulp_difference = 1
  return
}

func.func @cholesky_f32_false() {
  %a = stablehlo.constant dense<[[[4.0, 2.0, -2.0], [2.0, 10.0, 2.0], [-2.0, 2.0, 6.0]], [[9.0, 3.0, 0.0], [3.0, 5.0, 4.0], [0.0, 4.0, 20.0]]]> : tensor<2x3x3xf32>
  %0 = "stablehlo.cholesky"(%a) {lower = false} : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_close_const %0, dense<[[[2.0, 1.0, -1.0], [0.0, 3.0, 1.0], [0.0, 0.0, 2.0]], [[3.0, 1.0, 0.0], [0.0, 2.0, 2.0], [0.0, 0.0, 4.0]]]> : tensor<2x3x3xf32>, max_ulp_difference = 1
  return
}

func.func @cholesky_f64_true() {
  %a = stablehlo.constant dense<[[[4.0, 2.0, -2.0], [2.0, 10.0, 2.0], [-2.0, 2.0, 6.0]], [[9.0, 3.0, 0.0], [3.0, 5.0, 4.0], [0.0, 4.0, 20.0]]]> : tensor<2x3x3xf64>
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_close_const %0, dense<[[[2.0, 0.0, 0.0], [1.0, 3.0, 0.0], [-1.0, 1.0, 2.0]], [[3.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 2.0, 4.0]]]> : tensor<2x3x3xf64>, max_ulp_difference = 1
  return
}

func.func @cholesky_f64_false() {
  %a = stablehlo.constant dense<[[[4.0, 2.0, -2.0], [2.0, 10.0, 2.0], [-2.0, 2.0, 6.0]], [[9.0, 3.0, 0.0], [3.0, 5.0, 4.0], [0.0, 4.0, 20.0]]]> : tensor<2x3x3xf64>
  %0 = "stablehlo.cholesky"(%a) {lower = false} : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_close_const %0, dense<[[[2.0, 1.0, -1.0], [0.0, 3.0, 1.0], [0.0, 0.0, 2.0]], [[3.0, 1.0, 0.0], [0.0, 2.0, 2.0], [0.0, 0.0, 4.0]]]> : tensor<2x3x3xf64>, max_ulp_difference = 1
  return
}

func.func @cholesky_f16_true() {
  %a = stablehlo.constant dense<[[[4.0, 2.0, -2.0], [2.0, 10.0, 2.0], [-2.0, 2.0, 6.0]], [[9.0, 3.0, 0.0], [3.0, 5.0, 4.0], [0.0, 4.0, 20.0]]]> : tensor<2x3x3xf16>
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<2x3x3xf16>) -> tensor<2x3x3xf16>
  check.expect_close_const %0, dense<[[[2.0, 0.0, 0.0], [1.0, 3.0, 0.0], [-1.0, 1.0, 2.0]], [[3.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 2.0, 4.0]]]> : tensor<2x3x3xf16>, max_ulp_difference = 1
  return
}

func.func @cholesky_f16_false() {
  %a = stablehlo.constant dense<[[[4.0, 2.0, -2.0], [2.0, 10.0, 2.0], [-2.0, 2.0, 6.0]], [[9.0, 3.0, 0.0], [3.0, 5.0, 4.0], [0.0, 4.0, 20.0]]]> : tensor<2x3x3xf16>
  %0 = "stablehlo.cholesky"(%a) {lower = false} : (tensor<2x3x3xf16>) -> tensor<2x3x3xf16>
  check.expect_close_const %0, dense<[[[2.0, 1.0, -1.0], [0.0, 3.0, 1.0], [0.0, 0.0, 2.0]], [[3.0, 1.0, 0.0], [0.0, 2.0, 2.0], [0.0, 0.0, 4.0]]]> : tensor<2x3x3xf16>, max_ulp_difference = 1
  return
}

func.func @cholesky_bf16_true() {
  %a = stablehlo.constant dense<[[[4.0, 2.0, -2.0], [2.0, 10.0, 2.0], [-2.0, 2.0, 6.0]], [[9.0, 3.0, 0.0], [3.0, 5.0, 4.0], [0.0, 4.0, 20.0]]]> : tensor<2x3x3xbf16>
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<2x3x3xbf16>) -> tensor<2x3x3xbf16>
  check.expect_close_const %0, dense<[[[2.0, 0.0, 0.0], [1.0, 3.0, 0.0], [-1.0, 1.0, 2.0]], [[3.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 2.0, 4.0]]]> : tensor<2x3x3xbf16>, max_ulp_difference = 1
  return
}

func.func @cholesky_bf16_false() {
  %a = stablehlo.constant dense<[[[4.0, 2.0, -2.0], [2.0, 10.0, 2.0], [-2.0, 2.0, 6.0]], [[9.0, 3.0, 0.0], [3.0, 5.0, 4.0], [0.0, 4.0, 20.0]]]> : tensor<2x3x3xbf16>
  %0 = "stablehlo.cholesky"(%a) {lower = false} : (tensor<2x3x3xbf16>) -> tensor<2x3x3xbf16>
  check.expect_close_const %0, dense<[[[2.0, 1.0, -1.0], [0.0, 3.0, 1.0], [0.0, 0.0, 2.0]], [[3.0, 1.0, 0.0], [0.0, 2.0, 2.0], [0.0, 0.0, 4.0]]]> : tensor<2x3x3xbf16>, max_ulp_difference = 1
  return
}

func.func @cholesky_c64_true() {
  %a = stablehlo.constant dense<[[(4.0, 0.0), (2.0, 2.0)], [(2.0, -2.0), (6.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_close_const %0, dense<[[(2.0, 0.0), (0.0, 0.0)], [(1.0, -1.0), (2.0, 0.0)]]> : tensor<2x2xcomplex<f32>>, max_ulp_difference = 1
  return
}

func.func @cholesky_c64_false() {
  %a = stablehlo.constant dense<[[(4.0, 0.0), (2.0, 2.0)], [(2.0, -2.0), (6.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %0 = "stablehlo.cholesky"(%a) {lower = false} : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_close_const %0, dense<[[(2.0, -0.0), (1.0, 1.0)], [(0.0, 0.0), (2.0, -0.0)]]> : tensor<2x2xcomplex<f32>>, max_ulp_difference = 1
  return
}

func.func @cholesky_one() {
  %a = stablehlo.constant dense<9.0> : tensor<1x1xf32>
  %0 = "stablehlo.cholesky"(%a) : (tensor<1x1xf32>) -> tensor<1x1xf32>
  check.expect_eq_const %0, dense<[[3.0]]> : tensor<1x1xf32>
  return
}

func.func @cholesky_empty() {
  %a = stablehlo.constant dense<> : tensor<2x0x0xf32>
  %0 = "stablehlo.cholesky"(%a) : (tensor<2x0x0xf32>) -> tensor<2x0x0xf32>
  check.expect_eq_const %0, dense<> : tensor<2x0x0xf32>
  return
}

func.func private @dynamic_cholesky(%a: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
func.func @cholesky_dynamic() {
  %a = stablehlo.constant dense<[[[4.0, 2.0, -2.0], [2.0, 10.0, 2.0], [-2.0, 2.0, 6.0]], [[9.0, 3.0, 0.0], [3.0, 5.0, 4.0], [0.0, 4.0, 20.0]]]> : tensor<2x3x3xf32>
  %c = tensor.cast %a : tensor<2x3x3xf32> to tensor<?x?x?xf32>
  %d = func.call @dynamic_cholesky(%c) : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %0 = tensor.cast %d : tensor<?x?x?xf32> to tensor<2x3x3xf32>
  check.expect_close_const %0, dense<[[[2.0, 0.0, 0.0], [1.0, 3.0, 0.0], [-1.0, 1.0, 2.0]], [[3.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 2.0, 4.0]]]> : tensor<2x3x3xf32>, max_ulp_difference = 1
  return
}

func.func @solve_left_lower_no_transpose() {
  %a = stablehlo.constant dense<[[2.0, 3.0, -1.0], [1.0, 4.0, 5.0], [-2.0, 0.5, 8.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[1.0, 2.0], [3.0, -4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_close_const %0, dense<[[0.5, 1.0], [0.625, -1.25], [0.7109375, 1.078125]]> : tensor<3x2xf32>, max_ulp_difference = 1
  return
}

func.func @solve_left_lower_transpose() {
  %a = stablehlo.constant dense<[[2.0, 3.0, -1.0], [1.0, 4.0, 5.0], [-2.0, 0.5, 8.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[1.0, 2.0], [3.0, -4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_close_const %0, dense<[[10.5, 21.0], [0.5, -7.0], [5.0, 6.0]]> : tensor<3x2xf32>, max_ulp_difference = 1
  return
}

func.func @solve_left_lower_adjoint() {
  %a = stablehlo.constant dense<[[2.0, 3.0, -1.0], [1.0, 4.0, 5.0], [-2.0, 0.5, 8.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[1.0, 2.0], [3.0, -4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_close_const %0, dense<[[0.7890625, 2.296875], [0.671875, -1.09375], [0.625, 0.75]]> : tensor<3x2xf32>, max_ulp_difference = 1
  return
}

func.func @solve_left_upper_no_transpose() {
  %a = stablehlo.constant dense<[[2.0, 3.0, -1.0], [1.0, 4.0, 5.0], [-2.0, 0.5, 8.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[1.0, 2.0], [3.0, -4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_close_const %0, dense<[[0.859375, 4.28125], [-0.03125, -1.9375], [0.625, 0.75]]> : tensor<3x2xf32>, max_ulp_difference = 1
  return
}

func.func @solve_left_upper_transpose() {
  %a = stablehlo.constant dense<[[2.0, 3.0, -1.0], [1.0, 4.0, 5.0], [-2.0, 0.5, 8.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[1.0, 2.0], [3.0, -4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_close_const %0, dense<[[0.5, 1.0], [0.375, -1.75], [0.453125, 1.96875]]> : tensor<3x2xf32>, max_ulp_difference = 1
  return
}

func.func @solve_left_upper_adjoint() {
  %a = stablehlo.constant dense<[[2.0, 3.0, -1.0], [1.0, 4.0, 5.0], [-2.0, 0.5, 8.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[1.0, 2.0], [3.0, -4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_close_const %0, dense<[[0.5, 1.0], [0.375, -1.75], [0.453125, 1.96875]]> : tensor<3x2xf32>, max_ulp_difference = 1
  return
}

func.func @solve_right_lower_no_transpose() {
  %a = stablehlo.constant dense<[[2.0, 3.0, -1.0], [1.0, 4.0, 5.0], [-2.0, 0.5, 8.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[1.0, 2.0, 3.0], [-4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_close_const %0, dense<[[0.6484375, 0.453125, 0.375], [-1.828125, 1.15625, 0.75]]> : tensor<2x3xf32>, max_ulp_difference = 1
  return
}

func.func @solve_right_lower_transpose() {
  %a = stablehlo.constant dense<[[2.0, 3.0, -1.0], [1.0, 4.0, 5.0], [-2.0, 0.5, 8.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[1.0, 2.0, 3.0], [-4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_close_const %0, dense<[[0.5, 0.375, 0.4765625], [-2.0, 1.75, 0.140625]]> : tensor<2x3xf32>, max_ulp_difference = 1
  return
}

func.func @solve_right_lower_adjoint() {
  %a = stablehlo.constant dense<[[2.0, 3.0, -1.0], [1.0, 4.0, 5.0], [-2.0, 0.5, 8.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[1.0, 2.0, 3.0], [-4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_close_const %0, dense<[[0.5, 0.375, 0.4765625], [-2.0, 1.75, 0.140625]]> : tensor<2x3xf32>, max_ulp_difference = 1
  return
}

func.func @solve_right_upper_no_transpose() {
  %a = stablehlo.constant dense<[[2.0, 3.0, -1.0], [1.0, 4.0, 5.0], [-2.0, 0.5, 8.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[1.0, 2.0, 3.0], [-4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = false, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_close_const %0, dense<[[1.0, -1.0, 9.0], [-4.0, 17.0, -83.0]]> : tensor<2x3xf32>, max_ulp_difference = 1
  return
}

func.func @solve_right_upper_transpose() {
  %a = stablehlo.constant dense<[[2.0, 3.0, -1.0], [1.0, 4.0, 5.0], [-2.0, 0.5, 8.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[1.0, 2.0, 3.0], [-4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_close_const %0, dense<[[0.640625, 0.03125, 0.375], [-2.09375, 0.3125, 0.75]]> : tensor<2x3xf32>, max_ulp_difference = 1
  return
}

func.func @solve_right_upper_adjoint() {
  %a = stablehlo.constant dense<[[2.0, 3.0, -1.0], [1.0, 4.0, 5.0], [-2.0, 0.5, 8.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[1.0, 2.0, 3.0], [-4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_close_const %0, dense<[[0.640625, 0.03125, 0.375], [-2.09375, 0.3125, 0.75]]> : tensor<2x3xf32>, max_ulp_difference = 1
  return
}

func.func @solve_adjoint_c128() {
  %a = stablehlo.constant dense<[[(2.0, 1.0), (0.0, 0.0)], [(1.0, -3.0), (0.0, 4.0)]]> : tensor<2x2xcomplex<f64>>
  %b = stablehlo.constant dense<[[(1.0, 2.0)], [(3.0, 4.0)]]> : tensor<2x1xcomplex<f64>>
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<2x2xcomplex<f64>>, tensor<2x1xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
  check.expect_close_const %0, dense<[[(0.85, 2.55)], [(-1.0, 0.75)]]> : tensor<2x1xcomplex<f64>>, max_ulp_difference = 1
  return
}

func.func @fft_1() {
  %a = stablehlo.constant dense<[[(1.0, 2.0), (3.0, -1.0), (0.5, 0.0)], [(-2.0, 1.0), (0.0, 0.0), (4.0, 4.0)]]> : tensor<2x3xcomplex<f32>>
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 3>} : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  check.expect_close_const %0, dense<[[(4.5, 1.0), (-1.6160254, 0.3349365), (0.1160254, 4.6650634)], [(2.0, 5.0), (-7.464102, 2.4641016), (-0.5358984, -4.464102)]]> : tensor<2x3xcomplex<f32>>, max_ulp_difference = 1
  return
}

func.func @fft_2() {
  %a = stablehlo.constant dense<[[(1.0, 2.0), (3.0, -1.0), (0.5, 0.0)], [(-2.0, 1.0), (0.0, 0.0), (4.0, 4.0)]]> : tensor<2x3xcomplex<f32>>
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 2, 3>} : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  check.expect_close_const %0, dense<[[(6.5, 6.0), (-9.080127, 2.7990382), (-0.41987297, 0.20096189)], [(2.5, -4.0), (5.8480763, -2.1291652), (0.6519238, 9.129165)]]> : tensor<2x3xcomplex<f32>>, max_ulp_difference = 1
  return
}

func.func @ifft_1() {
  %a = stablehlo.constant dense<[[(1.0, 2.0), (3.0, -1.0), (0.5, 0.0)], [(-2.0, 1.0), (0.0, 0.0), (4.0, 4.0)]]> : tensor<2x3xcomplex<f32>>
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IFFT>, fft_length = array<i64: 3>} : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  check.expect_close_const %0, dense<[[(1.5, 0.33333334), (0.038675133, 1.5550212), (-0.5386751, 0.1116455)], [(0.6666667, 1.6666666), (-0.1786328, -1.4880339), (-2.4880338, 0.8213672)]]> : tensor<2x3xcomplex<f32>>, max_ulp_difference = 1
  return
}

func.func @ifft_2() {
  %a = stablehlo.constant dense<[[(1.0, 2.0), (3.0, -1.0), (0.5, 0.0)], [(-2.0, 1.0), (0.0, 0.0), (4.0, 4.0)]]> : tensor<2x3xcomplex<f32>>
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IFFT>, fft_length = array<i64: 2, 3>} : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  check.expect_close_const %0, dense<[[(1.0833334, 1.0), (-0.06997883, 0.03349365), (-1.5133545, 0.46650636)], [(0.41666666, -0.6666667), (0.10865396, 1.5215275), (0.97467935, -0.35486084)]]> : tensor<2x3xcomplex<f32>>, max_ulp_difference = 1
  return
}

func.func @rfft_1() {
  %a = stablehlo.constant dense<[[-1.0], [6.0]]> : tensor<2x1xf64>
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 1>} : (tensor<2x1xf64>) -> tensor<2x1xcomplex<f64>>
  check.expect_close_const %0, dense<[[(-1.0, 0.0)], [(6.0, 0.0)]]> : tensor<2x1xcomplex<f64>>, max_ulp_difference = 1
  return
}

func.func @irfft_1() {
  %a = stablehlo.constant dense<[[(0.0, 3.0)], [(1.0, 3.0)]]> : tensor<2x1xcomplex<f32>>
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 2, 1>} : (tensor<2x1xcomplex<f32>>) -> tensor<2x1xf32>
  check.expect_close_const %0, dense<[[0.5], [-0.5]]> : tensor<2x1xf32>, max_ulp_difference = 1
  return
}

func.func @rfft_4() {
  %a = stablehlo.constant dense<[[-1.0, 6.0, 5.0, -4.0], [1.0, -2.0, -2.0, 1.0]]> : tensor<2x4xf64>
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 4>} : (tensor<2x4xf64>) -> tensor<2x3xcomplex<f64>>
  check.expect_close_const %0, dense<[[(6.0, 0.0), (-6.0, -10.0), (2.0, 1.0033115225336665e-19)], [(-2.0, 0.0), (3.0, 3.0), (0.0, -5.016557612668332e-20)]]> : tensor<2x3xcomplex<f64>>, max_ulp_difference = 1
  return
}

func.func @irfft_4() {
  %a = stablehlo.constant dense<[[(0.0, 3.0), (1.0, 3.0), (2.0, 3.0)], [(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]]> : tensor<2x3xcomplex<f32>>
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 2, 4>} : (tensor<2x3xcomplex<f32>>) -> tensor<2x4xf32>
  check.expect_close_const %0, dense<[[1.5, -1.75, 0.0, 0.75], [-0.5, -0.25, 0.0, 0.25]]> : tensor<2x4xf32>, max_ulp_difference = 1
  return
}

func.func @rfft_5() {
  %a = stablehlo.constant dense<[[-1.0, 6.0, 5.0, -4.0, 1.0], [-2.0, -2.0, 1.0, -4.0, 5.0]]> : tensor<2x5xf64>
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 5>} : (tensor<2x5xf64>) -> tensor<2x3xcomplex<f64>>
  check.expect_close_const %0, dense<[[(7.0, 0.0), (0.35410196624968454, -10.045349852108027), (-6.354101966249685, 5.620582385194017)], [(-2.0, 0.0), (1.3541019662496845, 3.718469352603709), (-5.354101966249685, 8.86977934752308)]]> : tensor<2x3xcomplex<f64>>, max_ulp_difference = 1
  return
}

func.func @irfft_5() {
  %a = stablehlo.constant dense<[[(0.0, 3.0), (1.0, 3.0), (2.0, 3.0)], [(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]]> : tensor<2x3xcomplex<f32>>
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 2, 5>} : (tensor<2x3xcomplex<f32>>) -> tensor<2x5xf32>
  check.expect_close_const %0, dense<[[1.7, -1.9448916, 0.09666676, -0.24945316, 0.8976779], [-0.5, -0.4253254, 0.26286554, -0.26286554, 0.4253254]]> : tensor<2x5xf32>, max_ulp_difference = 1
  return
}
