// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layer of llvm/lighthouse, examples/mpi: sigmoid(A B) C with stationary weights
// on a grid of 2 by 4 (arXiv 2211.05102, figure 2b). There, each value is annotated;
// here only what comes in, and the destination.

module @feed_forward {
  sdy.mesh @grid = <["x"=2, "y"=4]>
  func.func @main(
      %a: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@grid, [{}, {"x", "y"}]>},
      %b: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@grid, [{"x"}, {"y"}]>},
      %c: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@grid, [{"y"}, {"x"}]>})
      -> (tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@grid, [{}, {"x", "y"}]>}) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
    %1 = stablehlo.logistic %0 : tensor<16x32xf32>
    %2 = stablehlo.dot_general %1, %c, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
    return %2 : tensor<16x64xf32>
  }
}
