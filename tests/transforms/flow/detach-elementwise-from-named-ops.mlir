// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --iree-flow-detach-elementwise-from-named-ops --mlir-print-local-scope | FileCheck %s

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: func.func @convolution(
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[IMAGE:.*]] = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<1x4x4x3xf32>
// CHECK: %[[FILTER:.*]] = hal.tensor.import %arg1 : !hal.buffer_view -> tensor<2x2x3x4xf32>
// CHECK: %[[C:.*]] = hal.tensor.import %arg2 : !hal.buffer_view -> tensor<1x3x3x4xf32>
// CHECK: %[[OLD:.*]] = linalg.generic {{.*}} ins(%[[C]] :
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<1x3x3x4xf32>
// CHECK-NEXT: %[[FILL:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[EMPTY]]
// CHECK-NEXT: %[[CONV:.*]] = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%[[IMAGE]], %[[FILTER]] : tensor<1x4x4x3xf32>, tensor<2x2x3x4xf32>) outs(%[[FILL]] : tensor<1x3x3x4xf32>)
// CHECK-NEXT: %[[R:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%[[CONV]], %[[OLD]] : tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>) outs(%[[FILL]] : tensor<1x3x3x4xf32>) {
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[A]], %[[B]] : f32
// CHECK-NEXT: linalg.yield %[[S]] : f32
// CHECK: %[[EXPORT:.*]] = hal.tensor.export %[[R]] : tensor<1x3x3x4xf32> -> !hal.buffer_view
// CHECK-NEXT: return %[[EXPORT]]
func.func @convolution(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
  %cst = arith.constant 0.000000e+00 : f32
  %image = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<1x4x4x3xf32>
  %filter = hal.tensor.import %arg1 : !hal.buffer_view -> tensor<2x2x3x4xf32>
  %c = hal.tensor.import %arg2 : !hal.buffer_view -> tensor<1x3x3x4xf32>
  %0 = tensor.empty() : tensor<1x3x3x4xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %2 = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<1x3x3x4xf32>) outs(%1 : tensor<1x3x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %5 = arith.addf %in, %in : f32
    linalg.yield %5 : f32
  } -> tensor<1x3x3x4xf32>
  %3 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%image, %filter : tensor<1x4x4x3xf32>, tensor<2x2x3x4xf32>) outs(%2 : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %result = hal.tensor.export %3 : tensor<1x3x3x4xf32> -> !hal.buffer_view
  return %result : !hal.buffer_view
}

// A named producer, dynamic extents, integers.
// CHECK-LABEL: func.func @bias(
// CHECK: %[[BIAS:.*]] = linalg.broadcast
// CHECK: %[[D0:.*]] = tensor.dim %[[BIAS]], %c0
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[D0]]) : tensor<?x5xi32>
// CHECK: %[[FILL:.*]] = linalg.fill ins(%c0_i32 : i32) outs(%[[EMPTY]]
// CHECK: %[[MM:.*]] = linalg.matmul ins({{.*}} : tensor<?x?xi8>, tensor<?x5xi8>) outs(%[[FILL]]
// CHECK: linalg.generic {{.*}} ins(%[[MM]], %[[BIAS]] : tensor<?x5xi32>, tensor<?x5xi32>)
// CHECK: arith.addi
func.func @bias(%a: tensor<?x?xi8>, %b: tensor<?x5xi8>, %bias: tensor<5xi32>) -> tensor<?x5xi32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xi8>
  %0 = tensor.empty(%m) : tensor<?x5xi32>
  %1 = linalg.broadcast ins(%bias : tensor<5xi32>) outs(%0 : tensor<?x5xi32>) dimensions = [0]
  %2 = linalg.matmul ins(%a, %b : tensor<?x?xi8>, tensor<?x5xi8>) outs(%1 : tensor<?x5xi32>) -> tensor<?x5xi32>
  return %2 : tensor<?x5xi32>
}

// Two contractions in a row.
// CHECK-LABEL: func.func @chain(
// CHECK: %[[M1:.*]] = linalg.matmul {{.*}} outs(%[[INIT:.*]] : tensor<4x4xf32>)
// CHECK: %[[M2:.*]] = linalg.matmul {{.*}} outs(%[[FILL:.*]] : tensor<4x4xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[M2]], %[[M1]] :
// CHECK: arith.addf {{.*}} : f32
func.func @chain(%a: tensor<4x4xbf16>, %b: tensor<4x4xbf16>, %init: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xbf16>, tensor<4x4xbf16>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%b, %a : tensor<4x4xbf16>, tensor<4x4xbf16>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// The result is written transposed, the addition is not.
// CHECK-LABEL: func.func @transposed_result(
// CHECK: %[[OLD:.*]] = linalg.generic
// CHECK: %[[FILL:.*]] = linalg.fill
// CHECK: %[[MM:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d1, d0)>]
// CHECK-SAME: outs(%[[FILL]] : tensor<4x3xf32>)
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>]
// CHECK-SAME: ins(%[[MM]], %[[OLD]] : tensor<4x3xf32>, tensor<4x3xf32>)
func.func @transposed_result(%a: tensor<3x2xf32>, %b: tensor<2x4xf32>, %c: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%c : tensor<4x3xf32>) {
  ^bb0(%out: f32):
    %2 = arith.negf %out : f32
    linalg.yield %2 : f32
  } -> tensor<4x3xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d1, d0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<3x2xf32>, tensor<2x4xf32>) outs(%0 : tensor<4x3xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %2 = arith.mulf %x, %y : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// A sum of i1 is an `or`: 1 + 1 stays 1.
// CHECK-LABEL: func.func @booleans(
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK: arith.ori
// CHECK-NOT: arith.addi
func.func @booleans(%a: tensor<4x4xi1>, %b: tensor<4x4xi1>) -> tensor<4x4xi1> {
  %init = tensor.empty() : tensor<4x4xi1>
  %0 = linalg.copy ins(%a : tensor<4x4xi1>) outs(%init : tensor<4x4xi1>) -> tensor<4x4xi1>
  %1 = linalg.matmul ins(%a, %b : tensor<4x4xi1>, tensor<4x4xi1>) outs(%0 : tensor<4x4xi1>) -> tensor<4x4xi1>
  return %1 : tensor<4x4xi1>
}

// The flags restrict the addition.
// CHECK-LABEL: func.func @fast_math(
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<reassoc> : f32
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<reassoc> : f32
func.func @fast_math(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %init = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.exp ins(%a : tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %2 = arith.mulf %x, %y : f32
    %3 = arith.addf %out, %2 fastmath<reassoc> : f32
    linalg.yield %3 : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @in_a_loop(
// CHECK: scf.for
// CHECK: %[[OLD:.*]] = linalg.exp
// CHECK: %[[MM:.*]] = linalg.matmul
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[MM]], %[[OLD]] :
// CHECK: scf.yield %[[SUM]]
func.func @in_a_loop(%n: index, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<4x4xf32> {
    %0 = linalg.exp ins(%x : tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = linalg.matmul ins(%x, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %1 : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// The init comes from another block.
// CHECK-LABEL: func.func @blocks(
// CHECK: %[[OLD:.*]] = linalg.exp
// CHECK: ^bb1:
// CHECK: linalg.matmul
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[OLD]] :
// CHECK: cf.br ^bb3(%[[SUM]]
func.func @blocks(%c: i1, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %init = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.exp ins(%a : tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  cf.cond_br %c, ^then, ^else
^then:
  %1 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  cf.br ^end(%1 : tensor<4x4xf32>)
^else:
  cf.br ^end(%0 : tensor<4x4xf32>)
^end(%r: tensor<4x4xf32>):
  return %r : tensor<4x4xf32>
}

// A sum over windows is a sum.
// CHECK-LABEL: func.func @pooled_sum(
// CHECK: linalg.pooling_nhwc_sum
// CHECK: linalg.generic
// CHECK: arith.addf
func.func @pooled_sum(%a: tensor<1x4x4x1xf32>, %window: tensor<2x2xf32>, %c: tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32> {
  %0 = linalg.exp ins(%c : tensor<1x3x3x1xf32>) outs(%c : tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32>
  %1 = linalg.pooling_nhwc_sum ins(%a, %window : tensor<1x4x4x1xf32>, tensor<2x2xf32>) outs(%0 : tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32>
  return %1 : tensor<1x3x3x1xf32>
}

// Left alone.

// A maximum is not: zero is not its identity element, and it is not an
// addition.
// CHECK-LABEL: func.func @pooled_maximum(
// CHECK: %[[OLD:.*]] = linalg.exp
// CHECK-NEXT: %[[R:.*]] = linalg.pooling_nhwc_max {{.*}} outs(%[[OLD]] :
// CHECK-NEXT: return %[[R]]
func.func @pooled_maximum(%a: tensor<1x4x4x1xf32>, %window: tensor<2x2xf32>, %c: tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32> {
  %0 = linalg.exp ins(%c : tensor<1x3x3x1xf32>) outs(%c : tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32>
  %1 = linalg.pooling_nhwc_max ins(%a, %window : tensor<1x4x4x1xf32>, tensor<2x2xf32>) outs(%0 : tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32>
  return %1 : tensor<1x3x3x1xf32>
}

// CHECK-LABEL: func.func @complex(
// CHECK: %[[R:.*]] = linalg.matmul
// CHECK-NEXT: return %[[R]]
func.func @complex(%a: tensor<4x4xcomplex<f32>>, %b: tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>> {
  %init = tensor.empty() : tensor<4x4xcomplex<f32>>
  %0 = linalg.copy ins(%a : tensor<4x4xcomplex<f32>>) outs(%init : tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  %1 = linalg.matmul ins(%a, %b : tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) outs(%0 : tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  return %1 : tensor<4x4xcomplex<f32>>
}

// The old init has its own buffer, and accumulating in it moves fewer bytes.
// CHECK-LABEL: func.func @argument_and_constant(
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @argument_and_constant(%a: tensor<2x2xf32>, %init: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %cst = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<2x2xf32>, tensor<2x2xf32>) outs(%init : tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = linalg.matmul ins(%a, %a : tensor<2x2xf32>, tensor<2x2xf32>) outs(%cst : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}

// CHECK-LABEL: func.func @fill_of_seven(
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @fill_of_seven(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %seven = arith.constant 7.0 : f32
  %empty = tensor.empty() : tensor<2x2xf32>
  %init = linalg.fill ins(%seven : f32) outs(%empty : tensor<2x2xf32>) -> tensor<2x2xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<2x2xf32>, tensor<2x2xf32>) outs(%init : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @row_sums(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @row_sums(%a: tensor<2x3xf32>, %c: tensor<2xf32>) -> tensor<2xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%c : tensor<2xf32>) {
  ^bb0(%out: f32):
    %2 = arith.negf %out : f32
    linalg.yield %2 : f32
  } -> tensor<2xf32>
  %1 = linalg.generic {indexing_maps = [#id2, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<2x3xf32>) outs(%0 : tensor<2xf32>) {
  ^bb0(%x: f32, %out: f32):
    %2 = arith.addf %out, %x : f32
    linalg.yield %2 : f32
  } -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
