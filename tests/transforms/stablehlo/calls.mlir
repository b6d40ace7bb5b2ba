// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Operations that start and end apart are done at once; collectives in them
// stay. Custom calls that nobody knows stay, with their old types.
// RUN: mercator-opt %s --stablehlo-legalize-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @async(
// CHECK-NOT:     async
// CHECK:         %[[R:.*]] = "stablehlo.all_reduce"(%arg0)
// CHECK:         return %[[R]] : tensor<4xf32>
func.func @async(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    %1 = "stablehlo.all_reduce"(%a) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %2 = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  %3 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// CHECK-LABEL: func.func @unknown(
// CHECK-SAME:      %[[A:.*]]: tensor<4xi8>) -> (tensor<4xi8>, tensor<2xf32>)
// CHECK:         %[[U:.*]] = tensor.bitcast %[[A]] : tensor<4xi8> to tensor<4xui8>
// CHECK:         %[[C:.*]] = stablehlo.custom_call @nobody(%[[U]])
// CHECK-SAME:      -> tuple<tensor<4xui8>, tensor<2xf32>>
// CHECK:         stablehlo.get_tuple_element %[[C]][0]
// CHECK:         tensor.bitcast %{{.*}} : tensor<4xui8> to tensor<4xi8>
func.func @unknown(%x: tensor<4xui8>) -> tuple<tensor<4xui8>, tensor<2xf32>> {
  %0 = stablehlo.custom_call @nobody(%x) : (tensor<4xui8>) -> tuple<tensor<4xui8>, tensor<2xf32>>
  return %0 : tuple<tensor<4xui8>, tensor<2xf32>>
}
