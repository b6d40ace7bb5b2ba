// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/Calls.h"

#include <cstring>

#define ONE(name) {#name, name},
#define ALL(name)                                                              \
  ONE(name##_f32) ONE(name##_f64) ONE(name##_c64) ONE(name##_c128)

static const struct {
  const char *name;
  mercator_call *function;
} functions[] = {
    // clang-format off
    ONE(mercator_fft_c64) ONE(mercator_fft_c128)
    ONE(mercator_ifft_c64) ONE(mercator_ifft_c128)
    ONE(mercator_rfft_f32) ONE(mercator_rfft_f64)
    ONE(mercator_irfft_c64) ONE(mercator_irfft_c128)
    ALL(mercator_cholesky)
    ALL(mercator_gees)
    ALL(mercator_geev)
    ALL(mercator_gehrd)
    ALL(mercator_geqp3)
    ALL(mercator_geqrf)
    ALL(mercator_gesdd)
    ALL(mercator_gesvd)
    ALL(mercator_getrf)
    ALL(mercator_gtsv)
    ALL(mercator_orgqr)
    ALL(mercator_potrf)
    ALL(mercator_syevd)
    ALL(mercator_sytrd)
    ALL(mercator_trsm)
    ONE(mercator_random_bits_i64)
    // clang-format on
};

extern "C" mercator_call *mercator_find_call(const char *name) {
  for (const auto &known : functions)
    if (std::strcmp(known.name, name) == 0)
      return known.function;
  return nullptr;
}
