func.func @tuples(%arg0: tensor<i32>, %arg1: tensor<4xf32>, %arg2: !stablehlo.token) {
  %0 = stablehlo.tuple %arg0, %arg1 : tuple<tensor<i32>, tensor<4xf32>>
  %1 = stablehlo.tuple  : tuple<>
  %2 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<i32>, tensor<4xf32>>) -> tensor<4xf32>
  %3 = stablehlo.create_token : !stablehlo.token
  %4 = stablehlo.after_all %3, %arg2 : !stablehlo.token
  %5 = stablehlo.after_all  : !stablehlo.token
  return
}
