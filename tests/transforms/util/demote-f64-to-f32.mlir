// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --allow-unregistered-dialect --iree-util-demote-f64-to-f32 | FileCheck %s --implicit-check-not=f64

// Rounded to nearest: 0.1 is 0x3DCCCCCD, and toward zero 0x3DCCCCCC. Numbers
// out of range of f32 become infinite.
// CHECK-LABEL: func.func @numbers() -> (f32, f32, f32)
// CHECK: arith.constant 1.000000e-01 : f32
// CHECK: arith.constant 0x7F800000 : f32
// CHECK: arith.constant 0xFFC00000 : f32
func.func @numbers() -> (f64, f64, f64) {
  %0 = arith.constant 0.1 : f64
  %1 = arith.constant 1.0e300 : f64
  %2 = arith.constant 0xFFF8000000000000 : f64
  return %0, %1, %2 : f64, f64, f64
}

// CHECK-LABEL: func.func @elements
// CHECK: arith.constant dense<[1.000000e-01, -2.500000e+00]> : tensor<2xf32>
// CHECK: arith.constant dense<1.000000e-01> : tensor<512x512xf32>
// CHECK: arith.constant dense<[1.000000e+00, 3.000000e-01]> : vector<2xf32>
// CHECK: arith.constant dense<(1.000000e-01,-2.000000e+00)> : tensor<3xcomplex<f32>>
// CHECK: arith.constant dense<[(1.000000e+00,2.000000e+00), (3.000000e+00,4.000000e+00)]> : tensor<2xcomplex<f32>>
// CHECK: arith.constant sparse<{{.*}}, 5.000000e-01> : tensor<2x2xf32>
// CHECK: arith.constant dense<> : tensor<0xf32>
// CHECK: arith.constant dense<7> : tensor<2xi64>
func.func @elements() {
  %0 = arith.constant dense<[0.1, -2.5]> : tensor<2xf64>
  %1 = arith.constant dense<0.1> : tensor<512x512xf64>
  %2 = arith.constant dense<[1.0, 0.3]> : vector<2xf64>
  %3 = arith.constant dense<(0.1, -2.0)> : tensor<3xcomplex<f64>>
  %4 = arith.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
  %5 = arith.constant sparse<[[0, 0], [1, 1]], 0.5> : tensor<2x2xf64>
  %6 = arith.constant dense<> : tensor<0xf64>
  %7 = arith.constant dense<7> : tensor<2xi64>
  return
}

// A cast that would be from f32 to f32 is removed; others keep their other
// type.
// CHECK-LABEL: func.func @casts
// CHECK-SAME: (%[[X:.+]]: f32, %[[H:.+]]: f16, %{{.+}}: f32, %[[V:.+]]: vector<4xf32>, %{{.+}}: tensor<?xf32>)
// CHECK-NEXT: %[[WIDE:.+]] = arith.extf %[[H]] : f16 to f32
// CHECK-NEXT: %[[SUM:.+]] = arith.addf %[[X]], %[[WIDE]] : f32
// CHECK-NEXT: %[[HALF:.+]] = arith.truncf %[[SUM]] : f32 to bf16
// CHECK-NEXT: %[[INT:.+]] = arith.fptosi %[[SUM]] : f32 to i64
// CHECK-NEXT: return %[[SUM]], %[[HALF]], %[[INT]], %[[V]]
func.func @casts(%x: f32, %h: f16, %d: f64, %v: vector<4xf64>, %t: tensor<?xf64>) -> (f32, bf16, i64, vector<4xf32>) {
  %0 = arith.extf %x : f32 to f64
  %1 = arith.extf %h : f16 to f64
  %2 = arith.addf %0, %1 : f64
  %3 = arith.truncf %2 : f64 to f32
  %4 = arith.truncf %2 : f64 to bf16
  %5 = arith.fptosi %2 : f64 to i64
  %6 = arith.truncf %v : vector<4xf64> to vector<4xf32>
  %7 = arith.truncf %t : tensor<?xf64> to tensor<?xf32>
  return %3, %4, %5, %6 : f32, bf16, i64, vector<4xf32>
}

// -----
// Types of globals, of pointers to them, of values inside types.
// CHECK: util.global private @weights = dense<[1.000000e-01, 2.000000e+00]> : tensor<2xf32>
// CHECK: util.global public mutable @state : complex<f32>
util.global private @weights = dense<[0.1, 2.0]> : tensor<2xf64>
util.global public mutable @state : complex<f64>

// CHECK-LABEL: func.func @globals
// CHECK: util.global.address @weights : !util.ptr<tensor<2xf32>>
// CHECK: util.global.load.indirect %{{.+}} : !util.ptr<tensor<2xf32>> -> tensor<2xf32>
// CHECK: util.global.load @state : complex<f32>
func.func @globals() -> (tensor<2xf64>, complex<f64>) {
  %p = util.global.address @weights : !util.ptr<tensor<2xf64>>
  %0 = util.global.load.indirect %p : !util.ptr<tensor<2xf64>> -> tensor<2xf64>
  %1 = util.global.load @state : complex<f64>
  return %0, %1 : tensor<2xf64>, complex<f64>
}

// CHECK: func.func private @declared(memref<4x?xf32>, vector<[4]xf32>) -> tensor<*xf32>
func.func private @declared(memref<4x?xf64>, vector<[4]xf64>) -> tensor<*xf64>

// CHECK-LABEL: func.func @functions
// CHECK: constant @callee : (f32) -> f32
// CHECK: call_indirect %{{.+}}(%{{.+}}) : (f32) -> f32
func.func @functions(%x: f64) -> f64 {
  %f = func.constant @callee : (f64) -> f64
  %0 = func.call_indirect %f(%x) : (f64) -> f64
  return %0 : f64
}
func.func @callee(%x: f64) -> f64 {
  return %x : f64
}

// -----
// Block arguments and nested regions.
// CHECK-LABEL: func.func @blocks
// CHECK: ^bb1(%{{.+}}: f32)
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (f32)
// CHECK: tensor.generate
// CHECK: tensor.yield %{{.+}} : f32
// CHECK: } : tensor<?xf32>
func.func @blocks(%n: index, %x: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^bb1(%x : f64)
^bb1(%y: f64):
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> f64 {
    %1 = arith.addf %a, %a : f64
    scf.yield %1 : f64
  }
  %2 = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %0 : f64
  } : tensor<?xf64>
  return %2 : tensor<?xf64>
}

// Attributes that configure an operation stay, in properties too.
// CHECK-LABEL: func.func @structured
// CHECK: linalg.conv_1d_nwc_wcf {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
// CHECK-SAME: outs(%{{.+}} : tensor<1x?x4xf32>)
// CHECK: linalg.generic
// CHECK: ^bb0(%{{.+}}: f32, %{{.+}}: f32):
// CHECK: arith.addf %{{.+}}, %{{.+}} fastmath<nnan> : f32
// CHECK: "vendor.op"(%{{.+}}) <{gain = [5.000000e-01 : f16]}> {type = f32}
func.func @structured(%i: tensor<1x?x2xf64>, %f: tensor<3x2x4xf64>, %o: tensor<1x?x4xf64>, %v: tensor<?xf64>) {
  %0 = linalg.conv_1d_nwc_wcf {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
    ins(%i, %f : tensor<1x?x2xf64>, tensor<3x2x4xf64>) outs(%o : tensor<1x?x4xf64>) -> tensor<1x?x4xf64>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%v : tensor<?xf64>) outs(%v : tensor<?xf64>) {
  ^bb0(%a: f64, %b: f64):
    %2 = arith.addf %a, %b fastmath<nnan> : f64
    linalg.yield %2 : f64
  } -> tensor<?xf64>
  %3 = "vendor.op"(%1) <{gain = [0.5 : f16]}> {type = f64} : (tensor<?xf64>) -> i32
  return
}

// -----
// CHECK-LABEL: func.func @resource
// CHECK: arith.constant dense_resource<big_1> : tensor<3xf32>
// CHECK: big_1: "0x080000000000803F{{0*}}CDCCCC3D"
func.func @resource() -> tensor<3xf64> {
  %0 = arith.constant dense_resource<big> : tensor<3xf64>
  return %0 : tensor<3xf64>
}
{-#
  dialect_resources: {
    builtin: {
      big: "0x08000000000000000000F03F00000000000000009A9999999999B93F"
    }
  }
#-}
