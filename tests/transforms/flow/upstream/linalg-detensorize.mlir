// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --pass-pipeline='builtin.module(func.func(linalg-detensorize))' | FileCheck %s

// Conditions of branches, and the values they depend on, become numbers.
// CHECK-LABEL: func @condition
// CHECK: %[[A:.*]] = tensor.extract %{{.*}}[] : tensor<i32>
// CHECK: %[[B:.*]] = tensor.extract %{{.*}}[] : tensor<i32>
// CHECK: cf.br ^bb1(%{{.*}} : i32)
// CHECK: ^bb1(%[[I:.*]]: i32):
// CHECK: %[[C:.*]] = arith.cmpi slt, %[[I]], %{{.*}} : i32
// CHECK: cf.cond_br %[[C]]
// CHECK: arith.addi
// CHECK-NOT: linalg.generic
func.func @condition(%init: tensor<i32>, %bound: tensor<i32>) -> tensor<i32> {
  %one = arith.constant dense<1> : tensor<i32>
  cf.br ^head(%init : tensor<i32>)
^head(%i: tensor<i32>):
  %e = tensor.empty() : tensor<i1>
  %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%i, %bound : tensor<i32>, tensor<i32>) outs(%e : tensor<i1>) {
  ^bb0(%a: i32, %b: i32, %out: i1):
    %1 = arith.cmpi slt, %a, %b : i32
    linalg.yield %1 : i1
  } -> tensor<i1>
  %2 = tensor.extract %0[] : tensor<i1>
  cf.cond_br %2, ^body(%i : tensor<i32>), ^done
^body(%j: tensor<i32>):
  %f = tensor.empty() : tensor<i32>
  %3 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%j, %one : tensor<i32>, tensor<i32>) outs(%f : tensor<i32>) {
  ^bb0(%a: i32, %b: i32, %out: i32):
    %4 = arith.addi %a, %b : i32
    linalg.yield %4 : i32
  } -> tensor<i32>
  cf.br ^head(%3 : tensor<i32>)
^done:
  return %i : tensor<i32>
}

// Without branches nothing changes.
// CHECK-LABEL: func @straight_line
// CHECK: %[[R:.*]] = linalg.generic
// CHECK: return %[[R]] : tensor<i32>
func.func @straight_line(%x: tensor<i32>) -> tensor<i32> {
  %e = tensor.empty() : tensor<i32>
  %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%x : tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%a: i32, %out: i32):
    %1 = arith.addi %a, %a : i32
    linalg.yield %1 : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
