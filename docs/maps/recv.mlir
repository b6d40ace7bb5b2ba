func.func @recv(%token: !stablehlo.token) -> tensor<4xf32> {
  %x, %next = "stablehlo.recv"(%token) <{
    channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>,
    source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>
  }> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return %x : tensor<4xf32>
}
