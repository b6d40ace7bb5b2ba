// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Shapes, slices, paddings, constants.

#include "mercator/analysis/values/AscendValues.h"
#include "mercator/dialects/ascend/Registry.h"
#include "mercator/targets/ascend/lowering/Convert.h"
#include "mercator/targets/ascend/lowering/Elements.h"

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

/// Counts in integers: sums of floats would be rounded at every step.
static Value iota(Conversion &c, int64_t dimension) {
  RankedTensorType type = c.type();
  int64_t extent = type.getDimSize(dimension);
  bool isLong = extent > INT32_MAX || type.getElementType().isInteger(64);
  Type count = isLong ? c.b.getI64Type() : c.b.getI32Type();
  Value numbers = RangeOp::create(c.b, RankedTensorType::get({extent}, count),
                                  constantScalar(c.b, count, 0),
                                  constantScalar(c.b, count, extent),
                                  constantScalar(c.b, count, 1));
  Elements e(c.b);
  numbers = e.convert(numbers, type.getElementType());
  Shape column(type.getRank(), 1);
  column[dimension] = extent;
  return broadcastTo(c.b, reshape(c.b, numbers, column), type.getShape());
}

static Result convertIota(Conversion &c) {
  return iota(c, cast<sh::IotaOp>(c.op).getIotaDimension());
}
static Result convertDynamicIota(Conversion &c) {
  return iota(c, cast<sh::DynamicIotaOp>(c.op).getIotaDimension());
}

static Result convertDimensionSize(Conversion &c) {
  auto op = cast<sh::GetDimensionSizeOp>(c.op);
  int64_t extent = typeOf(op.getOperand()).getDimSize(op.getDimension());
  return constantScalar(c.b, c.type().getElementType(), extent);
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

/// Dimension i of the operand is dimension places[i] of the result.
static Value broadcastInDim(Conversion &c, Value x, ArrayRef<int64_t> places) {
  int64_t rank = c.type().getRank();
  auto order = llvm::to_vector<8>(llvm::seq<int64_t>(0, places.size()));
  llvm::sort(order,
             [&](int64_t i, int64_t j) { return places[i] < places[j]; });
  if (!llvm::is_sorted(order))
    x = transpose(c.b, x, order);
  Shape column(rank, 1);
  for (auto [i, dimension] : llvm::enumerate(order))
    column[places[dimension]] = typeOf(x).getDimSize(i);
  // GE adds new leading dimensions itself.
  if (!places.empty() && places[order[0]] != rank - int64_t(places.size()))
    x = reshape(c.b, x, column);
  return broadcastOnCores(c, x, c.type().getShape());
}

static Result convertBroadcastInDim(Conversion &c) {
  auto op = cast<sh::BroadcastInDimOp>(c.op);
  return broadcastInDim(c, op.getOperand(), op.getBroadcastDimensions());
}
static Result convertDynamicBroadcastInDim(Conversion &c) {
  auto op = cast<sh::DynamicBroadcastInDimOp>(c.op);
  return broadcastInDim(c, op.getOperand(), op.getBroadcastDimensions());
}

static Result convertBroadcast(Conversion &c) {
  Value x = c.op->getOperand(0);
  int64_t rank = c.type().getRank();
  auto places =
      llvm::to_vector<8>(llvm::seq<int64_t>(rank - typeOf(x).getRank(), rank));
  return broadcastInDim(c, x, places);
}

static Result convertReshape(Conversion &c) {
  return reshape(c.b, c.op->getOperand(0), c.type().getShape());
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
    return typeOf(part).getNumElements() != 0;
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

//===--- Paddings ---------------------------------------------------------===//

static Value padded(ImplicitLocOpBuilder &b, Value x, ArrayRef<int64_t> low,
                    ArrayRef<int64_t> high, Value value) {
  Shape shape(typeOf(x).getShape()), pairs;
  for (auto [extent, before, after] : llvm::zip_equal(shape, low, high)) {
    extent += before + after;
    pairs.append({before, after});
  }
  if (typeOf(x).getShape() == ArrayRef<int64_t>(shape))
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
  int64_t elements = typeOf(op.getOperand()).getNumElements();
  for (auto [low, high, between] :
       llvm::zip_equal(op.getEdgePaddingLow(), op.getEdgePaddingHigh(),
                       op.getInteriorPadding())) {
    bool isSmall = -kMost < low && low < kMost && -kMost < high &&
                   high < kMost && between < kMost;
    if (!isSmall || llvm::MulOverflow(elements, between + 1, elements))
      return c.no("its paddings are larger than any tensor");
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
      .Case([](sh::GetDimensionSizeOp) { return convertDimensionSize; })
      .Case([](sh::IotaOp) { return convertIota; })
      .Case([](sh::PadOp) { return convertPad; })
      .Case([](sh::ReverseOp) { return convertReverse; })
      .Case([](sh::SliceOp) { return convertSlice; })
      .Case([](sh::TransposeOp) { return convertTranspose; })
      .Default(nullptr);
}

FailureOr<Value> ascend::convertDataMovement(Conversion &c) {
  Converter convert = converterOf(c.op);
  return convert ? convert(c) : Result(failure());
}
