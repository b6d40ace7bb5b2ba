func.func @outfeed(%x: tensor<4xf32>, %token: !stablehlo.token) -> !stablehlo.token {
  %next = "stablehlo.outfeed"(%x, %token) <{outfeed_config = ""}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return %next : !stablehlo.token
}
