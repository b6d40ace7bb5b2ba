// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt --split-input-file --iree-flow-capture-dispatch-dynamic-dims %s | FileCheck %s
// Running twice is the same as once.
// RUN: mercator-opt --split-input-file --iree-flow-capture-dispatch-dynamic-dims --iree-flow-capture-dispatch-dynamic-dims %s | FileCheck %s

// The seed's pair. Of an extent that is passed in twice, the last argument is
// tied.

// CHECK-LABEL: func.func @test
func.func @test(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %0 = hal.buffer_view.dim<%arg0 : !hal.buffer_view>[0] : index
  %1 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<?xf32>{%0}
  %2 = hal.buffer_view.dim<%arg1 : !hal.buffer_view>[0] : index
  %3 = hal.tensor.import %arg1 : !hal.buffer_view -> tensor<?xf32>{%2}
  %4 = affine.apply affine_map<()[s0, s1, s2] -> ((s1 - s0) ceildiv s2)>()[%c0, %0, %c1]
  // CHECK: %[[R:.*]] = flow.dispatch.workgroups[%[[W:.*]]](%[[D0:.*]], %[[A:.*]], %[[B:.*]], %[[D0]], %[[D1:.*]], %[[D0]]) : (index, tensor<?xf32>{%[[D0]]}, tensor<?xf32>{%[[D1]]}, index, index, index) -> tensor<?xf32>{%[[D0]]} =
  // CHECK-NEXT: (%[[ARG2:.*]]: index, %[[ARG3:.*]]: !flow.dispatch.tensor<readonly:tensor<?xf32>>, %[[ARG4:.*]]: !flow.dispatch.tensor<readonly:tensor<?xf32>>, %[[ARG5:.*]]: index, %[[ARG6:.*]]: index, %[[ARG7:.*]]: index, %[[ARG8:.*]]: !flow.dispatch.tensor<writeonly:tensor<?xf32>>) {
  // CHECK-NEXT: %[[T0:.*]] = flow.dispatch.tie_shape %[[ARG3]] : !flow.dispatch.tensor<readonly:tensor<?xf32>>{%[[ARG7]]}
  // CHECK-NEXT: %[[T1:.*]] = flow.dispatch.tie_shape %[[ARG4]] : !flow.dispatch.tensor<readonly:tensor<?xf32>>{%[[ARG6]]}
  // CHECK-NEXT: %[[T2:.*]] = flow.dispatch.tie_shape %[[ARG8]] : !flow.dispatch.tensor<writeonly:tensor<?xf32>>{%[[ARG7]]}
  // CHECK-NEXT: flow.dispatch.tensor.load %[[T0]], offsets = [0], sizes = [%[[ARG7]]], strides = [1] : !flow.dispatch.tensor<readonly:tensor<?xf32>>{%[[ARG7]]} -> tensor<?xf32>
  // CHECK-NEXT: flow.dispatch.tensor.load %[[T1]], offsets = [0], sizes = [%[[ARG6]]]
  // CHECK-NEXT: tensor.empty(%[[ARG7]]) : tensor<?xf32>
  // CHECK: flow.dispatch.tensor.store %{{.*}}, %[[T2]], offsets = [0], sizes = [%[[ARG7]]], strides = [1]
  // CHECK: } count(%[[C:.*]]: index) -> (index, index, index) {
  %5 = flow.dispatch.workgroups[%4](%0, %1, %3, %0, %2, %0) : (index, tensor<?xf32>{%0}, tensor<?xf32>{%2}, index, index, index) -> tensor<?xf32>{%0} =
      (%arg2: index, %arg3: !flow.dispatch.tensor<readonly:tensor<?xf32>>, %arg4: !flow.dispatch.tensor<readonly:tensor<?xf32>>, %arg5: index, %arg6: index, %arg7: index, %arg8: !flow.dispatch.tensor<writeonly:tensor<?xf32>>) {
    %7 = flow.dispatch.tensor.load %arg3, offsets = [0], sizes = [%arg7], strides = [1] : !flow.dispatch.tensor<readonly:tensor<?xf32>>{%arg7} -> tensor<?xf32>
    %8 = flow.dispatch.tensor.load %arg4, offsets = [0], sizes = [%arg6], strides = [1] : !flow.dispatch.tensor<readonly:tensor<?xf32>>{%arg6} -> tensor<?xf32>
    %9 = tensor.empty(%arg7) : tensor<?xf32>
    %10 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%7, %8 : tensor<?xf32>, tensor<?xf32>) outs(%9 : tensor<?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %11 = arith.addf %in, %in_0 : f32
      linalg.yield %11 : f32
    } -> tensor<?xf32>
    flow.dispatch.tensor.store %10, %arg8, offsets = [0], sizes = [%arg7], strides = [1] : tensor<?xf32> -> !flow.dispatch.tensor<writeonly:tensor<?xf32>>{%arg7}
    flow.return
  } count(%arg2: index) -> (index, index, index) {
    %x, %y, %z = flow.dispatch.workgroup_count_from_dag_root %arg2
    flow.return %x, %y, %z : index, index, index
  }
  %6 = hal.tensor.export %5 : tensor<?xf32>{%0} -> !hal.buffer_view
  return %6 : !hal.buffer_view
}

// -----

// Extents that are not operands yet become the last operands; several extents
// of several tensors, each once.

// CHECK-LABEL: func.func @missing
// CHECK-SAME: (%[[A:.*]]: tensor<?x?x?xf32>, %[[B:.*]]: tensor<?x4xf32>, %[[D0:.*]]: index, %[[D1:.*]]: index, %[[D2:.*]]: index, %[[D3:.*]]: index)
func.func @missing(%a: tensor<?x?x?xf32>, %b: tensor<?x4xf32>, %d0: index, %d1: index, %d2: index, %d3: index) -> (tensor<?xf32>, tensor<?xf32>) {
  // CHECK: flow.dispatch.workgroups(%[[A]], %[[D1]], %[[B]], %[[D0]], %[[D2]], %[[D3]])
  // CHECK-SAME: -> (tensor<?xf32>{%[[D3]]}, tensor<?xf32>{%[[D1]]}) =
  // CHECK-NEXT: (%[[IA:.*]]: !flow.dispatch.tensor<readonly:tensor<?x?x?xf32>>, %[[I1:.*]]: index, %[[IB:.*]]: !flow.dispatch.tensor<readonly:tensor<?x4xf32>>, %[[I0:.*]]: index, %[[I2:.*]]: index, %[[I3:.*]]: index, %[[O0:.*]]: !flow.dispatch.tensor<writeonly:tensor<?xf32>>, %[[O1:.*]]: !flow.dispatch.tensor<writeonly:tensor<?xf32>>)
  // CHECK-NEXT: flow.dispatch.tie_shape %[[IA]] : {{.*}}{%[[I0]], %[[I1]], %[[I2]]}
  // CHECK-NEXT: flow.dispatch.tie_shape %[[IB]] : {{.*}}{%[[I0]]}
  // CHECK-NEXT: flow.dispatch.tie_shape %[[O0]] : {{.*}}{%[[I3]]}
  // CHECK-NEXT: flow.dispatch.tie_shape %[[O1]] : {{.*}}{%[[I1]]}
  %0:2 = flow.dispatch.workgroups(%a, %d1, %b) : (tensor<?x?x?xf32>{%d0, %d1, %d2}, index, tensor<?x4xf32>{%d0}) -> (tensor<?xf32>{%d3}, tensor<?xf32>{%d1}) =
      (%ia: !flow.dispatch.tensor<readonly:tensor<?x?x?xf32>>, %i1: index, %ib: !flow.dispatch.tensor<readonly:tensor<?x4xf32>>, %o0: !flow.dispatch.tensor<writeonly:tensor<?xf32>>, %o1: !flow.dispatch.tensor<writeonly:tensor<?xf32>>) {
    flow.return
  }
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// A tied result shares the argument of its operand, which is tied once.

// CHECK-LABEL: func.func @tied
func.func @tied(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  // CHECK: flow.dispatch.workgroups(%[[A:.*]], %[[N:.*]]) : (tensor<?xf32>{%[[N]]}, index) -> %[[A]]{%[[N]]} =
  // CHECK-NEXT: (%[[IA:.*]]: !flow.dispatch.tensor<readwrite:tensor<?xf32>>, %[[IN:.*]]: index) {
  // CHECK-NEXT: flow.dispatch.tie_shape %[[IA]] : !flow.dispatch.tensor<readwrite:tensor<?xf32>>{%[[IN]]}
  // CHECK-NEXT: flow.return
  %0 = flow.dispatch.workgroups(%a) : (tensor<?xf32>{%n}) -> %a{%n} =
      (%ia: !flow.dispatch.tensor<readwrite:tensor<?xf32>>) {
    flow.return
  }
  return %0 : tensor<?xf32>
}

// -----

// Static shapes and numbers need nothing.

// CHECK-LABEL: func.func @static
func.func @static(%a: tensor<4xf32>, %s: f32) -> tensor<4xf32> {
  // CHECK: flow.dispatch.workgroups(%{{.*}}, %{{.*}}) : (tensor<4xf32>, f32) -> tensor<4xf32>
  // CHECK-NOT: tie_shape
  %0 = flow.dispatch.workgroups(%a, %s) : (tensor<4xf32>, f32) -> tensor<4xf32> =
      (%ia: !flow.dispatch.tensor<readonly:tensor<4xf32>>, %is: f32, %o: !flow.dispatch.tensor<writeonly:tensor<4xf32>>) {
    flow.return
  }
  return %0 : tensor<4xf32>
}

// -----

// In loops, and in consecutive blocks.

// CHECK-LABEL: func.func @control_flow
func.func @control_flow(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<?xf32> {
    // CHECK: flow.dispatch.workgroups(%[[T:.*]], %[[N:.*]]) : (tensor<?xf32>{%[[N]]}, index) -> tensor<?xf32>{%[[N]]}
    // CHECK: tie_shape
    // CHECK: tie_shape
    %1 = flow.dispatch.workgroups(%t) : (tensor<?xf32>{%n}) -> tensor<?xf32>{%n} =
        (%it: !flow.dispatch.tensor<readonly:tensor<?xf32>>, %o: !flow.dispatch.tensor<writeonly:tensor<?xf32>>) {
      flow.return
    }
    scf.yield %1 : tensor<?xf32>
  }
  cf.br ^next(%0 : tensor<?xf32>)
^next(%2: tensor<?xf32>):
  // CHECK: flow.dispatch.workgroups(%[[U:.*]], %[[N]]) : (tensor<?xf32>{%[[N]]}, index) -> %[[U]]{%[[N]]}
  // CHECK: tie_shape
  %3 = flow.dispatch.workgroups(%2) : (tensor<?xf32>{%n}) -> %2{%n} =
      (%it: !flow.dispatch.tensor<readwrite:tensor<?xf32>>) {
    flow.return
  }
  return %3 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func private @declared
func.func private @declared(tensor<?xf32>)
