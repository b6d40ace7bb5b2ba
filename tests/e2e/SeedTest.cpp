// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The document on HLO indexing analysis, operation by operation: its snippets
// verbatim, including their shortcuts (no header, no ENTRY, no result shape,
// `to_apply=max` without a computation), and its maps, compared by meaning.
// Where the document over-approximates or has an error, the test proves it.

#include "Snippet.h"

using namespace mercator;
using namespace mercator::e2e;

TEST(Seed, Elementwise) {
  Snippet p(R"(
  p0 = f32[10, 20] parameter(0)
  p1 = f32[10, 20] parameter(1)
  add = f32[10, 20] add(p0, p1)
)");
  const char *map = R"((d0, d1) -> (d0, d1)
domain:
d0 in [0, 9]
d1 in [0, 19])";
  p.reads("add", 0, {map});
  p.reads("add", 1, {map});
  p.reaches("add", 0, {map});
  p.reaches("add", 1, {map});
}

static const char *const broadcast = R"(
p0 = f32[20] parameter(0)
bc0 = f32[10, 20, 30] broadcast(p0), dimensions={1}
)";

TEST(Seed, Broadcast) {
  Snippet p(broadcast);
  p.reads("bc0", 0, {R"((d0, d1, d2) -> (d1)
domain:
d0 in [0, 9]
d1 in [0, 19]
d2 in [0, 29])"});
  p.reaches("bc0", 0, {R"((d0)[s0, s1] -> (s0, d0, s1)
domain:
d0 in [0, 19]
s0 in [0, 9]
s1 in [0, 29])"});
}

// The introduction says (i, j, k) -> (j), i in [0, 10], j in [0, 20],
// k in [0, 30]; but element 20 of a dimension of size 20 does not exist.
TEST(Seed, BroadcastOfTheIntroductionIsOffByOne) {
  Snippet p(broadcast);
  p.doesNotRead("bc0", 0,
                "(d0, d1, d2) -> (d1), domain: d0 in [0, 10], d1 in [0, 20], "
                "d2 in [0, 30]");
}

TEST(Seed, ConstantAndIotaReadNothing) {
  Snippet p("c = f32[] constant(1)\ni = s32[4] iota(), iota_dimension=0\n"
            "ROOT t = (f32[], s32[4]) tuple(c, i)");
  p.hasNoRecords("c");
  p.hasNoRecords("i");
}

static const char *const dynamicSlice = R"(
src = s32[2,2,258] parameter(0)
of1 = s32[] parameter(1)
of2 = s32[] parameter(2)
of3 = s32[] parameter(3)
ds = dynamic-slice(s32[2,2,258] src, s32[] of1, s32[] of2, s32[] of3), dynamic_slice_sizes={1, 2, 32}
)";

TEST(Seed, DynamicSlice) {
  Snippet p(dynamicSlice);
  p.reads("ds", 0, {R"((d0, d1, d2)[s0, s1, s2] -> (d0 + s0, d1 + s1, d2 + s2)
domain:
d0 in [0, 0]
d1 in [0, 1]
d2 in [0, 31]
s0 in [0, 1]
  hlo: of1 = s32[] parameter(1)
  (d0, d1, d2)  -> ()
s1 in [0, 0]
  hlo: of2 = s32[] parameter(2)
  (d0, d1, d2)  -> ()
s2 in [0, 226]
  hlo: of3 = s32[] parameter(3)
  (d0, d1, d2) -> ())"});
  for (unsigned offset : {1, 2, 3})
    p.reads("ds", offset, {R"((d0, d1, d2)  -> ()
domain:
d0 in [0, 0]
d1 in [0, 1]
d2 in [0, 31])"});
}

// The document has no input-to-output map here; ours must be the same relation.
TEST(Seed, DynamicSliceInputToOutput) {
  Snippet p(dynamicSlice);
  p.reaches("ds", 0,
            {"(d0, d1, d2){rt0, rt1, rt2} -> (d0 - rt0, d1 - rt1, d2 - rt2), "
             "domain: d0 in [0, 1], d1 in [0, 1], d2 in [0, 257], rt0 in [0, "
             "1], rt1 in [0, 0], rt2 in [0, 226], d0 - rt0 in [0, 0], d1 - rt1 "
             "in [0, 1], d2 - rt2 in [0, 31]"});
  for (unsigned offset : {1, 2, 3})
    p.reaches("ds", offset,
              {"()[s0, s1, s2] -> (s0, s1, s2), domain: s0 in [0, 0], s1 in "
               "[0, 1], s2 in [0, 31]"});
}

static const char *const dynamicUpdateSlice = R"(
src = s32[20,30] parameter(0)
upd = s32[5,10] parameter(1)
of1 = s32[] parameter(2)
of2 = s32[] parameter(3)
dus = s32[20,30] dynamic-update-slice(
    s32[20,30] src, s32[5,10] upd, s32[] of1, s32[] of2)
)";

// The document reads all of `src` ("inequality constraints are not supported")
// and has coordinates of `upd` that may be negative. Our maps are the
// document's with constraints, and are contained in them.
TEST(Seed, DynamicUpdateSlice) {
  Snippet p(dynamicUpdateSlice);
  const char *documentSrc = R"((d0, d1) -> (d0, d1)
domain:
d0 in [0, 19]
d1 in [0, 29])";
  const char *exactSrc =
      "(d0, d1){rt0, rt1} -> (d0, d1), domain: d0 in [0, 19], d1 in [0, 29], "
      "rt0 in [0, 15], rt1 in [0, 20], max(max(rt0 - 1 - d0, d0 - rt0 - 5), "
      "max(rt1 - 1 - d1, d1 - rt1 - 10)) in [0, inf]";
  p.reads("dus", 0, {exactSrc});
  p.doesNotRead("dus", 0, documentSrc);
  p.readsWithin("dus", 0, documentSrc);
  p.reaches("dus", 0, {exactSrc});

  const char *documentUpd = R"((d0, d1)[s0, s1]  -> (d0 - s0, d1 - s1)
domain:
d0 in [0, 19]
d1 in [0, 29]
s0 in [0, 15]
  hlo: of1 = s32[] parameter(2)
  (d0, d1)  -> ()
s1 in [0, 20]
  hlo: of2 = s32[] parameter(3)
  (d0, d1)  -> ())";
  p.reads("dus", 1,
          {"(d0, d1){rt0, rt1} -> (d0 - rt0, d1 - rt1), domain: d0 in [0, 19], "
           "d1 in [0, 29], rt0 in [0, 15], rt1 in [0, 20], d0 - rt0 in [0, 4], "
           "d1 - rt1 in [0, 9]"});
  p.doesNotRead("dus", 1, documentUpd);
  p.readsWithin("dus", 1, documentUpd);
  p.reaches("dus", 1,
            {"(d0, d1){rt0, rt1} -> (d0 + rt0, d1 + rt1), domain: d0 in [0, "
             "4], d1 in [0, 9], rt0 in [0, 15], rt1 in [0, 20]"});

  for (unsigned offset : {2, 3})
    p.reads("dus", offset, {R"((d0, d1)  -> ()
domain:
d0 in [0, 19]
d1 in [0, 29])"});
}

TEST(Seed, Gather) {
  Snippet p(R"(
operand = f32[33,76,70] parameter(0)
indices = s32[1806,2] parameter(1)
gather = f32[1806,7,8,4] gather(operand, indices),
  offset_dims={1,2,3},
  collapsed_slice_dims={},
  start_index_map={0,1},
  index_vector_dim=1,
  slice_sizes={7,8,4}
)");
  p.reads("gather", 0, {R"((d0, d1, d2, d3)[s0, s1] -> (d1 + s0, d2 + s1, d3)
domain:
d0 in [0, 1805]
d1 in [0, 6]
d2 in [0, 7]
d3 in [0, 3]
s0 in [0, 26]
  hlo: indices = s32[1806,2]{1,0} parameter(1)
  (d0, d1, d2, d3) -> (d0, 0)
s1 in [0, 68]
  hlo: indices = s32[1806,2]{1,0} parameter(1)
  (d0, d1, d2, d3) -> (d0, 1))"});
  p.reads("gather", 1, {R"(  (d0, d1, d2, d3)[s0] -> (d0, s0)
  domain:
  d0 in [0, 1805]
  d1 in [0, 6]
  d2 in [0, 7]
  d3 in [0, 3]
  s0 in [0, 1])"});
  p.reaches("gather", 1,
            {"(d0, d1)[s0, s1, s2] -> (d0, s0, s1, s2), domain: d0 in [0, "
             "1805], d1 in [0, 1], s0 in [0, 6], s1 in [0, 7], s2 in [0, 3]"});
}

TEST(Seed, Transpose) {
  Snippet p(R"(
p0 = f32[3, 12288, 6, 128] parameter(0)
transpose = f32[3, 6, 128, 12288] transpose(p0), dimensions={0, 2, 3, 1}
)");
  p.reads("transpose", 0, {R"((d0, d1, d2, d3) -> (d0, d3, d1, d2)
domain:
d0 in [0, 2]
d1 in [0, 5]
d2 in [0, 127]
d3 in [0, 12287])"});
  p.reaches("transpose", 0, {R"((d0, d1, d2, d3) -> (d0, d2, d3, d1)
domain:
d0 in [0, 2]
d1 in [0, 12287]
d2 in [0, 5]
d3 in [0, 127])"});
}

TEST(Seed, Reverse) {
  Snippet p(R"(
p0 = f32[1, 17, 9, 9] parameter(0)
reverse = f32[1, 17, 9, 9] reverse(p0), dimensions={1, 2}
)");
  const char *map = R"((d0, d1, d2, d3) -> (d0, -d1 + 16, -d2 + 8, d3)
domain:
d0 in [0, 0]
d1 in [0, 16]
d2 in [0, 8]
d3 in [0, 8])";
  p.reads("reverse", 0, {map});
  p.reaches("reverse", 0, {map});
}

TEST(Seed, VariadicReduce) {
  Snippet p(R"(
p0 = f32[256,10] parameter(0)
p0_init = f32[] constant(-inf)
p1 = s32[256,10] parameter(1)
p1_init = s32[] constant(0)
reduce = (f32[10], s32[10]) reduce(p0, p1, p0_init, p1_init),
  dimensions={0}, to_apply=max
)");
  for (unsigned result : {0, 1}) {
    for (unsigned input : {0, 1}) {
      p.reads("reduce", input, {R"((d0)[s0] -> (s0, d0)
domain:
d0 in [0, 9]
s0 in [0, 255])"},
              result);
      p.reaches("reduce", input, {R"((d0, d1) -> (d1)
domain:
d0 in [0, 255]
d1 in [0, 9])"},
                result);
    }
    for (unsigned init : {2, 3}) {
      p.reads("reduce", init, {R"((d0) -> ()
domain:
d0 in [0, 9])"},
              result);
      p.reaches("reduce", init, {R"(()[s0] -> (s0)
domain:
s0 in [0, 9])"},
                result);
    }
  }
}

TEST(Seed, Slice) {
  Snippet p(R"(
p0 = f32[10, 20, 50] parameter(0)
slice = f32[5, 3, 25] slice(f32[10, 20, 50] p0),
  slice={[5:10:1], [3:20:7], [0:50:2]}
)");
  p.reads("slice", 0, {R"((d0, d1, d2) -> (d0 + 5, d1 * 7 + 3, d2 * 2)
domain:
d0 in [0, 4]
d1 in [0, 2]
d2 in [0, 24])"});
  p.reaches("slice", 0,
            {R"((d0, d1, d2) -> (d0 - 5, (d1 - 3) floordiv 7, d2 floordiv 2)
domain:
d0 in [5, 9]
d1 in [3, 17]
d2 in [0, 48]
(d1 - 3) mod 7 in [0, 0]
d2 mod 2 in [0, 0])"});
}

static const char *const collapseMap = R"((d0) -> (d0 floordiv 8, d0 mod 8)
domain:
d0 in [0, 31])";
static const char *const expandMap = R"((d0, d1) -> (d0 * 8 + d1)
domain:
d0 in [0, 3]
d1 in [0, 7])";

TEST(Seed, ReshapeCollapse) {
  Snippet p(R"(
p0 = f32[4,8] parameter(0)
reshape = f32[32] reshape(p0)
)");
  p.reads("reshape", 0, {collapseMap});
  p.reaches("reshape", 0, {expandMap});
}

TEST(Seed, ReshapeExpand) {
  Snippet p(R"(
p0 = f32[32] parameter(0)
reshape = f32[4, 8] reshape(p0)
)");
  p.reads("reshape", 0, {expandMap});
  p.reaches("reshape", 0, {collapseMap});
}

TEST(Seed, ReshapeLinearizeDelinearize) {
  Snippet p(R"(
p0 = f32[4,8] parameter(0)
reshape = f32[2, 4, 4] reshape(p0)
)");
  p.reads("reshape", 0,
          {R"((d0, d1, d2) -> (d0 * 2 + d1 floordiv 2, d2 + (d1 mod 2) * 4)
domain:
d0 in [0, 1]
d1 in [0, 3]
d2 in [0, 3])"});
  p.reaches(
      "reshape", 0,
      {R"((d0, d1) -> (d0 floordiv 2, d1 floordiv 4 + (d0 mod 2) * 2, d1 mod 4)
domain:
d0 in [0, 3]
d1 in [0, 7])"});
}

TEST(Seed, ReshapeOfParts) {
  Snippet p(R"(
p0 = f32[4, 8, 12] parameter(0)
reshape = f32[32, 3, 4] reshape(p0)
)");
  p.reads("reshape", 0,
          {R"((d0, d1, d2) -> (d0 floordiv 8, d0 mod 8, d1 * 4 + d2)
domain:
d0 in [0, 31]
d1 in [0, 2]
d2 in [0, 3])"});
  p.reaches("reshape", 0,
            {R"((d0, d1, d2) -> (d0 * 8 + d1, d2 floordiv 4, d2 mod 4)
domain:
d0 in [0, 3]
d1 in [0, 7]
d2 in [0, 11])"});
}

// "A bitcast is a sequence of transpose, reshape, transpose": by the layouts,
// element n in memory is element n.
TEST(Seed, Bitcast) {
  Snippet p(R"(
p0 = f32[3,5,8]{0,2,1} parameter(0)
bitcast = f32[40,3]{1,0} bitcast(p0)
)");
  p.reads("bitcast", 0,
          {"(d0, d1) -> (d1, d0 floordiv 8, d0 mod 8), domain: d0 in [0, 39], "
           "d1 in [0, 2]"});
  p.reaches("bitcast", 0,
            {"(d0, d1, d2) -> (d1 * 8 + d2, d0), domain: d0 in [0, 2], d1 in "
             "[0, 4], d2 in [0, 7]"});
}

TEST(Seed, Concatenate) {
  Snippet p(R"(
p0 = f32[2, 5, 7] parameter(0)
p1 = f32[2, 11, 7] parameter(1)
p2 = f32[2, 17, 7] parameter(2)
ROOT concat = f32[2, 33, 7] concatenate(f32[2, 5, 7] p0, f32[2, 11, 7] p1, f32[2, 17, 7] p2), dimensions={1}
)");
  p.reads("concat", 0, {R"((d0, d1, d2) -> (d0, d1, d2)
domain:
d0 in [0, 1]
d1 in [0, 4]
d2 in [0, 6])"});
  p.reads("concat", 1, {R"((d0, d1, d2) -> (d0, d1 - 5, d2)
domain:
d0 in [0, 1]
d1 in [5, 15]
d2 in [0, 6])"});
  p.reads("concat", 2, {R"((d0, d1, d2) -> (d0, d1 - 16, d2)
domain:
d0 in [0, 1]
d1 in [16, 32]
d2 in [0, 6])"});
  p.reaches("concat", 0, {R"((d0, d1, d2) -> (d0, d1, d2)
domain:
d0 in [0, 1]
d1 in [0, 4]
d2 in [0, 6])"});
  p.reaches("concat", 1, {R"((d0, d1, d2) -> (d0, d1 + 5, d2)
domain:
d0 in [0, 1]
d1 in [0, 10]
d2 in [0, 6])"});
  p.reaches("concat", 2, {R"((d0, d1, d2) -> (d0, d1 + 16, d2)
domain:
d0 in [0, 1]
d1 in [0, 16]
d2 in [0, 6])"});
}

TEST(Seed, Dot) {
  Snippet p(R"(
p0 = f32[4, 128, 256] parameter(0)
p1 = f32[4, 256, 64] parameter(1)
dot = f32[4, 128, 64] dot(p0, p1),
  lhs_batch_dims={0}, rhs_batch_dims={0},
  lhs_contracting_dims={2}, rhs_contracting_dims={1}
)");
  p.reads("dot", 0, {R"((d0, d1, d2)[s0] -> (d0, d1, s0)
domain:
d0 in [0, 3]
d1 in [0, 127]
d2 in [0, 63]
s0 in [0, 255])"});
  p.reads("dot", 1, {R"((d0, d1, d2)[s0] -> (d0, s0, d2)
domain:
d0 in [0, 3]
d1 in [0, 127]
d2 in [0, 63]
s0 in [0, 255])"});
  p.reaches("dot", 0, {R"((d0, d1, d2)[s0] -> (d0, d1, s0)
domain:
d0 in [0, 3]
d1 in [0, 127]
d2 in [0, 255]
s0 in [0, 63])"});
  // The document writes (d0, s0, d1), but the right operand's columns are d2.
  const char *slip = R"((d0, d1, d2)[s0] -> (d0, s0, d1)
domain:
d0 in [0, 3]
d1 in [0, 255]
d2 in [0, 63]
s0 in [0, 127])";
  p.doesNotReach("dot", 1, slip);
  p.reaches("dot", 1, {R"((d0, d1, d2)[s0] -> (d0, s0, d2)
domain:
d0 in [0, 3]
d1 in [0, 255]
d2 in [0, 63]
s0 in [0, 127])"});
}

TEST(Seed, Pad) {
  Snippet p(R"(
p0 = f32[4, 4] parameter(0)
p1 = f32[] parameter(1)
pad = f32[12, 16] pad(p0, p1), padding=1_4_1x4_8_0
)");
  p.reads("pad", 0, {R"((d0, d1) -> ((d0 - 1) floordiv 2, d1 - 4)
domain:
d0 in [1, 7]
d1 in [4, 7]
(d0 - 1) mod 2 in [0, 0])"});
  p.reaches("pad", 0,
            {"(d0, d1) -> (d0 * 2 + 1, d1 + 4), domain: d0 in [0, 3], d1 in "
             "[0, 3]"});
  // According to the document the padding value is read everywhere. It is read
  // only where the operand is not.
  p.readsWithin("pad", 1, R"((d0, d1) -> ()
domain:
d0 in [0, 11]
d1 in [0, 15])");
}

TEST(Seed, ReduceWindow) {
  Snippet p(R"(
c_inf = f32[] constant(-inf)
p0 = f32[1024, 514] parameter(0)
reduce-window = f32[1024, 3] reduce-window(p0, c_inf),
  window={size=1x512 pad=0_0x0_0}, to_apply=max
)");
  p.reads("reduce-window", 0, {R"((d0, d1)[s0] -> (d0, d1 + s0)
domain:
d0 in [0, 1023]
d1 in [0, 2]
s0 in [0, 511])"});
  p.reads("reduce-window", 1, {R"((d0, d1) -> ()
domain:
d0 in [0, 1023]
d1 in [0, 2])"});
  p.reaches("reduce-window", 0,
            {"(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 1023], d1 in [0, "
             "513], s0 in [0, 2], d1 - s0 in [0, 511]"});
}

//===----------------------------------------------------------------------===//
// Fusions
//===----------------------------------------------------------------------===//

TEST(Seed, OneInputSeveralMaps) {
  Snippet p(R"(
f {
  p0 = f32[1000, 1000] parameter(0)
  transpose_p0 = f32[1000, 1000]{0, 1} transpose(p0), dimensions={1, 0}
  ROOT a0 = f32[1000, 1000] add(p0, transpose_p0)
}
)");
  p.fused().reads("a0", 0,
                  {"(d0, d1) -> (d0, d1), domain: d in [0, 999] x [0, 999]",
                   "(d0, d1) -> (d1, d0), domain: d in [0, 999] x [0, 999]"});
}

TEST(Seed, OneInputDeduplicated) {
  Snippet p(R"(
f {
  p0 = f32[20, 10, 50] parameter(0)
  lhs_transpose_1 = f32[10, 20, 50] transpose(p0), dimensions={1, 0, 2}
  lhs_e = f32[10, 20, 50] exponential(lhs_transpose_1)
  lhs_transpose_2 = f32[10, 50, 20] transpose(lhs_e), dimensions={0, 2, 1}
  rhs_transpose_1 = f32[50, 10, 20] transpose(p0), dimensions={2, 1, 0}
  rhs_log = f32[50, 10, 20] exponential(rhs_transpose_1)
  rhs_transpose_2 = f32[10, 50, 20] transpose(rhs_log), dimensions={1, 0, 2}
  ROOT add = f32[10, 50, 20] add(lhs_transpose_2, rhs_transpose_2)
}
)");
  p.fused().reads("add", 0,
                  {"(d0, d1, d2) -> (d2, d0, d1), domain: d in [0, 9] x [0, "
                   "49] x [0, 19]"});
}

// The document shows a picture; this is its content.
TEST(Seed, Softmax) {
  Snippet p(R"(
softmax {
  p0 = f32[2,65,125] parameter(0)
  lowest = f32[] constant(-inf)
  row_max = f32[2,65] reduce(p0, lowest), dimensions={2}, to_apply=maximum
  row_max_b = f32[2,65,125] broadcast(row_max), dimensions={0,1}
  shifted = f32[2,65,125] subtract(p0, row_max_b)
  exp = f32[2,65,125] exponential(shifted)
  zero = f32[] constant(0)
  row_sum = f32[2,65] reduce(exp, zero), dimensions={2}, to_apply=add
  row_sum_b = f32[2,65,125] broadcast(row_sum), dimensions={0,1}
  ROOT result = f32[2,65,125] divide(exp, row_sum_b)
}
)");
  p.fused().reads("result", 0,
                  {R"((d0, d1, d2)[s0] -> (d0, d1, s0)
domain:
d0 in [0, 1]
d1 in [0, 64]
d2 in [0, 124]
s0 in [0, 124])",
                   R"((d0, d1, d2) -> (d0, d1, d2)
domain:
d0 in [0, 1]
d1 in [0, 64]
d2 in [0, 124])"});
}

TEST(Seed, ChainedReshapesCancel) {
  Snippet p(R"(
p0 = f32[10, 10, 10] parameter(0)
reshape1 = f32[50, 20] reshape(p0)
reshape2 = f32[10, 10, 10] reshape(reshape1)
)");
  // Verbatim.
  EXPECT_EQ(p.fused().textOf("reshape2", 0),
            "(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 9], d1 in [0, 9], "
            "d2 in [0, 9]");
}

//===----------------------------------------------------------------------===//
// The simplifier
//===----------------------------------------------------------------------===//

TEST(Seed, SimplifierToTheLetter) {
  becomes("(d0, d1) -> (d0 + d1 floordiv 16, d1 mod 16) for d in [0, 6] x [0, "
          "14]",
          "(d0, d1) -> (d0, d1) for d in [0, 6] x [0, 14]");
  becomes("(d0, d1, d2) -> ((100d0 + 10d1 + d2) floorDiv 100, ((100d0 + 10d1 "
          "+ d2) mod 100) floordiv 10, d2 mod 10) for d_i in [0, 9]",
          "(d0, d1, d2) -> (d0, d1, d2) for d_i in [0, 9]");
  becomes("(d0, d1, d2) -> ((16d0 + 4d1 + d2) floordiv 8, (16d0 + 4d1 + d2) "
          "mod 8) for d_i in [0, 9]",
          "(d0, d1, d2) -> (2d0 + (4d1 + d2) floordiv 8, (4d1 + d2) mod 8) "
          "for d_i in [0, 9]");
  becomes("(d0, d1) -> (-(-11d0 - d1 + 109) floordiv 11 + 9) for d in [0, 9] "
          "x [0, 10]",
          "(d0, d1) -> (d0) for d in [0, 9] x [0, 10]");
}

// "1. lower_bound <= affine_expr (floordiv, +, -, *) constant <= upper_bound
//     is rewritten as updated_lower_bound <= affine_expr <= ...
//  2. Constraints that always hold are dropped: d0 + s0 in [0, 20] for d0 in
//     [0, 5] and s0 in [1, 3].
//  3. The expressions of constraints are optimized like those of the map."
TEST(Seed, SimplifierOfConstraints) {
  becomes("(d0)[s0] -> (d0, s0), domain: d0 in [0, 50], s0 in [1, 30], (d0 + "
          "s0) floordiv 4 in [0, 9]",
          "(d0)[s0] -> (d0, s0), domain: d0 in [0, 38], s0 in [1, 30], d0 + s0 "
          "in [1, 39]");
  becomes("(d0)[s0] -> (d0, s0), domain: d0 in [0, 5], s0 in [1, 3], d0 + s0 "
          "in [0, 20]",
          "(d0)[s0] -> (d0, s0), domain: d0 in [0, 5], s0 in [1, 3]");
  becomes("(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 14], d0 + d1 "
          "mod 16 in [3, 9]",
          "(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 9], d0 + d1 "
          "in [3, 9]");
}
