func.func @async(%x: tensor<8xf32>) -> tensor<8xf32> {
  %future = "stablehlo.async_start"(%x) ({
  ^bb0(%y: tensor<8xf32>):
    %z = "stablehlo.collective_permute"(%y) <{
      source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>
    }> : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %z : tensor<8xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<8xf32>>
  %done = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<8xf32>>) -> tensor<8xf32>
  return %done : tensor<8xf32>
}
