// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seed of every random test. `make test` always draws the same cases, so
// that one commit has one verdict; MERCATOR_SEED=N draws those of N, as a
// failure prints it, and MERCATOR_SEED=random draws new ones.

#ifndef MERCATOR_TESTS_SEED_H
#define MERCATOR_TESTS_SEED_H

#include "llvm/ADT/StringRef.h"

#include <cstdlib>
#include <optional>
#include <random>

namespace mercator {

/// The seed that the environment names, if it names one.
inline std::optional<uint64_t> givenSeed() {
  const char *text = std::getenv("MERCATOR_SEED");
  uint64_t seed;
  if (!text || llvm::StringRef(text).getAsInteger(10, seed))
    return std::nullopt;
  return seed;
}

inline uint64_t testSeed() {
  static const uint64_t seed = [] {
    if (std::optional<uint64_t> given = givenSeed())
      return *given;
    const char *text = std::getenv("MERCATOR_SEED");
    bool fresh = text && llvm::StringRef(text) == "random";
    return fresh ? uint64_t(std::random_device{}()) : 20261121;
  }();
  return seed;
}

} // namespace mercator

#endif // MERCATOR_TESTS_SEED_H
