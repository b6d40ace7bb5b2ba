// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/spmd/Windows.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::spmd;

/// Entry `i` of a list that may be absent.
static int64_t entry(std::optional<ArrayRef<int64_t>> list, size_t i) {
  return list ? (*list)[i] : 1;
}

static int64_t lowPadding(std::optional<DenseIntElementsAttr> padding,
                          size_t i) {
  return padding ? padding->getValues<int64_t>()[{i, size_t(0)}] : 0;
}

Window mercator::spmd::windowOf(Operation *op, unsigned operand, int dim) {
  using namespace stablehlo;
  auto sizeOf = [](Value value, int dim) {
    return cast<RankedTensorType>(value.getType()).getDimSize(dim);
  };
  return llvm::TypeSwitch<Operation *, Window>(op)
      .Case<SliceOp>([&](SliceOp op) -> Window {
        return {op.getStartIndices()[dim], op.getStrides()[dim], 1};
      })
      .Case<PadOp>([&](PadOp op) -> Window {
        return {-op.getEdgePaddingLow()[dim], 1, 1};
      })
      .Case<ConcatenateOp>([&](ConcatenateOp op) -> Window {
        int64_t before = 0;
        if (dim != int(op.getDimension()))
          return {};
        for (unsigned k = 0; k < operand; ++k)
          before += sizeOf(op->getOperand(k), dim);
        return {-before, 1, 1};
      })
      .Case<ReverseOp>([&](ReverseOp op) -> Window {
        if (!llvm::is_contained(op.getDimensions(), dim))
          return {};
        return {sizeOf(op.getOperand(), dim) - 1, 1, 1, true};
      })
      .Case<ConvolutionOp>([&](ConvolutionOp op) -> Window {
        ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
        size_t i = llvm::find(numbers.getOutputSpatialDimensions(), dim) -
                   numbers.getOutputSpatialDimensions().begin();
        int64_t window =
            sizeOf(op.getRhs(), numbers.getKernelSpatialDimensions()[i]);
        return {-lowPadding(op.getPadding(), i),
                entry(op.getWindowStrides(), i),
                (window - 1) * entry(op.getRhsDilation(), i) + 1};
      })
      .Case<ReduceWindowOp>([&](ReduceWindowOp op) -> Window {
        return {-lowPadding(op.getPadding(), dim),
                entry(op.getWindowStrides(), dim),
                (op.getWindowDimensions()[dim] - 1) *
                        entry(op.getWindowDilations(), dim) +
                    1};
      })
      .Default([](Operation *) { return Window(); });
}

int mercator::spmd::windowedDim(Operation *op, unsigned operand, int dim) {
  using namespace stablehlo;
  return llvm::TypeSwitch<Operation *, int>(op)
      .Case<SliceOp, ReverseOp, ConcatenateOp>([&](Operation *) { return dim; })
      .Case<PadOp>([&](PadOp) { return operand == 0 ? dim : -1; })
      .Case<ReduceWindowOp>([&](ReduceWindowOp op) {
        return operand < op.getInputs().size() ? dim : -1;
      })
      .Case<ConvolutionOp>([&](ConvolutionOp op) {
        ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
        const int64_t *found =
            llvm::find(numbers.getOutputSpatialDimensions(), dim);
        if (operand != 0 || found == numbers.getOutputSpatialDimensions().end())
          return -1;
        return int(numbers.getInputSpatialDimensions()
                       [found - numbers.getOutputSpatialDimensions().begin()]);
      })
      .Default([](Operation *) { return -1; });
}
