// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/Abi.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace {
/// Memory that grows when it must.
class Memory {
public:
  Memory() = default;
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  ~Memory() { std::free(bytes); }

  /// What was there is lost. Null if there is no memory.
  void *atLeast(int64_t wanted) {
    if (wanted < 0 || wanted > (int64_t(1) << 46))
      return nullptr;
    if (wanted <= size && bytes)
      return bytes;
    // Pages of 2 MiB, where the system has them: fewer are looked up.
    constexpr int64_t kPage = int64_t(2) << 20, kLine = 64;
    int64_t step = wanted >= 2 * kPage ? kPage : kLine;
    int64_t own = (std::max(wanted, kLine) + step - 1) / step * step;
    std::free(bytes);
    bytes = std::aligned_alloc(size_t(step), size_t(own));
    size = bytes ? own : 0;
#if defined(__linux__)
    if (bytes && step == kPage)
      madvise(bytes, size_t(own), MADV_HUGEPAGE);
#endif
    return bytes;
  }

  void exchange(Memory &other) {
    std::swap(bytes, other.bytes);
    std::swap(size, other.size);
  }

private:
  void *bytes = nullptr;
  int64_t size = 0;
};

/// A result of unknown extents.
struct Result {
  Memory memory;
  std::vector<int64_t> sizes;
};
} // namespace

struct mercator_context {
  Memory arena;
  std::deque<Memory> slots;
  std::map<const mercator_tensor *, Result> results;
  mercator_failure failure = {};
  mercator_processes *processes = nullptr;
};

mercator_context *mercator_new_context(int64_t arenaBytes) {
  auto *context = new (std::nothrow) mercator_context;
  if (context && !context->arena.atLeast(arenaBytes)) {
    delete context;
    return nullptr;
  }
  return context;
}

void mercator_free_context(mercator_context *context) { delete context; }

const mercator_failure *mercator_last_failure(const mercator_context *context) {
  return &context->failure;
}

void mercator_set_processes(mercator_context *context,
                            mercator_processes *processes) {
  context->processes = processes;
}

mercator_processes *mercator_get_processes(const mercator_context *context) {
  return context->processes;
}

int32_t mercator_fail(mercator_context *context, const char *message,
                      const char *file, int64_t line, int64_t column,
                      int64_t count, int64_t first, int64_t second) {
  context->failure = {message, file, line, column, count, {first, second}};
  return mercator_failed_check;
}

void *mercator_arena(mercator_context *context) {
  return context->arena.atLeast(0);
}

void *mercator_slot(mercator_context *context, int64_t number, int64_t bytes) {
  if (size_t(number) >= context->slots.size())
    context->slots.resize(size_t(number) + 1);
  return context->slots[size_t(number)].atLeast(bytes);
}

void mercator_exchange_slots(mercator_context *context, int64_t a, int64_t b) {
  size_t most = size_t(std::max(a, b));
  if (most >= context->slots.size())
    context->slots.resize(most + 1);
  context->slots[size_t(a)].exchange(context->slots[size_t(b)]);
}

void *mercator_result(mercator_context *context, mercator_tensor *result,
                      int64_t rank, const int64_t *sizes, int64_t bytes) {
  Result &own = context->results[result];
  own.sizes.assign(sizes, sizes + rank);
  result->data = own.memory.atLeast(bytes);
  result->rank = rank;
  result->sizes = own.sizes.data();
  return result->data;
}
