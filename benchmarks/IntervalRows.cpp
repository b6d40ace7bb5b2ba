// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The interval of an expression on a domain with four constraints.

#include "Bench.h"

#include "mercator/analysis/maps/AffineBridge.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/operations/TensorMaps.h"

#include "mlir/IR/MLIRContext.h"

using namespace mercator;
using namespace mercator::bench;
using namespace mercator::indexing;

namespace {
/// Several expressions of one form on one domain.
struct Questions {
  Arena arena;
  Map map{arena};
  std::vector<Expr> exprs;

  Questions() {
    for (int64_t size : {6, 10, 14, 15, 22})
      map.domain.addDim(arena, Interval::ofSize(size));
    auto d = [&](unsigned i) { return arena.dim(i); };
    map.domain.addConstraint(arena.add(d(0), d(1)), {0, 12});
    map.domain.addConstraint(arena.sub(d(2), d(3)), {-9, 9});
    map.domain.addConstraint(arena.mod(d(4), 2), {0, 0});
    map.domain.addConstraint(arena.floorDiv(arena.add(d(3), d(4)), 4), {0, 8});
  }
  /// The index of an element in memory, with other sizes for every i.
  Expr sum(int64_t i) {
    Term terms[5];
    int64_t stride = 1;
    for (unsigned k = 5; k-- > 0; stride *= 5 + (i >> k) % 3 + 7 * k)
      terms[k] = {arena.dim(k), stride};
    return arena.sum(terms, i);
  }
  /// One index of such an element after a reshape.
  Expr reshaped(int64_t i) {
    return arena.mod(arena.floorDiv(sum(i), 132 + 2 * i), 14 + i);
  }
};
} // namespace

/// Asks again, and asks for the first time.
static void rows(Bench &bench, const std::string &name,
                 Expr (Questions::*make)(int64_t), bool hasPeer) {
  constexpr int64_t kQuestions = 32;
  Questions asked;
  for (int64_t i = 0; i < kQuestions; ++i)
    asked.exprs.push_back((asked.*make)(i));
  IntervalAnalysis bounds(asked.arena, asked.map.domain);
  bench.row(name + "-again", kQuestions, timed([&] {
              for (Expr e : asked.exprs)
                keep(bounds.interval(e));
            }));

  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::vector<mlir::AffineExpr> affine;
  for (Expr e : asked.exprs)
    affine.push_back(*toAffine(&context, asked.map, e));
  std::optional<int64_t> lower[] = {0, 0, 0, 0, 0},
                         upper[] = {5, 9, 13, 14, 21};
  Work peer = timed([&] {
    for (mlir::AffineExpr e : affine)
      for (bool isUpper : {false, true})
        keep(mlir::getBoundForAffineExpr(e, 5, 0, lower, upper, isUpper));
  });
  bench.row(name + "-first", kQuestions, selfTimed([&] {
              Questions fresh;
              for (int64_t i = 0; i < kQuestions; ++i)
                fresh.exprs.push_back((fresh.*make)(i));
              IntervalAnalysis bounds(fresh.arena, fresh.map.domain);
              Stopwatch watch;
              for (Expr e : fresh.exprs)
                keep(bounds.interval(e));
              return watch.seconds();
            }),
            hasPeer ? peer : nullptr);
}

void mercator::bench::intervalRows(Bench &bench) {
  rows(bench, "interval-sum", &Questions::sum, true);
  // getBoundForAffineExpr has no answer for floordiv and mod.
  rows(bench, "interval-reshape", &Questions::reshaped, false);
}
