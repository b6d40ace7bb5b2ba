// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/pjrt/Objects.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>

using namespace mercator::pjrt;

//===--- Events -----------------------------------------------------------===//

void Occurrence::happen(std::optional<Error> why) {
  std::vector<std::pair<void (*)(Error *, void *), void *>> waiting;
  {
    std::lock_guard lock(mutex);
    error = std::move(why);
    happened = true;
    waiting.swap(callbacks);
  }
  happened.notify_all();
  for (auto [callback, data] : waiting)
    callback(failure(), data);
}

void Occurrence::onReady(void (*callback)(Error *, void *), void *data) {
  {
    std::lock_guard lock(mutex);
    if (!happened) {
      callbacks.push_back({callback, data});
      return;
    }
  }
  callback(failure(), data);
}

//===--- Memory -----------------------------------------------------------===//

namespace {
/// Of the process: the device is the machine.
struct Counters {
  std::atomic<int64_t> inUse = 0, peak = 0, allocations = 0, largest = 0;
};
} // namespace

static Counters counters;

static void raise(std::atomic<int64_t> &most, int64_t value) {
  for (int64_t seen = most; seen < value;)
    if (most.compare_exchange_weak(seen, value))
      return;
}

std::shared_ptr<Storage> Storage::allocate(size_t size) {
  // Code accepts any address; 64 is the size of a vector and of a line.
  size_t rounded = (size + 63) / 64 * 64;
  void *bytes = std::aligned_alloc(64, rounded ? rounded : 64);
  if (!bytes)
    return nullptr;
  raise(counters.peak, counters.inUse += int64_t(size));
  raise(counters.largest, int64_t(size));
  ++counters.allocations;
  return std::shared_ptr<Storage>(new Storage(bytes, size, nullptr));
}

std::shared_ptr<Storage> Storage::borrow(void *data, size_t size,
                                         std::shared_ptr<Occurrence> returned) {
  return std::shared_ptr<Storage>(new Storage(data, size, std::move(returned)));
}

Storage::~Storage() {
  if (returned) {
    returned->happen();
    return;
  }
  counters.inUse -= int64_t(size);
  std::free(bytes);
}

int64_t Storage::inUse() { return counters.inUse; }
int64_t Storage::peak() { return counters.peak; }
int64_t Storage::allocations() { return counters.allocations; }
int64_t Storage::largest() { return counters.largest; }

//===--- Element types ----------------------------------------------------===//

namespace {
struct ElementRow {
  llvm::StringLiteral spelled;
  size_t bytes;
};
} // namespace

/// In the order of the interface's numbers.
static constexpr ElementRow kElements[] = {{"", 0},
                                           {"i1", 1},
                                           {"i8", 1},
                                           {"i16", 2},
                                           {"i32", 4},
                                           {"i64", 8},
                                           {"ui8", 1},
                                           {"ui16", 2},
                                           {"ui32", 4},
                                           {"ui64", 8},
                                           {"f16", 2},
                                           {"f32", 4},
                                           {"f64", 8},
                                           {"bf16", 2},
                                           {"complex<f32>", 8},
                                           {"complex<f64>", 16},
                                           {"f8E5M2", 1},
                                           {"f8E4M3FN", 1},
                                           {"f8E4M3B11FNUZ", 1},
                                           {"f8E5M2FNUZ", 1},
                                           {"f8E4M3FNUZ", 1},
                                           {"i4", 1},
                                           {"ui4", 1},
                                           {"token", 0},
                                           {"i2", 1},
                                           {"ui2", 1},
                                           {"f8E4M3", 1},
                                           {"f8E3M4", 1},
                                           {"f8E8M0FNU", 1},
                                           {"f4E2M1FN", 1},
                                           {"si1", 1},
                                           {"ui1", 1}};

int mercator::pjrt::typeNumber(llvm::StringRef spelled) {
  const auto *row = llvm::find_if(
      kElements, [&](const ElementRow &row) { return row.spelled == spelled; });
  return row == std::end(kElements) ? 0 : int(row - std::begin(kElements));
}

size_t mercator::pjrt::typeBytes(int number) {
  return number > 0 && size_t(number) < std::size(kElements)
             ? kElements[number].bytes
             : 0;
}

unsigned mercator::pjrt::narrowSigned(int number) {
  llvm::StringRef spelled;
  if (typeBytes(number))
    spelled = kElements[number].spelled;
  return spelled == "i4" ? 4 : spelled == "i2" ? 2 : 0;
}
