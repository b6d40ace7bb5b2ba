// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/rules/ConvertWindows.h"

#include "mercator/dialects/ascend/Registry.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/operators/Elements.h"
#include "mercator/targets/ascend/operators/Reductions.h"
#include "mercator/targets/ascend/operators/WindowSteps.h"
#include "mercator/targets/ascend/rules/Convert.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

namespace sh = mercator::stablehlo;

using Ints = WindowInts;

//===--- Limits -----------------------------------------------------------===//

// From hicann/ops-nn, e5c3fa9 (2026-08-22), common/inc/op_graph/
// op_nn_proto_extend.h, the constraints of Conv2D and Conv3D.
static constexpr int64_t kMostHeight = 100000, kMostWidth = 4096,
                         kMostKernel = 511, kMostStride = 63, kMostPad = 255,
                         kMostDilation = 255, kMostGroups = 65535,
                         kMostBlockElements = 65535,
                         kMostElements = INT32_MAX - 1;
// pooling/max_pool_v3/op_graph/max_pool_v3_proto.h and pooling/avg_pool_v2/
// op_graph/avg_pool_v2_proto.h: the elements of a window. Both have the limit on
// strides that convolutions have.
static constexpr int64_t kMostPooled = 255;

namespace {
class WindowConverter : public WindowSteps {
public:
  WindowConverter(Operation *op, const Device &device)
      : WindowSteps(op), device(device) {}

  sh::ConvolutionOp removeBatchGroups(sh::ConvolutionOp op);
  Value convolution(sh::ConvolutionOp op);
  Value maxPool(sh::ReduceWindowOp op);
  Value averagePool(sh::DivOp op, sh::ReduceWindowOp sum);
  Value cumulativeSum(sh::ReduceWindowOp op);

private:
  bool isTaken(StringRef type, Type element) const {
    return takes(type, element) &&
           whyNotOnCore(device, type, name(*geType(element))).empty();
  }
  DenseI64ArrayAttr list(ArrayRef<int64_t> values) {
    return b.getDenseI64ArrayAttr(values);
  }
  /// Null if all values are the default `value`.
  DenseI64ArrayAttr unless(int64_t value, ArrayRef<int64_t> values) {
    bool isDefault =
        llvm::all_of(values, [&](int64_t it) { return it == value; });
    return isDefault ? DenseI64ArrayAttr() : list(values);
  }

  const Device &device;
};
} // namespace

//===--- Convolutions -----------------------------------------------------===//

static bool isStatic(ValueRange values) {
  return llvm::all_of(values, [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.hasStaticShape() && type.getNumElements() > 0;
  });
}

/// Without batch groups. G of them split the batch and the output features:
/// batches that belong together become features of one batch.
///
///   x[G * n, c]   reshape [G, n, c], transpose [n, G, c], reshape [n, G * c]
sh::ConvolutionOp WindowConverter::removeBatchGroups(sh::ConvolutionOp op) {
  int64_t groups = op.getBatchGroupCount();
  if (groups == 1 || !isStatic({op.getLhs(), op.getRhs(), op.getResult()}))
    return op;
  Value x = op.getLhs();
  int64_t batch = op.getDimensionNumbers().getInputBatchDimension(),
          feature = op.getDimensionNumbers().getInputFeatureDimension();
  Ints split(shapeOf(x)), order, merged(shapeOf(x));
  split[batch] /= groups;
  split.insert(split.begin() + batch, groups);
  // In `split` the groups are dimension `batch`, and later dimensions one later.
  for (int64_t dim = 0, rank = split.size(); dim < rank; ++dim) {
    if (dim == batch)
      continue;
    if (dim == feature + (feature > batch))
      order.push_back(batch);
    order.push_back(dim);
  }
  merged[batch] /= groups;
  merged[feature] *= groups;
  x = reshape(transpose(reshape(x, split), order), merged);
  auto made = cast<sh::ConvolutionOp>(b.clone(*op));
  made.getLhsMutable().assign(x);
  made.setBatchGroupCountAttr(b.getI64IntegerAttr(1));
  made.setFeatureGroupCountAttr(b.getI64IntegerAttr(groups));
  op.getResult().replaceAllUsesWith(made.getResult());
  op.erase();
  return made;
}

/// Whether height and width, the last two dimensions, are within the limits.
static bool isWithinLimits(ArrayRef<int64_t> x, ArrayRef<int64_t> kernel,
                           ArrayRef<int64_t> strides,
                           ArrayRef<int64_t> dilations, int64_t groups,
                           unsigned bits) {
  size_t width = x.size() - 1;
  // For a volume: the kernel's positions in blocks of 32 bytes of channels.
  if (x.size() == 5 &&
      kernel[3] * kernel[4] * (32 * 8 / bits) > kMostBlockElements)
    return false;
  for (size_t dim : {width - 1, width})
    if (kernel[dim] > kMostKernel || strides[dim] > kMostStride ||
        dilations[dim] > kMostDilation)
      return false;
  return x[width - 1] <= kMostHeight && x[width] <= kMostWidth &&
         groups <= kMostGroups;
}

static bool isSmall(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    if (llvm::MulOverflow(count, extent, count) || count > kMostElements)
      return false;
  return true;
}

Value WindowConverter::convolution(sh::ConvolutionOp op) {
  sh::ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  size_t spatial = dims.getInputSpatialDimensions().size();
  if (spatial < 1 || spatial > 3 || op.getBatchGroupCount() != 1 ||
      !isStatic({op.getLhs(), op.getRhs(), op.getResult()}))
    return nullptr;
  Type element = elementOf(op.getLhs());
  bool isVolume = spatial == 3;
  if (elementOf(op.getRhs()) != element ||
      elementOf(op.getResult()) != element ||
      !isTaken(isVolume ? "Conv3D" : "Conv2D", element))
    return nullptr;

  // The window, with batches and channels first.
  Ints order{dims.getInputBatchDimension(), dims.getInputFeatureDimension()};
  llvm::append_range(order, dims.getInputSpatialDimensions());
  Ints kernelOrder{dims.getKernelOutputFeatureDimension(),
                   dims.getKernelInputFeatureDimension()};
  llvm::append_range(kernelOrder, dims.getKernelSpatialDimensions());
  Ints shape, kernelShape;
  for (auto [dim, kernelDim] : llvm::zip_equal(order, kernelOrder)) {
    shape.push_back(shapeOf(op.getLhs())[dim]);
    kernelShape.push_back(shapeOf(op.getRhs())[kernelDim]);
  }
  Ints strides = orOnes(op.getWindowStrides(), spatial),
       dilations = orOnes(op.getRhsDilation(), spatial),
       between = orOnes(op.getLhsDilation(), spatial);
  auto [low, high] = paddingOf(op.getPadding(), spatial);
  for (Ints *each : {&strides, &dilations, &between})
    each->insert(each->begin(), 2, 1);
  for (Ints *each : {&low, &high})
    each->insert(each->begin(), 2, 0);

  // A negative or long padding, and zeros between elements, are a padding
  // before. TorchAir, fced884, warns that releases of CANN before 2024 need
  // a padding of a Conv3D that is smaller than the kernel (ge_converter/aten/
  // convolution.py).
  Ints padLow(low.size(), 0), padHigh(low.size(), 0), pads;
  for (size_t i = 2; i < low.size(); ++i) {
    int64_t reach = (kernelShape[i] - 1) * dilations[i] + 1,
            most = isVolume ? std::min(kMostPad, reach - 1) : kMostPad,
            extent = (shape[i] - 1) * between[i] + 1;
    bool isLong = low[i] > most || high[i] > most;
    padLow[i] = isLong ? low[i] : std::min<int64_t>(low[i], 0);
    padHigh[i] = isLong ? high[i] : std::min<int64_t>(high[i], 0);
    if (extent + padLow[i] + padHigh[i] < 1) {
      padLow[i] = low[i];
      padHigh[i] = high[i];
    }
    shape[i] = extent + padLow[i] + padHigh[i];
    pads.append({low[i] - padLow[i], high[i] - padHigh[i]});
  }
  Ints windows{shape[0], kernelShape[0]};
  for (int64_t dim : dims.getOutputSpatialDimensions())
    windows.push_back(shapeOf(op.getResult())[dim]);
  Ints result(windows);
  // One dimension is the width of an image, or its height where it is long.
  if (spatial == 1) {
    size_t other = shape[2] <= kMostWidth ? 2 : 3;
    for (Ints *each : {&shape, &kernelShape, &windows, &strides, &dilations})
      each->insert(each->begin() + other, 1);
    pads.insert(pads.begin() + 2 * (other - 2), 2, 0);
  }
  int64_t groups = op.getFeatureGroupCount();
  if (!isWithinLimits(shape, kernelShape, strides, dilations, groups,
                      element.getIntOrFloatBitWidth()) ||
      !isSmall(shape) || !isSmall(kernelShape) || !isSmall(windows))
    return nullptr;

  tellDropped(op, op.getPrecisionConfig());
  Value x = pad(transpose(op.getLhs(), order), zero(element), padLow, padHigh,
                between);
  Value kernel = transpose(op.getRhs(), kernelOrder);
  Ints reversed;
  if (std::optional<ArrayRef<bool>> reversal = op.getWindowReversal())
    for (auto [i, isReversed] : llvm::enumerate(*reversal))
      if (isReversed)
        reversed.push_back(2 + int64_t(i));
  kernel = reshape(reverse(kernel, reversed), kernelShape);
  x = reshape(x, shape);
  auto make = [&]<typename Op>(Op *) -> Value {
    return Op::create(b, like(x, windows), x, kernel, list(strides), list(pads),
                      unless(1, dilations),
                      groups == 1 ? IntegerAttr()
                                  : b.getI64IntegerAttr(groups));
  };
  Value y = isVolume ? make((Conv3DOp *)nullptr) : make((Conv2DOp *)nullptr);
  Ints back(spatial + 2, 0);
  back[dims.getOutputBatchDimension()] = 0;
  back[dims.getOutputFeatureDimension()] = 1;
  for (auto [i, dim] : llvm::enumerate(dims.getOutputSpatialDimensions()))
    back[dim] = 2 + int64_t(i);
  return transpose(reshape(y, result), back);
}

//===--- Poolings ---------------------------------------------------------===//

namespace {
/// Windows of two dimensions, as poolings of images NCHW have them.
struct Pooling {
  Ints order; ///< of the dimensions: height and width last
  Ints ksize, strides, pads;
};
} // namespace

/// The windows of an operation, if a pooling can have them.
static std::optional<Pooling> poolingOf(sh::ReduceWindowOp op) {
  size_t rank = shapeOf(op.getInputs()[0]).size();
  Ints sizes(op.getWindowDimensions()),
      strides = orOnes(op.getWindowStrides(), rank),
      dilations = orOnes(op.getWindowDilations(), rank);
  auto [low, high] = paddingOf(op.getPadding(), rank);
  if (!llvm::all_of(orOnes(op.getBaseDilations(), rank),
                    [](int64_t dilation) { return dilation == 1; }))
    return std::nullopt;
  Pooling pooling{{}, {1, 1}, {1, 1}, {}};
  Ints image;
  int64_t elements = 1;
  for (size_t dim = 0; dim < rank; ++dim) {
    if (sizes[dim] == 1 && strides[dim] == 1 && low[dim] == 0 &&
        high[dim] == 0) {
      pooling.order.push_back(int64_t(dim));
      continue;
    }
    // max_pool_v3_proto.h: the padding on a side is less than the window.
    // pooling/max_pool_v3/README.md: that on both sides is at most the window.
    if ((dilations[dim] != 1 && sizes[dim] != 1) || low[dim] < 0 ||
        high[dim] < 0 || low[dim] >= sizes[dim] || high[dim] >= sizes[dim] ||
        low[dim] + high[dim] > sizes[dim] || strides[dim] > kMostStride ||
        sizes[dim] > kMostPooled)
      return std::nullopt;
    image.push_back(int64_t(dim));
    elements *= sizes[dim];
    pooling.ksize.push_back(sizes[dim]);
    pooling.strides.push_back(strides[dim]);
    pooling.pads.append({low[dim], high[dim]});
  }
  if (image.size() != 2 || elements > kMostPooled)
    return std::nullopt;
  pooling.order.append(image);
  return pooling;
}

/// Other dimensions than height and width become batches and channels.
static Ints imageShape(ArrayRef<int64_t> shape) {
  Ints image(shape.take_back(2));
  ArrayRef<int64_t> others = shape.drop_back(2);
  int64_t channels = 1;
  for (int64_t extent : others.drop_front(others.size() > 1))
    channels *= extent;
  image.insert(image.begin(),
               {others.size() > 1 ? others.front() : 1, channels});
  return image;
}

/// Applies `make` to the image and gives its result the order of `x`.
static Value asImage(WindowSteps &steps, Value x, const Pooling &pooling,
                     ArrayRef<int64_t> resultShape,
                     llvm::function_ref<Value(Value, RankedTensorType)> make) {
  Ints turned, back(pooling.order.size(), 0);
  for (auto [i, dim] : llvm::enumerate(pooling.order)) {
    turned.push_back(resultShape[dim]);
    back[dim] = int64_t(i);
  }
  Value image = steps.transpose(x, pooling.order);
  image = steps.reshape(image, imageShape(shapeOf(image)));
  Value y = make(image, WindowSteps::like(image, imageShape(turned)));
  return steps.transpose(steps.reshape(y, turned), back);
}

// A NaN in a window is assumed to be its maximum, as in ReduceMax.
Value WindowConverter::maxPool(sh::ReduceWindowOp op) {
  Operation *root = combinerOf(op);
  Value x = op.getInputs()[0];
  if (!root || !isa<sh::MaxOp>(root) || !isa<FloatType>(elementOf(x)) ||
      !isTaken("MaxPoolV3", elementOf(x)) ||
      !isIdentity(op.getInitValues()[0], Reduction::Greatest, elementOf(x)))
    return nullptr;
  std::optional<Pooling> pooling = poolingOf(op);
  if (!pooling)
    return nullptr;
  return asImage(*this, x, *pooling, shapeOf(op.getResult(0)),
                 [&](Value image, RankedTensorType type) -> Value {
                   return MaxPoolV3Op::create(
                       b, type, image, list(pooling->ksize),
                       list(pooling->strides), unless(0, pooling->pads));
                 });
}

/// Whether a type has all whole numbers up to 255, so that a conversion to it
/// does not change them.
static bool isWide(Type element) {
  return isa<FloatType>(element)
             ? element.getIntOrFloatBitWidth() >= 16
             : element.isInteger() && element.getIntOrFloatBitWidth() >= 32;
}

/// Whether all elements of a value are a number from 1 to 255.
static bool isEverywhere(Value value, int64_t number) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<sh::BroadcastInDimOp, sh::ConvertOp>(op) ||
        !isWide(elementOf(value)))
      break;
    value = op->getOperand(0);
  }
  DenseElementsAttr known;
  if (!matchPattern(value, m_Constant(&known)) || !known.isSplat() ||
      !isWide(known.getElementType()))
    return false;
  if (isa<FloatType>(known.getElementType()))
    return known.getSplatValue<APFloat>().convertToDouble() == double(number);
  return known.getSplatValue<APInt>() == uint64_t(number);
}

/// Whether windows of ones along the same two dimensions are summed: the number
/// of elements of each window. Other dimensions may have extent 1.
static bool countsElements(Value value, sh::ReduceWindowOp sum,
                           const Pooling &pooling) {
  auto isSpread = [&](Operation *op) {
    auto broadcast = dyn_cast<sh::BroadcastInDimOp>(op);
    return broadcast &&
           llvm::equal(broadcast.getBroadcastDimensions(),
                       llvm::seq<int64_t>(0, pooling.order.size()));
  };
  while (Operation *op = value.getDefiningOp()) {
    if (!isSpread(op) &&
        !(isa<sh::ConvertOp>(op) && isWide(elementOf(op->getOperand(0)))))
      break;
    value = op->getOperand(0);
  }
  auto counts = value.getDefiningOp<sh::ReduceWindowOp>();
  if (!counts || !isa_and_nonnull<sh::AddOp>(combinerOf(counts)) ||
      !isWide(elementOf(value)) || !isEverywhere(counts.getInputs()[0], 1) ||
      !isIdentity(counts.getInitValues()[0], Reduction::Sum, elementOf(value)))
    return false;
  std::optional<Pooling> other = poolingOf(counts);
  if (!other || other->order != pooling.order ||
      other->ksize != pooling.ksize || other->strides != pooling.strides ||
      other->pads != pooling.pads)
    return false;
  return llvm::all_of(ArrayRef(pooling.order).take_back(2), [&](int64_t dim) {
    return shapeOf(counts.getInputs()[0])[dim] ==
           shapeOf(sum.getInputs()[0])[dim];
  });
}

// All elements are assumed to be finite: AvgPoolV2 may give a NaN for other
// channels than that of an infinity (avg_pool_v2_proto.h).
Value WindowConverter::averagePool(sh::DivOp op, sh::ReduceWindowOp sum) {
  Operation *root = combinerOf(sum);
  Value x = sum.getInputs()[0];
  if (!root || !isa<sh::AddOp>(root) || !isa<FloatType>(elementOf(x)) ||
      !isTaken("AvgPoolV2", elementOf(x)) ||
      !isIdentity(sum.getInitValues()[0], Reduction::Sum, elementOf(x)))
    return nullptr;
  std::optional<Pooling> pooling = poolingOf(sum);
  if (!pooling)
    return nullptr;
  bool isPadded =
      llvm::any_of(pooling->pads, [](int64_t pad) { return pad != 0; });
  bool isExclusive = true;
  if (!countsElements(op.getRhs(), sum, *pooling)) {
    if (!isEverywhere(op.getRhs(), pooling->ksize[2] * pooling->ksize[3]))
      return nullptr;
    isExclusive = !isPadded;
    // TorchAir, fced884, writes no other means of float16 than those without
    // padding (ge_converter/aten/avg_pool2d.py).
    if (!isExclusive && elementOf(x).isF16())
      return nullptr;
  }
  return asImage(*this, x, *pooling, shapeOf(op.getResult()),
                 [&](Value image, RankedTensorType type) -> Value {
                   return AvgPoolV2Op::create(
                       b, type, image, list(pooling->ksize),
                       list(pooling->strides), unless(0, pooling->pads),
                       isExclusive ? BoolAttr() : b.getBoolAttr(false));
                 });
}

//===--- Cumulative sums --------------------------------------------------===//

/// A window as long as the dimension: it ends at each element, before it,
/// begins at it, or after it.
///
///   padding   sum of
///   n-1, 0    x[0..i]
///   n, -1     x[0..i-1]
///   0, n-1    x[i..]
///   -1, n     x[i+1..]
Value WindowConverter::cumulativeSum(sh::ReduceWindowOp op) {
  Operation *root = combinerOf(op);
  Value x = op.getInputs()[0];
  if (!root || !isa<sh::AddOp>(root) || elementOf(x).isInteger(1) ||
      !elementOf(x).isIntOrFloat() || !geType(elementOf(x)))
    return nullptr;
  Type element = elementOf(x);
  if (!isIdentity(op.getInitValues()[0], Reduction::Sum, element))
    return nullptr;
  ArrayRef<int64_t> shape = shapeOf(x);
  size_t rank = shape.size();
  auto [low, high] = paddingOf(op.getPadding(), rank);
  auto isOne = [](int64_t value) { return value == 1; };
  if (!llvm::all_of(orOnes(op.getWindowStrides(), rank), isOne) ||
      !llvm::all_of(orOnes(op.getBaseDilations(), rank), isOne) ||
      !llvm::all_of(orOnes(op.getWindowDilations(), rank), isOne))
    return nullptr;
  std::optional<int64_t> axis;
  for (auto [dim, size] : llvm::enumerate(op.getWindowDimensions())) {
    if (size == 1 && low[dim] == 0 && high[dim] == 0)
      continue;
    if (axis || size != shape[dim] || low[dim] + high[dim] != size - 1)
      return nullptr;
    axis = int64_t(dim);
  }
  if (!axis || shape[*axis] < 2)
    return nullptr;
  int64_t before = low[*axis], after = high[*axis];
  bool isExclusive = before == -1 || after == -1,
       isReverse = before == (isExclusive ? -1 : 0);
  if (!isExclusive && before != 0 && after != 0)
    return nullptr;
  // GE does not define overflow for integers below 32 bits.
  bool isNarrow =
      isa<IntegerType>(element) && element.getIntOrFloatBitWidth() < 32;
  Type wide = isNarrow ? b.getI32Type() : element;
  if (!isTaken("Cumsum", wide))
    return nullptr;
  RankedTensorType from = typeOf(x);
  if (isNarrow)
    x = sh::ConvertOp::create(b, from.clone(wide), x);
  Value y = CumsumOp::create(b, x.getType(), x,
                             constantScalar(b, b.getI64Type(), *axis),
                             isExclusive ? b.getBoolAttr(true) : BoolAttr(),
                             isReverse ? b.getBoolAttr(true) : BoolAttr());
  return isNarrow ? Value(sh::ConvertOp::create(b, from, y)) : y;
}

//===--- All --------------------------------------------------------------===//

static bool replace(Operation *op, Value by) {
  if (!by)
    return false;
  op->getResult(0).replaceAllUsesWith(by);
  op->erase();
  return true;
}

void ascend::convertWindows(ModuleOp module, const Device &device) {
  SmallVector<sh::DivOp> quotients;
  module.walk([&](sh::DivOp op) {
    auto sum = op.getLhs().getDefiningOp<sh::ReduceWindowOp>();
    if (sum && sum.getResult(0).hasOneUse())
      quotients.push_back(op);
  });
  for (sh::DivOp op : quotients) {
    auto sum = op.getLhs().getDefiningOp<sh::ReduceWindowOp>();
    Operation *counts = op.getRhs().getDefiningOp();
    if (!replace(op, WindowConverter(op, device).averagePool(op, sum)))
      continue;
    sum.erase();
    // The windows of ones, and their broadcast.
    while (counts && isOpTriviallyDead(counts) && counts->getNumOperands()) {
      Operation *next = counts->getOperand(0).getDefiningOp();
      counts->erase();
      counts = next;
    }
  }
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (isa<sh::ReduceWindowOp, sh::ConvolutionOp>(op))
      found.push_back(op);
  });
  for (Operation *op : found) {
    if (auto convolution = dyn_cast<sh::ConvolutionOp>(op)) {
      convolution = WindowConverter(op, device).removeBatchGroups(convolution);
      replace(convolution,
              WindowConverter(convolution, device).convolution(convolution));
      continue;
    }
    WindowConverter converter(op, device);
    auto window = cast<sh::ReduceWindowOp>(op);
    Value made = converter.maxPool(window);
    replace(op, made ? made : converter.cumulativeSum(window));
  }
}
