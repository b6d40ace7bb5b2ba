// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt --split-input-file --pass-pipeline="builtin.module(func.func(iree-flow-form-dispatch-workgroups),canonicalize,cse)" %s | FileCheck %s
// RUN: mercator-opt --split-input-file --pass-pipeline="builtin.module(func.func(iree-flow-form-dispatch-workgroups{inline-constants-max-byte-length=8 genereate-workload-region=false}),canonicalize,cse)" %s | FileCheck %s --check-prefix=OTHER

// The seed's pair: cloneable operations that the region uses are inside.

// CHECK-LABEL: func.func @predict
func.func @predict(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
  // CHECK-DAG: %[[C5:.*]] = arith.constant 5 : index
  // CHECK-DAG: %[[T0:.*]] = hal.tensor.import %{{.*}} -> tensor<2x10xf32>
  // CHECK-DAG: %[[T1:.*]] = hal.tensor.import %{{.*}} -> tensor<10x5xf32>
  // CHECK-DAG: %[[T2:.*]] = hal.tensor.import %{{.*}} -> tensor<5xf32>
  // CHECK: %[[R:.*]] = flow.dispatch.workgroups[%[[C2]], %[[C5]]](%[[T0]], %[[T1]], %[[T2]]) : (tensor<2x10xf32>, tensor<10x5xf32>, tensor<5xf32>) -> tensor<2x5xf32> =
  // CHECK-NEXT: (%[[A3:.*]]: !flow.dispatch.tensor<readonly:tensor<2x10xf32>>, %[[A4:.*]]: !flow.dispatch.tensor<readonly:tensor<10x5xf32>>, %[[A5:.*]]: !flow.dispatch.tensor<readonly:tensor<5xf32>>, %[[A6:.*]]: !flow.dispatch.tensor<writeonly:tensor<2x5xf32>>) {
  // CHECK-NEXT: %[[CST:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK-NEXT: %[[L0:.*]] = flow.dispatch.tensor.load %[[A3]], offsets = [0, 0], sizes = [2, 10], strides = [1, 1]
  // CHECK-NEXT: %[[L1:.*]] = flow.dispatch.tensor.load %[[A4]], offsets = [0, 0], sizes = [10, 5], strides = [1, 1]
  // CHECK-NEXT: %[[L2:.*]] = flow.dispatch.tensor.load %[[A5]], offsets = [0], sizes = [5], strides = [1]
  // CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<2x5xf32>
  // CHECK-NEXT: %[[F:.*]] = linalg.fill ins(%[[CST]] : f32) outs(%[[E]] : tensor<2x5xf32>)
  // CHECK-NEXT: %[[M:.*]] = linalg.matmul ins(%[[L0]], %[[L1]] : {{.*}}) outs(%[[F]] : tensor<2x5xf32>)
  // CHECK-NEXT: %[[G:.*]] = linalg.generic {{.*}} ins(%[[M]], %[[L2]] : {{.*}}) outs(%[[E]] : tensor<2x5xf32>)
  // CHECK: flow.dispatch.tensor.store %[[G]], %[[A6]], offsets = [0, 0], sizes = [2, 5], strides = [1, 1]
  // CHECK-NEXT: flow.return
  // CHECK-NEXT: } count(%[[W0:.*]]: index, %[[W1:.*]]: index) -> (index, index, index) {
  // CHECK-NEXT: %x, %y, %z = flow.dispatch.workgroup_count_from_dag_root %[[W0]], %[[W1]]
  // CHECK-NEXT: flow.return %x, %y, %z : index, index, index
  // CHECK: hal.tensor.export %[[R]] : tensor<2x5xf32> -> !hal.buffer_view
  %cst = arith.constant 0.000000e+00 : f32
  %0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<2x10xf32>
  %1 = hal.tensor.import %arg1 : !hal.buffer_view -> tensor<10x5xf32>
  %2 = hal.tensor.import %arg2 : !hal.buffer_view -> tensor<5xf32>
  %3 = tensor.empty() : tensor<2x5xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c1_0 = arith.constant 1 : index
  %5 = affine.apply affine_map<()[s0, s1, s2] -> ((s1 - s0) ceildiv s2)>()[%c0, %c2, %c1_0]
  %c0_1 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c1_2 = arith.constant 1 : index
  %6 = affine.apply affine_map<()[s0, s1, s2] -> ((s1 - s0) ceildiv s2)>()[%c0_1, %c5, %c1_2]
  %7 = flow.dispatch.region[%5, %6] -> (tensor<2x5xf32>) {
    %9 = linalg.matmul ins(%0, %1 : tensor<2x10xf32>, tensor<10x5xf32>) outs(%4 : tensor<2x5xf32>) -> tensor<2x5xf32>
    %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%9, %2 : tensor<2x5xf32>, tensor<5xf32>) outs(%3 : tensor<2x5xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %11 = arith.addf %in, %in_3 : f32
      linalg.yield %11 : f32
    } -> tensor<2x5xf32>
    flow.return %10 : tensor<2x5xf32>
  } count(%arg3: index, %arg4: index) -> (index, index, index) {
    %x, %y, %z = flow.dispatch.workgroup_count_from_dag_root %arg3, %arg4
    flow.return %x, %y, %z : index, index, index
  }
  %8 = hal.tensor.export %7 : tensor<2x5xf32> -> !hal.buffer_view
  return %8 : !hal.buffer_view
}

// -----

// Constants: numbers, splats of any size and dense ones up to 256 bytes are
// cloned inside, larger ones are not.

// CHECK-LABEL: func.func @constants
// CHECK: %[[LARGE:.*]] = arith.constant dense<[0.0{{.*}} : tensor<65xf32>
// CHECK: flow.dispatch.workgroups(%[[LARGE]], %{{.*}}) : (tensor<65xf32>, tensor<4xf32>)
// CHECK-DAG: arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK-DAG: arith.constant dense<7.000000e+00> : tensor<1024xf32>
// OTHER-LABEL: func.func @constants
// OTHER: flow.dispatch.workgroups(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<65xf32>, tensor<4xf32>, tensor<4xf32>)
func.func @constants(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<1024xf32>) {
  %small = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %splat = arith.constant dense<7.0> : tensor<1024xf32>
  %large = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0, 33.0, 34.0, 35.0, 36.0, 37.0, 38.0, 39.0, 40.0, 41.0, 42.0, 43.0, 44.0, 45.0, 46.0, 47.0, 48.0, 49.0, 50.0, 51.0, 52.0, 53.0, 54.0, 55.0, 56.0, 57.0, 58.0, 59.0, 60.0, 61.0, 62.0, 63.0, 64.0]> : tensor<65xf32>
  %0:2 = flow.dispatch.region -> (tensor<4xf32>, tensor<1024xf32>) {
    %1 = tensor.extract_slice %large[0] [4] [1] : tensor<65xf32> to tensor<4xf32>
    %e = tensor.empty() : tensor<1024xf32>
    %2 = linalg.exp ins(%splat : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %3 = arith.addf %a, %small : tensor<4xf32>
    %4 = arith.addf %3, %1 : tensor<4xf32>
    flow.return %4, %2 : tensor<4xf32>, tensor<1024xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<1024xf32>
}

// -----

// A call on numbers may have effects: its result is passed in, and so are
// results of operations with regions. Arithmetic on numbers is recomputed
// inside.

func.func private @random() -> f32
// CHECK-LABEL: func.func @numbers
// CHECK: %[[CALL:.*]] = call @random()
// CHECK: flow.dispatch.workgroups(%[[CALL]], %{{.*}}) : (f32, tensor<4xf32>)
// CHECK-NEXT: (%[[IN:.*]]: f32, %{{.*}}
// CHECK: arith.mulf %[[IN]], %[[IN]] : f32
func.func @numbers(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @random() : () -> f32
  %1 = arith.mulf %0, %0 : f32
  %2 = flow.dispatch.region -> (tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %3 = linalg.fill ins(%1 : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %4 = arith.addf %a, %3 : tensor<4xf32>
    flow.return %4 : tensor<4xf32>
  }
  return %2 : tensor<4xf32>
}

// -----

// A pad is cloned with the operands of its region.

// CHECK-LABEL: func.func @pad
// CHECK: flow.dispatch.workgroups(%{{.*}}) : (tensor<4xf32>) -> tensor<6xf32>
// CHECK: %[[C:.*]] = arith.constant 2.000000e+00 : f32
// CHECK: tensor.pad
// CHECK: tensor.yield %[[C]]
func.func @pad(%a: tensor<4xf32>) -> tensor<6xf32> {
  %c = arith.constant 2.0 : f32
  %p = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<4xf32> to tensor<6xf32>
  %0 = flow.dispatch.region -> (tensor<6xf32>) {
    %1 = math.exp %p : tensor<6xf32>
    flow.return %1 : tensor<6xf32>
  }
  return %0 : tensor<6xf32>
}

// -----

// A tensor that is updated inside is not recomputed there, so the update can be
// in place.

// CHECK-LABEL: func.func @update
// CHECK: %[[S:.*]] = flow.tensor.splat
// CHECK: flow.dispatch.workgroups(%{{.*}}, %[[S]]) : (tensor<4xf32>, tensor<8xf32>) -> %[[S]] =
// CHECK: flow.dispatch.tensor.store %{{.*}}, %{{.*}}, offsets = [2], sizes = [4], strides = [1] : tensor<4xf32> -> !flow.dispatch.tensor<readwrite:tensor<8xf32>>
func.func @update(%a: tensor<4xf32>) -> tensor<8xf32> {
  %z = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0 = flow.dispatch.region -> (tensor<8xf32>) {
    %1 = math.exp %a : tensor<4xf32>
    %2 = tensor.insert_slice %1 into %f[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
    flow.return %2 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// Slices outside: contiguous ones are copies, others are dispatches over the
// moved elements; an unused one is erased.

// CHECK-LABEL: func.func @slices
// CHECK-SAME: (%[[A:.*]]: tensor<8x8xf32>, %[[B:.*]]: tensor<2x8xf32>, %[[C:.*]]: tensor<8x2xf32>, %[[N:.*]]: index)
// CHECK: flow.tensor.slice %[[A]][%{{.*}}, %{{.*}} for %{{.*}}, %{{.*}}] : tensor<8x8xf32> -> tensor<2x8xf32>
// CHECK: flow.dispatch.workgroups[%{{.*}}, %{{.*}}](%[[A]]) : (tensor<8x8xf32>) -> tensor<8x2xf32>
// CHECK: flow.dispatch.tensor.load %{{.*}}, offsets = [0, 2], sizes = [8, 2], strides = [1, 1]
// CHECK: count(
// CHECK: flow.tensor.update %[[B]], %[[A]]
// CHECK: flow.dispatch.workgroups[%{{.*}}, %{{.*}}](%{{.*}}) : ({{.*}}) -> %[[A]] =
// CHECK: flow.dispatch.tensor.store %{{.*}}, offsets = [0, %{{.*}}], sizes = [8, 2], strides = [1, 1]
// CHECK-NOT: tensor.extract_slice
// OTHER-LABEL: func.func @slices
// OTHER: flow.dispatch.workgroups(
// OTHER-NOT: count(
func.func @slices(%a: tensor<8x8xf32>, %b: tensor<2x8xf32>, %c: tensor<8x2xf32>, %n: index) -> (tensor<2x8xf32>, tensor<8x2xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = tensor.extract_slice %a[2, 0] [2, 8] [1, 1] : tensor<8x8xf32> to tensor<2x8xf32>
  %1 = tensor.extract_slice %a[0, 2] [8, 2] [1, 1] : tensor<8x8xf32> to tensor<8x2xf32>
  %2 = tensor.insert_slice %b into %a[4, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<8x8xf32>
  %3 = tensor.insert_slice %c into %a[0, %n] [8, 2] [1, 1] : tensor<8x2xf32> into tensor<8x8xf32>
  %4 = tensor.extract_slice %a[0, %n] [8, 2] [1, 1] : tensor<8x8xf32> to tensor<8x2xf32>
  return %0, %1, %2, %3 : tensor<2x8xf32>, tensor<8x2xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// A slice of indices stays: no dispatch takes indices.

// CHECK-LABEL: func.func @indices
// CHECK: tensor.extract_slice
// CHECK-NOT: flow.dispatch
func.func @indices(%a: tensor<8xindex>, %n: index) -> tensor<4xindex> {
  %0 = tensor.extract_slice %a[%n] [4] [1] : tensor<8xindex> to tensor<4xindex>
  return %0 : tensor<4xindex>
}

// -----

// Dynamic extents, in a loop.

// CHECK-LABEL: func.func @dynamic
// CHECK: scf.for
// CHECK: flow.dispatch.workgroups[%[[W:.*]]](%[[D:.*]], %{{.*}}, %[[W]], %[[W]]) : (index, tensor<?xf32>{%[[W]]}, index, index) -> tensor<?xf32>{%[[W]]} =
// CHECK-NEXT: (%[[ID:.*]]: index, %{{.*}}: !flow.dispatch.tensor<readonly:tensor<?xf32>>, %[[I:.*]]: index, %{{.*}}: index, 
// CHECK: flow.dispatch.tensor.load %{{.*}}, offsets = [0], sizes = [%[[I]]], strides = [1]
// CHECK: tensor.empty(%[[ID]])
// CHECK: scf.yield
func.func @dynamic(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<?xf32> {
    %e = tensor.empty(%d) : tensor<?xf32>
    %x = tensor.dim %t, %c0 : tensor<?xf32>
    %1 = flow.dispatch.region[%x] -> (tensor<?xf32>{%x}) {
      %2 = linalg.exp ins(%t : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      flow.return %2 : tensor<?xf32>
    }
    scf.yield %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func private @declared
func.func private @declared(tensor<4xf32>)
