// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --pass-pipeline='builtin.module(func.func(iree-flow-fusion-of-tensor-ops))' | FileCheck %s

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[SCALAR:.*]] = affine_map<(d0) -> ()>
// CHECK-DAG: #[[ID2:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>

// A sum of products, in one loop.
// CHECK-LABEL: func @dot
// CHECK: %[[X:.*]] = hal.tensor.import
// CHECK: %[[Y:.*]] = hal.tensor.import
// CHECK: %[[FILL:.*]] = linalg.fill
// CHECK-NEXT: %[[DOT:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[ID]], #[[SCALAR]]], iterator_types = ["reduction"]}
// CHECK-SAME: ins(%[[X]], %[[Y]] : tensor<2xf32>, tensor<2xf32>) outs(%[[FILL]] : tensor<f32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[O:.*]]: f32):
// CHECK-NEXT: %[[MUL:.*]] = arith.mulf %[[A]], %[[B]]
// CHECK-NEXT: %[[ADD:.*]] = arith.addf %[[MUL]], %[[O]]
// CHECK-NEXT: linalg.yield %[[ADD]]
// CHECK: hal.tensor.export %[[DOT]]
func.func @dot(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<2xf32>
  %1 = hal.tensor.import %arg1 : !hal.buffer_view -> tensor<2xf32>
  %2 = tensor.empty() : tensor<2xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0, %1 : tensor<2xf32>, tensor<2xf32>) outs(%2 : tensor<2xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %8 = arith.mulf %in, %in_0 : f32
    linalg.yield %8 : f32
  } -> tensor<2xf32>
  %4 = tensor.empty() : tensor<f32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<f32>) -> tensor<f32>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%3 : tensor<2xf32>) outs(%5 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %8 = arith.addf %in, %out : f32
    linalg.yield %8 : f32
  } -> tensor<f32>
  %7 = hal.tensor.export %6 : tensor<f32> -> !hal.buffer_view
  return %7 : !hal.buffer_view
}

// The sum's second input is a fill, which becomes a number; the extent is that
// of the first.
// CHECK-LABEL: func @dynamic_chain
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %[[F:.*]]: f32)
// CHECK: %[[D:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK: %[[INIT:.*]] = tensor.empty(%[[D]])
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[ID]]]
// CHECK-SAME: ins(%[[X]] : tensor<?xf32>) outs(%[[INIT]]
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[E:.*]] = math.exp %[[IN]]
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[E]]
// CHECK-NEXT: %[[A:.*]] = arith.addf %[[N]], %[[F]]
// CHECK-NEXT: linalg.yield %[[A]]
// CHECK-NOT: linalg.generic
func.func @dynamic_chain(%x: tensor<?xf32>, %f: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %x, %c0 : tensor<?xf32>
  %e0 = tensor.empty(%d0) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%e0 : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %d1 = tensor.dim %0, %c0 : tensor<?xf32>
  %e1 = tensor.empty(%d1) : tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<?xf32>) outs(%e1 : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %d2 = tensor.dim %1, %c0 : tensor<?xf32>
  %e2 = tensor.empty(%d2) : tensor<?xf32>
  %fill = linalg.fill ins(%f : f32) outs(%e2 : tensor<?xf32>) -> tensor<?xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1, %fill : tensor<?xf32>, tensor<?xf32>) outs(%e2 : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// Two operations on one value and their sum fuse; so do two of those.
// CHECK-LABEL: func @diamonds
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[X]] : tensor<8xf32>)
// CHECK: %[[E:.*]] = math.exp
// CHECK: %[[N:.*]] = arith.negf
// CHECK: %[[S:.*]] = arith.addf %[[E]], %[[N]]
// CHECK: math.exp %[[S]]
// CHECK: arith.negf %[[S]]
// CHECK: arith.addf
// CHECK-NEXT: linalg.yield
// CHECK-NOT: linalg.generic
func.func @diamonds(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0, %1 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%2 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%2 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%3, %4 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %5 : tensor<8xf32>
}

// Both users stay separate: the producer is not computed twice.
// CHECK-LABEL: func @two_users
// CHECK: %[[P:.*]] = linalg.generic
// CHECK: math.exp
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[P]] :
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[P]] :
func.func @two_users(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.absf %in : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}

// Read at two positions by one user: two uses.
// CHECK-LABEL: func @two_maps
// CHECK: %[[P:.*]] = linalg.generic
// CHECK: math.exp
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[P]], %[[P]] :
func.func @two_maps(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0, %0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// A mask is cloned into each user, even if it is expensive.
// CHECK-LABEL: func @mask
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[X]] : tensor<8xf32>)
// CHECK: arith.cmpf
// CHECK: arith.select
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[X]] : tensor<8xf32>)
// CHECK: arith.cmpf
// CHECK: arith.uitofp
// CHECK-NOT: tensor<8xi1>
func.func @mask(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %m = tensor.empty() : tensor<8xi1>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%m : tensor<8xi1>) {
  ^bb0(%in: f32, %out: i1):
    %r = arith.cmpf ogt, %in, %z : f32
    linalg.yield %r : i1
  } -> tensor<8xi1>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0, %x : tensor<8xi1>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%c: i1, %in: f32, %out: f32):
    %r = arith.select %c, %in, %z : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<8xi1>) outs(%e : tensor<8xf32>) {
  ^bb0(%c: i1, %out: f32):
    %r = arith.uitofp %c : i1 to f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}

// A returned value is computed anyway, and still fuses into its user.
// CHECK-LABEL: func @returned_mask
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>
// CHECK: %[[M:.*]] = linalg.generic
// CHECK-SAME: outs(%{{.*}} : tensor<8xi1>)
// CHECK: %[[R:.*]] = linalg.generic
// CHECK-SAME: ins(%[[X]] : tensor<8xf32>)
// CHECK: arith.cmpf
// CHECK: return %[[M]], %[[R]]
func.func @returned_mask(%x: tensor<8xf32>) -> (tensor<8xi1>, tensor<8xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %m = tensor.empty() : tensor<8xi1>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%m : tensor<8xi1>) {
  ^bb0(%in: f32, %out: i1):
    %r = arith.cmpf ogt, %in, %z : f32
    linalg.yield %r : i1
  } -> tensor<8xi1>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<8xi1>) outs(%e : tensor<8xf32>) {
  ^bb0(%c: i1, %out: f32):
    %r = arith.uitofp %c : i1 to f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %0, %1 : tensor<8xi1>, tensor<8xf32>
}

// So does a transpose; read through two maps it counts as two reads.
// CHECK-LABEL: func @moved_elements
// CHECK-SAME: (%[[X:.*]]: tensor<4x4xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[T:.*]], #[[ID2]], #[[ID2]]]
// CHECK-SAME: ins(%[[X]], %[[X]] :
// CHECK: arith.addf
// CHECK: linalg.generic {indexing_maps = [#[[T]], #[[ID2]]]
// CHECK-SAME: ins(%[[X]] :
// CHECK: math.exp
// CHECK-NOT: linalg.generic
func.func @moved_elements(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0, %0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  return %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>
}

// linalg.index of a producer becomes the index of the loop at which it is read:
// here the sum of two.
// CHECK-LABEL: func @indices
// CHECK: linalg.generic
// CHECK-DAG: %[[I0:.*]] = linalg.index 0
// CHECK-DAG: %[[I1:.*]] = linalg.index 1
// CHECK-DAG: %[[SUM:.*]] = affine.apply #{{.*}}()[%[[I0]], %[[I1]]]
// CHECK: arith.subi %[[I1]], %[[SUM]]
// CHECK-NOT: linalg.generic
func.func @indices(%x: tensor<9x4xindex>) -> tensor<4x5xindex> {
  %e = tensor.empty() : tensor<9x4xindex>
  %f = tensor.empty() : tensor<4x5xindex>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<9x4xindex>) outs(%e : tensor<9x4xindex>) {
  ^bb0(%in: index, %out: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.subi %j, %i : index
    %r = arith.addi %s, %in : index
    linalg.yield %r : index
  } -> tensor<9x4xindex>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1, d1)>, affine_map<(d0, d1) -> (d1, d0)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<9x4xindex>) outs(%f : tensor<4x5xindex>) {
  ^bb0(%in: index, %out: index):
    linalg.yield %in : index
  } -> tensor<4x5xindex>
  return %1 : tensor<4x5xindex>
}

// CHECK-LABEL: func @broadcast
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?x?xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[ROW]], #[[ID2]], #[[ID2]]]
// CHECK-SAME: ins(%[[X]], %[[Y]] :
// CHECK: math.exp
// CHECK: arith.addf
func.func @broadcast(%x: tensor<?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0, %y : tensor<?xf32>, tensor<?x?xf32>) outs(%y : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// The producer reads its init. If it is fused where it is read many times, the
// init must not change in between: it becomes an input.
// CHECK-LABEL: func @init_is_read
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[I:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4x8xf32>)
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[ROW]], #[[ROW]], #[[ID2]]]
// CHECK-SAME: ins(%[[X]], %[[I]] : tensor<4xf32>, tensor<4xf32>) outs(%{{.*}} : tensor<4x8xf32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[A]], %[[B]]
// CHECK-NEXT: math.exp %[[S]]
// CHECK: return %[[R]]
func.func @init_is_read(%x: tensor<4xf32>, %i: tensor<4xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// Upstream's conversion has operand 0 as init; it is not read.
// CHECK-LABEL: func @unread_init
// CHECK-SAME: (%[[X:.*]]: tensor<?x4xf32>)
// CHECK: %[[D:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK: %[[INIT:.*]] = tensor.empty(%[[D]]) : tensor<?x4xf32>
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[X]] : tensor<?x4xf32>) outs(%[[INIT]] :
func.func @unread_init(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x4xf32>) outs(%x : tensor<?x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<?x4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<?x4xf32>) outs(%0 : tensor<?x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// Not a matrix product, not a reduction, not a reader of an argument.
// CHECK-LABEL: func @not_elementwise
// CHECK: %[[MM:.*]] = linalg.matmul
// CHECK: %[[SUM:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
// CHECK-SAME: ins(%[[MM]] :
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[SUM]] :
// CHECK: math.exp
func.func @not_elementwise(%x: tensor<4x4xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x4xf32>) outs(%s : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1 : tensor<4xf32>) outs(%s : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// An operation has two results: only the result that is read counts.
// CHECK-LABEL: func @two_results
// CHECK: linalg.generic
// CHECK: %[[E:.*]] = math.exp
// CHECK-NEXT: arith.negf %[[E]]
// CHECK-NOT: linalg.generic
func.func @two_results(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e, %e : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%in: f32, %o: f32, %p: f32):
    %r = math.exp %in : f32
    %s = math.sin %in : f32
    linalg.yield %s, %r : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0#1 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// A user of both results has two uses.
// CHECK-LABEL: func @both_results
// CHECK: %[[P:.*]]:2 = linalg.generic
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[P]]#1, %[[P]]#0 :
func.func @both_results(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e, %e : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%in: f32, %o: f32, %p: f32):
    %r = math.exp %in : f32
    %s = math.sin %in : f32
    linalg.yield %s, %r : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0#1, %0#0 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// The loop's extent is only known from the producer's result.
// CHECK-LABEL: func @extent_would_be_lost
// CHECK: %[[P:.*]] = linalg.generic
// CHECK: linalg.index
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[P]] :
func.func @extent_would_be_lost(%n: index, %s: tensor<index>) -> tensor<index> {
  %e = tensor.empty(%n) : tensor<?xindex>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<?xindex>) {
  ^bb0(%out: index):
    %i = linalg.index 0 : index
    linalg.yield %i : index
  } -> tensor<?xindex>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%0 : tensor<?xindex>) outs(%s : tensor<index>) {
  ^bb0(%in: index, %out: index):
    %r = arith.addi %in, %out : index
    linalg.yield %r : index
  } -> tensor<index>
  return %1 : tensor<index>
}

// The remaining operation keeps its attributes.
// CHECK-LABEL: func @attributes
// CHECK: linalg.generic
// CHECK-SAME: attrs = {note = "kept"}
// CHECK-NOT: other
func.func @attributes(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) attrs = {other = "lost"} {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) attrs = {note = "kept"} {
  ^bb0(%in: f32, %out: f32):
    %r = math.sin %in : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Two clones of a mask read one number alike, which then joins them; the mask
// itself is erased last.
// CHECK-LABEL: func @clones_share_a_producer
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: arith.cmpf
// CHECK: arith.cmpf
// CHECK: arith.xori
// CHECK-NOT: linalg.generic
func.func @clones_share_a_producer(%x: tensor<f32>, %y: tensor<4x4xf32>) -> tensor<4x4xi1> {
  %n = tensor.empty() : tensor<f32>
  %e = tensor.empty() : tensor<4x4xi1>
  %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%x : tensor<f32>) outs(%n : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%y, %0 : tensor<4x4xf32>, tensor<f32>) outs(%e : tensor<4x4xi1>) {
  ^bb0(%a: f32, %b: f32, %out: i1):
    %r = arith.cmpf olt, %a, %b : f32
    linalg.yield %r : i1
  } -> tensor<4x4xi1>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1, %1 : tensor<4x4xi1>, tensor<4x4xi1>) outs(%e : tensor<4x4xi1>) {
  ^bb0(%a: i1, %b: i1, %out: i1):
    %r = arith.xori %a, %b : i1
    linalg.yield %r : i1
  } -> tensor<4x4xi1>
  return %2 : tensor<4x4xi1>
}

// Indices that several operations read are computed in each of them; so are those that a
// mask compares, once the mask is.
// CHECK-LABEL: func.func @shared_indices
// CHECK-NOT: -> tensor<8xi32>
// CHECK-NOT: tensor<8xi1>
// CHECK-COUNT-2: linalg.index 0
// CHECK: return
func.func @shared_indices(%x: tensor<8xi32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %i = tensor.empty() : tensor<8xi32>
  %e = tensor.empty() : tensor<8xf32>
  %m = tensor.empty() : tensor<8xi1>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%i : tensor<8xi32>) {
  ^bb0(%out: i32):
    %k = linalg.index 0 : index
    %r = arith.index_cast %k : index to i32
    linalg.yield %r : i32
  } -> tensor<8xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0, %x : tensor<8xi32>, tensor<8xi32>) outs(%m : tensor<8xi1>) {
  ^bb0(%a: i32, %b: i32, %out: i1):
    %r = arith.cmpi sgt, %a, %b : i32
    linalg.yield %r : i1
  } -> tensor<8xi1>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1 : tensor<8xi1>) outs(%e : tensor<8xf32>) {
  ^bb0(%c: i1, %out: f32):
    %r = arith.uitofp %c : i1 to f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1 : tensor<8xi1>) outs(%e : tensor<8xf32>) {
  ^bb0(%c: i1, %out: f32):
    %r = arith.sitofp %c : i1 to f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %2, %3 : tensor<8xf32>, tensor<8xf32>
}
