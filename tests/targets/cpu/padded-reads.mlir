// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A step of a stencil reads pads where they come from, and their borders are numbers: a
// loop for the interior, each edge and each corner.
// RUN: mercator compile %s --stop-after=kernels --cpu=znver4 | FileCheck %s
// RUN: mercator run %s --input=random:1 --check | FileCheck %s --check-prefix=EQUAL
// CHECK-LABEL: func.func private @kernel_0
// CHECK-NOT: linalg.fill
// CHECK-NOT: memref.copy
// CHECK-COUNT-9: linalg.generic
// CHECK-NOT: linalg.generic
// EQUAL: equal to the evaluator's
func.func @main(%x: tensor<60x70xf32>) -> tensor<60x70xf32> {
  %z = stablehlo.constant dense<2.5> : tensor<f32>
  %u = stablehlo.pad %x, %z, low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<60x70xf32>, tensor<f32>) -> tensor<60x70xf32>
  %d = stablehlo.pad %x, %z, low = [-1, 0], high = [1, 0], interior = [0, 0] : (tensor<60x70xf32>, tensor<f32>) -> tensor<60x70xf32>
  %l = stablehlo.pad %x, %z, low = [0, 1], high = [0, -1], interior = [0, 0] : (tensor<60x70xf32>, tensor<f32>) -> tensor<60x70xf32>
  %r = stablehlo.pad %x, %z, low = [0, -1], high = [0, 1], interior = [0, 0] : (tensor<60x70xf32>, tensor<f32>) -> tensor<60x70xf32>
  %a = stablehlo.subtract %u, %d : tensor<60x70xf32>
  %b = stablehlo.subtract %l, %r : tensor<60x70xf32>
  %c = stablehlo.multiply %a, %b : tensor<60x70xf32>
  %s = stablehlo.add %c, %x : tensor<60x70xf32>
  return %s : tensor<60x70xf32>
}
