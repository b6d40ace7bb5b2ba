func.func @top_k(%arg0: tensor<?x8xbf16>) {
  %values, %indices = chlo.top_k(%arg0, k = 3) : tensor<?x8xbf16> -> (tensor<?x3xbf16>, tensor<?x3xi32>)
  %values_0, %indices_1 = chlo.top_k(%arg0, k = 0, is_stable = false) {note = "n"} : tensor<?x8xbf16> -> (tensor<?x0xbf16>, tensor<?x0xi32>)
  return
}
