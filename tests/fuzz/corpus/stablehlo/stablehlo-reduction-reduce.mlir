func.func @reduce(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xi32>, %arg2: tensor<f32>, %arg3: tensor<i32>) {
  %0 = stablehlo.reduce(%arg0 init: %arg2) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.reduce(%arg0 init: %arg2) across dimensions = [0, 1] {a = 1 : i64} : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
   reducer(%arg4: tensor<f32>, %arg5: tensor<f32>) {
    %3 = stablehlo.subtract %arg4, %arg5 : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }
  %2:2 = stablehlo.reduce(%arg0 init: %arg2), (%arg1 init: %arg3) across dimensions = [0] : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
   reducer(%arg4: tensor<f32>, %arg6: tensor<f32>) (%arg5: tensor<i32>, %arg7: tensor<i32>) {
    %3 = stablehlo.maximum %arg4, %arg6 : tensor<f32>
    %4 = stablehlo.minimum %arg5, %arg7 : tensor<i32>
    stablehlo.return %3, %4 : tensor<f32>, tensor<i32>
  }
  return
}
