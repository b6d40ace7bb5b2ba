func.func @f(%a: tensor<4xf32>) {
  %0 = "shape.get_extent"() : () -> index
  %1 = "shape.assuming"() ({
  }) : () -> tensor<4xf32>
  %2 = "shape.shape_of"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<1xindex>
  return
}
