// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// explorer-points MAPS: writes random maps, 20 points of each with the element that
// the library reads there, and all elements that the map reads. tests/explorer/
// page_test.py asks the page for the same.
//
//   {"seed":7,"map":"(d0) -> (d0 / 2), ..","structure":{..},
//    "points":[[[3],[1]],[[12],null]],"elements":[[0],[1],..]}

#include "mercator/compiler/maps/Maps.h"
#include "mercator/indexing/evaluate/Evaluate.h"
#include "mercator/indexing/notation/Notation.h"
#include "tests/Seed.h"
#include "tests/indexing/Points.h"
#include "tests/indexing/RandomMap.h"
#include "tests/indexing/RandomMaps.h"

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

int main(int argc, char **argv) {
  int64_t count = argc > 1 ? std::atoll(argv[1]) : 500;
  llvm::json::OStream json(llvm::outs());
  json.array([&] {
    for (int64_t i = 0; i < count; ++i) {
      uint64_t seed = testSeed() + i;
      indexing::testing::RandomMaps random(seed);
      Arena arena;
      // Of the second kind are divisions by variables, also by zero.
      writeCase(json, seed, random,
                i % 2 == 0 ? random.map(arena, 9, 3)
                           : RandomMap(seed).map(arena));
    }
  });
  return 0;
}
