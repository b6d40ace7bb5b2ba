// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of a table, a layer norm, a linear layer and gelu, in the operations and attributes
// that torch_xla writes.

module @IrToHlo.71 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false} {
  func.func @main(%arg0: tensor<12xf32>, %arg1: tensor<12x8xf32>, %arg2: tensor<8xf32> {mhlo.sharding = "{replicated}"}, %arg3: tensor<8xf32>, %arg4: tensor<1x3xi64>, %arg5: tensor<20x8xf32>) -> (tensor<1x3x12xf32>, tensor<1x3x1xf32>) {
    %0 = stablehlo.constant dense<1.41421354> : tensor<1x3x12xf32>
    %1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.constant dense<5.000000e-01> : tensor<1x3x12xf32>
    %3 = stablehlo.constant dense<1.000000e+00> : tensor<3xf32>
    %4 = stablehlo.constant dense<0.000000e+00> : tensor<3xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reshape %arg4 : (tensor<1x3xi64>) -> tensor<3xi64>
    %6 = stablehlo.convert %5 : (tensor<3xi64>) -> tensor<3xui32>
    %7 = "stablehlo.gather"(%arg5, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<20x8xf32>, tensor<3xui32>) -> tensor<3x8xf32>
    %8 = stablehlo.reshape %7 : (tensor<3x8xf32>) -> tensor<1x3x8xf32>
    %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%8, %3, %4) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<1x3x8xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<1x3x8xf32>, tensor<3xf32>, tensor<3xf32>)
    %9 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<8xf32>) -> tensor<1x3x8xf32>
    %10 = stablehlo.multiply %output, %9 : tensor<1x3x8xf32>
    %11 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<8xf32>) -> tensor<1x3x8xf32>
    %12 = stablehlo.add %10, %11 : tensor<1x3x8xf32>
    %13 = stablehlo.reshape %12 : (tensor<1x3x8xf32>) -> tensor<3x8xf32>
    %14 = stablehlo.transpose %arg1, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[8,12]{0,1}"} : (tensor<12x8xf32>) -> tensor<8x12xf32>
    %15 = stablehlo.dot_general %13, %14, contracting_dims = [1] x [0] : (tensor<3x8xf32>, tensor<8x12xf32>) -> tensor<3x12xf32>
    %16 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<12xf32>) -> tensor<3x12xf32>
    %17 = stablehlo.add %15, %16 : tensor<3x12xf32>
    %18 = stablehlo.reshape %17 : (tensor<3x12xf32>) -> tensor<1x3x12xf32>
    %19 = stablehlo.divide %18, %0 : tensor<1x3x12xf32>
    %20 = stablehlo.custom_call @mhlo.erf(%19) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<1x3x12xf32>) -> tensor<1x3x12xf32>
    %21 = stablehlo.composite "test.gelu" %18, %20 {composite_attributes = {approximate = "none", scale = 5.000000e-01 : f32}, decomposition = @test.gelu.impl} : (tensor<1x3x12xf32>, tensor<1x3x12xf32>) -> tensor<1x3x12xf32>
    %22 = stablehlo.reduce(%21 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<1x3x12xf32>, tensor<f32>) -> tensor<1x3xf32>
    %23 = stablehlo.reshape %22 : (tensor<1x3xf32>) -> tensor<1x3x1xf32>
    %24 = stablehlo.tuple %21, %23 {xla_shape = "(f32[1,3,12]{2,1,0}, f32[1,3,1]{2,1,0})"} : tuple<tensor<1x3x12xf32>, tensor<1x3x1xf32>>
    %25 = stablehlo.get_tuple_element %24[0] : (tuple<tensor<1x3x12xf32>, tensor<1x3x1xf32>>) -> tensor<1x3x12xf32>
    return %25, %23 : tensor<1x3x12xf32>, tensor<1x3x1xf32>
  }
  func.func private @test.gelu.impl(%arg0: tensor<1x3x12xf32>, %arg1: tensor<1x3x12xf32>) -> tensor<1x3x12xf32> {
    %0 = stablehlo.constant dense<1.000000e+00> : tensor<1x3x12xf32>
    %1 = stablehlo.constant dense<5.000000e-01> : tensor<1x3x12xf32>
    %2 = stablehlo.add %arg1, %0 : tensor<1x3x12xf32>
    %3 = stablehlo.multiply %arg0, %1 : tensor<1x3x12xf32>
    %4 = stablehlo.multiply %3, %2 : tensor<1x3x12xf32>
    return %4 : tensor<1x3x12xf32>
  }
}
