// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reshape, dynamic_reshape: views. Dimensions are matched in groups that have
// the same number of elements, so dimensions that do not change stay apart:
//
//   4x6x5 -> 4x2x3x5    expand_shape [[0], [1, 2], [3]]
//   4x6x5 -> 4x3x10     collapse_shape [[0], [1, 2]], then
//                       expand_shape [[0], [1, 2]]

#include "mercator/transforms/stablehlo/lowering/Builders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace mercator::stablehlo {

namespace {
/// Dimensions of two shapes. Group i of both has the same number of elements.
class Groups {
public:
  /// Requires: both ranks are at least 1 and no extent is known to be 0.
  Groups(ArrayRef<OpFoldResult> from, ArrayRef<OpFoldResult> to)
      : source(from), target(to) {
    while (i < source.size() && j < target.size())
      if (!matchNext()) {
        matchRest();
        break;
      }
    // The dimensions that are left have extent 1.
    for (; i < source.size(); ++i)
      this->from.back().push_back(int64_t(i));
    for (; j < target.size(); ++j)
      this->to.back().push_back(int64_t(j));
  }

  SmallVector<ReassociationIndices> from, to;

private:
  bool matchNext();
  void matchRest();
  void add(size_t fromEnd, size_t toEnd) {
    ReassociationIndices &a = from.emplace_back(), &c = to.emplace_back();
    for (; i < fromEnd; ++i)
      a.push_back(int64_t(i));
    for (; j < toEnd; ++j)
      c.push_back(int64_t(j));
  }

  ArrayRef<OpFoldResult> source, target;
  size_t i = 0, j = 0;
  /// A dimension that may be empty has been matched.
  bool mayBeEmpty = false;
};
} // namespace

/// The next dimension, from `dim` on, that is not known to have extent 1; the
/// last one if there is none.
static size_t skipOnes(ArrayRef<OpFoldResult> sizes, size_t dim) {
  while (dim + 1 < sizes.size() && isConstantIntValue(sizes[dim], 1))
    ++dim;
  return dim;
}

/// Adds the next group if it is known; false if not.
bool Groups::matchNext() {
  std::optional<int64_t> x = getConstantIntValue(source[i]),
                         y = getConstantIntValue(target[j]);
  if (!x || !y) {
    // Dimensions of extent 1 join the dynamic one after them.
    size_t iLast = y ? i : skipOnes(source, i),
           jLast = x ? j : skipOnes(target, j);
    if (getConstantIntValue(source[iLast]) ||
        !areEqualSizes(source[iLast], target[jLast]))
      return false;
    mayBeEmpty = true;
    add(iLast + 1, jLast + 1);
    return true;
  }
  size_t iEnd = i + 1, jEnd = j + 1;
  while (x && y && *x != *y) {
    if (*x < *y) {
      if (iEnd == source.size())
        return false;
      std::optional<int64_t> more = getConstantIntValue(source[iEnd++]);
      x = more ? std::optional(*x * *more) : std::nullopt;
    } else {
      if (jEnd == target.size())
        return false;
      std::optional<int64_t> more = getConstantIntValue(target[jEnd++]);
      y = more ? std::optional(*y * *more) : std::nullopt;
    }
  }
  if (!x || !y)
    return false;
  add(iEnd, jEnd);
  return true;
}

/// Equal dimensions at the end stay apart; the others become one group. If a
/// dimension before them is empty, the two sides of the group may differ:
/// all dimensions become one group.
void Groups::matchRest() {
  size_t iEnd = source.size(), jEnd = target.size();
  if (mayBeEmpty) {
    from.clear();
    to.clear();
    i = j = 0;
    add(iEnd, jEnd);
    return;
  }
  while (iEnd > i + 1 && jEnd > j + 1 &&
         getConstantIntValue(source[iEnd - 1]) &&
         source[iEnd - 1] == target[jEnd - 1]) {
    --iEnd;
    --jEnd;
  }
  add(iEnd, jEnd);
  while (i < source.size())
    add(i + 1, j + 1);
}

static bool haveSeveral(ArrayRef<ReassociationIndices> groups) {
  return llvm::any_of(groups, [](const ReassociationIndices &group) {
    return group.size() > 1;
  });
}

/// The number of elements of each group.
static SmallVector<int64_t> extentsOf(ArrayRef<ReassociationIndices> groups,
                                      ArrayRef<int64_t> shape) {
  SmallVector<int64_t> extents;
  for (const ReassociationIndices &group : groups) {
    int64_t extent = 1;
    for (int64_t dim : group) {
      if (ShapedType::isDynamic(shape[dim])) {
        extent = ShapedType::kDynamic;
        break;
      }
      extent *= shape[dim];
    }
    extents.push_back(extent);
  }
  return extents;
}

Value reshapeTensor(ImplicitLocOpBuilder &b, Value tensor,
                    ArrayRef<OpFoldResult> sizes) {
  auto from = cast<RankedTensorType>(tensor.getType());
  RankedTensorType to =
      RankedTensorType::get(shapeOf(sizes), from.getElementType());
  if (hasNoElements(to.getShape()) || hasNoElements(from.getShape()))
    return empty(b, sizes, to.getElementType());
  if (from == to && to.hasStaticShape())
    return tensor;
  // Extents that the program computes stay numbers.
  if (auto made = tensor.getDefiningOp<tensor::FromElementsOp>();
      made && to.hasStaticShape())
    return tensor::FromElementsOp::create(b, to, made.getElements());
  if (from.getRank() == 0 || to.getRank() == 0) {
    SmallVector<int64_t> ones(size_t(from.getRank()), 1),
        toOnes(sizes.size(), 1);
    tensor = castTo(b, tensor, from.clone(ones));
    if (from.getRank() == 0 && to.getRank() == 0)
      return tensor;
    ArrayRef<ReassociationIndices> none;
    return from.getRank() == 0
               ? b.createOrFold<tensor::ExpandShapeOp>(to.clone(toOnes), tensor,
                                                       none)
               : b.createOrFold<tensor::CollapseShapeOp>(to, tensor, none);
  }
  Groups groups(extentsOf(b, tensor), sizes);
  if (haveSeveral(groups.from))
    tensor = b.createOrFold<tensor::CollapseShapeOp>(
        RankedTensorType::get(extentsOf(groups.from, from.getShape()),
                              from.getElementType()),
        tensor, groups.from);
  tensor = castTo(b, tensor, to.clone(extentsOf(groups.to, to.getShape())));
  if (haveSeveral(groups.to))
    tensor =
        b.createOrFold<tensor::ExpandShapeOp>(to, tensor, groups.to, sizes);
  return tensor;
}

/// The sizes of a type with at most one dynamic extent, from the number of
/// elements that `tensor` has.
static Sizes sizesForElementsOf(ImplicitLocOpBuilder &b, RankedTensorType type,
                                Value tensor) {
  Sizes sizes, known, own = extentsOf(b, tensor);
  for (int64_t extent : type.getShape()) {
    sizes.push_back(b.getIndexAttr(extent));
    if (ShapedType::isStatic(extent))
      known.push_back(sizes.back());
  }
  if (type.hasStaticShape())
    return sizes;
  // The static extents often are equal: the dynamic one is, too.
  OpFoldResult mine = productOf(b, known), extent;
  SmallVector<OpFoldResult> theirs, rest;
  for (OpFoldResult size : own)
    (getConstantIntValue(size) ? theirs : rest).push_back(size);
  if (hasNoElements(type.getShape()))
    extent = b.getIndexAttr(0); // any extent has no elements
  else if (rest.size() == 1 && productOf(b, theirs) == mine)
    extent = rest.front();
  else
    extent = b.createOrFold<arith::DivUIOp>(valueOf(b, productOf(b, own)),
                                            valueOf(b, mine));
  for (OpFoldResult &size : sizes)
    if (isConstantIntValue(size, ShapedType::kDynamic))
      size = extent;
  return sizes;
}

static FailureOr<Value> lowerReshape(ReshapeOp op, ReshapeOp::Adaptor in,
                                     Lowering &l) {
  RankedTensorType type = l.type();
  if (failed(expectResultElement(l, in.getOperand())))
    return failure();
  if (type.getNumDynamicDims() > 1)
    return l.refuse("more than one extent of the result is not known");
  return castTo(l.b,
                reshapeTensor(l.b, in.getOperand(),
                              sizesForElementsOf(l.b, type, in.getOperand())),
                type);
}

static FailureOr<Value> lowerDynamicReshape(DynamicReshapeOp op,
                                            DynamicReshapeOp::Adaptor in,
                                            Lowering &l) {
  FailureOr<Sizes> sizes =
      resultSizesIn(l, op.getOutputShape(), in.getOutputShape());
  if (failed(sizes) || failed(expectResultElement(l, in.getOperand())))
    return failure();
  auto from = cast<RankedTensorType>(in.getOperand().getType());
  std::optional<int64_t> given = numElements(from.getShape()),
                         wanted = numElements(shapeOf(*sizes));
  if (given && wanted && *given != *wanted)
    return l.refuse("expected a shape of " + Twine(*given) + " elements, got " +
                    Twine(*wanted));
  return castTo(l.b, reshapeTensor(l.b, in.getOperand(), *sizes), l.type());
}

void addReshapeRules(LoweringRules &rules) {
  rules.add<ReshapeOp, lowerReshape>();
  rules.add<DynamicReshapeOp, lowerDynamicReshape>();
}

} // namespace mercator::stablehlo
