// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sorts by one key and by two, top_k, and what follows the keys.

// RUN: mercator compile %s --target=ascend --format=mlir | FileCheck %s

// The positions are the indices that Sort gives.
// CHECK-LABEL: ascend.graph @argsort
// CHECK: %{{.+}}, %[[ORDER:.+]] = ascend.Sort(%{{.+}}) {axis = 0 : i64, descending = true, stable = true} : (tensor<7xi32>) -> (tensor<7xi32>, tensor<7xi32>)
// CHECK-NEXT: ascend.NetOutput %[[ORDER]] :
func.func @argsort(%x: tensor<7xi32>) -> tensor<7xi32> {
  %places = stablehlo.iota dim = 0 : tensor<7xi32>
  %0:2 = "stablehlo.sort"(%x, %places) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %p = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<7xi32>, tensor<7xi32>) -> (tensor<7xi32>, tensor<7xi32>)
  return %0#1 : tensor<7xi32>
}

// The second key is sorted first.
// CHECK-LABEL: ascend.graph @two_keys
// CHECK: %{{.+}}, %[[SECOND:.+]] = ascend.Sort(%[[Y:.+]]) {axis = 0 : i64, stable = true}
// CHECK: %[[X:.+]] = ascend.GatherElements(%{{.+}}, %[[SECOND]]) : (tensor<7xf32>
// CHECK: %[[FIRST:.+]], %[[THEN:.+]] = ascend.Sort(%[[X]]) {axis = 0 : i64, stable = true}
// CHECK: %[[ORDER:.+]] = ascend.GatherElements(%[[SECOND]], %[[THEN]])
// CHECK: %[[MOVED:.+]] = ascend.GatherElements(%[[Y]], %[[ORDER]])
// CHECK: ascend.NetOutput %[[FIRST]], %[[MOVED]]
func.func @two_keys(%x: tensor<7xf32>, %y: tensor<7xi32>) -> (tensor<7xf32>, tensor<7xi32>) {
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %less = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %same = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %next = stablehlo.compare LT, %c, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %both = stablehlo.and %same, %next : tensor<i1>
    %p = stablehlo.or %less, %both : tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<7xf32>, tensor<7xi32>) -> (tensor<7xf32>, tensor<7xi32>)
  return %0#0, %0#1 : tensor<7xf32>, tensor<7xi32>
}

// CHECK-LABEL: ascend.graph @top
// CHECK: ascend.TopKV2(%{{.+}}, %{{.+}}) : (tensor<3x5xf32>, tensor<i32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
func.func @top(%x: tensor<3x5xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>) {
  %values, %places = chlo.top_k(%x, k = 2) : tensor<3x5xf32> -> (tensor<3x2xf32>, tensor<3x2xi32>)
  return %values, %places : tensor<3x2xf32>, tensor<3x2xi32>
}

// Sort has no f64.
// CHECK-LABEL: ascend.graph @doubles
// CHECK: ascend.TopKV2(%{{.+}}, %{{.+}}) {dim = 0 : i64, largest = false} : (tensor<4xf64>, tensor<i32>) -> (tensor<4xf64>, tensor<4xi32>)
func.func @doubles(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xf64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
