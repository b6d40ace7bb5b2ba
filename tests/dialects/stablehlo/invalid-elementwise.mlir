// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints of the elementwise operations and of constant and iota: for each
// constraint of the specification a program that violates only this one.

// RUN: mercator-opt %s --split-input-file --verify-diagnostics

// (cbrt C1)
func.func @cbrt_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.cbrt %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
// (cbrt C1)
func.func @cbrt_c1_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = stablehlo.cbrt %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (ceil C1)
func.func @ceil_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.ceil %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
// (ceil C1)
func.func @ceil_c1_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = stablehlo.ceil %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (cosine C1)
func.func @cosine_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.cosine %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
// (cosine C1)
func.func @cosine_c1_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = stablehlo.cosine %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (exponential C1)
func.func @exponential_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.exponential %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
// (exponential C1)
func.func @exponential_c1_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = stablehlo.exponential %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (exponential_minus_one C1)
func.func @exponential_minus_one_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.exponential_minus_one %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
// (exponential_minus_one C1)
func.func @exponential_minus_one_c1_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = stablehlo.exponential_minus_one %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (floor C1)
func.func @floor_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.floor %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
// (floor C1)
func.func @floor_c1_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = stablehlo.floor %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (log C1)
func.func @log_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.log %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
// (log C1)
func.func @log_c1_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = stablehlo.log %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (log_plus_one C1)
func.func @log_plus_one_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.log_plus_one %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
// (log_plus_one C1)
func.func @log_plus_one_c1_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = stablehlo.log_plus_one %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (logistic C1)
func.func @logistic_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.logistic %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
// (logistic C1)
func.func @logistic_c1_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = stablehlo.logistic %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (round_nearest_afz C1)
func.func @round_nearest_afz_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.round_nearest_afz %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
// (round_nearest_afz C1)
func.func @round_nearest_afz_c1_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = stablehlo.round_nearest_afz %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (round_nearest_even C1)
func.func @round_nearest_even_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.round_nearest_even %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
// (round_nearest_even C1)
func.func @round_nearest_even_c1_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = stablehlo.round_nearest_even %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (rsqrt C1)
func.func @rsqrt_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.rsqrt %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
// (rsqrt C1)
func.func @rsqrt_c1_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = stablehlo.rsqrt %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (sign C1)
func.func @sign_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.sign %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
// (sign C1)
func.func @sign_c1_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = stablehlo.sign %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (sine C1)
func.func @sine_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.sine %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
// (sine C1)
func.func @sine_c1_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = stablehlo.sine %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (sqrt C1)
func.func @sqrt_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.sqrt %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
// (sqrt C1)
func.func @sqrt_c1_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = stablehlo.sqrt %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (tan C1)
func.func @tan_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.tan %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
// (tan C1)
func.func @tan_c1_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = stablehlo.tan %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (tanh C1)
func.func @tanh_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.tanh %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
// (tanh C1)
func.func @tanh_c1_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = stablehlo.tanh %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (negate C1)
func.func @negate_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.negate %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
// (negate C1)
func.func @negate_c1_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f64' as the result has, got 'f32'}}
  %0 = stablehlo.negate %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (count_leading_zeros C1)
func.func @count_leading_zeros_c1(%a: tensor<4xi32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xi32>', got 'tensor<4xi32>'}}
  %0 = stablehlo.count_leading_zeros %a : (tensor<4xi32>) -> tensor<5xi32>
  return
}
// -----
// (count_leading_zeros C1)
func.func @count_leading_zeros_c1_2(%a: tensor<4xi32>) {
  // expected-error @+1 {{expected operand #0 of element type 'i64' as the result has, got 'i32'}}
  %0 = stablehlo.count_leading_zeros %a : (tensor<4xi32>) -> tensor<4xi64>
  return
}
// -----
// (not C1)
func.func @not_c1(%a: tensor<4xi32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xi32>', got 'tensor<4xi32>'}}
  %0 = stablehlo.not %a : (tensor<4xi32>) -> tensor<5xi32>
  return
}
// -----
// (not C1)
func.func @not_c1_2(%a: tensor<4xi32>) {
  // expected-error @+1 {{expected operand #0 of element type 'i64' as the result has, got 'i32'}}
  %0 = stablehlo.not %a : (tensor<4xi32>) -> tensor<4xi64>
  return
}
// -----
// (popcnt C1)
func.func @popcnt_c1(%a: tensor<4xi32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xi32>', got 'tensor<4xi32>'}}
  %0 = stablehlo.popcnt %a : (tensor<4xi32>) -> tensor<5xi32>
  return
}
// -----
// (popcnt C1)
func.func @popcnt_c1_2(%a: tensor<4xi32>) {
  // expected-error @+1 {{expected operand #0 of element type 'i64' as the result has, got 'i32'}}
  %0 = stablehlo.popcnt %a : (tensor<4xi32>) -> tensor<4xi64>
  return
}
// -----
// (atan2 C1)
func.func @atan2_c1(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{expected operand #1 of the result's shape 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = stablehlo.atan2 %a, %b : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}
// -----
// (atan2 C1)
func.func @atan2_c1_2(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{expected operand #1 of element type 'f32' as the result has, got 'f64'}}
  %0 = stablehlo.atan2 %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}
// -----
// (divide C1)
func.func @divide_c1(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{expected operand #1 of the result's shape 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = stablehlo.divide %a, %b : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}
// -----
// (divide C1)
func.func @divide_c1_2(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{expected operand #1 of element type 'f32' as the result has, got 'f64'}}
  %0 = stablehlo.divide %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}
// -----
// (maximum C1)
func.func @maximum_c1(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{expected operand #1 of the result's shape 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = stablehlo.maximum %a, %b : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}
// -----
// (maximum C1)
func.func @maximum_c1_2(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{expected operand #1 of element type 'f32' as the result has, got 'f64'}}
  %0 = stablehlo.maximum %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}
// -----
// (minimum C1)
func.func @minimum_c1(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{expected operand #1 of the result's shape 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = stablehlo.minimum %a, %b : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}
// -----
// (minimum C1)
func.func @minimum_c1_2(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{expected operand #1 of element type 'f32' as the result has, got 'f64'}}
  %0 = stablehlo.minimum %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}
// -----
// (multiply C1)
func.func @multiply_c1(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{expected operand #1 of the result's shape 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = stablehlo.multiply %a, %b : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}
// -----
// (multiply C1)
func.func @multiply_c1_2(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{expected operand #1 of element type 'f32' as the result has, got 'f64'}}
  %0 = stablehlo.multiply %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}
// -----
// (power C1)
func.func @power_c1(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{expected operand #1 of the result's shape 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = stablehlo.power %a, %b : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}
// -----
// (power C1)
func.func @power_c1_2(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{expected operand #1 of element type 'f32' as the result has, got 'f64'}}
  %0 = stablehlo.power %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}
// -----
// (remainder C1)
func.func @remainder_c1(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{expected operand #1 of the result's shape 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = stablehlo.remainder %a, %b : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}
// -----
// (remainder C1)
func.func @remainder_c1_2(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{expected operand #1 of element type 'f32' as the result has, got 'f64'}}
  %0 = stablehlo.remainder %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}
// -----
// (subtract C1)
func.func @subtract_c1(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{expected operand #1 of the result's shape 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = stablehlo.subtract %a, %b : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}
// -----
// (subtract C1)
func.func @subtract_c1_2(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{expected operand #1 of element type 'f32' as the result has, got 'f64'}}
  %0 = stablehlo.subtract %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}
// -----
// (and C1)
func.func @and_c1(%a: tensor<4xi32>, %b: tensor<5xi32>) {
  // expected-error @+1 {{expected operand #1 of the result's shape 'tensor<4xi32>', got 'tensor<5xi32>'}}
  %0 = stablehlo.and %a, %b : (tensor<4xi32>, tensor<5xi32>) -> tensor<4xi32>
  return
}
// -----
// (and C1)
func.func @and_c1_2(%a: tensor<4xi32>, %b: tensor<4xi64>) {
  // expected-error @+1 {{expected operand #1 of element type 'i32' as the result has, got 'i64'}}
  %0 = stablehlo.and %a, %b : (tensor<4xi32>, tensor<4xi64>) -> tensor<4xi32>
  return
}
// -----
// (or C1)
func.func @or_c1(%a: tensor<4xi32>, %b: tensor<5xi32>) {
  // expected-error @+1 {{expected operand #1 of the result's shape 'tensor<4xi32>', got 'tensor<5xi32>'}}
  %0 = stablehlo.or %a, %b : (tensor<4xi32>, tensor<5xi32>) -> tensor<4xi32>
  return
}
// -----
// (or C1)
func.func @or_c1_2(%a: tensor<4xi32>, %b: tensor<4xi64>) {
  // expected-error @+1 {{expected operand #1 of element type 'i32' as the result has, got 'i64'}}
  %0 = stablehlo.or %a, %b : (tensor<4xi32>, tensor<4xi64>) -> tensor<4xi32>
  return
}
// -----
// (shift_left C1)
func.func @shift_left_c1(%a: tensor<4xi32>, %b: tensor<5xi32>) {
  // expected-error @+1 {{expected operand #1 of the result's shape 'tensor<4xi32>', got 'tensor<5xi32>'}}
  %0 = stablehlo.shift_left %a, %b : (tensor<4xi32>, tensor<5xi32>) -> tensor<4xi32>
  return
}
// -----
// (shift_left C1)
func.func @shift_left_c1_2(%a: tensor<4xi32>, %b: tensor<4xi64>) {
  // expected-error @+1 {{expected operand #1 of element type 'i32' as the result has, got 'i64'}}
  %0 = stablehlo.shift_left %a, %b : (tensor<4xi32>, tensor<4xi64>) -> tensor<4xi32>
  return
}
// -----
// (shift_right_arithmetic C1)
func.func @shift_right_arithmetic_c1(%a: tensor<4xi32>, %b: tensor<5xi32>) {
  // expected-error @+1 {{expected operand #1 of the result's shape 'tensor<4xi32>', got 'tensor<5xi32>'}}
  %0 = stablehlo.shift_right_arithmetic %a, %b : (tensor<4xi32>, tensor<5xi32>) -> tensor<4xi32>
  return
}
// -----
// (shift_right_arithmetic C1)
func.func @shift_right_arithmetic_c1_2(%a: tensor<4xi32>, %b: tensor<4xi64>) {
  // expected-error @+1 {{expected operand #1 of element type 'i32' as the result has, got 'i64'}}
  %0 = stablehlo.shift_right_arithmetic %a, %b : (tensor<4xi32>, tensor<4xi64>) -> tensor<4xi32>
  return
}
// -----
// (shift_right_logical C1)
func.func @shift_right_logical_c1(%a: tensor<4xi32>, %b: tensor<5xi32>) {
  // expected-error @+1 {{expected operand #1 of the result's shape 'tensor<4xi32>', got 'tensor<5xi32>'}}
  %0 = stablehlo.shift_right_logical %a, %b : (tensor<4xi32>, tensor<5xi32>) -> tensor<4xi32>
  return
}
// -----
// (shift_right_logical C1)
func.func @shift_right_logical_c1_2(%a: tensor<4xi32>, %b: tensor<4xi64>) {
  // expected-error @+1 {{expected operand #1 of element type 'i32' as the result has, got 'i64'}}
  %0 = stablehlo.shift_right_logical %a, %b : (tensor<4xi32>, tensor<4xi64>) -> tensor<4xi32>
  return
}
// -----
// (xor C1)
func.func @xor_c1(%a: tensor<4xi32>, %b: tensor<5xi32>) {
  // expected-error @+1 {{expected operand #1 of the result's shape 'tensor<4xi32>', got 'tensor<5xi32>'}}
  %0 = stablehlo.xor %a, %b : (tensor<4xi32>, tensor<5xi32>) -> tensor<4xi32>
  return
}
// -----
// (xor C1)
func.func @xor_c1_2(%a: tensor<4xi32>, %b: tensor<4xi64>) {
  // expected-error @+1 {{expected operand #1 of element type 'i32' as the result has, got 'i64'}}
  %0 = stablehlo.xor %a, %b : (tensor<4xi32>, tensor<4xi64>) -> tensor<4xi32>
  return
}
// -----
// (abs C1)
func.func @abs_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.abs %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
// (abs C2)
func.func @abs_c2(%a: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = stablehlo.abs %a : (tensor<4xcomplex<f32>>) -> tensor<4xf64>
  return
}
// -----
// (abs C2)
func.func @abs_c2_2(%a: tensor<4xi32>) {
  // expected-error @+1 {{expected result of element type 'i32', got 'i64'}}
  %0 = stablehlo.abs %a : (tensor<4xi32>) -> tensor<4xi64>
  return
}
// -----
// (real C1)
func.func @real_c1(%a: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xcomplex<f32>>'}}
  %0 = stablehlo.real %a : (tensor<4xcomplex<f32>>) -> tensor<5xf32>
  return
}
// -----
// (real C2)
func.func @real_c2(%a: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = stablehlo.real %a : (tensor<4xcomplex<f32>>) -> tensor<4xf64>
  return
}
// -----
// (real C2)
func.func @real_c2_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = stablehlo.real %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (imag C1)
func.func @imag_c1(%a: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xcomplex<f32>>'}}
  %0 = stablehlo.imag %a : (tensor<4xcomplex<f32>>) -> tensor<5xf32>
  return
}
// -----
// (imag C2)
func.func @imag_c2(%a: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = stablehlo.imag %a : (tensor<4xcomplex<f32>>) -> tensor<4xf64>
  return
}
// -----
// (imag C2)
func.func @imag_c2_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = stablehlo.imag %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (convert C1)
func.func @convert_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xi32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<5xi32>
  return
}
// -----
// (is_finite C1)
func.func @is_finite_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xi1>', got 'tensor<4xf32>'}}
  %0 = stablehlo.is_finite %a : (tensor<4xf32>) -> tensor<5xi1>
  return
}
// -----
// (reduce_precision C1)
func.func @reduce_precision_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.reduce_precision %a, format = e5m10 : (tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
// (reduce_precision C1)
func.func @reduce_precision_c1_2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of element type 'f16' as the result has, got 'f32'}}
  %0 = stablehlo.reduce_precision %a, format = e5m10 : (tensor<4xf32>) -> tensor<4xf16>
  return
}
// -----
// (reduce_precision C2)
func.func @reduce_precision_c2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected exponent bits of at least 1, got 0}}
  %0 = stablehlo.reduce_precision %a, format = e0m10 : tensor<4xf32>
  return
}
// -----
// (reduce_precision C3)
func.func @reduce_precision_c3(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected mantissa bits of at least 0, got -1}}
  %0 = "stablehlo.reduce_precision"(%a) {exponent_bits = 5 : i32, mantissa_bits = -1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
// (uniform_quantize C1)
func.func @uniform_quantize_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5x!quant.uniform<i8:f32, 5.000000e-01:3>>', got 'tensor<4xf32>'}}
  %0 = stablehlo.uniform_quantize %a : (tensor<4xf32>) -> tensor<5x!quant.uniform<i8:f32, 0.5:3>>
  return
}
// -----
// (uniform_quantize C2)
func.func @uniform_quantize_c2(%a: tensor<4xf64>) {
  // expected-error @+1 {{expected a result that expresses 'f64', got one that expresses 'f32'}}
  %0 = stablehlo.uniform_quantize %a : (tensor<4xf64>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  return
}
// -----
// (uniform_quantize C2)
func.func @uniform_quantize_c2_2(%a: tensor<4x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error @+1 {{expected a result that expresses 'f32', got one that expresses 'f16'}}
  %0 = stablehlo.uniform_quantize %a : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<i8:f16, 0.5:3>>
  return
}
// -----
// (uniform_dequantize C1)
func.func @uniform_dequantize_c1(%a: tensor<4x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xf32>', got 'tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>'}}
  %0 = stablehlo.uniform_dequantize %a : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<5xf32>
  return
}
// -----
// (uniform_dequantize C2)
func.func @uniform_dequantize_c2(%a: tensor<4x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = stablehlo.uniform_dequantize %a : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4xf64>
  return
}
// -----
// (add C1)
func.func @add_c1(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{expected operand #1 of the result's shape 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = stablehlo.add %a, %b : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}
// -----
// (add C1)
func.func @add_c1_2(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{expected rhs of element type 'f32' as the result has, got 'f64'}}
  %0 = stablehlo.add %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}
// -----
// (add C2)
func.func @add_c2(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<2x2xf32>) {
  // expected-error @+1 {{expected all operands and the result quantized or none, got rhs of element type 'f32' and a result of '!quant.uniform<i8:f32, 5.000000e-01:3>'}}
  %0 = stablehlo.add %a, %b : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}
// -----
// (add C3)
func.func @add_c3(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error @+1 {{expected lhs with the storage type of the result, '!quant.uniform<i16:f32, 5.000000e-01>', got '!quant.uniform<i8:f32, 5.000000e-01:3>'}}
  %0 = stablehlo.add %a, %b : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i16:f32, 0.5>>
  return
}
// -----
// (add C3)
func.func @add_c3_2(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<2x2x!quant.uniform<u8:f32, 0.5>>) {
  // expected-error @+1 {{expected rhs with the storage type of the result, '!quant.uniform<i8:f32, 5.000000e-01:3>', got '!quant.uniform<u8:f32, 5.000000e-01>'}}
  %0 = stablehlo.add %a, %b : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<u8:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}
// -----
// (add C4)
func.func @add_c4(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<2x2x!quant.uniform<i8:f16, 0.5>>) {
  // expected-error @+1 {{expected rhs that expresses 'f32', got one that expresses 'f16'}}
  %0 = stablehlo.add %a, %b : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i8:f16, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}
// -----
// (add C5)
func.func @add_c5(%a: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %b: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error @+1 {{expected a result quantized per axis exactly if an operand is, got '!quant.uniform<i8:f32, 5.000000e-01:3>'}}
  %0 = stablehlo.add %a, %b : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}
// -----
// (add C5)
func.func @add_c5_2(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error @+1 {{expected a result quantized per axis exactly if an operand is, got '!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>'}}
  %0 = stablehlo.add %a, %b : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}
// -----
// (add C6)
func.func @add_c6(%a: tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, %b: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error @+1 {{expected lhs quantized along dimension 0 as the result is, got 1}}
  %0 = stablehlo.add %a, %b : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}
// -----
// (add C7)
func.func @add_c7(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  // expected-error @+1 {{expected rhs quantized along dimension 0 as the result is, got 1}}
  %0 = stablehlo.add %a, %b : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}
// -----
// (complex C1)
func.func @complex_c1(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{expected rhs of element type 'f32', got 'f64'}}
  %0 = "stablehlo.complex"(%a, %b) : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xcomplex<f32>>
  return
}
// -----
// (complex C2)
func.func @complex_c2(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xcomplex<f32>>', got 'tensor<4xf32>'}}
  %0 = "stablehlo.complex"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xcomplex<f32>>
  return
}
// -----
// (complex C3)
func.func @complex_c3(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected result of element type 'complex<f32>', got 'complex<f64>'}}
  %0 = "stablehlo.complex"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f64>>
  return
}
// -----
// (compare C1)
func.func @compare_c1(%a: tensor<4xf32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{expected rhs of element type 'f32', got 'i32'}}
  %0 = stablehlo.compare LT, %a, %b : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xi1>
  return
}
// -----
// (compare C2)
func.func @compare_c2(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{expected operand #1 of the result's shape 'tensor<4xi1>', got 'tensor<5xf32>'}}
  %0 = stablehlo.compare LT, %a, %b : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xi1>
  return
}
// -----
// (compare C2)
func.func @compare_c2_2(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of the result's shape 'tensor<5xi1>', got 'tensor<4xf32>'}}
  %0 = stablehlo.compare LT, %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xi1>
  return
}
// -----
// (compare C3)
func.func @compare_c3(%a: tensor<4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{expected a comparison type for elements of 'i32', got UNSIGNED}}
  %0 = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return
}
// -----
// (compare C3)
func.func @compare_c3_2(%a: tensor<4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{expected a comparison type for elements of 'i32', got FLOAT}}
  %0 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return
}
// -----
// (compare C3)
func.func @compare_c3_3(%a: tensor<4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{expected a comparison type for elements of 'i32', got TOTALORDER}}
  %0 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return
}
// -----
// (compare C3)
func.func @compare_c3_4(%a: tensor<4xui32>, %b: tensor<4xui32>) {
  // expected-error @+1 {{expected a comparison type for elements of 'ui32', got SIGNED}}
  %0 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>
  return
}
// -----
// (compare C3)
func.func @compare_c3_5(%a: tensor<4xi1>, %b: tensor<4xi1>) {
  // expected-error @+1 {{expected a comparison type for elements of 'i1', got SIGNED}}
  %0 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}
// -----
// (compare C3)
func.func @compare_c3_6(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{expected a comparison type for elements of 'f32', got SIGNED}}
  %0 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}
// -----
// (compare C3)
func.func @compare_c3_7(%a: tensor<4xcomplex<f32>>, %b: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{expected a comparison type for elements of 'complex<f32>', got TOTALORDER}}
  %0 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  return
}
// -----
// (select C1)
func.func @select_c1(%p: tensor<5xi1>, %a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of rank 0 or of the result's shape 'tensor<4xf32>', got 'tensor<5xi1>'}}
  %0 = stablehlo.select %p, %a, %b : (tensor<5xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
// (select C1)
func.func @select_c1_2(%p: tensor<1xi1>, %a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of rank 0 or of the result's shape 'tensor<4xf32>', got 'tensor<1xi1>'}}
  %0 = stablehlo.select %p, %a, %b : (tensor<1xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
// (select C2)
func.func @select_c2(%p: tensor<4xi1>, %a: tensor<4xf64>, %b: tensor<4xf32>) {
  // expected-error @+1 {{expected on_true of element type 'f32', got 'f64'}}
  %0 = stablehlo.select %p, %a, %b : (tensor<4xi1>, tensor<4xf64>, tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
// (select C2)
func.func @select_c2_2(%p: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{expected on_false of element type 'f32', got 'i32'}}
  %0 = stablehlo.select %p, %a, %b : (tensor<4xi1>, tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}
// -----
// (select C2)
func.func @select_c2_3(%p: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{expected operand #2 of the result's shape 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = stablehlo.select %p, %a, %b : (tensor<4xi1>, tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}
// -----
// (select C2)
func.func @select_c2_4(%p: tensor<i1>, %a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{expected on_true of element type 'f64', got 'f32'}}
  %0 = stablehlo.select %p, %a, %b : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (clamp C1)
func.func @clamp_c1(%a: tensor<1xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #0 of rank 0 or of the result's shape 'tensor<4xf32>', got 'tensor<1xf32>'}}
  %0 = stablehlo.clamp %a, %b, %c : (tensor<1xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
// (clamp C2)
func.func @clamp_c2(%a: tensor<f32>, %b: tensor<4xf32>, %c: tensor<5xf32>) {
  // expected-error @+1 {{expected operand #2 of rank 0 or of the result's shape 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = stablehlo.clamp %a, %b, %c : (tensor<f32>, tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}
// -----
// (clamp C3)
func.func @clamp_c3(%a: tensor<f64>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  // expected-error @+1 {{expected min of element type 'f32', got 'f64'}}
  %0 = stablehlo.clamp %a, %b, %c : (tensor<f64>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
// (clamp C3)
func.func @clamp_c3_2(%a: tensor<f32>, %b: tensor<4xf32>, %c: tensor<4xf64>) {
  // expected-error @+1 {{expected max of element type 'f32', got 'f64'}}
  %0 = stablehlo.clamp %a, %b, %c : (tensor<f32>, tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}
// -----
// (clamp C4)
func.func @clamp_c4(%a: tensor<f32>, %b: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{expected operand #1 of the result's shape 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = stablehlo.clamp %a, %b, %c : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  return
}
// -----
// (clamp C4)
func.func @clamp_c4_2(%a: tensor<4xf32>, %b: tensor<f32>, %c: tensor<4xf32>) {
  // expected-error @+1 {{expected operand #1 of the result's shape 'tensor<4xf32>', got 'tensor<f32>'}}
  %0 = stablehlo.clamp %a, %b, %c : (tensor<4xf32>, tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
// (clamp C4)
func.func @clamp_c4_3(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  // expected-error @+1 {{expected result of element type 'f32', got 'f64'}}
  %0 = stablehlo.clamp %a, %b, %c : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf64>
  return
}
// -----
// (constant C1)
func.func @constant_c1() {
  // expected-error @+1 {{expected result of shape [2], got [3]}}
  %0 = stablehlo.constant() <{value = dense<1> : tensor<2xi8>}> : () -> tensor<3xi8>
  return
}
// -----
// (constant C1)
func.func @constant_c1_2() {
  // expected-error @+1 {{expected a value of element type 'i16', got 'i8'}}
  %0 = stablehlo.constant() <{value = dense<1> : tensor<2xi8>}> : () -> tensor<2xi16>
  return
}
// -----
// (constant C1)
func.func @constant_c1_3() {
  // expected-error @+1 {{expected a value of element type 'i8', got 'ui8'}}
  %0 = stablehlo.constant() <{value = dense<1> : tensor<2xui8>}> : () -> tensor<2x!quant.uniform<i8:f32, 2.0:15>>
  return
}
// -----
// (iota C1)
func.func @iota_c1() {
  // expected-error @+1 {{expected iota dimension within [0, 1), got 1}}
  %0 = stablehlo.iota dim = 1 : tensor<4xf32>
  return
}
// -----
// (iota C1)
func.func @iota_c1_2() {
  // expected-error @+1 {{expected iota dimension within [0, 0), got 0}}
  %0 = stablehlo.iota dim = 0 : tensor<f32>
  return
}
