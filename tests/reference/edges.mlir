// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tensors without elements and without dimensions, indices out of bounds, NaN.
// RUN: mercator conformance %s
// RUN: mercator conformance --target=cpu %s

func.func @iota_complex() {
  %0 = stablehlo.iota dim = 0 : tensor<3xcomplex<f32>>
  check.expect_eq_const %0, dense<[(0.0,0.0),(1.0,0.0),(2.0,0.0)]> : tensor<3xcomplex<f32>>
  func.return
}
func.func @iota_i2() {
  %0 = stablehlo.iota dim = 0 : tensor<6xi2>
  check.expect_eq_const %0, dense<[0,1,-2,-1,0,1]> : tensor<6xi2>
  func.return
}
func.func @iota_rounds() {
  %0 = stablehlo.iota dim = 0 : tensor<20xf8E4M3FN>
  %1 = stablehlo.convert %0 : (tensor<20xf8E4M3FN>) -> tensor<20xi32>
  check.expect_eq_const %1, dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 16, 18, 20]> : tensor<20xi32>
  func.return
}
func.func @case_out_of_range() {
  %indices = stablehlo.constant dense<[-1, 0, 1, 2, 3, -2147483648]> : tensor<6xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<6> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %all = %indices) : tensor<i32>, tensor<6xi32> cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %s = stablehlo.dynamic_slice %all, %i, sizes = [1] : (tensor<6xi32>, tensor<i32>) -> tensor<1xi32>
    %index = stablehlo.reshape %s : (tensor<1xi32>) -> tensor<i32>
    %chosen = "stablehlo.case"(%index) ({
      %a = stablehlo.constant dense<10> : tensor<1xi32>
      stablehlo.return %a : tensor<1xi32>
    }, {
      %a = stablehlo.constant dense<11> : tensor<1xi32>
      stablehlo.return %a : tensor<1xi32>
    }, {
      %a = stablehlo.constant dense<12> : tensor<1xi32>
      stablehlo.return %a : tensor<1xi32>
    }) : (tensor<i32>) -> tensor<1xi32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %written = stablehlo.dynamic_update_slice %all, %chosen, %i : (tensor<6xi32>, tensor<1xi32>, tensor<i32>) -> tensor<6xi32>
    stablehlo.return %next, %written : tensor<i32>, tensor<6xi32>
  }
  check.expect_eq_const %r#1, dense<[12, 10, 11, 12, 12, 12]> : tensor<6xi32>
  func.return
}
func.func @starts_are_clamped() {
  %x = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %u = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %far = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %below = stablehlo.constant dense<-128> : tensor<i8>
  %last = stablehlo.constant dense<3> : tensor<i8>
  %0 = stablehlo.dynamic_slice %x, %far, sizes = [2] : (tensor<5xi32>, tensor<ui64>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[3, 4]> : tensor<2xi32>
  %1 = stablehlo.dynamic_slice %x, %below, sizes = [2] : (tensor<5xi32>, tensor<i8>) -> tensor<2xi32>
  check.expect_eq_const %1, dense<[0, 1]> : tensor<2xi32>
  %2 = stablehlo.dynamic_slice %x, %last, sizes = [2] : (tensor<5xi32>, tensor<i8>) -> tensor<2xi32>
  check.expect_eq_const %2, dense<[3, 4]> : tensor<2xi32>
  %3 = stablehlo.dynamic_update_slice %x, %u, %far : (tensor<5xi32>, tensor<2xi32>, tensor<ui64>) -> tensor<5xi32>
  check.expect_eq_const %3, dense<[0, 1, 2, 7, 8]> : tensor<5xi32>
  %4 = stablehlo.dynamic_update_slice %x, %u, %below : (tensor<5xi32>, tensor<2xi32>, tensor<i8>) -> tensor<5xi32>
  check.expect_eq_const %4, dense<[7, 8, 2, 3, 4]> : tensor<5xi32>
  func.return
}
func.func @clamp_nan() {
  %n = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.constant dense<1.0> : tensor<f32>
  %x = stablehlo.constant dense<[0.5, 0x7FC00000, 3.0]> : tensor<3xf32>
  %0 = stablehlo.clamp %a, %x, %b : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_almost_eq_const %0, dense<[0.5, 0x7FC00000, 1.0]> : tensor<3xf32>, tolerance = 0.0
  %1 = stablehlo.clamp %n, %x, %b : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_almost_eq_const %1, dense<0x7FC00000> : tensor<3xf32>, tolerance = 0.0
  %2 = stablehlo.clamp %b, %x, %a : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_almost_eq_const %2, dense<[0.0, 0x7FC00000, 0.0]> : tensor<3xf32>, tolerance = 0.0
  func.return
}
func.func @sort_nan() {
  %x = stablehlo.constant dense<[2.0, 0x7FC00000, -0.0, 0.0, 0xFFC00000, -1.0]> : tensor<6xf32>
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<6xf32>) -> tensor<6xf32>
  check.expect_almost_eq_const %0, dense<[0x7FC00000, -1.0, -0.0, 0.0, 2.0, 0x7FC00000]> : tensor<6xf32>, tolerance = 0.0
  %bits = stablehlo.bitcast_convert %0 : (tensor<6xf32>) -> tensor<6xui32>
  check.expect_eq_const %bits, dense<[0xFFC00000, 0xBF800000, 0x80000000, 0, 0x40000000, 0x7FC00000]> : tensor<6xui32>
  func.return
}
func.func @empty() {
  %e = stablehlo.constant dense<> : tensor<0x3xf32>
  %z = stablehlo.constant dense<7.0> : tensor<f32>
  %0 = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %0, dense<7.0> : tensor<3xf32>
  %1 = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : (tensor<0x3xf32>, tensor<f32>) -> tensor<0xf32>
  check.expect_eq_const %1, dense<> : tensor<0xf32>
  %f = stablehlo.constant dense<> : tensor<3x0xf32>
  %2 = stablehlo.dot_general %f, %e, contracting_dims = [1] x [0] : (tensor<3x0xf32>, tensor<0x3xf32>) -> tensor<3x3xf32>
  check.expect_eq_const %2, dense<0.0> : tensor<3x3xf32>
  %3 = stablehlo.pad %e, %z, low = [1, 0], high = [1, 0], interior = [5, 0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  check.expect_eq_const %3, dense<7.0> : tensor<2x3xf32>
  %4 = stablehlo.transpose %e, dims = [1, 0] : (tensor<0x3xf32>) -> tensor<3x0xf32>
  %5 = stablehlo.reshape %e : (tensor<0x3xf32>) -> tensor<7x0x2xf32>
  %6 = stablehlo.concatenate %e, %e, dim = 0 : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xf32>
  %7 = "stablehlo.sort"(%e) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<0x3xf32>) -> tensor<0x3xf32>
  %8 = "stablehlo.reduce_window"(%e, %z) <{window_dimensions = array<i64: 1, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<0x3xf32>, tensor<f32>) -> tensor<2x2xf32>
  // Padding consists of the initial value, which counts: 7 + 7 + 7.
  check.expect_eq_const %8, dense<21.0> : tensor<2x2xf32>
  func.return
}
func.func @empty2() {
  %e = stablehlo.constant dense<> : tensor<0xf32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %e, %i, sizes = [0] : (tensor<0xf32>, tensor<i32>) -> tensor<0xf32>
  %1 = stablehlo.dynamic_update_slice %e, %e, %i : (tensor<0xf32>, tensor<0xf32>, tensor<i32>) -> tensor<0xf32>
  %idx = stablehlo.constant dense<> : tensor<0x1xi32>
  %op = stablehlo.constant dense<1.0> : tensor<4x5xf32>
  %2 = "stablehlo.gather"(%op, %idx) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<0x1xi32>) -> tensor<0x5xf32>
  %idx2 = stablehlo.constant dense<9> : tensor<2x1xi32>
  %3 = "stablehlo.gather"(%op, %idx2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 0, 5>}> : (tensor<4x5xf32>, tensor<2x1xi32>) -> tensor<2x0x5xf32>
  func.return
}
func.func @empty_conv() {
  %x = stablehlo.constant dense<> : tensor<0x4x3xf32>
  %k = stablehlo.constant dense<1.0> : tensor<2x3x5xf32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<0x4x3xf32>, tensor<2x3x5xf32>) -> tensor<0x3x5xf32>
  %y = stablehlo.constant dense<> : tensor<2x0x3xf32>
  %1 = stablehlo.convolution(%y, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, 2]], lhs_dilate = [3], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x0x3xf32>, tensor<2x3x5xf32>) -> tensor<2x2x5xf32>
  check.expect_eq_const %1, dense<0.0> : tensor<2x2x5xf32>
  %z = stablehlo.constant dense<> : tensor<2x4x0xf32>
  %k0 = stablehlo.constant dense<> : tensor<2x0x5xf32>
  %2 = stablehlo.convolution(%z, %k0) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x0xf32>, tensor<2x0x5xf32>) -> tensor<2x3x5xf32>
  check.expect_eq_const %2, dense<0.0> : tensor<2x3x5xf32>
  func.return
}
func.func @empty_mat() {
  %x = stablehlo.constant dense<> : tensor<2x0x0xf32>
  %0 = stablehlo.cholesky %x, lower = true : tensor<2x0x0xf32>
  %b = stablehlo.constant dense<> : tensor<2x0x3xf32>
  %1 = "stablehlo.triangular_solve"(%x, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x0x0xf32>, tensor<2x0x3xf32>) -> tensor<2x0x3xf32>
  %c = stablehlo.constant dense<> : tensor<0x4xcomplex<f32>>
  %2 = stablehlo.fft %c, type = FFT, length = [4] : (tensor<0x4xcomplex<f32>>) -> tensor<0x4xcomplex<f32>>
  func.return
}
func.func @bn() {
  %x = stablehlo.constant dense<> : tensor<0x3xf32>
  %s = stablehlo.constant dense<1.0> : tensor<3xf32>
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<0x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<0x3xf32>, tensor<3xf32>, tensor<3xf32>)
  func.return
}
func.func @rng() {
  %s = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<0x3xui32>)
  %1:2 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui8>)
  func.return
}
func.func @rank0() {
  %s = stablehlo.constant dense<3.0> : tensor<f32>
  %i = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.transpose %s, dims = [] : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reverse %s, dims = [] : tensor<f32>
  %2 = "stablehlo.slice"(%s) {start_indices = array<i64>, limit_indices = array<i64>, strides = array<i64>} : (tensor<f32>) -> tensor<f32>
  %3 = stablehlo.pad %s, %s, low = [], high = [], interior = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %4 = stablehlo.dynamic_slice %s, sizes = [] : (tensor<f32>) -> tensor<f32>
  %5 = stablehlo.dynamic_update_slice %s, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %6 = stablehlo.reduce(%s init: %s) applies stablehlo.add across dimensions = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %6, dense<6.0> : tensor<f32>
  %7 = stablehlo.dot_general %s, %s, contracting_dims = [] x [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %7, dense<9.0> : tensor<f32>
  %8 = stablehlo.bitcast_convert %s : (tensor<f32>) -> tensor<4xui8>
  %9 = stablehlo.bitcast_convert %8 : (tensor<4xui8>) -> tensor<f32>
  check.expect_eq_const %9, dense<3.0> : tensor<f32>
  func.return
}

// Both parts are NaN if one is undefined, as in XLA.
func.func private @isnan(%z: tensor<6xcomplex<f32>>) -> tensor<6xi1> {
  %re = stablehlo.real %z : (tensor<6xcomplex<f32>>) -> tensor<6xf32>
  %im = stablehlo.imag %z : (tensor<6xcomplex<f32>>) -> tensor<6xf32>
  %0 = stablehlo.compare NE, %re, %re : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %1 = stablehlo.compare NE, %im, %im : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %2 = stablehlo.and %0, %1 : tensor<6xi1>
  func.return %2 : tensor<6xi1>
}
func.func @complex_not_finite() {
  %z = stablehlo.constant dense<[(0x7F800000, 0x7F800000), (0xFF800000, 0x7FC00000), (0x7FC00000, 0xFF800000), (0.0, 0x7F800000), (0x7F800000, 0.0), (0x7F800000, 1.0)]> : tensor<6xcomplex<f32>>
  %exp = stablehlo.exponential %z : tensor<6xcomplex<f32>>
  %log = stablehlo.log %z : tensor<6xcomplex<f32>>
  %log1p = stablehlo.log_plus_one %z : tensor<6xcomplex<f32>>
  %sqrt = stablehlo.sqrt %z : tensor<6xcomplex<f32>>
  %sin = stablehlo.sine %z : tensor<6xcomplex<f32>>
  %cos = stablehlo.cosine %z : tensor<6xcomplex<f32>>
  %tan = stablehlo.tan %z : tensor<6xcomplex<f32>>
  %tanh = stablehlo.tanh %z : tensor<6xcomplex<f32>>
  %logistic = stablehlo.logistic %z : tensor<6xcomplex<f32>>
  %0 = func.call @isnan(%exp) : (tensor<6xcomplex<f32>>) -> tensor<6xi1>
  %1 = func.call @isnan(%log) : (tensor<6xcomplex<f32>>) -> tensor<6xi1>
  %2 = func.call @isnan(%log1p) : (tensor<6xcomplex<f32>>) -> tensor<6xi1>
  %3 = func.call @isnan(%sqrt) : (tensor<6xcomplex<f32>>) -> tensor<6xi1>
  %4 = func.call @isnan(%sin) : (tensor<6xcomplex<f32>>) -> tensor<6xi1>
  %5 = func.call @isnan(%cos) : (tensor<6xcomplex<f32>>) -> tensor<6xi1>
  %6 = func.call @isnan(%tan) : (tensor<6xcomplex<f32>>) -> tensor<6xi1>
  %7 = func.call @isnan(%tanh) : (tensor<6xcomplex<f32>>) -> tensor<6xi1>
  %8 = func.call @isnan(%logistic) : (tensor<6xcomplex<f32>>) -> tensor<6xi1>
  check.expect_eq_const %0, dense<[true, true, true, true, false, false]> : tensor<6xi1>
  check.expect_eq_const %1, dense<[false, true, true, false, false, false]> : tensor<6xi1>
  check.expect_eq_const %2, dense<[false, true, true, false, false, false]> : tensor<6xi1>
  check.expect_eq_const %3, dense<[false, true, true, false, false, false]> : tensor<6xi1>
  check.expect_eq_const %4, dense<[true, true, true, false, true, true]> : tensor<6xi1>
  check.expect_eq_const %5, dense<[true, true, true, false, true, true]> : tensor<6xi1>
  check.expect_eq_const %6, dense<[false, true, false, false, true, true]> : tensor<6xi1>
  check.expect_eq_const %7, dense<[false, false, true, true, false, false]> : tensor<6xi1>
  check.expect_eq_const %8, dense<[true, true, true, true, false, false]> : tensor<6xi1>
  func.return
}
func.func @complex_root_of_a_negative_number() {
  %z = stablehlo.constant dense<[(-4.0, 0.0), (-4.0, -0.0)]> : tensor<2xcomplex<f32>>
  %0 = stablehlo.sqrt %z : tensor<2xcomplex<f32>>
  check.expect_eq_const %0, dense<(0.0, 2.0)> : tensor<2xcomplex<f32>>
  func.return
}
func.func @complex_square_of_one_size() {
  %z = stablehlo.constant dense<[(0x7F800000, 0x7F800000), (3.0e38, -3.0e38)]> : tensor<2xcomplex<f32>>
  %0 = chlo.square %z : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  check.expect_eq_const %0, dense<[(0.0, 0x7F800000), (0.0, 0xFF800000)]> : tensor<2xcomplex<f32>>
  func.return
}
