// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An unreachable branch is ignored: its operands need not dominate anything.
// RUN: mercator-opt %s --allow-unregistered-dialect --iree-util-apply-patterns | FileCheck %s

// CHECK-LABEL: func.func @unreachable
// CHECK-SAME: (%[[X:.+]]: index)
// CHECK-NEXT: "some.use"(%[[X]])
// CHECK-NEXT: return
func.func @unreachable(%x: index) {
  cf.br ^bb2(%x : index)
^bb1:
  %y = "some.y"() : () -> index
  cf.br ^bb2(%y : index)
^bb2(%a: index):
  "some.use"(%a) : (index) -> ()
  return
}

// A block that only passes its own arguments to itself.
// CHECK-LABEL: func.func @closed_loop
// CHECK-NEXT: return
func.func @closed_loop() {
  return
^bb1(%a: index, %b: index):
  cf.br ^bb1(%b, %a : index, index)
}
