// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Numbers as people read them.
///
/// ```cpp
/// assert(mercator::shortNumber(1024) == "1024");
/// assert(mercator::shortNumber(1.777777) == "1.78");
/// assert(mercator::bytesText(40960) == "40 KiB");
/// ```

#ifndef MERCATOR_SUPPORT_NUMBERS_H
#define MERCATOR_SUPPORT_NUMBERS_H

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstdint>
#include <string>

namespace mercator {

/// With three digits; whole numbers and those from 1000 to 10^6 without a
/// fraction.
[[nodiscard]] inline std::string shortNumber(double x) {
  std::string text;
  bool isWhole =
      std::abs(x) <= 1e6 && (x == std::floor(x) || std::abs(x) >= 1000);
  llvm::raw_string_ostream(text) << llvm::format(isWhole ? "%.0f" : "%.3g", x);
  return text;
}

/// `4096 B`, `40 KiB`, `12.5 MiB`: the largest unit that leaves at least 10.
[[nodiscard]] inline std::string bytesText(int64_t bytes) {
  if (bytes < 10 * 1024)
    return std::to_string(bytes) + " B";
  double value = double(bytes) / 1024;
  const char *unit = " KiB";
  for (const char *next : {" MiB", " GiB", " TiB", " PiB"}) {
    if (value < 10 * 1024)
      break;
    value /= 1024;
    unit = next;
  }
  return shortNumber(value) + unit;
}

} // namespace mercator

#endif // MERCATOR_SUPPORT_NUMBERS_H
