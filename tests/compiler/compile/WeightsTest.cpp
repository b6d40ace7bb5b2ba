// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/compile/Ascend.h"
#include "mercator/compiler/run/Run.h"
#include "mercator/runtime/Npz.h"
#include "mercator/support/File.h"
#include "tests/Seed.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace mercator;

namespace {

struct ElementCase {
  const char *text;
  NpyType type;
};
constexpr ElementCase elementCases[] = {
    {"f16", {NpyKind::Real, 2}},
    {"bf16", {NpyKind::Raw, 2}},
    {"f32", {NpyKind::Real, 4}},
    {"f64", {NpyKind::Real, 8}},
    {"i8", {NpyKind::SignedInt, 1}},
    {"i16", {NpyKind::SignedInt, 2}},
    {"i32", {NpyKind::SignedInt, 4}},
    {"i64", {NpyKind::SignedInt, 8}},
    {"ui8", {NpyKind::UnsignedInt, 1}},
    {"ui32", {NpyKind::UnsignedInt, 4}},
    {"i1", {NpyKind::Boolean, 1}},
    {"complex<f32>", {NpyKind::Complex, 8}}};

/// A folder that the test leaves empty.
class WeightsTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("weights", folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string save(const char *name, const std::vector<NpzMember> &members) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    llvm::cantFail(writeFile(
        path, [&](llvm::raw_ostream &os) { os << *printNpz(members); }));
    return std::string(path);
  }
  /// The bytes of the results, in order.
  std::vector<std::string> run(const std::string &name, const std::string &text,
                               std::vector<std::string> inputs) {
    auto compilation =
        Compilation::load(name, text, diagnostics, {.air = true});
    EXPECT_TRUE(compilation) << said;
    Answer<RunResults> results =
        compilation->run({.inputs = std::move(inputs)});
    EXPECT_TRUE(results) << said;
    std::vector<std::string> bytes;
    for (const ResultLeaf &leaf : leavesOf(*results))
      bytes.emplace_back(reinterpret_cast<const char *>(leaf.tensor()->data()),
                         leaf.tensor()->byteSize());
    return bytes;
  }

  llvm::SmallString<128> folder;
  std::string said;
  llvm::raw_string_ostream os{said};
  DiagnosticEngine diagnostics{os};
};

/// An input `xI` with random elements. Some arrays repeat one element.
NpzMember randomInput(unsigned number, const ElementCase &element,
                      std::mt19937_64 &random) {
  NpzMember member{"x" + std::to_string(number), {element.type, {}, ""}};
  size_t size = element.type.bytes;
  for (unsigned rank = random() % 3; rank > 0; --rank) {
    member.array.shape.push_back(int64_t(random() % 4));
    size *= size_t(member.array.shape.back());
  }
  bool isSplat = random() % 4 == 0;
  for (size_t i = 0; i < size; ++i)
    member.array.elements += isSplat && i >= element.type.bytes
                                 ? member.array.elements[i - element.type.bytes]
                             : element.type.kind == NpyKind::Boolean
                                 ? char(random() % 2)
                                 : char(random());
  return member;
}

std::string typeOf(const NpzMember &member, const ElementCase &element) {
  std::string text = "tensor<";
  for (int64_t extent : member.array.shape)
    text += std::to_string(extent) + "x";
  return text + element.text + ">";
}

// For any inputs I, any part B of them and any arrays A: the graph with B bound
// to A[B] gives for A[I - B] what the program gives for A. Bytes are compared.
TEST_F(WeightsTest, RandomInputsAreBound) {
  SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(testSeed()));
  std::mt19937_64 random(testSeed());
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    std::vector<NpzMember> all, bound, rest;
    std::vector<std::string> parameters, types, names;
    for (unsigned i = 0, e = 1 + random() % 6; i < e; ++i) {
      const ElementCase &element =
          elementCases[random() % std::size(elementCases)];
      NpzMember member = randomInput(i, element, random);
      types.push_back(typeOf(member, element));
      names.push_back("%" + member.name);
      parameters.push_back(names.back() + ": " + types.back());
      all.push_back(member);
      (random() % 2 ? bound : rest).push_back(member);
    }
    if (bound.empty())
      continue;
    std::string program = "func.func @main(" + llvm::join(parameters, ", ") +
                          ") -> (" + llvm::join(types, ", ") +
                          ") {\n  return " + llvm::join(names, ", ") + " : " +
                          llvm::join(types, ", ") + "\n}\n";
    SCOPED_TRACE(program);
    // The order of the arrays has no meaning.
    std::shuffle(bound.begin(), bound.end(), random);
    std::string file = save("bound.npz", bound);
    std::vector<std::string> restFiles;
    if (!rest.empty())
      restFiles.push_back(save("rest.npz", rest));

    std::vector<std::string> want =
        run("m.mlir", program, {save("all.npz", all)});
    auto compilation = Compilation::load("m.mlir", program, diagnostics);
    ASSERT_TRUE(compilation) << said;
    std::string graph, again, airText;
    llvm::raw_string_ostream graphStream(graph), againStream(again),
        airStream(airText);
    ASSERT_EQ(compilation->compileToAscend({.format = "air", .weights = file},
                                           graphStream),
              ExitCode::Done)
        << said;
    EXPECT_EQ(run("m.air", graph, restFiles), want);
    // The same for the inputs of a graph.
    ASSERT_EQ(compilation->compileToAscend({.format = "air"}, airStream),
              ExitCode::Done)
        << said;
    auto air = Compilation::load("m.air", airText, diagnostics, {.air = true});
    ASSERT_TRUE(air) << said;
    ASSERT_EQ(
        air->compileToAscend({.format = "air", .weights = file}, againStream),
        ExitCode::Done)
        << said;
    EXPECT_EQ(run("m.air", again, restFiles), want);
  }
}

// A question does not change the answers to others, not even after an error.
TEST_F(WeightsTest, TheProgramKeepsItsInputs) {
  auto compilation = Compilation::load(
      "m.mlir",
      "func.func @main(%x: tensor<2xf32>, %w: tensor<2xf32>) -> tensor<2xf32> "
      "{\n  %0 = stablehlo.add %x, %w : tensor<2xf32>\n  return %0 : "
      "tensor<2xf32>\n}\n",
      diagnostics);
  ASSERT_TRUE(compilation) << said;
  auto graph = [&](std::optional<std::string> weights) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    (void)compilation->compileToAscend({.weights = weights}, stream);
    return text;
  };
  std::string plain = graph(std::nullopt);
  NpyArray array{{NpyKind::Real, 4}, {2}, std::string(8, '\0')};
  EXPECT_NE(graph(save("w.npz", {{"w", array}})), plain);
  EXPECT_EQ(said, "");
  EXPECT_EQ(graph(save("v.npz", {{"w", array}, {"v", array}})), "");
  EXPECT_NE(said, "");
  EXPECT_EQ(graph(std::nullopt), plain);
}

} // namespace
