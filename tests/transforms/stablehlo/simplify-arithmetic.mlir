// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One function for each equation of SimplifyArithmetic.cpp. PassesKeepWhatProgramsMean
// runs them before and after, on NaN, infinities and -0.0 too.
// RUN: mercator-opt %s --stablehlo-simplify | FileCheck %s

// CHECK-LABEL: @add_zero_i(
// CHECK-NEXT: return
func.func @add_zero_i(%x: tensor<64xi32>) -> tensor<64xi32> {
  %c = stablehlo.constant dense<0> : tensor<64xi32>
  %0 = stablehlo.add %x, %c : tensor<64xi32>
  return %0 : tensor<64xi32>
}

// CHECK-LABEL: @add_zero_left(
// CHECK-NEXT: return
func.func @add_zero_left(%x: tensor<64xui8>) -> tensor<64xui8> {
  %c = stablehlo.constant dense<0> : tensor<64xui8>
  %0 = stablehlo.add %c, %x : tensor<64xui8>
  return %0 : tensor<64xui8>
}

// CHECK-LABEL: @add_minus_zero(
// CHECK-NEXT: return
func.func @add_minus_zero(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c = stablehlo.constant dense<-0.0> : tensor<64xf32>
  %0 = stablehlo.add %x, %c : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @add_zero_f(
// CHECK-NEXT: stablehlo.constant
// CHECK-NEXT: stablehlo.add
// CHECK-NEXT: return
func.func @add_zero_f(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<64xf32>
  %0 = stablehlo.add %x, %c : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @subtract_zero_i(
// CHECK-NEXT: return
func.func @subtract_zero_i(%x: tensor<64xi32>) -> tensor<64xi32> {
  %c = stablehlo.constant dense<0> : tensor<64xi32>
  %0 = stablehlo.subtract %x, %c : tensor<64xi32>
  return %0 : tensor<64xi32>
}

// CHECK-LABEL: @subtract_zero_f(
// CHECK-NEXT: return
func.func @subtract_zero_f(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<64xf32>
  %0 = stablehlo.subtract %x, %c : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @subtract_minus_zero(
// CHECK-NEXT: stablehlo.constant
// CHECK-NEXT: stablehlo.subtract
// CHECK-NEXT: return
func.func @subtract_minus_zero(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c = stablehlo.constant dense<-0.0> : tensor<64xf32>
  %0 = stablehlo.subtract %x, %c : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @subtract_itself(
// CHECK-NEXT: stablehlo.constant dense<0>
// CHECK-NEXT: return
func.func @subtract_itself(%x: tensor<64xi32>) -> tensor<64xi32> {
  %0 = stablehlo.subtract %x, %x : tensor<64xi32>
  return %0 : tensor<64xi32>
}

// CHECK-LABEL: @subtract_itself_f(
// CHECK-NEXT: stablehlo.subtract
// CHECK-NEXT: return
func.func @subtract_itself_f(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.subtract %x, %x : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @multiply_one_f(
// CHECK-NEXT: return
func.func @multiply_one_f(%x: tensor<64xbf16>) -> tensor<64xbf16> {
  %c = stablehlo.constant dense<1.0> : tensor<64xbf16>
  %0 = stablehlo.multiply %x, %c : tensor<64xbf16>
  return %0 : tensor<64xbf16>
}

// CHECK-LABEL: @multiply_one_i(
// CHECK-NEXT: return
func.func @multiply_one_i(%x: tensor<64xi32>) -> tensor<64xi32> {
  %c = stablehlo.constant dense<1> : tensor<64xi32>
  %0 = stablehlo.multiply %x, %c : tensor<64xi32>
  return %0 : tensor<64xi32>
}

// CHECK-LABEL: @multiply_one_left(
// CHECK-NEXT: return
func.func @multiply_one_left(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<64xf32>
  %0 = stablehlo.multiply %c, %x : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @multiply_zero_i(
// CHECK-NEXT: stablehlo.constant dense<0>
// CHECK-NEXT: return
func.func @multiply_zero_i(%x: tensor<64xui8>) -> tensor<64xui8> {
  %c = stablehlo.constant dense<0> : tensor<64xui8>
  %0 = stablehlo.multiply %x, %c : tensor<64xui8>
  return %0 : tensor<64xui8>
}

// CHECK-LABEL: @multiply_zero_f(
// CHECK-NEXT: stablehlo.constant
// CHECK-NEXT: stablehlo.multiply
// CHECK-NEXT: return
func.func @multiply_zero_f(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<64xf32>
  %0 = stablehlo.multiply %x, %c : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @divide_one_f(
// CHECK-NEXT: return
func.func @divide_one_f(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<64xf32>
  %0 = stablehlo.divide %x, %c : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @divide_one_i(
// CHECK-NEXT: return
func.func @divide_one_i(%x: tensor<64xi32>) -> tensor<64xi32> {
  %c = stablehlo.constant dense<1> : tensor<64xi32>
  %0 = stablehlo.divide %x, %c : tensor<64xi32>
  return %0 : tensor<64xi32>
}

// CHECK-LABEL: @negate_twice(
// CHECK-NEXT: return
func.func @negate_twice(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.negate %x : tensor<64xf32>
  %1 = stablehlo.negate %0 : tensor<64xf32>
  return %1 : tensor<64xf32>
}

// CHECK-LABEL: @negate_twice_i(
// CHECK-NEXT: return
func.func @negate_twice_i(%x: tensor<64xi32>) -> tensor<64xi32> {
  %0 = stablehlo.negate %x : tensor<64xi32>
  %1 = stablehlo.negate %0 : tensor<64xi32>
  return %1 : tensor<64xi32>
}

// CHECK-LABEL: @not_twice(
// CHECK-NEXT: return
func.func @not_twice(%x: tensor<64xi32>) -> tensor<64xi32> {
  %0 = stablehlo.not %x : tensor<64xi32>
  %1 = stablehlo.not %0 : tensor<64xi32>
  return %1 : tensor<64xi32>
}

// CHECK-LABEL: @not_twice_boolean(
// CHECK-NEXT: return
func.func @not_twice_boolean(%x: tensor<64xi1>) -> tensor<64xi1> {
  %0 = stablehlo.not %x : tensor<64xi1>
  %1 = stablehlo.not %0 : tensor<64xi1>
  return %1 : tensor<64xi1>
}

// CHECK-LABEL: @abs_twice(
// CHECK-NEXT: stablehlo.abs
// CHECK-NEXT: return
func.func @abs_twice(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.abs %x : tensor<64xf32>
  %1 = stablehlo.abs %0 : tensor<64xf32>
  return %1 : tensor<64xf32>
}

// CHECK-LABEL: @ceil_twice(
// CHECK-NEXT: stablehlo.ceil
// CHECK-NEXT: return
func.func @ceil_twice(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.ceil %x : tensor<64xf32>
  %1 = stablehlo.ceil %0 : tensor<64xf32>
  return %1 : tensor<64xf32>
}

// CHECK-LABEL: @floor_twice(
// CHECK-NEXT: stablehlo.floor
// CHECK-NEXT: return
func.func @floor_twice(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.floor %x : tensor<64xf32>
  %1 = stablehlo.floor %0 : tensor<64xf32>
  return %1 : tensor<64xf32>
}

// CHECK-LABEL: @round_nearest_afz_twice(
// CHECK-NEXT: stablehlo.round_nearest_afz
// CHECK-NEXT: return
func.func @round_nearest_afz_twice(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.round_nearest_afz %x : tensor<64xf32>
  %1 = stablehlo.round_nearest_afz %0 : tensor<64xf32>
  return %1 : tensor<64xf32>
}

// CHECK-LABEL: @round_nearest_even_twice(
// CHECK-NEXT: stablehlo.round_nearest_even
// CHECK-NEXT: return
func.func @round_nearest_even_twice(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.round_nearest_even %x : tensor<64xf32>
  %1 = stablehlo.round_nearest_even %0 : tensor<64xf32>
  return %1 : tensor<64xf32>
}

// CHECK-LABEL: @sign_twice(
// CHECK-NEXT: stablehlo.sign
// CHECK-NEXT: return
func.func @sign_twice(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.sign %x : tensor<64xf32>
  %1 = stablehlo.sign %0 : tensor<64xf32>
  return %1 : tensor<64xf32>
}

// CHECK-LABEL: @abs_twice_i(
// CHECK-NEXT: stablehlo.abs
// CHECK-NEXT: return
func.func @abs_twice_i(%x: tensor<64xi32>) -> tensor<64xi32> {
  %0 = stablehlo.abs %x : tensor<64xi32>
  %1 = stablehlo.abs %0 : tensor<64xi32>
  return %1 : tensor<64xi32>
}

// CHECK-LABEL: @and_itself(
// CHECK-NEXT: return
func.func @and_itself(%x: tensor<64xi32>) -> tensor<64xi32> {
  %0 = stablehlo.and %x, %x : tensor<64xi32>
  return %0 : tensor<64xi32>
}

// CHECK-LABEL: @or_itself(
// CHECK-NEXT: return
func.func @or_itself(%x: tensor<64xi1>) -> tensor<64xi1> {
  %0 = stablehlo.or %x, %x : tensor<64xi1>
  return %0 : tensor<64xi1>
}

// CHECK-LABEL: @maximum_itself(
// CHECK-NEXT: return
func.func @maximum_itself(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.maximum %x, %x : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @minimum_itself(
// CHECK-NEXT: return
func.func @minimum_itself(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.minimum %x, %x : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @and_ones(
// CHECK-NEXT: return
func.func @and_ones(%x: tensor<64xi32>) -> tensor<64xi32> {
  %c = stablehlo.constant dense<-1> : tensor<64xi32>
  %0 = stablehlo.and %x, %c : tensor<64xi32>
  return %0 : tensor<64xi32>
}

// CHECK-LABEL: @and_true(
// CHECK-NEXT: return
func.func @and_true(%x: tensor<64xi1>) -> tensor<64xi1> {
  %c = stablehlo.constant dense<true> : tensor<64xi1>
  %0 = stablehlo.and %c, %x : tensor<64xi1>
  return %0 : tensor<64xi1>
}

// CHECK-LABEL: @and_zero(
// CHECK-NEXT: stablehlo.constant dense<0>
// CHECK-NEXT: return
func.func @and_zero(%x: tensor<64xi32>) -> tensor<64xi32> {
  %c = stablehlo.constant dense<0> : tensor<64xi32>
  %0 = stablehlo.and %x, %c : tensor<64xi32>
  return %0 : tensor<64xi32>
}

// CHECK-LABEL: @or_zero(
// CHECK-NEXT: return
func.func @or_zero(%x: tensor<64xi32>) -> tensor<64xi32> {
  %c = stablehlo.constant dense<0> : tensor<64xi32>
  %0 = stablehlo.or %x, %c : tensor<64xi32>
  return %0 : tensor<64xi32>
}

// CHECK-LABEL: @or_false(
// CHECK-NEXT: return
func.func @or_false(%x: tensor<64xi1>) -> tensor<64xi1> {
  %c = stablehlo.constant dense<false> : tensor<64xi1>
  %0 = stablehlo.or %x, %c : tensor<64xi1>
  return %0 : tensor<64xi1>
}

// CHECK-LABEL: @or_ones(
// CHECK-NEXT: stablehlo.constant dense<255>
// CHECK-NEXT: return
func.func @or_ones(%x: tensor<64xui8>) -> tensor<64xui8> {
  %c = stablehlo.constant dense<255> : tensor<64xui8>
  %0 = stablehlo.or %x, %c : tensor<64xui8>
  return %0 : tensor<64xui8>
}

// CHECK-LABEL: @xor_zero(
// CHECK-NEXT: return
func.func @xor_zero(%x: tensor<64xi32>) -> tensor<64xi32> {
  %c = stablehlo.constant dense<0> : tensor<64xi32>
  %0 = stablehlo.xor %x, %c : tensor<64xi32>
  return %0 : tensor<64xi32>
}

// CHECK-LABEL: @xor_itself(
// CHECK-NEXT: stablehlo.constant dense<0>
// CHECK-NEXT: return
func.func @xor_itself(%x: tensor<64xi32>) -> tensor<64xi32> {
  %0 = stablehlo.xor %x, %x : tensor<64xi32>
  return %0 : tensor<64xi32>
}

// CHECK-LABEL: @maximum_least(
// CHECK-NEXT: return
func.func @maximum_least(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c = stablehlo.constant dense<0xFF800000> : tensor<64xf32>
  %0 = stablehlo.maximum %c, %x : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @maximum_least_i(
// CHECK-NEXT: return
func.func @maximum_least_i(%x: tensor<64xi32>) -> tensor<64xi32> {
  %c = stablehlo.constant dense<-2147483648> : tensor<64xi32>
  %0 = stablehlo.maximum %x, %c : tensor<64xi32>
  return %0 : tensor<64xi32>
}

// CHECK-LABEL: @maximum_least_u(
// CHECK-NEXT: return
func.func @maximum_least_u(%x: tensor<64xui8>) -> tensor<64xui8> {
  %c = stablehlo.constant dense<0> : tensor<64xui8>
  %0 = stablehlo.maximum %x, %c : tensor<64xui8>
  return %0 : tensor<64xui8>
}

// CHECK-LABEL: @minimum_greatest(
// CHECK-NEXT: return
func.func @minimum_greatest(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c = stablehlo.constant dense<0x7F800000> : tensor<64xf32>
  %0 = stablehlo.minimum %x, %c : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @minimum_greatest_u(
// CHECK-NEXT: return
func.func @minimum_greatest_u(%x: tensor<64xui8>) -> tensor<64xui8> {
  %c = stablehlo.constant dense<255> : tensor<64xui8>
  %0 = stablehlo.minimum %x, %c : tensor<64xui8>
  return %0 : tensor<64xui8>
}

// CHECK-LABEL: @minimum_greatest_i1(
// CHECK-NEXT: return
func.func @minimum_greatest_i1(%x: tensor<64xi1>) -> tensor<64xi1> {
  %c = stablehlo.constant dense<true> : tensor<64xi1>
  %0 = stablehlo.minimum %x, %c : tensor<64xi1>
  return %0 : tensor<64xi1>
}

// CHECK-LABEL: @clamp_nothing(
// CHECK-NEXT: return
func.func @clamp_nothing(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %b = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %0 = stablehlo.clamp %a, %x, %b : (tensor<f32>, tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @select_same(
// CHECK-NEXT: return
func.func @select_same(%c: tensor<64xi1>, %x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.select %c, %x, %x : tensor<64xi1>, tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @select_true(
// CHECK-NEXT: return
func.func @select_true(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.select %c, %x, %y : tensor<i1>, tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @select_false(
// CHECK-NEXT: return
func.func @select_false(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %c = stablehlo.constant dense<false> : tensor<64xi1>
  %0 = stablehlo.select %c, %x, %y : tensor<64xi1>, tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @select_not(
// CHECK-NEXT: stablehlo.select %arg0, %arg2, %arg1
// CHECK-NEXT: return
func.func @select_not(%c: tensor<64xi1>, %x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %n = stablehlo.not %c : tensor<64xi1>
  %0 = stablehlo.select %n, %x, %y : tensor<64xi1>, tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @select_booleans(
// CHECK-NEXT: return
func.func @select_booleans(%c: tensor<64xi1>) -> tensor<64xi1> {
  %t = stablehlo.constant dense<true> : tensor<64xi1>
  %f = stablehlo.constant dense<false> : tensor<64xi1>
  %0 = stablehlo.select %c, %t, %f : tensor<64xi1>, tensor<64xi1>
  return %0 : tensor<64xi1>
}

// CHECK-LABEL: @convert_to_same(
// CHECK-NEXT: return
func.func @convert_to_same(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.convert %x : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @convert_and_back(
// CHECK-NEXT: return
func.func @convert_and_back(%x: tensor<64xbf16>) -> tensor<64xbf16> {
  %0 = stablehlo.convert %x : (tensor<64xbf16>) -> tensor<64xf32>
  %1 = stablehlo.convert %0 : (tensor<64xf32>) -> tensor<64xbf16>
  return %1 : tensor<64xbf16>
}

// CHECK-LABEL: @convert_wider(
// CHECK-NEXT: stablehlo.convert %arg0 : (tensor<64xi8>) -> tensor<64xf32>
// CHECK-NEXT: return
func.func @convert_wider(%x: tensor<64xi8>) -> tensor<64xf32> {
  %0 = stablehlo.convert %x : (tensor<64xi8>) -> tensor<64xi32>
  %1 = stablehlo.convert %0 : (tensor<64xi32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// CHECK-LABEL: @convert_boolean(
// CHECK-NEXT: stablehlo.convert %arg0 : (tensor<64xi1>) -> tensor<64xf32>
// CHECK-NEXT: return
func.func @convert_boolean(%x: tensor<64xi1>) -> tensor<64xf32> {
  %0 = stablehlo.convert %x : (tensor<64xi1>) -> tensor<64xi32>
  %1 = stablehlo.convert %0 : (tensor<64xi32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// CHECK-LABEL: @convert_wrapping(
// CHECK-NEXT: stablehlo.convert %arg0 : (tensor<64xi32>) -> tensor<64xi8>
// CHECK-NEXT: return
func.func @convert_wrapping(%x: tensor<64xi32>) -> tensor<64xi8> {
  %0 = stablehlo.convert %x : (tensor<64xi32>) -> tensor<64xi64>
  %1 = stablehlo.convert %0 : (tensor<64xi64>) -> tensor<64xi8>
  return %1 : tensor<64xi8>
}

// CHECK-LABEL: @convert_saturating(
// CHECK-NEXT: stablehlo.convert
// CHECK-NEXT: stablehlo.convert
// CHECK-NEXT: return
func.func @convert_saturating(%x: tensor<64xi32>) -> tensor<64xi8> {
  %0 = stablehlo.convert %x : (tensor<64xi32>) -> tensor<64xf64>
  %1 = stablehlo.convert %0 : (tensor<64xf64>) -> tensor<64xi8>
  return %1 : tensor<64xi8>
}

// CHECK-LABEL: @convert_narrow(
// CHECK-NEXT: stablehlo.convert
// CHECK-NEXT: stablehlo.convert
// CHECK-NEXT: return
func.func @convert_narrow(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.convert %x : (tensor<64xf32>) -> tensor<64xbf16>
  %1 = stablehlo.convert %0 : (tensor<64xbf16>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// CHECK-LABEL: @convert_unsigned(
// CHECK-NEXT: stablehlo.convert
// CHECK-NEXT: stablehlo.convert
// CHECK-NEXT: return
func.func @convert_unsigned(%x: tensor<64xi8>) -> tensor<64xi32> {
  %0 = stablehlo.convert %x : (tensor<64xi8>) -> tensor<64xui8>
  %1 = stablehlo.convert %0 : (tensor<64xui8>) -> tensor<64xi32>
  return %1 : tensor<64xi32>
}

// CHECK-LABEL: @real_of_complex(
// CHECK-NEXT: return
func.func @real_of_complex(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %z = stablehlo.complex %x, %y : tensor<64xcomplex<f32>>
  %0 = stablehlo.real %z : (tensor<64xcomplex<f32>>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @imag_of_complex(
// CHECK-NEXT: return
func.func @imag_of_complex(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %z = stablehlo.complex %x, %y : tensor<64xcomplex<f32>>
  %0 = stablehlo.imag %z : (tensor<64xcomplex<f32>>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @complex_of_parts(
// CHECK-NEXT: return
func.func @complex_of_parts(%z: tensor<64xcomplex<f32>>) -> tensor<64xcomplex<f32>> {
  %x = stablehlo.real %z : (tensor<64xcomplex<f32>>) -> tensor<64xf32>
  %y = stablehlo.imag %z : (tensor<64xcomplex<f32>>) -> tensor<64xf32>
  %0 = stablehlo.complex %x, %y : tensor<64xcomplex<f32>>
  return %0 : tensor<64xcomplex<f32>>
}
