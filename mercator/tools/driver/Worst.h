// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `--worst=N`: the N items with the most bytes, the most first; without the
/// option all items, as they come.
///
///   Worst<InstructionAccess> worst(limit);
///   compilation->access(.., [&](const InstructionAccess &i) {
///     worst.take(i, bytesOf(i), emit);
///   });
///   worst.finish(emit);

#ifndef MERCATOR_TOOLS_DRIVER_WORST_H
#define MERCATOR_TOOLS_DRIVER_WORST_H

#include "mercator/tools/driver/Command.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace mercator {

template <typename Item> class Worst {
public:
  using Emit = llvm::function_ref<void(const Item &)>;

  explicit Worst(std::optional<int64_t> limit) : limit(limit) {}

  void take(const Item &item, int64_t bytes, Emit emit) {
    if (!limit)
      return emit(item);
    kept.push_back({bytes, taken++, item});
    if (int64_t(kept.size()) >= 2 * *limit + 16)
      cut();
  }
  void finish(Emit emit) {
    if (limit)
      cut();
    for (const Kept &each : kept)
      emit(each.item);
  }

private:
  struct Kept {
    int64_t bytes;
    size_t number;
    Item item;
  };
  void cut() {
    // Equal ones stay in program order.
    llvm::sort(kept, [](const Kept &a, const Kept &b) {
      return std::tie(b.bytes, a.number) < std::tie(a.bytes, b.number);
    });
    if (int64_t(kept.size()) > *limit)
      kept.erase(kept.begin() + *limit, kept.end());
  }

  std::optional<int64_t> limit;
  std::vector<Kept> kept;
  size_t taken = 0;
};

/// The N of `--worst=N`, or none without it; nothing at all after an error.
/// `--summary` stands alone.
[[nodiscard]] inline std::optional<std::optional<int64_t>>
worstOf(Invocation &invocation) {
  int64_t number = 0;
  if (invocation.has("summary") &&
      (invocation.has("json") || invocation.has("worst"))) {
    (void)invocation.getDiagnostics().error(
        {}, std::string("expected --summary alone, got --") +
                (invocation.has("json") ? "json" : "worst") + " as well");
    return std::nullopt;
  }
  if (!invocation.has("worst"))
    return std::optional<int64_t>();
  if (!invocation.get("worst").getAsInteger(10, number) && number >= 1 &&
      number <= (1 << 20))
    return std::optional<int64_t>(number);
  (void)invocation.getDiagnostics().error(
      {}, "expected a number from 1 to 1048576 for --worst, got " +
              quote(invocation.get("worst")));
  return std::nullopt;
}

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_WORST_H
