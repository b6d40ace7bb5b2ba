// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of compiled HLO, against hardware: launches, loads, stores, bytes and times
// that Nsight Compute measured on an H100.

#include "mercator/compiler/maps/Kernels.h"
#include "mercator/compiler/Compilation.h"
#include "mercator/support/Diagnostic.h"

#include "tests/Folders.h"
#include "tests/Scale.h"
#include "tests/Seed.h"

#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace mercator;
namespace json = llvm::json;

namespace {

std::vector<KernelRecord> kernelsOf(const std::string &name,
                                    const std::string &text,
                                    const kernels::ByHand &byHand = {}) {
  DiagnosticEngine diagnostics(llvm::nulls());
  std::vector<KernelRecord> all;
  auto compilation = Compilation::load(name, text, diagnostics);
  if (!compilation)
    return all;
  compilation->forEachKernel(
      {.device = *findDevice("h100"), .byHand = byHand},
      [&](const KernelRecord &kernel) { all.push_back(kernel); });
  return all;
}

/// The name that the kernel has on the device.
std::string symbolOf(std::string name) {
  for (char &c : name)
    if (c == '.' || c == '-')
      c = '_';
  return name;
}

int64_t product(llvm::StringRef dims) { // "(800, 1, 1)"
  int64_t all = 1, next = 0;
  bool isIn = false;
  for (char c : dims) {
    if (c >= '0' && c <= '9') {
      next = next * 10 + (c - '0');
      isIn = true;
    } else if (isIn) {
      all *= next;
      next = 0;
      isIn = false;
    }
  }
  return all;
}

/// A kernel that the instruction of this name made; not one of a library.
bool isOwn(llvm::StringRef name) {
  for (const char *start : {"loop", "input", "wrapped", "fusion", "gemm_fusion",
                            "triton", "copy", "transpose", "reduce"})
    if (name.starts_with(start))
      return !name.contains('<');
  return false;
}

TEST(Kernels, AgreeWithHardwareCounters) {
  std::string folder = sharedFolder() + "/data/gpu/xla/";
  auto file = llvm::MemoryBuffer::getFile(folder + "counters.json");
  if (!file)
    GTEST_SKIP() << "needs " << folder;
  llvm::Expected<json::Value> counters = json::parse((*file)->getBuffer());
  ASSERT_TRUE(bool(counters));
  int all = 0, launch = 0, loads = 0, stores = 0, bytes = 0, time = 0,
      banks = 0, falselyExact = 0;
  for (auto &[program, list] : *counters->getAsObject()) {
    std::string name = program.str();
    auto text = llvm::MemoryBuffer::getFile(folder + name + ".hlo");
    ASSERT_TRUE(bool(text)) << name;
    std::vector<KernelRecord> known =
        kernelsOf(name + ".hlo", (*text)->getBuffer().str());
    for (const json::Value &value : *list.getAsArray()) {
      const json::Object &measured = *value.getAsObject();
      llvm::StringRef symbol = *measured.getString("kernel");
      if (!isOwn(symbol))
        continue;
      ++all;
      auto said = llvm::find_if(known, [&](const KernelRecord &k) {
        return symbolOf(k.instruction) == symbol;
      });
      if (said == known.end()) {
        ADD_FAILURE() << name << ": " << symbol.str() << " is not predicted";
        continue;
      }
      auto number = [&](const char *key) { return *measured.getInteger(key); };
      const kernels::Counts &counts = said->counts;
      auto agrees = [&](const Verdict<int64_t> &count, const char *key) {
        // Exact is the count of the kernel that is printed. That XLA or LLVM made
        // another one cannot be seen from here: a handful.
        falselyExact += count.isExact() && count.value != number(key);
        return count.value == number(key);
      };
      bool isLaunched =
          said->kernel.grid == product(*measured.getString("grid")) &&
          said->kernel.block == product(*measured.getString("block"));
      launch += isLaunched;
      loads += agrees(counts.loads, "loads") &&
               agrees(counts.loadSectors, "load_sectors");
      stores += agrees(counts.stores, "stores") &&
                agrees(counts.storeSectors, "store_sectors");
      double read = double(number("dram_read"));
      bytes += std::abs(double(counts.bytesRead.value) - read) <=
               std::max(0.05 * read, 16384.0);
      // The counter is that of loads, with some that other blocks cause.
      if (counts.sharedLoads.isExact() && isLaunched) {
        ++banks;
        EXPECT_NEAR(
            double(counts.sharedLoadPasses.value - counts.sharedLoads.value),
            double(number("bank_conflicts")),
            0.02 * double(counts.sharedLoads.value))
            << name << ": " << symbol.str();
      }
      time += std::abs(said->time.microseconds * 1e3 / double(number("ns")) -
                       1) <= 0.25;
    }
  }
  ASSERT_GT(all, 100);
  auto share = [&](int count) { return double(count) / all; };
  EXPECT_LE(share(falselyExact), 0.06);
  EXPECT_GE(share(launch), 0.99);
  EXPECT_GE(share(loads), 0.91);
  EXPECT_GE(share(stores), 0.97);
  EXPECT_GE(share(bytes), 0.98);
  EXPECT_GE(share(time), 0.93);
  EXPECT_GE(share(banks), 0.5);
}

const char *const kTranspose = R"(HloModule m, is_scheduled=true
fused {
  p = f32[1000,777]{1,0} parameter(0)
  ROOT t = f32[777,1000]{1,0} transpose(p), dimensions={1,0}
}
ENTRY e {
  x = f32[1000,777]{1,0} parameter(0)
  ROOT y = f32[777,1000]{1,0} fusion(x), kind=KIND, calls=fused, backend_config=CONFIG
}
)";

std::string withConfig(const std::string &kind, const std::string &config) {
  std::string text = kTranspose;
  text.replace(text.find("KIND"), 4, kind);
  text.replace(text.find("CONFIG"), 6, config);
  return text;
}

const char *const kTriton =
    R"({"fusion_backend_config":{"kind":"__triton","block_level_fusion_config":{"num_warps":"4","output_tiles":[{"sizes":["32","64"]}],"is_tma_allowed":false}}})";

/// The emitter follows the kind and the configuration of the fusion.
TEST(Kernels, TheConfigurationChoosesTheEmitter) {
  struct Row {
    const char *kind, *config, *emitter;
    int64_t grid, block;
  };
  const Row rows[] = {
      {"kInput", "{}", "transpose", 800, 128},
      {"kLoop", "{}", "loop", 1518, 128},
      {"kLoop", R"({"native_emitter_backend_config":{"unroll_factor":1}})",
       "loop", 6071, 128},
      {"kCustom", kTriton, "triton", 25 * 16, 128},
  };
  for (const Row &row : rows) {
    std::vector<KernelRecord> kernels =
        kernelsOf("m.hlo", withConfig(row.kind, row.config));
    ASSERT_EQ(kernels.size(), 1u) << row.config;
    EXPECT_EQ(kernels::nameOf(kernels[0].kernel.emitter), row.emitter);
    EXPECT_EQ(kernels[0].kernel.grid, row.grid) << row.config;
    EXPECT_EQ(kernels[0].kernel.block, row.block) << row.config;
    // Every element of the result is written once.
    int64_t written = 0;
    for (const kernels::Counted &c : kernels[0].counts.accesses)
      if (c.kind == kernels::Step::Kind::Writes)
        written += c.traffic.usedBytes;
    EXPECT_EQ(written, 777 * 1000 * 4) << row.config;
  }
}

/// A choice by hand changes the launch, and not what is read.
TEST(Kernels, AChoiceByHand) {
  std::vector<KernelRecord> kernels = kernelsOf(
      "m.hlo", withConfig("kLoop", "{}"), {.unroll = 2, .block = 256});
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].kernel.block, 256);
  EXPECT_EQ(kernels[0].kernel.grid, (777000 / 2 + 255) / 256);
  EXPECT_EQ(kernels[0].counts.bytesRead.value, 3108032);
}

/// A wrong configuration gives a reason, or another kernel, and never a crash.
TEST(Kernels, MutatedConfigurations) {
  std::mt19937_64 random(testSeed());
  int refused = 0;
  for (int i = 0; i < cases(500); ++i) {
    std::string config = kTriton;
    for (int n = 1 + random() % 3; n > 0; --n) {
      size_t at = random() % config.size();
      static const char kBytes[] = "0123456789-{}[]\":,abcnull ";
      switch (random() % 3) {
      case 0:
        config[at] = kBytes[random() % (sizeof(kBytes) - 1)];
        break;
      case 1:
        config.erase(at, 1 + random() % 4);
        break;
      default:
        config.insert(at, 1, kBytes[random() % (sizeof(kBytes) - 1)]);
      }
    }
    std::vector<KernelRecord> kernels =
        kernelsOf("m.hlo", withConfig("kCustom", config));
    for (const KernelRecord &kernel : kernels)
      if (!kernel.kernel.isKnown())
        ++refused;
  }
  EXPECT_GT(refused, 0);
}

} // namespace
