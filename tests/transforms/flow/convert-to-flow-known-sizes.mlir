// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --iree-flow-convert-to-flow | FileCheck %s

// A known size, although the type is dynamic.

// CHECK-LABEL: func.func @slice
// CHECK: flow.tensor.slice
// CHECK: return %{{.+}} : tensor<?x3xf32>
func.func @slice(%x: tensor<3x?xf32>) -> tensor<?x3xf32> {
  %c1 = arith.constant 1 : index
  %0 = tensor.extract_slice %x[1, 0] [%c1, 3] [1, 1] : tensor<3x?xf32> to tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
