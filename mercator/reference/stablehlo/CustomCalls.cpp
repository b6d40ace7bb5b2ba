// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/stablehlo/CustomCalls.h"

#include "mercator/dialects/stablehlo/Annotations.h"
#include "mercator/dialects/stablehlo/LinearAlgebraCalls.h"
#include "mercator/reference/stablehlo/Rules.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

LogicalResult expectTensors(Step &step, size_t count) {
  if (step.operands.size() < count)
    return step.error() << "expected at least " << count << " operands of @"
                        << cast<CustomCallOp>(step.op).getCallTargetName()
                        << ", got " << step.operands.size();
  for (auto [i, value] : llvm::enumerate(step.operands))
    if (!value.tensor())
      return step.error() << "expected a tensor as operand #" << i << ", got "
                          << step.op->getOperand(i).getType();
  return success();
}

SmallVector<Type> givenTypes(Operation *op) {
  if (op->getNumResults() == 1)
    if (auto tuple = dyn_cast<TupleType>(op->getResult(0).getType()))
      return SmallVector<Type>(tuple.getTypes());
  return SmallVector<Type>(op->getResultTypes());
}

LogicalResult giveCall(Step &step, std::vector<Value> values) {
  SmallVector<Type> types = givenTypes(step.op);
  if (types.size() != values.size())
    return step.error() << "expected " << values.size() << " results, got "
                        << types.size();
  for (auto [i, value, type] : llvm::enumerate(values, types))
    if (!step.evaluator.fits(value, type)) {
      InFlightDiagnostic error = step.error();
      error << "expected result #" << i << " of type " << type;
      if (value.tensor())
        error << ", got " << value.tensor()->type();
      return error;
    }
  if (step.results.size() == 1 &&
      isa<TupleType>(step.op->getResult(0).getType()))
    step.results[0] = Tuple{std::move(values)};
  else
    std::move(values.begin(), values.end(), step.results.begin());
  return success();
}

LogicalResult giveCall(Step &step, FailureOr<std::vector<Value>> values) {
  return failed(values) ? failure() : giveCall(step, std::move(*values));
}

static bool areScalars(TypeRange types, size_t count) {
  return types.size() == count && llvm::all_of(types, [](Type type) {
           auto tensor = dyn_cast<RankedTensorType>(type);
           return tensor && tensor.getRank() == 0;
         });
}

FailureOr<Region *> calledBody(Step &step, size_t takes, size_t gives) {
  auto called = step.op->getAttrOfType<ArrayAttr>("called_computations");
  auto name = called && !called.empty() ? dyn_cast<FlatSymbolRefAttr>(called[0])
                                        : FlatSymbolRefAttr();
  if (!name)
    return LogicalResult(step.error()
                         << "expected a call that names a function to apply");
  auto function =
      SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(step.op, name);
  if (!function || function.isExternal() || !function.getBody().hasOneBlock() ||
      !areScalars(function.getArgumentTypes(), takes) ||
      !areScalars(function.getResultTypes(), gives))
    return LogicalResult(
        step.error() << "expected a function called " << name << " of " << takes
                     << " tensors of rank 0, with " << gives << " as results");
  return &function.getBody();
}

Attribute callAttribute(Operation *op, StringRef name, StringRef also) {
  if (Attribute own = op->getAttr(name))
    return own;
  auto dictionary = op->getAttrOfType<DictionaryAttr>(also);
  return dictionary ? dictionary.get(name) : Attribute();
}

//===----------------------------------------------------------------------===//
// Linear algebra
//===----------------------------------------------------------------------===//

static LogicalResult refuse(CustomCallOp op, Step &step) {
  StringRef target = op.getCallTargetName();
  LinearAlgebra what = linearAlgebraOf(target);
  if (what == LinearAlgebra::None)
    return step.unsupported("there is no rule for the target @" + target);
  return step.unsupported(
      "@" + target + " computes " + describe(what) +
      " in a library; of linear algebra only stablehlo.cholesky, "
      "stablehlo.triangular_solve, LU and QR factorizations and tridiagonal "
      "solves are evaluated");
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

static const CustomCalls &allCalls() {
  static const CustomCalls calls = [] {
    CustomCalls all;
    addCheckCalls(all);
    addShardingCalls(all);
    addDynamicCalls(all);
    addTopKCalls(all);
    addLapackCalls(all);
    return all;
  }();
  return calls;
}

static LogicalResult evaluateCustomCall(CustomCallOp op, Step &step) {
  if (isAnnotation(op)) {
    // A sharding group has no result.
    llvm::copy(step.operands.take_front(step.results.size()),
               step.results.begin());
    return success();
  }
  if (auto *evaluate = allCalls().lookup(op.getCallTargetName()))
    return evaluate(op, step);
  return refuse(op, step);
}

void addCustomCallRules(EvaluationRules &rules) {
  rules.add<CustomCallOp, evaluateCustomCall>();
}

} // namespace mercator::reference
