// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random shapes and attributes: every map, in both directions, against the
// relation found by carrying out the operation on tensors of element numbers.
// A failure prints the seed; MERCATOR_SEED=<number> repeats it.

#include "TensorMapsFixture.h"

using namespace mercator::indexing;
using namespace mercator::indexing::testing;

namespace {

using TensorMaps = TensorMapsFixture;

/// The pairs of elements of `from` and `to` with equal numbers.
Relation sameNumbers(Tensor from, Tensor to) {
  std::vector<std::pair<int64_t, Index>> byNumber;
  forEachIndex(to.sizes,
               [&](const Index &i) { byNumber.push_back({to.at(i), i}); });
  std::sort(byNumber.begin(), byNumber.end());
  Relation relation;
  forEachIndex(from.sizes, [&](const Index &i) {
    auto it = std::lower_bound(byNumber.begin(), byNumber.end(),
                               std::make_pair(from.at(i), Index{}));
    for (; it != byNumber.end() && it->first == from.at(i); ++it)
      relation.add(i, it->second);
  });
  relation.normalize();
  return relation;
}

TEST_F(TensorMaps, Broadcast) {
  for (int n = 0; n < kCases && !HasFatalFailure(); ++n) {
    Arena arena;
    Index result = random.sizes(random.in(0, 4), 4), dims, operand;
    dims = random.permutation(result.size());
    dims.resize(random.in(0, result.size()));
    for (int64_t dim : dims)
      operand.push_back(random.oneIn(3) ? 1 : result[dim]);
    Relation reads;
    forEachIndex(result, [&](const Index &d) {
      Index e;
      for (size_t i = 0; i < dims.size(); ++i)
        e.push_back(operand[i] == 1 ? 0 : d[dims[i]]);
      reads.add(d, e);
    });
    reads.normalize();
    check(reads, broadcast(arena, kOut, operand, result, dims),
          broadcast(arena, kIn, operand, result, dims),
          toString(operand) + toString(result) + toString(dims));
  }
}

TEST_F(TensorMaps, Transpose) {
  for (int n = 0; n < kCases && !HasFatalFailure(); ++n) {
    Arena arena;
    Index operand = random.sizes(random.in(0, 4), 4), result;
    Index permutation = random.permutation(operand.size());
    for (int64_t dim : permutation)
      result.push_back(operand[dim]);
    Tensor in = Tensor::numbered(operand), out(result);
    forEachIndex(operand, [&](const Index &e) {
      Index d;
      for (int64_t dim : permutation)
        d.push_back(e[dim]);
      out.at(d) = in.at(e);
    });
    check(sameNumbers(out, in), transpose(arena, kOut, operand, permutation),
          transpose(arena, kIn, operand, permutation),
          toString(operand) + toString(permutation));
  }
}

TEST_F(TensorMaps, Reverse) {
  for (int n = 0; n < kCases && !HasFatalFailure(); ++n) {
    Arena arena;
    Index sizes = random.sizes(random.in(1, 4), 4);
    Index dims = random.choose(random.in(0, sizes.size()), sizes.size());
    Tensor in = Tensor::numbered(sizes), out(sizes);
    forEachIndex(sizes, [&](const Index &e) {
      Index d = e;
      for (int64_t dim : dims)
        d[dim] = sizes[dim] - 1 - e[dim];
      out.at(d) = in.at(e);
    });
    check(sameNumbers(out, in), reverse(arena, sizes, dims),
          reverse(arena, sizes, dims), toString(sizes) + toString(dims));
  }
}

TEST_F(TensorMaps, Slice) {
  for (int n = 0; n < kCases && !HasFatalFailure(); ++n) {
    Arena arena;
    Index operand = random.sizes(random.in(0, 3), 7), starts, limits, strides;
    std::vector<Index> taken; // per dimension, by walking it
    Index result;
    for (int64_t size : operand) {
      starts.push_back(random.in(0, size));
      limits.push_back(random.in(starts.back(), size));
      strides.push_back(random.in(1, 4));
      Index along;
      for (int64_t at = starts.back(); at < limits.back(); at += strides.back())
        along.push_back(at);
      result.push_back(along.size());
      taken.push_back(along);
    }
    Relation reads;
    forEachIndex(result, [&](const Index &d) {
      Index e;
      for (size_t i = 0; i < d.size(); ++i)
        e.push_back(taken[i][d[i]]);
      reads.add(d, e);
    });
    reads.normalize();
    check(reads, slice(arena, kOut, operand, starts, limits, strides),
          slice(arena, kIn, operand, starts, limits, strides),
          toString(operand) + toString(starts) + toString(limits) +
              toString(strides));
  }
}

/// Sizes with the given product.
Index factorize(Random &random, int64_t total) {
  Index sizes;
  while (total > 1 || random.oneIn(4)) {
    Index divisors;
    for (int64_t d = 1; d <= total; ++d)
      if (total % d == 0)
        divisors.push_back(d);
    sizes.push_back(divisors[random.in(0, divisors.size() - 1)]);
    total /= sizes.back();
    if (sizes.size() > 5) {
      sizes.push_back(total);
      break;
    }
  }
  return sizes;
}

TEST_F(TensorMaps, Reshape) {
  const int64_t totals[] = {0, 1, 6, 12, 16, 24, 30, 36, 48, 60, 64, 72};
  for (int n = 0; n < 3 * kCases && !HasFatalFailure(); ++n) {
    Arena arena;
    int64_t total = totals[random.in(random.oneIn(10) ? 0 : 1, 11)];
    Index from, to;
    if (total == 0) {
      from = {3, 0, 1}, to = {0};
    } else {
      from = factorize(random, total), to = factorize(random, total);
    }
    check(sameNumbers(Tensor::numbered(to), Tensor::numbered(from)),
          reshape(arena, to, from), reshape(arena, from, to),
          toString(from) + toString(to));
  }
}

TEST_F(TensorMaps, ReshapeThereAndBackSimplifiesToTheIdentity) {
  const int64_t totals[] = {12, 48, 60, 72, 720, 2520, 5040};
  for (int n = 0; n < kCases; ++n) {
    Arena arena;
    int64_t total = totals[random.in(0, 6)];
    Index sizes = factorize(random, total), between = factorize(random, total);
    Map there = reshape(arena, sizes, between);
    Map back = reshape(arena, between, sizes);
    Map identity = simplify(Map::identity(arena, sizes));
    std::string what = toString(sizes) + toString(between);
    EXPECT_EQ(simplify(compose(there, back)), identity) << what;
    EXPECT_EQ(simplify(compose(simplify(there), back)), identity) << what;
  }
}

/// A tensor whose elements are their places in memory.
Tensor places(const Index &sizes, const Index &layout) {
  Tensor t(sizes);
  forEachIndex(sizes, [&](const Index &i) {
    int64_t place = 0, stride = 1;
    for (int64_t dim : layout) {
      place += i[dim] * stride;
      stride *= sizes[dim];
    }
    t.at(i) = place;
  });
  return t;
}

TEST_F(TensorMaps, Bitcast) {
  for (int n = 0; n < kCases && !HasFatalFailure(); ++n) {
    Arena arena;
    const int64_t totals[] = {1, 8, 12, 24, 36, 60};
    int64_t total = totals[random.in(0, 5)];
    Index from = factorize(random, total), to = factorize(random, total);
    Index fromLayout = random.permutation(from.size());
    Index toLayout = random.permutation(to.size());
    check(sameNumbers(places(to, toLayout), places(from, fromLayout)),
          bitcast(arena, to, toLayout, from, fromLayout),
          bitcast(arena, from, fromLayout, to, toLayout),
          toString(from) + toString(fromLayout) + toString(to) +
              toString(toLayout));
  }
}

TEST_F(TensorMaps, BitcastWidth) {
  for (int n = 0; n < kCases / 3 && !HasFatalFailure(); ++n) {
    Arena arena;
    const int64_t totals[] = {1, 2, 6, 12, 16};
    int64_t total = totals[random.in(0, 4)], ratio = random.in(1, 4);
    Index wide = factorize(random, total),
          narrow = factorize(random, total * ratio);
    Index wideLayout = random.permutation(wide.size()),
          narrowLayout = random.permutation(narrow.size());
    // The place of each element in memory, in narrow elements.
    auto placeOf = [](const Index &sizes, const Index &layout, const Index &i) {
      int64_t place = 0, stride = 1;
      for (int64_t dim : layout) {
        place += i[dim] * stride;
        stride *= sizes[dim];
      }
      return place;
    };
    Relation reads; // from wide elements to narrow elements
    forEachIndex(wide, [&](const Index &d) {
      forEachIndex(narrow, [&](const Index &e) {
        if (placeOf(narrow, narrowLayout, e) / ratio ==
            placeOf(wide, wideLayout, d))
          reads.add(d, e);
      });
    });
    reads.normalize();
    checkSets(reads,
              bitcastWidth(arena, wide, wideLayout, narrow, narrowLayout, ratio,
                           false),
              bitcastWidth(arena, narrow, narrowLayout, wide, wideLayout, ratio,
                           true),
              toString(wide) + toString(narrow));
  }
}

TEST_F(TensorMaps, Concatenate) {
  for (int n = 0; n < kCases && !HasFatalFailure(); ++n) {
    Arena arena;
    Index operand = random.sizes(random.in(1, 3), 4), result = operand;
    int64_t dim = random.in(0, operand.size() - 1);
    int64_t before = random.in(0, 3), after = random.in(0, 3);
    result[dim] += before + after;
    Tensor in = Tensor::numbered(operand), out(result, -1);
    forEachIndex(operand, [&](const Index &e) {
      Index d = e;
      d[dim] += before;
      out.at(d) = in.at(e);
    });
    check(sameNumbers(out, in), concatenate(arena, kOut, operand, dim, before),
          concatenate(arena, kIn, operand, dim, before),
          toString(operand) + std::to_string(dim));
  }
}

TEST_F(TensorMaps, Pad) {
  for (int n = 0; n < kCases && !HasFatalFailure(); ++n) {
    Arena arena;
    Index operand = random.sizes(random.in(0, 3), 4), low, high, interior;
    Index result;
    std::vector<Index> along;
    for (int64_t size : operand) {
      interior.push_back(random.in(0, 2));
      low.push_back(random.in(-3, 3));
      int64_t least = -(low.back() + size +
                        std::max<int64_t>(size - 1, 0) * interior.back());
      high.push_back(random.in(std::max<int64_t>(-3, least), 3));
      if (high.back() < least) // the low end alone removes too much
        low.back() = high.back() = 0;
      along.push_back(padded(size, low.back(), high.back(), interior.back()));
      result.push_back(along.back().size());
    }
    Relation reads;
    forEachIndex(result, [&](const Index &d) {
      Index e;
      for (size_t i = 0; i < d.size(); ++i)
        e.push_back(along[i][d[i]]);
      if (std::find(e.begin(), e.end(), -1) == e.end())
        reads.add(d, e);
    });
    reads.normalize();
    check(reads, pad(arena, kOut, operand, result, low, high, interior),
          pad(arena, kIn, operand, result, low, high, interior),
          toString(operand) + toString(low) + toString(high) +
              toString(interior));
    Relation padding; // the other elements read the padding value
    forEachIndex(result, [&](const Index &d) {
      for (size_t i = 0; i < d.size(); ++i)
        if (along[i][d[i]] == -1)
          return padding.add(d, {});
    });
    padding.normalize();
    checkSets(padding, padValue(arena, kOut, operand, result, low, interior),
              padValue(arena, kIn, operand, result, low, interior),
              "value " + toString(operand) + toString(low) + toString(high) +
                  toString(interior));
  }
}

TEST_F(TensorMaps, ReduceWindow) {
  for (int n = 0; n < kCases && !HasFatalFailure(); ++n) {
    Arena arena;
    Index operand = random.sizes(random.in(0, 3), 4), result, windowSizes;
    std::vector<WindowDim> window;
    std::vector<std::vector<Index>> along(operand.size());
    for (size_t i = 0; i < operand.size(); ++i) {
      window.push_back(randomWindow(random, operand[i], along[i]));
      result.push_back(along[i].size());
      windowSizes.push_back(window[i].size);
    }
    Relation reads;
    forEachIndex(result, [&](const Index &d) {
      forEachIndex(windowSizes, [&](const Index &k) {
        Index e;
        for (size_t i = 0; i < d.size(); ++i)
          e.push_back(along[i][d[i]][k[i]]);
        if (std::find(e.begin(), e.end(), -1) == e.end())
          reads.add(d, e);
      });
    });
    reads.normalize();
    std::string what = toString(operand);
    for (const WindowDim &w : window)
      what += toString(
          {w.size, w.stride, w.low, w.high, w.baseDilation, w.windowDilation});
    check(reads, reduceWindow(arena, kOut, operand, result, window),
          reduceWindow(arena, kIn, operand, result, window), what);
  }
}

TEST_F(TensorMaps, SharedWindow) {
  for (int n = 0; n < kCases / 3 && !HasFatalFailure(); ++n) {
    Arena arena;
    Index operand = random.sizes(random.in(0, 2), 5), positions, windowSizes;
    std::vector<WindowDim> window;
    std::vector<std::vector<Index>> along(operand.size());
    for (size_t i = 0; i < operand.size(); ++i) {
      window.push_back(randomWindow(random, operand[i], along[i]));
      positions.push_back(along[i].size());
      windowSizes.push_back(window[i].size);
    }
    Relation reads;
    forEachIndex(positions, [&](const Index &at) {
      std::vector<Index> under;
      forEachIndex(windowSizes, [&](const Index &k) {
        Index e;
        for (size_t i = 0; i < at.size(); ++i)
          e.push_back(along[i][at[i]][k[i]]);
        if (std::find(e.begin(), e.end(), -1) == e.end())
          under.push_back(e);
      });
      for (const Index &a : under)
        for (const Index &b : under)
          reads.add(a, b);
    });
    reads.normalize();
    Map map = sharedWindow(arena, operand, positions, window);
    checkSets(reads, map, map, toString(operand));
  }
}

TEST_F(TensorMaps, Convolution) {
  for (int n = 0; n < kCases && !HasFatalFailure(); ++n) {
    Arena arena;
    size_t spatial = random.in(0, 2);
    int64_t groups = random.in(1, 3);
    int64_t kind = random.in(0, 2);
    int64_t featureGroups = kind == 1 ? groups : 1;
    int64_t batchGroups = kind == 2 ? groups : 1;
    int64_t batch = random.in(1, 2), inPerGroup = random.in(1, 3);
    int64_t outPerGroup = random.in(1, 2);
    int64_t features = outPerGroup * featureGroups * batchGroups;

    Index order[3] = {random.permutation(spatial + 2),
                      random.permutation(spatial + 2),
                      random.permutation(spatial + 2)};
    Index inSpatial(order[0].begin() + 2, order[0].end());
    Index kernelSpatial(order[1].begin() + 2, order[1].end());
    Index outSpatial(order[2].begin() + 2, order[2].end());
    Index in(spatial + 2), kernel(spatial + 2), out(spatial + 2);
    in[order[0][0]] = batch * batchGroups;
    in[order[0][1]] = inPerGroup * featureGroups;
    kernel[order[1][0]] = inPerGroup;
    kernel[order[1][1]] = features;
    out[order[2][0]] = batch;
    out[order[2][1]] = features;
    std::vector<WindowDim> window;
    std::vector<std::vector<Index>> along(spatial);
    Index windowSizes;
    for (size_t i = 0; i < spatial; ++i) {
      in[inSpatial[i]] = random.in(random.oneIn(20) ? 0 : 1, 4);
      window.push_back(randomWindow(random, in[inSpatial[i]], along[i]));
      window[i].reversal = random.oneIn(2);
      kernel[kernelSpatial[i]] = window[i].size;
      out[outSpatial[i]] = along[i].size();
      windowSizes.push_back(window[i].size);
    }

    // The definition: split into groups, convolve each, join along features.
    Relation readsIn, readsKernel, readsInside;
    forEachIndex(out, [&](const Index &d) {
      int64_t feature = d[order[2][1]];
      int64_t featureGroup = feature / (features / featureGroups);
      int64_t batchGroup = feature / (features / batchGroups);
      forEachIndex(windowSizes, [&](const Index &k) {
        for (int64_t c = 0; c < inPerGroup; ++c) {
          Index e(spatial + 2), w(spatial + 2);
          bool padding = false;
          for (size_t i = 0; i < spatial; ++i) {
            e[inSpatial[i]] = along[i][d[outSpatial[i]]][k[i]];
            padding |= e[inSpatial[i]] == -1;
            w[kernelSpatial[i]] =
                window[i].reversal ? window[i].size - 1 - k[i] : k[i];
          }
          e[order[0][0]] = batchGroup * batch + d[order[2][0]];
          e[order[0][1]] = featureGroup * inPerGroup + c;
          w[order[1][0]] = c;
          w[order[1][1]] = feature;
          if (!padding) {
            readsIn.add(d, e);
            readsInside.add(d, w);
          }
          readsKernel.add(d, w);
        }
      });
    });
    readsIn.normalize();
    readsKernel.normalize();
    readsInside.normalize();
    Convolution c{in,
                  kernel,
                  out,
                  {order[0][0], order[0][1], inSpatial, order[1][0],
                   order[1][1], kernelSpatial, order[2][0], order[2][1],
                   outSpatial},
                  window,
                  featureGroups,
                  batchGroups};
    std::string what = toString(in) + toString(kernel) + toString(out) +
                       toString({featureGroups, batchGroups});
    check(readsIn, convolutionInput(arena, kOut, c),
          convolutionInput(arena, kIn, c), "input " + what);
    check(readsKernel, convolutionKernel(arena, kOut, c),
          convolutionKernel(arena, kIn, c), "kernel " + what);
    Relation inside = relationOf(convolutionKernelInside(arena, c), reader);
    inside.normalize();
    ASSERT_TRUE(inside == readsInside)
        << "MERCATOR_SEED=" << random.seed << " inside " << what
        << difference(readsInside, inside);
  }
}

TEST_F(TensorMaps, Dot) {
  for (int n = 0; n < kCases && !HasFatalFailure(); ++n) {
    Arena arena;
    // Every dimension has a label: batch, contracting, or free in one operand.
    int64_t batch = random.in(0, 2), contracting = random.in(0, 2);
    int64_t ownLeft = random.in(0, 2), ownRight = random.in(0, 1);
    Index sizes = random.sizes(batch + contracting + ownLeft + ownRight, 3);
    Index left, right; // labels, in a random order
    for (int64_t i = 0; i < batch + contracting; ++i)
      left.push_back(i), right.push_back(i);
    for (int64_t i = 0; i < ownLeft; ++i)
      left.push_back(batch + contracting + i);
    for (int64_t i = 0; i < ownRight; ++i)
      right.push_back(batch + contracting + ownLeft + i);
    auto shuffled = [&](const Index &labels) {
      Index out;
      for (int64_t i : random.permutation(labels.size()))
        out.push_back(labels[i]);
      return out;
    };
    left = shuffled(left), right = shuffled(right);
    Index dims[4], result;
    auto place = [](const Index &labels, int64_t label) {
      return std::find(labels.begin(), labels.end(), label) - labels.begin();
    };
    for (int64_t i = 0; i < batch + contracting; ++i) {
      bool isBatch = i < batch;
      dims[isBatch ? 0 : 2].push_back(place(left, i));
      dims[isBatch ? 1 : 3].push_back(place(right, i));
      if (isBatch)
        result.push_back(i);
    }
    for (int64_t label : left)
      if (label >= batch + contracting)
        result.push_back(label);
    for (int64_t label : right)
      if (label >= batch + contracting)
        result.push_back(label);

    auto pick = [](const Index &labels, const Index &values) {
      Index out;
      for (int64_t label : labels)
        out.push_back(values[label]);
      return out;
    };
    Relation readsLeft, readsRight;
    forEachIndex(sizes, [&](const Index &values) {
      readsLeft.add(pick(result, values), pick(left, values));
      readsRight.add(pick(result, values), pick(right, values));
    });
    readsLeft.normalize();
    readsRight.normalize();
    Index lhs = pick(left, sizes), rhs = pick(right, sizes);
    DotDims d{dims[0], dims[1], dims[2], dims[3]};
    std::string what = toString(lhs) + toString(rhs) + toString(dims[0]) +
                       toString(dims[1]) + toString(dims[2]) +
                       toString(dims[3]);
    // If a size is 0, no products are computed. The map may still give elements
    // of one side if only the other side has this dimension.
    if (product(sizes) == 0)
      continue;
    check(readsLeft, dot(arena, kOut, DotSide::Lhs, lhs, rhs, d),
          dot(arena, kIn, DotSide::Lhs, lhs, rhs, d), "lhs " + what);
    check(readsRight, dot(arena, kOut, DotSide::Rhs, lhs, rhs, d),
          dot(arena, kIn, DotSide::Rhs, lhs, rhs, d), "rhs " + what);
  }
}

TEST_F(TensorMaps, ByLabels) {
  for (int n = 0; n < kCases && !HasFatalFailure(); ++n) {
    Arena arena;
    // "ab,bc->ca" with letters drawn at random, some of them twice.
    Index extents = random.sizes(5, 3);
    auto draw = [&](int64_t count) {
      std::vector<unsigned> letters;
      for (int64_t i = 0; i < count; ++i)
        letters.push_back(random.in(0, 4));
      return letters;
    };
    auto sizesOf = [&](const std::vector<unsigned> &letters) {
      Index sizes;
      for (unsigned letter : letters)
        sizes.push_back(extents[letter]);
      return sizes;
    };
    std::vector<unsigned> operand = draw(random.in(0, 3)),
                          result = draw(random.in(0, 3));
    Relation reads;
    bool anyEmpty = false;
    for (unsigned letter : operand)
      anyEmpty |= extents[letter] == 0;
    forEachIndex(extents.empty() || anyEmpty ? Index{0} : Index(5, 3),
                 [&](const Index &letters) {
                   Index d, e;
                   for (unsigned letter : result) {
                     if (letters[letter] >= extents[letter])
                       return;
                     d.push_back(letters[letter]);
                   }
                   for (unsigned letter : operand) {
                     if (letters[letter] >= extents[letter])
                       return;
                     e.push_back(letters[letter]);
                   }
                   reads.add(d, e);
                 });
    reads.normalize();
    Index in = sizesOf(operand), out = sizesOf(result);
    checkSets(reads, byLabels(arena, out, result, in, operand),
              byLabels(arena, in, operand, out, result),
              toString(in) + toString(out));
  }
}

TEST_F(TensorMaps, Reduce) {
  for (int n = 0; n < kCases && !HasFatalFailure(); ++n) {
    Arena arena;
    Index operand = random.sizes(random.in(0, 4), 4);
    Index dims = random.choose(random.in(0, operand.size()), operand.size());
    Relation reads;
    forEachIndex(operand, [&](const Index &e) {
      Index d;
      for (size_t i = 0; i < e.size(); ++i)
        if (!std::binary_search(dims.begin(), dims.end(), (int64_t)i))
          d.push_back(e[i]);
      reads.add(d, e);
    });
    reads.normalize();
    check(reads, reduce(arena, kOut, operand, dims),
          reduce(arena, kIn, operand, dims),
          toString(operand) + toString(dims));
  }
}

/// Random starts, including values far out of range: some known exactly, some
/// with a range, and some read from the same scalar.
std::vector<IndexValue> randomStarts(Random &random, Arena &arena, size_t rank,
                                     Index &values) {
  std::vector<IndexValue> starts(rank);
  for (size_t i = 0; i < rank; ++i) {
    values.push_back(random.in(-4, 8));
    if (random.oneIn(4)) {
      starts[i].exact = arena.constant(values[i]);
      continue;
    }
    size_t from = random.oneIn(3) ? random.in(0, i) : i;
    values[i] = values[from];
    starts[i].source = arena.intern("of" + std::to_string(from));
    if (random.oneIn(3))
      starts[i].range = {values[i] - random.in(0, 3),
                         values[i] + random.in(0, 3)};
  }
  return starts;
}

/// Reads the scalars of randomStarts.
Reader scalarReader(Arena &arena, const Index &values) {
  return [&arena, values](const RuntimeVariable &v, const Index &index) {
    EXPECT_TRUE(index.empty());
    return values.at(std::stoi(arena.name(v.source).drop_front(2).str()));
  };
}

TEST_F(TensorMaps, DynamicSlice) {
  for (int n = 0; n < kCases && !HasFatalFailure(); ++n) {
    Arena arena;
    Index operand = random.sizes(random.in(0, 3), 5), result, values;
    for (int64_t size : operand)
      result.push_back(random.in(0, size));
    std::vector<IndexValue> starts =
        randomStarts(random, arena, operand.size(), values);
    reader = scalarReader(arena, values);
    Relation reads;
    forEachIndex(result, [&](const Index &d) {
      Index e;
      for (size_t i = 0; i < d.size(); ++i)
        e.push_back(d[i] + std::min(std::max<int64_t>(values[i], 0),
                                    operand[i] - result[i]));
      reads.add(d, e);
    });
    reads.normalize();
    check(reads, dynamicSlice(arena, kOut, operand, result, starts),
          dynamicSlice(arena, kIn, operand, result, starts),
          toString(operand) + toString(result) + toString(values));
  }
}

TEST_F(TensorMaps, DynamicUpdateSlice) {
  for (int n = 0; n < kCases && !HasFatalFailure(); ++n) {
    Arena arena;
    Index operand = random.sizes(random.in(0, 3), 5), update, values;
    for (int64_t size : operand)
      update.push_back(random.oneIn(3) ? size : random.in(0, size));
    std::vector<IndexValue> starts =
        randomStarts(random, arena, operand.size(), values);
    reader = scalarReader(arena, values);
    Tensor result = Tensor::numbered(operand);
    Tensor source = Tensor::numbered(update, 1000);
    forEachIndex(update, [&](const Index &u) {
      Index d;
      for (size_t i = 0; i < u.size(); ++i)
        d.push_back(u[i] + std::min(std::max<int64_t>(values[i], 0),
                                    operand[i] - update[i]));
      result.at(d) = source.at(u);
    });
    std::string what = toString(operand) + toString(update) + toString(values);
    Map kept = dynamicUpdateSliceOperand(arena, operand, update, starts);
    check(sameNumbers(result, Tensor::numbered(operand)), kept, kept,
          "operand " + what);
    check(sameNumbers(result, source),
          dynamicUpdateSliceUpdate(arena, kOut, operand, update, starts),
          dynamicUpdateSliceUpdate(arena, kIn, operand, update, starts),
          "update " + what);
  }
}

TEST_F(TensorMaps, Gather) {
  for (int n = 0; n < 3 * kCases && !HasFatalFailure(); ++n) {
    Arena arena;
    // The roles of the operand dimensions.
    size_t rank = random.in(0, 4);
    Index operand, sliceSizes, offsetSizes, collapsed, batching, mapped;
    for (size_t dim = 0; dim < rank; ++dim) {
      operand.push_back(random.oneIn(25) ? 0 : random.in(1, 4));
      int64_t role = random.in(0, 3);
      if (role == 0) {
        batching.push_back(dim);
        sliceSizes.push_back(std::min<int64_t>(1, operand[dim]));
        continue;
      }
      if (role == 1) {
        collapsed.push_back(dim);
        sliceSizes.push_back(std::min<int64_t>(1, operand[dim]));
      } else {
        sliceSizes.push_back(random.in(0, operand[dim]));
        offsetSizes.push_back(sliceSizes[dim]);
      }
      if (random.in(0, 2) != 0)
        mapped.push_back(dim);
    }
    { // start_index_map may come in any order.
      Index shuffled;
      for (int64_t i : random.permutation(mapped.size()))
        shuffled.push_back(mapped[i]);
      mapped = shuffled;
    }
    // The batch dimensions: those paired with dimensions of the operand, and
    // others.
    Index batchSizes, pairedBatch(batching.size());
    size_t numBatch = batching.size() + random.in(0, 2);
    Index places = random.permutation(numBatch);
    batchSizes.assign(numBatch, 0);
    for (size_t i = 0; i < numBatch; ++i) {
      if (i < batching.size())
        pairedBatch[i] = places[i];
      batchSizes[places[i]] =
          i < batching.size() ? operand[batching[i]] : random.in(1, 3);
    }
    Index indices = batchSizes;
    int64_t vectorDim;
    if (mapped.size() == 1 && random.oneIn(2)) {
      vectorDim = indices.size();
    } else {
      vectorDim = random.in(0, indices.size());
      indices.insert(indices.begin() + vectorDim, mapped.size());
    }
    Index startBatching;
    for (int64_t b : pairedBatch)
      startBatching.push_back(b < vectorDim ? b : b + 1);
    size_t resultRank = numBatch + offsetSizes.size();
    Index offsetDims = random.choose(offsetSizes.size(), resultRank);
    Index result(resultRank), batchDims;
    for (size_t d = 0, o = 0, b = 0; d < resultRank; ++d) {
      if (std::binary_search(offsetDims.begin(), offsetDims.end(), (int64_t)d))
        result[d] = offsetSizes[o++];
      else
        result[d] = batchSizes[b++], batchDims.push_back(d);
    }

    // Random index values, sometimes known before the program runs.
    Tensor values(indices);
    bool iota = !indices.empty() && random.oneIn(5), splat = random.oneIn(8);
    int64_t iotaDim = iota ? random.in(0, indices.size() - 1) : 0;
    forEachIndex(indices, [&](const Index &i) {
      values.at(i) = iota ? i[iotaDim] : splat ? 2 : random.in(-3, 6);
    });
    bool ranged = random.oneIn(3);
    int64_t below = random.in(0, 2), above = random.in(0, 2);
    auto read = [&](const Domain &, llvm::ArrayRef<Expr> at) {
      IndexValue value{.source = 1, .index = {at.begin(), at.end()}};
      if (iota)
        value.exact = at[iotaDim];
      else if (splat)
        value.exact = arena.constant(2);
      else if (ranged)
        value.range = {-3 - below, 6 + above};
      return value;
    };
    reader = [&](const RuntimeVariable &v, const Index &index) {
      return values.at(index);
    };

    // The definition, one result element after another.
    Relation reads, readsIndices;
    forEachIndex(result, [&](const Index &d) {
      Index batch, offset;
      for (size_t i = 0; i < d.size(); ++i) {
        bool isBatch = std::find(batchDims.begin(), batchDims.end(),
                                 (int64_t)i) != batchDims.end();
        (isBatch ? batch : offset).push_back(d[i]);
      }
      Index e(rank, 0);
      for (size_t slot = 0; slot < mapped.size(); ++slot) {
        Index at = batch;
        if (vectorDim < (int64_t)indices.size())
          at.insert(at.begin() + vectorDim, slot);
        readsIndices.add(d, at);
        int64_t dim = mapped[slot];
        e[dim] = std::max<int64_t>(
            0, std::min(values.at(at), operand[dim] - sliceSizes[dim]));
      }
      for (size_t i = 0; i < batching.size(); ++i)
        e[batching[i]] = batch[pairedBatch[i]];
      for (size_t dim = 0, o = 0; dim < rank; ++dim)
        if (std::find(collapsed.begin(), collapsed.end(), (int64_t)dim) ==
                collapsed.end() &&
            std::find(batching.begin(), batching.end(), (int64_t)dim) ==
                batching.end())
          e[dim] += offset[o++];
      if (product(operand) != 0)
        reads.add(d, e);
    });
    reads.normalize();
    readsIndices.normalize();

    mercator::indexing::Gather g{
        operand,  indices,       result, offsetDims, collapsed,
        batching, startBatching, mapped, vectorDim,  sliceSizes};
    g.read = read;
    std::string what = toString(operand) + toString(indices) +
                       toString(result) + toString(offsetDims) +
                       toString(collapsed) + toString(batching) +
                       toString(startBatching) + toString(mapped) +
                       std::to_string(vectorDim) + toString(sliceSizes);
    check(reads, gatherOperand(arena, kOut, g), gatherOperand(arena, kIn, g),
          "operand " + what);
    check(readsIndices, gatherIndices(arena, kOut, g),
          gatherIndices(arena, kIn, g), "indices " + what);
  }
}

} // namespace
