// The feed-forward part of a transformer: of the two products, each has its own
// dispatch. `mercator explain` says why, and what one dispatch would cost.
func.func @main(%x: tensor<64x512xf32>, %w1: tensor<512x2048xf32>, %w2: tensor<2048x512xf32>) -> tensor<64x512xf32> {
  %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<64x512xf32>, tensor<512x2048xf32>) -> tensor<64x2048xf32>
  %a = stablehlo.tanh %h : tensor<64x2048xf32>
  %y = stablehlo.dot_general %a, %w2, contracting_dims = [1] x [0] : (tensor<64x2048xf32>, tensor<2048x512xf32>) -> tensor<64x512xf32>
  %r = stablehlo.add %y, %x : tensor<64x512xf32>
  return %r : tensor<64x512xf32>
}
