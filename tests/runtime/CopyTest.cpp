// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies in several threads, of all alignments, and nothing beside them.

#include "mercator/runtime/Abi.h"

#include "gtest/gtest.h"

#include <numeric>
#include <vector>

TEST(Copy, CopiesAllBytesAndNoOthers) {
  constexpr size_t kMost = (size_t(2) << 20) + 200, kAround = 64;
  std::vector<unsigned char> from(kMost);
  for (size_t i = 0; i < from.size(); ++i)
    from[i] = (unsigned char)(i * 7 + i / 256 + 1);
  mercator_set_threads(2);
  for (size_t bytes : {size_t(0), size_t(1), size_t(63), size_t(64), size_t(65),
                       size_t(200), size_t(1) << 20, kMost - 64})
    for (size_t begin : {0, 1, 16, 63})
      for (int32_t streams : {0, 1}) {
        std::vector<unsigned char> to(bytes + 2 * kAround, 0xee), wanted = to;
        std::copy_n(from.begin() + long(begin / 2), bytes,
                    wanted.begin() + long(begin));
        mercator_copy(to.data() + begin, from.data() + begin / 2,
                      int64_t(bytes), streams);
        EXPECT_EQ(to, wanted) << bytes << " bytes from " << begin;
      }
}

TEST(Copy, OfARangeToItselfDoesNothing) {
  std::vector<int> range(3 << 18);
  std::iota(range.begin(), range.end(), 0);
  std::vector<int> wanted = range;
  mercator_copy(range.data(), range.data(), int64_t(4 * range.size()), 1);
  EXPECT_EQ(range, wanted);
}
