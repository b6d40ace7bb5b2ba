// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the tests of TensorMaps.h: random shapes, tensors of numbers, and
// the comparison of maps with relations found by brute force.

#ifndef MERCATOR_TESTS_INDEXING_OPERATIONS_TENSORMAPSFIXTURE_H
#define MERCATOR_TESTS_INDEXING_OPERATIONS_TENSORMAPSFIXTURE_H

#include "mercator/indexing/notation/Notation.h"
#include "mercator/indexing/operations/TensorMaps.h"
#include "mercator/indexing/simplify/Inverse.h"
#include "mercator/indexing/simplify/Simplify.h"

#include "tests/Scale.h"
#include "tests/Seed.h"
#include "tests/indexing/BruteForce.h"

#include "gtest/gtest.h"
#include <random>

namespace mercator::indexing::testing {

class Random {
public:
  Random() {
    seed = mercator::testSeed();
    engine.seed(seed);
  }
  /// A number in [lower, upper].
  int64_t in(int64_t lower, int64_t upper) {
    return std::uniform_int_distribution<int64_t>(lower, upper)(engine);
  }
  bool oneIn(int n) { return in(1, n) == 1; }
  /// Random sizes; about one in twenty is 0.
  Index sizes(int64_t rank, int64_t largest) {
    Index out;
    for (int64_t i = 0; i < rank; ++i)
      out.push_back(oneIn(20) ? 0 : in(1, largest));
    return out;
  }
  Index permutation(int64_t n) {
    Index out(n);
    for (int64_t i = 0; i < n; ++i)
      out[i] = i;
    std::shuffle(out.begin(), out.end(), engine);
    return out;
  }
  /// `count` different numbers below n, sorted.
  Index choose(int64_t count, int64_t n) {
    Index out = permutation(n);
    out.resize(count);
    std::sort(out.begin(), out.end());
    return out;
  }
  uint64_t seed;

private:
  std::mt19937_64 engine;
};

inline int64_t product(const Index &sizes) {
  int64_t n = 1;
  for (int64_t size : sizes)
    n *= size;
  return n;
}

/// A tensor of numbers in row-major order.
struct Tensor {
  Index sizes;
  Index values;

  explicit Tensor(Index sizes, int64_t fill = 0)
      : sizes(std::move(sizes)), values(product(this->sizes), fill) {}
  /// Elements first, first + 1, ...
  static Tensor numbered(Index sizes, int64_t first = 0) {
    Tensor t(std::move(sizes));
    for (size_t i = 0; i < t.values.size(); ++i)
      t.values[i] = first + i;
    return t;
  }
  int64_t &at(const Index &index) {
    int64_t linear = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
      EXPECT_TRUE(0 <= index[i] && index[i] < sizes[i]);
      linear = linear * sizes[i] + index[i];
    }
    return values[linear];
  }
};

/// Checks maps against relations, and prints the seed if they differ.
class TensorMapsFixture : public ::testing::Test {
protected:
  Random random;
  Reader reader;

  /// Checks the maps of both directions against the reads of the result.
  void check(const Relation &reads, const Map &outToIn, const Map &inToOut,
             const std::string &what) {
    SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(random.seed) + " " + what);
    Relation back = relationOf(outToIn, reader);
    ASSERT_TRUE(back == reads) << "out-to-in" << difference(reads, back);
    Relation expected = reads.inverse(), forth = relationOf(inToOut, reader);
    ASSERT_TRUE(forth == expected)
        << "in-to-out" << difference(expected, forth);
    if (random.oneIn(4)) {
      checkInverses(outToIn, expected, "inverse of out-to-in");
      checkInverses(inToOut, reads, "inverse of in-to-out");
    }
    ++cases;
  }
  /// Checks that the inverses give the relation of the other direction.
  void checkInverses(llvm::ArrayRef<Map> maps, const Relation &expected,
                     const char *which) {
    Relation got;
    std::string texts;
    for (const Map &map : maps) {
      Index sizes(map.numResults(), 1);
      for (const auto &[from, to] : expected.pairs)
        for (size_t i = 0; i < from.size(); ++i)
          sizes[i] = std::max(sizes[i], from[i] + 1);
      Map back = inverse(map, sizes);
      for (const auto &[from, to] : relationOf(back, reader).pairs)
        got.add(from, to);
      texts += "\n" + toString(map) + "\n  " + toString(back);
    }
    got.normalize();
    ASSERT_TRUE(got == expected) << which << difference(expected, got) << texts;
  }
  /// The same for sets of maps. Simplifying must not change them.
  void checkSets(const Relation &reads, llvm::ArrayRef<Map> outToIn,
                 llvm::ArrayRef<Map> inToOut, const std::string &what) {
    SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(random.seed) + " " + what);
    auto expect = [&](const Relation &expected, llvm::ArrayRef<Map> maps,
                      const char *direction) {
      Relation raw, simplified;
      for (const Map &map : maps) {
        for (const auto &pair : relationOf(map, reader).pairs)
          raw.add(pair.first, pair.second);
        for (const auto &pair : relationOf(simplify(map), reader).pairs)
          simplified.add(pair.first, pair.second);
      }
      raw.normalize();
      simplified.normalize();
      ASSERT_TRUE(raw == expected) << direction << difference(expected, raw);
      ASSERT_TRUE(simplified == expected)
          << direction << " simplified" << difference(expected, simplified);
    };
    expect(reads, outToIn, "out-to-in");
    expect(reads.inverse(), inToOut, "in-to-out");
    if (random.oneIn(4)) {
      checkInverses(outToIn, reads.inverse(), "inverse of out-to-in");
      checkInverses(inToOut, reads, "inverse of in-to-out");
    }
    ++cases;
  }
  int cases = 0;
  void TearDown() override { RecordProperty("cases", cases); }
};

inline constexpr auto kOut = Direction::OutToIn;
inline constexpr auto kIn = Direction::InToOut;
inline constexpr int kCases = cases(3'000);

/// One dimension, padded by hand: element numbers, -1 for padding.
inline Index padded(int64_t size, int64_t low, int64_t high, int64_t interior) {
  Index out(std::max<int64_t>(low, 0), -1);
  for (int64_t i = 0; i < size; ++i) {
    if (i > 0)
      out.insert(out.end(), interior, -1);
    out.push_back(i);
  }
  out.insert(out.end(), std::max<int64_t>(high, 0), -1);
  for (; low < 0 && !out.empty(); ++low)
    out.erase(out.begin());
  for (; high < 0 && !out.empty(); ++high)
    out.pop_back();
  return out;
}

/// A random window over a dimension; `along[o]` gets the elements under it.
inline WindowDim randomWindow(Random &random, int64_t size,
                              std::vector<Index> &along) {
  WindowDim w;
  w.size = random.in(1, 3);
  w.stride = random.in(1, 3);
  w.baseDilation = random.in(1, 3);
  w.windowDilation = random.in(1, 3);
  w.low = random.in(-2, 3);
  w.high = random.in(-2, 3);
  Index base = padded(size, w.low, w.high, w.baseDilation - 1);
  // Negative padding must not give a negative size.
  if (size + std::max<int64_t>(size - 1, 0) * (w.baseDilation - 1) + w.low +
          w.high <
      0) {
    w.low = w.high = 0;
    base = padded(size, 0, 0, w.baseDilation - 1);
  }
  int64_t reach = (w.size - 1) * w.windowDilation;
  for (int64_t at = 0; at + reach < (int64_t)base.size(); at += w.stride) {
    Index under;
    for (int64_t k = 0; k < w.size; ++k)
      under.push_back(base[at + k * w.windowDilation]);
    along.push_back(under);
  }
  return w;
}

} // namespace mercator::indexing::testing

#endif // MERCATOR_TESTS_INDEXING_OPERATIONS_TENSORMAPSFIXTURE_H
