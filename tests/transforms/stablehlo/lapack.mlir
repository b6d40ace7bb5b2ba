// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// JAX's calls of LAPACK become library calls. A call of another form stays.
// RUN: mercator-opt %s --stablehlo-legalize-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @known
// CHECK:         call @mercator_gees(
// CHECK:         call @mercator_geev(
// CHECK:         call @mercator_gehrd(
// CHECK:         call @mercator_geqp3(
// CHECK:         call @mercator_geqrf(
// CHECK:         call @mercator_gesdd(
// CHECK:         call @mercator_gesvd(
// CHECK:         call @mercator_getrf(
// CHECK:         call @mercator_gtsv(
// CHECK:         call @mercator_orgqr(
// CHECK:         call @mercator_potrf(
// CHECK:         call @mercator_syevd(
// CHECK:         call @mercator_sytrd(
// CHECK:         call @mercator_trsm(
func.func @known(%a: tensor<4x4xf32>, %v: tensor<4xf32>, %p: tensor<4xi32>) {
  %gees:6 = stablehlo.custom_call @lapack_sgees_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i32>, tensor<i32>)
  %geev:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 78 : ui8}} : (tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<i32>)
  %gehrd:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%a) {mhlo.backend_config = {low = 1 : i32, high = 4 : i32}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<3xf32>, tensor<i32>)
  %geqp3:3 = stablehlo.custom_call @lapack_sgeqp3_ffi(%a, %p) {mhlo.backend_config = {}} : (tensor<4x4xf32>, tensor<4xi32>) -> (tensor<4x4xf32>, tensor<4xi32>, tensor<4xf32>)
  %geqrf:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>)
  %gesdd:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<i32>)
  %gesvd:5 = stablehlo.custom_call @lapack_sgesvd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<i32>)
  %getrf:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xi32>, tensor<i32>)
  %gtsv:5 = stablehlo.custom_call @lapack_sgtsv_ffi(%v, %v, %v, %a) {mhlo.backend_config = {}} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<i32>)
  %orgqr = stablehlo.custom_call @lapack_sorgqr_ffi(%a, %v) {mhlo.backend_config = {}} : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %potrf:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  %syevd:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<i32>)
  %sytrd:5 = stablehlo.custom_call @lapack_ssytrd_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<i32>)
  %trsm = stablehlo.custom_call @lapack_strsm_ffi(%a, %a) {mhlo.backend_config = {side = 76 : ui8, uplo = 76 : ui8, trans_x = 78 : ui8, diag = 78 : ui8}} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// The names of Hermitian and unitary matrices, batches of unknown extent.
// CHECK-LABEL: func.func @complex
// CHECK:         call @mercator_syevd.1({{.*}}) : (tensor<?x4x4xcomplex<f32>>, tensor<?x4x4xcomplex<f32>>, tensor<?x4xf32>, tensor<?xi32>, i64, i64) -> (tensor<?x4x4xcomplex<f32>>, tensor<?x4xf32>, tensor<?xi32>)
// CHECK:         call @mercator_orgqr.1(
func.func @complex(%a: tensor<?x4x4xcomplex<f32>>, %v: tensor<?x4xcomplex<f32>>) {
  %0:3 = stablehlo.custom_call @lapack_cheevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<?x4x4xcomplex<f32>>) -> (tensor<?x4x4xcomplex<f32>>, tensor<?x4xf32>, tensor<?xi32>)
  %1 = stablehlo.custom_call @lapack_cungqr_ffi(%a, %v) {mhlo.backend_config = {}} : (tensor<?x4x4xcomplex<f32>>, tensor<?x4xcomplex<f32>>) -> tensor<?x4x4xcomplex<f32>>
  return
}

// More results, a missing attribute, another element type.
// CHECK-LABEL: func.func @other
// CHECK-COUNT-3: stablehlo.custom_call @lapack
// CHECK-NOT:     call @mercator
func.func @other(%a: tensor<4x4xf32>, %b: tensor<4x4xbf16>) {
  %0:3 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<i32>)
  %1:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  %2:2 = stablehlo.custom_call @lapack_spotrf_ffi(%b) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<4x4xbf16>) -> (tensor<4x4xbf16>, tensor<i32>)
  return
}
