// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --iree-util-fixed-point-iterator='pipeline=builtin.module(canonicalize)' | FileCheck %s
// RUN: mercator-opt %s --pass-pipeline='builtin.module(func.func(iree-util-fixed-point-iterator{max-iterations=3 pipeline=func.func(canonicalize{max-iterations=2},cse)}))' | FileCheck %s
// RUN: not mercator-opt %s --iree-util-fixed-point-iterator='pipeline=builtin.module(canonicalize) max-iterations=1' 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: not mercator-opt %s --iree-util-fixed-point-iterator='pipeline=builtin.module(canonicalize) max-iterations=0' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not mercator-opt %s --iree-util-fixed-point-iterator='pipeline=func.func(canonicalize)' 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not mercator-opt %s --iree-util-fixed-point-iterator='pipeline=cse' 2>&1 | FileCheck %s --check-prefix=BARE
// RUN: not mercator-opt %s --iree-util-fixed-point-iterator 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not mercator-opt %s --pass-pipeline='builtin.module(iree-util-fixed-point-iterator{pipeline=builtin.module(iree-util-fixed-point-iterator{pipeline=builtin.module(cse)})})' 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: not mercator-opt %s --pass-pipeline='builtin.module(iree-util-fixed-point-iterator{pipeline=builtin.module(func.func(iree-util-fixed-point-iterator{pipeline=func.func(cse)}))})' 2>&1 | FileCheck %s --check-prefix=NESTED

// MORE: error: expected a fixed point within 1 iterations, got changes in the last
// NONE: error: expected a fixed point within 0 iterations
// OTHER: error: expected a pipeline for builtin.module, got 'func.func(canonicalize)'
// BARE: error: expected a pipeline as in pipeline=builtin.module(cse), got 'cse'
// EMPTY: error: expected a pipeline as in pipeline=builtin.module(cse), got ''
// NESTED: error: expected no fixed point inside another, got one at iteration 0 : index

// The attributes of the iteration are removed.
// CHECK-NOT: iree.fixedpoint
// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[X:.+]]: i32)
// CHECK-NEXT: %[[C:.+]] = arith.constant 3
// CHECK-NEXT: %[[Y:.+]] = arith.addi %[[X]], %[[C]]
// CHECK-NEXT: return %[[Y]]
// CHECK-NOT: iree.fixedpoint
func.func @chain(%x: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %0 = arith.addi %x, %c1 : i32
  %1 = arith.addi %0, %c1 : i32
  %2 = arith.addi %1, %c1 : i32
  return %2 : i32
}
