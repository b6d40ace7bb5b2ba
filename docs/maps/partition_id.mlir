func.func @partition_id() -> tensor<ui32> {
  %id = stablehlo.partition_id : tensor<ui32>
  return %id : tensor<ui32>
}
