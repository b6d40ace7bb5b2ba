// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --allow-unregistered-dialect --iree-util-strip-debug-ops | FileCheck %s --implicit-check-not=cf.assert
// RUN: mercator-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(iree-util-strip-debug-ops))' | FileCheck %s --implicit-check-not=cf.assert

// The condition is left to dead code elimination.
// CHECK-LABEL: func.func @assertions
// CHECK-NEXT: %[[C:.+]] = arith.cmpi
// CHECK-NEXT: scf.if
// CHECK-NEXT: "some.effect"
// CHECK-NEXT: }
// CHECK-NEXT: cf.br ^bb1
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: return
func.func @assertions(%x: index, %y: index) {
  %c = arith.cmpi ult, %x, %y : index
  cf.assert %c, "x is less than y"
  scf.if %c {
    cf.assert %c, "of course"
    "some.effect"() : () -> ()
  }
  cf.br ^bb1
^bb1:
  cf.assert %c, "still"
  return
}

// CHECK-LABEL: func.func @only_assertions
// CHECK-NEXT: return
func.func @only_assertions(%c: i1) {
  cf.assert %c, "a"
  cf.assert %c, "b"
  return
}

// CHECK-LABEL: func.func @nothing_to_strip
// CHECK: "some.effect"
func.func @nothing_to_strip() {
  "some.effect"() : () -> ()
  return
}
