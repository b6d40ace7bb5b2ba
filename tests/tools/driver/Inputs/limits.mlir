func.func @nothing() {
  func.return
}
func.func @wrong() {
  %0 = stablehlo.constant dense<[1, 3, 3]> : tensor<3xi32>
  check.expect_eq_const %0, dense<[1, 2, 3]> : tensor<3xi32>
  func.return
}
func.func @recursion() -> tensor<i32> {
  %0 = func.call @recursion() : () -> tensor<i32>
  func.return %0 : tensor<i32>
}
func.func @large() -> tensor<100000x100000xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<100000x100000xf32>
  func.return %0 : tensor<100000x100000xf32>
}
func.func @large_constant() -> tensor<100000x100000xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<100000x100000xf32>
  func.return %0 : tensor<100000x100000xf32>
}
func.func @large_at_run_time() -> tensor<?x?xi64> {
  %shape = stablehlo.constant dense<100000> : tensor<2xi64>
  %0 = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi64>) -> tensor<?x?xi64>
  func.return %0 : tensor<?x?xi64>
}
func.func @long() -> tensor<2xi32> {
  %0 = stablehlo.constant dense<0> : tensor<1xi32>
  %1 = stablehlo.constant dense<0> : tensor<i32>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 1000000000000>, padding = dense<[[1000000000000, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<1xi32>, tensor<i32>) -> tensor<2xi32>
  func.return %2 : tensor<2xi32>
}
func.func @unknown() -> tensor<i32> {
  %0 = stablehlo.custom_call @somewhere() : () -> tensor<i32>
  func.return %0 : tensor<i32>
}
func.func @elided_unused() -> tensor<f32> {
  %0 = stablehlo.constant dense_resource<__elided__> : tensor<2xf32>
  %1 = stablehlo.constant dense<1.0> : tensor<f32>
  func.return %1 : tensor<f32>
}
func.func @elided() -> tensor<2xf32> {
  %0 = stablehlo.constant dense_resource<__elided__> : tensor<2xf32>
  %1 = stablehlo.add %0, %0 : tensor<2xf32>
  func.return %1 : tensor<2xf32>
}
