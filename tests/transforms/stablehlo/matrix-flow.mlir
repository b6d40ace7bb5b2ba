// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Library calls stay calls of the host. Dynamic tensors are passed with their
// extents.
// RUN: mercator compile %s --stop-after=flow | FileCheck %s
// RUN: mercator conformance %s --through=flow

// The constants of the first function are folded.
// RUN: mercator-opt %s --stablehlo-legalize-to-linalg | mercator compile - --stop-after=flow | FileCheck %s --check-prefix=STATIC
// STATIC-LABEL: func.func @main()
// STATIC:         flow.tensor.empty : tensor<2x2x2xf32>
// STATIC:         call @mercator_cholesky({{.*}}) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>, i64) -> tensor<2x2x2xf32>
func.func @main() {
  %a = stablehlo.constant dense<[[[4.0, 2.0], [2.0, 5.0]], [[9.0, 3.0], [3.0, 2.0]]]> : tensor<2x2x2xf32>
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  check.expect_eq_const %0, dense<[[[2.0, 0.0], [1.0, 2.0]], [[3.0, 0.0], [1.0, 1.0]]]> : tensor<2x2x2xf32>
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK:         %[[TO:.*]] = flow.tensor.empty : tensor<?x2x2xf32>{%arg1}
// CHECK:         %[[L:.*]]:2 = call @mercator_cholesky(%arg0, %arg1, %[[TO]], %arg1, %{{.*}})
// CHECK:         return %[[L]]#0, %[[L]]#1
// CHECK:       func.func private @mercator_cholesky(tensor<?x2x2xf32>, index, tensor<?x2x2xf32>, index, i64) -> (tensor<?x2x2xf32>, index)
func.func @dynamic(%a: tensor<?x2x2xf32>) -> tensor<?x2x2xf32> {
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<?x2x2xf32>) -> tensor<?x2x2xf32>
  return %0 : tensor<?x2x2xf32>
}
