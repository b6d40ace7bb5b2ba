// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/chlo/Rewrites.h"
#include "mercator/transforms/chlo/Num.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::chlo;

static RankedTensorType tensorOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===--- Broadcasting -----------------------------------------------------===//

/// The extents of a result with dynamic shape: for each dimension, the extent
/// of an operand that is not 1.
static Value broadcastShape(ImplicitLocOpBuilder &b, ValueRange operands,
                            ArrayRef<SmallVector<int64_t>> dims, int64_t rank) {
  auto one = RankedTensorType::get({1}, b.getI32Type());
  Value ones =
      stablehlo::ConstantOp::create(b, DenseElementsAttr::get(one, int32_t(1)));
  Values extents(rank, ones);
  for (auto [operand, map] : llvm::zip(operands, dims)) {
    for (auto [i, dim] : llvm::enumerate(map)) {
      Value size = stablehlo::GetDimensionSizeOp::create(
          b, RankedTensorType::get({}, b.getI32Type()), operand, i);
      size = stablehlo::ReshapeOp::create(b, one, size);
      Emitter e(b, size);
      extents[dim] =
          select(e.num(extents[dim]) == 1.0, e.num(size), e.num(extents[dim]))
              .value;
    }
  }
  return stablehlo::ConcatenateOp::create(
      b, RankedTensorType::get({rank}, b.getI32Type()), extents, 0);
}

Values chlo::broadcastOperands(ImplicitLocOpBuilder &b, ValueRange operands,
                               std::optional<ArrayRef<int64_t>> given,
                               RankedTensorType result) {
  int64_t rank = result.getRank();
  SmallVector<SmallVector<int64_t>> dims;
  for (Value operand : operands)
    dims.push_back(broadcastDims(tensorOf(operand).getRank(), rank, given));
  bool isStatic =
      result.hasStaticShape() && llvm::all_of(operands, [](Value operand) {
        return tensorOf(operand).hasStaticShape();
      });
  Value shape;
  Values wide;
  for (auto [operand, map] : llvm::zip(operands, dims)) {
    auto type = RankedTensorType::get(result.getShape(),
                                      tensorOf(operand).getElementType(),
                                      result.getEncoding());
    if (isStatic && tensorOf(operand).getShape() == result.getShape()) {
      wide.push_back(operand);
    } else if (isStatic) {
      wide.push_back(
          stablehlo::BroadcastInDimOp::create(b, type, operand, map));
    } else {
      if (!shape)
        shape = broadcastShape(b, operands, dims, rank);
      wide.push_back(stablehlo::DynamicBroadcastInDimOp::create(
          b, type, operand, shape, map, {}, {}));
    }
  }
  return wide;
}

//===--- mulhi ------------------------------------------------------------===//

FailureOr<Values> chlo::mulhi(ImplicitLocOpBuilder &b, MulhiOp op) {
  Emitter e(b, op.getLhs());
  Num x = e.num(op.getLhs()), y = e.num(op.getRhs());
  auto type = cast<IntegerType>(x.element());
  unsigned width = type.getWidth();
  bool isUnsigned = type.isUnsigned();
  auto shifted = [&](Num value, unsigned by) {
    Num amount = e.constant(value.element(), double(by));
    return isUnsigned
               ? binary<stablehlo::ShiftRightLogicalOp>(value, amount)
               : binary<stablehlo::ShiftRightArithmeticOp>(value, amount);
  };
  if (width < 64) {
    Type wide = IntegerType::get(b.getContext(), width < 8 ? 8 : 2 * width,
                                 type.getSignedness());
    Num product = convert(x, wide) * convert(y, wide);
    return Values{convert(shifted(product, width), type).value};
  }
  // Splits in halves: x = xh 2^32 + xl, with xl >= 0; no sum below overflows.
  Num mask = e.constant(type, APInt(64, 0xffffffff));
  Num xl = x & mask, xh = shifted(x, 32), yl = y & mask, yh = shifted(y, 32);
  // The product of the low halves takes 64 bits, so its upper half is read as
  // unsigned.
  Num low =
      binary<stablehlo::ShiftRightLogicalOp>(xl * yl, e.constant(type, 32.0));
  Num middle = xh * yl + low;
  Num other = xl * yh + (middle & mask);
  return Values{(xh * yh + shifted(middle, 32) + shifted(other, 32)).value};
}

//===--- top_k ------------------------------------------------------------===//

Values chlo::sortDescending(ImplicitLocOpBuilder &b, Value operand) {
  RankedTensorType type = tensorOf(operand);
  int64_t last = type.getRank() - 1;
  auto positions = type.clone(b.getI32Type());
  Value iota;
  if (type.hasStaticShape())
    iota = stablehlo::IotaOp::create(b, positions, last);
  else
    iota = stablehlo::DynamicIotaOp::create(b, positions, shapeOf(b, operand),
                                            last);
  auto sort = stablehlo::SortOp::create(
      b, TypeRange{type, positions}, ValueRange{operand, iota},
      b.getI64IntegerAttr(last), b.getBoolAttr(true));
  OpBuilder::InsertionGuard guard(b);
  auto value = RankedTensorType::get({}, type.getElementType());
  auto index = RankedTensorType::get({}, b.getI32Type());
  Location loc = b.getLoc();
  Block *block =
      b.createBlock(&sort.getComparator(), {}, {value, value, index, index},
                    {loc, loc, loc, loc});
  stablehlo::ComparisonTypeAttr order;
  // A total order sorts NaN too: before all other numbers.
  if (isa<FloatType>(type.getElementType()))
    order = stablehlo::ComparisonTypeAttr::get(
        b.getContext(), stablehlo::ComparisonType::TOTALORDER);
  Value before = stablehlo::CompareOp::create(
      b, RankedTensorType::get({}, b.getI1Type()), block->getArgument(0),
      block->getArgument(1), stablehlo::ComparisonDirection::GT, order);
  stablehlo::ReturnOp::create(b, before);
  return Values(sort.getResults());
}

Value chlo::firstOf(ImplicitLocOpBuilder &b, Value tensor, int64_t dim,
                    Value count, RankedTensorType type) {
  int64_t rank = type.getRank();
  auto one = RankedTensorType::get({1}, b.getI32Type());
  auto list = RankedTensorType::get({rank}, b.getI32Type());
  Values limits;
  for (int64_t i = 0; i < rank; ++i) {
    auto scalar = RankedTensorType::get({}, b.getI32Type());
    Value extent =
        i == dim ? Value(stablehlo::ConvertOp::create(b, scalar, count))
                 : Value(stablehlo::GetDimensionSizeOp::create(b, scalar,
                                                               tensor, i));
    limits.push_back(stablehlo::ReshapeOp::create(b, one, extent));
  }
  auto constant = [&](int32_t number) -> Value {
    return stablehlo::ConstantOp::create(b,
                                         DenseElementsAttr::get(list, number));
  };
  Value limit = stablehlo::ConcatenateOp::create(b, list, limits, 0);
  return stablehlo::RealDynamicSliceOp::create(b, type, tensor, constant(0),
                                               limit, constant(1));
}

// A descending sort along the last dimension, then the first k elements.
FailureOr<Values> chlo::topK(ImplicitLocOpBuilder &b, TopKOp op) {
  RankedTensorType type = tensorOf(op.getOperand());
  int64_t last = type.getRank() - 1;
  Values both = sortDescending(b, op.getOperand());
  Values results;
  for (auto [sorted, wanted] : llvm::zip(both, op.getResults())) {
    SmallVector<int64_t> begin(last + 1, 0), end(type.getShape()),
        stride(last + 1, 1);
    end.back() = op.getK();
    if (llvm::none_of(end, ShapedType::isDynamic)) {
      results.push_back(stablehlo::SliceOp::create(b, wanted.getType(), sorted,
                                                   begin, end, stride));
      continue;
    }
    auto list = RankedTensorType::get({last + 1}, b.getI32Type());
    auto constant = [&](int32_t number) -> Value {
      return stablehlo::ConstantOp::create(
          b, DenseElementsAttr::get(list, number));
    };
    // The extents of the operand, with k as the last.
    SmallVector<int32_t> most(last + 1, INT32_MAX);
    most.back() = op.getK();
    Value limit = stablehlo::MinOp::create(
        b, list, shapeOf(b, sorted),
        stablehlo::ConstantOp::create(
            b, DenseElementsAttr::get(list, ArrayRef<int32_t>(most))));
    results.push_back(stablehlo::RealDynamicSliceOp::create(
        b, wanted.getType(), sorted, constant(0), limit, constant(1)));
  }
  return results;
}

//===--- ragged_dot -------------------------------------------------------===//

/// Broadcasts `value`: its dimension i becomes dimension dims[i] of `type`.
static Value spread(ImplicitLocOpBuilder &b, Value value, RankedTensorType type,
                    ArrayRef<int64_t> dims) {
  return stablehlo::BroadcastInDimOp::create(
      b, type.clone(tensorOf(value).getElementType()), value, dims);
}

/// Sizes whose sums, and the indices beside them, have room in their type.
static Value countable(ImplicitLocOpBuilder &b, Value sizes) {
  RankedTensorType type = tensorOf(sizes);
  return type.getElementTypeBitWidth() >= 32
             ? sizes
             : stablehlo::ConvertOp::create(b, type.clone(b.getI32Type()),
                                            sizes);
}

/// The prefix sums along the last dimension.
static Value runningSums(ImplicitLocOpBuilder &b, Value value) {
  RankedTensorType type = tensorOf(value);
  int64_t rank = type.getRank(), last = rank - 1;
  auto scalar = RankedTensorType::get({}, type.getElementType());
  Value zero = stablehlo::ConstantOp::create(
      b, DenseElementsAttr::get(
             scalar, Attribute(b.getIntegerAttr(type.getElementType(), 0))));
  SmallVector<int64_t> window(rank, 1), padding(2 * rank, 0);
  window.back() = std::max<int64_t>(type.getDimSize(last), 1);
  padding[2 * last] = window.back() - 1;
  auto sums = stablehlo::ReduceWindowOp::create(
      b, TypeRange{type}, value, zero, window, {}, {}, {},
      DenseIntElementsAttr::get(
          RankedTensorType::get({rank, 2}, b.getI64Type()), padding));
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&sums.getBody(), {}, {scalar, scalar},
                               {b.getLoc(), b.getLoc()});
  Value sum = stablehlo::AddOp::create(b, scalar, block->getArgument(0),
                                       block->getArgument(1));
  stablehlo::ReturnOp::create(b, sum);
  return sums.getResult(0);
}

static ArrayAttr precisionOf(RaggedDotOp op) {
  std::optional<ArrayAttr> given = op.getPrecisionConfig();
  if (!given)
    return {};
  SmallVector<Attribute> precision;
  for (auto each : given->getAsRange<PrecisionAttr>())
    precision.push_back(stablehlo::PrecisionAttr::get(
        op.getContext(), stablehlo::Precision(each.getValue())));
  return ArrayAttr::get(op.getContext(), precision);
}

/// `tensor` where its index in dimension `ragged` belongs to the group that the
/// index in the group dimension names, and zeros elsewhere. Dimension i of
/// `sizes`, and of their running sums `ends`, is dimension places[i] of the
/// tensor; the last one is the group.
static Value ofGroup(ImplicitLocOpBuilder &b, Value tensor, Value sizes,
                     Value ends, ArrayRef<int64_t> places, int64_t ragged) {
  Emitter e(b, tensor);
  RankedTensorType type = tensorOf(tensor);
  Num end = e.num(spread(b, ends, type, places)),
      size = e.num(spread(b, sizes, type, places)),
      index = e.num(stablehlo::IotaOp::create(
          b, type.clone(tensorOf(sizes).getElementType()), ragged));
  Num all = e.num(tensor);
  auto parts = dyn_cast<ComplexType>(all.element());
  Num none = e.constant(parts ? parts.getElementType() : all.element(), 0.0);
  Num zero = parts ? complexOf(none, none) : none;
  return select((index >= end - size) & (index < end), all, zero).value;
}

/// `tensor` for each group, in a new dimension 0.
static Value forEachGroup(ImplicitLocOpBuilder &b, Value tensor,
                          int64_t groups) {
  RankedTensorType type = tensorOf(tensor);
  SmallVector<int64_t> shape{groups};
  llvm::append_range(shape, type.getShape());
  return spread(b, tensor, RankedTensorType::get(shape, type.getElementType()),
                llvm::to_vector(llvm::seq<int64_t>(1, type.getRank() + 1)));
}

/// The sums along one dimension.
static Value sumsAlong(ImplicitLocOpBuilder &b, Value value, int64_t dim,
                       RankedTensorType type) {
  auto scalar = RankedTensorType::get({}, type.getElementType());
  Value zero = stablehlo::ConstantOp::create(
      b, cast<ElementsAttr>(DenseElementsAttr::get(
             scalar, Attribute(b.getZeroAttr(type.getElementType())))));
  auto sums = stablehlo::ReduceOp::create(b, TypeRange{type}, value, zero, dim);
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&sums.getBody(), {}, {scalar, scalar},
                               {b.getLoc(), b.getLoc()});
  Value sum = stablehlo::AddOp::create(b, scalar, block->getArgument(0),
                                       block->getArgument(1));
  stablehlo::ReturnOp::create(b, sum);
  return sums.getResult(0);
}

static SmallVector<int64_t> shifted(ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(dims, [](int64_t dim) { return dim + 1; });
}

// If the index is contracted, both operands get a group dimension, which is a
// batch dimension, and zeros outside of the group. Zeros in one of them would
// not do: zero times an infinity is NaN. If the index is a row, the products
// with the right operands of all groups are computed, and each row keeps that
// of its group.
FailureOr<Values> chlo::raggedDot(ImplicitLocOpBuilder &b, RaggedDotOp op) {
  using Mode = RaggedDotShapes::Mode;
  RaggedDotShapes shapes = raggedDotShapes(op);
  RaggedDotDimensionNumbersAttr dims = op.getRaggedDotDimensionNumbers();
  RankedTensorType lhs = tensorOf(op.getLhs());
  auto result = cast<RankedTensorType>(op.getResult().getType());
  ArrayAttr precision = precisionOf(op);
  if (shapes.mode == Mode::Batch) {
    auto numbers = stablehlo::DotDimensionNumbersAttr::get(
        op.getContext(), dims.getLhsBatchingDimensions(),
        dims.getRhsBatchingDimensions(), dims.getLhsContractingDimensions(),
        dims.getRhsContractingDimensions());
    return Values{stablehlo::DotGeneralOp::create(
        b, result, op.getLhs(), op.getRhs(), numbers, precision, {})};
  }
  if (!lhs.hasStaticShape() || !tensorOf(op.getRhs()).hasStaticShape() ||
      !tensorOf(op.getGroupSizes()).hasStaticShape())
    return op.emitOpError()
           << "expected static shapes, got " << lhs << ", "
           << op.getRhs().getType() << " and " << op.getGroupSizes().getType();

  ArrayRef<int64_t> lhsBatch = dims.getLhsBatchingDimensions(),
                    rhsBatch = dims.getRhsBatchingDimensions(),
                    lhsSummed = dims.getLhsContractingDimensions(),
                    rhsSummed = dims.getRhsContractingDimensions();
  Value sizes = countable(b, op.getGroupSizes()), ends = runningSums(b, sizes);
  // The dimensions of the left operand that index the sizes of a group.
  SmallVector<int64_t> prefix;
  if (tensorOf(sizes).getRank() > 1)
    prefix = shapes.prefix;
  int64_t ragged = dims.getLhsRaggedDimensions().front();

  if (shapes.mode == Mode::Contracting) {
    auto masked = [&](Value operand, auto dimOf) {
      SmallVector<int64_t> places;
      for (int64_t dim : prefix)
        places.push_back(dimOf(dim) + 1);
      places.push_back(0);
      return ofGroup(b, forEachGroup(b, operand, shapes.groups), sizes, ends,
                     places, dimOf(ragged) + 1);
    };
    auto inRight = [&](int64_t dim) { // the sizes index no free dimension
      const auto *batch = llvm::find(lhsBatch, dim);
      return batch != lhsBatch.end()
                 ? rhsBatch[batch - lhsBatch.begin()]
                 : rhsSummed[llvm::find(lhsSummed, dim) - lhsSummed.begin()];
    };
    auto withGroup = [](ArrayRef<int64_t> batch) {
      SmallVector<int64_t> all{0};
      llvm::append_range(all, shifted(batch));
      return all;
    };
    auto numbers = stablehlo::DotDimensionNumbersAttr::get(
        op.getContext(), withGroup(lhsBatch), withGroup(rhsBatch),
        shifted(lhsSummed), shifted(rhsSummed));
    return Values{stablehlo::DotGeneralOp::create(
        b, result, masked(op.getLhs(), [](int64_t dim) { return dim; }),
        masked(op.getRhs(), inRight), numbers, precision, {})};
  }

  // The result, with a group dimension where the right operand has it.
  int64_t group = dims.getRhsGroupDimensions().front();
  SmallVector<int64_t> kept(shapes.rhsFree);
  auto *place = llvm::lower_bound(kept, group);
  int64_t groupPlace =
      int64_t(lhsBatch.size() + shapes.lhsFree.size()) + (place - kept.begin());
  SmallVector<int64_t> shape(result.getShape());
  shape.insert(shape.begin() + groupPlace, shapes.groups);
  auto numbers = stablehlo::DotDimensionNumbersAttr::get(
      op.getContext(), lhsBatch, rhsBatch, lhsSummed, rhsSummed);
  Value products = stablehlo::DotGeneralOp::create(
      b, RankedTensorType::get(shape, result.getElementType()), op.getLhs(),
      op.getRhs(), numbers, precision, {});
  auto inResult = [&](int64_t dim) {
    const auto *batch = llvm::find(lhsBatch, dim);
    return batch != lhsBatch.end()
               ? batch - lhsBatch.begin()
               : int64_t(lhsBatch.size()) +
                     (llvm::find(shapes.lhsFree, dim) - shapes.lhsFree.begin());
  };
  SmallVector<int64_t> places = llvm::map_to_vector(prefix, inResult);
  places.push_back(groupPlace);
  return Values{
      sumsAlong(b, ofGroup(b, products, sizes, ends, places, inResult(ragged)),
                groupPlace, result)};
}

//===--- scan -------------------------------------------------------------===//

// A loop that carries the step, the inputs, the partial outputs and the
// carries.
FailureOr<Values> chlo::scan(ImplicitLocOpBuilder &b, ScanOp op) {
  int64_t steps = op.getStepCount(), dimension = op.getDimension();
  if (ShapedType::isDynamic(steps))
    return op.emitOpError() << "expected a known number of steps";
  for (Value output : op.getOutputs())
    if (!tensorOf(output).hasStaticShape())
      return op.emitOpError()
             << "expected outputs of static shape, got " << output.getType();
  auto scalar = RankedTensorType::get({}, b.getI64Type());
  auto constant = [&](int64_t number) -> Value {
    return stablehlo::ConstantOp::create(
        b, DenseElementsAttr::get(scalar, number));
  };

  Values carried{constant(0)};
  llvm::append_range(carried, op.getInputs());
  for (Value output : op.getOutputs()) {
    Type element = tensorOf(output).getElementType();
    TypedAttr zero = b.getZeroAttr(element);
    Value init;
    if (zero)
      init = stablehlo::ConstantOp::create(
          b, DenseElementsAttr::get(RankedTensorType::get({}, element),
                                    Attribute(zero)));
    else
      return op.emitOpError() << "expected outputs of integers or floats, got "
                              << output.getType();
    carried.push_back(stablehlo::BroadcastInDimOp::create(
        b, output.getType(), init, ArrayRef<int64_t>()));
  }
  llvm::append_range(carried, op.getInits());
  if (steps == 0) // no slice of one step fits, even in a loop that never runs
    return Values(
        ArrayRef<Value>(carried).drop_front(1 + op.getInputs().size()));

  auto loop = stablehlo::WhileOp::create(b, ValueRange(carried).getTypes(),
                                         ValueRange(carried));
  SmallVector<Location> locs(carried.size(), b.getLoc());
  OpBuilder::InsertionGuard guard(b);
  Block *cond = b.createBlock(&loop.getCond(), {}, loop.getResultTypes(), locs);
  Value more = stablehlo::CompareOp::create(
      b, RankedTensorType::get({}, b.getI1Type()), cond->getArgument(0),
      constant(steps), stablehlo::ComparisonDirection::LT,
      stablehlo::ComparisonTypeAttr());
  stablehlo::ReturnOp::create(b, more);

  Block *body = b.createBlock(&loop.getBody(), {}, loop.getResultTypes(), locs);
  auto arguments = body->getArguments();
  size_t inputs = op.getInputs().size(), outputs = op.getOutputs().size();
  Value zero = constant(0), step = arguments[0], place = step;
  if (op.getIsReverse())
    place = stablehlo::SubtractOp::create(b, scalar, constant(steps - 1), step);
  auto startsOf = [&](Value tensor) {
    Values starts(tensorOf(tensor).getRank(), zero);
    starts[dimension] = place;
    return starts;
  };
  IRMapping mapping;
  Block &scanned = op.getBody().front();
  for (auto [i, input] : llvm::enumerate(arguments.slice(1, inputs))) {
    RankedTensorType type = tensorOf(input);
    if (!type.hasStaticShape())
      return op.emitOpError()
             << "expected inputs of static shape, got " << type;
    SmallVector<int64_t> sizes(type.getShape());
    sizes[dimension] = 1;
    Value slice = stablehlo::DynamicSliceOp::create(b, type.clone(sizes), input,
                                                    startsOf(input), sizes);
    mapping.map(scanned.getArgument(i),
                stablehlo::ReshapeOp::create(
                    b, scanned.getArgument(i).getType(), slice));
  }
  for (auto [i, carry] :
       llvm::enumerate(arguments.drop_front(1 + inputs + outputs)))
    mapping.map(scanned.getArgument(inputs + i), carry);
  for (Operation &inner : scanned.without_terminator())
    b.clone(inner, mapping);

  Values next{stablehlo::AddOp::create(b, scalar, step, constant(1))};
  llvm::append_range(next, arguments.slice(1, inputs));
  for (auto [i, value] :
       llvm::enumerate(scanned.getTerminator()->getOperands())) {
    Value returned = mapping.lookupOrDefault(value);
    if (i < outputs) {
      Value output = arguments[1 + inputs + i];
      SmallVector<int64_t> sizes(tensorOf(output).getShape());
      sizes[dimension] = 1;
      Value slice = stablehlo::ReshapeOp::create(
          b, tensorOf(output).clone(sizes), returned);
      returned = stablehlo::DynamicUpdateSliceOp::create(
          b, output.getType(), output, slice, startsOf(output));
    }
    next.push_back(returned);
  }
  stablehlo::ReturnOp::create(b, next);
  return Values(loop.getResults().drop_front(1 + inputs));
}
