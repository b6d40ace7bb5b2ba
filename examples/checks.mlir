// Functions that contain their expected results. `mercator conformance` calls
// each function, and the checks compare the results with the expected ones.

// A negative start index is clamped to 0.
func.func @dynamic_slice_is_clamped() {
  %x = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %start = stablehlo.constant dense<-7> : tensor<i32>
  %slice = stablehlo.dynamic_slice %x, %start, sizes = [2] : (tensor<5xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %slice, dense<[0, 1]> : tensor<2xi32>
  func.return
}

// Nothing is divided by zero in vain: XLA gives all bits.
func.func @integer_division() {
  %x = stablehlo.constant dense<[7, -7, -2147483648]> : tensor<3xi32>
  %y = stablehlo.constant dense<[0, 2, -1]> : tensor<3xi32>
  %quotient = stablehlo.divide %x, %y : tensor<3xi32>
  check.expect_eq_const %quotient, dense<[-1, -3, -2147483648]> : tensor<3xi32>
  func.return
}

func.func @softmax_of_equals() {
  %x = stablehlo.constant dense<3.0> : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %all = stablehlo.broadcast_in_dim %sum, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %p = stablehlo.divide %e, %all : tensor<4xf32>
  %expected = stablehlo.constant dense<0.25> : tensor<4xf32>
  check.expect_close %p, %expected, max_ulp_difference = 1 : tensor<4xf32>, tensor<4xf32>
  func.return
}
