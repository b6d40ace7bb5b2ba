// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each process adds its number to a tensor. All get the sum of these tensors.
//
//   mercator run examples/sum_of_processes.mlir --processes=2
func.func @main() -> tensor<4xf32> {
  %id = stablehlo.partition_id : tensor<ui32>
  %number = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
  %all = stablehlo.broadcast_in_dim %number, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %own = stablehlo.add %x, %all : tensor<4xf32>
  %sum = "stablehlo.all_reduce"(%own) <{
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
    replica_groups = dense<[[0]]> : tensor<1x1xi64>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %sum : tensor<4xf32>
}
