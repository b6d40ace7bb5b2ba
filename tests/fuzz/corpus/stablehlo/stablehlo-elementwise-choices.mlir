func.func @choices(%arg0: tensor<4xf32>, %arg1: tensor<4xi1>, %arg2: tensor<i1>, %arg3: tensor<f32>) {
  %0 = stablehlo.compare  LT, %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = stablehlo.compare  GE, %arg0, %arg0,  TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = stablehlo.select %arg1, %arg0, %arg0 : tensor<4xi1>, tensor<4xf32>
  %3 = stablehlo.select %arg2, %arg0, %arg0 : tensor<i1>, tensor<4xf32>
  %4 = stablehlo.clamp %arg3, %arg0, %arg3 : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
