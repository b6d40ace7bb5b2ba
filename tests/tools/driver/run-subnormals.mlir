// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compiled programs take subnormal numbers of f32, f64 and bf16 for zero, and keep
// them where elements are only moved. --check knows it. --math=precise keeps them.

// RUN: mercator run %s --function=scaled --input='dense<[1.0e-40, -1.0e-40, 1.0e-30]> : tensor<3xf32>' | FileCheck %s --check-prefix=FLUSHED
// RUN: mercator run %s --function=scaled --math=precise --input='dense<[1.0e-40, -1.0e-40, 1.0e-30]> : tensor<3xf32>' | FileCheck %s --check-prefix=KEPT
// RUN: mercator run %s --function=scaled --reference --input='dense<[1.0e-40, -1.0e-40, 1.0e-30]> : tensor<3xf32>' | FileCheck %s --check-prefix=KEPT
// FLUSHED: [0.0, -0.0, 2e-30]
// KEPT: [1.99999e-40, -1.99999e-40, 2e-30]

// Operands and results; conversions; comparisons; a logarithm that is infinite.
// RUN: mercator run %s --function=many --check --input='dense<[1.0e-40, -1.0e-40, 1.0e-30, 2.0e-38]> : tensor<4xf32>' | FileCheck %s --check-prefix=MANY
// RUN: mercator run %s --function=many --check --math=precise --input='dense<[1.0e-40, -1.0e-40, 1.0e-30, 2.0e-38]> : tensor<4xf32>' | FileCheck %s --check-prefix=PRECISE --implicit-check-not=subnormal
// MANY: result 0: tensor<4xf32>, equal to the evaluator's with subnormal numbers as zero
// MANY-COUNT-5: equal to the evaluator's
// PRECISE-COUNT-6: equal to the evaluator's

// What only moves elements keeps their bits, and so does what works on bits.
// RUN: mercator run %s --function=moved --check --rtol=0 --input='dense<[1.0e-40, -1.0e-40, 1.0e-30, 3.0e-45]> : tensor<4xf32>' | FileCheck %s --check-prefix=MOVED
// MOVED-COUNT-4: equal to the evaluator's{{$}}

// All numbers of the narrow formats, with f32 between.
// RUN: mercator run %s --function=narrow --check --rtol=0 | FileCheck %s --check-prefix=NARROW
// NARROW-COUNT-10: equal to the evaluator's{{$}}
// RUN: mercator run %s --function=half --check --rtol=0 | FileCheck %s --check-prefix=HALF
// HALF-COUNT-6: equal to the evaluator's{{$}}

// A function of the C library that tells a zero by its bits.
// RUN: mercator run %s --function=angle --input='dense<[1.0e-40, -1.0e-40, 1.0e-30]> : tensor<3xf32>' | FileCheck %s --check-prefix=ANGLE
// RUN: mercator run %s --function=angle --math=precise --input='dense<[1.0e-40, -1.0e-40, 1.0e-30]> : tensor<3xf32>' | FileCheck %s --check-prefix=EXACT
// ANGLE: [0.0, -3.1415927, 0.7853982]
// EXACT: [0.7853982, -2.3561945, 0.7853982]

// More of them, remainders on integers, signs, and roundings to fewer digits.
// RUN: mercator run %s --function=library --input='dense<[1.0e-40, -1.0e-40, 1.7e-38]> : tensor<3xf32>' | FileCheck %s --check-prefix=LIBRARY
// LIBRARY: [0.0, -0.0, 2.571
// LIBRARY: [0.0, -0.0, 0.0]
// LIBRARY: [0.0, -0.0, 1.0]
// LIBRARY: [0.0, -0.0, 1.7e-38]
// RUN: mercator run %s --function=digits --input='dense<[0.0, 1.0e-36, 1.0]> : tensor<3xf32>' | FileCheck %s --check-prefix=DIGITS
// DIGITS: [0.0, 9.991702e-37, 1.0]

// The smallest number of f8E8M0FNU, which has no zero.
// RUN: mercator run %s --function=powers --check --rtol=0 --input='dense<0> : tensor<256xui8>' | FileCheck %s --check-prefix=POWERS
// POWERS-COUNT-4: equal to the evaluator's{{$}}

func.func @library(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %least = stablehlo.constant dense<1.17549435e-38> : tensor<3xf32>
  %0 = stablehlo.cbrt %x : tensor<3xf32>
  %1 = stablehlo.remainder %x, %least : tensor<3xf32>
  %2 = stablehlo.sign %x : tensor<3xf32>
  %3 = stablehlo.tan %x : tensor<3xf32>
  return %0, %1, %2, %3 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

func.func @digits(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = stablehlo.reduce_precision %x, format = e8m7 : tensor<3xf32>
  return %y : tensor<3xf32>
}

func.func @powers(%zero: tensor<256xui8>) -> (tensor<256xui8>, tensor<256xui8>, tensor<256xui8>, tensor<256xui8>) {
  %i = stablehlo.iota dim = 0 : tensor<256xui8>
  %n = stablehlo.add %i, %zero : tensor<256xui8>
  %x = stablehlo.bitcast_convert %n : (tensor<256xui8>) -> tensor<256xf8E8M0FNU>
  %y = stablehlo.reverse %x, dims = [0] : tensor<256xf8E8M0FNU>
  %0 = stablehlo.sqrt %x : tensor<256xf8E8M0FNU>
  %1 = stablehlo.multiply %x, %x : tensor<256xf8E8M0FNU>
  %2 = stablehlo.divide %x, %y : tensor<256xf8E8M0FNU>
  %3 = stablehlo.imag %x : (tensor<256xf8E8M0FNU>) -> tensor<256xf8E8M0FNU>
  %b0 = stablehlo.bitcast_convert %0 : (tensor<256xf8E8M0FNU>) -> tensor<256xui8>
  %b1 = stablehlo.bitcast_convert %1 : (tensor<256xf8E8M0FNU>) -> tensor<256xui8>
  %b2 = stablehlo.bitcast_convert %2 : (tensor<256xf8E8M0FNU>) -> tensor<256xui8>
  %b3 = stablehlo.bitcast_convert %3 : (tensor<256xf8E8M0FNU>) -> tensor<256xui8>
  return %b0, %b1, %b2, %b3 : tensor<256xui8>, tensor<256xui8>, tensor<256xui8>, tensor<256xui8>
}

func.func @angle(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = stablehlo.atan2 %x, %x : tensor<3xf32>
  return %y : tensor<3xf32>
}

func.func @scaled(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = stablehlo.add %x, %x : tensor<3xf32>
  return %y : tensor<3xf32>
}

func.func @many(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xf64>, tensor<4xbf16>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %half = stablehlo.constant dense<0.5> : tensor<4xf32>
  %log = stablehlo.log %x : tensor<4xf32>
  %product = stablehlo.multiply %x, %half : tensor<4xf32>
  %less = stablehlo.compare GT, %x, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %wide = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xf64>
  %b = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xbf16>
  %twice = stablehlo.add %b, %b : tensor<4xbf16>
  %most = stablehlo.maximum %x, %zero : tensor<4xf32>
  return %log, %product, %less, %wide, %twice, %most : tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xf64>, tensor<4xbf16>, tensor<4xf32>
}

func.func @moved(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<4xf32>
  %1 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xi32>
  %2 = stablehlo.negate %x : tensor<4xf32>
  %3 = stablehlo.abs %x : tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>
}

func.func @narrow() -> (tensor<256xf32>, tensor<256xui8>, tensor<256xf32>, tensor<256xui8>, tensor<256xf32>, tensor<256xui8>, tensor<256xf32>, tensor<256xui8>, tensor<256xf32>, tensor<256xui8>) {
  %n = stablehlo.iota dim = 0 : tensor<256xui8>
  %x0 = stablehlo.bitcast_convert %n : (tensor<256xui8>) -> tensor<256xf8E5M2>
  %w0 = stablehlo.convert %x0 : (tensor<256xf8E5M2>) -> tensor<256xf32>
  %s0 = stablehlo.convert %w0 : (tensor<256xf32>) -> tensor<256xf8E5M2>
  %b0 = stablehlo.bitcast_convert %s0 : (tensor<256xf8E5M2>) -> tensor<256xui8>
  %x1 = stablehlo.bitcast_convert %n : (tensor<256xui8>) -> tensor<256xf8E4M3FN>
  %w1 = stablehlo.convert %x1 : (tensor<256xf8E4M3FN>) -> tensor<256xf32>
  %s1 = stablehlo.convert %w1 : (tensor<256xf32>) -> tensor<256xf8E4M3FN>
  %b1 = stablehlo.bitcast_convert %s1 : (tensor<256xf8E4M3FN>) -> tensor<256xui8>
  %x2 = stablehlo.bitcast_convert %n : (tensor<256xui8>) -> tensor<256xf8E4M3FNUZ>
  %w2 = stablehlo.convert %x2 : (tensor<256xf8E4M3FNUZ>) -> tensor<256xf32>
  %s2 = stablehlo.convert %w2 : (tensor<256xf32>) -> tensor<256xf8E4M3FNUZ>
  %b2 = stablehlo.bitcast_convert %s2 : (tensor<256xf8E4M3FNUZ>) -> tensor<256xui8>
  %x3 = stablehlo.bitcast_convert %n : (tensor<256xui8>) -> tensor<256xf8E5M2FNUZ>
  %w3 = stablehlo.convert %x3 : (tensor<256xf8E5M2FNUZ>) -> tensor<256xf32>
  %s3 = stablehlo.convert %w3 : (tensor<256xf32>) -> tensor<256xf8E5M2FNUZ>
  %b3 = stablehlo.bitcast_convert %s3 : (tensor<256xf8E5M2FNUZ>) -> tensor<256xui8>
  %x4 = stablehlo.bitcast_convert %n : (tensor<256xui8>) -> tensor<256xf8E4M3B11FNUZ>
  %w4 = stablehlo.convert %x4 : (tensor<256xf8E4M3B11FNUZ>) -> tensor<256xf32>
  %s4 = stablehlo.convert %w4 : (tensor<256xf32>) -> tensor<256xf8E4M3B11FNUZ>
  %b4 = stablehlo.bitcast_convert %s4 : (tensor<256xf8E4M3B11FNUZ>) -> tensor<256xui8>
  return %w0, %b0, %w1, %b1, %w2, %b2, %w3, %b3, %w4, %b4 : tensor<256xf32>, tensor<256xui8>, tensor<256xf32>, tensor<256xui8>, tensor<256xf32>, tensor<256xui8>, tensor<256xf32>, tensor<256xui8>, tensor<256xf32>, tensor<256xui8>
}

func.func @half() -> (tensor<65536xf32>, tensor<65536xui16>, tensor<65536xf16>, tensor<65536xf16>, tensor<65536xf64>, tensor<65536xui16>) {
  %n = stablehlo.iota dim = 0 : tensor<65536xui16>
  %nan = stablehlo.constant dense<0.0> : tensor<65536xf16>
  %raw = stablehlo.bitcast_convert %n : (tensor<65536xui16>) -> tensor<65536xf16>
  %is = stablehlo.is_finite %raw : (tensor<65536xf16>) -> tensor<65536xi1>
  %x = stablehlo.select %is, %raw, %nan : tensor<65536xi1>, tensor<65536xf16>
  %third = stablehlo.constant dense<0.333> : tensor<65536xf16>
  %w = stablehlo.convert %x : (tensor<65536xf16>) -> tensor<65536xf32>
  %back = stablehlo.convert %w : (tensor<65536xf32>) -> tensor<65536xf16>
  %bits = stablehlo.bitcast_convert %back : (tensor<65536xf16>) -> tensor<65536xui16>
  %product = stablehlo.multiply %x, %third : tensor<65536xf16>
  %sum = stablehlo.add %x, %third : tensor<65536xf16>
  %d = stablehlo.convert %x : (tensor<65536xf16>) -> tensor<65536xf64>
  %b = stablehlo.bitcast_convert %n : (tensor<65536xui16>) -> tensor<65536xbf16>
  %rb = stablehlo.reverse %b, dims = [0] : tensor<65536xbf16>
  %bb = stablehlo.bitcast_convert %rb : (tensor<65536xbf16>) -> tensor<65536xui16>
  return %w, %bits, %product, %sum, %d, %bb : tensor<65536xf32>, tensor<65536xui16>, tensor<65536xf16>, tensor<65536xf16>, tensor<65536xf64>, tensor<65536xui16>
}
