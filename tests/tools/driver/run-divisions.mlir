// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator run %s --function=main --input='dense<[7, -7, 7, -2147483648]> : tensor<4xi32>' --input='dense<[2, 0, -2, -1]> : tensor<4xi32>' | FileCheck %s
// RUN: mercator run %s --function=main --input='dense<[7, -7, 7, -2147483648]> : tensor<4xi32>' --input='dense<[2, 0, -2, -1]> : tensor<4xi32>' --check | FileCheck %s --check-prefix=ALIKE

// arith leaves a division by zero open. It must not end the process, and the
// evaluator has the same number.

// CHECK: [3, 1515870810, -3, -2147483648
// CHECK: [1, 1515870810, 1, 0
// CHECK: [4, 1515870810, -3, -2147483648
// CHECK: [3, 1515870810, -4, -2147483648
// CHECK: [3, 1515870810, 0, 0]
// ALIKE-COUNT-5: equal to the evaluator's
#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %e = tensor.empty() : tensor<4xi32>
  %r:5 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<4xi32>, tensor<4xi32>)
      outs(%e, %e, %e, %e, %e : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  ^bb0(%a: i32, %b: i32, %o0: i32, %o1: i32, %o2: i32, %o3: i32, %o4: i32):
    %q = arith.divsi %a, %b : i32
    %m = arith.remsi %a, %b : i32
    %up = arith.ceildivsi %a, %b : i32
    %down = arith.floordivsi %a, %b : i32
    %u = arith.divui %a, %b : i32
    linalg.yield %q, %m, %up, %down, %u : i32, i32, i32, i32, i32
  } -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>)
  return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// A divisor that is chosen for another reason may still be 0.
// RUN: mercator run %s --function=chosen --check --input='dense<[7, -7, 7, -2147483648]> : tensor<4xi32>' --input='dense<[2, 0, -2, -1]> : tensor<4xi32>' | FileCheck %s --check-prefix=CHOSEN
// CHOSEN: equal to the evaluator's
func.func @chosen(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %one = arith.constant 1 : i32
  %many = arith.constant 100 : i32
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %is = arith.cmpi sgt, %b, %many : i32
    %d = arith.select %is, %one, %b : i32
    %q = arith.divsi %a, %d : i32
    linalg.yield %q : i32
  } -> tensor<4xi32>
  return %r : tensor<4xi32>
}
