// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many random cases a test draws.
//
//   for (int i = 0; i < cases(20'000); ++i)     20,000; 2,000 under sanitizers
//
// Sanitizers make a test five to ten times slower, and find what they look for
// in a tenth of the cases. The full number runs in the optimized build, and
// `make soak` draws many more.

#ifndef MERCATOR_TESTS_SCALE_H
#define MERCATOR_TESTS_SCALE_H

namespace mercator {

#if __has_feature(address_sanitizer)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif

/// `full` in an optimized build, a tenth of it under sanitizers, at least 1.
constexpr int cases(int full) { return kIsSanitized ? (full + 9) / 10 : full; }

} // namespace mercator

#endif // MERCATOR_TESTS_SCALE_H
