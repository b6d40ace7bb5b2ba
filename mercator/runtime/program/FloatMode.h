// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The control word of a thread's floating-point unit: rounding, traps, and what
/// becomes of subnormal numbers.
///
///   uint64_t before = floatMode();
///   setFloatMode(floatModeOf(/*flushes=*/true));
///   ..
///   setFloatMode(before);
///
/// *Flushing*: an operation takes a subnormal operand for zero and gives zero in
/// place of a subnormal result, with the sign of the number. Operations on f16 do
/// not flush.

#ifndef MERCATOR_RUNTIME_PROGRAM_FLOATMODE_H
#define MERCATOR_RUNTIME_PROGRAM_FLOATMODE_H

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace mercator {

inline uint64_t floatMode() {
#if defined(__x86_64__)
  return _mm_getcsr();
#elif defined(__aarch64__)
  uint64_t word;
  __asm__ volatile("mrs %0, fpcr" : "=r"(word));
  return word;
#else
  return 0;
#endif
}

inline void setFloatMode(uint64_t word) {
#if defined(__x86_64__)
  _mm_setcsr(uint32_t(word));
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(word));
#else
  (void)word;
#endif
}

/// Rounding to nearest, no traps.
constexpr uint64_t floatModeOf(bool flushes) {
#if defined(__x86_64__)
  return 0x1f80 | (flushes ? 0x8040 : 0); // FTZ and DAZ
#elif defined(__aarch64__)
  return flushes ? uint64_t(1) << 24 : 0; // FZ
#else
  return flushes ? 0 : 0;
#endif
}

} // namespace mercator

#endif // MERCATOR_RUNTIME_PROGRAM_FLOATMODE_H
