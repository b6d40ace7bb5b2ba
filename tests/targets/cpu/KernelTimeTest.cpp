// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/estimate/KernelTime.h"
#include "mercator/dialects/Register.h"
#include "mercator/targets/cpu/estimate/CallTime.h"
#include "mercator/targets/cpu/llvm/Lower.h"
#include "tests/Scale.h"
#include "tests/Seed.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <random>

using namespace mercator;
using namespace mercator::cpu;

namespace {

/// One core with round numbers: vectors of 64 bytes, a multiply-add of them in a
/// nanosecond, a cycle of a nanosecond.
Device simpleDevice() {
  Device device;
  device.lanes = 16;
  device.multiplyAdds = {{"f32", Device::Unit::Vector, 32}};
  device.functions = {{"exp", 2}, {"division", 4}, {"gather", 1}};
  device.caches = {{.name = "L1",
                    .bytes = 32 << 10,
                    .coreGigabytesPerSecond = 64,
                    .gigabytesPerSecond = 128},
                   {.name = "L2",
                    .bytes = 1 << 20,
                    .coreGigabytesPerSecond = 32,
                    .gigabytesPerSecond = 64}};
  device.coreGigabytesPerSecond = 10;
  device.gigabytesPerSecond = 20;
  device.gigahertz = 1;
  return device;
}

class KernelTime : public testing::Test {
protected:
  KernelTime() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    cpu::registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Of the body of a kernel with these parameters.
  std::optional<Time> of(const std::string &parameters, const std::string &body,
                         const Device &device = simpleDevice(),
                         const TimeOptions &options = {},
                         std::vector<NestNode> *nest = nullptr) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        "func.func @kernel(" + parameters +
            ") {\n"
            "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
            "%c16 = arith.constant 16 : index\n" +
            body + "\nreturn\n}\n",
        &context);
    if (!module) {
      ADD_FAILURE() << body;
      return std::nullopt;
    }
    return timeOf(*module->getOps<mlir::func::FuncOp>().begin(), device,
                  options, nest);
  }

  mlir::MLIRContext context;
};

constexpr const char *kCopy =
    "%n = arith.constant 4194304 : index\n"
    "scf.for %i = %c0 to %n step %c1 {\n"
    "  %x = memref.load %a[%i] : memref<4194304xf32>\n"
    "  memref.store %x, %b[%i] : memref<4194304xf32>\n}";
constexpr const char *kTwoBuffers =
    "%a: memref<4194304xf32>, %b: memref<4194304xf32>";

TEST_F(KernelTime, BytesOfMemory) {
  // 16 MiB are read, and 16 MiB are written past the caches, which are too small: 32
  // MiB at 10 bytes a nanosecond.
  std::optional<Time> time = of(kTwoBuffers, kCopy);
  ASSERT_TRUE(time);
  EXPECT_GT(time->memory, 0.6 * time->total());
  EXPECT_NEAR(time->total() / (32.0 * (1 << 20) / 10), 1, 0.25);
}

TEST_F(KernelTime, WhatStaysInACacheCostsNoMemory) {
  // The program touches 64 KiB: they are in L2 when the kernel begins.
  std::string body = "%n = arith.constant 8192 : index\n"
                     "scf.for %i = %c0 to %n step %c1 {\n"
                     "  %x = memref.load %a[%i] : memref<8192xf32>\n"
                     "  memref.store %x, %b[%i] : memref<8192xf32>\n}";
  std::string buffers = "%a: memref<8192xf32>, %b: memref<8192xf32>";
  std::optional<Time> time = of(buffers, body);
  ASSERT_TRUE(time);
  EXPECT_EQ(time->memory, 0);
  EXPECT_GT(time->caches, 0);
  time = of(buffers, body, simpleDevice(), {.programBytes = 1 << 24});
  ASSERT_TRUE(time);
  EXPECT_GT(time->memory, 0);
}

TEST_F(KernelTime, ALargeCacheOfUnknownBandwidthIsNotFree) {
  Device device = simpleDevice();
  device.caches.push_back({"L3", 1 << 30});
  std::optional<Time> time = of(kTwoBuffers, kCopy, device);
  ASSERT_TRUE(time);
  EXPECT_GT(time->caches, 0.6 * time->total());
}

TEST_F(KernelTime, MultiplyAddsOfATile) {
  // 1000 steps of 8 multiply-adds of vectors. Each waits for the one before in its
  // own row, four cycles; the rows do not wait for each other.
  std::string body = "%n = arith.constant 1000 : index\n"
                     "%z = arith.constant dense<0.0> : vector<16xf32>\n"
                     "%r:8 = scf.for %k = %c0 to %n step %c1 iter_args(";
  for (int i = 0; i < 8; ++i)
    body += (i ? ", " : "") + std::string("%s") + std::to_string(i) + " = %z";
  body +=
      ") -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, "
      "vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {\n";
  std::string all;
  for (int i = 0; i < 8; ++i) {
    std::string own = std::to_string(i);
    body += "  %t" + own + " = vector.fma %s" + own + ", %s" + own + ", %s" +
            own + " : vector<16xf32>\n";
    all += (i ? ", %t" : "%t") + own;
  }
  body += "  scf.yield " + all +
          " : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, "
          "vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>\n}";
  std::optional<Time> time = of("", body);
  ASSERT_TRUE(time);
  EXPECT_NEAR(time->multiplyAdds, 8000, 1);
}

TEST_F(KernelTime, AMaximumHasItsOwnRate) {
  std::string body =
      "%n = arith.constant 1000 : index\n"
      "scf.for %i = %c0 to %n step %c1 {\n"
      "  %x = vector.load %a[%c0] : memref<16xf32>, vector<16xf32>\n"
      "  %y = arith.maximumf %x, %x : vector<16xf32>\n"
      "  vector.store %y, %a[%c0] : memref<16xf32>, vector<16xf32>\n}";
  Device device = simpleDevice();
  std::optional<Time> unknown = of("%a: memref<16xf32>", body, device);
  ASSERT_TRUE(unknown);
  EXPECT_NEAR(unknown->arithmetic, 3000, 1);
  device.functions.push_back({"maximum", 2});
  std::optional<Time> time = of("%a: memref<16xf32>", body, device);
  ASSERT_TRUE(time);
  EXPECT_NEAR(time->arithmetic, 8000, 1);
}

TEST_F(KernelTime, ACoreBeginsTwoVectorsInACycle) {
  Device device = simpleDevice();
  auto multiplyAdds = [&] {
    std::optional<Time> time =
        of("%a: memref<8xf32>",
           "%n = arith.constant 1000 : index\n"
           "scf.for %i = %c0 to %n step %c1 {\n"
           "  %x = vector.load %a[%c0] : memref<8xf32>, vector<8xf32>\n"
           "  %y = vector.fma %x, %x, %x : vector<8xf32>\n"
           "  vector.store %y, %a[%c0] : memref<8xf32>, vector<8xf32>\n}",
           device);
    EXPECT_TRUE(time);
    return time ? time->multiplyAdds : 0;
  };
  EXPECT_NEAR(multiplyAdds(), 500, 1);
  // Two whole vectors in a cycle: half of one takes as long.
  device.gigahertz = 0.5;
  EXPECT_NEAR(multiplyAdds(), 1000, 1);
}

TEST_F(KernelTime, DivisionsHaveAUnitOfTheirOwn) {
  auto arithmetic = [&](const std::string &second) {
    std::optional<Time> time =
        of("%a: memref<1600xf32>, %b: memref<1600xf32>",
           "%n = arith.constant 1600 : index\n"
           "scf.for %i = %c0 to %n step %c1 {\n"
           "  %x = memref.load %a[%i] : memref<1600xf32>\n"
           "  %y = math.exp %x : f32\n  %z = " +
               second +
               " : f32\n"
               "  memref.store %z, %b[%i] : memref<1600xf32>\n}");
    EXPECT_TRUE(time);
    return time ? time->arithmetic : 0;
  };
  EXPECT_NEAR(arithmetic("math.exp %y"), 1600, 1);
  EXPECT_NEAR(arithmetic("arith.divf %x, %y"), 800, 1);
}

/// A transposition of 1024 x 1024 in tiles of 16 x 16, with these loops around a tile.
static std::string transposition(const std::string &loops, unsigned depth) {
  std::string text =
      "%n = arith.constant 64 : index\n"
      "%p = arith.constant 4 : index\n"
      "%t = arith.constant 4096 : index\n" +
      loops +
      "%r0 = arith.muli %r, %c16 : index\n"
      "%c00 = arith.muli %c, %c16 : index\n"
      "scf.for %i = %c0 to %c16 step %c1 {\n"
      "  %ri = arith.addi %r0, %i : index\n"
      "  scf.for %j = %c0 to %c16 step %c1 {\n"
      "    %cj = arith.addi %c00, %j : index\n"
      "    %x = memref.load %a[%ri, %cj] : memref<1024x1024xf32>\n"
      "    memref.store %x, %b[%cj, %ri] : memref<1024x1024xf32>\n"
      "  }\n}\n";
  for (unsigned i = 0; i < depth; ++i)
    text += "}\n";
  return text;
}

TEST_F(KernelTime, TilesThatOneNumberCountsAreThoseOfLoops) {
  std::string buffers = "%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>";
  TimeOptions options{.programBytes = 1 << 26};
  std::optional<Time> loops =
      of(buffers,
         transposition("scf.for %r = %c0 to %n step %c1 {\n"
                       "scf.for %c = %c0 to %n step %c1 {\n",
                       2),
         simpleDevice(), options);
  // A quarter of the tiles is a part.
  std::optional<Time> parts =
      of(buffers,
         transposition("scf.for %part = %c0 to %p step %c1 {\n"
                       "%next = arith.addi %part, %c1 : index\n"
                       "%m0 = arith.muli %part, %t : index\n"
                       "%m1 = arith.muli %next, %t : index\n"
                       "%from = arith.divui %m0, %p : index\n"
                       "%to = arith.divui %m1, %p : index\n"
                       "scf.for %k = %from to %to step %c1 {\n"
                       "%c = arith.remui %k, %n : index\n"
                       "%r = arith.divui %k, %n : index\n",
                       1) +
             "} {mercator.parallel}\n",
         simpleDevice(), options);
  ASSERT_TRUE(loops && parts);
  EXPECT_NEAR(parts->total() / loops->total(), 1, 0.02);
}

TEST_F(KernelTime, AChainThatTheNextLoopWaitsForIsSeen) {
  // 16 sums of 16 terms in each of 16 rows. The core looks far ahead: a row waits for its
  // sums only if the loop after them reads them.
  Device device = simpleDevice();
  device.core.windowInstructions = 1000;
  auto sums = [&](const std::string &after) {
    std::string body =
        "%n = arith.constant 16 : index\n"
        "%m = arith.constant 4096 : index\n%z = arith.constant 0.0 : f32\n"
        "%s = memref.alloca() : memref<16xf32>\n"
        "%other = memref.alloca() : memref<16xf32>\n"
        "scf.for %r = %c0 to %n step %c1 {\n"
        "  scf.for %k = %c0 to %c16 step %c1 {\n"
        "    scf.for %i = %c0 to %c16 step %c1 {\n"
        "      %x = memref.load %a[%r, %k, %i] : memref<16x16x16xf32>\n"
        "      %y = memref.load %s[%i] : memref<16xf32>\n"
        "      %w = arith.addf %x, %y : f32\n"
        "      memref.store %w, %s[%i] : memref<16xf32>\n"
        "    }\n  }\n"
        "  scf.for %i = %c0 to %c16 step %c1 {\n"
        "    %x = memref.load " +
        after +
        "\n"
        "    memref.store %x, %b[%r, %i] : memref<16x4096xf32>\n"
        "  }\n"
        "  scf.for %i = %c0 to %m step %c1 {\n"
        "    memref.store %z, %b[%r, %i] : memref<16x4096xf32>\n"
        "  }\n}";
    return of("%a: memref<16x16x16xf32>, %b: memref<16x4096xf32>", body,
              device);
  };
  std::optional<Time> apart = sums("%other[%i] : memref<16xf32>"),
                      waits = sums("%s[%i] : memref<16xf32>");
  ASSERT_TRUE(apart && waits);
  EXPECT_GT(waits->total(), apart->total() + 50);
}

/// A thousand elements of two runs.
constexpr const char *kMerge =
    "%n = arith.constant 1000 : index\n"
    "%e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%l = %c0, %r = %c16) "
    "-> (index, index) {\n"
    "  %ends = arith.cmpi eq, %l, %n : index\n"
    "  %is = scf.if %ends -> (i1) {\n    scf.yield %ends : i1\n  } else {\n"
    "    %x = memref.load %a[%l] : memref<2000xf32>\n"
    "    %y = memref.load %a[%r] : memref<2000xf32>\n"
    "    %less = arith.cmpf olt, %y, %x : f32\n"
    "    scf.yield %less : i1\n  }\n"
    "  %at = arith.select %is, %r, %l : index\n"
    "  %next = arith.addi %at, %c1 : index\n"
    "  %left = arith.select %is, %l, %next : index\n"
    "  %right = arith.select %is, %next, %r : index\n"
    "  scf.yield %left, %right : index, index\n}\n"
    "memref.store %e#0, %b[%c0] : memref<1xindex>";

TEST_F(KernelTime, ProductsOfTheMatrixUnit) {
  // 1000 steps of 4 products of tiles, 16 cycles each, beside which a quarter of the 52
  // cycles is seen that a sum waits for itself; a sum alone waits for all of them.
  Device device = simpleDevice();
  device.multiplyAdds.push_back({"i8", Device::Unit::Matrix, 2048});
  auto timeOfSums = [&](int sums) {
    std::string carried, types, all,
        body = "%n = arith.constant 1000 : index\n"
               "%c64 = arith.constant 64 : index\n"
               "%z = amx.tile_zero : !amx.tile<16x16xi32>\n";
    for (int i = 0; i < sums; ++i) {
      std::string own = std::to_string(i), comma = i ? ", " : "";
      carried += comma + "%s" + own + " = %z";
      types += comma + "!amx.tile<16x16xi32>";
      all += comma + "%t" + own;
    }
    body += "%r:" + std::to_string(sums) +
            " = scf.for %k = %c0 to %n step %c1 iter_args(" + carried +
            ") -> (" + types + ") {\n" +
            "  %x = amx.tile_load %a[%c0], %c64 : memref<1024xi8> into "
            "!amx.tile<16x64xi8>\n";
    for (int i = 0; i < sums; ++i)
      body += "  %t" + std::to_string(i) + " = amx.tile_muli %x, %x, %s" +
              std::to_string(i) +
              " : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, "
              "!amx.tile<16x16xi32>\n";
    return of("%a: memref<1024xi8>",
              body + "  scf.yield " + all + " : " + types + "\n}", device);
  };
  std::optional<Time> four = timeOfSums(4), one = timeOfSums(1);
  ASSERT_TRUE(four && one);
  EXPECT_NEAR(four->multiplyAdds, 64000, 1);
  EXPECT_NEAR(four->total() / 77000, 1, 0.02);
  EXPECT_NEAR(one->multiplyAdds, 16000, 1);
  EXPECT_NEAR(one->total() / 52000, 1, 0.1);
}

// Each number of a core is asked: with another one, one of three kernels takes another
// time.
TEST_F(KernelTime, NumbersOfACoreDecide) {
  const std::pair<std::string, std::string> kernels[] = {
      // A row of exp, a sum that waits for itself, a maximum, quotients of indices.
      {"%a: memref<1000x500xf32>, %b: memref<1000x500xf32>, %s: "
       "memref<1000xf32>, %v: memref<1000xi32>",
       "%n = arith.constant 1000 : index\n%m = arith.constant 500 : index\n"
       "scf.for %i = %c0 to %n step %c1 {\n"
       "  %l = scf.for %j = %c0 to %m step %c1 iter_args(%t = %f) -> (f32) {\n"
       "    %x = memref.load %a[%i, %j] : memref<1000x500xf32>\n"
       "    %p = arith.mulf %t, %x : f32\n"
       "    %q = arith.addf %p, %x : f32\n"
       "    %e = math.exp %q : f32\n"
       "    scf.yield %e : f32\n  }\n"
       "  memref.store %l, %s[%i] : memref<1000xf32>\n"
       "  %k = scf.for %j = %c0 to %m step %c1 iter_args(%t = %f) -> (f32) {\n"
       "    %x = memref.load %a[%i, %j] : memref<1000x500xf32>\n"
       "    %p = arith.maximumf %t, %x : f32\n"
       "    scf.yield %p : f32\n  }\n"
       "  memref.store %k, %s[%i] : memref<1000xf32>\n"
       "  %w = scf.for %j = %c0 to %m step %c1 iter_args(%t = %g) -> (i32) {\n"
       "    %x = memref.load %v[%j] : memref<1000xi32>\n"
       "    %p = arith.muli %t, %x : i32\n"
       "    scf.yield %p : i32\n  }\n"
       "  memref.store %w, %v[%i] : memref<1000xi32>\n"
       "}\n"
       "scf.for %i = %c0 to %n step %c1 {\n"
       "  %x = memref.load %v[%i] : memref<1000xi32>\n"
       "  %y = arith.divsi %x, %x : i32\n"
       "  memref.store %y, %v[%i] : memref<1000xi32>\n}"},
      // Rows of vectors that begin in the middle of lines; more than a cache has.
      {"%a: memref<4096x500xf32>, %b: memref<4096x500xf32>",
       "%n = arith.constant 4096 : index\n%m = arith.constant 480 : index\n"
       "scf.for %i = %c0 to %n step %c1 {\n"
       "  scf.for %j = %c0 to %m step %c16 {\n"
       "    %x = vector.load %a[%i, %j] : memref<4096x500xf32>, vector<16xf32>\n"
       "    %y = arith.addf %x, %x : vector<16xf32>\n"
       "    vector.store %y, %b[%i, %j] : memref<4096x500xf32>, vector<16xf32>\n"
       "  }\n}"},
      // A chain through memory, with a condition on data.
      {"%a: memref<1000xf32>, %s: memref<1xf32>",
       "%n = arith.constant 1000 : index\n"
       "scf.for %i = %c0 to %n step %c1 {\n"
       "  %x = memref.load %a[%i] : memref<1000xf32>\n"
       "  %c = arith.cmpf ogt, %x, %f : f32\n"
       "  scf.if %c {\n"
       "    %t = memref.load %s[%c0] : memref<1xf32>\n"
       "    %y = arith.addf %t, %x : f32\n"
       "    memref.store %y, %s[%c0] : memref<1xf32>\n  }\n}"},
      // A merge: data say which of two runs is read next.
      {"%a: memref<2000xf32>, %b: memref<1xindex>", kMerge},
      // Columns of a matrix, and shuffles.
      {"%a: memref<4096x500xf32>, %b: memref<16xf32>",
       "%n = arith.constant 4096 : index\n%m = arith.constant 480 : index\n"
       "scf.for %j = %c0 to %m step %c16 {\n"
       "  scf.for %i = %c0 to %n step %c1 {\n"
       "    %x = vector.load %a[%i, %j] : memref<4096x500xf32>, vector<16xf32>\n"
       "    %y = vector.shuffle %x, %x [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, "
       "21, 6, 22, 7, 23] : vector<16xf32>, vector<16xf32>\n"
       "    %z = vector.shuffle %y, %x [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, "
       "21, 6, 22, 7, 23] : vector<16xf32>, vector<16xf32>\n"
       "    vector.store %z, %b[%c0] : memref<16xf32>, vector<16xf32>\n"
       "  }\n}"},
      // 600 KiB of 1 MiB, twice.
      {"%a: memref<200000xf32>, %s: memref<200000xf32>",
       "%n = arith.constant 200000 : index\n"
       "scf.for %t = %c0 to %c16 step %c1 {\n"
       "  scf.for %i = %c0 to %n step %c1 {\n"
       "    %x = memref.load %a[%i] : memref<200000xf32>\n"
       "    %y = arith.maximumf %x, %f : f32\n"
       "    memref.store %y, %a[%i] : memref<200000xf32>\n  }\n}"},
  };
  auto timesWith = [&](const Device &device) {
    std::vector<double> times;
    for (const auto &[parameters, body] : kernels) {
      auto time = of(parameters,
                     "%f = arith.constant 0.0 : f32\n"
                     "%g = arith.constant 1 : i32\n" +
                         body,
                     device);
      EXPECT_TRUE(time);
      times.push_back(time ? time->total() : 0);
    }
    CallTensor matrix{{256, 256}, 4};
    auto call =
        timeOf(LibraryCall{"cholesky_f32", {matrix}, {matrix}, {1}}, device);
    EXPECT_TRUE(call);
    times.push_back(call ? call->total() : 0);
    return times;
  };
  std::vector<double> usual = timesWith(simpleDevice());
  for (const auto &[name, place] : Device::coreNumbers()) {
    bool isSeen = false;
    for (double factor : {0.1, 0.8, 1.2, 10.0}) {
      Device device = simpleDevice();
      device.core.*place *= factor;
      isSeen |= device.core.cacheHolds < device.core.cacheLoses &&
                timesWith(device) != usual;
    }
    EXPECT_TRUE(isSeen) << name.str();
  }
}

TEST_F(KernelTime, AConditionOnALoopIsNoBranch) {
  // The number that is compared is before the loop, or a constant inside it.
  auto body = [](const std::string &before, const std::string &inside) {
    return "%n = arith.constant 1000 : index\n" + before +
           "scf.for %i = %c0 to %n step %c1 {\n" + inside +
           "  %is = arith.cmpi slt, %i, %half : index\n"
           "  scf.if %is {\n"
           "    %t = memref.load %s[%c0] : memref<1xf32>\n"
           "    %x = memref.load %a[%i] : memref<1000xf32>\n"
           "    %y = arith.addf %t, %x : f32\n"
           "    memref.store %y, %s[%c0] : memref<1xf32>\n  }\n}";
  };
  std::string half = "%half = arith.constant 500 : index\n",
              buffers = "%a: memref<1000xf32>, %s: memref<1xf32>";
  std::optional<Time> before = of(buffers, body(half, "")),
                      inside = of(buffers, body("", half));
  ASSERT_TRUE(before && inside);
  EXPECT_EQ(before->total(), inside->total());
}

TEST_F(KernelTime, AnExceptionIsNotTaken) {
  // Twice if the data say that once was not enough, as where a mask excludes too much.
  auto body = [](const std::string &times) {
    return "%n = arith.constant 1000 : index\n%two = arith.constant 2 : index\n"
           "%zero = arith.constant 0 : i32\n"
           "scf.for %again = %c0 to " +
           times +
           " step %c1 {\n"
           "  %isFirst = arith.cmpi eq, %again, %c0 : index\n"
           "  %flag = memref.load %flags[%c0] : memref<1xi32>\n"
           "  %isSet = arith.cmpi ne, %flag, %zero : i32\n"
           "  %isShort = arith.cmpi ult, %again, %c16 : index\n"
           "  %must = arith.andi %isSet, %isShort : i1\n"
           "  %runs = arith.ori %isFirst, %must : i1\n"
           "  scf.if %runs {\n"
           "    scf.for %j = %c0 to %n step %c1 {\n"
           "      %x = memref.load %a[%j] : memref<1000xf32>\n"
           "      %y = math.exp %x : f32\n"
           "      memref.store %y, %b[%j] : memref<1000xf32>\n    }\n  }\n}";
  };
  std::string buffers =
      "%a: memref<1000xf32>, %b: memref<1000xf32>, %flags: memref<1xi32>";
  std::optional<Time> once = of(buffers, body("%c1")),
                      twice = of(buffers, body("%two"));
  ASSERT_TRUE(once && twice);
  EXPECT_GT(once->arithmetic, 0);
  EXPECT_NEAR(twice->arithmetic, once->arithmetic, 1);
}

TEST_F(KernelTime, ADivisionByAPowerOfTwoIsAProduct) {
  auto body = [](const std::string &divisor) {
    return "%n = arith.constant 1600 : index\n%d = arith.constant " + divisor +
           " : f32\n"
           "scf.for %i = %c0 to %n step %c1 {\n"
           "  %x = memref.load %a[%i] : memref<1600xf32>\n"
           "  %y = arith.divf %x, %d : f32\n"
           "  memref.store %y, %b[%i] : memref<1600xf32>\n}";
  };
  std::string buffers = "%a: memref<1600xf32>, %b: memref<1600xf32>";
  std::optional<Time> product = of(buffers, body("8.0")),
                      quotient = of(buffers, body("7.0"));
  ASSERT_TRUE(product && quotient);
  EXPECT_EQ(product->arithmetic, 0);
  EXPECT_NEAR(quotient->arithmetic, 400, 1); // four a nanosecond
}

TEST_F(KernelTime, AConditionOnIndicesIsNoBranch) {
  // A sum in 16 elements: 13 vectors of a row, with and without the rest.
  auto body = [](const std::string &vectors, const std::string &least) {
    auto add = [](const std::string &lanes) {
      return "    scf.for %j = %c0 to " + lanes +
             " step %c1 {\n"
             "      %at = arith.addi %first, %j : index\n"
             "      %x = memref.load %a[%i, %at] : memref<1000x212xf32>\n"
             "      %y = memref.load %b[%j] : memref<16xf32>\n"
             "      %s = arith.addf %x, %y : f32\n"
             "      memref.store %s, %b[%j] : memref<16xf32>\n    }\n";
    };
    return "%n = arith.constant 1000 : index\n%c4 = arith.constant 4 : index\n"
           "%whole = arith.constant " +
           least + " : index\n%vectors = arith.constant " + vectors +
           " : index\n"
           "scf.for %i = %c0 to %n step %c1 {\n"
           "scf.for %k = %c0 to %vectors step %c1 {\n"
           "  %first = arith.muli %k, %c16 : index\n"
           "  %isWhole = arith.cmpi ult, %k, %whole : index\n"
           "  scf.if %isWhole {\n" +
           add("%c16") + "  } else {\n" + add("%c4") + "  }\n}\n}";
  };
  std::string buffers = "%a: memref<1000x212xf32>, %b: memref<16xf32>";
  std::optional<Time> rest = of(buffers, body("14", "13"));
  ASSERT_TRUE(rest);
  // An addition waits for the one before, three cycles, and not for a store.
  EXPECT_LT(rest->total(), 1000 * 14 * 4.5);
}

TEST_F(KernelTime, WhatIsStoredByElementsIsInNoRegister) {
  // Sums of sixteen lanes, in vectors of a row. The rest is a vector, or elements.
  auto of1000 = [&](const std::string &columns, const std::string &lanes) {
    std::optional<Time> time =
        of("%a: memref<1000x320xf32>, %b: memref<1000xf32>",
           "%s = memref.alloca() : memref<16xf32>\n"
           "%n = arith.constant 1000 : index\n%c3 = arith.constant 3 : index\n"
           "%whole = arith.constant " +
               columns +
               " : index\n"
               "scf.for %i = %c0 to %n step %c1 {\n"
               "  scf.for %k = %c0 to %c16 step %c1 {\n"
               "    %isWhole = arith.cmpi ult, %k, %whole : index\n"
               "    %at = arith.muli %k, %c16 : index\n"
               "    scf.if %isWhole {\n"
               "      scf.for %j = %c0 to %c16 step %c1 {\n"
               "        %p = arith.addi %at, %j : index\n"
               "        %x = memref.load %a[%i, %p] : memref<1000x320xf32>\n"
               "        %y = memref.load %s[%j] : memref<16xf32>\n"
               "        %z = arith.addf %x, %y : f32\n"
               "        memref.store %z, %s[%j] : memref<16xf32>\n      }\n"
               "    } else {\n"
               "      scf.for %j = %c0 to " +
               lanes +
               " step %c1 {\n"
               "        %p = arith.addi %at, %j : index\n"
               "        %x = memref.load %a[%i, %p] : memref<1000x320xf32>\n"
               "        %y = memref.load %s[%j] : memref<16xf32>\n"
               "        %z = arith.addf %x, %y : f32\n"
               "        memref.store %z, %s[%j] : memref<16xf32>\n      }\n"
               "    }\n  }\n"
               "  %v = vector.load %s[%c0] : memref<16xf32>, vector<16xf32>\n"
               "  %t = vector.reduction <add>, %v : vector<16xf32> into f32\n"
               "  memref.store %t, %b[%i] : memref<1000xf32>\n}");
    EXPECT_TRUE(time);
    return time ? time->total() / 1000 : 0;
  };
  // Seven cycles from each store to the next load, and 21 at the end.
  EXPECT_GT(of1000("15", "%c3"), of1000("15", "%c16") + 15 * 7 + 20);
}

TEST_F(KernelTime, WhatIsTheSameForARowIsComputedOnce) {
  auto body = [](bool isParallel) {
    return std::string("%n = arith.constant 1000 : index\n"
                       "%m = arith.constant 320 : index\n"
                       "scf.for %i = %c0 to %n step %c1 {\n"
                       "scf.for %j = %c0 to %m step %c1 {\n"
                       "  %x = memref.load %a[%i, %j] : memref<1000x320xf32>\n"
                       "  %s = memref.load %b[%i] : memref<1000xf32>\n"
                       "  %e = math.exp %s : f32\n"
                       "  %y = arith.addf %x, %e : f32\n"
                       "  memref.store %y, %c[%i, %j] : memref<1000x320xf32>\n"
                       "}\n}") +
           (isParallel ? " {mercator.parallel}" : "");
  };
  std::string buffers = "%a: memref<1000x320xf32>, %b: memref<1000xf32>, "
                        "%c: memref<1000x320xf32>";
  for (bool isParallel : {false, true}) {
    std::optional<Time> time = of(buffers, body(isParallel));
    ASSERT_TRUE(time);
    // 160,000 if each element had its own.
    EXPECT_LT(time->arithmetic, 40'000) << isParallel;
  }
}

/// The rows 0 to 999 of a triangle, or of a square.
static std::string triangle(bool isWhole) {
  return "%n = arith.constant 1000 : index\n%f = arith.constant 1.0 : f32\n"
         "scf.for %i = %c0 to %n step %c1 {\n"
         "  scf.for %j = %c0 to " +
         std::string(isWhole ? "%n" : "%i") +
         " step %c1 {\n"
         "    %x = memref.load %a[%j] : memref<1000xf32>\n"
         "    %y = math.exp %x : f32\n"
         "    memref.store %y, %b[%i, %j] : memref<1000x1000xf32>\n  }\n}";
}

TEST_F(KernelTime, ATriangleIsHalfASquare) {
  std::string buffers = "%a: memref<1000xf32>, %b: memref<1000x1000xf32>";
  std::optional<Time> whole = of(buffers, triangle(true)),
                      half = of(buffers, triangle(false));
  ASSERT_TRUE(whole && half);
  // Two a nanosecond; half a vector takes as long as a whole one.
  EXPECT_NEAR(whole->arithmetic, 500'000, 5000);
  EXPECT_NEAR(half->arithmetic / whole->arithmetic, 0.5, 0.03);
}

/// Tiles of 8 cells with 8 tiles each: tile t has t + 1 blocks of 128 columns. As the code
/// of a schedule of cells, of which a part has few tiles, or as two loops.
std::string causalTiles(bool areInParts) {
  std::string head = areInParts ? "%p = arith.constant 64 : index\n"
                                  "%c7 = arith.constant 7 : index\n"
                                  "scf.for %part = %c0 to %p step %c1 {\n"
                                  "%next = arith.addi %part, %c1 : index\n"
                                  "%m0 = arith.muli %part, %p : index\n"
                                  "%m1 = arith.muli %next, %p : index\n"
                                  "%from = arith.divui %m0, %p : index\n"
                                  "%to = arith.divui %m1, %p : index\n"
                                  "%last = arith.addi %to, %c7 : index\n"
                                  "%h0 = arith.divui %from, %c8 : index\n"
                                  "%h1 = arith.divui %last, %c8 : index\n"
                                  "scf.for %h = %h0 to %h1 step %c1 {\n"
                                  "%begin = arith.muli %h, %c8 : index\n"
                                  "%least = arith.maxsi %from, %begin : index\n"
                                  "%t0 = arith.subi %least, %begin : index\n"
                                  "%left = arith.subi %to, %begin : index\n"
                                  "%t1 = arith.minsi %left, %c8 : index\n"
                                  "scf.for %t = %t0 to %t1 step %c1 {\n"
                                : "scf.for %h = %c0 to %c8 step %c1 {\n"
                                  "scf.for %t = %c0 to %c8 step %c1 {\n";
  return "%c8 = arith.constant 8 : index\n"
         "%c128 = arith.constant 128 : index\n" +
         head +
         "%blocks = arith.addi %t, %c1 : index\n"
         "%n = arith.muli %blocks, %c128 : index\n"
         "scf.for %j = %c0 to %n step %c1 {\n"
         "  %x = memref.load %a[%h, %j] : memref<8x1024xf32>\n"
         "  %y = math.exp %x : f32\n"
         "  memref.store %y, %a[%h, %j] : memref<8x1024xf32>\n}\n"
         "} {mercator.tiles}\n}\n" +
         (areInParts ? "} {mercator.parallel}\n" : "");
}

TEST_F(KernelTime, PartsHaveTilesOfAllPlaces) {
  std::string buffer = "%a: memref<8x1024xf32>";
  std::optional<Time> loops = of(buffer, causalTiles(false)),
                      parts = of(buffer, causalTiles(true));
  ASSERT_TRUE(loops && parts);
  // 36 of 64 blocks, two elements a nanosecond.
  EXPECT_NEAR(loops->arithmetic, 8 * 36 * 128 / 2.0, 20);
  EXPECT_NEAR(parts->arithmetic, loops->arithmetic, 20);
}

/// Rows of %n in tiles of 16, whose last tile may be shorter.
std::string tiles(int64_t n) {
  return "%n = arith.constant " + std::to_string(n) +
         " : index\n"
         "scf.for %i = %c0 to %n step %c16 {\n"
         "  %far = arith.addi %i, %c16 : index\n"
         "  %end = arith.minsi %far, %n : index\n"
         "  scf.for %j = %i to %end step %c1 {\n"
         "    %x = memref.load %a[%j] : memref<1000xf32>\n"
         "    memref.store %x, %a[%j] : memref<1000xf32>\n"
         "  }\n}";
}

TEST_F(KernelTime, IterationsThatAreAlikeAreOneLoop) {
  auto shapeOf = [&](int64_t n) {
    std::vector<NestNode> nest;
    std::string shape;
    EXPECT_TRUE(
        of("%a: memref<1000xf32>", tiles(n), simpleDevice(), {}, &nest));
    for (const NestNode &node : nest)
      if (node.isLoop)
        shape += std::to_string(node.depth) + " x" +
                 std::to_string(int(node.iterations)) + "\n";
    return shape;
  };
  EXPECT_EQ(shapeOf(960), "0 x60\n1 x16\n");
  // The last tile has four rows.
  EXPECT_EQ(shapeOf(964), "0 x20\n1 x16\n0 x20\n1 x16\n0 x20\n1 x16\n"
                          "0 x1\n1 x4\n");
}

/// Rows of 4,096 elements, of which each of these loops reads 512 columns.
static std::string columns(llvm::ArrayRef<int64_t> first) {
  std::string body = "%n = arith.constant 256 : index\n"
                     "%m = arith.constant 512 : index\n"
                     "%c8 = arith.constant 8 : index\n"
                     "scf.for %i = %c0 to %n step %c8 {\n";
  for (int64_t begin : first)
    body += "scf.for %k = %c0 to %m step %c16 {\n  scf.for %r = %c0 to %c8 "
            "step %c1 {\n    %row = arith.addi %i, %r : index\n"
            "    %first = arith.constant " +
            std::to_string(begin) +
            " : index\n    %at = arith.addi %k, %first : index\n"
            "    %x = vector.load %a[%row, %at] : memref<256x4096xf32>, "
            "vector<16xf32>\n"
            "    vector.store %x, %b[%c0] : memref<16xf32>, vector<16xf32>\n"
            "  }\n}\n";
  return body + "}";
}

TEST_F(KernelTime, OtherColumnsOfTheSameRowsAreNotThereYet) {
  auto bytesOf = [&](llvm::ArrayRef<int64_t> first) {
    std::vector<NestNode> nest;
    EXPECT_TRUE(of("%a: memref<256x4096xf32>, %b: memref<16xf32>",
                   columns(first), simpleDevice(), {.programBytes = 1 << 24},
                   &nest));
    return nest[0].bytes[1]; // to the second cache
  };
  double one = bytesOf({0});
  EXPECT_NEAR(one / (256 * 512 * 4), 1, 0.05);
  EXPECT_NEAR(bytesOf({0, 512, 1024}) / one, 3, 0.1);
  EXPECT_NEAR(bytesOf({0, 1024}) / one, 2, 0.1);
  // The same columns are: 16 KiB of eight rows.
  EXPECT_NEAR(bytesOf({512, 512}) / one, 1, 0.1);
  EXPECT_NEAR(bytesOf({0, 256}) / one, 1.5, 0.1);
}

TEST_F(KernelTime, JumpsFromLineToLineTakeLonger) {
  // All elements of a matrix of 1 MiB, by rows or by columns of a line.
  auto timeWith = [&](bool byRows, double jumpLines) {
    Device device = simpleDevice();
    device.core.jumpLines = jumpLines;
    std::string rows = "scf.for %i = %c0 to %n step %c1 {\n",
                columns = "scf.for %j = %c0 to %n step %c16 {\n";
    std::optional<Time> time =
        of("%a: memref<512x512xf32>, %b: memref<16xf32>",
           "%n = arith.constant 512 : index\n" +
               (byRows ? rows + columns : columns + rows) +
               "  %x = vector.load %a[%i, %j] : memref<512x512xf32>, "
               "vector<16xf32>\n"
               "  vector.store %x, %b[%c0] : memref<16xf32>, vector<16xf32>\n"
               "}\n}",
           device, {.programBytes = 1 << 24});
    EXPECT_TRUE(time);
    return time ? time->total() : 0;
  };
  EXPECT_NEAR(timeWith(false, 1) / timeWith(false, 0.001), 2, 0.1);
  EXPECT_NEAR(timeWith(true, 1) / timeWith(true, 0.001), 1, 0.001);
}

TEST_F(KernelTime, LinesThatLoopsFillAreNoJumps) {
  // Two vectors of a row at a time, of all its vectors or of every other pair.
  auto timeWith = [&](int64_t step, double jumpLines) {
    Device device = simpleDevice();
    device.core.jumpLines = jumpLines;
    std::optional<Time> time =
        of("%a: memref<1048576xf32>, %b: memref<16xf32>",
           "%n = arith.constant 1048576 : index\n%s = arith.constant " +
               std::to_string(step) +
               " : index\n"
               "scf.for %i = %c0 to %n step %s {\n"
               "  scf.for %j = %c0 to %c16 step %c1 {\n"
               "    %p = arith.addi %i, %j : index\n"
               "    %q = arith.addi %p, %c16 : index\n"
               "    %x = memref.load %a[%p] : memref<1048576xf32>\n"
               "    %y = memref.load %a[%q] : memref<1048576xf32>\n"
               "    %z = arith.addf %x, %y : f32\n"
               "    memref.store %z, %b[%j] : memref<16xf32>\n  }\n}",
           device, {.programBytes = 1 << 24});
    EXPECT_TRUE(time);
    return time ? time->total() : 0;
  };
  EXPECT_NEAR(timeWith(32, 1) / timeWith(32, 0.001), 1, 0.01);
  EXPECT_GT(timeWith(64, 1) / timeWith(64, 0.001), 1.3);
}

TEST_F(KernelTime, RandomRowsOfAnotherPartAreNotThereYet) {
  // Two loops that read a hundred rows each, of ten thousand.
  auto bytesOf = [&](int loops) {
    std::string body = "%n = arith.constant 100 : index\n";
    for (int i = 0; i < loops; ++i)
      body += "scf.for %i = %c0 to %n step %c1 {\n"
              "  %id = memref.load %ids[%i] : memref<100xindex>\n"
              "  scf.for %j = %c0 to %c16 step %c1 {\n"
              "    %x = memref.load %a[%id, %j] : memref<10000x16xf32>\n"
              "    memref.store %x, %b[%i, %j] : memref<100x16xf32>\n"
              "  }\n}\n";
    std::vector<NestNode> nest;
    EXPECT_TRUE(of("%ids: memref<100xindex>, %a: memref<10000x16xf32>, %b: "
                   "memref<100x16xf32>",
                   body, simpleDevice(), {.programBytes = 1 << 24}, &nest));
    double bytes = 0;
    for (const NestNode &node : nest)
      if (node.depth == 0)
        bytes += node.bytes[1];
    return bytes;
  };
  EXPECT_NEAR(bytesOf(2) - bytesOf(1), 100 * 64, 100 * 16);
}

TEST_F(KernelTime, ACheckOfDataDividesNoLoop) {
  // A scatter: an index from memory is inside its bounds, and so is each column.
  std::vector<NestNode> nest;
  std::optional<Time> time =
      of("%ids: memref<1000xi32>, %a: memref<1000x48xf32>",
         "%n = arith.constant 1000 : index\n%m = arith.constant 48 : index\n"
         "scf.for %i = %c0 to %n step %c1 {\n"
         "  %id = memref.load %ids[%i] : memref<1000xi32>\n"
         "  %row = arith.index_cast %id : i32 to index\n"
         "  scf.for %j = %c0 to %m step %c1 {\n"
         "    %isRow = arith.cmpi ult, %row, %n : index\n"
         "    %isColumn = arith.cmpi ult, %j, %m : index\n"
         "    %is = arith.andi %isColumn, %isRow : i1\n"
         "    scf.if %is {\n"
         "      %x = memref.load %a[%row, %j] : memref<1000x48xf32>\n"
         "      %y = arith.addf %x, %x : f32\n"
         "      memref.store %y, %a[%row, %j] : memref<1000x48xf32>\n"
         "    }\n  }\n}",
         simpleDevice(), {}, &nest);
  ASSERT_TRUE(time);
  size_t loops = llvm::count_if(nest, [](auto &node) { return node.isLoop; });
  EXPECT_EQ(loops, 2u);
  // Three vectors in each row, with a load and a store.
  EXPECT_LT(time->total(), 1000 * 30);
}

TEST_F(KernelTime, ShortMaximaWaitForTheirLastElements) {
  // Rows of three vectors, and of three vectors and five elements.
  auto timeOf = [&](const std::string &columns) {
    std::string type = "memref<1000x" + columns + "xf32>";
    std::optional<Time> time =
        of("%a: " + type + ", %b: memref<1000xf32>",
           "%n = arith.constant 1000 : index\n%m = arith.constant " + columns +
               " : index\n%f = arith.constant 0.0 : f32\n"
               "scf.for %i = %c0 to %n step %c1 {\n"
               "  %s = scf.for %j = %c0 to %m step %c1 iter_args(%t = %f) -> "
               "f32 {\n"
               "    %x = memref.load %a[%i, %j] : " +
               type +
               "\n    %y = arith.maximumf %t, %x : f32\n"
               "    scf.yield %y : f32\n  }\n"
               "  memref.store %s, %b[%i] : memref<1000xf32>\n}");
    EXPECT_TRUE(time);
    return time ? time->total() / 1000 : 0;
  };
  // Each takes 9.5 cycles.
  EXPECT_NEAR(timeOf("53") - timeOf("48"), 5 * 9.5, 10);
}

TEST_F(KernelTime, AMaskedLoopIsWholeVectors) {
  // 23 functions of half a nanosecond: two vectors of sixteen under the mask. Without
  // it, a vector, and seven that are not vectors.
  auto arithmetic = [&](const std::string &attributes) {
    std::optional<Time> time =
        of("%a: memref<1000x23xf32>, %b: memref<1000x23xf32>",
           "%n = arith.constant 1000 : index\n%m = arith.constant 23 : index\n"
           "scf.for %i = %c0 to %n step %c1 {\n"
           "  scf.for %j = %c0 to %m step %c1 {\n"
           "    %x = memref.load %a[%i, %j] : memref<1000x23xf32>\n"
           "    %y = math.exp %x : f32\n"
           "    memref.store %y, %b[%i, %j] : memref<1000x23xf32>\n"
           "  }" +
               attributes + "\n}");
    EXPECT_TRUE(time);
    return time ? time->arithmetic : 0;
  };
  EXPECT_NEAR(arithmetic("{loop_annotation = #llvm.loop_annotation<vectorize = "
                         "<predicateEnable = true>>}"),
              16000, 1);
  EXPECT_GT(arithmetic(""), 20000);
}

TEST_F(KernelTime, ViewsOfTilesHaveExtents) {
  // Tiles of four rows of seventeen, which are one line of elements each.
  std::optional<Time> time =
      of("%a: memref<17x100xf32>",
         "%n = arith.constant 17 : index\n%c4 = arith.constant 4 : index\n"
         "scf.for %i = %c0 to %n step %c4 {\n"
         "  %rows = affine.min affine_map<(d0) -> (-d0 + 17, 4)>(%i)\n"
         "  %tile = memref.subview %a[%i, 0] [%rows, 100] [1, 1] : "
         "memref<17x100xf32> to memref<?x100xf32, strided<[100, 1], offset: "
         "?>>\n"
         "  %line = memref.collapse_shape %tile [[0, 1]] : memref<?x100xf32, "
         "strided<[100, 1], offset: ?>> into memref<?xf32, strided<[1], "
         "offset: ?>>\n"
         "  %m = memref.dim %line, %c0 : memref<?xf32, strided<[1], offset: "
         "?>>\n"
         "  scf.for %j = %c0 to %m step %c1 {\n"
         "    %x = memref.load %line[%j] : memref<?xf32, strided<[1], offset: "
         "?>>\n"
         "    %y = math.exp %x : f32\n"
         "    memref.store %y, %line[%j] : memref<?xf32, strided<[1], offset: "
         "?>>\n"
         "  }\n}");
  ASSERT_TRUE(time);
  EXPECT_NEAR(time->arithmetic, 17 * 100 / 2.0, 60); // two a nanosecond
}

TEST_F(KernelTime, AMergeWaitsForWhatItReads) {
  std::optional<Time> time =
      of("%a: memref<2000xf32>, %b: memref<1xindex>", kMerge);
  ASSERT_TRUE(time);
  // A load, a comparison, half of a wrong guess, and three short operations.
  EXPECT_NEAR(time->total() / 1000, 5 + 3 + 10 + 3, 5);
}

TEST_F(KernelTime, SumsWaitForEachOther) {
  std::string body =
      "%n = arith.constant 1000 : index\n%z = arith.constant 0.0 : f32\n"
      "%s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %z) -> f32 {\n"
      "  %x = memref.load %a[%i] : memref<1000xf32>\n"
      "  %u = arith.addf %t, %x : f32\n  scf.yield %u : f32\n}\n"
      "memref.store %s, %a[%c0] : memref<1000xf32>";
  std::optional<Time> time = of("%a: memref<1000xf32>", body);
  ASSERT_TRUE(time);
  EXPECT_NEAR(time->total(), 3000, 400); // three cycles each
}

/// 4,096 vectors are added to one, which is given zeros before each of them, or once.
std::string sumsOfVectors(bool beginAnew) {
  std::string begin = "scf.for %k = %c0 to %c16 step %c1 {\n"
                      "  memref.store %zero, %s[%k] : memref<16xf32>\n}\n";
  return "%n = arith.constant 4096 : index\n%zero = arith.constant 0.0 : f32\n"
         "%s = memref.alloca() : memref<16xf32>\n" +
         (beginAnew ? "" : begin) + "scf.for %i = %c0 to %n step %c1 {\n" +
         (beginAnew ? begin : "") +
         "  scf.for %k = %c0 to %c16 step %c1 {\n"
         "    %x = memref.load %a[%k] : memref<16xf32>\n"
         "    %y = memref.load %s[%k] : memref<16xf32>\n"
         "    %z = arith.addf %x, %y : f32\n"
         "    memref.store %z, %s[%k] : memref<16xf32>\n  }\n}";
}

TEST_F(KernelTime, SumsThatBeginAnewDoNotWaitForTheOneBefore) {
  std::optional<Time> one = of("%a: memref<16xf32>", sumsOfVectors(false)),
                      each = of("%a: memref<16xf32>", sumsOfVectors(true));
  ASSERT_TRUE(one && each);
  EXPECT_GT(one->total(), 4096 * 3); // three cycles each
  EXPECT_LT(each->accesses, one->accesses / 2);
}

/// A row of 16 elements that a number says: of the quotient and the rest by 12, or of
/// two rests.
std::string numbered(const std::string &other) {
  return "%n = arith.constant 4096 : index\n"
         "%c12 = arith.constant 12 : index\n%c13 = arith.constant 13 : index\n"
         "scf.for %i = %c0 to %n step %c1 {\n"
         "  %r = arith.remui %i, %c12 : index\n"
         "  %q = arith." +
         other +
         " : index\n"
         "  scf.for %k = %c0 to %c16 step %c1 {\n"
         "    %x = memref.load %a[%q, %r, %k] : memref<400x13x16xf32>\n"
         "    %y = math.exp %x : f32\n"
         "    memref.store %y, %b[%k] : memref<16xf32>\n  }\n}";
}

TEST_F(KernelTime, ARestTakesTheQuotientThatIsThere) {
  Device device = simpleDevice();
  device.core.scalarsPerCycle = 0.1; // numbers take longest
  std::string buffers = "%a: memref<400x13x16xf32>, %b: memref<16xf32>";
  std::optional<Time> both = of(buffers, numbered("divui %i, %c12"), device),
                      rests = of(buffers, numbered("remui %i, %c13"), device);
  ASSERT_TRUE(both && rests);
  // 4 + 2 slots, and twice 6.
  EXPECT_NEAR(rests->total() / both->total(), 2, 0.1);
}

TEST_F(KernelTime, NumbersAreComputedBesideAVector) {
  Device device = simpleDevice();
  device.core.scalarsPerCycle = 1; // six cycles, and sixteen of exp
  std::optional<Time> time = of("%a: memref<400x13x16xf32>, %b: memref<16xf32>",
                                numbered("divui %i, %c12"), device);
  ASSERT_TRUE(time);
  EXPECT_LT(time->accesses, 4096 * 4);
}

TEST_F(KernelTime, OnesOwnMemoryIsPacking) {
  std::string body =
      "%p = memref.alloc() : memref<4096xf32>\n"
      "%n = arith.constant 4096 : index\n"
      "scf.for %i = %c0 to %n step %c16 {\n"
      "  %x = vector.load %a[%i] : memref<4096xf32>, vector<16xf32>\n"
      "  vector.store %x, %p[%i] : memref<4096xf32>, vector<16xf32>\n}";
  std::optional<Time> time = of("%a: memref<4096xf32>", body);
  ASSERT_TRUE(time);
  EXPECT_GT(time->packing, 0);
  EXPECT_EQ(time->accesses, 0);
}

TEST_F(KernelTime, BoundsThatDependOnDataAreNotKnown) {
  EXPECT_FALSE(of("%a: memref<10xindex>",
                  "%n = memref.load %a[%c0] : memref<10xindex>\n"
                  "scf.for %i = %c0 to %n step %c1 {\n"
                  "  memref.store %i, %a[%c0] : memref<10xindex>\n}"));
}

TEST_F(KernelTime, ThreadsShareTheParts) {
  std::string body = "%n = arith.constant 3 : index\n"
                     "%m = arith.constant 10000 : index\n"
                     "scf.for %i = %c0 to %n step %c1 {\n"
                     "  scf.for %j = %c0 to %m step %c1 {\n"
                     "    %x = memref.load %a[%i, %j] : memref<3x10000xf32>\n"
                     "    %y = math.exp %x : f32\n"
                     "    memref.store %y, %a[%i, %j] : memref<3x10000xf32>\n"
                     "  }\n} {mercator.parallel}";
  Device device = simpleDevice();
  device.startMicroseconds = 2;
  device.meetMicroseconds = 1;
  std::string buffer = "%a: memref<3x10000xf32>";
  std::optional<Time> one = of(buffer, body, device),
                      two = of(buffer, body, device, {.threads = 2});
  ASSERT_TRUE(one && two);
  // One of two threads has two parts, and the other one waits.
  EXPECT_NEAR(two->arithmetic, one->arithmetic / 2, 1);
  EXPECT_NEAR(two->total() - two->starting,
              (one->total() - one->starting) * 2 / 3, 100);
  EXPECT_NEAR(two->starting - one->starting, 3000, 1);
}

TEST_F(KernelTime, TheNestHasAllOfTheTime) {
  // Four times over a buffer that L1 does not hold, and L2 does.
  std::string body = "%n = arith.constant 4 : index\n"
                     "%m = arith.constant 32768 : index\n"
                     "scf.for %i = %c0 to %n step %c1 {\n"
                     "  scf.for %j = %c0 to %m step %c1 {\n"
                     "    %x = memref.load %a[%j] : memref<32768xf32>\n"
                     "    %y = math.exp %x : f32\n"
                     "    memref.store %y, %b[%i] : memref<4xf32>\n"
                     "  }\n}\n"
                     "scf.for %i = %c0 to %n step %c1 {\n"
                     "  memref.store %i, %c[%i] : memref<4xindex>\n}";
  std::vector<NestNode> nest;
  std::optional<Time> time =
      of("%a: memref<32768xf32>, %b: memref<4xf32>, %c: memref<4xindex>", body,
         simpleDevice(), {.programBytes = 1 << 24}, &nest);
  ASSERT_TRUE(time);
  std::string shape;
  double top = 0;
  for (const NestNode &node : nest) {
    shape += std::to_string(node.depth) +
             (node.isLoop ? " x" + std::to_string(int(node.iterations)) : "") +
             "\n";
    if (node.depth == 0)
      top += node.time.total();
  }
  EXPECT_EQ(shape, "0 x4\n1 x32768\n2\n0 x4\n1\n");
  EXPECT_NEAR(top, time->total() - time->starting, 1e-6);
  // 128 KiB come to L1 each time, and to L2 once.
  EXPECT_NEAR(nest[0].bytes[0], 4 * (128 << 10), 1000);
  EXPECT_NEAR(nest[0].bytes[1], 128 << 10, 1000);
  EXPECT_EQ(outerNodes(nest, 4).size(), 4u);
  EXPECT_EQ(outerNodes(nest, 1).size(), 2u);
}

TEST_F(KernelTime, AFasterDeviceIsNeverSlower) {
  uint64_t seed = testSeed();
  SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  std::string buffers = "%a: memref<1000xf32>, %b: memref<1000x1000xf32>";
  for (int64_t i = 0; i < cases(50); ++i) {
    Device device = simpleDevice();
    for (Device::Cache &cache : device.caches)
      cache.coreGigabytesPerSecond = double(1 + random() % 100);
    device.functions[0].gigaPerSecond = double(1 + random() % 10);
    device.coreGigabytesPerSecond = double(1 + random() % 30);
    std::optional<Time> before = of(buffers, triangle(false), device);
    double *faster[] = {&device.caches[0].coreGigabytesPerSecond,
                        &device.caches[1].coreGigabytesPerSecond,
                        &device.functions[0].gigaPerSecond,
                        &device.coreGigabytesPerSecond,
                        &device.multiplyAdds[0].gigaflopsPerSecond};
    *faster[random() % std::size(faster)] *= 1.5;
    std::optional<Time> after = of(buffers, triangle(false), device);
    ASSERT_TRUE(before && after);
    EXPECT_LE(after->total(), before->total() * (1 + 1e-9));
  }
}

TEST(TimeText, CausesByTheirSize) {
  Time time{.multiplyAdds = 1.0e6, .packing = 0.2e6, .starting = 10};
  EXPECT_EQ(spell(time), "1.2 ms predicted: multiply-adds 1.0, packing 0.2");
  EXPECT_EQ(spell(Time{.arithmetic = 14, .memory = 20}),
            "34 ns predicted: memory 20, arithmetic 14");
  EXPECT_EQ(spellNanoseconds(0), "0.0 ns");
  EXPECT_EQ(time.scaled(2).total(), 2 * time.total());
}

} // namespace
