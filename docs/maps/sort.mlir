func.func @sort(%keys: tensor<4x8xf32>, %values: tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
  %k, %v = "stablehlo.sort"(%keys, %values) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %less = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return %k, %v : tensor<4x8xf32>, tensor<4x8xi32>
}
