module @jit_rollpad attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> (tensor<16x4xf32> {jax.result_info = "result"}) {
    %0 = call @_roll_static(%arg0) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = call @_pad(%0, %c) : (tensor<16x4xf32>, tensor<i32>) -> tensor<20x4xf32>
    %2 = stablehlo.slice %1 [2:18, 0:4] : (tensor<20x4xf32>) -> tensor<16x4xf32>
    return %2 : tensor<16x4xf32>
  }
  func.func private @_roll_static(%arg0: tensor<16x4xf32>) -> tensor<16x4xf32> {
    %0 = stablehlo.slice %arg0 [3:16, 0:4] : (tensor<16x4xf32>) -> tensor<13x4xf32>
    %1 = stablehlo.slice %arg0 [0:3, 0:4] : (tensor<16x4xf32>) -> tensor<3x4xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<13x4xf32>, tensor<3x4xf32>) -> tensor<16x4xf32>
    return %2 : tensor<16x4xf32>
  }
  func.func private @_pad(%arg0: tensor<16x4xf32>, %arg1: tensor<i32>) -> tensor<20x4xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [2, 0], high = [2, 0], interior = [0, 0] : (tensor<16x4xf32>, tensor<f32>) -> tensor<20x4xf32>
    return %1 : tensor<20x4xf32>
  }
}
