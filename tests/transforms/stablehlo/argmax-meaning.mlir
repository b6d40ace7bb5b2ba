// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The place of the greatest element of long rows: of equal elements the first, of NaNs
// the first.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s
// RUN: mercator conformance --through=flow %s
// RUN: mercator run %s --function=found | FileCheck %s
// CHECK: [3, 67, 0]

func.func @places() {
  %0 = call @found() : () -> tensor<3xi32>
  check.expect_eq_const %0, dense<[3, 67, 0]> : tensor<3xi32>
  return
}

func.func @found() -> tensor<3xi32> {
  %x = call @x() : () -> tensor<3x200xf32>
  %0 = call @argmax(%x) : (tensor<3x200xf32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// Rows: 3, 67, 131 and 195 have the greatest element; 67, 131 and 195 are NaNs; nothing
// is above the initial element.
func.func private @x() -> tensor<3x200xf32> {
  %row = stablehlo.iota dim = 0 : tensor<3x200xi32>
  %i = stablehlo.iota dim = 1 : tensor<3x200xi32>
  %lows = stablehlo.constant dense<0xFF800000> : tensor<3x200xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<3x200xf32>
  %nans = stablehlo.constant dense<0x7FC00000> : tensor<3x200xf32>
  %zeros = stablehlo.constant dense<0> : tensor<3x200xi32>
  %one = stablehlo.constant dense<1> : tensor<3x200xi32>
  %three = stablehlo.constant dense<3> : tensor<3x200xi32>
  %period = stablehlo.constant dense<64> : tensor<3x200xi32>
  %rest = stablehlo.remainder %i, %period : tensor<3x200xi32>
  %isThree = stablehlo.compare EQ, %rest, %three : (tensor<3x200xi32>, tensor<3x200xi32>) -> tensor<3x200xi1>
  %isLate = stablehlo.compare GE, %i, %period : (tensor<3x200xi32>, tensor<3x200xi32>) -> tensor<3x200xi1>
  %isFirst = stablehlo.compare EQ, %row, %zeros : (tensor<3x200xi32>, tensor<3x200xi32>) -> tensor<3x200xi1>
  %isSecond = stablehlo.compare EQ, %row, %one : (tensor<3x200xi32>, tensor<3x200xi32>) -> tensor<3x200xi1>
  %isOne = stablehlo.and %isThree, %isFirst : tensor<3x200xi1>
  %some = stablehlo.and %isThree, %isSecond : tensor<3x200xi1>
  %isNan = stablehlo.and %some, %isLate : tensor<3x200xi1>
  %numbers = stablehlo.select %isOne, %ones, %lows : tensor<3x200xi1>, tensor<3x200xf32>
  %x = stablehlo.select %isNan, %nans, %numbers : tensor<3x200xi1>, tensor<3x200xf32>
  return %x : tensor<3x200xf32>
}

func.func private @argmax(%x: tensor<3x200xf32>) -> tensor<3xi32> {
  %i = stablehlo.iota dim = 1 : tensor<3x200xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [1] : (tensor<3x200xf32>, tensor<3x200xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%k: tensor<i32>, %n: tensor<i32>) {
    %2 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.or %2, %3 : tensor<i1>
    %5 = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.and %5, %6 : tensor<i1>
    %8 = stablehlo.or %4, %7 : tensor<i1>
    %9 = stablehlo.select %4, %a, %b : tensor<i1>, tensor<f32>
    %10 = stablehlo.select %8, %k, %n : tensor<i1>, tensor<i32>
    stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
  }
  return %0#1 : tensor<3xi32>
}
