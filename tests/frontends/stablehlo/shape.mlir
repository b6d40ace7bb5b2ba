// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | FileCheck %s
// RUN: mercator run --reference %s --function=main --input='dense<[[1.0, 2.0]]> : tensor<1x2xf32>' --input='dense<[[10.0], [20.0]]> : tensor<2x1xf32>' | FileCheck %s --check-prefix=VALUE

// Operations of MLIR's dialect shape, on tensors of extents.

// CHECK-NOT: shape.
// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x1xf32>) -> (tensor<?x?xf32>, tensor<4xindex>, index) {
  // CHECK: tensor.dim %arg0
  %a = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %b = shape.shape_of %y : tensor<?x1xf32> -> tensor<2xindex>
  %w = shape.cstr_broadcastable %a, %b : tensor<2xindex>, tensor<2xindex>
  %0 = shape.assuming %w -> (tensor<?x?xf32>) {
    // An extent of 1 gives way to the other.
    // CHECK: arith.select
    %s = shape.broadcast %a, %b : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex>
    %u = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %v = stablehlo.dynamic_broadcast_in_dim %y, %s, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %sum = stablehlo.add %u, %v : tensor<?x?xf32>
    shape.assuming_yield %sum : tensor<?x?xf32>
  }
  // CHECK: tensor.from_elements
  %c = shape.const_shape [3, 4] : tensor<2xindex>
  %d = shape.concat %a, %c : tensor<2xindex>, tensor<2xindex> -> tensor<4xindex>
  // CHECK: arith.muli
  %n = shape.num_elements %d : tensor<4xindex> -> index
  return %0, %d, %n : tensor<?x?xf32>, tensor<4xindex>, index
}

// CHECK-LABEL: func.func @parts
func.func @parts(%x: tensor<?x3xf32>) -> (index, index, index, tensor<?xindex>) {
  %i = arith.constant 0 : index
  // CHECK: tensor.from_elements {{.*}} : tensor<2xindex>
  %a = shape.shape_of %x : tensor<?x3xf32> -> tensor<?xindex>
  // CHECK: tensor.extract
  %0 = shape.get_extent %a, %i : tensor<?xindex>, index -> index
  // CHECK: tensor.dim
  %1 = shape.dim %x, %i : tensor<?x3xf32>, index -> index
  %2 = shape.rank %a : tensor<?xindex> -> index
  return %0, %1, %2, %a : index, index, index, tensor<?xindex>
}

// VALUE: [11.0, 12.0]
// VALUE: [21.0, 22.0]
// VALUE: [1, 2, 3, 4]
// VALUE: 24
