// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/Check.h"
#include "mercator/runtime/Abi.h"

#include <gtest/gtest.h>

namespace {

TEST(Check, EndsTheProcessOutsideOfBuffers) {
  static char memory[64];
  mercator_unwatch_all();
  mercator_watch(memory + 16, 16);
  mercator_check(memory + 16, 16, "kernel");
  mercator_check(memory + 31, 1, "kernel");
  mercator_check(memory, 0, "kernel");
  EXPECT_EXIT(mercator_check(memory + 16, 17, "kernel"),
              testing::ExitedWithCode(70),
              "kernel accesses 17 bytes at byte 0 of a buffer of 16 bytes");
  EXPECT_EXIT(mercator_check(memory + 32, 1, "kernel"),
              testing::ExitedWithCode(70), "1 bytes at byte 16");
  EXPECT_EXIT(mercator_check(memory + 15, 1, "kernel"),
              testing::ExitedWithCode(70), "1 bytes before all buffers");
  mercator::setOwnIndices(true);
  EXPECT_EXIT(mercator_check(memory + 32, 1, "kernel"),
              testing::ExitedWithCode(1),
              "error: the program reads or writes outside of a tensor: kernel "
              "accesses 1 bytes at byte 16");
  mercator::setOwnIndices(false);
  mercator_unwatch(memory + 16);
  EXPECT_EXIT(mercator_check(memory + 16, 1, "kernel"),
              testing::ExitedWithCode(70), "before all buffers");
}

TEST(Check, ABufferReplacesThoseThatBeginInIt) {
  static char memory[64];
  mercator_unwatch_all();
  mercator_watch(memory + 16, 4); // the stack of a function that returned
  mercator_watch(memory, 64);
  mercator_check(memory + 16, 8, "kernel");
}

} // namespace
