// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sums of SimplifySums.cpp. PassesKeepWhatProgramsMean runs them before and after.
// RUN: mercator-opt %s --stablehlo-simplify | FileCheck %s

// CHECK-LABEL: @one_of_each_row(
// CHECK-NEXT: stablehlo.constant dense<-1.000000e+00> : tensor<40xf32>
// CHECK-NEXT: return
func.func @one_of_each_row() -> tensor<40xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<40x1xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %one, %zero, low = [0, 7], high = [0, 992], interior = [0, 0] : (tensor<40x1xf32>, tensor<f32>) -> tensor<40x1000xf32>
  %1 = stablehlo.negate %0 : tensor<40x1000xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<40x1000xf32>, tensor<f32>) -> tensor<40xf32>
  return %2 : tensor<40xf32>
}

// 30 * 0.75 + 970 * 2 + 0.5 is a multiple of 1/4.
// CHECK-LABEL: @two_numbers(
// CHECK-NEXT: stablehlo.constant dense<1.963000e+03> : tensor<40xf32>
// CHECK-NEXT: return
func.func @two_numbers() -> tensor<40xf32> {
  %i = stablehlo.iota dim = 1 : tensor<40x1000xi32>
  %low = stablehlo.constant dense<29> : tensor<40x1000xi32>
  %a = stablehlo.constant dense<0.75> : tensor<40x1000xf32>
  %b = stablehlo.constant dense<2.0> : tensor<40x1000xf32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = stablehlo.compare LE, %i, %low : (tensor<40x1000xi32>, tensor<40x1000xi32>) -> tensor<40x1000xi1>
  %1 = stablehlo.select %0, %a, %b : tensor<40x1000xi1>, tensor<40x1000xf32>
  %2 = stablehlo.reduce(%1 init: %half) applies stablehlo.add across dimensions = [1] : (tensor<40x1000xf32>, tensor<f32>) -> tensor<40xf32>
  return %2 : tensor<40xf32>
}

// Integers wrap around: 70,000 times 40,000.
// CHECK-LABEL: @integers(
// CHECK-NEXT: stablehlo.constant dense<-1494967296> : tensor<i32>
// CHECK-NEXT: return
func.func @integers() -> tensor<i32> {
  %a = stablehlo.constant dense<40000> : tensor<70000xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<70000xi32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: @zeros(
// CHECK-NEXT: stablehlo.constant dense<-0.000000e+00> : tensor<f32>
// CHECK-NEXT: stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @zeros() -> (tensor<f32>, tensor<f32>) {
  %a = stablehlo.constant dense<-0.0> : tensor<70000xf32>
  %minus = stablehlo.constant dense<-0.0> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %minus) applies stablehlo.add across dimensions = [0] : (tensor<70000xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<70000xf32>, tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// Stay: sums that a rounding would change, sums that are kept apart, another body,
// infinity, and an index that wraps around.
// CHECK-LABEL: @stay(
// CHECK-COUNT-5: stablehlo.reduce
func.func @stay() -> (tensor<f32>, tensor<1000xf32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %tenth = stablehlo.constant dense<0.1> : tensor<1000xf32>
  %many = stablehlo.constant dense<0x7F800000> : tensor<1000xf32>
  %one = stablehlo.constant dense<1.0> : tensor<40x1xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<1000xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<1000xf32>
  %0 = stablehlo.reduce(%tenth init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.pad %one, %zero, low = [0, 7], high = [0, 992], interior = [0, 0] : (tensor<40x1xf32>, tensor<f32>) -> tensor<40x1000xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<40x1000xf32>, tensor<f32>) -> tensor<1000xf32>
  %3 = stablehlo.reduce(%ones init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  %4 = stablehlo.reduce(%many init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  %i = stablehlo.iota dim = 0 : tensor<1000xi8>
  %five = stablehlo.constant dense<5> : tensor<1000xi8>
  %5 = stablehlo.compare LT, %i, %five : (tensor<1000xi8>, tensor<1000xi8>) -> tensor<1000xi1>
  %6 = stablehlo.select %5, %ones, %zeros : tensor<1000xi1>, tensor<1000xf32>
  %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  return %0, %2, %3, %4, %7 : tensor<f32>, tensor<1000xf32>, tensor<f32>, tensor<f32>, tensor<f32>
}
