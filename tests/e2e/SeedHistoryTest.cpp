// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two older versions of the document on indexing analysis: the parts that the
// newest version (SeedTest.cpp) lacks. Their maps are formulas without a
// domain, "for d in Dom(output)"; the domain is added here. Their errors are
// proved.

#include "Snippet.h"

using namespace mercator;
using namespace mercator::e2e;

static const char *const broadcastRow = R"(
p0 = f32[20] parameter(0)
bc0 = f32[10, 20, 30] broadcast(p0), dimensions={1}
)";

TEST(SeedHistory, Broadcast) {
  Snippet p(broadcastRow);
  p.reads("bc0", 0,
          {"\\((d_0, d_1, d_2) \\mapsto (d_1)\\) for d in [0, 9] x [0, 19] x "
           "[0, 29]"});
  // They write (d_0) -> (s_0, d_1, s_1); there is no d_1.
  p.reaches("bc0", 0,
            {"(d_0)[s_0, s_1] \\mapsto (s_0, d_0, s_1) for d in [0, 19], s in "
             "[0, 9] x [0, 29]"});
}

TEST(SeedHistory, Transpose) {
  Snippet p(R"(
p0 = f32[3, 12288, 6, 128] parameter(0)
transpose = f32[3, 6, 128, 12288] transpose(p0), dimensions={0, 2, 3, 1}
)");
  p.reads("transpose", 0,
          {"\\((d_0, d_1, d_2, d_3) \\mapsto (d_0, d_3, d_1, d_2)\\) for d in "
           "[0, 2] x [0, 5] x [0, 127] x [0, 12287]"});
  p.reaches("transpose", 0,
            {"\\((d_0, d_1, d_2, d_3) \\mapsto (d_0, d_2, d_3, d_1)\\) for d "
             "in [0, 2] x [0, 12287] x [0, 5] x [0, 127]"});
}

TEST(SeedHistory, VariadicReduce) {
  Snippet p(R"(
p0 = f32[256,10] parameter(0)
p0_init = f32[] constant(-inf)
p1 = s32[256,10] parameter(1)
p1_init = s32[] constant(0)
reduce = (f32[10], s32[10]) reduce(p0, p1, p0_init, p1_init),
  dimensions={0}, to_apply=min
)");
  p.reads("reduce", 0,
          {"(d_0)[s_0] \\mapsto (s_0, d_0) for d in [0, 9], s in [0, 255]"});
  // They write s in [0, 9], the bounds of the other dimension.
  p.doesNotRead("reduce", 0,
                "(d_0)[s_0] \\mapsto (s_0, d_0) for d in [0, 9], s in [0, 9]");
  p.reads("reduce", 2, {"(d_0) \\mapsto () for d in [0, 9]"});
  p.reaches("reduce", 0,
            {"(d_0, d_1) \\mapsto (d_1) for d in [0, 255] x [0, 9]"});
  p.reaches("reduce", 2, {"()[s_0] \\mapsto (s_0) for s in [0, 9]"});
}

TEST(SeedHistory, Slice) {
  Snippet p(R"(
p0 = f32[10, 20, 50] parameter(0)
slice = f32[5, 3, 25] slice(f32[10, 20, 50] p0),
  slice={[5:10:1], [3:20:7], [0:50:2]}
)");
  p.reads("slice", 0,
          {"(d_0, d_1, d_2) \\mapsto (d_0 + 5, 7d_1 + 3, 2d_2) for d in [0, "
           "4] x [0, 2] x [0, 24]"});
  // They write (d_0, d_1 / 7, d_2 / 2) on [5, 9] x [3, 19] x [0, 49] "with
  // strides 1, 7, 2": the starts are not subtracted, and (9, ..) is out of
  // bounds.
  p.doesNotReach("slice", 0,
                 "(d_0, d_1, d_2) \\mapsto (d_0, d_1 / 7, d_2 / 2), domain: "
                 "d_0 in [5, 9], d_1 in [3, 19], d_2 in [0, 49], (d_1 - 3) mod "
                 "7 in [0, 0], d_2 mod 2 in [0, 0]");
}

TEST(SeedHistory, ReshapeLinearizeDelinearize) {
  Snippet p(R"(
p0 = f32[4,8] parameter(0)
reshape = f32[2, 4, 4] reshape(p0)
)");
  // A parenthesis is missing: "(2d_0 + (4d_1 + d_2) / 8, 4d_1 + d_2) mod 8)".
  p.reads("reshape", 0,
          {"(d_0, d_1, d_2) \\mapsto (2d_0 + (4d_1 + d_2) / 8, (4d_1 + d_2) "
           "\\mod 8) for d in [0, 1] x [0, 3] x [0, 3]"});
  p.reaches("reshape", 0,
            {"(d_0, d_1) \\mapsto ((8d_0 + d_1) / 16, ((8d_0 + d_1) \\mod 16) "
             "/ 4, d_1 \\mod 4) for d in [0, 3] x [0, 7]"});
}

TEST(SeedHistory, ReshapeOfParts) {
  Snippet p(R"(
p0 = f32[4, 8, 12] parameter(0)
reshape = f32[32, 3, 4] reshape(p0)
)");
  p.reads("reshape", 0,
          {"(d_0, d_1, d_2) \\mapsto (d_0 / 8, d_0 \\mod 8, 4d_1 + d_2) for d "
           "in [0, 31] x [0, 2] x [0, 3]"});
  p.reaches("reshape", 0,
            {"(d_0, d_1, d_2) \\mapsto (8d_0 + d_1, d_2 / 4, d_2 \\mod 4) for "
             "d in [0, 3] x [0, 7] x [0, 11]"});
}

TEST(SeedHistory, Concatenate) {
  Snippet p(R"(
p0 = f32[3,50] parameter(0)
p1 = f32[3,30] parameter(1)
concat = f32[3,80] concatenate(f32[3,50] p0, f32[3,30] p1),
  dimensions={1}
)");
  p.reads("concat", 0,
          {"(d_0, d_1) \\mapsto (d_0, d_1) for d in [0, 2] x [0, 49]"});
  p.reads("concat", 1,
          {"(d_0, d_1) \\mapsto (d_0, d_1 - 50) for d in [0, 2] x [50, 79]"});
  p.reaches("concat", 0,
            {"(d_0, d_1) \\mapsto (d_0, d_1) for d in [0, 2] x [0, 49]"});
  p.reaches("concat", 1,
            {"(d_0, d_1) \\mapsto (d_0, d_1 + 50) for d in [0, 2] x [0, 29]"});
}

TEST(SeedHistory, Dot) {
  Snippet p(R"(
p0 = f32[4, 128, 256] parameter(0)
p1 = f32[4, 256, 64] parameter(1)
dot = f32[4, 128, 64] dot(p0, p1),
  lhs_batch_dims={0}, rhs_batch_dims={0},
  lhs_contracting_dims={2}, rhs_contracting_dims={1}
)");
  p.reads("dot", 0,
          {"(d_0, d_1, d_2)[s_0] \\mapsto (d_0, d_1, s_0) for d in [0, 3] x "
           "[0, 127] x [0, 63], s in [0, 255]"});
  p.reads("dot", 1,
          {"(d_0, d_1, d_2)[s_0] \\mapsto (d_0, s_0, d_2) for d in [0, 3] x "
           "[0, 127] x [0, 63], s in [0, 255]"});
  p.reaches("dot", 0,
            {"(d_0, d_1, d_2)[s_0] \\mapsto (d_0, d_1, s_0) for d in [0, 3] x "
             "[0, 127] x [0, 255], s in [0, 63]"});
  // The same error as in the newest version: (d_0, s_0, d_1).
  p.doesNotReach("dot", 1,
                 "(d_0, d_1, d_2)[s_0] \\mapsto (d_0, s_0, d_1) for d in [0, "
                 "3] x [0, 255] x [0, 63], s in [0, 127]");
}
