func.func @infeed(%token: !stablehlo.token) -> tensor<4xf32> {
  %x, %next = "stablehlo.infeed"(%token) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return %x : tensor<4xf32>
}
