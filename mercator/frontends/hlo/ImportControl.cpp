// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow: calls, loops, branches. Tuples that they carry are split.

#include "mercator/frontends/hlo/Importer.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::hlo;

/// `func.call`, with its arguments in the layouts of the function's parameters.
Operation *BodyImporter::call(OpBuilder &builder, Location where,
                              uint32_t callee, ValueRange arguments) {
  FunctionType signature = shared.signatureOf(callee);
  SmallVector<Value> values(arguments);
  for (auto [value, type] : llvm::zip(values, signature.getInputs()))
    value = coerce(builder, value, type);
  return func::CallOp::create(builder, where, shared.reference(callee),
                              signature.getResults(), values);
}

/// Fills a region that calls a function and returns its results, member by
/// member. The single parameter of the function is `members`, or the tuple of
/// them.
void BodyImporter::callInRegion(Region &region, uint32_t callee,
                                ValueRange members, TypeRange results) {
  Location where = shared.locationOf(*instruction, /*named=*/false);
  OpBuilder inner = OpBuilder::atBlockEnd(&region.front());
  // A short text can name many branches that all read the same large tuple.
  for (size_t i = 0, e = members.size() + results.size(); i < e; ++i)
    if (failed(shared.count(*instruction))) {
      failedInside = true;
      return;
    }
  FunctionType signature = shared.signatureOf(callee);
  SmallVector<Value> arguments(members);
  if (signature.getNumInputs() == 1 && isSplitTuple(signature.getInput(0)))
    arguments = {stablehlo::TupleOp::create(
        inner, where, TupleType::get(&shared.context, members.getTypes()),
        members)};
  Operation *op = call(inner, where, callee, arguments);
  SmallVector<Value> values(op->getResults());
  if (values.size() == 1 && isSplitTuple(values[0].getType()))
    values = split(inner, where, values[0]);
  for (auto [value, type] : llvm::zip(values, results))
    value = coerce(inner, value, type);
  stablehlo::ReturnOp::create(inner, where, values);
}

SmallVector<Value> BodyImporter::carried(unsigned i, Type type) {
  SmallVector<Value> values;
  uint32_t index = instruction->operands[i];
  if (!isSplitTuple(type))
    values.push_back(value(index));
  else
    llvm::append_range(values, elements(index));
  return values;
}

Operation *BodyImporter::buildControl() {
  switch (instruction->opcode) {
  case Opcode::OptBarrier: {
    SmallVector<Value> values = carried(0, resultType());
    return stablehlo::OptimizationBarrierOp::create(
        b, loc, ValueRange(values).getTypes(), values);
  }
  case Opcode::AfterAll:
    return stablehlo::AfterAllOp::create(b, loc, resultType(), operands());
  case Opcode::Call:
    return buildCall();
  case Opcode::While:
    return buildWhile();
  case Opcode::Conditional:
    return buildConditional();
  default:
    return nullptr;
  }
}

Operation *BodyImporter::buildCall() {
  const ComputationRef *callee = attrs->called(AttrName::ToApply);
  if (!callee || callee->index == kNone)
    return nullptr;
  SmallVector<Value> arguments = operands();
  Operation *op = call(b, loc, callee->index, arguments);
  // The layout of the instruction may differ from the function's.
  if (op->getResult(0).getType() == resultType())
    return op;
  return CopyOp::create(b, shared.locationOf(*instruction, /*named=*/false),
                        resultType(), op->getResult(0));
}

Operation *BodyImporter::buildWhile() {
  const ComputationRef *condition = attrs->called(AttrName::Condition);
  const ComputationRef *body = attrs->called(AttrName::Body);
  if (!condition || !body || condition->index == kNone || body->index == kNone)
    return nullptr;
  SmallVector<Type> types = carriedTypes(resultType());
  SmallVector<Value> inits = carried(0, resultType());
  for (auto [value, type] : llvm::zip(inits, types))
    value = coerce(b, value, type);
  auto op = stablehlo::WhileOp::create(b, loc, types, inits);
  SmallVector<Location> places(
      types.size(), shared.locationOf(*instruction, /*named=*/false));
  for (auto [region, callee] : {std::pair(&op.getCond(), condition->index),
                                std::pair(&op.getBody(), body->index)}) {
    Block &inner = region->emplaceBlock();
    inner.addArguments(types, places);
    callInRegion(*region, callee, inner.getArguments(),
                 region == &op.getBody() ? TypeRange(types) : TypeRange());
  }
  return op;
}

Operation *BodyImporter::buildConditional() {
  SmallVector<uint32_t> branches;
  for (AttrName name : {AttrName::TrueComputation, AttrName::FalseComputation,
                        AttrName::BranchComputations})
    if (const Attribute *attribute = attrs->find(name))
      for (const ComputationRef &callee : attribute->computations())
        branches.push_back(callee.index);
  const Shape &selector =
      *computation.instructions[instruction->operands[0]].shape;
  if (branches.empty() || llvm::is_contained(branches, kNone) ||
      !selector.isScalar() ||
      instruction->operands.size() != branches.size() + 1)
    return nullptr;
  bool isIf = selector.elementType == ElementType::PRED;
  if (isIf && branches.size() != 2)
    return nullptr;
  // Tuple operands of branches are split before the operation.
  SmallVector<SmallVector<Value>> arguments;
  for (unsigned i = 1; i <= branches.size(); ++i) {
    const Instruction &source =
        computation.instructions[instruction->operands[i]];
    arguments.push_back(carried(i, shared.typeOf(*source.shape)));
  }
  SmallVector<Type> types = carriedTypes(resultType());
  Operation *op;
  if (isIf)
    op = stablehlo::IfOp::create(b, loc, types, operand(0));
  else
    op = stablehlo::CaseOp::create(b, loc, types, operand(0), branches.size());
  for (auto [region, callee, values] :
       llvm::zip(op->getRegions(), branches, arguments)) {
    region.emplaceBlock();
    callInRegion(region, callee, values, types);
  }
  return op;
}
