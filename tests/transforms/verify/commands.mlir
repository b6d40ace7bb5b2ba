// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --linalg-fuse-elementwise-ops --canonicalize --cse --verify-maps 2>&1 >/dev/null | FileCheck %s --check-prefix=OPT
// RUN: mercator compile %s --stop-after=flow --verify-maps 2>&1 >/dev/null | FileCheck %s --check-prefix=FLOW
// RUN: mercator compile %examples/mlp.mlir --stop-after=flow --verify-maps 2>&1 >/dev/null | FileCheck %s --check-prefix=FLOW
// RUN: mercator compile %examples/perceptron.mlir --stop-after=flow --verify-maps 2>&1 >/dev/null | FileCheck %s --check-prefix=FLOW
// RUN: mercator compile %examples/feed_forward.mlir --stop-after=flow --verify-maps 2>&1 >/dev/null | FileCheck %s --check-prefix=DISPATCH
// RUN: mercator compile %examples/layer.mlir --stop-after=flow --verify-maps 2>&1 >/dev/null | FileCheck %s --check-prefix=DISPATCH
// RUN: mercator conformance --through=linalg --verify-maps %s 2>&1 >/dev/null | FileCheck %s --check-prefix=CONFORMANCE
// RUN: %exits 2 mercator compile %examples/embedding.mlir --target=ascend --verify-maps 2>&1 | FileCheck %s --check-prefix=TARGET

// A transpose and a sum become one operation.
// OPT: maps: 2 proved, 0 not refuted, 0 refuted, 0 not compared
// FLOW: maps: {{[0-9]+}} proved{{.*}}, 0 refuted
// Through dispatches too, nothing is open.
// DISPATCH: maps: {{[0-9]+}} proved, 0 not refuted, 0 refuted, 0 not compared
// CONFORMANCE: maps: {{.*}} 0 refuted
// TARGET: error: expected --stop-after=flow with --verify-maps, got --target=ascend
#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %t = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<8x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t, %b : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
