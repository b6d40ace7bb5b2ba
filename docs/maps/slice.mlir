func.func @slice(%x: tensor<10x20xf32>) -> tensor<5x3xf32> {
  %y = stablehlo.slice %x [5:10, 3:20:7] : (tensor<10x20xf32>) -> tensor<5x3xf32>
  return %y : tensor<5x3xf32>
}
