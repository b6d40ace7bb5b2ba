// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// scatter-rows: one row-major number indexes each row of the updates.
// scatter-elements: the same number for each element of a row.

#include "mercator/targets/ascend/operators/Elements.h"
#include "mercator/targets/ascend/scatter/Ways.h"

#include "mercator/analysis/values/AscendValues.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;
using namespace mercator::scatter;

namespace sh = mercator::stablehlo;

using Shape = SmallVector<int64_t, 8>;

namespace {
/// Updates of rows of an operand.
struct Rows {
  Value x;
  /// The axes of the updates, then the dimensions of `x` that they fill.
  Value updates;
  size_t axes = 0;
  /// The number of leading dimensions of `x` that are indexed.
  size_t picked = 0;
  /// The index into each of them, with the rank of the axes and extents of 1 or
  /// of the axes; null for index 0.
  SmallVector<Value, 8> at = {};
  /// Whether the indices lie inside, of the same shapes; null where they do.
  SmallVector<Value, 8> isInside = {};
};
} // namespace

/// Whether 16 times the elements of the indexed dimensions fit in an int32:
/// enough for sums of products of indices, some of them outside.
static Type indexType(ImplicitLocOpBuilder &b, ArrayRef<int64_t> picked) {
  bool isShort = llvm::all_of(
      picked, [](int64_t extent) { return extent <= INT32_MAX / 16; });
  return isShort && ShapedType::getNumElements(picked) <= INT32_MAX / 16
             ? b.getI32Type()
             : b.getI64Type();
}

Value scatter::clamped(ImplicitLocOpBuilder &b, Value start,
                       indexing::Interval known, int64_t least, int64_t most,
                       Type index) {
  if (known.lower >= least && known.upper <= most)
    return cast(b, start, index);
  Elements e(b);
  if (!rangeOf(elementOf(start))) {
    Value limit = e.integer(start, most);
    start =
        cast(b, e.choose(e.isLess(limit, start), limit, start), b.getI64Type());
  }
  if (!elementOf(start).isSignlessInteger(32) || most > INT32_MAX)
    start = cast(b, start, b.getI64Type());
  start =
      ClipByValueOp::create(b, start.getType(), start, e.integer(start, least),
                            e.integer(start, most));
  return cast(b, start, index);
}

/// An operator of tensors of the same rank that broadcast, or of a tensor and a
/// scalar.
template <typename Op>
static Value joined(ImplicitLocOpBuilder &b, Value x, Value y) {
  Shape shape(typeOf(x).getShape());
  for (auto [extent, other] : llvm::zip(shape, typeOf(y).getShape()))
    extent = std::max<int64_t>(extent, other);
  return Op::create(b, typeOf(x).clone(shape), x, y);
}

/// 0, 1, .. along an axis of `rank` axes.
static Value counted(ImplicitLocOpBuilder &b, int64_t extent, size_t axis,
                     size_t rank, Type index) {
  Value numbers = RangeOp::create(
      b, RankedTensorType::get({extent}, index), constantScalar(b, index, 0),
      constantScalar(b, index, extent), constantScalar(b, index, 1));
  Shape shape(rank, 1);
  shape[axis] = extent;
  return reshape(b, numbers, shape);
}

/// ScatterNdUpdate and ScatterNdAdd overwrite their operand, so it is copied
/// first, unless it was made for them. GE elides the copy if nothing else reads
/// the operand.
static Value create(ImplicitLocOpBuilder &b, Combination by, Value x,
                    Value indices, Value updates) {
  Type type = x.getType();
  auto own = [&]() -> Value {
    if (x.getDefiningOp<ConcatV2Op>() && x.use_empty())
      return x;
    return TensorMoveOp::create(b, type, x);
  };
  switch (by) {
  case Combination::Update:
    return ScatterNdUpdateOp::create(b, type, own(), indices, updates);
  case Combination::Add:
    return ScatterNdAddOp::create(b, type, own(), indices, updates);
  case Combination::Greatest:
    return TensorScatterMaxOp::create(b, type, x, indices, updates);
  case Combination::Least:
    return TensorScatterMinOp::create(b, type, x, indices, updates);
  case Combination::Multiply:
    break;
  }
  return nullptr;
}

static Value createElements(ImplicitLocOpBuilder &b, Combination by, Value x,
                            Value indices, Value updates) {
  StringRef reduction = by == Combination::Update ? "none"
                        : by == Combination::Add  ? "add"
                                                  : "mul";
  indices = broadcastTo(b, indices, typeOf(updates).getShape());
  return ScatterElementsOp::create(b, x.getType(), x, indices, updates,
                                   /*axis=*/0, reduction);
}

Type scatter::combinedIn(Combination by, Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer || by == Combination::Update)
    return element;
  if (integer.getWidth() == 1)
    return IntegerType::get(element.getContext(), 8);
  // GE does not define the overflow of narrow integers.
  bool isSum = by == Combination::Add || by == Combination::Multiply;
  bool isShort = integer.getWidth() < 32 ||
                 (integer.getWidth() == 32 && integer.isUnsigned());
  return isSum && isShort ? IntegerType::get(element.getContext(), 32)
                          : element;
}

static DenseElementsAttr zerosOf(ImplicitLocOpBuilder &b,
                                 RankedTensorType type) {
  auto complex = dyn_cast<ComplexType>(type.getElementType());
  if (!complex)
    return DenseElementsAttr::get(type, b.getZeroAttr(type.getElementType()));
  auto zero = llvm::APFloat::getZero(
      cast<FloatType>(complex.getElementType()).getFloatSemantics());
  return DenseElementsAttr::get(type, std::complex<llvm::APFloat>(zero, zero));
}

/// x with a last row of zeros.
static Value withSpareRow(ImplicitLocOpBuilder &b, Value x) {
  Shape row(typeOf(x).getShape());
  row[0] = 1;
  auto type = typeOf(x).clone(row);
  return concat(b, {x, splat(b, zerosOf(b, type))}, 0);
}

static Value emit(ImplicitLocOpBuilder &b, Way way, Combination by,
                  const Rows &rows) {
  Elements e(b);
  ArrayRef<int64_t> shape = typeOf(rows.x).getShape(),
                    given = typeOf(rows.updates).getShape();
  ArrayRef<int64_t> picked = shape.take_front(rows.picked),
                    axes = given.take_front(rows.axes);
  int64_t extent = ShapedType::getNumElements(picked),
          rest = ShapedType::getNumElements(shape.drop_front(rows.picked)),
          count = ShapedType::getNumElements(axes);
  Type index = indexType(b, picked);

  Value flat, isInside;
  int64_t stride = 1;
  for (size_t d = rows.picked; d-- > 0; stride *= picked[d]) {
    if (Value at = rows.at[d]) {
      if (stride != 1)
        at = joined<MulOp>(b, at, constantScalar(b, index, stride));
      flat = flat ? joined<AddOp>(b, flat, at) : at;
    }
    if (Value inside = rows.isInside[d])
      isInside = isInside ? joined<LogicalAndOp>(b, isInside, inside) : inside;
  }
  if (!flat)
    flat = reshape(b, constantScalar(b, index, 0), Shape(rows.axes, 1));
  if (isInside)
    flat = e.choose(broadcastTo(b, isInside, axes), broadcastTo(b, flat, axes),
                    constantScalar(b, index, extent));
  flat = reshape(b, broadcastTo(b, flat, axes), {count, 1});

  Value x = reshape(b, rows.x, {extent, rest}),
        updates = reshape(b, rows.updates, {count, rest});
  Type element = elementOf(x), within = combinedIn(by, element);
  // GE has no slices of booleans, and no ScatterElements of them.
  if (element.isInteger(1) && (isInside || way == Way::Elements))
    within = b.getI8Type();
  x = e.convert(x, within);
  updates = e.convert(updates, within);
  if (isInside)
    x = withSpareRow(b, x);
  Value result = way == Way::Elements ? createElements(b, by, x, flat, updates)
                                      : create(b, by, x, flat, updates);
  if (isInside)
    result = slice(b, result, constantVector(b, {0, 0}), {extent, rest});
  result = element.isInteger(1) ? cast(b, result, element)
                                : e.convert(result, element);
  return reshape(b, result, shape);
}

//===--- dynamic_update_slice ---------------------------------------------===//

/// The leading dimensions up to the last one that is indexed.
static size_t pickedOf(ArrayRef<Dimension> dimensions) {
  size_t picked = 0;
  for (auto [d, dimension] : llvm::enumerate(dimensions))
    if (dimension.start || dimension.extent != dimension.updated)
      picked = d + 1;
  return picked;
}

Value scatter::scatterRows(ImplicitLocOpBuilder &b, Way way,
                           sh::DynamicUpdateSliceOp op,
                           ArrayRef<Dimension> dimensions) {
  Rows rows{.x = op.getOperand(), .updates = op.getUpdate()};
  rows.axes = rows.picked = pickedOf(dimensions);
  Type index = indexType(b, typeOf(rows.x).getShape().take_front(rows.picked));
  for (auto [d, dimension] :
       llvm::enumerate(dimensions.take_front(rows.picked))) {
    Value at;
    if (dimension.start)
      at = reshape(b,
                   clamped(b, op.getStartIndices()[d], dimension.known, 0,
                           dimension.lastStart(), index),
                   Shape(rows.axes, 1));
    if (dimension.updated != 1) {
      Value steps = counted(b, dimension.updated, d, rows.axes, index);
      at = at ? joined<AddOp>(b, at, steps) : steps;
    }
    rows.at.push_back(at);
    rows.isInside.push_back(nullptr);
  }
  return emit(b, way, Combination::Update, rows);
}

//===--- scatter ----------------------------------------------------------===//

/// The index vectors with the batch axes first, then the components.
static Value vectorsLast(ImplicitLocOpBuilder &b, Value indices, int64_t vector,
                         ArrayRef<int64_t> batch) {
  int64_t rank = typeOf(indices).getRank();
  if (vector == rank) {
    Shape column(batch);
    column.push_back(1);
    return reshape(b, indices, column);
  }
  Shape order;
  for (int64_t d = 0; d < rank; ++d)
    if (d != vector)
      order.push_back(d);
  order.push_back(vector);
  return llvm::is_sorted(order) ? indices : transpose(b, indices, order);
}

Value scatter::scatterRows(ImplicitLocOpBuilder &b, Way way, sh::ScatterOp op,
                           Combination by, ArrayRef<Dimension> dimensions) {
  Rows rows{.x = op.getInputs()[0], .updates = op.getUpdates()[0]};
  rows.picked = pickedOf(dimensions);
  sh::ScatterDimensionNumbersAttr dims = op.getScatterDimensionNumbers();
  ArrayRef<int64_t> shape = typeOf(rows.x).getShape(),
                    given = typeOf(rows.updates).getShape();
  int64_t rank = shape.size();

  // The updates: batch axes, windows of the indexed dimensions, and the rest.
  Shape order, batch, axisOf(rank, -1);
  for (int64_t d = 0, e = given.size(); d < e; ++d)
    if (!llvm::is_contained(dims.getUpdateWindowDims(), d)) {
      order.push_back(d);
      batch.push_back(given[d]);
    }
  rows.axes = batch.size();
  for (auto [d, dimension] : llvm::enumerate(dimensions)) {
    if (!dimension.updateDim)
      continue;
    if (d < rows.picked)
      axisOf[d] = rows.axes++;
    order.push_back(*dimension.updateDim);
  }
  if (!llvm::is_sorted(order))
    rows.updates = transpose(b, rows.updates, order);

  Value indices =
      vectorsLast(b, op.getScatterIndices(), dims.getIndexVectorDim(), batch);
  Type index = indexType(b, shape.take_front(rows.picked));
  Elements e(b);
  for (auto [d, dimension] :
       llvm::enumerate(dimensions.take_front(rows.picked))) {
    Value at, inside;
    int64_t size = dimension.updated;
    bool mayLeave = dimension.mayBeBelow() || dimension.mayBeAbove();
    if (dimension.start) {
      Shape offsets(batch.size() + 1, 0), part(batch), spread(batch);
      offsets.back() = *dimension.start;
      part.push_back(1);
      bool isWhole = typeOf(indices).getShape() == ArrayRef<int64_t>(part);
      Value starts = isWhole
                         ? indices
                         : slice(b, indices, constantVector(b, offsets), part);
      // An index outside stays outside.
      starts = clamped(b, starts, dimension.known, mayLeave ? -size : 0,
                       dimension.extent, index);
      spread.append(rows.axes - batch.size(), 1);
      at = reshape(b, starts, spread);
    } else if (dimension.batchAxis) {
      int64_t axis = *dimension.batchAxis;
      at = counted(b, batch[axis], axis, rows.axes, index);
    }
    if (axisOf[d] >= 0 && size != 1) {
      Value steps = counted(b, size, axisOf[d], rows.axes, index);
      at = at ? joined<AddOp>(b, at, steps) : steps;
    }
    if (mayLeave)
      inside =
          e.binary<LogicalAndOp>(e.logicalNot(e.isLess(at, e.integer(at, 0))),
                                 e.isLess(at, e.integer(at, dimension.extent)));
    rows.at.push_back(at);
    rows.isInside.push_back(inside);
  }
  return emit(b, way, by, rows);
}
