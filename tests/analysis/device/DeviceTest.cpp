// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/device/Device.h"
#include "mercator/analysis/device/Memory.h"

#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

using namespace mercator;

TEST(Device, IsFoundByTargetAndName) {
  EXPECT_EQ(findDevice("cpu", "aarch64"), &devices::aarch64);
  EXPECT_EQ(findDevice("ascend", "910b"), &devices::ascend910b);
  EXPECT_EQ(findDevice("ascend", "any"), &devices::ascendAny);
  EXPECT_EQ(findDevice("ascend", "aarch64"), nullptr);
  EXPECT_EQ(findDevice("cpu", ""), nullptr);
}

// A pass takes the first tile whose feature it has.
TEST(Device, TileWithoutFeatureComesAfterThoseWithFeatures) {
  bool sawPlain = false;
  for (const MatmulTile &tile : devices::aarch64.matmulTiles)
    if (tile.lhs == "i8") {
      EXPECT_FALSE(sawPlain && !tile.feature.empty());
      sawPlain |= tile.feature.empty();
    }
  EXPECT_TRUE(sawPlain);
}

TEST(Device, TilesNeedOnlyFeaturesOfTheDevice) {
  for (const MatmulTile &tile : devices::aarch64.matmulTiles)
    EXPECT_TRUE(tile.feature.empty() ||
                llvm::is_contained(devices::aarch64.features, tile.feature))
        << tile.feature.str();
}

TEST(Device, CoresSayWhatTheySupport) {
  EXPECT_EQ(whyNotOnCore(devices::ascend910b, "ClipByValue", "int8"),
            "ClipByValue of int8 is not supported by the cores of the 910B "
            "(they support float32, float16, int32, int64, bfloat16)");
  EXPECT_EQ(whyNotOnCore(devices::ascend910b, "LeftShift", "int32"),
            "LeftShift is not supported by the cores of the 910B");
  EXPECT_EQ(whyNotOnCore(devices::ascend910b, "BitwiseAnd", "uint64"),
            "BitwiseAnd of uint64 is not supported by the cores of the 910B "
            "(they support int32, int16, uint16, int64)");
  EXPECT_EQ(whyNotOnCore(devices::ascend910b, "Slice", "complex64"),
            "Slice of complex64 is not supported by the cores of the 910B "
            "(they support float32, float16, int8, int32, uint8, int16, "
            "uint16, uint32, int64, uint64, bool, bfloat16)");
  for (llvm::StringRef type : {"float32", "float16", "int32"})
    EXPECT_EQ(whyNotOnCore(devices::ascend910b, "TensorScatterAdd", type), "");
  EXPECT_EQ(whyNotOnCore(devices::ascend910b, "Minimum", "int32"), "");
}

TEST(Device, NothingIsRefusedWhereNothingIsKnown) {
  // No row: the public sources have no list.
  EXPECT_EQ(whyNotOnCore(devices::ascend910b, "Sort", "int8"), "");
  EXPECT_EQ(whyNotOnCore(devices::ascendAny, "ClipByValue", "int8"), "");
}

TEST(MemorySystem, JsonRoundTrips) {
  for (const std::string &name : memorySystemNames()) {
    MemorySystem system = llvm::cantFail(findMemorySystem(name));
    std::string text = toJson(system);
    EXPECT_EQ(toJson(llvm::cantFail(parseMemorySystem(text))), text);
  }
}

// The rates of the nearest CPU, for the cores and lanes of this one.
TEST(MemorySystem, TheHostHasCachesAndRates) {
  MemorySystem host = llvm::cantFail(findMemorySystem("host"));
  EXPECT_FALSE(host.isGpu());
  EXPECT_FALSE(host.caches.empty());
  EXPECT_GE(host.cores, 1);
  EXPECT_GT(host.gigabytesPerSecond, 0);
  EXPECT_GT(host.gigaflopsPerSecond, 0);
  EXPECT_TRUE(llvm::cantFail(findMemorySystem("h100")).isGpu());
}
