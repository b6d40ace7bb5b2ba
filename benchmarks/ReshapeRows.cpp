// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Chains of reshapes that undo each other, composed and simplified.

#include "Bench.h"

#include "mercator/analysis/maps/AffineBridge.h"
#include "mercator/indexing/decide/Count.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/indexing/operations/TensorMaps.h"
#include "mercator/indexing/simplify/Inverse.h"
#include "mercator/indexing/simplify/Simplify.h"

#include "mlir/IR/MLIRContext.h"

using namespace mercator;
using namespace mercator::bench;
using namespace mercator::indexing;
using mlir::AffineMap;

namespace {
/// A tensor reshaped there and back and there again...
struct Chain {
  llvm::SmallVector<int64_t, 6> sizes, between;

  /// The map of an element to its place after `steps` reshapes, simplified
  /// after each step if `eachStep`, otherwise only at the end.
  Map compute(Arena &arena, unsigned steps, bool eachStep) const {
    Map there = reshape(arena, sizes, between),
        back = reshape(arena, between, sizes);
    Map map = there;
    for (unsigned i = 1; i < steps; ++i) {
      map = compose(map, i % 2 ? back : there);
      if (eachStep)
        map = simplify(map);
    }
    return eachStep ? map : simplify(map);
  }
  /// In an arena of its own. An even number of reshapes must give the identity.
  void computeFresh(unsigned steps, bool eachStep) const {
    Arena arena;
    Map map = compute(arena, steps, eachStep);
    require(steps % 2 || map.isIdentity(),
            "reshapes there and back are no identity");
    keep(map);
  }
};

/// A reshape simplified, printed, counted and inverted.
void askAll(const Chain &chain) {
  Arena arena;
  Map map = simplify(reshape(arena, chain.sizes, chain.between));
  std::string text = toString(map);
  Count elements = countImage(map);
  Map back = inverse(map, chain.between);
  require(elements.exact() && !back.isKnownEmpty(),
          "a reshape has no elements");
  keep(text);
  keep(back);
}

/// A chain with AffineMap. Its maps are made beforehand.
struct AffineChain {
  AffineMap there, back;

  AffineChain(mlir::MLIRContext &context, const Chain &chain) {
    Arena arena;
    there = *toAffine(&context, reshape(arena, chain.sizes, chain.between));
    back = *toAffine(&context, reshape(arena, chain.between, chain.sizes));
  }
  void compute(unsigned steps, bool eachStep) const {
    AffineMap map = there;
    for (unsigned i = 1; i < steps; ++i) {
      map = (i % 2 ? back : there).compose(map);
      if (eachStep)
        map = mlir::simplifyAffineMap(map);
    }
    keep(eachStep ? map : mlir::simplifyAffineMap(map));
  }
};
} // namespace

void mercator::bench::reshapeRows(Bench &bench) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto both = [&](llvm::StringRef name, const Chain &chain, unsigned steps,
                  bool eachStep) {
    AffineChain peer(context, chain);
    bench.row(name, 1, timed([&] { chain.computeFresh(steps, eachStep); }),
              timed([&] { peer.compute(steps, eachStep); }));
  };
  const Chain small = {{10, 10, 10}, {50, 20}};
  both("reshape-cube", small, 2, false);
  const Chain large = {{6, 10, 14, 15, 22}, {10, 14, 15, 22, 6}};
  both("reshape-raw-2", large, 2, false);
  both("reshape-raw-3", large, 3, false);
  both("reshape-raw-4", large, 4, false);
  both("reshape-steps-4", large, 4, true);
  bench.row("reshape-steps-20", 1,
            timed([&] { large.computeFresh(20, true); }));
  // Ours alone: the peer is not asked for ranks like these.
  const Chain twelve = {{2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3}, {46656}};
  bench.row("rank-12-collapse", 1,
            timed([&] { twelve.computeFresh(2, false); }));
  const Chain sixteen = {{2, 3, 5, 2, 3, 5, 2, 3, 5, 2, 3, 5, 2, 3, 5, 2},
                         {3, 5, 2, 3, 5, 2, 3, 5, 2, 3, 5, 2, 3, 5, 2, 2}};
  bench.row("rank-16-generic", 1,
            timed([&] { sixteen.computeFresh(2, false); }));
  bench.row("rank-16-all", 1, timed([&] { askAll(sixteen); }));
}
