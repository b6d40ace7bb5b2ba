// A layer normalization as JAX writes it, with a factor and a summand:
//   mean = x.mean(-1, keepdims=True)
//   var = ((x - mean) ** 2).mean(-1, keepdims=True)
//   (x - mean) * lax.rsqrt(var + 1e-6) * scale + bias
func.func @main(%x: tensor<32x768xf32>, %scale: tensor<768xf32>, %bias: tensor<768xf32>) -> tensor<32x768xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<768.0> : tensor<32x1xf32>
  %epsilon = stablehlo.constant dense<9.99999997E-7> : tensor<32x1xf32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32x768xf32>, tensor<f32>) -> tensor<32xf32>
  %0 = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
  %mean = stablehlo.divide %0, %n : tensor<32x1xf32>
  %1 = stablehlo.broadcast_in_dim %mean, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x768xf32>
  %centered = stablehlo.subtract %x, %1 : tensor<32x768xf32>
  %2 = stablehlo.multiply %centered, %centered : tensor<32x768xf32>
  %squares = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32x768xf32>, tensor<f32>) -> tensor<32xf32>
  %3 = stablehlo.broadcast_in_dim %squares, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
  %var = stablehlo.divide %3, %n : tensor<32x1xf32>
  %4 = stablehlo.add %var, %epsilon : tensor<32x1xf32>
  %5 = stablehlo.rsqrt %4 : tensor<32x1xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x768xf32>
  %7 = stablehlo.multiply %centered, %6 : tensor<32x768xf32>
  %8 = stablehlo.broadcast_in_dim %scale, dims = [1] : (tensor<768xf32>) -> tensor<32x768xf32>
  %9 = stablehlo.multiply %7, %8 : tensor<32x768xf32>
  %10 = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<768xf32>) -> tensor<32x768xf32>
  %y = stablehlo.add %9, %10 : tensor<32x768xf32>
  return %y : tensor<32x768xf32>
}
