func.func @f() {
 %0 = stablehlo.constant dense<1> : tensor<9223372036854775807x9223372036854775807xi32>
 return
}
