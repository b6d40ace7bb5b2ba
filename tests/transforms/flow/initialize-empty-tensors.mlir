// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --iree-flow-initialize-empty-tensors | FileCheck %s
// RUN: mercator-opt %s --iree-flow-initialize-empty-tensors=zero-fill=true | FileCheck %s --check-prefix=ZERO

// CHECK-LABEL: func @returned
// CHECK-SAME: (%[[D:.*]]: index)
// CHECK: %[[E:.*]] = flow.tensor.empty : tensor<?x4xf32>{%[[D]]}
// CHECK: return %[[E]]
// ZERO-LABEL: func @returned
// ZERO-SAME: (%[[D:.*]]: index)
// ZERO: %[[Z:.*]] = arith.constant 0.000000e+00 : f32
// ZERO: %[[S:.*]] = flow.tensor.splat %[[Z]] : tensor<?x4xf32>{%[[D]]}
// ZERO: return %[[S]]
func.func @returned(%d: index) -> tensor<?x4xf32> {
  %0 = tensor.empty(%d) : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// Every kind of element.
// CHECK-LABEL: func @elements
// CHECK-COUNT-6: flow.tensor.empty
// ZERO-LABEL: func @elements
// ZERO: arith.constant false
// ZERO: arith.constant 0 : i4
// ZERO: arith.constant 0 : index
// ZERO: arith.constant 0.000000e+00 : f8E4M3FN
// ZERO: arith.constant 0.000000e+00 : bf16
// ZERO: complex.constant [0.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
// ZERO: flow.tensor.splat %{{.*}} : tensor<2xcomplex<f32>>
func.func @elements() -> (tensor<2xi1>, tensor<2xi4>, tensor<2xindex>, tensor<2xf8E4M3FN>, tensor<2xbf16>, tensor<2xcomplex<f32>>) {
  %0 = tensor.empty() : tensor<2xi1>
  %1 = tensor.empty() : tensor<2xi4>
  %2 = tensor.empty() : tensor<2xindex>
  %3 = tensor.empty() : tensor<2xf8E4M3FN>
  %4 = tensor.empty() : tensor<2xbf16>
  %5 = tensor.empty() : tensor<2xcomplex<f32>>
  return %0, %1, %2, %3, %4, %5 : tensor<2xi1>, tensor<2xi4>, tensor<2xindex>, tensor<2xf8E4M3FN>, tensor<2xbf16>, tensor<2xcomplex<f32>>
}

// No constant has a signed type, so there is no zero for the fill.
// CHECK-LABEL: func @signed
// CHECK: flow.tensor.empty : tensor<2xsi8>
// ZERO-LABEL: func @signed
// ZERO: tensor.empty() : tensor<2xsi8>
func.func @signed() -> tensor<2xsi8> {
  %0 = tensor.empty() : tensor<2xsi8>
  return %0 : tensor<2xsi8>
}

// Code generation allocates tensors that only linalg uses.
// CHECK-LABEL: func @init
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[E]]
// ZERO-LABEL: func @init
// ZERO: tensor.empty() : tensor<4xf32>
func.func @init(%f: f32) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// One other user is enough.
// CHECK-LABEL: func @init_and_value
// CHECK: %[[E:.*]] = flow.tensor.empty : tensor<4xf32>
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[E]]
// CHECK: return %{{.*}}, %[[E]]
func.func @init_and_value(%f: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %1, %0 : tensor<4xf32>, tensor<4xf32>
}

// In a dispatch code generation handles it too.
// CHECK-LABEL: func @in_a_dispatch
// CHECK: flow.dispatch.region
// CHECK: tensor.empty() : tensor<4xf32>
// CHECK: tensor.insert_slice
// ZERO-LABEL: func @in_a_dispatch
// ZERO: flow.dispatch.region
// ZERO: tensor.empty() : tensor<4xf32>
func.func @in_a_dispatch(%x: tensor<2xf32>) -> tensor<4xf32> {
  %0 = flow.dispatch.region -> (tensor<4xf32>) {
    %1 = tensor.empty() : tensor<4xf32>
    %2 = tensor.insert_slice %x into %1[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
    flow.return %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// The accumulator of a loop, an argument of a block.
// CHECK-LABEL: func @control_flow
// CHECK: %[[E:.*]] = flow.tensor.empty : tensor<?xf32>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[E]])
// CHECK: flow.tensor.empty : tensor<4xf32>
// CHECK: cf.br ^bb1(%{{.*}} : tensor<?xf32>)
func.func @control_flow(%x: tensor<4xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.empty(%n) : tensor<?xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %0) -> tensor<?xf32> {
    %2 = tensor.empty() : tensor<4xf32>
    %3 = tensor.insert_slice %2 into %acc[%i] [4] [1] : tensor<4xf32> into tensor<?xf32>
    scf.yield %3 : tensor<?xf32>
  }
  cf.br ^next(%1 : tensor<?xf32>)
^next(%y: tensor<?xf32>):
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func @unused
// CHECK-NOT: flow.tensor.empty
// CHECK: func private @declared
func.func @unused() {
  %0 = tensor.empty() : tensor<4xf32>
  return
}
func.func private @declared() -> tensor<4xf32>
