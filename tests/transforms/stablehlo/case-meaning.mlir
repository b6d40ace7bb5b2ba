// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Case: an index out of range takes the last branch. The meaning is the same after lowering.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s
// RUN: mercator conformance --through=flow %s

func.func @first() {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0:2 = "stablehlo.case"(%i) ({
    stablehlo.return %x, %i : tensor<2xi32>, tensor<i32>
  }, {
    %1 = stablehlo.add %x, %x : tensor<2xi32>
    stablehlo.return %1, %i : tensor<2xi32>, tensor<i32>
  }, {
    %1 = stablehlo.constant dense<9> : tensor<2xi32>
    stablehlo.return %1, %i : tensor<2xi32>, tensor<i32>
  }) : (tensor<i32>) -> (tensor<2xi32>, tensor<i32>)
  check.expect_eq_const %0#0, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %0#1, dense<0> : tensor<i32>
  return
}

func.func @second() {
  %i = stablehlo.constant dense<1> : tensor<i32>
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0:2 = "stablehlo.case"(%i) ({
    stablehlo.return %x, %i : tensor<2xi32>, tensor<i32>
  }, {
    %1 = stablehlo.add %x, %x : tensor<2xi32>
    stablehlo.return %1, %i : tensor<2xi32>, tensor<i32>
  }, {
    %1 = stablehlo.constant dense<9> : tensor<2xi32>
    stablehlo.return %1, %i : tensor<2xi32>, tensor<i32>
  }) : (tensor<i32>) -> (tensor<2xi32>, tensor<i32>)
  check.expect_eq_const %0#0, dense<[2, 4]> : tensor<2xi32>
  check.expect_eq_const %0#1, dense<1> : tensor<i32>
  return
}

func.func @last() {
  %i = stablehlo.constant dense<2> : tensor<i32>
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0:2 = "stablehlo.case"(%i) ({
    stablehlo.return %x, %i : tensor<2xi32>, tensor<i32>
  }, {
    %1 = stablehlo.add %x, %x : tensor<2xi32>
    stablehlo.return %1, %i : tensor<2xi32>, tensor<i32>
  }, {
    %1 = stablehlo.constant dense<9> : tensor<2xi32>
    stablehlo.return %1, %i : tensor<2xi32>, tensor<i32>
  }) : (tensor<i32>) -> (tensor<2xi32>, tensor<i32>)
  check.expect_eq_const %0#0, dense<[9, 9]> : tensor<2xi32>
  check.expect_eq_const %0#1, dense<2> : tensor<i32>
  return
}

func.func @beyond() {
  %i = stablehlo.constant dense<3> : tensor<i32>
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0:2 = "stablehlo.case"(%i) ({
    stablehlo.return %x, %i : tensor<2xi32>, tensor<i32>
  }, {
    %1 = stablehlo.add %x, %x : tensor<2xi32>
    stablehlo.return %1, %i : tensor<2xi32>, tensor<i32>
  }, {
    %1 = stablehlo.constant dense<9> : tensor<2xi32>
    stablehlo.return %1, %i : tensor<2xi32>, tensor<i32>
  }) : (tensor<i32>) -> (tensor<2xi32>, tensor<i32>)
  check.expect_eq_const %0#0, dense<[9, 9]> : tensor<2xi32>
  check.expect_eq_const %0#1, dense<3> : tensor<i32>
  return
}

func.func @negative() {
  %i = stablehlo.constant dense<-1> : tensor<i32>
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0:2 = "stablehlo.case"(%i) ({
    stablehlo.return %x, %i : tensor<2xi32>, tensor<i32>
  }, {
    %1 = stablehlo.add %x, %x : tensor<2xi32>
    stablehlo.return %1, %i : tensor<2xi32>, tensor<i32>
  }, {
    %1 = stablehlo.constant dense<9> : tensor<2xi32>
    stablehlo.return %1, %i : tensor<2xi32>, tensor<i32>
  }) : (tensor<i32>) -> (tensor<2xi32>, tensor<i32>)
  check.expect_eq_const %0#0, dense<[9, 9]> : tensor<2xi32>
  check.expect_eq_const %0#1, dense<-1> : tensor<i32>
  return
}
