// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes for tables that compare their entries on a hit.
//
// Internal to the room: included by its .cpp files only.

#ifndef MERCATOR_INDEXING_EXPR_HASH_H
#define MERCATOR_INDEXING_EXPR_HASH_H

#include <cstdint>

namespace mercator::indexing {

/// One step of a hash.
inline uint64_t mix(uint64_t h, uint64_t x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15ull;
  return h ^ (h >> 29);
}

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_EXPR_HASH_H
