// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Any bytes give a graph or one diagnostic, and every graph can be written.

#include "tests/Seed.h"
#include "tests/targets/ascend/formats/Graphs.h"

#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::ascend;
using mlir::ModuleOp;
using mlir::OwningOpRef;

namespace {
class AirBroken : public ::testing::Test {
protected:
  void SetUp() override {
    bytes = graphs.airOf(kRows);
    ASSERT_NE(bytes, "") << graphs.messages;
  }
  ~AirBroken() override {
    std::printf("  %ld accepted, %ld refused\n", long(accepted), long(refused));
  }

  void read(llvm::StringRef broken) {
    OwningOpRef<ModuleOp> module = graphs.read(broken);
    EXPECT_EQ(!module, !graphs.messages.empty()) << graphs.messages;
    ++(module ? accepted : refused);
    if (!module)
      return;
    // A graph that was read is written, and reads back as the same.
    std::string printed = Graphs::print(*module);
    std::string again = graphs.air(*module);
    OwningOpRef<ModuleOp> same = graphs.read(again);
    ASSERT_TRUE(same) << graphs.messages << printed;
    EXPECT_EQ(Graphs::print(*same), printed);
    EXPECT_EQ(graphs.air(*same), again);
    EXPECT_NE(graphs.text(*module), "");
  }

  Graphs graphs;
  std::string bytes;
  int64_t accepted = 0, refused = 0;
};
} // namespace

TEST_F(AirBroken, EveryTruncation) {
  for (size_t size = 0; size < bytes.size() && !HasFailure(); ++size)
    read(llvm::StringRef(bytes).take_front(size));
  // Everything that a graph needs comes before its last byte.
  EXPECT_EQ(accepted, 0);
}

TEST_F(AirBroken, EveryByteChanged) {
  for (size_t i = 0; i < bytes.size() && !HasFailure(); ++i)
    for (int mask : {1 << i % 8, 0xff}) {
      SCOPED_TRACE("byte " + std::to_string(i) + ", " + std::to_string(mask));
      std::string broken = bytes;
      broken[i] = char(uint8_t(broken[i]) ^ mask);
      read(broken);
    }
  // Bytes of names and of GE's annotations may be arbitrary.
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 1000);
}

TEST_F(AirBroken, RandomBytes) {
  std::mt19937_64 random(testSeed());
  for (int i = 0; i < 5'000 && !HasFailure(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(testSeed()) + ", case " +
                 std::to_string(i));
    std::string broken = bytes;
    // Some bytes replaced, a piece duplicated or removed.
    for (uint64_t n = random() % 4; n; --n)
      broken[random() % broken.size()] = char(random());
    size_t at = random() % broken.size(),
           length = std::min<size_t>(random() % 64, broken.size() - at);
    if (random() % 2)
      broken.insert(at, broken.substr(random() % (at + 1), length));
    else if (random() % 2)
      broken.erase(at, length);
    read(broken);
  }
}
