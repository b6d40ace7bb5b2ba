// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One pass moves a load before the constants, another moves them back and
// reverses their order. That is no change.
// RUN: mercator-opt %s --iree-util-fixed-point-iterator='pipeline=builtin.module(func.func(iree-util-simplify-global-accesses),canonicalize)' | FileCheck %s

util.global private mutable @g : index

// CHECK-LABEL: func @load
// CHECK-DAG: arith.constant 1
// CHECK-DAG: arith.constant 2
// CHECK: util.global.load @g
func.func @load(%t: tensor<4xindex>) -> (index, index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %g = util.global.load @g : index
  %0 = arith.addi %g, %c1 : index
  %1 = tensor.extract %t[%c2] : tensor<4xindex>
  util.optimization_barrier %c1 : index
  return %0, %1 : index, index
}
