// Parameters and results of types that lowering changes.
func.func @main(%a: tensor<3xui8>, %b: tensor<3xi1>, %t: tuple<tensor<2xf32>, tensor<ui32>>)
    -> (tensor<3xui8>, tuple<tensor<2xf32>, tensor<3xi1>>) {
  %0 = stablehlo.add %a, %a : tensor<3xui8>
  %1 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<2xf32>, tensor<ui32>>) -> tensor<2xf32>
  %2 = stablehlo.tuple %1, %b : tuple<tensor<2xf32>, tensor<3xi1>>
  return %0, %2 : tensor<3xui8>, tuple<tensor<2xf32>, tensor<3xi1>>
}

func.func @unknown(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %0 = stablehlo.add %x, %x : tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

func.func private @elided() -> tensor<4xf32> {
  %0 = stablehlo.constant dense_resource<__elided__> : tensor<4xf32>
  %1 = stablehlo.cosine %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
