// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts of kernels against the code that XLA wrote for them: what reference/ptx
// counted when it ran that code. tests/peers/gpu_kernels.py does the same for random
// programs.

#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/maps/Kernels.h"
#include "mercator/support/Diagnostic.h"

#include "gtest/gtest.h"

using namespace mercator;

namespace {

KernelRecord onlyKernelOf(const std::string &computations,
                          const std::string &entry) {
  std::string text = "HloModule m, is_scheduled=true\n" + computations +
                     "ENTRY e {\n" + entry + "}\n";
  std::string errors;
  llvm::raw_string_ostream os(errors);
  DiagnosticEngine diagnostics(os);
  std::vector<KernelRecord> all;
  if (auto compilation = Compilation::load("m.hlo", text, diagnostics))
    compilation->forEachKernel(
        {.device = *findDevice("h100")},
        [&](const KernelRecord &kernel) { all.push_back(kernel); });
  EXPECT_EQ(all.size(), 1u) << errors;
  return all.empty() ? KernelRecord() : all.front();
}

const char *const kAdd = R"(add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
)";

struct Did {
  int64_t grid, block, loads, loadSectors, stores, storeSectors;
};

void expectExactly(const KernelRecord &record, const Did &did) {
  const kernels::Counts &counts = record.counts;
  EXPECT_EQ(record.kernel.grid, did.grid);
  EXPECT_EQ(record.kernel.block, did.block);
  for (auto [count, value] : {std::pair(&counts.loads, did.loads),
                              {&counts.loadSectors, did.loadSectors},
                              {&counts.stores, did.stores},
                              {&counts.storeSectors, did.storeSectors}}) {
    EXPECT_EQ(count->value, value);
    EXPECT_TRUE(count->isExact()) << count->why.reason;
  }
}

/// What data or a compiler decide is a bound with a reason.
void expectAtMost(const Verdict<int64_t> &count, int64_t did,
                  llvm::StringRef reason) {
  EXPECT_EQ(count.why.exactness, Exactness::UpperBound);
  EXPECT_GE(count.value, did);
  EXPECT_TRUE(llvm::StringRef(count.why.reason).contains(reason))
      << count.why.reason;
}

/// LLVM loads rows of 7 as 4 and 4, and fills a gap of two.
TEST(KernelCounts, LoadsOfAThreadAreJoined) {
  expectExactly(onlyKernelOf(std::string(kAdd) + R"(f {
  p = f32[100,16]{1,0} parameter(0)
  s = f32[100,7]{1,0} slice(p), slice={[0:100], [0:7]}
  z = f32[] constant(0)
  ROOT r = f32[100]{0} reduce(s, z), dimensions={1}, to_apply=add
}
)",
                             R"(  x = f32[100,16]{1,0} parameter(0)
  ROOT y = f32[100]{0} fusion(x), kind=kLoop, calls=f
)"),
                {1, 100, 8, 200, 4, 13});
  expectExactly(onlyKernelOf(R"(f {
  p = f32[100,4]{1,0} parameter(0)
  a = f32[100,1]{1,0} slice(p), slice={[0:100], [0:1]}
  b = f32[100,1]{1,0} slice(p), slice={[0:100], [3:4]}
  ROOT r = f32[100,1]{1,0} add(a, b)
}
)",
                             R"(  x = f32[100,4]{1,0} parameter(0)
  ROOT y = f32[100,1]{1,0} fusion(x), kind=kLoop, calls=f
)"),
                {1, 100, 4, 50, 4, 13});
}

/// Elements of a thread that go backwards, or have gaps, or are read again.
TEST(KernelCounts, ElementsOfAThreadAreJoined) {
  expectExactly(onlyKernelOf(R"(f {
  p = f32[1048576]{0} parameter(0)
  ROOT r = f32[1048576]{0} reverse(p), dimensions={0}
}
)",
                             R"(  x = f32[1048576]{0} parameter(0)
  ROOT y = f32[1048576]{0} fusion(x), kind=kLoop, calls=f
)"),
                {2048, 128, 8192, 131072, 8192, 131072});
  expectExactly(onlyKernelOf(R"(f {
  p = f32[1048576]{0} parameter(0)
  ROOT r = f32[524288]{0} slice(p), slice={[0:1048576:2]}
}
)",
                             R"(  x = f32[1048576]{0} parameter(0)
  ROOT y = f32[524288]{0} fusion(x), kind=kLoop, calls=f
)"),
                {1024, 128, 8192, 262144, 4096, 65536});
  KernelRecord stencil = onlyKernelOf(R"(f {
  p = f32[1000,600]{1,0} parameter(0)
  c = f32[998,598]{1,0} slice(p), slice={[1:999], [1:599]}
  n = f32[998,598]{1,0} slice(p), slice={[0:998], [1:599]}
  s = f32[998,598]{1,0} slice(p), slice={[2:1000], [1:599]}
  w = f32[998,598]{1,0} slice(p), slice={[1:999], [0:598]}
  e = f32[998,598]{1,0} slice(p), slice={[1:999], [2:600]}
  a = f32[998,598]{1,0} add(c, n)
  b = f32[998,598]{1,0} add(a, s)
  d = f32[998,598]{1,0} add(b, w)
  ROOT r = f32[998,598]{1,0} add(d, e)
}
)",
                                      R"(  x = f32[1000,600]{1,0} parameter(0)
  ROOT y = f32[998,598]{1,0} fusion(x), kind=kLoop, calls=f
)");
  for (auto [count, did] : {std::pair(&stencil.counts.loads, 83934),
                            std::pair(&stencil.counts.loadSectors, 1389118)})
    EXPECT_TRUE(!count->isExact() || count->value == did) << count->value;
}

/// An exponential is long, so that 28 of them stay a loop of 14.
TEST(KernelCounts, ALongLoopIsABound) {
  KernelRecord record = onlyKernelOf(std::string(kAdd) + R"(f {
  p = f32[200,28]{1,0} parameter(0)
  e = f32[200,28]{1,0} exponential(p)
  z = f32[] constant(0)
  ROOT r = f32[200]{0} reduce(e, z), dimensions={1}, to_apply=add
}
)",
                                     R"(  x = f32[200,28]{1,0} parameter(0)
  ROOT y = f32[200]{0} fusion(x), kind=kLoop, calls=f
)");
  expectAtMost(record.counts.loads, 98, "unrolled in part");
  expectAtMost(record.counts.loadSectors, 2800, "unrolled in part");
  EXPECT_TRUE(record.counts.stores.isExact());
}

/// LLVM loads one of two values at an address that it selects.
TEST(KernelCounts, AChoiceIsABound) {
  const char *entry = R"(  x = f32[50,70]{1,0} parameter(0)
  y = f32[50,70]{1,0} parameter(1)
  ROOT z = f32[50,70]{1,0} fusion(x, y), kind=kLoop, calls=f
)";
  KernelRecord both = onlyKernelOf(R"(f {
  i = s32[50,70]{1,0} iota(), iota_dimension=0
  j = s32[50,70]{1,0} iota(), iota_dimension=1
  c = pred[50,70]{1,0} compare(i, j), direction=GE
  p = f32[50,70]{1,0} parameter(0)
  q = f32[50,70]{1,0} parameter(1)
  ROOT r = f32[50,70]{1,0} select(c, p, q)
}
)",
                                   entry);
  expectAtMost(both.counts.loads, 110, "select");
  expectAtMost(both.counts.loadSectors, 516, "select");
  // What the condition needs is loaded anyway.
  KernelRecord needed = onlyKernelOf(R"(f {
  p = f32[50,70]{1,0} parameter(0)
  q = f32[50,70]{1,0} parameter(1)
  c = pred[50,70]{1,0} compare(p, q), direction=GE
  ROOT r = f32[50,70]{1,0} select(c, p, q)
}
)",
                                     entry);
  EXPECT_TRUE(needed.counts.loads.isExact());
}

TEST(KernelCounts, WhatCancelsIsABound) {
  KernelRecord record = onlyKernelOf(R"(f {
  p = u32[1,65]{1,0} parameter(0)
  q = u32[1,65]{1,0} parameter(1)
  a = u32[1,65]{1,0} and(q, p)
  ROOT r = u32[1,65]{1,0} or(a, p)
}
)",
                                     R"(  x = u32[1,65]{1,0} parameter(0)
  y = u32[1,65]{1,0} parameter(1)
  ROOT z = u32[1,65]{1,0} fusion(x, y), kind=kLoop, calls=f
)");
  expectAtMost(record.counts.loads, 3, "cancels");
}

/// Threads beyond the last update read the first indices once more.
TEST(KernelCounts, IndicesOfAScatter) {
  KernelRecord record = onlyKernelOf(R"(add16 {
  a = f16[] parameter(0)
  b = f16[] parameter(1)
  ROOT c = f16[] add(a, b)
}
f {
  p = f16[1,8]{1,0} parameter(0)
  i = s32[18,1]{1,0} parameter(1)
  u = f16[18,1,8]{2,1,0} parameter(2)
  ROOT s = f16[1,8]{1,0} scatter(p, i, u), update_window_dims={1,2}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add16
}
)",
                                     R"(  x = f16[1,8]{1,0} parameter(0)
  i = s32[18,1]{1,0} parameter(1)
  u = f16[18,1,8]{2,1,0} parameter(2)
  ROOT y = f16[1,8]{1,0} fusion(x, i, u), kind=kInput, calls=f
)");
  EXPECT_EQ(record.counts.loads.value, 13);
  EXPECT_EQ(record.counts.loadSectors.value, 19);
  expectAtMost(record.counts.loads, 13, "outside of the table");
  expectAtMost(record.counts.adds, 5, "");
}

/// Short rows are sorted by a block each, in vectors; of 31, the last thread differs.
TEST(KernelCounts, Sorts) {
  auto sortOf = [](const std::string &shape, int dim) {
    return onlyKernelOf(
        "less {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
        "  ROOT c = pred[] compare(a, b), direction=LT\n}\nf {\n  p = f32" +
            shape + " parameter(0)\n  ROOT s = f32" + shape +
            " sort(p), dimensions={" + std::to_string(dim) +
            "}, to_apply=less\n}\n",
        "  x = f32" + shape + " parameter(0)\n  ROOT y = f32" + shape +
            " fusion(x), kind=kCustom, calls=f\n");
  };
  expectExactly(sortOf("[2,16]{1,0}", 1), {2, 4, 2, 4, 2, 4});
  expectExactly(sortOf("[20,12]{1,0}", 1), {20, 4, 80, 160, 80, 160});
  KernelRecord pairs = sortOf("[3,2]{1,0}", 1);
  EXPECT_EQ(pairs.counts.loads.value, 1);
  expectAtMost(pairs.counts.stores, 1, "change places");
  KernelRecord odd = sortOf("[1,31]{1,0}", 1);
  EXPECT_EQ(odd.kernel.block, 8);
  expectAtMost(odd.counts.loads, 2, "last thread");
  expectAtMost(odd.counts.loadSectors, 8, "last thread");
  expectAtMost(odd.counts.stores, 3, "last thread");
  EXPECT_FALSE(sortOf("[2,100000]{1,0}", 1).kernel.isKnown());
  // Which elements are compared is known, and which are exchanged is not.
  const kernels::Counts steps = sortOf("[128,8]{1,0}", 0).counts;
  EXPECT_EQ(steps.sharedLoads.value, 928);
  EXPECT_EQ(steps.sharedLoadPasses.value, 1824);
  EXPECT_TRUE(steps.sharedLoadPasses.isExact());
  expectAtMost(steps.sharedStores, 922, "order of the data");
  EXPECT_EQ(odd.counts.sharedLoads.why.exactness, Exactness::Unknown);
}

/// Loads, stores, and their passes.
struct DidShared {
  int64_t loads, loadPasses, stores, storePasses;
};

void expectShared(const KernelRecord &record, const DidShared &did) {
  const kernels::Counts &counts = record.counts;
  for (auto [count, value] : {std::pair(&counts.sharedLoads, did.loads),
                              {&counts.sharedLoadPasses, did.loadPasses},
                              {&counts.sharedStores, did.stores},
                              {&counts.sharedStorePasses, did.storePasses}}) {
    EXPECT_EQ(count->value, value);
    EXPECT_TRUE(count->isExact()) << count->why.reason;
  }
}

/// Tiles of transposes: rows padded by one, and words that are turned.
TEST(KernelCounts, SharedMemoryOfTransposes) {
  auto transposeOf = [](const std::string &from, const std::string &to,
                        const std::string &dimensions) {
    return onlyKernelOf(
        "f {\n  p = " + from + " parameter(0)\n  ROOT t = " + to +
            " transpose(p), dimensions={" + dimensions + "}\n}\n",
        "  x = " + from + " parameter(0)\n  ROOT y = " + to +
            " fusion(x), kind=kInput, calls=f\n");
  };
  expectShared(transposeOf("f32[1000,777]{1,0}", "f32[777,1000]{1,0}", "1,0"),
               {24864, 24864, 25000, 25000});
  expectShared(
      transposeOf("bf16[4,40,40]{2,1,0}", "bf16[4,40,40]{2,1,0}", "0,2,1"),
      {320, 320, 320, 320});
  // Too few words for that: rows of 33 elements.
  expectShared(
      transposeOf("f16[33,16,16]{2,1,0}", "f16[33,16,16]{2,1,0}", "0,2,1"),
      {528, 528, 528, 528});
  expectShared(transposeOf("f16[3,40,3]{2,1,0}", "f16[40,3,3]{2,1,0}", "1,0,2"),
               {120, 120, 18, 27});
  // A loop needs none.
  KernelRecord loop = onlyKernelOf(
      "f {\n  p = f32[100]{0} parameter(0)\n  ROOT n = f32[100]{0} "
      "negate(p)\n}\n",
      "  x = f32[100]{0} parameter(0)\n  ROOT y = f32[100]{0} fusion(x), "
      "kind=kLoop, calls=f\n");
  expectShared(loop, {0, 0, 0, 0});
}

/// Where threads have two columns, lanes read every second word.
TEST(KernelCounts, SharedMemoryOfReductions) {
  auto sumOf = [](const std::string &from, const std::string &to,
                  const std::string &dimensions) {
    return onlyKernelOf(kAdd + ("f {\n  p = " + from +
                                " parameter(0)\n  z = f32[] constant(0)\n  "
                                "ROOT r = " +
                                to + " reduce(p, z), dimensions={" +
                                dimensions + "}, to_apply=add\n}\n"),
                        "  x = " + from + " parameter(0)\n  ROOT y = " + to +
                            " fusion(x), kind=kInput, calls=f\n");
  };
  expectShared(sumOf("f32[40,56,72]{2,1,0}", "f32[40,72]{1,0}", "1"),
               {5120, 10240, 5120, 5120});
  expectShared(sumOf("f32[8,4096]{1,0}", "f32[8]{0}", "1"), {8, 8, 64, 64});
  expectShared(sumOf("f32[64,40]{1,0}", "f32[64]{0}", "1"), {0, 0, 0, 0});
}

/// What LLVM makes of the last rows and of padding depends on the operation.
TEST(KernelCounts, EndsOfReductionsAreBounds) {
  KernelRecord columns = onlyKernelOf(std::string(kAdd) + R"(f {
  p = f32[40,56,72]{2,1,0} parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[40,72]{1,0} reduce(p, z), dimensions={1}, to_apply=add
}
)",
                                      R"(  x = f32[40,56,72]{2,1,0} parameter(0)
  ROOT y = f32[40,72]{1,0} fusion(x), kind=kInput, calls=f
)");
  expectAtMost(columns.counts.loads, 6400, "last rows");
  expectAtMost(columns.counts.loadSectors, 28800, "last rows");
  KernelRecord padded = onlyKernelOf(R"(max {
  a = bf16[] parameter(0)
  b = bf16[] parameter(1)
  ROOT c = bf16[] maximum(a, b)
}
f {
  p = bf16[34767]{0} parameter(0)
  z = bf16[] constant(-inf)
  w = bf16[34768]{0} pad(p, z), padding=0_1
  t = bf16[212,164]{1,0} bitcast(w)
  ROOT r = bf16[212]{0} reduce(t, z), dimensions={1}, to_apply=max
}
)",
                                     R"(  x = bf16[34767]{0} parameter(0)
  ROOT y = bf16[212]{0} fusion(x), kind=kInput, calls=f
)");
  expectAtMost(padded.counts.loads, 1272, "loaded together");
  expectAtMost(padded.counts.loadSectors, 8692, "loaded together");
}

/// A part that comes twice is read once, unless some threads skip it.
TEST(KernelCounts, Concatenations) {
  expectExactly(onlyKernelOf(R"(f {
  p = bf16[7,64]{1,0} parameter(0)
  q = bf16[7,64]{1,0} parameter(1)
  ROOT c = bf16[21,64]{1,0} concatenate(p, q, p), dimensions={0}
}
)",
                             R"(  x = bf16[7,64]{1,0} parameter(0)
  y = bf16[7,64]{1,0} parameter(1)
  ROOT z = bf16[21,64]{1,0} fusion(x, y), kind=kLoop, calls=f
)"),
                {4, 128, 28, 56, 42, 84});
  KernelRecord skipped = onlyKernelOf(R"(f {
  p = u32[2,8]{1,0} parameter(0)
  q = u32[13,8]{1,0} parameter(1)
  ROOT c = u32[17,8]{1,0} concatenate(p, q, p), dimensions={0}
}
)",
                                      R"(  x = u32[2,8]{1,0} parameter(0)
  y = u32[13,8]{1,0} parameter(1)
  ROOT z = u32[17,8]{1,0} fusion(x, y), kind=kLoop, calls=f
)");
  expectAtMost(skipped.counts.loads, 6, "branches");
  expectAtMost(skipped.counts.loadSectors, 15, "branches");
  expectAtMost(skipped.counts.stores, 6, "branches");
}

/// An operand that is read elsewhere, too, is not updated in place.
TEST(KernelCounts, UpdatesInPlace) {
  KernelRecord record = onlyKernelOf(R"(f {
  p = f32[50,40]{1,0} parameter(0)
  q = f32[50,1]{1,0} parameter(1)
  s = f32[50,1]{1,0} slice(p), slice={[0:50], [3:4]}
  t = f32[50,1]{1,0} add(q, s)
  z = s32[] constant(0)
  c = s32[] constant(3)
  ROOT d = f32[50,40]{1,0} dynamic-update-slice(p, t, z, c)
}
)",
                                     R"(  x = f32[50,40]{1,0} parameter(0)
  y = f32[50,1]{1,0} parameter(1)
  ROOT w = f32[50,40]{1,0} fusion(x, y), kind=kLoop, calls=f
)");
  EXPECT_EQ(nameOf(record.kernel.emitter), "loop");
  EXPECT_EQ(record.kernel.grid, 16);
}

/// The time of a library's product is estimated, and says so.
TEST(KernelCounts, LibrariesAreEstimated) {
  KernelRecord record =
      onlyKernelOf("", R"(  x = bf16[8192,8192]{1,0} parameter(0)
  y = bf16[8192,8192]{1,0} parameter(1)
  c = (bf16[8192,8192]{1,0}, s8[4194304]{0}) custom-call(x, y), custom_call_target="__cublas$gemm", backend_config={"gemm_backend_config":{"alpha_real":1,"beta":0,"dot_dimension_numbers":{"lhs_contracting_dimensions":["1"],"rhs_contracting_dimensions":["0"],"lhs_batch_dimensions":[],"rhs_batch_dimensions":[]},"alpha_imag":0,"epilogue":"DEFAULT"}}
  ROOT z = bf16[8192,8192]{1,0} get-tuple-element(c), index=0
)");
  EXPECT_TRUE(record.time.isEstimate);
  // An H100 took 1356 us.
  EXPECT_NEAR(record.time.microseconds, 1356, 0.1 * 1356);
}

/// The tile of a product is larger than its result.
TEST(KernelCounts, ATileThatIsLargerThanTheResult) {
  expectExactly(onlyKernelOf(R"(f {
  p = bf16[8,8]{1,0} parameter(0)
  q = bf16[32,8]{1,0} parameter(1)
  ROOT d = bf16[8,32]{1,0} dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={1}, backend_config={"sizes":["16"]}
}
)",
                             R"(  x = bf16[8,8]{1,0} parameter(0)
  y = bf16[32,8]{1,0} parameter(1)
  ROOT z = bf16[8,32]{1,0} fusion(x, y), kind=kCustom, calls=f, backend_config={"fusion_backend_config":{"kind":"__triton_nested_gemm_fusion","block_level_fusion_config":{"num_warps":"2","output_tiles":[{"sizes":["16","8"]}]}}}
)"),
                {4, 64, 12, 32, 4, 32});
}

/// What a reduction and another result read is read once; an argmax has no rows that
/// share a warp.
TEST(KernelCounts, RowReductions) {
  expectExactly(onlyKernelOf(std::string(kAdd) + R"(f {
  p = f32[33,65]{1,0} parameter(0)
  t = f32[33,65]{1,0} add(p, p)
  z = f32[] constant(0)
  r = f32[33]{0} reduce(p, z), dimensions={1}, to_apply=add
  ROOT both = (f32[33,65]{1,0}, f32[33]{0}) tuple(t, r)
}
)",
                             R"(  x = f32[33,65]{1,0} parameter(0)
  ROOT y = (f32[33,65]{1,0}, f32[33]{0}) fusion(x), kind=kInput, calls=f
)"),
                {5, 256, 99, 353, 132, 386});
  KernelRecord argmax = onlyKernelOf(R"(larger {
  a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  c = pred[] compare(a, b), direction=GE
  v = f32[] select(c, a, b)
  w = s32[] select(c, i, j)
  ROOT r = (f32[], s32[]) tuple(v, w)
}
f {
  p = f32[128,8]{1,0} parameter(0)
  i = s32[128,8]{1,0} iota(), iota_dimension=1
  l = f32[] constant(-inf)
  z = s32[] constant(0)
  ROOT r = (f32[128]{0}, s32[128]{0}) reduce(p, i, l, z), dimensions={1}, to_apply=larger
}
)",
                                     R"(  x = f32[128,8]{1,0} parameter(0)
  ROOT y = (f32[128]{0}, s32[128]{0}) fusion(x), kind=kInput, calls=f
)");
  expectExactly(argmax, {16, 256, 128, 128, 256, 256});
}

/// A transposition is folded into the load, whose tile is in the order of the result:
/// lanes go along the last dimension of the result after what is contiguous.
TEST(KernelCounts, TritonTranspositions) {
  expectExactly(onlyKernelOf(R"(f {
  p = f16[32,16,3,2]{3,2,1,0} parameter(0)
  ROOT t = f16[2,3,16,32]{3,2,1,0} transpose(p), dimensions={3,2,1,0}
}
)",
                             R"(  x = f16[32,16,3,2]{3,2,1,0} parameter(0)
  ROOT y = f16[2,3,16,32]{3,2,1,0} fusion(x), kind=kCustom, calls=f, backend_config={"fusion_backend_config":{"kind":"__triton","block_level_fusion_config":{"num_warps":"1","output_tiles":[{"sizes":["2","3","2","16"]}]}}}
)"),
                {16, 32, 48, 1024, 16, 192});
}

/// Two elements of 4 bits are loaded as a byte. Counters of an H100.
TEST(KernelCounts, FourBits) {
  expectExactly(onlyKernelOf(R"(f {
  w = s4[64,512,4]{1,0,2:E(4)} parameter(1)
  c = bf16[64,512,4]{1,0,2} convert(w)
  t = bf16[4,64,512]{1,0,2} transpose(c), dimensions={2,0,1}
  p = bf16[128,4,64]{2,1,0} parameter(0)
  d = f32[4,512,128]{1,2,0} dot(t, p), lhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_batch_dims={1}, rhs_contracting_dims={2}, backend_config={"sizes":["64"]}
  ROOT b = f32[4,128,512]{2,1,0} bitcast(d)
}
)",
                             R"(  x = bf16[128,4,64]{2,1,0} parameter(0)
  y = s4[64,512,4]{1,0,2:E(4)} parameter(1)
  ROOT z = f32[4,128,512]{2,1,0} fusion(x, y), kind=kCustom, calls=f, backend_config={"fusion_backend_config":{"kind":"__triton_nested_gemm_fusion","block_level_fusion_config":{"num_warps":"4","output_tiles":[{"sizes":["1","32","64"]}]}}}
)"),
                {128, 128, 1536, 24576, 2048, 32768});
}

void expectAGuess(const Verdict<int64_t> &count, llvm::StringRef reason) {
  EXPECT_EQ(count.why.exactness, Exactness::Sampled);
  EXPECT_TRUE(llvm::StringRef(count.why.reason).contains(reason))
      << count.why.reason;
}

/// LLVM writes the words of a tile at the end as halves: 352 stores.
TEST(KernelCounts, WordsAtTheEndOfATranspose) {
  KernelRecord record =
      onlyKernelOf(R"(f {
  p = bf16[8,8,2,96]{3,2,1,0} parameter(0)
  ROOT t = bf16[96,8,8,2]{3,2,1,0} transpose(p), dimensions={3,0,1,2}
}
)",
                   R"(  x = bf16[8,8,2,96]{3,2,1,0} parameter(0)
  ROOT y = bf16[96,8,8,2]{3,2,1,0} fusion(x), kind=kInput, calls=f
)");
  EXPECT_EQ(record.counts.loads.value, 256);
  EXPECT_TRUE(record.counts.loads.isExact());
  expectAGuess(record.counts.stores, "apart");
}

/// Two reductions of one operand, whose loops are too long to be written out, load it
/// twice: 256 loads. A column reduction may load what no row changes again at its end:
/// 374 loads.
TEST(KernelCounts, LoopsOfReductions) {
  KernelRecord two = onlyKernelOf(std::string(kAdd) + R"(most {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] maximum(a, b)
}
f {
  p = f32[128,2]{1,0} parameter(0)
  z = f32[] constant(0)
  s = f32[2]{0} reduce(p, z), dimensions={0}, to_apply=add
  l = f32[] constant(-inf)
  m = f32[2]{0} reduce(p, l), dimensions={0}, to_apply=most
  ROOT both = (f32[2]{0}, f32[2]{0}) tuple(s, m)
}
)",
                                  R"(  x = f32[128,2]{1,0} parameter(0)
  ROOT y = (f32[2]{0}, f32[2]{0}) fusion(x), kind=kLoop, calls=f
)");
  expectAGuess(two.counts.loads, "several reductions");
  KernelRecord columns = onlyKernelOf(std::string(kAdd) + R"(f {
  m = f32[17,16]{1,0} parameter(0)
  p = f32[17,65,16]{2,1,0} parameter(1)
  b = f32[17,65,16]{2,1,0} broadcast(m), dimensions={0,2}
  d = f32[17,65,16]{2,1,0} subtract(p, b)
  z = f32[] constant(0)
  ROOT s = f32[17,16]{1,0} reduce(d, z), dimensions={1}, to_apply=add
}
)",
                                      R"(  x = f32[17,16]{1,0} parameter(0)
  w = f32[17,65,16]{2,1,0} parameter(1)
  ROOT y = f32[17,16]{1,0} fusion(x, w), kind=kInput, calls=f
)");
  EXPECT_EQ(columns.counts.loads.value, 289 + 68);
  expectAGuess(columns.counts.loads, "before a loop");
}

} // namespace
