// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factorizations and triangular systems, computed on sets of elements: the set
// of an element has all elements that it depends on.

#include "TensorMapsFixture.h"

#include <set>

using namespace mercator::indexing;
using namespace mercator::indexing::testing;

namespace {

using MatrixMaps = TensorMapsFixture;
using Places = std::set<Index>;

void addAll(Places &to, const Places &from) {
  to.insert(from.begin(), from.end());
}

TEST_F(MatrixMaps, Cholesky) {
  for (int n = 0; n < kCases / 3 && !HasFatalFailure(); ++n) {
    Arena arena;
    int64_t size = random.in(0, 5);
    Index sizes = random.sizes(random.in(0, 2), 2);
    sizes.insert(sizes.end(), {size, size});
    bool lower = random.oneIn(2);
    Relation reads;
    forEachIndex(Index(sizes.begin(), sizes.end() - 2), [&](const Index &b) {
      auto at = [&](int64_t row, int64_t column) {
        Index index = b;
        index.push_back(lower ? row : column);
        index.push_back(lower ? column : row);
        return index;
      };
      std::vector<std::vector<Places>> factor(size, std::vector<Places>(size));
      for (int64_t j = 0; j < size; ++j)
        for (int64_t i = j; i < size; ++i) {
          factor[i][j] = {at(i, j)};
          for (int64_t k = 0; k < j; ++k) {
            addAll(factor[i][j], factor[i][k]);
            addAll(factor[i][j], factor[j][k]);
          }
          if (i != j)
            addAll(factor[i][j], factor[j][j]);
          for (const Index &place : factor[i][j])
            reads.add(at(i, j), place);
        }
    });
    reads.normalize();
    checkSets(reads, cholesky(arena, kOut, sizes, lower),
              cholesky(arena, kIn, sizes, lower),
              toString(sizes) + (lower ? " lower" : " upper"));
  }
}

TEST_F(MatrixMaps, TriangularSolve) {
  for (int n = 0; n < kCases && !HasFatalFailure(); ++n) {
    Arena arena;
    int64_t size = random.in(0, 4), lines = random.in(0, 3);
    Index batch = random.sizes(random.in(0, 1), 2), a = batch, b = batch;
    TriangularSolve t;
    t.leftSide = random.oneIn(2);
    t.lower = random.oneIn(2);
    t.unitDiagonal = random.oneIn(2);
    t.transpose = random.oneIn(2);
    a.insert(a.end(), {size, size});
    b.push_back(t.leftSide ? size : lines);
    b.push_back(t.leftSide ? lines : size);
    t.a = a;
    t.b = b;
    Relation readsA, readsB;
    forEachIndex(batch, [&](const Index &of) {
      auto pair = [&](int64_t row, int64_t column) {
        Index index = of;
        index.insert(index.end(), {row, column});
        return index;
      };
      // Element (p, q) of op(A), or zero in the triangle that is not stored.
      auto place = [&](int64_t p, int64_t q) {
        return t.transpose ? pair(q, p) : pair(p, q);
      };
      auto isStored = [&](int64_t p, int64_t q) {
        if (t.transpose)
          std::swap(p, q);
        return t.lower ? q <= p : p <= q;
      };
      for (int64_t line = 0; line < lines; ++line) {
        // Solve next an equation with only one unknown that is not solved.
        std::vector<Places> ofA(size), ofB(size);
        std::vector<bool> solved(size);
        auto coefficient = [&](int64_t equation, int64_t unknown) {
          return t.leftSide ? std::make_pair(equation, unknown)
                            : std::make_pair(unknown, equation);
        };
        for (int64_t step = 0; step < size; ++step)
          for (int64_t e = 0; e < size; ++e) {
            bool ready = !solved[e];
            for (int64_t u = 0; u < size; ++u) {
              auto [p, q] = coefficient(e, u);
              ready &= u == e || solved[u] || !isStored(p, q);
            }
            if (!ready)
              continue;
            auto element = t.leftSide ? pair(e, line) : pair(line, e);
            ofB[e].insert(element);
            for (int64_t u = 0; u < size; ++u) {
              auto [p, q] = coefficient(e, u);
              if (!isStored(p, q) || (u == e && t.unitDiagonal))
                continue;
              ofA[e].insert(place(p, q));
              if (u != e) {
                addAll(ofA[e], ofA[u]);
                addAll(ofB[e], ofB[u]);
              }
            }
            solved[e] = true;
            for (const Index &read : ofA[e])
              readsA.add(element, read);
            for (const Index &read : ofB[e])
              readsB.add(element, read);
          }
      }
    });
    readsA.normalize();
    readsB.normalize();
    std::string what =
        toString(a) + toString(b) +
        toString({t.leftSide, t.lower, t.unitDiagonal, t.transpose});
    checkSets(readsA, triangularSolveMatrix(arena, kOut, t),
              triangularSolveMatrix(arena, kIn, t), "a " + what);
    checkSets(readsB, triangularSolveRightSide(arena, kOut, t),
              triangularSolveRightSide(arena, kIn, t), "b " + what);
  }
}

} // namespace
