// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// mask: result[i] = update[i - start] if that is in range, else operand[i].

#include "mercator/targets/ascend/operators/Elements.h"
#include "mercator/targets/ascend/scatter/Ways.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;
using namespace mercator::scatter;

using Shape = SmallVector<int64_t, 8>;

/// The update is expanded by a gather along each dimension that it does not
/// fill.
Value scatter::chooseByMask(ImplicitLocOpBuilder &b,
                            stablehlo::DynamicUpdateSliceOp op,
                            ArrayRef<Dimension> dimensions) {
  Value update = op.getUpdate(), isInside;
  Elements e(b);
  for (auto [d, dimension] : llvm::enumerate(dimensions)) {
    if (!dimension.start)
      continue;
    int64_t extent = dimension.extent;
    Value start = op.getStartIndices()[d];
    // The types of Range, Sub and ClipByValue.
    Type index = elementOf(start).isSignlessInteger(32) ? b.getI32Type()
                                                        : b.getI64Type();
    start = clamped(b, start, dimension.known, 0, dimension.lastStart(), index);
    Value places = RangeOp::create(
        b, RankedTensorType::get({extent}, index), e.integer(start, 0),
        e.integer(start, extent), e.integer(start, 1));
    places = e.binary<SubOp>(places, start);
    Value from =
        ClipByValueOp::create(b, places.getType(), places, e.integer(start, 0),
                              e.integer(start, dimension.updated - 1));
    Shape shape(typeOf(update).getShape());
    shape[d] = extent;
    update = GatherV2Op::create(b, typeOf(update).clone(shape), update, from,
                                constantScalar(b, b.getI64Type(), d));
    Shape column(shape.size(), 1);
    column[d] = extent;
    Value here = reshape(b, e.isEqual(places, from), column);
    if (!isInside) {
      isInside = here;
      continue;
    }
    Shape both;
    for (auto [i, j] : llvm::zip_equal(typeOf(isInside).getShape(), column))
      both.push_back(std::max<int64_t>(i, j));
    isInside =
        LogicalAndOp::create(b, typeOf(here).clone(both), isInside, here);
  }
  Value x = op.getOperand();
  isInside = broadcastTo(b, isInside, typeOf(x).getShape());
  return e.choose(isInside, update, x);
}
