func.func @calls(%arg0: tensor<4xf32>, %arg1: tensor<f32>, %arg2: tensor<1xi64>, %arg3: tensor<2xui64>) {
  %0 = stablehlo.custom_call @target(%arg0, %arg1) {api_version = 4 : i32, backend_config = "c", has_side_effect = true, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4xf32>, tensor<f32>) -> tuple<tensor<4xf32>>
  stablehlo.custom_call @"not a name"() : () -> ()
  %1 = stablehlo.composite "mercator.id" %arg0 {composite_attributes = {a = 1 : i64}, decomposition = @callee, version = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.rng %arg1, %arg1, %arg2, distribution =  UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %output_state, %output = stablehlo.rng_bit_generator %arg3, algorithm =  THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return
}
