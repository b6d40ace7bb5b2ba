// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/maps/KnownValues.h"
#include "mercator/dialects/MapInterface.h"
#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/maps/Models.h"
#include "mercator/indexing/Simplify.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mercator;
using namespace mercator::indexing;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Value;

namespace {

/// Numbers beyond are only known to be large.
constexpr int64_t kHuge = int64_t(1) << 62;

mlir::RankedTensorType tensorOf(Value value) {
  return llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
}

bool isUnsigned(mlir::Type type) {
  return type.isUnsignedInteger() || type.isInteger(1);
}

/// All numbers of the type of the elements.
Interval typeRange(Value value) {
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

bool isInteger(Value value) {
  mlir::RankedTensorType tensor = tensorOf(value);
  return tensor && tensor.getElementType().isIntOrIndex();
}

/// True if a computation whose result lies in `range` cannot have wrapped
/// around.
bool fitsType(Interval range, Value value) {
  return range.isEmpty() ||
         (range.isBounded() && typeRange(value).contains(range));
}

Interval toInterval(const llvm::APInt &x, bool isUnsigned) {
  if (isUnsigned)
    return x.getActiveBits() > 62 ? Interval{kHuge, Interval::kMax}
                                  : Interval::point(x.getZExtValue());
  if (x.getSignificantBits() > 63)
    return x.isNegative() ? Interval{Interval::kMin, -kHuge}
                          : Interval{kHuge, Interval::kMax};
  return Interval::point(x.getSExtValue());
}

/// The quotient rounded to zero, by a constant other than 0.
Interval truncDiv(Interval x, int64_t by) {
  if (!x.isBounded() || x.isEmpty() || by == 0 || by == -1)
    return by == -1 ? -x : Interval::everything();
  int64_t a = x.lower / by, b = x.upper / by;
  return {std::min(a, b), std::max(a, b)};
}

/// All ones from the highest bit down: no x | y or x ^ y of numbers up to
/// `bound` is larger.
int64_t allOnes(int64_t bound) {
  return bound >= kHuge
             ? Interval::kMax
             : int64_t((uint64_t(1) << llvm::bit_width(uint64_t(bound))) - 1);
}

} // namespace

//===--- One element ------------------------------------------------------===//

struct KnownValues::Visitor {
  KnownValues &known;
  Value value; ///< a result of the operation that is looked at
  At at;
  Arena &arena = known.arena;

  Interval intervalOf(Expr e) {
    return Bounds(arena, known.domain).interval(e);
  }

  KnownElement unknown(Interval range = Interval::everything()) {
    return {{}, range.intersect(typeRange(value)), value, at};
  }
  /// A result in the mathematical sense: it is one if it fits into the type.
  KnownElement computed(Expr exact, Interval range) {
    if (exact)
      range = range.intersect(intervalOf(exact));
    if (!fitsType(range, value))
      return unknown();
    if (!exact && range.isPoint())
      exact = arena.constant(range.lower);
    return {exact, range, value, at};
  }
  KnownElement constant(int64_t x) {
    return computed(arena.constant(x), Interval::point(x));
  }

  /// The element of an operand where this one stands; a scalar stands
  /// everywhere.
  KnownElement same(Value operand) {
    mlir::RankedTensorType tensor = tensorOf(operand);
    if (tensor && tensor.getRank() == 0)
      return known.visit(operand, SmallVector<Expr, 2>());
    return known.visit(operand, at);
  }
  /// This element is that one.
  KnownElement copyOf(Value operand, At where) {
    return known.visit(operand, std::move(where));
  }
  KnownElement anywhere(Value operand) { return unknown(known.range(operand)); }
  KnownElement isElementOf(Value operand, const Map &map) {
    if (!at)
      return copyOf(operand, std::nullopt);
    SmallVector<Expr, 2> where(map.results.begin(), map.results.end());
    substitute(arena, where, Substitution{*at, {}, {}});
    for (Expr &e : where)
      e = simplify(arena, e, known.domain);
    return copyOf(operand, where);
  }

  //===--- Sources --------------------------------------------------------===//

  KnownElement visitConstant(stablehlo::ConstantOp op) {
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

  /// A constant, seen where `at` may stand.
  KnownElement visitTable(mlir::DenseIntElementsAttr all, bool noSign) {
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
    // The affine function that the first element and its neighbours suggest.
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

  KnownElement visitIota(stablehlo::IotaOp op) {
    int64_t dim = op.getIotaDimension();
    if (!isInteger(value) || tensorOf(value).isDynamicDim(dim))
      return unknown();
    return computed(at ? (*at)[dim] : Expr(),
                    Interval::ofSize(tensorOf(value).getDimSize(dim)));
  }

  KnownElement visitSize(stablehlo::GetDimensionSizeOp op) {
    int64_t size = sizesOf(op.getOperand().getType())[op.getDimension()];
    if (!tensorOf(op.getOperand()).isDynamicDim(op.getDimension()))
      return constant(size);
    return unknown({0, size});
  }

  //===--- Movement -------------------------------------------------------===//

  KnownElement visitReshape(Value operand) {
    mlir::RankedTensorType from = tensorOf(operand), to = tensorOf(value);
    if (!from.hasStaticShape() || !to.hasStaticShape() ||
        llvm::is_contained(to.getShape(), 0) ||
        !maps::productFits(to.getShape()))
      return anywhere(operand);
    return isElementOf(operand, reshape(arena, to.getShape(), from.getShape()));
  }

  KnownElement visitBitcast(hlo::BitcastOp op) {
    mlir::RankedTensorType from = tensorOf(op.getOperand()),
                           to = tensorOf(value);
    if (from.getElementType() != to.getElementType() ||
        !from.hasStaticShape() || !to.hasStaticShape() ||
        llvm::is_contained(to.getShape(), 0) ||
        !maps::productFits(to.getShape()) ||
        from.getNumElements() != to.getNumElements())
      return unknown();
    return isElementOf(op.getOperand(),
                       bitcast(arena, to.getShape(), hlo::minorToMajor(to),
                               from.getShape(), hlo::minorToMajor(from)));
  }

  KnownElement visitBroadcast(Value operand, ArrayRef<int64_t> dims) {
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

  KnownElement visitTranspose(stablehlo::TransposeOp op) {
    if (!at)
      return copyOf(op.getOperand(), std::nullopt);
    SmallVector<Expr, 2> where(at->size());
    for (auto [i, dim] : llvm::enumerate(op.getPermutation()))
      where[dim] = (*at)[i];
    return copyOf(op.getOperand(), where);
  }

  KnownElement visitReverse(stablehlo::ReverseOp op) {
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

  KnownElement visitSlice(stablehlo::SliceOp op) {
    At where = at;
    for (size_t i = 0; where && i < where->size(); ++i)
      (*where)[i] = arena.add(arena.scale((*at)[i], op.getStrides()[i]),
                              op.getStartIndices()[i]);
    return copyOf(op.getOperand(), where);
  }

  KnownElement visitConcatenate(stablehlo::ConcatenateOp op) {
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

  KnownElement visitDynamicSlice(stablehlo::DynamicSliceOp op) {
    if (!at)
      return copyOf(op.getOperand(), std::nullopt);
    SmallVector<Expr, 2> where;
    for (auto [i, index] : llvm::enumerate(op.getStartIndices())) {
      KnownElement start = known.visit(index, SmallVector<Expr, 2>());
      int64_t room = tensorOf(op.getOperand()).getDimSize(i) -
                     tensorOf(value).getDimSize(i);
      if (!start.exact || !arena.isConstant(start.exact) ||
          !tensorOf(op.getOperand()).hasStaticShape() || room < 0)
        return anywhere(op.getOperand());
      where.push_back(arena.add(
          (*at)[i],
          std::clamp<int64_t>(arena.constantValue(start.exact), 0, room)));
    }
    return copyOf(op.getOperand(), where);
  }

  //===--- Arithmetic -----------------------------------------------------===//

  KnownElement visitConvert(stablehlo::ConvertOp op) {
    if (!isInteger(op.getOperand()))
      return unknown();
    KnownElement x = same(op.getOperand());
    // What no interval bounds may be over half of the numbers of an ui64, which
    // are negative in an i64.
    bool staysPositive =
        x.range.hasUpper() ||
        !isUnsigned(tensorOf(op.getOperand()).getElementType()) ||
        isUnsigned(tensorOf(value).getElementType());
    if (!fitsType(x.range, value) &&
        !(staysPositive &&
          typeRange(value).contains(typeRange(op.getOperand()))))
      return unknown();
    return x;
  }

  template <typename F, typename G>
  KnownElement both(mlir::Operation *op, F exact, G range) {
    KnownElement a = same(op->getOperand(0)), b = same(op->getOperand(1));
    return computed(a.exact && b.exact ? exact(a.exact, b.exact) : Expr(),
                    range(a.range, b.range));
  }
  KnownElement visitAdd(mlir::Operation *op) {
    return both(
        op, [&](Expr a, Expr b) { return arena.add(a, b); },
        [](Interval a, Interval b) { return a + b; });
  }
  KnownElement visitSubtract(mlir::Operation *op) {
    return both(
        op, [&](Expr a, Expr b) { return arena.sub(a, b); },
        [](Interval a, Interval b) { return a - b; });
  }
  KnownElement visitMultiply(mlir::Operation *op) {
    return both(
        op, [&](Expr a, Expr b) { return arena.mul(a, b); },
        [](Interval a, Interval b) { return a * b; });
  }

  /// One of the two where their ranges tell which; else what exprs say.
  KnownElement visitMinMax(mlir::Operation *op, bool isMax) {
    KnownElement a = same(op->getOperand(0)), b = same(op->getOperand(1));
    return minMax(std::move(a), std::move(b), isMax);
  }
  KnownElement minMax(KnownElement a, KnownElement b, bool isMax) {
    if (isMax ? a.range.lower >= b.range.upper : a.range.upper <= b.range.lower)
      return a;
    if (isMax ? b.range.lower >= a.range.upper : b.range.upper <= a.range.lower)
      return b;
    Expr exact;
    if (a.exact && b.exact)
      exact = isMax ? arena.max(a.exact, b.exact) : arena.min(a.exact, b.exact);
    return {exact, isMax ? a.range.max(b.range) : a.range.min(b.range), value,
            at};
  }
  KnownElement visitClamp(stablehlo::ClampOp op) {
    return minMax(minMax(same(op.getOperand()), same(op.getMin()), true),
                  same(op.getMax()), false);
  }

  std::optional<int64_t> positiveConstant(const KnownElement &x) {
    if (!x.exact || !arena.isConstant(x.exact) ||
        arena.constantValue(x.exact) <= 0)
      return std::nullopt;
    return arena.constantValue(x.exact);
  }

  KnownElement visitDivide(mlir::Operation *op) {
    KnownElement a = same(op->getOperand(0));
    std::optional<int64_t> by = positiveConstant(same(op->getOperand(1)));
    if (!by)
      return unknown();
    bool rounds = a.exact && a.range.lower >= 0;
    return computed(rounds ? arena.floorDiv(a.exact, *by) : Expr(),
                    truncDiv(a.range, *by));
  }
  /// The sign is that of the dividend.
  KnownElement visitRemainder(mlir::Operation *op) {
    KnownElement a = same(op->getOperand(0)), b = same(op->getOperand(1));
    std::optional<int64_t> by = positiveConstant(b);
    if (a.range.lower >= 0 && b.range.lower > 0) {
      Expr exact = a.exact && by ? arena.mod(a.exact, *by) : Expr();
      if (a.range.upper < b.range.lower)
        exact = a.exact;
      return computed(
          exact,
          {0, std::min(a.range.upper, b.range.hasUpper() ? b.range.upper - 1
                                                         : Interval::kMax)});
    }
    if (!by)
      return unknown();
    return unknown(
        {a.range.lower >= 0 ? 0 : 1 - *by, a.range.upper <= 0 ? 0 : *by - 1});
  }

  KnownElement visitAnd(mlir::Operation *op) {
    KnownElement a = same(op->getOperand(0)), b = same(op->getOperand(1));
    // In two's complement x & (2^k - 1) is the remainder by 2^k.
    for (auto [x, mask] : {std::pair(&a, &b), std::pair(&b, &a)})
      if (std::optional<int64_t> ones = positiveConstant(*mask);
          ones && llvm::isPowerOf2_64(uint64_t(*ones) + 1))
        return computed(
            x->exact ? arena.mod(x->exact, *ones + 1) : Expr(),
            {0, x->range.lower >= 0 ? std::min(*ones, x->range.upper) : *ones});
    Interval range = Interval::everything();
    for (const KnownElement *x : {&a, &b})
      if (x->range.lower >= 0)
        range = range.intersect({0, x->range.upper});
    return unknown(range);
  }
  KnownElement visitOr(mlir::Operation *op) {
    Interval a = same(op->getOperand(0)).range,
             b = same(op->getOperand(1)).range;
    if (a.lower < 0 || b.lower < 0)
      return unknown();
    return unknown({0, allOnes(std::max(a.upper, b.upper))});
  }
  KnownElement visitNot(mlir::Operation *op) {
    KnownElement x = same(op->getOperand(0));
    if (isUnsigned(tensorOf(value).getElementType())) {
      Interval whole = typeRange(value);
      return computed(whole.isBounded() && x.exact
                          ? arena.add(arena.neg(x.exact), whole.upper)
                          : Expr(),
                      Interval::point(whole.upper) - x.range);
    }
    return computed(x.exact ? arena.add(arena.neg(x.exact), -1) : Expr(),
                    Interval::point(-1) - x.range);
  }
  /// To the right, of numbers without a sign: a quotient.
  KnownElement visitShiftRight(mlir::Operation *op) {
    KnownElement x = same(op->getOperand(0)), by = same(op->getOperand(1));
    if (x.range.lower < 0 || !by.exact || !arena.isConstant(by.exact))
      return unknown();
    int64_t k = arena.constantValue(by.exact);
    if (k < 0 || k >= 62 || k >= tensorOf(value).getElementTypeBitWidth())
      return unknown();
    // The highest bit is a sign to an arithmetic shift, whatever the type says.
    if (llvm::isa<stablehlo::ShiftRightArithmeticOp>(op) &&
        x.range.upper >>
            std::min<int64_t>(tensorOf(value).getElementTypeBitWidth() - 1, 62))
      return unknown();
    int64_t d = int64_t(1) << k;
    return computed(x.exact ? arena.floorDiv(x.exact, d) : Expr(),
                    x.range.floorDiv(d));
  }
  KnownElement visitShiftLeft(mlir::Operation *op) {
    KnownElement x = same(op->getOperand(0)), by = same(op->getOperand(1));
    if (!by.exact || !arena.isConstant(by.exact))
      return unknown();
    int64_t k = arena.constantValue(by.exact);
    if (k < 0 || k >= 62 || k >= tensorOf(value).getElementTypeBitWidth())
      return unknown();
    return computed(x.exact ? arena.scale(x.exact, int64_t(1) << k) : Expr(),
                    x.range * (int64_t(1) << k));
  }
  KnownElement visitAbs(mlir::Operation *op) {
    KnownElement x = same(op->getOperand(0));
    if (x.range.lower >= 0)
      return x;
    return computed(x.exact ? arena.max(x.exact, arena.neg(x.exact)) : Expr(),
                    x.range.max(-x.range).max(Interval::point(0)));
  }

  //===--- Decisions ------------------------------------------------------===//

  /// What of `x` satisfies `x direction y`.
  static Interval satisfying(stablehlo::ComparisonDirection direction,
                             Interval y) {
    Interval one = Interval::point(1);
    switch (direction) {
    case stablehlo::ComparisonDirection::EQ:
      return y;
    case stablehlo::ComparisonDirection::NE:
      return Interval::everything();
    case stablehlo::ComparisonDirection::LT:
      return {Interval::kMin, (y - one).upper};
    case stablehlo::ComparisonDirection::LE:
      return {Interval::kMin, y.upper};
    case stablehlo::ComparisonDirection::GT:
      return {(y + one).lower, Interval::kMax};
    case stablehlo::ComparisonDirection::GE:
      return {y.lower, Interval::kMax};
    }
    return Interval::everything();
  }
  static stablehlo::ComparisonDirection
  opposite(stablehlo::ComparisonDirection direction) {
    using enum stablehlo::ComparisonDirection;
    switch (direction) {
    case EQ:
      return NE;
    case NE:
      return EQ;
    case LT:
      return GE;
    case LE:
      return GT;
    case GT:
      return LE;
    case GE:
      return LT;
    }
    return direction;
  }

  KnownElement visitCompare(stablehlo::CompareOp op) {
    if (!isInteger(op.getLhs()))
      return unknown();
    KnownElement a = same(op.getLhs()), b = same(op.getRhs());
    Expr difference = a.exact && b.exact ? arena.sub(a.exact, b.exact) : Expr();
    Interval d = a.range - b.range;
    if (difference)
      d = d.intersect(intervalOf(difference));
    stablehlo::ComparisonDirection direction = op.getComparisonDirection();
    Interval zero = Interval::point(0);
    auto never = [&](stablehlo::ComparisonDirection way) {
      if (way == stablehlo::ComparisonDirection::NE)
        return d == zero;
      return d.intersect(satisfying(way, zero)).isEmpty();
    };
    if (d.isEmpty())
      return unknown();
    if (never(direction))
      return constant(0);
    if (never(opposite(direction)))
      return constant(1);
    return unknown();
  }

  /// The direction of `y direction x`, where that of `x direction y` is given.
  static stablehlo::ComparisonDirection
  swapped(stablehlo::ComparisonDirection direction) {
    using enum stablehlo::ComparisonDirection;
    switch (direction) {
    case LT:
      return GT;
    case LE:
      return GE;
    case GT:
      return LT;
    case GE:
      return LE;
    default:
      return direction;
    }
  }

  /// Where `x` lies at a place where the predicate has a truth value.
  Interval impliedBy(Value pred, bool truth, Value x, unsigned budget = 4) {
    using enum stablehlo::ComparisonDirection;
    mlir::Operation *op = pred.getDefiningOp();
    if (!op || budget == 0)
      return Interval::everything();
    auto implied = [&](Value part, bool partTruth) {
      return impliedBy(part, partTruth, x, budget - 1);
    };
    // Of two parts both hold, or at least one does.
    auto both = [&](mlir::Operation *parts, bool areBoth) {
      Interval a = implied(parts->getOperand(0), truth),
               b = implied(parts->getOperand(1), truth);
      return areBoth ? a.intersect(b) : a.hull(b);
    };
    if (llvm::isa<stablehlo::AndOp>(op))
      return both(op, truth);
    if (llvm::isa<stablehlo::OrOp>(op))
      return both(op, !truth);
    if (llvm::isa<stablehlo::NotOp>(op))
      return implied(op->getOperand(0), !truth);
    auto compare = llvm::dyn_cast<stablehlo::CompareOp>(op);
    if (!compare || !isInteger(compare.getLhs()))
      return Interval::everything();
    stablehlo::ComparisonDirection direction =
        truth ? compare.getComparisonDirection()
              : opposite(compare.getComparisonDirection());
    if (compare.getLhs() == x)
      return satisfying(direction, same(compare.getRhs()).range);
    if (compare.getRhs() == x)
      return satisfying(swapped(direction), same(compare.getLhs()).range);
    // Of a predicate beside one that is known.
    if (!tensorOf(compare.getLhs()).getElementType().isInteger(1) ||
        (direction != EQ && direction != NE))
      return Interval::everything();
    for (auto [one, other] : {std::pair(compare.getLhs(), compare.getRhs()),
                              std::pair(compare.getRhs(), compare.getLhs())})
      if (Interval is = same(other).range; is.isPoint())
        return implied(one, (is.lower != 0) == (direction == EQ));
    return Interval::everything();
  }

  /// A branch of a selection that is only taken where the predicate has a truth
  /// value, which tells of the branch itself or of what it adds something to.
  Interval branchRange(Value branch, Value pred, bool truth) {
    Interval all = same(branch).range.intersect(impliedBy(pred, truth, branch));
    auto add = branch.getDefiningOp<stablehlo::AddOp>();
    if (!add)
      return all;
    for (auto [x, other] : {std::pair(add.getLhs(), add.getRhs()),
                            std::pair(add.getRhs(), add.getLhs())}) {
      Interval sum = same(x).range.intersect(impliedBy(pred, truth, x)) +
                     same(other).range;
      if (fitsType(sum, branch))
        all = all.intersect(sum);
    }
    return all;
  }

  KnownElement visitSelect(stablehlo::SelectOp op) {
    Value choice = op.getPred();
    KnownElement pred = same(choice);
    if (pred.exact && arena.isConstant(pred.exact))
      return same(arena.constantValue(pred.exact) ? op.getOnTrue()
                                                  : op.getOnFalse());
    KnownElement a = same(op.getOnTrue()), b = same(op.getOnFalse());
    if (a.exact && a.exact == b.exact)
      return a;
    if (tensorOf(choice).getRank() != tensorOf(value).getRank())
      return unknown(a.range.hull(b.range));
    return unknown(branchRange(op.getOnTrue(), choice, true)
                       .hull(branchRange(op.getOnFalse(), choice, false)));
  }

  /// The range of a value in the body of a reduction that is always one of the
  /// body's arguments; none where it may be anything else.
  std::optional<Interval> chosen(Value inside, stablehlo::ReduceOp op,
                                 unsigned budget) {
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(inside)) {
      unsigned number = argument.getArgNumber(), inputs = op.getInputs().size();
      if (argument.getOwner() != &op.getBody().front())
        return std::nullopt;
      return known.range(number < inputs ? op.getInitValues()[number]
                                         : op.getInputs()[number - inputs]);
    }
    mlir::Operation *definition = inside.getDefiningOp();
    mlir::ValueRange choices = definition->getOperands();
    if (llvm::isa<stablehlo::SelectOp>(definition))
      choices = choices.drop_front();
    else if (!llvm::isa<stablehlo::MinOp, stablehlo::MaxOp>(definition))
      return std::nullopt;
    if (budget == 0)
      return std::nullopt;
    Interval range = Interval::empty();
    for (Value choice : choices) {
      std::optional<Interval> one = chosen(choice, op, budget - 1);
      if (!one)
        return std::nullopt;
      range = range.hull(*one);
    }
    return range;
  }
  /// As the index that an argmax carries along: chosen, never computed.
  KnownElement visitReduce(stablehlo::ReduceOp op) {
    if (!op.getBody().hasOneBlock() || !isInteger(value))
      return unknown();
    unsigned number = llvm::cast<mlir::OpResult>(value).getResultNumber();
    mlir::Operation *end = op.getBody().front().getTerminator();
    if (number >= end->getNumOperands())
      return unknown();
    std::optional<Interval> range = chosen(end->getOperand(number), op, 6);
    return range ? unknown(*range) : unknown();
  }

  //===--- Which --------------------------------------------------------===//

  KnownElement visitFusion(hlo::FusionOp op) {
    unsigned number = llvm::cast<mlir::OpResult>(value).getResultNumber();
    mlir::Operation *end = op.getBody().front().getTerminator();
    // From outside its values have no names.
    KnownElement inside = copyOf(end->getOperand(number), at);
    return {inside.exact, inside.range, value, at};
  }

  KnownElement visitArgument(mlir::BlockArgument argument) {
    auto fusion =
        llvm::dyn_cast<hlo::FusionOp>(argument.getOwner()->getParentOp());
    if (!fusion || !argument.getOwner()->isEntryBlock())
      return unknown();
    KnownElement outside =
        copyOf(fusion->getOperand(argument.getArgNumber()), at);
    return {outside.exact, outside.range, value, at};
  }

  KnownElement visitOperation(mlir::Operation *op) {
    using namespace stablehlo;
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
          return unknown(known.range(o.getOperand())
                             .hull(known.range(o.getPaddingValue())));
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
        .Case<hlo::CopyOp, hlo::ElementOp, OptimizationBarrierOp>(
            [&](mlir::Operation *o) {
              Value operand = o->getOperand(number);
              return tensorOf(operand) && sizesOf(operand.getType()) ==
                                              sizesOf(value.getType())
                         ? copyOf(operand, at)
                         : unknown();
            })
        .Case([&](GetTupleElementOp o) {
          auto tuple = o.getOperand().getDefiningOp<TupleOp>();
          return tuple ? copyOf(tuple->getOperand(o.getIndex()), at)
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
};

KnownElement KnownValues::visit(Value value, At at) {
  Visitor visitor{*this, value, at};
  if (!isInteger(value) || depth == kMaxDepth || visits == kMaxVisits)
    return visitor.unknown();
  // Told apart from the index of a scalar, which is empty.
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

//===--- For the builders -------------------------------------------------===//

IndexValue mercator::indexValue(Arena &arena, const Domain &domain, Value value,
                                ArrayRef<Expr> at) {
  KnownElement found = KnownValues(arena, domain).element(value, at);
  if (found.exact)
    return {.exact = found.exact, .range = found.range};
  // Without a place there is no origin to name.
  if (!found.index) {
    found.origin = value;
    found.index = SmallVector<Expr, 2>(at);
  }
  SourceName source = sourceName(found.origin);
  IndexValue index{.range = found.range,
                   .source = arena.intern(source.name),
                   .element = source.element,
                   .index = *found.index};
  for (Expr &e : index.index)
    e = simplify(arena, e, domain);
  return index;
}

std::optional<SmallVector<int64_t>> mercator::knownVector(Arena &arena,
                                                          Value value) {
  mlir::RankedTensorType tensor = tensorOf(value);
  if (!tensor || tensor.getRank() != 1 || !tensor.hasStaticShape() ||
      tensor.getNumElements() > 1024)
    return std::nullopt;
  Domain domain;
  KnownValues known(arena, domain);
  SmallVector<int64_t> out;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    KnownElement found = known.element(value, arena.constant(i));
    if (!found.exact || !arena.isConstant(found.exact))
      return std::nullopt;
    out.push_back(arena.constantValue(found.exact));
  }
  return out;
}
