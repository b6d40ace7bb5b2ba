// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | FileCheck %s
// RUN: mercator-opt %s | mercator-opt | FileCheck %s
// RUN: mercator-opt %s --mlir-print-op-generic | mercator-opt | FileCheck %s
// RUN: mercator map %s | FileCheck %s --check-prefix=MAP
// RUN: mercator run --reference %s --input=random:1 | FileCheck %s --check-prefix=VALUE
// RUN: mercator run %s --check | FileCheck %s --check-prefix=CHECKED
// RUN: mercator compile %s --stop-after=flow | FileCheck %s --check-prefix=FLOW

// Attributes of dialects that Mercator does not know are kept as text: of
// modules, functions, arguments, results and operations, behind names, within
// other attributes, with types in them.

#grid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>

// CHECK: module @m attributes {tt.arch = #tt.arch<wormhole>, tt.device = #tt.device<workers = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, chips = [{role = host}]>}
// FLOW: tt.arch = #tt.arch<wormhole>
module @m attributes {tt.arch = #tt.arch<wormhole>, tt.device = #tt.device<workers = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, chips = [{role = host}]>} {
  // CHECK: func.func @main(%arg0: tensor<4xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> (tensor<4xf32> {tt.layout = !tt.tile<32x32, f32>})
  // CHECK-SAME: attributes {enzyme.mode = #enzyme<mode forward>}
  func.func @main(%x: tensor<4xf32> {tt.argument_type = #tt.argument_type<parameter>})
      -> (tensor<4xf32> {tt.layout = !tt.tile<32x32, f32>})
      attributes {enzyme.mode = #enzyme<mode forward>} {
    // CHECK: stablehlo.negate %arg0 {tt.all = [#tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, {a = #tt.a}], tt.checked = #tt.checked<NO>}
    %0 = stablehlo.negate %x {tt.checked = #tt.checked<NO>, tt.all = [#grid, {a = #tt.a}]} : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// MAP: %0 = negate
// MAP-NEXT: %x  exact  (d0) -> (d0)
// VALUE: result 0: tensor<4xf32>
// CHECKED: result 0: tensor<4xf32>, equal to the evaluator's
