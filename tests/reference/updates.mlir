// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The evaluator inserts an element in place if nothing else refers to the
// tensor. The old tensor keeps its elements if it is used again.
// RUN: mercator conformance %s

func.func @used_again() {
  %c0 = arith.constant 0 : index
  %x = arith.constant 9 : i32
  %t = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %u = tensor.insert %x into %t[%c0] : tensor<2xi32>
  check.expect_eq_const %t, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %u, dense<[9, 2]> : tensor<2xi32>
  return
}

// The loop carries one tensor twice.
func.func @twice() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = arith.constant 9 : i32
  %t = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %t, %b = %t) -> (tensor<2xi32>, tensor<2xi32>) {
    %u = tensor.insert %x into %a[%i] : tensor<2xi32>
    scf.yield %b, %u : tensor<2xi32>, tensor<2xi32>
  }
  check.expect_eq_const %r#0, dense<[9, 2]> : tensor<2xi32>
  check.expect_eq_const %r#1, dense<[1, 9]> : tensor<2xi32>
  return
}

// Each iteration updates the tensor from outside of the loop.
func.func @captured() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = arith.constant 9 : i32
  %true = arith.constant true
  %t = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %s = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %s) -> tensor<2xi32> {
    %u = scf.if %true -> tensor<2xi32> {
      %v = tensor.insert %x into %t[%i] : tensor<2xi32>
      scf.yield %v : tensor<2xi32>
    } else {
      scf.yield %a : tensor<2xi32>
    }
    scf.yield %u : tensor<2xi32>
  }
  check.expect_eq_const %r, dense<[1, 9]> : tensor<2xi32>
  return
}

// The conditional updates a tensor that is used again, and one that is not.
func.func @conditional() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 9 : i32
  %true = arith.constant true
  %t = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %u = scf.if %true -> tensor<2xi32> {
    %v = tensor.insert %x into %t[%c0] : tensor<2xi32>
    scf.yield %v : tensor<2xi32>
  } else {
    scf.yield %t : tensor<2xi32>
  }
  check.expect_eq_const %t, dense<[1, 2]> : tensor<2xi32>
  %w = scf.if %true -> tensor<2xi32> {
    %v = tensor.insert %x into %u[%c1] : tensor<2xi32>
    scf.yield %v : tensor<2xi32>
  } else {
    scf.yield %u : tensor<2xi32>
  }
  check.expect_eq_const %w, dense<[9, 9]> : tensor<2xi32>
  return
}

// In scf.while, the tensor after the loop is the one that the condition passes.
func.func @while() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = arith.constant 9 : i32
  %t = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r:2 = scf.while (%i = %c0, %a = %t) : (index, tensor<2xi32>) -> (index, tensor<2xi32>) {
    %c = arith.cmpi ult, %i, %c2 : index
    scf.condition(%c) %i, %a : index, tensor<2xi32>
  } do {
  ^bb0(%i: index, %a: tensor<2xi32>):
    %j = arith.addi %i, %c1 : index
    %u = tensor.insert %x into %a[%i] : tensor<2xi32>
    scf.yield %j, %u : index, tensor<2xi32>
  }
  check.expect_eq_const %r#1, dense<[9, 9]> : tensor<2xi32>
  check.expect_eq_const %t, dense<[1, 2]> : tensor<2xi32>
  return
}
