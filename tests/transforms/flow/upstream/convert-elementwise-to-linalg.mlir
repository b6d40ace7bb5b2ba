// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --pass-pipeline='builtin.module(func.func(convert-elementwise-to-linalg))' | FileCheck %s
// RUN: mercator-opt %s --pass-pipeline='builtin.module(func.func(convert-elementwise-to-linalg,iree-flow-fusion-of-tensor-ops))' | FileCheck %s --check-prefix=FUSED

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @static
// CHECK: %[[X:.*]] = hal.tensor.import
// CHECK-NEXT: %[[R:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[ID]], #[[ID]]], iterator_types = ["parallel", "parallel"]}
// CHECK-SAME: ins(%[[X]], %[[X]] : tensor<2x3xf32>, tensor<2x3xf32>) outs(%[[X]] : tensor<2x3xf32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[A]], %[[B]] : f32
// CHECK-NEXT: linalg.yield %[[S]] : f32
// CHECK: hal.tensor.export %[[R]]
// The unread init is empty after fusion.
// FUSED-LABEL: func @static
// FUSED: %[[X:.*]] = hal.tensor.import
// FUSED: %[[E:.*]] = tensor.empty() : tensor<2x3xf32>
// FUSED: linalg.generic
// FUSED-SAME: ins(%[[X]] : tensor<2x3xf32>) outs(%[[E]] : tensor<2x3xf32>)
func.func @static(%arg0: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
  %0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<2x3xf32>
  %1 = arith.addf %0, %0 : tensor<2x3xf32>
  %2 = hal.tensor.export %1 : tensor<2x3xf32> -> !hal.buffer_view
  return %2 : !hal.buffer_view
}

// CHECK-LABEL: func @dynamic
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: scf.if
// CHECK: linalg.generic
// CHECK: arith.cmpf
// CHECK: linalg.generic
// CHECK: arith.select
func.func @dynamic(%c: i1, %x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = math.exp %x : tensor<?x3xf32>
  %1 = scf.if %c -> tensor<?x3xf32> {
    %2 = arith.cmpf ogt, %0, %x : tensor<?x3xf32>
    %3 = arith.select %2, %0, %x : tensor<?x3xi1>, tensor<?x3xf32>
    scf.yield %3 : tensor<?x3xf32>
  } else {
    scf.yield %x : tensor<?x3xf32>
  }
  return %1 : tensor<?x3xf32>
}

// CHECK-LABEL: func @vectors_and_numbers
// CHECK-NOT: linalg
func.func @vectors_and_numbers(%x: vector<4xf32>, %f: f32) -> (vector<4xf32>, f32) {
  %0 = arith.addf %x, %x : vector<4xf32>
  %1 = arith.addf %f, %f : f32
  return %0, %1 : vector<4xf32>, f32
}
