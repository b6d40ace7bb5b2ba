// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --iree-flow-transformation-pipeline | FileCheck %s

// A function that never returns goes through the whole pipeline.

// CHECK-LABEL: func.func @forever
// CHECK: cf.br ^[[LOOP:.+]]
// CHECK: ^[[LOOP]]:
// CHECK: cf.br ^[[LOOP]]
func.func @forever() -> i32 {
  cf.br ^loop
^loop:
  cf.br ^loop
}
