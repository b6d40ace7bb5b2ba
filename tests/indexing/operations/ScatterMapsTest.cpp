// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps of scatter, against scatters of random shapes and indices that apply one
// update after another.

#include "TensorMapsFixture.h"

using namespace mercator::indexing;
using namespace mercator::indexing::testing;

namespace {

using ScatterMaps = TensorMapsFixture;

bool contains(const Index &list, int64_t x) {
  return std::find(list.begin(), list.end(), x) != list.end();
}

TEST_F(ScatterMaps, AnyIndices) {
  for (int n = 0; n < 3 * kCases && !HasFatalFailure(); ++n) {
    Arena arena;
    size_t rank = random.in(0, 4);
    Index input, windowSizes, inserted, batching, mapped;
    for (size_t dim = 0; dim < rank; ++dim) {
      input.push_back(random.oneIn(25) ? 0 : random.in(1, 4));
      int64_t role = random.in(0, 3);
      if (role == 0) {
        batching.push_back(dim);
        continue;
      }
      if (role == 1)
        inserted.push_back(dim);
      else
        windowSizes.push_back(random.in(random.oneIn(20) ? 0 : 1,
                                        std::max<int64_t>(input[dim], 1)));
      if (role != 1 && input[dim] == 0)
        windowSizes.back() = 0;
      if (random.in(0, 2) != 0)
        mapped.push_back(dim);
    }
    {
      Index shuffled;
      for (int64_t i : random.permutation(mapped.size()))
        shuffled.push_back(mapped[i]);
      mapped = shuffled;
    }
    // The scatter dimensions: those paired with dimensions of the input, and
    // others.
    size_t numScatter = batching.size() + random.in(0, 2);
    Index places = random.permutation(numScatter), scatterSizes(numScatter),
          paired(batching.size());
    for (size_t i = 0; i < numScatter; ++i) {
      if (i < batching.size())
        paired[i] = places[i];
      scatterSizes[places[i]] = i < batching.size()
                                    ? input[batching[i]]
                                    : random.in(random.oneIn(20) ? 0 : 1, 3);
    }
    Index indices = scatterSizes, indicesBatching;
    int64_t vectorDim = indices.size();
    if (mapped.size() != 1 || random.oneIn(2)) {
      vectorDim = random.in(0, indices.size());
      indices.insert(indices.begin() + vectorDim, mapped.size());
    }
    for (int64_t b : paired)
      indicesBatching.push_back(b < vectorDim ? b : b + 1);
    size_t updateRank = numScatter + windowSizes.size();
    Index windowDims = random.choose(windowSizes.size(), updateRank),
          scatterDims, update(updateRank);
    for (size_t d = 0, w = 0, s = 0; d < updateRank; ++d)
      if (contains(windowDims, d))
        update[d] = windowSizes[w++];
      else
        update[d] = scatterSizes[s++], scatterDims.push_back(d);

    Tensor values(indices);
    bool iota = !indices.empty() && random.oneIn(5), splat = random.oneIn(8);
    int64_t iotaDim = iota ? random.in(0, indices.size() - 1) : 0;
    int64_t same = random.in(-2, 4);
    forEachIndex(indices, [&](const Index &i) {
      values.at(i) = iota    ? 2 * i[iotaDim] - 1
                     : splat ? same
                             : random.in(-5, 6);
    });
    auto read = [&](const Domain &, llvm::ArrayRef<Expr> at) {
      if (iota)
        return IndexValue{.exact = arena.add(arena.scale(at[iotaDim], 2), -1)};
      if (splat)
        return IndexValue{.exact = arena.constant(same)};
      return IndexValue{.index = {at.begin(), at.end()}};
    };
    reader = [&](const RuntimeVariable &, const Index &index) {
      return values.at(index);
    };

    // The definition, one update element after another.
    Relation lands, indicesRead;
    std::vector<std::pair<Index, Index>> byWindow; // scatter index, input index
    Index inputBatch(rank, -1);
    forEachIndex(update, [&](const Index &u) {
      Index scatter, window;
      for (size_t d = 0; d < u.size(); ++d)
        (contains(windowDims, d) ? window : scatter).push_back(u[d]);
      Index e(rank, 0);
      std::vector<Index> vector;
      for (size_t slot = 0; slot < mapped.size(); ++slot) {
        Index at = scatter;
        if (vectorDim < (int64_t)indices.size())
          at.insert(at.begin() + vectorDim, slot);
        vector.push_back(at);
        e[mapped[slot]] = values.at(at);
      }
      for (size_t i = 0; i < batching.size(); ++i)
        e[batching[i]] = scatter[paired[i]];
      for (size_t dim = 0, w = 0; dim < rank; ++dim)
        if (!contains(inserted, dim) && !contains(batching, dim))
          e[dim] += window[w++];
      // Every element of this batch reads the index vector.
      forEachIndex(input, [&](const Index &d) {
        for (int64_t dim : batching)
          if (d[dim] != e[dim])
            return;
        for (const Index &at : vector)
          indicesRead.add(d, at);
      });
      for (size_t dim = 0; dim < rank; ++dim)
        if (e[dim] < 0 || e[dim] >= input[dim])
          return;
      lands.add(e, u);
      byWindow.push_back({scatter, e});
    });
    lands.normalize();
    indicesRead.normalize();

    Scatter s{input,    indices,         update, windowDims, inserted,
              batching, indicesBatching, mapped, vectorDim};
    s.read = read;
    std::string what = toString(input) + toString(indices) + toString(update) +
                       toString(windowDims) + toString(inserted) +
                       toString(batching) + toString(indicesBatching) +
                       toString(mapped) + std::to_string(vectorDim);
    checkSets(lands, scatterUpdate(arena, kOut, s),
              scatterUpdate(arena, kIn, s), "update " + what);
    checkSets(indicesRead, scatterIndices(arena, kOut, s),
              scatterIndices(arena, kIn, s), "indices " + what);

    // A few windows only: the elements that they update, and the others.
    std::vector<Index> chosen;
    forEachIndex(scatterSizes, [&](const Index &at) {
      if (chosen.size() < 3)
        chosen.push_back(at);
    });
    Relation some, kept;
    std::vector<Map> back, forth;
    llvm::SmallVector<llvm::SmallVector<int64_t>> windows;
    for (const Index &at : chosen) {
      windows.emplace_back(at.begin(), at.end());
      s.window = llvm::ArrayRef<int64_t>(at);
      back.push_back(scatterUpdate(arena, kOut, s));
      forth.push_back(scatterUpdate(arena, kIn, s));
      for (const auto &[e, u] : lands.pairs) {
        Index scatter;
        for (int64_t d : scatterDims)
          scatter.push_back(u[d]);
        if (scatter == at)
          some.add(e, u);
      }
    }
    some.normalize();
    checkSets(some, back, forth, "windows " + what);
    s.window = std::nullopt;
    forEachIndex(input, [&](const Index &d) {
      for (const auto &[scatter, e] : byWindow)
        if (e == d &&
            std::find(chosen.begin(), chosen.end(), scatter) != chosen.end())
          return;
      kept.add(d, d);
    });
    Map left = scatterKept(arena, s, windows);
    checkSets(kept, left, left, "kept " + what);
  }
}

} // namespace
