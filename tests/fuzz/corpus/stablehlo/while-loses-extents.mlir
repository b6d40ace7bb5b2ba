func.func @f(%x: tensor<4xf32>, %p: tensor<i1>) -> tensor<?xf32> {
  %0:2 = "stablehlo.while"(%x, %p) ({
  ^bb0(%y: tensor<?xf32>, %q: tensor<i1>):
    stablehlo.return %q : tensor<i1>
  }, {
  ^bb0(%y: tensor<?xf32>, %q: tensor<i1>):
    stablehlo.return %y, %q : tensor<?xf32>, tensor<i1>
  }) : (tensor<4xf32>, tensor<i1>) -> (tensor<?xf32>, tensor<i1>)
  return %0#0 : tensor<?xf32>
}
