// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Access rules of operations on windows whose positions come from a tensor of
// index vectors: gathers and scatters.

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Places.h"
#include "mercator/reference/provenance/AccessRules.h"
#include "mercator/reference/provenance/Body.h"

#include <map>

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

using Set = ProvenanceSets::Id;

namespace {
/// The index vectors in operand `operand`. A batch index is an index of the
/// tensor without `vectorDim`.
struct IndexVectors {
  const Access &access;
  size_t operand;
  int64_t vectorDim;
  size_t components;

  [[nodiscard]] SmallVector<int64_t> batchShape() const {
    SmallVector<int64_t> shape(access.shape(operand));
    if (vectorDim < int64_t(shape.size()))
      shape.erase(shape.begin() + vectorDim);
    return shape;
  }
  [[nodiscard]] int64_t place(ArrayRef<int64_t> batch, size_t component) const {
    SmallVector<int64_t> index(batch);
    if (vectorDim < access.tensor(operand).rank())
      index.insert(index.begin() + vectorDim, int64_t(component));
    return access.tensor(operand).linear(index);
  }
  [[nodiscard]] int64_t at(ArrayRef<int64_t> batch, size_t component) const {
    return indexAt(access.tensor(operand), place(batch, component));
  }
  /// The origin of a whole vector.
  [[nodiscard]] Set from(ArrayRef<int64_t> batch) const {
    Set set = ProvenanceSets::kNone;
    for (size_t c = 0; c < components; ++c)
      set = access.unite(set, access.at(operand, place(batch, c)));
    return set;
  }
  /// The dimension of a batch index for dimension `dim` of the tensor.
  [[nodiscard]] int64_t batchDim(int64_t dim) const {
    return dim < vectorDim ? dim : dim - 1;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

static LogicalResult traceGather(Access &access,
                                 GatherDimensionNumbersAttr dims,
                                 ArrayRef<int64_t> sliceSizes, Set always) {
  IndexVectors vectors{access, 1, dims.getIndexVectorDim(),
                       dims.getStartIndexMap().size()};
  ArrayRef<int64_t> shape = access.shape(0);
  access.forEach(0, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> batch, from(shape.size(), 0);
    for (size_t d = 0; d < index.size(); ++d)
      if (!llvm::is_contained(dims.getOffsetDims(), int64_t(d)))
        batch.push_back(index[d]);
    size_t window = 0;
    for (size_t d = 0; d < shape.size(); ++d)
      if (!llvm::is_contained(dims.getCollapsedSliceDims(), int64_t(d)) &&
          !llvm::is_contained(dims.getOperandBatchingDims(), int64_t(d)))
        from[d] = index[dims.getOffsetDims()[window++]];
    for (auto [component, dim] : llvm::enumerate(dims.getStartIndexMap())) {
      int64_t start = vectors.at(batch, component),
              last = shape[dim] - sliceSizes[dim];
      from[dim] += start < 0 ? 0 : std::min(start, last);
    }
    for (auto [ours, theirs] : llvm::zip(dims.getOperandBatchingDims(),
                                         dims.getStartIndicesBatchingDims()))
      from[ours] += batch[vectors.batchDim(theirs)];
    return access.unite(access.at(0, from),
                        access.unite(vectors.from(batch), always));
  });
  return success();
}
static LogicalResult traceGather(GatherOp op, Access &access) {
  return traceGather(access, op.getDimensionNumbers(), op.getSliceSizes(),
                     ProvenanceSets::kNone);
}
/// The sizes of the dimensions with start indices affect how a window is
/// clamped.
static LogicalResult traceDynamicGather(DynamicGatherOp op, Access &access) {
  SmallVector<int64_t> sizes;
  for (int64_t d = 0; d < access.tensor(2).size(); ++d)
    sizes.push_back(indexAt(access.tensor(2), d));
  Set always = ProvenanceSets::kNone;
  for (int64_t dim : op.getDimensionNumbers().getStartIndexMap())
    always = access.unite(always, access.at(2, dim));
  return traceGather(access, op.getDimensionNumbers(), sizes, always);
}

/// result[b.., o.., i.., p..] is operand[b.., o.., index[b.., i..], p..].
static LogicalResult traceTorchIndexSelect(TorchIndexSelectOp op,
                                           Access &access) {
  size_t dim = op.getDim(), batch = op.getBatchDims(),
         chosen = access.tensor(1).rank() - batch;
  access.forEach(0, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> which(index.take_front(batch)),
        from(index.take_front(dim));
    llvm::append_range(which, index.slice(dim, chosen));
    int64_t place = access.tensor(1).linear(which),
            start = indexAt(access.tensor(1), place);
    from.push_back(start < 0 ? 0 : std::min(start, access.shape(0)[dim] - 1));
    llvm::append_range(from, index.drop_front(dim + chosen));
    return access.unite(access.at(0, from), access.at(1, place));
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Scatters
//===----------------------------------------------------------------------===//

// Updates in order, if they are in bounds. Whether an update arrives at an
// element depends on all index vectors of the element's batch.
static LogicalResult traceScatter(ScatterOp op, Access &access) {
  size_t count = op.getInputs().size();
  ScatterDimensionNumbersAttr dims = op.getScatterDimensionNumbers();
  IndexVectors vectors{access, count, dims.getIndexVectorDim(),
                       dims.getScatterDimsToOperandDims().size()};
  ArrayRef<int64_t> shape = access.shape(0), updates = access.shape(count + 1);
  ProvenanceBody body(op.getUpdateComputation(), access.provenance);
  std::vector<std::vector<Cell>> cells(access.tensor(0).size());
  for (size_t place = 0; place < cells.size(); ++place)
    for (size_t k = 0; k < count; ++k)
      cells[place].push_back(
          {access.tensor(k).at(int64_t(place)), access.at(k, place)});

  int64_t number = 0;
  for (Index index(updates); index; ++index, ++number) {
    SmallVector<int64_t> batch, to(shape.size(), 0);
    for (size_t d = 0; d < updates.size(); ++d)
      if (!llvm::is_contained(dims.getUpdateWindowDims(), int64_t(d)))
        batch.push_back(index[d]);
    size_t window = 0;
    for (size_t d = 0; d < shape.size(); ++d)
      if (!llvm::is_contained(dims.getInsertedWindowDims(), int64_t(d)) &&
          !llvm::is_contained(dims.getInputBatchingDims(), int64_t(d)))
        to[d] = index[dims.getUpdateWindowDims()[window++]];
    for (auto [c, dim] : llvm::enumerate(dims.getScatterDimsToOperandDims()))
      to[dim] +=
          std::clamp<int64_t>(vectors.at(batch, c), -(1ll << 40), 1ll << 40);
    for (auto [ours, theirs] : llvm::zip(dims.getInputBatchingDims(),
                                         dims.getScatterIndicesBatchingDims()))
      to[ours] += batch[vectors.batchDim(theirs)];
    bool lands = true;
    for (size_t d = 0; d < shape.size(); ++d)
      lands &= 0 <= to[d] && to[d] < shape[d];
    if (!lands)
      continue;
    std::vector<Cell> &own = cells[access.tensor(0).linear(to)];
    SmallVector<Cell> arguments(own.begin(), own.end()), next(count);
    for (size_t k = 0; k < count; ++k)
      arguments.push_back({access.tensor(count + 1 + k).at(number),
                           access.at(count + 1 + k, number)});
    if (failed(body(arguments, next)))
      return failure();
    own.assign(next.begin(), next.end());
  }

  // The united index vectors of each batch.
  auto keyOf = [&](ArrayRef<int64_t> index, ArrayRef<int64_t> at) {
    SmallVector<int64_t> key;
    for (int64_t dim : at)
      key.push_back(index[dim]);
    return std::vector<int64_t>(key.begin(), key.end());
  };
  SmallVector<int64_t> batchingDims;
  for (int64_t dim : dims.getScatterIndicesBatchingDims())
    batchingDims.push_back(vectors.batchDim(dim));
  std::map<std::vector<int64_t>, Set> ofBatch;
  if (access.tensor(count + 1).size() > 0)
    for (Index batch(vectors.batchShape()); batch; ++batch) {
      Set &set = ofBatch[keyOf(*batch, batchingDims)];
      set = access.unite(set, vectors.from(*batch));
    }
  int64_t place = 0;
  for (Index index(shape); index; ++index, ++place)
    for (size_t k = 0; k < count; ++k)
      access.reads(
          k, place,
          access.unite(cells[place][k].set,
                       ofBatch[keyOf(*index, dims.getInputBatchingDims())]));
  return success();
}

void addIndexedAccess(AccessRules &rules) {
  rules.add<GatherOp, traceGather>();
  rules.add<DynamicGatherOp, traceDynamicGather>();
  rules.add<TorchIndexSelectOp, traceTorchIndexSelect>();
  rules.add<ScatterOp, traceScatter>();
}

} // namespace mercator::reference
