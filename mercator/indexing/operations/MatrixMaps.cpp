// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps of factorizations and of triangular systems of equations. The header
// derives them from the order in which the equations are solved.

#include "mercator/indexing/operations/TensorMapsDetail.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::indexing::detail;
using llvm::SmallVector;

namespace {

/// A map on the last two dimensions of each tensor; the others are equal.
class MatrixMap {
public:
  MatrixMap(Arena &arena, Sizes from)
      : arena(arena), rank(from.size()), map(onBox(arena, from)) {}

  [[nodiscard]] Expr row() const { return arena.dim(rank - 2); }
  [[nodiscard]] Expr column() const { return arena.dim(rank - 1); }
  Expr any(int64_t size) {
    return map.domain.addRange(arena, Interval::ofSize(size));
  }
  /// Adds smaller + by <= larger, for indices below `size`.
  void order(Expr smaller, Expr larger, int64_t size, int64_t by = 0) {
    map.domain.addConstraint(arena.sub(larger, smaller), {by, size - 1});
  }
  Map to(Expr toRow, Expr toColumn) && {
    for (size_t i = 0; i + 2 < rank; ++i)
      map.results.push_back(arena.dim(i));
    map.results.append({toRow, toColumn});
    return finish(std::move(map));
  }

private:
  Arena &arena;
  size_t rank;
  Map map;
};

} // namespace

// The names below are those of a lower factor: L[i][j] is the element of the
// factor, A[p][q] that of the matrix. For an upper factor both are transposed.
SmallVector<Map, 2> indexing::cholesky(Arena &arena, Direction direction,
                                       Sizes sizes, bool lower) {
  int64_t n = sizes.back();
  auto first = [&](const MatrixMap &m) { return lower ? m.row() : m.column(); };
  auto second = [&](const MatrixMap &m) {
    return lower ? m.column() : m.row();
  };
  auto to = [&](MatrixMap m, Expr x, Expr y) {
    return lower ? std::move(m).to(x, y) : std::move(m).to(y, x);
  };
  MatrixMap corner(arena, sizes), ownRow(arena, sizes);
  if (direction == Direction::OutToIn) {
    Expr i = first(corner), j = second(corner);
    Expr p = corner.any(n), q = corner.any(n);
    corner.order(j, i, n);
    corner.order(p, j, n);
    corner.order(q, p, n);
    // The other map has the rows up to j.
    ownRow.order(j, i, n, 1);
    Expr rowQ = ownRow.any(n);
    ownRow.order(rowQ, j, n);
    return {to(corner, p, q), to(ownRow, i, rowQ)};
  }
  Expr p = first(corner), q = second(corner);
  Expr i = corner.any(n), j = corner.any(n);
  corner.order(q, p, n);
  corner.order(p, j, n);
  corner.order(j, i, n);
  Expr rowJ = ownRow.any(n);
  ownRow.order(q, rowJ, n);
  ownRow.order(rowJ, p, n, 1);
  return {to(corner, i, j), to(ownRow, p, rowJ)};
}

// The equations of one line (a column of X if A is on the left side, a row if
// it is on the right) are solved forward or backward. Equation t reads the
// coefficient of equation `outer` for the unknown `inner` if
//
//   forward    inner <= outer <= t       backward    t <= outer <= inner
static bool isForward(const TriangularSolve &t) {
  return t.leftSide == (t.lower != t.transpose);
}

Map indexing::triangularSolveMatrix(Arena &arena, Direction direction,
                                    const TriangularSolve &t) {
  int64_t n = t.a.back(), diagonal = t.unitDiagonal ? 1 : 0;
  bool forward = isForward(t);
  // An equation is a row of op(A) on the left side, a column on the right.
  bool equationIsRow = t.leftSide != t.transpose;
  auto constrain = [&](MatrixMap &m, Expr at, Expr outer, Expr inner) {
    forward ? m.order(outer, at, n) : m.order(at, outer, n);
    forward ? m.order(inner, outer, n, diagonal)
            : m.order(outer, inner, n, diagonal);
  };
  if (direction == Direction::OutToIn) {
    MatrixMap m(arena, t.b);
    Expr outer = m.any(n), inner = m.any(n);
    constrain(m, t.leftSide ? m.row() : m.column(), outer, inner);
    return equationIsRow ? std::move(m).to(outer, inner)
                         : std::move(m).to(inner, outer);
  }
  MatrixMap m(arena, t.a);
  int64_t lines = t.b[t.b.size() - (t.leftSide ? 1 : 2)];
  Expr at = m.any(n), line = m.any(lines);
  constrain(m, at, equationIsRow ? m.row() : m.column(),
            equationIsRow ? m.column() : m.row());
  return t.leftSide ? std::move(m).to(at, line) : std::move(m).to(line, at);
}

Map indexing::triangularSolveRightSide(Arena &arena, Direction direction,
                                       const TriangularSolve &t) {
  int64_t n = t.a.back();
  MatrixMap m(arena, t.b);
  Expr own = t.leftSide ? m.row() : m.column(), other = m.any(n);
  if (isForward(t) == (direction == Direction::OutToIn))
    m.order(other, own, n);
  else
    m.order(own, other, n);
  Expr row = t.leftSide ? other : m.row();
  Expr column = t.leftSide ? m.column() : other;
  return std::move(m).to(row, column);
}
