// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The extents of results against loops that count, and against examples of the
/// specification.

#include "mercator/dialects/stablehlo/ResultExtents.h"

#include "llvm/ADT/SmallVector.h"
#include "gtest/gtest.h"

using namespace mercator::stablehlo;
using llvm::succeeded;

/// The places of a window by trying each start.
static int64_t countPlaces(int64_t n, const WindowSpec &w) {
  int64_t base = (n == 0 ? 0 : (n - 1) * w.baseDilation + 1) + w.low + w.high;
  int64_t length = w.size == 0 ? 0 : (w.size - 1) * w.windowDilation + 1;
  int64_t places = 0;
  for (int64_t start = 0; base > 0 && start + length <= base; start += w.stride)
    ++places;
  return places;
}

TEST(ResultExtents, WindowsHaveAsManyPlacesAsFit) {
  for (int64_t n = 0; n < 5; ++n)
    for (int64_t size = 1; size < 4; ++size)
      for (int64_t stride = 1; stride < 4; ++stride)
        for (int64_t low = -2; low < 3; ++low)
          for (int64_t base = 1; base < 3; ++base)
            for (int64_t dilation = 1; dilation < 3; ++dilation) {
              WindowSpec window{size, stride, low, 1, base, dilation};
              auto places = windowPlaces(Extent::of(n), window);
              ASSERT_TRUE(succeeded(places));
              EXPECT_EQ(places->size, countPlaces(n, window));
            }
}

TEST(ResultExtents, BoundsStayBounds) {
  EXPECT_EQ(*windowPlaces(Extent::atMost(8), {.size = 3}), Extent::atMost(6));
  EXPECT_EQ(*windowPlaces(Extent(), {.size = 3}), Extent());
  EXPECT_EQ(*padded(Extent::atMost(3), 1, 1, 2), Extent::atMost(9));
  EXPECT_EQ(*transposed({Extent::atMost(8), Extent::of(3)}, {1, 0}),
            (Extents{Extent::of(3), Extent::atMost(8)}));
}

TEST(ResultExtents, SlicesAndPaddingCountElements) {
  for (int64_t limit = 0; limit < 9; ++limit)
    for (int64_t stride = 1; stride < 5; ++stride) {
      int64_t count = 0;
      for (int64_t i = 0; i < limit; i += stride)
        ++count;
      EXPECT_EQ(sliced(0, limit, stride), count);
    }
  EXPECT_EQ(*padded(Extent::of(3), 1, -1, 2), Extent::of(7));
  EXPECT_EQ(*padded(Extent::of(0), 1, 1, 2), Extent::of(2));
  EXPECT_FALSE(succeeded(padded(Extent::of(2), -3, 0, 0)));
  EXPECT_FALSE(succeeded(padded(Extent::of(INT64_MAX), 1, 0, 0)));
}

// The examples of the specification: gather, dot_general, convolution.
TEST(ResultExtents, AsTheSpecificationHasThem) {
  EXPECT_EQ(*gathered(known({2, 2, 3, 2}), known({1, 1, 2, 2}),
                      {{3, 4}, {1}, {0}, 3}),
            known({2, 2, 3, 2, 2}));
  EXPECT_EQ(
      contracted(known({2, 2, 2}), known({2, 2, 2}), {{0}, {0}, {2}, {1}}),
      known({2, 2, 2}));
  EXPECT_EQ(
      convolved(Extent::of(1), Extent::of(1), known({2, 2}), {0, 3, {1, 2}, 1}),
      known({1, 2, 2, 1}));
}

TEST(ResultExtents, RefusesDimensionsOutOfRange) {
  EXPECT_FALSE(succeeded(transposed(known({2, 3}), {0, 2})));
  EXPECT_FALSE(succeeded(merged(known({2}), known({3}), {2})));
  EXPECT_FALSE(succeeded(merged(known({2}), known({3, 4}), {1})));
  EXPECT_FALSE(succeeded(concatenated({known({2}), known({2, 3})}, 0)));
  EXPECT_EQ(*concatenated({known({2, 3}), known({2, 4})}, 1), known({2, 7}));
}
