// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/explain/Dispatches.h"
#include "mercator/compiler/explain/Flops.h"

#include "mercator/analysis/Names.h"
#include "mercator/analysis/Sizes.h"
#include "mercator/compiler/program/Kernels.h"
#include "mercator/compiler/program/Load.h"
#include "mercator/dialects/flow/Flow.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/transforms/flow/formation/Cloneable.h"
#include "mercator/transforms/flow/formation/Makers.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mercator;
using namespace mlir;

/// True for operations that change neither the elements nor their storage.
static bool isView(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
             tensor::ReshapeOp, tensor::BitcastOp, flow::TensorReshapeOp,
             flow::TensorBitCastOp, flow::TensorTieShapeOp>(op);
}

/// The value that the body of a dispatch stores as a result. Null if several
/// values are stored, or a part of an operand.
static Value storedAs(flow::DispatchWorkgroupsOp dispatch, unsigned result) {
  Value stored;
  Value target = dispatch.getOutputBlockArgument(result);
  bool isOne = true;
  dispatch.getWorkgroupBody().walk([&](flow::DispatchTensorStoreOp store) {
    Value into = store.getTarget();
    if (auto tie = into.getDefiningOp<flow::DispatchTieShapeOp>())
      into = tie.getOperand();
    if (into != target)
      return;
    isOne &= !stored;
    stored = store.getValue();
  });
  return isOne && stored && !stored.getDefiningOp<flow::DispatchTensorLoadOp>()
             ? stored
             : Value();
}

/// The name of a value in the text; without one, its operation. A view has the
/// name of its source: passes name the views that they make after their user.
static std::string nameOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isView(op))
      break;
    value = op->getOperand(0);
  }
  if (auto dispatch = value.getDefiningOp<flow::DispatchWorkgroupsOp>())
    if (Value stored =
            storedAs(dispatch, cast<OpResult>(value).getResultNumber()))
      value = stored;
  // Within a dispatch there are views too.
  while (Operation *op = value.getDefiningOp()) {
    if (!isView(op))
      break;
    value = op->getOperand(0);
  }
  std::string name = nameIn(flow::makerLocation(value)).str();
  if (!name.empty())
    return name;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return "argument " + std::to_string(argument.getArgNumber());
  return value.getDefiningOp()->getName().getStringRef().str();
}

/// `%1 = stablehlo.add`: the operation of the text, if it is known.
static std::string operationText(Location loc, StringRef operation) {
  std::string name = nameIn(loc).str();
  StringRef source = sourceOperationIn(loc);
  return (name.empty() ? "" : name + " = ") +
         (source.empty() ? operation : source).str();
}

Explanation::Tensor mercator::describe(Value value) {
  std::string type;
  llvm::raw_string_ostream(type) << value.getType();
  Operation *maker = value.getDefiningOp();
  return {.name = ::nameOf(value),
          .type = std::move(type),
          .bytes = bytesOf(value.getType()),
          .maker = maker ? maker->getName().getStringRef().str() : ""};
}

/// A workload as a number, if it is known.
static std::optional<int64_t> numberOf(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  if (!apply)
    return std::nullopt;
  SmallVector<Attribute> operands;
  for (Value operand : apply.getMapOperands()) {
    if (!matchPattern(operand, m_ConstantInt(&number)))
      return std::nullopt;
    operands.push_back(IntegerAttr::get(operand.getType(), number));
  }
  SmallVector<Attribute> results;
  if (failed(apply.getAffineMap().constantFold(operands, results)))
    return std::nullopt;
  return cast<IntegerAttr>(results.front()).getInt();
}

/// The sum of the bytes that are moved, at most `whole`. None if a part is
/// unknown.
static std::optional<int64_t> add(std::optional<int64_t> sum,
                                  std::optional<int64_t> more,
                                  std::optional<int64_t> whole) {
  if (!sum || !more)
    return std::nullopt;
  int64_t total = *sum + *more;
  return whole ? std::min(total, *whole) : total;
}

/// True if the elements of a value are read. Otherwise it is only the destination
/// of a result or, if `isInPlace`, of slices that are inserted into it.
static bool isRead(Value value, bool isInPlace) {
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    if (auto slice = dyn_cast<tensor::InsertSliceOp>(use.getOwner()))
      if (isInPlace && value == slice.getDest() && value != slice.getSource())
        return isRead(slice.getResult(), isInPlace);
    if (isa<flow::DispatchTensorStoreOp>(use.getOwner()))
      return !value.getDefiningOp<tensor::InsertSliceOp>();
    auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
    return !op || !op.isDpsInit(&use) || op.payloadUsesValueFromOperand(&use);
  });
}

/// The bytes that are read of a loaded tensor. If operations only pick elements
/// of it, as a gather does, at most one element for each point of their loops.
static std::optional<int64_t> bytesRead(flow::DispatchTensorLoadOp load) {
  std::optional<int64_t> whole = bytesOf(load.getType());
  auto type = cast<RankedTensorType>(load.getType());
  std::optional<int64_t> element =
      bytesOf(RankedTensorType::get({}, type.getElementType()));
  int64_t sum = 0;
  for (Operation *user : load->getUsers()) {
    auto op = user->getParentOfType<linalg::LinalgOp>();
    if (!isa<tensor::ExtractOp>(user) || !op || !element)
      return whole;
    int64_t picked = *element;
    for (int64_t extent : op.getStaticLoopRanges())
      if (ShapedType::isDynamic(extent) ||
          llvm::MulOverflow(picked, extent, picked))
        return whole;
    if (llvm::AddOverflow(sum, picked, sum))
      return whole;
  }
  return whole ? std::min(*whole, sum) : whole;
}

/// Operand `i` with the bytes that are read. None if nothing is read.
static std::optional<Explanation::Tensor>
describeRead(flow::DispatchWorkgroupsOp dispatch, unsigned i) {
  Value operand = dispatch.getArguments()[i];
  if (!isa<TensorType>(operand.getType()))
    return std::nullopt;
  Explanation::Tensor tensor = describe(operand);
  std::optional<int64_t> whole = std::exchange(tensor.bytes, 0);
  bool isAny = false;
  Value argument = dispatch.getInputBlockArgument(i);
  auto handle = dyn_cast<flow::DispatchTensorType>(argument.getType());
  bool isInPlace = handle && handle.isWritable();
  SmallVector<Value> handles = {argument};
  while (!handles.empty())
    for (Operation *user : handles.pop_back_val().getUsers()) {
      if (auto tie = dyn_cast<flow::DispatchTieShapeOp>(user))
        handles.push_back(tie.getResult());
      auto load = dyn_cast<flow::DispatchTensorLoadOp>(user);
      if (!load || !isRead(load.getResult(), isInPlace))
        continue;
      isAny = true;
      tensor.bytes = add(tensor.bytes, bytesRead(load), whole);
    }
  return isAny ? std::optional(tensor) : std::nullopt;
}

/// Result `i` with the bytes that are written.
static Explanation::Tensor describeGiven(flow::DispatchWorkgroupsOp dispatch,
                                         unsigned i) {
  Explanation::Tensor tensor = describe(dispatch->getResult(i));
  std::optional<int64_t> whole = std::exchange(tensor.bytes, 0);
  Value target = dispatch.getOutputBlockArgument(i);
  dispatch.getWorkgroupBody().walk([&](flow::DispatchTensorStoreOp store) {
    Value into = store.getTarget();
    if (auto tie = into.getDefiningOp<flow::DispatchTieShapeOp>())
      into = tie.getOperand();
    if (into == target)
      tensor.bytes =
          add(tensor.bytes, bytesOf(store.getValue().getType()), whole);
  });
  return tensor;
}

/// Appends the operations of the text that an operation was made from. Those
/// that were fused into a linalg operation left their arithmetic in its body.
static void collectSources(Operation *op,
                           std::vector<Explanation::Operation> &into) {
  auto add = [&](Operation *part) {
    Explanation::Operation source{
        operationText(part->getLoc(), part->getName().getStringRef()),
        placeOf(part->getLoc()), originOf(part->getLoc())};
    bool isKnown = llvm::any_of(into, [&](const Explanation::Operation &other) {
      return other.text == source.text && other.place == source.place;
    });
    if (!isKnown)
      into.push_back(std::move(source));
  };
  for (Region &region : op->getRegions())
    region.walk([&](Operation *part) {
      if (!sourceOperationIn(part->getLoc()).empty() &&
          !part->hasTrait<OpTrait::ConstantLike>())
        add(part);
    });
  add(op);
}

/// The operations that the dispatch was formed of. A dispatch that has only
/// loads and stores is a copy.
static void collectOperations(flow::DispatchWorkgroupsOp dispatch,
                              Explanation::Dispatch &described) {
  // Operations that were cloned into the dispatch count only if there are no
  // others.
  for (bool cloned : {false, true}) {
    for (Operation &op : dispatch.getWorkgroupBody().front()) {
      if (isa<flow::FlowDialect>(op.getDialect()) || isa<tensor::EmptyOp>(op) ||
          op.hasTrait<OpTrait::ConstantLike>() ||
          llvm::none_of(op.getResultTypes(), llvm::IsaPred<TensorType>) ||
          flow::isCloneable(&op) != cloned)
        continue;
      collectSources(&op, described.operations);
    }
    if (!described.operations.empty())
      return;
  }
  described.operations.push_back(
      {operationText(dispatch.getLoc(), "copy"), placeOf(dispatch.getLoc())});
}

static Explanation::Dispatch describe(flow::DispatchWorkgroupsOp dispatch) {
  Explanation::Dispatch described;
  collectOperations(dispatch, described);
  for (unsigned i = 0; i < dispatch.getArguments().size(); ++i)
    if (auto read = describeRead(dispatch, i))
      described.reads.push_back(std::move(*read));
  for (unsigned i = 0; i < dispatch.getNumResults(); ++i)
    described.gives.push_back(describeGiven(dispatch, i));
  described.flops = 0;
  dispatch.getWorkgroupBody().walk([&](linalg::LinalgOp op) {
    std::optional<int64_t> more = flopsOf(op);
    described.flops = described.flops && more
                          ? std::optional(*described.flops + *more)
                          : std::nullopt;
  });
  return described;
}

/// A call of an executable that the program came with.
static Explanation::Dispatch describe(flow::DispatchOp call) {
  Explanation::Dispatch described;
  std::string entry;
  llvm::raw_string_ostream(entry) << call.getEntryPointAttr();
  described.operations.push_back({entry, placeOf(call.getLoc())});
  for (Value value : call.getArguments())
    if (isa<TensorType>(value.getType()))
      described.reads.push_back(mercator::describe(value));
  for (Value result : call->getResults())
    described.gives.push_back(mercator::describe(result));
  return described;
}

DispatchDescriptions::DispatchDescriptions(ModuleOp module) {
  auto number = IntegerType::get(module.getContext(), 64);
  module.walk([&](flow::DispatchWorkgroupsOp dispatch) {
    auto key = IntegerAttr::get(number, int64_t(descriptions.size()));
    descriptions.push_back(::describe(dispatch));
    dispatch->setLoc(
        FusedLoc::get(module.getContext(), dispatch.getLoc(), key));
  });
}

/// The description with the number in the location.
const Explanation::Dispatch *DispatchDescriptions::find(Location loc) const {
  const Explanation::Dispatch *found = nullptr;
  loc->walk([&](Location inner) {
    auto fused = dyn_cast<FusedLoc>(inner);
    auto key = fused ? dyn_cast_or_null<IntegerAttr>(fused.getMetadata())
                     : IntegerAttr();
    if (!key || !key.getType().isInteger(64) || key.getInt() < 0 ||
        key.getInt() >= int64_t(descriptions.size()))
      return WalkResult::advance();
    found = &descriptions[key.getInt()];
    return WalkResult::interrupt();
  });
  return found;
}

void DispatchDescriptions::collect(ModuleOp module,
                                   Explanation &explanation) const {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<flow::ExecutableOp>(op))
      return WalkResult::skip();
    auto call = dyn_cast<flow::DispatchOp>(op);
    auto function = op->getParentOfType<FunctionOpInterface>();
    if (!call || !function)
      return WalkResult::advance();
    const Explanation::Dispatch *known = find(call.getLoc());
    Explanation::Dispatch dispatch = known ? *known : ::describe(call);
    // An initializer has no name.
    auto name =
        function->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    dispatch.function = name ? name.str() : "util.initializer";
    dispatch.place = placeOf(call.getLoc());
    for (Value value : call.getWorkload())
      dispatch.workload.push_back(numberOf(value));
    explanation.dispatches.push_back(std::move(dispatch));
    return WalkResult::advance();
  });
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static Explanation::Dispatch describeKernel(Operation *op) {
  Explanation::Dispatch kernel;
  kernel.function = op->getParentOfType<func::FuncOp>().getName().str();
  kernel.place = placeOf(op->getLoc());
  auto add = [&](Operation *part) {
    kernel.operations.push_back(
        {operationText(part->getLoc(), part->getName().getStringRef()),
         placeOf(part->getLoc()), originOf(part->getLoc())});
  };
  auto fusion = dyn_cast<hlo::FusionOp>(op);
  StringRef library = fusion ? fusion.getLibraryTarget() : StringRef();
  if (!library.empty()) {
    kernel.operations.push_back(
        {operationText(op->getLoc(), "custom_call @" + library.str()),
         placeOf(op->getLoc()), originOf(op->getLoc())});
  } else if (fusion) {
    for (Operation &part : fusion.getBody().front())
      if (!movesNoData(&part))
        add(&part);
  }
  if (kernel.operations.empty())
    add(op);
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      kernel.reads.push_back(describe(operand));
  for (Value result : op->getResults())
    if (isa<RankedTensorType>(result.getType()))
      kernel.gives.push_back(describe(result));
  kernel.flops = flopsOf(op);
  return kernel;
}

std::vector<Explanation::Dispatch> mercator::describeKernels(ModuleOp module) {
  std::vector<Explanation::Dispatch> kernels;
  for (Operation *op : findKernels(module))
    kernels.push_back(describeKernel(op));
  return kernels;
}
