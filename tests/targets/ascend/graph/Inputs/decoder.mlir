// A small language model as JAX writes one: rows of a table that token ids
// name, places added to them, a layer of attention and one of two products with
// a silu between them, each after a normalization and added to its input;
// then the logarithms of the chances of each token to be next.
module @decoder {
  func.func public @main(%table: tensor<19x8xf32> loc("table"), %places: tensor<5x8xf32> loc("places"), %scale: tensor<8xf32> loc("scale"), %shift: tensor<8xf32> loc("shift"), %wq: tensor<8x8xf32> loc("wq"), %wk: tensor<8x8xf32> loc("wk"), %wv: tensor<8x8xf32> loc("wv"), %wo: tensor<8x8xf32> loc("wo"), %up: tensor<8x12xf32> loc("up"), %down: tensor<12x8xf32> loc("down"), %tokens: tensor<2x5xi32> loc("tokens")) -> (tensor<2x5x19xf32> {jax.result_info = "chances"}, tensor<2xi32> {jax.result_info = "lengths"}) {
    %0 = call @_take(%table, %tokens) : (tensor<19x8xf32>, tensor<2x5xi32>) -> tensor<2x5x8xf32>
    %1 = stablehlo.broadcast_in_dim %places, dims = [1, 2] : (tensor<5x8xf32>) -> tensor<2x5x8xf32>
    %2 = stablehlo.add %0, %1 : tensor<2x5x8xf32>
    %3 = call @attention(%2, %scale, %shift, %wq, %wk, %wv, %wo) : (tensor<2x5x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
    %4 = stablehlo.add %2, %3 : tensor<2x5x8xf32>
    %5 = call @_normalize(%4, %scale, %shift) : (tensor<2x5x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
    %6 = stablehlo.dot_general %5, %up, contracting_dims = [2] x [0] : (tensor<2x5x8xf32>, tensor<8x12xf32>) -> tensor<2x5x12xf32>
    %7 = call @silu(%6) : (tensor<2x5x12xf32>) -> tensor<2x5x12xf32>
    %8 = stablehlo.dot_general %7, %down, contracting_dims = [2] x [0] : (tensor<2x5x12xf32>, tensor<12x8xf32>) -> tensor<2x5x8xf32>
    %9 = stablehlo.add %4, %8 : tensor<2x5x8xf32>
    %10 = call @_normalize(%9, %scale, %shift) : (tensor<2x5x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
    // A product with the transposed table.
    %11 = stablehlo.dot_general %10, %table, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<2x5x8xf32>, tensor<19x8xf32>) -> tensor<2x5x19xf32>
    %12 = call @log_softmax(%11) : (tensor<2x5x19xf32>) -> tensor<2x5x19xf32>
    // How many tokens there are that are not 0.
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i32>) -> tensor<2x5xi32>
    %14 = stablehlo.compare NE, %tokens, %13, SIGNED : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi1>
    %15 = stablehlo.convert %14 : (tensor<2x5xi1>) -> tensor<2x5xi32>
    %16 = stablehlo.reduce(%15 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x5xi32>, tensor<i32>) -> tensor<2xi32>
    return %12, %16 : tensor<2x5x19xf32>, tensor<2xi32>
  }

  // Negative ids count from the end; ids that are no rows give NaN.
  func.func private @_take(%table: tensor<19x8xf32>, %ids: tensor<2x5xi32>) -> tensor<2x5x8xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %count = stablehlo.constant dense<19> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i32>) -> tensor<2x5xi32>
    %1 = stablehlo.compare LT, %ids, %0, SIGNED : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi1>
    %2 = stablehlo.broadcast_in_dim %count, dims = [] : (tensor<i32>) -> tensor<2x5xi32>
    %3 = stablehlo.add %ids, %2 : tensor<2x5xi32>
    %4 = call @_where(%1, %3, %ids) : (tensor<2x5xi1>, tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %last = stablehlo.constant dense<18> : tensor<1xi32>
    %6 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i32>) -> tensor<2x5x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<2x5x1xi32>, tensor<2x5x1xi32>) -> tensor<2x5x1xi1>
    %8 = stablehlo.broadcast_in_dim %last, dims = [2] : (tensor<1xi32>) -> tensor<2x5x1xi32>
    %9 = stablehlo.compare LE, %5, %8, SIGNED : (tensor<2x5x1xi32>, tensor<2x5x1xi32>) -> tensor<2x5x1xi1>
    %10 = stablehlo.and %7, %9 : tensor<2x5x1xi1>
    %true = stablehlo.constant dense<true> : tensor<i1>
    %11 = stablehlo.reduce(%10 init: %true) applies stablehlo.and across dimensions = [2] : (tensor<2x5x1xi1>, tensor<i1>) -> tensor<2x5xi1>
    %12 = "stablehlo.gather"(%table, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 8>}> : (tensor<19x8xf32>, tensor<2x5x1xi32>) -> tensor<2x5x8xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x5xi1>) -> tensor<2x5x8xi1>
    %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %nan, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %15 = stablehlo.select %13, %12, %14 : tensor<2x5x8xi1>, tensor<2x5x8xf32>
    return %15 : tensor<2x5x8xf32>
  }
  func.func private @_where(%which: tensor<2x5xi1>, %a: tensor<2x5xi32>, %b: tensor<2x5xi32>) -> tensor<2x5xi32> {
    %0 = stablehlo.select %which, %a, %b : tensor<2x5xi1>, tensor<2x5xi32>
    return %0 : tensor<2x5xi32>
  }

  func.func private @_normalize(%x: tensor<2x5x8xf32>, %scale: tensor<8xf32>, %shift: tensor<8xf32>) -> tensor<2x5x8xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %width = stablehlo.constant dense<8.0> : tensor<f32>
    %small = stablehlo.constant dense<1.0e-5> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %2 = stablehlo.broadcast_in_dim %width, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x5x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %5 = stablehlo.subtract %x, %4 : tensor<2x5x8xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<2x5x8xf32>
    %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %9 = stablehlo.divide %8, %2 : tensor<2x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %small, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %11 = stablehlo.add %9, %10 : tensor<2x5x1xf32>
    %12 = stablehlo.rsqrt %11 : tensor<2x5x1xf32>
    %13 = stablehlo.reshape %scale : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %16 = stablehlo.multiply %14, %15 : tensor<2x5x8xf32>
    %17 = stablehlo.multiply %5, %16 : tensor<2x5x8xf32>
    %18 = stablehlo.broadcast_in_dim %shift, dims = [2] : (tensor<8xf32>) -> tensor<2x5x8xf32>
    %19 = stablehlo.add %17, %18 : tensor<2x5x8xf32>
    return %19 : tensor<2x5x8xf32>
  }

  func.func private @attention(%x: tensor<2x5x8xf32>, %scale: tensor<8xf32>, %shift: tensor<8xf32>, %wq: tensor<8x8xf32>, %wk: tensor<8x8xf32>, %wv: tensor<8x8xf32>, %wo: tensor<8x8xf32>) -> tensor<2x5x8xf32> {
    %0 = call @_normalize(%x, %scale, %shift) : (tensor<2x5x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
    %1 = stablehlo.dot_general %0, %wq, contracting_dims = [2] x [0] : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
    %q = stablehlo.reshape %1 : (tensor<2x5x8xf32>) -> tensor<2x5x2x4xf32>
    %2 = stablehlo.dot_general %0, %wk, contracting_dims = [2] x [0] : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
    %k = stablehlo.reshape %2 : (tensor<2x5x8xf32>) -> tensor<2x5x2x4xf32>
    // As torch has its weights.
    %wvt = stablehlo.transpose %wv, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = stablehlo.dot_general %0, %wvt, contracting_dims = [2] x [0] : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
    %v = stablehlo.reshape %3 : (tensor<2x5x8xf32>) -> tensor<2x5x2x4xf32>
    %4 = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x5x2x4xf32>, tensor<2x5x2x4xf32>) -> tensor<2x2x5x5xf32>
    %half = stablehlo.constant dense<0.5> : tensor<2x2x5x5xf32>
    %5 = stablehlo.multiply %4, %half : tensor<2x2x5x5xf32>
    // No token sees those after it.
    %6 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %7 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %8 = stablehlo.compare GE, %6, %7, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %9 = stablehlo.broadcast_in_dim %8, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x2x5x5xi1>
    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %lowest, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %11 = stablehlo.select %9, %5, %10 : tensor<2x2x5x5xi1>, tensor<2x2x5x5xf32>
    %12 = stablehlo.reduce(%11 init: %lowest) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x5xf32>
    %14 = stablehlo.subtract %11, %13 : tensor<2x2x5x5xf32>
    %15 = stablehlo.exponential %14 : tensor<2x2x5x5xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x5xf32>
    %18 = stablehlo.divide %15, %17 : tensor<2x2x5x5xf32>
    %19 = stablehlo.dot_general %v, %18, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x5x2x4xf32>, tensor<2x2x5x5xf32>) -> tensor<2x2x4x5xf32>
    %20 = stablehlo.transpose %19, dims = [0, 3, 1, 2] : (tensor<2x2x4x5xf32>) -> tensor<2x5x2x4xf32>
    %21 = stablehlo.reshape %20 : (tensor<2x5x2x4xf32>) -> tensor<2x5x8xf32>
    %22 = stablehlo.dot_general %21, %wo, contracting_dims = [2] x [0] : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
    return %22 : tensor<2x5x8xf32>
  }

  func.func private @silu(%x: tensor<2x5x12xf32>) -> tensor<2x5x12xf32> {
    %0 = stablehlo.negate %x : tensor<2x5x12xf32>
    %1 = stablehlo.exponential %0 : tensor<2x5x12xf32>
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<2x5x12xf32>
    %3 = stablehlo.add %2, %1 : tensor<2x5x12xf32>
    %4 = stablehlo.divide %2, %3 : tensor<2x5x12xf32>
    %5 = stablehlo.multiply %x, %4 : tensor<2x5x12xf32>
    return %5 : tensor<2x5x12xf32>
  }

  func.func private @log_softmax(%x: tensor<2x5x19xf32>) -> tensor<2x5x19xf32> {
    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %lowest) applies stablehlo.maximum across dimensions = [2] : (tensor<2x5x19xf32>, tensor<f32>) -> tensor<2x5xf32>
    %1 = stablehlo.broadcast_in_dim %lowest, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<2x5xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x19xf32>
    %5 = stablehlo.subtract %x, %4 : tensor<2x5x19xf32>
    %6 = stablehlo.exponential %5 : tensor<2x5x19xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x5x19xf32>, tensor<f32>) -> tensor<2x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %9 = stablehlo.log %8 : tensor<2x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x19xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x5x19xf32>
    return %11 : tensor<2x5x19xf32>
  }
}
