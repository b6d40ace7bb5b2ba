// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/support/Index.h"

#include "gtest/gtest.h"

#include <vector>

using namespace mercator;

static std::vector<std::vector<int64_t>>
indicesOf(llvm::ArrayRef<int64_t> shape) {
  std::vector<std::vector<int64_t>> all;
  for (Index d(shape); d; ++d)
    all.emplace_back((*d).begin(), (*d).end());
  return all;
}

using Indices = std::vector<std::vector<int64_t>>;

TEST(Index, RunsInRowMajorOrder) {
  EXPECT_EQ(indicesOf({2, 3}),
            (Indices{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
}

TEST(Index, AScalarHasOneIndex) { EXPECT_EQ(indicesOf({}), Indices{{}}); }

TEST(Index, AnEmptyShapeHasNoIndex) {
  EXPECT_EQ(indicesOf({0}), Indices());
  EXPECT_EQ(indicesOf({2, 0, 3}), Indices());
}
