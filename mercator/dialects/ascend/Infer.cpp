// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/ascend/Infer.h"

#include "mercator/dialects/ascend/Ascend.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

using Inferred = FailureOr<std::optional<Shape>>;

static constexpr int64_t kUnknown = ShapedType::kDynamic;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}
static int64_t rankOf(Value value) { return shapeOf(value).size(); }

static Inferred some(Shape shape) { return std::optional(std::move(shape)); }

std::optional<Shape> ascend::constantInts(Value value) {
  DenseIntElementsAttr elements;
  constexpr int64_t kMost = 1 << 16;
  if (!matchPattern(value, m_Constant(&elements)) ||
      elements.getNumElements() > kMost)
    return std::nullopt;
  Shape ints;
  for (const APInt &element : elements)
    ints.push_back(element.getSExtValue());
  return ints;
}

/// The integer that a constant operand of one element holds.
static std::optional<int64_t> constantInt(Value value) {
  std::optional<Shape> ints = constantInts(value);
  if (!ints || ints->size() != 1)
    return std::nullopt;
  return ints->front();
}

/// An axis of `rank` axes; a negative one is counted from the end.
static FailureOr<int64_t> axisOf(Operation *op, int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank)
    return op->emitOpError() << "expected an axis in [" << -rank << ", " << rank
                             << "), got " << axis;
  return axis < 0 ? axis + rank : axis;
}

/// Whether two extents may be the same: they are equal, or one is unknown.
static bool agree(int64_t a, int64_t b) {
  return a == b || a == kUnknown || b == kUnknown;
}

static Inferred tooLong(Operation *op) {
  return op->emitOpError() << "expected a result of extents below 2^63";
}

//===--- Gathers ----------------------------------------------------------===//

static Inferred inferBroadcast(Operation *op, ValueRange operands);

static Inferred inferGather(Operation *op, Value x, Value indices, int64_t axis,
                            int64_t batches) {
  FailureOr<int64_t> place = axisOf(op, axis, rankOf(x));
  if (failed(place))
    return failure();
  if (batches < 0)
    batches += rankOf(indices);
  if (batches < 0 || batches > *place || batches > rankOf(indices))
    return op->emitOpError()
           << "expected batch_dims in [0, axis] and at most the rank of the "
              "indices, got "
           << batches << " with axis " << *place;
  for (int64_t i = 0; i < batches; ++i)
    if (!agree(shapeOf(x)[i], shapeOf(indices)[i]))
      return op->emitOpError() << "expected batch dimension " << i
                               << " of x and the indices to be "
                               << "the same, got " << shapeOf(x)[i] << " and "
                               << shapeOf(indices)[i];
  Shape out(shapeOf(x).take_front(*place));
  llvm::append_range(out, shapeOf(indices).drop_front(batches));
  llvm::append_range(out, shapeOf(x).drop_front(*place + 1));
  return some(std::move(out));
}

static Inferred infer(GatherV2Op op) {
  if (rankOf(op.getX()) == 0)
    return op.emitOpError() << "expected x to have a dimension, got a scalar";
  std::optional<int64_t> axis = constantInt(op.getAxis());
  if (!axis)
    return std::optional<Shape>();
  return inferGather(op, op.getX(), op.getIndices(), *axis, op.getBatchDims());
}

static Inferred infer(GatherV2DOp op) {
  return inferGather(op, op.getX(), op.getIndices(), op.getAxis(), 0);
}

static Inferred infer(GatherNdOp op) {
  if (rankOf(op.getIndices()) == 0)
    return op.emitOpError()
           << "expected indices with a dimension, got a scalar";
  int64_t width = shapeOf(op.getIndices()).back();
  if (width == kUnknown)
    return std::optional<Shape>();
  if (width < 1 || width > rankOf(op.getX()))
    return op.emitOpError()
           << "expected index vectors of 1 to " << rankOf(op.getX())
           << " components, got " << width;
  Shape out(shapeOf(op.getIndices()).drop_back());
  llvm::append_range(out, shapeOf(op.getX()).drop_front(width));
  return some(std::move(out));
}

static Inferred infer(GatherElementsOp op) {
  ArrayRef<int64_t> x = shapeOf(op.getX()), index = shapeOf(op.getIndex());
  if (x.size() != index.size())
    return op.emitOpError() << "expected x and index of the same rank, got "
                            << x.size() << " and " << index.size();
  FailureOr<int64_t> dim = axisOf(op, op.getDim(), x.size());
  if (failed(dim))
    return failure();
  for (int64_t i = 0, rank = x.size(); i < rank; ++i)
    if (i != *dim && x[i] != kUnknown && index[i] != kUnknown &&
        index[i] > x[i])
      return op.emitOpError()
             << "expected dimension " << i << " of the index to be at most "
             << x[i] << ", as that of x, got " << index[i];
  return some(Shape(index));
}

/// The axes that the index tensors broadcast to stand where the indexed
/// dimensions are, or first if these are not neighbors.
static Inferred infer(IndexByTensorOp op) {
  ArrayRef<int64_t> x = shapeOf(op.getX()), mask = op.getIndicesMask();
  bool isMask = mask.size() <= x.size() && llvm::all_of(mask, [](int64_t it) {
                  return it == 0 || it == 1;
                });
  size_t count = op.getIndices().size();
  if (!isMask || count == 0 || size_t(llvm::count(mask, 1)) != count)
    return op.emitOpError() << "expected a mask of at most " << x.size()
                            << " dimensions, with 1 for each of the " << count
                            << " that are indexed, and 0 for others";
  Inferred axes = inferBroadcast(op, op.getIndices());
  if (failed(axes))
    return failure();
  size_t first = llvm::find(mask, 1) - mask.begin();
  bool areNeighbors = first + count <= mask.size() &&
                      !llvm::is_contained(mask.slice(first, count), int64_t(0));
  Shape out;
  for (auto [d, extent] : llvm::enumerate(x)) {
    if (areNeighbors && d == first)
      llvm::append_range(out, **axes);
    if (d >= mask.size() || mask[d] == 0)
      out.push_back(extent);
  }
  if (!areNeighbors)
    out.insert(out.begin(), (*axes)->begin(), (*axes)->end());
  return some(std::move(out));
}

//===--- Scatters ---------------------------------------------------------===//

static Inferred infer(ScatterElementsOp op) {
  ArrayRef<int64_t> x = shapeOf(op.getData()),
                    indices = shapeOf(op.getIndices()),
                    updates = shapeOf(op.getUpdates());
  FailureOr<int64_t> axis = axisOf(op, op.getAxis(), x.size());
  if (failed(axis))
    return failure();
  StringRef reduction = op.getReduction();
  if (reduction != "none" && reduction != "add" && reduction != "mul")
    return op.emitOpError()
           << "expected reduction to be none, add or mul, got '" << reduction
           << "'";
  bool fits = indices.size() == x.size() && updates.size() == x.size();
  for (size_t i = 0; fits && i < x.size(); ++i)
    fits = agree(indices[i], updates[i]) &&
           (int64_t(i) == *axis || x[i] == kUnknown || indices[i] == kUnknown ||
            indices[i] <= x[i]);
  if (!fits)
    return op.emitOpError() << "expected indices and updates of one shape, "
                               "with at most the extents of data except along "
                               "the axis";
  return some(Shape(x));
}

/// x[indices[i, :], j] meets updates[i, j].
static Inferred inferScatter(Operation *op) {
  ArrayRef<int64_t> x = shapeOf(op->getOperand(0)),
                    indices = shapeOf(op->getOperand(1)),
                    updates = shapeOf(op->getOperand(2));
  if (indices.empty())
    return op->emitOpError()
           << "expected indices with a dimension, got a scalar";
  int64_t width = indices.back();
  if (width == kUnknown)
    return some(Shape(x));
  if (width < 1 || width > int64_t(x.size()))
    return op->emitOpError() << "expected index vectors of 1 to " << x.size()
                             << " components, got " << width;
  Shape expected(indices.drop_back());
  llvm::append_range(expected, x.drop_front(width));
  bool fits = expected.size() == updates.size();
  for (size_t i = 0; fits && i < expected.size(); ++i)
    fits = expected[i] == updates[i] || expected[i] == kUnknown ||
           updates[i] == kUnknown;
  if (!fits)
    return op->emitOpError()
           << "expected updates of " << expected.size()
           << " dimensions: those of the index vectors, then those of x that "
              "they do not index";
  return some(Shape(x));
}

//===--- Shapes -----------------------------------------------------------===//

static Inferred infer(TransposeOp op) {
  std::optional<Shape> axes = constantInts(op.getPerm());
  if (!axes)
    return some(Shape(rankOf(op.getX()), kUnknown));
  Shape sorted(*axes);
  llvm::sort(sorted);
  for (int64_t i = 0, rank = rankOf(op.getX()); i < rank; ++i)
    if ((int64_t)sorted.size() != rank || sorted[i] != i)
      return op.emitOpError() << "expected perm to hold each axis of x once";
  Shape out;
  for (int64_t axis : *axes)
    out.push_back(shapeOf(op.getX())[axis]);
  return some(std::move(out));
}

static Inferred infer(ReshapeOp op) {
  std::optional<Shape> shape = constantInts(op.getShape());
  if (!shape)
    return std::optional<Shape>();
  if (op.getAxis() != 0 || (int64_t)op.getNumAxes() != -1)
    return op.emitOpError() << "expected all axes to be reshaped";
  // One extent of -1 takes the remaining elements.
  int64_t rest = -1, known = 1, all = 1;
  bool isKnown = true;
  for (int64_t extent : shapeOf(op.getX())) {
    isKnown &= extent != kUnknown;
    if (isKnown && llvm::MulOverflow(all, extent, all))
      isKnown = false;
  }
  for (auto [i, extent] : llvm::enumerate(*shape)) {
    if (extent == -1 && rest < 0) {
      rest = i;
      continue;
    }
    if (extent < 0)
      return op.emitOpError() << "expected a shape with at most one -1, got "
                              << extent << " for dimension " << i;
    if (llvm::MulOverflow(known, extent, known))
      return op.emitOpError() << "expected a shape of fewer than 2^63 elements";
  }
  if (rest >= 0)
    (*shape)[rest] = isKnown && known ? all / known : kUnknown;
  if (isKnown && known * (rest >= 0 && known ? all / known : 1) != all)
    return op.emitOpError()
           << "expected a shape of " << all << " elements, as x has";
  return some(std::move(*shape));
}

static Inferred infer(BroadcastToOp op) {
  std::optional<Shape> shape = constantInts(op.getShape());
  if (!shape)
    return std::optional<Shape>();
  ArrayRef<int64_t> x = shapeOf(op.getX());
  if (x.size() > shape->size())
    return op.emitOpError() << "expected a shape of at least " << x.size()
                            << " dimensions, got " << shape->size();
  for (auto [from, to] : llvm::zip(x, ArrayRef(*shape).take_back(x.size())))
    if (from != 1 && !agree(from, to))
      return op.emitOpError()
             << "expected a dimension of 1 or " << to << ", got " << from;
  return some(std::move(*shape));
}

static Inferred infer(SliceOp op) {
  ArrayRef<int64_t> x = shapeOf(op.getX());
  std::optional<Shape> offsets = constantInts(op.getOffsets()),
                       size = constantInts(op.getSize());
  if (!size)
    return some(Shape(x.size(), kUnknown));
  if (size->size() != x.size() || (offsets && offsets->size() != x.size()))
    return op.emitOpError() << "expected " << x.size()
                            << " offsets and sizes, one for each dimension";
  for (int64_t i = 0, rank = x.size(); i < rank; ++i) {
    int64_t from = offsets ? (*offsets)[i] : 0, &extent = (*size)[i];
    bool isRest = extent == -1;
    if (isRest && (!offsets || x[i] == kUnknown)) {
      extent = kUnknown;
      continue;
    }
    if (isRest && from >= 0)
      extent = x[i] - from;
    if (from < 0 || extent < 0 || (x[i] != kUnknown && extent > x[i] - from))
      return op.emitOpError()
             << "expected a slice inside dimension " << i << " of " << x[i]
             << ", got " << (isRest ? -1 : extent) << " elements from " << from;
  }
  return some(std::move(*size));
}

static Inferred infer(StridedSliceOp op) {
  ArrayRef<int64_t> x = shapeOf(op.getX());
  if (op.getBeginMask() || op.getEndMask() || op.getEllipsisMask() ||
      op.getNewAxisMask() || op.getShrinkAxisMask())
    return std::optional<Shape>();
  std::optional<Shape> begin = constantInts(op.getBegin()),
                       end = constantInts(op.getEnd()),
                       strides = constantInts(op.getStrides());
  if (!begin || !end || !strides)
    return some(Shape(x.size(), kUnknown));
  if (begin->size() != x.size() || end->size() != x.size() ||
      strides->size() != x.size())
    return op.emitOpError()
           << "expected " << x.size() << " begins, ends and strides";
  Shape out;
  for (auto [from, to, by, extent] :
       llvm::zip_equal(*begin, *end, *strides, x)) {
    if (by <= 0)
      return op.emitOpError() << "expected strides above 0, got " << by;
    if (extent == kUnknown) {
      out.push_back(kUnknown);
      continue;
    }
    if (from < 0 || to < from || to > extent)
      return op.emitOpError() << "expected a range inside [0, " << extent
                              << "], got [" << from << ", " << to << ")";
    out.push_back(to == from ? 0 : (to - from - 1) / by + 1);
  }
  return some(std::move(out));
}

static Inferred infer(ConcatV2Op op) {
  if (op.getX().empty() || op.getX().size() != op.getN())
    return op.emitOpError() << "expected N inputs, and at least one, got "
                            << op.getX().size() << " with N = " << op.getN();
  std::optional<int64_t> given = constantInt(op.getConcatDim());
  if (!given)
    return std::optional<Shape>();
  Shape out(shapeOf(op.getX()[0]));
  FailureOr<int64_t> axis = axisOf(op, *given, out.size());
  if (failed(axis))
    return failure();
  for (Value part : op.getX().drop_front()) {
    ArrayRef<int64_t> shape = shapeOf(part);
    if (shape.size() != out.size())
      return op.emitOpError() << "expected inputs of the same rank";
    for (int64_t i = 0, rank = out.size(); i < rank; ++i) {
      if (i == *axis) {
        bool isKnown = out[i] != kUnknown && shape[i] != kUnknown;
        if (!isKnown)
          out[i] = kUnknown;
        else if (llvm::AddOverflow(out[i], shape[i], out[i]))
          return tooLong(op);
      } else if (!agree(out[i], shape[i])) {
        return op.emitOpError() << "expected dimension " << i << " to be "
                                << out[i] << " in all inputs, got " << shape[i];
      } else if (out[i] == kUnknown) {
        out[i] = shape[i];
      }
    }
  }
  return some(std::move(out));
}

static Inferred infer(PackOp op) {
  if (op.getX().empty() || op.getX().size() != op.getN())
    return op.emitOpError() << "expected N inputs, and at least one, got "
                            << op.getX().size() << " with N = " << op.getN();
  Shape out(shapeOf(op.getX()[0]));
  for (Value part : op.getX())
    if (shapeOf(part) != ArrayRef<int64_t>(out))
      return op.emitOpError() << "expected inputs of the same shape";
  FailureOr<int64_t> axis = axisOf(op, op.getAxis(), out.size() + 1);
  if (failed(axis))
    return failure();
  out.insert(out.begin() + *axis, op.getN());
  return some(std::move(out));
}

static Inferred infer(PadV2Op op) {
  Shape out(shapeOf(op.getX()));
  std::optional<Shape> paddings = constantInts(op.getPaddings());
  if (!paddings)
    return some(Shape(out.size(), kUnknown));
  if (paddings->size() != 2 * out.size())
    return op.emitOpError()
           << "expected " << out.size() << " pairs of paddings";
  for (auto [i, extent] : llvm::enumerate(out)) {
    int64_t low = (*paddings)[2 * i], high = (*paddings)[2 * i + 1];
    if (low < 0 || high < 0)
      return op.emitOpError() << "expected paddings of at least 0, got " << low
                              << " and " << high;
    if (extent != kUnknown && (llvm::AddOverflow(extent, low, extent) ||
                               llvm::AddOverflow(extent, high, extent)))
      return tooLong(op);
  }
  return some(std::move(out));
}

static Inferred infer(RangeOp op) {
  std::optional<int64_t> start = constantInt(op.getStart()),
                         limit = constantInt(op.getLimit()),
                         delta = constantInt(op.getDelta());
  if (!start || !limit || !delta)
    return some({kUnknown});
  if (*delta == 0)
    return op.emitOpError() << "expected a delta other than 0";
  if (*delta > 0 ? *limit <= *start : *limit >= *start)
    return some({0});
  int64_t reach = 0;
  if (llvm::SubOverflow(*limit, *start, reach))
    return tooLong(op);
  // Both have the same sign.
  return some({(reach - (*delta > 0 ? 1 : -1)) / *delta + 1});
}

static Inferred infer(ShapeOp op) { return some({rankOf(op.getX())}); }

static Inferred infer(FillOp op) {
  std::optional<Shape> dims = constantInts(op.getDims());
  return std::move(dims);
}

//===--- Elements, reductions, products -----------------------------------===//

static Inferred inferBroadcast(Operation *op, ValueRange operands) {
  Shape out;
  for (Value operand : operands) {
    ArrayRef<int64_t> shape = shapeOf(operand);
    if (shape.size() > out.size())
      out.insert(out.begin(), shape.size() - out.size(), 1);
    for (auto [extent, other] :
         llvm::zip(MutableArrayRef(out).take_back(shape.size()), shape)) {
      if (extent == 1)
        extent = other;
      else if (other != 1 && !agree(extent, other))
        return op->emitOpError() << "expected shapes that broadcast, got "
                                 << extent << " and " << other;
      else if (extent == kUnknown && other != 1)
        extent = other;
    }
  }
  return some(std::move(out));
}

static Inferred infer(SelectOp op) {
  Shape out;
  for (Value operand : op->getOperands()) {
    ArrayRef<int64_t> shape = shapeOf(operand);
    if (operand == op.getCondition())
      out.assign(shape.begin(), shape.end());
    if (shape.size() != out.size() ||
        !llvm::all_of_zip(shape, out,
                          [](int64_t a, int64_t b) { return agree(a, b); }))
      return op.emitOpError() << "expected inputs of the same shape";
  }
  return some(std::move(out));
}

static Inferred inferReduce(Operation *op) {
  std::optional<Shape> axes = constantInts(op->getOperand(1));
  if (!axes)
    return std::optional<Shape>();
  ArrayRef<int64_t> x = shapeOf(op->getOperand(0));
  auto keep = op->getAttrOfType<BoolAttr>("keep_dims");
  llvm::SmallVector<bool> reduced(x.size());
  for (int64_t given : *axes) {
    FailureOr<int64_t> axis = axisOf(op, given, x.size());
    if (failed(axis))
      return failure();
    reduced[*axis] = true;
  }
  Shape out;
  for (auto [extent, isReduced] : llvm::zip_equal(x, reduced))
    if (!isReduced)
      out.push_back(extent);
    else if (keep && keep.getValue())
      out.push_back(1);
  return some(std::move(out));
}

/// The product over the last two dimensions. The dimensions before them are
/// batches.
static Inferred inferProduct(Operation *op, bool transposeLhs,
                             bool transposeRhs) {
  Shape lhs(shapeOf(op->getOperand(0))), rhs(shapeOf(op->getOperand(1)));
  if (lhs.size() < 2 || lhs.size() != rhs.size())
    return op->emitOpError()
           << "expected two matrices of the same rank, got ranks " << lhs.size()
           << " and " << rhs.size();
  if (transposeLhs)
    std::swap(lhs.back(), lhs[lhs.size() - 2]);
  if (transposeRhs)
    std::swap(rhs.back(), rhs[rhs.size() - 2]);
  if (!agree(lhs.back(), rhs[rhs.size() - 2]))
    return op->emitOpError() << "expected as many columns as rows, got "
                             << lhs.back() << " and " << rhs[rhs.size() - 2];
  Shape out(lhs);
  for (size_t i = 0; i + 2 < out.size(); ++i) {
    if (out[i] == 1)
      out[i] = rhs[i];
    else if (rhs[i] != 1 && !agree(out[i], rhs[i]))
      return op->emitOpError() << "expected batches of the same size, got "
                               << out[i] << " and " << rhs[i];
  }
  out.back() = rhs.back();
  return some(std::move(out));
}

static Inferred infer(MatMulOp op) {
  if (rankOf(op.getX1()) != 2)
    return op.emitOpError()
           << "expected matrices, got rank " << rankOf(op.getX1());
  return inferProduct(op, op.getTransposeX1(), op.getTransposeX2());
}
static Inferred infer(BatchMatMulOp op) {
  return inferProduct(op, op.getAdjX1(), op.getAdjX2());
}

//===--- Sliding windows --------------------------------------------------===//

/// Checks that a list has `count` entries of at least `least`.
static LogicalResult checkList(Operation *op, StringRef name,
                               ArrayRef<int64_t> list, size_t count,
                               int64_t least) {
  if (list.size() != count)
    return op->emitOpError() << "expected '" << name << "' of " << count
                             << " integers, got " << list.size();
  for (int64_t value : list)
    if (value < least)
      return op->emitOpError() << "expected '" << name << "' of at least "
                               << least << ", got " << value;
  return success();
}

/// The same for a list with one entry for each dimension: those of batches and
/// channels are 1.
static LogicalResult checkPerDim(Operation *op, StringRef name,
                                 ArrayRef<int64_t> list, size_t rank) {
  if (failed(checkList(op, name, list, rank, 1)))
    return failure();
  if (list[0] != 1 || list[1] != 1)
    return op->emitOpError()
           << "expected '" << name << "' of 1 for batches and channels, got "
           << list[0] << " and " << list[1];
  return success();
}

/// The number of windows along a dimension.
static FailureOr<int64_t> countWindows(Operation *op, int64_t extent,
                                       int64_t window, int64_t dilation,
                                       int64_t stride, ArrayRef<int64_t> pads) {
  if (extent == kUnknown || window == kUnknown)
    return kUnknown;
  int64_t reach = 0;
  if (window == 0)
    return op->emitOpError() << "expected a window with elements";
  if (llvm::MulOverflow(window - 1, dilation, reach) ||
      llvm::AddOverflow(reach, int64_t(1), reach) ||
      llvm::AddOverflow(extent, pads[0], extent) ||
      llvm::AddOverflow(extent, pads[1], extent))
    return op->emitOpError() << "expected windows of less than 2^63 elements";
  if (extent < reach)
    return op->emitOpError()
           << "expected windows of at most the " << extent
           << " elements of the padded dimension, got " << reach;
  return (extent - reach) / stride + 1;
}

template <typename Op> static Inferred inferConvolution(Op op, size_t rank) {
  ArrayRef<int64_t> x = shapeOf(op.getX()), filter = shapeOf(op.getFilter());
  if (x.size() != rank || filter.size() != rank)
    return op.emitOpError() << "expected inputs of rank " << rank << ", got "
                            << x.size() << " and " << filter.size();
  if (failed(checkPerDim(op, "strides", op.getStrides(), rank)) ||
      failed(checkPerDim(op, "dilations", op.getDilations(), rank)) ||
      failed(checkList(op, "pads", op.getPads(), 2 * (rank - 2), 0)))
    return failure();
  int64_t groups = op.getGroups(), channels = filter[1];
  if (groups < 1 || (filter[0] != kUnknown && filter[0] % groups != 0))
    return op.emitOpError() << "expected groups that divide the " << filter[0]
                            << " kernels, got " << groups;
  if (channels != kUnknown &&
      (llvm::MulOverflow(channels, groups, channels) || !agree(channels, x[1])))
    return op.emitOpError() << "expected " << groups << " groups of "
                            << filter[1] << " channels, got " << x[1];
  Shape out{x[0], filter[0]};
  for (size_t i = 2; i < rank; ++i) {
    FailureOr<int64_t> count =
        countWindows(op, x[i], filter[i], op.getDilations()[i],
                     op.getStrides()[i], op.getPads().slice(2 * (i - 2), 2));
    if (failed(count))
      return failure();
    out.push_back(*count);
  }
  return some(std::move(out));
}
static Inferred infer(Conv2DOp op) { return inferConvolution(op, 4); }
static Inferred infer(Conv3DOp op) { return inferConvolution(op, 5); }

template <typename Op> static Inferred inferPool(Op op) {
  Shape out(shapeOf(op.getX()));
  if (out.size() != 4)
    return op.emitOpError()
           << "expected an input of rank 4, got " << out.size();
  if (failed(checkPerDim(op, "ksize", op.getKsize(), 4)) ||
      failed(checkPerDim(op, "strides", op.getStrides(), 4)) ||
      failed(checkList(op, "pads", op.getPads(), 4, 0)))
    return failure();
  for (size_t i = 2; i < 4; ++i) {
    ArrayRef<int64_t> pads = op.getPads().slice(2 * (i - 2), 2);
    int64_t size = op.getKsize()[i];
    if (pads[0] >= size || pads[1] >= size)
      return op.emitOpError()
             << "expected 'pads' less than the window of " << size << ", got "
             << pads[0] << " and " << pads[1];
    FailureOr<int64_t> count =
        countWindows(op, out[i], size, 1, op.getStrides()[i], pads);
    if (failed(count))
      return failure();
    out[i] = *count;
  }
  return some(std::move(out));
}
static Inferred infer(MaxPoolV3Op op) { return inferPool(op); }
static Inferred infer(AvgPoolV2Op op) { return inferPool(op); }

static Inferred infer(CumsumOp op) {
  std::optional<Shape> axis = constantInts(op.getAxis());
  if (axis && axis->size() != 1)
    return op.emitOpError() << "expected one axis, got " << axis->size();
  if (axis && failed(axisOf(op, axis->front(), rankOf(op.getX()))))
    return failure();
  return some(Shape(shapeOf(op.getX())));
}

//===--- Sorts ------------------------------------------------------------===//

static Inferred infer(SortOp op) {
  if (failed(axisOf(op, op.getAxis(), rankOf(op.getX()))))
    return failure();
  return some(Shape(shapeOf(op.getX())));
}

static Inferred infer(TopKV2Op op) {
  FailureOr<int64_t> dim = axisOf(op, op.getDim(), rankOf(op.getX()));
  if (failed(dim))
    return failure();
  Shape out(shapeOf(op.getX()));
  std::optional<int64_t> k = constantInt(op.getK());
  int64_t most = out[*dim];
  out[*dim] = k.value_or(kUnknown);
  if (k && (*k < 0 || (most != kUnknown && *k > most)))
    return op.emitOpError() << "expected k in [0, " << most << "], got " << *k;
  return some(std::move(out));
}

//===--- Layers -----------------------------------------------------------===//

static Inferred infer(SoftmaxV2Op op) {
  llvm::SmallVector<bool> seen(rankOf(op.getX()));
  for (int64_t given : op.getAxes()) {
    FailureOr<int64_t> axis = axisOf(op, given, rankOf(op.getX()));
    if (failed(axis))
      return failure();
    if (std::exchange(seen[*axis], true))
      return op.emitOpError()
             << "expected each axis once, got " << *axis << " again";
  }
  return some(Shape(shapeOf(op.getX())));
}

/// The shape of a normalization's result: of y, that of x; of the statistics,
/// that of x with extents of 1 from `begin` on.
static Inferred inferNorm(Value x, int64_t begin, unsigned result) {
  Shape out(shapeOf(x));
  if (result > 0)
    std::fill(out.begin() + begin, out.end(), 1);
  return some(std::move(out));
}

/// The factors have the dimensions of x from `begin` on.
static LogicalResult checkFactor(Operation *op, unsigned i, int64_t begin) {
  ArrayRef<int64_t> got = shapeOf(op->getOperand(i)),
                    wanted = shapeOf(op->getOperand(0)).drop_front(begin);
  if (got.size() == wanted.size() && llvm::all_of_zip(got, wanted, agree))
    return success();
  return op->emitOpError() << "expected '" << (i == 1 ? "gamma" : "beta")
                           << "' of shape [" << llvm::interleaved(wanted, ", ")
                           << "], got [" << llvm::interleaved(got, ", ") << "]";
}

static Inferred infer(LayerNormV3Op op, unsigned result) {
  int64_t rank = rankOf(op.getX());
  FailureOr<int64_t> begin = axisOf(op, op.getBeginNormAxis(), rank),
                     params = axisOf(op, op.getBeginParamsAxis(), rank);
  if (failed(begin) || failed(params) || failed(checkFactor(op, 1, *params)) ||
      failed(checkFactor(op, 2, *params)))
    return failure();
  return inferNorm(op.getX(), *begin, result);
}

static Inferred infer(RmsNormOp op, unsigned result) {
  int64_t begin = rankOf(op.getX()) - rankOf(op.getGamma());
  if (begin < 0)
    return op.emitOpError()
           << "expected 'gamma' of at most " << rankOf(op.getX())
           << " dimensions, got " << rankOf(op.getGamma());
  if (failed(checkFactor(op, 1, begin)))
    return failure();
  return inferNorm(op.getX(), begin, result);
}

// Most operators have one result, or results of the same shape.
Inferred ascend::inferShape(Operation *op, unsigned result) {
  return llvm::TypeSwitch<Operation *, Inferred>(op)
      .Case<GatherV2Op, GatherV2DOp, GatherNdOp, GatherElementsOp, TransposeOp,
            ReshapeOp, BroadcastToOp, SliceOp, StridedSliceOp, ConcatV2Op,
            PackOp, PadV2Op, RangeOp, ShapeOp, FillOp, SelectOp, MatMulOp,
            BatchMatMulOp, IndexByTensorOp, ScatterElementsOp, SortOp, TopKV2Op,
            Conv2DOp, Conv3DOp, MaxPoolV3Op, AvgPoolV2Op, CumsumOp,
            SoftmaxV2Op>([](auto op) { return infer(op); })
      .Case<LayerNormV3Op, RmsNormOp>(
          [&](auto op) { return infer(op, result); })
      .Case<ReduceSumOp, ReduceMaxOp, ReduceMinOp, ReduceProdOp, ReduceMeanOp,
            ReduceAllOp, ReduceAnyOp>([](auto op) { return inferReduce(op); })
      .Case<TensorScatterUpdateOp, TensorScatterAddOp, TensorScatterMaxOp,
            TensorScatterMinOp, ScatterNdUpdateOp, ScatterNdAddOp>(
          [](auto op) { return inferScatter(op); })
      .Case([](ReverseV2Op op) { return some(Shape(shapeOf(op.getX()))); })
      .Default(
          [](Operation *op) { return inferBroadcast(op, op->getOperands()); });
}
