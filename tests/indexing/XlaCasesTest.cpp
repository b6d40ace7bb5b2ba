// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The maps of XLA's own tests, if their table is available: a JSON file of
// cases outside the source tree. They are compared by meaning. Differences in
// the text are printed and are not failures.

#include "mercator/indexing/simplify/Simplify.h"
#include "mercator/support/File.h"
#include "tests/Folders.h"

#include "Equivalence.h"
#include "MapText.h"

#include "llvm/Support/JSON.h"

#include <cstdlib>

using namespace mercator;
using namespace mercator::indexing;

namespace {

/// An array of cases; empty if the file is absent.
llvm::json::Array readCases(llvm::StringRef file) {
  std::string folder = sharedFolder();
  llvm::Expected<std::string> text =
      readFile(folder + "/data/xla-cases/" + file.str());
  if (!text) {
    llvm::consumeError(text.takeError());
    return {};
  }
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(*text);
  if (!value || !value->getAsArray()) {
    ADD_FAILURE() << file.str() << " is no JSON array";
    return {};
  }
  return std::move(*value->getAsArray());
}

std::string field(const llvm::json::Object &object, llvm::StringRef name) {
  return object.getString(name).value_or("").str();
}

bool hasOp(const llvm::json::Object &object, llvm::StringRef op) {
  if (const llvm::json::Array *ops = object.getArray("ops"))
    for (const llvm::json::Value &value : *ops)
      if (value.getAsString() == op)
        return true;
  return false;
}

/// KNOWN EMPTY is an empty map of any rank.
Map expectedMap(Arena &arena, llvm::StringRef text, const Map &like) {
  Map map = mapOf(arena, text);
  if (text == "KNOWN EMPTY") {
    map = like;
    map.domain.knownEmpty = true;
  }
  return map;
}

void expectSame(const Map &a, const Map &b, const std::string &name) {
  RandomMap random(testSeed());
  Equivalence check(a, b, random);
  auto difference = check.differencePointwise();
  EXPECT_EQ(difference, std::nullopt)
      << name << ": " << *difference << "\nMERCATOR_SEED=" << testSeed();
}

void remark(const std::string &name, const std::string &ours,
            const std::string &theirs) {
  if (ours != theirs)
    std::cout << name << "\n  ours:   " << ours << "\n  theirs: " << theirs
              << '\n';
}

/// Enumeration refutes an expectation of XLA's tests: a division by a negative
/// constant gives the wrong interval. For s0 / -3 in [-11, -5]:
///
///   s0 = 13: floor(13 / -3) = floor(-4.33) = -5    in the domain
///   s0 = 12: floor(12 / -3) = -4                   not
///   s0 = 33: floor(33 / -3) = -11                  in the domain
///   s0 = 34: floor(34 / -3) = floor(-11.33) = -12  not
///
/// so that s0 is in [13, 33], where they expect [15, 35].
TEST(XlaCases, TheirDivisionByANegativeConstantIsWrong) {
  Arena arena;
  Map before = mapOf(arena, "(d0)[s0] -> (d0), domain: d0 in [0, 99], "
                            "s0 in [-99, 99], s0 / -3 in [-11, -5]");
  Map theirs = mapOf(arena, "(d0)[s0] -> (d0), domain: d0 in [0, 99], "
                            "s0 in [15, 35]");
  RandomMap random(testSeed());
  EXPECT_NE(Equivalence(before, theirs, random).differencePointwise(),
            std::nullopt);
  Map ours = simplify(before, {.dropUnused = false});
  EXPECT_EQ(toString(ours),
            "(d0)[s0] -> (d0), domain: d0 in [0, 99], s0 in [13, 33]");
  expectSame(before, ours, "ours");
}

TEST(XlaCases, Simplify) {
  llvm::json::Array cases = readCases("simplify.json");
  if (cases.empty())
    GTEST_SKIP() << "data/xla-cases/simplify.json is not at hand";
  for (const llvm::json::Value &value : cases) {
    const llvm::json::Object &object = *value.getAsObject();
    std::string name = field(object, "name");
    Arena arena;
    Map before = mapOf(arena, field(object, "before"));
    Map after = expectedMap(arena, field(object, "after"), before);
    SimplifyOptions options{.foldPoints =
                                !hasOp(object, "Simplify(preserve_points)"),
                            .dropUnused = false};
    Map ours = simplify(before, options);
    expectSame(before, ours, name);
    expectSame(after, ours, name);
    EXPECT_EQ(ours.isKnownEmpty(), field(object, "after") == "KNOWN EMPTY");
    EXPECT_EQ(simplify(ours, options), ours) << name;
    if (!ours.isKnownEmpty())
      remark(name, toString(ours), field(object, "after"));
  }
}

TEST(XlaCases, Extra) {
  llvm::json::Array cases = readCases("extra.json");
  if (cases.empty())
    GTEST_SKIP() << "data/xla-cases/extra.json is not at hand";
  unsigned used = 0;
  for (const llvm::json::Value &value : cases) {
    const llvm::json::Object &object = *value.getAsObject();
    std::string name = field(object, "name"), kind = field(object, "kind");
    Arena arena;
    if (kind == "compose") {
      Map first = mapOf(arena, field(object, "first"));
      Map second = mapOf(arena, field(object, "second"));
      if (field(object, "first") == "KNOWN EMPTY")
        first = Map::makeEmpty(arena, 1, second.numDims());
      if (field(object, "second") == "KNOWN EMPTY")
        second = Map::makeEmpty(arena, first.numResults(), 1);
      Map composed = compose(first, second);
      Map ours = simplify(composed);
      expectSame(composed, simplify(composed, {.dropUnused = false}), name);
      if (field(object, "expected") == "KNOWN EMPTY") {
        EXPECT_TRUE(ours.isKnownEmpty()) << name;
        continue;
      }
      // XLA lists the ranges of the second map first.
      Map expected = mapOf(arena, field(object, "expected"));
      RandomMap random(testSeed());
      Equivalence check(expected, ours, random);
      auto difference = check.differenceOfRelations();
      EXPECT_EQ(difference, std::nullopt) << name << ": " << *difference;
      remark(name, toString(ours), toString(expected));
    } else if (kind == "parse_print") {
      Map map = simplify(mapOf(arena, field(object, "input")));
      std::string expected = field(object, "expected");
      if (expected == "KNOWN EMPTY")
        EXPECT_TRUE(map.isKnownEmpty()) << name;
      else
        EXPECT_EQ(toString(map), expected) << name;
    } else if (kind == "idempotent") {
      Map once = simplify(mapOf(arena, field(object, "before")));
      EXPECT_EQ(simplify(once), once) << name;
    } else if (kind == "roundtrip") {
      Map map = mapOf(arena, field(object, "input"));
      EXPECT_EQ(mapOf(arena, toString(map)), map) << name;
      remark(name, toString(map), field(object, "input"));
    } else if (kind == "transform" && hasOp(object, "RemoveUnusedSymbols")) {
      Map before = mapOf(arena, field(object, "before"));
      EXPECT_EQ(toString(removeUnused(before, UnusedVars::Ranges)),
                field(object, "after"))
          << name;
    } else {
      // The remaining transformations: RemoveUnusedVars drops dimensions and
      // RescaleSymbols changes the meaning of a variable, which we do not do.
      // Tiles and coalescing have their own tests.
      continue;
    }
    ++used;
  }
  EXPECT_GT(used, 0u);
}

} // namespace
