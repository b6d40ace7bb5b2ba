// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expectations of XLA's own tests, as far as the shared folder has them
// (xla-cases): each program through `mercator map`, each map compared by
// meaning. If XLA is known to be wrong or to over-approximate, a list below
// gives the correct map; the test checks that every entry of the list is used.

#include "Snippet.h"

#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/frontends/hlo/Import.h"
#include "mercator/frontends/hlo/Parser.h"
#include "mercator/indexing/decide/Prove.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/indexing/operations/TensorMaps.h"
#include "mercator/indexing/simplify/Simplify.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>
#include <set>

using namespace mercator;
using namespace mercator::e2e;
using namespace mercator::indexing;
using llvm::StringRef;

namespace {
/// An array of the shared folder; empty if it is absent.
llvm::json::Array readCases(StringRef file) {
  std::optional<std::string> folder = sharedData();
  if (!folder)
    return {};
  auto buffer =
      llvm::MemoryBuffer::getFile(*folder + "/data/xla-cases/" + file.str());
  if (!buffer)
    return {};
  auto parsed = llvm::json::parse((*buffer)->getBuffer());
  if (!parsed) {
    ADD_FAILURE() << llvm::toString(parsed.takeError());
    return {};
  }
  return *parsed->getAsArray();
}

/// The name of the entry's instruction marked ROOT, or of the last one.
std::string rootOf(StringRef hlo) {
  size_t entry = hlo.find("ENTRY");
  StringRef text = entry == StringRef::npos ? hlo : hlo.substr(entry);
  size_t root = text.find("ROOT ");
  EXPECT_NE(root, StringRef::npos);
  return text.substr(root + 5).ltrim("% ").split(' ').first.str();
}

std::vector<std::string> strings(const llvm::json::Array &array) {
  std::vector<std::string> result;
  for (const llvm::json::Value &value : array)
    result.push_back(value.getAsString()->str());
  return result;
}

using Maps = std::vector<std::string>;

/// The correct map where XLA's expectation is wrong, by "test/operand", with
/// "in" before the operand for in-to-out and "/result1" after it for another
/// result.
struct Correction {
  const char *why;
  Maps maps;
  bool exact = true;
};
const std::map<std::string, Correction> corrections = {
    {"DynamicUpdateSliceOp/0",
     {"XLA gives the elements that the update covers, too",
      {"(d0, d1){rt0, rt1} -> (d0, d1), domain: d0 in [0, 19], d1 in [0, 29], "
       "rt0 in [0, 15], rt1 in [0, 20], max(max(rt0 - 1 - d0, d0 - rt0 - 5), "
       "max(rt1 - 1 - d1, d1 - rt1 - 10)) in [0, inf]"}}},
    {"DynamicUpdateSliceOp/1",
     {"XLA gives coordinates outside the update, and negative ones",
      {"(d0, d1){rt0, rt1} -> (d0 - rt0, d1 - rt1), domain: d0 in [0, 19], d1 "
       "in [0, 29], rt0 in [0, 15], rt1 in [0, 20], d0 - rt0 in [0, 4], d1 - "
       "rt1 in [0, 9]"}}},
    // Batch of group g of the output: its features are [3g, 3g + 2].
    {"ConvolutionOp_BatchGroups/0",
     {"XLA gives the batches of all groups: seven times what is read",
      {"(d0, d1, d2, d3)[s0, s1, s2] -> ((d3 floordiv 3) * 2 + d0, d1 + s0, d2 "
       "+ s1, s2), domain: d0 in [0, 1], d1 in [0, 9], d2 in [0, 5], d3 in [0, "
       "20], s0 in [0, 2], s1 in [0, 4], s2 in [0, 3]"}}},
    {"PadOp/1",
     {"XLA reads the padding value for elements that come from the operand",
      {"(d0, d1) -> (), domain: d0 in [0, 11], d1 in [0, 15], max(max(0 - d0, "
       "d0 - 8), max((d0 - 1) mod 2 - 1, max(3 - d1, d1 - 8))) in [0, inf]"}}},
    {"PadOpNegativePadding/1",
     {"XLA reads the padding value for elements that come from the operand",
      {"(d0) -> (), domain: d0 in [0, 4], (d0 + 3) mod 2 in [1, 1]"}}},
    // The two sums of the combiner are independent.
    {"ReduceWindowOp_Variadic/1",
     {"XLA reads what the combiner ignores",
      {"(d0, d1) -> (0, 0), KNOWN EMPTY"}}},
    {"ReduceWindowOp_Variadic/3",
     {"XLA reads what the combiner ignores", {"(d0, d1) -> (), KNOWN EMPTY"}}},
    {"ReduceWindowOp_Variadic/0/result1",
     {"XLA reads what the combiner ignores",
      {"(d0, d1) -> (0, 0), KNOWN EMPTY"}}},
    {"ReduceWindowOp_Variadic/2/result1",
     {"XLA reads what the combiner ignores", {"(d0, d1) -> (), KNOWN EMPTY"}}},
    // The body of this scan keeps input and carry separate.
    {"ScanOp/1",
     {"XLA reads the carry, which the body ignores",
      {"(d0) -> (), KNOWN EMPTY"}}},
    {"AllGatherOp/0",
     {"the device, which XLA gives beside the map, is part of ours",
      {"(d0, d1, device) -> (d0, d1 mod 128, (device / 2) * 2 + d1 / 128), "
       "domain: d0 in [0, 127], d1 in [0, 255], device in [0, 3]"}}},
    {"ScanOp/0/result1",
     {"XLA reads the input, which the body ignores",
      {"() -> (0), KNOWN EMPTY"}}},
};

llvm::SmallVector<int64_t> inverse(llvm::ArrayRef<int64_t> permutation) {
  llvm::SmallVector<int64_t> out(permutation.size());
  for (auto [i, dim] : llvm::enumerate(permutation))
    out[dim] = i;
  return out;
}

/// Maps between the elements of a computation's only parameter and those of its
/// root, between tensors whose dimensions are in memory order.
Maps inMemory(const Maps &maps, bool inToOut, StringRef hlo) {
  std::string said;
  llvm::raw_string_ostream os(said);
  SourceBuffer source("t.hlo", hlo.str());
  DiagnosticEngine diagnostics(os);
  std::unique_ptr<hlo::Module> parsed = hlo::parse(source, diagnostics);
  EXPECT_TRUE(parsed) << said;
  mlir::MLIRContext context;
  auto module = hlo::importHlo(*parsed, source, context, diagnostics);
  mlir::func::FuncOp entry;
  module->walk([&](mlir::func::FuncOp f) {
    if (f->hasAttr(hlo::kEntryAttr))
      entry = f;
  });
  auto typeOf = [](mlir::Type type) {
    return llvm::cast<mlir::RankedTensorType>(type);
  };
  mlir::RankedTensorType in = typeOf(entry.getArgumentTypes().front()),
                         out = typeOf(entry.getResultTypes().front());
  // From the slowest dimension to the fastest.
  auto order = [](mlir::RankedTensorType type) {
    llvm::SmallVector<int64_t> dims = hlo::minorToMajor(type);
    std::reverse(dims.begin(), dims.end());
    return dims;
  };
  Arena arena;
  Maps result;
  for (const std::string &text : maps) {
    mlir::RankedTensorType from = inToOut ? in : out, to = inToOut ? out : in;
    llvm::SmallVector<int64_t> sizes;
    for (int64_t dim : order(from))
      sizes.push_back(from.getDimSize(dim));
    Map logical = compose(
        transpose(arena, Direction::InToOut, sizes, inverse(order(from))),
        parse(arena, text));
    result.push_back(
        toString(compose(logical, transpose(arena, Direction::InToOut,
                                            to.getShape(), order(to)))));
  }
  return result;
}

/// One case and one operand. Returns the key of the correction that was used.
void check(const Answer &answer, const std::string &key, Maps expected,
           std::set<std::string> &unused) {
  // Where XLA gives up, there is still an answer.
  if (expected == Maps{"UNDEFINED"}) {
    EXPECT_FALSE(answer.maps.empty()) << key;
    return;
  }
  auto correction = corrections.find(key);
  bool exact = true;
  if (correction != corrections.end()) {
    unused.erase(key);
    EXPECT_FALSE(sameMaps(answer.maps, expected))
        << key << ": the correction is not needed";
    expected = correction->second.maps;
    exact = correction->second.exact;
  }
  EXPECT_TRUE(sameMaps(answer.maps, expected)) << key;
  // A map as exact as XLA's may still be an over-approximation.
  if (!exact)
    for (const std::string &reason : answer.reasons)
      EXPECT_NE(reason, "") << key;
}
} // namespace

TEST(XlaCases, Analysis) {
  llvm::json::Array cases = readCases("analysis.json");
  if (cases.empty())
    GTEST_SKIP() << "the folder of shared data is absent";
  std::set<std::string> unused;
  for (const auto &[name, correction] : corrections)
    unused.insert(name);
  for (const llvm::json::Value &value : cases) {
    const llvm::json::Object &c = *value.getAsObject();
    std::string name = c.getString("name")->str();
    bool inToOut = *c.getString("direction") == "input_to_output";
    unsigned from = *c.getInteger(inToOut ? "input_id" : "output_id");
    StringRef hlo = *c.getString("hlo");
    std::string root = rootOf(hlo);
    Snippet snippet(hlo);
    // Out-to-in the list goes over operands, in-to-out over results.
    for (auto [i, expected] :
         llvm::enumerate(*c.getArray("expected_by_operand"))) {
      unsigned operand = inToOut ? from : i, result = inToOut ? i : from;
      std::string key =
          name + (inToOut ? "/in" : "/") + std::to_string(operand);
      if (!inToOut && from != 0)
        key += "/result" + std::to_string(from);
      Answer answer = snippet.ask(root, inToOut, operand, result);
      if (*c.getBoolean("physical_layout"))
        answer.maps = inMemory(answer.maps, inToOut, hlo);
      check(answer, key, strings(*expected.getAsArray()), unused);
    }
  }
  EXPECT_TRUE(unused.empty()) << *unused.begin();
}

// XLA's groups by instruction are queried here with --fused, for the
// parameters.
TEST(XlaCases, ThroughTheComputation) {
  llvm::json::Array cases = readCases("extra.json");
  if (cases.empty())
    GTEST_SKIP() << "the folder of shared data is absent";
  unsigned checked = 0;
  for (const llvm::json::Value &value : cases) {
    const llvm::json::Object &c = *value.getAsObject();
    std::string name = c.getString("name")->str();
    if (name == "ComputeGroupedOutputToInputIndexing") {
      Snippet p(*c.getString("hlo"));
      p.fused().reads(
          "a0", 0,
          strings(llvm::json::Array{*c.getObject("expected")
                                         ->getArray("root->operand(0)")
                                         ->front()
                                         .getAsObject()
                                         ->getString("map"),
                                    *c.getObject("expected")
                                         ->getArray("root->operand(0)")
                                         ->back()
                                         .getAsObject()
                                         ->getString("map")}));
      ++checked;
    }
    if (name == "ComputeGroupedOutputToInputIndexing_StartNotAtRoot") {
      Snippet p(*c.getString("hlo"));
      p.fused().reads("p0_bcast", 0,
                      {c.getObject("expected")
                           ->getArray("root->operand(0)->operand(0)")
                           ->front()
                           .getAsObject()
                           ->getString("map")
                           ->str()});
      ++checked;
    }
    // The device, which XLA gives as a separate map, is part of the map.
    if (name == "AllGatherDotFusion_GatherNonContractingDim") {
      Snippet p(*c.getString("hlo"));
      p.fused().reads("dot", 0,
                      {"(d0, d1, device)[s0] -> (d0 mod 64, s0, d0 / 64), "
                       "domain: d0 in [0, 127], d1 in [0, 127], device in [0, "
                       "1], s0 in [0, 255]"});
      ++checked;
    }
    // XLA does not support this one.
    if (name == "ChainedAllGatherFusion") {
      Snippet p(*c.getString("hlo"));
      p.fused().reads("all-gather.1", 0,
                      {"(d0, device) -> (d0 mod 128, (d0 / 128) mod 2), "
                       "domain: d0 in [0, 511], device in [0, 1]"});
      ++checked;
    }
    // From a parameter to itself: nothing is in between.
    if (name == "ComputeGroupedOutputToInputIndexing_SingleOp") {
      Arena arena;
      EXPECT_TRUE(parse(arena, *c.getObject("expected")
                                    ->getArray("parameter")
                                    ->front()
                                    .getAsObject()
                                    ->getString("map"))
                      .isIdentity());
      ++checked;
    }
    // From the transpose to the root, and the transpose before it.
    if (name == "EpilogueIndexing") {
      Snippet p(*c.getString("hlo"));
      Answer whole = p.fused().ask("log", /*inToOut=*/true, 0, 0);
      ASSERT_EQ(whole.maps.size(), 1u);
      Arena arena;
      Map transpose = parse(
          arena, "(d0, d1) -> (d1, d0), domain: d in [0, 999] x [0, 999]");
      Map expected = compose(transpose, parse(arena, *c.getString("expected")));
      EXPECT_EQ(prove(expected, parse(arena, whole.maps.front())).kind,
                Decision::Kind::Yes)
          << whole.maps.front();
      ++checked;
    }
  }
  EXPECT_EQ(checked, 6u);
}

// Tiles and coalescing belong to later commands. Their programs must be
// accepted in both directions and without diagnostics.
TEST(XlaCases, ProgramsOfOtherQuestions) {
  llvm::json::Array cases = readCases("extra.json");
  if (cases.empty())
    GTEST_SKIP() << "the folder of shared data is absent";
  for (const llvm::json::Value &value : cases) {
    const llvm::json::Object &c = *value.getAsObject();
    std::optional<StringRef> hlo = c.getString("hlo");
    if (!hlo)
      continue;
    Outcome outcome = Snippet(*hlo).run({"--direction=both"});
    EXPECT_EQ(outcome.code, 0) << c.getString("name")->str();
    EXPECT_EQ(outcome.err, "") << c.getString("name")->str();
    EXPECT_NE(outcome.out, "") << c.getString("name")->str();
  }
}

TEST(XlaCases, Compose) {
  llvm::json::Array cases = readCases("extra.json");
  if (cases.empty())
    GTEST_SKIP() << "the folder of shared data is absent";
  for (const llvm::json::Value &value : cases) {
    const llvm::json::Object &c = *value.getAsObject();
    if (*c.getString("kind") != "compose")
      continue;
    Arena arena;
    Map first = parse(arena, *c.getString("first")),
        second = parse(arena, *c.getString("second"));
    // A text without ranks composes with anything.
    if (first.numResults() != second.numDims()) {
      EXPECT_TRUE(first.isKnownEmpty() || second.isKnownEmpty());
      continue;
    }
    Verdict verdict =
        prove(compose(first, second), parse(arena, *c.getString("expected")));
    EXPECT_EQ(verdict.kind, Decision::Kind::Yes)
        << c.getString("name")->str() << ": "
        << toString(simplify(compose(first, second)));
  }
}

// `transform`: a rescaled symbol writes the same relation, and so does a map
// without unused symbols. Dimensions are coordinates here and are never
// dropped, so XLA's RemoveUnusedVars has no counterpart.
TEST(XlaCases, Transform) {
  llvm::json::Array cases = readCases("extra.json");
  if (cases.empty())
    GTEST_SKIP() << "the folder of shared data is absent";
  unsigned checked = 0;
  for (const llvm::json::Value &value : cases) {
    const llvm::json::Object &c = *value.getAsObject();
    if (*c.getString("kind") != "transform")
      continue;
    Arena arena;
    Map before = parse(arena, *c.getString("before")),
        after = parse(arena, *c.getString("after"));
    if (before.numDims() != after.numDims())
      continue;
    EXPECT_EQ(prove(before, after).kind, Decision::Kind::Yes)
        << c.getString("name")->str();
    if (strings(*c.getArray("ops")) == Maps{"RemoveUnusedSymbols"})
      EXPECT_EQ(removeUnused(before), after);
    ++checked;
  }
  EXPECT_EQ(checked, 3u);
}

TEST(XlaCases, Text) {
  llvm::json::Array cases = readCases("extra.json");
  if (cases.empty())
    GTEST_SKIP() << "the folder of shared data is absent";
  unsigned checked = 0;
  for (const llvm::json::Value &value : cases) {
    const llvm::json::Object &c = *value.getAsObject();
    StringRef kind = *c.getString("kind");
    Arena arena;
    if (kind == "roundtrip") {
      Map map = parse(arena, *c.getString("input"));
      EXPECT_EQ(parse(arena, toString(map)), map) << toString(map);
    } else if (kind == "parse_print") {
      Map map = simplify(parse(arena, *c.getString("input")));
      EXPECT_EQ(prove(map, parse(arena, *c.getString("expected"))).kind,
                Decision::Kind::Yes)
          << toString(map);
    } else if (kind == "idempotent") {
      Map map = simplify(parse(arena, *c.getString("before")));
      EXPECT_EQ(simplify(map), map) << toString(map);
    } else {
      continue;
    }
    ++checked;
  }
  EXPECT_EQ(checked, 11u);
}
