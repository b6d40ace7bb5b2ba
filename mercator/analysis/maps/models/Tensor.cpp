// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's tensor dialect, and arith and math on tensors.
//
// Offsets known only when the program runs are runtime variables. Unlike those
// of StableHLO they are not clamped: the program must keep them in bounds, and
// the intervals of the variables say the same. Operands that are sizes are not
// read: they determine the elements of the result, not the reads of an element.

#include "mercator/analysis/maps/Model.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::ArrayRef;
using llvm::SmallBitVector;
using llvm::SmallVector;
using mlir::OpFoldResult;
namespace tensor = mlir::tensor;

namespace {

constexpr int64_t kUnknownSize = Interval::kMax;
constexpr const char *kDynamicSize =
    "a size is known only when the program runs";

/// The index as an expression: its constant, or a runtime variable that is read
/// from the value.
Expr indexFrom(Map &map, OpFoldResult index, Interval bounds,
               ArrayRef<Expr> element = {}) {
  Arena &arena = *map.arena;
  if (std::optional<int64_t> constant = mlir::getConstantIntValue(index))
    return arena.constant(*constant);
  Source source = internSource(arena, llvm::cast<mlir::Value>(index));
  RuntimeVariable v;
  v.bounds = bounds;
  v.source = source.id;
  v.element = source.element;
  v.index.assign(element.begin(), element.end());
  return map.domain.addRuntime(arena, std::move(v));
}

/// A map with dimensions, but no results yet.
Map onElements(const Query &q) { return everything(q.arena, q.from(), {}); }

//===--- Whole tensors ----------------------------------------------------===//

/// The identity; an unranked tensor is read as a whole. An extent that one of
/// the two types has is that of both.
template <typename Op> MapSet castMaps(Op op, const Query &q) {
  auto from =
      llvm::dyn_cast<mlir::RankedTensorType>(op->getOperand(0).getType());
  auto to = llvm::dyn_cast<mlir::RankedTensorType>(op->getResult(0).getType());
  if (!from || !to)
    return q.everything("a rank is known only when the program runs");
  SmallVector<int64_t> sizes;
  for (auto [a, b] : llvm::zip_equal(from.getShape(), to.getShape()))
    sizes.push_back(mlir::ShapedType::isStatic(a)   ? a
                    : mlir::ShapedType::isStatic(b) ? b
                                                    : kUnknownSize);
  return Map::identity(q.arena, sizes);
}

/// Operations on shapes read no elements.
template <typename Op> MapSet shapeMaps(Op, const Query &q) {
  return q.nothing();
}

/// The size of the first operand along the dimension given by the second, which
/// is read.
MapSet dimMaps(tensor::DimOp, const Query &q) {
  return q.operand == 0 ? q.nothing() : q.everything();
}

MapSet splatMaps(tensor::SplatOp, const Query &q) {
  return q.operand == 0 ? q.everything() : q.nothing();
}

/// Operand k is the k-th element in row-major order.
MapSet fromElementsMaps(tensor::FromElementsOp, const Query &q) {
  Map map = onElements(q);
  if (map.isKnownEmpty())
    return q.nothing();
  SmallVector<int64_t> at(q.out.size());
  int64_t rest = q.operand;
  for (size_t i = q.out.size(); i-- > 0; rest /= q.out[i])
    at[i] = rest % q.out[i];
  for (auto [i, x] : llvm::enumerate(at))
    if (q.direction == Direction::OutToIn)
      map.domain.dims[i].bounds = Interval::point(x);
    else
      map.results.push_back(q.arena.constant(x));
  return map;
}

MapSet concatMaps(tensor::ConcatOp op, const Query &q) {
  int64_t dim = op.getDim(), offset = 0;
  for (mlir::Value before : op.getInputs().take_front(q.operand)) {
    int64_t size = sizesOf(before.getType())[dim];
    if (size == kUnknownSize || !fits(offset + size))
      return q.approximate(q.along([&](int64_t i) { return i == dim; }),
                           kDynamicSize);
    offset += size;
  }
  Map map = concatenate(q.arena, q.direction, q.in, dim, offset);
  if (q.in[dim] == kUnknownSize && q.direction == Direction::OutToIn)
    return q.approximate(std::move(map), kDynamicSize);
  return map;
}

//===--- Reshapes ---------------------------------------------------------===//

MapSet reshapeMaps(tensor::ReshapeOp, const Query &q) {
  if (q.operand == 1)
    return q.nothing();
  if (!q.isStatic)
    return q.dynamic();
  return productFits(q.in) ? MapSet(reshape(q.arena, q.from(), q.to()))
                           : q.tooLarge();
}

/// Each group of dimensions of `many` is one dimension of `one`, in row-major
/// order. Requires: only the first size of a group is unknown.
MapSet groupsMaps(const Query &q, ArrayRef<mlir::ReassociationIndices> groups,
                  bool toMany) {
  Sizes many = toMany ? q.to() : q.from();
  Map map = onElements(q);
  if (map.isKnownEmpty())
    return q.nothing();
  if (toMany)
    map.results.resize(many.size());
  bool exact = true;
  for (auto [i, group] : llvm::enumerate(groups)) {
    SmallVector<int64_t> inner;
    for (int64_t dim : llvm::ArrayRef(group).drop_front())
      inner.push_back(many[dim]);
    if (llvm::is_contained(inner, 0))
      return q.nothing();
    bool known = productFits(inner);
    exact &= known;
    int64_t stride = 1;
    Expr whole = toMany ? q.arena.dim(i) : q.arena.constant(0);
    for (size_t k = group.size(); known && k-- > 0;) {
      int64_t dim = group[k];
      if (!toMany)
        whole = q.arena.add(whole, q.arena.scale(q.arena.dim(dim), stride));
      else if (Expr at = q.arena.floorDiv(whole, stride); k == 0)
        map.results[dim] = at;
      else
        map.results[dim] = q.arena.mod(at, many[dim]);
      stride *= k == 0 ? 1 : many[dim];
    }
    if (!known && toMany)
      for (int64_t dim : group)
        map.results[dim] =
            map.domain.addRange(q.arena, Interval::ofSize(many[dim]));
    else if (!toMany)
      map.results.push_back(
          known ? whole
                : map.domain.addRange(q.arena, Interval::ofSize(q.to()[i])));
  }
  return exact ? MapSet(std::move(map))
               : q.approximate(std::move(map), kDynamicSize);
}

/// Expands or collapses the shape of a tensor.
template <typename Op> MapSet regroupMaps(Op op, const Query &q) {
  if (q.operand > 0)
    return q.nothing(); // the sizes are not read
  bool resultHasMany = std::is_same_v<Op, tensor::ExpandShapeOp>;
  bool toMany = resultHasMany == (q.direction == Direction::InToOut);
  if (q.isStatic)
    return productFits(q.in) ? MapSet(reshape(q.arena, q.from(), q.to()))
                             : q.tooLarge();
  return groupsMaps(q, op.getReassociationIndices(), toMany);
}

//===--- Slices -----------------------------------------------------------===//

/// A strided box in a large tensor, and the small tensor with its elements. The
/// small tensor may omit dimensions of size 1.
struct Box {
  SmallVector<int64_t> large, small;
  SmallVector<OpFoldResult> offsets, strides;
  SmallVector<int64_t> smallDim; ///< large dim -> small dim, or -1

  Box(mlir::OffsetSizeAndStrideOpInterface op, mlir::Type largeType,
      mlir::Type smallType, const SmallBitVector &dropped)
      : large(sizesOf(largeType)), small(sizesOf(smallType)),
        offsets(op.getMixedOffsets()), strides(op.getMixedStrides()) {
    for (size_t i = 0, next = 0; i < large.size(); ++i)
      smallDim.push_back(dropped.test(i) ? -1 : (int64_t)next++);
  }
  /// The size of the box along a dimension of the large tensor; kUnknownSize if
  /// it is dynamic.
  [[nodiscard]] int64_t size(size_t i) const {
    return smallDim[i] < 0 ? 1 : small[smallDim[i]];
  }
  [[nodiscard]] std::optional<int64_t> stride(size_t i) const {
    return mlir::getConstantIntValue(strides[i]);
  }
  /// The interval of the offset such that the box lies inside.
  [[nodiscard]] Interval room(size_t i) const {
    int64_t n = size(i), s = stride(i).value_or(1);
    if (n == kUnknownSize)
      n = 1;
    Interval last = Interval::point(0) + Interval::point(n - 1) * s;
    return {0, large[i] == kUnknownSize
                   ? Interval::kMax
                   : std::max<int64_t>(
                         (Interval::point(large[i] - 1) - last).upper, 0)};
  }
  [[nodiscard]] bool hasUnknownSize() const {
    return llvm::is_contained(small, kUnknownSize);
  }
  /// False if arithmetic on the numbers might overflow.
  [[nodiscard]] bool isComputable() const {
    for (size_t i = 0; i < large.size(); ++i) {
      std::optional<int64_t> s = stride(i);
      if (s && (*s <= 0 || !fits(*s) ||
                (size(i) != kUnknownSize && !productFits({*s, size(i)}))))
        return false;
      std::optional<int64_t> offset = mlir::getConstantIntValue(offsets[i]);
      if (offset && !fits(*offset))
        return false;
    }
    return true;
  }
};

MapSet boxMaps(const Query &q, const Box &box, bool toLarge) {
  if (!box.isComputable())
    return q.tooLarge();
  Map map = onElements(q);
  if (map.isKnownEmpty())
    return q.nothing();
  const char *reason =
      !toLarge && box.hasUnknownSize() ? kDynamicSize : nullptr;
  if (!toLarge)
    map.results.resize(box.small.size());
  for (size_t i = 0; i < box.large.size(); ++i) {
    std::optional<int64_t> stride = box.stride(i);
    int64_t dim = box.smallDim[i];
    if (!stride && box.size(i) != 1) {
      reason = "a stride is known only when the program runs";
      Expr any = map.domain.addRange(
          q.arena, Interval::ofSize(toLarge ? box.large[i] : box.size(i)));
      if (toLarge)
        map.results.push_back(any);
      else
        map.results[dim] = any;
      continue;
    }
    int64_t s = stride.value_or(1);
    Expr offset = indexFrom(map, box.offsets[i], box.room(i));
    if (toLarge) {
      map.results.push_back(
          dim < 0 ? offset
                  : q.arena.add(offset, q.arena.scale(q.arena.dim(dim), s)));
      continue;
    }
    Expr distance = q.arena.sub(q.arena.dim(i), offset);
    if (s > 1)
      map.domain.addConstraint(q.arena.mod(distance, s), Interval::point(0));
    Expr at = q.arena.floorDiv(distance, s);
    map.domain.addConstraint(at, Interval::ofSize(box.size(i)));
    if (dim >= 0)
      map.results[dim] = at;
  }
  return reason ? q.approximate(std::move(map), reason)
                : MapSet(std::move(map));
}

/// The elements outside a box: see dynamicUpdateSliceOperand in TensorMaps.h.
MapSet outsideMaps(const Query &q, const Box &box) {
  Map map = q.identity();
  if (map.isKnownEmpty() || llvm::is_contained(box.small, 0))
    return map;
  if (box.hasUnknownSize() || !box.isComputable())
    return q.approximate(std::move(map), kDynamicSize);
  Expr outside;
  auto alsoOutside = [&](Expr by) {
    outside = outside ? q.arena.max(outside, by) : by;
  };
  for (size_t i = 0; i < box.large.size(); ++i) {
    std::optional<int64_t> stride = box.stride(i);
    if (!stride && box.size(i) != 1)
      return q.approximate(q.identity(),
                           "a stride is known only when the program runs");
    int64_t n = box.size(i), s = stride.value_or(1);
    if (n == box.large[i] && s == 1)
      continue; // every index of this dimension lies inside
    Expr offset = indexFrom(map, box.offsets[i], box.room(i));
    Expr distance = q.arena.sub(q.arena.dim(i), offset);
    alsoOutside(q.arena.add(q.arena.neg(distance), -1));
    alsoOutside(q.arena.add(distance, -((n - 1) * s + 1)));
    if (s > 1)
      alsoOutside(q.arena.add(q.arena.mod(distance, s), -1));
  }
  if (!outside)
    return q.nothing();
  map.domain.addConstraint(outside, {0, Interval::kMax});
  return map;
}

/// True if operand `operand` belongs to a list of dynamic indices that begins
/// at operand `first`.
bool isAmong(unsigned operand, unsigned first, mlir::ValueRange list) {
  return first <= operand && operand < first + list.size();
}

MapSet extractSliceMaps(tensor::ExtractSliceOp op, const Query &q) {
  if (q.operand > 0) {
    unsigned sizes = 1 + op.getOffsets().size();
    return isAmong(q.operand, sizes, op.getSizes()) ? q.nothing()
                                                    : q.everything();
  }
  Box box(op, op.getSource().getType(), op.getType(), op.getDroppedDims());
  return boxMaps(q, box, q.direction == Direction::OutToIn);
}

MapSet insertSliceMaps(tensor::InsertSliceOp op, const Query &q) {
  if (q.operand > 1)
    return q.everything(); // they select the source or the destination
  Box box(op, op.getType(), op.getSource().getType(), op.getDroppedDims());
  return q.operand == 0 ? boxMaps(q, box, q.direction == Direction::InToOut)
                        : outsideMaps(q, box);
}

//===--- Single elements --------------------------------------------------===//

SmallVector<Expr> indicesFrom(Map &map, mlir::ValueRange indices, Sizes sizes) {
  SmallVector<Expr> at;
  for (auto [index, size] : llvm::zip_equal(indices, sizes))
    at.push_back(indexFrom(map, OpFoldResult(index), Interval::ofSize(size)));
  return at;
}

/// Restricts the dimensions of the map to the index `at`.
void onlyAt(Map &map, ArrayRef<Expr> at) {
  for (auto [i, index] : llvm::enumerate(at))
    map.domain.addConstraint(map.arena->sub(map.arena->dim(i), index),
                             Interval::point(0));
}

MapSet extractMaps(tensor::ExtractOp op, const Query &q) {
  if (q.operand > 0)
    return q.everything();
  Map map = onElements(q);
  if (map.isKnownEmpty() || llvm::is_contained(q.in, 0))
    return q.nothing();
  SmallVector<Expr> at = indicesFrom(map, op.getIndices(), q.in);
  if (q.direction == Direction::OutToIn)
    map.results.append(at.begin(), at.end());
  else
    onlyAt(map, at);
  return map;
}

MapSet insertMaps(tensor::InsertOp op, const Query &q) {
  if (q.operand > 1)
    return q.everything();
  Map map = onElements(q);
  if (map.isKnownEmpty() || llvm::is_contained(q.out, 0))
    return q.nothing();
  SmallVector<Expr> at = indicesFrom(map, op.getIndices(), q.out);
  if (q.operand == 0) {
    if (q.direction == Direction::InToOut)
      map.results.append(at.begin(), at.end());
    else
      onlyAt(map, at);
    return map;
  }
  // The map to all other elements: the distance from `at` is not zero.
  Expr away;
  for (uint32_t i = 0; i < at.size(); ++i) {
    Expr d = q.arena.dim(i);
    map.results.push_back(d);
    Expr by = q.arena.max(q.arena.sub(d, at[i]), q.arena.sub(at[i], d));
    away = away ? q.arena.max(away, by) : by;
  }
  if (!away)
    return q.nothing();
  map.domain.addConstraint(away, {1, Interval::kMax});
  return map;
}

//===--- Padding ----------------------------------------------------------===//

MapSet padMaps(tensor::PadOp op, const Query &q) {
  if (q.operand > 0)
    // Every element depends on the low padding. The high padding only
    // determines the size.
    return isAmong(q.operand, 1, op.getLow()) ? q.everything() : q.nothing();
  Map map = onElements(q);
  if (map.isKnownEmpty())
    return q.nothing();
  bool exact = true;
  for (auto [i, low] : llvm::enumerate(op.getMixedLowPad())) {
    std::optional<int64_t> constant = mlir::getConstantIntValue(low);
    if (constant && !fits(*constant))
      return q.tooLarge();
    bool known = q.in[i] != kUnknownSize && q.out[i] != kUnknownSize;
    if (known && q.in[i] > q.out[i])
      return q.everything("pad: it removes elements");
    Expr offset =
        indexFrom(map, low, {0, known ? q.out[i] - q.in[i] : Interval::kMax});
    if (q.direction == Direction::InToOut) {
      map.results.push_back(q.arena.add(q.arena.dim(i), offset));
      continue;
    }
    map.results.push_back(q.arena.sub(q.arena.dim(i), offset));
    map.domain.addConstraint(map.results.back(), Interval::ofSize(q.in[i]));
    exact &= q.in[i] != kUnknownSize ||
             mlir::getConstantIntValue(op.getMixedHighPad()[i]) == 0;
  }
  return exact ? MapSet(std::move(map))
               : q.approximate(std::move(map), kDynamicSize);
}

//===--- Gather and scatter -----------------------------------------------===//

/// The slices of a tensor that coordinates select. The dimensions of `slices`
/// are those of the coordinates except the last, then those of `whole`, where
/// the selected dimensions have size 1 or are omitted.
struct Selection {
  SmallVector<int64_t> whole, slices, coordinates;
  SmallVector<int64_t> sliceDim; ///< whole dim -> slices dim, or -1
  ArrayRef<int64_t> selected;
  mlir::Value source; ///< of the coordinates

  Selection(mlir::Type wholeType, mlir::Type slicesType, mlir::Value indices,
            ArrayRef<int64_t> selected)
      : whole(sizesOf(wholeType)), slices(sizesOf(slicesType)),
        coordinates(sizesOf(indices.getType())), selected(selected),
        source(indices) {
    size_t next = coordinates.size() - 1;
    bool leftOut = slices.size() < next + whole.size();
    for (int64_t dim = 0; dim < (int64_t)whole.size(); ++dim)
      sliceDim.push_back(
          leftOut && llvm::is_contained(selected, dim) ? -1 : (int64_t)next++);
  }
};

/// The map from the elements of the slices to those of the whole, or back.
MapSet selectionMaps(const Query &q, const Selection &s, bool toWhole) {
  Map map = onElements(q);
  if (map.isKnownEmpty() || llvm::is_contained(q.to(), 0))
    return q.nothing();
  SmallVector<Expr> element; // index of the coordinates, without the last
  for (uint32_t i = 0; i + 1 < s.coordinates.size(); ++i)
    element.push_back(
        toWhole
            ? q.arena.dim(i)
            : map.domain.addRange(q.arena, Interval::ofSize(s.coordinates[i])));
  if (!toWhole) {
    map.results.assign(element);
    map.results.resize(s.slices.size(), q.arena.constant(0));
  }
  for (size_t dim = 0; dim < s.whole.size(); ++dim) {
    const int64_t *slot = llvm::find(s.selected, (int64_t)dim);
    if (slot == s.selected.end()) {
      if (toWhole)
        map.results.push_back(q.arena.dim(s.sliceDim[dim]));
      else
        map.results[s.sliceDim[dim]] = q.arena.dim(dim);
      continue;
    }
    SmallVector<Expr> at(element);
    at.push_back(q.arena.constant(slot - s.selected.begin()));
    Expr index = indexFrom(map, OpFoldResult(s.source),
                           Interval::ofSize(s.whole[dim]), at);
    if (toWhole)
      map.results.push_back(index);
    else
      map.domain.addConstraint(q.arena.sub(q.arena.dim(dim), index),
                               Interval::point(0));
  }
  return map;
}

MapSet gatherMaps(tensor::GatherOp op, const Query &q) {
  Selection s(op.getSource().getType(), op.getType(), op.getIndices(),
              op.getGatherDims());
  if (q.operand == 0)
    return selectionMaps(q, s, q.direction == Direction::OutToIn);
  // The coordinates: the index vector of the slice of the element.
  SmallVector<int64_t> source(q.to().size(), -1);
  for (size_t i = 0; i + 1 < s.coordinates.size(); ++i)
    source[i] = i;
  return selectDims(q.arena, q.from(), q.to(), source);
}

MapSet scatterMaps(tensor::ScatterOp op, const Query &q) {
  Selection s(op.getType(), op.getSource().getType(), op.getIndices(),
              op.getScatterDims());
  switch (q.operand) {
  case 0:
    return selectionMaps(q, s, q.direction == Direction::InToOut);
  case 1: {
    // Each element of the source goes to one element of the result.
    std::optional<int64_t> whole = elementCount(s.whole);
    std::optional<int64_t> landing = elementCount(s.slices);
    return MapSet::approximate(
        q.identity(),
        "tensor.scatter: an element that is scattered "
        "to is not read",
        whole && landing ? std::max<int64_t>(*whole - *landing, 0) : 0);
  }
  default:
    return q.everything(); // any of the coordinates may select this element
  }
}

/// One model for all elementwise operations.
struct ElementwiseModel : MapInterface::FallbackModel<ElementwiseModel> {
  MapSet operandMaps(mlir::Operation *op, Arena &arena, unsigned result,
                     unsigned operand) const {
    return elementwiseMaps(
        op, Query(op, arena, Direction::OutToIn, operand, result));
  }
  MapSet resultMaps(mlir::Operation *op, Arena &arena, unsigned operand,
                    unsigned result) const {
    return elementwiseMaps(
        op, Query(op, arena, Direction::InToOut, operand, result));
  }
};

} // namespace

void maps::attachElementwiseTraitMaps(mlir::MLIRContext *context,
                                      llvm::StringRef dialect) {
  forEachOperationOf(context, dialect, [](mlir::RegisteredOperationName name) {
    // complex.create is on numbers only and does not have the trait.
    if (name.hasTrait<mlir::OpTrait::Elementwise>() ||
        name.getStringRef() == "complex.create")
      name.attachInterface<ElementwiseModel>();
  });
}

void maps::attachTensorMaps(mlir::MLIRContext *context) {
  attach<tensor::BitcastOp, castMaps<tensor::BitcastOp>>(context);
  attach<tensor::CastOp, castMaps<tensor::CastOp>>(context);
  attach<tensor::EmptyOp, shapeMaps<tensor::EmptyOp>>(context);
  attach<tensor::GenerateOp, shapeMaps<tensor::GenerateOp>>(context);
  attach<tensor::RankOp, shapeMaps<tensor::RankOp>>(context);
  attach<tensor::DimOp, dimMaps>(context);
  attach<tensor::SplatOp, splatMaps>(context);
  attach<tensor::FromElementsOp, fromElementsMaps>(context);
  attach<tensor::ConcatOp, concatMaps>(context);
  attach<tensor::ReshapeOp, reshapeMaps>(context);
  attach<tensor::ExpandShapeOp, regroupMaps<tensor::ExpandShapeOp>>(context);
  attach<tensor::CollapseShapeOp, regroupMaps<tensor::CollapseShapeOp>>(
      context);
  attach<tensor::ExtractSliceOp, extractSliceMaps>(context);
  attach<tensor::InsertSliceOp, insertSliceMaps>(context);
  attach<tensor::ExtractOp, extractMaps>(context);
  attach<tensor::InsertOp, insertMaps>(context);
  attach<tensor::PadOp, padMaps>(context);
  attach<tensor::GatherOp, gatherMaps>(context);
  attach<tensor::ScatterOp, scatterMaps>(context);
}
