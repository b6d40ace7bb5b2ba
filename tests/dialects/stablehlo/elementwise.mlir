// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each function is printed as written here; its generic form means the same.
// RUN: mercator-opt %s | FileCheck %s
// RUN: mercator-opt %s --mlir-print-op-generic | mercator-opt | FileCheck %s

// CHECK-LABEL: func @constants
func.func @constants() {
  // CHECK: stablehlo.constant dense<1.500000e+00> : tensor<f32>
  %0 = stablehlo.constant dense<1.5> : tensor<f32>
  // CHECK: stablehlo.constant dense<[1, 2]> : tensor<2xui8>
  %1 = stablehlo.constant dense<[1, 2]> : tensor<2xui8>
  // CHECK: stablehlo.constant {note = "n"} dense<true> : tensor<4xi1>
  %2 = stablehlo.constant {note = "n"} dense<true> : tensor<4xi1>
  // CHECK: stablehlo.constant dense_resource<__elided__> : tensor<4x4xf32>
  %3 = stablehlo.constant dense_resource<__elided__> : tensor<4x4xf32>
  // CHECK: stablehlo.constant() <{value = dense<1> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %4 = stablehlo.constant() <{value = dense<1> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  // CHECK: stablehlo.iota dim = 1 : tensor<4x8xi32>
  %5 = stablehlo.iota dim = 1 : tensor<4x8xi32>
  return
}

// CHECK-LABEL: func @unary
func.func @unary(%f: tensor<4xf32>, %i: tensor<4xi32>, %c: tensor<4xcomplex<f32>>) {
  // CHECK: stablehlo.abs %{{.*}} : tensor<4xf32>
  %0 = stablehlo.abs %f : tensor<4xf32>
  // CHECK: stablehlo.abs %{{.*}} : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %1 = stablehlo.abs %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK: stablehlo.cbrt
  %2 = stablehlo.cbrt %f : tensor<4xf32>
  // CHECK: stablehlo.ceil
  %3 = stablehlo.ceil %f : tensor<4xf32>
  // CHECK: stablehlo.convert %{{.*}} : (tensor<4xf32>) -> tensor<4xbf16>
  %4 = stablehlo.convert %f : (tensor<4xf32>) -> tensor<4xbf16>
  // CHECK: stablehlo.count_leading_zeros
  %5 = stablehlo.count_leading_zeros %i : tensor<4xi32>
  // CHECK: stablehlo.cosine
  %6 = stablehlo.cosine %f : tensor<4xf32>
  // CHECK: stablehlo.exponential %{{.*}} {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
  %7 = stablehlo.exponential %f {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
  // CHECK: stablehlo.exponential_minus_one
  %8 = stablehlo.exponential_minus_one %f : tensor<4xf32>
  // CHECK: stablehlo.floor
  %9 = stablehlo.floor %f : tensor<4xf32>
  // CHECK: stablehlo.imag %{{.*}} : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %10 = stablehlo.imag %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK: stablehlo.is_finite %{{.*}} : (tensor<4xf32>) -> tensor<4xi1>
  %11 = stablehlo.is_finite %f : (tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.log
  %12 = stablehlo.log %f : tensor<4xf32>
  // CHECK: stablehlo.log_plus_one
  %13 = stablehlo.log_plus_one %f : tensor<4xf32>
  // CHECK: stablehlo.logistic
  %14 = stablehlo.logistic %f : tensor<4xf32>
  // CHECK: stablehlo.negate
  %15 = stablehlo.negate %i : tensor<4xi32>
  // CHECK: stablehlo.not
  %16 = stablehlo.not %i : tensor<4xi32>
  // CHECK: stablehlo.popcnt
  %17 = stablehlo.popcnt %i : tensor<4xi32>
  // CHECK: stablehlo.real
  %18 = stablehlo.real %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK: stablehlo.round_nearest_afz
  %19 = stablehlo.round_nearest_afz %f : tensor<4xf32>
  // CHECK: stablehlo.round_nearest_even
  %20 = stablehlo.round_nearest_even %f : tensor<4xf32>
  // CHECK: stablehlo.rsqrt
  %21 = stablehlo.rsqrt %f : tensor<4xf32>
  // CHECK: stablehlo.sign
  %22 = stablehlo.sign %f : tensor<4xf32>
  // CHECK: stablehlo.sine
  %23 = stablehlo.sine %f : tensor<4xf32>
  // CHECK: stablehlo.sqrt
  %24 = stablehlo.sqrt %f : tensor<4xf32>
  // CHECK: stablehlo.tan
  %25 = stablehlo.tan %f : tensor<4xf32>
  // CHECK: stablehlo.tanh
  %26 = stablehlo.tanh %f : tensor<4xf32>
  // CHECK: stablehlo.reduce_precision %{{.*}}, format = e5m10 : tensor<4xf32>
  %27 = stablehlo.reduce_precision %f, format = e5m10 : tensor<4xf32>
  // CHECK: stablehlo.uniform_quantize %{{.*}} : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 2.000000e+00:3>>
  %28 = stablehlo.uniform_quantize %f : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 2.0:3>>
  // CHECK: stablehlo.uniform_dequantize
  %29 = stablehlo.uniform_dequantize %28 : (tensor<4x!quant.uniform<i8:f32, 2.0:3>>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func @binary
func.func @binary(%f: tensor<4xf32>, %g: tensor<4xf32, #hlo.layout<[0], rest = "T(128)">>, %i: tensor<4xui32>) {
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<4xf32>
  %0 = stablehlo.add %f, %f : tensor<4xf32>
  // CHECK: stablehlo.atan2
  %1 = stablehlo.atan2 %f, %f : tensor<4xf32>
  // CHECK: stablehlo.divide
  %2 = stablehlo.divide %f, %f : tensor<4xf32>
  // CHECK: stablehlo.maximum
  %3 = stablehlo.maximum %f, %f : tensor<4xf32>
  // CHECK: stablehlo.minimum
  %4 = stablehlo.minimum %f, %f : tensor<4xf32>
  // CHECK: stablehlo.multiply
  %5 = stablehlo.multiply %f, %f : tensor<4xf32>
  // CHECK: stablehlo.power
  %6 = stablehlo.power %f, %f : tensor<4xf32>
  // CHECK: stablehlo.remainder
  %7 = stablehlo.remainder %i, %i : tensor<4xui32>
  // CHECK: stablehlo.shift_left
  %8 = stablehlo.shift_left %i, %i : tensor<4xui32>
  // CHECK: stablehlo.shift_right_arithmetic
  %9 = stablehlo.shift_right_arithmetic %i, %i : tensor<4xui32>
  // CHECK: stablehlo.shift_right_logical
  %10 = stablehlo.shift_right_logical %i, %i : tensor<4xui32>
  // Layouts do not have to agree.
  // CHECK: stablehlo.subtract %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<4xf32, #hlo.layout<[0], rest = "T(128)">>) -> tensor<4xf32>
  %11 = stablehlo.subtract %f, %g : (tensor<4xf32>, tensor<4xf32, #hlo.layout<[0], rest = "T(128)">>) -> tensor<4xf32>
  // CHECK: stablehlo.and
  %12 = stablehlo.and %i, %i : tensor<4xui32>
  // CHECK: stablehlo.or
  %13 = stablehlo.or %i, %i : tensor<4xui32>
  // CHECK: stablehlo.xor
  %14 = stablehlo.xor %i, %i : tensor<4xui32>
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<4xcomplex<f32>>
  %15 = stablehlo.complex %f, %f : tensor<4xcomplex<f32>>
  return
}

// CHECK-LABEL: func @choices
func.func @choices(%f: tensor<4xf32>, %p: tensor<4xi1>, %q: tensor<i1>, %s: tensor<f32>) {
  // CHECK: stablehlo.compare LT, %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %0 = stablehlo.compare  LT, %f, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.compare GE, %{{.*}}, %{{.*}}, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = stablehlo.compare GE, %f, %f,  TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<4xf32>
  %2 = stablehlo.select %p, %f, %f : tensor<4xi1>, tensor<4xf32>
  // CHECK: stablehlo.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<i1>, tensor<4xf32>
  %3 = stablehlo.select %q, %f, %f : tensor<i1>, tensor<4xf32>
  // CHECK: stablehlo.clamp %{{.*}}, %{{.*}}, %{{.*}} : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = stablehlo.clamp %s, %f, %s : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
