// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cache of steps: it changes no answer, and repeated steps are computed
// once.

#include "Program.h"

#include "mercator/analysis/maps/EdgeMaps.h"
#include "mercator/indexing/simplify/Simplify.h"

using namespace mercator;
using namespace mercator::testing;
using namespace mercator::maps;

namespace {

/// A layer of an unrolled program:
///
///   h = reverse x;  t = transpose x;  x' = h + t
class Tower {
public:
  Tower() {
    mlir::Type type =
        mlir::RankedTensorType::get({8, 8}, mlir::Float32Type::get(&context));
    shape = edges.shape(type);
    identity = edges.copy(shape);
    reversed = stepThrough("(d0, d1) -> (7 - d0, d1), domain: d0 in [0, 7], "
                           "d1 in [0, 7]");
    transposed = stepThrough("(d0, d1) -> (d1, d0), domain: d0 in [0, 7], d1 "
                             "in [0, 7]");
  }
  const EdgeMaps *stepThrough(llvm::StringRef map) {
    return edges.edge(MapSet(indexing::simplify(parse(arena, map))), shape,
                      shape);
  }

  /// The maps from the last result to the first value, through `layers` layers.
  MapSet walk(unsigned layers, bool remembered) {
    Reads reads(arena, *shape);
    State x{edges.canonical(reads.start().maps)};
    auto take = [&](const State &from, const EdgeMaps &step, State &to) {
      if (remembered)
        edges.take(reads, shape, from, step, to);
      else if (step.isCopy)
        reads.add(from, to, *step.to);
      else
        reads.compose(from, *step.from, to, *step.to, step.maps);
    };
    for (unsigned layer = 0; layer < layers; ++layer) {
      State h, t, below;
      reads.allow();
      take(x, *identity, h);
      take(x, *identity, t);
      reads.allow();
      take(h, *reversed, below);
      reads.allow();
      take(t, *transposed, below);
      x = below;
    }
    return x.maps;
  }

  mlir::MLIRContext context;
  Arena arena;
  EdgeMapsCache edges;
  const Shape *shape;
  const EdgeMaps *identity, *reversed, *transposed;
};

TEST(EdgeMapsCache, CacheChangesNoAnswer) {
  for (unsigned layers : {1u, 2u, 3u, 4u, 7u, 40u}) {
    Tower tower;
    std::string plain = toString(tower.walk(layers, false));
    EXPECT_EQ(toString(tower.walk(layers, true)), plain) << layers;
    EXPECT_EQ(toString(tower.walk(layers, true)), plain) << layers;
  }
}

// 2^1000 paths from each of 300 results. All layers are alike, and so are the
// results: the eight possible maps (the symmetries of a square) are found in a
// few layers, and nothing is computed after that.
TEST(EdgeMapsCache, OfAnUnrolledProgramAreFew) {
  Tower tower;
  MapSet first = tower.walk(1000, true);
  uint64_t once = tower.edges.computed();
  EXPECT_LE(once, 40u);
  EXPECT_LE(first.size(), 8u) << toString(first);
  for (int result = 1; result < 300; ++result)
    EXPECT_EQ(tower.walk(1000, true).identity(), first.identity());
  EXPECT_EQ(tower.edges.computed(), once);
}

// Cached steps count against the budget as computed ones do.
TEST(EdgeMapsCache, KeepToTheLimit) {
  Tower tower;
  auto spent = [&](bool remembered) {
    Reads reads(tower.arena, *tower.shape); // with the initial budget only
    State from = reads.start(), to;
    unsigned count = 0;
    while (!to.isFull && ++count < 100'000) {
      to = {};
      if (remembered)
        tower.edges.take(reads, tower.shape, from, *tower.reversed, to);
      else
        reads.compose(from, *tower.shape, to, *tower.shape,
                      tower.reversed->maps);
    }
    return std::pair(count, toString(to.maps));
  };
  auto plain = spent(false);
  EXPECT_LT(plain.first, 100'000u);
  EXPECT_EQ(spent(true), plain);
  EXPECT_EQ(spent(true), plain);
}

TEST(EdgeMapsCache, OfEqualShapesAreOne) {
  Tower tower;
  mlir::Type other = mlir::RankedTensorType::get(
      {8, 8}, mlir::IntegerType::get(&tower.context, 32));
  EXPECT_EQ(tower.edges.shape(other), tower.shape);
  EXPECT_EQ(tower.stepThrough("(d0, d1) -> (d1, d0), domain: d0 in [0, 7], d1 "
                              "in [0, 7]"),
            tower.transposed);
}

} // namespace
