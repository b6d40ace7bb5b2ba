// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Machine code that was made before, in files.
///
///   CompileCache cache(CompileCache::defaultFolder());
///   std::string key = CompileCache::keyOf(words.getWords()); // CacheKey.h
///   std::optional<NativeCode> code = cache.load(key);
///   if (!code) {
///     code = ...;
///     cache.store(key, *code);
///   }
///
/// A key is a hash of the given words, of this program with its libraries (their
/// build ids), of the CPU and its features, and of the version of runtime/Abi.h.
/// So an entry is found only by the program that made it, on a CPU that is alike.
///
/// Entries are written whole or not at all, and carry a checksum: processes may
/// share a folder, be killed, and find damaged files. Such a file is deleted and
/// made again. When all entries take more than `kMostBytes`, those that were not
/// used for the longest time are deleted.

#ifndef MERCATOR_COMPILER_NATIVE_COMPILECACHE_H
#define MERCATOR_COMPILER_NATIVE_COMPILECACHE_H

#include "mercator/compiler/native/Native.h"

#include "llvm/Support/Error.h"

namespace mercator {

class CompileCache {
public:
  static constexpr uint64_t kMostBytes = uint64_t(4) << 30;

  /// Empty: nothing is found or stored.
  explicit CompileCache(std::string folder) : folder(std::move(folder)) {}

  /// $XDG_CACHE_HOME/mercator, or ~/.cache/mercator; empty without a home.
  [[nodiscard]] static std::string defaultFolder();
  [[nodiscard]] static std::string keyOf(llvm::ArrayRef<std::string> words);

  [[nodiscard]] bool isOn() const { return !folder.empty(); }
  /// None if there is no such entry, or if it is damaged.
  [[nodiscard]] std::optional<NativeCode> load(llvm::StringRef key) const;
  /// Errors say which file could not be written.
  [[nodiscard]] llvm::Error store(llvm::StringRef key,
                                  const NativeCode &code) const;

  /// `print` gives the content of a file; `read` the code in it, or none if the
  /// file is damaged. The constants of the code lie in the bytes, at multiples of
  /// cpu::kConstantAlignment.
  [[nodiscard]] static std::string print(const NativeCode &code);
  [[nodiscard]] static std::optional<NativeCode> read(llvm::StringRef bytes);

private:
  [[nodiscard]] std::string fileOf(llvm::StringRef key) const;
  void deleteOldest() const;

  std::string folder;
};

} // namespace mercator

#endif // MERCATOR_COMPILER_NATIVE_COMPILECACHE_H
