// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The artifacts of tests/fuzz/corpus/vhlo: one program, written by jaxlib 0.10.2
// for several versions of StableHLO, and a program of jax.export.

#include "mercator/frontends/vhlo/Read.h"
#include "mercator/support/File.h"

#include "tests/Folders.h"
#include "tests/Seed.h"
#include "llvm/Support/Endian.h"

#include "gtest/gtest.h"

using namespace mercator;

namespace {

std::string artifact(const std::string &name) {
  auto bytes = readFile(sourceFolder() + "/tests/fuzz/corpus/vhlo/" + name);
  EXPECT_TRUE(bool(bytes));
  return bytes ? *bytes : std::string();
}

/// The text, or the diagnostics.
std::string read(std::string bytes) {
  std::string out;
  llvm::raw_string_ostream os(out);
  SourceBuffer source("t", std::move(bytes));
  DiagnosticEngine diagnostics(os);
  std::optional<std::string> text = vhlo::readBytecode(source, diagnostics);
  EXPECT_EQ(!text, diagnostics.hasErrors()) << out;
  return text ? *text : out;
}

TEST(ReadVhlo, EveryVersionIsTheSameText) {
  std::string oldest = read(artifact("m_0.9.0.mlirbc"));
  for (llvm::StringRef line :
       {"module @m attributes {mhlo.num_partitions = 1 : i32} {",
        "func.func public @main(%arg0: tensor<3x4xf32> {jax.arg_info = \"a\"}",
        "dimension_numbers = #stablehlo.gather<offset_dims = [1], "
        "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = "
        "1>, slice_sizes = array<i64: 1, 4>",
        "contracting_dims = [1] x [0], precision = [HIGH, DEFAULT]", "call @g(",
        "dense<[true, false, true]> : tensor<3xi1>", "unique_indices = true",
        "padding = dense<[[0, 0], [1, 0]]>", "is_stable = true", "TOTALORDER",
        "custom_call @Sharding(%4) {backend_config = \"x\", mhlo.sharding = "
        "\"{replicated}\"}"})
    EXPECT_NE(oldest.find(line), std::string::npos) << line.str() << oldest;
  EXPECT_EQ(read(artifact("m_1.0.0.mlirbc")), oldest);
  EXPECT_EQ(read(artifact("m_1.17.0.mlirbc")), oldest);
}

TEST(ReadVhlo, ProgramsOfJaxExport) {
  std::string bytes = artifact("sin.jax");
  std::optional<llvm::StringRef> bytecode = vhlo::findBytecode(bytes);
  ASSERT_TRUE(bytecode);
  EXPECT_TRUE(bytecode->starts_with("ML\xEFR"));
  std::string text = read(bytes);
  EXPECT_NE(text.find("stablehlo.sine"), std::string::npos) << text;
  // The lines of the Python program are kept.
  EXPECT_NE(text.find("\"f.py\":2"), std::string::npos) << text;
}

/// Bytecode of StableHLO itself, before and after custom_call got an attribute.
TEST(ReadVhlo, CallsOfOlderAndNewerWriters) {
  std::string older = read(artifact("raw_call_23.mlirbc")),
              newer = read(artifact("raw_call_24.mlirbc"));
  for (llvm::StringRef line :
       {"custom_call @first(%arg0) {api_version = 4 : i32",
        "operand_layouts = [dense<[1, 0]> : tensor<2xindex>]",
        "custom_call @second(%0) {has_side_effect = true"}) {
    EXPECT_NE(older.find(line), std::string::npos) << line.str() << older;
    EXPECT_NE(newer.find(line), std::string::npos) << line.str() << newer;
  }
  EXPECT_EQ(older.find("result_tilings"), std::string::npos);
  EXPECT_NE(newer.find("result_tilings = [[dense<[2, 4]> : tensor<2xindex>]]"),
            std::string::npos)
      << newer;
  // An index of an attribute that does not exist is no end of the bytes.
  std::string bytes = artifact("raw_call_24.mlirbc");
  unsigned refused = 0;
  for (size_t at = 40; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = '\xFE';
    refused += read(damaged).find("error: cannot read 't': ") == 0;
  }
  EXPECT_GT(refused, bytes.size() / 10);
}

/// Before and after chlo.top_k got an attribute, which is not the last one.
TEST(ReadVhlo, TopKOfOlderAndNewerWriters) {
  std::string older = read(artifact("raw_top_k_23.mlirbc"));
  EXPECT_NE(older.find("chlo.top_k(%arg0, k = 3) : tensor<4x10xf32>"),
            std::string::npos)
      << older;
  std::string newer = read(artifact("raw_top_k_24.mlirbc"));
  EXPECT_NE(newer.find("chlo.top_k(%arg0, k = 3) : tensor<4x10xf32>"),
            std::string::npos)
      << newer;
  EXPECT_NE(newer.find("chlo.top_k(%arg0, k = 2, is_stable = false)"),
            std::string::npos)
      << newer;
}

TEST(ReadVhlo, OtherFilesHoldNoBytecode) {
  for (const std::string &bytes :
       {std::string(), std::string("ML\xEF"), std::string(64, '\0'),
        std::string(64, '\xFF'), std::string("module {}")})
    EXPECT_FALSE(vhlo::findBytecode(bytes));
}

TEST(ReadVhlo, UnknownOperationsAreRefused) {
  std::string bytes = artifact("m_1.17.0.mlirbc");
  size_t at = bytes.find("sort_v1");
  ASSERT_NE(at, std::string::npos);
  bytes[at + 6] = '3';
  std::string said = read(bytes);
  EXPECT_NE(said.find("error: cannot read 't': "), std::string::npos) << said;
  EXPECT_NE(said.find("vhlo.sort_v3"), std::string::npos) << said;
  EXPECT_NE(said.find("note: written by 'StableHLO_v1.17.0'"),
            std::string::npos)
      << said;
}

TEST(ReadVhlo, DamagedContainers) {
  // Each of these makes MLIR's own reader write out of bounds, allocate without
  // limit, or not return.
  std::string bytes = artifact("m_1.17.0.mlirbc");
  unsigned refused = 0;
  for (size_t at = 4; at < bytes.size(); at += 5)
    for (char value : {'\0', '\x80', '\xFF'}) {
      std::string damaged = bytes;
      damaged[at] = value;
      refused += read(damaged).find("error: cannot read 't': ") == 0;
    }
  EXPECT_GT(refused, bytes.size() / 10);
}

/// Random changes of an artifact: each is a text or a diagnostic.
TEST(ReadVhlo, MutationsAreDiagnostics) {
  uint64_t seed = testSeed();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  auto below = [&](uint64_t n) { return random() % n; };
  std::vector<std::string> seeds;
  for (const char *name :
       {"m_0.9.0.mlirbc", "m_1.0.0.mlirbc", "m_1.17.0.mlirbc", "sin.jax"})
    seeds.push_back(artifact(name));
  unsigned texts = 0;
  const char *count = std::getenv("MERCATOR_MUTATIONS");
  for (int i = 0, n = count ? atoi(count) : 1000; i < n; ++i) {
    std::string bytes = seeds[below(seeds.size())];
    for (uint64_t changes = 1 + below(3); changes; --changes) {
      size_t at = below(bytes.size());
      switch (below(5)) {
      case 0:
        bytes[at] = char(random());
        break;
      case 1:
        bytes[at] ^= char(1 << below(8));
        break;
      case 2:
        bytes.erase(at, 1 + below(4));
        break;
      case 3:
        bytes.insert(at, 1 + below(4), char(random()));
        break;
      default:
        if (below(8) == 0)
          bytes.resize(at + 1);
        else
          bytes[at] = char(bytes[at] + (below(2) ? 1 : -1));
      }
    }
    if (const char *path = std::getenv("MERCATOR_LAST_MUTATION"))
      consumeError(
          writeFile(path, [&](llvm::raw_ostream &os) { os << bytes; }));
    if (vhlo::findBytecode(bytes))
      texts += read(bytes).find("error: ") != 0;
  }
  // Names, for example, may be any.
  EXPECT_GT(texts, 0u);
}

} // namespace
