// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The remark about each edge: the rule, the two values, the failed condition,
// the map that writes the value and the map that reads it.
//
// RUN: mercator-opt %s --split-input-file --remarks-filter=dispatch-formation --pass-pipeline='builtin.module(func.func(iree-flow-form-dispatch-regions))' -o %t 2>&1 | FileCheck %s
// RUN: mercator-opt %s --split-input-file --remarks-filter=dispatch-formation --pass-pipeline='builtin.module(func.func(iree-flow-form-dispatch-regions{aggressive-fusion=true}))' -o %t 2>&1 | FileCheck %s --check-prefix=AGGRESSIVE
// RUN: mercator-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(iree-flow-form-dispatch-regions))' -o %t 2>&1 | count 0

func.func @taken(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %z: f32) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = linalg.exp ins(%2 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}
// CHECK:      remarks.mlir:[[@LINE-7]]:8: remark: [Analysis] outside | Category:dispatch-formation | Function=taken | Operation="%0 = tensor.empty", Reason="cloned into the dispatches that use it"
// CHECK:      remarks.mlir:[[@LINE-7]]:8: remark: [Analysis] outside | {{.*}} Operation="%1 = linalg.fill", Reason="a fill is cloned into the dispatches that use it; the rest is a splat"
// CHECK:      remarks.mlir:[[@LINE-7]]:8: remark: [Passed] clone-producer | Category:dispatch-formation:taken | Function=taken | Answer=yes, {{(Bytes=[0-9]+, )?}}Consumer="%2 = linalg.matmul", Edge="%1 = linalg.fill, result 0 -> %2 = linalg.matmul, operand 2", Made="affine_map<(d0, d1) -> (d0, d1)>", Producer="%1 = linalg.fill", {{(ProducerAt=[^,]+, )?}}Read="affine_map<(d0, d1, d2) -> (d0, d1)>", Reason="the producer is cloned into the dispatch"
// CHECK:      remarks.mlir:[[@LINE-7]]:8: remark: [Passed] pull-producer | {{.*}} Answer=yes, {{(Bytes=[0-9]+, )?}}Consumer="{{[^"]*}}", Edge="%2 = linalg.matmul, result 0 -> %3 = linalg.matmul, operand 2", {{.*}} Reason="the root pulls the producer of its init in"
// CHECK:      remarks.mlir:[[@LINE-7]]:8: remark: [Passed] push-into-consumer | {{.*}} Answer=yes, {{(Bytes=[0-9]+, )?}}Consumer="{{[^"]*}}", Edge="%3 = linalg.matmul, result 0 -> %4 = linalg.exp, operand 0", {{.*}} Reason="the root goes into its only consumer"
// CHECK:      remarks.mlir:[[@LINE-8]]:8: remark: [Analysis] dispatch | {{.*}} Members="%2 = linalg.matmul; %3 = linalg.matmul; %4 = linalg.exp", Reason="a root took its neighbors in", Root="%4 = linalg.exp"
// CHECK-NOT:  func.return

// -----

func.func @transposed(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.transpose ins(%0 : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) permutation = [1, 0]
  return %1 : tensor<4x4xf32>
}
// CHECK:      [Analysis] dispatch | {{.*}} Members="%0 = linalg.matmul", Reason="a root that could take none of its neighbors in"
// CHECK:      [Missed] loops-in-order | Category:dispatch-formation:rule | Function=transposed | {{.*}}Answer=no, {{(Bytes=[0-9]+, )?}}Consumer="{{[^"]*}}", Edge="%0 = linalg.matmul, result 0 -> %transposed = linalg.transpose, operand 0", Made="affine_map<(d0, d1, d2) -> (d0, d1)>", Producer="{{[^"]*}}", {{(ProducerAt=[^,]+, )?}}Read="affine_map<(d0, d1) -> (d1, d0)>", Reason="the producer's parallel loops are not the leading loops of the consumer, in order"
// CHECK:      [Analysis] dispatch | {{.*}} Members="%transposed = linalg.transpose", Reason="an elementwise operation that no root took in"

// -----

func.func @profit(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = linalg.exp ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.exp ins(%1 : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = linalg.negf ins(%1 : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = linalg.abs ins(%3 : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2, %3, %4 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
// The map of %0 is refused before its use is examined.
// CHECK:      [Missed] loops-in-order | {{.*}} Edge="%0 = linalg.exp, result 0 -> %1 = linalg.matmul, operand 0"
// CHECK:      [Missed] one-use | Category:dispatch-formation:profit | {{.*}} Edge="%1 = linalg.matmul, result 0 -> %2 = linalg.exp, operand 0", {{.*}} Reason="the producer has more than one use"
// CHECK:      [Missed] roots-only | {{.*}} Edge="%3 = linalg.negf, result 0 -> %4 = linalg.abs, operand 0", {{.*}} Reason="neither reduces, and only operations that reduce take others in"
// AGGRESSIVE: [Passed] push-into-consumer | {{.*}} Edge="%1 = linalg.matmul, result 0 -> %2 = linalg.exp, operand 0"
// AGGRESSIVE: [Missed] first-use | {{.*}} Edge="%1 = linalg.matmul, result 0 -> %3 = linalg.negf, operand 0"

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @feasibility(%a: tensor<4x8xf32>, %s: tensor<4xf32>, %h: tensor<4xf16>, %e: tensor<4x8xf32>) -> (tensor<4xf16>, tensor<4x8xf32>) {
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<4x8xf32>) outs(%s : tensor<4xf32>) dimensions = [1]
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%0 : tensor<4xf32>) outs(%h : tensor<4xf16>) {
  ^bb0(%in: f32, %out: f16):
    %4 = arith.truncf %in : f32 to f16
    linalg.yield %4 : f16
  } -> tensor<4xf16>
  %2 = linalg.exp ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x8xf32>) outs(%2 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x8xf32>
  return %1, %3 : tensor<4xf16>, tensor<4x8xf32>
}
// CHECK:      [Missed] in-place-elements | Category:dispatch-formation:feasibility | {{.*}} Edge="%reduced = linalg.reduce, result 0 -> %0 = linalg.generic, operand 0", {{.*}} Reason="no init of the consumer has the element type of the operand, so that its result could take the buffer"
// CHECK:      [Missed] outer-parallel-loops | {{.*}} Edge="%1 = linalg.exp, result 0 -> %2 = linalg.generic, operand 1", {{.*}} Reason="the two do not have equally many outer parallel loops"

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
func.func @buffers(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #transposed], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x4xf32>
  %2 = linalg.softmax dimension(1) ins(%1 : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
// CHECK:      [Missed] in-place | {{.*}} Edge="%0 = linalg.matmul, result 0 -> %1 = linalg.generic, operand 0", {{.*}} Reason="no init of the consumer has the map of the operand, so that its result could take the buffer"
// CHECK:      [Missed] linalg-on-tensors | {{.*}} Edge="%1 = linalg.generic, result 0 -> %2 = linalg.softmax, operand 0", Made="affine_map<(d0, d1) -> (d1, d0)>", Producer="{{[^"]*}}", {{(ProducerAt=[^,]+, )?}}Reason="one of the two is not a linalg operation on tensors"
// CHECK:      [Analysis] dispatch | {{.*}} Members="%2 = linalg.softmax", Reason="a root that is not a linalg operation on tensors takes no neighbors in"

// -----

func.func @elsewhere(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %m: memref<4xf32>, %i: tensor<4xindex>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  linalg.exp ins(%m : memref<4xf32>) outs(%m : memref<4xf32>)
  %j = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%i : tensor<4xindex>) {
  ^bb0(%out: index):
    linalg.yield %out : index
  } -> tensor<4xindex>
  %k = tensor.expand_shape %a [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf32> into tensor<4x2x4xf32>
  cf.br ^next
^next:
  %1 = linalg.exp ins(%0 : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
// CHECK:      [Analysis] outside | {{.*}} Operation=linalg.exp, Reason="not on tensors alone"
// CHECK:      [Analysis] outside | {{.*}} Operation="%1 = linalg.generic", Reason="a dispatch cannot take tensors of its element types"
// CHECK:      [Analysis] outside | {{.*}} Operation="%expanded = tensor.expand_shape", Reason="a reshape moves no data"
// CHECK:      [Missed] same-block | {{.*}} Edge="%0 = linalg.matmul, result 0 -> %{{.}} = linalg.exp, operand 0", {{.*}} Reason="the two are in different blocks"

// -----

// Remarks are in program order, not in the order of the decisions.

func.func @order(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.exp ins(%c : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.negf ins(%c : tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.transpose ins(%0 : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) permutation = [1, 0]
  %3 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = linalg.add ins(%3, %2 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %4 : tensor<4x4xf32>
}
// AGGRESSIVE-LABEL: Function=order
// AGGRESSIVE: [Missed] uses-come-after | Category:dispatch-formation:rule | Function=order | {{.*}}Answer=no, {{(Bytes=[0-9]+, )?}}Consumer="{{[^"]*}}", Edge="%0 = linalg.exp, result 0 -> %1 = linalg.negf, operand 1"
// AGGRESSIVE: [Missed] roots-only | {{.*}} Edge="%0 = linalg.exp, result 0 -> %transposed = linalg.transpose
// AGGRESSIVE: [Passed] pull-producer | {{.*}} Edge="%1 = linalg.negf, result 0 -> %2 = linalg.matmul, operand 2"
// AGGRESSIVE: [Passed] push-into-consumer | {{.*}} Edge="%2 = linalg.matmul, result 0 -> %3 = linalg.add, operand 0"

// -----

// All failed conditions, the first by name: a single use of %0 would not
// suffice.

func.func @all(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %s: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x4xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<4x4xf32>) outs(%s : tensor<4xf32>) dimensions = [1]
  return %1, %0 : tensor<4xf32>, tensor<4x4xf32>
}
// CHECK-LABEL: Function=all
// CHECK:      [Missed] one-use | Category:dispatch-formation:profit | Function=all | Also=init-operands, Also=outer-parallel-loops, Also=in-place, Answer=no, {{(Bytes=[0-9]+, )?}}Consumer="{{[^"]*}}", Edge="%0 = linalg.matmul, result 0 -> %reduced = linalg.reduce, operand 0"

// -----

// Across a reshape, the edge is between the operations that compute.

func.func @reshaped(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %d: tensor<16xf32>) -> tensor<16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  %2 = linalg.exp ins(%1 : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
  return %2 : tensor<16xf32>
}
// CHECK-LABEL: Function=reshaped
// CHECK-NOT:  -> %collapsed
// CHECK:      [Missed] no-reshape-between | Category:dispatch-formation:rule | Function=reshaped | Answer=no, {{(Bytes=[0-9]+, )?}}Consumer="{{[^"]*}}", Edge="%0 = linalg.matmul, result 0 -> %1 = linalg.exp, operand 0", {{.*}} Reason="a reshape is between the two, and the rules do not compose maps through it"
