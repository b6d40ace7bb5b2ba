// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of CompiledExprs, compiled for several instruction sets.

#include "mercator/indexing/evaluate/CompiledStep.h"
#include "mercator/indexing/expr/CheckedArithmetic.h"

#include <cstring>

// Only these loops profit from wide registers. They are compiled once for each
// instruction set, and the choice is made at run time, once.
#if defined(__clang__) && defined(__x86_64__)
#define MERCATOR_KERNELS_BY_PROCESSOR 1
#endif

namespace mercator::indexing {

namespace {
namespace baseline {
#include "mercator/indexing/evaluate/Kernels.inc"
} // namespace baseline

#ifdef MERCATOR_KERNELS_BY_PROCESSOR
#pragma clang attribute push(__attribute__((target("avx2,bmi2"))),             \
                             apply_to = function)
namespace avx2 {
#include "mercator/indexing/evaluate/Kernels.inc"
} // namespace avx2
#pragma clang attribute pop
#pragma clang attribute push(                                                  \
    __attribute__((                                                            \
        target("avx2,bmi2,avx512f,avx512dq,avx512vl,prefer-256-bit"))),        \
    apply_to = function)
namespace avx512 {
#include "mercator/indexing/evaluate/Kernels.inc"
} // namespace avx512
#pragma clang attribute pop
#endif

struct Kernels {
  decltype(&baseline::run) run = baseline::run;
  decltype(&baseline::within) within = baseline::within;
};

const Kernels &kernels() {
  static const Kernels chosen = [] {
    Kernels k;
#ifdef MERCATOR_KERNELS_BY_PROCESSOR
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
      k = {avx512::run, avx512::within};
    else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
      k = {avx2::run, avx2::within};
#endif
    return k;
  }();
  return chosen;
}
} // namespace

void runSteps(const CompiledStep *steps, size_t numSteps,
              int64_t *const *columns, size_t n) {
  kernels().run(steps, numSteps, columns, n);
}

bool areWithin(const int64_t *x, size_t n, int64_t lower, int64_t upper) {
  if ((static_cast<uint64_t>(upper) - static_cast<uint64_t>(lower)) >> 63) {
    for (size_t i = 0; i < n; ++i)
      if (x[i] < lower || x[i] > upper)
        return false;
    return true;
  }
  return kernels().within(x, n, lower, upper);
}

} // namespace mercator::indexing
