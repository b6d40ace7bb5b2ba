// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Known values of integers: the walk over operations, and its memo. A demand
// driven abstract interpretation of single elements, on intervals and exact
// expressions.
#include "mercator/analysis/values/KnownValues.h"
#include "mercator/analysis/Forwarding.h"
#include "mercator/analysis/values/KnownVisitor.h"
#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/indexing/map/IntervalAnalysis.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::known;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Value;

//===--- Integers and their types -----------------------------------------===//

mlir::RankedTensorType known::tensorOf(Value value) {
  return llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
}

bool known::isUnsigned(mlir::Type type) {
  return type.isUnsignedInteger() || type.isInteger(1);
}

Interval known::typeRange(Value value) {
  mlir::RankedTensorType tensor = tensorOf(value);
  auto type = tensor
                  ? llvm::dyn_cast<mlir::IntegerType>(tensor.getElementType())
                  : nullptr;
  if (!type)
    return Interval::everything();
  unsigned width = type.getWidth();
  if (isUnsigned(type))
    return {0, width >= 63 ? Interval::kMax : (int64_t(1) << width) - 1};
  if (width >= 64)
    return Interval::everything();
  return {-(int64_t(1) << (width - 1)), (int64_t(1) << (width - 1)) - 1};
}

bool known::isInteger(Value value) {
  mlir::RankedTensorType tensor = tensorOf(value);
  return tensor && tensor.getElementType().isIntOrIndex();
}

bool known::fitsType(Interval range, Value value) {
  return range.isEmpty() ||
         (range.isBounded() && typeRange(value).contains(range));
}

Interval known::toInterval(const llvm::APInt &x, bool isUnsigned) {
  if (isUnsigned)
    return x.getActiveBits() > 62 ? Interval{kHuge, Interval::kMax}
                                  : Interval::point(x.getZExtValue());
  if (x.getSignificantBits() > 63)
    return x.isNegative() ? Interval{Interval::kMin, -kHuge}
                          : Interval{kHuge, Interval::kMax};
  return Interval::point(x.getSExtValue());
}

Interval known::truncDiv(Interval x, int64_t by) {
  if (!x.isBounded() || x.isEmpty() || by == 0 || by == -1)
    return by == -1 ? -x : Interval::everything();
  int64_t a = x.lower / by, b = x.upper / by;
  return {std::min(a, b), std::max(a, b)};
}

int64_t known::allOnes(int64_t bound) {
  return bound >= kHuge
             ? Interval::kMax
             : int64_t((uint64_t(1) << llvm::bit_width(uint64_t(bound))) - 1);
}

//===--- One element ------------------------------------------------------===//

Interval KnownValues::Visitor::intervalOf(Expr e) {
  return IntervalAnalysis(arena, known.domain).interval(e);
}

KnownElement KnownValues::Visitor::unknown(Interval range) {
  return {{}, range.intersect(typeRange(value)), value, at};
}

KnownElement KnownValues::Visitor::computed(Expr exact, Interval range) {
  if (exact)
    range = range.intersect(intervalOf(exact));
  if (!fitsType(range, value))
    return unknown();
  if (!exact && range.isPoint())
    exact = arena.constant(range.lower);
  return {exact, range, value, at};
}

KnownElement KnownValues::Visitor::constant(int64_t x) {
  return computed(arena.constant(x), Interval::point(x));
}

KnownElement KnownValues::Visitor::same(Value operand) {
  mlir::RankedTensorType tensor = tensorOf(operand);
  if (tensor && tensor.getRank() == 0)
    return known.visit(operand, SmallVector<Expr, 2>());
  return known.visit(operand, at);
}

KnownElement KnownValues::Visitor::copyOf(Value operand, At where) {
  return known.visit(operand, std::move(where));
}

KnownElement KnownValues::Visitor::isElementOf(Value operand, const Map &map) {
  if (!at)
    return copyOf(operand, std::nullopt);
  SmallVector<Expr, 2> where(map.results.begin(), map.results.end());
  substitute(arena, where, Substitution{*at, {}, {}});
  for (Expr &e : where)
    e = simplify(arena, e, known.domain);
  return copyOf(operand, where);
}

KnownElement KnownValues::Visitor::visitFusion(hlo::FusionOp op) {
  unsigned number = llvm::cast<mlir::OpResult>(value).getResultNumber();
  mlir::Operation *end = op.getBody().front().getTerminator();
  // A value inside the fusion is no source outside: name the result instead.
  KnownElement inside = copyOf(end->getOperand(number), at);
  return {inside.exact, inside.range, value, at};
}

KnownElement KnownValues::Visitor::visitArgument(mlir::BlockArgument argument) {
  auto fusion =
      llvm::dyn_cast<hlo::FusionOp>(argument.getOwner()->getParentOp());
  if (!fusion || !argument.getOwner()->isEntryBlock())
    return unknown();
  KnownElement outside =
      copyOf(fusion->getOperand(argument.getArgNumber()), at);
  return {outside.exact, outside.range, value, at};
}

Value KnownValues::Visitor::forwarded() {
  std::optional<Leaf> from = maps::forwardedLeaf({value}, known.leaves);
  while (from && !tensorOf(from->value))
    from = maps::forwardedLeaf(*from, known.leaves);
  return from && sizesOf(from->value.getType()) == sizesOf(value.getType())
             ? from->value
             : Value();
}

KnownElement KnownValues::Visitor::visitOperation(mlir::Operation *op) {
  using namespace stablehlo;
  if (Value operand = forwarded())
    return copyOf(operand, at);
  unsigned number = llvm::cast<mlir::OpResult>(value).getResultNumber();
  return llvm::TypeSwitch<mlir::Operation *, KnownElement>(op)
      .Case([&](ConstantOp c) { return visitConstant(c); })
      .Case([&](IotaOp o) { return visitIota(o); })
      .Case([&](GetDimensionSizeOp o) { return visitSize(o); })
      .Case([&](ReshapeOp o) { return visitReshape(o.getOperand()); })
      .Case([&](hlo::BitcastOp o) { return visitBitcast(o); })
      .Case([&](BroadcastInDimOp o) {
        return visitBroadcast(o.getOperand(), o.getBroadcastDimensions());
      })
      .Case([&](BroadcastOp o) {
        SmallVector<int64_t> dims;
        int64_t rank = tensorOf(o.getOperand()).getRank(),
                ahead = tensorOf(value).getRank() - rank;
        for (int64_t i = 0; i < rank; ++i)
          dims.push_back(ahead + i);
        return visitBroadcast(o.getOperand(), dims);
      })
      .Case([&](TransposeOp o) { return visitTranspose(o); })
      .Case([&](ReverseOp o) { return visitReverse(o); })
      .Case([&](SliceOp o) { return visitSlice(o); })
      .Case([&](ConcatenateOp o) { return visitConcatenate(o); })
      .Case([&](DynamicSliceOp o) { return visitDynamicSlice(o); })
      .Case([&](GatherOp o) { return anywhere(o.getOperand()); })
      .Case([&](DynamicUpdateSliceOp o) {
        return unknown(
            known.range(o.getOperand()).hull(known.range(o.getUpdate())));
      })
      .Case([&](PadOp o) {
        return unknown(
            known.range(o.getOperand()).hull(known.range(o.getPaddingValue())));
      })
      .Case([&](SortOp o) { return anywhere(o.getInputs()[number]); })
      .Case([&](ReduceOp o) { return visitReduce(o); })
      .Case([&](chlo::TopKOp o) {
        auto sizes = sizesOf(o.getOperand().getType());
        return number == 1 && !sizes.empty()
                   ? unknown({0, sizes.back() == Interval::kMax
                                     ? Interval::kMax
                                     : sizes.back() - 1})
                   : unknown();
      })
      .Case([&](hlo::FusionOp o) { return visitFusion(o); })
      .Case([&](ConvertOp o) { return visitConvert(o); })
      .Case([&](AddOp o) { return visitAdd(o); })
      .Case([&](SubtractOp o) { return visitSubtract(o); })
      .Case([&](MulOp o) { return visitMultiply(o); })
      .Case([&](DivOp o) { return visitDivide(o); })
      .Case([&](RemOp o) { return visitRemainder(o); })
      .Case([&](MinOp o) { return visitMinMax(o, false); })
      .Case([&](MaxOp o) { return visitMinMax(o, true); })
      .Case([&](ClampOp o) { return visitClamp(o); })
      .Case([&](AndOp o) { return visitAnd(o); })
      .Case<OrOp, XorOp>([&](mlir::Operation *o) { return visitOr(o); })
      .Case([&](NotOp o) { return visitNot(o); })
      .Case<ShiftRightLogicalOp, ShiftRightArithmeticOp>(
          [&](mlir::Operation *o) { return visitShiftRight(o); })
      .Case([&](ShiftLeftOp o) { return visitShiftLeft(o); })
      .Case([&](AbsOp o) { return visitAbs(o); })
      .Case([&](NegOp o) {
        KnownElement x = same(o.getOperand());
        return computed(x.exact ? arena.neg(x.exact) : Expr(), -x.range);
      })
      .Case([&](SignOp) { return unknown({-1, 1}); })
      .Case<PopulationCountOp, ClzOp>([&](mlir::Operation *) {
        return unknown({0, tensorOf(value).getElementTypeBitWidth()});
      })
      .Case([&](CompareOp o) { return visitCompare(o); })
      .Case([&](SelectOp o) { return visitSelect(o); })
      .Default([&](mlir::Operation *) { return unknown(); });
}

KnownElement KnownValues::visit(Value value, At at) {
  Visitor visitor{*this, value, at};
  if (!isInteger(value) || depth == kMaxDepth || visits == kMaxVisits)
    return visitor.unknown();
  // An unknown index differs from the empty index of a scalar.
  std::vector<uint32_t> key = {at.has_value()};
  for (Expr e : at ? *at : SmallVector<Expr, 2>())
    key.push_back(e.getId());
  auto place = std::pair(value.getAsOpaquePointer(), std::move(key));
  if (auto it = memo.find(place); it != memo.end())
    return it->second;
  ++visits;
  ++depth;
  KnownElement found;
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
    found = visitor.visitArgument(argument);
  else
    found = visitor.visitOperation(value.getDefiningOp());
  --depth;
  memo[place] = found;
  return found;
}

KnownElement KnownValues::element(Value value, ArrayRef<Expr> at) {
  KnownElement found = visit(value, SmallVector<Expr, 2>(at));
  if (found.exact)
    found.exact = simplify(arena, found.exact, domain);
  return found;
}

Interval KnownValues::range(Value value) {
  mlir::RankedTensorType tensor = tensorOf(value);
  bool isScalar = tensor && tensor.getRank() == 0;
  return visit(value, isScalar ? At(SmallVector<Expr, 2>()) : std::nullopt)
      .range;
}

//===--- Constants --------------------------------------------------------===//

std::optional<int64_t> mercator::integerConstant(Value value) {
  auto constant = value.getDefiningOp<stablehlo::ConstantOp>();
  auto all =
      constant && !constant.isElided()
          ? llvm::dyn_cast<mlir::DenseIntElementsAttr>(constant.getValue())
          : mlir::DenseIntElementsAttr();
  if (!all || !all.isSplat())
    return std::nullopt;
  Interval x = toInterval(all.getSplatValue<llvm::APInt>(),
                          isUnsigned(all.getElementType()));
  return x.isPoint() && maps::fits(x.lower) ? std::optional(x.lower)
                                            : std::nullopt;
}

//===--- Arguments for TensorMaps.h ---------------------------------------===//

IndexValue mercator::indexValue(Arena &arena, const Domain &domain, Value value,
                                ArrayRef<Expr> at) {
  KnownElement found = KnownValues(arena, domain).element(value, at);
  if (found.exact)
    return {.exact = found.exact, .range = found.range};
  // Without an index, name the value itself.
  if (!found.index) {
    found.origin = value;
    found.index = SmallVector<Expr, 2>(at);
  }
  Source source = internSource(arena, found.origin);
  IndexValue index{.range = found.range,
                   .source = source.id,
                   .element = source.element,
                   .index = *found.index};
  for (Expr &e : index.index)
    e = simplify(arena, e, domain);
  return index;
}

std::optional<SmallVector<int64_t>> mercator::knownIntegers(Arena &arena,
                                                            Value value) {
  mlir::RankedTensorType tensor = tensorOf(value);
  if (!tensor || !tensor.hasStaticShape() ||
      !maps::productFits(tensor.getShape()) ||
      tensor.getNumElements() > kMaxKnownIntegers)
    return std::nullopt;
  Domain domain;
  KnownValues known(arena, domain);
  SmallVector<int64_t> out;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    SmallVector<Expr, 2> at(tensor.getRank());
    int64_t rest = i;
    for (size_t dim = at.size(); dim-- > 0; rest /= tensor.getDimSize(dim))
      at[dim] = arena.constant(rest % tensor.getDimSize(dim));
    KnownElement found = known.element(value, at);
    if (!found.exact || !arena.isConstant(found.exact))
      return std::nullopt;
    out.push_back(arena.constantValue(found.exact));
  }
  return out;
}
