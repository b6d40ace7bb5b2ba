// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// JAX's custom calls. The expected values are computed by hand.
// RUN: mercator conformance %s --through=linalg

func.func @potrf() {
  %a = stablehlo.constant dense<[[[4.0, 7.0], [2.0, 5.0]], [[1.0, 7.0], [2.0, 1.0]]]> : tensor<2x2x2xf32>
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>]} : (tensor<2x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<2xi32>)
  check.expect_eq_const %0#1, dense<[0, 2]> : tensor<2xi32>
  return
}
func.func @potrf_factor() {
  %a = stablehlo.constant dense<[[4.0, 7.0], [2.0, 5.0]]> : tensor<2x2xf64>
  %0:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<i32>)
  check.expect_eq_const %0#0, dense<[[2.0, 7.0], [1.0, 2.0]]> : tensor<2x2xf64>
  check.expect_eq_const %0#1, dense<0> : tensor<i32>
  return
}
func.func @getrf() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 4.0, 8.0]]> : tensor<2x3xf32>
  %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2xi32>, tensor<i32>)
  check.expect_eq_const %0#0, dense<[[4.0, 4.0, 8.0], [0.25, 1.0, 1.0]]> : tensor<2x3xf32>
  check.expect_eq_const %0#1, dense<[2, 2]> : tensor<2xi32>
  check.expect_eq_const %0#2, dense<0> : tensor<i32>
  return
}
func.func @qr() {
  %a = stablehlo.constant dense<[[3.0, 5.0], [4.0, 10.0]]> : tensor<2x2xf32>
  %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>)
  check.expect_close_const %0#0, dense<[[-5.0, -11.0], [0.5, 2.0]]> : tensor<2x2xf32>, max_ulp_difference = 1
  check.expect_close_const %0#1, dense<[1.6, 0.0]> : tensor<2xf32>, max_ulp_difference = 1
  %1 = stablehlo.custom_call @lapack_sorgqr_ffi(%0#0, %0#1) {mhlo.backend_config = {}} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_close_const %1, dense<[[-0.6, -0.8], [-0.8, 0.6]]> : tensor<2x2xf32>, max_ulp_difference = 4
  return
}
func.func @trsm() {
  %a = stablehlo.constant dense<[[2.0, 9.0], [1.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[2.0], [9.0]]> : tensor<2x1xf32>
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_eq_const %0, dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  return
}
func.func @syevd() {
  %a = stablehlo.constant dense<[[2.0, 9.0], [2.0, 5.0]]> : tensor<2x2xf64>
  %0:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>, tensor<i32>)
  check.expect_close_const %0#1, dense<[1.0, 6.0]> : tensor<2xf64>, max_ulp_difference = 4
  check.expect_eq_const %0#2, dense<0> : tensor<i32>
  return
}
func.func @gtsv() {
  %dl = stablehlo.constant dense<[99.0, 1.0, 2.0]> : tensor<3xf32>
  %d = stablehlo.constant dense<[2.0, 4.0, 8.0]> : tensor<3xf32>
  %du = stablehlo.constant dense<[1.0, 1.0, 99.0]> : tensor<3xf32>
  %b = stablehlo.constant dense<[[4.0], [12.0], [28.0]]> : tensor<3x1xf32>
  %0:5 = stablehlo.custom_call @lapack_sgtsv_ffi(%dl, %d, %du, %b) {mhlo.backend_config = {}} : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x1xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x1xf32>, tensor<i32>)
  check.expect_eq_const %0#3, dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
  check.expect_eq_const %0#4, dense<0> : tensor<i32>
  return
}

// Singular values have no sign, and products of the vectors neither.
func.func @gesdd() {
  %a = stablehlo.constant dense<[[3.0, 0.0], [4.0, 5.0], [0.0, 0.0]]> : tensor<3x2xf64>
  %0:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<2xf64>, tensor<3x2xf64>, tensor<2x2xf64>, tensor<i32>)
  check.expect_close_const %0#1, dense<[6.7082039324993690892, 2.2360679774997896964]> : tensor<2xf64>, max_ulp_difference = 4
  %s = stablehlo.broadcast_in_dim %0#1, dims = [1] : (tensor<2xf64>) -> tensor<3x2xf64>
  %us = stablehlo.multiply %0#2, %s : tensor<3x2xf64>
  %1 = stablehlo.dot_general %us, %0#3, contracting_dims = [1] x [0] : (tensor<3x2xf64>, tensor<2x2xf64>) -> tensor<3x2xf64>
  %2 = stablehlo.subtract %1, %a : tensor<3x2xf64>
  %3 = stablehlo.abs %2 : tensor<3x2xf64>
  %bound = stablehlo.constant dense<1.0e-14> : tensor<3x2xf64>
  %4 = stablehlo.compare LT, %3, %bound : (tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x2xi1>
  check.expect_eq_const %4, dense<true> : tensor<3x2xi1>
  return
}
// A wide matrix of rank 1: the other vectors complete a basis.
func.func @gesvd_of_all_vectors() {
  %a = stablehlo.constant dense<[[3.0, 0.0, 4.0], [6.0, 0.0, 8.0]]> : tensor<2x3xf64>
  %0:5 = stablehlo.custom_call @lapack_dgesvd_ffi(%a) {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<2xf64>, tensor<2x2xf64>, tensor<3x3xf64>, tensor<i32>)
  %1 = stablehlo.dot_general %0#3, %0#3, contracting_dims = [1] x [1] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
  %unit = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %2 = stablehlo.subtract %1, %unit : tensor<3x3xf64>
  %3 = stablehlo.abs %2 : tensor<3x3xf64>
  %bound = stablehlo.constant dense<1.0e-14> : tensor<3x3xf64>
  %4 = stablehlo.compare LT, %3, %bound : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xi1>
  check.expect_eq_const %4, dense<true> : tensor<3x3xi1>
  check.expect_eq_const %0#4, dense<0> : tensor<i32>
  %5 = stablehlo.slice %0#1 [0:1] : (tensor<2xf64>) -> tensor<1xf64>
  check.expect_close_const %5, dense<11.180339887498948482> : tensor<1xf64>, max_ulp_difference = 4
  return
}
