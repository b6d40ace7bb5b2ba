// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Scatters: updates of the windows of a tensor at places that another tensor
// names.

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/stablehlo/IndexedWindows.h"
#include "mercator/reference/stablehlo/Rules.h"
#include "mercator/reference/stablehlo/ScalarRegion.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

static LogicalResult evaluateScatter(ScatterOp op, Step &step) {
  size_t count = op.getInputs().size();
  SmallVector<Tensor> updates = step.tensors(count + 1, count), results;
  const Tensor indices = step.tensor(count);
  auto input = [&](size_t i) -> const Tensor & { return step.tensor(i); };
  ScatterDimensionNumbersAttr dims = op.getScatterDimensionNumbers();
  IndexedWindows windows{
      dims.getUpdateWindowDims(),         dims.getInsertedWindowDims(),
      dims.getInputBatchingDims(),        dims.getScatterIndicesBatchingDims(),
      dims.getScatterDimsToOperandDims(), dims.getIndexVectorDim()};
  ArrayRef<int64_t> shape = input(0).shape(), updateShape = updates[0].shape();
  if (failed(windows.check(step, input(0), indices)))
    return failure();
  for (size_t i = 0; i < count; ++i)
    if (input(i).shape() != shape || updates[i].shape() != updateShape)
      return step.error() << "expected inputs of one shape and updates of one "
                             "shape, got "
                          << input(i).type() << " and " << updates[i].type();

  SmallVector<int64_t> keptDims, windowShape,
      batchShape = windows.batchShape(indices), updateBatchShape;
  for (int64_t d = 0; d < input(0).rank(); ++d)
    if (!windows.isRemoved(d))
      keptDims.push_back(d);
  for (auto [d, extent] : llvm::enumerate(updateShape))
    (llvm::is_contained(windows.windowDims, int64_t(d)) ? windowShape
                                                        : updateBatchShape)
        .push_back(extent);
  if (updateBatchShape != batchShape || windowShape.size() != keptDims.size())
    return step.error() << "expected updates with the shape of the indices "
                           "and of a window, got "
                        << updates[0].type() << " for " << indices.type();

  // The results have the types of the region, wider maybe than the inputs.
  for (size_t i = 0; i < count; ++i) {
    FailureOr<RankedTensorType> type = step.type(i, shape);
    if (failed(type))
      return failure();
    std::optional<Element> element = Element::of(type->getElementType());
    if (!element || element->kind != input(i).element().kind ||
        updates[i].element().kind != input(i).element().kind)
      return step.error() << "expected results and updates of the kind of the "
                             "inputs, got "
                          << *type << " and " << updates[i].type() << " for "
                          << input(i).type();
    if (*type == input(i).type()) {
      FailureOr<Tensor> result = step.takeForUpdate(i);
      if (failed(result))
        return failure();
      results.push_back(std::move(*result));
      continue;
    }
    FailureOr<Tensor> result = step.zeros(*type);
    if (failed(result) || failed(step.charge(shape)))
      return failure();
    for (int64_t place = 0; place < result->size(); ++place)
      result->set(place, input(i).at(place));
    results.push_back(std::move(*result));
  }
  step.isCounted = true;
  if (failed(step.charge(updateShape)))
    return failure();

  if (updates[0].size() == 0) {
    llvm::copy(results, step.results.begin());
    return success();
  }

  ScalarRegion update(op.getUpdateComputation(), step.evaluator);
  SmallVector<Scalar> arguments(2 * count), updated(count);
  for (Index batch(batchShape); batch; ++batch) {
    SmallVector<int64_t> start(shape.size(), 0);
    for (auto [component, d] :
         llvm::zip(windows.start(indices, *batch), windows.indexMap))
      start[d] = component;
    windows.addBatching(start, *batch);
    for (Index window(windowShape); window; ++window) {
      SmallVector<int64_t> at(start);
      bool inBounds = true;
      for (auto [i, d] : llvm::enumerate(keptDims))
        inBounds &= !llvm::AddOverflow(at[d], window[i], at[d]);
      for (auto [place, extent] : llvm::zip(at, shape))
        inBounds &= 0 <= place && place < extent;
      if (!inBounds)
        continue;
      int64_t to = results[0].linear(at),
              from = updates[0].linear(windows.combine(*batch, *window));
      for (size_t i = 0; i < count; ++i) {
        arguments[i] = results[i].at(to);
        arguments[count + i] = results[i].element().round(updates[i].at(from));
      }
      if (failed(update(arguments, updated)))
        return failure();
      for (size_t i = 0; i < count; ++i)
        results[i].set(to, updated[i]);
    }
  }
  llvm::copy(results, step.results.begin());
  return success();
}

void addScatterRules(EvaluationRules &rules) {
  rules.add<ScatterOp, evaluateScatter>();
}

} // namespace mercator::reference
