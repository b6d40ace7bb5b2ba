// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/program/FloatMode.h"

#include "mercator/runtime/Abi.h"

uint64_t mercator_begin_floats(int32_t flushes) {
  uint64_t before = mercator::floatMode();
  mercator::setFloatMode(mercator::floatModeOf(flushes != 0));
  return before;
}

void mercator_end_floats(uint64_t before) { mercator::setFloatMode(before); }
