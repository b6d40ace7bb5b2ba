// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each function is printed as written here; its generic form means the same.
// RUN: mercator-opt %s | FileCheck %s
// RUN: mercator-opt %s --mlir-print-op-generic | mercator-opt | FileCheck %s

// CHECK-LABEL: func @real
func.func @real(%x: tensor<4xf32>) {
  // CHECK: chlo.acos %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %0 = chlo.acos %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.acosh %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %1 = chlo.acosh %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.asin %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %2 = chlo.asin %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.asinh %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %3 = chlo.asinh %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.atan %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %4 = chlo.atan %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.atanh %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %5 = chlo.atanh %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.bessel_i1e %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %6 = chlo.bessel_i1e %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.conj %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %7 = chlo.conj %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.cosh %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %8 = chlo.cosh %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.digamma %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %9 = chlo.digamma %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.erf %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %10 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.erf_inv %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %11 = chlo.erf_inv %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.erfc %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %12 = chlo.erfc %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.lgamma %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %13 = chlo.lgamma %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.sinh %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %14 = chlo.sinh %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.square %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %15 = chlo.square %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.tan %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %16 = chlo.tan %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.is_inf %{{.*}} : tensor<4xf32> -> tensor<4xi1>
  %17 = chlo.is_inf %x : tensor<4xf32> -> tensor<4xi1>
  // CHECK: chlo.is_neg_inf %{{.*}} : tensor<4xf32> -> tensor<4xi1>
  %18 = chlo.is_neg_inf %x : tensor<4xf32> -> tensor<4xi1>
  // CHECK: chlo.is_pos_inf %{{.*}} : tensor<4xf32> -> tensor<4xi1>
  %19 = chlo.is_pos_inf %x : tensor<4xf32> -> tensor<4xi1>
  // CHECK: "n"} : tensor<4xf32> -> tensor<4xf32>
  %20 = chlo.tan %x {note = "n"} : tensor<4xf32> -> tensor<4xf32>
  return
}

// CHECK-LABEL: func @complex
func.func @complex(%z: tensor<?xcomplex<f64>>) {
  // CHECK: chlo.acos %{{.*}} : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %0 = chlo.acos %z : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  // CHECK: chlo.acosh %{{.*}} : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %1 = chlo.acosh %z : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  // CHECK: chlo.asin %{{.*}} : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %2 = chlo.asin %z : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  // CHECK: chlo.asinh %{{.*}} : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %3 = chlo.asinh %z : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  // CHECK: chlo.atan %{{.*}} : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %4 = chlo.atan %z : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  // CHECK: chlo.atanh %{{.*}} : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %5 = chlo.atanh %z : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  // CHECK: chlo.conj %{{.*}} : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %6 = chlo.conj %z : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  // CHECK: chlo.cosh %{{.*}} : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %7 = chlo.cosh %z : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  // CHECK: chlo.sinh %{{.*}} : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %8 = chlo.sinh %z : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  // CHECK: chlo.square %{{.*}} : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %9 = chlo.square %z : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  // CHECK: chlo.tan %{{.*}} : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %10 = chlo.tan %z : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  // CHECK: chlo._asin_acos_kernel %{{.*}} : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  %11 = chlo._asin_acos_kernel %z : tensor<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
  return
}

// CHECK-LABEL: func @two
func.func @two(%x: tensor<4xf32>, %i: tensor<4xui8>) {
  // CHECK: chlo.next_after %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %0 = chlo.next_after %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.polygamma %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %1 = chlo.polygamma %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.zeta %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %2 = chlo.zeta %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.mulhi %{{.*}}, %{{.*}} : tensor<4xui8>, tensor<4xui8> -> tensor<4xui8>
  %3 = chlo.mulhi %i, %i : tensor<4xui8>, tensor<4xui8> -> tensor<4xui8>
  return
}

// CHECK-LABEL: func @constants
func.func @constants(%x: tensor<2x?xi64>) {
  // CHECK: chlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = chlo.constant dense<[1, 2]> : tensor<2xi32>
  // CHECK: "n"} dense<1.500000e+00> : tensor<f32>
  %1 = chlo.constant {note = "n"} dense<1.500000e+00> : tensor<f32>
  // CHECK: 1.500000e+00 : f32}> : (tensor<2x?xi64>) -> tensor<2x?xf32>
  %2 = "chlo.constant_like"(%x) <{value = 1.500000e+00 : f32}> : (tensor<2x?xi64>) -> tensor<2x?xf32>
  return
}
