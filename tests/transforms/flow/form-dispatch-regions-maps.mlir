// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Dispatches from indexing maps.

// RUN: mercator-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(iree-flow-form-dispatch-regions{fusion=maps genereate-workload-region=false}))' | FileCheck %s

// A product, then the sums of its rows: a cell is a row.

// CHECK-LABEL: func.func @row_sums
// CHECK:       flow.dispatch.region -> (tensor<64xf32>)
// CHECK:         linalg.matmul
// CHECK:         linalg.reduce
// CHECK:         flow.return
// CHECK-NOT:   flow.dispatch.region
func.func @row_sums(%a: tensor<64x32xf32>, %b: tensor<32x128xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x128xf32>) outs(%f : tensor<64x128xf32>) -> tensor<64x128xf32>
  %re = tensor.empty() : tensor<64xf32>
  %rf = linalg.fill ins(%zero : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.reduce { arith.addf } ins(%p : tensor<64x128xf32>) outs(%rf : tensor<64xf32>) dimensions = [1]
  return %r : tensor<64xf32>
}

// -----

// The sums of columns leave a cell for each column, through a reshape too: of
// 128 columns, 4 blocks of 32.

// CHECK-LABEL: func.func @blocks_of_columns
// CHECK:       flow.dispatch.region -> (tensor<4xf32>)
// CHECK:         linalg.matmul
// CHECK:         tensor.expand_shape
// CHECK:         linalg.reduce
// CHECK-NOT:   flow.dispatch.region
func.func @blocks_of_columns(%a: tensor<64x32xf32>, %b: tensor<32x128xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x128xf32>) outs(%f : tensor<64x128xf32>) -> tensor<64x128xf32>
  %x = tensor.expand_shape %p [[0], [1, 2]] output_shape [64, 4, 32] : tensor<64x128xf32> into tensor<64x4x32xf32>
  %re = tensor.empty() : tensor<4xf32>
  %rf = linalg.fill ins(%zero : f32) outs(%re : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<64x4x32xf32>) outs(%rf : tensor<4xf32>) dimensions = [0, 2]
  return %r : tensor<4xf32>
}

// -----

// A view that is read outside too stays there: the dispatch has a copy.

// CHECK-LABEL: func.func @view_of_both
// CHECK:       %[[D:.+]]:2 = flow.dispatch.region
// CHECK:         %[[P:.+]] = linalg.matmul
// CHECK:         tensor.collapse_shape %[[P]]
// CHECK:         %[[X:.+]] = linalg.exp
// CHECK:         flow.return %[[X]], %[[P]]
// CHECK:       %[[V:.+]] = tensor.collapse_shape %[[D]]#1
// CHECK:       return %[[V]], %[[D]]#0
func.func @view_of_both(%a: tensor<64x32xf32>, %b: tensor<32x128xf32>) -> (tensor<8192xf32>, tensor<8192xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x128xf32>) outs(%f : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v = tensor.collapse_shape %p [[0, 1]] : tensor<64x128xf32> into tensor<8192xf32>
  %xe = tensor.empty() : tensor<8192xf32>
  %x = linalg.exp ins(%v : tensor<8192xf32>) outs(%xe : tensor<8192xf32>) -> tensor<8192xf32>
  return %v, %x : tensor<8192xf32>, tensor<8192xf32>
}

// -----

// Products that share an operand: one dispatch with two results.

// CHECK-LABEL: func.func @siblings
// CHECK:       flow.dispatch.region -> (tensor<64x128xf32>, tensor<64x128xf32>)
// CHECK:         linalg.matmul
// CHECK:         linalg.matmul
// CHECK-NOT:   flow.dispatch.region
func.func @siblings(%a: tensor<64x32xf32>, %b: tensor<32x128xf32>, %c: tensor<32x128xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x128xf32>) outs(%f : tensor<64x128xf32>) -> tensor<64x128xf32>
  %q = linalg.matmul ins(%a, %c : tensor<64x32xf32>, tensor<32x128xf32>) outs(%f : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %p, %q : tensor<64x128xf32>, tensor<64x128xf32>
}

// -----

// Operations with effects keep their order: @second runs after @first, which
// needs %x, and before %y. So %x and %y are apart.

// CHECK-LABEL: func.func @effects
// CHECK:       %[[X:.+]] = flow.dispatch.region
// CHECK:       call @first(%[[X]])
// CHECK:       %[[S:.+]] = call @second()
// CHECK:       flow.dispatch.region
func.func private @first(tensor<4096xf32>)
func.func private @second() -> tensor<4096xf32>
func.func @effects(%a: tensor<4096xf32>) -> tensor<4096xf32> {
  %e = tensor.empty() : tensor<4096xf32>
  %x = linalg.exp ins(%a : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  call @first(%x) : (tensor<4096xf32>) -> ()
  %s = call @second() : () -> tensor<4096xf32>
  %y = linalg.add ins(%x, %s : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  return %y : tensor<4096xf32>
}

// -----

// %y needs %s, and %s needs all of %x. So %s is between %x and %y.

// CHECK-LABEL: func.func @between
// CHECK:       flow.dispatch.region
// CHECK:         linalg.exp
// CHECK:       flow.dispatch.region
// CHECK:         linalg.generic
// CHECK:         linalg.add
func.func @between(%a: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %x = linalg.exp ins(%a : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %x : tensor<512x512xf32>, tensor<512x512xf32>) outs(%f : tensor<512x512xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %n = arith.addf %o, %m : f32
    linalg.yield %n : f32
  } -> tensor<512x512xf32>
  %y = linalg.add ins(%x, %s : tensor<512x512xf32>, tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %y : tensor<512x512xf32>
}

// -----

// The zero-sized slice between %i and %s reads nothing. The pad is inside the
// dispatch, and has none of its own.

// CHECK-LABEL: func.func @pad_inside
// CHECK:       flow.dispatch.region
// CHECK:         tensor.insert_slice
// CHECK:         tensor.pad
// CHECK:         linalg.reduce
// CHECK-NOT:   flow.dispatch.region
func.func @pad_inside(%a: tensor<5x6xf32>) -> tensor<9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9x11xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<9x11xf32>) -> tensor<9x11xf32>
  %i = tensor.insert_slice %a into %f[0, 0] [5, 6] [2, 2] : tensor<5x6xf32> into tensor<9x11xf32>
  %v = tensor.extract_slice %i[0, 0] [9, 0] [1, 1] : tensor<9x11xf32> to tensor<9x0xf32>
  %p = tensor.pad %v low[0, 1] high[0, 1] {
  ^bb0(%x: index, %y: index):
    tensor.yield %zero : f32
  } : tensor<9x0xf32> to tensor<9x2xf32>
  %re = tensor.empty() : tensor<9xf32>
  %rf = linalg.fill ins(%zero : f32) outs(%re : tensor<9xf32>) -> tensor<9xf32>
  %s = linalg.reduce { arith.addf } ins(%p : tensor<9x2xf32>) outs(%rf : tensor<9xf32>) dimensions = [1]
  return %s : tensor<9xf32>
}

// -----

// A branch that reads %x comes after the dispatch of %x and %y.

// CHECK-LABEL: func.func @branch
// CHECK:       %[[D:.+]]:2 = flow.dispatch.region
// CHECK:         linalg.exp
// CHECK:         linalg.log
// CHECK:       scf.if
// CHECK-NEXT:    scf.yield %[[D]]#1
func.func @branch(%a: tensor<4096xf32>, %c: i1) -> (tensor<4096xf32>, tensor<4096xf32>) {
  %e = tensor.empty() : tensor<4096xf32>
  %x = linalg.exp ins(%a : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %i = scf.if %c -> tensor<4096xf32> {
    scf.yield %x : tensor<4096xf32>
  } else {
    scf.yield %a : tensor<4096xf32>
  }
  %y = linalg.log ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  return %i, %y : tensor<4096xf32>, tensor<4096xf32>
}

// -----

// @first waits for the dispatch of %x and %y, and @second for @first.

// CHECK-LABEL: func.func @order_of_effects
// CHECK:       flow.dispatch.region
// CHECK:         linalg.exp
// CHECK:         linalg.log
// CHECK:       call @first
// CHECK:       call @second
func.func private @first(tensor<4096xf32>)
func.func private @second()
func.func @order_of_effects(%a: tensor<4096xf32>) -> tensor<4096xf32> {
  %e = tensor.empty() : tensor<4096xf32>
  %x = linalg.exp ins(%a : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  call @first(%x) : (tensor<4096xf32>) -> ()
  call @second() : () -> ()
  %y = linalg.log ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  return %y : tensor<4096xf32>
}

// -----

// The body of %y may read any element of %x. So a cell of both has all of %x,
// and the two are apart.

// CHECK-LABEL: func.func @body
// CHECK:       flow.dispatch.region
// CHECK:         linalg.matmul
// CHECK:       flow.dispatch.region
// CHECK:         linalg.generic
func.func @body(%a: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %x = linalg.matmul ins(%a, %a : tensor<256x256xf32>, tensor<256x256xf32>) outs(%f : tensor<256x256xf32>) -> tensor<256x256xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<256x256xf32>) outs(%e : tensor<256x256xf32>) {
  ^bb0(%p: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %q = tensor.extract %x[%j, %i] : tensor<256x256xf32>
    %t = arith.addf %p, %q : f32
    linalg.yield %t : f32
  } -> tensor<256x256xf32>
  return %y : tensor<256x256xf32>
}

// -----

// A cell is a row, and needs all numbers of %s. They are few: each tile of rows
// computes them again.

// CHECK-LABEL: func.func @channel_numbers
// CHECK:       flow.dispatch.region
// CHECK-DAG:     math.rsqrt
// CHECK-DAG:     arith.addf
// CHECK-NOT:   flow.dispatch.region
// CHECK:       return
func.func @channel_numbers(%x: tensor<4096x256xf32>, %var: tensor<256xf32>) -> tensor<4096x256xf32> {
  %zero = arith.constant 0.0 : f32
  %v = tensor.empty() : tensor<256xf32>
  %w = tensor.empty() : tensor<4096xf32>
  %e = tensor.empty() : tensor<4096x256xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%var : tensor<256xf32>) outs(%v : tensor<256xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = math.rsqrt %p : f32
    linalg.yield %q : f32
  } -> tensor<256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%w : tensor<4096xf32>) -> tensor<4096xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4096x256xf32>) outs(%f : tensor<4096xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<4096xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %s : tensor<4096x256xf32>, tensor<4096xf32>, tensor<256xf32>) outs(%e : tensor<4096x256xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %o: f32):
    %a = arith.addf %p, %q : f32
    %b = arith.mulf %a, %r : f32
    linalg.yield %b : f32
  } -> tensor<4096x256xf32>
  return %y : tensor<4096x256xf32>
}

// -----

// The same, but %s is also a result.

// CHECK-LABEL: func.func @channel_numbers_leave
// CHECK:       flow.dispatch.region
// CHECK:         math.rsqrt
// CHECK:       flow.dispatch.region
// CHECK:       return
func.func @channel_numbers_leave(%x: tensor<4096x256xf32>, %var: tensor<256xf32>) -> (tensor<4096x256xf32>, tensor<256xf32>) {
  %zero = arith.constant 0.0 : f32
  %v = tensor.empty() : tensor<256xf32>
  %w = tensor.empty() : tensor<4096xf32>
  %e = tensor.empty() : tensor<4096x256xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%var : tensor<256xf32>) outs(%v : tensor<256xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = math.rsqrt %p : f32
    linalg.yield %q : f32
  } -> tensor<256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%w : tensor<4096xf32>) -> tensor<4096xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4096x256xf32>) outs(%f : tensor<4096xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<4096xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %s : tensor<4096x256xf32>, tensor<4096xf32>, tensor<256xf32>) outs(%e : tensor<4096x256xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %o: f32):
    %a = arith.addf %p, %q : f32
    %b = arith.mulf %a, %r : f32
    linalg.yield %b : f32
  } -> tensor<4096x256xf32>
  return %y, %s : tensor<4096x256xf32>, tensor<256xf32>
}
