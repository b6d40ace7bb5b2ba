// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bounded extent that grows. XLA keeps a tensor of bounded extents in a buffer of
// the bounds, and `set_dimension_size` only changes the size:
//
//   %a = set_dimension_size %x, 1      // tensor<4xi32> to at most 4
//   %b = set_dimension_size %a, 3      // elements 1 and 2 of %x are back
//
// Here, a tensor has exactly the elements of its size. Programs whose sizes grow
// are rewritten: beside a bounded tensor there is its *buffer*, a static tensor, and
// its sizes. A larger tensor is a part of the buffer:
//
//   %b = set_dimension_size %x, 3
//
//   operation                                        buffer of the result
//   set_dimension_size                               that of the operand
//   dynamic_update_slice, elementwise operations     the same operation on buffers
//   while, if, case                                  carried beside the sizes
//   others, and parameters                           the tensor, then zeros
//
// Programs that only make sizes smaller do not change.

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/dialects/stablehlo/TensorExtents.h"
#include "mercator/transforms/stablehlo/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace {
struct Whole {
  Value buffer;
  SmallVector<Value> sizes; ///< of each dimension; null where it is known
};

class Keeper {
public:
  explicit Keeper(MLIRContext *context)
      : b(UnknownLoc::get(context), context) {}
  void block(Block &block);

private:
  void setSize(SetDimensionSizeOp op);
  void update(DynamicUpdateSliceOp op);
  void elementwise(Operation *op);
  void loop(WhileOp op);
  void branches(Operation *op);
  /// Replaces the values of bounded types by their buffers and sizes.
  SmallVector<Value> apart(ValueRange values);
  static SmallVector<Type> apart(TypeRange types);
  /// The inverse for arguments and results, at the builder.
  void join(ValueRange old, ValueRange parts);

  const Whole &of(Value value);
  Value cut(const Whole &whole, RankedTensorType type);

  ImplicitLocOpBuilder b;
  DenseMap<Value, Whole> wholes;
};
} // namespace

/// Whether there are unknown extents, and all have bounds.
static bool isBounded(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.hasStaticShape() &&
         llvm::all_of(extentsOf(tensor), [](Extent extent) {
           return extent.limit() != Extent::kUnknown;
         });
}

static RankedTensorType bufferType(RankedTensorType type) {
  SmallVector<int64_t> shape;
  for (Extent extent : extentsOf(type))
    shape.push_back(extent.limit());
  return RankedTensorType::get(shape, type.getElementType());
}

static Type sizeType(MLIRContext *context) {
  return RankedTensorType::get({}, IntegerType::get(context, 32));
}

/// The tensor, then zeros.
const Whole &Keeper::of(Value value) {
  if (auto found = wholes.find(value); found != wholes.end())
    return found->second;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfterValue(value);
  b.setLoc(value.getLoc());
  auto type = cast<RankedTensorType>(value.getType());
  RankedTensorType to = bufferType(type);
  auto vector = RankedTensorType::get({type.getRank()}, b.getI32Type());
  auto one = RankedTensorType::get({1}, b.getI32Type());
  Whole whole;
  SmallVector<Value> rest;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    Value limit = ConstantOp::create(
        b, DenseElementsAttr::get(cast<ShapedType>(sizeType(b.getContext())),
                                  int32_t(to.getDimSize(d))));
    Value size =
        type.isDynamicDim(unsigned(d))
            ? GetDimensionSizeOp::create(b, sizeType(b.getContext()), value, d)
                  .getResult()
            : limit;
    whole.sizes.push_back(type.isDynamicDim(unsigned(d)) ? size : Value());
    Value missing =
        SubtractOp::create(b, sizeType(b.getContext()), limit, size);
    rest.push_back(ReshapeOp::create(b, one, missing));
  }
  Value zeros =
      ConstantOp::create(b, DenseElementsAttr::get(vector, int32_t(0)));
  Value zero = ConstantOp::create(
      b, cast<ElementsAttr>(
             b.getZeroAttr(RankedTensorType::get({}, type.getElementType()))));
  Value high = ConcatenateOp::create(b, vector, rest, /*dimension=*/0);
  whole.buffer = DynamicPadOp::create(b, to, value, zero, zeros, high, zeros);
  return wholes[value] = std::move(whole);
}

Value Keeper::cut(const Whole &whole, RankedTensorType type) {
  Value value = whole.buffer;
  Extents extents = extentsOf(value), wanted = extentsOf(type);
  for (auto [d, size] : llvm::enumerate(whole.sizes)) {
    if (!size || wanted[d].isKnown())
      continue;
    extents[d] = Extent::atMost(extents[d].limit());
    value = SetDimensionSizeOp::create(
        b, tensorOf(extents, type.getElementType()), value, size, int64_t(d));
  }
  return value;
}

void Keeper::setSize(SetDimensionSizeOp op) {
  Value operand = op.getOperand();
  auto type = cast<RankedTensorType>(operand.getType());
  auto dim = size_t(op.getDimension());
  if (type.hasStaticShape()) {
    Whole whole{operand, SmallVector<Value>(size_t(type.getRank()))};
    whole.sizes[dim] = op.getSize();
    wholes[op.getResult()] = std::move(whole);
    return;
  }
  if (!isBounded(type))
    return;
  Whole whole = of(operand);
  whole.sizes[dim] = op.getSize();
  Value grown = cut(whole, op.getResult().getType());
  op.getResult().replaceAllUsesWith(grown);
  if (isBounded(grown.getType()))
    wholes[grown] = std::move(whole);
  op.erase();
}

/// The starts are clamped as the sizes say, not as the buffer does.
void Keeper::update(DynamicUpdateSliceOp op) {
  auto update = cast<RankedTensorType>(op.getUpdate().getType());
  auto type = cast<RankedTensorType>(op.getResult().getType());
  if (!wholes.contains(op.getOperand()) || !update.hasStaticShape() ||
      !isBounded(type))
    return;
  Whole whole = of(op.getOperand());
  SmallVector<Value> starts(op.getStartIndices());
  for (auto [d, start] : llvm::enumerate(starts)) {
    if (!whole.sizes[d])
      continue;
    auto scalar = cast<RankedTensorType>(start.getType());
    auto constant = [&](ShapedType of, int64_t value) -> Value {
      return ConstantOp::create(
          b, DenseElementsAttr::get(
                 of, APInt(of.getElementTypeBitWidth(), uint64_t(value),
                           /*isSigned=*/true, /*implicitTrunc=*/true)));
    };
    auto wide = cast<RankedTensorType>(sizeType(b.getContext()));
    // The size of the tensor: a start does not depend on the elements of the size.
    Value size = GetDimensionSizeOp::create(b, wide, op.getOperand(), d);
    Value most = SubtractOp::create(
        b, wide, size, constant(wide, update.getDimSize(int64_t(d))));
    most = ConvertOp::create(b, scalar, most);
    start = ClampOp::create(b, scalar, constant(scalar, 0), start, most);
  }
  auto buffer = cast<RankedTensorType>(whole.buffer.getType());
  whole.buffer = DynamicUpdateSliceOp::create(b, buffer, whole.buffer,
                                              op.getUpdate(), starts);
  Value updated = cut(whole, type);
  op.getResult().replaceAllUsesWith(updated);
  wholes[updated] = std::move(whole);
  op.erase();
}

void Keeper::elementwise(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !isBounded(op->getResult(0).getType()))
    return;
  const Whole *first = nullptr;
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type || (type.getRank() != 0 && !isBounded(type)))
      return;
    if (auto found = wholes.find(operand); found != wholes.end() && !first)
      first = &found->second;
  }
  if (!first)
    return;
  auto type = bufferType(cast<RankedTensorType>(op->getResult(0).getType()));
  Whole whole{{}, first->sizes};
  SmallVector<Value> buffers;
  for (Value operand : op->getOperands()) {
    Value buffer = isBounded(operand.getType()) ? of(operand).buffer : operand;
    auto own = cast<RankedTensorType>(buffer.getType());
    if (own.getRank() != 0 && own.getShape() != type.getShape())
      return;
    buffers.push_back(buffer);
  }
  Operation *on = b.clone(*op);
  on->setOperands(buffers);
  on->getResult(0).setType(type);
  whole.buffer = on->getResult(0);
  wholes[op->getResult(0)] = std::move(whole);
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

SmallVector<Value> Keeper::apart(ValueRange values) {
  SmallVector<Value> parts;
  for (Value value : values) {
    if (!isBounded(value.getType())) {
      parts.push_back(value);
      continue;
    }
    const Whole &whole = of(value);
    parts.push_back(whole.buffer);
    auto type = cast<RankedTensorType>(value.getType());
    for (auto [d, size] : llvm::enumerate(whole.sizes))
      if (type.isDynamicDim(unsigned(d)))
        parts.push_back(size);
  }
  return parts;
}

SmallVector<Type> Keeper::apart(TypeRange types) {
  SmallVector<Type> parts;
  for (Type type : types) {
    if (!isBounded(type)) {
      parts.push_back(type);
      continue;
    }
    auto tensor = cast<RankedTensorType>(type);
    parts.push_back(bufferType(tensor));
    parts.append(size_t(tensor.getNumDynamicDims()),
                 sizeType(type.getContext()));
  }
  return parts;
}

void Keeper::join(ValueRange old, ValueRange parts) {
  for (Value value : old) {
    if (!isBounded(value.getType())) {
      value.replaceAllUsesWith(parts.front());
      parts = parts.drop_front();
      continue;
    }
    auto type = cast<RankedTensorType>(value.getType());
    Whole whole{parts.front(), SmallVector<Value>(size_t(type.getRank()))};
    parts = parts.drop_front();
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (type.isDynamicDim(unsigned(d))) {
        whole.sizes[size_t(d)] = parts.front();
        parts = parts.drop_front();
      }
    Value own = cut(whole, type);
    value.replaceAllUsesWith(own);
    wholes[own] = std::move(whole);
  }
}

/// Whether values of these types are taken apart, and the terminator gives values
/// of the same kinds.
static bool canTakeApart(Region &region, TypeRange types) {
  Operation *end = region.front().getTerminator();
  return end->getNumOperands() == types.size() &&
         llvm::all_of(llvm::zip(end->getOperandTypes(), types), [](auto pair) {
           auto [a, c] = pair;
           if (!isBounded(a) || !isBounded(c))
             return isBounded(a) == isBounded(c);
           auto x = cast<RankedTensorType>(a), y = cast<RankedTensorType>(c);
           return bufferType(x) == bufferType(y) &&
                  x.getShape() == y.getShape();
         });
}

void Keeper::loop(WhileOp op) {
  TypeRange types = op->getResultTypes();
  if (llvm::none_of(types, isBounded) || !canTakeApart(op.getBody(), types) ||
      SmallVector<Type>(op->getOperandTypes()) != SmallVector<Type>(types)) {
    for (Region &region : op->getRegions())
      block(region.front());
    return;
  }
  auto made = WhileOp::create(b, apart(types), apart(op->getOperands()));
  made->setAttrs(op->getAttrs());
  for (auto [from, to] : llvm::zip(op->getRegions(), made->getRegions())) {
    to.takeBody(from);
    Block &body = to.front();
    unsigned count = body.getNumArguments();
    for (Type type : made->getResultTypes())
      body.addArgument(type, op.getLoc());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&body);
    join(body.getArguments().take_front(count),
         body.getArguments().drop_front(count));
    body.eraseArguments(0, count);
    block(body);
    if (&to == &made.getBody())
      body.getTerminator()->setOperands(
          apart(body.getTerminator()->getOperands()));
  }
  join(op->getResults(), made->getResults());
  op.erase();
}

/// An `if` or a `case`.
void Keeper::branches(Operation *op) {
  TypeRange types = op->getResultTypes();
  for (Region &region : op->getRegions())
    block(region.front());
  if (llvm::none_of(types, isBounded) ||
      llvm::any_of(op->getRegions(), [&](Region &region) {
        return !canTakeApart(region, types);
      }))
    return;
  b.setInsertionPoint(op);
  b.setLoc(op->getLoc());
  OperationState state(op->getLoc(), op->getName(), op->getOperands(),
                       apart(types), op->getAttrs());
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *made = b.create(state);
  for (auto [from, to] : llvm::zip(op->getRegions(), made->getRegions())) {
    to.takeBody(from);
    Operation *end = to.front().getTerminator();
    end->setOperands(apart(end->getOperands()));
  }
  join(op->getResults(), made->getResults());
  op->erase();
}

void Keeper::block(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    b.setInsertionPoint(&op);
    b.setLoc(op.getLoc());
    if (auto size = dyn_cast<SetDimensionSizeOp>(op))
      setSize(size);
    else if (auto put = dyn_cast<DynamicUpdateSliceOp>(op))
      update(put);
    else if (op.hasTrait<mercator::stablehlo::Elementwise>())
      elementwise(&op);
    else if (auto repeat = dyn_cast<WhileOp>(op))
      loop(repeat);
    else if (isa<IfOp, CaseOp>(op))
      branches(&op);
  }
}

static bool hasGrowth(ModuleOp module) {
  return module
      .walk([](SetDimensionSizeOp op) {
        bool mayGrow =
            op.getOperand().getType().isDynamicDim(unsigned(op.getDimension()));
        return mayGrow ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
class KeepBounded : public PassWrapper<KeepBounded, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KeepBounded)

  StringRef getArgument() const final { return "stablehlo-keep-bounded"; }
  StringRef getDescription() const final {
    return "keep the elements of bounded tensors beyond their sizes";
  }
  void runOnOperation() override {
    if (!hasGrowth(getOperation()))
      return;
    OpPassManager calls(ModuleOp::getOperationName());
    calls.addPass(createInlineCalls());
    if (failed(runPipeline(calls, getOperation())))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!llvm::hasSingleElement(function.getBody()))
        continue;
      Keeper(&getContext()).block(function.getBody().front());
      // What is not needed, the last uses first.
      function.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
        if (isOpTriviallyDead(op))
          op->erase();
      });
    }
  }
};
} // namespace

std::unique_ptr<Pass> mercator::stablehlo::createKeepBounded() {
  return std::make_unique<KeepBounded>();
}
