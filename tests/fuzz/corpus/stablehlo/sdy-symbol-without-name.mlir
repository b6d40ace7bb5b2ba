func.func @f(%arg0: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %arg0 @<mesh, [{"a", ?}, {}]> : tensor<8x8xf32>
}
