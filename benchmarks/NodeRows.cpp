// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Making expressions: nodes that exist already, and new ones.

#include "Bench.h"

#include "mercator/indexing/expr/Expr.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/MLIRContext.h"

using namespace mercator::bench;
using namespace mercator::indexing;
using mlir::AffineExpr;

/// What is made: ((d0 * a + d1) floordiv b) * c + (d0 * a + d1) mod b + d2, a
/// node for each of these operations, as reshapes do.
static constexpr unsigned kOperations = 7;

static Expr make(Arena &arena, Expr d0, Expr d1, Expr d2, int64_t i) {
  Expr x = arena.add(arena.scale(d0, i + 3), d1);
  Expr q = arena.floorDiv(x, i + 5), r = arena.mod(x, i + 5);
  return arena.add(arena.add(arena.scale(q, i + 7), r), d2);
}

static AffineExpr make(AffineExpr d0, AffineExpr d1, AffineExpr d2, int64_t i) {
  AffineExpr x = d0 * (i + 3) + d1;
  AffineExpr q = x.floorDiv(i + 5), r = x % (i + 5);
  return q * (i + 7) + r + d2;
}

namespace {
struct AffineDims {
  AffineDims(mlir::MLIRContext &context)
      : d0(mlir::getAffineDimExpr(0, &context)),
        d1(mlir::getAffineDimExpr(1, &context)),
        d2(mlir::getAffineDimExpr(2, &context)) {}
  AffineExpr d0, d1, d2;
};
} // namespace

void mercator::bench::nodeRows(Bench &bench) {
  constexpr int64_t kHot = 64, kNew = 1000;
  {
    Arena arena;
    Expr d0 = arena.dim(0), d1 = arena.dim(1), d2 = arena.dim(2);
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    AffineDims d(context);
    bench.row("node-found", kHot * kOperations, timed([&] {
                for (int64_t i = 0; i < kHot; ++i)
                  keep(make(arena, d0, d1, d2, i));
              }),
              timed([&] {
                for (int64_t i = 0; i < kHot; ++i)
                  keep(make(d.d0, d.d1, d.d2, i));
              }));
  }
  bench.row("node-new", kNew * kOperations, timed([&] {
              Arena arena;
              Expr d0 = arena.dim(0), d1 = arena.dim(1), d2 = arena.dim(2);
              for (int64_t i = 0; i < kNew; ++i)
                keep(make(arena, d0, d1, d2, i));
            }),
            selfTimed([&] {
              mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
              AffineDims d(context);
              Stopwatch watch;
              for (int64_t i = 0; i < kNew; ++i)
                keep(make(d.d0, d.d1, d.d2, i));
              return watch.seconds();
            }));
}
