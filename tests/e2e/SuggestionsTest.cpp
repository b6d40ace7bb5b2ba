// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each `help:` of `mercator explain` is tried: with it, the two operations share
// a dispatch. Of the larger programs some are drawn, and all of them with
//
//   MERCATOR_SUGGESTIONS=all

#include "Snippet.h"
#include "tests/Scale.h"

#include <cstdlib>

using namespace mercator;
using namespace mercator::e2e;

namespace {
class Suggestions : public testing::TestWithParam<const char *> {};

struct Edge {
  std::string key, help;
  bool inside;
};

/// The calls of a function have its lines: equal edges are numbered.
class Numbers {
public:
  std::string next(const std::string &key) {
    return key + " #" + std::to_string(++seen[key]);
  }

private:
  std::map<std::string, int> seen;
};
} // namespace

static std::vector<Edge> edgesOf(const char *path, const char *option) {
  std::vector<const char *> arguments = {"explain", path, "--json"};
  if (option)
    arguments.push_back(option);
  Outcome outcome = runCommand(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::vector<Edge> edges;
  Numbers numbers;
  auto parsed = llvm::json::parse(outcome.out);
  if (!parsed) {
    ADD_FAILURE() << llvm::toString(parsed.takeError());
    return edges;
  }
  for (const llvm::json::Value &value :
       *parsed->getAsObject()->getArray("edges")) {
    const llvm::json::Object &edge = *value.getAsObject();
    std::string key = (*edge.getString("function") + " " +
                       *edge.getString("at") + " " + *edge.getString("edge"))
                          .str();
    edges.push_back({numbers.next(key),
                     edge.getString("help").value_or("").str(),
                     *edge.getBoolean("inside")});
  }
  return edges;
}

TEST_P(Suggestions, PutTheTwoOperationsIntoOneDispatch) {
  std::optional<std::string> folder = sharedData();
  if (!folder)
    GTEST_SKIP() << "the folder of shared data is absent";
  std::string path = *folder + "/data/" + GetParam();
  std::vector<Edge> before = edgesOf(path.c_str(), nullptr);
  llvm::erase_if(before, [](const Edge &edge) { return edge.help.empty(); });
  const char *all = std::getenv("MERCATOR_SUGGESTIONS");
  size_t most = all ? before.size() : cases(10);
  size_t step = std::max<size_t>(1, before.size() / std::max<size_t>(1, most));
  for (size_t i = 0; i < before.size(); i += step) {
    std::string option = llvm::StringRef(before[i].help)
                             .take_until([](char c) { return c == ' '; })
                             .str();
    ASSERT_TRUE(llvm::StringRef(option).starts_with("--fuse="));
    bool found = false;
    for (const Edge &edge : edgesOf(path.c_str(), option.c_str()))
      if (edge.key == before[i].key) {
        found = true;
        EXPECT_TRUE(edge.inside) << edge.key << "\n" << option;
      }
    EXPECT_TRUE(found) << before[i].key << "\n" << option;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Programs, Suggestions,
    testing::Values("blocks/attention.mlir", "blocks/convbnrelupool.mlir",
                    "blocks/embedding.mlir", "blocks/gelumlp.mlir",
                    "blocks/layernorm.mlir", "blocks/rope.mlir",
                    "blocks/sdpa.mlir", "blocks/softmax.mlir",
                    "blocks/train.mlir", "models/mnist.mlir",
                    "models/lstm.mlir", "models/jax_resnet_50.mlir",
                    "models/pt_bert.mlir", "models/searchless_chess_9m.mlir"),
    [](const auto &info) {
      llvm::StringRef name = info.param;
      return name.split('/').second.split('.').first.str();
    });
