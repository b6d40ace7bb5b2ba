// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Dots and batch normalization of f64, which the flow pipeline computes in f32.
// The expected values are those of the evaluator of StableHLO.
// RUN: mercator conformance %s
// RUN: mercator conformance --through=linalg %s

// Products are rounded, not the operands.
func.func @wide_operands() {
  %a = stablehlo.constant dense<[[1.0000000001,2.0]]> : tensor<1x2xf64>
  %b = stablehlo.constant dense<[[16777217.0],[0.5]]> : tensor<2x1xf64>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x2xf64>, tensor<2x1xf64>) -> tensor<1x1xf32>
  check.expect_eq_const %r, dense<[[16777220.0]]> : tensor<1x1xf32>
  return
}

func.func @bn_inference_f64() {
  %a = stablehlo.constant dense<[[[1.0,2.0],[3.0,4.0]],[[5.0,7.0],[-3.0,0.5]]]> : tensor<2x2x2xf64>
  %b = stablehlo.constant dense<[1.0,2.0]> : tensor<2xf64>
  %c = stablehlo.constant dense<[0.5,-1.0]> : tensor<2xf64>
  %d = stablehlo.constant dense<[2.0,1.0]> : tensor<2xf64>
  %e = stablehlo.constant dense<[0.5,3.0]> : tensor<2xf64>
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 1.250000e-01 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2x2x2xf64>
  check.expect_close_const %r, dense<[[[-0.7649110640673518, 0.13137084989847603], [1.7649110640673518, 2.394112549695428]], [[4.294733192202055, 5.788225099390856], [-5.824555320336758, -1.565685424949238]]]> : tensor<2x2x2xf64>, max_ulp_difference = 2
  return
}

func.func @bn_training_f64() {
  %a = stablehlo.constant dense<[[[1.0,2.0],[3.0,4.0]],[[5.0,7.0],[-3.0,0.5]]]> : tensor<2x2x2xf64>
  %b = stablehlo.constant dense<[1.0,2.0]> : tensor<2xf64>
  %c = stablehlo.constant dense<[0.5,-1.0]> : tensor<2xf64>
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 1.250000e-01 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_close_const %r#0, dense<[[[0.3321637283406622, -2.1183228491057675], [1.0035088149780136, -0.49167143222465104]], [[1.6748539016153647, 1.9483056930970237], [-1.0105264449340403, -3.338311411766605]]]> : tensor<2x2x2xf64>, max_ulp_difference = 2
  check.expect_close_const %r#1, dense<[1.5, 3.375]> : tensor<2xf64>, max_ulp_difference = 2
  check.expect_close_const %r#2, dense<[8.75, 5.921875]> : tensor<2xf64>, max_ulp_difference = 2
  return
}

func.func @bn_grad_f64() {
  %a = stablehlo.constant dense<[[[1.0,2.0],[3.0,4.0]],[[5.0,7.0],[-3.0,0.5]]]> : tensor<2x2x2xf64>
  %b = stablehlo.constant dense<[1.0,2.0]> : tensor<2xf64>
  %c = stablehlo.constant dense<[2.0,1.0]> : tensor<2xf64>
  %d = stablehlo.constant dense<[0.5,3.0]> : tensor<2xf64>
  %e = stablehlo.constant dense<[[[0.5,-1.0],[2.0,0.25]],[[1.0,3.0],[-2.0,1.0]]]> : tensor<2x2x2xf64>
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 1.250000e-01 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2x2x2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_close_const %r#0, dense<[[[7.494598054599059, -3.6119014383008845], [-5.281003692481193, -5.3202714216475835]], [[-21.218883099729823, -6.8928769030064645], [33.67825708079324, 0.9927779207859126]]]> : tensor<2x2x2xf64>, max_ulp_difference = 2
  check.expect_close_const %r#1, dense<[18.3412104289766, 9.758073580374356]> : tensor<2xf64>, max_ulp_difference = 2
  check.expect_close_const %r#2, dense<[1.5, 3.25]> : tensor<2xf64>, max_ulp_difference = 2
  return
}
