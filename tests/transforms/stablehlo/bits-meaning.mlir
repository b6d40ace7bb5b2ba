// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Conversions of bits and layouts in corner cases: another width is another rank.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s
// RUN: mercator conformance --through=flow %s

func.func private @same_width_of(%a: tensor<2xf32>) -> (tensor<2xi32>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @same_width() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = func.call @same_width_of(%a) : (tensor<2xf32>) -> (tensor<2xi32>)
  check.expect_eq_const %r, dense<[1065353216, 1073741824]> : tensor<2xi32>
  return
}
// -----
func.func private @other_sign_of(%a: tensor<2xi8>) -> (tensor<2xui8>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<2xi8>) -> tensor<2xui8>
  return %0 : tensor<2xui8>
}
func.func @other_sign() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %r = func.call @other_sign_of(%a) : (tensor<2xi8>) -> (tensor<2xui8>)
  check.expect_eq_const %r, dense<[1, 2]> : tensor<2xui8>
  return
}
// -----
func.func private @to_narrow_of(%a: tensor<2xf32>) -> (tensor<2x4xui8>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<2x4xui8>
  return %0 : tensor<2x4xui8>
}
func.func @to_narrow() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = func.call @to_narrow_of(%a) : (tensor<2xf32>) -> (tensor<2x4xui8>)
  check.expect_eq_const %r, dense<[[0, 0, 128, 63], [0, 0, 0, 64]]> : tensor<2x4xui8>
  return
}
// -----
func.func private @to_wide_of(%a: tensor<2x4xui8>) -> (tensor<2xf32>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<2x4xui8>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @to_wide() {
  %a = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xui8>
  %r = func.call @to_wide_of(%a) : (tensor<2x4xui8>) -> (tensor<2xf32>)
  check.expect_eq_const %r, dense<[1.5399896e-36, 4.063216e-34]> : tensor<2xf32>
  return
}
// -----
func.func private @to_i4_of(%a: tensor<3xi8>) -> (tensor<3x2xi4>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<3xi8>) -> tensor<3x2xi4>
  return %0 : tensor<3x2xi4>
}
func.func @to_i4() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi8>
  %r = func.call @to_i4_of(%a) : (tensor<3xi8>) -> (tensor<3x2xi4>)
  check.expect_eq_const %r, dense<[[1, 0], [2, 0], [3, 0]]> : tensor<3x2xi4>
  return
}
// -----
func.func private @from_i4_of(%a: tensor<3x2xi4>) -> (tensor<3xui8>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<3x2xi4>) -> tensor<3xui8>
  return %0 : tensor<3xui8>
}
func.func @from_i4() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi4>
  %r = func.call @from_i4_of(%a) : (tensor<3x2xi4>) -> (tensor<3xui8>)
  check.expect_eq_const %r, dense<[33, 67, 101]> : tensor<3xui8>
  return
}
// -----
func.func private @to_wide_dynamic_of(%a: tensor<?x2xi16>) -> (tensor<?xi32>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<?x2xi16>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func @to_wide_dynamic() {
  %a_static = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi16>
  %a = tensor.cast %a_static : tensor<2x2xi16> to tensor<?x2xi16>
  %r = func.call @to_wide_dynamic_of(%a) : (tensor<?x2xi16>) -> (tensor<?xi32>)
  %static = tensor.cast %r : tensor<?xi32> to tensor<2xi32>
  check.expect_eq_const %static, dense<[131073, 262147]> : tensor<2xi32>
  return
}
// -----
func.func private @to_wide_of_unknown_ratio_of(%a: tensor<?x?xi16>) -> (tensor<?xi32>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<?x?xi16>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func @to_wide_of_unknown_ratio() {
  %a_static = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi16>
  %a = tensor.cast %a_static : tensor<2x2xi16> to tensor<?x?xi16>
  %r = func.call @to_wide_of_unknown_ratio_of(%a) : (tensor<?x?xi16>) -> (tensor<?xi32>)
  %static = tensor.cast %r : tensor<?xi32> to tensor<2xi32>
  check.expect_eq_const %static, dense<[131073, 262147]> : tensor<2xi32>
  return
}
// -----
func.func private @to_narrow_dynamic_of(%a: tensor<?xi32>) -> (tensor<?x2xbf16>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<?xi32>) -> tensor<?x2xbf16>
  return %0 : tensor<?x2xbf16>
}
func.func @to_narrow_dynamic() {
  %a_static = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %a = tensor.cast %a_static : tensor<2xi32> to tensor<?xi32>
  %r = func.call @to_narrow_dynamic_of(%a) : (tensor<?xi32>) -> (tensor<?x2xbf16>)
  %static = tensor.cast %r : tensor<?x2xbf16> to tensor<2x2xbf16>
  check.expect_eq_const %static, dense<[[9.0e-41, 0.0], [2.0e-40, 0.0]]> : tensor<2x2xbf16>
  return
}
// -----
func.func private @from_rank_0_of(%a: tensor<i64>) -> (tensor<2xf32>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<i64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @from_rank_0() {
  %a = stablehlo.constant dense<1> : tensor<i64>
  %r = func.call @from_rank_0_of(%a) : (tensor<i64>) -> (tensor<2xf32>)
  check.expect_eq_const %r, dense<[1.0e-45, 0.0]> : tensor<2xf32>
  return
}
// -----
func.func private @to_rank_0_of(%a: tensor<2xf32>) -> (tensor<i64>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<i64>
  return %0 : tensor<i64>
}
func.func @to_rank_0() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = func.call @to_rank_0_of(%a) : (tensor<2xf32>) -> (tensor<i64>)
  check.expect_eq_const %r, dense<4611686019492741120> : tensor<i64>
  return
}
// -----
func.func private @from_booleans_of(%a: tensor<8xi1>) -> (tensor<i8>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<8xi1>) -> tensor<i8>
  return %0 : tensor<i8>
}
func.func @from_booleans() {
  %a = stablehlo.constant dense<[1, 0, 1, 1, 0, 0, 0, 1]> : tensor<8xi1>
  %r = func.call @from_booleans_of(%a) : (tensor<8xi1>) -> (tensor<i8>)
  check.expect_eq_const %r, dense<-115> : tensor<i8>
  return
}
// -----
func.func private @empty_of(%a: tensor<0xi32>) -> (tensor<0x4xi8>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<0xi32>) -> tensor<0x4xi8>
  return %0 : tensor<0x4xi8>
}
func.func @empty() {
  %a = stablehlo.constant dense<> : tensor<0xi32>
  %r = func.call @empty_of(%a) : (tensor<0xi32>) -> (tensor<0x4xi8>)
  check.expect_eq_const %r, dense<> : tensor<0x4xi8>
  return
}
// -----
func.func private @hlo_bitcast_moves_elements_of(%a: tensor<2x3x2xi32>) -> (tensor<3x4xi32>) {
  %0 = hlo.copy %a : (tensor<2x3x2xi32>) -> tensor<2x3x2xi32, #hlo.layout<[1, 2, 0]>>
  %1 = hlo.bitcast %0 : (tensor<2x3x2xi32, #hlo.layout<[1, 2, 0]>>) -> tensor<3x4xi32, #hlo.layout<[0, 1]>>
  %2 = hlo.copy %1 : (tensor<3x4xi32, #hlo.layout<[0, 1]>>) -> tensor<3x4xi32>
  return %2 : tensor<3x4xi32>
}
func.func @hlo_bitcast_moves_elements() {
  %a = stablehlo.constant dense<[[[1, 70002], [140003, 210004], [280005, 350006]], [[420007, 490008], [560009, 630010], [700011, 770012]]]> : tensor<2x3x2xi32>
  %r = func.call @hlo_bitcast_moves_elements_of(%a) : (tensor<2x3x2xi32>) -> (tensor<3x4xi32>)
  check.expect_eq_const %r, dense<[[1, 70002, 420007, 490008], [140003, 210004, 560009, 630010], [280005, 350006, 700011, 770012]]> : tensor<3x4xi32>
  return
}
// -----
func.func private @hlo_bitcast_permutes_of(%a: tensor<2x3x1xi32>) -> (tensor<3x2xi32>) {
  %0 = hlo.copy %a : (tensor<2x3x1xi32>) -> tensor<2x3x1xi32, #hlo.layout<[2, 0, 1]>>
  %1 = hlo.bitcast %0 : (tensor<2x3x1xi32, #hlo.layout<[2, 0, 1]>>) -> tensor<3x2xi32>
  %2 = hlo.copy %1 : (tensor<3x2xi32>) -> tensor<3x2xi32>
  return %2 : tensor<3x2xi32>
}
func.func @hlo_bitcast_permutes() {
  %a = stablehlo.constant dense<[[[1], [70002], [140003]], [[210004], [280005], [350006]]]> : tensor<2x3x1xi32>
  %r = func.call @hlo_bitcast_permutes_of(%a) : (tensor<2x3x1xi32>) -> (tensor<3x2xi32>)
  check.expect_eq_const %r, dense<[[1, 210004], [70002, 280005], [140003, 350006]]> : tensor<3x2xi32>
  return
}
// -----
func.func private @hlo_bitcast_to_narrow_of(%a: tensor<2x2xi32>) -> (tensor<8xi16>) {
  %0 = hlo.copy %a : (tensor<2x2xi32>) -> tensor<2x2xi32, #hlo.layout<[0, 1]>>
  %1 = hlo.bitcast %0 : (tensor<2x2xi32, #hlo.layout<[0, 1]>>) -> tensor<8xi16>
  %2 = hlo.copy %1 : (tensor<8xi16>) -> tensor<8xi16>
  return %2 : tensor<8xi16>
}
func.func @hlo_bitcast_to_narrow() {
  %a = stablehlo.constant dense<[[1, 70002], [140003, 210004]]> : tensor<2x2xi32>
  %r = func.call @hlo_bitcast_to_narrow_of(%a) : (tensor<2x2xi32>) -> (tensor<8xi16>)
  check.expect_eq_const %r, dense<[1, 0, 8931, 2, 4466, 1, 13396, 3]> : tensor<8xi16>
  return
}
