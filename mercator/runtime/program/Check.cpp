// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/Check.h"
#include "mercator/runtime/Abi.h"

#include <cstdio>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <unistd.h>

namespace {
/// The buffers of the running program, by their first bytes. None begins inside of
/// another one.
struct Buffers {
  std::shared_mutex mutex;
  std::map<const char *, int64_t> sizes;
};

bool hasOwnIndices = false;

Buffers &buffers() {
  static Buffers *own = new Buffers;
  return *own;
}
} // namespace

void mercator::setOwnIndices(bool has) { hasOwnIndices = has; }

void mercator_watch(const void *buffer, int64_t bytes) {
  std::unique_lock lock(buffers().mutex);
  const auto *first = static_cast<const char *>(buffer);
  auto &sizes = buffers().sizes;
  // What was there, such as the stack of a function that has returned, is gone.
  sizes.erase(sizes.lower_bound(first), sizes.lower_bound(first + bytes));
  sizes[first] = bytes;
}

void mercator_unwatch(const void *buffer) {
  std::unique_lock lock(buffers().mutex);
  buffers().sizes.erase(static_cast<const char *>(buffer));
}

void mercator_unwatch_all(void) {
  std::unique_lock lock(buffers().mutex);
  buffers().sizes.clear();
}

void mercator_check(const void *at, int64_t bytes, const char *function) {
  std::shared_lock lock(buffers().mutex);
  const auto *first = static_cast<const char *>(at);
  const auto &sizes = buffers().sizes;
  auto next = sizes.upper_bound(first);
  if (bytes == 0)
    return;
  const char *who =
      hasOwnIndices ? "error: the program reads or writes outside of a tensor"
                    : "mercator: a bug";
  if (next != sizes.begin()) {
    auto own = std::prev(next);
    if (first + bytes <= own->first + own->second)
      return;
    std::fprintf(stderr,
                 "%s: %s accesses %lld bytes at byte %lld of a "
                 "buffer of %lld bytes\n",
                 who, function, (long long)bytes,
                 (long long)(first - own->first), (long long)own->second);
  } else {
    std::fprintf(stderr, "%s: %s accesses %lld bytes before all buffers\n", who,
                 function, (long long)bytes);
  }
  if (!hasOwnIndices)
    _exit(70);
  std::fprintf(stderr, "help: mercator run --reference says which operation\n");
  _exit(1);
}
