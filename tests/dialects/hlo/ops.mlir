// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | FileCheck %s
// RUN: mercator-opt %s --mlir-print-op-generic | mercator-opt | FileCheck %s
// RUN: mercator-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

func.func private @callee(%x: tensor<4x8xf32>) -> tensor<4x8xf32>

// CHECK-LABEL: func @ops
func.func @ops(%x: tensor<4x8xf32>, %t: !hlo.opaque) -> tensor<4x8xf32> {
  // CHECK: %[[F:.*]]:2 = "hlo.fusion"(%{{.*}}) <{calls = "f", kind = "kLoop"}> ({
  %0:2 = "hlo.fusion"(%x) <{calls = "f", kind = "kLoop"}> ({
  ^bb0(%p: tensor<4x8xf32>):
    %n = stablehlo.negate %p : tensor<4x8xf32>
    // CHECK: hlo.return %{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<4x8xf32>
    hlo.return %n, %p : tensor<4x8xf32>, tensor<4x8xf32>
  }) : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  // CHECK: hlo.element %[[F]]#1[1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = hlo.element %0#1[1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: hlo.bitcast %{{.*}} : (tensor<4x8xf32>) -> tensor<8x4xf32, #hlo.layout<[0, 1]>>
  %2 = hlo.bitcast %1 : (tensor<4x8xf32>) -> tensor<8x4xf32, #hlo.layout<[0, 1]>>
  // CHECK: hlo.copy %{{.*}} : (tensor<8x4xf32, #hlo.layout<[0, 1]>>) -> tensor<8x4xf32, #hlo.layout<[1, 0], rest = "T(8,128)S(1)">>
  %3 = hlo.copy %2 : (tensor<8x4xf32, #hlo.layout<[0, 1]>>) -> tensor<8x4xf32, #hlo.layout<[1, 0], rest = "T(8,128)S(1)">>
  // CHECK: hlo.opaque "topk"(%{{.*}}) calls [@callee] with {k = "3"} {mhlo.sharding = "s"} : (tensor<4x8xf32>) -> tuple<tensor<4x3xf32>, tensor<4x3xi32>>
  %4 = hlo.opaque "topk"(%x) calls [@callee] with {k = "3"} {mhlo.sharding = "s"} : (tensor<4x8xf32>) -> tuple<tensor<4x3xf32>, tensor<4x3xi32>>
  // CHECK: hlo.opaque "x"() : () -> tensor<?x4xf32, #hlo.layout<[0, 1], bounds = [8, ?]>>
  %5 = hlo.opaque "x"() : () -> tensor<?x4xf32, #hlo.layout<[0, 1], bounds = [8, ?]>>
  // FOLD: %[[F:.*]]:2 = "hlo.fusion"
  // FOLD-NOT: hlo.element
  // FOLD: return %[[F]]#1
  return %1 : tensor<4x8xf32>
}
