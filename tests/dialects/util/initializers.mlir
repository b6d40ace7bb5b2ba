// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | FileCheck %s
// RUN: mercator-opt %s --mlir-print-op-generic | mercator-opt | FileCheck %s

// CHECK: util.global private @table : tensor<4xf32>
util.global private @table : tensor<4xf32>
// CHECK: util.global private @kept {noinline} = 3 : index
util.global private @kept {noinline} = 3 : index
// CHECK: util.global nested mutable @flag : i1
util.global nested mutable @flag : i1

// CHECK: util.initializer {
// CHECK-NEXT: util.initializer.return
// CHECK-NEXT: }
util.initializer {
  util.initializer.return
}

// Only an initializer stores to a global that is not mutable.
// CHECK: util.initializer attributes {note = "n"} {
// CHECK-NEXT: %[[X:.*]] = func.call @make()
// CHECK-NEXT: util.global.store %[[X]], @table : tensor<4xf32>
util.initializer attributes {note = "n"} {
  %0 = func.call @make() : () -> tensor<4xf32>
  util.global.store %0, @table : tensor<4xf32>
  util.initializer.return {last}
}
func.func private @make() -> tensor<4xf32>

// CHECK: util.initializer @named {
// CHECK: cf.cond_br %{{.*}}, ^[[A:bb.*]](%{{.*}} : tensor<4xf32>), ^[[B:bb.*]]
// CHECK: ^[[A]](%[[ARG:.*]]: tensor<4xf32>):
// CHECK-NEXT: util.global.store %[[ARG]], @table
// CHECK: ^[[B]]:
// CHECK-NEXT: util.unreachable "never" {note}
util.initializer @named {
  %flag = util.global.load @flag : i1
  %0 = func.call @make() : () -> tensor<4xf32>
  cf.cond_br %flag, ^a(%0 : tensor<4xf32>), ^b
^a(%arg: tensor<4xf32>):
  util.global.store %arg, @table : tensor<4xf32>
  util.initializer.return
^b:
  util.unreachable "never" {note}
}
