// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of the rows of rules/*.rules; rules/README.md defines a row and its
// conditions.

#include "mercator/indexing/simplify/Simplify.h"
#include "mercator/support/File.h"

#include "tests/Folders.h"
#include "tests/indexing/Equivalence.h"
#include "tests/indexing/MapText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace mercator;
using namespace mercator::indexing;

namespace {

struct Row {
  std::string place, section, left, right;
  bool same = false, normalForm = false;
};

std::vector<Row> readRows() {
  std::vector<Row> rows;
  std::vector<std::string> files;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator
           it(sourceFolder() + "/tests/indexing/simplify/rules", code),
       end;
       !code && it != end; it.increment(code))
    if (llvm::StringRef(it->path()).ends_with(".rules"))
      files.push_back(it->path());
  llvm::sort(files);
  for (const std::string &file : files) {
    std::string text = llvm::cantFail(readFile(file)), section;
    unsigned number = 0;
    for (llvm::StringRef line : llvm::split(text, '\n')) {
      ++number;
      line = line.trim();
      if (line.empty() || line.starts_with("#"))
        continue;
      llvm::StringRef name = line;
      if (name.consume_front("[") && name.consume_back("]") &&
          llvm::all_of(name, llvm::isAlpha)) {
        section = name.str();
        continue;
      }
      Row row;
      row.place = llvm::StringRef(file).rsplit('/').second.str() + ":" +
                  std::to_string(number);
      row.section = section;
      row.same = line.consume_front("same:");
      row.normalForm = line.consume_front("normal:");
      auto [left, right] = line.split(" => ");
      row.left = left.trim().str();
      row.right = row.same ? row.left : right.trim().str();
      EXPECT_NE(row.right, "") << row.place << ": no '=>'";
      rows.push_back(row);
    }
  }
  return rows;
}

/// "(d0, d1)[s0]{}" with every variable up to those that the text uses.
std::string signature(llvm::StringRef text) {
  std::string out;
  for (auto [prefix, open, close] :
       {std::tuple("d", "(", ")"), std::tuple("s", "[", "]"),
        std::tuple("rt", "{", "}")}) {
    int count = 0;
    for (size_t at = text.find(prefix); at != llvm::StringRef::npos;
         at = text.find(prefix, at + 1)) {
      llvm::StringRef digits =
          text.substr(at + strlen(prefix)).take_while(llvm::isDigit);
      int index;
      if ((at == 0 || !llvm::isAlpha(text[at - 1])) &&
          !digits.getAsInteger(10, index))
        count = std::max(count, index + 1);
    }
    out += open;
    for (int i = 0; i < count; ++i)
      out += (i ? ", " : "") + std::string(prefix) + std::to_string(i);
    out += close;
  }
  return out;
}

bool isMap(llvm::StringRef side) {
  return side.contains("->") || side.contains("\\mapsto");
}

/// A side of a row as a map.
Map mapOfSide(Arena &arena, const Row &row, llvm::StringRef side) {
  if (isMap(side))
    return mapOf(arena, side);
  auto [expr, domain] = side.split('|');
  return mapOf(arena, signature(row.left) + " -> (" + expr.str() +
                          "), domain: " + domain.str());
}

/// The right side of a row whose left side simplifies to `map`.
std::string textOfSide(const Row &row, const Map &map) {
  if (isMap(row.left))
    return toString(map);
  if (map.isKnownEmpty())
    return "KNOWN EMPTY";
  llvm::StringRef text = row.left;
  if (text.starts_with("|")) {
    std::string whole = toString(map);
    return "| " + llvm::StringRef(whole).split("domain: ").second.str();
  }
  std::string expr = toString(*map.arena, map.results[0]);
  return row.same ? expr + " |" + text.split('|').second.str() : expr;
}

TEST(SimplifyRules, EachRowIsRightAndProved) {
  RandomMap random(testSeed());
  for (const Row &row : readRows()) {
    SCOPED_TRACE(row.place + ": " + row.left +
                 "\nMERCATOR_SEED=" + std::to_string(testSeed()));
    Arena arena;
    Map before = mapOfSide(arena, row, row.left);
    RuleTrace trace;
    // These rules change the variables, so only the relation is equal.
    bool drops = row.section == "UnusedDropped" ||
                 llvm::StringRef(row.section).starts_with("Range");
    SimplifyOptions options{
        .dropUnused = drops, .normalForm = row.normalForm, .trace = &trace};
    Map after = simplify(before, options);
    EXPECT_EQ(textOfSide(row, after), row.right);
    EXPECT_TRUE(row.normalForm || sizeOf(after) <= sizeOf(before))
        << "larger than the map given";
    Map again =
        simplify(after, {.dropUnused = drops, .normalForm = row.normalForm});
    EXPECT_EQ(again, after) << "not idempotent: " << toString(again);

    Equivalence check(before, after, random);
    auto difference =
        drops ? check.differenceOfRelations() : check.differencePointwise();
    EXPECT_EQ(difference, std::nullopt) << *difference;
    EXPECT_TRUE(check.pointsSeen > 0 || after.isKnownEmpty())
        << "proves nothing";

    if (llvm::isUpper(row.section[0]))
      EXPECT_TRUE(llvm::any_of(trace,
                               [&](const RuleUse &use) {
                                 return ruleInfo(use.rule).name == row.section;
                               }))
          << "does not use " << row.section;
  }
}

TEST(SimplifyRules, EveryRuleHasARow) {
  std::set<std::string> sections;
  for (const Row &row : readRows())
    sections.insert(row.section);
  for (const RuleInfo &rule : allRules())
    EXPECT_TRUE(sections.erase(rule.name.str()))
        << "no row for " << rule.name.str();
  for (const std::string &section : sections)
    EXPECT_FALSE(llvm::isUpper(section[0])) << "no rule named " << section;
}

TEST(Simplify, LeavesSimpleMapsAlone) {
  Arena arena;
  auto isSimpleText = [&](const char *text, bool foldPoints = true) {
    Map map = mapOf(arena, text);
    bool simple = isSimple(map, foldPoints);
    if (simple)
      EXPECT_EQ(simplify(map, {.foldPoints = foldPoints}), map) << text;
    return simple;
  };
  EXPECT_TRUE(isSimpleText("(d0, d1)[s0] -> (s0, d0, 5), domain: "
                           "d0 in [0, 9], d1 in [0, 0], s0 in [0, 3]"));
  // A point, an unused range variable, an operator, a constraint.
  const char *point = "(d0) -> (d0), domain: d0 in [3, 3]";
  EXPECT_FALSE(isSimpleText(point));
  EXPECT_TRUE(isSimpleText(point, /*foldPoints=*/false));
  EXPECT_FALSE(isSimpleText("(d0)[s0] -> (s0), domain: d0 in [0, 9], "
                            "s0 in [3, 3]"));
  EXPECT_FALSE(isSimpleText("(d0)[s0] -> (d0), domain: d0 in [0, 9], "
                            "s0 in [0, 3]"));
  EXPECT_FALSE(isSimpleText("(d0) -> (d0 + 1), domain: d0 in [0, 9]"));
  EXPECT_FALSE(isSimpleText("(d0) -> (d0), domain: d0 in [0, 9], d0 mod 2 in "
                            "[0, 0]"));
  // Empty bounds.
  Map empty = mapOf(arena, "(d0, d1) -> (d0), domain: d0 in [0, 9], "
                           "d1 in [0, 9]");
  empty.domain.dims[1].bounds = Interval::empty();
  EXPECT_TRUE(simplify(empty).isKnownEmpty());
}

TEST(SimplifyRanges, KeepIndicesOfRuntimeVariables) {
  Arena arena;
  Map map = mapOf(arena, "(d0)[s0]{rt0} -> (s0 + rt0), domain: d0 in [0, 3], "
                         "s0 in [0, 3], rt0 in [0, 3], s0 - rt0 in [0, 0]");
  EXPECT_EQ(simplify(map).domain.ranges.size(), 0u);
  // rt0 is the element s0 of a table: s0 := rt0 would be circular.
  map.domain.runtimes[0].source = arena.intern("entry/table");
  map.domain.runtimes[0].index = {arena.range(0)};
  Map simple = simplify(map);
  ASSERT_EQ(simple.domain.ranges.size(), 1u) << toString(simple);
  EXPECT_EQ(simple.domain.runtimes[0].index[0], arena.range(0));
}

TEST(SimplifyRanges, AreRememberedByMapAndOptions) {
  Arena arena;
  Map map = mapOf(arena, "(d0)[s0, s1] -> (d0, s0 * 4 + s1), domain: d0 in "
                         "[2, 2], s0 in [0, 3], s1 in [0, 3]");
  Map simple = simplify(map);
  ASSERT_EQ(simple.domain.ranges.size(), 1u) << toString(simple);
  EXPECT_EQ(simplify(map), simple);
  // The same domain with other options, results and names.
  Map unfolded = simplify(map, {.foldPoints = false});
  EXPECT_EQ(unfolded.results[0], arena.dim(0)) << toString(unfolded);
  Map other = map;
  other.results.pop_back();
  EXPECT_EQ(simplify(other).results.size(), 1u);
  Map named = map;
  named.domain.dims[0].name = arena.intern("row");
  EXPECT_EQ(simplify(named).domain.dims[0].name, arena.intern("row"));
}

} // namespace
