// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Elementary functions of floats and complex numbers at poles, branch cuts,
// infinities and NaN. The expected values are those of the evaluator of
// StableHLO; the logistic function and the complex cube root take several steps
// and may be a few floats away.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s

func.func @cbrt_f32() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %0 = "stablehlo.cbrt"(%x) : (tensor<7xf32>) -> tensor<7xf32>
  check.expect_close_const %0, dense<[-0.0, 0.0021544348, -0.9085603, 1.2599211, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>, max_ulp_difference = 0
  func.return
}
func.func @cbrt_bf16() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F80, 0xFF80, 0x7FC0]> : tensor<7xbf16>
  %0 = "stablehlo.cbrt"(%x) : (tensor<7xbf16>) -> tensor<7xbf16>
  check.expect_close_const %0, dense<[-0.0, 0.00215, -0.91, 1.26, 0x7F80, 0xFF80, 0x7FC0]> : tensor<7xbf16>, max_ulp_difference = 0
  func.return
}
func.func @cosine_f32() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %0 = "stablehlo.cosine"(%x) : (tensor<7xf32>) -> tensor<7xf32>
  check.expect_close_const %0, dense<[1.0, 1.0, 0.73168886, -0.41614684, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<7xf32>, max_ulp_difference = 0
  func.return
}
func.func @cosine_bf16() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F80, 0xFF80, 0x7FC0]> : tensor<7xbf16>
  %0 = "stablehlo.cosine"(%x) : (tensor<7xbf16>) -> tensor<7xbf16>
  check.expect_close_const %0, dense<[1.0, 1.0, 0.73, -0.416, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<7xbf16>, max_ulp_difference = 0
  func.return
}
func.func @exponential_f32() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %0 = "stablehlo.exponential"(%x) : (tensor<7xf32>) -> tensor<7xf32>
  check.expect_close_const %0, dense<[1.0, 1.0, 0.47236654, 7.389056, 0x7F800000, 0.0, 0x7FC00000]> : tensor<7xf32>, max_ulp_difference = 0
  func.return
}
func.func @exponential_bf16() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F80, 0xFF80, 0x7FC0]> : tensor<7xbf16>
  %0 = "stablehlo.exponential"(%x) : (tensor<7xbf16>) -> tensor<7xbf16>
  check.expect_close_const %0, dense<[1.0, 1.0, 0.473, 7.38, 0x7F80, 0.0, 0x7FC0]> : tensor<7xbf16>, max_ulp_difference = 0
  func.return
}
func.func @exponential_minus_one_f32() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %0 = "stablehlo.exponential_minus_one"(%x) : (tensor<7xf32>) -> tensor<7xf32>
  check.expect_close_const %0, dense<[-0.0, 1.0e-08, -0.5276334, 6.389056, 0x7F800000, -1.0, 0x7FC00000]> : tensor<7xf32>, max_ulp_difference = 0
  func.return
}
func.func @exponential_minus_one_bf16() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F80, 0xFF80, 0x7FC0]> : tensor<7xbf16>
  %0 = "stablehlo.exponential_minus_one"(%x) : (tensor<7xbf16>) -> tensor<7xbf16>
  check.expect_close_const %0, dense<[-0.0, 1.0e-08, -0.527, 6.38, 0x7F80, -1.0, 0x7FC0]> : tensor<7xbf16>, max_ulp_difference = 0
  func.return
}
func.func @log_f32() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %0 = "stablehlo.log"(%x) : (tensor<7xf32>) -> tensor<7xf32>
  check.expect_close_const %0, dense<[0xFF800000, -18.420681, 0x7FC00000, 0.6931472, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<7xf32>, max_ulp_difference = 0
  func.return
}
func.func @log_bf16() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F80, 0xFF80, 0x7FC0]> : tensor<7xbf16>
  %0 = "stablehlo.log"(%x) : (tensor<7xbf16>) -> tensor<7xbf16>
  check.expect_close_const %0, dense<[0xFF80, -18.4, 0x7FC0, 0.69, 0x7F80, 0x7FC0, 0x7FC0]> : tensor<7xbf16>, max_ulp_difference = 0
  func.return
}
func.func @log_plus_one_f32() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %0 = "stablehlo.log_plus_one"(%x) : (tensor<7xf32>) -> tensor<7xf32>
  check.expect_close_const %0, dense<[-0.0, 1.0e-08, -1.3862944, 1.0986123, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<7xf32>, max_ulp_difference = 0
  func.return
}
func.func @log_plus_one_bf16() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F80, 0xFF80, 0x7FC0]> : tensor<7xbf16>
  %0 = "stablehlo.log_plus_one"(%x) : (tensor<7xbf16>) -> tensor<7xbf16>
  check.expect_close_const %0, dense<[-0.0, 1.0e-08, -1.38, 1.1, 0x7F80, 0x7FC0, 0x7FC0]> : tensor<7xbf16>, max_ulp_difference = 0
  func.return
}
func.func @rsqrt_f32() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %0 = "stablehlo.rsqrt"(%x) : (tensor<7xf32>) -> tensor<7xf32>
  check.expect_close_const %0, dense<[0xFF800000, 10000.0, 0x7FC00000, 0.70710677, 0.0, 0x7FC00000, 0x7FC00000]> : tensor<7xf32>, max_ulp_difference = 0
  func.return
}
func.func @rsqrt_bf16() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F80, 0xFF80, 0x7FC0]> : tensor<7xbf16>
  %0 = "stablehlo.rsqrt"(%x) : (tensor<7xbf16>) -> tensor<7xbf16>
  check.expect_close_const %0, dense<[0xFF80, 9984.0, 0x7FC0, 0.707, 0.0, 0x7FC0, 0x7FC0]> : tensor<7xbf16>, max_ulp_difference = 0
  func.return
}
func.func @sine_f32() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %0 = "stablehlo.sine"(%x) : (tensor<7xf32>) -> tensor<7xf32>
  check.expect_close_const %0, dense<[-0.0, 1.0e-08, -0.6816388, 0.9092974, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<7xf32>, max_ulp_difference = 0
  func.return
}
func.func @sine_bf16() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F80, 0xFF80, 0x7FC0]> : tensor<7xbf16>
  %0 = "stablehlo.sine"(%x) : (tensor<7xbf16>) -> tensor<7xbf16>
  check.expect_close_const %0, dense<[-0.0, 1.0e-08, -0.68, 0.91, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<7xbf16>, max_ulp_difference = 0
  func.return
}
func.func @sqrt_f32() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %0 = "stablehlo.sqrt"(%x) : (tensor<7xf32>) -> tensor<7xf32>
  check.expect_close_const %0, dense<[-0.0, 0.0001, 0x7FC00000, 1.4142135, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<7xf32>, max_ulp_difference = 0
  func.return
}
func.func @sqrt_bf16() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F80, 0xFF80, 0x7FC0]> : tensor<7xbf16>
  %0 = "stablehlo.sqrt"(%x) : (tensor<7xbf16>) -> tensor<7xbf16>
  check.expect_close_const %0, dense<[-0.0, 0.0001, 0x7FC0, 1.414, 0x7F80, 0x7FC0, 0x7FC0]> : tensor<7xbf16>, max_ulp_difference = 0
  func.return
}
func.func @tan_f32() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %0 = "stablehlo.tan"(%x) : (tensor<7xf32>) -> tensor<7xf32>
  check.expect_close_const %0, dense<[-0.0, 1.0e-08, -0.93159646, -2.1850398, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<7xf32>, max_ulp_difference = 0
  func.return
}
func.func @tan_bf16() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F80, 0xFF80, 0x7FC0]> : tensor<7xbf16>
  %0 = "stablehlo.tan"(%x) : (tensor<7xbf16>) -> tensor<7xbf16>
  check.expect_close_const %0, dense<[-0.0, 1.0e-08, -0.93, -2.19, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<7xbf16>, max_ulp_difference = 0
  func.return
}
func.func @tanh_f32() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %0 = "stablehlo.tanh"(%x) : (tensor<7xf32>) -> tensor<7xf32>
  check.expect_close_const %0, dense<[-0.0, 1.0e-08, -0.63514894, 0.9640276, 1.0, -1.0, 0x7FC00000]> : tensor<7xf32>, max_ulp_difference = 0
  func.return
}
func.func @tanh_bf16() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F80, 0xFF80, 0x7FC0]> : tensor<7xbf16>
  %0 = "stablehlo.tanh"(%x) : (tensor<7xbf16>) -> tensor<7xbf16>
  check.expect_close_const %0, dense<[-0.0, 1.0e-08, -0.637, 0.965, 1.0, -1.0, 0x7FC0]> : tensor<7xbf16>, max_ulp_difference = 0
  func.return
}
func.func @logistic_f32() {
  %x = stablehlo.constant dense<[-0.0, 1.0e-8, -0.75, 2.0, 0x7F800000, 0xFF800000, 0x7FC00000, -100.0, 100.0]> : tensor<9xf32>
  %0 = "stablehlo.logistic"(%x) : (tensor<9xf32>) -> tensor<9xf32>
  check.expect_close_const %0, dense<[0.5, 0.5, 0.32082132, 0.8807971, 1.0, 0.0, 0x7FC00000, 3.8e-44, 1.0]> : tensor<9xf32>, max_ulp_difference = 2
  func.return
}
func.func @logistic_f64() {
  %x = stablehlo.constant dense<[-0.75, -800.0, 800.0]> : tensor<3xf64>
  %0 = "stablehlo.logistic"(%x) : (tensor<3xf64>) -> tensor<3xf64>
  check.expect_eq_const %0, dense<[0.32082130082460697, 0.0, 1.0]> : tensor<3xf64>
  func.return
}
func.func @logistic_f16() {
  %x = stablehlo.constant dense<[-0.75, -20.0, 0x7E00]> : tensor<3xf16>
  %0 = "stablehlo.logistic"(%x) : (tensor<3xf16>) -> tensor<3xf16>
  check.expect_close_const %0, dense<[0.3208, 0.0, 0x7E00]> : tensor<3xf16>, max_ulp_difference = 0
  func.return
}
func.func @atan2_f32() {
  %x = stablehlo.constant dense<[0.0, -0.0, 1.0, 0x7F800000]> : tensor<4xf32>
  %y = stablehlo.constant dense<[-0.0, -1.0, 0x7F800000, 0xFF800000]> : tensor<4xf32>
  %0 = "stablehlo.atan2"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const %0, dense<[3.1415927, -3.1415927, 0.0, 2.3561945]> : tensor<4xf32>
  func.return
}
func.func @cosine_complexf32() {
  %x = stablehlo.constant dense<[(0.5, -1.5), (-0.0, 0.0), (-4.0, -0.0), (1.0e30, 1.0e30), (0x7F800000, 1.0), (1.0, 0x7FC00000)]> : tensor<6xcomplex<f32>>
  %0 = "stablehlo.cosine"(%x) : (tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
  check.expect_close_const %0, dense<[(2.0644336, 1.020831), (1.0, 0.0), (-0.6536436, 0.0), (0xFF800000, 0x7F800000), (0x7FC00000, 0x7FC00000), (0x7FC00000, 0x7FC00000)]> : tensor<6xcomplex<f32>>, max_ulp_difference = 0
  func.return
}
func.func @exponential_complexf32() {
  %x = stablehlo.constant dense<[(0.5, -1.5), (-0.0, 0.0), (-4.0, -0.0), (1.0e30, 1.0e30), (0x7F800000, 1.0), (1.0, 0x7FC00000)]> : tensor<6xcomplex<f32>>
  %0 = "stablehlo.exponential"(%x) : (tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
  check.expect_close_const %0, dense<[(0.11662593, -1.6445912), (1.0, 0.0), (0.01831564, -0.0), (0xFF800000, 0xFF800000), (0x7F800000, 0x7F800000), (0x7FC00000, 0x7FC00000)]> : tensor<6xcomplex<f32>>, max_ulp_difference = 0
  func.return
}
func.func @exponential_minus_one_complexf32() {
  %x = stablehlo.constant dense<[(0.5, -1.5), (-0.0, 0.0), (-4.0, -0.0), (1.0e30, 1.0e30), (0x7F800000, 1.0), (1.0, 0x7FC00000)]> : tensor<6xcomplex<f32>>
  %0 = "stablehlo.exponential_minus_one"(%x) : (tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
  check.expect_close_const %0, dense<[(-0.8833741, -1.6445912), (-0.0, 0.0), (-0.9816844, -0.0), (0xFF800000, 0xFF800000), (0x7F800000, 0x7F800000), (0x7FC00000, 0x7FC00000)]> : tensor<6xcomplex<f32>>, max_ulp_difference = 0
  func.return
}
func.func @log_complexf32() {
  %x = stablehlo.constant dense<[(0.5, -1.5), (-0.0, 0.0), (-4.0, -0.0), (1.0e30, 1.0e30), (0x7F800000, 1.0), (1.0, 0x7FC00000)]> : tensor<6xcomplex<f32>>
  %0 = "stablehlo.log"(%x) : (tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
  check.expect_close_const %0, dense<[(0.45814538, -1.2490457), (0xFF800000, 3.1415927), (1.3862944, -3.1415927), (69.424126, 0.7853982), (0x7F800000, 0.0), (0x7FC00000, 0x7FC00000)]> : tensor<6xcomplex<f32>>, max_ulp_difference = 0
  func.return
}
func.func @log_plus_one_complexf32() {
  %x = stablehlo.constant dense<[(0.5, -1.5), (-0.0, 0.0), (-4.0, -0.0), (1.0e30, 1.0e30), (0x7F800000, 1.0), (1.0, 0x7FC00000)]> : tensor<6xcomplex<f32>>
  %0 = "stablehlo.log_plus_one"(%x) : (tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
  check.expect_close_const %0, dense<[(0.7520387, -0.7853982), (0.0, 0.0), (1.0986123, -3.1415927), (69.424126, 0.7853982), (0x7F800000, 0.0), (0x7FC00000, 0x7FC00000)]> : tensor<6xcomplex<f32>>, max_ulp_difference = 0
  func.return
}
func.func @rsqrt_complexf32() {
  %x = stablehlo.constant dense<[(0.5, -1.5), (-0.0, 0.0), (-4.0, -0.0), (1.0e30, 1.0e30), (0x7F800000, 1.0), (1.0, 0x7FC00000)]> : tensor<6xcomplex<f32>>
  %0 = "stablehlo.rsqrt"(%x) : (tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
  check.expect_close_const %0, dense<[(0.64515716, 0.46500298), (0x7F800000, 0x7FC00000), (-0.0, 0.5), (7.7688697e-16, -3.2179713e-16), (0.0, 0.0), (0x7FC00000, 0x7FC00000)]> : tensor<6xcomplex<f32>>, max_ulp_difference = 0
  func.return
}
func.func @sine_complexf32() {
  %x = stablehlo.constant dense<[(0.5, -1.5), (-0.0, 0.0), (-4.0, -0.0), (1.0e30, 1.0e30), (0x7F800000, 1.0), (1.0, 0x7FC00000)]> : tensor<6xcomplex<f32>>
  %0 = "stablehlo.sine"(%x) : (tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
  check.expect_close_const %0, dense<[(1.1278052, -1.8686185), (-0.0, 0.0), (0.7568025, 0.0), (0xFF800000, 0xFF800000), (0x7FC00000, 0x7FC00000), (0x7FC00000, 0x7FC00000)]> : tensor<6xcomplex<f32>>, max_ulp_difference = 0
  func.return
}
func.func @sqrt_complexf32() {
  %x = stablehlo.constant dense<[(0.5, -1.5), (-0.0, 0.0), (-4.0, -0.0), (1.0e30, 1.0e30), (0x7F800000, 1.0), (1.0, 0x7FC00000)]> : tensor<6xcomplex<f32>>
  %0 = "stablehlo.sqrt"(%x) : (tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
  check.expect_close_const %0, dense<[(1.0200831, -0.73523426), (0.0, 0.0), (0.0, 2.0), (1098684108374016.0, 455089869291520.0), (0x7F800000, 0.0), (0x7FC00000, 0x7FC00000)]> : tensor<6xcomplex<f32>>, max_ulp_difference = 0
  func.return
}
func.func @tan_complexf32() {
  %x = stablehlo.constant dense<[(0.5, -1.5), (-0.0, 0.0), (-4.0, -0.0), (1.0e30, 1.0e30), (0x7F800000, 1.0), (1.0, 0x7FC00000)]> : tensor<6xcomplex<f32>>
  %0 = "stablehlo.tan"(%x) : (tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
  check.expect_close_const %0, dense<[(0.079324454, -0.944373), (-0.0, 0.0), (-1.1578213, -0.0), (0.0, 1.0), (0x7FC00000, 0x7FC00000), (0x7FC00000, 0x7FC00000)]> : tensor<6xcomplex<f32>>, max_ulp_difference = 0
  func.return
}
func.func @tanh_complexf32() {
  %x = stablehlo.constant dense<[(0.5, -1.5), (-0.0, 0.0), (-4.0, -0.0), (1.0e30, 1.0e30), (0x7F800000, 1.0), (1.0, 0x7FC00000)]> : tensor<6xcomplex<f32>>
  %0 = "stablehlo.tanh"(%x) : (tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
  check.expect_close_const %0, dense<[(2.124799, -0.25514922), (-0.0, 0.0), (-0.9993293, -0.0), (1.0, 0.0), (1.0, 0.0), (0x7FC00000, 0x7FC00000)]> : tensor<6xcomplex<f32>>, max_ulp_difference = 0
  func.return
}
func.func @cbrt_complexf32() {
  %x = stablehlo.constant dense<[(0.5, -1.5), (-0.0, 0.0), (27.0, -0.0), (-8.0, 0.0)]> : tensor<4xcomplex<f32>>
  %0 = "stablehlo.cbrt"(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  check.expect_close_const %0, dense<[(1.0654697, -0.4711508), (-0.0, 0.0), (3.0, -0.0), (1.0, 1.7320508)]> : tensor<4xcomplex<f32>>, max_ulp_difference = 2
  func.return
}
func.func @logistic_complexf32() {
  %x = stablehlo.constant dense<[(0.5, -1.5), (-200.0, 1.0), (200.0, 1.0)]> : tensor<3xcomplex<f32>>
  %0 = "stablehlo.logistic"(%x) : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  check.expect_close_const %0, dense<[(0.7174196, -0.4161906), (0.0, 0.0), (1.0, 0.0)]> : tensor<3xcomplex<f32>>, max_ulp_difference = 3
  func.return
}
func.func @power_complexf32() {
  %x = stablehlo.constant dense<[(0.0, 0.0), (0.0, 0.0), (1.0, 2.0)]> : tensor<3xcomplex<f32>>
  %y = stablehlo.constant dense<[(0.0, 0.0), (2.0, 0.0), (0.5, -1.0)]> : tensor<3xcomplex<f32>>
  %0 = "stablehlo.power"(%x, %y) : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  check.expect_eq_const %0, dense<[(1.0, 0.0), (0.0, 0.0), (4.382565, -1.1243975)]> : tensor<3xcomplex<f32>>
  func.return
}
func.func @atan2_complexf32() {
  %x = stablehlo.constant dense<[(0.5, 1.0)]> : tensor<1xcomplex<f32>>
  %y = stablehlo.constant dense<[(2.0, -1.0)]> : tensor<1xcomplex<f32>>
  %0 = "stablehlo.atan2"(%x, %y) : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %0, dense<[(0.0, 0.54930615)]> : tensor<1xcomplex<f32>>
  func.return
}
func.func @multiply_complexf64() {
  %x = stablehlo.constant dense<[(1.0, 2.0), (1.0e300, 0.0)]> : tensor<2xcomplex<f64>>
  %y = stablehlo.constant dense<[(3.0, -4.0), (1.0e300, 1.0)]> : tensor<2xcomplex<f64>>
  %0 = "stablehlo.multiply"(%x, %y) : (tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
  check.expect_eq_const %0, dense<[(11.0, 2.0), (0x7FF0000000000000, 1.0e+300)]> : tensor<2xcomplex<f64>>
  func.return
}
func.func @complex() {
  %x = stablehlo.constant dense<[1.0, -0.0]> : tensor<2xf32>
  %y = stablehlo.constant dense<[0x7F800000, 2.0]> : tensor<2xf32>
  %0 = stablehlo.complex %x, %y : tensor<2xcomplex<f32>>
  check.expect_eq_const %0, dense<[(1.0, 0x7F800000), (-0.0, 2.0)]> : tensor<2xcomplex<f32>>
  func.return
}

// zeta at the ends of its domain. Of infinite x, the largest term decides.
func.func @zeta_limits() {
  %inf = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %x = stablehlo.constant dense<[2.0, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 2.0, 0x7FC00000, 2.0, 0.5, 1.0, 2.0]> : tensor<11xf32>
  %q = stablehlo.constant dense<[0x7F800000, 2.0, 1.0, 0.5, 0x7F800000, 0x7FC00000, 3.0, -3.0, 1.0, 5.0, 0.0]> : tensor<11xf32>
  %0 = chlo.zeta %x, %q : tensor<11xf32>, tensor<11xf32> -> tensor<11xf32>
  check.expect_close_const %0, dense<[0.0, 0.0, 1.0, 0x7F800000, 0.0, 0x7FC00000, 0x7FC00000, 0x7F800000, 0x7FC00000, 0x7F800000, 0x7F800000]> : tensor<11xf32>, max_ulp_difference = 0
  func.return
}
func.func @polygamma_limits() {
  %n = stablehlo.constant dense<[0.0, 1.0, 2.0, 1.0, 2.0, 0x7FC00000, -1.0, 0.5, 1.0]> : tensor<9xf32>
  %x = stablehlo.constant dense<[0x7F800000, 0x7F800000, 0x7F800000, 0x7FC00000, 0x7FC00000, 1.0, 2.0, 2.0, 0.0]> : tensor<9xf32>
  %0 = chlo.polygamma %n, %x : tensor<9xf32>, tensor<9xf32> -> tensor<9xf32>
  check.expect_close_const %0, dense<[0x7F800000, 0.0, -0.0, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7F800000]> : tensor<9xf32>, max_ulp_difference = 0
  func.return
}
func.func @zeta_limits_f64() {
  %x = stablehlo.constant dense<[2.0, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<5xf64>
  %q = stablehlo.constant dense<[0x7FF0000000000000, 2.0, 1.0, 0x7FF0000000000000, 3.0]> : tensor<5xf64>
  %0 = chlo.zeta %x, %q : tensor<5xf64>, tensor<5xf64> -> tensor<5xf64>
  check.expect_close_const %0, dense<[0.0, 0.0, 1.0, 0.0, 0x7FF8000000000000]> : tensor<5xf64>, max_ulp_difference = 0
  func.return
}

// The first part is 0 on the real axis outside of (-1, 1).
func.func @asin_acos_kernel_on_the_axis() {
  %x = stablehlo.constant dense<[(-3.0, 0.0), (-1.0, 0.0), (1.0, -0.0), (2.0, 0.0)]> : tensor<4xcomplex<f32>>
  %0 = "chlo._asin_acos_kernel"(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %1 = stablehlo.real %0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  check.expect_eq_const %1, dense<0.0> : tensor<4xf32>
  func.return
}
