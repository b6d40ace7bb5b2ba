// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator run %s --check --input='dense<[[1.0, 2.0]]> : tensor<1x2xf32>' --input='dense<[[10.0], [20.0]]> : tensor<2x1xf32>' | FileCheck %s

// A sum of two tensors that are broadcast to a common shape, as machine code.

func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x1xf32>) -> tensor<?x?xf32> {
  %a = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %b = shape.shape_of %y : tensor<?x1xf32> -> tensor<2xindex>
  %s = shape.broadcast %a, %b : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex>
  %u = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %v = stablehlo.dynamic_broadcast_in_dim %y, %s, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %0 = stablehlo.add %u, %v : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK: result 0: tensor<2x2xf32>, equal
