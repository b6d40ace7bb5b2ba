// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that put the elements of a line in order. Where an element comes
// from depends on all of the line, so that all of it is read.

#include "mercator/analysis/maps/models/Model.h"
#include "mercator/analysis/maps/models/RegionReads.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;

namespace {

/// A result reads its own operand, and those that the comparator looks at to
/// decide which element it is.
MapSet sortMaps(stablehlo::SortOp op, const Query &q) {
  int64_t rank = q.in.size(), sorted = op.getDimension();
  if (sorted < 0)
    sorted += rank;
  Map line = q.along([&](int64_t dim) { return dim == sorted; });
  if (q.operand == q.result)
    return line;
  BodyReads reads = bodyReads(op.getComparator(), 0);
  if (!reads.arguments[2 * q.operand] && !reads.arguments[2 * q.operand + 1])
    return q.nothing();
  if (reads.exact)
    return line;
  return q.approximate(std::move(line),
                       "sort: what the comparator reads is not known exactly");
}

} // namespace

void maps::attachSortMaps(mlir::MLIRContext *context) {
  attach<stablehlo::SortOp, sortMaps>(context);
}
