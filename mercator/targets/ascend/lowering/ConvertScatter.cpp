// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Scatters and updates of slices.
//
// The leading dimensions of the operand, up to the last one that the updates do
// not fill, become one dimension. One row-major number indexes it for each row
// of the updates:
//
//   x[4096, 8, 128] with an update of 1x8x128 at (i, 0, 0)
//     -> TensorScatterUpdate of 4096x1024 at [[i]] with 1x1024
//
// StableHLO skips an update outside the operand, and GE defines nothing for it.
// Unless all indices are proved to lie inside, the operand gets a last row that
// takes these updates, and is cut off.

#include "mercator/analysis/values/AscendValues.h"
#include "mercator/targets/ascend/lowering/Convert.h"
#include "mercator/targets/ascend/lowering/Elements.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

namespace sh = mercator::stablehlo;

using Result = FailureOr<Value>;
using Shape = SmallVector<int64_t, 8>;

namespace {
enum class Combination { update, add, greatest, least };

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

/// Starts as an index type, in [least, most].
static Value clamped(ImplicitLocOpBuilder &b, Value start, int64_t least,
                     int64_t most, Type index) {
  Elements e(b);
  std::optional<indexing::Interval> known = knownRange(start);
  if (!rangeOf(elementOf(start))) {
    Value limit = e.integer(start, most);
    start =
        cast(b, e.choose(e.isLess(limit, start), limit, start), b.getI64Type());
  }
  if (known && known->lower >= least && known->upper <= most)
    return cast(b, start, index);
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

static Value create(ImplicitLocOpBuilder &b, Combination by, Value x,
                    Value indices, Value updates) {
  Type type = x.getType();
  switch (by) {
  case Combination::update:
    return TensorScatterUpdateOp::create(b, type, x, indices, updates);
  case Combination::add:
    return TensorScatterAddOp::create(b, type, x, indices, updates);
  case Combination::greatest:
    return TensorScatterMaxOp::create(b, type, x, indices, updates);
  case Combination::least:
    return TensorScatterMinOp::create(b, type, x, indices, updates);
  }
  return nullptr;
}

/// x with a last row of zeros.
static Value withSpareRow(ImplicitLocOpBuilder &b, Value x) {
  Shape row(typeOf(x).getShape());
  row[0] = 1;
  auto type = typeOf(x).clone(row);
  Attribute zero = b.getZeroAttr(elementOf(x));
  return concat(b, {x, splat(b, type, zero)}, 0);
}

static Value scatterRows(Conversion &c, Combination by, const Rows &rows) {
  ImplicitLocOpBuilder &b = c.b;
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
  // GE has no slices of booleans.
  bool throughBytes = isInside && elementOf(x).isInteger(1);
  if (throughBytes) {
    x = cast(b, x, b.getI8Type());
    updates = cast(b, updates, b.getI8Type());
  }
  if (isInside)
    x = withSpareRow(b, x);
  Value result = create(b, by, x, flat, updates);
  if (isInside)
    result = slice(b, result, constantVector(b, {0, 0}), {extent, rest});
  if (throughBytes)
    result = cast(b, result, b.getI1Type());
  return reshape(b, result, shape);
}

//===--- dynamic_update_slice ---------------------------------------------===//

FailureOr<Value> ascend::scatterSlice(Conversion &c) {
  auto op = cast<sh::DynamicUpdateSliceOp>(c.op);
  Rows rows{.x = op.getOperand(), .updates = op.getUpdate()};
  ArrayRef<int64_t> shape = typeOf(rows.x).getShape(),
                    sizes = typeOf(rows.updates).getShape();
  for (auto [d, extent, size] : llvm::enumerate(shape, sizes))
    if (extent != size)
      rows.picked = d + 1;
  rows.axes = rows.picked;
  Type index = indexType(c.b, shape.take_front(rows.picked));
  for (size_t d = 0; d < rows.picked; ++d) {
    Value at;
    if (shape[d] != sizes[d])
      at = reshape(
          c.b,
          clamped(c.b, op.getStartIndices()[d], 0, shape[d] - sizes[d], index),
          Shape(rows.axes, 1));
    if (sizes[d] != 1) {
      Value steps = counted(c.b, sizes[d], d, rows.axes, index);
      at = at ? joined<AddOp>(c.b, at, steps) : steps;
    }
    rows.at.push_back(at);
    rows.isInside.push_back(nullptr);
  }
  return scatterRows(c, Combination::update, rows);
}

bool ascend::isCheaperAsScatter(sh::DynamicUpdateSliceOp op) {
  // A scatter copies the operand, and addresses each row of the update, at the
  // price of two blocks of 32 bytes or more. A choice by a mask reads the
  // operand and the update, both as large as the operand, and writes it.
  ArrayRef<int64_t> shape = typeOf(op.getOperand()).getShape(),
                    sizes = typeOf(op.getUpdate()).getShape();
  int64_t rows = 1, count = 1;
  for (auto [extent, size] : llvm::zip_equal(shape, sizes)) {
    count *= size;
    if (extent != size)
      rows = count;
  }
  Type element = elementOf(op.getOperand());
  unsigned bits = 8;
  if (auto complex = dyn_cast<ComplexType>(element))
    bits = 2 * complex.getElementType().getIntOrFloatBitWidth();
  else if (element.isIntOrFloat())
    bits = element.getIntOrFloatBitWidth();
  double bytes = double(ShapedType::getNumElements(shape)) * ((bits + 7) / 8);
  return 64.0 * double(rows) < 3 * bytes;
}

//===--- scatter ----------------------------------------------------------===//

/// How the body combines an element with an update; nothing if GE has no
/// scatter for it.
static std::optional<Combination> combinationOf(sh::ScatterOp op) {
  Block &body = op.getUpdateComputation().front();
  Value result = body.getTerminator()->getOperand(0), old = body.getArgument(0),
        update = body.getArgument(1);
  if (result == update)
    return Combination::update;
  Operation *root = result.getDefiningOp();
  if (!root || root->getNumOperands() != 2)
    return std::nullopt;
  Value x = root->getOperand(0), y = root->getOperand(1);
  if (!(x == old && y == update) && !(x == update && y == old))
    return std::nullopt;
  if (isa<sh::AddOp>(root))
    return Combination::add;
  if (isa<sh::MaxOp>(root))
    return Combination::greatest;
  if (isa<sh::MinOp>(root))
    return Combination::least;
  return std::nullopt;
}

/// Why the device cannot combine elements of this type; empty if it can.
static std::string whyNot(Combination by, Type element) {
  switch (by) {
  case Combination::update:
    return "";
  case Combination::add:
    if (element.isF16() || element.isF32() || element.isSignlessInteger(32))
      return "";
    return "GE's TensorScatterAdd takes float16, float32 and int32 (and "
           "integers of 8 bits, whose overflow it does not define)";
  case Combination::greatest:
  case Combination::least:
    return takes("TensorScatterMax", element) && !isa<ComplexType>(element)
               ? ""
               : "GE's TensorScatterMax and TensorScatterMin take real numbers only";
  }
  return "";
}

FailureOr<Value> ascend::convertScatter(Conversion &c) {
  auto op = dyn_cast<sh::ScatterOp>(c.op);
  if (!op)
    return failure();
  Rows rows{.x = op.getInputs()[0], .updates = op.getUpdates()[0]};
  Value indices = op.getScatterIndices();
  if (rows.x.getType() != c.type())
    return c.no("its result has another type than its operand");
  if (typeOf(rows.updates).getNumElements() == 0)
    return rows.x;
  std::optional<Combination> by = combinationOf(op);
  if (!by)
    return c.no("GE's scatters replace an element, add to it, or take the "
                "greater or the lesser; this body does something else");
  if (std::string why = whyNot(*by, elementOf(rows.x)); !why.empty())
    return c.no(why);

  sh::ScatterDimensionNumbersAttr dims = op.getScatterDimensionNumbers();
  ArrayRef<int64_t> shape = typeOf(rows.x).getShape(),
                    given = typeOf(rows.updates).getShape();
  int64_t rank = shape.size(), vector = dims.getIndexVectorDim();
  // The dimension of the updates that moves along each of the operand's; -1 for
  // one that does not move.
  Shape windowOf(rank, -1), batchAxes;
  size_t next = 0;
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(dims.getInsertedWindowDims(), d) &&
        !llvm::is_contained(dims.getInputBatchingDims(), d))
      windowOf[d] = dims.getUpdateWindowDims()[next++];
  for (int64_t d = 0, e = given.size(); d < e; ++d)
    if (!llvm::is_contained(dims.getUpdateWindowDims(), d))
      batchAxes.push_back(d);
  auto sizeAlong = [&](int64_t d) {
    return windowOf[d] < 0 ? 1 : given[windowOf[d]];
  };
  for (int64_t d = 0; d < rank; ++d)
    if (llvm::is_contained(dims.getScatterDimsToOperandDims(), d) ||
        sizeAlong(d) != shape[d])
      rows.picked = d + 1;

  // The updates: batch axes, windows of the indexed dimensions, and the rest.
  Shape order(batchAxes);
  rows.axes = batchAxes.size();
  Shape axisOf(rank, -1);
  for (int64_t d = 0; d < rank; ++d) {
    if (windowOf[d] < 0)
      continue;
    if (d < int64_t(rows.picked))
      axisOf[d] = rows.axes++;
    order.push_back(windowOf[d]);
  }
  if (!llvm::is_sorted(order))
    rows.updates = transpose(c.b, rows.updates, order);

  // The index vectors: the batch axes, then the components.
  int64_t indexRank = typeOf(indices).getRank();
  Shape batch, components;
  for (int64_t d : batchAxes)
    batch.push_back(given[d]);
  if (vector < indexRank) {
    for (int64_t d = 0; d < indexRank; ++d)
      if (d != vector)
        components.push_back(d);
    components.push_back(vector);
    if (!llvm::is_sorted(components))
      indices = transpose(c.b, indices, components);
  } else {
    Shape column(batch);
    column.push_back(1);
    indices = reshape(c.b, indices, column);
  }

  Type index = indexType(c.b, shape.take_front(rows.picked));
  Elements e(c.b);
  for (int64_t d = 0; d < int64_t(rows.picked); ++d) {
    Value at, inside;
    const auto *column = llvm::find(dims.getScatterDimsToOperandDims(), d);
    const auto *paired = llvm::find(dims.getInputBatchingDims(), d);
    int64_t size = sizeAlong(d);
    bool mayLeave = false;
    if (column != dims.getScatterDimsToOperandDims().end()) {
      Shape offsets(batch.size() + 1, 0), part(batch), spread(batch);
      offsets.back() = column - dims.getScatterDimsToOperandDims().begin();
      part.push_back(1);
      bool isWhole = typeOf(indices).getShape() == ArrayRef<int64_t>(part);
      Value starts =
          isWhole ? indices
                  : slice(c.b, indices, constantVector(c.b, offsets), part);
      std::optional<indexing::Interval> known = knownRange(starts);
      mayLeave = !known || known->lower < 0 || known->upper > shape[d] - size;
      // One outside stays outside.
      starts = clamped(c.b, starts, mayLeave ? -size : 0, shape[d], index);
      spread.append(rows.axes - batch.size(), 1);
      at = reshape(c.b, starts, spread);
    } else if (paired != dims.getInputBatchingDims().end()) {
      int64_t axis = dims.getScatterIndicesBatchingDims()
                         [paired - dims.getInputBatchingDims().begin()];
      axis -= axis > vector;
      at = counted(c.b, batch[axis], axis, rows.axes, index);
    }
    if (axisOf[d] >= 0 && size != 1) {
      Value steps = counted(c.b, size, axisOf[d], rows.axes, index);
      at = at ? joined<AddOp>(c.b, at, steps) : steps;
    }
    if (mayLeave)
      inside =
          e.binary<LogicalAndOp>(e.logicalNot(e.isLess(at, e.integer(at, 0))),
                                 e.isLess(at, e.integer(at, shape[d])));
    rows.at.push_back(at);
    rows.isInside.push_back(inside);
  }
  return scatterRows(c, *by, rows);
}
