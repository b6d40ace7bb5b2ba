// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --pass-pipeline='builtin.module(util.initializer(iree-util-simplify-global-accesses))' | FileCheck %s

util.global private @table : tensor<4xf32>
util.global private @other : tensor<4xf32>

// Globals that an initializer stores change while it runs; the others do not.
// CHECK: util.initializer
// CHECK-NEXT: %[[OTHER:.+]] = util.global.load @other
// CHECK-NEXT: %[[X:.+]] = util.unfoldable_constant
// CHECK-NEXT: util.global.store %[[X]], @table
// CHECK-NEXT: call @fill
// CHECK-NEXT: %[[T:.+]] = util.global.load @table
// CHECK-NEXT: %[[SUM:.+]] = arith.addf %[[OTHER]], %[[T]]
// CHECK-NEXT: util.global.store %[[SUM]], @table
// CHECK-NEXT: util.initializer.return
util.initializer {
  %x = util.unfoldable_constant dense<1.0> : tensor<4xf32>
  util.global.store %x, @table : tensor<4xf32>
  func.call @fill() : () -> ()
  %0 = util.global.load @other : tensor<4xf32>
  %1 = util.global.load @table : tensor<4xf32>
  %2 = arith.addf %0, %1 : tensor<4xf32>
  util.global.store %2, @table : tensor<4xf32>
  util.initializer.return
}
func.func private @fill()
