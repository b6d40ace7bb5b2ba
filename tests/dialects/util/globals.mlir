// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | FileCheck %s
// RUN: mercator-opt %s --mlir-print-op-generic | mercator-opt | FileCheck %s

// CHECK: util.global public @plain : tensor<4xf32>
util.global @plain : tensor<4xf32>
// CHECK: util.global private @weights = dense<5.000000e-01> : tensor<4xf32>
util.global private @weights = dense<0.5> : tensor<4xf32>
// CHECK: util.global private mutable @state {note = "n"} : tensor<?xf32>
util.global private mutable @state {note = "n"} : tensor<?xf32>
// CHECK: util.global public @scalar = 4 : i32
util.global public @scalar : i32 = 4 : i32
// CHECK: util.global public @converted : tensor<4xf32> = dense<4> : tensor<4xi32>
util.global public @converted : tensor<4xf32> = dense<4> : tensor<4xi32>
// CHECK: util.global public @absent = dense_resource<__elided__> : tensor<1000x1000xf32>
util.global @absent = dense_resource<__elided__> : tensor<1000x1000xf32>

// CHECK-LABEL: func @access
func.func @access(%x: tensor<4xf32>) {
  // CHECK: %[[P:.*]] = util.global.address @weights : !util.ptr<tensor<4xf32>>
  %p = util.global.address @weights : !util.ptr<tensor<4xf32>>
  // CHECK: util.global.load.indirect %[[P]] : !util.ptr<tensor<4xf32>> -> tensor<4xf32>
  %0 = util.global.load.indirect %p : !util.ptr<tensor<4xf32>> -> tensor<4xf32>
  // CHECK: %state = util.global.load @state : tensor<?xf32>
  %1 = util.global.load @state : tensor<?xf32>
  // CHECK: util.global.load immutable @weights : tensor<4xf32>
  %2 = util.global.load immutable @weights : tensor<4xf32>
  // CHECK: util.global.store %state, @state : tensor<?xf32>
  util.global.store %1, @state : tensor<?xf32>
  // CHECK: %[[Q:.*]] = util.global.address @state : !util.ptr<tensor<?xf32>>
  %q = util.global.address @state : !util.ptr<tensor<?xf32>>
  // CHECK: util.global.store.indirect %{{.*}}, %[[Q]] : tensor<4xf32> -> !util.ptr<tensor<?xf32>>
  util.global.store.indirect %x, %q : tensor<4xf32> -> !util.ptr<tensor<?xf32>>
  return
}
