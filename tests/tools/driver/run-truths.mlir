// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Truth values and integers of four bits have a byte each in memory, and are packed
// in a vector: the accumulators of a reduction are no such vector.

// RUN: mercator run %s --cache=off --check '--input=dense<true> : tensor<200xi1>' '--input=dense<7> : tensor<200xi4>' | FileCheck %s
// CHECK: result 0: tensor<i1>, equal
// CHECK-NEXT: result 1: tensor<i1>, equal
// CHECK-NEXT: result 2: tensor<i1>, equal
// CHECK-NEXT: result 3: tensor<i4>, equal

// All, and any with one truth value at 150.
func.func @main(%x: tensor<200xi1>, %y: tensor<200xi4>) -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i4>) {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %least = stablehlo.constant dense<-8> : tensor<i4>
  %numbers = stablehlo.iota dim = 0 : tensor<200xi32>
  %place = stablehlo.constant dense<150> : tensor<200xi32>
  %one = stablehlo.compare EQ, %numbers, %place : (tensor<200xi32>, tensor<200xi32>) -> tensor<200xi1>
  %some = stablehlo.and %one, %x : tensor<200xi1>
  %other = stablehlo.not %some : tensor<200xi1>
  %all = stablehlo.reduce(%x init: %true) applies stablehlo.and across dimensions = [0] : (tensor<200xi1>, tensor<i1>) -> tensor<i1>
  %any = stablehlo.reduce(%some init: %false) applies stablehlo.or across dimensions = [0] : (tensor<200xi1>, tensor<i1>) -> tensor<i1>
  %most = stablehlo.reduce(%other init: %true) applies stablehlo.and across dimensions = [0] : (tensor<200xi1>, tensor<i1>) -> tensor<i1>
  %max = stablehlo.reduce(%y init: %least) applies stablehlo.maximum across dimensions = [0] : (tensor<200xi4>, tensor<i4>) -> tensor<i4>
  return %all, %any, %most, %max : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i4>
}
