// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | mercator-opt | FileCheck %s

// Every element type of the specification.
// CHECK-LABEL: func @elements
func.func @elements(
    // CHECK-SAME: tensor<i1>, {{.*}}: tensor<i2>, {{.*}}: tensor<ui64>
    %b: tensor<i1>, %i2: tensor<i2>, %i4: tensor<i4>, %i8: tensor<i8>, %i16: tensor<i16>, %i32: tensor<i32>,
    %i64: tensor<i64>, %u2: tensor<ui2>, %u4: tensor<ui4>, %u8: tensor<ui8>, %u16: tensor<ui16>,
    %u32: tensor<ui32>, %u64: tensor<ui64>, %f4: tensor<f4E2M1FN>, %f6a: tensor<f6E2M3FN>,
    %f6b: tensor<f6E3M2FN>, %f8a: tensor<f8E3M4>, %f8b: tensor<f8E4M3>, %f8c: tensor<f8E4M3B11FNUZ>,
    %f8d: tensor<f8E4M3FN>, %f8e: tensor<f8E4M3FNUZ>, %f8f: tensor<f8E5M2>, %f8g: tensor<f8E5M2FNUZ>,
    %f8h: tensor<f8E8M0FNU>, %bf: tensor<bf16>, %f16: tensor<f16>, %f32: tensor<f32>, %f64: tensor<f64>,
    %c64: tensor<complex<f32>>, %c128: tensor<complex<f64>>,
    %q: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %qa: tensor<2x!quant.uniform<u8:f32:0, {0.5:3, 0.25}>>,
    %bounded: tensor<?x2xf32, #stablehlo.bounds<4, ?>>) {
  %0 = stablehlo.add %b, %b : tensor<i1>
  %1 = stablehlo.add %i2, %i2 : tensor<i2>
  %2 = stablehlo.add %i4, %i4 : tensor<i4>
  %3 = stablehlo.add %i8, %i8 : tensor<i8>
  %4 = stablehlo.add %i16, %i16 : tensor<i16>
  %5 = stablehlo.add %i32, %i32 : tensor<i32>
  %6 = stablehlo.add %i64, %i64 : tensor<i64>
  %7 = stablehlo.add %u2, %u2 : tensor<ui2>
  %8 = stablehlo.add %u4, %u4 : tensor<ui4>
  %9 = stablehlo.add %u8, %u8 : tensor<ui8>
  %10 = stablehlo.add %u16, %u16 : tensor<ui16>
  %11 = stablehlo.add %u32, %u32 : tensor<ui32>
  %12 = stablehlo.add %u64, %u64 : tensor<ui64>
  %13 = stablehlo.add %f4, %f4 : tensor<f4E2M1FN>
  %14 = stablehlo.add %f6a, %f6a : tensor<f6E2M3FN>
  %15 = stablehlo.add %f6b, %f6b : tensor<f6E3M2FN>
  %16 = stablehlo.add %f8a, %f8a : tensor<f8E3M4>
  %17 = stablehlo.add %f8b, %f8b : tensor<f8E4M3>
  %18 = stablehlo.add %f8c, %f8c : tensor<f8E4M3B11FNUZ>
  %19 = stablehlo.add %f8d, %f8d : tensor<f8E4M3FN>
  %20 = stablehlo.add %f8e, %f8e : tensor<f8E4M3FNUZ>
  %21 = stablehlo.add %f8f, %f8f : tensor<f8E5M2>
  %22 = stablehlo.add %f8g, %f8g : tensor<f8E5M2FNUZ>
  %23 = stablehlo.add %f8h, %f8h : tensor<f8E8M0FNU>
  %24 = stablehlo.add %bf, %bf : tensor<bf16>
  %25 = stablehlo.add %f16, %f16 : tensor<f16>
  %26 = stablehlo.add %f32, %f32 : tensor<f32>
  %27 = stablehlo.add %f64, %f64 : tensor<f64>
  %28 = stablehlo.add %c64, %c64 : tensor<complex<f32>>
  %29 = stablehlo.add %c128, %c128 : tensor<complex<f64>>
  // CHECK: stablehlo.add {{.*}} : tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
  %30 = stablehlo.add %q, %q : tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  // CHECK: stablehlo.add {{.*}} : tensor<2x!quant.uniform<u8:f32:0, {5.000000e-01:3,2.500000e-01}>>
  %31 = stablehlo.add %qa, %qa : tensor<2x!quant.uniform<u8:f32:0, {0.5:3, 0.25}>>
  // CHECK: stablehlo.add {{.*}} : tensor<?x2xf32, #stablehlo.bounds<4, ?>>
  %32 = stablehlo.add %bounded, %bounded : tensor<?x2xf32, #stablehlo.bounds<4, ?>>
  return
}

// CHECK-LABEL: func private @values(!stablehlo.token, tuple<tensor<f32>, !stablehlo.token>,
// CHECK-SAME: !stablehlo.future<tensor<f32>, tensor<?xi32>>, memref<2xf32>)
func.func private @values(!stablehlo.token, tuple<tensor<f32>, !stablehlo.token>,
                          !stablehlo.future<tensor<f32>, tensor<?xi32>>, memref<2xf32>)
