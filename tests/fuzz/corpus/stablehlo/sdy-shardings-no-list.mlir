sdy.mesh @mesh = <["a"=2]>
func.func @f(%x: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = "sdy.named_computation"(%x) <{in_shardings = #sdy.sharding_per_value<tensor[<@mesh, [{}, {}]>]>, name = "f"}> ({
  ^bb0(%y: tensor<16x8xf32>):
    sdy.return %y : tensor<16x8xf32>
  }) : (tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
