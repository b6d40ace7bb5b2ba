// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Numbers that are only compared, as those of a mask are, follow from an index. Others are a
// constant.
// RUN: mercator compile %s --stop-after=linalg -o - | FileCheck %s
// CHECK-DAG: arith.constant dense<"0xD4FEFFFF
// CHECK-DAG: linalg.index
// CHECK-DAG: arith.cmpi sgt
// CHECK: return

func.func @main() -> (tensor<512x512xi1>, tensor<512xi32>) {
  %i = stablehlo.iota dim = 0 : tensor<512xi64>
  %c = stablehlo.constant dense<300> : tensor<512xi64>
  %f = stablehlo.subtract %i, %c : tensor<512xi64>
  %first = stablehlo.broadcast_in_dim %f, dims = [0] : (tensor<512xi64>) -> tensor<512x512xi64>
  %j = stablehlo.broadcast_in_dim %i, dims = [1] : (tensor<512xi64>) -> tensor<512x512xi64>
  %mask = stablehlo.compare GT, %j, %first : (tensor<512x512xi64>, tensor<512x512xi64>) -> tensor<512x512xi1>
  %n = stablehlo.iota dim = 0 : tensor<512xi32>
  %d = stablehlo.constant dense<300> : tensor<512xi32>
  %places = stablehlo.subtract %n, %d : tensor<512xi32>
  return %mask, %places : tensor<512x512xi1>, tensor<512xi32>
}
