// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --allow-unregistered-dialect --iree-util-apply-patterns | FileCheck %s
// RUN: mercator-opt %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(iree-util-apply-patterns))' | FileCheck %s

// Two arguments for which every branch passes the same values are merged.
// CHECK-LABEL: func.func @twice_the_same
// CHECK: %[[X:.+]] = "some.x"
// CHECK-NEXT: cf.br ^bb3(%[[X]] : index)
// CHECK: %[[Y:.+]] = "some.y"
// CHECK-NEXT: cf.br ^bb3(%[[Y]] : index)
// CHECK: ^bb3(%[[A:.+]]: index):
// CHECK-NEXT: "some.use"(%[[A]], %[[A]])
func.func @twice_the_same(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %x = "some.x"() : () -> index
  cf.br ^bb3(%x, %x : index, index)
^bb2:
  %y = "some.y"() : () -> index
  cf.br ^bb3(%y, %y : index, index)
^bb3(%a: index, %b: index):
  "some.use"(%a, %b) : (index, index) -> ()
  return
}

// An argument that always has the same value is replaced by the value.
// CHECK-LABEL: func.func @one_value
// CHECK-SAME: (%{{.+}}: i1, %[[X:.+]]: tensor<?xf32>)
// CHECK: cf.cond_br %{{.+}}, ^bb1, ^bb2
// CHECK: ^bb1:
// CHECK: cf.br ^bb3
// CHECK: ^bb2:
// CHECK: cf.br ^bb3
// CHECK: ^bb3:
// CHECK-NEXT: return %[[X]]
func.func @one_value(%c: i1, %x: tensor<?xf32>) -> tensor<?xf32> {
  cf.cond_br %c, ^bb1(%x : tensor<?xf32>), ^bb2(%x : tensor<?xf32>)
^bb1(%a: tensor<?xf32>):
  "some.one"() : () -> ()
  cf.br ^bb3(%a : tensor<?xf32>)
^bb2(%b: tensor<?xf32>):
  "some.two"() : () -> ()
  cf.br ^bb3(%b : tensor<?xf32>)
^bb3(%d: tensor<?xf32>):
  return %d : tensor<?xf32>
}

// The remaining arguments keep their order, and different arguments stay.
// CHECK-LABEL: func.func @order
// CHECK: cf.br ^bb3(%[[X:.+]], %{{.+}}, %[[Z:.+]] : index, index, index)
// CHECK: cf.br ^bb3(%[[Z]], %{{.+}}, %[[X]] : index, index, index)
// CHECK: ^bb3(%[[A:.+]]: index, %[[C:.+]]: index, %[[D:.+]]: index):
// CHECK-NEXT: "some.use"(%[[A]], %[[A]], %[[C]], %[[D]])
func.func @order(%c: i1, %x: index, %z: index) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %p = "some.p"() : () -> index
  cf.br ^bb3(%x, %x, %p, %z : index, index, index, index)
^bb2:
  %q = "some.q"() : () -> index
  cf.br ^bb3(%z, %z, %q, %x : index, index, index, index)
^bb3(%a: index, %b: index, %d: index, %e: index):
  "some.use"(%a, %b, %d, %e) : (index, index, index, index) -> ()
  return
}

// A loop passes its bound and two equal counters around.
// CHECK-LABEL: func.func @loop
// CHECK-SAME: (%[[N:.+]]: index, %[[S:.+]]: index)
// CHECK: cf.br ^bb1(%{{.+}}, %{{.+}} : index, index)
// CHECK: ^bb1(%[[I:.+]]: index, %[[A:.+]]: index):
// CHECK: arith.cmpi slt, %[[I]], %[[N]]
// CHECK: cf.cond_br %{{.+}}, ^bb2, ^bb3
// CHECK: ^bb2:
// CHECK: "some.body"(%[[I]], %[[I]], %[[A]])
// CHECK: ^bb3:
func.func @loop(%n: index, %s: index) -> index {
  %c0 = arith.constant 0 : index
  cf.br ^head(%c0, %c0, %n, %s : index, index, index, index)
^head(%i: index, %j: index, %m: index, %a: index):
  %less = arith.cmpi slt, %i, %m : index
  cf.cond_br %less, ^body(%m, %i : index, index), ^exit(%a : index)
^body(%k: index, %h: index):
  %b = "some.body"(%h, %j, %a) : (index, index, index) -> index
  %c1 = arith.constant 1 : index
  %next = arith.addi %h, %c1 : index
  cf.br ^head(%next, %next, %k, %b : index, index, index, index)
^exit(%r: index):
  return %r : index
}

// The switch branches twice to one block, with different values.
// CHECK-LABEL: func.func @switch
// CHECK: cf.switch
// CHECK: default: ^bb1(%[[X:[a-z0-9]+]] : index)
// CHECK: 7: ^bb1(%[[Y:.+]] : index)
// CHECK: ^bb1(%[[A:.+]]: index):
// CHECK-NEXT: "some.use"(%[[A]], %[[A]])
func.func @switch(%i: i32, %x: index, %y: index) {
  cf.switch %i : i32, [
    default: ^bb1(%x, %x : index, index),
    7: ^bb1(%y, %y : index, index)
  ]
^bb1(%a: index, %b: index):
  "some.use"(%a, %b) : (index, index) -> ()
  return
}

// An unknown terminator keeps its operands.
// CHECK-LABEL: func.func @unknown_branch
// CHECK: "some.branch"(%[[X:.+]], %[[X]])[^bb1]
// CHECK: ^bb1(%[[A:.+]]: index, %[[B:.+]]: index):
// CHECK: "some.use"(%[[A]], %[[B]])
func.func @unknown_branch(%x: index) {
  "some.branch"(%x, %x)[^bb1] : (index, index) -> ()
^bb1(%a: index, %b: index):
  "some.use"(%a, %b) : (index, index) -> ()
  return
}

// -----
// Also in regions, and once an argument is a constant, all consequences.
// CHECK-LABEL: func.func @nested
// CHECK: "some.region"
// CHECK-NEXT: %[[FIVE:.+]] = arith.constant 5 : index
// CHECK-NEXT: "some.yield"(%[[FIVE]])
func.func @nested(%c: i1) {
  "some.region"() ({
    %two = arith.constant 2 : index
    %three = arith.constant 3 : index
    cf.br ^bb1(%two, %three : index, index)
  ^bb1(%a: index, %b: index):
    %sum = arith.addi %a, %b : index
    "some.yield"(%sum) : (index) -> ()
  }) : () -> ()
  return
}

// The canonicalizations of every dialect.
// CHECK-LABEL: func.func @canonicalizations
// CHECK-SAME: (%[[T:.+]]: tensor<4xf32>, %[[X:.+]]: i32)
// CHECK-NEXT: return %[[T]], %[[X]]
func.func @canonicalizations(%t: tensor<4xf32>, %x: i32) -> (tensor<4xf32>, i32) {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  %true = arith.constant true
  %2 = scf.if %true -> i32 {
    scf.yield %x : i32
  } else {
    %c0 = arith.constant 0 : i32
    scf.yield %c0 : i32
  }
  return %1, %2 : tensor<4xf32>, i32
}

// CHECK: func.func private @declared
func.func private @declared()
