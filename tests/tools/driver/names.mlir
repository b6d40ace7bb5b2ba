// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The names are those of the text. Its locations do not matter.

// RUN: mercator map %s | FileCheck %s
// CHECK: f: from each result to the operands
// CHECK: %0 = get_tuple_element
// CHECK-NEXT: %x exact (d0) -> (d0)
// CHECK: %k = sort
// CHECK-NEXT: %0 
// CHECK: %y 
// CHECK: %v = sort
// CHECK-NEXT: %0 
// CHECK: %out = negate
// CHECK-NEXT: %k exact

func.func @f(%x: tuple<tensor<4xf32>, tensor<4xf32>>, %y: tensor<4xi32> loc("arguments/y")) -> tensor<4xf32> {
  %0 = stablehlo.get_tuple_element %x[1] : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
  %k, %v = "stablehlo.sort"(%0, %y) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %less = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) loc("jit(f)/sort")
  %out = stablehlo.negate %k : tensor<4xf32>
  return %out : tensor<4xf32>
}
