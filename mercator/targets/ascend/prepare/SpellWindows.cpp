// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/prepare/SpellWindows.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/operators/Reductions.h"
#include "mercator/targets/ascend/operators/WindowSteps.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

namespace sh = mercator::stablehlo;

using Ints = WindowInts;

static constexpr int64_t kMostPositions = 1024;

//===--- Operations -------------------------------------------------------===//

namespace {
class Speller : public WindowSteps {
public:
  using WindowSteps::WindowSteps;

  bool window(sh::ReduceWindowOp op);
  bool convolution(sh::ConvolutionOp op);

private:
  Value part(Value x, int64_t dim, int64_t from, int64_t count, int64_t stride);
  Value combine(Operation *root, Value x, Value y);
  Value along(Operation *root, Value x, int64_t dim, int64_t size,
              int64_t dilation, int64_t stride, int64_t count);
};
} // namespace

/// `count` elements along a dimension.
Value Speller::part(Value x, int64_t dim, int64_t from, int64_t count,
                    int64_t stride) {
  Ints begin(shapeOf(x).size(), 0), end(shapeOf(x)), strides(begin.size(), 1);
  begin[dim] = from;
  end[dim] = from + (count - 1) * stride + 1;
  strides[dim] = stride;
  return slice(x, begin, end, strides);
}

Value Speller::combine(Operation *root, Value x, Value y) {
  OperationState state(b.getLoc(), root->getName());
  state.addOperands({x, y});
  state.addTypes(x.getType());
  return b.create(state)->getResult(0);
}

//===--- Windows ----------------------------------------------------------===//

/// y[i] = x[i * stride] ⊕ x[i * stride + dilation] ⊕ .., of `size` elements,
/// for i < count.
Value Speller::along(Operation *root, Value x, int64_t dim, int64_t size,
                     int64_t dilation, int64_t stride, int64_t count) {
  Value result;
  auto take = [&](Value from, int64_t first) {
    Value piece = part(from, dim, first, count, stride);
    result = result ? combine(root, result, piece) : piece;
  };
  // With long strides most elements of the doubled windows are not needed.
  if (size <= 2 * stride && size <= 16) {
    for (int64_t k = 0; k < size; ++k)
      take(x, k * dilation);
    return result;
  }
  int64_t first = 0;
  for (int64_t width = 1; width <= size; width *= 2) {
    if (size & width) {
      take(x, first * dilation);
      first += width;
    }
    if (width * 2 > size)
      break;
    int64_t longer = shapeOf(x)[dim] - width * dilation;
    x = combine(root, part(x, dim, 0, longer, 1),
                part(x, dim, width * dilation, longer, 1));
  }
  return result;
}

bool Speller::window(sh::ReduceWindowOp op) {
  Operation *root = combinerOf(op);
  if (!root)
    return false;
  Value x = op.getInputs()[0], init = op.getInitValues()[0];
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  size_t rank = type.getRank();
  Ints sizes(op.getWindowDimensions()),
      strides = orOnes(op.getWindowStrides(), rank),
      dilations = orOnes(op.getWindowDilations(), rank);
  auto [low, high] = paddingOf(op.getPadding(), rank);
  x = pad(x, init, low, high, orOnes(op.getBaseDilations(), rank));
  for (auto [dim, size] : llvm::enumerate(sizes))
    x = along(root, x, dim, size, dilations[dim], strides[dim],
              type.getDimSize(dim));
  std::optional<Reduction> by = reductionOf(root, type.getElementType());
  if (!by || !isIdentity(init, *by, type.getElementType()))
    x = combine(root, x,
                sh::BroadcastInDimOp::create(b, type, init, array({})));
  op.getResult(0).replaceAllUsesWith(x);
  op.erase();
  return true;
}

//===--- Convolutions -----------------------------------------------------===//

bool Speller::convolution(sh::ConvolutionOp op) {
  Value x = op.getLhs(), kernel = op.getRhs();
  auto from = dyn_cast<RankedTensorType>(x.getType()),
       filter = dyn_cast<RankedTensorType>(kernel.getType()),
       type = dyn_cast<RankedTensorType>(op.getResult().getType());
  if (!from || !filter || !type || !from.hasStaticShape() ||
      !filter.hasStaticShape() || !type.hasStaticShape() ||
      op.getBatchGroupCount() != 1 || type.getNumElements() == 0 ||
      from.getNumElements() == 0 || filter.getNumElements() == 0 ||
      !from.getElementType().isIntOrFloat() ||
      !filter.getElementType().isIntOrFloat())
    return false;
  sh::ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  size_t spatial = dims.getInputSpatialDimensions().size();
  int64_t groups = op.getFeatureGroupCount();

  // x: batch, spatial dimensions, features.
  Ints order{dims.getInputBatchDimension()};
  llvm::append_range(order, dims.getInputSpatialDimensions());
  order.push_back(dims.getInputFeatureDimension());
  x = transpose(x, order);
  // kernel: spatial dimensions, input features, output features.
  order.assign(dims.getKernelSpatialDimensions().begin(),
               dims.getKernelSpatialDimensions().end());
  order.push_back(dims.getKernelInputFeatureDimension());
  order.push_back(dims.getKernelOutputFeatureDimension());
  kernel = transpose(kernel, order);
  Ints extents(shapeOf(kernel).take_front(spatial)), reversed;
  int64_t positions = 1, features = shapeOf(kernel)[spatial],
          channels = shapeOf(kernel)[spatial + 1];
  for (int64_t extent : extents)
    positions *= extent;
  if (positions > kMostPositions)
    return false;
  if (std::optional<ArrayRef<bool>> reversal = op.getWindowReversal())
    for (auto [i, isReversed] : llvm::enumerate(*reversal))
      if (isReversed)
        reversed.push_back(i);
  kernel = reverse(kernel, reversed);

  auto [low, high] = paddingOf(op.getPadding(), spatial);
  Ints strides = orOnes(op.getWindowStrides(), spatial),
       dilations = orOnes(op.getRhsDilation(), spatial),
       between = orOnes(op.getLhsDilation(), spatial);
  for (Ints *edges : {&low, &high}) {
    edges->insert(edges->begin(), 0);
    edges->push_back(0);
  }
  between.insert(between.begin(), 1);
  between.push_back(1);
  x = pad(x, zero(from.getElementType()), low, high, between);

  // A slice for each position of the kernel: batch, places, groups, features.
  Ints places;
  for (int64_t dim : dims.getOutputSpatialDimensions())
    places.push_back(type.getDimSize(dim));
  int64_t batch = shapeOf(x)[0], rows = batch;
  for (int64_t extent : places)
    rows *= extent;
  SmallVector<Value> slices;
  Ints at(spatial, 0);
  for (int64_t k = 0; k < positions; ++k) {
    Ints begin{0}, end{batch}, steps{1};
    for (size_t i = 0; i < spatial; ++i) {
      begin.push_back(at[i] * dilations[i]);
      end.push_back(begin.back() + (places[i] - 1) * strides[i] + 1);
      steps.push_back(strides[i]);
    }
    begin.push_back(0);
    end.push_back(shapeOf(x).back());
    steps.push_back(1);
    slices.push_back(
        reshape(slice(x, begin, end, steps), {rows, groups, features}));
    for (size_t i = spatial; i-- > 0;) {
      if (++at[i] < extents[i])
        break;
      at[i] = 0;
    }
  }
  int64_t width = positions * features, each = channels / groups;
  Value columns = slices[0];
  if (slices.size() > 1)
    columns = sh::ConcatenateOp::create(b, like(x, {rows, groups, width}),
                                        slices, b.getI64IntegerAttr(2));

  MLIRContext *context = b.getContext();
  Value y;
  auto product = [&](Value left, Value right, ArrayRef<int64_t> shape,
                     ArrayRef<int64_t> leftBatch, ArrayRef<int64_t> rightBatch,
                     int64_t leftSum, int64_t rightSum) {
    auto numbers = sh::DotDimensionNumbersAttr::get(
        context, leftBatch, rightBatch, {leftSum}, {rightSum});
    return sh::DotGeneralOp::create(b, type.clone(shape), left, right, numbers,
                                    op.getPrecisionConfigAttr(), nullptr);
  };
  if (groups == 1) {
    y = product(reshape(columns, {rows, width}),
                reshape(kernel, {width, channels}), {rows, channels}, {}, {}, 1,
                0);
  } else {
    // Output channels of one group are neighbors.
    Value matrices =
        reshape(transpose(reshape(kernel, {width, groups, each}), {1, 0, 2}),
                {groups, width, each});
    Value turned = transpose(columns, {1, 0, 2});
    y = product(turned, matrices, {groups, rows, each}, {0}, {0}, 2, 1);
    y = reshape(transpose(y, {1, 0, 2}), {rows, channels});
  }
  Ints shape{batch};
  shape.append(places);
  shape.push_back(channels);
  y = reshape(y, shape);
  // From batch, places, channels to the order of the result.
  Ints back(spatial + 2, 0);
  back[dims.getOutputBatchDimension()] = 0;
  for (auto [i, dim] : llvm::enumerate(dims.getOutputSpatialDimensions()))
    back[dim] = i + 1;
  back[dims.getOutputFeatureDimension()] = spatial + 1;
  op.getResult().replaceAllUsesWith(transpose(y, back));
  op.erase();
  return true;
}

void ascend::spellWindows(ModuleOp module) {
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (isa<sh::ReduceWindowOp, sh::ConvolutionOp>(op))
      found.push_back(op);
  });
  for (Operation *op : found) {
    Speller speller(op);
    if (auto window = dyn_cast<sh::ReduceWindowOp>(op))
      (void)speller.window(window);
    else
      (void)speller.convolution(cast<sh::ConvolutionOp>(op));
  }
}
