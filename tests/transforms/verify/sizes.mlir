// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Elements of arguments that are sizes. The maps of StableHLO do not have them; after
// the pass, indices are computed from them.

// RUN: mercator-opt %s --stablehlo-legalize-to-linalg --verify-maps -o /dev/null 2>&1 | FileCheck %s
// CHECK: maps: {{.*}} 0 refuted, 0 not compared

!bounded = tensor<?xi32, #stablehlo.bounds<6>>

func.func @number(%x: tensor<6xi32>, %n: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<6xi32>, tensor<i32>) -> !bounded
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (!bounded) -> tensor<i32>
  return %1 : tensor<i32>
}

func.func @second(%x: tensor<6xi32>, %n: tensor<i32>, %y: tensor<2xi32>) -> tensor<?xi32, #stablehlo.bounds<8>> {
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<6xi32>, tensor<i32>) -> !bounded
  %1 = stablehlo.concatenate %0, %y, dim = 0 : (!bounded, tensor<2xi32>) -> tensor<?xi32, #stablehlo.bounds<8>>
  return %1 : tensor<?xi32, #stablehlo.bounds<8>>
}

// The start of the update is clamped to the size, which another size limits.
func.func @start(%x: tensor<6xi32>, %n: tensor<i32>, %m: tensor<i32>, %v: tensor<1xi32>, %at: tensor<i32>) -> !bounded {
  %0 = stablehlo.minimum %n, %m : tensor<i32>
  %1 = stablehlo.set_dimension_size %x, %0, dim = 0 : (tensor<6xi32>, tensor<i32>) -> !bounded
  %2 = stablehlo.dynamic_update_slice %1, %v, %at : (!bounded, tensor<1xi32>, tensor<i32>) -> !bounded
  return %2 : !bounded
}

// The start is a constant. It was a read of no argument.
func.func @constant(%x: tensor<6xi32>, %n: tensor<i32>, %v: tensor<1xi32>) -> !bounded {
  %at = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<6xi32>, tensor<i32>) -> !bounded
  %1 = stablehlo.dynamic_update_slice %0, %v, %at : (!bounded, tensor<1xi32>, tensor<i32>) -> !bounded
  return %1 : !bounded
}

// In a branch.
func.func @branch(%x: tensor<6xi32>, %n: tensor<i32>, %c: tensor<i1>) -> tensor<i32> {
  %0 = "stablehlo.if"(%c) ({
    %1 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<6xi32>, tensor<i32>) -> !bounded
    %2 = stablehlo.get_dimension_size %1, dim = 0 : (!bounded) -> tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }, {
    %3 = stablehlo.constant dense<0> : tensor<i32>
    stablehlo.return %3 : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return %0 : tensor<i32>
}
