// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/core/Perturbation.h"

#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace mercator::reference;

thread_local Perturbation *Perturbation::currentOne = nullptr;

Perturbation::Perturbation(Options options)
    : outer(currentOne), isRandom(options.seed.has_value()),
      takesForZero(options.flushes), state(options.seed.value_or(0)) {
  std::fegetenv(&before);
#if defined(__x86_64__)
  constexpr unsigned kFlushes = 0x8040; // FTZ and DAZ
  if (options.flushes)
    _mm_setcsr(_mm_getcsr() | kFlushes);
#endif
  currentOne = this;
  turn();
}

Perturbation::~Perturbation() {
  std::fesetenv(&before);
  currentOne = outer;
}

/// SplitMix64.
void Perturbation::turn() {
  if (!isRandom)
    return;
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  towards = ((z ^ (z >> 31)) & 1) != 0 ? 1 : -1;
  std::fesetround(towards > 0 ? FE_UPWARD : FE_DOWNWARD);
}

void Perturbation::wrote(double value) {
  double size = std::fabs(value);
  if (size > largestValue && std::isfinite(size))
    largestValue = size;
  turn();
}
