func.func @control(%arg0: tensor<i32>, %arg1: tensor<i1>, %arg2: tensor<4xf32>) {
  %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg2) : tensor<i32>, tensor<4xf32> attributes {a = "b"}
   cond {
    %4 = stablehlo.compare  LT, %iterArg, %iterArg : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  } do {
    %4 = stablehlo.negate %iterArg_0 : tensor<4xf32>
    stablehlo.return %iterArg, %4 : tensor<i32>, tensor<4xf32>
  }
  stablehlo.while()
   cond {
    stablehlo.return %arg1 : tensor<i1>
  } do {
    stablehlo.return 
  }
  %1 = "stablehlo.if"(%arg1) ({
    stablehlo.return %arg2 : tensor<4xf32>
  }, {
    stablehlo.return %arg2 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %2 = "stablehlo.case"(%arg0) ({
    stablehlo.return %arg2 : tensor<4xf32>
  }, {
    stablehlo.return %arg2 : tensor<4xf32>
  }, {
    stablehlo.return %arg2 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  %3:2 = stablehlo.optimization_barrier %arg2, %arg0 : tensor<4xf32>, tensor<i32>
  stablehlo.optimization_barrier()
  return
}
