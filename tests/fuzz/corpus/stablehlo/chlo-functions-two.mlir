func.func @two(%arg0: tensor<4xf32>, %arg1: tensor<4xui8>) {
  %0 = chlo.next_after %arg0, %arg0 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %1 = chlo.polygamma %arg0, %arg0 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %2 = chlo.zeta %arg0, %arg0 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %3 = chlo.mulhi %arg1, %arg1 : tensor<4xui8>, tensor<4xui8> -> tensor<4xui8>
  return
}
