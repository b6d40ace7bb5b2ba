// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/interface/RefineShapes.h"

#include "mercator/dialects/stablehlo/ResultExtents.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/dialects/stablehlo/TensorExtents.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mercator;
using namespace mlir;

namespace sh = mercator::stablehlo;

using Extents = SmallVector<int64_t>;

static RankedTensorType tensorOf(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

static bool isDynamic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

std::string mercator::stablehlo::shapeText(ArrayRef<int64_t> extents) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      extents, os,
      [&](int64_t extent) {
        if (ShapedType::isDynamic(extent))
          os << '?';
        else
          os << extent;
      },
      "x");
  return text;
}

namespace {
class Refiner {
public:
  explicit Refiner(const sh::RefineCallbacks &callbacks)
      : callbacks(callbacks) {}

  LogicalResult refine(Region &region);

private:
  LogicalResult refine(Operation *op);
  LogicalResult refineLoop(sh::WhileOp op);
  LogicalResult checkAssertion(sh::CustomCallOp op);
  bool foldIntegers(Operation *op);
  Operation *staticForm(Operation *op);
  LogicalResult inferTypes(Operation *op);

  const sh::RefineCallbacks &callbacks;
};
} // namespace

static std::optional<Extents> integersOf(Value value) {
  DenseIntElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)))
    return std::nullopt;
  return llvm::map_to_vector(elements.getValues<APInt>(),
                             [](const APInt &it) { return it.getSExtValue(); });
}

/// Integers that may be extents: constants for constant operands.
bool Refiner::foldIntegers(Operation *op) {
  constexpr int64_t kMost = 64;
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return false;
  Value result = op->getResult(0);
  RankedTensorType type = tensorOf(result);
  if (!type || !type.hasStaticShape() || type.getNumElements() > kMost ||
      !isa<IntegerType>(type.getElementType()))
    return false;
  ElementsAttr value;
  if (auto size = dyn_cast<sh::GetDimensionSizeOp>(op)) {
    RankedTensorType from = tensorOf(size.getOperand());
    if (from.isDynamicDim(size.getDimension()))
      return false;
    value = DenseElementsAttr::get(
        type, IntegerAttr::get(type.getElementType(),
                               from.getDimSize(size.getDimension())));
  } else {
    if (op->getNumOperands() == 0 || !isMemoryEffectFree(op))
      return false;
    SmallVector<ElementsAttr> operands, results;
    for (Value operand : op->getOperands()) {
      ElementsAttr elements;
      if (!matchPattern(operand, m_Constant(&elements)) ||
          !isa<IntegerType>(elements.getElementType()) ||
          elements.getNumElements() > kMost)
        return false;
      operands.push_back(elements);
    }
    if (!callbacks.fold || failed(callbacks.fold(op, operands, results)))
      return false;
    value = results.front();
  }
  ImplicitLocOpBuilder b(op->getLoc(), op);
  result.replaceAllUsesWith(sh::ConstantOp::create(b, value));
  op->erase();
  return true;
}

/// A slice from `start` to `start + size` with steps of 1, as a dynamic_slice.
/// Null for others.
static Operation *sliceAt(ImplicitLocOpBuilder &b, sh::RealDynamicSliceOp op) {
  auto limit = op.getLimitIndices().getDefiningOp<sh::AddOp>();
  if (!limit || !llvm::all_of(*integersOf(op.getStrides()),
                              [](int64_t by) { return by == 1; }))
    return nullptr;
  Value start = op.getStartIndices(), size;
  if (limit.getLhs() == start)
    size = limit.getRhs();
  else if (limit.getRhs() == start)
    size = limit.getLhs();
  std::optional<Extents> sizes = size ? integersOf(size) : std::nullopt;
  if (!sizes || llvm::any_of(*sizes, [](int64_t it) { return it < 0; }))
    return nullptr;
  SmallVector<Value> starts;
  auto scalar = RankedTensorType::get({}, tensorOf(start).getElementType());
  for (int64_t i = 0, rank = sizes->size(); i < rank; ++i) {
    Value one =
        sh::SliceOp::create(b, start, Extents{i}, Extents{i + 1}, Extents{1});
    starts.push_back(sh::ReshapeOp::create(b, scalar, one));
  }
  return sh::DynamicSliceOp::create(b, op.getOperand(), starts, *sizes);
}

/// The static form of an operation whose operands have its shape; null for
/// others.
Operation *Refiner::staticForm(Operation *op) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  auto typed = [&](ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape,
                                 tensorOf(op->getResult(0)).getElementType());
  };
  auto isShape = [](const std::optional<Extents> &shape) {
    return shape && llvm::all_of(*shape, [](int64_t it) { return it >= 0; });
  };
  return llvm::TypeSwitch<Operation *, Operation *>(op)
      .Case([&](sh::DynamicBroadcastInDimOp o) -> Operation * {
        auto shape = integersOf(o.getOutputDimensions());
        if (!isShape(shape) || isDynamic(o.getOperand().getType()))
          return nullptr;
        return sh::BroadcastInDimOp::create(b, typed(*shape), o.getOperand(),
                                            o.getBroadcastDimensions());
      })
      .Case([&](sh::DynamicReshapeOp o) -> Operation * {
        auto shape = integersOf(o.getOutputShape());
        if (!isShape(shape) || isDynamic(o.getOperand().getType()))
          return nullptr;
        return sh::ReshapeOp::create(b, typed(*shape), o.getOperand());
      })
      .Case([&](sh::DynamicIotaOp o) -> Operation * {
        auto shape = integersOf(o.getOutputShape());
        if (!isShape(shape))
          return nullptr;
        return sh::IotaOp::create(b, typed(*shape), o.getIotaDimension());
      })
      .Case([&](sh::RealDynamicSliceOp o) -> Operation * {
        auto start = integersOf(o.getStartIndices()),
             limit = integersOf(o.getLimitIndices()),
             strides = integersOf(o.getStrides());
        if (!isShape(strides) || isDynamic(o.getOperand().getType()))
          return nullptr;
        if (!isShape(start) || !isShape(limit))
          return sliceAt(b, o);
        return sh::SliceOp::create(b, o.getOperand(), *start, *limit, *strides);
      })
      .Case([&](sh::DynamicPadOp o) -> Operation * {
        auto low = integersOf(o.getEdgePaddingLow()),
             high = integersOf(o.getEdgePaddingHigh()),
             interior = integersOf(o.getInteriorPadding());
        if (!low || !high || !interior || isDynamic(o.getOperand().getType()))
          return nullptr;
        return sh::PadOp::create(b, o.getOperand(), o.getPaddingValue(), *low,
                                 *high, *interior);
      })
      .Case([&](sh::DynamicGatherOp o) -> Operation * {
        auto sizes = integersOf(o.getSliceSizes());
        if (!isShape(sizes) || isDynamic(o.getOperand().getType()) ||
            isDynamic(o.getStartIndices().getType()))
          return nullptr;
        return sh::GatherOp::create(b, o.getOperand(), o.getStartIndices(),
                                    o.getDimensionNumbers(), *sizes,
                                    o.getIndicesAreSorted());
      })
      .Default(nullptr);
}

/// The extents of a result whose element type does not follow from the operands.
/// Unknown extents for other operations.
static Extents shapeOf(Operation *op) {
  RankedTensorType to = tensorOf(op->getResult(0));
  if (op->hasTrait<sh::Elementwise>())
    return Extents(tensorOf(op->getOperand(0)).getShape());
  if (auto dot = dyn_cast<sh::DotGeneralOp>(op)) {
    auto dims = dot.getDotDimensionNumbers();
    return sh::sizesOf(sh::contracted(
        sh::extentsOf(dot.getLhs()), sh::extentsOf(dot.getRhs()),
        {dims.getLhsBatchingDimensions(), dims.getRhsBatchingDimensions(),
         dims.getLhsContractingDimensions(),
         dims.getRhsContractingDimensions()}));
  }
  Extents shape(to.getShape());
  if (auto dot = dyn_cast<sh::DotOp>(op)) {
    RankedTensorType lhs = tensorOf(dot.getLhs()), rhs = tensorOf(dot.getRhs());
    shape = Extents(lhs.getShape().drop_back());
    llvm::append_range(shape, rhs.getShape().drop_front());
  } else if (auto convolution = dyn_cast<sh::ConvolutionOp>(op)) {
    auto dims = convolution.getDimensionNumbers();
    if (convolution.getBatchGroupCount() == 1)
      shape[dims.getOutputBatchDimension()] =
          tensorOf(convolution.getLhs())
              .getDimSize(dims.getInputBatchDimension());
  }
  return shape;
}

/// Sets the types that follow from the operands.
LogicalResult Refiner::inferTypes(Operation *op) {
  if (llvm::none_of(op->getResultTypes(), isDynamic))
    return success();
  SmallVector<Type> types;
  if (auto infer = dyn_cast<InferTypeOpInterface>(op)) {
    if (failed(infer.inferReturnTypes(
            op->getContext(), op->getLoc(), op->getOperands(),
            op->getAttrDictionary(), op->getPropertiesStorage(),
            op->getRegions(), types)))
      return failure();
  } else if (op->getNumResults() == 1 &&
             isa_and_nonnull<sh::StablehloDialect>(op->getDialect())) {
    types.push_back(RankedTensorType::get(
        shapeOf(op), tensorOf(op->getResult(0)).getElementType()));
  }
  for (auto [result, type] : llvm::zip(op->getResults(), types)) {
    RankedTensorType declared = tensorOf(result);
    auto found = dyn_cast<RankedTensorType>(type);
    if (!declared || !found || declared.getRank() != found.getRank())
      continue;
    Extents shape(declared.getShape());
    for (auto [extent, other] : llvm::zip_equal(shape, found.getShape())) {
      if (ShapedType::isDynamic(extent))
        extent = other;
      else if (!ShapedType::isDynamic(other) && other != extent)
        return op->emitError("expected a result of shape ")
               << sh::shapeText(found.getShape()) << ", got "
               << sh::shapeText(declared.getShape());
    }
    result.setType(RankedTensorType::get(shape, declared.getElementType()));
  }
  return success();
}

LogicalResult Refiner::checkAssertion(sh::CustomCallOp op) {
  SmallVector<ElementsAttr> operands;
  for (Value operand : op->getOperands())
    if (!matchPattern(operand, m_Constant(&operands.emplace_back())))
      return success(); // it stays
  if (!callbacks.check)
    return success();
  if (failed(callbacks.check(op, operands)))
    return failure();
  op->erase();
  return success();
}

/// The values of an iteration have the types that the loop begins with.
LogicalResult Refiner::refineLoop(sh::WhileOp op) {
  for (Region &region : op->getRegions()) {
    for (auto [argument, operand] :
         llvm::zip_equal(region.getArguments(), op->getOperands()))
      argument.setType(operand.getType());
    if (failed(refine(region)))
      return failure();
  }
  return success();
}

LogicalResult Refiner::refine(Operation *op) {
  if (auto call = dyn_cast<sh::CustomCallOp>(op);
      call && call.getCallTargetName() == "shape_assertion" &&
      op->getNumResults() == 0)
    return checkAssertion(call);
  if (!isa_and_nonnull<sh::StablehloDialect>(op->getDialect()))
    return inferTypes(op);
  if (foldIntegers(op))
    return success();
  if (Operation *made = staticForm(op)) {
    op->replaceAllUsesWith(made);
    op->erase();
    return success();
  }
  if (auto loop = dyn_cast<sh::WhileOp>(op)) {
    if (failed(refineLoop(loop)))
      return failure();
  } else if (isa<sh::IfOp, sh::CaseOp>(op)) {
    for (Region &region : op->getRegions())
      if (failed(refine(region)))
        return failure();
  }
  return inferTypes(op);
}

LogicalResult Refiner::refine(Region &region) {
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(block))
      if (failed(refine(&op)))
        return failure();
  return success();
}

/// Whether it calls an operation of StableHLO with operands for attributes.
static bool hasDynamicCalls(func::FuncOp function) {
  return function
      .walk([](sh::CustomCallOp call) {
        return call.getCallTargetName().starts_with("stablehlo.dynamic_")
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult sh::refineShapes(func::FuncOp function,
                               const RefineCallbacks &callbacks) {
  auto refine = [&]() -> LogicalResult {
    if (failed(Refiner(callbacks).refine(function.getBody())))
      return failure();
    Block &body = function.getBody().front();
    function.setType(
        FunctionType::get(function.getContext(), body.getArgumentTypes(),
                          body.getTerminator()->getOperandTypes()));
    return mlir::verify(function);
  };
  if (failed(refine()))
    return failure();
  if (!hasDynamicCalls(function))
    return success();
  // The operands of calls are constants now.
  PassManager passes(function.getContext());
  passes.addPass(sh::createSpellCustomCalls());
  return failed(passes.run(function->getParentOfType<ModuleOp>())) ? failure()
                                                                   : refine();
}
