// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// explorer-points MAPS: writes random maps, 20 points of each with the element that
// the library reads there, and all elements that the map reads. tests/explorer/
// page_test.py asks the page for the same.
//
//   {"seed":7,"map":"(d0) -> (d0 / 2), ..","structure":{..},
//    "points":[[[3],[1]],[[12],null]],"elements":[[0],[1],..]}
//
// explorer-points MAPS FILE: writes random maps, and those of the lines of a file, with
// what `mercator simplify --json` writes for each, and what `prove` says of the map
// beside one in which a number is another one. The maps of a line have no seed.
//
//   {"seed":7,"map":"(d0) -> (d0 mod 8), ..",
//    "simplified":{"before":..,"after":..,"rules":[..],"proof":{..}},
//    "other":"(d0) -> (d0 mod 9), ..","verdict":"different"}

#include "mercator/compiler/maps/Maps.h"
#include "mercator/compiler/maps/Prove.h"
#include "mercator/indexing/evaluate/Evaluate.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/support/File.h"
#include "tests/Seed.h"
#include "tests/indexing/Points.h"
#include "tests/indexing/RandomMap.h"
#include "tests/indexing/RandomMaps.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mercator;
using namespace mercator::indexing;

using Point = std::vector<int64_t>;

static std::optional<Point> elementAt(const Map &map, const Point &point) {
  if (!contains(*map.arena, map.domain, point))
    return std::nullopt;
  Point element;
  for (Expr e : map.results) {
    std::optional<int64_t> value = evaluate(*map.arena, e, map.domain, point);
    if (!value)
      return std::nullopt;
    element.push_back(*value);
  }
  return element;
}

static void write(llvm::json::OStream &json, llvm::ArrayRef<int64_t> numbers) {
  json.array([&] {
    for (int64_t number : numbers)
      json.value(number);
  });
}

/// The elements that the map reads; none if there are too many points.
static std::optional<std::set<Point>> elementsOf(const Map &map) {
  constexpr int64_t kMostSteps = 20'000;
  std::set<Point> elements;
  PointWalk::End end = forEachPoint(
      *map.arena, map.domain, kMostSteps, [&](llvm::ArrayRef<int64_t> point) {
        if (auto element = elementAt(map, point.vec()))
          elements.insert(*element);
        return true;
      });
  if (end != PointWalk::End::Complete)
    return std::nullopt;
  return elements;
}

static void writeCase(llvm::json::OStream &json, uint64_t seed,
                      indexing::testing::RandomMaps &random, const Map &map) {
  std::vector<Interval> bounds;
  map.domain.forEachVar([&](Var v) {
    Interval b = map.domain.bounds(v);
    bounds.push_back(b.size() ? b : Interval{-4, 9});
  });
  json.object([&] {
    json.attribute("seed", int64_t(seed));
    json.attribute("map", indexing::toString(map));
    json.attributeBegin("structure");
    writeStructure(map, json);
    json.attributeEnd();
    json.attributeArray("points", [&] {
      for (int i = 0; i < 20; ++i) {
        Point point;
        // One step outside of the box, too.
        for (Interval b : bounds)
          point.push_back(
              random.between(b.lower - (i % 5 == 0), b.upper + (i % 7 == 0)));
        json.array([&] {
          write(json, point);
          std::optional<Point> element = elementAt(map, point);
          element ? write(json, *element) : json.value(nullptr);
        });
      }
    });
    std::optional<std::set<Point>> elements = elementsOf(map);
    if (!elements)
      return;
    json.attributeArray("elements", [&] {
      for (const Point &element : *elements)
        write(json, element);
    });
  });
}

/// Every fourth map is simplified with numbers near the limits of 64 bits. Of the
/// second kind are divisions by variables, also by zero.
static Map randomMap(Arena &arena, uint64_t seed, int64_t number, bool isWild) {
  if (number % 2 == 0)
    return indexing::testing::RandomMaps(seed).map(arena, 9, 3);
  RandomMap random(seed);
  random.wild = isWild && number % 4 == 3;
  return random.map(arena);
}

/// The text with a number increased, or nothing if it has none.
static std::optional<std::string> withOtherNumber(llvm::StringRef text,
                                                  uint64_t seed) {
  llvm::SmallVector<std::pair<size_t, size_t>, 16> numbers;
  for (size_t at = 0; at < text.size();) {
    size_t n = text.substr(at).take_while(llvm::isDigit).size();
    // The number of d0 is a name.
    if (n != 0 && n < 9 && (at == 0 || !llvm::isAlnum(text[at - 1])))
      numbers.push_back({at, n});
    at += std::max<size_t>(n, 1);
  }
  if (numbers.empty())
    return std::nullopt;
  auto [at, n] = numbers[seed % numbers.size()];
  int64_t value;
  (void)text.substr(at, n).getAsInteger(10, value);
  return (text.take_front(at) + llvm::Twine(value + 1) + text.substr(at + n))
      .str();
}

static void writeSimplified(llvm::json::OStream &json, int64_t seed,
                            llvm::StringRef map) {
  std::string quiet, text;
  llvm::raw_string_ostream errors(quiet), os(text);
  DiagnosticEngine diagnostics(errors);
  SourceBuffer source("<MAP>", map.str());
  Answer<Simplified> answer = simplify(source, diagnostics);
  if (answer)
    writeJson(*answer, os);
  json.object([&] {
    json.attribute("seed", seed);
    json.attribute("map", map);
    json.attributeBegin("simplified");
    answer ? json.rawValue(text) : json.value(nullptr);
    json.attributeEnd();
    std::optional<std::string> other = withOtherNumber(map, seed);
    if (!answer || !other)
      return;
    Answer<Proof> proof =
        prove(source, SourceBuffer("<MAP>", *other), diagnostics);
    if (!proof)
      return;
    json.attribute("other", *other);
    json.attribute("verdict", nameOf(proof->verdict));
  });
}

static void writeSimplified(llvm::json::OStream &json, int64_t count,
                            const char *file) {
  for (int64_t i = 0; i < count; ++i) {
    Arena arena;
    uint64_t seed = testSeed() + i;
    writeSimplified(json, seed,
                    indexing::toString(randomMap(arena, seed, i, true)));
  }
  std::string lines = llvm::cantFail(readFile(file));
  for (llvm::StringRef line : llvm::split(lines, '\n'))
    if (!line.empty())
      writeSimplified(json, -1, line);
}

int main(int argc, char **argv) {
  int64_t count = argc > 1 ? std::atoll(argv[1]) : 500;
  llvm::json::OStream json(llvm::outs());
  json.array([&] {
    if (argc > 2)
      return writeSimplified(json, count, argv[2]);
    for (int64_t i = 0; i < count; ++i) {
      uint64_t seed = testSeed() + i;
      indexing::testing::RandomMaps random(seed);
      Arena arena;
      writeCase(json, seed, random, randomMap(arena, seed, i, false));
    }
  });
  return 0;
}
