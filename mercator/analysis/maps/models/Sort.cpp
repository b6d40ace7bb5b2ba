// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that sort the elements of a line. The order depends on the whole
// line, so every element reads the whole line.

#include "mercator/analysis/maps/Model.h"
#include "mercator/analysis/maps/RegionReads.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;

namespace {

/// A result reads its own operand, and the operands that the comparator uses.
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
  return q.approximate(
      std::move(line),
      "sort: the reads of the comparator are not known exactly");
}

} // namespace

void maps::attachSortMaps(mlir::MLIRContext *context) {
  attach<stablehlo::SortOp, sortMaps>(context);
}
