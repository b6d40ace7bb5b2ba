// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The readable listing: short constants where they are used, long ones by their
// first elements and a hash; attributes other than the defaults; lists of
// inputs; names that need quotes.

// RUN: mercator compile %s --target=ascend --format=text -o - | FileCheck %s --match-full-lines --strict-whitespace

//      CHECK:graph "a b"
// CHECK-NEXT:  %first : c64[2,3] = input 0
// CHECK-NEXT:  %second : f32[?,4] = input 1
// CHECK-NEXT:  %third : i1[] = input 2
// CHECK-NEXT:  %long : f32[9] = Const(1, 2.5, NaN, 4, ..) hash 9e10d8a80eb4f017
// CHECK-NEXT:  %splat : bf16[16,16] = Const(all 0.5)
// CHECK-NEXT:  %matrix : i64[2,2] = Const(0, 1, 2, 3) hash 2e81a9d8a2d098ea
// CHECK-NEXT:  %rows : f32[2,4] = GatherV2(x=%second, indices=i32[1, 0], axis=i64 0) {negative_index_support=true}
// CHECK-NEXT:  %cast : i1[2,4] = Cast(x=%rows) {dst_type=12}
// CHECK-NEXT:  %all : i1[4] = ReduceAll(x=%cast, axes=i64[0])
// CHECK-NEXT:  %concat : f32[11] = ConcatV2(x=[%long, f32[1.5, -0]], concat_dim=i32 0) {N=2}
// CHECK-NEXT:  result 0 = %all
// CHECK-NEXT:  result 1 = %concat
// CHECK-NEXT:  result 2 = c64[(1, -2)]
// CHECK-NEXT:  result 3 = i1[true, false]
// CHECK-NEXT:  result 4 = %splat
// CHECK-NEXT:  result 5 = %matrix
// CHECK-NEXT:  result 6 = i64[]
// CHECK-NEXT:  result 7 = ui8[255]
// CHECK-NOT:{{.}}

ascend.graph @"a b" {
  %b = ascend.Data {index = 1, name = "second"} : tensor<?x4xf32>
  %a = ascend.Data {index = 0, name = "first"} : tensor<2x3xcomplex<f32>>
  %c = ascend.Data {index = 2, name = "third"} : tensor<i1>
  %long = ascend.Const dense<[1.0, 2.5, 0x7FC00000, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]> : tensor<9xf32>
  %splat = ascend.Const dense<0.5> : tensor<16x16xbf16>
  %matrix = ascend.Const dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>
  %ids = ascend.Const dense<[1, 0]> : tensor<2xi32>
  %zero = ascend.Const dense<0> : tensor<i64>
  %zero32 = ascend.Const dense<0> : tensor<i32>
  %zeros = ascend.Const dense<0> : tensor<1xi64>
  %short = ascend.Const dense<[1.5, -0.0]> : tensor<2xf32>
  %complex = ascend.Const dense<[(1.0, -2.0)]> : tensor<1xcomplex<f32>>
  %flags = ascend.Const dense<[true, false]> : tensor<2xi1>
  %none = ascend.Const dense<> : tensor<0xi64>
  %byte = ascend.Const dense<[255]> : tensor<1xui8>
  %rows = ascend.GatherV2(%b, %ids, %zero) {negative_index_support = true, batch_dims = 0}
      : (tensor<?x4xf32>, tensor<2xi32>, tensor<i64>) -> tensor<2x4xf32>
  %cast = ascend.Cast(%rows) {dst_type = 12} : (tensor<2x4xf32>) -> tensor<2x4xi1>
  %all = ascend.ReduceAll(%cast, %zeros) : (tensor<2x4xi1>, tensor<1xi64>) -> tensor<4xi1>
  %concat = ascend.ConcatV2(%long, %short, %zero32) {N = 2}
      : (tensor<9xf32>, tensor<2xf32>, tensor<i32>) -> tensor<11xf32>
  ascend.NetOutput %all, %concat, %complex, %flags, %splat, %matrix, %none, %byte
      : tensor<4xi1>, tensor<11xf32>, tensor<1xcomplex<f32>>, tensor<2xi1>,
        tensor<16x16xbf16>, tensor<2x2xi64>, tensor<0xi64>, tensor<1xui8>
}
