// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A dispatch is placed at its root: no user of its results may come before it.
// Blocks and the bodies of scf operations are processed one by one.
//
// RUN: mercator-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(iree-flow-form-dispatch-regions{aggressive-fusion=true genereate-workload-region=false}))' | FileCheck %s

// By its uses %0 could join %1, but %2 would come before the dispatch of %1,
// whose root is %3.

func.func @used_before_the_consumer(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.transpose ins(%0 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %3 = linalg.exp ins(%1 : tensor<4x4xf32>) outs(%2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>
}
// CHECK-LABEL: func.func @used_before_the_consumer
// CHECK:         %[[R:.+]]:2 = flow.dispatch.region
// CHECK-NEXT:      linalg.matmul
// CHECK-NEXT:      linalg.matmul
// CHECK-NEXT:      flow.return
// CHECK:         %[[T:.+]] = flow.dispatch.region
// CHECK-NEXT:      linalg.transpose
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.exp

// -----

// The same among producers: %0 is used by %1, which would move down to %3, and
// by %2, which would not.

func.func @used_before_the_root(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = linalg.exp ins(%c : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.negf ins(%e : tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.transpose ins(%0 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %3 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>
}
// CHECK-LABEL: func.func @used_before_the_root
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.exp
// CHECK-NEXT:      flow.return
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.transpose
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.negf
// CHECK-NEXT:      linalg.matmul

// -----

// A diamond: both sides come before the root that pulls them in, and so does
// their common producer.

#id = affine_map<(d0, d1, d2) -> (d0, d1)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @diamond(%a: tensor<4x8xf32>, %x: tensor<4x8x2xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.exp ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.negf ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.abs ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id, #all, #id], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%1, %2, %x : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8x2xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%l: f32, %r: f32, %in: f32, %out: f32):
    %4 = arith.mulf %l, %r : f32
    %5 = arith.mulf %4, %in : f32
    %6 = arith.addf %5, %out : f32
    linalg.yield %6 : f32
  } -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func @diamond
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.exp
// CHECK-NEXT:      linalg.negf
// CHECK-NEXT:      linalg.abs
// CHECK-NEXT:      linalg.generic
// CHECK-NOT:     flow.dispatch.region

// -----

// The body of the consumer reads arbitrary elements of the producer: not as an
// operand and not in loop order.

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @captured(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %2 = tensor.extract %0[%j, %i] : tensor<4x4xf32>
    %3 = arith.addf %in, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @captured
// CHECK:         %[[R:.+]] = flow.dispatch.region
// CHECK-NEXT:      linalg.matmul
// CHECK-NEXT:      flow.return
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.generic
// CHECK:           tensor.extract %[[R]]

// -----

// Blocks are separate.

func.func @blocks(%cond: i1, %a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  cf.cond_br %cond, ^then, ^else(%c : tensor<4x4xf32>)
^then:
  %1 = linalg.exp ins(%0 : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = linalg.add ins(%1, %2 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  cf.br ^else(%3 : tensor<4x4xf32>)
^else(%r: tensor<4x4xf32>):
  return %r : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @blocks
// CHECK:         %[[R:.+]] = flow.dispatch.region
// CHECK-NEXT:      linalg.matmul
// CHECK-NEXT:      flow.return
// CHECK:         cf.cond_br
// CHECK:         %[[E:.+]] = flow.dispatch.region
// CHECK-NEXT:      linalg.exp ins(%[[R]]
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.matmul {{.*}} outs(%[[R]]
// CHECK-NEXT:      linalg.add ins(%[[E]]
// CHECK:         cf.br

// -----

// In the body of a loop as elsewhere; a value from outside of the body is in
// another block.

func.func @loop(%n: index, %a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = linalg.exp ins(%c : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %0) -> tensor<4x4xf32> {
    %2 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = linalg.add ins(%2, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %3 : tensor<4x4xf32>
  }
  return %1 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @loop
// CHECK:         %[[E:.+]] = flow.dispatch.region
// CHECK-NEXT:      linalg.exp
// CHECK:         scf.for
// CHECK:           %[[R:.+]] = flow.dispatch.region
// CHECK-NEXT:        linalg.matmul {{.*}} outs(%[[E]]
// CHECK-NEXT:        linalg.add
// CHECK:           scf.yield %[[R]]

// -----

// Used by an operation in a region: the region's operation counts as the user.

func.func @used_in_branch(%cond: i1, %a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = scf.if %cond -> tensor<4x4xf32> {
    %3 = linalg.exp ins(%0 : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %3 : tensor<4x4xf32>
  } else {
    scf.yield %c : tensor<4x4xf32>
  }
  %2 = linalg.negf ins(%0 : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>
}
// CHECK-LABEL: func.func @used_in_branch
// CHECK:         %[[R:.+]] = flow.dispatch.region
// CHECK-NEXT:      linalg.matmul
// CHECK-NEXT:      flow.return
// CHECK:         scf.if
// CHECK:           flow.dispatch.region
// CHECK-NEXT:        linalg.exp ins(%[[R]]
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.negf

// -----

// Parallel loops are dispatches themselves.

func.func @forall(%a: tensor<4x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = scf.forall (%i) in (4) shared_outs(%o = %e) -> tensor<4x8xf32> {
    %1 = tensor.extract_slice %a[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
    %2 = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
    %3 = linalg.exp ins(%1 : tensor<1x8xf32>) outs(%2 : tensor<1x8xf32>) -> tensor<1x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %3 into %o[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
    }
  }
  return %0 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func @forall
// CHECK-NOT:     flow.dispatch.region
// CHECK:         return

// -----

// In unreachable blocks values may be used before their definition: no
// dispatches there.

func.func @unreachable(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
^dead:
  %0 = linalg.exp ins(%1 : tensor<4xf32>) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.negf ins(%0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.abs ins(%1 : tensor<4xf32>) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^dead
}
// CHECK-LABEL: func.func @unreachable
// CHECK-NOT:     flow.dispatch.region
// CHECK:         cf.br
