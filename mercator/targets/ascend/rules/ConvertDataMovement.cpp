// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Shapes, slices, paddings, constants.

#include "mercator/analysis/extents/EqualExtents.h"
#include "mercator/analysis/values/AscendValues.h"
#include "mercator/dialects/ascend/Registry.h"
#include "mercator/targets/ascend/operators/DynamicShape.h"
#include "mercator/targets/ascend/operators/Elements.h"
#include "mercator/targets/ascend/rules/Convert.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

namespace sh = mercator::stablehlo;

using Result = FailureOr<Value>;
using Shape = SmallVector<int64_t, 8>;

/// Slice, StridedSlice and PadV2 do not support booleans, which are cast to
/// bytes.
static Value throughBytes(ImplicitLocOpBuilder &b, Value x,
                          llvm::function_ref<Value(Value)> move) {
  if (!elementOf(x).isInteger(1))
    return move(x);
  return cast(b, move(cast(b, x, b.getI8Type())), b.getI1Type());
}

//===--- Constants --------------------------------------------------------===//

static Result convertConstant(Conversion &c) {
  auto op = cast<sh::ConstantOp>(c.op);
  if (auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
      dense && dense.isSplat())
    return splat(c.b, dense);
  return Value(ConstOp::create(c.b, c.type(), op.getValue()));
}

/// The extent of dimension `dim` of the result. `shape` is the operand that has
/// the extents, null if the type has them all.
static Value extentOfResult(Conversion &c, Value shape, int64_t dim,
                            Type element) {
  if (!c.type().isDynamicDim(dim))
    return constantScalar(c.b, element, c.type().getDimSize(dim));
  Value extent = elementOfVector(c.b, shape, dim);
  return cast(c.b, reshape(c.b, extent, ArrayRef<int64_t>()), element);
}

/// For results whose types have bounds.
static constexpr llvm::StringLiteral kNoExtent =
    "an extent of its result is known only at run time, and no operand has it";

/// A BroadcastTo with the shape of the result.
static Value broadcastToResult(Conversion &c, Value x, Value shape) {
  if (c.type().hasStaticShape())
    return broadcastTo(c.b, x, c.type().getShape());
  return BroadcastToOp::create(c.b, c.type().clone(elementOf(x)), x, shape);
}

/// Counts in integers: sums of floats would be rounded at every step.
static Value iota(Conversion &c, int64_t dimension, Value shape = nullptr) {
  RankedTensorType type = c.type();
  int64_t extent = type.getDimSize(dimension);
  bool isLong =
      extent > INT32_MAX || type.getElementType().isInteger(64) ||
      (type.isDynamicDim(dimension) && elementOf(shape).isInteger(64));
  Type count = isLong ? c.b.getI64Type() : c.b.getI32Type();
  Value numbers = RangeOp::create(c.b, RankedTensorType::get({extent}, count),
                                  constantScalar(c.b, count, 0),
                                  extentOfResult(c, shape, dimension, count),
                                  constantScalar(c.b, count, 1));
  Elements e(c.b);
  numbers = e.convert(numbers, type.getElementType());
  DynamicShape column(type.getRank());
  column[dimension] = extentOf(numbers, 0);
  return broadcastToResult(c, reshape(c.b, numbers, column), shape);
}

static Result convertIota(Conversion &c) {
  return iota(c, cast<sh::IotaOp>(c.op).getIotaDimension());
}
static Result convertDynamicIota(Conversion &c) {
  auto op = cast<sh::DynamicIotaOp>(c.op);
  return iota(c, op.getIotaDimension(), asExtents(c.b, op.getOutputShape()));
}

static Result convertDimensionSize(Conversion &c) {
  auto op = cast<sh::GetDimensionSizeOp>(c.op);
  return extentScalar(c.b, extentOf(op.getOperand(), op.getDimension()),
                      c.type().getElementType());
}

//===--- Shapes -----------------------------------------------------------===//

/// Runs on the cores if they support the type, or a wider type for its
/// elements.
static Value broadcastOnCores(Conversion &c, Value x, ArrayRef<int64_t> shape) {
  Type element = elementOf(x);
  bool isShort = element.isInteger(16);
  if (!isShort || typeOf(x).getShape() == shape ||
      whyNotOnCore(*c.options.plan.device, "BroadcastTo",
                   name(*geType(element)))
          .empty())
    return broadcastTo(c.b, x, shape);
  Value wide = cast(c.b, x, c.b.getI32Type());
  return cast(c.b, broadcastTo(c.b, wide, shape), element);
}

/// Dimension i of the operand is dimension places[i] of the result. `shape` is
/// the operand that has the extents, null if the type has them all.
static Result broadcastInDim(Conversion &c, Value x, ArrayRef<int64_t> places,
                             Value shape = nullptr) {
  int64_t rank = c.type().getRank();
  // Whether a dimension may become longer.
  bool isSpread = false;
  for (int64_t dim = 0; dim < rank; ++dim) {
    const int64_t *place = llvm::find(places, dim);
    isSpread |= place == places.end()
                    ? c.type().getDimSize(dim) != 1
                    : !c.extents->areSame(x, place - places.begin(),
                                          c.op->getResult(0), dim);
  }
  auto order = llvm::to_vector<8>(llvm::seq<int64_t>(0, places.size()));
  llvm::sort(order,
             [&](int64_t i, int64_t j) { return places[i] < places[j]; });
  if (!llvm::is_sorted(order))
    x = transpose(c.b, x, order);
  DynamicShape column(rank);
  for (auto [i, dimension] : llvm::enumerate(order))
    column[places[dimension]] = extentOf(x, i);
  if (!c.type().hasStaticShape() && !isSpread)
    return reshape(c.b, x, column);
  // GE adds new leading dimensions itself.
  if (!places.empty() && places[order[0]] != rank - int64_t(places.size()))
    x = reshape(c.b, x, column);
  if (c.type().hasStaticShape())
    return broadcastOnCores(c, x, c.type().getShape());
  if (!shape)
    return c.no(kNoExtent);
  return broadcastToResult(c, x, shape);
}

static Result convertBroadcastInDim(Conversion &c) {
  auto op = cast<sh::BroadcastInDimOp>(c.op);
  return broadcastInDim(c, op.getOperand(), op.getBroadcastDimensions());
}
static Result convertDynamicBroadcastInDim(Conversion &c) {
  auto op = cast<sh::DynamicBroadcastInDimOp>(c.op);
  return broadcastInDim(c, op.getOperand(), op.getBroadcastDimensions(),
                        asExtents(c.b, op.getOutputDimensions()));
}

static Result convertBroadcast(Conversion &c) {
  Value x = c.op->getOperand(0);
  int64_t rank = c.type().getRank();
  auto places =
      llvm::to_vector<8>(llvm::seq<int64_t>(rank - typeOf(x).getRank(), rank));
  return broadcastInDim(c, x, places);
}

static Result convertReshape(Conversion &c) {
  Value x = c.op->getOperand(0);
  ArrayRef<int64_t> shape = c.type().getShape();
  if (c.type().hasStaticShape())
    return reshape(c.b, x, shape);
  // One unknown extent is the rest. If it is the only one of both shapes, it
  // does not change.
  if (llvm::count(shape, ShapedType::kDynamic) == 1) {
    if (typeOf(x).getShape() == shape)
      return x;
    Shape sizes(shape);
    llvm::replace(sizes, ShapedType::kDynamic, int64_t(-1));
    return Value(
        ReshapeOp::create(c.b, c.type(), x, constantVector(c.b, sizes)));
  }
  auto op = dyn_cast<sh::DynamicReshapeOp>(c.op);
  if (!op)
    return c.no(kNoExtent);
  return Value(
      ReshapeOp::create(c.b, c.type(), x, asExtents(c.b, op.getOutputShape())));
}

static Result convertTranspose(Conversion &c) {
  auto op = cast<sh::TransposeOp>(c.op);
  ArrayRef<int64_t> axes = op.getPermutation();
  if (llvm::is_sorted(axes))
    return op.getOperand();
  return transpose(c.b, op.getOperand(), axes);
}

static Result convertConcatenate(Conversion &c) {
  auto op = cast<sh::ConcatenateOp>(c.op);
  auto parts = llvm::filter_to_vector(op.getInputs(), [](Value part) {
    return !llvm::is_contained(typeOf(part).getShape(), 0);
  });
  if (parts.size() == 1)
    return Value(parts.front());
  return concat(c.b, parts, op.getDimension());
}

/// GE's ReverseV2 supports fewer types than its GatherV2.
static Result convertReverse(Conversion &c) {
  auto op = cast<sh::ReverseOp>(c.op);
  Value x = op.getOperand();
  ArrayRef<int64_t> dimensions = op.getDimensions();
  if (dimensions.empty())
    return x;
  if (takes("ReverseV2", elementOf(x)))
    return Value(
        ReverseV2Op::create(c.b, c.type(), x, constantVector(c.b, dimensions)));
  for (int64_t dimension : dimensions) {
    int64_t extent = typeOf(x).getDimSize(dimension);
    if (ShapedType::isDynamic(extent))
      return c.no("GE's ReverseV2 does not support " +
                  name(*geType(elementOf(x))) + ", and dimension " +
                  Twine(dimension) + " is known only at run time");
    Type i64 = c.b.getI64Type();
    Value backwards = RangeOp::create(c.b, RankedTensorType::get({extent}, i64),
                                      constantScalar(c.b, i64, extent - 1),
                                      constantScalar(c.b, i64, -1),
                                      constantScalar(c.b, i64, -1));
    x = GatherV2Op::create(c.b, x.getType(), x, backwards,
                           constantScalar(c.b, i64, dimension));
  }
  return x;
}

//===--- Parts ------------------------------------------------------------===//

/// x[begin:end:strides]
static Value part(ImplicitLocOpBuilder &b, Value x, ArrayRef<int64_t> begin,
                  ArrayRef<int64_t> end, ArrayRef<int64_t> strides) {
  Shape sizes;
  for (auto [from, to, by] : llvm::zip_equal(begin, end, strides))
    sizes.push_back(to == from ? 0 : (to - from - 1) / by + 1);
  if (typeOf(x).getShape() == ArrayRef<int64_t>(sizes))
    return x;
  bool isDense = llvm::all_of(strides, [](int64_t by) { return by == 1; });
  return throughBytes(b, x, [&](Value x) -> Value {
    if (isDense)
      return slice(b, x, constantVector(b, begin), sizes);
    return StridedSliceOp::create(
        b, typeOf(x).clone(sizes), x, constantVector(b, begin),
        constantVector(b, end), constantVector(b, strides));
  });
}

static Result convertSlice(Conversion &c) {
  auto op = cast<sh::SliceOp>(c.op);
  return part(c.b, op.getOperand(), op.getStartIndices(), op.getLimitIndices(),
              op.getStrides());
}

/// x[begin:end:strides] with ends that are known only at run time. The program
/// keeps them within x.
static Result convertRealDynamicSlice(Conversion &c) {
  auto op = cast<sh::RealDynamicSliceOp>(c.op);
  return throughBytes(c.b, op.getOperand(), [&](Value x) -> Value {
    return StridedSliceOp::create(c.b, c.type().clone(elementOf(x)), x,
                                  asExtents(c.b, op.getStartIndices()),
                                  asExtents(c.b, op.getLimitIndices()),
                                  asExtents(c.b, op.getStrides()));
  });
}

/// A start as an i32 or an i64 in [0, most].
static Value clampedStart(ImplicitLocOpBuilder &b, Value start, int64_t most) {
  Elements e(b);
  Type i64 = b.getI64Type();
  if (!rangeOf(elementOf(start))) {
    Value limit = e.integer(start, most);
    start = cast(b, e.choose(e.isLess(limit, start), limit, start), i64);
  }
  if (!elementOf(start).isSignlessInteger(32))
    start = cast(b, start, i64); // which has room for all other types
  return ClipByValueOp::create(b, start.getType(), start, e.integer(start, 0),
                               e.integer(start, most));
}

/// With unknown extents: result[i] = update[i - start] if that is in range, else
/// operand[i]. The update is expanded by a gather along each dimension that it
/// does not fill. scatter/Planner.h has the static ones.
static Result convertDynamicUpdateSlice(Conversion &c) {
  auto op = cast<sh::DynamicUpdateSliceOp>(c.op);
  Value x = op.getOperand(), update = op.getUpdate(), isInside;
  if (llvm::is_contained(typeOf(update).getShape(), 0))
    return x;
  Elements e(c.b);
  for (int64_t d = 0; d < typeOf(x).getRank(); ++d) {
    int64_t extent = typeOf(x).getDimSize(d),
            size = typeOf(update).getDimSize(d);
    if (extent == size && !ShapedType::isDynamic(extent))
      continue;
    if (ShapedType::isDynamic(extent) || ShapedType::isDynamic(size)) {
      if (c.extents->areSame(x, d, update, d))
        continue;
      return c.no("dimension " + Twine(d) +
                  " is known only at run time, and the update may be shorter "
                  "there");
    }
    if (extent > INT32_MAX)
      return c.no("dimension " + Twine(d) + " has more elements than an int32");
    Value start = clampedStart(c.b, op.getStartIndices()[d], extent - size);
    Value places = RangeOp::create(
        c.b, RankedTensorType::get({extent}, elementOf(start)),
        e.integer(start, 0), e.integer(start, extent), e.integer(start, 1));
    places = e.binary<SubOp>(places, start);
    Value from =
        ClipByValueOp::create(c.b, places.getType(), places,
                              e.integer(start, 0), e.integer(start, size - 1));
    Shape shape(typeOf(update).getShape());
    shape[d] = extent;
    update = GatherV2Op::create(c.b, typeOf(update).clone(shape), update, from,
                                constantScalar(c.b, c.b.getI64Type(), d));
    Shape column(shape.size(), 1);
    column[d] = extent;
    Value here = reshape(c.b, e.isEqual(places, from), column);
    if (!isInside) {
      isInside = here;
      continue;
    }
    Shape both;
    for (auto [i, j] : llvm::zip_equal(typeOf(isInside).getShape(), column))
      both.push_back(std::max<int64_t>(i, j));
    isInside =
        LogicalAndOp::create(c.b, typeOf(here).clone(both), isInside, here);
  }
  if (!isInside)
    return update;
  isInside = broadcastTo(c.b, isInside, dynamicShapeOf(x));
  return e.choose(isInside, update, x);
}

//===--- Paddings ---------------------------------------------------------===//

static Value padded(ImplicitLocOpBuilder &b, Value x, ArrayRef<int64_t> low,
                    ArrayRef<int64_t> high, Value value) {
  Shape shape(typeOf(x).getShape()), pairs;
  for (auto [extent, before, after] : llvm::zip_equal(shape, low, high)) {
    if (!ShapedType::isDynamic(extent))
      extent += before + after;
    pairs.append({before, after});
  }
  if (llvm::all_of(pairs, [](int64_t count) { return count == 0; }))
    return x;
  auto type = RankedTensorType::get({(int64_t)low.size(), 2}, b.getI64Type());
  return PadV2Op::create(b, typeOf(x).clone(shape), x,
                         constantInts(b, type, pairs), value);
}

/// Inserts `between` padding values after each element along a dimension other
/// than the last: the elements of the dimension become rows, which are padded.
static Value spread(ImplicitLocOpBuilder &b, Value x, int64_t dimension,
                    int64_t between, Value value) {
  ArrayRef<int64_t> given = typeOf(x).getShape();
  int64_t outer = 1, inner = 1, extent = given[dimension];
  for (auto [i, size] : llvm::enumerate(given))
    (int64_t(i) < dimension ? outer : inner) *=
        int64_t(i) == dimension ? 1 : size;
  Shape result(given);
  result[dimension] = extent + (extent - 1) * between;
  Value rows = reshape(b, x, {outer, extent, 1, inner});
  rows = padded(b, rows, {0, 0, 0, 0}, {0, 0, between, 0}, value);
  rows = reshape(b, rows, {outer, extent * (between + 1), inner});
  rows = slice(b, rows, constantVector(b, {0, 0, 0}),
               {outer, result[dimension], inner});
  return reshape(b, rows, result);
}

/// Interior padding first, then the edges; negative padding is cut off.
static Value padNumbers(Conversion &c, sh::PadOp op, Value x, Value value) {
  if (!typeOf(x).hasStaticShape()) // only paddings of the edges
    return padded(c.b, x, op.getEdgePaddingLow(), op.getEdgePaddingHigh(),
                  value);
  if (typeOf(x).getNumElements() == 0)
    return broadcastTo(c.b, value, c.type().getShape());
  for (auto [d, between] : llvm::enumerate(op.getInteriorPadding()))
    if (between > 0 && typeOf(x).getDimSize(d) > 1)
      x = spread(c.b, x, d, between, value);
  Shape begin, end, low, high;
  for (auto [extent, before, after] :
       llvm::zip_equal(typeOf(x).getShape(), op.getEdgePaddingLow(),
                       op.getEdgePaddingHigh())) {
    begin.push_back(std::max<int64_t>(0, -before));
    end.push_back(std::min(extent, extent + after));
    low.push_back(std::max<int64_t>(0, before));
    high.push_back(std::max<int64_t>(0, after));
    if (begin.back() >= end.back()) // nothing of the operand remains
      return broadcastTo(c.b, value, c.type().getShape());
  }
  x = part(c.b, x, begin, end, Shape(begin.size(), 1));
  return padded(c.b, x, low, high, value);
}

static Result convertPad(Conversion &c) {
  auto op = cast<sh::PadOp>(c.op);
  Value value = op.getPaddingValue();
  // Intermediate tensors are larger than the result, but not by much.
  constexpr int64_t kMost = int64_t(1) << 48;
  bool isStatic = typeOf(op.getOperand()).hasStaticShape();
  int64_t elements =
      isStatic ? typeOf(op.getOperand()).getNumElements() : kMost >> 16;
  for (auto [low, high, between] :
       llvm::zip_equal(op.getEdgePaddingLow(), op.getEdgePaddingHigh(),
                       op.getInteriorPadding())) {
    bool isSmall = -kMost < low && low < kMost && -kMost < high &&
                   high < kMost && between < kMost;
    if (!isSmall || llvm::MulOverflow(elements, between + 1, elements))
      return c.no("its paddings are larger than any tensor");
    if (!isStatic && (low < 0 || high < 0 || between > 0))
      return c.no("a dimension is known only at run time, and a padding is "
                  "negative or between elements");
  }
  return throughBytes(c.b, op.getOperand(), [&](Value x) {
    return padNumbers(c, op, x, cast(c.b, value, elementOf(x)));
  });
}

//===--- The table --------------------------------------------------------===//

static Converter converterOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Converter>(op)
      .Case([](sh::BroadcastInDimOp) { return convertBroadcastInDim; })
      .Case([](sh::BroadcastOp) { return convertBroadcast; })
      .Case([](sh::ConcatenateOp) { return convertConcatenate; })
      .Case([](sh::ConstantOp) { return convertConstant; })
      .Case([](sh::DynamicBroadcastInDimOp) {
        return convertDynamicBroadcastInDim;
      })
      .Case([](sh::DynamicIotaOp) { return convertDynamicIota; })
      .Case<sh::ReshapeOp, sh::DynamicReshapeOp>(
          [](auto) { return convertReshape; })
      .Case([](sh::DynamicUpdateSliceOp) { return convertDynamicUpdateSlice; })
      .Case([](sh::GetDimensionSizeOp) { return convertDimensionSize; })
      .Case([](sh::IotaOp) { return convertIota; })
      .Case([](sh::PadOp) { return convertPad; })
      .Case([](sh::RealDynamicSliceOp) { return convertRealDynamicSlice; })
      .Case([](sh::ReverseOp) { return convertReverse; })
      .Case([](sh::SliceOp) { return convertSlice; })
      .Case([](sh::TransposeOp) { return convertTranspose; })
      .Default(nullptr);
}

FailureOr<Value> ascend::convertDataMovement(Conversion &c) {
  Converter convert = converterOf(c.op);
  return convert ? convert(c) : Result(failure());
}
