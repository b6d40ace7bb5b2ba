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
// -----
func.func @nobody(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected the name of a util.global, got @absent}}
  util.global.store %x, @absent : tensor<4xf32>
  return
}
// -----
// expected-error @+1 {{expected the type '() -> ()', got '() -> i32'}}
"util.initializer"() <{function_type = () -> i32}> ({
  "util.initializer.return"() : () -> ()
}) : () -> ()
// -----
// expected-error @+1 {{failed to verify constraint: region with at least 1 blocks}}
"util.initializer"() <{function_type = () -> ()}> ({}) : () -> ()
// -----
func.func @outside() {
  // expected-error @+1 {{expects parent op 'util.initializer'}}
  util.initializer.return
}
// -----
func.func @fewer(%x: i32) {
  // expected-error @+1 {{each result is of the type of its operand}}
  "util.optimization_barrier"(%x) : (i32) -> ()
  return
}
// -----
func.func @other(%x: i32) {
  // expected-error @+1 {{each result is of the type of its operand}}
  %0 = "util.optimization_barrier"(%x) : (i32) -> f32
  return
}
// -----
func.func @untyped() {
  // expected-error @+1 {{expected a value with a type or a symbol, got [1 : i32]}}
  %0 = util.unfoldable_constant [1 : i32]
  return
}
// -----
func.func @typed() {
  // expected-error @+1 {{expected a value of type 'f32', got 1 : i32}}
  %0 = "util.unfoldable_constant"() <{value = 1 : i32}> : () -> f32
  return
}
// -----
func.func @sign(%x: i32) {
  // expected-error @+1 {{expected a float or a signed or unsigned integer after 'as', got 'i8'}}
  %0 = util.numeric.optional_narrow %x : i32 as i8
  return
}
// -----
func.func @none() {
  // expected-error @+1 {{expected 1 or more operands, but found 0}}
  %0 = "util.range.min"() : () -> index
  return
}
// -----
func.func @no_range() {
  // expected-error @+1 {{expected at least one range}}
  %0:2 = "util.range.extents"() : () -> (index, index)
  return
}
// -----
func.func @mixed(%x: index, %y: i32) {
  // expected-error @+1 {{expected offsets and lengths of type 'index', got 'i32'}}
  %0:2 = "util.range.extents"(%x, %y) : (index, i32) -> (index, index)
  return
}
