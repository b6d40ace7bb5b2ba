// A loop over the rows of a matrix. Each row is scaled and written back to its
// place, and all rows are added.
func.func @main(%rows: tensor<32x64xf32> loc("rows"), %zeros: tensor<32x64xf32> loc("zeros"),
                %start: tensor<1x64xf32> loc("start"), %scale: tensor<1x64xf32> loc("scale"))
    -> (tensor<32x64xf32>, tensor<1x64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32> loc("zero")
  %loop:3 = stablehlo.while(%i = %zero, %written = %zeros, %sum = %start)
      : tensor<i32>, tensor<32x64xf32>, tensor<1x64xf32>
   cond {
    %count = stablehlo.constant dense<32> : tensor<i32>
    %more = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %row = stablehlo.dynamic_slice %rows, %i, %zero, sizes = [1, 64]
        : (tensor<32x64xf32>, tensor<i32>, tensor<i32>) -> tensor<1x64xf32> loc("row")
    %scaled = stablehlo.multiply %row, %scale : tensor<1x64xf32> loc("scaled")
    %all = stablehlo.dynamic_update_slice %written, %scaled, %i, %zero
        : (tensor<32x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<i32>)
        -> tensor<32x64xf32> loc("all")
    %total = stablehlo.add %sum, %scaled : tensor<1x64xf32> loc("total")
    stablehlo.return %next, %all, %total : tensor<i32>, tensor<32x64xf32>, tensor<1x64xf32>
  } loc("loop")
  return %loop#1, %loop#2 : tensor<32x64xf32>, tensor<1x64xf32>
}
