// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --canonicalize | FileCheck %s

// The extent is that of the dimension, not one counted among the dynamic ones.
// CHECK-LABEL: func @constant_dynamic
func.func @constant_dynamic() -> tensor<2x?x?xi32> {
  // CHECK-DAG: %[[C:.*]] = arith.constant dense<7> : tensor<2x3x4xi32>
  // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
  // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
  // CHECK-DAG: %[[D1:.*]] = util.optimization_barrier %[[C3]] : index
  // CHECK-DAG: %[[D2:.*]] = util.optimization_barrier %[[C4]] : index
  // CHECK: %[[R:.*]] = flow.tensor.reshape %[[C]] : tensor<2x3x4xi32> -> tensor<2x?x?xi32>{%[[D1]], %[[D2]]}
  // CHECK: return %[[R]]
  %0 = flow.tensor.constant dense<7> : tensor<2x3x4xi32> -> tensor<2x?x?xi32>
  return %0 : tensor<2x?x?xi32>
}
