// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --verify-diagnostics

func.func @main() {
  // expected-error @+1 {{expected at least one program, got none}}
  "interpreter.run_parallel"() {programs = []} : () -> ()
  return
}
// -----
func.func @f() {
  return
}
func.func @main() {
  // expected-error @+1 {{expected 1 programs for each replica, got 2 for replica 1}}
  "interpreter.run_parallel"() {programs = [[@f], [@f, @f]]} : () -> ()
  return
}
// -----
func.func @main() {
  // expected-error @+1 {{expected a function called @f}}
  "interpreter.run_parallel"() {programs = [[@f]]} : () -> ()
  return
}
// -----
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @main(%x: tensor<f32>) {
  // expected-error @+1 {{expected 2 operands, the arguments of all programs, got 1}}
  %0:2 = "interpreter.run_parallel"(%x) {programs = [[@f, @f]]} : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}
// -----
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @main(%x: tensor<f32>) {
  // expected-error @+1 {{expected 2 results, those of all programs, got 1}}
  %0 = "interpreter.run_parallel"(%x, %x) {programs = [[@f, @f]]} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f() {
  return
}
func.func @main() {
  // expected-error @+1 {{expected at least one infeed function, or no infeed, got []}}
  "interpreter.run_parallel"() {programs = [[@f]], infeed = []} : () -> ()
  return
}
// -----
func.func @f() {
  return
}
func.func @feed(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @main() {
  // expected-error @+1 {{expected @feed without arguments, because it is an infeed function, got 1}}
  "interpreter.run_parallel"() {programs = [[@f]], infeed = [@feed]} : () -> ()
  return
}
// -----
func.func @f() {
  return
}
func.func @feed() -> !stablehlo.token {
  %0 = stablehlo.create_token : !stablehlo.token
  return %0 : !stablehlo.token
}
func.func @main() {
  // expected-error @+1 {{expected @feed to return one tensor, because it is an infeed function, got '() -> !stablehlo.token'}}
  "interpreter.run_parallel"() {programs = [[@f]], infeed = [@feed]} : () -> ()
  return
}
