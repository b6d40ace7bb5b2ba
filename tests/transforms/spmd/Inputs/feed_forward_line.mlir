// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layer of llvm/lighthouse, examples/mpi: sigmoid(A B) C with stationary weights
// on 8 devices (arXiv 2211.05102, figure 2a). There, each value is annotated;
// here only what comes in.

module @feed_forward_line {
  sdy.mesh @grid = <["x"=8]>
  func.func @main(
      %a: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@grid, [{}, {"x"}]>},
      %b: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@grid, [{}, {"x"}]>},
      %c: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@grid, [{"x"}, {}]>})
      -> tensor<16x64xf32> {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
    %1 = stablehlo.logistic %0 : tensor<16x32xf32>
    %2 = stablehlo.dot_general %1, %c, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
    return %2 : tensor<16x64xf32>
  }
}
