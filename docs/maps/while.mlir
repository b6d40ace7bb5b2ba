func.func @while(%n: tensor<i32>, %x: tensor<4xf32>, %step: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %i, %y = stablehlo.while(%k = %zero, %v = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %more = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k1 = stablehlo.add %k, %one : tensor<i32>
    %v1 = stablehlo.add %v, %step : tensor<4xf32>
    stablehlo.return %k1, %v1 : tensor<i32>, tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
