// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls, returns, branches and loops; tuples, tokens and barriers.

#include "mercator/transforms/stablehlo/lowering/Builders.h"
#include "mercator/transforms/stablehlo/lowering/Translation.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace mercator::stablehlo {

/// The elements of a sparse attribute, say, one after the other.
static ElementsAttr densified(ElementsAttr value, RankedTensorType type) {
  auto of = [&](auto values) -> ElementsAttr {
    if (!values)
      return nullptr;
    return DenseElementsAttr::get(type, llvm::to_vector(*values));
  };
  // MLIR does not read sparse complex numbers.
  if (isa<ComplexType>(type.getElementType()))
    return nullptr;
  if (isa<FloatType>(type.getElementType()))
    return of(value.tryGetValues<APFloat>());
  return of(value.tryGetValues<APInt>());
}

/// The elements in an attribute of a lowered type; null for an attribute that
/// does not list them.
static ElementsAttr loweredElements(ElementsAttr value, RankedTensorType type) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return densified(value, type);
  // Only the sign of integers differs.
  if (dense.getElementType() != type.getElementType())
    dense = dense.bitcast(type.getElementType());
  return dense.reshape(type);
}

FailureOr<Values> lowerElements(Lowering &l, ElementsAttr given) {
  ElementsAttr value = loweredElements(given, l.type());
  if (!value)
    return l.refuse("its attribute does not list the elements");
  return Values{
      arith::ConstantOp::create(l.b, l.type(), cast<TypedAttr>(value))};
}

static FailureOr<Values> lowerConstant(ConstantOp op, Lowering &l) {
  return lowerElements(l, op.getValue());
}

static FailureOr<Values> lowerIf(IfOp op, Lowering &l) {
  auto lowered =
      scf::IfOp::create(l.b, lowerTypes(op->getResultTypes()),
                        scalarOf(l.b, l.translation.one(op->getOperand(0))),
                        /*addThenBlock=*/false, /*addElseBlock=*/false);
  auto yield = [](ImplicitLocOpBuilder &b, ValueRange results) {
    scf::YieldOp::create(b, results);
  };
  if (failed(l.translation.region(op->getRegion(0), lowered.getThenRegion(),
                                  yield)) ||
      failed(l.translation.region(op->getRegion(1), lowered.getElseRegion(),
                                  yield)))
    return failure();
  return Values(lowered.getResults());
}

/// The last branch is also that of an index out of range.
static FailureOr<Values> lowerCase(CaseOp op, Lowering &l) {
  ImplicitLocOpBuilder &b = l.b;
  auto yield = [](ImplicitLocOpBuilder &b, ValueRange results) {
    scf::YieldOp::create(b, results);
  };
  int64_t last = op->getNumRegions() - 1;
  Value index = toIndex(b, scalarOf(b, l.translation.one(op->getOperand(0))),
                        isUnsigned(getElementTypeOrSelf(op->getOperand(0))));
  auto lowered = scf::IndexSwitchOp::create(
      b, lowerTypes(op->getResultTypes()), index,
      llvm::to_vector(llvm::seq<int64_t>(0, last)), unsigned(last));
  for (int64_t i = 0; i <= last; ++i)
    if (failed(l.translation.region(op->getRegion(unsigned(i)),
                                    i < last ? lowered.getCaseRegions()[i]
                                             : lowered.getDefaultRegion(),
                                    yield)))
      return failure();
  return Values(lowered.getResults());
}

static FailureOr<Values> lowerWhile(WhileOp op, Lowering &l) {
  auto lowered = scf::WhileOp::create(l.b, lowerTypes(op->getResultTypes()),
                                      l.translation.all(op->getOperands()));
  auto condition = [&](ImplicitLocOpBuilder &b, ValueRange results) {
    scf::ConditionOp::create(b, scalarOf(b, results.front()),
                             lowered.getBefore().front().getArguments());
  };
  auto yield = [](ImplicitLocOpBuilder &b, ValueRange results) {
    scf::YieldOp::create(b, results);
  };
  if (failed(l.translation.region(op->getRegion(0), lowered.getBefore(),
                                  condition)) ||
      failed(l.translation.region(op->getRegion(1), lowered.getAfter(), yield)))
    return failure();
  return Values(lowered.getResults());
}

static FailureOr<Values> lowerTuple(TupleOp op, Lowering &l) {
  return l.translation.all(op->getOperands());
}

static FailureOr<Values> lowerGetTupleElement(GetTupleElementOp op,
                                              Lowering &l) {
  auto tuple = cast<TupleType>(op->getOperand(0).getType());
  ArrayRef<Value> values = l.translation.lookup(op->getOperand(0));
  SmallVector<Type> before, own;
  for (unsigned i = 0; i < unsigned(op.getIndex()); ++i)
    lowerType(tuple.getType(i), before);
  lowerType(tuple.getType(unsigned(op.getIndex())), own);
  return Values(values.slice(before.size(), own.size()));
}

static FailureOr<Values> lowerToNothing(CreateTokenOp, Lowering &) {
  return Values();
}
static FailureOr<Values> lowerToNothing(AfterAllOp, Lowering &) {
  return Values();
}

static FailureOr<Values> lowerBarrier(OptimizationBarrierOp op, Lowering &l) {
  return l.translation.all(op->getOperands());
}

void addControlRules(LoweringRules &rules) {
  rules.add<ConstantOp, lowerConstant>();
  rules.add<IfOp, lowerIf>();
  rules.add<CaseOp, lowerCase>();
  rules.add<WhileOp, lowerWhile>();
  rules.add<TupleOp, lowerTuple>();
  rules.add<GetTupleElementOp, lowerGetTupleElement>();
  rules.add<CreateTokenOp, lowerToNothing>();
  rules.add<AfterAllOp, lowerToNothing>();
  rules.add<OptimizationBarrierOp, lowerBarrier>();
}

} // namespace mercator::stablehlo
