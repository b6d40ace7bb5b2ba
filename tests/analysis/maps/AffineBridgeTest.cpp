// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/maps/AffineBridge.h"
#include "Program.h"

#include "mercator/indexing/simplify/Simplify.h"

using namespace mercator;
using namespace mercator::testing;
using indexing::Expr;

namespace {

std::string textOf(mlir::AffineMap map) {
  std::string text;
  llvm::raw_string_ostream(text) << map;
  return text;
}

/// The map with the results of an affine map over its variables.
Map withResults(const Map &map, mlir::AffineMap affine) {
  Map out = map;
  llvm::SmallVector<Expr> dims, symbols;
  for (unsigned i = 0; i < map.numDims(); ++i)
    dims.push_back(map.arena->dim(i));
  for (unsigned i = 0; i < map.domain.ranges.size(); ++i)
    symbols.push_back(map.arena->range(i));
  for (unsigned i = 0; i < map.domain.runtimes.size(); ++i)
    symbols.push_back(map.arena->runtime(i));
  for (auto [result, expr] : llvm::zip_equal(out.results, affine.getResults()))
    result = fromAffine(*map.arena, expr, dims, symbols);
  return out;
}

TEST(AffineBridge, RoundTrips) {
  const char *box = ", domain: d0 in [0, 6], d1 in [0, 4], s0 in [0, 3], "
                    "rt0 in [0, 5]";
  for (const auto &[map, affine] : {
           std::pair("(d0, d1)[s0]{rt0} -> (d0 * 2 + s0 - 3, rt0 + d1, 7)",
                     "(d0, d1)[s0, s1] -> (d0 * 2 + s0 - 3, d1 + s1, 7)"),
           std::pair("(d0, d1)[s0]{rt0} -> (d0 floordiv 3, d0 mod 3, "
                     "(d0 + s0) ceildiv 4)",
                     "(d0, d1)[s0, s1] -> (d0 floordiv 3, d0 mod 3, "
                     "(d0 + s0) ceildiv 4)"),
           std::pair("(d0, d1)[s0]{rt0} -> (d0 * rt0, s0 * rt0 * rt0)",
                     "(d0, d1)[s0, s1] -> (d0 * s1, (s0 * s1) * s1)"),
       }) {
    Arena arena;
    mlir::MLIRContext context;
    Map from = parse(arena, (llvm::Twine(map) + box).str());
    std::optional<mlir::AffineMap> to = toAffine(&context, from);
    ASSERT_TRUE(to) << map;
    EXPECT_EQ(textOf(*to), affine);
    Map back = withResults(from, *to);
    EXPECT_TRUE(indexing::prove(from, back).isYes()) << map;
  }
}

TEST(AffineBridge, HasNoAffineForm) {
  Arena arena;
  mlir::MLIRContext context;
  for (const char *result :
       {"min(d0, d1)", "max(d0, 3)", "d0 * d1", "d0 floordiv s0", "d0 mod s0"})
    EXPECT_FALSE(toAffine(
        &context, parse(arena, (llvm::Twine("(d0, d1)[s0] -> (") + result +
                                "), domain: d0 in [0, 6], d1 in [0, 4], s0 in "
                                "[1, 3]")
                                   .str())))
        << result;
}

TEST(AffineBridge, SymbolsNeedAnExpression) {
  Arena arena;
  mlir::MLIRContext context;
  mlir::AffineExpr d0 = mlir::getAffineDimExpr(0, &context),
                   s0 = mlir::getAffineSymbolExpr(0, &context);
  EXPECT_FALSE(fromAffine(arena, d0 + s0, arena.dim(0)));
  EXPECT_TRUE(fromAffine(arena, d0 + s0, arena.dim(0), arena.range(0)));
  EXPECT_FALSE(
      fromAffine(arena, d0.floorDiv(s0), arena.dim(0), arena.range(0)));
}

} // namespace
