// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt --split-input-file --iree-flow-convert-to-flow %s | FileCheck %s

// Contiguous: whole inner dimensions, a range of one, one index of those
// before. The whole slice is the tensor itself.

// CHECK-LABEL: func.func @contiguous
// CHECK-COUNT-2: flow.tensor.slice
// CHECK-NOT: tensor.extract_slice
func.func @contiguous(%a: tensor<4x6x8xf32>) -> (tensor<4x6x8xf32>, tensor<1x2x8xf32>, tensor<1x1x3xf32>) {
  %0 = tensor.extract_slice %a[0, 0, 0] [4, 6, 8] [1, 1, 1] : tensor<4x6x8xf32> to tensor<4x6x8xf32>
  %1 = tensor.extract_slice %a[3, 1, 0] [1, 2, 8] [1, 1, 1] : tensor<4x6x8xf32> to tensor<1x2x8xf32>
  %2 = tensor.extract_slice %a[3, 5, 2] [1, 1, 3] [1, 1, 1] : tensor<4x6x8xf32> to tensor<1x1x3xf32>
  return %0, %1, %2 : tensor<4x6x8xf32>, tensor<1x2x8xf32>, tensor<1x1x3xf32>
}

// -----

// Not contiguous: ranges of two dimensions, strides, computed offsets or sizes.

// CHECK-LABEL: func.func @not_contiguous
// CHECK-COUNT-4: tensor.extract_slice
// CHECK-NOT: flow.tensor.slice
func.func @not_contiguous(%a: tensor<4x6x8xf32>, %n: index) -> (tensor<1x2x4xf32>, tensor<1x1x4xf32>, tensor<1x2x8xf32>, tensor<1x?x8xf32>) {
  %0 = tensor.extract_slice %a[0, 0, 0] [1, 2, 4] [1, 1, 1] : tensor<4x6x8xf32> to tensor<1x2x4xf32>
  %1 = tensor.extract_slice %a[0, 0, 0] [1, 1, 4] [1, 1, 2] : tensor<4x6x8xf32> to tensor<1x1x4xf32>
  %2 = tensor.extract_slice %a[%n, 0, 0] [1, 2, 8] [1, 1, 1] : tensor<4x6x8xf32> to tensor<1x2x8xf32>
  %3 = tensor.extract_slice %a[0, 0, 0] [1, %n, 8] [1, 1, 1] : tensor<4x6x8xf32> to tensor<1x?x8xf32>
  return %0, %1, %2, %3 : tensor<1x2x4xf32>, tensor<1x1x4xf32>, tensor<1x2x8xf32>, tensor<1x?x8xf32>
}

// -----

// Dropped dimensions of size 1 are a reshape; an unknown outermost extent does
// not matter.

// CHECK-LABEL: func.func @rank_reduced
// CHECK: %[[S:.*]] = flow.tensor.slice %{{.*}} : tensor<?x8xf32>{%{{.*}}} -> tensor<1x8xf32>
// CHECK: flow.tensor.reshape %[[S]] : tensor<1x8xf32> -> tensor<8xf32>
// CHECK: %[[R:.*]] = flow.tensor.reshape %{{.*}} : tensor<8xf32> -> tensor<1x8xf32>
// CHECK: flow.tensor.update %[[R]], %{{.*}} : tensor<1x8xf32> -> %{{.*}} as tensor<?x8xf32>
func.func @rank_reduced(%a: tensor<?x8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<?x8xf32>) {
  %0 = tensor.extract_slice %a[2, 0] [1, 8] [1, 1] : tensor<?x8xf32> to tensor<8xf32>
  %1 = tensor.insert_slice %b into %a[3, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<?x8xf32>
  return %0, %1 : tensor<8xf32>, tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func.func @fills
// CHECK-SAME: (%[[S:.*]]: f32, %[[N:.*]]: index)
// CHECK-DAG: flow.tensor.splat %[[S]] : tensor<?x4xf32>{%[[N]]}
// CHECK-DAG: flow.tensor.splat %[[S]] : tensor<4x?xf32>{%[[N]]}
func.func @fills(%s: f32, %n: index) -> (tensor<?x4xf32>, tensor<4x?xf32>) {
  %0 = tensor.empty(%n) : tensor<?x4xf32>
  %1 = linalg.fill ins(%s : f32) outs(%0 : tensor<?x4xf32>) -> tensor<?x4xf32>
  %4 = tensor.splat %s[%n] : tensor<4x?xf32>
  return %1, %4 : tensor<?x4xf32>, tensor<4x?xf32>
}

// -----

// CHECK-LABEL: func.func @elements
// CHECK-SAME: (%[[A:.*]]: tensor<4x?xf32>, %[[S:.*]]: f32, %[[I:.*]]: index)
// CHECK-DAG: flow.tensor.load %[[A]][%[[I]], %[[I]]] : tensor<4x?xf32>{%{{.*}}}
// CHECK-DAG: flow.tensor.splat %[[S]] : tensor<1x1xf32>
// CHECK-DAG: flow.tensor.splat %[[S]] : tensor<2xf32>
func.func @elements(%a: tensor<4x?xf32>, %s: f32, %i: index) -> (f32, tensor<1x1xf32>, tensor<2xf32>) {
  %0 = tensor.extract %a[%i, %i] : tensor<4x?xf32>
  %1 = tensor.from_elements %s : tensor<1x1xf32>
  %2 = tensor.from_elements %s, %s : tensor<2xf32>
  return %0, %1, %2 : f32, tensor<1x1xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @reshapes
// CHECK-SAME: (%[[A:.*]]: tensor<?x4xf32>, %[[N:.*]]: index)
// CHECK-DAG: flow.tensor.reshape %[[A]] : tensor<?x4xf32>{%{{.*}}} -> tensor<?xf32>{%{{.*}}}
// CHECK-DAG: flow.tensor.reshape %[[A]] : tensor<?x4xf32>{%{{.*}}} -> tensor<?x2x4xf32>{%[[N]]}
// CHECK-DAG: %[[C6:.*]] = arith.constant 6 : index
// CHECK-DAG: flow.tensor.reshape %[[A]] : tensor<?x4xf32>{%[[C6]]} -> tensor<6x?xf32>{%{{.*}}}
func.func @reshapes(%a: tensor<?x4xf32>, %n: index) -> (tensor<?xf32>, tensor<?x2x4xf32>, tensor<6x?xf32>) {
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %a [[0, 1], [2]] output_shape [%n, 2, 4] : tensor<?x4xf32> into tensor<?x2x4xf32>
  %2 = tensor.cast %a : tensor<?x4xf32> to tensor<6x?xf32>
  return %0, %1, %2 : tensor<?xf32>, tensor<?x2x4xf32>, tensor<6x?xf32>
}

// -----

// Operations in dispatches, executables and bodies of operations on tensors are
// kept.

// CHECK-LABEL: flow.executable private @ex
// CHECK: tensor.extract
flow.executable private @ex {
  flow.executable.export public @f
  builtin.module {
    func.func @f(%a: tensor<4xf32>, %i: index) -> f32 {
      %0 = tensor.extract %a[%i] : tensor<4xf32>
      return %0 : f32
    }
  }
}
// CHECK-LABEL: func.func @inside
// CHECK: flow.dispatch.region
// CHECK: linalg.fill
// CHECK: linalg.map
// CHECK: tensor.extract
// CHECK: tensor.generate
// CHECK: tensor.extract
// CHECK-NOT: flow.tensor
func.func @inside(%a: tensor<4xf32>, %i: index, %s: f32) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = flow.dispatch.region -> (tensor<4xf32>) {
    %1 = linalg.fill ins(%s : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    flow.return %1 : tensor<4xf32>
  }
  %2 = linalg.map ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>)
    (%x: f32, %o: f32) {
      %3 = tensor.extract %a[%i] : tensor<4xf32>
      linalg.yield %3 : f32
    }
  %4 = tensor.generate {
  ^bb0(%j: index):
    %5 = tensor.extract %a[%j] : tensor<4xf32>
    tensor.yield %5 : f32
  } : tensor<4xf32>
  return %0, %2, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// In branches and other blocks.

// CHECK-LABEL: func.func @control_flow
// CHECK: scf.if
// CHECK: flow.tensor.splat
// CHECK: cf.br
// CHECK: flow.tensor.slice
func.func @control_flow(%p: i1, %a: tensor<4xf32>, %s: f32) -> tensor<2xf32> {
  %0 = scf.if %p -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %1 = linalg.fill ins(%s : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %a : tensor<4xf32>
  }
  cf.br ^next
^next:
  %2 = tensor.extract_slice %0[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %2 : tensor<2xf32>
}

// -----

// Nothing on memory.

// CHECK-LABEL: func.func @memory
// CHECK: linalg.fill
func.func @memory(%m: memref<4xf32>, %s: f32) {
  linalg.fill ins(%s : f32) outs(%m : memref<4xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @stores
// CHECK-SAME: (%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[A:.*]]: tensor<?xf32>, %[[I:.*]]: index)
// CHECK-DAG: %[[E:.*]] = flow.tensor.empty : tensor<1x2xf32>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK: %[[F:.*]] = flow.tensor.store %[[X]], %[[E]][%[[C0]], %[[C0]]] : tensor<1x2xf32>
// CHECK: flow.tensor.store %[[Y]], %[[F]][%[[C0]], %[[C1]]] : tensor<1x2xf32>
// CHECK: flow.tensor.store %[[X]], %[[A]][%[[I]]] : tensor<?xf32>{%{{.*}}}
// CHECK-NOT: tensor.from_elements
func.func @stores(%x: f32, %y: f32, %a: tensor<?xf32>, %i: index) -> (tensor<1x2xf32>, tensor<?xf32>) {
  %0 = tensor.from_elements %x, %y : tensor<1x2xf32>
  %2 = tensor.insert %x into %a[%i] : tensor<?xf32>
  return %0, %2 : tensor<1x2xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @other_elements
// CHECK: flow.tensor.bitcast %{{.*}} : tensor<4xui8> -> tensor<4xi8>
// CHECK: flow.tensor.bitcast %{{.*}} : tensor<?x2xf32>{%[[D:.*]]} -> tensor<?x2xi32>{%[[D]]}
func.func @other_elements(%a: tensor<4xui8>, %b: tensor<?x2xf32>) -> (tensor<4xi8>, tensor<?x2xi32>) {
  %0 = tensor.bitcast %a : tensor<4xui8> to tensor<4xi8>
  %1 = tensor.bitcast %b : tensor<?x2xf32> to tensor<?x2xi32>
  return %0, %1 : tensor<4xi8>, tensor<?x2xi32>
}

// -----

// CHECK-LABEL: func.func @reshape
// CHECK-DAG: %[[N:.*]] = flow.tensor.load %{{.*}}[%{{.*}}] : tensor<2xi32>
// CHECK-DAG: %[[D:.*]] = arith.index_cast %[[N]] : i32 to index
// CHECK: flow.tensor.reshape %{{.*}} : tensor<?xf32>{%{{.*}}} -> tensor<?x4xf32>{%[[D]]}
func.func @reshape(%a: tensor<?xf32>, %s: tensor<2xi32>) -> tensor<?x4xf32> {
  %0 = tensor.reshape %a(%s) : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
