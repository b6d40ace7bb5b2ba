// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The words that a key for kept machine code is made of (CompileCache.h).
///
///   CacheKey key;
///   key.add("main").add(int64_t(4)).add(options);   // addTo(key, options)
///   CompileCache::keyOf(key.getWords());
///
/// A struct of options has a function `addTo(CacheKey &, const Options &)` beside it.
/// The function takes the struct apart with a structured binding that names every
/// field. A new field then does not compile until the function says whether code
/// depends on it.

#ifndef MERCATOR_COMPILER_PROGRAM_CACHEKEY_H
#define MERCATOR_COMPILER_PROGRAM_CACHEKEY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace mercator {

class CacheKey {
public:
  CacheKey &add(llvm::StringRef word) {
    words.push_back(word.str());
    return *this;
  }
  CacheKey &add(int64_t number) { return add(std::to_string(number)); }
  /// By its bits: equal keys mean equal numbers.
  CacheKey &add(double number) {
    int64_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    return add(bits);
  }
  /// The length comes first, so that lists that follow each other stay apart.
  CacheKey &addList(llvm::ArrayRef<std::string> list) {
    add(int64_t(list.size()));
    words.insert(words.end(), list.begin(), list.end());
    return *this;
  }
  template <typename T> CacheKey &add(const std::optional<T> &value) {
    add(int64_t(value.has_value()));
    if (value)
      addAny(*value);
    return *this;
  }

  [[nodiscard]] llvm::ArrayRef<std::string> getWords() const { return words; }

private:
  void addAny(double number) { add(number); }
  template <typename T> void addAny(const T &options) { addTo(*this, options); }

  std::vector<std::string> words;
};

} // namespace mercator

#endif // MERCATOR_COMPILER_PROGRAM_CACHEKEY_H
