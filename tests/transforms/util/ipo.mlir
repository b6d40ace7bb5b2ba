// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --allow-unregistered-dialect --iree-util-ipo | FileCheck %s

// All rules together, with attributes that stay with their values.
// CHECK-LABEL: func.func private @callee
// CHECK-SAME: (%[[B:.+]]: tensor<?xf32> {vendor.b}) -> (tensor<?xf32> {vendor.r1})
// CHECK: %[[C:.+]] = arith.constant 7 : index
// CHECK: "vendor.op"(%[[B]], %[[B]], %[[C]])
func.func private @callee(%unused: i32, %b: tensor<?xf32> {vendor.b}, %b2: tensor<?xf32>, %seven: index, %through: i32)
    -> (i32 {vendor.r0}, tensor<?xf32> {vendor.r1}, tensor<?xf32>, i32) {
  %0 = "vendor.op"(%b, %b2, %seven) : (tensor<?xf32>, tensor<?xf32>, index) -> tensor<?xf32>
  return %through, %0, %0, %unused : i32, tensor<?xf32>, tensor<?xf32>, i32
}
// CHECK-LABEL: func.func @caller
// CHECK-SAME: (%[[X:.+]]: tensor<?xf32>, %[[I:.+]]: i32)
// CHECK: %[[R:.+]] = call @callee(%[[X]]) {vendor.call} : (tensor<?xf32>) -> tensor<?xf32>
// CHECK: return %[[I]], %[[R]], %[[R]]
func.func @caller(%x: tensor<?xf32>, %i: i32) -> (i32, tensor<?xf32>, tensor<?xf32>) {
  %c7 = arith.constant 7 : index
  %0:4 = call @callee(%i, %x, %x, %c7, %i) {vendor.call} : (i32, tensor<?xf32>, tensor<?xf32>, index, i32) -> (i32, tensor<?xf32>, tensor<?xf32>, i32)
  return %0#0, %0#1, %0#2 : i32, tensor<?xf32>, tensor<?xf32>
}

// -----
// One call passes a constant and another something else, in either order.
// CHECK: func.func private @sometimes(%{{.+}}: i32) -> i32
func.func private @sometimes(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  return %0 : i32
}
func.func @caller(%x: i32) -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  // CHECK: call @sometimes(%{{.+}})
  %0 = call @sometimes(%x) : (i32) -> i32
  // CHECK: call @sometimes(%{{.+}})
  %1 = call @sometimes(%c1) : (i32) -> i32
  return %0, %1 : i32, i32
}

// -----
// Equal in one call and different in another, in either order.
// CHECK: func.func private @sometimes(%{{.+}}: i32, %{{.+}}: i32) -> i32
func.func private @sometimes(%a: i32, %b: i32) -> i32 {
  %0 = arith.subi %a, %b : i32
  return %0 : i32
}
func.func @caller(%x: i32, %y: i32) -> (i32, i32) {
  %0 = call @sometimes(%x, %y) : (i32, i32) -> i32
  %1 = call @sometimes(%x, %x) : (i32, i32) -> i32
  return %0, %1 : i32, i32
}

// -----
// An argument is one result here and another there; an argument that is only
// returned is not unused.
// CHECK-LABEL: func.func private @choose
// CHECK-SAME: (%[[C:.+]]: i1, %[[A:.+]]: i32, %[[B:.+]]: i32) -> i32
// CHECK: return %[[A]] : i32
// CHECK: return %[[B]] : i32
func.func private @choose(%c: i1, %a: i32, %b: i32) -> (i32, i32) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a, %a : i32, i32
^bb2:
  return %b, %a : i32, i32
}
// CHECK: %[[R:.+]] = call @choose(%{{.+}}, %[[X:.+]], %{{.+}})
// CHECK: return %[[R]], %[[X]]
func.func @caller(%c: i1, %x: i32, %y: i32) -> (i32, i32) {
  %0:2 = call @choose(%c, %x, %y) : (i1, i32, i32) -> (i32, i32)
  return %0#0, %0#1 : i32, i32
}

// -----
// A recursive call with the function's own arguments adds no information.
// CHECK-LABEL: func.func private @recurse
// CHECK-SAME: (%[[N:.+]]: index) -> index
// CHECK-DAG: %[[STEP:.+]] = arith.constant 3 : index
// CHECK: call @recurse(%{{.+}}) : (index) -> index
func.func private @recurse(%n: index, %step: index, %unused: f32) -> index {
  %c0 = arith.constant 0 : index
  %more = arith.cmpi sgt, %n, %c0 : index
  %r = scf.if %more -> index {
    %next = arith.subi %n, %step : index
    %0 = func.call @recurse(%next, %step, %unused) : (index, index, f32) -> index
    scf.yield %0 : index
  } else {
    scf.yield %n : index
  }
  return %r : index
}
func.func @caller(%n: index, %f: f32) -> index {
  %c3 = arith.constant 3 : index
  // CHECK: call @recurse(%{{.+}}) : (index) -> index
  %0 = call @recurse(%n, %c3, %f) : (index, index, f32) -> index
  return %0 : index
}

// -----
// Not all calls are known if a function is public, external, or referenced.
// CHECK: func.func @public(%{{.+}}: i32)
func.func @public(%unused: i32) {
  return
}
// CHECK: func.func private @declared(i32)
func.func private @declared(i32)
// CHECK: func.func private @named(%{{.+}}: i32)
func.func private @named(%unused: i32) {
  return
}
// CHECK: func.func private @marked(%{{.+}}: i32)
func.func private @marked(%unused: i32) {
  return
}
func.func @caller(%x: i32) {
  call @public(%x) : (i32) -> ()
  call @declared(%x) : (i32) -> ()
  call @named(%x) : (i32) -> ()
  call @marked(%x) : (i32) -> ()
  %f = constant @named : (i32) -> ()
  "vendor.use"(%f) {who = @marked} : ((i32) -> ()) -> ()
  return
}

// -----
// A result that is the same constant at every return; calls in loops.
// CHECK: func.func private @constant(%{{.+}}: i1) {
func.func private @constant(%c: i1) -> index {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  "vendor.op"() : () -> ()
  %0 = arith.constant 4 : index
  return %0 : index
^bb2:
  %1 = arith.constant 4 : index
  return %1 : index
}
// CHECK: func.func @caller
// CHECK: scf.for
// CHECK: func.call @constant(%{{.+}}) : (i1) -> ()
// CHECK-NEXT: %[[C:.+]] = arith.constant 4 : index
// CHECK-NEXT: "vendor.use"(%[[C]])
func.func @caller(%c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = func.call @constant(%c) : (i1) -> index
    "vendor.use"(%0) : (index) -> ()
  }
  return
}

// -----
// It never returns.
// CHECK: func.func private @forever() -> i32
func.func private @forever(%unused: i32) -> i32 {
  cf.br ^bb1
^bb1:
  cf.br ^bb1
}
func.func @caller(%x: i32) -> i32 {
  // CHECK: call @forever() : () -> i32
  %0 = call @forever(%x) : (i32) -> i32
  return %0 : i32
}
