// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The value of a map at points, one at a time and many at once.

#include "Bench.h"

#include "mercator/analysis/maps/AffineBridge.h"
#include "mercator/indexing/evaluate/CompiledExprs.h"
#include "mercator/indexing/operations/TensorMaps.h"

#include "mlir/IR/MLIRContext.h"

#include <random>

using namespace mercator;
using namespace mercator::bench;
using namespace mercator::indexing;

namespace {
constexpr size_t kPoints = 1024, kRank = 5;

/// Points of the domain of a map, and room for its values there.
struct Points {
  std::vector<int64_t> rows; ///< one point after the other
  std::vector<int64_t> inputs[kRank], outputs[kRank]; ///< columns

  explicit Points(const Domain &domain) : rows(kPoints * kRank) {
    std::mt19937_64 random(1);
    for (size_t v = 0; v < kRank; ++v) {
      inputs[v].resize(kPoints);
      outputs[v].resize(kPoints);
      auto size = static_cast<uint64_t>(domain.dims[v].bounds.upper + 1);
      for (size_t i = 0; i < kPoints; ++i)
        rows[i * kRank + v] = inputs[v][i] =
            static_cast<int64_t>(random() % size);
    }
  }
  [[nodiscard]] llvm::ArrayRef<int64_t> point(size_t i) const {
    return llvm::ArrayRef(rows).slice(i * kRank, kRank);
  }
};
} // namespace

static void rows(Bench &bench, const std::string &name, const Map &map) {
  CompiledExprs program(*map.arena, map.domain, map.results);
  Points points(map.domain);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::AffineMap affine = *toAffine(&context, map);

  for (size_t i = 0; i < kPoints; ++i) {
    int64_t values[kRank];
    require(program.evaluate(points.point(i), values) &&
                llvm::ArrayRef(values) ==
                    llvm::ArrayRef(affine.compose(points.point(i))),
            "the value at a point is not AffineMap's");
  }
  bench.row(name + "-single", kPoints, timed([&] {
              for (size_t i = 0; i < kPoints; ++i) {
                int64_t values[kRank];
                keep(program.evaluate(points.point(i), values));
                keep(values);
              }
            }),
            timed([&] {
              for (size_t i = 0; i < kPoints; ++i)
                keep(affine.compose(points.point(i)));
            }));

  const int64_t *inputs[kRank];
  int64_t *outputs[kRank];
  for (size_t v = 0; v < kRank; ++v) {
    inputs[v] = points.inputs[v].data();
    outputs[v] = points.outputs[v].data();
  }
  std::vector<uint8_t> defined(kPoints);
  bench.row(name + "-batched", kPoints, timed([&] {
              keep(program.evaluate(kPoints, inputs, outputs, defined.data()));
              keep(outputs);
            }));
}

void mercator::bench::evaluateRows(Bench &bench) {
  Arena arena;
  const int64_t sizes[] = {6, 10, 14, 15, 22};
  rows(bench, "evaluate-transpose",
       transpose(arena, Direction::OutToIn, sizes, {4, 2, 0, 3, 1}));
  rows(bench, "evaluate-reshape", reshape(arena, sizes, {10, 14, 15, 22, 6}));
}
