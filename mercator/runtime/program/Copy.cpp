// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/Abi.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {
struct CopyJob {
  std::byte *to;
  const std::byte *from;
  int64_t bytes;
  bool streams;
};

constexpr int64_t kPart = int64_t(1) << 20; // long enough to start a thread for

/// The C library also streams, but from a size on that depends on the whole last
/// cache, which a virtual machine reports even if it has a small part of it.
void copyPastCaches(std::byte *to, const std::byte *from, int64_t bytes) {
#if defined(__x86_64__)
  constexpr int64_t kLine = 64, kVector = 16;
  int64_t head = std::min(bytes, int64_t(-uintptr_t(to) % kLine));
  std::memcpy(to, from, size_t(head));
  int64_t i = head;
  for (; i + kLine <= bytes; i += kLine)
    for (int64_t j = i; j < i + kLine; j += kVector)
      _mm_stream_si128(
          reinterpret_cast<__m128i *>(to + j),
          _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + j)));
  std::memcpy(to + i, from + i, size_t(bytes - i));
  _mm_sfence(); // before other threads see that the part is done
#else
  std::memcpy(to, from, size_t(bytes));
#endif
}

void copyPart(int64_t number, int64_t /*worker*/, void *data) {
  const CopyJob &job = *static_cast<const CopyJob *>(data);
  int64_t begin = number * kPart, bytes = std::min(kPart, job.bytes - begin);
  if (job.streams)
    copyPastCaches(job.to + begin, job.from + begin, bytes);
  else
    std::memcpy(job.to + begin, job.from + begin, size_t(bytes));
}
} // namespace

void mercator_copy(void *to, const void *from, int64_t bytes, int32_t streams) {
  CopyJob job{static_cast<std::byte *>(to),
              static_cast<const std::byte *>(from), bytes, streams != 0};
  if (to != from)
    mercator_parallel((bytes + kPart - 1) / kPart, copyPart, &job);
}
