// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HloText.h"

#include <gtest/gtest.h>

using namespace mercator;
using namespace mercator::hlo;

/// The rows below are last lines of a text with these operands.
static const char *const fragment = R"(
sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT m = f32[] add(a, b) }
wide { a = f64[] parameter(0)  b = f64[] parameter(1)  ROOT m = f64[] add(a, b) }
two { a = f32[] parameter(0)  b = s32[] parameter(1)  c = f32[] parameter(2)  d = s32[] parameter(3)  ROOT m = (f32[], s32[]) tuple(a, b) }
one { a = f32[] parameter(0)  b = f32[] parameter(1)  c = f32[] add(a, b)  ROOT m = (f32[]) tuple(c) }
gt { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT m = pred[] compare(a, b), direction=GT }
body { a = (s32[], f32[4,8]) parameter(0)  ROOT m = copy(a) }
cond { a = (s32[], f32[4,8]) parameter(0)  ROOT m = pred[] constant(true) }
id { a = f32[4,8] parameter(0)  ROOT m = f32[4,8]{0,1} copy(a) }
running { a = f32[4] parameter(0)  b = f32[4] parameter(1)  ROOT m = tuple(b, b) }
ENTRY e {
  x = f32[4,8] parameter(0)
  y = f32[4,8]{0,1} parameter(1)
  s = f32[] parameter(2)
  i = s32[] parameter(3)
  p = pred[4,8] parameter(4)
  n = s32[4,8] parameter(5)
  c = c128[4,8] parameter(6)
  t = (s32[], f32[4,8]) parameter(7)
  v = s32[2] parameter(8)
  d = f32[<=4,8] parameter(9)
  a3 = f32[2,3,4] parameter(10)
  b3 = f32[2,4,5] parameter(11)
  img = f32[2,7,6,4] parameter(12)
  ker = f32[3,2,2,6] parameter(13)
  idx = s32[5,2] parameter(14)
  f4 = f32[4] parameter(15)
  z = f32[3,0] parameter(16)
  q = pred[] parameter(17)
)";

struct ShapeRow {
  const char *text;     // the right-hand side
  const char *expected; // its shape, or ":" and the diagnostic
};

static void check(llvm::ArrayRef<ShapeRow> rows) {
  for (const ShapeRow &row : rows) {
    Parsed parsed =
        parseText(std::string(fragment) + "  ROOT r = " + row.text + "\n}\n");
    std::string actual;
    if (parsed.module)
      actual =
          toString(*parsed.module->entryComputation().rootInstruction().shape);
    else
      actual = parsed.said.substr(0, parsed.said.find('\n'));
    if (row.expected[0] == ':') {
      // Keeps only the place within the row: line 30, columns after "  ROOT r =
      // ".
      EXPECT_EQ(actual, "t.hlo:30" + std::string(row.expected)) << row.text;
      continue;
    }
    ASSERT_TRUE(parsed.module) << row.text << "\n" << parsed.said;
    EXPECT_EQ(actual, row.expected) << row.text;
  }
}

TEST(ShapeInference, Elementwise) {
  check({
      {"add(x, y)", "f32[4,8]"},
      {"add(x, s)", "f32[4,8]"}, // a scalar may replace an array
      {"negate(d)", "f32[<=4,8]"},
      {"add(x, d)", "f32[4,8]"},
      {"abs(c)", "f64[4,8]"},
      {"is-finite(x)", "pred[4,8]"},
      {"compare(x, y), direction=LT", "pred[4,8]"},
      {"complex(x, y)", "c64[4,8]"},
      {"imag(c)", "f64[4,8]"},
      {"select(p, x, y)", "f32[4,8]"},
      {"select(q, x, y)", "f32[4,8]"},
      {"select(q, t, t)", "(s32[], f32[4,8])"},
      {"clamp(s, x, s)", "f32[4,8]"},
      {"map(x, y), dimensions={0,1}, to_apply=gt", "pred[4,8]"},
      {"reduce-precision(x), exponent_bits=5, mantissa_bits=10", "f32[4,8]"},
      {"f32[4,8] add(x, y)", "f32[4,8]"},
      {"f32[4,8]{0,1} add(x, y)", "f32[4,8]{0,1}"},
      {"f32[8,4] add(x, y)",
       ":12: error: expected shape 'f32[4,8]' for 'add', got 'f32[8,4]'"},
      {"add(x, f4)",
       ":19: error: the operands of 'add' differ in extent: 'f4' of "
       "shape 'f32[4]' and 'x' of shape 'f32[4,8]'"},
      {"add(x, n)",
       ":19: error: the operands of 'add' differ in element type: 'n' of "
       "shape 's32[4,8]' and 'x' of shape 'f32[4,8]'"},
      {"add(x, t)",
       ":19: error: expected an array for operand 1 of 'add', got 't' of "
       "shape '(s32[], f32[4,8])'"},
      {"select(n, x, y)",
       ":19: error: expected a pred to select by, got 'n' of shape "
       "'s32[4,8]'"},
      {"select(p, x, n)",
       ":25: error: the alternatives of 'select' differ in element "
       "type: 'x' of shape 'f32[4,8]' and 'n' of shape 's32[4,8]'"},
      {"clamp(x, s, s)",
       ":18: error: the bounds of 'clamp' exceed its value in rank: "
       "'x' of shape 'f32[4,8]' and 's' of shape 'f32[]'"},
      {"complex(n, n)",
       ":20: error: expected f32 or f64 parts for 'complex', got 'n' "
       "of shape 's32[4,8]'"},
  });
}

TEST(ShapeInference, ADynamicDimensionFitsSizesUpToItsBound) {
  check({
      {"f32[<=4,8] copy(d)", "f32[<=4,8]"},
      {"f32[<=9,8] copy(d)", "f32[<=9,8]"},
      {"f32[<=2,8] copy(d)", "f32[<=2,8]"},
      {"f32[?,8] copy(d)", "f32[?,8]"},
      {"f32[3,8] copy(d)", "f32[3,8]"},
      {"f32[<=9,8] copy(x)", "f32[<=9,8]"},
      {"f32[5,8] copy(d)",
       ":12: error: expected shape 'f32[<=4,8]' for 'copy', got 'f32[5,8]'"},
      {"f32[<=3,8] copy(x)",
       ":12: error: expected shape 'f32[4,8]' for 'copy', got 'f32[<=3,8]'"},
  });
}

TEST(ShapeInference, WrittenTypes) {
  check({
      {"bf16[4,8] convert(x)", "bf16[4,8]"},
      {"bf16[8,4] convert(x)",
       ":12: error: expected shape 'bf16[4,8]' for 'convert', got 'bf16[8,4]'"},
      {"convert(x)",
       ":12: error: the shape of 'convert' does not follow from its "
       "operands and must be written"},
      {"u8[4,8,4] bitcast-convert(x)", "u8[4,8,4]"},
      {"u32[4,8] bitcast-convert(x)", "u32[4,8]"},
      {"u64[2,3,4] bitcast-convert(a3)",
       ":39: error: expected a last dimension of 2 to make 'u64' from 'a3' of "
       "shape "
       "'f32[2,3,4]'"},
      {"s32[32] reshape(x)",
       ":12: error: expected shape 'f32[32]' for 'reshape', got 's32[32]'"},
      {"f32[2,16] reshape(x)", "f32[2,16]"},
      {"f32[2,17] reshape(x)", ":30: error: 'reshape' keeps the number of "
                               "elements: 'x' of shape 'f32[4,8]' has "
                               "32, the result 34"},
      {"f32[0] reshape(z)", "f32[0]"},
      {"reshape(x)",
       ":12: error: the shape of 'reshape' does not follow from its "
       "operands and must be written"},
      {"u8[128] bitcast(x)", "u8[128]"},
      {"s4[77] bitcast(x)", "s4[77]"}, // may be packed or not
      {"f32[77]{0:T(8)} bitcast(x)", "f32[77]{0:T(8)}"},
      {"u8[127] bitcast(x)", ":28: error: 'bitcast' keeps the number of bytes: "
                             "'x' of shape 'f32[4,8]' does not "
                             "have those of 'u8[127]'"},
      {"f32[3] bitcast(f4)", ":27: error: 'bitcast' keeps the number of bytes: "
                             "'f4' of shape 'f32[4]' does not "
                             "have those of 'f32[3]'"},
      {"s32[4,8] iota(), iota_dimension=1", "s32[4,8]"},
      {"s32[4,8] iota(), iota_dimension=2",
       ":44: error: dimension 2 is out of range for 's32[4,8]'"},
  });
}

TEST(ShapeInference, BroadcastAndTranspose) {
  check({
      {"f32[4,8,3] broadcast(x), dimensions={0,1}", "f32[4,8,3]"},
      {"f32[8,4] broadcast(x), dimensions={1,0}", "f32[8,4]"},
      {"f32[2,2] broadcast(s)", "f32[2,2]"},
      {"f32[4,8] broadcast(x)",
       ":21: error: 'broadcast' of 'x' of shape 'f32[4,8]' needs "
       "the attribute 'dimensions'"},
      {"f32[4,8,3] broadcast(x), dimensions={0}",
       ":48: error: expected 2 dimensions, one for each of the operand's, got "
       "1"},
      {"f32[4,8,3] broadcast(x), dimensions={0,3}",
       ":48: error: dimension 3 is out of range for rank 3"},
      {"f32[4,8,3] broadcast(x), dimensions={1,1}",
       ":48: error: dimension 1 is written twice"},
      {"f32[4,8,3] broadcast(x), dimensions={0,2}",
       ":48: error: dimension 1 of the operand has extent 8, dimension 2 of "
       "the result 3"},
      {"transpose(a3), dimensions={2,0,1}", "f32[4,2,3]"},
      {"transpose(d), dimensions={1,0}", "f32[8,<=4]"},
      {"transpose(x), dimensions={1}",
       ":37: error: expected a permutation of 2 dimensions, got 1"},
      {"transpose(x), dimensions={1,1}",
       ":37: error: dimension 1 is written twice"},
      {"transpose(x), dimensions={1,-1}",
       ":37: error: dimension -1 is out of range for rank 2"},
      {"reverse(x), dimensions={1}", "f32[4,8]"},
      {"reverse(x), dimensions={2}",
       ":35: error: dimension 2 is out of range for rank 2"},
      {"concatenate(x, y, x), dimensions={0}", "f32[12,8]"},
      {"concatenate(x, d), dimensions={0}", "f32[<=8,8]"},
      {"concatenate(x, f4), dimensions={0}",
       ":27: error: the operands of 'concatenate' differ outside of dimension 0: "
       "'x' of shape "
       "'f32[4,8]' and 'f4' of shape 'f32[4]'"},
      {"concatenate(x, x), dimensions={0,1}",
       ":42: error: expected one dimension, got 2"},
  });
}

TEST(ShapeInference, SlicesAndPads) {
  check({
      {"slice(x), slice={[1:4:2], [0:8]}", "f32[2,8]"},
      {"slice(x), slice={[0:0], [8:8]}", "f32[0,0]"},
      {"slice(x), slice={[0:4]}",
       ":28: error: expected 2 slices, one for each dimension, got 1"},
      {"slice(x), slice={[0:5], [0:8]}",
       ":28: error: slice [0:5] is out of range for dimension 0 of extent 4"},
      {"slice(x), slice={[3:2], [0:8]}",
       ":28: error: slice [3:2] is out of range for dimension 0 of extent 4"},
      {"slice(x), slice={[0:4:0], [0:8]}",
       ":28: error: expected a stride above 0 in dimension 0, got 0"},
      {"slice(x), slice={[0:4:9223372036854775807], [0:8]}", "f32[1,8]"},
      {"pad(x, s), padding=1_2_3x-1_-2", "f32[16,5]"},
      {"pad(z, s), padding=0_0x1_1_5", "f32[3,2]"},
      {"pad(x, s), padding=-3_-2x0_0",
       ":31: error: dimension 0 has the extent -1 after padding, expected 0 or "
       "more"},
      {"pad(x, s), padding=-2_-2x0_0", "f32[0,8]"},
      {"pad(x, s), padding=0_9223372036854775807x0_0",
       ":31: error: dimension 0 has an extent after padding that does not fit "
       "in 64 bits"},
      {"pad(x, s), padding=0_0_-1x0_0", ":31: error: expected interior padding "
                                        "of 0 or more in dimension 0, got -1"},
      {"pad(x, s), padding=1_1",
       ":31: error: expected padding for 2 dimensions, got 1"},
      {"pad(x, i), padding=1_1x1_1",
       ":19: error: expected a scalar to pad 'x' of shape "
       "'f32[4,8]' with, got 'i' of shape 's32[]'"},
      {"pad(x, s), padding=0_4611686018427387904x0_4611686018427387904",
       ":12: error: the result of this instruction is too large a shape"},
      {"dynamic-slice(x, i, i), dynamic_slice_sizes={2,8}", "f32[2,8]"},
      {"dynamic-slice(x, v), dynamic_slice_sizes={2,8}", "f32[2,8]"},
      {"dynamic-slice(x, i), dynamic_slice_sizes={2,8}",
       ":12: error: expected 2 start indices for 'dynamic-slice', one "
       "for each dimension, got 1"},
      {"dynamic-slice(x, i, i), dynamic_slice_sizes={5,8}",
       ":56: error: size 5 is out of range for dimension 0 of extent 4"},
      {"dynamic-slice(x, i, s), dynamic_slice_sizes={2,8}",
       ":32: error: expected an integer scalar as start index, got 's' of "
       "shape 'f32[]'"},
      {"dynamic-update-slice(x, y, i, i)", "f32[4,8]"},
      {"dynamic-update-slice(x, f4, i, i)",
       ":36: error: the update does not fit: 'f4' of shape 'f32[4]' into 'x' "
       "of shape "
       "'f32[4,8]'"},
  });
}

TEST(ShapeInference, GatherAndScatter) {
  check({
      {"gather(x, idx), offset_dims={1}, collapsed_slice_dims={0}, "
       "start_index_map={0,1}, "
       "index_vector_dim=1, slice_sizes={1,8}",
       "f32[5,8]"},
      {"gather(a3, idx), offset_dims={0,2}, collapsed_slice_dims={1}, "
       "start_index_map={2,0}, index_vector_dim=1, slice_sizes={2,1,3}",
       "f32[2,5,3]"},
      // The index vector dimension is implied: one number, and every index is a
      // batch.
      {"gather(x, idx), offset_dims={2,3}, collapsed_slice_dims={}, "
       "start_index_map={1}, "
       "index_vector_dim=2, slice_sizes={4,3}",
       "f32[5,2,4,3]"},
      {"gather(a3, v), offset_dims={1}, collapsed_slice_dims={1}, "
       "start_index_map={1}, "
       "index_vector_dim=1, slice_sizes={1,1,4}, operand_batching_dims={0}, "
       "start_indices_batching_dims={0}",
       "f32[2,4]"},
      {"gather(x, idx), offset_dims={1}, collapsed_slice_dims={0}, "
       "start_index_map={0}, "
       "index_vector_dim=1, slice_sizes={1,8}",
       ":87: error: expected 2 dimensions, the length of an index vector, got "
       "1"},
      {"gather(x, idx), offset_dims={1}, collapsed_slice_dims={0}, "
       "start_index_map={0,1}, "
       "index_vector_dim=3, slice_sizes={1,8}",
       ":111: error: dimension 3 is out of range for 'idx' of shape "
       "'s32[5,2]'"},
      {"gather(x, idx), offset_dims={1}, collapsed_slice_dims={0}, "
       "start_index_map={0,1}, "
       "index_vector_dim=1, slice_sizes={2,8}",
       ":126: error: dimension 0 is collapsed or batching, its size must be 0 "
       "or 1, got 2"},
      {"gather(x, idx), offset_dims={1}, collapsed_slice_dims={}, "
       "start_index_map={0,1}, "
       "index_vector_dim=1, slice_sizes={1,8}",
       ":40: error: expected 2 dimensions, one for each of the slice that is "
       "neither "
       "collapsed nor batching, got 1"},
      {"gather(x, idx), offset_dims={1}, collapsed_slice_dims={0}, "
       "start_index_map={0,1}, "
       "index_vector_dim=1, slice_sizes={1,9}",
       ":126: error: size 9 is out of range for dimension 1 of extent 8"},
      {"gather(x, x), offset_dims={1}, collapsed_slice_dims={0}, "
       "start_index_map={0,1}, "
       "index_vector_dim=1, slice_sizes={1,8}",
       ":22: error: expected integer indices, got 'x' of shape 'f32[4,8]'"},
      {"scatter(img, idx, a3), update_window_dims={1,2}, "
       "inserted_window_dims={0,1}, "
       "scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, to_apply=sum",
       ":30: error: the updates do not fit: 'a3' of shape 'f32[2,3,4]' into "
       "'img' of "
       "shape 'f32[2,7,6,4]' at 'idx' of shape 's32[5,2]'"},
      {"scatter(a3, v, x), update_window_dims={0}, inserted_window_dims={0,1}, "
       "scatter_dims_to_operand_dims={0,1}, index_vector_dim=0, to_apply=sum",
       ":27: error: the updates do not fit: 'x' of shape 'f32[4,8]' into 'a3' "
       "of shape "
       "'f32[2,3,4]' at 'v' of shape 's32[2]'"},
      {"scatter(a3, v, f4), update_window_dims={0}, "
       "inserted_window_dims={0,1}, "
       "scatter_dims_to_operand_dims={0,1}, index_vector_dim=0, to_apply=sum",
       "f32[2,3,4]"},
      {"scatter(a3, v, f4, f4), update_window_dims={0}, "
       "inserted_window_dims={0,1}, "
       "scatter_dims_to_operand_dims={0,1}, index_vector_dim=0, to_apply=sum",
       ":12: error: expected an odd number of operands for 'scatter': n "
       "operands, the "
       "indices, n updates; got 4"},
  });
}

TEST(ShapeInference, Reductions) {
  check({
      {"reduce(a3, s), dimensions={0,2}, to_apply=sum", "f32[3]"},
      {"reduce(x, s), dimensions={1}, to_apply=max", "f32[4]"},
      {"reduce(x, n, s, i), dimensions={1}, to_apply=two", "(f32[4], s32[4])"},
      {"reduce(x, n, s, i), dimensions={1}, to_apply=max", "(f32[4], s32[4])"},
      {"reduce(x, s), dimensions={1}, to_apply=one", "(f32[4])"},
      {"reduce(x, s), dimensions={1}, to_apply=wide", "f64[4]"},
      {"reduce(d, s), dimensions={1}, to_apply=sum", "f32[<=4]"},
      {"reduce(x, s), dimensions={2}, to_apply=sum",
       ":37: error: dimension 2 is out of range for rank 2"},
      {"reduce(x, s), dimensions={0,0}, to_apply=sum",
       ":37: error: dimension 0 is written twice"},
      {"reduce(x, y, s), dimensions={1}, to_apply=sum",
       ":12: error: expected an even number of operands for 'reduce', inputs "
       "and their "
       "initial values, got 3"},
      {"reduce(x, a3, s, s), dimensions={1}, to_apply=two",
       ":22: error: the inputs of 'reduce' differ in extent: 'x' of shape "
       "'f32[4,8]' and "
       "'a3' of shape 'f32[2,3,4]'"},
      {"reduce(x, y), dimensions={1}, to_apply=sum",
       ":22: error: expected a scalar initial value, got 'y' of shape "
       "'f32[4,8]{0,1}'"},
      {"reduce(x, s), dimensions={1}, to_apply=two",
       ":51: error: expected a reducer of 2 parameters, 'two' has 4"},
      {"sort(x), dimensions={1}, to_apply=gt", "f32[4,8]"},
      {"sort(x), dimensions={2}, to_apply=gt",
       ":32: error: dimension 2 is out of range for rank 2"},
      {"scan(x, f4), dimensions={1}, num_carries=1, to_apply=running",
       "(f32[4,8], f32[4])"},
  });
}

TEST(ShapeInference, Windows) {
  check({
      // (7 + 1 + 1 - 3) / 2 + 1, over a window of 3
      {"reduce-window(img, s), window={size=1x3x1x1 stride=1x2x1x1 "
       "pad=0_0x1_1x0_0x0_0}, "
       "to_apply=sum",
       "f32[2,4,6,4]"},
      // the operand dilated to 13, the window to 5
      {"reduce-window(img, s), window={size=1x3x1x1 lhs_dilate=1x2x1x1 "
       "rhs_dilate=1x2x1x1}, to_apply=sum",
       "f32[2,9,6,4]"},
      {"reduce-window(f4, s), window={size=9}, to_apply=sum", "f32[0]"},
      {"reduce-window(s, s), to_apply=sum", "f32[]"},
      {"reduce-window(x, s), to_apply=sum",
       ":12: error: expected a window of rank 2, got 0"},
      {"reduce-window(x, s), window={size=2}, to_apply=sum",
       ":40: error: expected a window of rank 2, got 1"},
      {"reduce-window(x, s), window={size=0x1}, to_apply=sum",
       ":40: error: expected 'size' above 0 in dimension 0, got 0"},
      {"reduce-window(x, s), window={size=2x2 stride=0x1}, to_apply=sum",
       ":40: error: expected 'stride' above 0 in dimension 0, got 0"},
      {"reduce-window(f4, s), window={size=1 pad=-3_-3}, to_apply=sum",
       ":41: error: dimension 0 has the extent -2 after padding, expected 0 or "
       "more"},
      {"select-and-scatter(x, y, s), window={size=1x1}, select=gt, scatter=sum",
       "f32[4,8]"},
      {"select-and-scatter(x, f4, s), window={size=1x1}, select=gt, "
       "scatter=sum",
       ":34: error: the source does not have the extents of the windows over "
       "'x' of shape "
       "'f32[4,8]': 'f4' of shape 'f32[4]'"},
  });
}

TEST(ShapeInference, DotAndConvolution) {
  check({
      {"dot(a3, b3), lhs_batch_dims={0}, rhs_batch_dims={0}, "
       "lhs_contracting_dims={2}, "
       "rhs_contracting_dims={1}",
       "f32[2,3,5]"},
      {"dot(f4, f4), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
       "f32[]"},
      {"dot(f4, f4)", "f32[4,4]"},
      {"f64[] dot(f4, f4), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
       "f64[]"},
      {"dot(a3, b3), lhs_contracting_dims={2}, rhs_contracting_dims={2}",
       ":46: error: dimension 2 of 'a3' of shape 'f32[2,3,4]' and dimension 2 "
       "of 'b3' of "
       "shape 'f32[2,4,5]' differ in extent"},
      {"dot(a3, b3), lhs_contracting_dims={2}",
       ":46: error: expected as many dimensions as in 'rhs_contracting_dims': "
       "1 and 0"},
      {"dot(a3, b3), lhs_batch_dims={0}, rhs_batch_dims={0}, "
       "lhs_contracting_dims={0}, "
       "rhs_contracting_dims={0}",
       ":86: error: dimension 0 is a batch dimension as well"},
      {"convolution(img, ker), window={size=3x2 stride=2x1 pad=1_1x0_0}, "
       "dim_labels=b01f_01io->b01f, feature_group_count=2",
       "f32[2,4,5,6]"},
      {"convolution(img, ker), window={size=3x2}, dim_labels=b01f_01io->01bf, "
       "feature_group_count=2",
       "f32[5,5,2,6]"},
      {"convolution(img, ker), window={size=3x2}, dim_labels=b01f_01io->b01f",
       ":29: error: expected 4 input features of the kernel, dimension 2 of "
       "'ker' of "
       "shape 'f32[3,2,2,6]'"},
      {"convolution(img, ker), window={size=3x3}, dim_labels=b01f_01io->b01f, "
       "feature_group_count=2",
       ":42: error: the window has size 3 in dimension 1, the kernel 2"},
      {"convolution(img, ker), window={size=3x2}, dim_labels=b01f_01io->b01f, "
       "feature_group_count=4",
       ":102: error: feature_group_count must divide the features, 4 in and 6 "
       "out; got 4"},
      {"convolution(img, ker), window={size=3x2}, dim_labels=b01f_01io->b01?f",
       ":65: error: the dimensions of a convolution all take part: expected no "
       "'?'"},
      {"convolution(img, ker), window={size=3x2}, dim_labels=b0f_0io->b0f",
       ":24: error: the dimension labels have rank 3, got 'img' of shape "
       "'f32[2,7,6,4]'"},
  });
}

TEST(ShapeInference, TuplesAndCalls) {
  check({
      {"tuple(x, t)", "(f32[4,8], (s32[], f32[4,8]))"},
      {"tuple()", "()"},
      {"get-tuple-element(t), index=1", "f32[4,8]"},
      {"get-tuple-element(t), index=2",
       ":40: error: index 2 is out of range for a tuple of 2"},
      {"get-tuple-element(t), index=2147483648",
       ":40: error: index 2147483648 is out of range for a tuple of 2"},
      {"get-tuple-element(x), index=0",
       ":30: error: expected a tuple, got 'x' of shape 'f32[4,8]'"},
      {"call(x), to_apply=id", "f32[4,8]{0,1}"},
      {"fusion(x), kind=kLoop, calls=id", "f32[4,8]{0,1}"},
      {"call(x, y), to_apply=id",
       ":33: error: 'id' takes 1 parameters, 'call' passes 2"},
      {"call(f4), to_apply=id",
       ":31: error: parameter 0 of 'id' is 'f32[4,8]', 'call' passes 'f32[4]'"},
      {"while(t), condition=cond, body=body", "(s32[], f32[4,8])"},
      {"while(x), condition=cond, body=body",
       ":32: error: parameter 0 of 'cond' is '(s32[], f32[4,8])', 'while' "
       "passes "
       "'f32[4,8]'"},
      {"while(t), condition=body, body=body",
       ":32: error: expected a condition of shape 'pred[]', got '(s32[], "
       "f32[4,8])'"},
      {"conditional(q, x, y), true_computation=id, false_computation=id",
       "f32[4,8]{0,1}"},
      {"conditional(i, x, y), branch_computations={id, id}", "f32[4,8]{0,1}"},
      {"conditional(i, x), branch_computations={id, id}",
       ":12: error: expected 3 operands, an index and one for each branch, got 2"},
      {"conditional(x, x, y), branch_computations={id, id}",
       ":24: error: expected a scalar pred or s32 to choose a branch, got 'x' "
       "of shape "
       "'f32[4,8]'"},
      {"after-all()", "token[]"},
      {"partition-id()", "u32[]"},
      {"custom-call(x), custom_call_target=\"f\"",
       ":12: error: the shape of 'custom-call' does not follow from its "
       "operands and must "
       "be written"},
  });
}
