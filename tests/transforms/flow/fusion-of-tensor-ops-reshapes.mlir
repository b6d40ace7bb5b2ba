// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --pass-pipeline='builtin.module(func.func(iree-flow-fusion-of-tensor-ops))' | FileCheck %s

// The user gets as many loops as the producer, and the two fuse.
// CHECK-LABEL: func @collapse_between
// CHECK-NOT: tensor.collapse_shape
// CHECK: %[[R:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel"]
// CHECK: math.exp
// CHECK: arith.negf
// CHECK: tensor.collapse_shape %[[R]]
// CHECK-NOT: linalg.generic
func.func @collapse_between(%x: tensor<4x8xf32>) -> tensor<32xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %f = tensor.empty() : tensor<32xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1 : tensor<32xf32>) outs(%f : tensor<32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<32xf32>
  return %2 : tensor<32xf32>
}

// CHECK-LABEL: func @expand_between
// CHECK-SAME: (%[[X:.*]]: tensor<32xf32>
// CHECK: %[[E:.*]] = tensor.expand_shape %[[X]]
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[E]] : tensor<4x8xf32>)
// CHECK: math.exp
// CHECK: arith.negf
// CHECK-NOT: linalg.generic
func.func @expand_between(%x: tensor<32xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %f = tensor.empty() : tensor<32xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<32xf32>) outs(%f : tensor<32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<32xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// A second user of the producer keeps the expansion in place.
// CHECK-LABEL: func @expand_of_a_used_value
// CHECK: %[[P:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["parallel"]
// CHECK: return
func.func @expand_of_a_used_value(%x: tensor<32xf32>) -> (tensor<4x8xf32>, tensor<32xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %f = tensor.empty() : tensor<32xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<32xf32>) outs(%f : tensor<32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<32xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %2, %0 : tensor<4x8xf32>, tensor<32xf32>
}

// After a matrix product the user gets fewer loops, so the two may share a
// dispatch.
// CHECK-LABEL: func @expand_of_a_product
// CHECK: %[[MM:.*]] = linalg.matmul
// CHECK: %[[R:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel"]
// CHECK-SAME: ins(%[[MM]] : tensor<4x8xf32>)
// CHECK: tensor.expand_shape %[[R]]
func.func @expand_of_a_product(%a: tensor<4x3xf32>, %b: tensor<3x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x2x4xf32> {
  %e = tensor.empty() : tensor<4x2x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x3xf32>, tensor<3x8xf32>) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf32> into tensor<4x2x4xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<4x2x4xf32>) outs(%e : tensor<4x2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<4x2x4xf32>
  return %2 : tensor<4x2x4xf32>
}

// CHECK-LABEL: func @expand_of_an_argument
// CHECK: %[[E:.*]] = tensor.expand_shape
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel"]
// CHECK-SAME: ins(%[[E]] :
func.func @expand_of_an_argument(%x: tensor<32xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %1 = tensor.expand_shape %x [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// CHECK-LABEL: func @dynamic_reshapes
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: arith.negf
// CHECK-NOT: linalg.generic
func.func @dynamic_reshapes(%x: tensor<?x8xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x8xf32>) outs(%x : tensor<?x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<?x8xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<?x8xf32> into tensor<?xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1 : tensor<?xf32>) outs(%1 : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// Constants become numbers, empty tensors get the requested shape, a transposed
// constant is transposed.
// CHECK-LABEL: func @constants
// CHECK: %[[C:.*]] = arith.constant 2.000000e+00 : f32
// CHECK: linalg.generic
// CHECK: arith.mulf %{{.*}}, %[[C]]
func.func @constants(%x: tensor<32xf32>) -> tensor<32xf32> {
  %c = arith.constant dense<2.0> : tensor<32xf32>
  %w = tensor.empty() : tensor<4x8xf32>
  %e = tensor.collapse_shape %w [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x, %c : tensor<32xf32>, tensor<32xf32>) outs(%e : tensor<32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<32xf32>
  return %0 : tensor<32xf32>
}

// CHECK-LABEL: func @transposed_constant
// CHECK-NEXT: %[[C:.*]] = arith.constant dense<{{\[\[}}1, 3], [2, 4]]> : tensor<2x2xi32>
// CHECK-NEXT: return %[[C]]
func.func @transposed_constant() -> tensor<2x2xi32> {
  %c = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %e = tensor.empty() : tensor<2x2xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<2x2xi32>) outs(%e : tensor<2x2xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// Named operations are not changed, and pads stay on their side.
// CHECK-LABEL: func @left_alone
// CHECK: tensor.collapse_shape
// CHECK-NEXT: tensor.pad
// CHECK: linalg.matmul
// CHECK-NEXT: tensor.collapse_shape
func.func @left_alone(%x: tensor<4x8xf32>, %z: f32, %a: tensor<4x4xf32>) -> (tensor<40xf32>, tensor<32xf32>) {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %1 = tensor.pad %0 low[4] high[4] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<32xf32> to tensor<40xf32>
  %2 = linalg.matmul ins(%a, %x : tensor<4x4xf32>, tensor<4x8xf32>) outs(%x : tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = tensor.collapse_shape %2 [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  return %1, %3 : tensor<40xf32>, tensor<32xf32>
}

// A loop of extent 1 is collapsed into the next one, whose index stays as it is.
// CHECK-LABEL: func.func @index_of_a_collapsed_loop
// CHECK-NOT: arith.remsi
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: arith.index_cast %[[I]]
func.func @index_of_a_collapsed_loop(%a: tensor<4x32xf32>, %b: tensor<32x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = linalg.matmul ins(%a, %b : tensor<4x32xf32>, tensor<32x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %x = tensor.expand_shape %p [[0, 1], [2]] output_shape [1, 4, 8] : tensor<4x8xf32> into tensor<1x4x8xf32>
  %e1 = tensor.empty() : tensor<1x4xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x4xf32>) -> tensor<1x4xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<1x4x8xf32>) outs(%f1 : tensor<1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    %m = arith.sitofp %n : i32 to f32
    %y = arith.mulf %in, %m : f32
    %z = arith.addf %out, %y : f32
    linalg.yield %z : f32
  } -> tensor<1x4xf32>
  %c = tensor.collapse_shape %r [[0, 1]] : tensor<1x4xf32> into tensor<4xf32>
  return %c : tensor<4xf32>
}
