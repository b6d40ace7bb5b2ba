func.func @windows(%arg0: tensor<4x8xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<2x3xf32>) {
  %0 = stablehlo.slice %arg0 [0:4, 1:8:3] : (tensor<4x8xf32>) -> tensor<4x3xf32>
  %1 = stablehlo.dynamic_slice %arg0, %arg2, %arg2, sizes = [2, 3] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %2 = stablehlo.dynamic_slice %arg1,  sizes = [] : (tensor<f32>) -> tensor<f32>
  %3 = stablehlo.dynamic_update_slice %arg0, %arg3, %arg2, %arg2 : (tensor<4x8xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  %4 = stablehlo.pad %arg0, %arg1, low = [1, -1], high = [0, 2], interior = [1, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8x9xf32>
  return
}
