func.func @tuple(%x: tensor<4xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %pair = stablehlo.tuple %x, %y : tuple<tensor<4xf32>, tensor<2x3xf32>>
  %second = stablehlo.get_tuple_element %pair[1] : (tuple<tensor<4xf32>, tensor<2x3xf32>>) -> tensor<2x3xf32>
  return %second : tensor<2x3xf32>
}
