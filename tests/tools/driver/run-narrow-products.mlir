// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Products of narrow numbers, which take pairs of them, and long sums, which are
// added up in blocks. All accesses are checked.
// RUN: mercator run %s --check --input=random:1 --sanitize | FileCheck %s
// RUN: mercator run %s --check --input=random:2 --math=precise | FileCheck %s
// CHECK-COUNT-14: equal to the evaluator's
// CHECK-NOT: differ

func.func @main(%a0: tensor<7x512xbf16>,
                %b0: tensor<512x300xbf16>,
                %a1: tensor<1x512xbf16>,
                %b1: tensor<512x300xbf16>,
                %a2: tensor<70x513xbf16>,
                %b2: tensor<513x64xbf16>,
                %a3: tensor<4x60x64xbf16>,
                %b3: tensor<4x70x64xbf16>,
                %a4: tensor<64x2048xf16>,
                %b4: tensor<2048x100xf16>,
                %a5: tensor<64x200xui8>,
                %b5: tensor<200x100xi8>,
                %a6: tensor<64x200xui8>,
                %b6: tensor<200x100xui8>,
                %a7: tensor<64x200xi16>,
                %b7: tensor<200x100xi16>,
                %a8: tensor<100x64x10xi8>,
                %b8: tensor<10x64x50xi8>,
                %a9: tensor<3x2048xi8>,
                %b9: tensor<2048x100xi8>,
                %a10: tensor<130x2050xf32>,
                %b10: tensor<2050x70xf32>,
                %a11: tensor<64x1537xf32>,
                %b11: tensor<1537x333xf32>,
                %a12: tensor<51x200xf32>,
                %b12: tensor<200x64xf32>,
                %x: tensor<1x20x20x16xbf16>,
                %k: tensor<3x3x16x32xbf16>)
    -> (tensor<7x300xbf16>, tensor<1x300xf32>, tensor<70x64xf32>, tensor<4x60x70xbf16>, tensor<64x100xf16>, tensor<64x100xi32>, tensor<64x100xi32>, tensor<64x100xi32>, tensor<100x50xi32>, tensor<3x100xi32>, tensor<130x70xf32>, tensor<64x333xf32>, tensor<51x64xf32>, tensor<1x20x20x32xbf16>) {
  %0 = stablehlo.dot_general %a0, %b0, contracting_dims = [1] x [0] : (tensor<7x512xbf16>, tensor<512x300xbf16>) -> tensor<7x300xbf16>
  %1 = stablehlo.dot_general %a1, %b1, contracting_dims = [1] x [0] : (tensor<1x512xbf16>, tensor<512x300xbf16>) -> tensor<1x300xf32>
  %2 = stablehlo.dot_general %a2, %b2, contracting_dims = [1] x [0] : (tensor<70x513xbf16>, tensor<513x64xbf16>) -> tensor<70x64xf32>
  %3 = stablehlo.dot_general %a3, %b3, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<4x60x64xbf16>, tensor<4x70x64xbf16>) -> tensor<4x60x70xbf16>
  %4 = stablehlo.dot_general %a4, %b4, contracting_dims = [1] x [0] : (tensor<64x2048xf16>, tensor<2048x100xf16>) -> tensor<64x100xf16>
  %5 = stablehlo.dot_general %a5, %b5, contracting_dims = [1] x [0] : (tensor<64x200xui8>, tensor<200x100xi8>) -> tensor<64x100xi32>
  %6 = stablehlo.dot_general %a6, %b6, contracting_dims = [1] x [0] : (tensor<64x200xui8>, tensor<200x100xui8>) -> tensor<64x100xi32>
  %7 = stablehlo.dot_general %a7, %b7, contracting_dims = [1] x [0] : (tensor<64x200xi16>, tensor<200x100xi16>) -> tensor<64x100xi32>
  %8 = stablehlo.dot_general %a8, %b8, contracting_dims = [1, 2] x [1, 0] : (tensor<100x64x10xi8>, tensor<10x64x50xi8>) -> tensor<100x50xi32>
  %9 = stablehlo.dot_general %a9, %b9, contracting_dims = [1] x [0] : (tensor<3x2048xi8>, tensor<2048x100xi8>) -> tensor<3x100xi32>
  %10 = stablehlo.dot_general %a10, %b10, contracting_dims = [1] x [0] : (tensor<130x2050xf32>, tensor<2050x70xf32>) -> tensor<130x70xf32>
  %11 = stablehlo.dot_general %a11, %b11, contracting_dims = [1] x [0] : (tensor<64x1537xf32>, tensor<1537x333xf32>) -> tensor<64x333xf32>
  %12 = stablehlo.dot_general %a12, %b12, contracting_dims = [1] x [0] : (tensor<51x200xf32>, tensor<200x64xf32>) -> tensor<51x64xf32>
  %13 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x20x20x16xbf16>, tensor<3x3x16x32xbf16>) -> tensor<1x20x20x32xbf16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13 : tensor<7x300xbf16>, tensor<1x300xf32>, tensor<70x64xf32>, tensor<4x60x70xbf16>, tensor<64x100xf16>, tensor<64x100xi32>, tensor<64x100xi32>, tensor<64x100xi32>, tensor<100x50xi32>, tensor<3x100xi32>, tensor<130x70xf32>, tensor<64x333xf32>, tensor<51x64xf32>, tensor<1x20x20x32xbf16>
}
