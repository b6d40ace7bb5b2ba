// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops that touch tensors one element at a time become dispatches.
// RUN: mercator-opt %s --mercator-flow-pipeline --split-input-file | FileCheck %s
// RUN: mercator-opt %s --mercator-flow-pipeline --split-input-file | mercator-opt --split-input-file | FileCheck %s

// The whole nest is one dispatch. The tensor that it updates is tied to the
// result.
// CHECK: flow.executable.export public @[[NAME:nest_dispatch_0_loop_4x8]]
// CHECK: func.func @[[NAME]](%{{.*}}: f32, %{{.*}}: !flow.dispatch.tensor<readwrite:tensor<4x8xf32>>)
// CHECK: scf.for
// CHECK: scf.for
// CHECK: tensor.insert
// CHECK-LABEL: func.func @nest(
// CHECK-SAME: %[[T:.*]]: tensor<4x8xf32>, %[[X:.*]]: f32)
// CHECK-NEXT: %[[R:.*]] = flow.dispatch @nest_dispatch_0::@[[NAME]](%[[X]], %[[T]]) : (f32, tensor<4x8xf32>) -> %[[T]]
// CHECK-NEXT: return %[[R]]
func.func @nest(%t: tensor<4x8xf32>, %x: f32) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %t) -> tensor<4x8xf32> {
    %1 = scf.for %j = %c0 to %c8 step %c1 iter_args(%b = %a) -> tensor<4x8xf32> {
      %2 = tensor.extract %b[%i, %j] : tensor<4x8xf32>
      %3 = arith.addf %2, %x : f32
      %4 = tensor.insert %3 into %b[%i, %j] : tensor<4x8xf32>
      scf.yield %4 : tensor<4x8xf32>
    }
    scf.yield %1 : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}

// -----

// A fill is cloned into the dispatch. The result has the extents of the tensor
// that the loop updates.
// CHECK: func.func @fill_dispatch_0_loop_D(%{{.*}}: index, %{{.*}}: !flow.dispatch.tensor<writeonly:tensor<?xi32>>)
// CHECK: linalg.fill
// CHECK: scf.for
// CHECK-LABEL: func.func @fill(
// CHECK-SAME: %[[N:.*]]: index)
// CHECK-NEXT: %[[R:.*]] = flow.dispatch @fill_dispatch_0::@fill_dispatch_0_loop_D(%[[N]]) : (index) -> tensor<?xi32>{%[[N]]}
// CHECK-NEXT: return %[[R]], %[[N]]
func.func @fill(%n: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 7 : i32
  %e = tensor.empty(%n) : tensor<?xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> tensor<?xi32> {
    %1 = tensor.extract %a[%i] : tensor<?xi32>
    %2 = arith.addi %1, %z : i32
    %c = arith.cmpi slt, %2, %z : i32
    %3 = scf.if %c -> tensor<?xi32> {
      %4 = tensor.insert %2 into %a[%i] : tensor<?xi32>
      scf.yield %4 : tensor<?xi32>
    } else {
      scf.yield %a : tensor<?xi32>
    }
    scf.yield %3 : tensor<?xi32>
  }
  return %0 : tensor<?xi32>
}

// -----

// A loop with an operation on whole tensors stays on the host. The loop in its
// body is a dispatch.
// CHECK: func.func @host_dispatch_0_exp_8
// CHECK: func.func @host_dispatch_1_loop_8
// CHECK-LABEL: func.func @host(
// CHECK: scf.for
// CHECK: flow.dispatch @host_dispatch_0
// CHECK: flow.dispatch @host_dispatch_1
// CHECK: scf.yield
func.func @host(%t: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<8xf32> {
    %1 = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %2 = scf.for %j = %c1 to %c8 step %c1 iter_args(%b = %1) -> tensor<8xf32> {
      %k = arith.subi %j, %c1 : index
      %3 = tensor.extract %b[%k] : tensor<8xf32>
      %4 = tensor.extract %b[%j] : tensor<8xf32>
      %5 = arith.addf %3, %4 : f32
      %6 = tensor.insert %5 into %b[%j] : tensor<8xf32>
      scf.yield %6 : tensor<8xf32>
    }
    scf.yield %2 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// A loop that computes a number stays on the host.
// CHECK-NOT: flow.executable
// CHECK-LABEL: func.func @number(
// CHECK: scf.for
// CHECK: flow.tensor.load
func.func @number(%t: tensor<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  %0 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %z) -> f32 {
    %1 = tensor.extract %t[%i] : tensor<8xf32>
    %2 = arith.addf %a, %1 : f32
    scf.yield %2 : f32
  }
  return %0 : f32
}

// -----

// The loop swaps its tensors. Both are results of one dispatch.
// CHECK: func.func @swap_dispatch_0_loop_8
// CHECK-LABEL: func.func @swap(
// CHECK: flow.dispatch @swap_dispatch_0::@swap_dispatch_0_loop_8(%{{.*}}) : ({{.*}}) -> (tensor<8xf32>, tensor<8xf32>)
func.func @swap(%s: tensor<8xf32>, %t: tensor<8xf32>, %n: index, %x: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s, %b = %t) -> (tensor<8xf32>, tensor<8xf32>) {
    %1 = tensor.insert %x into %a[%i] : tensor<8xf32>
    scf.yield %b, %1 : tensor<8xf32>, tensor<8xf32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}
