// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Convolution, dynamic_conv.
//
// A named operation of linalg where one has the layout; else a linalg.generic
// that reads the operands as they are. No operand is transposed.

#include "mercator/dialects/stablehlo/Verify.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"
#include "mercator/transforms/stablehlo/rules/ConvolutionOperands.h"
#include "mercator/transforms/stablehlo/rules/MultiplyAdd.h"
#include "mercator/transforms/stablehlo/scalars/Promotion.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <string>

using namespace mlir;

namespace mercator::stablehlo {

namespace {
class Convolution {
public:
  Convolution(Lowering &l, const MultiplyAdd &step,
              ConvDimensionNumbersAttr dims, int64_t featureGroups,
              int64_t batchGroups, ArrayRef<ConvWindow> windows)
      : b(l.b), type(l.type()), step(step), dims(dims),
        featureGroups(featureGroups), batchGroups(batchGroups),
        windows(windows) {}

  /// The sums, as a tensor of the shape of the result.
  Value lower(Value lhs, Value kernel);

private:
  Value named(Value lhs, Value kernel, ArrayRef<OpFoldResult> sizes);
  Value depthwise(Value lhs, Value kernel, ArrayRef<OpFoldResult> sizes);
  Value any(Value lhs, Value kernel, ArrayRef<OpFoldResult> sizes);

  template <typename Op>
  Value create(Value lhs, Value kernel, ArrayRef<OpFoldResult> sizes) {
    Value init = zeros(sizes);
    SmallVector<int64_t> strides, dilations;
    for (const ConvWindow &window : windows) {
      strides.push_back(window.stride);
      dilations.push_back(window.rhsDilation);
    }
    return Op::create(b, TypeRange{init.getType()}, ValueRange{lhs, kernel},
                      ValueRange{init}, b.getI64TensorAttr(strides),
                      b.getI64TensorAttr(dilations))
        ->getResult(0);
  }
  /// The roles of all dimensions, such as "b01f" for lhs, "01io" for the kernel
  /// and "b01f" for the result. Spatial dimensions are numbered.
  [[nodiscard]] std::string layout() const;
  Value zeros(ArrayRef<OpFoldResult> sizes) {
    return filled(b, sizes, zero(b, step.sumType()));
  }

  ImplicitLocOpBuilder &b;
  RankedTensorType type;
  const MultiplyAdd &step;
  ConvDimensionNumbersAttr dims;
  int64_t featureGroups, batchGroups;
  SmallVector<ConvWindow> windows;
};
} // namespace

std::string Convolution::layout() const {
  size_t rank = windows.size() + 2;
  std::string lhs(rank, ' '), kernel(rank, ' '), result(rank, ' ');
  lhs[size_t(dims.getInputBatchDimension())] = 'b';
  lhs[size_t(dims.getInputFeatureDimension())] = 'f';
  kernel[size_t(dims.getKernelInputFeatureDimension())] = 'i';
  kernel[size_t(dims.getKernelOutputFeatureDimension())] = 'o';
  result[size_t(dims.getOutputBatchDimension())] = 'b';
  result[size_t(dims.getOutputFeatureDimension())] = 'f';
  for (auto [i, window] : llvm::enumerate(windows)) {
    char name = char('0' + i);
    lhs[size_t(window.lhsDim)] = name;
    kernel[size_t(window.kernelDim)] = name;
    result[size_t(window.resultDim)] = name;
  }
  return lhs + "*" + kernel + "->" + result;
}

/// Nothing if no named operation has this layout.
Value Convolution::named(Value lhs, Value kernel,
                         ArrayRef<OpFoldResult> sizes) {
  std::string roles = layout();
  if (roles == "b0f*0io->b0f")
    return create<linalg::Conv1DNwcWcfOp>(lhs, kernel, sizes);
  if (roles == "bf0*oi0->bf0")
    return create<linalg::Conv1DNcwFcwOp>(lhs, kernel, sizes);
  if (roles == "b01f*01io->b01f")
    return create<linalg::Conv2DNhwcHwcfOp>(lhs, kernel, sizes);
  if (roles == "b01f*o01i->b01f")
    return create<linalg::Conv2DNhwcFhwcOp>(lhs, kernel, sizes);
  if (roles == "bf01*oi01->bf01")
    return create<linalg::Conv2DNchwFchwOp>(lhs, kernel, sizes);
  if (roles == "b012f*012io->b012f")
    return create<linalg::Conv3DNdhwcDhwcfOp>(lhs, kernel, sizes);
  if (roles == "bf012*oi012->bf012")
    return create<linalg::Conv3DNcdhwFcdhwOp>(lhs, kernel, sizes);
  return {};
}

/// One input feature a group, and a known number of output features a group.
/// Nothing if no named operation has this layout.
Value Convolution::depthwise(Value lhs, Value kernel,
                             ArrayRef<OpFoldResult> sizes) {
  auto shape = cast<RankedTensorType>(kernel.getType()).getShape();
  int64_t inputDim = dims.getKernelInputFeatureDimension(),
          outputDim = dims.getKernelOutputFeatureDimension(),
          resultDim = dims.getOutputFeatureDimension();
  std::string roles = layout();
  bool isLast = roles == "b0f*0io->b0f" || roles == "b01f*01io->b01f" ||
                roles == "b012f*012io->b012f";
  bool isFirst = roles == "bf0*oi0->bf0" || roles == "bf01*oi01->bf01" ||
                 roles == "bf012*oi012->bf012";
  if ((!isLast && !isFirst) || shape[size_t(inputDim)] != 1 ||
      ShapedType::isDynamic(shape[size_t(outputDim)]))
    return {};
  int64_t each = shape[size_t(outputDim)] / featureGroups;
  kernel = mergeDims(b, kernel, std::min(inputDim, outputDim));
  if (each == 1) {
    switch (windows.size()) {
    case 1:
      return isLast
                 ? create<linalg::DepthwiseConv1DNwcWcOp>(lhs, kernel, sizes)
                 : create<linalg::DepthwiseConv1DNcwCwOp>(lhs, kernel, sizes);
    case 2:
      return isLast
                 ? create<linalg::DepthwiseConv2DNhwcHwcOp>(lhs, kernel, sizes)
                 : create<linalg::DepthwiseConv2DNchwChwOp>(lhs, kernel, sizes);
    default:
      return isLast ? create<linalg::DepthwiseConv3DNdhwcDhwcOp>(lhs, kernel,
                                                                 sizes)
                    : create<linalg::DepthwiseConv3DNcdhwCdhwOp>(lhs, kernel,
                                                                 sizes);
    }
  }
  if (!isLast)
    return {};
  kernel = splitDim(b, kernel, int64_t(windows.size()), featureGroups);
  Sizes parts(sizes);
  parts[size_t(resultDim)] = b.getIndexAttr(featureGroups);
  parts.push_back(b.getIndexAttr(each));
  Value sums;
  switch (windows.size()) {
  case 1:
    sums = create<linalg::DepthwiseConv1DNwcWcmOp>(lhs, kernel, parts);
    break;
  case 2:
    sums = create<linalg::DepthwiseConv2DNhwcHwcmOp>(lhs, kernel, parts);
    break;
  default:
    sums = create<linalg::DepthwiseConv3DNdhwcDhwcmOp>(lhs, kernel, parts);
    break;
  }
  return mergeDims(b, sums, resultDim);
}

/// The loops are the dimensions of the result, in which the group is before the
/// features of one group; then those of the kernel and the input features.
Value Convolution::any(Value lhs, Value kernel, ArrayRef<OpFoldResult> sizes) {
  int64_t groups = featureGroups * batchGroups,
          lhsBatch = dims.getInputBatchDimension(),
          lhsFeature = dims.getInputFeatureDimension(),
          kernelOutput = dims.getKernelOutputFeatureDimension(),
          kernelInput = dims.getKernelInputFeatureDimension(),
          resultFeature = dims.getOutputFeatureDimension();
  bool isGrouped = groups > 1;
  Sizes parts(sizes);
  if (isGrouped) {
    lhs = splitDim(b, lhs, batchGroups > 1 ? lhsBatch : lhsFeature, groups);
    kernel = splitDim(b, kernel, kernelOutput, groups);
    OpFoldResult &features = parts[size_t(resultFeature)];
    features = extentOf(b, kernel, kernelOutput + 1);
    parts.insert(parts.begin() + resultFeature, b.getIndexAttr(groups));
  }

  // The loop of a dimension of the result.
  auto loopOf = [&](int64_t dim) {
    return b.getAffineDimExpr(unsigned(dim) +
                              (isGrouped && dim >= resultFeature));
  };
  auto parallel = unsigned(parts.size());
  unsigned loops = parallel + unsigned(windows.size()) + 1;
  AffineExpr group = b.getAffineDimExpr(unsigned(resultFeature)),
             input = b.getAffineDimExpr(loops - 1);
  SmallVector<AffineExpr> lhsExprs(windows.size() + 2),
      kernelExprs(windows.size() + 2);
  lhsExprs[size_t(lhsBatch)] = loopOf(dims.getOutputBatchDimension());
  lhsExprs[size_t(lhsFeature)] = input;
  kernelExprs[size_t(kernelInput)] = input;
  kernelExprs[size_t(kernelOutput)] = loopOf(resultFeature);
  for (auto [i, window] : llvm::enumerate(windows)) {
    AffineExpr k = b.getAffineDimExpr(parallel + unsigned(i));
    lhsExprs[size_t(window.lhsDim)] =
        loopOf(window.resultDim) * window.stride + k * window.rhsDilation;
    kernelExprs[size_t(window.kernelDim)] = k;
  }
  if (isGrouped) {
    lhsExprs.insert(
        lhsExprs.begin() + (batchGroups > 1 ? lhsBatch : lhsFeature), group);
    kernelExprs.insert(kernelExprs.begin() + kernelOutput, group);
  }
  SmallVector<AffineExpr> resultExprs;
  for (unsigned i = 0; i < parallel; ++i)
    resultExprs.push_back(b.getAffineDimExpr(i));
  SmallVector<AffineMap> maps;
  for (ArrayRef<AffineExpr> exprs :
       {ArrayRef(lhsExprs), ArrayRef(kernelExprs), ArrayRef(resultExprs)})
    maps.push_back(AffineMap::get(loops, 0, exprs, b.getContext()));
  SmallVector<Iterator> iterators(parallel, Iterator::parallel);
  iterators.append(loops - parallel, Iterator::reduction);

  Value sums =
      generic(b, {lhs, kernel}, zeros(parts), maps, iterators,
              [&](ImplicitLocOpBuilder &inside, ValueRange x) -> Values {
                return {step.emit(inside, x[0], x[1], x[2])};
              })
          .front();
  return isGrouped ? mergeDims(b, sums, resultFeature) : sums;
}

Value Convolution::lower(Value lhs, Value kernel) {
  Sizes sizes(windows.size() + 2);
  auto set = [&](int64_t dim, llvm::function_ref<OpFoldResult()> size) {
    sizes[size_t(dim)] =
        type.isDynamicDim(unsigned(dim))
            ? size()
            : OpFoldResult(b.getIndexAttr(type.getDimSize(unsigned(dim))));
  };
  set(dims.getOutputBatchDimension(), [&] {
    OpFoldResult batch = extentOf(b, lhs, dims.getInputBatchDimension());
    if (batchGroups == 1)
      return batch;
    return extentOf(
        b, splitDim(b, lhs, dims.getInputBatchDimension(), batchGroups),
        dims.getInputBatchDimension() + 1);
  });
  set(dims.getOutputFeatureDimension(), [&] {
    return extentOf(b, kernel, dims.getKernelOutputFeatureDimension());
  });
  for (const ConvWindow &window : windows)
    set(window.resultDim, [&] { return positionsOf(b, window, lhs, kernel); });

  // Sums of nothing, and no result: maps want at least one iteration.
  auto isZero = [](OpFoldResult size) {
    return getConstantIntValue(size) == int64_t(0);
  };
  if (llvm::any_of(sizes, isZero) ||
      llvm::any_of(extentsOf(b, kernel), isZero) ||
      isZero(extentOf(b, lhs, dims.getInputFeatureDimension())))
    return zeros(sizes);

  for (ConvWindow &window : windows)
    fitPadding(b, window, lhs, kernel, sizes[size_t(window.resultDim)]);
  lhs = padded(b, lhs, windows);
  kernel = reversed(b, kernel, windows);
  Value sums;
  if (step.namedForm() == linalg::TypeFn::cast_signed && batchGroups == 1)
    sums = featureGroups == 1 ? named(lhs, kernel, sizes)
                              : depthwise(lhs, kernel, sizes);
  return sums ? sums : any(lhs, kernel, sizes);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

template <typename Op>
static FailureOr<Value> lowerConv(Op op, Value lhs, Value kernel,
                                  ArrayRef<OpFoldResult> padding, Lowering &l) {
  lhs = refine(l.b, lhs);
  kernel = refine(l.b, kernel);
  Type element = op.getLhs().getType().getElementType();
  // Padding is 0, which this type does not have.
  if (isa<Float8E8M0FNUType>(element)) {
    lhs = promoteTensor(l.b, lhs, element, l.b.getF32Type());
    element = l.b.getF32Type();
  }
  FailureOr<MultiplyAdd> step =
      MultiplyAdd::make(l, element, op.getRhs().getType().getElementType(),
                        op.getType().getElementType());
  if (failed(step))
    return failure();
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  SmallVector<ConvWindow> windows;
  for (auto [i, dim] : llvm::enumerate(dims.getInputSpatialDimensions())) {
    ConvWindow window{dim, dims.getKernelSpatialDimensions()[i],
                      dims.getOutputSpatialDimensions()[i]};
    window.low = padding[2 * i];
    window.high = padding[2 * i + 1];
    if (op.getWindowStrides())
      window.stride = (*op.getWindowStrides())[i];
    if (op.getLhsDilation())
      window.lhsDilation = (*op.getLhsDilation())[i];
    if (op.getRhsDilation())
      window.rhsDilation = (*op.getRhsDilation())[i];
    if (op.getWindowReversal())
      window.isReversed = (*op.getWindowReversal())[i];
    windows.push_back(window);
  }
  Convolution convolution(l, *step, dims, int64_t(op.getFeatureGroupCount()),
                          int64_t(op.getBatchGroupCount()), windows);
  Value sums = convolution.lower(lhs, kernel);
  return castTo(l.b, step->toResult(l.b, sums), l.type());
}

static FailureOr<Value>
lowerConvolution(ConvolutionOp op, ConvolutionOp::Adaptor in, Lowering &l) {
  size_t count = op.getDimensionNumbers().getInputSpatialDimensions().size();
  Sizes padding(2 * count, l.b.getIndexAttr(0));
  if (DenseIntElementsAttr given = op.getPaddingAttr())
    for (auto [size, value] :
         llvm::zip_equal(padding, given.getValues<int64_t>()))
      size = l.b.getIndexAttr(value);
  return lowerConv(op, in.getLhs(), in.getRhs(), padding, l);
}

static FailureOr<Value>
lowerDynamicConv(DynamicConvOp op, DynamicConvOp::Adaptor in, Lowering &l) {
  ImplicitLocOpBuilder &b = l.b;
  size_t count = op.getDimensionNumbers().getInputSpatialDimensions().size();
  Sizes padding;
  if (std::optional<SmallVector<int64_t>> known =
          constantIntegers(op.getPadding()))
    for (int64_t value : *known)
      padding.push_back(b.getIndexAttr(value));
  for (size_t i = padding.size(); i < 2 * count; ++i) {
    Value number =
        tensor::ExtractOp::create(b, in.getPadding(),
                                  ValueRange{indexConstant(b, int64_t(i / 2)),
                                             indexConstant(b, int64_t(i % 2))});
    padding.push_back(toIndex(
        b, number, isUnsigned(op.getPadding().getType().getElementType())));
  }
  return lowerConv(op, in.getLhs(), in.getRhs(), padding, l);
}

void addConvolutionRules(LoweringRules &rules) {
  rules.add<ConvolutionOp, lowerConvolution>();
  rules.add<DynamicConvOp, lowerDynamicConv>();
}

} // namespace mercator::stablehlo
