// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --convert-stablehlo-to-ascend --form-ascend-graphs | FileCheck %s

// GE's operators broadcast: they take the source of a broadcast.
// CHECK-LABEL: ascend.graph @bias
// CHECK: %[[X:.+]] = ascend.Data {index = 0
// CHECK: %[[B:.+]] = ascend.Data {index = 1
// CHECK: %[[SUM:.+]] = ascend.Add(%[[X]], %[[B]]) : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
// CHECK: %[[TWO:.+]] = ascend.Const dense<2.000000e+00> : tensor<f32>
// CHECK: %[[R:.+]] = ascend.Mul(%[[SUM]], %[[TWO]])
// CHECK: NetOutput %[[R]]
func.func @bias(%x: tensor<3x4xf32>, %b: tensor<4xf32>) -> tensor<3x4xf32> {
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
  %1 = stablehlo.add %x, %0 : tensor<3x4xf32>
  %2 = stablehlo.constant dense<2.0> : tensor<3x4xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<3x4xf32>
  return %3 : tensor<3x4xf32>
}

// -----

// A row and a column: both are sources, because each dimension comes from one
// of them.
// CHECK-LABEL: ascend.graph @outer
// CHECK-NOT: BroadcastTo
// CHECK: ascend.Mul({{.+}}) : (tensor<3x1xf32>, tensor<4xf32>) -> tensor<3x4xf32>
func.func @outer(%x: tensor<3x1xf32>, %y: tensor<4xf32>) -> tensor<3x4xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x4xf32>
  %1 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<3x4xf32>
  return %2 : tensor<3x4xf32>
}

// -----

// An operand must give the result its shape: the second stays broadcast. A
// dimension of one element counts as well.
// CHECK-LABEL: ascend.graph @same
// CHECK: %[[WIDE:.+]] = ascend.BroadcastTo
// CHECK: ascend.Mul(%{{.+}}, %[[WIDE]]) : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
// CHECK: %[[ONE:.+]] = ascend.Reshape
// CHECK: ascend.Add(%{{.+}}, %[[ONE]]) : (tensor<f32>, tensor<1xf32>) -> tensor<1xf32>
func.func @same(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<3xf32>, tensor<1xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.broadcast_in_dim %y, dims = [] : (tensor<f32>) -> tensor<3xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<3xf32>
  %3 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<1xf32>
  %4 = stablehlo.reshape %y : (tensor<f32>) -> tensor<1xf32>
  %5 = stablehlo.add %3, %4 : tensor<1xf32>
  return %2, %5 : tensor<3xf32>, tensor<1xf32>
}

// -----

// Select takes operands of one shape only.
// CHECK-LABEL: ascend.graph @select
// CHECK: %[[WIDE:.+]] = ascend.BroadcastTo
// CHECK: ascend.Select(%{{.+}}, %{{.+}}, %[[WIDE]])
func.func @select(%p: tensor<3xi1>, %x: tensor<3xf32>, %y: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.broadcast_in_dim %y, dims = [] : (tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.select %p, %x, %0 : tensor<3xi1>, tensor<3xf32>
  return %1 : tensor<3xf32>
}

// -----

// Two transpositions become one, or none.
// CHECK-LABEL: ascend.graph @transposes
// CHECK: %[[X:.+]] = ascend.Data
// CHECK: %[[PERM:.+]] = ascend.Const dense<[2, 0, 1]>
// CHECK: %[[T:.+]] = ascend.Transpose(%[[X]], %[[PERM]])
// CHECK-NOT: Transpose
// CHECK: NetOutput %[[T]], %[[X]]
func.func @transposes(%x: tensor<2x3x4xf32>) -> (tensor<4x2x3xf32>, tensor<2x3x4xf32>) {
  %0 = stablehlo.transpose %x, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = stablehlo.transpose %0, dims = [1, 2, 0] : (tensor<3x4x2xf32>) -> tensor<4x2x3xf32>
  %2 = stablehlo.transpose %1, dims = [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  return %1, %2 : tensor<4x2x3xf32>, tensor<2x3x4xf32>
}

// -----

// Two reshapes become one, or none.
// CHECK-LABEL: ascend.graph @reshapes
// CHECK: %[[X:.+]] = ascend.Data
// CHECK: %[[R:.+]] = ascend.Reshape(%[[X]], %{{.+}}) : (tensor<2x6xf32>, tensor<2xi64>) -> tensor<3x4xf32>
// CHECK-NOT: Reshape
// CHECK: NetOutput %[[R]], %[[X]]
func.func @reshapes(%x: tensor<2x6xf32>) -> (tensor<3x4xf32>, tensor<2x6xf32>) {
  %0 = stablehlo.reshape %x : (tensor<2x6xf32>) -> tensor<12xf32>
  %1 = stablehlo.reshape %0 : (tensor<12xf32>) -> tensor<3x4xf32>
  %2 = stablehlo.reshape %1 : (tensor<3x4xf32>) -> tensor<2x6xf32>
  return %1, %2 : tensor<3x4xf32>, tensor<2x6xf32>
}

// -----

// The first elements of a sort are a TopKV2; not if all are used too.
// CHECK-LABEL: ascend.graph @first_elements
// CHECK: %[[TOP:.+]], %{{.+}} = ascend.TopKV2(%{{.+}}, %{{.+}}) {dim = 0 : i64, largest = false} : (tensor<7x3xf32>, tensor<i32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
// CHECK: %[[ALL:.+]], %{{.+}} = ascend.Sort(
// CHECK: %[[CUT:.+]] = ascend.Slice(%[[ALL]]
// CHECK: NetOutput %[[TOP]], %[[CUT]], %[[ALL]]
func.func @first_elements(%x: tensor<7x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<7x3xf32>) {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<7x3xf32>) -> tensor<7x3xf32>
  %1 = stablehlo.slice %0 [0:2, 0:3] : (tensor<7x3xf32>) -> tensor<2x3xf32>
  %2 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<7x3xf32>) -> tensor<7x3xf32>
  %3 = stablehlo.slice %2 [0:2, 0:3] : (tensor<7x3xf32>) -> tensor<2x3xf32>
  return %1, %3, %2 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<7x3xf32>
}
