// The masked scores of two attention heads, as JAX writes them.
func.func @main(%q: tensor<2x3x4xf32>, %k: tensor<2x3x4xf32>) -> tensor<2x3x3xf32> {
  %scores = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x3xf32>
  %row = stablehlo.iota dim = 1 : tensor<2x3x3xi32>
  %column = stablehlo.iota dim = 2 : tensor<2x3x3xi32>
  %past = stablehlo.compare GE, %row, %column : (tensor<2x3x3xi32>, tensor<2x3x3xi32>) -> tensor<2x3x3xi1>
  %never = stablehlo.constant dense<0xFF800000> : tensor<2x3x3xf32>
  %masked = stablehlo.select %past, %scores, %never : tensor<2x3x3xi1>, tensor<2x3x3xf32>
  func.return %masked : tensor<2x3x3xf32>
}
