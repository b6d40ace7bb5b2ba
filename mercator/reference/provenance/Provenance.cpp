// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/provenance/Provenance.h"
#include "mercator/reference/provenance/AccessRules.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace mercator::reference {

Provenance::Provenance(ModuleOp module, ProvenanceSets &sets)
    : sets(sets), evaluator(module) {}

static Origin identifyOrigin(const Value &value, ProvenanceSets &sets,
                             size_t &first) {
  Origin origin;
  if (const Tuple *tuple = value.tuple()) {
    for (const Value &member : tuple->members)
      origin.members.push_back(identifyOrigin(member, sets, first));
    return origin;
  }
  int64_t count = value.tensor() ? value.tensor()->size() : 1;
  for (int64_t i = 0; i < count; ++i)
    origin.elements.push_back(sets.single(first++));
  return origin;
}

Traced Provenance::identify(const Value &value, size_t &first) {
  return {value, identifyOrigin(value, sets, first)};
}

const Traced *Provenance::lookup(mlir::Value value) const {
  auto known = values.find(value);
  return known == values.end() ? nullptr : &known->second;
}

const Value *Provenance::lastValue(mlir::Value value) const {
  const Traced *known = lookup(value);
  return known ? &known->value : nullptr;
}

void Provenance::addEverywhere(Origin &origin, ProvenanceSets::Id set) {
  for (ProvenanceSets::Id &element : origin.elements)
    element = sets.unite(element, set);
  for (Origin &member : origin.members)
    addEverywhere(member, set);
}

/// An empty set for each element of a value.
static Origin fromNowhere(const Value &value) {
  Origin origin;
  if (const Tuple *tuple = value.tuple())
    for (const Value &member : tuple->members)
      origin.members.push_back(fromNowhere(member));
  else
    origin.elements.assign(value.tensor() ? value.tensor()->size() : 1,
                           ProvenanceSets::kNone);
  return origin;
}

FailureOr<std::vector<Traced>> Provenance::run(Operation *op,
                                               ArrayRef<Traced> operands) {
  AccessRules::Entry entry = allAccessRules().find(op->getName());
  if (!entry.rule)
    return LogicalResult(op->emitOpError()
                         << "has no access rule: "
                         << whyWithoutProvenance(op->getName())
                                .value_or("it is not implemented"));
  std::vector<Traced> results(op->getNumResults());
  if (!entry.isControl) {
    SmallVector<Value> held, computed(op->getNumResults());
    for (const Traced &operand : operands)
      held.push_back(operand.value);
    SmallVector<std::pair<mlir::Value, Value>> outside;
    llvm::SetVector<mlir::Value> seen;
    if (op->getNumRegions() > 0)
      getUsedValuesDefinedAbove(op->getRegions(), seen);
    for (mlir::Value value : seen)
      if (const Traced *known = lookup(value))
        outside.emplace_back(value, known->value);
    if (failed(evaluator.single(op, held, computed, outside)))
      return failure();
    for (auto [result, value] : llvm::zip(results, computed))
      result = {value, fromNowhere(value)};
  }
  Access access{op, operands, results, *this};
  if (failed(entry.rule(access)))
    return failure();
  return results;
}

FailureOr<std::vector<Traced>> Provenance::apply(Operation *op,
                                                 ArrayRef<Traced> operands) {
  return run(op, operands);
}

FailureOr<std::vector<Traced>> Provenance::region(Region &region,
                                                  ArrayRef<Traced> arguments) {
  constexpr int kMaxDepth = 200;
  Operation *parent = region.getParentOp();
  if (!region.hasOneBlock())
    return LogicalResult(parent->emitError("expected a region of one block"));
  if (depth >= kMaxDepth)
    return LogicalResult(parent->emitError()
                         << "expected at most " << kMaxDepth
                         << " calls and regions within one another");
  llvm::SaveAndRestore deeper(depth, depth + 1);
  Block &block = region.front();
  for (auto [argument, traced] : llvm::zip(block.getArguments(), arguments))
    values[argument] = traced;
  for (Operation &op : block) {
    std::vector<Traced> operands;
    for (mlir::Value operand : op.getOperands()) {
      const Traced *known = lookup(operand);
      if (!known)
        return LogicalResult(op.emitError("expected operands that have been "
                                          "computed"));
      operands.push_back(*known);
    }
    if (op.hasTrait<OpTrait::IsTerminator>())
      return operands;
    FailureOr<std::vector<Traced>> results = run(&op, operands);
    if (failed(results))
      return failure();
    for (auto [result, traced] : llvm::zip(op.getResults(), *results))
      values[result] = std::move(traced);
  }
  return LogicalResult(parent->emitError("expected a block with a terminator"));
}

FailureOr<std::vector<Traced>> Provenance::call(func::FuncOp function,
                                                ArrayRef<Traced> arguments) {
  if (function.isExternal() || arguments.size() != function.getNumArguments())
    return LogicalResult(function.emitError()
                         << "expected a function with a body and "
                         << arguments.size() << " parameters");
  // A recursive call would overwrite the value.
  return region(function.getBody(), arguments);
}

FailureOr<std::vector<Traced>> Provenance::call(FlatSymbolRefAttr name,
                                                ArrayRef<Traced> arguments,
                                                Operation *from) {
  auto function =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(from, name.getAttr());
  if (!function)
    return LogicalResult(from->emitError()
                         << "expected a function called " << name);
  return call(function, arguments);
}

const AccessRules &allAccessRules() {
  static const AccessRules rules = [] {
    AccessRules all;
    addElementwiseAccess(all);
    addControlAccess(all);
    addDataAccess(all);
    addIndexedAccess(all);
    addFoldAccess(all);
    addProductAccess(all);
    addMatrixAccess(all);
    return all;
  }();
  return rules;
}

bool hasProvenance(OperationName name) {
  return allAccessRules().find(name).rule != nullptr;
}

std::optional<StringRef> whyWithoutProvenance(OperationName name) {
  constexpr StringRef
      terminator = "it is the terminator of a region",
      world = "it exchanges data with the host or with other devices",
      devices = "it reads elements of other processes";
  StringRef why =
      llvm::StringSwitch<StringRef>(name.getStringRef())
          .Cases({"stablehlo.return", "hlo.return"}, terminator)
          .Cases({"stablehlo.infeed", "stablehlo.outfeed", "stablehlo.send",
                  "stablehlo.recv"},
                 world)
          .Cases({"stablehlo.all_gather", "stablehlo.all_reduce",
                  "stablehlo.reduce_scatter", "stablehlo.all_to_all",
                  "stablehlo.collective_permute",
                  "stablehlo.collective_broadcast",
                  "stablehlo.collective_reduce", "stablehlo.cross-replica-sum"},
                 devices)
          .Cases({"stablehlo.async_start", "stablehlo.async_done"},
                 "it starts an operation between processes")
          .Case("stablehlo.custom_call", "only the target knows what it does")
          .Case("hlo.opaque", "only HLO knows what it does")
          .Default("");
  return why.empty() ? std::nullopt : std::optional(why);
}

} // namespace mercator::reference
