// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Access rules of operations that move elements to positions given by
// attributes or by small operands.

#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Places.h"
#include "mercator/reference/provenance/AccessRules.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

using Set = ProvenanceSets::Id;

/// All numbers of an integer operand.
static SmallVector<int64_t> numbersOf(const Access &access, size_t i) {
  SmallVector<int64_t> numbers;
  for (int64_t k = 0; k < access.tensor(i).size(); ++k)
    numbers.push_back(indexAt(access.tensor(i), k));
  return numbers;
}

//===----------------------------------------------------------------------===//
// Rearrangements
//===----------------------------------------------------------------------===//

static LogicalResult traceBroadcastInDim(Access &access,
                                         ArrayRef<int64_t> dims) {
  ArrayRef<int64_t> shape = access.shape(0);
  access.forEach(0, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from;
    for (size_t d = 0; d < shape.size(); ++d)
      from.push_back(shape[d] == 1 ? 0 : index[dims[d]]);
    return access.at(0, from);
  });
  return success();
}
template <typename Op>
static LogicalResult traceBroadcastInDim(Op op, Access &access) {
  return traceBroadcastInDim(access, op.getBroadcastDimensions());
}

static LogicalResult traceBroadcast(BroadcastOp op, Access &access) {
  size_t added = op.getBroadcastSizes().size();
  access.forEach(0, [&](ArrayRef<int64_t> index) {
    return access.at(0, index.drop_front(added));
  });
  return success();
}

/// Element n in row-major order stays element n.
template <typename Op> static LogicalResult traceReshape(Op, Access &access) {
  for (int64_t n = 0; n < access.result(0).size(); ++n)
    access.reads(0, n, access.at(0, n));
  return success();
}

static LogicalResult traceTranspose(TransposeOp op, Access &access) {
  ArrayRef<int64_t> permutation = op.getPermutation();
  access.forEach(0, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(index.size());
    for (size_t d = 0; d < index.size(); ++d)
      from[permutation[d]] = index[d];
    return access.at(0, from);
  });
  return success();
}

static LogicalResult traceReverse(ReverseOp op, Access &access) {
  access.forEach(0, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(index);
    for (int64_t dim : op.getDimensions())
      from[dim] = access.shape(0)[dim] - 1 - index[dim];
    return access.at(0, from);
  });
  return success();
}

static LogicalResult traceSlice(Access &access, ArrayRef<int64_t> starts,
                                ArrayRef<int64_t> strides, Set always) {
  access.forEach(0, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from;
    for (size_t d = 0; d < index.size(); ++d)
      from.push_back(starts[d] + index[d] * strides[d]);
    return access.unite(access.at(0, from), always);
  });
  return success();
}
static LogicalResult traceSlice(SliceOp op, Access &access) {
  return traceSlice(access, op.getStartIndices(), op.getStrides(),
                    ProvenanceSets::kNone);
}
/// The limits only determine where the slice ends.
static LogicalResult traceRealDynamicSlice(RealDynamicSliceOp, Access &access) {
  return traceSlice(access, numbersOf(access, 1), numbersOf(access, 3),
                    access.unite(access.all(1), access.all(3)));
}

static LogicalResult traceConcatenate(ConcatenateOp op, Access &access) {
  int64_t dim = op.getDimension();
  access.forEach(0, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(index);
    size_t i = 0;
    for (; from[dim] >= access.shape(i)[dim]; ++i)
      from[dim] -= access.shape(i)[dim];
    return access.at(i, from);
  });
  return success();
}

static LogicalResult tracePad(Access &access, ArrayRef<int64_t> low,
                              ArrayRef<int64_t> interior, Set always) {
  access.forEach(0, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from;
    bool isElement = true;
    for (size_t d = 0; d < index.size(); ++d) {
      int64_t at = index[d] - low[d], step = interior[d] + 1;
      isElement &= at >= 0 && at % step == 0 && at / step < access.shape(0)[d];
      from.push_back(at / step);
    }
    return access.unite(isElement ? access.at(0, from) : access.at(1, 0),
                        always);
  });
  return success();
}
static LogicalResult tracePad(PadOp op, Access &access) {
  return tracePad(access, op.getEdgePaddingLow(), op.getInteriorPadding(),
                  ProvenanceSets::kNone);
}
/// The high padding only determines where the result ends.
static LogicalResult traceDynamicPad(DynamicPadOp, Access &access) {
  return tracePad(access, numbersOf(access, 2), numbersOf(access, 4),
                  access.unite(access.all(2), access.all(4)));
}

/// A wide element consists of several adjacent narrow ones.
static LogicalResult traceBitcastConvert(BitcastConvertOp, Access &access) {
  int64_t from = access.tensor(0).size(), to = access.result(0).size();
  for (int64_t i = 0; i < std::max(from, to); ++i)
    access.reads(0, to < from ? i / (from / to) : i,
                 access.at(0, from < to ? i / (to / from) : i));
  return success();
}

/// The positions of the elements of a type in memory order. The layout lists
/// the fastest dimension first.
static SmallVector<int64_t> memoryOrder(RankedTensorType type) {
  SmallVector<int64_t> fastestFirst = hlo::minorToMajor(type), slowestFirst,
                       extents, rowMajor(type.getRank(), 1), places;
  for (int64_t d = type.getRank() - 2; d >= 0; --d)
    rowMajor[d] = rowMajor[d + 1] * type.getDimSize(d + 1);
  slowestFirst.assign(fastestFirst.rbegin(), fastestFirst.rend());
  for (int64_t dim : slowestFirst)
    extents.push_back(type.getDimSize(dim));
  for (Index index(extents); index; ++index) {
    int64_t place = 0;
    for (size_t i = 0; i < slowestFirst.size(); ++i)
      place += index[i] * rowMajor[slowestFirst[i]];
    places.push_back(place);
  }
  return places;
}
static LogicalResult traceBitcast(hlo::BitcastOp op, Access &access) {
  SmallVector<int64_t> from = memoryOrder(
                           cast<RankedTensorType>(op.getOperand().getType())),
                       to = memoryOrder(op.getType());
  for (auto [there, here] : llvm::zip_equal(from, to))
    access.reads(0, here, access.at(0, there));
  return success();
}

/// The remaining elements; the size only determines their number.
static LogicalResult traceSetDimensionSize(SetDimensionSizeOp, Access &access) {
  access.forEach(0,
                 [&](ArrayRef<int64_t> index) { return access.at(0, index); });
  return success();
}

//===----------------------------------------------------------------------===//
// Windows at positions given by operands
//===----------------------------------------------------------------------===//

/// The start indices from operand `first` on, clamped so that a window of
/// `sizes` lies in operand 0.
static SmallVector<int64_t> startsOf(const Access &access, size_t first,
                                     ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> starts;
  for (size_t d = 0; d < sizes.size(); ++d) {
    int64_t last = access.shape(0)[d] - sizes[d],
            start = indexAt(access.tensor(first + d), 0);
    starts.push_back(start < 0 ? 0 : std::min(start, last));
  }
  return starts;
}
static Set allFrom(const Access &access, size_t first) {
  Set set = ProvenanceSets::kNone;
  for (size_t i = first; i < access.operands.size(); ++i)
    set = access.unite(set, access.all(i));
  return set;
}

static LogicalResult traceDynamicSlice(DynamicSliceOp op, Access &access) {
  SmallVector<int64_t> starts = startsOf(access, 1, op.getSliceSizes()),
                       ones(starts.size(), 1);
  return traceSlice(access, starts, ones, allFrom(access, 1));
}

static LogicalResult traceDynamicUpdateSlice(DynamicUpdateSliceOp,
                                             Access &access) {
  ArrayRef<int64_t> sizes = access.shape(1);
  SmallVector<int64_t> starts = startsOf(access, 2, sizes);
  access.forEach(0, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from;
    bool isInside = true;
    for (size_t d = 0; d < index.size(); ++d) {
      from.push_back(index[d] - starts[d]);
      isInside &= 0 <= from[d] && from[d] < sizes[d];
    }
    return access.unite(isInside ? access.at(1, from) : access.at(0, index),
                        allFrom(access, 2));
  });
  return success();
}

void addDataAccess(AccessRules &rules) {
  rules.add<BroadcastInDimOp, traceBroadcastInDim<BroadcastInDimOp>>();
  rules.add<DynamicBroadcastInDimOp,
            traceBroadcastInDim<DynamicBroadcastInDimOp>>();
  rules.add<BroadcastOp, traceBroadcast>();
  rules.add<ReshapeOp, traceReshape<ReshapeOp>>();
  rules.add<DynamicReshapeOp, traceReshape<DynamicReshapeOp>>();
  rules.add<TransposeOp, traceTranspose>();
  rules.add<ReverseOp, traceReverse>();
  rules.add<SliceOp, traceSlice>();
  rules.add<RealDynamicSliceOp, traceRealDynamicSlice>();
  rules.add<ConcatenateOp, traceConcatenate>();
  rules.add<PadOp, tracePad>();
  rules.add<DynamicPadOp, traceDynamicPad>();
  rules.add<BitcastConvertOp, traceBitcastConvert>();
  rules.add<hlo::BitcastOp, traceBitcast>();
  rules.add<SetDimensionSizeOp, traceSetDimensionSize>();
  rules.add<DynamicSliceOp, traceDynamicSlice>();
  rules.add<DynamicUpdateSliceOp, traceDynamicUpdateSlice>();
}

} // namespace mercator::reference
