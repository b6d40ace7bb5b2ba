// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --iree-flow-convert-linalg-matmul-to-mmt4d='enable_generic_slow=true' | FileCheck %s

// A known size, although the type is dynamic.

// CHECK-LABEL: func.func @known
// CHECK: linalg.mmt4d
func.func @known(%x: tensor<2x4xf32>, %c: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %c2 = arith.constant 2 : index
  %a = tensor.extract_slice %x[0, 0] [2, %c2] [1, 1] : tensor<2x4xf32> to tensor<2x?xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<2x?xf32>, tensor<2x?xf32>) outs(%c : tensor<2x?xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}
