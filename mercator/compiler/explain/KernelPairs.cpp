// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/explain/KernelPairs.h"

#include "mercator/support/Saturating.h"
#include "mercator/support/Utf8.h"

#include "llvm/ADT/STLExtras.h"

#include <deque>
#include <map>

using namespace mercator;

namespace {
/// Pairs what has equal keys, in order.
class KernelPairing {
public:
  KernelPairing(llvm::ArrayRef<KernelRecord> before,
                llvm::ArrayRef<KernelRecord> now)
      : before(before), now(now), partner(now.size()), taken(before.size()) {}

  using Key = std::string;

  /// `keyOf` gives an empty key to a kernel that is not paired this way.
  void pair(llvm::function_ref<Key(const KernelRecord &)> keyOf) {
    std::map<Key, std::deque<size_t>> free;
    for (auto [i, kernel] : llvm::enumerate(before))
      if (!taken[i])
        if (Key key = keyOf(kernel); !key.empty())
          free[key].push_back(i);
    for (auto [i, kernel] : llvm::enumerate(now)) {
      if (partner[i])
        continue;
      auto it = free.find(keyOf(kernel));
      if (it == free.end() || it->second.empty())
        continue;
      partner[i] = it->second.front();
      taken[it->second.front()] = true;
      it->second.pop_front();
    }
  }

  llvm::ArrayRef<KernelRecord> before, now;
  std::vector<std::optional<size_t>> partner; ///< of those now
  std::vector<bool> taken;                    ///< of those before
};
} // namespace

static std::string keyOf(std::initializer_list<llvm::StringRef> parts) {
  std::string key;
  for (llvm::StringRef part : parts) {
    if (part.empty())
      return {};
    key += part;
    key += '\0';
  }
  return key;
}

static std::vector<std::string> changesOf(const KernelRecord &before,
                                          const KernelRecord &now) {
  std::vector<std::string> changes;
  auto add = [&](llvm::StringRef what, const std::string &value,
                 const std::string &was) {
    if (value != was)
      changes.push_back(what.str() + " " + value + ", was " + was);
  };
  if (before.computes != now.computes)
    changes.emplace_back("computes something else");
  add("type", now.type, before.type);
  add("emitter", nameOf(now.kernel.emitter).str(),
      nameOf(before.kernel.emitter).str());
  if (now.kernel.isKnown() && before.kernel.isKnown()) {
    add("grid", std::to_string(now.kernel.grid),
        std::to_string(before.kernel.grid));
    add("block", std::to_string(now.kernel.block),
        std::to_string(before.kernel.block));
    add("bytes", std::to_string(bytesOf(now)), std::to_string(bytesOf(before)));
  }
  add("runs", std::to_string(now.repeats), std::to_string(before.repeats));
  return changes;
}

static KernelTotals totalsOf(llvm::ArrayRef<KernelRecord> kernels) {
  KernelTotals totals;
  for (const KernelRecord &k : kernels) {
    totals.launches = saturatingAdd(totals.launches, k.repeats);
    if (!k.kernel.isKnown())
      totals.unknown = saturatingAdd(totals.unknown, k.repeats);
    totals.bytes =
        saturatingAdd(totals.bytes, saturatingMul(bytesOf(k), k.repeats));
    totals.microseconds += k.time.microseconds * double(k.repeats);
  }
  return totals;
}

KernelComparison mercator::compareKernels(llvm::ArrayRef<KernelRecord> before,
                                          llvm::ArrayRef<KernelRecord> now) {
  KernelPairing pairing(before, now);
  auto computes = [](const KernelRecord &k) {
    return std::to_string(k.computes);
  };
  pairing.pair([&](const KernelRecord &k) {
    return keyOf({computes(k), k.instruction});
  });
  pairing.pair(
      [&](const KernelRecord &k) { return keyOf({computes(k), k.origin}); });
  pairing.pair([&](const KernelRecord &k) { return computes(k); });
  pairing.pair(
      [&](const KernelRecord &k) { return keyOf({k.instruction, k.type}); });
  pairing.pair(
      [&](const KernelRecord &k) { return keyOf({k.origin, k.root, k.type}); });
  pairing.pair(
      [&](const KernelRecord &k) { return keyOf({k.origin, k.root}); });
  pairing.pair([&](const KernelRecord &k) { return keyOf({k.root, k.type}); });
  pairing.pair([&](const KernelRecord &k) { return keyOf({k.origin}); });
  KernelComparison all;
  for (auto [i, kernel] : llvm::enumerate(now)) {
    KernelPair &pair = all.pairs.emplace_back();
    pair.now = i;
    pair.before = pairing.partner[i];
    if (pair.before)
      pair.changes = changesOf(before[*pair.before], kernel);
  }
  for (size_t i = 0; i < before.size(); ++i)
    if (!pairing.taken[i])
      all.pairs.push_back({.before = i, .now = std::nullopt});
  all.before = totalsOf(before);
  all.now = totalsOf(now);
  return all;
}

void mercator::writeJson(const KernelComparison &comparison,
                         llvm::ArrayRef<KernelRecord> before,
                         llvm::ArrayRef<KernelRecord> now,
                         llvm::json::OStream &json) {
  json.object([&] {
    for (auto [key, totals] :
         {std::pair("before", &comparison.before), {"now", &comparison.now}})
      json.attributeObject(key, [&] {
        json.attribute("launches", totals->launches);
        json.attribute("bytes", totals->bytes);
        json.attribute("us", totals->microseconds);
        json.attribute("unknown", totals->unknown);
      });
    json.attributeArray("kernels", [&] {
      for (const KernelPair &pair : comparison.pairs)
        json.object([&] {
          for (auto [key, kernels, number] :
               {std::tuple("before", before, pair.before),
                {"now", now, pair.now}})
            if (number)
              json.attributeObject(key, [&] {
                const KernelRecord &k = kernels[*number];
                json.attribute("instruction", validUtf8(k.instruction));
                json.attribute("emitter", nameOf(k.kernel.emitter));
                if (!k.kernel.isKnown())
                  return;
                json.attribute("grid", k.kernel.grid);
                json.attribute("block", k.kernel.block);
                json.attribute("bytes", bytesOf(k));
                json.attribute("us", k.time.microseconds);
              });
          json.attributeArray("changes", [&] {
            for (const std::string &change : pair.changes)
              json.value(validUtf8(change));
          });
        });
    });
  });
}
