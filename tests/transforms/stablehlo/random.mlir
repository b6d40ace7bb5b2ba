// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Words are computed once for each counter, then interleaved.
// RUN: mercator-opt %s --stablehlo-legalize-to-linalg --split-input-file --verify-diagnostics | FileCheck %s

// The pairs lie along the first dimension of an even extent.
// CHECK-DAG:   #[[PAIRS:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @threefry
// CHECK:         linalg.generic {{.*}} outs({{.*}} : tensor<3x2xi32>, tensor<3x2xi32>)
// CHECK:         linalg.generic {{.*}} outs({{.*}} : tensor<3x2x2xi32>)
// CHECK:         linalg.index 2
// CHECK:         arith.select
// CHECK:         tensor.collapse_shape {{.*}} {{\[\[}}0], [1, 2]] : tensor<3x2x2xi32> into tensor<3x4xi32>
// CHECK-NOT:     tensor.extract %
func.func @threefry(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>) {
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
  return %0#0, %0#1 : tensor<2xui64>, tensor<3x4xui32>
}

// -----

// Seven elements of two counters; the eighth one is dropped.
// CHECK-LABEL: func.func @philox
// CHECK:         linalg.generic {{.*}} outs({{.*}} : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
// CHECK:         linalg.generic {{.*}} outs({{.*}} : tensor<2x4xf32>)
// CHECK:         tensor.collapse_shape {{.*}} into tensor<8xf32>
// CHECK:         tensor.extract_slice {{.*}} [7] [1] : tensor<8xf32> to tensor<7xf32>
// CHECK:         tensor.expand_shape {{.*}} into tensor<7x1xf32>
func.func @philox(%s: tensor<3xui64>) -> (tensor<3xui64>, tensor<7x1xf32>) {
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<7x1xf32>)
  return %0#0, %0#1 : tensor<3xui64>, tensor<7x1xf32>
}

// -----

func.func @dynamic(%s: tensor<2xui64>) -> tensor<?xui64> {
  // expected-error @+1 {{cannot be lowered to linalg: its result has a shape that is known only at run time}}
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<?xui64>)
  return %0#1 : tensor<?xui64>
}

// -----

// CHECK-LABEL: func.func @normal
// CHECK:         %[[WORDS:.*]] = call @mercator_random_bits(%{{.*}}) : (tensor<3x2xi64>) -> tensor<3x2xi64>
// CHECK:         tensor.extract_slice %[[WORDS]][0, 0] [3, 1] [1, 1] : tensor<3x2xi64> to tensor<3xi64>
// CHECK:         tensor.extract_slice %[[WORDS]][0, 1]
// CHECK:         math.cos
func.func @normal(%a: tensor<f32>, %b: tensor<f32>) -> tensor<3xf32> {
  %s = stablehlo.constant dense<3> : tensor<1xi64>
  %0 = stablehlo.rng %a, %b, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
