// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/simplify/Simplify.h"
#include "mercator/transforms/stablehlo/Passes.h"

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace mercator::stablehlo {

/// Larger results are computed at run time: a constant takes memory and is read
/// from it.
static constexpr int64_t kMostFoldedBytes = 64 * 1024;
/// An iota up to this size is a constant. Larger ones are cheaper to compute.
static constexpr int64_t kMostIotaElements = 1024;
/// Visits for each operation of the program, a stop for a table without a
/// normal form.
static constexpr size_t kMostVisits = 64;

ArrayRef<Equation> Equations::find(Operation *op) const {
  std::optional<RegisteredOperationName> name = op->getRegisteredInfo();
  if (!name)
    return {};
  auto it = rules.find(name->getTypeID());
  return it == rules.end() ? ArrayRef<Equation>() : it->second;
}

static const Equations &allEquations() {
  static const Equations all = [] {
    Equations equations;
    addArithmeticEquations(equations);
    addMovementEquations(equations);
    addSliceEquations(equations);
    addBroadcastEquations(equations);
    addSumEquations(equations);
    return equations;
  }();
  return all;
}

//===--- What the equations ask -------------------------------------------===//

RankedTensorType tensorOf(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

bool isInteger(Type tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor);
  return type && isa<IntegerType>(type.getElementType());
}

bool isFloat(Type tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor);
  return type && isa<FloatType>(type.getElementType());
}

bool isPlain(Type tensor) { return isInteger(tensor) || isFloat(tensor); }

bool isStatic(Type tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor);
  return type && type.hasStaticShape();
}

RankedTensorType withShape(Type tensor, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape,
                               cast<RankedTensorType>(tensor).getElementType());
}

Attribute splatOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto constant = dyn_cast<ConstantOp>(op)) {
      auto dense = dyn_cast<SplatElementsAttr>(constant.getValue());
      return dense && isPlain(dense.getType()) && dense.getNumElements() > 0
                 ? dense.getSplatValue<Attribute>()
                 : Attribute();
    }
    if (!isa<BroadcastInDimOp, BroadcastOp, ReshapeOp, TransposeOp, ReverseOp>(
            op))
      return {};
    value = op->getOperand(0);
  }
  return {};
}

bool isSplat(Value value, double number) {
  Attribute element = splatOf(value);
  if (auto integer = dyn_cast_or_null<IntegerAttr>(element)) {
    APInt bits = integer.getValue();
    if (number == 1)
      return bits.isOne();
    return number == 0 && bits.isZero() && !std::signbit(number);
  }
  auto real = dyn_cast_or_null<FloatAttr>(element);
  if (!real)
    return false;
  APFloat wanted(number);
  bool loses = false;
  wanted.convert(real.getValue().getSemantics(), APFloat::rmNearestTiesToEven,
                 &loses);
  return !loses && real.getValue().bitwiseIsEqual(wanted);
}

Value splat(ImplicitLocOpBuilder &b, Type type, Attribute element) {
  auto tensor = cast<RankedTensorType>(type);
  if (!tensor.hasStaticShape())
    return {};
  return ConstantOp::create(
      b, tensor, cast<ElementsAttr>(DenseElementsAttr::get(tensor, element)));
}

bool isOfMask(Operation *numbers, unsigned depth) {
  constexpr int64_t kLeastElements = 129;
  auto type = tensorOf(numbers->getResult(0));
  if (!isStatic(type) || type.getNumElements() < kLeastElements)
    return false;
  return llvm::all_of(numbers->getUsers(), [&](Operation *user) {
    return isa<CompareOp>(user) ||
           (depth > 0 &&
            isa<AddOp, SubtractOp, MulOp, BroadcastInDimOp, ConvertOp,
                ReshapeOp>(user) &&
            isOfMask(user, depth - 1));
  });
}

//===--- The sweep --------------------------------------------------------===//

namespace {
/// A worklist of the operations whose operands have changed. A created
/// operation joins it; an erased one leaves it.
class Simplifier : public OpBuilder::Listener {
public:
  Simplifier(MLIRContext *context, const FoldFn &fold)
      : builder(context, this), fold(fold) {}

  void run(Operation *root);

private:
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    push(op);
  }
  void push(Operation *op);
  void visit(Operation *op);
  void replace(Operation *op, ValueRange values);
  bool eraseIfDead(Operation *op);
  bool foldConstant(Operation *op);
  Value applyTable(Operation *op);

  OpBuilder builder;
  const FoldFn &fold;
  const Equations &equations = allEquations();
  SmallVector<Operation *> stack;
  DenseSet<Operation *> waiting;
  Operation *root = nullptr;
};
} // namespace

void Simplifier::push(Operation *op) {
  if (op != root && waiting.insert(op).second)
    stack.push_back(op);
}

bool Simplifier::eraseIfDead(Operation *op) {
  if (!isOpTriviallyDead(op))
    return false;
  SmallVector<Operation *> producers;
  op->walk([&](Operation *inner) {
    waiting.erase(inner);
    for (Value operand : inner->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && !op->isAncestor(producer))
        producers.push_back(producer);
  });
  op->erase();
  for (Operation *producer : producers)
    push(producer);
  return true;
}

void Simplifier::replace(Operation *op, ValueRange values) {
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values)) {
    for (Operation *user : result.getUsers())
      push(user);
    result.replaceAllUsesWith(value);
  }
}

/// Whether the operation is a function of its operands alone, and cheap enough.
static bool canFold(Operation *op) {
  if (!isa_and_nonnull<StablehloDialect>(op->getDialect()) ||
      !isMemoryEffectFree(op) || op->getNumRegions() != 0 ||
      op->hasTrait<OpTrait::ConstantLike>() ||
      op->hasTrait<OpTrait::IsTerminator>())
    return false;
  if (auto iota = dyn_cast<IotaOp>(op)) {
    auto type = cast<RankedTensorType>(iota.getType());
    return isPlain(type) && type.hasStaticShape() && type.getRank() == 1 &&
           type.getNumElements() <= kMostIotaElements && !isOfMask(iota);
  }
  if (op->getNumOperands() == 0)
    return false;
  return llvm::all_of(op->getResultTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !isPlain(type) || !tensor.hasStaticShape())
      return false;
    int64_t bytes =
        llvm::divideCeil(tensor.getElementTypeBitWidth(), unsigned(8));
    return tensor.getNumElements() <= kMostFoldedBytes / bytes;
  });
}

bool Simplifier::foldConstant(Operation *op) {
  if (!fold || !canFold(op))
    return false;
  SmallVector<ElementsAttr> operands, results;
  for (Value operand : op->getOperands()) {
    auto constant = operand.getDefiningOp<ConstantOp>();
    if (!constant || constant.isElided() || !isPlain(constant.getType()) ||
        cast<RankedTensorType>(constant.getType()).getNumElements() >
            kMostFoldedBytes)
      return false;
    operands.push_back(constant.getValue());
  }
  if (failed(fold(op, operands, results)) ||
      results.size() != op->getNumResults())
    return false;
  builder.setInsertionPoint(op);
  SmallVector<Value> values;
  for (auto [result, value] : llvm::zip_equal(op->getResults(), results)) {
    if (value.getShapedType() != result.getType())
      return false;
    values.push_back(
        ConstantOp::create(builder, op->getLoc(), result.getType(), value));
  }
  replace(op, values);
  return true;
}

Value Simplifier::applyTable(Operation *op) {
  builder.setInsertionPoint(op);
  ImplicitLocOpBuilder b(op->getLoc(), builder);
  auto apply = [&](ArrayRef<Equation> rows) -> Value {
    for (Equation equation : rows)
      if (Value value = equation(op, b))
        if (value.getType() == op->getResult(0).getType() &&
            value != op->getResult(0))
          return value;
    return {};
  };
  if (Value value = apply(equations.find(op)))
    return value;
  if (op->hasTrait<stablehlo::Elementwise>() && op->getNumOperands() > 0 &&
      op->getNumRegions() == 0)
    return apply(equations.ofElementwise());
  return {};
}

void Simplifier::visit(Operation *op) {
  if (eraseIfDead(op) || op->getNumResults() == 0)
    return;
  if (foldConstant(op)) {
    eraseIfDead(op);
    return;
  }
  if (op->getNumResults() != 1)
    return;
  if (Value value = applyTable(op)) {
    replace(op, value);
    eraseIfDead(op);
  }
}

void Simplifier::run(Operation *of) {
  root = of;
  SmallVector<Operation *> all;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { all.push_back(op); });
  // Producers first.
  for (Operation *op : llvm::reverse(all))
    push(op);
  size_t left = kMostVisits * (all.size() + 1);
  while (!stack.empty() && left-- > 0) {
    Operation *op = stack.pop_back_val();
    // An erased operation is on the stack still. Its address may belong to a
    // new operation, which then waits too.
    if (waiting.erase(op))
      visit(op);
  }
}

void simplify(Operation *root, const FoldFn &fold) {
  Simplifier(root->getContext(), fold).run(root);
}

//===--- Pass -------------------------------------------------------------===//

namespace {
class Simplify : public PassWrapper<Simplify, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Simplify)

  explicit Simplify(FoldFn fold = {}) : fold(std::move(fold)) {}

  StringRef getArgument() const final { return "stablehlo-simplify"; }
  StringRef getDescription() const final {
    return "apply equations of StableHLO, and evaluate constants";
  }
  void runOnOperation() override { simplify(getOperation(), fold); }

private:
  FoldFn fold;
};
} // namespace

std::unique_ptr<Pass> createSimplify(FoldFn fold) {
  return std::make_unique<Simplify>(std::move(fold));
}

} // namespace mercator::stablehlo
