func.func private @values(!stablehlo.token, tuple<tensor<f32>, !stablehlo.token>, !stablehlo.future<tensor<f32>, tensor<?xi32>>, memref<2xf32>)
