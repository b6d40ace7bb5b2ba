func.func @main(%x: tensor<1000x8xf32>, %i: tensor<5xi32>) -> (tensor<5x8xf32>, tensor<2x8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i32>) -> tensor<5xi32>
  %isNegative = stablehlo.compare LT, %i, %zeros, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
  %size = stablehlo.constant dense<1000> : tensor<i32>
  %sizes = stablehlo.broadcast_in_dim %size, dims = [] : (tensor<i32>) -> tensor<5xi32>
  %fromEnd = stablehlo.add %i, %sizes : tensor<5xi32>
  %wrapped = stablehlo.select %isNegative, %fromEnd, %i : tensor<5xi1>, tensor<5xi32>
  %column = stablehlo.broadcast_in_dim %wrapped, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
  %rows = "stablehlo.gather"(%x, %column) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>, indices_are_sorted = false}> : (tensor<1000x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  %least = stablehlo.constant dense<-2147483648> : tensor<i32>
  %greatest = stablehlo.reduce(%i init: %least) applies stablehlo.maximum across dimensions = [0] : (tensor<5xi32>, tensor<i32>) -> tensor<i32>
  %part = stablehlo.dynamic_slice %x, %greatest, %zero, sizes = [2, 8] : (tensor<1000x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
  return %rows, %part : tensor<5x8xf32>, tensor<2x8xf32>
}
