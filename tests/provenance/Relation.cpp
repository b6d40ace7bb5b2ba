// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Relation.h"

#include "mercator/indexing/evaluate/CompiledExprs.h"

#include <algorithm>

namespace mercator::testing {

using namespace indexing;

Relation::Relation(Numbers fromSizes, Numbers toSizes)
    : from(std::move(fromSizes)), to(std::move(toSizes)) {
  for (int64_t size : from)
    rows *= size;
  for (int64_t size : to)
    columns *= size;
  bits.resize(rows * columns);
}

Relation Relation::transposed() const {
  Relation out(to, from);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      out.bits[c * rows + r] = bits[r * columns + c];
  return out;
}
bool Relation::contains(const Relation &other) const {
  for (size_t i = 0; i < bits.size(); ++i)
    if (other.bits[i] > bits[i])
      return false;
  return true;
}
int64_t Relation::count() const {
  return std::count(bits.begin(), bits.end(), 1);
}

static std::string indexText(int64_t place, const Numbers &sizes) {
  Numbers index(sizes.size());
  for (size_t d = sizes.size(); d-- > 0; place /= sizes[d])
    index[d] = place % sizes[d];
  return "(" + join(index) + ")";
}

std::string difference(const Relation &expected, const Relation &got) {
  std::string out;
  auto add = [&](const Relation &a, const Relation &b, const char *title) {
    int shown = 0;
    for (int64_t r = 0; r < a.rows; ++r)
      for (int64_t c = 0; c < a.columns; ++c)
        if (a.at(r, c) && !b.at(r, c) && shown++ < 4)
          out += std::string("\n  ") + title + " " + indexText(r, a.from) +
                 " -> " + indexText(c, a.to);
    if (shown > 4)
      out += "\n  .. " + std::to_string(shown) + " of them";
  };
  add(expected, got, "missing ");
  add(got, expected, "too much");
  return out;
}

std::string addMap(Relation &relation, const Map &map, ReadValue read) {
  if (map.isKnownEmpty())
    return "";
  const Arena &arena = *map.arena;
  const Domain &domain = map.domain;
  size_t numDims = domain.dims.size(), numRanges = domain.ranges.size(),
         numRuntimes = domain.runtimes.size();
  if (numDims != relation.from.size() ||
      map.results.size() != relation.to.size())
    return "the map has other ranks than the tensors";
  llvm::SmallVector<Expr> exprs(map.results.begin(), map.results.end());
  for (const Constraint &c : domain.constraints)
    exprs.push_back(c.expr);
  CompiledExprs program(arena, domain, exprs);
  // The index of a runtime variable may use earlier runtime variables.
  llvm::SmallVector<CompiledExprs> at;
  for (const RuntimeVariable &v : domain.runtimes)
    at.push_back(CompiledExprs(arena, domain, v.index));

  llvm::SmallVector<int64_t> lower, upper;
  auto addVariable = [&](const Variable &v) {
    lower.push_back(v.bounds.lower);
    upper.push_back(v.bounds.upper);
  };
  for (const Variable &v : domain.dims)
    addVariable(v);
  for (const Variable &v : domain.ranges)
    addVariable(v);
  for (size_t i = 0; i < lower.size(); ++i) {
    if (lower[i] > upper[i])
      return "";
    if (i < numDims && (lower[i] < 0 || upper[i] >= relation.from[i]))
      return "dimension " + std::to_string(i) + " leaves the tensor";
    if (upper[i] - lower[i] > 100'000)
      return "a variable without bounds";
  }
  llvm::SmallVector<int64_t> point(lower);
  point.resize(numDims + numRanges + numRuntimes);
  llvm::SmallVector<int64_t> values(exprs.size());
  while (true) {
    bool isDefined = true;
    for (size_t i = 0; i < numRuntimes; ++i)
      point[numDims + numRanges + i] = domain.runtimes[i].bounds.lower;
    for (size_t i = 0; i < numRuntimes && isDefined; ++i) {
      const RuntimeVariable &v = domain.runtimes[i];
      llvm::SmallVector<int64_t> index(v.index.size());
      std::optional<int64_t> value;
      if (at[i].evaluate(point, index))
        value = read(v, index);
      // A runtime variable must be read from an existing element, unless the
      // point is outside the domain for other reasons.
      isDefined = value.has_value();
      if (isDefined)
        point[numDims + numRanges + i] =
            std::clamp(*value, v.bounds.lower, v.bounds.upper);
    }
    bool inside = program.evaluate(point, values);
    for (size_t i = 0; i < domain.constraints.size() && inside; ++i)
      inside =
          domain.constraints[i].bounds.contains(values[map.results.size() + i]);
    if (inside) {
      if (!isDefined)
        return "a runtime variable is read where its source has no element";
      int64_t row = 0, column = 0;
      for (size_t i = 0; i < numDims; ++i)
        row = row * relation.from[i] + point[i];
      for (size_t i = 0; i < relation.to.size(); ++i) {
        if (values[i] < 0 || values[i] >= relation.to[i])
          return "element " + indexText(row, relation.from) + " reads " +
                 std::to_string(values[i]) + " in dimension " +
                 std::to_string(i) + ", which is outside of the tensor";
        column = column * relation.to[i] + values[i];
      }
      relation.set(row, column);
    }
    size_t i = lower.size();
    while (i > 0 && ++point[i - 1] > upper[i - 1]) {
      point[i - 1] = lower[i - 1];
      --i;
    }
    if (i == 0)
      return "";
  }
}

} // namespace mercator::testing
