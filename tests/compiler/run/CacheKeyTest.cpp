// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every option that code depends on is in the key of the cache. addTo names all
// fields of a struct, so a new field does not compile until it is decided there;
// then it gets a row here.

#include "mercator/compiler/program/CacheKey.h"
#include "mercator/compiler/run/Run.h"

#include "gtest/gtest.h"

#include <set>

using namespace mercator;

namespace {

using Change = void (*)(RunOptions &);

std::vector<std::string> wordsOf(Change change) {
  RunOptions options;
  change(options);
  CacheKey key;
  addTo(key, options);
  return key.getWords().vec();
}

TEST(CacheKey, HasWhatCodeDependsOn) {
  const Change changes[] = {
      [](RunOptions &) {},
      [](RunOptions &o) { o.function = "f"; },
      [](RunOptions &o) { o.fillSeed = RandomElements{}; },
      [](RunOptions &o) { o.fillSeed = {.seed = 1}; },
      [](RunOptions &o) { o.fillSeed = {.seed = 1, .scale = 1}; },
      [](RunOptions &o) { o.fillSeed = {.seed = 1, .scale = 1.0000001}; },
      [](RunOptions &o) { o.through = Stage::Cpu; },
      [](RunOptions &o) { o.lowering.formation.fusion = Fusion::Seed; },
      [](RunOptions &o) { o.lowering.formation.fusion = Fusion::Aggressive; },
      [](RunOptions &o) { o.lowering.formation.device = "h100"; },
      [](RunOptions &o) { o.lowering.formation.fuse = "1,2"; },
      [](RunOptions &o) { o.lowering.simplify = false; },
      [](RunOptions &o) { o.native.preciseMath = true; },
      [](RunOptions &o) { o.native.keepsSubnormals = true; },
      [](RunOptions &o) { o.native.isTraced = true; },
      [](RunOptions &o) { o.native.isChecked = true; },
      [](RunOptions &o) { o.native.scheduleSeed = 1; },
      [](RunOptions &o) { o.native.isOptimized = false; },
      [](RunOptions &o) { o.native.emulatesMatrices = true; },
      [](RunOptions &o) { o.native.usesDonations = true; },
      [](RunOptions &o) { o.native.cpu = "x86-64-v3"; },
      [](RunOptions &o) { o.native.device = "zen4"; },
      [](RunOptions &o) { o.print = {"a"}; },
      [](RunOptions &o) { o.print = {"a", "b"}; },
      [](RunOptions &o) { o.print = {"a b"}; },
  };
  std::set<std::vector<std::string>> keys;
  for (auto [i, change] : llvm::enumerate(changes))
    EXPECT_TRUE(keys.insert(wordsOf(change)).second) << "change " << i;
}

TEST(CacheKey, HasNothingElse) {
  const Change changes[] = {
      [](RunOptions &o) { o.inputs = {"random:1"}; },
      [](RunOptions &o) { o.arrays.emplace_back(); },
      [](RunOptions &o) { o.keepsCode = true; },
      [](RunOptions &o) { o.replicas = 2; },
      [](RunOptions &o) { o.partitions = 2; },
      [](RunOptions &o) { o.lowering.instrument = [](mlir::PassManager &) {}; },
      [](RunOptions &o) { o.lowering.atDispatches = [](mlir::ModuleOp) {}; },
      [](RunOptions &o) { o.repeat = 2; },
      [](RunOptions &o) { o.threads = 2; },
      [](RunOptions &o) { o.cache = "folder"; },
      [](RunOptions &o) { o.perturbation.emplace(); },
      [](RunOptions &o) { o.onPhase = [](const char *) {}; },
      [](RunOptions &o) {
        o.show = [](llvm::StringRef, const reference::Tensor &) {};
      },
  };
  std::vector<std::string> plain = wordsOf([](RunOptions &) {});
  for (auto [i, change] : llvm::enumerate(changes))
    EXPECT_EQ(wordsOf(change), plain) << "change " << i;
}

} // namespace
