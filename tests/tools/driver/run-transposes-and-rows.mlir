// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Transposes in registers, also where blocks do not divide the extents, and rows of
// several operations in one loop. All accesses are checked.
// RUN: mercator run %s --check --input=random:1 --sanitize --threads=2 | FileCheck %s
// CHECK-COUNT-10: equal to the evaluator's
// CHECK-NOT: differ

func.func @main(%x0: tensor<37x53x2xf32>,
                %x1: tensor<64x65xf32>,
                %x2: tensor<3x100x33xf64>,
                %x3: tensor<40x3x50xbf16>,
                %x4: tensor<70x20xi8>,
                %x5: tensor<16x5x18x21xi32>,
                %x6: tensor<200x300xi1>,
                %x7: tensor<700x900xf32>,
                %x: tensor<517x1031xf32>)
    -> (tensor<2x37x53xf32>, tensor<65x64xf32>, tensor<3x33x100xf64>, tensor<50x3x40xbf16>, tensor<20x70xi8>, tensor<21x5x16x18xi32>, tensor<300x200xi1>, tensor<900x700xf32>, tensor<517x1031xf32>, tensor<1031xf32>) {
  %0 = stablehlo.transpose %x0, dims = [2, 0, 1] : (tensor<37x53x2xf32>) -> tensor<2x37x53xf32>
  %1 = stablehlo.transpose %x1, dims = [1, 0] : (tensor<64x65xf32>) -> tensor<65x64xf32>
  %2 = stablehlo.transpose %x2, dims = [0, 2, 1] : (tensor<3x100x33xf64>) -> tensor<3x33x100xf64>
  %3 = stablehlo.transpose %x3, dims = [2, 1, 0] : (tensor<40x3x50xbf16>) -> tensor<50x3x40xbf16>
  %4 = stablehlo.transpose %x4, dims = [1, 0] : (tensor<70x20xi8>) -> tensor<20x70xi8>
  %5 = stablehlo.transpose %x5, dims = [3, 1, 0, 2] : (tensor<16x5x18x21xi32>) -> tensor<21x5x16x18xi32>
  %6 = stablehlo.transpose %x6, dims = [1, 0] : (tensor<200x300xi1>) -> tensor<300x200xi1>
  %7 = stablehlo.transpose %x7, dims = [1, 0] : (tensor<700x900xf32>) -> tensor<900x700xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<517x1031xf32>, tensor<f32>) -> tensor<517xf32>
  %maxes = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<517xf32>) -> tensor<517x1031xf32>
  %less = stablehlo.subtract %x, %maxes : tensor<517x1031xf32>
  %exp = stablehlo.exponential %less : tensor<517x1031xf32>
  %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<517x1031xf32>, tensor<f32>) -> tensor<517xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<517xf32>) -> tensor<517x1031xf32>
  %8 = stablehlo.divide %exp, %sums : tensor<517x1031xf32>
  %columns = stablehlo.reduce(%8 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<517x1031xf32>, tensor<f32>) -> tensor<1031xf32>
  %9 = stablehlo.negate %columns : tensor<1031xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<2x37x53xf32>, tensor<65x64xf32>, tensor<3x33x100xf64>, tensor<50x3x40xbf16>, tensor<20x70xi8>, tensor<21x5x16x18xi32>, tensor<300x200xi1>, tensor<900x700xf32>, tensor<517x1031xf32>, tensor<1031xf32>
}

// A body that loads elements at places of its own reads what no row has.
// RUN: mercator run %s --function=reversed --check | FileCheck %s --check-prefix=REVERSED
// REVERSED: result 0: tensor<65536xui16>, equal to the evaluator's
func.func @reversed() -> tensor<65536xui16> {
  %n = stablehlo.iota dim = 0 : tensor<65536xui16>
  %b = stablehlo.bitcast_convert %n : (tensor<65536xui16>) -> tensor<65536xbf16>
  %r = stablehlo.reverse %b, dims = [0] : tensor<65536xbf16>
  %m = stablehlo.bitcast_convert %r : (tensor<65536xbf16>) -> tensor<65536xui16>
  return %m : tensor<65536xui16>
}
