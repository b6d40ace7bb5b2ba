// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The constraints of StableHLO's operations that relate extents, as checks.

#include "mercator/transforms/stablehlo/checks/ExtentChecks.h"
#include "mercator/transforms/stablehlo/rules/Windows.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace mercator::stablehlo {

using Predicate = arith::CmpIPredicate;

static int64_t dimsOf(Value value) { return rankedType(value).getRank(); }

/// The number of windows along a dimension.
static OpFoldResult windowsOf(ExtentChecks &c, Value tensor, int64_t dim,
                              const Window &window) {
  OpFoldResult extent = c.extent(tensor, dim), one = c.number(1);
  if (window.baseDilation != 1)
    extent = maxSizes(c.b,
                      addSizes(c.b,
                               mulSizes(c.b, subSizes(c.b, extent, one),
                                        c.number(window.baseDilation)),
                               one),
                      c.number(0));
  extent =
      maxSizes(c.b, addSizes(c.b, extent, c.number(window.low + window.high)),
               c.number(0));
  return countWindows(c.b, window, extent);
}

//===--- Elementwise ------------------------------------------------------===//

/// Operands of rank 0 are read by all elements.
static void checkElementwise(Operation *op, ExtentChecks &c) {
  Value first;
  for (Value operand : op->getOperands()) {
    if (dimsOf(operand) == 0)
      continue;
    if (!first)
      first = operand;
    c.requireSameShape(first, operand, "operands");
  }
  if (first)
    for (Value result : op->getResults())
      for (int64_t i = 0; i < dimsOf(result); ++i)
        c.requireResult(result, i, first, i);
}

/// Operands of one shape, which the results have, too.
static void checkOneShape(ValueRange operands, ValueRange results,
                          ExtentChecks &c) {
  for (Value operand : operands.drop_front())
    c.requireSameShape(operands[0], operand, "operands");
  for (Value result : results)
    for (int64_t i = 0; i < dimsOf(result); ++i)
      c.requireResult(result, i, operands[0], i);
}

//===--- Shapes -----------------------------------------------------------===//

/// An extent of the operand is 1 or that of the result.
static void checkBroadcast(Value operand, ArrayRef<int64_t> dims,
                           function_ref<OpFoldResult(int64_t)> size,
                           ExtentChecks &c) {
  for (auto [i, dim] : llvm::enumerate(dims)) {
    OpFoldResult own = c.extent(operand, i);
    if (isConstantIntValue(own, 1))
      continue;
    OpFoldResult wanted = size(dim);
    if (own == wanted)
      continue;
    if (!getConstantIntValue(own)) {
      Value one = indexConstant(c.b, 1);
      Value isOne =
          arith::CmpIOp::create(c.b, Predicate::eq, valueOf(c.b, own), one);
      wanted =
          c.b.createOrFold<arith::SelectOp>(isOne, one, valueOf(c.b, wanted));
    }
    c.requireEqual(wanted, own,
                   "expected dimension " + Twine(i) +
                       " of the operand to be 1 or the extent of the result");
  }
}

static void check(BroadcastInDimOp op, ExtentChecks &c) {
  checkBroadcast(
      op.getOperand(), op.getBroadcastDimensions(),
      [&](int64_t dim) { return c.extent(op.getResult(), dim); }, c);
}

static void check(DynamicBroadcastInDimOp op, ExtentChecks &c) {
  Value shape = op.getOutputDimensions();
  c.requireShape(shape);
  for (int64_t i = 0; i < dimsOf(op.getResult()); ++i)
    c.requireResult(op.getResult(), i, [&] { return c.element(shape, i); });
  checkBroadcast(
      op.getOperand(), op.getBroadcastDimensions(),
      [&](int64_t dim) { return c.element(shape, dim); }, c);
}

static void check(BroadcastOp op, ExtentChecks &c) {
  auto added = int64_t(op.getBroadcastSizes().size());
  for (int64_t i = added; i < dimsOf(op.getResult()); ++i)
    c.requireResult(op.getResult(), i, op.getOperand(), i - added);
}

/// Tensors have the same number of elements.
static void checkElements(Value operand, const Sizes &shape, ExtentChecks &c) {
  // Factors of both say nothing.
  Sizes mine = c.extents(operand), theirs = shape;
  for (OpFoldResult size : Sizes(mine))
    if (auto *same = llvm::find(theirs, size);
        same != theirs.end() && !getConstantIntValue(size)) {
      theirs.erase(same);
      mine.erase(llvm::find(mine, size));
    }
  c.requireEqual(productOf(c.b, mine), productOf(c.b, theirs),
                 "expected a shape with the number of elements of the operand");
}

static void check(DynamicReshapeOp op, ExtentChecks &c) {
  Value shape = op.getOutputShape();
  c.requireShape(shape);
  for (int64_t i = 0; i < dimsOf(op.getResult()); ++i)
    c.requireResult(op.getResult(), i, [&] { return c.element(shape, i); });
  checkElements(op.getOperand(), c.elements(shape), c);
}

/// One unknown extent follows from the number of elements.
static void check(ReshapeOp op, ExtentChecks &c) {
  RankedTensorType type = op.getType();
  if (rankedType(op.getOperand()).hasStaticShape() && type.hasStaticShape())
    return;
  OpFoldResult count = productOf(c.b, c.extents(op.getOperand()));
  if (type.hasStaticShape()) {
    c.requireEqual(c.number(type.getNumElements()), count,
                   "expected an operand with the elements of the result");
    return;
  }
  int64_t known = 1;
  for (int64_t extent : type.getShape())
    known *= ShapedType::isDynamic(extent) ? 1 : extent;
  if (type.getNumDynamicDims() != 1 || known == 1)
    return;
  OpFoldResult rest = count;
  if (known > 1)
    rest = c.b.createOrFold<arith::RemUIOp>(valueOf(c.b, count),
                                            indexConstant(c.b, known));
  c.requireEqual(c.number(0), rest,
                 "expected a multiple of " + Twine(known) +
                     " elements, which leaves a remainder of 0");
}

static void check(DynamicIotaOp op, ExtentChecks &c) {
  c.requireShape(op.getOutputShape());
  for (int64_t i = 0; i < dimsOf(op.getResult()); ++i)
    c.requireResult(op.getResult(), i,
                    [&] { return c.element(op.getOutputShape(), i); });
}

static void check(RngOp op, ExtentChecks &c) {
  c.requireShape(op.getShape());
  for (int64_t i = 0; i < dimsOf(op.getResult()); ++i)
    c.requireResult(op.getResult(), i,
                    [&] { return c.element(op.getShape(), i); });
}

static void check(TransposeOp op, ExtentChecks &c) {
  for (auto [i, dim] : llvm::enumerate(op.getPermutation()))
    c.requireResult(op.getResult(), i, op.getOperand(), dim);
}

static void check(BitcastConvertOp op, ExtentChecks &c) {
  int64_t from = dimsOf(op.getOperand()), to = dimsOf(op.getResult());
  for (int64_t i = 0; i < std::min(from, to); ++i)
    c.requireResult(op.getResult(), i, op.getOperand(), i);
  if (from <= to)
    return;
  auto width = [](Value value) {
    Type element = rankedType(value).getElementType();
    if (auto complex = dyn_cast<ComplexType>(element))
      return 2 * int64_t(complex.getElementType().getIntOrFloatBitWidth());
    return int64_t(element.isIntOrFloat() ? element.getIntOrFloatBitWidth()
                                          : 0);
  };
  int64_t narrow = width(op.getOperand()), wide = width(op.getResult());
  if (narrow > 0 && wide > 0)
    c.requireEqual(c.number(wide / narrow), c.extent(op.getOperand(), to),
                   "expected a last dimension of the elements of a wide one");
}

static void check(ConcatenateOp op, ExtentChecks &c) {
  auto dim = int64_t(op.getDimension());
  Value first = op.getInputs()[0];
  for (Value input : op.getInputs())
    for (int64_t i = 0; i < dimsOf(first); ++i)
      if (i != dim)
        c.requireSame(first, i, input, i,
                      "expected inputs of the same extent in dimension " +
                          Twine(i));
  for (int64_t i = 0; i < dimsOf(first); ++i)
    c.requireResult(op.getResult(), i, [&] {
      OpFoldResult sum = c.extent(first, i);
      if (i == dim)
        for (Value input : op.getInputs().drop_front())
          sum = addSizes(c.b, sum, c.extent(input, i));
      return sum;
    });
}

//===--- Slices and padding -----------------------------------------------===//

static void check(SliceOp op, ExtentChecks &c) {
  for (auto [i, limit] : llvm::enumerate(op.getLimitIndices()))
    c.requireAtMost(c.number(limit), c.extent(op.getOperand(), i),
                    "expected a slice within dimension " + Twine(i));
}

static void check(RealDynamicSliceOp op, ExtentChecks &c) {
  for (int64_t i = 0; i < dimsOf(op.getOperand()); ++i) {
    OpFoldResult start = c.element(op.getStartIndices(), i),
                 limit = c.element(op.getLimitIndices(), i),
                 stride = c.element(op.getStrides(), i);
    std::string expected =
        ("expected a slice within dimension " + Twine(i)).str();
    c.requireAtMost(c.number(0), start, expected);
    c.requireAtMost(start, limit, expected);
    c.requireAtMost(limit, c.extent(op.getOperand(), i), expected);
    c.requireAtMost(c.number(1), stride,
                    "expected a stride of at least 1 in dimension " + Twine(i));
    c.requireResult(op.getResult(), i, [&] {
      // Not 0, where the program fails anyway.
      OpFoldResult step = maxSizes(c.b, stride, c.number(1));
      return OpFoldResult(c.b.createOrFold<arith::CeilDivSIOp>(
          valueOf(c.b, subSizes(c.b, limit, start)), valueOf(c.b, step)));
    });
  }
}

static void checkWindow(Value operand, int64_t dim, OpFoldResult size,
                        ExtentChecks &c) {
  c.requireAtMost(size, c.extent(operand, dim),
                  "expected a window within dimension " + Twine(dim));
}

static void check(DynamicSliceOp op, ExtentChecks &c) {
  for (auto [i, size] : llvm::enumerate(op.getSliceSizes()))
    checkWindow(op.getOperand(), i, c.number(size), c);
}

static void check(DynamicUpdateSliceOp op, ExtentChecks &c) {
  for (int64_t i = 0; i < dimsOf(op.getOperand()); ++i) {
    checkWindow(op.getOperand(), i, c.extent(op.getUpdate(), i), c);
    c.requireResult(op.getResult(), i, op.getOperand(), i);
  }
}

static void checkPad(Value operand, Value result, const Sizes &low,
                     const Sizes &high, const Sizes &interior,
                     ExtentChecks &c) {
  auto isNatural = [](OpFoldResult size) {
    std::optional<int64_t> known = getConstantIntValue(size);
    return known && *known >= 0;
  };
  for (int64_t i = 0; i < dimsOf(operand); ++i) {
    auto padded = [&] {
      OpFoldResult extent = c.extent(operand, i), zero = c.number(0);
      OpFoldResult gaps =
          maxSizes(c.b, subSizes(c.b, extent, c.number(1)), zero);
      OpFoldResult sum = addSizes(c.b, addSizes(c.b, low[i], high[i]), extent);
      return isConstantIntValue(interior[i], 0)
                 ? sum
                 : addSizes(c.b, sum, mulSizes(c.b, gaps, interior[i]));
    };
    if (!isNatural(interior[i]))
      c.requireAtMost(c.number(0), interior[i],
                      "expected interior padding of at least 0");
    if (!isNatural(low[i]) || !isNatural(high[i]) || !isNatural(interior[i]))
      c.requireAtMost(c.number(0), padded(),
                      "expected padding of dimension " + Twine(i) +
                          " that leaves an extent of at least 0");
    c.requireResult(result, i, padded);
  }
}

static void check(PadOp op, ExtentChecks &c) {
  auto sizes = [&](ArrayRef<int64_t> numbers) {
    return getAsIndexOpFoldResult(op.getContext(), numbers);
  };
  checkPad(op.getOperand(), op.getResult(),
           Sizes(sizes(op.getEdgePaddingLow())),
           Sizes(sizes(op.getEdgePaddingHigh())),
           Sizes(sizes(op.getInteriorPadding())), c);
}

static void check(DynamicPadOp op, ExtentChecks &c) {
  checkPad(op.getOperand(), op.getResult(), c.elements(op.getEdgePaddingLow()),
           c.elements(op.getEdgePaddingHigh()),
           c.elements(op.getInteriorPadding()), c);
}

//===--- Contractions -----------------------------------------------------===//

static void checkPaired(Value lhs, ArrayRef<int64_t> dims, Value rhs,
                        ArrayRef<int64_t> others, ExtentChecks &c) {
  for (auto [i, j] : llvm::zip_equal(dims, others))
    c.requireSame(lhs, i, rhs, j,
                  "expected paired dimensions " + Twine(i) + " and " +
                      Twine(j) + " of the same extent");
}

static void check(DotOp op, ExtentChecks &c) {
  checkPaired(op.getLhs(), {dimsOf(op.getLhs()) - 1}, op.getRhs(), {0}, c);
  int64_t place = 0;
  if (dimsOf(op.getLhs()) == 2)
    c.requireResult(op.getResult(), place++, op.getLhs(), 0);
  if (dimsOf(op.getRhs()) == 2)
    c.requireResult(op.getResult(), place, op.getRhs(), 1);
}

static void check(DotGeneralOp op, ExtentChecks &c) {
  auto dims = op.getDotDimensionNumbers();
  checkPaired(op.getLhs(), dims.getLhsBatchingDimensions(), op.getRhs(),
              dims.getRhsBatchingDimensions(), c);
  checkPaired(op.getLhs(), dims.getLhsContractingDimensions(), op.getRhs(),
              dims.getRhsContractingDimensions(), c);
  int64_t place = 0;
  for (int64_t dim : dims.getLhsBatchingDimensions())
    c.requireResult(op.getResult(), place++, op.getLhs(), dim);
  auto free = [&](Value side, ArrayRef<int64_t> batch,
                  ArrayRef<int64_t> contracted) {
    for (int64_t i = 0; i < dimsOf(side); ++i)
      if (!llvm::is_contained(batch, i) && !llvm::is_contained(contracted, i))
        c.requireResult(op.getResult(), place++, side, i);
  };
  free(op.getLhs(), dims.getLhsBatchingDimensions(),
       dims.getLhsContractingDimensions());
  free(op.getRhs(), dims.getRhsBatchingDimensions(),
       dims.getRhsContractingDimensions());
}

static void requireMultiple(Value tensor, int64_t dim, int64_t of,
                            ExtentChecks &c) {
  if (of <= 1 || !rankedType(tensor).isDynamicDim(dim))
    return;
  c.requireEqual(
      c.number(0),
      c.b.createOrFold<arith::RemUIOp>(valueOf(c.b, c.extent(tensor, dim)),
                                       indexConstant(c.b, of)),
      "expected batch and features divisible by the group counts, "
      "which leave a remainder of 0");
}

template <typename Op> static void checkConvolution(Op op, ExtentChecks &c) {
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  auto features = int64_t(op.getFeatureGroupCount()),
       batches = int64_t(op.getBatchGroupCount());
  int64_t batch = dims.getInputBatchDimension(),
          feature = dims.getInputFeatureDimension(),
          output = dims.getKernelOutputFeatureDimension();
  requireMultiple(op.getLhs(), batch, batches, c);
  requireMultiple(op.getRhs(), output, features, c);
  requireMultiple(op.getRhs(), output, batches, c);
  c.requireEqual(
      c.extent(op.getLhs(), feature),
      mulSizes(c.b,
               c.extent(op.getRhs(), dims.getKernelInputFeatureDimension()),
               c.number(features)),
      "expected as many features in the input as in the kernel");
  if (batches == 1)
    c.requireResult(op.getResult(), dims.getOutputBatchDimension(), op.getLhs(),
                    batch);
  c.requireResult(op.getResult(), dims.getOutputFeatureDimension(), op.getRhs(),
                  output);
}

static void check(ConvolutionOp op, ExtentChecks &c) {
  checkConvolution(op, c);
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  ArrayRef<int64_t> input = dims.getInputSpatialDimensions(),
                    kernel = dims.getKernelSpatialDimensions();
  SmallVector<int64_t> sizes;
  for (int64_t dim : kernel)
    sizes.push_back(rankedType(op.getRhs()).getDimSize(dim));
  if (ShapedType::isDynamicShape(sizes))
    return;
  SmallVector<Window> windows =
      readWindows(input.size(),
                  {ArrayRef(sizes), op.getWindowStrides(), op.getLhsDilation(),
                   op.getRhsDilation(), op.getPadding()});
  for (auto [i, window] : llvm::enumerate(windows))
    if (rankedType(op.getLhs()).isDynamicDim(input[i]))
      c.requireResult(
          op.getResult(), dims.getOutputSpatialDimensions()[i],
          [&] { return windowsOf(c, op.getLhs(), input[i], window); });
}

//===--- Reductions and windows -------------------------------------------===//

static void check(ReduceOp op, ExtentChecks &c) {
  checkOneShape(op.getInputs(), {}, c);
  for (Value result : op->getResults()) {
    int64_t place = 0;
    for (int64_t i = 0; i < dimsOf(op.getInputs()[0]); ++i)
      if (!llvm::is_contained(op.getDimensions(), i))
        c.requireResult(result, place++, op.getInputs()[0], i);
  }
}

static void check(ReduceWindowOp op, ExtentChecks &c) {
  checkOneShape(op.getInputs(), {}, c);
  Value first = op.getInputs()[0];
  SmallVector<Window> windows =
      readWindows(dimsOf(first), {op.getWindowDimensions(),
                                  op.getWindowStrides(), op.getBaseDilations(),
                                  op.getWindowDilations(), op.getPadding()});
  for (Value result : op->getResults())
    for (auto [i, window] : llvm::enumerate(windows))
      if (rankedType(first).isDynamicDim(i))
        c.requireResult(result, i,
                        [&] { return windowsOf(c, first, i, window); });
}

static void check(SelectAndScatterOp op, ExtentChecks &c) {
  checkOneShape(op.getOperand(), op.getResult(), c);
  SmallVector<Window> windows =
      readWindows(dimsOf(op.getOperand()), {op.getWindowDimensions(),
                                            op.getWindowStrides(),
                                            {},
                                            {},
                                            op.getPadding()});
  for (auto [i, window] : llvm::enumerate(windows)) {
    if (!rankedType(op.getOperand()).isDynamicDim(i) &&
        !rankedType(op.getSource()).isDynamicDim(i))
      continue;
    c.requireEqual(windowsOf(c, op.getOperand(), i, window),
                   c.extent(op.getSource(), i),
                   "expected a source with an element for each window in "
                   "dimension " +
                       Twine(i));
  }
}

template <typename Op> static void checkBatchNorm(Op op, ExtentChecks &c) {
  Value operand = op.getOperand();
  for (Value other : op->getOperands().drop_front()) {
    if (dimsOf(other) == 1)
      c.requireSame(operand, op.getFeatureIndex(), other, 0,
                    "expected an element for each feature");
    if (dimsOf(other) == dimsOf(operand) && dimsOf(other) > 1)
      c.requireSameShape(operand, other, "operands");
  }
  for (Value result : op->getResults())
    for (int64_t i = 0; i < dimsOf(result); ++i)
      if (dimsOf(result) == dimsOf(operand))
        c.requireResult(result, i, operand, i);
      else
        c.requireResult(result, i, operand, op.getFeatureIndex());
}

//===--- Gather and scatter -----------------------------------------------===//

/// Index vectors have a component for each dimension of `map`, and batching
/// dimensions agree.
static void checkIndices(Value operand, Value indices, ArrayRef<int64_t> map,
                         int64_t vectorDim, ArrayRef<int64_t> batching,
                         ArrayRef<int64_t> batchingOfIndices, ExtentChecks &c) {
  if (vectorDim < dimsOf(indices))
    c.requireEqual(c.number(int64_t(map.size())), c.extent(indices, vectorDim),
                   "expected a component of index vectors for each indexed "
                   "dimension");
  checkPaired(operand, batching, indices, batchingOfIndices, c);
}

template <typename Op>
static void checkGather(Op op, function_ref<OpFoldResult(int64_t)> size,
                        ExtentChecks &c) {
  GatherDimensionNumbersAttr dims = op.getDimensionNumbers();
  Value operand = op.getOperand(), indices = op.getStartIndices(),
        result = op.getResult();
  checkIndices(operand, indices, dims.getStartIndexMap(),
               dims.getIndexVectorDim(), dims.getOperandBatchingDims(),
               dims.getStartIndicesBatchingDims(), c);
  SmallVector<int64_t> kept;
  for (int64_t i = 0; i < dimsOf(operand); ++i) {
    bool isRemoved = llvm::is_contained(dims.getCollapsedSliceDims(), i) ||
                     llvm::is_contained(dims.getOperandBatchingDims(), i);
    OpFoldResult own = size(i);
    c.requireAtMost(c.number(0), own, "expected slice sizes of at least 0");
    checkWindow(operand, i, own, c);
    if (isRemoved)
      c.requireAtMost(own, c.number(1),
                      "expected a slice size of at most 1 in dimension " +
                          Twine(i));
    else
      kept.push_back(i);
  }
  int64_t batch = 0;
  size_t offset = 0;
  for (int64_t i = 0; i < dimsOf(result); ++i) {
    if (llvm::is_contained(dims.getOffsetDims(), i)) {
      if (offset < kept.size())
        c.requireResult(result, i, [&] { return size(kept[offset]); });
      ++offset;
      continue;
    }
    if (batch == int64_t(dims.getIndexVectorDim()))
      ++batch;
    c.requireResult(result, i, indices, batch++);
  }
}

static void check(GatherOp op, ExtentChecks &c) {
  checkGather(
      op, [&](int64_t i) { return c.number(op.getSliceSizes()[i]); }, c);
}

static void check(DynamicGatherOp op, ExtentChecks &c) {
  checkGather(
      op, [&](int64_t i) { return c.element(op.getSliceSizes(), i); }, c);
}

static void check(ScatterOp op, ExtentChecks &c) {
  ScatterDimensionNumbersAttr dims = op.getScatterDimensionNumbers();
  Value indices = op.getScatterIndices();
  checkOneShape(op.getInputs(), op->getResults(), c);
  checkOneShape(op.getUpdates(), {}, c);
  checkIndices(op.getInputs()[0], indices, dims.getScatterDimsToOperandDims(),
               dims.getIndexVectorDim(), dims.getInputBatchingDims(),
               dims.getScatterIndicesBatchingDims(), c);
  Value update = op.getUpdates()[0];
  int64_t batch = 0;
  for (int64_t i = 0; i < dimsOf(update); ++i) {
    if (llvm::is_contained(dims.getUpdateWindowDims(), i))
      continue;
    if (batch == int64_t(dims.getIndexVectorDim()))
      ++batch;
    c.requireSame(indices, batch, update, i,
                  "expected updates with the extent of the indices in "
                  "dimension " +
                      Twine(i));
    ++batch;
  }
}

static void check(TorchIndexSelectOp op, ExtentChecks &c) {
  for (int64_t i = 0; i < int64_t(op.getBatchDims()); ++i)
    c.requireSame(op.getOperand(), i, op.getIndex(), i,
                  "expected a batch of the same extent in dimension " +
                      Twine(i));
}

//===--- Linear algebra ---------------------------------------------------===//

static void requireSquare(Value matrix, ExtentChecks &c) {
  int64_t rank = dimsOf(matrix);
  c.requireSame(matrix, rank - 2, matrix, rank - 1, "expected square matrices");
}

static void check(CholeskyOp op, ExtentChecks &c) {
  requireSquare(op.getA(), c);
  checkOneShape(op.getA(), op.getResult(), c);
}

static void check(TriangularSolveOp op, ExtentChecks &c) {
  int64_t rank = dimsOf(op.getA());
  requireSquare(op.getA(), c);
  for (int64_t i = 0; i < rank - 2; ++i)
    c.requireSame(op.getA(), i, op.getB(), i,
                  "expected a batch of the same extent in dimension " +
                      Twine(i));
  c.requireSame(op.getA(), rank - 1, op.getB(),
                op.getLeftSide() ? rank - 2 : rank - 1,
                "expected matrices of fitting extents");
}

static void check(FftOp op, ExtentChecks &c) {
  ArrayRef<int64_t> lengths = op.getFftLength();
  int64_t first = dimsOf(op.getOperand()) - int64_t(lengths.size());
  for (auto [i, length] : llvm::enumerate(lengths)) {
    bool isHalf = op.getFftType() == FftType::IRFFT && i + 1 == lengths.size();
    c.requireEqual(c.number(isHalf ? length / 2 + 1 : length),
                   c.extent(op.getOperand(), first + int64_t(i)),
                   "expected the extent of the transform in dimension " +
                       Twine(first + int64_t(i)));
  }
}

//===--- All --------------------------------------------------------------===//

void checkExtents(Operation *op, ExtentChecks &c) {
  auto areTensors = [](ValueRange values) {
    return llvm::all_of(values, [](Value value) {
      return isa<RankedTensorType>(value.getType());
    });
  };
  if (!areTensors(op->getOperands()) || !areTensors(op->getResults()) ||
      op->getNumOperands() == 0)
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case<BitcastConvertOp, BroadcastInDimOp, BroadcastOp, CholeskyOp,
            ConcatenateOp, ConvolutionOp, DotGeneralOp, DotOp,
            DynamicBroadcastInDimOp, DynamicGatherOp, DynamicIotaOp,
            DynamicPadOp, DynamicReshapeOp, DynamicSliceOp,
            DynamicUpdateSliceOp, FftOp, GatherOp, PadOp, RealDynamicSliceOp,
            ReduceOp, ReduceWindowOp, ReshapeOp, RngOp, ScatterOp,
            SelectAndScatterOp, SliceOp, TorchIndexSelectOp, TransposeOp,
            TriangularSolveOp>([&](auto own) { check(own, c); })
      .Case<BatchNormGradOp, BatchNormInferenceOp, BatchNormTrainingOp>(
          [&](auto own) { checkBatchNorm(own, c); })
      .Case<DynamicConvOp>([&](auto own) { checkConvolution(own, c); })
      .Case<ReverseOp>([&](auto own) {
        checkOneShape(own.getOperand(), own.getResult(), c);
      })
      .Case<SortOp>([&](auto own) {
        checkOneShape(own.getInputs(), own->getResults(), c);
      })
      .Default([&](Operation *own) {
        if (own->hasTrait<Elementwise>())
          checkElementwise(own, c);
      });
}

} // namespace mercator::stablehlo
