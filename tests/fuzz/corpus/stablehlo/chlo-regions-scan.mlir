func.func @scan(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xi8>, %arg2: tensor<2xf32>) {
  %0:2 = chlo.scan(%arg0) inits (%arg2) dimension=1  {
  ^bb0(%input: tensor<2xf32>, %carry: tensor<2xf32>):
    %3 = stablehlo.add %input, %carry : tensor<2xf32>
    stablehlo.return %3, %3 : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
  %1 = chlo.scan(%arg0, %arg1) inits () dimension=1  attributes {is_associative = true, is_reverse = true, note = "n"} {
  ^bb0(%input: tensor<2xf32>, %input_0: tensor<2xi8>):
    stablehlo.return %input_0 : tensor<2xi8>
  } : (tensor<2x3xf32>, tensor<2x3xi8>) -> tensor<2x3xi8>
  %2:2 = chlo.scan() inits (%arg2) dimension=0  attributes {scan_dim_size = 5 : i64} {
  ^bb0(%carry: tensor<2xf32>):
    stablehlo.return %carry, %carry : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2xf32>) -> (tensor<5x2xf32>, tensor<2xf32>)
  return
}
