// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One run without changes is enough, also if a pass recreates everything:
// canonicalize creates these constants again each time. A mark from before does
// not count.
// RUN: mercator-opt %s --iree-util-fixed-point-iterator='pipeline=builtin.module(canonicalize,cse) max-iterations=1' | FileCheck %s

// CHECK: module attributes {test.other}
module attributes {iree.fixedpoint.modified, test.other} {
  // CHECK: func.func @done
  func.func @done(%n: index) -> (index, index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    cf.br ^bb1(%c0 : index)
  ^bb1(%i: index):
    %less = arith.cmpi slt, %i, %n : index
    cf.cond_br %less, ^bb2, ^bb3
  ^bb2:
    %next = arith.addi %i, %c1 : index
    cf.br ^bb1(%next : index)
  ^bb3:
    return %i, %c0 : index, index
  }
}
