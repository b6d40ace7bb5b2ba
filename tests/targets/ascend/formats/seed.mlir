// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Eight rows of a table of 151936, as a file: its bytes are read by a decoder
// that shares no code with the writer, and by our reader.

// RUN: mercator compile %s --target=ascend --format=air -o %t.air
// RUN: %{python} %S/Inputs/decode.py %t.air | FileCheck %s
// RUN: mercator compile %t.air --target=ascend --format=air -o %t.again.air
// RUN: cmp %t.air %t.again.air
// RUN: mercator compile %s --target=ascend --format=text -o %t.txt
// RUN: mercator compile %t.air --target=ascend --format=text -o %t.again.txt
// RUN: cmp %t.txt %t.again.txt
// RUN: FileCheck %s --check-prefix=TEXT --match-full-lines --strict-whitespace < %t.txt

// CHECK:      graph embed of table:0, ids:0
// CHECK-NEXT:   table: f32[151936,896] Data() index=0
// CHECK-NEXT:   ids: i32[1,8,1] Data() index=1
// CHECK-NEXT:   [[LOW:[^ ]+]]: i32[] Const(0)
// CHECK-NEXT:   [[HIGH:[^ ]+]]: i32[] Const(151935)
// CHECK-NEXT:   [[CLIP:[^ ]+]]: i32[1,8,1] ClipByValue(x=ids, clip_value_min=[[LOW]], clip_value_max=[[HIGH]])
// CHECK-NEXT:   [[SHAPE:[^ ]+]]: i64[2] Const(1, 8)
// CHECK-NEXT:   [[IDS:[^ ]+]]: i32[1,8] Reshape(x=[[CLIP]], shape=[[SHAPE]]) axis=0 num_axes=-1
// CHECK-NEXT:   [[AXIS:[^ ]+]]: i64[] Const(0)
// CHECK-NEXT:   [[ROWS:[^ ]+]]: f32[1,8,896] GatherV2(x=table, indices=[[IDS]], axis=[[AXIS]]) batch_dims=0 is_preprocessed=False negative_index_support=False
// CHECK-NEXT:   NetOutput: NetOutput(input0=[[ROWS]])
// CHECK-NOT:  {{.}}

//      TEXT:graph embed
// TEXT-NEXT:  %table : f32[151936,896] = input 0
// TEXT-NEXT:  %ids : i32[1,8,1] = input 1
// TEXT-NEXT:  %[[CLIP:[^ ]+]] : i32[1,8,1] = ClipByValue(x=%ids, clip_value_min=i32 0, clip_value_max=i32 151935)
// TEXT-NEXT:  %[[IDS:[^ ]+]] : i32[1,8] = Reshape(x=%[[CLIP]], shape=i64[1, 8])
// TEXT-NEXT:  %[[ROWS:[^ ]+]] : f32[1,8,896] = GatherV2(x=%table, indices=%[[IDS]], axis=i64 0)
// TEXT-NEXT:  result 0 = %[[ROWS]]
// TEXT-NOT:{{.}}

func.func @embed(%table: tensor<151936x896xf32>, %ids: tensor<1x8x1xi32>)
    -> tensor<1x8x896xf32> {
  %rows = "stablehlo.gather"(%table, %ids) <{
      dimension_numbers = #stablehlo.gather<offset_dims = [2],
          collapsed_slice_dims = [0], start_index_map = [0],
          index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 896>}>
      : (tensor<151936x896xf32>, tensor<1x8x1xi32>) -> tensor<1x8x896xf32>
  return %rows : tensor<1x8x896xf32>
}
