// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Batch normalization of all kinds.
// The expected values are those of the evaluator of StableHLO.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s
// RUN: mercator conformance --through=flow %s

func.func @bn_inference_f32() {
  %a = stablehlo.constant dense<[[[1.0,2.0],[3.0,4.0]],[[5.0,7.0],[-3.0,0.5]]]> : tensor<2x2x2xf32>
  %b = stablehlo.constant dense<[1.0,2.0]> : tensor<2xf32>
  %c = stablehlo.constant dense<[0.5,-1.0]> : tensor<2xf32>
  %d = stablehlo.constant dense<[2.0,1.0]> : tensor<2xf32>
  %e = stablehlo.constant dense<[0.5,3.0]> : tensor<2xf32>
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 1.250000e-01 : f32, feature_index = 1 : i64}> : (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2x2xf32>
  check.expect_close_const %r, dense<[[[-0.76491106, 0.5], [1.2627418, 2.3941126]], [[4.294733, 6.8245554], [-5.5254836, -1.5656855]]]> : tensor<2x2x2xf32>, max_ulp_difference = 2
  return
}

func.func @bn_training_f32() {
  %a = stablehlo.constant dense<[[[1.0,2.0],[3.0,4.0]],[[5.0,7.0],[-3.0,0.5]]]> : tensor<2x2x2xf32>
  %b = stablehlo.constant dense<[1.0,2.0]> : tensor<2xf32>
  %c = stablehlo.constant dense<[0.5,-1.0]> : tensor<2xf32>
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 1.250000e-01 : f32, feature_index = 1 : i64}> : (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_close_const %r#0, dense<[[[-0.6406468, -0.22586614], [0.3764944, 1.1106248]], [[1.0184758, 1.8480371], [-4.028288, -1.4588314]]]> : tensor<2x2x2xf32>, max_ulp_difference = 2
  check.expect_close_const %r#1, dense<[3.75, 1.125]> : tensor<2xf32>, max_ulp_difference = 2
  check.expect_close_const %r#2, dense<[5.6875, 7.296875]> : tensor<2xf32>, max_ulp_difference = 2
  return
}

func.func @bn_grad_f32() {
  %a = stablehlo.constant dense<[[[1.0,2.0],[3.0,4.0]],[[5.0,7.0],[-3.0,0.5]]]> : tensor<2x2x2xf32>
  %b = stablehlo.constant dense<[1.0,2.0]> : tensor<2xf32>
  %c = stablehlo.constant dense<[2.0,1.0]> : tensor<2xf32>
  %d = stablehlo.constant dense<[0.5,3.0]> : tensor<2xf32>
  %e = stablehlo.constant dense<[[[0.5,-1.0],[2.0,0.25]],[[1.0,3.0],[-2.0,1.0]]]> : tensor<2x2x2xf32>
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 1.250000e-01 : f32, feature_index = 1 : i64}> : (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_close_const %r#0, dense<[[[8.380035, -2.3717082], [-0.30829862, -3.3969412]], [[-26.405018, -41.58395], [1.8186789, 1.3321892]]]> : tensor<2x2x2xf32>, max_ulp_difference = 2
  check.expect_close_const %r#1, dense<[22.135944, 6.929647]> : tensor<2xf32>, max_ulp_difference = 2
  check.expect_close_const %r#2, dense<[3.5, 1.25]> : tensor<2xf32>, max_ulp_difference = 2
  return
}

func.func @bn_inference_bf16() {
  %a = stablehlo.constant dense<[[[1.0,2.0],[3.0,4.0]],[[5.0,7.0],[-3.0,0.5]]]> : tensor<2x2x2xbf16>
  %b = stablehlo.constant dense<[1.0,2.0]> : tensor<2xbf16>
  %c = stablehlo.constant dense<[0.5,-1.0]> : tensor<2xbf16>
  %d = stablehlo.constant dense<[2.0,1.0]> : tensor<2xbf16>
  %e = stablehlo.constant dense<[0.5,3.0]> : tensor<2xbf16>
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 1.250000e-01 : f32, feature_index = 0 : i64}> : (tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>) -> tensor<2x2x2xbf16>
  check.expect_close_const %r, dense<[[[-0.766, 0.5], [1.766, 3.03]], [[3.53, 5.78], [-5.53, -1.56]]]> : tensor<2x2x2xbf16>, max_ulp_difference = 2
  return
}

func.func @bn_training_bf16() {
  %a = stablehlo.constant dense<[[[1.0,2.0],[3.0,4.0]],[[5.0,7.0],[-3.0,0.5]]]> : tensor<2x2x2xbf16>
  %b = stablehlo.constant dense<[1.0,2.0]> : tensor<2xbf16>
  %c = stablehlo.constant dense<[0.5,-1.0]> : tensor<2xbf16>
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 1.250000e-01 : f32, feature_index = 0 : i64}> : (tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>) -> (tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>)
  check.expect_close_const %r#0, dense<[[[-0.78, 0.074], [0.926, 1.78]], [[0.344, 1.375], [-3.75, -1.96]]]> : tensor<2x2x2xbf16>, max_ulp_difference = 2
  check.expect_close_const %r#1, dense<[2.5, 2.38]> : tensor<2xbf16>, max_ulp_difference = 2
  check.expect_close_const %r#2, dense<[1.25, 15.2]> : tensor<2xbf16>, max_ulp_difference = 2
  return
}

func.func @bn_grad_bf16() {
  %a = stablehlo.constant dense<[[[1.0,2.0],[3.0,4.0]],[[5.0,7.0],[-3.0,0.5]]]> : tensor<2x2x2xbf16>
  %b = stablehlo.constant dense<[1.0,2.0]> : tensor<2xbf16>
  %c = stablehlo.constant dense<[2.0,1.0]> : tensor<2xbf16>
  %d = stablehlo.constant dense<[0.5,3.0]> : tensor<2xbf16>
  %e = stablehlo.constant dense<[[[0.5,-1.0],[2.0,0.25]],[[1.0,3.0],[-2.0,1.0]]]> : tensor<2x2x2xbf16>
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 1.250000e-01 : f32, feature_index = 0 : i64}> : (tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2x2x2xbf16>) -> (tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>)
  check.expect_close_const %r#0, dense<[[[1.09, -1.82], [0.965, -2.27]], [[-10.44, -13.5], [7.56, 1.62]]]> : tensor<2x2x2xbf16>, max_ulp_difference = 2
  check.expect_close_const %r#1, dense<[2.53, 16.8]> : tensor<2xbf16>, max_ulp_difference = 2
  check.expect_close_const %r#2, dense<[1.75, 3.0]> : tensor<2xbf16>, max_ulp_difference = 2
  return
}

func.func @bn_dynamic_batch() {
  %a = stablehlo.constant dense<[[[1.0,2.0],[3.0,4.0]],[[5.0,7.0],[-3.0,0.5]]]> : tensor<2x2x2xf32>
  %b = stablehlo.constant dense<[1.0,2.0]> : tensor<2xf32>
  %c = stablehlo.constant dense<[0.5,-1.0]> : tensor<2xf32>
  %d = tensor.cast %a : tensor<2x2x2xf32> to tensor<?x2x?xf32>
  %r:3 = "stablehlo.batch_norm_training"(%d, %b, %c) <{epsilon = 1.250000e-01 : f32, feature_index = 1 : i64}> : (tensor<?x2x?xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<?x2x?xf32>, tensor<2xf32>, tensor<2xf32>)
  %s0 = tensor.cast %r#0 : tensor<?x2x?xf32> to tensor<2x2x2xf32>
  check.expect_close_const %s0, dense<[[[-0.6406468, -0.22586614], [0.3764944, 1.1106248]], [[1.0184758, 1.8480371], [-4.028288, -1.4588314]]]> : tensor<2x2x2xf32>, max_ulp_difference = 2
  check.expect_close_const %r#1, dense<[3.75, 1.125]> : tensor<2xf32>, max_ulp_difference = 2
  check.expect_close_const %r#2, dense<[5.6875, 7.296875]> : tensor<2xf32>, max_ulp_difference = 2
  return
}
