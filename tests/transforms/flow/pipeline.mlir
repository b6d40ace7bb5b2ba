// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt --split-input-file --mercator-flow-pipeline %s | FileCheck %s
// Under its other name, twice, on one thread: the same bytes.
// RUN: mercator-opt --split-input-file --mercator-flow-pipeline %s -o %t.1
// RUN: mercator-opt --split-input-file --iree-flow-transformation-pipeline %s -o %t.2
// RUN: mercator-opt --split-input-file --mercator-flow-pipeline --mlir-disable-threading %s -o %t.3
// RUN: diff %t.1 %t.2
// RUN: diff %t.1 %t.3

// The seed's example of formation.

// CHECK: flow.executable private @predict_dispatch_0 {
// CHECK-NEXT: flow.executable.export public @predict_dispatch_0_matmul_2x5x10
// CHECK: linalg.fill
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK-LABEL: func.func @predict(
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C5:.*]] = arith.constant 5 : index
// CHECK: flow.dispatch @predict_dispatch_0::@predict_dispatch_0_matmul_2x5x10[%[[C2]], %[[C5]]]
// CHECK-SAME: : (tensor<2x10xf32>, tensor<10x5xf32>, tensor<5xf32>) -> tensor<2x5xf32>
// CHECK-NEXT: hal.tensor.export
func.func @predict(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<2x10xf32>
  %1 = hal.tensor.import %arg1 : !hal.buffer_view -> tensor<10x5xf32>
  %2 = hal.tensor.import %arg2 : !hal.buffer_view -> tensor<5xf32>
  %3 = tensor.empty() : tensor<2x5xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %5 = linalg.matmul ins(%0, %1 : tensor<2x10xf32>, tensor<10x5xf32>) outs(%4 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%5, %2 : tensor<2x5xf32>, tensor<5xf32>) outs(%3 : tensor<2x5xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %8 = arith.addf %in, %in_0 : f32
    linalg.yield %8 : f32
  } -> tensor<2x5xf32>
  %7 = hal.tensor.export %6 : tensor<2x5xf32> -> !hal.buffer_view
  return %7 : !hal.buffer_view
}

// -----

// A chain of elementwise operations is one dispatch.

// CHECK: flow.executable private @chain_dispatch_0
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK-NEXT: arith.subf
// CHECK-NEXT: arith.mulf
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func.func @chain(
// CHECK: flow.dispatch @chain_dispatch_0
// CHECK-NEXT: return
func.func @chain(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = arith.addf %a, %a : tensor<4x6xf32>
  %1 = arith.subf %0, %a : tensor<4x6xf32>
  %2 = arith.mulf %1, %a : tensor<4x6xf32>
  return %2 : tensor<4x6xf32>
}

// -----

// Unknown extents are passed as operands.

// CHECK: flow.executable.export public @dynamic_dispatch_0_generic_D
// CHECK: flow.dispatch.tie_shape
// CHECK-LABEL: func.func @dynamic(
// CHECK: %[[D:.*]] = hal.buffer_view.dim
// CHECK: flow.dispatch @dynamic_dispatch_0::@dynamic_dispatch_0_generic_D[%[[D]]](%{{.*}}, %[[D]]
// CHECK-SAME: -> tensor<?xf32>{%[[D]]}
func.func @dynamic(%arg0: !hal.buffer_view) -> !hal.buffer_view {
  %d = hal.buffer_view.dim<%arg0 : !hal.buffer_view>[0] : index
  %0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<?xf32>{%d}
  %1 = math.exp %0 : tensor<?xf32>
  %2 = hal.tensor.export %1 : tensor<?xf32>{%d} -> !hal.buffer_view
  return %2 : !hal.buffer_view
}

// -----

// Two equal layers share one executable, also across functions.

// CHECK: flow.executable private @layers_dispatch_0
// CHECK-NOT: flow.executable private
// CHECK-LABEL: func.func @layers(
// CHECK: flow.dispatch @layers_dispatch_0
// CHECK: flow.dispatch @layers_dispatch_0
// CHECK-LABEL: func.func @other(
// CHECK: flow.dispatch @layers_dispatch_0
func.func @layers(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
func.func @other(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// A loop on the host dispatches in its body.

// CHECK: flow.executable private @loop_dispatch_0
// CHECK-LABEL: func.func @loop(
// CHECK: scf.for
// CHECK: flow.dispatch @loop_dispatch_0
// CHECK: scf.yield
func.func @loop(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<4xf32> {
    %1 = arith.mulf %t, %a : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// CHECK: flow.executable private @branch_dispatch_0
// CHECK: flow.executable private @branch_dispatch_1
// CHECK-LABEL: func.func @branch(
// CHECK: scf.if
// CHECK: flow.dispatch @branch_dispatch_0
// CHECK: else
// CHECK: flow.dispatch @branch_dispatch_1
func.func @branch(%p: i1, %a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.if %p -> tensor<4xf32> {
    %1 = math.exp %a : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    %1 = math.sqrt %a : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// The host reads the element that a while loop tests.

// CHECK: flow.executable private @while_dispatch_0
// CHECK-LABEL: func.func @while(
// CHECK: scf.while
// CHECK: flow.tensor.load
// CHECK: scf.condition
// CHECK: flow.dispatch @while_dispatch_0
func.func @while(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %0 = scf.while (%t = %a) : (tensor<4xf32>) -> tensor<4xf32> {
    %1 = tensor.extract %t[%c0] : tensor<4xf32>
    %2 = arith.cmpf olt, %1, %one : f32
    scf.condition(%2) %t : tensor<4xf32>
  } do {
  ^bb0(%t: tensor<4xf32>):
    %1 = arith.addf %t, %a : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Several blocks.

// CHECK: flow.executable private @blocks_dispatch_0
// CHECK: flow.executable private @blocks_dispatch_1
// CHECK-LABEL: func.func @blocks(
// CHECK: cf.cond_br
// CHECK: flow.dispatch @blocks_dispatch_0
// CHECK: flow.dispatch @blocks_dispatch_1
// CHECK: return
func.func @blocks(%p: i1, %a: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %p, ^left, ^right
^left:
  %0 = math.exp %a : tensor<4xf32>
  cf.br ^end(%0 : tensor<4xf32>)
^right:
  %1 = math.sqrt %a : tensor<4xf32>
  cf.br ^end(%1 : tensor<4xf32>)
^end(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
}

// -----

// State between calls.

// CHECK: util.global private mutable @state
// CHECK: flow.executable private @step_dispatch_0
// CHECK-LABEL: func.func @step(
// CHECK: %[[S:.*]] = util.global.load @state
// CHECK: %[[R:.*]] = flow.dispatch @step_dispatch_0{{.*}}(%[[S]]
// CHECK: util.global.store %[[R]], @state
util.global private mutable @state = dense<0.0> : tensor<4xf32>
func.func @step(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = util.global.load @state : tensor<4xf32>
  %1 = arith.addf %0, %a : tensor<4xf32>
  util.global.store %1, @state : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// A convolution, its bias and the following operation are one dispatch; the
// pooling after it is another.

// CHECK: flow.executable.export public @conv_net_dispatch_0_conv_2d_nhwc_hwcf_{{.*}}
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK: linalg.generic
// CHECK: arith.maximumf
// CHECK: flow.executable.export public @conv_net_dispatch_1_pooling_nhwc_sum
// CHECK-LABEL: func.func @conv_net(
// CHECK: flow.dispatch @conv_net_dispatch_0
// CHECK-NEXT: flow.dispatch @conv_net_dispatch_1
// CHECK-NOT: flow.dispatch
func.func @conv_net(%x: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x4xf32>, %b: tensor<4xf32>) -> tensor<1x3x3x4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x6x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  %c = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %k : tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) outs(%f : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %b : tensor<1x6x6x4xf32>, tensor<4xf32>) outs(%e : tensor<1x6x6x4xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = arith.addf %in, %bias : f32
    %1 = arith.maximumf %0, %z : f32
    linalg.yield %1 : f32
  } -> tensor<1x6x6x4xf32>
  %pe = tensor.empty() : tensor<1x3x3x4xf32>
  %pf = linalg.fill ins(%z : f32) outs(%pe : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %w = tensor.empty() : tensor<2x2xf32>
  %p = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%r, %w : tensor<1x6x6x4xf32>, tensor<2x2xf32>) outs(%pf : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  return %p : tensor<1x3x3x4xf32>
}

// -----

// Attention: two products with a softmax between them.

// CHECK: flow.executable.export public @attention_dispatch_0_matmul
// CHECK-LABEL: func.func @attention(
// CHECK: flow.dispatch @attention_dispatch_0
// CHECK-NOT: linalg
// CHECK: return
func.func @attention(%q: tensor<16x8xf32>, %k: tensor<8x16xf32>, %v: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %s = linalg.matmul ins(%q, %k : tensor<16x8xf32>, tensor<8x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %oe = tensor.empty() : tensor<16x8xf32>
  %of = linalg.fill ins(%z : f32) outs(%oe : tensor<16x8xf32>) -> tensor<16x8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<16x16xf32>, tensor<16x8xf32>) outs(%of : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %o : tensor<16x8xf32>
}

// -----

// An initializer dispatches too.

// CHECK: util.global private @table
// CHECK: flow.executable private @_initializer_0_dispatch_0
// CHECK: util.initializer
// CHECK: flow.dispatch @_initializer_0_dispatch_0
// CHECK: util.global.store
util.global private @table : tensor<4x4xf32>
util.initializer {
  %z = arith.constant 0.0 : f32
  %w = util.unfoldable_constant dense<2.0> : tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = linalg.matmul ins(%w, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  util.global.store %m, @table : tensor<4x4xf32>
  util.initializer.return
}
func.func @lookup() -> tensor<4x4xf32> {
  %0 = util.global.load @table : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// An empty program.

// CHECK-LABEL: func.func @empty(
// CHECK-NEXT: return
func.func @empty() {
  return
}
