// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A function for each rule, and one where it must not apply.

// RUN: mercator-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func @constant_static
func.func @constant_static() -> tensor<2x4xi32> {
  // CHECK: %[[C:.*]] = arith.constant dense<2> : tensor<2x4xi32>
  // CHECK-NEXT: return %[[C]]
  %0 = flow.tensor.constant dense<2> : tensor<2x4xi32> -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}

// -----

// CHECK-LABEL: func @tie_static
func.func @tie_static(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %arg0
  %0 = flow.tensor.tie_shape %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @tie_again
func.func @tie_again(%a: tensor<?xf32>, %d: index, %e: index) -> (tensor<?xf32>, tensor<?xf32>) {
  // CHECK-NEXT: %[[T:.*]] = flow.tensor.tie_shape %arg0 : tensor<?xf32>{%arg1}
  // CHECK-NEXT: %[[O:.*]] = flow.tensor.tie_shape %[[T]] : tensor<?xf32>{%arg2}
  // CHECK-NEXT: return %[[T]], %[[O]]
  %0 = flow.tensor.tie_shape %a : tensor<?xf32>{%d}
  %1 = flow.tensor.tie_shape %0 : tensor<?xf32>{%d}
  %2 = flow.tensor.tie_shape %1 : tensor<?xf32>{%e}
  return %1, %2 : tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: func @tie_without_elements
func.func @tie_without_elements(%a: tensor<0x?xf32>, %d: index) -> tensor<0x?xf32> {
  // CHECK-NEXT: %[[E:.*]] = flow.tensor.empty : tensor<0x?xf32>{%arg1}
  // CHECK-NEXT: return %[[E]]
  %0 = flow.tensor.tie_shape %a : tensor<0x?xf32>{%d}
  return %0 : tensor<0x?xf32>
}

// -----

// CHECK-LABEL: func @dims
// CHECK-SAME: %{{.*}}: tensor<?x4xf32>, %[[D:.*]]: index, %[[E:.*]]: index, %[[F:.*]]: index
func.func @dims(%a: tensor<?x4xf32>, %d: index, %e: index, %f: index) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = flow.tensor.tie_shape %a : tensor<?x4xf32>{%d}
  %d0 = tensor.dim %0, %c0 : tensor<?x4xf32>
  %1 = flow.tensor.reshape %a : tensor<?x4xf32>{%d} -> tensor<2x?xf32>{%e}
  %d1 = tensor.dim %1, %c1 : tensor<2x?xf32>
  %2:2 = flow.dispatch @ex::@f(%a) : (tensor<?x4xf32>{%d}) -> (tensor<?xf32>{%e}, tensor<?x?xf32>{%d, %f})
  %d2 = tensor.dim %2#1, %c1 : tensor<?x?xf32>
  %3 = flow.tensor.update %a, %1[%c0, %c0] : tensor<?x4xf32>{%d} -> %1 as tensor<2x?xf32>{%e}
  %d3 = tensor.dim %3, %c1 : tensor<2x?xf32>
  // CHECK: return %[[D]], %[[E]], %[[F]], %[[E]]
  return %d0, %d1, %d2, %d3 : index, index, index, index
}

// -----

// Nothing more is known about an argument, and an index may be anything.
// CHECK-LABEL: func @dims_unknown
func.func @dims_unknown(%a: tensor<?xf32>, %d: index, %i: index, %u: tensor<*xf32>) -> (index, index, index) {
  // CHECK-COUNT-3: tensor.dim
  %c0 = arith.constant 0 : index
  %0 = tensor.dim %a, %c0 : tensor<?xf32>
  %1 = flow.tensor.tie_shape %a : tensor<?xf32>{%d}
  %2 = tensor.dim %1, %i : tensor<?xf32>
  %3 = tensor.dim %u, %c0 : tensor<*xf32>
  return %0, %2, %3 : index, index, index
}

// -----

// CHECK-LABEL: func @reshape_same
func.func @reshape_same(%a: tensor<4x?xf32>, %s: tensor<f32>, %d: index) -> (tensor<4x?xf32>, tensor<f32>) {
  // CHECK-NEXT: return %arg0, %arg1
  %0 = flow.tensor.reshape %a : tensor<4x?xf32>{%d} -> tensor<4x?xf32>{%d}
  %1 = flow.tensor.reshape %s : tensor<f32> -> tensor<f32>
  return %0, %1 : tensor<4x?xf32>, tensor<f32>
}

// -----

// CHECK-LABEL: func @reshape_other
func.func @reshape_other(%a: tensor<4x?xf32>, %s: tensor<1xf32>, %d: index, %e: index) -> (tensor<4x?xf32>, tensor<f32>) {
  // CHECK-COUNT-2: flow.tensor.reshape
  %0 = flow.tensor.reshape %a : tensor<4x?xf32>{%d} -> tensor<4x?xf32>{%e}
  %1 = flow.tensor.reshape %s : tensor<1xf32> -> tensor<f32>
  return %0, %1 : tensor<4x?xf32>, tensor<f32>
}

// -----

// CHECK-LABEL: func @reshape_chain
func.func @reshape_chain(%a: tensor<?x6xf32>, %d: index, %e: index, %f: index) -> tensor<3x?xf32> {
  // CHECK-NEXT: %[[R:.*]] = flow.tensor.reshape %arg0 : tensor<?x6xf32>{%arg1} -> tensor<3x?xf32>{%arg3}
  // CHECK-NEXT: return %[[R]]
  %0 = flow.tensor.reshape %a : tensor<?x6xf32>{%d} -> tensor<?x2xf32>{%e}
  %1 = flow.tensor.reshape %0 : tensor<?x2xf32>{%e} -> tensor<6x?xf32>{%d}
  %2 = flow.tensor.reshape %1 : tensor<6x?xf32>{%d} -> tensor<3x?xf32>{%f}
  return %2 : tensor<3x?xf32>
}

// -----

// An impossible operation is kept.
// CHECK-LABEL: func @reshape_chain_impossible
func.func @reshape_chain_impossible(%a: tensor<4xf32>, %d: index) -> tensor<5xf32> {
  // CHECK-COUNT-2: flow.tensor.reshape
  %0 = flow.tensor.reshape %a : tensor<4xf32> -> tensor<?xf32>{%d}
  %1 = flow.tensor.reshape %0 : tensor<?xf32>{%d} -> tensor<5xf32>
  return %1 : tensor<5xf32>
}

// -----

// CHECK-LABEL: func @reshape_without_elements
func.func @reshape_without_elements(%a: tensor<0x?xf32>, %b: tensor<?xf32>, %d: index, %e: index) -> (tensor<?xf32>, tensor<?x0xf32>, tensor<2x?xf32>) {
  // CHECK-DAG: %[[X:.*]] = flow.tensor.empty : tensor<?xf32>{%arg3}
  // CHECK-DAG: %[[Y:.*]] = flow.tensor.empty : tensor<?x0xf32>{%arg2}
  // CHECK-DAG: %[[Z:.*]] = flow.tensor.empty : tensor<2x?xf32>{%arg3}
  // CHECK: return %[[X]], %[[Y]], %[[Z]]
  %0 = flow.tensor.reshape %a : tensor<0x?xf32>{%d} -> tensor<?xf32>{%e}
  %1 = flow.tensor.reshape %b : tensor<?xf32>{%d} -> tensor<?x0xf32>{%d}
  %2 = flow.tensor.empty : tensor<?xf32>{%d}
  %3 = flow.tensor.reshape %2 : tensor<?xf32>{%d} -> tensor<2x?xf32>{%e}
  return %0, %1, %3 : tensor<?xf32>, tensor<?x0xf32>, tensor<2x?xf32>
}

// -----

// CHECK-LABEL: func @reshape_splat
func.func @reshape_splat(%x: f32, %d: index, %e: index) -> tensor<?x?xf32> {
  // CHECK-NEXT: %[[S:.*]] = flow.tensor.splat %arg0 : tensor<?x?xf32>{%arg1, %arg2}
  // CHECK-NEXT: return %[[S]]
  %0 = flow.tensor.splat %x : tensor<?x4xf32>{%d}
  %1 = flow.tensor.reshape %0 : tensor<?x4xf32>{%d} -> tensor<?x?xf32>{%d, %e}
  return %1 : tensor<?x?xf32>
}

// -----

// A splat with other users is not cloned.
// CHECK-LABEL: func @reshape_splat_shared
func.func @reshape_splat_shared(%x: f32) -> (tensor<16xf32>, tensor<4x4xf32>) {
  // CHECK: flow.tensor.splat
  // CHECK: flow.tensor.reshape
  %0 = flow.tensor.splat %x : tensor<4x4xf32>
  %1 = flow.tensor.reshape %0 : tensor<4x4xf32> -> tensor<16xf32>
  return %1, %0 : tensor<16xf32>, tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func @load_constant
func.func @load_constant(%i: index) -> (i32, f32, i32) {
  // CHECK-DAG: %[[A:.*]] = arith.constant 2 : i32
  // CHECK-DAG: %[[B:.*]] = arith.constant 5.000000e-01 : f32
  // CHECK-DAG: %[[C:.*]] = arith.constant 9 : i32
  // CHECK: return %[[A]], %[[B]], %[[C]]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = arith.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi32>
  %0 = flow.tensor.load %a[%c1, %c0] : tensor<2x2xi32>
  %b = arith.constant dense<0.5> : tensor<f32>
  %1 = flow.tensor.load %b : tensor<f32>
  %c = arith.constant dense<9> : tensor<8xi32>
  %2 = flow.tensor.load %c[%i] : tensor<8xi32>
  return %0, %1, %2 : i32, f32, i32
}

// -----

// An index out of bounds, an unknown index, elided elements.
// CHECK-LABEL: func @load_unknown
func.func @load_unknown(%i: index) -> (i32, i32, i32, i32) {
  // CHECK-COUNT-4: flow.tensor.load
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %cm1 = arith.constant -1 : index
  %a = arith.constant dense<[0, 1]> : tensor<2xi32>
  %0 = flow.tensor.load %a[%c2] : tensor<2xi32>
  %1 = flow.tensor.load %a[%cm1] : tensor<2xi32>
  %2 = flow.tensor.load %a[%i] : tensor<2xi32>
  %b = arith.constant dense_resource<__elided__> : tensor<2xi32>
  %3 = flow.tensor.load %b[%c0] : tensor<2xi32>
  return %0, %1, %2, %3 : i32, i32, i32, i32
}

// -----

// CHECK-LABEL: func @load_splat
func.func @load_splat(%x: f32, %d: index, %i: index) -> f32 {
  // CHECK-NEXT: return %arg0
  %0 = flow.tensor.splat %x : tensor<?x4xf32>{%d}
  %1 = flow.tensor.load %0[%i, %i] : tensor<?x4xf32>{%d}
  return %1 : f32
}

// -----

// CHECK-LABEL: func @store_constant
func.func @store_constant() -> (tensor<2x2xi32>, tensor<i32>) {
  // CHECK-DAG: %[[A:.*]] = arith.constant dense<{{\[}}[0, 1], [4, 3]]> : tensor<2x2xi32>
  // CHECK-DAG: %[[B:.*]] = arith.constant dense<4> : tensor<i32>
  // CHECK: return %[[A]], %[[B]]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 4 : i32
  %a = arith.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi32>
  %0 = flow.tensor.store %x, %a[%c1, %c0] : tensor<2x2xi32>
  %b = arith.constant dense<0> : tensor<i32>
  %1 = flow.tensor.store %x, %b : tensor<i32>
  return %0, %1 : tensor<2x2xi32>, tensor<i32>
}

// -----

// Out of bounds, and a constant that is too large to copy for each change.
// CHECK-LABEL: func @store_unknown
func.func @store_unknown() -> (tensor<2xi32>, tensor<2000xi32>) {
  // CHECK-COUNT-2: flow.tensor.store
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %x = arith.constant 4 : i32
  %a = arith.constant dense<[0, 1]> : tensor<2xi32>
  %0 = flow.tensor.store %x, %a[%c2] : tensor<2xi32>
  %b = arith.constant dense<0> : tensor<2000xi32>
  %1 = flow.tensor.store %x, %b[%c0] : tensor<2000xi32>
  return %0, %1 : tensor<2xi32>, tensor<2000xi32>
}

// -----

// CHECK-LABEL: func @splat_without_elements
func.func @splat_without_elements(%x: f32, %d: index) -> tensor<?x0xf32> {
  // CHECK-NEXT: %[[E:.*]] = flow.tensor.empty : tensor<?x0xf32>{%arg1}
  // CHECK-NEXT: return %[[E]]
  %0 = flow.tensor.splat %x : tensor<?x0xf32>{%d}
  return %0 : tensor<?x0xf32>
}

// -----

// CHECK-LABEL: func @clone
func.func @clone(%a: tensor<0x?xf32>, %d: index) -> (tensor<4xi32>, tensor<0x2xi32>, tensor<0x?xf32>, tensor<?xf32>) {
  // CHECK-DAG: %[[A:.*]] = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  // CHECK-DAG: %[[B:.*]] = arith.constant dense<> : tensor<0x2xi32>
  // CHECK-DAG: %[[C:.*]] = flow.tensor.empty : tensor<0x?xf32>{%arg1}
  // CHECK-DAG: %[[D:.*]] = flow.tensor.empty : tensor<?xf32>{%arg1}
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]]
  %0 = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %1 = flow.tensor.clone %0 : tensor<4xi32>
  %2 = arith.constant dense<> : tensor<0x2xi32>
  %3 = flow.tensor.clone %2 : tensor<0x2xi32>
  %4 = flow.tensor.clone %a : tensor<0x?xf32>{%d}
  %5 = flow.tensor.empty : tensor<?xf32>{%d}
  %6 = flow.tensor.clone %5 : tensor<?xf32>{%d}
  return %1, %3, %4, %6 : tensor<4xi32>, tensor<0x2xi32>, tensor<0x?xf32>, tensor<?xf32>
}

// -----

// For other tensors a copy is intended.
// CHECK-LABEL: func @clone_kept
func.func @clone_kept(%a: tensor<?xf32>, %d: index) -> tensor<?xf32> {
  // CHECK-NEXT: flow.tensor.clone %arg0
  %0 = flow.tensor.clone %a : tensor<?xf32>{%d}
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @slice_constant
func.func @slice_constant() -> (tensor<i32>, tensor<1x2xi32>, tensor<2x1x2xi32>, tensor<1x0xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // CHECK-DAG: %[[A:.*]] = arith.constant dense<8> : tensor<i32>
  // CHECK-DAG: %[[B:.*]] = arith.constant dense<{{\[}}[4, 5]]> : tensor<1x2xi32>
  // CHECK-DAG: %[[C:.*]] = arith.constant dense<{{\[\[}}[3, 4]], {{\[}}[7, 8]]]> : tensor<2x1x2xi32>
  // CHECK-DAG: %[[D:.*]] = arith.constant dense<> : tensor<1x0xi32>
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]]
  %a = arith.constant dense<8> : tensor<i32>
  %0 = flow.tensor.slice %a[for] : tensor<i32> -> tensor<i32>
  %b = arith.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %1 = flow.tensor.slice %b[%c1, %c1 for %c1, %c2] : tensor<2x3xi32> -> tensor<1x2xi32>
  %c = arith.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi32>
  %2 = flow.tensor.slice %c[%c0, %c1, %c0 for %c2, %c1, %c2] : tensor<2x2x2xi32> -> tensor<2x1x2xi32>
  %3 = flow.tensor.slice %b[%c1, %c2 for %c1, %c0] : tensor<2x3xi32> -> tensor<1x0xi32>
  return %0, %1, %2, %3 : tensor<i32>, tensor<1x2xi32>, tensor<2x1x2xi32>, tensor<1x0xi32>
}

// -----

// Out of bounds; lengths that are not the result's; a result of unknown shape.
// CHECK-LABEL: func @slice_unknown
func.func @slice_unknown(%n: index) -> (tensor<2xi32>, tensor<2xi32>, tensor<?xi32>, tensor<2xi32>) {
  // CHECK-COUNT-4: flow.tensor.slice
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = arith.constant dense<[0, 1, 2]> : tensor<3xi32>
  %0 = flow.tensor.slice %a[%c2 for %c2] : tensor<3xi32> -> tensor<2xi32>
  %1 = flow.tensor.slice %a[%c1 for %c1] : tensor<3xi32> -> tensor<2xi32>
  %2 = flow.tensor.slice %a[%c1 for %c2] : tensor<3xi32> -> tensor<?xi32>{%c2}
  %3 = flow.tensor.slice %a[%n for %c2] : tensor<3xi32> -> tensor<2xi32>
  return %0, %1, %2, %3 : tensor<2xi32>, tensor<2xi32>, tensor<?xi32>, tensor<2xi32>
}

// -----

// CHECK-LABEL: func @slice_without_elements
func.func @slice_without_elements(%a: tensor<0x?xf32>, %b: tensor<?xf32>, %d: index) -> (tensor<?x?xf32>, tensor<0xf32>, tensor<?xf32>) {
  // CHECK-DAG: %[[X:.*]] = flow.tensor.empty : tensor<?x?xf32>{%c0, %arg2}
  // CHECK-DAG: %[[Y:.*]] = flow.tensor.empty : tensor<0xf32>
  // CHECK-DAG: %[[Z:.*]] = flow.tensor.empty : tensor<?xf32>{%arg2}
  // CHECK: return %[[X]], %[[Y]], %[[Z]]
  %c0 = arith.constant 0 : index
  %0 = flow.tensor.slice %a[%c0, %c0 for %c0, %d] : tensor<0x?xf32>{%d} -> tensor<?x?xf32>{%c0, %d}
  %1 = flow.tensor.slice %b[%c0 for %c0] : tensor<?xf32>{%d} -> tensor<0xf32>
  %2 = flow.tensor.empty : tensor<?xf32>{%d}
  %3 = flow.tensor.slice %2[%c0 for %d] : tensor<?xf32>{%d} -> tensor<?xf32>{%d}
  return %0, %1, %3 : tensor<?x?xf32>, tensor<0xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: func @slice_splat
func.func @slice_splat(%x: f32, %d: index, %i: index) -> tensor<?xf32> {
  // CHECK-NEXT: %[[S:.*]] = flow.tensor.splat %arg0 : tensor<?xf32>{%arg2}
  // CHECK-NEXT: return %[[S]]
  %0 = flow.tensor.splat %x : tensor<?xf32>{%d}
  %1 = flow.tensor.slice %0[%i for %i] : tensor<?xf32>{%d} -> tensor<?xf32>{%i}
  return %1 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @update_constant
func.func @update_constant() -> (tensor<i32>, tensor<2x3xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-DAG: %[[A:.*]] = arith.constant dense<1> : tensor<i32>
  // CHECK-DAG: %[[B:.*]] = arith.constant dense<{{\[}}[0, 8, 2], [3, 9, 5]]> : tensor<2x3xi32>
  // CHECK-DAG: %[[C:.*]] = arith.constant dense<6> : tensor<2xi32>
  // CHECK: return %[[A]], %[[B]], %[[C]]
  %a = arith.constant dense<1> : tensor<i32>
  %b = arith.constant dense<0> : tensor<i32>
  %0 = flow.tensor.update %a, %b[] : tensor<i32> -> %b as tensor<i32>
  %c = arith.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %d = arith.constant dense<[[8], [9]]> : tensor<2x1xi32>
  %1 = flow.tensor.update %d, %c[%c0, %c1] : tensor<2x1xi32> -> %c as tensor<2x3xi32>
  %e = arith.constant dense<6> : tensor<2xi32>
  %f = arith.constant dense<> : tensor<0xi32>
  %2 = flow.tensor.update %f, %e[%c1] : tensor<0xi32> -> %e as tensor<2xi32>
  return %0, %1, %2 : tensor<i32>, tensor<2x3xi32>, tensor<2xi32>
}

// -----

// CHECK-LABEL: func @update_unknown
func.func @update_unknown(%a: tensor<2xi32>, %b: tensor<2xi32>, %i: index) -> (tensor<3xi32>, tensor<2xi32>) {
  // CHECK-COUNT-2: flow.tensor.update
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c = arith.constant dense<[0, 1, 2]> : tensor<3xi32>
  %d = arith.constant dense<[8, 9]> : tensor<2xi32>
  %0 = flow.tensor.update %d, %c[%c2] : tensor<2xi32> -> %c as tensor<3xi32>
  %1 = flow.tensor.update %a, %b[%c1] : tensor<2xi32> -> %b as tensor<2xi32>
  return %0, %1 : tensor<3xi32>, tensor<2xi32>
}

// -----

// CHECK-LABEL: func @update_whole
func.func @update_whole(%a: tensor<4xi32>, %b: tensor<4xi32>, %i: index) -> (tensor<4xi32>, tensor<4xi32>) {
  // CHECK-NEXT: return %arg0, %arg1
  %c0 = arith.constant 0 : index
  %0 = flow.tensor.update %a, %b[%c0] : tensor<4xi32> -> %b as tensor<4xi32>
  %1 = flow.tensor.update %b, %a[%i] : tensor<4xi32> -> %a as tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}

// -----

// CHECK-LABEL: func @update_without_elements
func.func @update_without_elements(%u: tensor<?x0xi32>, %t: tensor<?x4xi32>, %v: tensor<?xi32>, %e: tensor<0xi32>, %d: index) -> (tensor<?x4xi32>, tensor<0xi32>) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[E:.*]] = flow.tensor.empty : tensor<0xi32>
  // CHECK: return %arg1, %[[E]]
  %0 = flow.tensor.update %u, %t[%c0, %c0] : tensor<?x0xi32>{%d} -> %t as tensor<?x4xi32>{%d}
  %1 = flow.tensor.update %v, %e[%c0] : tensor<?xi32>{%d} -> %e as tensor<0xi32>
  return %0, %1 : tensor<?x4xi32>, tensor<0xi32>
}

// -----

// CHECK-LABEL: func @update_casts
func.func @update_casts(%u: tensor<2x?xf32>, %t: tensor<8x?xf32>, %d: index, %e: index) -> tensor<?x?xf32> {
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  // CHECK: %[[R:.*]] = flow.tensor.update %arg0, %arg1[%{{.*}}, %{{.*}}] : tensor<2x?xf32>{%arg2} -> %arg1 as tensor<8x?xf32>{%arg3}
  // CHECK: %[[C:.*]] = tensor.cast %[[R]] : tensor<8x?xf32> to tensor<?x?xf32>
  // CHECK: return %[[C]]
  %0 = tensor.cast %u : tensor<2x?xf32> to tensor<?x?xf32>
  %1 = tensor.cast %t : tensor<8x?xf32> to tensor<?x?xf32>
  %2 = flow.tensor.update %0, %1[%c2, %c2] : tensor<?x?xf32>{%c2, %d} -> %1 as tensor<?x?xf32>{%c8, %e}
  return %2 : tensor<?x?xf32>
}

// -----

// A more precise cast: its extent becomes a constant.
// CHECK-LABEL: func @update_cast_to_static
func.func @update_cast_to_static(%u: tensor<?xf32>, %t: tensor<?xf32>) -> tensor<8xf32> {
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
  // CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
  // CHECK: %[[R:.*]] = flow.tensor.update %arg0, %arg1[%{{.*}}] : tensor<?xf32>{%[[C2]]} -> %arg1 as tensor<?xf32>{%[[C8]]}
  // CHECK: tensor.cast %[[R]] : tensor<?xf32> to tensor<8xf32>
  %c0 = arith.constant 0 : index
  %0 = tensor.cast %u : tensor<?xf32> to tensor<2xf32>
  %1 = tensor.cast %t : tensor<?xf32> to tensor<8xf32>
  %2 = flow.tensor.update %0, %1[%c0] : tensor<2xf32> -> %1 as tensor<8xf32>
  return %2 : tensor<8xf32>
}
