// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A function for each rule, and one where it must not apply.

// RUN: mercator-opt %s --canonicalize --allow-unregistered-dialect --split-input-file | FileCheck %s

// Other parts of a region stay: its attributes, its workload and its count.
// CHECK-LABEL: func @region_results
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x4xf32>, %[[D:[a-z0-9]+]]: index, %[[E:[a-z0-9]+]]: index
func.func @region_results(%a: tensor<?x4xf32>, %d: index, %e: index) -> tensor<?xf32> {
  // CHECK: %[[R:.*]] = flow.dispatch.region[%[[D]]] -> (tensor<?xf32>{%[[E]]}) attributes {note = "n"} {
  // CHECK:   %[[V:.*]]:3 = "test.make"
  // CHECK:   flow.return %[[V]]#1 : tensor<?xf32>
  // CHECK: } count(%[[X:.*]]: index) -> (index, index, index) {
  // CHECK:   flow.return %[[X]], %[[X]], %[[X]] : index, index, index
  // CHECK: return %[[R]]
  %r:3 = flow.dispatch.region[%d] -> (tensor<?x4xf32>{%d}, tensor<?xf32>{%e}, tensor<?x?xf32>{%d, %e}) attributes {note = "n"} {
    %0:3 = "test.make"(%a) : (tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?xf32>, tensor<?x?xf32>)
    flow.return %0#0, %0#1, %0#2 : tensor<?x4xf32>, tensor<?xf32>, tensor<?x?xf32>
  } count(%x: index) -> (index, index, index) {
    flow.return %x, %x, %x : index, index, index
  }
  return %r#1 : tensor<?xf32>
}

// -----

// An unused region is removed, unless it has side effects.
// CHECK-LABEL: func @region_unused
func.func @region_unused(%a: tensor<4xf32>, %d: index) {
  // CHECK-NEXT: flow.dispatch.region -> () {
  // CHECK-NEXT:   "test.effect"
  // CHECK-NEXT:   flow.return
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  %0 = flow.dispatch.region -> (tensor<4xf32>) {
    %1 = math.exp %a : tensor<4xf32>
    flow.return %1 : tensor<4xf32>
  }
  %2 = flow.dispatch.region -> (tensor<4xf32>) {
    "test.effect"() : () -> ()
    flow.return %a : tensor<4xf32>
  }
  return
}

// -----

// Constants of one element are cloned inside, constant tensors are passed in.
// CHECK-LABEL: func @constants
func.func @constants(%w: index) -> tensor<4xf32> {
  // CHECK-DAG: %[[T:.*]] = arith.constant dense<1.000000e+00> : tensor<4xf32>
  // CHECK: flow.dispatch.workgroups[%arg0](%[[T]]) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: (%[[IN:.*]]: !flow.dispatch.tensor<readonly:tensor<4xf32>>, %[[OUT:.*]]: !flow.dispatch.tensor<writeonly:tensor<4xf32>>) {
  // CHECK-DAG: %[[C:.*]] = arith.constant 128 : index
  // CHECK-DAG: %[[F:.*]] = arith.constant 5.000000e-01 : f32
  // CHECK: "test.use"(%[[C]], %[[F]], %[[IN]], %[[OUT]])
  // CHECK: count(%{{.*}}: index)
  %c = arith.constant 128 : index
  %f = arith.constant 0.5 : f32
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %r = flow.dispatch.workgroups[%w](%c, %t, %f) : (index, tensor<4xf32>, f32) -> tensor<4xf32> =
      (%n: index, %in: !flow.dispatch.tensor<readonly:tensor<4xf32>>, %x: f32, %out: !flow.dispatch.tensor<writeonly:tensor<4xf32>>) {
    "test.use"(%n, %x, %in, %out) : (index, f32, !flow.dispatch.tensor<readonly:tensor<4xf32>>, !flow.dispatch.tensor<writeonly:tensor<4xf32>>) -> ()
    flow.return
  } count(%x: index) -> (index, index, index) {
    flow.return %x, %x, %x : index, index, index
  }
  return %r : tensor<4xf32>
}

// -----

// An unused operand is removed with its extents; ties are renumbered.
// CHECK-LABEL: func @unused_operands
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x?xf32>, %[[B:[a-z0-9]+]]: tensor<?xf32>, %[[D:[a-z0-9]+]]: index, %[[E:[a-z0-9]+]]: index
func.func @unused_operands(%a: tensor<?x?xf32>, %b: tensor<?xf32>, %d: index, %e: index) -> tensor<?xf32> {
  // CHECK: flow.dispatch.workgroups(%[[B]]) : (tensor<?xf32>{%[[E]]}) -> %[[B]]{%[[E]]} attributes {note = "n"} =
  // CHECK-NEXT: (%[[IO:.*]]: !flow.dispatch.tensor<readwrite:tensor<?xf32>>) {
  // CHECK-NEXT: "test.use"(%[[IO]])
  %r = flow.dispatch.workgroups(%a, %b, %d) : (tensor<?x?xf32>{%d, %d}, tensor<?xf32>{%e}, index) -> %b{%e} attributes {note = "n"} =
      (%p: !flow.dispatch.tensor<readonly:tensor<?x?xf32>>, %io: !flow.dispatch.tensor<readwrite:tensor<?xf32>>, %n: index) {
    "test.use"(%io) : (!flow.dispatch.tensor<readwrite:tensor<?xf32>>) -> ()
    flow.return
  }
  return %r : tensor<?xf32>
}

// -----

// A tied result uses its operand.
// CHECK-LABEL: func @unused_tied
func.func @unused_tied(%b: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: flow.dispatch.workgroups(%arg0) : (tensor<4xf32>) -> %arg0 =
  %r = flow.dispatch.workgroups(%b) : (tensor<4xf32>) -> %b = (%io: !flow.dispatch.tensor<readwrite:tensor<4xf32>>) {
    flow.return
  }
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @twice
func.func @twice(%a: tensor<4xf32>, %d: index) -> tensor<4xf32> {
  // CHECK: flow.dispatch.workgroups(%arg0, %arg1) : (tensor<4xf32>, index) -> tensor<4xf32> =
  // CHECK-NEXT: (%[[P:.*]]: !flow{{.*}}, %[[N:.*]]: index, %[[O:.*]]: !flow{{.*}}) {
  // CHECK-NEXT: "test.use"(%[[P]], %[[P]], %[[N]], %[[N]], %[[O]])
  %r = flow.dispatch.workgroups(%a, %d, %a, %d) : (tensor<4xf32>, index, tensor<4xf32>, index) -> tensor<4xf32> =
      (%p: !flow.dispatch.tensor<readonly:tensor<4xf32>>, %n: index, %q: !flow.dispatch.tensor<readonly:tensor<4xf32>>, %m: index, %o: !flow.dispatch.tensor<writeonly:tensor<4xf32>>) {
    "test.use"(%p, %q, %n, %m, %o) : (!flow.dispatch.tensor<readonly:tensor<4xf32>>, !flow.dispatch.tensor<readonly:tensor<4xf32>>, index, index, !flow.dispatch.tensor<writeonly:tensor<4xf32>>) -> ()
    flow.return
  }
  return %r : tensor<4xf32>
}

// -----

// One of the two is written: the read still sees the old value.
// CHECK-LABEL: func @twice_tied
func.func @twice_tied(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: flow.dispatch.workgroups(%arg0, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> %arg0 at 1 =
  %r = flow.dispatch.workgroups(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> %a at 1 =
      (%p: !flow.dispatch.tensor<readonly:tensor<4xf32>>, %q: !flow.dispatch.tensor<readwrite:tensor<4xf32>>) {
    "test.use"(%p, %q) : (!flow.dispatch.tensor<readonly:tensor<4xf32>>, !flow.dispatch.tensor<readwrite:tensor<4xf32>>) -> ()
    flow.return
  }
  return %r : tensor<4xf32>
}

// -----

// An unused result is removed with its stores, and then its operands.
// CHECK-LABEL: func @unused_result
func.func @unused_result(%a: tensor<?xf32>, %b: tensor<4xf32>, %d: index) -> tensor<4xf32> {
  // CHECK: %[[R:.*]] = flow.dispatch.workgroups(%arg1) : (tensor<4xf32>) -> tensor<4xf32> =
  // CHECK-NEXT: (%[[Q:.*]]: !flow.dispatch.tensor<readonly:tensor<4xf32>>, %[[O:.*]]: !flow.dispatch.tensor<writeonly:tensor<4xf32>>) {
  // CHECK-NEXT: %[[L:.*]] = flow.dispatch.tensor.load %[[Q]]
  // CHECK-NEXT: flow.dispatch.tensor.store %[[L]], %[[O]]
  // CHECK-NEXT: flow.return
  // CHECK: return %[[R]]
  %r:2 = flow.dispatch.workgroups(%a, %b, %d) : (tensor<?xf32>{%d}, tensor<4xf32>, index) -> (tensor<?xf32>{%d}, tensor<4xf32>) =
      (%p: !flow.dispatch.tensor<readonly:tensor<?xf32>>, %q: !flow.dispatch.tensor<readonly:tensor<4xf32>>, %n: index, %o: !flow.dispatch.tensor<writeonly:tensor<?xf32>>, %s: !flow.dispatch.tensor<writeonly:tensor<4xf32>>) {
    %pt = flow.dispatch.tie_shape %p : !flow.dispatch.tensor<readonly:tensor<?xf32>>{%n}
    %ot = flow.dispatch.tie_shape %o : !flow.dispatch.tensor<writeonly:tensor<?xf32>>{%n}
    %0 = flow.dispatch.tensor.load %pt, offsets = [0], sizes = [%n], strides = [1] : !flow.dispatch.tensor<readonly:tensor<?xf32>>{%n} -> tensor<?xf32>
    %1 = flow.dispatch.tensor.load %q, offsets = [0], sizes = [4], strides = [1] : !flow.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
    flow.dispatch.tensor.store %0, %ot, offsets = [0], sizes = [%n], strides = [1] : tensor<?xf32> -> !flow.dispatch.tensor<writeonly:tensor<?xf32>>{%n}
    flow.dispatch.tensor.store %1, %s, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !flow.dispatch.tensor<writeonly:tensor<4xf32>>
    flow.return
  }
  return %r#1 : tensor<4xf32>
}

// -----

// A result with unknown other users stays.
// CHECK-LABEL: func @unused_result_used_inside
func.func @unused_result_used_inside() -> tensor<4xf32> {
  // CHECK: %[[R:.*]]:2 = flow.dispatch.workgroups
  // CHECK: "test.use"
  %r:2 = flow.dispatch.workgroups() : () -> (tensor<4xf32>, tensor<4xf32>) =
      (%o: !flow.dispatch.tensor<writeonly:tensor<4xf32>>, %p: !flow.dispatch.tensor<readwrite:tensor<4xf32>>) {
    "test.use"(%p) : (!flow.dispatch.tensor<readwrite:tensor<4xf32>>) -> ()
    %0 = flow.dispatch.tensor.load %p, offsets = [0], sizes = [4], strides = [1] : !flow.dispatch.tensor<readwrite:tensor<4xf32>> -> tensor<4xf32>
    flow.dispatch.tensor.store %0, %o, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !flow.dispatch.tensor<writeonly:tensor<4xf32>>
    flow.return
  }
  return %r#0 : tensor<4xf32>
}

// -----

// A result tied to an operand that is only written: neither is needed.
// CHECK-LABEL: func @unused_tied_result
func.func @unused_tied_result(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: flow.dispatch.workgroups(%arg1) : (tensor<4xf32>) -> tensor<4xf32> =
  %r:2 = flow.dispatch.workgroups(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> (%a, tensor<4xf32>) =
      (%io: !flow.dispatch.tensor<readwrite:tensor<4xf32>>, %q: !flow.dispatch.tensor<readonly:tensor<4xf32>>, %o: !flow.dispatch.tensor<writeonly:tensor<4xf32>>) {
    %0 = flow.dispatch.tensor.load %q, offsets = [0], sizes = [4], strides = [1] : !flow.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
    flow.dispatch.tensor.store %0, %io, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !flow.dispatch.tensor<readwrite:tensor<4xf32>>
    flow.dispatch.tensor.store %0, %o, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !flow.dispatch.tensor<writeonly:tensor<4xf32>>
    flow.return
  }
  return %r#1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @all_unused
func.func @all_unused(%a: tensor<4xf32>) {
  // CHECK-NEXT: return
  %r = flow.dispatch.workgroups(%a) : (tensor<4xf32>) -> tensor<4xf32> =
      (%p: !flow.dispatch.tensor<readonly:tensor<4xf32>>, %o: !flow.dispatch.tensor<writeonly:tensor<4xf32>>) {
    flow.return
  }
  %s = flow.dispatch @ex::@f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// CHECK-LABEL: func @result_without_elements
func.func @result_without_elements(%a: tensor<4xf32>, %d: index) -> (tensor<?x0xf32>, tensor<4xf32>) {
  // CHECK-DAG: %[[E:.*]] = flow.tensor.empty : tensor<?x0xf32>{%arg1}
  // CHECK-DAG: %[[R:.*]] = flow.dispatch.workgroups(%arg0) : (tensor<4xf32>) -> tensor<4xf32> =
  // CHECK: return %[[E]], %[[R]]
  %r:2 = flow.dispatch.workgroups(%a) : (tensor<4xf32>) -> (tensor<?x0xf32>{%d}, tensor<4xf32>) =
      (%p: !flow.dispatch.tensor<readonly:tensor<4xf32>>, %e: !flow.dispatch.tensor<writeonly:tensor<?x0xf32>>, %o: !flow.dispatch.tensor<writeonly:tensor<4xf32>>) {
    %0 = flow.dispatch.tensor.load %p, offsets = [0], sizes = [4], strides = [1] : !flow.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
    flow.dispatch.tensor.store %0, %o, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !flow.dispatch.tensor<writeonly:tensor<4xf32>>
    flow.return
  }
  return %r#0, %r#1 : tensor<?x0xf32>, tensor<4xf32>
}

// -----

// In control flow, with a body that has control flow.
// CHECK-LABEL: func @in_control_flow
func.func @in_control_flow(%a: tensor<4xf32>, %c: i1, %e: i1) -> tensor<4xf32> {
  // CHECK: ^bb1:
  // CHECK: flow.dispatch.workgroups(%arg0, %arg2) : (tensor<4xf32>, i1) -> tensor<4xf32> =
  // CHECK: scf.if
  cf.cond_br %c, ^bb1, ^bb2(%a : tensor<4xf32>)
^bb1:
  %unused = arith.constant 4 : index
  %0 = flow.dispatch.workgroups(%a, %e, %unused) : (tensor<4xf32>, i1, index) -> tensor<4xf32> =
      (%in: !flow.dispatch.tensor<readonly:tensor<4xf32>>, %cond: i1, %n: index, %out: !flow.dispatch.tensor<writeonly:tensor<4xf32>>) {
    %1 = flow.dispatch.tensor.load %in, offsets = [0], sizes = [4], strides = [1] : !flow.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
    scf.if %cond {
      flow.dispatch.tensor.store %1, %out, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !flow.dispatch.tensor<writeonly:tensor<4xf32>>
    }
    flow.return
  }
  cf.br ^bb2(%0 : tensor<4xf32>)
^bb2(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
}
