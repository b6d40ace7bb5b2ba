func.func @f(%x: tensor<4x?xf32, #stablehlo.bounds<?, 9>>, %i: tensor<?xf32, #stablehlo.bounds<9>>) {
  %s, %t = chlo.scan(%x) inits (%i) dimension=0 {
  ^bb0(%a: tensor<?xf32, #stablehlo.bounds<9>>, %c: tensor<?xf32, #stablehlo.bounds<9>>):
    stablehlo.return %a, %c : tensor<?xf32, #stablehlo.bounds<9>>, tensor<?xf32, #stablehlo.bounds<9>>
  } : (tensor<4x?xf32, #stablehlo.bounds<?, 9>>, tensor<?xf32, #stablehlo.bounds<9>>) -> (tensor<4x?xf32, #stablehlo.bounds<?, 9>>, tensor<?xf32, #stablehlo.bounds<9>>)
  return
}
