// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt --split-input-file --iree-flow-outline-dispatch-regions %s | FileCheck %s

// The seed's pair.

// CHECK: flow.executable private @test_dispatch_0 {
// CHECK-NEXT: flow.executable.export public @test_dispatch_0_generic_2 workgroups(%[[W:.*]]: index) -> (index, index, index) {
// CHECK-NEXT: %x, %y, %z = flow.dispatch.workgroup_count_from_dag_root %[[W]]
// CHECK-NEXT: flow.return %x, %y, %z : index, index, index
// CHECK-NEXT: }
// CHECK-NEXT: builtin.module {
// CHECK-NEXT: func.func @test_dispatch_0_generic_2(%[[A0:.*]]: !flow.dispatch.tensor<readonly:tensor<2xf32>>, %[[A1:.*]]: !flow.dispatch.tensor<readonly:tensor<2xf32>>, %[[A2:.*]]: !flow.dispatch.tensor<writeonly:tensor<2xf32>>) {
// CHECK-NEXT: flow.dispatch.tensor.load %[[A0]]
// CHECK-NEXT: flow.dispatch.tensor.load %[[A1]]
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: linalg.generic
// CHECK: flow.dispatch.tensor.store %{{.*}}, %[[A2]]
// CHECK-NEXT: return
// CHECK-LABEL: func.func @test(
// CHECK: %[[C2:.*]] = arith.constant 2 : index
// CHECK-NEXT: %[[T0:.*]] = hal.tensor.import
// CHECK-NEXT: %[[T1:.*]] = hal.tensor.import
// CHECK-NEXT: %[[R:.*]] = flow.dispatch @test_dispatch_0::@test_dispatch_0_generic_2[%[[C2]]](%[[T0]], %[[T1]]) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: hal.tensor.export %[[R]]
func.func @test(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
  %c2 = arith.constant 2 : index
  %0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<2xf32>
  %1 = hal.tensor.import %arg1 : !hal.buffer_view -> tensor<2xf32>
  %2 = flow.dispatch.workgroups[%c2](%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> =
      (%arg2: !flow.dispatch.tensor<readonly:tensor<2xf32>>, %arg3: !flow.dispatch.tensor<readonly:tensor<2xf32>>, %arg4: !flow.dispatch.tensor<writeonly:tensor<2xf32>>) {
    %4 = flow.dispatch.tensor.load %arg2, offsets = [0], sizes = [2], strides = [1] : !flow.dispatch.tensor<readonly:tensor<2xf32>> -> tensor<2xf32>
    %5 = flow.dispatch.tensor.load %arg3, offsets = [0], sizes = [2], strides = [1] : !flow.dispatch.tensor<readonly:tensor<2xf32>> -> tensor<2xf32>
    %6 = tensor.empty() : tensor<2xf32>
    %7 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%4, %5 : tensor<2xf32>, tensor<2xf32>) outs(%6 : tensor<2xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %8 = arith.addf %in, %in_0 : f32
      linalg.yield %8 : f32
    } -> tensor<2xf32>
    flow.dispatch.tensor.store %7, %arg4, offsets = [0], sizes = [2], strides = [1] : tensor<2xf32> -> !flow.dispatch.tensor<writeonly:tensor<2xf32>>
    flow.return
  } count(%arg2: index) -> (index, index, index) {
    %x, %y, %z = flow.dispatch.workgroup_count_from_dag_root %arg2
    flow.return %x, %y, %z : index, index, index
  }
  %3 = hal.tensor.export %2 : tensor<2xf32> -> !hal.buffer_view
  return %3 : !hal.buffer_view
}

// -----

// The operation with the most iterations gives the name: not one whose product
// overflows to a small number elsewhere, but that very one; of equal ones the
// last.

// CHECK: flow.executable.export public @names_dispatch_0_fill_4294967296x4294967296
// CHECK: flow.executable.export public @names_dispatch_1_exp_8
func.func @names(%s: f32) {
  flow.dispatch.workgroups(%s) : (f32) -> () = (%i: f32) {
    %0 = tensor.empty() : tensor<4294967296x4294967296xf32>
    %1 = linalg.fill ins(%i : f32) outs(%0 : tensor<4294967296x4294967296xf32>) -> tensor<4294967296x4294967296xf32>
    %2 = tensor.empty() : tensor<8xf32>
    %3 = linalg.fill ins(%i : f32) outs(%2 : tensor<8xf32>) -> tensor<8xf32>
    flow.return
  }
  flow.dispatch.workgroups(%s) : (f32) -> () = (%i: f32) {
    %2 = tensor.empty() : tensor<8xf32>
    %3 = linalg.fill ins(%i : f32) outs(%2 : tensor<8xf32>) -> tensor<8xf32>
    %4 = linalg.exp ins(%3 : tensor<8xf32>) outs(%2 : tensor<8xf32>) -> tensor<8xf32>
    flow.return
  }
  return
}

// -----

// In loops, branches and blocks, numbered in program order; in an initializer.

// CHECK: flow.executable private @nested_dispatch_0
// CHECK: flow.executable private @nested_dispatch_1
// CHECK: flow.executable private @nested_dispatch_2
// CHECK-LABEL: func.func @nested(
// CHECK: scf.for
// CHECK: scf.if
// CHECK: flow.dispatch @nested_dispatch_0::@nested_dispatch_0(
// CHECK: flow.dispatch @nested_dispatch_1::@nested_dispatch_1(
// CHECK: cf.br
// CHECK: flow.dispatch @nested_dispatch_2::@nested_dispatch_2(
// CHECK-NOT: flow.dispatch.workgroups
// CHECK: flow.executable private @_initializer_0_dispatch_0
// CHECK: util.initializer
// CHECK: flow.dispatch @_initializer_0_dispatch_0::@_initializer_0_dispatch_0(
func.func @nested(%n: index, %p: i1, %s: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.if %p {
      flow.dispatch.workgroups(%s) : (i32) -> () = (%a: i32) {
        flow.return
      }
    } else {
      flow.dispatch.workgroups(%s) : (i32) -> () = (%a: i32) {
        flow.return
      }
    }
  }
  cf.br ^next
^next:
  flow.dispatch.workgroups(%s) : (i32) -> () = (%a: i32) {
    flow.return
  }
  return
}
util.initializer {
  %s = arith.constant 1 : i32
  flow.dispatch.workgroups(%s) : (i32) -> () = (%a: i32) {
    flow.return
  }
  util.initializer.return
}

// -----

// The name is taken: the executable gets another one.

// CHECK: flow.executable private @f_dispatch_0_[[N:[0-9]+]] {
// CHECK-NEXT: flow.executable.export public @f_dispatch_0_[[N]]
// CHECK-LABEL: func.func @f(
// CHECK: flow.dispatch @f_dispatch_0_[[N]]::@f_dispatch_0_[[N]](
func.func private @f_dispatch_0()
func.func @f(%s: i32) {
  flow.dispatch.workgroups(%s) : (i32) -> () = (%a: i32) {
    flow.return
  }
  return
}

// -----

// Called functions are cloned too.

// CHECK: flow.executable private @calls_dispatch_0
// CHECK: func.func @calls_dispatch_0(
// CHECK: call @twice
// CHECK: func.func private @twice
// CHECK: call @sum
// CHECK: func.func private @sum
// CHECK-LABEL: func.func @calls(
func.func @calls(%s: i32) {
  flow.dispatch.workgroups(%s) : (i32) -> () = (%a: i32) {
    %0 = func.call @twice(%a) : (i32) -> i32
    flow.return
  }
  return
}
func.func @twice(%a: i32) -> i32 {
  %0 = func.call @sum(%a, %a) : (i32, i32) -> i32
  return %0 : i32
}
func.func private @sum(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  return %0 : i32
}

// -----

// Ties, extents and attributes stay with the dispatch; loops of unknown extent
// are D.

// CHECK: flow.executable.export public @dynamic_dispatch_0_exp_Dx4
// CHECK-LABEL: func.func @dynamic(
// CHECK: flow.dispatch @dynamic_dispatch_0::@dynamic_dispatch_0_exp_Dx4(%[[A:.*]], %[[N:.*]]) {note = 1 : i32} : (tensor<?x4xf32>{%[[N]]}, index) -> %[[A]]{%[[N]]}
func.func @dynamic(%a: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %0 = flow.dispatch.workgroups(%a, %n) : (tensor<?x4xf32>{%n}, index) -> %a{%n} attributes {note = 1 : i32} =
      (%ia: !flow.dispatch.tensor<readwrite:tensor<?x4xf32>>, %in: index) {
    %1 = flow.dispatch.tensor.load %ia, offsets = [0, 0], sizes = [%in, 4], strides = [1, 1] : !flow.dispatch.tensor<readwrite:tensor<?x4xf32>>{%in} -> tensor<?x4xf32>
    %2 = linalg.exp ins(%1 : tensor<?x4xf32>) outs(%1 : tensor<?x4xf32>) -> tensor<?x4xf32>
    flow.dispatch.tensor.store %2, %ia, offsets = [0, 0], sizes = [%in, 4], strides = [1, 1] : tensor<?x4xf32> -> !flow.dispatch.tensor<readwrite:tensor<?x4xf32>>{%in}
    flow.return
  }
  return %0 : tensor<?x4xf32>
}
