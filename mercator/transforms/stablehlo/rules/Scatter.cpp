// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Scatter, as loops over the updates in their order: first the index vectors,
// then the elements of a window. Updates out of bounds are skipped.

#include "mercator/transforms/stablehlo/lowering/Loops.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"
#include "mercator/transforms/stablehlo/scalars/Scalar.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace mercator::stablehlo {

namespace {
class Scatter {
public:
  Scatter(ScatterOp op, ScatterOp::Adaptor in, Lowering &l)
      : op(op), in(in), l(l), dims(op.getScatterDimensionNumbers()),
        count(in.getInputs().size()) {}

  FailureOr<Values> run();

private:
  Values start(ImplicitLocOpBuilder &b, ValueRange batch);
  FailureOr<Values> update(ImplicitLocOpBuilder &b, ValueRange from,
                           ValueRange to, ValueRange tensors);

  ScatterOp op;
  ScatterOp::Adaptor in;
  Lowering &l;
  ScatterDimensionNumbersAttr dims;
  size_t count;
  Sizes extents;
};
} // namespace

FailureOr<Values> Scatter::run() {
  ImplicitLocOpBuilder &b = l.b;
  Values results;
  for (unsigned i = 0; i < count; ++i) {
    FailureOr<Value> result =
        promoteTensor(l, in.getInputs()[i], elementOf(op.getInputs()[i]),
                      elementOf(op.getResult(i)));
    if (failed(result))
      return failure();
    results.push_back(*result);
  }
  extents = extentsOf(b, results.front());
  Sizes ofUpdates = extentsOf(b, in.getUpdates().front()), batchSizes,
        windowSizes;
  SmallVector<unsigned> batchDims, windowDims, keptDims;
  for (unsigned d = 0; d < ofUpdates.size(); ++d) {
    bool isWindow = llvm::is_contained(dims.getUpdateWindowDims(), d);
    (isWindow ? windowDims : batchDims).push_back(d);
    (isWindow ? windowSizes : batchSizes).push_back(ofUpdates[d]);
  }
  for (unsigned d = 0; d < extents.size(); ++d)
    if (!llvm::is_contained(dims.getInsertedWindowDims(), d) &&
        !llvm::is_contained(dims.getInputBatchingDims(), d))
      keptDims.push_back(d);

  auto visit = [&](ImplicitLocOpBuilder &b, ValueRange batch,
                   ValueRange tensors) -> FailureOr<Values> {
    Values first = start(b, batch);
    return forEach(b, windowSizes, tensors,
                   [&](ImplicitLocOpBuilder &b, ValueRange window,
                       ValueRange tensors) -> FailureOr<Values> {
                     Values from(ofUpdates.size()), to = first;
                     for (auto [d, i] : llvm::zip(batchDims, batch))
                       from[d] = i;
                     for (auto [d, i] : llvm::zip(windowDims, window))
                       from[d] = i;
                     for (auto [d, i] : llvm::zip(keptDims, window))
                       to[d] = b.createOrFold<arith::AddIOp>(to[d], i);
                     return update(b, from, to, tensors);
                   });
  };
  FailureOr<Values> updated = forEach(b, batchSizes, results, visit);
  if (failed(updated))
    return failure();
  for (auto [i, result] : llvm::enumerate(*updated))
    result = castTo(b, result, l.type(unsigned(i)));
  return updated;
}

/// The index of the first element of a window.
Values Scatter::start(ImplicitLocOpBuilder &b, ValueRange batch) {
  Value indices = in.getScatterIndices();
  bool isUnsignedIndex = isUnsigned(elementOf(op.getScatterIndices()));
  int64_t rank = cast<RankedTensorType>(indices.getType()).getRank(),
          vectorDim = dims.getIndexVectorDim();
  Values first(extents.size(), indexConstant(b, 0));
  for (auto [component, d] :
       llvm::enumerate(dims.getScatterDimsToOperandDims())) {
    Values at(batch);
    if (vectorDim < rank)
      at.insert(at.begin() + vectorDim, indexConstant(b, int64_t(component)));
    first[d] =
        toIndex(b, extractAll(b, {indices}, at).front(), isUnsignedIndex);
  }
  for (auto [ours, theirs] : llvm::zip(dims.getInputBatchingDims(),
                                       dims.getScatterIndicesBatchingDims()))
    first[ours] = batch[theirs - (theirs < vectorDim ? 0 : 1)];
  return first;
}

FailureOr<Values> Scatter::update(ImplicitLocOpBuilder &b, ValueRange from,
                                  ValueRange to, ValueRange tensors) {
  return conditional(
      b, isWithin(b, to, extents),
      [&](ImplicitLocOpBuilder &b) -> FailureOr<Values> {
        Values numbers = extractAll(b, tensors, to);
        for (unsigned i = 0; i < count; ++i) {
          Value update = extractAll(b, {in.getUpdates()[i]}, from).front();
          FailureOr<Value> number =
              promote(l, b, update, elementOf(op.getUpdates()[i]),
                      elementOf(op.getResult(i)));
          if (failed(number))
            return failure();
          numbers.push_back(*number);
        }
        FailureOr<Values> next =
            emitBody(l, b, op.getUpdateComputation().front(), numbers);
        if (failed(next))
          return failure();
        return insertAll(b, *next, tensors, to);
      },
      [&](ImplicitLocOpBuilder &) -> FailureOr<Values> {
        return Values(tensors);
      });
}

static FailureOr<Values> lowerScatter(ScatterOp op, ScatterOp::Adaptor in,
                                      Lowering &l) {
  return Scatter(op, in, l).run();
}

void addScatterRules(LoweringRules &rules) {
  rules.add<ScatterOp, lowerScatter>();
}

} // namespace mercator::stablehlo
