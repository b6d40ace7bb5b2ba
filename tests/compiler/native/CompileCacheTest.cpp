// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/native/CompileCache.h"

#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

#include <random>

using namespace mercator;

namespace {

NativeCode codeOf(const std::vector<std::string> &constants) {
  NativeCode code;
  code.type = "() -> ()";
  code.objects = {"object"};
  for (const std::string &bytes : constants)
    code.constants.push_back(
        {"mercator_constant_" + std::to_string(code.constants.size()), bytes});
  return code;
}

/// Programs load constants with aligned vectors. Files of a few kilobytes are read
/// into memory of the heap, larger ones are mapped.
TEST(CompileCache, ConstantsAreAligned) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("mercator-cache", folder));
  CompileCache cache(folder.str().str());
  std::mt19937 engine(5);
  std::vector<NativeCode> kept; // so that the heap gives other addresses
  for (int i = 0; i < 60; ++i) {
    std::vector<std::string> constants;
    for (unsigned k = 0, count = engine() % 6; k < count; ++k)
      constants.push_back(
          std::string(engine() % (i % 10 == 0 ? 60'000 : 700), char('a' + k)));
    NativeCode code = codeOf(constants);
    std::string key = std::to_string(i);
    ASSERT_FALSE(bool(cache.store(key, code)));
    for (std::optional<NativeCode> own :
         {cache.load(key), CompileCache::read(CompileCache::print(code))}) {
      ASSERT_TRUE(own);
      ASSERT_EQ(own->constants.size(), constants.size());
      for (size_t k = 0; k < constants.size(); ++k) {
        EXPECT_EQ(own->constants[k].bytes, constants[k]);
        EXPECT_EQ(uintptr_t(own->constants[k].bytes.data()) %
                      cpu::kConstantAlignment,
                  0u);
      }
      kept.push_back(std::move(*own));
    }
  }
  EXPECT_FALSE(llvm::sys::fs::remove_directories(folder));
}

/// Every byte matters, and no damage is worse than an entry that is not there.
TEST(CompileCache, DamagedContentIsNoCode) {
  std::string whole =
      CompileCache::print(codeOf({"abc", std::string(200, 'x')}));
  ASSERT_TRUE(CompileCache::read(whole));
  for (size_t i = 0; i < whole.size(); ++i) {
    EXPECT_FALSE(CompileCache::read(llvm::StringRef(whole).take_front(i))) << i;
    bool isPadding = i >= 32 && i < 64;
    std::string other = whole;
    other[i] ^= 4;
    EXPECT_EQ(CompileCache::read(other).has_value(), isPadding) << i;
  }
  EXPECT_FALSE(CompileCache::read(whole + "x"));
}

} // namespace
