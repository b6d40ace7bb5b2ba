func.func @send(%x: tensor<4xf32>, %token: !stablehlo.token) -> !stablehlo.token {
  %next = "stablehlo.send"(%x, %token) <{
    channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>,
    source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>
  }> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return %next : !stablehlo.token
}
