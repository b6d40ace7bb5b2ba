// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Warps and blocks: divergence, barriers, exchanges, memory, counts, races, errors.

#include "Kernels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <bit>

using namespace mercator;
using namespace mercator::reference::ptx;

namespace {

//===----------------------------------------------------------------------===//
// Divergence
//===----------------------------------------------------------------------===//

TEST(PtxMachine, SidesOfABranchMeetAgain) {
  Kernels kernels;
  ASSERT_TRUE(
      kernels.run("setp.lt.u32 %p1, %r0, 5; @%p1 bra SMALL;"
                  "mov.u32 %r3, 200; bra JOIN;"
                  "SMALL: mov.u32 %r3, 100;"
                  "JOIN: add.u32 %r3, %r3, %r0; st.global.b32 [%rd1], %r3;",
                  {}))
      << kernels.messages;
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(kernels.word(lane), (lane < 5 ? 100 : 200) + lane);
  EXPECT_EQ(kernels.counts().divergentBranches, 1u);
  EXPECT_EQ(kernels.counts().stores, 1u) << "one store of the whole warp";
  EXPECT_EQ(kernels.counts().storeSectors, 4u);
}

TEST(PtxMachine, LanesLeaveALoopOneByOne) {
  Kernels kernels;
  ASSERT_TRUE(kernels.run("mov.u32 %r3, 0; mov.u32 %r4, 0;"
                          "LOOP: add.u32 %r4, %r4, %r3; add.u32 %r3, %r3, 1;"
                          "setp.le.u32 %p1, %r3, %r0; @%p1 bra LOOP;"
                          "st.global.b32 [%rd1], %r4;",
                          {}))
      << kernels.messages;
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(kernels.word(lane), lane * (lane + 1) / 2);
  EXPECT_EQ(kernels.counts().stores, 1u);
  EXPECT_EQ(kernels.counts().divergentBranches, 31u);
}

TEST(PtxMachine, BranchesWithinBranchesAndEarlyReturns) {
  Kernels kernels;
  ASSERT_TRUE(kernels.run(
      "setp.ge.u32 %p1, %r0, 40; @%p1 ret;"
      "and.b32 %r3, %r0, 1; setp.eq.u32 %p2, %r3, 0; @%p2 bra EVEN;"
      "and.b32 %r4, %r0, 2; setp.eq.u32 %p3, %r4, 0; @!%p3 bra THREE;"
      "mov.u32 %r5, 1; bra.uni ODD; THREE: mov.u32 %r5, 3;"
      "ODD: add.u32 %r5, %r5, 10; bra.uni END; EVEN: mov.u32 %r5, 0;"
      "END: shfl.sync.idx.b32 %r6, %r5, 3, 31, -1; add.u32 %r5, %r5, %r6;"
      "st.global.b32 [%rd1], %r5;",
      {.block = {64, 1, 1}}))
      << kernels.messages;
  for (uint32_t thread = 0; thread < 40; ++thread) {
    uint32_t own = thread % 2 == 0 ? 0 : thread % 4 + 10;
    EXPECT_EQ(kernels.word(thread), own + 13) << thread;
  }
  EXPECT_EQ(kernels.word(40), 40u) << "threads that returned store nothing";
  EXPECT_EQ(kernels.counts().stores, 2u);
}

TEST(PtxMachine, GuardedInstructionsThatNoLaneExecutesAreNoRequests) {
  Kernels kernels;
  ASSERT_TRUE(kernels.run(
      "setp.gt.u32 %p1, %r0, 99; @%p1 ld.global.b32 %r3, [%rd1];"
      "@!%p1 ld.global.b32 %r4, [%rd1]; @%p1 st.global.b32 [%rd1], %r3;",
      {}))
      << kernels.messages;
  EXPECT_EQ(kernels.counts().loads, 1u);
  EXPECT_EQ(kernels.counts().stores, 0u);
}

//===----------------------------------------------------------------------===//
// Barriers, shared memory, races
//===----------------------------------------------------------------------===//

/// Writes the thread to shared memory, and reads that of the thread 65 before.
std::string exchange(const std::string &between) {
  return "shl.b32 %r3, %r0, 2; cvt.u64.u32 %rd3, %r3; mov.b64 %rd4, tile; add.s64 %rd5, %rd4, %rd3;"
         "st.shared.b32 [%rd5], %r0;" +
         between +
         "xor.b32 %r4, %r3, 260; cvt.u64.u32 %rd6, %r4; add.s64 %rd6, %rd4, %rd6;"
         "ld.shared.b32 %r5, [%rd6]; st.global.b32 [%rd1], %r5;";
}

TEST(PtxMachine, ABarrierOrdersWarps) {
  Kernels kernels;
  Kernels::How how = {.block = {128, 1, 1},
                      .findRaces = true,
                      .variables = ".shared .align 4 .b8 tile[512];"};
  ASSERT_TRUE(kernels.run(exchange("bar.sync 0;"), how)) << kernels.messages;
  for (uint32_t thread = 0; thread < 128; ++thread)
    EXPECT_EQ(kernels.word(thread), thread ^ 65);
  EXPECT_TRUE(kernels.outcome->races.empty());
  EXPECT_EQ(kernels.counts().barriers, 4u);
  EXPECT_EQ(kernels.counts().sharedLoads, 4u);
  EXPECT_EQ(kernels.counts().sharedLoadPasses, 4u);
}

TEST(PtxMachine, WithoutABarrierThreadsRace) {
  Kernels kernels;
  Kernels::How how = {.block = {128, 1, 1},
                      .findRaces = true,
                      .variables = ".shared .align 4 .b8 tile[512];"};
  ASSERT_TRUE(kernels.run(exchange(""), how)) << kernels.messages;
  ASSERT_FALSE(kernels.outcome->races.empty());
  const Race &race = kernels.outcome->races[0];
  EXPECT_NE(race.firstThread / 32, race.secondThread / 32);
  EXPECT_FALSE(race.isInWarp);
  EXPECT_NE(race.isFirstWrite, race.isSecondWrite);
}

TEST(PtxMachine, LanesOfAWarpRaceUnlessTheWarpIsInStep) {
  Kernels kernels;
  auto body = [](const std::string &between) {
    return "shl.b32 %r3, %r0, 2; st.shared.b32 [tile], %r0; cvt.u64.u32 %rd3, %r3;" +
           between + "ld.shared.b32 %r5, [tile]; st.global.b32 [%rd1], %r5;";
  };
  Kernels::How how = {.findRaces = true,
                      .variables = ".shared .align 4 .b8 tile[512];"};
  ASSERT_TRUE(kernels.run(body(""), how)) << kernels.messages;
  ASSERT_FALSE(kernels.outcome->races.empty()) << "all lanes write one word";
  EXPECT_TRUE(kernels.outcome->races[0].isInWarp);
  auto exchangeInWarp = [](const std::string &between) {
    return "mov.b64 %rd4, tile; mul.wide.u32 %rd5, %r0, 4; add.s64 %rd5, %rd4, %rd5;"
           "st.shared.b32 [%rd5], %r0;" +
           between +
           "xor.b32 %r4, %r0, 1; mul.wide.u32 %rd6, %r4, 4; add.s64 %rd6, %rd4, %rd6;"
           "ld.shared.b32 %r5, [%rd6]; st.global.b32 [%rd1], %r5;";
  };
  ASSERT_TRUE(kernels.run(exchangeInWarp(""), how)) << kernels.messages;
  EXPECT_EQ(kernels.outcome->races.size(), 1u);
  ASSERT_TRUE(kernels.run(exchangeInWarp("bar.warp.sync -1;"), how))
      << kernels.messages;
  EXPECT_TRUE(kernels.outcome->races.empty());
  // The same value by one instruction.
  ASSERT_TRUE(kernels.run("mov.u32 %r3, 7; st.shared.b32 [tile], %r3;", how))
      << kernels.messages;
  EXPECT_TRUE(kernels.outcome->races.empty());
}

TEST(PtxMachine, ABlockBeginsWithoutTheAccessesOfTheLast) {
  Kernels kernels;
  Kernels::How how = {.grid = {3, 1, 1},
                      .block = {64, 1, 1},
                      .findRaces = true,
                      .variables = ".shared .align 4 .b8 tile[512];"};
  ASSERT_TRUE(kernels.run(
      "setp.eq.u32 %p1, %r0, 33; @%p1 st.shared.b32 [tile], %r1; bar.sync 0;"
      "ld.shared.b32 %r5, [tile]; st.global.b32 [%rd1], %r5;",
      how))
      << kernels.messages;
  EXPECT_TRUE(kernels.outcome->races.empty());
  EXPECT_EQ(kernels.word(64), 64u + 33);
}

TEST(PtxMachine, BarriersOfSomeWarpsAndOfThoseThatAreLeft) {
  Kernels kernels;
  // Warps 0 and 1 meet at barrier 1, warps 2 and 3 at barrier 2; then warp 3 returns.
  ASSERT_TRUE(kernels.run(
      "shr.u32 %r3, %r0, 6; add.u32 %r3, %r3, 1; bar.sync %r3, 64;"
      "setp.ge.u32 %p1, %r0, 96; @%p1 ret; bar.sync 0; st.global.b32 [%rd1], %r3;",
      {.block = {128, 1, 1}}))
      << kernels.messages;
  EXPECT_EQ(kernels.word(0), 1u);
  EXPECT_EQ(kernels.word(95), 2u);
  EXPECT_EQ(kernels.word(96), 96u);
}

//===----------------------------------------------------------------------===//
// Exchanges in a warp
//===----------------------------------------------------------------------===//

TEST(PtxMachine, Shuffles) {
  Kernels kernels;
  struct Case {
    const char *text;
    uint32_t (*expected)(uint32_t lane);
  };
  const Case cases[] = {
      {"shfl.sync.down.b32 %r4, %r0, 3, 31, -1;",
       [](uint32_t l) { return l + 3 < 32 ? l + 3 : l; }},
      {"shfl.sync.up.b32 %r4, %r0, 3, 0, -1;",
       [](uint32_t l) { return l >= 3 ? l - 3 : l; }},
      {"shfl.sync.bfly.b32 %r4, %r0, 16, 31, -1;",
       [](uint32_t l) { return l ^ 16; }},
      {"shfl.sync.idx.b32 %r4, %r0, 5, 31, -1;", [](uint32_t) { return 5u; }},
      // Groups of 8 lanes.
      {"shfl.sync.down.b32 %r4, %r0, 1, 6175, -1;",
       [](uint32_t l) { return l % 8 < 7 ? l + 1 : l; }},
      {"shfl.sync.idx.b32 %r4, %r0, 2, 6175, -1;",
       [](uint32_t l) { return l / 8 * 8 + 2; }},
      {"shfl.sync.down.b32 %r5|%p1, %r0, 3, 31, -1; selp.b32 %r4, 1, 0, %p1;",
       [](uint32_t l) { return uint32_t(l < 29); }},
      {"setp.gt.u32 %p1, %r0, 29; vote.sync.ballot.b32 %r4, %p1, -1;",
       [](uint32_t) { return 0xC0000000u; }},
      {"setp.gt.u32 %p1, %r0, 29; vote.sync.any.pred %p2, %p1, -1; selp.b32 %r4, 1, 0, %p2;",
       [](uint32_t) { return 1u; }},
      {"setp.gt.u32 %p1, %r0, 29; vote.sync.all.pred %p2, !%p1, -1; selp.b32 %r4, 1, 0, %p2;",
       [](uint32_t) { return 0u; }},
      {"and.b32 %r3, %r0, 3; match.any.sync.b32 %r4, %r3, -1;",
       [](uint32_t l) { return 0x11111111u << l % 4; }},
      {"redux.sync.add.u32 %r4, %r0, -1;", [](uint32_t) { return 496u; }},
      {"sub.s32 %r3, %r0, 5; redux.sync.min.s32 %r4, %r3, -1;",
       [](uint32_t) { return uint32_t(-5); }},
      {"redux.sync.or.b32 %r4, %r0, -1;", [](uint32_t) { return 31u; }},
      {"activemask.b32 %r4;", [](uint32_t) { return ~0u; }},
      {"mov.u32 %r4, %lanemask_lt;", [](uint32_t l) { return (1u << l) - 1; }},
      {"elect.sync %r5|%p1, -1; selp.b32 %r4, 1, 0, %p1;",
       [](uint32_t l) { return uint32_t(l == 0); }},
  };
  for (const Case &c : cases) {
    ASSERT_TRUE(
        kernels.run(std::string(c.text) + "st.global.b32 [%rd1], %r4;", {}))
        << c.text << '\n'
        << kernels.messages;
    for (uint32_t lane = 0; lane < 32; ++lane)
      EXPECT_EQ(kernels.word(lane), c.expected(lane))
          << c.text << " lane " << lane;
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST(PtxMachine, VectorsBytesAndSigns) {
  Kernels kernels;
  ASSERT_TRUE(kernels.run(
      "mul.wide.u32 %rd3, %r0, 16; add.s64 %rd3, %rd0, %rd3;"
      "ld.global.v4.b32 {%r3, %r4, _, %r6}, [%rd3]; add.u32 %r3, %r3, %r6;"
      "ld.global.s8 %r7, [%rd0+1020]; ld.global.u8 %rs1, [%rd0+1020];"
      "cvt.u32.u16 %r8, %rs1; st.global.v2.b32 [%rd3+8], {%r3, %r7};"
      "st.global.b8 [%rd3+4], %r8;",
      {}))
      << kernels.messages;
  EXPECT_EQ(kernels.word(4 * 5 + 2), 20u + 23);
  EXPECT_EQ(kernels.word(4 * 5 + 3), 0xFFFFFFFFu) << "255 as a signed byte";
  EXPECT_EQ(kernels.word(4 * 5 + 1), 255u);
  EXPECT_EQ(kernels.counts().loads, 3u);
  EXPECT_EQ(kernels.counts().loadSectors, 16u + 1 + 1);
}

TEST(PtxMachine, AtomicOperations) {
  Kernels kernels;
  ASSERT_TRUE(kernels.run(
      "atom.global.add.u32 %r3, [%rd0], %r0; red.global.max.s32 [%rd0+4], %r0;"
      "atom.global.cas.b32 %r4, [%rd0+8], 2, 77; atom.global.exch.b32 %r5, [%rd0+12], %r0;"
      "mov.b32 %r6, 0f3F800000; atom.relaxed.sys.global.add.f32 %r7, [%rd0+16], %r6;"
      "atom.global.inc.u32 %r8, [%rd0+20], 6; red.global.and.b32 [%rd0+24], 2;"
      "mov.b32 %r9, 0x40003C00; red.global.add.noftz.f16x2 [%rd0+512], %r9;",
      {}))
      << kernels.messages;
  EXPECT_EQ(kernels.word(0), 496u);
  EXPECT_EQ(kernels.word(1), 31u);
  EXPECT_EQ(kernels.word(2), 77u);
  EXPECT_EQ(kernels.word(3), 31u);
  EXPECT_EQ(kernels.word(4), std::bit_cast<uint32_t>(32.0f));
  EXPECT_EQ(kernels.word(5), (5 + 32) % 7u);
  EXPECT_EQ(kernels.word(6), 6u & 2);
  EXPECT_EQ(kernels.word(128) >> 16, 0x5400u) << "64 as f16";
  EXPECT_EQ(kernels.counts().atomics, 8u);
  EXPECT_EQ(kernels.counts().atomicSectors, 8u);
}

TEST(PtxMachine, AsynchronousCopiesLocalMemoryAndGenericAddresses) {
  Kernels kernels;
  ASSERT_TRUE(kernels.run(
      "mov.b64 %rd4, tile; mul.wide.u32 %rd5, %r0, 16; add.s64 %rd6, %rd4, %rd5;"
      "add.s64 %rd7, %rd0, %rd5; cp.async.cg.shared.global [%rd6], [%rd7], 16;"
      "setp.eq.u32 %p1, %r0, 3; selp.b32 %r3, 4, 16, %p1;"
      "cp.async.cg.shared.global [%rd6], [%rd7+16], 16, %r3;"
      "cp.async.commit_group; cp.async.wait_group 0; bar.sync 0;"
      "cvta.shared.u64 %rd8, %rd6; ld.b32 %r4, [%rd8+4];"
      "st.local.b32 [stack], %r4; cvta.local.u64 %rd9, 0; ld.b32 %r5, [%rd9];"
      "st.global.b32 [%rd1], %r5;",
      {.variables =
           ".shared .align 16 .b8 tile[512]; .local .align 4 .b8 stack[8];"}))
      << kernels.messages;
  EXPECT_EQ(kernels.word(2), 4u * 2 + 4 + 1);
  EXPECT_EQ(kernels.word(3), 0u) << "bytes that are not read are zero";
  EXPECT_EQ(kernels.counts().sharedStores, 2u);
  EXPECT_EQ(kernels.counts().sharedStorePasses, 8u);
  EXPECT_EQ(kernels.counts().loadSectors, 16u + 17);
}

TEST(PtxMachine, VariablesWithInitialValues) {
  Kernels kernels;
  ASSERT_TRUE(kernels.runText(
      ".version 8.0\n.global .align 4 .b32 table[4] = {10, 20, 30, 40};\n"
      ".entry k(.param .u64 out) { .reg .b32 %r<4>; .reg .b64 %rd<5>;\n"
      "mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 4; mov.u64 %rd2, table;\n"
      "add.s64 %rd2, %rd2, %rd1; ld.global.b32 %r2, [%rd2];\n"
      "ld.param.u64 %rd3, [out]; add.s64 %rd3, %rd3, %rd1;\n"
      "st.global.b32 [%rd3], %r2; ret; }",
      "k", {.block = {4, 1, 1}}))
      << kernels.messages;
  EXPECT_EQ(kernels.word(3), 40u);
}

TEST(PtxMachine, Products) {
  Kernels kernels;
  // Registers with the elements of each lane: A[row][k] = row + k, B[k][column] = k - column.
  // m16n8k16: as the ISA lists the elements a0..a7 and b0..b3 of a lane.
  std::string body =
      "mov.u32 %r3, %laneid; shr.u32 %r4, %r3, 2; and.b32 %r5, %r3, 3; shl.b32 %r5, %r5, 1;";
  auto half = [&](const char *target, const std::string &value) {
    body +=
        value + "cvt.rn.f32.s32 %r7, %r6; cvt.rn.f16.f32 " + target + ", %r7;";
  };
  unsigned reg = 20;
  for (auto [rowOffset, columnOffset] :
       {std::pair(0, 0), {8, 0}, {0, 8}, {8, 8}}) {
    for (int element = 0; element < 2; ++element)
      half(element ? "%rs2" : "%rs1",
           "add.s32 %r6, %r4, %r5; add.s32 %r6, %r6, " +
               std::to_string(rowOffset + columnOffset + element) + ";");
    body += "mov.b32 %r" + std::to_string(reg++) + ", {%rs1, %rs2};";
  }
  for (int offset : {0, 8}) {
    for (int element = 0; element < 2; ++element)
      half(element ? "%rs2" : "%rs1",
           "sub.s32 %r6, %r5, %r4; add.s32 %r6, %r6, " +
               std::to_string(offset + element) + ";");
    body += "mov.b32 %r" + std::to_string(reg++) + ", {%rs1, %rs2};";
  }
  body +=
      "mov.b32 %r30, 0f3F800000;"
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r31, %r32, %r33, %r34}, {%r20, %r21, %r22, %r23},"
      "{%r24, %r25}, {%r30, %r30, %r30, %r30};"
      "mul.wide.u32 %rd3, %r3, 16; add.s64 %rd3, %rd0, %rd3; st.global.v4.b32 [%rd3], {%r31, %r32, %r33, %r34};";
  ASSERT_TRUE(kernels.run(body, {})) << kernels.messages;
  EXPECT_EQ(kernels.counts().products, 1u);
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      float expected = 1;
      for (int k = 0; k < 16; ++k)
        expected += float((row + k) * (k - column));
      int lane = row % 8 * 4 + column / 2, index = row / 8 * 2 + column % 2;
      EXPECT_EQ(std::bit_cast<float>(kernels.word(size_t(4 * lane + index))),
                expected)
          << row << ", " << column;
    }
}

/// Every other shape of `mma`: the fragments as the ISA numbers them, with bytes and words
/// in place of halves.
TEST(PtxMachine, ProductsOfBytesAndWords) {
  Kernels kernels;
  // Lane 4 * g + t. Each byte of A and B is 1, so that a sum counts the terms.
  ASSERT_TRUE(kernels.run(
      "mov.b32 %r3, 0x01010101; mov.b32 %r4, 5;"
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r5, %r6, %r7, %r8}, {%r3, %r3, %r3, %r3},"
      "{%r3, %r3}, {%r4, %r4, %r4, %r4}; st.global.b32 [%rd1], %r8;"
      "mov.b32 %r9, 0f3F800000; cvt.rn.f32.u32 %r10, %r0;"
      "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%r11, %r12, %r13, %r14}, {%r10, %r9},"
      "{%r9}, {%r9, %r9, %r9, %r9}; st.global.b32 [%rd1+128], %r11; st.global.b32 [%rd1+256], %r13;"
      "mov.f64 %rd5, 1.0; cvt.rn.f64.u32 %rd6, %r0;"
      "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd7, %rd8}, {%rd6}, {%rd5}, {%rd5, %rd5};"
      "cvt.rzi.u32.f64 %r15, %rd8; st.global.b32 [%rd1+384], %r15;",
      {}))
      << kernels.messages;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    uint32_t g = lane / 4, ofRow = 4 * g + 4 * g + 1 + 4 * g + 2 + 4 * g + 3;
    EXPECT_EQ(kernels.word(lane), 32u + 5) << lane;
    EXPECT_EQ(std::bit_cast<float>(kernels.word(32 + lane)), float(ofRow + 1))
        << lane;
    EXPECT_EQ(std::bit_cast<float>(kernels.word(64 + lane)), 5.0f) << lane;
    EXPECT_EQ(kernels.word(96 + lane), ofRow + 1) << lane;
  }
}

TEST(PtxMachine, MatricesGoToSharedMemoryAndBack) {
  Kernels kernels;
  Kernels::How how = {.findRaces = true,
                      .variables = ".shared .align 16 .b8 tile[512];"};
  // Rows of 16 bytes; a lane's word has columns 2 * (lane % 4) and the next of row lane / 4.
  std::string store =
      "mov.b64 %rd4, tile; mul.wide.u32 %rd5, %r0, 16; add.s64 %rd6, %rd4, %rd5;"
      "shl.b32 %r4, %r0, 17; shl.b32 %r3, %r0, 1; or.b32 %r4, %r4, %r3; add.u32 %r4, %r4, 65536;"
      "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%rd6], {%r4}; bar.sync 0;";
  ASSERT_TRUE(kernels.run(
      store + "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r5}, [%rd6];"
              "st.global.b32 [%rd1], %r5;",
      how))
      << kernels.messages;
  // Element (row, column) is 8 * row + column; the lane has the transpose.
  for (uint32_t lane = 0; lane < 32; ++lane) {
    uint32_t row = lane / 4, column = 2 * (lane % 4);
    EXPECT_EQ(kernels.word(lane),
              (8 * (column + 1) + row) << 16 | (8 * column + row))
        << lane;
  }
  EXPECT_TRUE(kernels.outcome->races.empty());
  EXPECT_EQ(kernels.counts().sharedLoadPasses, 1u);
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

TEST(PtxMachine, SectorsAndPasses) {
  uint64_t at[32];
  auto sectors = [&](uint64_t first, uint64_t step, unsigned bytes) {
    for (uint64_t lane = 0; lane < 32; ++lane)
      at[lane] = first + step * lane;
    return sectorsOf(at, bytes);
  };
  EXPECT_EQ(sectors(0, 4, 4), 4u);
  EXPECT_EQ(sectors(16, 4, 4), 5u);
  EXPECT_EQ(sectors(0, 16, 4), 16u);
  EXPECT_EQ(sectors(0, 16, 16), 16u);
  EXPECT_EQ(sectors(0, 4096, 4), 32u);
  EXPECT_EQ(sectors(0, 0, 4), 1u);
  EXPECT_EQ(sectors(4096, uint64_t(-4), 4), 5u);
  auto passes = [&](uint64_t step, unsigned bytes) {
    for (uint64_t lane = 0; lane < 32; ++lane)
      at[lane] = step * lane;
    return bankPasses(at, bytes);
  };
  EXPECT_EQ(passes(4, 4), 1u);
  EXPECT_EQ(passes(8, 4), 2u);
  EXPECT_EQ(passes(128, 4), 32u);
  EXPECT_EQ(passes(132, 4), 1u);
  EXPECT_EQ(passes(0, 4), 1u);
  EXPECT_EQ(passes(1, 1), 1u);
  EXPECT_EQ(passes(8, 8), 2u);
  EXPECT_EQ(passes(16, 16), 4u);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST(PtxMachine, BytesBehindABufferMayBeRead) {
  Memory memory;
  uint64_t first = memory.allocate(20), second = memory.allocate(0);
  EXPECT_EQ(memory.bytes(first).size(), 20u);
  EXPECT_TRUE(memory.find(first + 252, 4, /*isWrite=*/false));
  EXPECT_FALSE(memory.find(first + 256, 1, false));
  EXPECT_TRUE(memory.find(first + 28, 4, /*isWrite=*/true));
  EXPECT_FALSE(memory.find(first + 32, 1, true));
  EXPECT_EQ(second % 256, 0u);
  EXPECT_FALSE(memory.find(second - 1, 1, false));
}

TEST(PtxMachine, AWrongRunSaysWhereAndWhy) {
  Kernels kernels;
  const std::pair<const char *, const char *> cases[] = {
      {"ld.global.b32 %r3, [%rd0+65536];", "within a buffer"},
      {"st.global.b32 [%rd0+65536], %r3;", "within a buffer"},
      {"ld.global.b32 %r3, [%rd0+2];", "multiple of 4"},
      {"ld.shared.b32 %r3, [16];", "0 bytes of shared memory"},
      {"setp.lt.u32 %p1, %r0, 4; @%p1 bar.sync 0;",
       "all lanes of the warp at a barrier, got the lanes 0xf"},
      {"setp.lt.u32 %p1, %r0, 4; @%p1 shfl.sync.down.b32 %r3, %r0, 1, 31, -1;",
       "all lanes of the member mask"},
      {"LOOP: bra LOOP;", "at most 1000000 instructions"},
      {"bar.sync 1, 64;", "some wait forever"},
      {"bar.sync 16;", "a barrier below 16"},
  };
  for (auto [body, message] : cases) {
    EXPECT_FALSE(kernels.run(body, {})) << body;
    EXPECT_NE(kernels.messages.find(message), std::string::npos)
        << body << '\n'
        << kernels.messages;
    EXPECT_NE(kernels.messages.find("test.ptx:"), std::string::npos)
        << kernels.messages;
    EXPECT_NE(kernels.messages.find("executed by thread"), std::string::npos)
        << kernels.messages;
  }
}

TEST(PtxParser, AWrongTextSaysWhereAndWhy) {
  Kernels kernels;
  const std::pair<const char *, const char *> cases[] = {
      {"wgmma.fence.sync.aligned;",
       "11:1: error: 'wgmma.fence.sync.aligned' is not supported"},
      {"frobnicate.b32 %r1, %r2;",
       "11:1: error: unknown instruction 'frobnicate.b32'"},
      {"add.s32 %r1, %r2;",
       "11:1: error: expected more than 2 operands of 'add'"},
      {"add.s32 %r1, %r2, %r3, %r4;",
       "11:24: error: expected 3 operands of 'add'"},
      {"add.s32 %r1, %rd2, %r3;",
       "11:14: error: expected a register of 32 bits, got one of 64"},
      {"add.foo.s32 %r1, %r2, %r3;",
       "11:1: error: unknown part '.foo' of 'add'"},
      {"add.s32 %r1, %r2, %nope;", "11:19: error: unknown register '%nope'"},
      {"add.s32 %r1, %r2, %r64;", "unknown register '%r64'"},
      {"mul.wide.u32 _, %r1, %r2;",
       "11:14: error: expected a register of 64 bits"},
      {"mov.pred _, %p1;", "11:10: error: expected a predicate"},
      {"bra NOWHERE;", "11:5: error: unknown label 'NOWHERE'"},
      {"@%r1 bra L; L:", "11:2: error: expected a predicate, got '%r1'"},
      {"mov.b32 %r1, 1", "error: expected ',', got"},
      {"st.global.v2.b32 [%rd1], %r1;", "expected 2 registers, got 1"},
      {"ld.global.b32 %r1, %rd1;", "expected an address in brackets"},
      {"mma.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 {%r1,%r2,%r3,%r4}, {%r1,%r2,%r3,%r4}, {%r1,%r2}, {%r1,%r2,%r3,%r4};",
       "another shape"},
      {"L: L: ret;", "one label of this name"},
      {".bad 3;", "unknown directive '.bad'"},
      {"call foo;", "'call' is not supported"},
      {"}", "expected a directive, got 'ret'"},
      {"{", "expected '}', got the end of the text"},
      {"mov.b32 %r1, 0x1FFFFFFFFFFFFFFFFF;", "expected an operand"},
  };
  for (auto [body, message] : cases) {
    EXPECT_FALSE(kernels.run(std::string("\n") + body, {})) << body;
    EXPECT_NE(kernels.messages.find(message), std::string::npos)
        << body << '\n'
        << kernels.messages;
  }
}

TEST(PtxMachine, LaunchesThatAreImpossible) {
  Kernels kernels;
  EXPECT_FALSE(kernels.run("", {.block = {2048, 1, 1}}));
  EXPECT_NE(kernels.messages.find("1 to 1024 threads"), std::string::npos)
      << kernels.messages;
  EXPECT_FALSE(kernels.run("", {.grid = {0, 1, 1}}));
  EXPECT_FALSE(
      kernels.runText(".entry k() .reqntid 64, 1, 1 { ret; }", "k", {}));
  EXPECT_NE(kernels.messages.find(".reqntid"), std::string::npos)
      << kernels.messages;
}

} // namespace
