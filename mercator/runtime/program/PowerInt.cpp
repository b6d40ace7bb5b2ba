// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/Abi.h"

int64_t mercator_power_int(int64_t base, int64_t exponent) {
  if (exponent < 0) {
    if (base == -1)
      return exponent % 2 != 0 ? -1 : 1;
    return base == 1 ? 1 : 0;
  }
  uint64_t power = 1;
  for (auto square = uint64_t(base); exponent != 0; exponent >>= 1) {
    if (exponent & 1)
      power *= square;
    square *= square;
  }
  return int64_t(power);
}
