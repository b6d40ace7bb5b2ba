// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equations between operations that move all elements of a tensor: transpose,
// reshape, broadcast, reverse. The normal form has one of them where there were
// several, and a reshape where no element moves.

#include "mercator/transforms/stablehlo/simplify/Simplify.h"

#include <limits>

using namespace mlir;

namespace mercator::stablehlo {

using Builder = ImplicitLocOpBuilder;
using Dims = SmallVector<int64_t>;

static bool isIdentity(ArrayRef<int64_t> dims) {
  return llvm::equal(dims, llvm::seq<int64_t>(0, dims.size()));
}

/// Whether both are static and have neither encodings nor quantized elements.
static bool arePlain(Type a, Type b) {
  auto isUnencoded = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() && !tensor.getEncoding() &&
           isa<IntegerType, FloatType, ComplexType>(tensor.getElementType());
  };
  return isUnencoded(a) && isUnencoded(b);
}

/// The extents that are not 1.
static Dims squeezed(ArrayRef<int64_t> shape) {
  Dims result;
  llvm::copy_if(shape, std::back_inserter(result),
                [](int64_t extent) { return extent != 1; });
  return result;
}

//===--- Constants --------------------------------------------------------===//

// a splat moved is a splat
static Value moveSplat(Operation *op, Builder &b) {
  Type type = op->getResult(0).getType();
  if (!arePlain(type, op->getOperand(0).getType()))
    return {};
  Attribute element = splatOf(op->getOperand(0));
  return element ? splat(b, type, element) : Value();
}

/// A pad up to this size is a small tensor, often a constant.
static constexpr int64_t kMostPaddedElements = 16 * 1024;

// a large pad of a splat is a choice by the index, which takes no memory
static Value padSplat(PadOp op, Builder &b) {
  auto type = cast<RankedTensorType>(op.getType()),
       inner = tensorOf(op.getOperand());
  if (!arePlain(type, inner) || type.getNumElements() <= kMostPaddedElements ||
      inner.getNumElements() == 0 ||
      llvm::any_of(type.getShape(),
                   [](int64_t extent) {
                     return extent > std::numeric_limits<int32_t>::max();
                   }) ||
      llvm::any_of(op.getInteriorPadding(), [](int64_t n) { return n != 0; }))
    return {};
  Attribute inside = splatOf(op.getOperand()),
            outside = splatOf(op.getPaddingValue());
  if (!inside || !outside)
    return {};
  auto indices = type.clone(b.getI32Type()), truths = type.clone(b.getI1Type());
  Value isInside;
  auto require = [&](Value index, int64_t bound,
                     ComparisonDirection direction) {
    Value holds = CompareOp::create(
        b, truths, index,
        splat(b, indices, b.getI32IntegerAttr(int32_t(bound))),
        ComparisonDirectionAttr::get(b.getContext(), direction), nullptr);
    isInside = isInside ? AndOp::create(b, isInside, holds) : holds;
  };
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t low = op.getEdgePaddingLow()[dim], extent = type.getDimSize(dim),
            end = low + inner.getDimSize(dim);
    if (low <= 0 && end >= extent)
      continue;
    Value index = IotaOp::create(b, indices, uint64_t(dim));
    if (low > 0)
      require(index, low, ComparisonDirection::GE);
    if (end < extent)
      require(index, end, ComparisonDirection::LT);
  }
  Value all = splat(b, type, inside);
  return isInside ? Value(SelectOp::create(b, type, isInside, all,
                                           splat(b, type, outside)))
                  : all;
}

//===--- Transpose --------------------------------------------------------===//

// a transpose that keeps the order
static Value transposeNothing(TransposeOp op, Builder &) {
  return isIdentity(op.getPermutation()) ? op.getOperand() : Value();
}
// a transpose of a transpose is one transpose
static Value transposeTwice(TransposeOp op, Builder &b) {
  auto inner = op.getOperand().getDefiningOp<TransposeOp>();
  if (!inner || !arePlain(op.getType(), inner.getType()))
    return {};
  Dims permutation;
  for (int64_t dim : op.getPermutation())
    permutation.push_back(inner.getPermutation()[dim]);
  return TransposeOp::create(b, op.getType(), inner.getOperand(), permutation);
}
// a transpose that moves only dimensions of extent 1 is a reshape
static Value transposeUnits(TransposeOp op, Builder &b) {
  if (!arePlain(op.getType(), op.getOperand().getType()))
    return {};
  ArrayRef<int64_t> shape = tensorOf(op.getOperand()).getShape();
  int64_t last = -1;
  for (int64_t dim : op.getPermutation()) {
    if (shape[dim] == 1)
      continue;
    if (dim < last)
      return {};
    last = dim;
  }
  return ReshapeOp::create(b, op.getType(), op.getOperand());
}

/// Whether the permutation has these numbers, in their order, from `place` on.
static bool hasRun(ArrayRef<int64_t> permutation, int64_t place, int64_t first,
                   int64_t count) {
  return llvm::equal(permutation.slice(size_t(place), size_t(count)),
                     llvm::seq(first, first + count));
}
// a transpose of a product that changes the places of rows and columns is the product
// of its operands exchanged
static Value transposeProduct(TransposeOp op, Builder &b) {
  auto inner = op.getOperand().getDefiningOp<DotGeneralOp>();
  if (!inner || !inner->hasOneUse() || inner.getAlgorithm() ||
      !arePlain(op.getType(), inner.getType()))
    return {};
  DotDimensionNumbersAttr dims = inner.getDotDimensionNumbers();
  int64_t batch = int64_t(dims.getLhsBatchingDimensions().size());
  int64_t summed = int64_t(dims.getLhsContractingDimensions().size());
  int64_t rows = tensorOf(inner.getLhs()).getRank() - batch - summed;
  int64_t columns = tensorOf(inner.getRhs()).getRank() - batch - summed;
  if (!hasRun(op.getPermutation(), 0, 0, batch) ||
      !hasRun(op.getPermutation(), batch, batch + rows, columns) ||
      !hasRun(op.getPermutation(), batch + columns, batch, rows))
    return {};
  auto exchanged = DotDimensionNumbersAttr::get(
      op.getContext(), dims.getRhsBatchingDimensions(),
      dims.getLhsBatchingDimensions(), dims.getRhsContractingDimensions(),
      dims.getLhsContractingDimensions());
  ArrayAttr precision = inner.getPrecisionConfigAttr();
  if (precision)
    precision = b.getArrayAttr(llvm::to_vector(llvm::reverse(precision)));
  return DotGeneralOp::create(b, op.getType(), inner.getRhs(), inner.getLhs(),
                              exchanged, precision, {});
}

//===--- Reshape ----------------------------------------------------------===//

// a reshape to the same shape
static Value reshapeNothing(ReshapeOp op, Builder &) {
  return op.getOperand().getType() == op.getType() && isStatic(op.getType())
             ? op.getOperand()
             : Value();
}
// a reshape of a reshape is one reshape
static Value reshapeTwice(ReshapeOp op, Builder &b) {
  auto inner = op.getOperand().getDefiningOp<ReshapeOp>();
  if (!inner || !arePlain(op.getType(), inner.getType()) ||
      !isStatic(inner.getOperand().getType()))
    return {};
  return ReshapeOp::create(b, op.getType(), inner.getOperand());
}
// a reshape of a broadcast that only adds or drops dimensions of extent 1 is a
// broadcast
static Value reshapeBroadcast(ReshapeOp op, Builder &b) {
  auto inner = op.getOperand().getDefiningOp<BroadcastInDimOp>();
  if (!inner || !arePlain(op.getType(), inner.getType()) ||
      !isStatic(inner.getOperand().getType()))
    return {};
  ArrayRef<int64_t> from = tensorOf(inner).getShape();
  ArrayRef<int64_t> to = tensorOf(op).getShape();
  if (squeezed(from) != squeezed(to))
    return {};
  // Where each dimension goes; one of extent 1 may go nowhere.
  SmallVector<int64_t> places(from.size(), -1);
  size_t at = 0;
  for (auto [dim, extent] : llvm::enumerate(from)) {
    if (extent == 1)
      continue;
    while (to[at] == 1)
      ++at;
    places[dim] = at++;
  }
  ArrayRef<int64_t> shape = tensorOf(inner.getOperand()).getShape();
  Dims dims, kept;
  for (auto [extent, dim] :
       llvm::zip_equal(shape, inner.getBroadcastDimensions()))
    if (places[dim] >= 0) {
      dims.push_back(places[dim]);
      kept.push_back(extent);
    } else if (extent != 1) {
      return {};
    }
  Value source = inner.getOperand();
  if (kept.size() != shape.size())
    source = ReshapeOp::create(b, withShape(source.getType(), kept), source);
  return BroadcastInDimOp::create(b, op.getType(), source, dims);
}

//===--- Broadcast --------------------------------------------------------===//

// broadcast is broadcast_in_dim
static Value spellBroadcast(BroadcastOp op, Builder &b) {
  auto from = tensorOf(op.getOperand()), to = tensorOf(op);
  if (!arePlain(from, to))
    return {};
  auto dims = llvm::to_vector(
      llvm::seq<int64_t>(to.getRank() - from.getRank(), to.getRank()));
  return BroadcastInDimOp::create(b, to, op.getOperand(), dims);
}
// a broadcast to the same shape
static Value broadcastNothing(BroadcastInDimOp op, Builder &) {
  return op.getOperand().getType() == op.getType() && isStatic(op.getType()) &&
                 isIdentity(op.getBroadcastDimensions())
             ? op.getOperand()
             : Value();
}
// a broadcast that only adds dimensions of extent 1 is a reshape
static Value broadcastUnits(BroadcastInDimOp op, Builder &b) {
  auto from = tensorOf(op.getOperand()), to = tensorOf(op);
  if (!arePlain(from, to) || from.getNumElements() != to.getNumElements() ||
      from.getNumElements() == 0 ||
      !llvm::is_sorted(op.getBroadcastDimensions()))
    return {};
  return ReshapeOp::create(b, to, op.getOperand());
}
// a broadcast of a broadcast is one broadcast
static Value broadcastTwice(BroadcastInDimOp op, Builder &b) {
  auto inner = op.getOperand().getDefiningOp<BroadcastInDimOp>();
  if (!inner || !arePlain(op.getType(), inner.getType()) ||
      !isStatic(inner.getOperand().getType()))
    return {};
  Dims dims;
  for (int64_t dim : inner.getBroadcastDimensions())
    dims.push_back(op.getBroadcastDimensions()[dim]);
  return BroadcastInDimOp::create(b, op.getType(), inner.getOperand(), dims);
}
// a broadcast of a reshape that only adds or drops dimensions of extent 1 is a
// broadcast
static Value broadcastReshape(BroadcastInDimOp op, Builder &b) {
  auto inner = op.getOperand().getDefiningOp<ReshapeOp>();
  if (!inner || !arePlain(op.getType(), inner.getType()) ||
      !isStatic(inner.getOperand().getType()))
    return {};
  ArrayRef<int64_t> from = tensorOf(inner.getOperand()).getShape();
  ArrayRef<int64_t> to = tensorOf(inner).getShape();
  if (squeezed(from) != squeezed(to) || squeezed(from).size() != from.size())
    return {};
  Dims dims;
  for (auto [dim, extent] : llvm::enumerate(to))
    if (extent != 1)
      dims.push_back(op.getBroadcastDimensions()[dim]);
  return BroadcastInDimOp::create(b, op.getType(), inner.getOperand(), dims);
}
// a broadcast of a transpose is one broadcast
static Value broadcastTranspose(BroadcastInDimOp op, Builder &b) {
  auto inner = op.getOperand().getDefiningOp<TransposeOp>();
  if (!inner || !arePlain(op.getType(), inner.getType()))
    return {};
  Dims dims(inner.getPermutation().size());
  for (auto [to, from] : llvm::enumerate(inner.getPermutation()))
    dims[from] = op.getBroadcastDimensions()[to];
  return BroadcastInDimOp::create(b, op.getType(), inner.getOperand(), dims);
}
// a transpose of a broadcast is one broadcast
static Value transposeBroadcast(TransposeOp op, Builder &b) {
  auto inner = op.getOperand().getDefiningOp<BroadcastInDimOp>();
  if (!inner || !arePlain(op.getType(), inner.getType()))
    return {};
  Dims places(op.getPermutation().size());
  for (auto [to, from] : llvm::enumerate(op.getPermutation()))
    places[from] = to;
  Dims dims;
  for (int64_t dim : inner.getBroadcastDimensions())
    dims.push_back(places[dim]);
  return BroadcastInDimOp::create(b, op.getType(), inner.getOperand(), dims);
}

//===--- Reverse ----------------------------------------------------------===//

// a reverse of dimensions of extent 1, or of none
static Value reverseNothing(ReverseOp op, Builder &) {
  ArrayRef<int64_t> shape = tensorOf(op.getOperand()).getShape();
  return llvm::all_of(op.getDimensions(),
                      [&](int64_t dim) { return shape[dim] == 1; })
             ? op.getOperand()
             : Value();
}
// a reverse of a reverse reverses what one of them does
static Value reverseTwice(ReverseOp op, Builder &b) {
  auto inner = op.getOperand().getDefiningOp<ReverseOp>();
  if (!inner)
    return {};
  Dims dims;
  for (int64_t dim = 0; dim < tensorOf(op).getRank(); ++dim)
    if (llvm::is_contained(op.getDimensions(), dim) !=
        llvm::is_contained(inner.getDimensions(), dim))
      dims.push_back(dim);
  if (dims.empty())
    return inner.getOperand();
  return ReverseOp::create(b, op.getType(), inner.getOperand(), dims);
}

void addMovementEquations(Equations &e) {
  e.addTo<TransposeOp, ReshapeOp, BroadcastInDimOp, BroadcastOp, ReverseOp,
          SliceOp, DynamicSliceOp>(moveSplat);
  e.add<PadOp, padSplat>();
  e.add<TransposeOp, transposeNothing>();
  e.add<TransposeOp, transposeTwice>();
  e.add<TransposeOp, transposeUnits>();
  e.add<TransposeOp, transposeBroadcast>();
  e.add<TransposeOp, transposeProduct>();
  e.add<ReshapeOp, reshapeNothing>();
  e.add<ReshapeOp, reshapeTwice>();
  e.add<ReshapeOp, reshapeBroadcast>();
  e.add<BroadcastOp, spellBroadcast>();
  e.add<BroadcastInDimOp, broadcastNothing>();
  e.add<BroadcastInDimOp, broadcastUnits>();
  e.add<BroadcastInDimOp, broadcastTwice>();
  e.add<BroadcastInDimOp, broadcastReshape>();
  e.add<BroadcastInDimOp, broadcastTranspose>();
  e.add<ReverseOp, reverseNothing>();
  e.add<ReverseOp, reverseTwice>();
}

} // namespace mercator::stablehlo
