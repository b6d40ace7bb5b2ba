func.func private @callee(tensor<4xf32>) -> tensor<4xf32>
