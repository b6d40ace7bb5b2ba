// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/provenance/Body.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace mercator::reference {

static bool isScalar(mlir::Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 0;
}

ProvenanceBody::ProvenanceBody(Region &region, Provenance &provenance,
                               bool needsValues)
    : region(region), provenance(provenance) {
  if (!needsValues && isFlat()) {
    isFollowed = true;
    hasFailed = failed(followOnce());
  }
}

bool ProvenanceBody::isFlat() const {
  if (!region.hasOneBlock())
    return false;
  for (Operation &op : region.front()) {
    if (op.getNumRegions() > 0 || isa<func::CallOp, stablehlo::CompositeOp>(op))
      return false;
    if (!llvm::all_of(op.getOperands(), isScalar) ||
        !llvm::all_of(op.getResults(), isScalar))
      return false;
  }
  return true;
}

FailureOr<Traced> ProvenanceBody::tracedScalar(Type type, const Cell &cell) {
  FailureOr<Tensor> tensor = Tensor::zeros(cast<RankedTensorType>(type), [&] {
    return region.getParentOp()->emitError();
  });
  if (failed(tensor))
    return failure();
  tensor->set(0, cell.value);
  return Traced{*tensor, {{cell.set}, {}}};
}

LogicalResult ProvenanceBody::followOnce() {
  llvm::SetVector<mlir::Value> outside;
  getUsedValuesDefinedAbove(region, outside);
  unsigned count = region.getNumArguments();
  ProvenanceSets sets(count + outside.size());
  Provenance inside(region.getParentOp()->getParentOfType<ModuleOp>(), sets);
  std::vector<Traced> arguments;
  for (auto [i, argument] : llvm::enumerate(region.getArguments())) {
    FailureOr<Traced> traced =
        tracedScalar(argument.getType(), {{}, sets.single(i)});
    if (failed(traced))
      return failure();
    arguments.push_back(*traced);
  }
  std::vector<ProvenanceSets::Id> ofOutside;
  for (auto [i, value] : llvm::enumerate(outside)) {
    const Traced *known = provenance.lookup(value);
    if (!known)
      return region.getParentOp()->emitError(
          "expected values from outside that have been computed");
    ofOutside.push_back(known->origin.elements[0]);
    inside.bind(value, {known->value, {{sets.single(count + i)}, {}}});
  }
  FailureOr<std::vector<Traced>> returned = inside.region(region, arguments);
  if (failed(returned))
    return failure();
  for (const Traced &result : *returned) {
    mentioned.emplace_back();
    fromOutside.push_back(ProvenanceSets::kNone);
    sets.forEach(result.origin.elements[0], [&](size_t i) {
      if (i < count)
        mentioned.back().push_back(i);
      else
        fromOutside.back() =
            provenance.sets.unite(fromOutside.back(), ofOutside[i - count]);
    });
  }
  return success();
}

LogicalResult ProvenanceBody::operator()(ArrayRef<Cell> arguments,
                                         MutableArrayRef<Cell> results) {
  if (hasFailed)
    return failure();
  if (isFollowed) {
    for (size_t r = 0; r < results.size(); ++r) {
      ProvenanceSets::Id set = fromOutside[r];
      for (unsigned i : mentioned[r])
        set = provenance.sets.unite(set, arguments[i].set);
      results[r] = {{}, set};
    }
    return success();
  }
  std::vector<Traced> values;
  for (auto [argument, cell] : llvm::zip(region.getArguments(), arguments)) {
    FailureOr<Traced> traced = tracedScalar(argument.getType(), cell);
    if (failed(traced))
      return failure();
    values.push_back(*traced);
  }
  FailureOr<std::vector<Traced>> returned = provenance.region(region, values);
  if (failed(returned))
    return failure();
  for (auto [result, traced] : llvm::zip(results, *returned))
    result = {traced.value.tensor()->scalar(), traced.origin.elements[0]};
  return success();
}

} // namespace mercator::reference
