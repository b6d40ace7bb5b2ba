// A transformer block in linalg on tensors, as a frontend writes it: attention
// of two heads over normalized tokens, then two layers with a relu between
// them. The input of each of the two parts is added to its output.
//
// `main` takes eight tokens; `tokens` takes any number of tokens.

#row = affine_map<(i, j) -> (i, j)>
#of_row = affine_map<(i, j) -> (i)>
#of_column = affine_map<(i, j) -> (j)>
#query = affine_map<(h, i, j, d) -> (i, h, d)>
#key = affine_map<(h, i, j, d) -> (j, h, d)>
#score = affine_map<(h, i, j, d) -> (h, i, j)>
#pair = affine_map<(h, i, j) -> (h, i, j)>
#of_pair = affine_map<(h, i, j) -> (h, i)>
#weight = affine_map<(i, h, d, j) -> (h, i, j)>
#value = affine_map<(i, h, d, j) -> (j, h, d)>
#mixed = affine_map<(i, h, d, j) -> (i, h, d)>

func.func @main(%x: tensor<8x16xf32>, %scale: tensor<16xf32>, %wq: tensor<16x16xf32>, %wk: tensor<16x16xf32>, %wv: tensor<16x16xf32>, %wo: tensor<16x16xf32>, %up: tensor<16x64xf32>, %down: tensor<64x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %width = arith.constant 16.0 : f32
  %small = arith.constant 1.0e-5 : f32
  %root = arith.constant 0.353553385 : f32

  %n1_mean0_empty = tensor.empty() : tensor<8xf32>
  %n1_mean0 = linalg.fill ins(%zero : f32) outs(%n1_mean0_empty : tensor<8xf32>) -> tensor<8xf32>
  %n1_mean = linalg.generic {indexing_maps = [#row, #of_row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x16xf32>) outs(%n1_mean0 : tensor<8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %part = arith.divf %a, %width : f32
    %r = arith.addf %out, %part : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %n1_var0_empty = tensor.empty() : tensor<8xf32>
  %n1_var0 = linalg.fill ins(%zero : f32) outs(%n1_var0_empty : tensor<8xf32>) -> tensor<8xf32>
  %n1_var = linalg.generic {indexing_maps = [#row, #of_row, #of_row], iterator_types = ["parallel", "reduction"]} ins(%x, %n1_mean : tensor<8x16xf32>, tensor<8xf32>) outs(%n1_var0 : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %diff = arith.subf %a, %b : f32
    %square = arith.mulf %diff, %diff : f32
    %part = arith.divf %square, %width : f32
    %r = arith.addf %out, %part : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %n1_empty = tensor.empty() : tensor<8x16xf32>
  %n1 = linalg.generic {indexing_maps = [#row, #of_row, #of_row, #of_column, #row], iterator_types = ["parallel", "parallel"]} ins(%x, %n1_mean, %n1_var, %scale : tensor<8x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<16xf32>) outs(%n1_empty : tensor<8x16xf32>) {
  ^bb0(%a: f32, %mean: f32, %var: f32, %gain: f32, %out: f32):
    %diff = arith.subf %a, %mean : f32
    %shifted = arith.addf %var, %small : f32
    %inverse = math.rsqrt %shifted : f32
    %normal = arith.mulf %diff, %inverse : f32
    %r = arith.mulf %normal, %gain : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>

  %q_all0_empty = tensor.empty() : tensor<8x16xf32>
  %q_all0 = linalg.fill ins(%zero : f32) outs(%q_all0_empty : tensor<8x16xf32>) -> tensor<8x16xf32>
  %q_all = linalg.matmul ins(%n1, %wq : tensor<8x16xf32>, tensor<16x16xf32>) outs(%q_all0 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %q = tensor.expand_shape %q_all [[0], [1, 2]] output_shape [8, 2, 8] : tensor<8x16xf32> into tensor<8x2x8xf32>
  %k_all0_empty = tensor.empty() : tensor<8x16xf32>
  %k_all0 = linalg.fill ins(%zero : f32) outs(%k_all0_empty : tensor<8x16xf32>) -> tensor<8x16xf32>
  %k_all = linalg.matmul ins(%n1, %wk : tensor<8x16xf32>, tensor<16x16xf32>) outs(%k_all0 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %k = tensor.expand_shape %k_all [[0], [1, 2]] output_shape [8, 2, 8] : tensor<8x16xf32> into tensor<8x2x8xf32>
  %v_all0_empty = tensor.empty() : tensor<8x16xf32>
  %v_all0 = linalg.fill ins(%zero : f32) outs(%v_all0_empty : tensor<8x16xf32>) -> tensor<8x16xf32>
  %v_all = linalg.matmul ins(%n1, %wv : tensor<8x16xf32>, tensor<16x16xf32>) outs(%v_all0 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %v = tensor.expand_shape %v_all [[0], [1, 2]] output_shape [8, 2, 8] : tensor<8x16xf32> into tensor<8x2x8xf32>
  %scores0_empty = tensor.empty() : tensor<2x8x8xf32>
  %scores0 = linalg.fill ins(%zero : f32) outs(%scores0_empty : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %scores = linalg.generic {indexing_maps = [#query, #key, #score], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<8x2x8xf32>, tensor<8x2x8xf32>) outs(%scores0 : tensor<2x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %product = arith.mulf %a, %b : f32
    %r = arith.addf %out, %product : f32
    linalg.yield %r : f32
  } -> tensor<2x8x8xf32>

  %max0_empty = tensor.empty() : tensor<2x8xf32>
  %max0 = linalg.fill ins(%lowest : f32) outs(%max0_empty : tensor<2x8xf32>) -> tensor<2x8xf32>
  %max = linalg.generic {indexing_maps = [#pair, #of_pair], iterator_types = ["parallel", "parallel", "reduction"]} ins(%scores : tensor<2x8x8xf32>) outs(%max0 : tensor<2x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = arith.maximumf %out, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x8xf32>
  %e = tensor.empty() : tensor<2x8x8xf32>
  %exp = linalg.generic {indexing_maps = [#pair, #of_pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores, %max : tensor<2x8x8xf32>, tensor<2x8xf32>) outs(%e : tensor<2x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %scaled = arith.mulf %d, %root : f32
    %r = math.exp %scaled : f32
    linalg.yield %r : f32
  } -> tensor<2x8x8xf32>
  %sum0_empty = tensor.empty() : tensor<2x8xf32>
  %sum0 = linalg.fill ins(%zero : f32) outs(%sum0_empty : tensor<2x8xf32>) -> tensor<2x8xf32>
  %sum = linalg.generic {indexing_maps = [#pair, #of_pair], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exp : tensor<2x8x8xf32>) outs(%sum0 : tensor<2x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = arith.addf %out, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x8xf32>
  %p = linalg.generic {indexing_maps = [#pair, #of_pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<2x8x8xf32>, tensor<2x8xf32>) outs(%e : tensor<2x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x8x8xf32>

  %heads0_empty = tensor.empty() : tensor<8x2x8xf32>
  %heads0 = linalg.fill ins(%zero : f32) outs(%heads0_empty : tensor<8x2x8xf32>) -> tensor<8x2x8xf32>
  %heads = linalg.generic {indexing_maps = [#weight, #value, #mixed], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p, %v : tensor<2x8x8xf32>, tensor<8x2x8xf32>) outs(%heads0 : tensor<8x2x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %product = arith.mulf %a, %b : f32
    %r = arith.addf %out, %product : f32
    linalg.yield %r : f32
  } -> tensor<8x2x8xf32>
  %joined = tensor.collapse_shape %heads [[0], [1, 2]] : tensor<8x2x8xf32> into tensor<8x16xf32>
  %y = linalg.matmul ins(%joined, %wo : tensor<8x16xf32>, tensor<16x16xf32>) outs(%x : tensor<8x16xf32>) -> tensor<8x16xf32>

  %n2_mean0_empty = tensor.empty() : tensor<8xf32>
  %n2_mean0 = linalg.fill ins(%zero : f32) outs(%n2_mean0_empty : tensor<8xf32>) -> tensor<8xf32>
  %n2_mean = linalg.generic {indexing_maps = [#row, #of_row], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<8x16xf32>) outs(%n2_mean0 : tensor<8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %part = arith.divf %a, %width : f32
    %r = arith.addf %out, %part : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %n2_var0_empty = tensor.empty() : tensor<8xf32>
  %n2_var0 = linalg.fill ins(%zero : f32) outs(%n2_var0_empty : tensor<8xf32>) -> tensor<8xf32>
  %n2_var = linalg.generic {indexing_maps = [#row, #of_row, #of_row], iterator_types = ["parallel", "reduction"]} ins(%y, %n2_mean : tensor<8x16xf32>, tensor<8xf32>) outs(%n2_var0 : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %diff = arith.subf %a, %b : f32
    %square = arith.mulf %diff, %diff : f32
    %part = arith.divf %square, %width : f32
    %r = arith.addf %out, %part : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %n2_empty = tensor.empty() : tensor<8x16xf32>
  %n2 = linalg.generic {indexing_maps = [#row, #of_row, #of_row, #of_column, #row], iterator_types = ["parallel", "parallel"]} ins(%y, %n2_mean, %n2_var, %scale : tensor<8x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<16xf32>) outs(%n2_empty : tensor<8x16xf32>) {
  ^bb0(%a: f32, %mean: f32, %var: f32, %gain: f32, %out: f32):
    %diff = arith.subf %a, %mean : f32
    %shifted = arith.addf %var, %small : f32
    %inverse = math.rsqrt %shifted : f32
    %normal = arith.mulf %diff, %inverse : f32
    %r = arith.mulf %normal, %gain : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>

  %wide0_empty = tensor.empty() : tensor<8x64xf32>
  %wide0 = linalg.fill ins(%zero : f32) outs(%wide0_empty : tensor<8x64xf32>) -> tensor<8x64xf32>
  %wide = linalg.matmul ins(%n2, %up : tensor<8x16xf32>, tensor<16x64xf32>) outs(%wide0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %wide_empty = tensor.empty() : tensor<8x64xf32>
  %relu = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%wide : tensor<8x64xf32>) outs(%wide_empty : tensor<8x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = arith.maximumf %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<8x64xf32>
  %z = linalg.matmul ins(%relu, %down : tensor<8x64xf32>, tensor<64x16xf32>) outs(%y : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %z : tensor<8x16xf32>
}

func.func @tokens(%x: tensor<?x16xf32>, %scale: tensor<16xf32>, %wq: tensor<16x16xf32>, %wk: tensor<16x16xf32>, %wv: tensor<16x16xf32>, %wo: tensor<16x16xf32>, %up: tensor<16x64xf32>, %down: tensor<64x16xf32>) -> tensor<?x16xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %width = arith.constant 16.0 : f32
  %small = arith.constant 1.0e-5 : f32
  %root = arith.constant 0.353553385 : f32
  %c0 = arith.constant 0 : index
  %count = tensor.dim %x, %c0 : tensor<?x16xf32>

  %n1_mean0_empty = tensor.empty(%count) : tensor<?xf32>
  %n1_mean0 = linalg.fill ins(%zero : f32) outs(%n1_mean0_empty : tensor<?xf32>) -> tensor<?xf32>
  %n1_mean = linalg.generic {indexing_maps = [#row, #of_row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x16xf32>) outs(%n1_mean0 : tensor<?xf32>) {
  ^bb0(%a: f32, %out: f32):
    %part = arith.divf %a, %width : f32
    %r = arith.addf %out, %part : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %n1_var0_empty = tensor.empty(%count) : tensor<?xf32>
  %n1_var0 = linalg.fill ins(%zero : f32) outs(%n1_var0_empty : tensor<?xf32>) -> tensor<?xf32>
  %n1_var = linalg.generic {indexing_maps = [#row, #of_row, #of_row], iterator_types = ["parallel", "reduction"]} ins(%x, %n1_mean : tensor<?x16xf32>, tensor<?xf32>) outs(%n1_var0 : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %diff = arith.subf %a, %b : f32
    %square = arith.mulf %diff, %diff : f32
    %part = arith.divf %square, %width : f32
    %r = arith.addf %out, %part : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %n1_empty = tensor.empty(%count) : tensor<?x16xf32>
  %n1 = linalg.generic {indexing_maps = [#row, #of_row, #of_row, #of_column, #row], iterator_types = ["parallel", "parallel"]} ins(%x, %n1_mean, %n1_var, %scale : tensor<?x16xf32>, tensor<?xf32>, tensor<?xf32>, tensor<16xf32>) outs(%n1_empty : tensor<?x16xf32>) {
  ^bb0(%a: f32, %mean: f32, %var: f32, %gain: f32, %out: f32):
    %diff = arith.subf %a, %mean : f32
    %shifted = arith.addf %var, %small : f32
    %inverse = math.rsqrt %shifted : f32
    %normal = arith.mulf %diff, %inverse : f32
    %r = arith.mulf %normal, %gain : f32
    linalg.yield %r : f32
  } -> tensor<?x16xf32>

  %q_all0_empty = tensor.empty(%count) : tensor<?x16xf32>
  %q_all0 = linalg.fill ins(%zero : f32) outs(%q_all0_empty : tensor<?x16xf32>) -> tensor<?x16xf32>
  %q_all = linalg.matmul ins(%n1, %wq : tensor<?x16xf32>, tensor<16x16xf32>) outs(%q_all0 : tensor<?x16xf32>) -> tensor<?x16xf32>
  %q = tensor.expand_shape %q_all [[0], [1, 2]] output_shape [%count, 2, 8] : tensor<?x16xf32> into tensor<?x2x8xf32>
  %k_all0_empty = tensor.empty(%count) : tensor<?x16xf32>
  %k_all0 = linalg.fill ins(%zero : f32) outs(%k_all0_empty : tensor<?x16xf32>) -> tensor<?x16xf32>
  %k_all = linalg.matmul ins(%n1, %wk : tensor<?x16xf32>, tensor<16x16xf32>) outs(%k_all0 : tensor<?x16xf32>) -> tensor<?x16xf32>
  %k = tensor.expand_shape %k_all [[0], [1, 2]] output_shape [%count, 2, 8] : tensor<?x16xf32> into tensor<?x2x8xf32>
  %v_all0_empty = tensor.empty(%count) : tensor<?x16xf32>
  %v_all0 = linalg.fill ins(%zero : f32) outs(%v_all0_empty : tensor<?x16xf32>) -> tensor<?x16xf32>
  %v_all = linalg.matmul ins(%n1, %wv : tensor<?x16xf32>, tensor<16x16xf32>) outs(%v_all0 : tensor<?x16xf32>) -> tensor<?x16xf32>
  %v = tensor.expand_shape %v_all [[0], [1, 2]] output_shape [%count, 2, 8] : tensor<?x16xf32> into tensor<?x2x8xf32>
  %scores0_empty = tensor.empty(%count, %count) : tensor<2x?x?xf32>
  %scores0 = linalg.fill ins(%zero : f32) outs(%scores0_empty : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %scores = linalg.generic {indexing_maps = [#query, #key, #score], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<?x2x8xf32>, tensor<?x2x8xf32>) outs(%scores0 : tensor<2x?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %product = arith.mulf %a, %b : f32
    %r = arith.addf %out, %product : f32
    linalg.yield %r : f32
  } -> tensor<2x?x?xf32>

  %max0_empty = tensor.empty(%count) : tensor<2x?xf32>
  %max0 = linalg.fill ins(%lowest : f32) outs(%max0_empty : tensor<2x?xf32>) -> tensor<2x?xf32>
  %max = linalg.generic {indexing_maps = [#pair, #of_pair], iterator_types = ["parallel", "parallel", "reduction"]} ins(%scores : tensor<2x?x?xf32>) outs(%max0 : tensor<2x?xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = arith.maximumf %out, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x?xf32>
  %e = tensor.empty(%count, %count) : tensor<2x?x?xf32>
  %exp = linalg.generic {indexing_maps = [#pair, #of_pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores, %max : tensor<2x?x?xf32>, tensor<2x?xf32>) outs(%e : tensor<2x?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %scaled = arith.mulf %d, %root : f32
    %r = math.exp %scaled : f32
    linalg.yield %r : f32
  } -> tensor<2x?x?xf32>
  %sum0_empty = tensor.empty(%count) : tensor<2x?xf32>
  %sum0 = linalg.fill ins(%zero : f32) outs(%sum0_empty : tensor<2x?xf32>) -> tensor<2x?xf32>
  %sum = linalg.generic {indexing_maps = [#pair, #of_pair], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exp : tensor<2x?x?xf32>) outs(%sum0 : tensor<2x?xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = arith.addf %out, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x?xf32>
  %p = linalg.generic {indexing_maps = [#pair, #of_pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<2x?x?xf32>, tensor<2x?xf32>) outs(%e : tensor<2x?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x?x?xf32>

  %heads0_empty = tensor.empty(%count) : tensor<?x2x8xf32>
  %heads0 = linalg.fill ins(%zero : f32) outs(%heads0_empty : tensor<?x2x8xf32>) -> tensor<?x2x8xf32>
  %heads = linalg.generic {indexing_maps = [#weight, #value, #mixed], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p, %v : tensor<2x?x?xf32>, tensor<?x2x8xf32>) outs(%heads0 : tensor<?x2x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %product = arith.mulf %a, %b : f32
    %r = arith.addf %out, %product : f32
    linalg.yield %r : f32
  } -> tensor<?x2x8xf32>
  %joined = tensor.collapse_shape %heads [[0], [1, 2]] : tensor<?x2x8xf32> into tensor<?x16xf32>
  %y = linalg.matmul ins(%joined, %wo : tensor<?x16xf32>, tensor<16x16xf32>) outs(%x : tensor<?x16xf32>) -> tensor<?x16xf32>

  %n2_mean0_empty = tensor.empty(%count) : tensor<?xf32>
  %n2_mean0 = linalg.fill ins(%zero : f32) outs(%n2_mean0_empty : tensor<?xf32>) -> tensor<?xf32>
  %n2_mean = linalg.generic {indexing_maps = [#row, #of_row], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<?x16xf32>) outs(%n2_mean0 : tensor<?xf32>) {
  ^bb0(%a: f32, %out: f32):
    %part = arith.divf %a, %width : f32
    %r = arith.addf %out, %part : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %n2_var0_empty = tensor.empty(%count) : tensor<?xf32>
  %n2_var0 = linalg.fill ins(%zero : f32) outs(%n2_var0_empty : tensor<?xf32>) -> tensor<?xf32>
  %n2_var = linalg.generic {indexing_maps = [#row, #of_row, #of_row], iterator_types = ["parallel", "reduction"]} ins(%y, %n2_mean : tensor<?x16xf32>, tensor<?xf32>) outs(%n2_var0 : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %diff = arith.subf %a, %b : f32
    %square = arith.mulf %diff, %diff : f32
    %part = arith.divf %square, %width : f32
    %r = arith.addf %out, %part : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %n2_empty = tensor.empty(%count) : tensor<?x16xf32>
  %n2 = linalg.generic {indexing_maps = [#row, #of_row, #of_row, #of_column, #row], iterator_types = ["parallel", "parallel"]} ins(%y, %n2_mean, %n2_var, %scale : tensor<?x16xf32>, tensor<?xf32>, tensor<?xf32>, tensor<16xf32>) outs(%n2_empty : tensor<?x16xf32>) {
  ^bb0(%a: f32, %mean: f32, %var: f32, %gain: f32, %out: f32):
    %diff = arith.subf %a, %mean : f32
    %shifted = arith.addf %var, %small : f32
    %inverse = math.rsqrt %shifted : f32
    %normal = arith.mulf %diff, %inverse : f32
    %r = arith.mulf %normal, %gain : f32
    linalg.yield %r : f32
  } -> tensor<?x16xf32>

  %wide0_empty = tensor.empty(%count) : tensor<?x64xf32>
  %wide0 = linalg.fill ins(%zero : f32) outs(%wide0_empty : tensor<?x64xf32>) -> tensor<?x64xf32>
  %wide = linalg.matmul ins(%n2, %up : tensor<?x16xf32>, tensor<16x64xf32>) outs(%wide0 : tensor<?x64xf32>) -> tensor<?x64xf32>
  %wide_empty = tensor.empty(%count) : tensor<?x64xf32>
  %relu = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%wide : tensor<?x64xf32>) outs(%wide_empty : tensor<?x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = arith.maximumf %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<?x64xf32>
  %z = linalg.matmul ins(%relu, %down : tensor<?x64xf32>, tensor<64x16xf32>) outs(%y : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %z : tensor<?x16xf32>
}
