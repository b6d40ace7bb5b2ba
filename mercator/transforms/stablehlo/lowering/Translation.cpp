// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/lowering/Translation.h"
#include "mercator/analysis/Names.h"
#include "mercator/transforms/KeptOperations.h"
#include "mercator/transforms/stablehlo/lowering/Refusals.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;

namespace mercator::stablehlo {

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

ArrayRef<Value> Translation::lookup(Value old) const {
  auto found = known.find(old);
  assert(found != known.end() && "the operand has been lowered");
  return found->second;
}

Value Translation::one(Value old) const {
  ArrayRef<Value> values = lookup(old);
  assert(values.size() == 1 && "a tensor is one value");
  return values.front();
}

Values Translation::all(ValueRange old) const {
  Values values;
  for (Value value : old)
    llvm::append_range(values, lookup(value));
  return values;
}

void Translation::set(Value old, ValueRange lowered) {
  known[old] = Values(lowered.begin(), lowered.end());
}

void Translation::setAll(ValueRange old, ValueRange lowered) {
  for (Value value : old) {
    SmallVector<Type> types;
    lowerType(value.getType(), types);
    set(value, lowered.take_front(types.size()));
    lowered = lowered.drop_front(types.size());
  }
  assert(lowered.empty() && "there is a value for each lowered type");
}

//===----------------------------------------------------------------------===//
// Old types
//===----------------------------------------------------------------------===//

/// A tensor as one of another type with the same elements and bits.
static Value castTensor(ImplicitLocOpBuilder &b, Value tensor,
                        RankedTensorType to) {
  auto from = cast<RankedTensorType>(tensor.getType());
  if (from == to)
    return tensor;
  if (isa<quant::QuantizedType>(from.getElementType()) !=
      isa<quant::QuantizedType>(to.getElementType()))
    return quant::StorageCastOp::create(b, to, tensor);
  if (from.getElementType() != to.getElementType())
    return tensor::BitcastOp::create(b, to, tensor);
  return tensor::CastOp::create(b, to, tensor);
}

Value Translation::raise(ImplicitLocOpBuilder &b, Type old,
                         ValueRange lowered) {
  if (isa<TokenType>(old))
    return CreateTokenOp::create(b, TypeRange{old}, ValueRange{})->getResult(0);
  if (auto tuple = dyn_cast<TupleType>(old)) {
    Values parts;
    for (Type part : tuple.getTypes()) {
      SmallVector<Type> types;
      lowerType(part, types);
      parts.push_back(raise(b, part, lowered.take_front(types.size())));
      lowered = lowered.drop_front(types.size());
    }
    return TupleOp::create(b, TypeRange{old}, ValueRange(parts))->getResult(0);
  }
  if (auto tensor = dyn_cast<RankedTensorType>(old))
    return castTensor(b, lowered.front(), tensor);
  return lowered.front();
}

Values Translation::lower(ImplicitLocOpBuilder &b, Value old) {
  Type type = old.getType();
  if (isa<TokenType>(type))
    return {};
  if (auto tuple = dyn_cast<TupleType>(type)) {
    Values parts;
    for (auto [i, part] : llvm::enumerate(tuple.getTypes()))
      llvm::append_range(
          parts,
          lower(b, GetTupleElementOp::create(
                       b, TypeRange{part}, ValueRange{old},
                       b.getNamedAttr("index", b.getI32IntegerAttr(int(i))))
                       ->getResult(0)));
    return parts;
  }
  if (isa<RankedTensorType>(type))
    return {castTensor(b, old, loweredTensor(type))};
  return {old};
}

FailureOr<Values> Translation::keep(Operation *op, ImplicitLocOpBuilder &b) {
  IRMapping mapping;
  auto raised = [&](Value old) {
    if (!mapping.contains(old))
      mapping.map(old, raise(b, old.getType(), lookup(old)));
  };
  for (Value operand : op->getOperands())
    raised(operand);
  // What its regions use from outside.
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (known.contains(operand))
        raised(operand);
  });
  Operation *copy = b.clone(*op, mapping);
  Values results;
  for (Value result : copy->getResults())
    llvm::append_range(results, lower(b, result));
  return results;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult Translation::operation(Operation *op, OpBuilder &b) {
  LoweringRule rule = rules.find(op);
  if (!rule && !isSource(op) && !isKept(op->getName()))
    return copy(op, b);
  ImplicitLocOpBuilder builder(sourceLocation(op), b);
  Lowering l{op, builder, *this};
  FailureOr<Values> results = failure();
  if (rule)
    results = rule(l);
  else if (isKept(op->getName()))
    results = keep(op, builder);
  else
    (void)l.refuse("it has no lowering");
  b.restoreInsertionPoint(builder.saveInsertionPoint());
  if (failed(results))
    return failure();
  setAll(op->getResults(), *results);
  return success();
}

func::FuncOp Translation::declare(Operation *user, StringRef name,
                                  FunctionType type) {
  Operation *module = SymbolTable::getNearestSymbolTable(user);
  SymbolTable &table = symbols.getSymbolTable(module);
  std::string own = name.str();
  for (int64_t suffix = 1; Operation *taken = table.lookup(own); ++suffix) {
    auto known = dyn_cast<func::FuncOp>(taken);
    if (known && known.isExternal() && known.getFunctionType() == type)
      return known;
    own = (name + "." + Twine(suffix)).str();
  }
  auto declaration =
      func::FuncOp::create(UnknownLoc::get(user->getContext()), own, type);
  declaration.setPrivate();
  table.insert(declaration, module->getRegion(0).front().end());
  return declaration;
}

LogicalResult Translation::copy(Operation *op, OpBuilder &b) {
  OperationState state(op->getLoc(), op->getName(),
                       ValueRange(all(op->getOperands())),
                       lowerTypes(op->getResultTypes()),
                       llvm::to_vector(op->getDiscardableAttrs()));
  for (Block *successor : op->getSuccessors())
    state.addSuccessors(blocks.lookup(successor));
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  if (Attribute properties = op->getPropertiesAsAttribute())
    state.propertiesAttr = properties;
  Operation *copied = b.create(state);
  setAll(op->getResults(), copied->getResults());
  for (auto [from, to] : llvm::zip(op->getRegions(), copied->getRegions()))
    if (failed(region(from, to)))
      return failure();
  return success();
}

FailureOr<Values> Translation::block(Block &block, OpBuilder &b) {
  for (Operation &op : block.without_terminator())
    if (failed(operation(&op, b)))
      return failure();
  return all(block.getTerminator()->getOperands());
}

static void addArguments(Block &from, Block &to, Translation &translation) {
  for (BlockArgument argument : from.getArguments()) {
    Values values;
    SmallVector<Type> types;
    lowerType(argument.getType(), types);
    for (Type type : types)
      values.push_back(to.addArgument(type, argument.getLoc()));
    translation.set(argument, values);
  }
}

LogicalResult Translation::region(Region &from, Region &to) {
  if (from.empty())
    return success();
  for (Block &block : from) {
    Block &created = to.emplaceBlock();
    blocks[&block] = &created;
    addArguments(block, created, *this);
  }
  // A value is defined before its uses in this order. Blocks that cannot be
  // reached are dropped.
  for (Block *block : llvm::ReversePostOrderTraversal<Region *>(&from)) {
    OpBuilder b = OpBuilder::atBlockEnd(blocks[block]);
    for (Operation &op : *block)
      if (failed(operation(&op, b)))
        return failure();
  }
  for (Block &block : llvm::make_early_inc_range(to))
    if (block.empty()) {
      block.dropAllDefinedValueUses();
      block.erase();
    }
  return success();
}

LogicalResult Translation::region(
    Region &from, Region &to,
    function_ref<void(ImplicitLocOpBuilder &, ValueRange)> end) {
  Block &block = to.emplaceBlock();
  addArguments(from.front(), block, *this);
  OpBuilder b = OpBuilder::atBlockEnd(&block);
  FailureOr<Values> results = this->block(from.front(), b);
  if (failed(results))
    return failure();
  ImplicitLocOpBuilder builder(from.front().getTerminator()->getLoc(), b);
  end(builder, *results);
  return success();
}

LogicalResult Translation::function(FunctionOpInterface function) {
  auto type = cast<FunctionType>(function.getFunctionType());
  if (!function.isExternal()) {
    // Builders want blocks that are in an operation.
    OwningOpRef<Operation *> lowered = function->cloneWithoutRegions();
    if (failed(region(function.getFunctionBody(), lowered->getRegion(0))))
      return failure();
    function.getFunctionBody().takeBody(lowered->getRegion(0));
  }
  known.clear();
  blocks.clear();
  // The attributes of arguments and results go to their first values.
  auto spread = [&](TypeRange types, ArrayAttr all) -> ArrayAttr {
    if (!all)
      return all;
    SmallVector<Attribute> attributes;
    auto none = DictionaryAttr::get(function.getContext());
    for (auto [type, attribute] : llvm::zip(types, all)) {
      SmallVector<Type> parts;
      lowerType(type, parts);
      for (size_t i = 0; i < parts.size(); ++i)
        attributes.push_back(i == 0 ? attribute : none);
    }
    return ArrayAttr::get(function.getContext(), attributes);
  };
  ArrayAttr arguments = spread(type.getInputs(), function.getArgAttrsAttr());
  ArrayAttr results = spread(type.getResults(), function.getResAttrsAttr());
  function.setType(FunctionType::get(function.getContext(),
                                     lowerTypes(type.getInputs()),
                                     lowerTypes(type.getResults())));
  if (arguments)
    function.setArgAttrsAttr(arguments);
  if (results)
    function.setResAttrsAttr(results);
  return success();
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

RankedTensorType Lowering::type(unsigned i) const {
  return loweredTensor(op->getResult(i).getType());
}

LogicalResult Lowering::refuse(const Twine &why) const {
  return op->emitOpError("cannot be lowered to linalg: ") << why;
}

Values operandsOf(Lowering &l) {
  return l.translation.all(l.op->getOperands());
}

LoweringRule LoweringRules::find(Operation *op) const {
  std::optional<RegisteredOperationName> name = op->getRegisteredInfo();
  if (!name)
    return nullptr;
  if (LoweringRule own = rules.lookup(name->getTypeID()))
    return own;
  for (auto [is, rule] : families)
    if (is(op))
      return rule;
  return nullptr;
}

} // namespace mercator::stablehlo
