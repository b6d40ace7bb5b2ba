func.func @main(%x: tensor<200x256xf32>, %y: tensor<256x320xf32>) -> tensor<200x320xf32> {
  %p = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<200x256xf32>, tensor<256x320xf32>) -> tensor<200x320xf32>
  %q = stablehlo.tanh %p : tensor<200x320xf32>
  return %q : tensor<200x320xf32>
}
