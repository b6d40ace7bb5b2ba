// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

func.func @main(%a: tensor<4xf32>, %b: tensor<4x2xf32>) -> tuple<tensor<4xf32>, tensor<4x2xf32>> {
  %f = "stablehlo.async_start"(%a, %b) ({
  ^bb0(%x: tensor<4xf32>, %y: tensor<4x2xf32>):
    %n:2 = "stablehlo.all_gather"(%x, %y) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>}> : (tensor<4xf32>, tensor<4x2xf32>) -> (tensor<4xf32>, tensor<4x2xf32>)
    stablehlo.return %n#0, %n#1 : tensor<4xf32>, tensor<4x2xf32>
  }) : (tensor<4xf32>, tensor<4x2xf32>) -> !stablehlo.future<tensor<4xf32>, tensor<4x2xf32>>
  %d:2 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4xf32>, tensor<4x2xf32>>) -> (tensor<4xf32>, tensor<4x2xf32>)
  %t = stablehlo.tuple %d#0, %d#1 : tuple<tensor<4xf32>, tensor<4x2xf32>>
  return %t : tuple<tensor<4xf32>, tensor<4x2xf32>>
}
