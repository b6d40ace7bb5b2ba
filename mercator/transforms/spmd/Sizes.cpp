// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/spmd/Sizes.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mlir;
using namespace mercator;

int64_t mercator::spmd::bytesOfElement(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * bytesOfElement(complex.getElementType());
  return element.isIntOrFloat()
             ? std::max<int64_t>(1, element.getIntOrFloatBitWidth() / 8)
             : 8;
}

double mercator::spmd::workOfOperation(Operation *op) {
  auto elements = [](Value value) -> double {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.hasStaticShape() ? double(type.getNumElements()) : 0;
  };
  if (op->getNumResults() == 0 || op->hasTrait<mlir::OpTrait::ConstantLike>())
    return 0;
  double work = elements(op->getResult(0));
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) {
    for (int64_t dim :
         dot.getDotDimensionNumbers().getLhsContractingDimensions())
      work *= double(tensorOf(dot.getLhs()).getDimSize(dim));
  } else if (auto convolution = dyn_cast<stablehlo::ConvolutionOp>(op)) {
    RankedTensorType kernel = tensorOf(convolution.getRhs());
    int64_t features = kernel.getDimSize(
        convolution.getDimensionNumbers().getKernelOutputFeatureDimension());
    work *= double(kernel.getNumElements()) /
            double(std::max<int64_t>(features, 1));
  } else if (isa<stablehlo::ReduceOp>(op)) {
    work = std::max(work, elements(op->getOperand(0)));
  }
  return work;
}
