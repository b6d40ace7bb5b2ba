// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/explain/Flops.h"

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mercator;
using namespace mlir;

static std::optional<int64_t> times(std::optional<int64_t> a,
                                    std::optional<int64_t> b) {
  int64_t product = 0;
  if (a == 0 || b == 0)
    return 0;
  return a && b && !llvm::MulOverflow(*a, *b, product) ? std::optional(product)
                                                       : std::nullopt;
}

static std::optional<int64_t> elementsOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  std::optional<int64_t> count = 1;
  for (int64_t extent : type.getShape())
    count = times(count, extent);
  return count;
}

static bool isOnFloats(Value value) {
  return isa<FloatType, ComplexType>(getElementTypeOrSelf(value));
}

std::optional<int64_t> mercator::flopsOf(linalg::LinalgOp op) {
  int64_t count = 0;
  op.getBlock()->walk([&](Operation *part) {
    bool onFloats = llvm::any_of(part->getResults(), isOnFloats);
    if (onFloats && !part->hasTrait<OpTrait::ConstantLike>() &&
        !isa<CastOpInterface, arith::SelectOp, linalg::IndexOp,
             tensor::ExtractOp>(part) &&
        part->getNumOperands() > 0 && part->getNumResults() > 0)
      ++count;
  });
  if (isa<linalg::FillOp>(op))
    return 0;
  std::optional<int64_t> points = count;
  for (int64_t extent : op.getStaticLoopRanges())
    points =
        times(points, ShapedType::isDynamic(extent) ? std::nullopt
                                                    : std::optional(extent));
  return points;
}

/// The sum over the operations of a body.
static std::optional<int64_t> flopsOfBlock(Block &block) {
  std::optional<int64_t> sum = 0;
  for (Operation &op : block) {
    std::optional<int64_t> more = flopsOf(&op);
    int64_t total = 0;
    if (!sum || !more || llvm::AddOverflow(*sum, *more, total))
      return std::nullopt;
    sum = total;
  }
  return sum;
}

/// The multiplications and additions of a product: `terms` of each for an
/// element.
static std::optional<int64_t> flopsOfProduct(Value result,
                                             std::optional<int64_t> terms) {
  return isOnFloats(result) ? times(times(elementsOf(result), terms), 2) : 0;
}

static std::optional<int64_t> termsOf(stablehlo::DotGeneralOp op) {
  auto type = cast<RankedTensorType>(op.getLhs().getType());
  std::optional<int64_t> terms = 1;
  for (int64_t d : op.getDotDimensionNumbers().getLhsContractingDimensions())
    terms =
        times(terms, type.isDynamicDim(d) ? std::nullopt
                                          : std::optional(type.getDimSize(d)));
  return terms;
}

/// Positions of the window that lie in the padding count, too.
static std::optional<int64_t> termsOf(stablehlo::ConvolutionOp op) {
  auto type = cast<RankedTensorType>(op.getRhs().getType());
  int64_t features = type.getDimSize(
      op.getDimensionNumbers().getKernelOutputFeatureDimension());
  std::optional<int64_t> elements = elementsOf(op.getRhs());
  return elements && features > 0 ? std::optional(*elements / features)
                                  : elements;
}

static std::optional<int64_t> flopsOfWindows(stablehlo::ReduceWindowOp op) {
  std::optional<int64_t> points = elementsOf(op->getResult(0));
  for (int64_t extent : op.getWindowDimensions())
    points = times(points, extent);
  return times(points, flopsOfBlock(op.getBody().front()));
}

std::optional<int64_t> mercator::flopsOf(Operation *op) {
  using namespace mercator::stablehlo;
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case([](DotGeneralOp dot) {
        return flopsOfProduct(dot.getResult(), termsOf(dot));
      })
      .Case([](ConvolutionOp convolution) {
        return flopsOfProduct(convolution.getResult(), termsOf(convolution));
      })
      .Case([](ReduceOp reduce) {
        return times(elementsOf(reduce->getOperand(0)),
                     flopsOfBlock(reduce.getBody().front()));
      })
      .Case([](ReduceWindowOp windows) { return flopsOfWindows(windows); })
      .Case([](ScatterOp scatter) {
        return times(elementsOf(scatter.getUpdates().front()),
                     flopsOfBlock(scatter.getUpdateComputation().front()));
      })
      .Case([](MapOp map) {
        return times(elementsOf(map->getResult(0)),
                     flopsOfBlock(map.getComputation().front()));
      })
      .Case([](SortOp sort) {
        // The number of comparisons is not known.
        return times(flopsOfBlock(sort.getComparator().front()), std::nullopt);
      })
      .Case([](hlo::FusionOp fusion) {
        return flopsOfBlock(fusion.getBody().front());
      })
      .Case([](func::CallOp call) -> std::optional<int64_t> {
        auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
            call, call.getCalleeAttr());
        if (!callee || callee.isExternal())
          return std::nullopt;
        return flopsOfBlock(callee.front());
      })
      .Case<CompareOp, SelectOp, ConvertOp, ComplexOp, RealOp, ImagOp,
            BitcastConvertOp>([](auto) { return 0; })
      .Default([](Operation *other) -> std::optional<int64_t> {
        if (other->getNumRegions() > 0 ||
            isa<CustomCallOp, FftOp, CholeskyOp, TriangularSolveOp,
                hlo::OpaqueOp>(other))
          return std::nullopt;
        bool isArithmetic = other->hasTrait<Elementwise>() ||
                            isa<chlo::ChloDialect>(other->getDialect());
        if (!isArithmetic || other->getNumResults() == 0 ||
            !isOnFloats(other->getResult(0)))
          return 0;
        std::optional<int64_t> elements = elementsOf(other->getResult(0));
        return isa<ClampOp>(other) ? times(elements, 2) : elements;
      });
}
