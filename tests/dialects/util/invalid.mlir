// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --verify-diagnostics

func.func @nobody() {
  // expected-error @+1 {{expected the name of a util.global, got @absent}}
  %0 = util.global.load @absent : tensor<4xf32>
  return
}
// -----
func.func @function() {
  // expected-error @+1 {{expected the name of a util.global, got @function}}
  %0 = util.global.address @function : !util.ptr<tensor<4xf32>>
  return
}
// -----
// expected-note @+1 {{the global is here}}
util.global @g : tensor<4xf32>
func.func @type() {
  // expected-error @+1 {{expected a value of type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = util.global.load @g : tensor<5xf32>
  return
}
// -----
// expected-note @+1 {{the global is here}}
util.global @g : tensor<4xf32>
func.func @address() {
  // expected-error @+1 {{expected a value of type 'tensor<4xf32>', got 'tensor<4xf64>'}}
  %0 = util.global.address @g : !util.ptr<tensor<4xf64>>
  return
}
// -----
// expected-note @+1 {{the global is here}}
util.global @g : tensor<4xf32>
func.func @immutable(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected a mutable global, got @g}}
  util.global.store %x, @g : tensor<4xf32>
  return
}
// -----
func.func @load(%p: !util.ptr<tensor<4xf32>>) {
  // expected-error @+1 {{expected a value of type 'tensor<4xf32>', got 'i32'}}
  %0 = util.global.load.indirect %p : !util.ptr<tensor<4xf32>> -> i32
  return
}
// -----
func.func @store(%p: !util.ptr<tensor<4xf32>>, %x: tensor<5xf32>) {
  // expected-error @+1 {{expected a value of type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  util.global.store.indirect %x, %p : tensor<5xf32> -> !util.ptr<tensor<4xf32>>
  return
}
