// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/compile/Ascend.h"
#include "mercator/compiler/explain/Explain.h"
#include "mercator/compiler/maps/Maps.h"
#include "mercator/compiler/maps/Prove.h"
#include "mercator/compiler/program/Stage.h"
#include "mercator/compiler/run/Conformance.h"
#include "mercator/compiler/run/Run.h"
#include "tests/Folders.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "gtest/gtest.h"

using namespace mercator;

namespace {

constexpr const char *transpose = R"(HloModule m

ENTRY e {
  x = f32[4,8] parameter(0)
  ROOT t = f32[8,4] transpose(x), dimensions={1,0}
}
)";

constexpr const char *negate = R"(module @n {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %y = stablehlo.negate %x : tensor<2xf32>
    func.return %y : tensor<2xf32>
  }
}
)";

constexpr const char *linalg =
    R"(func.func @main(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
  %product = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %exp = linalg.exp ins(%product : tensor<4x2xf32>) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %exp : tensor<4x2xf32>
}
)";

constexpr const char *gather = R"(HloModule g

ENTRY e {
  table = f32[10,4] parameter(0)
  ids = s32[3,1] parameter(1)
  ROOT rows = f32[3,4] gather(table, ids), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}
}
)";

/// Diagnostics as a string.
class CompilationTest : public ::testing::Test {
protected:
  std::unique_ptr<Compilation> load(std::string name, std::string text) {
    return Compilation::load(std::move(name), std::move(text), diagnostics);
  }
  std::string said;
  llvm::raw_string_ostream os{said};
  DiagnosticEngine diagnostics{os};
};

std::string mapText(const MapRecord &record, size_t target = 0) {
  return describe(record.to[target].maps.front()).map;
}

TEST_F(CompilationTest, MapGivesRecordsAsStructs) {
  auto compilation = load("t.hlo", transpose);
  ASSERT_TRUE(compilation) << said;
  EXPECT_EQ(compilation->getName(), "m");
  Answer<std::vector<MapRecord>> records = compilation->map({});
  ASSERT_TRUE(records);
  ASSERT_EQ(records->size(), 1u);
  const MapRecord &record = records->front();
  EXPECT_EQ(record.computation, "e");
  EXPECT_EQ(record.instruction, "t");
  EXPECT_TRUE(record.isOutToIn());
  EXPECT_EQ(record.from, 0u);
  ASSERT_EQ(record.to.size(), 1u);
  EXPECT_EQ(record.to[0].name, "x");
  EXPECT_EQ(mapText(record),
            "(d0, d1) -> (d1, d0), domain: d0 in [0, 7], d1 in [0, 3]");
  EXPECT_EQ(said, "");
}

TEST_F(CompilationTest, RecordsOutliveTheCompilation) {
  auto compilation = load("t.hlo", transpose);
  ASSERT_TRUE(compilation) << said;
  Answer<std::vector<MapRecord>> records = compilation->map(
      {.fused = true, .directions = MapQuery::Directions::Both});
  ASSERT_TRUE(records);
  compilation.reset();
  ASSERT_EQ(records->size(), 2u);
  EXPECT_EQ(mapText((*records)[1]),
            "(d0, d1) -> (d1, d0), domain: d0 in [0, 3], d1 in [0, 7]");
}

TEST_F(CompilationTest, SeveralCompilationsLiveSideBySide) {
  auto first = load("t.hlo", transpose), second = load("n.mlir", negate);
  ASSERT_TRUE(first && second) << said;
  Answer<RunResults> negated =
      second->run({.inputs = {"dense<[1.0, -2.0]> : tensor<2xf32>"}});
  Answer<std::vector<MapRecord>> maps = first->map({.instruction = "t"});
  Answer<std::vector<MapRecord>> others = second->map({});
  ASSERT_TRUE(negated && maps && others) << said;
  EXPECT_EQ(maps->size(), 1u);
  EXPECT_EQ(others->front().instruction, "%y");
  second.reset();
  EXPECT_TRUE(first->map({})) << said;
}

TEST_F(CompilationTest, RunGivesTensors) {
  auto compilation = load("n.mlir", negate);
  ASSERT_TRUE(compilation) << said;
  RunOptions options{.inputs = {"dense<[1.0, -2.0]> : tensor<2xf32>"}};
  EXPECT_EQ(*compilation->countResults(options), 1u);
  Answer<RunResults> results = compilation->run(options);
  ASSERT_TRUE(results) << said;
  EXPECT_EQ(results->function, "main");
  std::vector<ResultLeaf> leaves = leavesOf(*results);
  ASSERT_EQ(leaves.size(), 1u);
  ASSERT_TRUE(leaves[0].tensor());
  EXPECT_EQ(leaves[0].tensor()->at(0).re, -1.0);
  EXPECT_EQ(leaves[0].tensor()->at(1).re, 2.0);
  std::string json;
  llvm::raw_string_ostream jsonStream(json);
  writeJson(*results, jsonStream);
  EXPECT_NE(json.find("\"elements\":[-1.0,2.0]"), std::string::npos) << json;
}

TEST_F(CompilationTest, QuestionsDoNotChangeTheProgram) {
  auto compilation = load("l.mlir", linalg);
  ASSERT_TRUE(compilation) << said;
  std::string once, twice;
  llvm::raw_string_ostream onceStream(once), twiceStream(twice);
  Answer<Explanation> first = compilation->explain({});
  ASSERT_TRUE(first) << said;
  EXPECT_EQ(compilation->compileTo(Stage::Flow, {}, onceStream), ExitCode::Done)
      << said;
  EXPECT_EQ(compilation->compileTo(Stage::Flow, {}, twiceStream),
            ExitCode::Done);
  EXPECT_EQ(once, twice);
  EXPECT_NE(once.find("flow.executable"), std::string::npos);
  Answer<Explanation> second = compilation->explain({});
  ASSERT_TRUE(second) << said;
  std::string firstJson, secondJson;
  llvm::raw_string_ostream firstStream(firstJson), secondStream(secondJson);
  writeJson(*first, firstStream);
  writeJson(*second, secondStream);
  EXPECT_EQ(firstJson, secondJson);
}

TEST_F(CompilationTest, ExplainGivesDispatchesAndReasons) {
  auto compilation = load("l.mlir", linalg);
  ASSERT_TRUE(compilation) << said;
  Answer<Explanation> explanation = compilation->explain({});
  ASSERT_TRUE(explanation) << said;
  ASSERT_EQ(explanation->dispatches.size(), 1u);
  const Explanation::Dispatch &dispatch = explanation->dispatches[0];
  EXPECT_EQ(dispatch.function, "main");
  EXPECT_EQ(dispatch.gives.at(0).bytes, 32);
  EXPECT_EQ(dispatch.reads.size(), 2u);
  ASSERT_FALSE(explanation->edges.empty());
  EXPECT_FALSE(explanation->edges[0].reasons.empty());
}

TEST_F(CompilationTest, ExplainGivesThePlanOfAGather) {
  auto compilation = load("g.hlo", gather);
  ASSERT_TRUE(compilation) << said;
  Answer<Explanation> explanation = compilation->explain({.ascend = true});
  ASSERT_TRUE(explanation) << said;
  EXPECT_EQ(explanation->dispatches.size(), 1u);
  ASSERT_EQ(explanation->gathers.size(), 1u);
  Explanation::Gather rows = explanation->gathers[0];
  compilation.reset(); // an explanation owns its text and its maps
  EXPECT_EQ(rows.instruction, "rows");
  ASSERT_TRUE(rows.takenWay());
  EXPECT_EQ(rows.takenWay()->name, "gather-v2");
  EXPECT_EQ(rows.dimensions.at(0).role, "point");
  EXPECT_EQ(rows.maps.size(), 1u);
  EXPECT_EQ(mapText(rows.maps[0]).substr(0, 27), "(d0, d1){rt0} -> (rt0, d1),");
}

TEST_F(CompilationTest, CompileToAscendWritesTheGraph) {
  auto compilation = load("n.mlir", negate);
  ASSERT_TRUE(compilation) << said;
  std::string text;
  llvm::raw_string_ostream textStream(text);
  EXPECT_EQ(compilation->compileToAscend({}, textStream), ExitCode::Done)
      << said;
  EXPECT_NE(text.find("Neg"), std::string::npos) << text;
}

TEST_F(CompilationTest, ABrokenProgramGivesADiagnostic) {
  EXPECT_FALSE(
      load("b.hlo", "HloModule m\nENTRY e { ROOT x = f32[4 parameter(0) }\n"));
  EXPECT_EQ(said.substr(0, 19), "b.hlo:2:26: error: ");
  for (const char *text : {"", "nonsense", "module {", "HloModule", "\xff\xfe"})
    EXPECT_FALSE(load("b", text)) << text;
}

TEST_F(CompilationTest, AWrongRequestSaysSo) {
  auto compilation = load("t.hlo", transpose);
  ASSERT_TRUE(compilation) << said;
  EXPECT_EQ(compilation->map({.instruction = "nope"}).getFailure(),
            ExitCode::WrongUsage);
  EXPECT_NE(said.find("no instruction 'nope' in 'm'"), std::string::npos);
  EXPECT_EQ(compilation->run({.function = "nope"}).getFailure(),
            ExitCode::WrongUsage);
  EXPECT_EQ(compilation->run({.replicas = 0}).getFailure(),
            ExitCode::WrongUsage);
  EXPECT_EQ(compilation->explain({.ascend = true, .soc = "x"}).getFailure(),
            ExitCode::WrongUsage);
  llvm::raw_null_ostream null;
  EXPECT_EQ(compilation->compileToAscend({.format = "x"}, null),
            ExitCode::WrongUsage);
}

TEST_F(CompilationTest, CustomCallMapsAreStatedOnce) {
  auto compilation = load("c.hlo", R"(HloModule m
ENTRY e {
  x = f32[4,8] parameter(0)
  ROOT r = f32[4] custom-call(x), custom_call_target="rows"
}
)");
  ASSERT_TRUE(compilation) << said;
  SourceBuffer statements(
      "c.maps", "@rows result 0 -> operand 0: (d0)[s0] -> (d0, s0)\n");
  ASSERT_TRUE(succeeded(compilation->stateCustomCallMaps(statements))) << said;
  Answer<std::vector<MapRecord>> records = compilation->map({});
  ASSERT_TRUE(records);
  EXPECT_TRUE(records->front().to[0].maps.isExact());
}

TEST_F(CompilationTest, ProveComparesMaps) {
  SourceBuffer a(
      "a", "(d0) -> (d0 floordiv 4 * 4 + d0 mod 4), domain: d0 in [0, 31]");
  SourceBuffer b("b", "(d0) -> (d0), domain: d0 in [0, 31]");
  SourceBuffer c("c", "(d0) -> (d0 mod 31), domain: d0 in [0, 31]");
  Answer<Proof> equal = prove(a, b, diagnostics);
  ASSERT_TRUE(equal) << said;
  EXPECT_EQ(equal->verdict, Proof::Verdict::Equal);
  Answer<Proof> different = prove(b, c, diagnostics);
  ASSERT_TRUE(different) << said;
  EXPECT_EQ(different->verdict, Proof::Verdict::Different);
  ASSERT_TRUE(different->counterexample);
  EXPECT_EQ(different->counterexample->dims, std::vector<int64_t>{31});
  SourceBuffer wrong("w", "(d0) -> (d1)");
  EXPECT_EQ(prove(a, wrong, diagnostics).getFailure(), ExitCode::InputRejected);
  EXPECT_EQ(said.substr(0, 2), "w:");
}

TEST_F(CompilationTest, SimplifyGivesStepsAndAProof) {
  SourceBuffer map("m", "(d0) -> (d0 mod 8), domain: d0 in [0, 7]");
  Answer<Simplified> simplified = simplify(map, diagnostics);
  ASSERT_TRUE(simplified) << said;
  EXPECT_EQ(simplified->after, "(d0) -> (d0), domain: d0 in [0, 7]");
  EXPECT_FALSE(simplified->steps.empty());
  EXPECT_EQ(simplified->proof.verdict, Proof::Verdict::Equal);
}

TEST_F(CompilationTest, ConformanceCountsCases) {
  std::vector<std::string> paths = {sourceFolder() + "/examples/checks.mlir"};
  Answer<ConformanceReport> report = runConformance(paths, diagnostics);
  ASSERT_TRUE(report) << said;
  EXPECT_EQ(report->files.size(), 1u);
  EXPECT_GT(report->total[Outcome::Pass], 0);
  EXPECT_EQ(report->total[Outcome::Fail], 0);
  EXPECT_FALSE(
      runConformance(std::vector<std::string>{"/nowhere"}, diagnostics));
}

} // namespace
