// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | FileCheck %s
// RUN: mercator-opt %s | mercator-opt | FileCheck %s
// RUN: mercator-opt %s --mlir-print-op-generic | mercator-opt | FileCheck %s

// CHECK-LABEL: func @constant
func.func @constant() {
  // CHECK: flow.tensor.constant dense<2> : tensor<2x4xi32> -> tensor<?x4xi32>
  %0 = flow.tensor.constant dense<2> : tensor<2x4xi32> -> tensor<?x4xi32>
  return
}

// CHECK-LABEL: func @shapes
func.func @shapes(%a: tensor<?x4xf32>, %s: tensor<f32>, %d: index, %e: index) {
  // CHECK: flow.tensor.tie_shape %{{.*}} : tensor<?x4xf32>{%{{.*}}}
  %0 = flow.tensor.tie_shape %a : tensor<?x4xf32>{%d}
  // CHECK: flow.tensor.tie_shape %{{.*}} {note} : tensor<f32>{{$}}
  %1 = flow.tensor.tie_shape %s {note} : tensor<f32>
  // CHECK: flow.tensor.reshape %{{.*}} : tensor<?x4xf32>{%{{.*}}} -> tensor<?x?xf32>{%{{.*}}, %{{.*}}} attributes {note}
  %2 = flow.tensor.reshape %a : tensor<?x4xf32>{%d} -> tensor<?x?xf32>{%e, %d} attributes {note}
  // CHECK: flow.tensor.reshape %{{.*}} : tensor<f32> -> tensor<1x1xf32>
  %3 = flow.tensor.reshape %s : tensor<f32> -> tensor<1x1xf32>
  // CHECK: flow.tensor.bitcast %{{.*}} : tensor<?x4xf32>{%{{.*}}} -> tensor<?x4xi32>{%{{.*}}} attributes {note}
  %4 = flow.tensor.bitcast %a : tensor<?x4xf32>{%d} -> tensor<?x4xi32>{%d} attributes {note}
  // CHECK: flow.tensor.bitcast %{{.*}} : tensor<f32> -> tensor<4xi8>
  %5 = flow.tensor.bitcast %s : tensor<f32> -> tensor<4xi8>
  return
}

// CHECK-LABEL: func @elements
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x4xf32>, %[[S:[a-z0-9]+]]: tensor<i8>, %[[X:[a-z0-9]+]]: f32, %[[Y:[a-z0-9]+]]: i8, %[[D:[a-z0-9]+]]: index, %[[I:[a-z0-9]+]]: index
func.func @elements(%a: tensor<?x4xf32>, %s: tensor<i8>, %x: f32, %y: i8, %d: index, %i: index) {
  // CHECK: flow.tensor.load %[[A]][%[[I]], %[[D]]] : tensor<?x4xf32>{%[[D]]}
  %0 = flow.tensor.load %a[%i, %d] : tensor<?x4xf32>{%d}
  // CHECK: flow.tensor.load %[[S]] : tensor<i8>
  %1 = flow.tensor.load %s : tensor<i8>
  // CHECK: flow.tensor.store %[[X]], %[[A]][%[[I]], %[[D]]] : tensor<?x4xf32>{%[[D]]}
  %2 = flow.tensor.store %x, %a[%i, %d] : tensor<?x4xf32>{%d}
  // CHECK: flow.tensor.store %[[Y]], %[[S]] : tensor<i8>
  %3 = flow.tensor.store %y, %s : tensor<i8>
  return
}

// CHECK-LABEL: func @whole
func.func @whole(%a: tensor<?x4xf32>, %x: f32, %z: complex<f32>, %d: index) {
  // CHECK: flow.tensor.empty : tensor<?x0xf32>{%{{.*}}}
  %0 = flow.tensor.empty : tensor<?x0xf32>{%d}
  // CHECK: flow.tensor.empty : tensor<4xf32> attributes {note}
  %1 = flow.tensor.empty : tensor<4xf32> attributes {note}
  // CHECK: flow.tensor.splat %{{.*}} : tensor<?x4xf32>{%{{.*}}}
  %2 = flow.tensor.splat %x : tensor<?x4xf32>{%d}
  // CHECK: flow.tensor.splat %{{.*}} : tensor<complex<f32>>
  %3 = flow.tensor.splat %z : tensor<complex<f32>>
  // CHECK: flow.tensor.clone %{{.*}} : tensor<?x4xf32>{%{{.*}}}
  %4 = flow.tensor.clone %a : tensor<?x4xf32>{%d}
  // CHECK: flow.tensor.clone %{{.*}} : tensor<4xf32>
  %5 = flow.tensor.clone %1 : tensor<4xf32>
  // CHECK: flow.tensor.trace {key = "k"} %{{.*}}, %{{.*}} : tensor<?x4xf32>, tensor<4xf32>
  flow.tensor.trace {key = "k"} %a, %1 : tensor<?x4xf32>, tensor<4xf32>
  // CHECK: flow.tensor.trace {key = "nothing"} (){{$}}
  // CHECK-NEXT: flow.tensor.clone
  // CHECK-NEXT: flow.tensor.trace {key = "nothing"} (){{$}}
  flow.tensor.trace {key = "nothing"} ()
  %6 = flow.tensor.clone %1 : tensor<4xf32>
  flow.tensor.trace {key = "nothing"}
  return
}

// CHECK-LABEL: func @parts
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x4xf32>, %[[U:[a-z0-9]+]]: tensor<2x?xf32>, %[[S:[a-z0-9]+]]: tensor<f32>, %[[D:[a-z0-9]+]]: index, %[[I:[a-z0-9]+]]: index
func.func @parts(%a: tensor<?x4xf32>, %u: tensor<2x?xf32>, %s: tensor<f32>, %d: index, %i: index) {
  // CHECK: flow.tensor.slice %[[A]][%[[I]], %[[D]] for %[[D]], %[[I]]] : tensor<?x4xf32>{%[[D]]} -> tensor<?x2xf32>{%[[I]]}
  %0 = flow.tensor.slice %a[%i, %d for %d, %i] : tensor<?x4xf32>{%d} -> tensor<?x2xf32>{%i}
  // CHECK: flow.tensor.slice %[[S]][ for ] : tensor<f32> -> tensor<f32>
  %1 = flow.tensor.slice %s[for] : tensor<f32> -> tensor<f32>
  // CHECK: flow.tensor.update %[[U]], %[[A]][%[[I]], %[[I]]] : tensor<2x?xf32>{%[[I]]} -> %[[A]] as tensor<?x4xf32>{%[[D]]}
  %2 = flow.tensor.update %u, %a[%i, %i] : tensor<2x?xf32>{%i} -> %a as tensor<?x4xf32>{%d}
  // The tie may be omitted.
  // CHECK: flow.tensor.update %[[S]], %[[S]][] : tensor<f32> -> %[[S]] as tensor<f32>
  %3 = flow.tensor.update %s, %s[] : tensor<f32> -> tensor<f32>
  return
}
