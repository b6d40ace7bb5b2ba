// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reductions and maps with many bodies and types.
// The expected values are those of the evaluator of StableHLO.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s
// RUN: mercator conformance --through=flow %s

func.func @rows() {
  %a = stablehlo.constant dense<[[1.0,-2.0,3.0],[0.5,4.0,-1.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<10.0> : tensor<f32>
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<2xf32>)
  check.expect_eq_const %r, dense<[12.0, 13.5]> : tensor<2xf32>
  return
}

func.func @columns() {
  %a = stablehlo.constant dense<[[1.0,-2.0,3.0],[0.5,4.0,-1.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<10.0> : tensor<f32>
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<3xf32>)
  check.expect_eq_const %r, dense<[11.5, 12.0, 12.0]> : tensor<3xf32>
  return
}

func.func @all() {
  %a = stablehlo.constant dense<[[1.0,-2.0,3.0],[0.5,4.0,-1.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<-0.0> : tensor<f32>
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1, 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>)
  check.expect_eq_const %r, dense<5.5> : tensor<f32>
  return
}

// The body combines each element with the initial value.
func.func @no_dimension() {
  %a = stablehlo.constant dense<[[1.0,-2.0,3.0],[0.5,4.0,-1.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<10.0> : tensor<f32>
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<2x3xf32>)
  check.expect_eq_const %r, dense<[[11.0, 8.0, 13.0], [10.5, 14.0, 9.0]]> : tensor<2x3xf32>
  return
}

func.func @rank_0() {
  %a = stablehlo.constant dense<3.0> : tensor<f32>
  %b = stablehlo.constant dense<10.0> : tensor<f32>
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
  check.expect_eq_const %r, dense<13.0> : tensor<f32>
  return
}

func.func @empty_sum() {
  %a = stablehlo.constant dense<> : tensor<2x0xf32>
  %b = stablehlo.constant dense<10.0> : tensor<f32>
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) : (tensor<2x0xf32>, tensor<f32>) -> (tensor<2xf32>)
  check.expect_eq_const %r, dense<[10.0, 10.0]> : tensor<2xf32>
  return
}

func.func @empty_result() {
  %a = stablehlo.constant dense<> : tensor<0x2xf32>
  %b = stablehlo.constant dense<10.0> : tensor<f32>
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) : (tensor<0x2xf32>, tensor<f32>) -> (tensor<0xf32>)
  check.expect_eq_const %r, dense<> : tensor<0xf32>
  return
}

func.func @promoted_i8() {
  %a = stablehlo.constant dense<[100,100,-1]> : tensor<3xi8>
  %b = stablehlo.constant dense<100> : tensor<i8>
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %z = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %z : tensor<i32>
  }) : (tensor<3xi8>, tensor<i8>) -> (tensor<i32>)
  check.expect_eq_const %r, dense<299> : tensor<i32>
  return
}

func.func @promoted_ui8() {
  %a = stablehlo.constant dense<[200,100,255]> : tensor<3xui8>
  %b = stablehlo.constant dense<255> : tensor<ui8>
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<ui16>, %y: tensor<ui16>):
    %z = stablehlo.add %x, %y : tensor<ui16>
    stablehlo.return %z : tensor<ui16>
  }) : (tensor<3xui8>, tensor<ui8>) -> (tensor<ui16>)
  check.expect_eq_const %r, dense<810> : tensor<ui16>
  return
}

func.func @promoted_f16() {
  %a = stablehlo.constant dense<[2048.0,1.0,1.0]> : tensor<3xf16>
  %b = stablehlo.constant dense<1.0> : tensor<f16>
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) : (tensor<3xf16>, tensor<f16>) -> (tensor<f32>)
  check.expect_eq_const %r, dense<2051.0> : tensor<f32>
  return
}

// Each step is rounded.
func.func @bf16() {
  %a = stablehlo.constant dense<[256.0,1.0,1.0,3.0]> : tensor<4xbf16>
  %b = stablehlo.constant dense<0.0> : tensor<bf16>
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<bf16>, %y: tensor<bf16>):
    %z = stablehlo.add %x, %y : tensor<bf16>
    stablehlo.return %z : tensor<bf16>
  }) : (tensor<4xbf16>, tensor<bf16>) -> (tensor<bf16>)
  check.expect_eq_const %r, dense<260.0> : tensor<bf16>
  return
}

func.func @maximum_of_nan_close() {
  %a = stablehlo.constant dense<[1.0,0x7FC00000,3.0]> : tensor<3xf32>
  %b = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) : (tensor<3xf32>, tensor<f32>) -> (tensor<f32>)
  check.expect_close_const %r, dense<0x7FC00000> : tensor<f32>, max_ulp_difference = 3
  return
}

func.func @maximum_of_unsigned() {
  %a = stablehlo.constant dense<[1,200,3]> : tensor<3xui8>
  %b = stablehlo.constant dense<0> : tensor<ui8>
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<ui8>, %y: tensor<ui8>):
    %z = stablehlo.maximum %x, %y : tensor<ui8>
    stablehlo.return %z : tensor<ui8>
  }) : (tensor<3xui8>, tensor<ui8>) -> (tensor<ui8>)
  check.expect_eq_const %r, dense<200> : tensor<ui8>
  return
}

func.func @any() {
  %a = stablehlo.constant dense<[[false,true],[false,false]]> : tensor<2x2xi1>
  %b = stablehlo.constant dense<false> : tensor<i1>
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>):
    %z = stablehlo.or %x, %y : tensor<i1>
    stablehlo.return %z : tensor<i1>
  }) : (tensor<2x2xi1>, tensor<i1>) -> (tensor<2xi1>)
  check.expect_eq_const %r, dense<[true, false]> : tensor<2xi1>
  return
}

// The accumulator is the first argument, and elements come in row-major order.
func.func @not_commutative() {
  %a = stablehlo.constant dense<[[1,2],[3,4]]> : tensor<2x2xi32>
  %b = stablehlo.constant dense<5> : tensor<i32>
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %d = stablehlo.multiply %x, %x : tensor<i32>
    %z = stablehlo.subtract %d, %y : tensor<i32>
    stablehlo.return %z : tensor<i32>
  }) : (tensor<2x2xi32>, tensor<i32>) -> (tensor<i32>)
  check.expect_eq_const %r, dense<1178275325> : tensor<i32>
  return
}

func.func @first_maximum() {
  %a = stablehlo.constant dense<[[1.0,5.0,5.0],[-1.0,-3.0,-1.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<[[0,1,2],[0,1,2]]> : tensor<2x3xi32>
  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %d = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = "stablehlo.reduce"(%a, %b, %c, %d) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<i32>, %u: tensor<f32>, %v: tensor<i32>):
    %e = stablehlo.compare GT, %x, %u : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %f = stablehlo.compare EQ, %x, %u : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %g = stablehlo.compare LT, %y, %v : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %h = stablehlo.and %f, %g : tensor<i1>
    %i = stablehlo.or %e, %h : tensor<i1>
    %j = stablehlo.select %e, %x, %u : tensor<i1>, tensor<f32>
    %k = stablehlo.select %i, %y, %v : tensor<i1>, tensor<i32>
    stablehlo.return %j, %k : tensor<f32>, tensor<i32>
  }) : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[5.0, -1.0]> : tensor<2xf32>
  check.expect_eq_const %r#1, dense<[1, 0]> : tensor<2xi32>
  return
}

func.func @captured_value() {
  %a = stablehlo.constant dense<[1,2,3]> : tensor<3xi32>
  %b = stablehlo.constant dense<0> : tensor<i32>
  %c = stablehlo.constant dense<10> : tensor<i32>
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %d = stablehlo.multiply %y, %c : tensor<i32>
    %z = stablehlo.add %x, %d : tensor<i32>
    stablehlo.return %z : tensor<i32>
  }) : (tensor<3xi32>, tensor<i32>) -> (tensor<i32>)
  check.expect_eq_const %r, dense<60> : tensor<i32>
  return
}

func.func @dynamic_extents() {
  %a = stablehlo.constant dense<[[1.0,-2.0,3.0],[0.5,4.0,-1.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<10.0> : tensor<f32>
  %c = tensor.cast %a : tensor<2x3xf32> to tensor<?x?xf32>
  %r = stablehlo.reduce(%c init: %b) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %s0 = tensor.cast %r : tensor<?xf32> to tensor<2xf32>
  check.expect_eq_const %s0, dense<[12.0, 13.5]> : tensor<2xf32>
  return
}

func.func @map() {
  %a = stablehlo.constant dense<[[1.0,-2.0,3.0],[0.5,4.0,-1.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<[[1.0,-2.0,3.0],[0.5,4.0,-1.0]]> : tensor<2x3xf32>
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.multiply %x, %y : tensor<f32>
    %w = stablehlo.subtract %z, %x : tensor<f32>
    stablehlo.return %w : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %r, dense<[[0.0, 6.0, 6.0], [-0.25, 12.0, 2.0]]> : tensor<2x3xf32>
  return
}

func.func @map_to_another_type() {
  %a = stablehlo.constant dense<[1,-2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[0,0]> : tensor<2xi32>
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %z = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[false, true]> : tensor<2xi1>
  return
}

// Of no elements, the result is the initial value, although the body does not
// read it.
func.func @of_nothing_without_accumulator() {
  %a = stablehlo.constant dense<> : tensor<2x0xf32>
  %b = stablehlo.constant dense<7.0> : tensor<f32>
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<2x0xf32>, tensor<f32>) -> (tensor<2xf32>)
  check.expect_eq_const %r, dense<7.0> : tensor<2xf32>
  return
}

func.func @of_nothing_with_a_constant() {
  %a = stablehlo.constant dense<> : tensor<0x3xi32>
  %b = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = "stablehlo.reduce"(%a, %a, %b, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>, %u: tensor<i32>, %y: tensor<i32>, %v: tensor<i32>):
    %c = stablehlo.constant dense<5> : tensor<i32>
    %s = stablehlo.add %x, %v : tensor<i32>
    stablehlo.return %c, %s : tensor<i32>, tensor<i32>
  }) : (tensor<0x3xi32>, tensor<0x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<3xi32>, tensor<3xi32>)
  check.expect_eq_const %r#0, dense<4> : tensor<3xi32>
  check.expect_eq_const %r#1, dense<4> : tensor<3xi32>
  return
}
