// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --stablehlo-legalize-to-linalg | FileCheck %s

// CHECK-DAG: #[[EACH:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[FEATURE:.*]] = affine_map<(d0, d1, d2) -> (d1)>

// One operation for the deviations, one for all the rest.
// CHECK-LABEL: func @inference
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK: math.sqrt
// CHECK: linalg.generic {indexing_maps = [#[[EACH]], #[[FEATURE]], #[[FEATURE]], #[[FEATURE]], #[[FEATURE]], #[[EACH]]]
// CHECK: arith.subf
// CHECK: arith.divf
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @inference(%x: tensor<?x3x4xf32>, %a: tensor<3xf32>, %b: tensor<3xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>) -> tensor<?x3x4xf32> {
  %r = "stablehlo.batch_norm_inference"(%x, %a, %b, %m, %v) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<?x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<?x3x4xf32>
  return %r : tensor<?x3x4xf32>
}

// The sums of narrow floats are wide.
// CHECK-LABEL: func @training
// CHECK: iterator_types = ["reduction", "parallel", "reduction"]
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: arith.truncf %{{.*}} : f32 to bf16
func.func @training(%x: tensor<2x3x4xbf16>, %a: tensor<3xbf16>, %b: tensor<3xbf16>) -> tensor<2x3x4xbf16> {
  %r:3 = "stablehlo.batch_norm_training"(%x, %a, %b) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xbf16>, tensor<3xbf16>, tensor<3xbf16>) -> (tensor<2x3x4xbf16>, tensor<3xbf16>, tensor<3xbf16>)
  return %r#0 : tensor<2x3x4xbf16>
}
