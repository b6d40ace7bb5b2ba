// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/estimate/Numbers.h"

#include "mercator/targets/cpu/kernels/ParallelLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include <cmath>

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

//===----------------------------------------------------------------------===//
// Linear functions
//===----------------------------------------------------------------------===//

/// a + scale * b
static LinearNumber plusScaled(LinearNumber a, const LinearNumber &b,
                               double scale) {
  a.constant += scale * b.constant;
  for (auto [loop, factor] : b.terms) {
    auto *found = llvm::find_if(
        a.terms, [&, own = loop](auto &term) { return term.first == own; });
    if (found == a.terms.end())
      a.terms.push_back({loop, scale * factor});
    else
      found->second += scale * factor;
  }
  llvm::erase_if(a.terms, [](auto &term) { return term.second == 0; });
  a.isRandom |= b.isRandom;
  a.doubts |= b.doubts;
  return a;
}

LinearNumber Numbers::middleOf(const LinearNumber &a,
                               const LinearNumber &b) const {
  return plusScaled(plusScaled({}, a, 0.5), b, 0.5);
}

LinearNumber Numbers::randomAt(const LinearNumber &address) const {
  LinearNumber made;
  made.isRandom = true;
  for (auto [loop, factor] : address.terms)
    made.terms.push_back({loop, kRandomStep});
  return made;
}

unsigned Numbers::addLoop(double sample, double count, unsigned depth) {
  loops.push_back({sample, count, depth});
  return unsigned(loops.size() - 1);
}

uint64_t Numbers::loopsOf(const LinearNumber &number) const {
  uint64_t all = number.doubts;
  for (auto [loop, factor] : number.terms)
    all |= bitOf(loops[loop].depth);
  return all;
}

uint64_t Numbers::loopsOfDifference(const LinearNumber &a,
                                    const LinearNumber &b) const {
  return loopsOf(plusScaled(a, b, -1));
}

/// The loops whose iterations may change whether this holds of a - b. It is asked of
/// the least and of the largest difference; in between it must be as at one of them.
uint64_t
Numbers::loopsThatChange(const LinearNumber &a, const LinearNumber &b,
                         llvm::function_ref<bool(double)> holds) const {
  LinearNumber difference = plusScaled(a, b, -1);
  double least = difference.constant, most = difference.constant;
  for (auto [loop, factor] : difference.terms) {
    double reach = factor * std::max(0.0, loops[loop].count - 1);
    least += std::min(0.0, reach);
    most += std::max(0.0, reach);
  }
  return holds(least) == holds(most) ? difference.doubts : loopsOf(difference);
}

double Numbers::sampled(const LinearNumber &number) const {
  double value = number.constant;
  for (auto [loop, factor] : number.terms)
    value += factor * loops[loop].sample;
  return value;
}

std::optional<LinearNumber> Numbers::find(mlir::Value value) const {
  auto found = known.find(value);
  if (found != known.end())
    return found->second;
  APInt integer;
  if (matchPattern(value, m_ConstantInt(&integer)))
    return LinearNumber{double(integer.getSExtValue())};
  return std::nullopt;
}

std::optional<double> Numbers::sampled(mlir::Value value) const {
  auto number = find(value);
  return number && !number->isRandom ? std::optional(sampled(*number))
                                     : std::nullopt;
}

/// The quotient of the sample. Its slope is that of the exact quotient.
LinearNumber Numbers::divided(const LinearNumber &a, double by, bool up) const {
  double exact = sampled(a) / by;
  LinearNumber made;
  made.doubts = a.doubts;
  made.isRandom = a.isRandom;
  for (auto [loop, factor] : a.terms) {
    bool isExact = std::fmod(factor, by) == 0;
    if (!isExact)
      made.doubts |= bitOf(loops[loop].depth);
    // What a loop moves by less than the divisor in all moves the rest alone.
    if (isExact || !staysBelow(loop, factor, by))
      made.terms.push_back({loop, factor / by});
  }
  made.constant = (up ? std::ceil(exact) : std::floor(exact)) - sampled(made);
  return made;
}

/// The rest of the sample. A loop moves it until it has moved it by the divisor: then the
/// rest goes back as often as it goes on, and the quotient moves.
LinearNumber Numbers::rest(const LinearNumber &a, double by) const {
  double value = sampled(a);
  LinearNumber made;
  made.doubts = a.doubts;
  for (auto [loop, factor] : a.terms)
    if (double own = std::fmod(factor, by); own != 0) {
      made.doubts |= bitOf(loops[loop].depth);
      if (staysBelow(loop, factor, by))
        made.terms.push_back({loop, own});
    }
  made.constant = value - by * std::floor(value / by) - sampled(made);
  return made;
}

std::optional<LinearNumber> Numbers::combine(StringRef name,
                                             const LinearNumber &a,
                                             const LinearNumber &b) const {
  if (name == "addi")
    return plusScaled(a, b, 1);
  if (name == "subi")
    return plusScaled(a, b, -1);
  auto doubting = [](LinearNumber number, uint64_t doubts) {
    number.doubts |= doubts;
    return number;
  };
  if (name == "muli") {
    if (b.isConstant())
      return doubting(plusScaled({}, a, b.constant), b.doubts);
    if (a.isConstant())
      return doubting(plusScaled({}, b, a.constant), a.doubts);
    return doubting(LinearNumber{sampled(a) * sampled(b)},
                    loopsOf(a) | loopsOf(b));
  }
  // A limit, or a part, of what is random is random.
  if (a.isRandom)
    return a;
  if (b.isRandom)
    return b;
  double left = sampled(a), right = sampled(b);
  uint64_t ofRight = loopsOf(b);
  bool isQuotient =
      llvm::is_contained({"divui", "divsi", "floordivsi", "ceildivui",
                          "ceildivsi", "remui", "remsi"},
                         name);
  if (isQuotient && right == 0)
    return std::nullopt;
  if (name.starts_with("rem"))
    return doubting(rest(a, right), ofRight);
  if (isQuotient)
    return doubting(divided(a, right, name.starts_with("ceil")), ofRight);
  if (name == "minsi" || name == "minui")
    return doubting(left <= right ? a : b,
                    loopsThatChange(a, b, [](double d) { return d <= 0; }));
  if (name == "maxsi" || name == "maxui")
    return doubting(left >= right ? a : b,
                    loopsThatChange(a, b, [](double d) { return d >= 0; }));
  auto bits = [&](int64_t value) {
    return doubting(LinearNumber{double(value)}, loopsOf(a) | ofRight);
  };
  auto first = int64_t(left), second = int64_t(right);
  if (name == "andi")
    return bits(first & second);
  if (name == "ori")
    return bits(first | second);
  if (name == "xori")
    return bits(first ^ second);
  if (name == "shli" && second >= 0 && second < 62)
    return doubting(plusScaled({}, a, double(int64_t(1) << second)), ofRight);
  if ((name == "shrui" || name == "shrsi") && second >= 0 && second < 62)
    return doubting(divided(a, double(int64_t(1) << second), false), ofRight);
  return std::nullopt;
}

std::optional<LinearNumber>
Numbers::valueOf(AffineExpr expr, unsigned dims,
                 ArrayRef<std::optional<LinearNumber>> operands) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return LinearNumber{double(constant.getValue())};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[dims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto left = valueOf(binary.getLHS(), dims, operands),
       right = valueOf(binary.getRHS(), dims, operands);
  if (!left || !right)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return combine("addi", *left, *right);
  case AffineExprKind::Mul:
    return combine("muli", *left, *right);
  case AffineExprKind::Mod:
    return combine("remsi", *left, *right);
  case AffineExprKind::FloorDiv:
    return combine("divsi", *left, *right);
  default:
    return combine("ceildivsi", *left, *right);
  }
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool compared(arith::CmpIPredicate predicate, double a, double b) {
  using Kind = arith::CmpIPredicate;
  switch (predicate) {
  case Kind::eq:
    return a == b;
  case Kind::ne:
    return a != b;
  case Kind::slt:
  case Kind::ult:
    return a < b;
  case Kind::sle:
  case Kind::ule:
    return a <= b;
  case Kind::sgt:
  case Kind::ugt:
    return a > b;
  default:
    return a >= b;
  }
}

BufferPlace Numbers::placeOf(mlir::Value buffer) const {
  auto found = places.find(buffer);
  return found == places.end() ? BufferPlace{buffer, {}} : found->second;
}

/// The strides of a buffer; nothing where they are not known.
static std::optional<SmallVector<int64_t>> stridesOf(mlir::Value buffer) {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(cast<MemRefType>(buffer.getType())
                 .getStridesAndOffset(strides, offset)) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return std::nullopt;
  return strides;
}

std::optional<LinearNumber> Numbers::addressOf(mlir::Value buffer,
                                               ValueRange indices) const {
  LinearNumber address = placeOf(buffer).offset;
  auto strides = stridesOf(buffer);
  if (!strides)
    return std::nullopt;
  for (auto [index, stride] : llvm::zip(indices, *strides)) {
    auto number = find(index);
    if (!number)
      return std::nullopt;
    address = plusScaled(address, *number, double(stride));
  }
  return address;
}

void Numbers::evaluateView(Operation &op) {
  mlir::Value made = op.getResult(0);
  if (auto parts = dyn_cast<memref::ExtractStridedMetadataOp>(op)) {
    BufferPlace place = placeOf(parts.getSource());
    places[parts.getBaseBuffer()] = {place.root, {}};
    known[parts.getOffset()] = place.offset;
    for (auto [i, size] : llvm::enumerate(parts.getSizes()))
      if (auto extent = extentOf(parts.getSource(), int64_t(i)))
        known[size] = *extent;
    return;
  }
  if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op)) {
    BufferPlace place = placeOf(cast.getSource());
    OpFoldResult offset = cast.getMixedOffsets().front();
    LinearNumber own;
    if (auto fixed = getConstantIntValue(offset))
      own.constant = double(*fixed);
    else if (auto value = find(llvm::cast<mlir::Value>(offset)))
      own = *value;
    places[made] = {place.root, own};
    return;
  }
  if (auto view = dyn_cast<memref::SubViewOp>(op)) {
    BufferPlace place = placeOf(view.getSource());
    if (auto strides = stridesOf(view.getSource()))
      for (auto [offset, stride] :
           llvm::zip(view.getMixedOffsets(), *strides)) {
        LinearNumber own;
        if (auto fixed = getConstantIntValue(offset))
          own.constant = double(*fixed);
        else if (auto value = find(llvm::cast<mlir::Value>(offset)))
          own = *value;
        place.offset = plusScaled(place.offset, own, double(stride));
      }
    places[made] = place;
    return;
  }
  // A part of scratch memory is a buffer of its own.
  if (isa<memref::ViewOp>(op))
    return;
  if (auto view = dyn_cast<ViewLikeOpInterface>(op))
    places[made] = placeOf(view.getViewSource());
}

/// An `and` or an `or` of which one part is not known. What an `or` adds to a known
/// condition is an exception, such as a mask that excludes too much: it does not hold.
std::optional<bool> Numbers::decideBit(Operation &op) const {
  auto left = sampled(op.getOperand(0)), right = sampled(op.getOperand(1));
  if (left.has_value() == right.has_value())
    return std::nullopt;
  bool known = (left ? *left : *right) != 0;
  if (isa<arith::OrIOp>(op))
    return known;
  return isa<arith::AndIOp>(op) && !known ? std::optional(false) : std::nullopt;
}

/// The extent of a dimension of a buffer, through the views that it is made by.
std::optional<LinearNumber> Numbers::extentOf(mlir::Value buffer,
                                              int64_t dim) const {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || dim < 0 || dim >= type.getRank())
    return std::nullopt;
  if (!type.isDynamicDim(unsigned(dim)))
    return LinearNumber{double(type.getDimSize(unsigned(dim)))};
  auto numberOf = [&](OpFoldResult size) -> std::optional<LinearNumber> {
    if (auto fixed = getConstantIntValue(size))
      return LinearNumber{double(*fixed)};
    return find(llvm::cast<mlir::Value>(size));
  };
  Operation *op = buffer.getDefiningOp();
  if (auto view = dyn_cast_or_null<memref::SubViewOp>(op)) {
    llvm::SmallBitVector dropped = view.getDroppedDims();
    for (auto [i, size] : llvm::enumerate(view.getMixedSizes()))
      if (!dropped.test(i) && dim-- == 0)
        return numberOf(size);
    return std::nullopt;
  }
  if (auto collapse = dyn_cast_or_null<memref::CollapseShapeOp>(op)) {
    std::optional<LinearNumber> product = LinearNumber{1};
    ReassociationIndices sources =
        collapse.getReassociationIndices()[size_t(dim)];
    for (int64_t source : sources) {
      auto own = extentOf(collapse.getSrc(), source);
      product = own ? combine("muli", *product, *own) : std::nullopt;
      if (!product)
        return std::nullopt;
    }
    return product;
  }
  if (auto expand = dyn_cast_or_null<memref::ExpandShapeOp>(op))
    return numberOf(expand.getMixedOutputShape()[size_t(dim)]);
  if (auto cast = dyn_cast_or_null<memref::ReinterpretCastOp>(op))
    return numberOf(cast.getMixedSizes()[size_t(dim)]);
  if (auto cast = dyn_cast_or_null<memref::CastOp>(op))
    return extentOf(cast.getSource(), dim);
  return std::nullopt;
}

void Numbers::evaluate(Operation &op) {
  if (op.getNumResults() == 0)
    return;
  mlir::Value made = op.getResult(0);
  if (isa<MemRefType>(made.getType()) &&
      isa<ViewLikeOpInterface, memref::ExtractStridedMetadataOp>(op))
    return evaluateView(op);
  if (!made.getType().isIntOrIndex())
    return;
  known.erase(made);
  auto set = [&](std::optional<LinearNumber> number) {
    if (number)
      known[made] = *number;
  };
  if (matchPattern(&op, m_Constant()))
    return set(find(made));
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<std::optional<LinearNumber>> operands;
    for (mlir::Value operand : apply.getMapOperands())
      operands.push_back(find(operand));
    AffineMap map = apply.getAffineMap();
    return set(valueOf(map.getResult(0), map.getNumDims(), operands));
  }
  if (isa<affine::AffineMinOp, affine::AffineMaxOp>(op)) {
    bool isMin = isa<affine::AffineMinOp>(op);
    AffineMap map = isMin ? cast<affine::AffineMinOp>(op).getMap()
                          : cast<affine::AffineMaxOp>(op).getMap();
    SmallVector<std::optional<LinearNumber>> operands;
    for (mlir::Value operand : op.getOperands())
      operands.push_back(find(operand));
    std::optional<LinearNumber> best;
    for (AffineExpr expr : map.getResults()) {
      auto own = valueOf(expr, map.getNumDims(), operands);
      if (!own || own->isRandom)
        return;
      best = best ? combine(isMin ? "minsi" : "maxsi", *best, *own) : own;
    }
    return set(best);
  }
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    auto i = dim.getConstantIndex();
    return set(i ? extentOf(dim.getSource(), *i) : std::nullopt);
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    auto condition = find(select.getCondition());
    if (condition && !condition->isRandom) {
      auto chosen = find(sampled(*condition) != 0 ? select.getTrueValue()
                                                  : select.getFalseValue());
      if (chosen)
        chosen->doubts |= loopsOf(*condition);
      return set(chosen);
    }
    // One of the two is what is read, the other one a limit.
    for (mlir::Value each : {select.getTrueValue(), select.getFalseValue()})
      if (auto number = find(each); number && number->isRandom)
        return set(number);
    return;
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    auto a = find(compare.getLhs()), b = find(compare.getRhs());
    if (!a || !b || a->isRandom || b->isRandom)
      return;
    arith::CmpIPredicate kind = compare.getPredicate();
    LinearNumber answer{double(compared(kind, sampled(*a), sampled(*b)))};
    bool isEquality =
        kind == arith::CmpIPredicate::eq || kind == arith::CmpIPredicate::ne;
    answer.doubts = isEquality
                        ? loopsOfDifference(*a, *b)
                        : loopsThatChange(*a, *b, [&](double difference) {
                            return compared(kind, difference, 0);
                          });
    set(answer);
    return;
  }
  // Times are predicted of what one worker computes.
  if (op.hasAttr(kWorker))
    return set(LinearNumber{0});
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp>(op))
    return set(find(op.getOperand(0)));
  if (!isa<arith::ArithDialect>(op.getDialect()) || op.getNumOperands() != 2)
    return;
  auto a = find(op.getOperand(0)), b = find(op.getOperand(1));
  if (made.getType().isInteger(1))
    if (std::optional<bool> decided = decideBit(op)) {
      LinearNumber made{double(*decided)};
      made.doubts = loopsOf(a ? *a : *b);
      return set(made);
    }
  if (a && b)
    set(combine(op.getName().stripDialect(), *a, *b));
}
