// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Known values: constants, iotas, and operations that move elements.

#include "mercator/analysis/values/KnownVisitor.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::known;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Value;

KnownElement KnownValues::Visitor::visitConstant(stablehlo::ConstantOp op) {
  auto all = llvm::dyn_cast<mlir::DenseIntElementsAttr>(op.getValue());
  if (op.isElided() || !all || all.getNumElements() == 0)
    return unknown();
  bool noSign = isUnsigned(all.getElementType());
  auto one = [&](const llvm::APInt &x) {
    Interval range = toInterval(x, noSign);
    return range.isPoint() ? constant(range.lower) : unknown(range);
  };
  if (all.isSplat())
    return one(all.getSplatValue<llvm::APInt>());
  if (all.getNumElements() > kMaxElements)
    return unknown();
  return visitTable(all, noSign);
}

KnownElement KnownValues::Visitor::visitTable(mlir::DenseIntElementsAttr all,
                                              bool noSign) {
  ArrayRef<int64_t> sizes = all.getType().getShape();
  SmallVector<Interval> box;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    Interval whole = Interval::ofSize(size);
    box.push_back(at ? whole.intersect(intervalOf((*at)[i])) : whole);
    if (box.back().isEmpty())
      return unknown();
  }
  auto elements = all.getValues<llvm::APInt>();
  auto valueAt = [&](ArrayRef<int64_t> index) {
    int64_t linear = 0;
    for (auto [i, size] : llvm::zip_equal(index, sizes))
      linear = linear * size + i;
    return toInterval(elements[linear], noSign);
  };
  // Guess an affine function from the first element and its neighbors, and
  // check it on all elements.
  SmallVector<int64_t> first;
  for (Interval i : box)
    first.push_back(i.lower);
  Interval base = valueAt(first);
  auto isSmall = [](Interval x) {
    return x.isPoint() && std::abs(x.lower) < (int64_t(1) << 40);
  };
  bool affine = at && isSmall(base);
  SmallVector<int64_t> slopes(box.size(), 0);
  for (size_t i = 0; affine && i < box.size(); ++i) {
    if (box[i].isPoint())
      continue;
    SmallVector<int64_t> next = first;
    ++next[i];
    Interval x = valueAt(next);
    affine = isSmall(x);
    if (affine)
      slopes[i] = x.lower - base.lower;
  }
  Interval range = Interval::empty();
  SmallVector<int64_t> index = first;
  for (bool more = true; more;) {
    Interval x = valueAt(index);
    range = range.hull(x);
    if (affine) {
      int64_t expected = base.lower;
      for (size_t i = 0; i < index.size(); ++i)
        expected += slopes[i] * (index[i] - first[i]);
      affine = isSmall(x) && x.lower == expected;
    }
    more = false;
    for (size_t i = index.size(); i-- > 0;) {
      if (++index[i] <= box[i].upper) {
        more = true;
        break;
      }
      index[i] = box[i].lower;
    }
  }
  if (!affine)
    return range.isPoint() ? constant(range.lower) : unknown(range);
  SmallVector<Term, 4> terms;
  int64_t offset = base.lower;
  for (size_t i = 0; i < box.size(); ++i) {
    terms.push_back({(*at)[i], slopes[i]});
    offset -= slopes[i] * first[i];
  }
  return computed(arena.sum(terms, offset), range);
}

KnownElement KnownValues::Visitor::visitIota(stablehlo::IotaOp op) {
  int64_t dim = op.getIotaDimension();
  if (!isInteger(value) || tensorOf(value).isDynamicDim(dim))
    return unknown();
  return computed(at ? (*at)[dim] : Expr(),
                  Interval::ofSize(tensorOf(value).getDimSize(dim)));
}

KnownElement KnownValues::Visitor::visitSize(stablehlo::GetDimensionSizeOp op) {
  int64_t size = sizesOf(op.getOperand().getType())[op.getDimension()];
  if (!tensorOf(op.getOperand()).isDynamicDim(op.getDimension()))
    return constant(size);
  return unknown({0, size});
}

KnownElement KnownValues::Visitor::visitReshape(Value operand) {
  mlir::RankedTensorType from = tensorOf(operand), to = tensorOf(value);
  if (!from.hasStaticShape() || !to.hasStaticShape() ||
      llvm::is_contained(to.getShape(), 0) || !maps::productFits(to.getShape()))
    return anywhere(operand);
  return isElementOf(operand, reshape(arena, to.getShape(), from.getShape()));
}

KnownElement KnownValues::Visitor::visitBitcast(hlo::BitcastOp op) {
  mlir::RankedTensorType from = tensorOf(op.getOperand()), to = tensorOf(value);
  if (from.getElementType() != to.getElementType() || !from.hasStaticShape() ||
      !to.hasStaticShape() || llvm::is_contained(to.getShape(), 0) ||
      !maps::productFits(to.getShape()) ||
      from.getNumElements() != to.getNumElements())
    return unknown();
  return isElementOf(op.getOperand(),
                     bitcast(arena, to.getShape(), hlo::minorToMajor(to),
                             from.getShape(), hlo::minorToMajor(from)));
}

KnownElement KnownValues::Visitor::visitBroadcast(Value operand,
                                                  ArrayRef<int64_t> dims) {
  if (!at)
    return copyOf(operand, std::nullopt);
  SmallVector<Expr, 2> where;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    int64_t size = tensorOf(operand).getDimSize(i);
    if (mlir::ShapedType::isDynamic(size))
      return anywhere(operand);
    where.push_back(size == 1 ? arena.constant(0) : (*at)[dim]);
  }
  return copyOf(operand, where);
}

KnownElement KnownValues::Visitor::visitTranspose(stablehlo::TransposeOp op) {
  if (!at)
    return copyOf(op.getOperand(), std::nullopt);
  SmallVector<Expr, 2> where(at->size());
  for (auto [i, dim] : llvm::enumerate(op.getPermutation()))
    where[dim] = (*at)[i];
  return copyOf(op.getOperand(), where);
}

KnownElement KnownValues::Visitor::visitReverse(stablehlo::ReverseOp op) {
  At where = at;
  for (int64_t dim : op.getDimensions()) {
    int64_t size = tensorOf(value).getDimSize(dim);
    if (mlir::ShapedType::isDynamic(size))
      return anywhere(op.getOperand());
    if (where)
      (*where)[dim] = arena.add(arena.neg((*at)[dim]), size - 1);
  }
  return copyOf(op.getOperand(), where);
}

KnownElement KnownValues::Visitor::visitSlice(stablehlo::SliceOp op) {
  At where = at;
  for (size_t i = 0; where && i < where->size(); ++i)
    (*where)[i] = arena.add(arena.scale((*at)[i], op.getStrides()[i]),
                            op.getStartIndices()[i]);
  return copyOf(op.getOperand(), where);
}

KnownElement
KnownValues::Visitor::visitConcatenate(stablehlo::ConcatenateOp op) {
  int64_t dim = op.getDimension(), offset = 0;
  Interval where = at ? intervalOf((*at)[dim]) : Interval::everything();
  Interval range = Interval::empty();
  for (Value input : op.getInputs()) {
    int64_t size = tensorOf(input).getDimSize(dim);
    if (mlir::ShapedType::isDynamic(size))
      return unknown();
    Interval here = {offset, offset + size - 1};
    if (at && here.contains(where)) {
      At inside = at;
      (*inside)[dim] = arena.add((*at)[dim], -offset);
      return copyOf(input, inside);
    }
    if (!here.intersect(where).isEmpty())
      range = range.hull(known.range(input));
    offset += size;
  }
  return unknown(range);
}

KnownElement
KnownValues::Visitor::visitDynamicSlice(stablehlo::DynamicSliceOp op) {
  if (!at)
    return copyOf(op.getOperand(), std::nullopt);
  SmallVector<Expr, 2> where;
  for (auto [i, index] : llvm::enumerate(op.getStartIndices())) {
    KnownElement start = known.visit(index, SmallVector<Expr, 2>());
    int64_t room =
        tensorOf(op.getOperand()).getDimSize(i) - tensorOf(value).getDimSize(i);
    if (!start.exact || !arena.isConstant(start.exact) ||
        !tensorOf(op.getOperand()).hasStaticShape() || room < 0)
      return anywhere(op.getOperand());
    where.push_back(arena.add(
        (*at)[i],
        std::clamp<int64_t>(arena.constantValue(start.exact), 0, room)));
  }
  return copyOf(op.getOperand(), where);
}
