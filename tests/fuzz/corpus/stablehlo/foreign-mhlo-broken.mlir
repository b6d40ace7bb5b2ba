func.func @f(%a: tensor<4xf32>) {
  %0 = "mhlo.while"(%a) ({
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "mhlo.copy"() : () -> tensor<4xf32>
  %2 = "mhlo.erf"(%a) {a = #mhlo<x>} : (tensor<4xf32>) -> i1
  return
}
