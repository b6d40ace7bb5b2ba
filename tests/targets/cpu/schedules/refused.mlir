// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A schedule that is not possible, as docs/cpu.md shows it.
// RUN: not mercator run %s --input=random:1 2>&1 | FileCheck %s
// CHECK: refused.mlir:[[#@LINE+11]]:{{[0-9]+}}: error: 'linalg.matmul' op cannot be computed
// CHECK: help: mercator.schedule = "form=tiles lanes=
flow.executable private @product {
  flow.executable.export public @product
  builtin.module {
    func.func @product(%arg0: !flow.dispatch.tensor<readonly:tensor<96x64xf32>>, %arg1: !flow.dispatch.tensor<readonly:tensor<64x80xf32>>, %arg2: !flow.dispatch.tensor<writeonly:tensor<96x80xf32>>) {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = flow.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [96, 64], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<96x64xf32>> -> tensor<96x64xf32>
      %1 = flow.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [64, 80], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<64x80xf32>> -> tensor<64x80xf32>
      %2 = tensor.empty() : tensor<96x80xf32>
      %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<96x80xf32>) -> tensor<96x80xf32>
      %4 = linalg.matmul {mercator.schedule = "form=tiles lanes=16 rows=97 vectors=1 pack=b parts=1"} ins(%0, %1 : tensor<96x64xf32>, tensor<64x80xf32>) outs(%3 : tensor<96x80xf32>) -> tensor<96x80xf32>
      flow.dispatch.tensor.store %4, %arg2, offsets = [0, 0], sizes = [96, 80], strides = [1, 1] : tensor<96x80xf32> -> !flow.dispatch.tensor<writeonly:tensor<96x80xf32>>
      return
    }
  }
}
func.func @main(%arg0: tensor<96x64xf32>, %arg1: tensor<64x80xf32>) -> tensor<96x80xf32> {
  %0 = flow.dispatch @product::@product(%arg0, %arg1) : (tensor<96x64xf32>, tensor<64x80xf32>) -> tensor<96x80xf32>
  return %0 : tensor<96x80xf32>
}
