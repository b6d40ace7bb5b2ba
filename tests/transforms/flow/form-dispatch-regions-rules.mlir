// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The heuristic, rule by rule: the contents of a dispatch, by default and with
// aggressive-fusion.
//
// RUN: mercator-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(iree-flow-form-dispatch-regions{fusion=heuristic genereate-workload-region=false}))' | FileCheck %s --check-prefixes=CHECK,DEFAULT
// RUN: mercator-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(iree-flow-form-dispatch-regions{aggressive-fusion=true genereate-workload-region=false}))' | FileCheck %s --check-prefixes=CHECK,AGGRESSIVE

// A root moves into its elementwise consumers, one after the other.

func.func @matmul_chain(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.exp ins(%0 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.negf ins(%1 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @matmul_chain
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.matmul
// CHECK-NEXT:      linalg.exp
// CHECK-NEXT:      linalg.negf
// CHECK-NEXT:      flow.return
// CHECK-NOT:     flow.dispatch.region

// -----

// Elementwise operations that no root takes in get their own dispatches, named
// or not: operations with only parallel loops are no roots.

func.func @elementwise(%a: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.exp ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.map { arith.negf } ins(%0 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>)
  return %1 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @elementwise
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.exp
// CHECK-NEXT:      flow.return
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.map
// CHECK:           flow.return

// -----

// The producer of an init is pulled in, except for a fill: a later pass clones
// it.

func.func @init_producer(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.exp ins(%c : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @init_producer
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.exp
// CHECK-NEXT:      linalg.matmul
// CHECK-NEXT:      linalg.matmul
// CHECK-NEXT:      flow.return

// -----

func.func @fill_stays(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %z: f32, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @fill_stays
// CHECK:         linalg.fill
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.matmul
// CHECK-NEXT:      flow.return

// -----

// A dispatch does not move into a fill either, which does not read its init.

func.func @fill_overwrites(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %z: f32, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.fill ins(%z : f32) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @fill_overwrites
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.matmul
// CHECK-NEXT:      flow.return
// CHECK:         linalg.fill

// -----

// The producer of an input is pulled in only in aggressive mode, and only
// between generics; here into a reduction.

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @generic_input(%a: tensor<4x8xf32>, %e: tensor<4x8xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = math.exp %in : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  %2 = linalg.reduce { arith.addf } ins(%0 : tensor<4x8xf32>) outs(%s : tensor<4xf32>) dimensions = [1]
  return %2 : tensor<4xf32>
}
// The reduction has one outer parallel loop, the producer two.
// CHECK-LABEL: func.func @generic_input
// CHECK-COUNT-2: flow.dispatch.region

// -----

func.func @reduction_input(%a: tensor<4x8x2xf32>, %e: tensor<4x8xf32>, %s: tensor<4xf32>) -> tensor<4x8xf32> {
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<4x8x2xf32>) outs(%e : tensor<4x8xf32>) dimensions = [2]
  %1 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%0, %a : tensor<4x8xf32>, tensor<4x8x2xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%m: f32, %in: f32, %out: f32):
    %2 = arith.subf %in, %m : f32
    %3 = arith.addf %2, %out : f32
    linalg.yield %3 : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func @reduction_input
// DEFAULT-COUNT-2: flow.dispatch.region
// AGGRESSIVE:    flow.dispatch.region
// AGGRESSIVE-NEXT: linalg.reduce
// AGGRESSIVE:      linalg.generic
// AGGRESSIVE-NOT: flow.dispatch.region

// -----

// A contraction pulls in nothing through its inputs.

func.func @matmul_input(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.exp ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @matmul_input
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.exp
// CHECK-NEXT:      flow.return
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.matmul
// CHECK-NEXT:      flow.return

// -----

// A root with several uses moves into the first user only in aggressive mode,
// and then also returns its result for the others.

func.func @two_uses(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.exp ins(%0 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}
// CHECK-LABEL: func.func @two_uses
// DEFAULT-COUNT-2: flow.dispatch.region
// AGGRESSIVE:    %[[R:.+]]:2 = flow.dispatch.region
// AGGRESSIVE-NEXT: %[[M:.+]] = linalg.matmul
// AGGRESSIVE-NEXT: %[[E:.+]] = linalg.exp
// AGGRESSIVE-NEXT: flow.return %[[E]], %[[M]]
// AGGRESSIVE:    return %[[R]]#1, %[[R]]#0

// -----

// Two operands of the same consumer are two uses.

func.func @used_twice(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.mul ins(%0, %0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @used_twice
// DEFAULT-COUNT-2: flow.dispatch.region
// AGGRESSIVE-COUNT-1: flow.dispatch.region
// AGGRESSIVE-NOT: flow.dispatch.region

// -----

// A transposed read is not in the order of the producer's loops.

func.func @transposed(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.transpose ins(%0 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  return %1 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @transposed
// CHECK-COUNT-2: flow.dispatch.region

// -----

// A transposed write is: the buffer cannot be shared, which aggressive fusion
// ignores.

#id = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
func.func @written_transposed(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #transposed], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @written_transposed
// DEFAULT-COUNT-2: flow.dispatch.region
// AGGRESSIVE-COUNT-1: flow.dispatch.region
// AGGRESSIVE-NOT: flow.dispatch.region

// -----

// A reduction and the broadcast of its result: by default the consumer must not
// have more loops than the producer; equally many are accepted.

func.func @reduce_and_broadcast(%a: tensor<4x8xf32>, %s: tensor<4xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<4x8xf32>) outs(%s : tensor<4xf32>) dimensions = [1]
  %1 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a, %0 : tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %2 = arith.divf %in, %sum : f32
    linalg.yield %2 : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func @reduce_and_broadcast
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.reduce
// CHECK:           linalg.generic
// CHECK-NOT:     flow.dispatch.region

// -----

func.func @broadcast_to_more_loops(%a: tensor<4x8xf32>, %s: tensor<4xf32>, %e: tensor<4x8x2xf32>) -> tensor<4x8x2xf32> {
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<4x8xf32>) outs(%s : tensor<4xf32>) dimensions = [1]
  %1 = linalg.broadcast ins(%0 : tensor<4xf32>) outs(%e : tensor<4x8x2xf32>) dimensions = [1, 2]
  return %1 : tensor<4x8x2xf32>
}
// CHECK-LABEL: func.func @broadcast_to_more_loops
// DEFAULT-COUNT-2: flow.dispatch.region
// AGGRESSIVE-COUNT-1: flow.dispatch.region
// AGGRESSIVE-NOT: flow.dispatch.region

// -----

// Other element types: the result of a generic could not share the buffer; the
// result of a contraction is converted in registers.

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @narrowed_matmul(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %e: tensor<4x4xf16>) -> tensor<4x4xf16> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<4x4xf32>) outs(%e : tensor<4x4xf16>) {
  ^bb0(%in: f32, %out: f16):
    %2 = arith.truncf %in : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<4x4xf16>
  return %1 : tensor<4x4xf16>
}
// CHECK-LABEL: func.func @narrowed_matmul
// CHECK-COUNT-1: flow.dispatch.region
// CHECK-NOT:     flow.dispatch.region

// -----

#id = affine_map<(d0) -> (d0)>
func.func @narrowed_reduction(%a: tensor<4x8xf32>, %s: tensor<4xf32>, %e: tensor<4xf16>) -> tensor<4xf16> {
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<4x8xf32>) outs(%s : tensor<4xf32>) dimensions = [1]
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf16>) {
  ^bb0(%in: f32, %out: f16):
    %2 = arith.truncf %in : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<4xf16>
  return %1 : tensor<4xf16>
}
// CHECK-LABEL: func.func @narrowed_reduction
// DEFAULT-COUNT-2: flow.dispatch.region
// AGGRESSIVE-COUNT-1: flow.dispatch.region
// AGGRESSIVE-NOT: flow.dispatch.region

// -----

// A convolution counts as a generic here.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @narrowed_conv(%a: tensor<1x6x6x3xf32>, %k: tensor<3x3x3x4xf32>, %c: tensor<1x4x4x4xf32>, %e: tensor<1x4x4x4xf16>) -> tensor<1x4x4x4xf16> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %k : tensor<1x6x6x3xf32>, tensor<3x3x3x4xf32>) outs(%c : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0 : tensor<1x4x4x4xf32>) outs(%e : tensor<1x4x4x4xf16>) {
  ^bb0(%in: f32, %out: f16):
    %2 = arith.truncf %in : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<1x4x4x4xf16>
  return %1 : tensor<1x4x4x4xf16>
}
// CHECK-LABEL: func.func @narrowed_conv
// DEFAULT-COUNT-2: flow.dispatch.region
// AGGRESSIVE-COUNT-1: flow.dispatch.region
// AGGRESSIVE-NOT: flow.dispatch.region

// -----

// Two roots have the same consumer: the last root takes it.

func.func @two_roots(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.add ins(%0, %1 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @two_roots
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.matmul {{.*}} outs(%arg2
// CHECK-NEXT:      flow.return
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.matmul {{.*}} outs(%arg3
// CHECK-NEXT:      linalg.add
// CHECK-NEXT:      flow.return

// -----

// A consumer that reduces is itself a root.

func.func @reducing_consumer(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<4x4xf32>) outs(%s : tensor<4xf32>) dimensions = [1]
  return %1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @reducing_consumer
// CHECK-COUNT-2: flow.dispatch.region

// -----

// A map that is no projected permutation of the loops.

func.func @strided_read(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0 * 2, d1 * 2)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<8x8xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @strided_read
// CHECK-COUNT-2: flow.dispatch.region

// -----

// Softmax in three steps: one dispatch, aggressively.

#row = affine_map<(d0, d1) -> (d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @softmax(%a: tensor<4x8xf32>, %s: tensor<4xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.reduce { arith.maximumf } ins(%a : tensor<4x8xf32>) outs(%s : tensor<4xf32>) dimensions = [1]
  %1:2 = linalg.generic {indexing_maps = [#id, #row, #id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a, %0 : tensor<4x8xf32>, tensor<4xf32>) outs(%e, %s : tensor<4x8xf32>, tensor<4xf32>) {
  ^bb0(%in: f32, %max: f32, %out: f32, %sum: f32):
    %3 = arith.subf %in, %max : f32
    %4 = math.exp %3 : f32
    %5 = arith.addf %4, %sum : f32
    linalg.yield %4, %5 : f32, f32
  } -> (tensor<4x8xf32>, tensor<4xf32>)
  %2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%1#0, %1#1 : tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %3 = arith.divf %in, %sum : f32
    linalg.yield %3 : f32
  } -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func @softmax
// DEFAULT-COUNT-3: flow.dispatch.region
// AGGRESSIVE:    %[[R:.+]] = flow.dispatch.region -> (tensor<4x8xf32>) {
// AGGRESSIVE-NEXT: linalg.reduce
// AGGRESSIVE:      %[[G:.+]]:2 = linalg.generic
// AGGRESSIVE:      linalg.generic {{.*}} ins(%[[G]]#0, %[[G]]#1
// AGGRESSIVE:    return %[[R]]
