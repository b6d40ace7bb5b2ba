// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sorts. GE's Sort orders one tensor and gives the indices of its elements.
//
//   one key               Sort. The other operands follow its indices, by
//                         GatherElements. An iota becomes the indices.
//   keys a, then b, ..    stable sorts by the last key first
//   chlo.top_k            TopKV2
//
// A NaN is the greatest number in both. In StableHLO the order of NaNs is a
// matter of the comparator: JAX writes one with a total order of canonical
// floats, which is the same (TotalOrder.h).

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/targets/ascend/operators/Elements.h"
#include "mercator/targets/ascend/operators/Reductions.h"
#include "mercator/targets/ascend/prepare/TotalOrder.h"
#include "mercator/targets/ascend/rules/ArgReduction.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

namespace sh = mercator::stablehlo;

//===--- Comparators ------------------------------------------------------===//

namespace {
/// An operand that decides, and in which direction.
struct Key {
  unsigned operand;
  bool isDescending;
};

class Comparator {
public:
  explicit Comparator(Block &body) : body(body) {}

  /// The keys, the most significant first; nothing and `why` if the comparator
  /// is another function.
  std::optional<SmallVector<Key>> keys();

  std::string why;

private:
  bool add(Value isBefore);
  /// The operand whose elements `op` compares.
  std::optional<unsigned> operandOf(sh::CompareOp op, bool &isSwapped);

  Block &body;
  SmallVector<Key> found;
};
} // namespace

std::optional<unsigned> Comparator::operandOf(sh::CompareOp op,
                                              bool &isSwapped) {
  Canonical lhs = canonicalOf(op.getLhs()), rhs = canonicalOf(op.getRhs());
  auto x = dyn_cast<BlockArgument>(lhs.source),
       y = dyn_cast<BlockArgument>(rhs.source);
  if (!x || !y || x.getOwner() != &body || y.getOwner() != &body ||
      x.getArgNumber() / 2 != y.getArgNumber() / 2 || x == y)
    return std::nullopt;
  bool isTotal = op.getCompareType() == sh::ComparisonType::TOTALORDER &&
                 isa<FloatType>(getElementTypeOrSelf(x));
  if (isTotal && !(lhs.isCanonical && rhs.isCanonical)) {
    why = "its comparator orders -0 before +0, and NaNs by their signs, which "
          "GE's Sort does not";
    return std::nullopt;
  }
  isSwapped = x.getArgNumber() % 2 == 1;
  return x.getArgNumber() / 2;
}

/// `a < b`, or `a < b or (a = b and REST)`.
bool Comparator::add(Value isBefore) {
  using Direction = sh::ComparisonDirection;
  bool isSwapped = false;
  if (auto compare = isBefore.getDefiningOp<sh::CompareOp>()) {
    std::optional<unsigned> operand = operandOf(compare, isSwapped);
    Direction direction = compare.getComparisonDirection();
    if (!operand || (direction != Direction::LT && direction != Direction::GT))
      return false;
    found.push_back({*operand, (direction == Direction::GT) != isSwapped});
    return true;
  }
  auto either = isBefore.getDefiningOp<sh::OrOp>();
  if (!either)
    return false;
  for (bool isFlipped : {false, true}) {
    Value first = either->getOperand(isFlipped),
          second = either->getOperand(!isFlipped);
    auto both = second.getDefiningOp<sh::AndOp>();
    if (!both || !first.getDefiningOp<sh::CompareOp>() || !add(first))
      continue;
    for (bool isTurned : {false, true}) {
      auto equal = both->getOperand(isTurned).getDefiningOp<sh::CompareOp>();
      if (equal && equal.getComparisonDirection() == Direction::EQ &&
          operandOf(equal, isSwapped) == found.back().operand)
        return add(both->getOperand(!isTurned));
    }
    return false;
  }
  return false;
}

std::optional<SmallVector<Key>> Comparator::keys() {
  if (add(body.getTerminator()->getOperand(0)))
    return found;
  if (why.empty())
    why = "its comparator is another function than an order by one operand "
          "after the other";
  return std::nullopt;
}

//===--- Sorts ------------------------------------------------------------===//

namespace {
struct Sorted {
  Value values, indices;
};

class Sorter {
public:
  Sorter(ImplicitLocOpBuilder &b, int64_t dim, bool isStable)
      : b(b), dim(dim), isStable(isStable) {}

  /// Requires: `canSort` of the element type.
  Sorted sort(Value key, bool isDescending);
  /// The elements of `x` at the indices. Requires: `canMove`.
  Value move(Value x, Value indices) {
    return GatherElementsOp::create(b, typeOf(indices).clone(elementOf(x)), x,
                                    indices, b.getI64IntegerAttr(dim));
  }

private:
  ImplicitLocOpBuilder &b;
  int64_t dim;
  bool isStable;
};
} // namespace

static bool canSort(Type element) {
  return element.isInteger(1) || takes("Sort", element) ||
         takes("TopKV2", element);
}
static bool canMove(Type element) { return takes("GatherElements", element); }

Sorted Sorter::sort(Value key, bool isDescending) {
  Elements e(b);
  Type element = elementOf(key);
  if (element.isInteger(1)) {
    Sorted bytes = sort(e.convert(key, b.getI8Type()), isDescending);
    return {e.convert(bytes.values, element), bytes.indices};
  }
  RankedTensorType type = typeOf(key);
  Type results[] = {type, type.clone(b.getI32Type())};
  Operation *sorted = nullptr;
  if (takes("Sort", element)) {
    sorted =
        SortOp::create(b, results, key, b.getI64IntegerAttr(dim),
                       b.getBoolAttr(isDescending), b.getBoolAttr(isStable));
  } else {
    // Sort has no f64. TopKV2 keeps the order of equal elements.
    Value all = constantScalar(b, b.getI32Type(), type.getDimSize(dim));
    sorted =
        TopKV2Op::create(b, results, key, all, b.getBoolAttr(true),
                         b.getI64IntegerAttr(dim), b.getBoolAttr(isDescending));
  }
  return {sorted->getResult(0), sorted->getResult(1)};
}

static FailureOr<Value> convertSort(Conversion &c, sh::SortOp op) {
  RankedTensorType type = c.type();
  ValueRange inputs = op.getInputs();
  if (type.getRank() == 0 || type.getNumElements() == 0) {
    llvm::append_range(c.others, inputs.drop_front());
    return inputs.front();
  }
  int64_t dim = int64_t(op.getDimension());
  if (dim < 0)
    dim += type.getRank();
  Comparator comparator(op.getComparator().front());
  std::optional<SmallVector<Key>> keys = comparator.keys();
  if (!keys)
    return c.no(comparator.why);
  if (type.getDimSize(dim) > INT32_MAX)
    return c.no("GE's indices of sorted elements have 32 bits");
  for (Key key : *keys)
    if (!canSort(elementOf(inputs[key.operand])))
      return c.no("GE's Sort and TopKV2 have no order of these elements");
  for (Value input : inputs)
    if (!canMove(elementOf(input)))
      return c.no("GE's GatherElements, which moves the operands, does not "
                  "support their elements");

  Sorter sorter(c.b, dim, op.getIsStable() || keys->size() > 1);
  Elements e(c.b);
  Value order; // indices of the operands' elements
  Sorted last;
  for (Key key : llvm::reverse(*keys)) {
    Value x = inputs[key.operand];
    last = sorter.sort(order ? sorter.move(x, order) : x, key.isDescending);
    order = order ? sorter.move(order, last.indices) : last.indices;
  }
  SmallVector<Value> results;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    if (i == keys->front().operand)
      results.push_back(last.values);
    else if (countsAlong(input, dim))
      results.push_back(e.convert(order, elementOf(input)));
    else
      results.push_back(sorter.move(input, order));
  }
  c.others.assign(results.begin() + 1, results.end());
  return results.front();
}

static FailureOr<Value> convertTopK(Conversion &c, chlo::TopKOp op) {
  Value x = op.getOperand();
  auto places = cast<RankedTensorType>(op.getIndices().getType());
  if (!takes("TopKV2", elementOf(x)))
    return c.no("GE's TopKV2 has no order of these elements");
  if (typeOf(x).getShape().back() > INT32_MAX)
    return c.no("GE's indices of sorted elements have 32 bits");
  Type results[] = {c.type(), places.clone(c.b.getI32Type())};
  auto sorted = TopKV2Op::create(
      c.b, results, x,
      constantScalar(c.b, c.b.getI32Type(), int64_t(op.getK())),
      c.b.getBoolAttr(true), c.b.getI64IntegerAttr(-1), c.b.getBoolAttr(true));
  Elements e(c.b);
  c.others = {e.convert(sorted.getIndices(), places.getElementType())};
  return sorted.getValues();
}

FailureOr<Value> ascend::convertSort(Conversion &c) {
  if (auto op = dyn_cast<chlo::TopKOp>(c.op))
    return convertTopK(c, op);
  if (auto op = dyn_cast<sh::SortOp>(c.op))
    return ::convertSort(c, op);
  return failure();
}
