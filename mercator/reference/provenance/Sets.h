// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Sets of numbers below a bound, each stored once.
///
/// ```cpp
/// ProvenanceSets sets(100);
/// ProvenanceSets::Id both = sets.unite(sets.single(3), sets.single(97));
/// assert(both == sets.unite(sets.single(97), sets.single(3)));
/// size_t sum = 0;
/// sets.forEach(both, [&](size_t number) { sum += number; });
/// assert(sum == 100);
/// ```
///
/// Equal sets have equal ids. Sets are immutable.

#ifndef MERCATOR_REFERENCE_PROVENANCE_SETS_H
#define MERCATOR_REFERENCE_PROVENANCE_SETS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"

#include <bit>
#include <cassert>
#include <cstdint>
#include <vector>

namespace mercator::reference {

class ProvenanceSets {
public:
  using Id = uint32_t;
  static constexpr Id kNone = 0; ///< the empty set

  explicit ProvenanceSets(size_t bound)
      : wordCount(std::max<size_t>((bound + 63) / 64, 1)), bound(bound) {
    add(std::vector<uint64_t>(wordCount));
  }

  [[nodiscard]] size_t getBound() const { return bound; }

  Id single(size_t number) {
    assert(number < bound && "expected a number below the bound");
    std::vector<uint64_t> words(wordCount);
    words[number / 64] = uint64_t(1) << (number % 64);
    return add(words);
  }

  Id unite(Id a, Id b) {
    if (a == b || b == kNone)
      return a;
    if (a == kNone)
      return b;
    if (a > b)
      std::swap(a, b);
    auto [known, isNew] = unions.try_emplace({a, b}, kNone);
    if (!isNew)
      return known->second;
    std::vector<uint64_t> words(wordCount);
    for (size_t i = 0; i < wordCount; ++i)
      words[i] = (*this)[a][i] | (*this)[b][i];
    Id result = add(words);
    unions[{a, b}] = result;
    return result;
  }

  /// Bit n % 64 of word n / 64 says whether n is in the set.
  [[nodiscard]] llvm::ArrayRef<uint64_t> operator[](Id set) const {
    return llvm::ArrayRef(data).slice(set * wordCount, wordCount);
  }
  /// Calls f with each number of the set, ascending.
  template <typename F> void forEach(Id set, F f) const {
    for (size_t i = 0; i < wordCount; ++i)
      for (uint64_t word = (*this)[set][i]; word; word &= word - 1)
        f(i * 64 + size_t(std::countr_zero(word)));
  }

private:
  Id add(const std::vector<uint64_t> &words) {
    size_t hash = llvm::hash_combine_range(words.begin(), words.end());
    llvm::SmallVector<Id, 1> &same = byHash[hash % ((uint64_t(1) << 63) - 8)];
    for (Id id : same)
      if ((*this)[id] == llvm::ArrayRef(words))
        return id;
    auto id = Id(data.size() / wordCount);
    data.insert(data.end(), words.begin(), words.end());
    same.push_back(id);
    return id;
  }

  size_t wordCount, bound;
  std::vector<uint64_t> data;
  llvm::DenseMap<uint64_t, llvm::SmallVector<Id, 1>> byHash;
  llvm::DenseMap<std::pair<Id, Id>, Id> unions;
};

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_PROVENANCE_SETS_H
