// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt --split-input-file --verify-diagnostics --iree-flow-convert-region-to-workgroups %s | FileCheck %s

// Operands: used values in the order of their first use, then extents of
// tensors, then extents of results.

// CHECK-LABEL: func.func @order
// CHECK-SAME: (%[[A:.*]]: tensor<?x4xf32>, %[[S:.*]]: f32, %[[N:.*]]: index)
func.func @order(%a: tensor<?x4xf32>, %s: f32, %n: index) -> tensor<?x4xf32> {
  // CHECK: %[[DIM:.*]] = tensor.dim %[[A]]
  // CHECK: flow.dispatch.workgroups[%[[N]]](%[[S]], %[[A]], %[[N]], %[[DIM]], %[[N]]) : (f32, tensor<?x4xf32>{%[[DIM]]}, index, index, index) -> tensor<?x4xf32>{%[[N]]} =
  // CHECK-NEXT: (%[[IS:.*]]: f32, %[[IA:.*]]: !flow.dispatch.tensor<readonly:tensor<?x4xf32>>, %{{.*}}: index, %[[ID:.*]]: index, %[[IN:.*]]: index, %[[O:.*]]: !flow.dispatch.tensor<writeonly:tensor<?x4xf32>>) {
  // CHECK-NEXT: %[[L:.*]] = flow.dispatch.tensor.load %[[IA]], offsets = [0, 0], sizes = [%[[ID]], 4], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<?x4xf32>>{%[[ID]]} -> tensor<?x4xf32>
  // CHECK-NEXT: %[[X:.*]] = arith.addf %[[IS]], %[[IS]] : f32
  // CHECK-NEXT: %[[R:.*]] = tensor.insert %[[X]] into %[[L]][%[[IN]], %[[IN]]]
  // CHECK: flow.dispatch.tensor.store %{{.*}}, %[[O]], offsets = [0, 0], sizes = [%[[IN]], 4], strides = [1, 1] : tensor<?x4xf32> -> !flow.dispatch.tensor<writeonly:tensor<?x4xf32>>{%[[IN]]}
  // CHECK-NEXT: flow.return
  // CHECK: } count(%[[W:.*]]: index) -> (index, index, index) {
  %0 = flow.dispatch.region[%n] -> (tensor<?x4xf32>{%n}) {
    %1 = arith.addf %s, %s : f32
    %2 = tensor.insert %1 into %a[%n, %n] : tensor<?x4xf32>
    %3 = math.exp %2 : tensor<?x4xf32>
    flow.return %3 : tensor<?x4xf32>
  } count(%w: index) -> (index, index, index) {
    %c1 = arith.constant 1 : index
    flow.return %w, %c1, %c1 : index, index, index
  }
  return %0 : tensor<?x4xf32>
}

// -----

// A result that updates a tensor from outside is tied to it, through inits and
// insertions; nothing is tied twice; a new tensor is not tied.

// CHECK-LABEL: func.func @ties
// CHECK-SAME: (%[[A:.*]]: tensor<4x4xf32>, %[[B:.*]]: tensor<4x4xf32>, %[[C:.*]]: tensor<2x4xf32>)
func.func @ties(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<2x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: flow.dispatch.workgroups(%[[A]], %[[B]], %[[C]])
  // CHECK-SAME: -> (%[[B]], %[[A]], tensor<4x4xf32>, tensor<4x4xf32>)
  // CHECK-NEXT: (%[[IA:.*]]: !flow.dispatch.tensor<readwrite:tensor<4x4xf32>>, %[[IB:.*]]: !flow.dispatch.tensor<readwrite:tensor<4x4xf32>>, %[[IC:.*]]: !flow.dispatch.tensor<readonly:tensor<2x4xf32>>, %[[O0:.*]]: !flow.dispatch.tensor<writeonly:tensor<4x4xf32>>, %[[O1:.*]]: !flow.dispatch.tensor<writeonly:tensor<4x4xf32>>)
  // CHECK: flow.dispatch.tensor.store %{{.*}}, %[[IB]]
  // CHECK-NEXT: flow.dispatch.tensor.store %{{.*}}, %[[IA]]
  // CHECK-NEXT: flow.dispatch.tensor.store %{{.*}}, %[[O0]]
  // CHECK-NEXT: flow.dispatch.tensor.store %{{.*}}, %[[O1]]
  %0:4 = flow.dispatch.region -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
    %1 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%b : tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = tensor.insert_slice %c into %a[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
    %3 = linalg.exp ins(%1 : tensor<4x4xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %4 = tensor.empty() : tensor<4x4xf32>
    %5 = linalg.exp ins(%1 : tensor<4x4xf32>) outs(%4 : tensor<4x4xf32>) -> tensor<4x4xf32>
    flow.return %3, %2, %1, %5 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
  }
  return %0#0, %0#1, %0#2, %0#3 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// Attributes stay.

// CHECK-LABEL: func.func @attributes
func.func @attributes(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: flow.dispatch.workgroups(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-SAME: attributes {note = "kept"}
  %0 = flow.dispatch.region {note = "kept"} -> (tensor<4xf32>) {
    %1 = math.exp %a : tensor<4xf32>
    flow.return %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// A value used only in a nested region is passed in as well.

// CHECK-LABEL: func.func @nested_use
// CHECK-SAME: (%[[A:.*]]: tensor<4xf32>, %[[S:.*]]: f32, %[[P:.*]]: i1)
func.func @nested_use(%a: tensor<4xf32>, %s: f32, %p: i1) -> tensor<4xf32> {
  // CHECK: flow.dispatch.workgroups(%[[S]], %[[A]]) : (f32, tensor<4xf32>)
  // CHECK: linalg.map
  // CHECK: arith.addf %{{.*}}, %{{arg[0-9]+}}
  %0 = flow.dispatch.region -> (tensor<4xf32>) {
    %1 = tensor.empty() : tensor<4xf32>
    %2 = linalg.map ins(%a : tensor<4xf32>) outs(%1 : tensor<4xf32>)
      (%x: f32, %o: f32) {
        %3 = arith.addf %x, %s : f32
        linalg.yield %3 : f32
      }
    flow.return %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// In every kind of control flow.

// CHECK-LABEL: func.func @control_flow
// CHECK-NOT: flow.dispatch.region
// CHECK: scf.while
// CHECK: flow.dispatch.workgroups
// CHECK: cf.cond_br
// CHECK: flow.dispatch.workgroups
// CHECK-NOT: flow.dispatch.region
func.func @control_flow(%a: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %0 = scf.while (%t = %a) : (tensor<4xf32>) -> tensor<4xf32> {
    scf.condition(%p) %t : tensor<4xf32>
  } do {
  ^bb0(%t: tensor<4xf32>):
    %1 = flow.dispatch.region -> (tensor<4xf32>) {
      %2 = math.exp %t : tensor<4xf32>
      flow.return %2 : tensor<4xf32>
    }
    scf.yield %1 : tensor<4xf32>
  }
  cf.cond_br %p, ^more, ^end(%0 : tensor<4xf32>)
^more:
  %3 = flow.dispatch.region -> (tensor<4xf32>) {
    %4 = math.exp %0 : tensor<4xf32>
    flow.return %4 : tensor<4xf32>
  }
  cf.br ^end(%3 : tensor<4xf32>)
^end(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
}

// -----

// No dispatch takes indices: host and device do not agree on their size.

func.func @indices(%a: tensor<4xindex>) -> tensor<4xi32> {
  // expected-error@+1 {{expected operands of a dispatch with a rank and elements that are not indices, got 'tensor<4xindex>'}}
  %0 = flow.dispatch.region -> (tensor<4xi32>) {
    %1 = arith.index_cast %a : tensor<4xindex> to tensor<4xi32>
    flow.return %1 : tensor<4xi32>
  }
  return %0 : tensor<4xi32>
}

// -----

func.func @unranked(%a: tensor<*xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{got 'tensor<*xf32>'}}
  %0 = flow.dispatch.region -> (tensor<4xf32>) {
    %1 = tensor.cast %a : tensor<*xf32> to tensor<4xf32>
    flow.return %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Canonicalization moves constants out of the count region; they are moved
// back.

// CHECK-LABEL: func.func @constant_outside
func.func @constant_outside(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c7 = arith.constant 7 : index
  // CHECK:      } count(%[[W:.*]]: index) -> (index, index, index) {
  // CHECK-NEXT:   %[[C:.*]] = arith.constant 7 : index
  // CHECK-NEXT:   flow.return %[[W]], %[[C]], %[[C]]
  %0 = flow.dispatch.region[%n] -> (tensor<4xf32>) {
    %1 = math.exp %a : tensor<4xf32>
    flow.return %1 : tensor<4xf32>
  } count(%w: index) -> (index, index, index) {
    flow.return %w, %c7, %c7 : index, index, index
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @count_captures(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  // expected-error@+1 {{expected the region that counts workgroups to use its arguments and constants alone, got a 'index' from outside}}
  %0 = flow.dispatch.region[%n] -> (tensor<4xf32>) {
    %1 = math.exp %a : tensor<4xf32>
    flow.return %1 : tensor<4xf32>
  } count(%w: index) -> (index, index, index) {
    flow.return %n, %w, %w : index, index, index
  }
  return %0 : tensor<4xf32>
}
