// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/estimate/Reuse.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mercator;
using namespace mercator::cpu;

static int64_t commonBytes(const Touch &a, const Touch &b) {
  if (a.memory != b.memory)
    return 0;
  return std::max<int64_t>(0, std::min(a.first + a.bytes, b.first + b.bytes) -
                                  std::max(a.first, b.first));
}

namespace {
/// What was touched, the last one at the end; each byte once, but for parts.
class Recent {
public:
  /// The bytes down to those that half of the touch consists of.
  [[nodiscard]] double distanceOf(const Touch &touch) const {
    double sum = 0;
    int64_t covered = 0;
    for (const Touch &before : llvm::reverse(touches)) {
      sum += double(before.bytes);
      covered += commonBytes(before, touch);
      if (touch.memory >= 0 && 2 * covered >= touch.bytes)
        break;
    }
    return sum;
  }

  void add(const Touch &touch) {
    if (touch.memory >= 0)
      llvm::erase_if(touches, [&](const Touch &before) {
        return before.bytes > 0 && commonBytes(before, touch) == before.bytes;
      });
    touches.push_back(touch);
  }

private:
  std::vector<Touch> touches;
};
} // namespace

std::vector<std::vector<double>>
cpu::distancesOf(const std::vector<std::vector<Touch>> &steps) {
  Recent recent;
  for (const std::vector<Touch> &step : steps)
    for (const Touch &touch : step)
      recent.add(touch);
  std::vector<std::vector<double>> all;
  for (const std::vector<Touch> &step : steps) {
    std::vector<double> &own = all.emplace_back();
    for (const Touch &touch : step)
      own.push_back(recent.distanceOf(touch));
    for (const Touch &touch : step)
      recent.add(touch);
  }
  return all;
}
