// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/spmd/Factors.h"

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/sdy/Sdy.h"
#include "mercator/dialects/stablehlo/Annotations.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/transforms/spmd/Windows.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::spmd;
using indexing::Arena;
using indexing::Expr;
using llvm::ArrayRef;

const Factor *Factors::ofOperand(unsigned operand, int dim) const {
  for (const Factor &factor : factors)
    if (operand < factor.operandDims.size() &&
        factor.operandDims[operand] == dim)
      return &factor;
  return nullptr;
}

const Factor *Factors::ofResult(int dim) const {
  for (const Factor &factor : factors)
    if (factor.resultDim == dim)
      return &factor;
  return nullptr;
}

namespace {

/// The indices of an operand, in terms of those of the result.
struct Link {
  int resultDim = -1;
  bool isSame = false;
};

} // namespace

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// The dimension of the result that index `e` of an operand goes with.
static Link linkOf(Arena &arena, const indexing::Map &map, Expr e,
                   int64_t operandSize, ArrayRef<int64_t> result) {
  Link link;
  for (unsigned dim = 0; dim < map.numDims(); ++dim) {
    if (!arena.uses(e, {indexing::VarKind::Dim, dim}))
      continue;
    if (link.resultDim >= 0)
      return {}; // two dimensions together
    link.resultDim = dim;
  }
  if (link.resultDim < 0)
    return {};
  // A runtime variable that is always 0 does not move the index.
  indexing::IntervalAnalysis bounds(arena, map.domain);
  link.isSame = operandSize == result[link.resultDim] &&
                bounds.interval(arena.sub(e, arena.dim(link.resultDim))) ==
                    indexing::Interval::point(0);
  return link;
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

/// The leading dimensions of groups of dimensions that a reshape merges or
/// splits.
static std::vector<Factor> reshapeFactors(ArrayRef<int64_t> in,
                                          ArrayRef<int64_t> out) {
  std::vector<Factor> factors;
  size_t i = 0, j = 0;
  while (i < in.size() && j < out.size()) {
    if (in[i] == 0 || out[j] == 0)
      return {};
    if (in[i] == 1) {
      ++i;
      continue;
    }
    if (out[j] == 1) {
      ++j;
      continue;
    }
    bool isSame = in[i] == out[j];
    factors.push_back(
        {isSame ? Factor::Kind::Same : Factor::Kind::Window, {int(i)}, int(j)});
    // To the end of the group.
    int64_t before = in[i++], after = out[j++];
    while (before != after)
      if (before < after && i < in.size())
        before *= in[i++];
      else if (after < before && j < out.size())
        after *= out[j++];
      else
        return {};
  }
  return factors;
}

static std::vector<Factor> dotFactors(stablehlo::DotGeneralOp op) {
  stablehlo::DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
  std::vector<Factor> factors;
  for (auto [lhs, rhs] : llvm::zip_equal(dims.getLhsContractingDimensions(),
                                         dims.getRhsContractingDimensions()))
    factors.push_back({Factor::Kind::Reduced, {int(lhs), int(rhs)}, -1});
  return factors;
}

/// Rows of a table on several devices: each row is on one of them, and the others
/// add zeros.
static std::vector<Factor> gatherFactors(stablehlo::GatherOp op) {
  auto numbers = op.getDimensionNumbers();
  std::vector<Factor> factors;
  for (int64_t dim : numbers.getCollapsedSliceDims())
    if (llvm::is_contained(numbers.getStartIndexMap(), dim) &&
        op.getSliceSizes()[dim] == 1)
      factors.push_back({Factor::Kind::Reduced, {int(dim), -1}, -1});
  return factors;
}

/// Updates on several devices: each device combines its own.
static std::vector<Factor> scatterFactors(stablehlo::ScatterOp op) {
  auto numbers = op.getScatterDimensionNumbers();
  if (!numbers.getInputBatchingDims().empty() || op.getInputs().size() != 1)
    return {};
  int updates = shapeOf(op.getUpdates().front()).size();
  std::vector<Factor> factors;
  int ofIndices = 0;
  for (int dim = 0; dim < updates; ++dim) {
    if (llvm::is_contained(numbers.getUpdateWindowDims(), dim))
      continue;
    if (ofIndices == numbers.getIndexVectorDim())
      ++ofIndices;
    factors.push_back({Factor::Kind::Reduced, {-1, ofIndices++, dim}, -1});
  }
  return factors;
}

static bool isFullSlice(int64_t size, int64_t whole) { return size == whole; }

/// Whether the operation is the same function at every index, so that shards of
/// the operands give shards of the result. The rest is `why`.
static bool hasFactors(Operation *op, std::string &why) {
  auto no = [&](StringRef reason) {
    why = reason.str();
    return false;
  };
  if (op->getNumResults() == 0)
    return no("it has no result");
  for (Value value : op->getOperands())
    if (auto type = dyn_cast<RankedTensorType>(value.getType());
        !type || !type.hasStaticShape())
      return no("an operand is no tensor of a static shape");
  if (op->hasTrait<stablehlo::Elementwise>())
    return true;
  if (isa_and_nonnull<stablehlo::StablehloDialect>(op->getDialect()))
    return isa<stablehlo::BroadcastInDimOp, stablehlo::ReshapeOp,
               stablehlo::TransposeOp, stablehlo::ReverseOp, stablehlo::SliceOp,
               stablehlo::DynamicSliceOp, stablehlo::DynamicUpdateSliceOp,
               stablehlo::PadOp, stablehlo::ConcatenateOp, stablehlo::GatherOp,
               stablehlo::ScatterOp, stablehlo::IotaOp, stablehlo::ConstantOp,
               stablehlo::ReduceOp, stablehlo::ReduceWindowOp,
               stablehlo::SelectAndScatterOp, stablehlo::SortOp,
               stablehlo::DotGeneralOp, stablehlo::ConvolutionOp,
               stablehlo::CholeskyOp, stablehlo::TriangularSolveOp,
               stablehlo::FftOp>(op) ||
           no("the partitioner does not know it");
  // The functions of chlo that are no broadcasts.
  if (op->getDialect() && op->getDialect()->getNamespace() == "chlo" &&
      op->getNumRegions() == 0 && op->getNumResults() == 1 &&
      llvm::all_of(op->getOperands(), [&](Value value) {
        return shapeOf(value) == shapeOf(op->getResult(0));
      }))
    return true;
  return no("the partitioner does not know it");
}

/// Whether shards along this dimension of the result are computed by the same
/// operation from shards of the operands.
static bool isSplitAlong(Operation *op, int dim) {
  using namespace stablehlo;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<DynamicUpdateSliceOp>([&](auto op) {
        return isFullSlice(shapeOf(op.getUpdate())[dim],
                           shapeOf(op.getOperand())[dim]);
      })
      .Case<DynamicSliceOp>([&](auto op) {
        return isFullSlice(op.getSliceSizes()[dim],
                           shapeOf(op.getOperand())[dim]);
      })
      .Case<SortOp>([&](auto op) {
        int64_t along = op.getDimension(),
                rank = shapeOf(op->getResult(0)).size();
        return dim != (along < 0 ? along + rank : along);
      })
      .Case<ConvolutionOp>([&](auto op) {
        // Groups of features are not divided.
        auto numbers = op.getDimensionNumbers();
        return (op.getFeatureGroupCount() == 1 &&
                op.getBatchGroupCount() == 1) ||
               dim != numbers.getOutputFeatureDimension();
      })
      .Case<SelectAndScatterOp>([&](SelectAndScatterOp op) {
        // Windows of one element, none of which is left out or added.
        auto isOne = [&](std::optional<ArrayRef<int64_t>> list) {
          return !list || (*list)[dim] == 1;
        };
        return isOne(op.getWindowDimensions()) &&
               isOne(op.getWindowStrides()) &&
               shapeOf(op.getSource())[dim] == shapeOf(op.getOperand())[dim];
      })
      .Case<CholeskyOp, TriangularSolveOp>([&](auto op) {
        return dim + 2 < int(shapeOf(op->getResult(0)).size());
      })
      .Case<FftOp>([&](auto op) {
        return dim + op.getFftLength().size() <
               shapeOf(op->getResult(0)).size();
      })
      .Case<ScatterOp>([&](auto op) {
        // A dimension of single rows, which other devices skip, or one that every
        // update covers.
        auto numbers = op.getScatterDimensionNumbers();
        if (llvm::is_contained(numbers.getInputBatchingDims(), dim))
          return false;
        if (llvm::is_contained(numbers.getInsertedWindowDims(), dim))
          return op.getInputs().size() == 1;
        if (llvm::is_contained(numbers.getScatterDimsToOperandDims(), dim))
          return false;
        size_t place = 0;
        for (int i = 0; i < dim; ++i)
          place += !llvm::is_contained(numbers.getInsertedWindowDims(), i) &&
                   !llvm::is_contained(numbers.getInputBatchingDims(), i);
        int64_t of = numbers.getUpdateWindowDims()[place];
        return isFullSlice(shapeOf(op.getUpdates().front())[of],
                           shapeOf(op->getResult(0))[dim]);
      })
      .Case<GatherOp>([&](auto op) {
        auto numbers = op.getDimensionNumbers();
        const auto *found = llvm::find(numbers.getOffsetDims(), dim);
        if (found == numbers.getOffsetDims().end())
          return true; // an index of start_indices
        size_t place = found - numbers.getOffsetDims().begin();
        for (int64_t of = 0; of < int64_t(op.getSliceSizes().size()); ++of) {
          if (llvm::is_contained(numbers.getCollapsedSliceDims(), of) ||
              llvm::is_contained(numbers.getOperandBatchingDims(), of))
            continue;
          if (place-- == 0)
            return isFullSlice(op.getSliceSizes()[of],
                               shapeOf(op.getOperand())[of]);
        }
        return false;
      })
      .Default([](Operation *) { return true; });
}

/// Whether shards along this dimension are computed from windows of the operands.
static bool isWindowAlong(Operation *op, int dim) {
  using namespace stablehlo;
  auto isOne = [](std::optional<ArrayRef<int64_t>> list) {
    return !list || llvm::all_of(*list, [](int64_t x) { return x == 1; });
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<SliceOp, ConcatenateOp, ReverseOp>([](Operation *) { return true; })
      .Case<PadOp>([&](PadOp op) { return op.getInteriorPadding()[dim] == 0; })
      .Case<ConvolutionOp>([&](ConvolutionOp op) {
        return llvm::is_contained(
                   op.getDimensionNumbers().getOutputSpatialDimensions(),
                   dim) &&
               isOne(op.getLhsDilation());
      })
      .Case<ReduceWindowOp>([&](ReduceWindowOp op) {
        auto dilations = op.getBaseDilations();
        return !dilations || (*dilations)[dim] == 1;
      })
      .Default([](Operation *) { return false; });
}

/// Windows are known from their attributes.
static void linkWindows(Operation *op, std::vector<Factor> &ofResult) {
  for (auto [dim, factor] : llvm::enumerate(ofResult)) {
    bool isSame = true, hasWindow = false;
    for (unsigned k = 0; k < op->getNumOperands(); ++k) {
      int of = windowedDim(op, k, dim);
      if (of < 0)
        continue;
      factor.operandDims[k] = of;
      hasWindow = true;
      // Between the elements that are read, others may be inserted.
      isSame &=
          isWindowAlong(op, dim) && windowOf(op, k, dim).isSame() &&
          shapeOf(op->getOperand(k))[of] == shapeOf(op->getResult(0))[dim];
    }
    if (hasWindow)
      factor.kind = isSame ? Factor::Kind::Same : Factor::Kind::Window;
  }
}

/// The dimension of the updates that covers a dimension of the result.
static void linkUpdates(stablehlo::ScatterOp op,
                        std::vector<Factor> &ofResult) {
  auto numbers = op.getScatterDimensionNumbers();
  size_t inputs = op.getInputs().size(), place = 0;
  for (auto [dim, factor] : llvm::enumerate(ofResult)) {
    factor = {Factor::Kind::Same, {}, int(dim)};
    factor.operandDims.assign(op->getNumOperands(), -1);
    for (size_t k = 0; k < inputs; ++k)
      factor.operandDims[k] = dim;
    if (llvm::is_contained(numbers.getInsertedWindowDims(), int64_t(dim)) ||
        llvm::is_contained(numbers.getInputBatchingDims(), int64_t(dim)))
      continue;
    int64_t of = numbers.getUpdateWindowDims()[place++];
    for (size_t k = 0; k < inputs; ++k)
      factor.operandDims[inputs + 1 + k] = of;
  }
}

llvm::StringRef mercator::spmd::whyReadWhole(Operation *op) {
  using namespace stablehlo;
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<SortOp>([](Operation *) { return "any element may come first"; })
      .Case<FftOp>([](Operation *) { return "each element is a sum of all"; })
      .Case<CholeskyOp, TriangularSolveOp>(
          [](Operation *) { return "each row depends on others"; })
      .Case<DynamicSliceOp, DynamicUpdateSliceOp>(
          [](Operation *) { return "where it begins is computed"; })
      .Case<GatherOp, ScatterOp>(
          [](Operation *) { return "its indices are computed"; })
      .Case<ReshapeOp>(
          [](Operation *) { return "its elements go to other rows"; })
      .Case<ConvolutionOp, ReduceWindowOp, SelectAndScatterOp>(
          [](Operation *) { return "its windows are not those of a shard"; })
      .Default([](Operation *) { return ""; });
}

/// Whether an index of the operand is chosen by others. They may be constants, and
/// its map that of a slice, but the code reads them.
static bool isChosen(Operation *op, unsigned operand, int64_t dim) {
  auto gather = dyn_cast<stablehlo::GatherOp>(op);
  return gather && operand == 0 &&
         llvm::is_contained(gather.getDimensionNumbers().getStartIndexMap(),
                            dim) &&
         !isFullSlice(gather.getSliceSizes()[dim],
                      shapeOf(gather.getOperand())[dim]);
}

Factors mercator::spmd::factorsOf(Operation *op, Arena &arena) {
  Factors factors;
  if (!hasFactors(op, factors.refusal))
    return factors;
  ArrayRef<int64_t> result = shapeOf(op->getResult(0));
  if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op)) {
    factors.factors = reshapeFactors(shapeOf(reshape.getOperand()), result);
    return factors;
  }
  std::vector<Factor> ofResult(result.size());
  for (auto [dim, factor] : llvm::enumerate(ofResult)) {
    factor.operandDims.assign(op->getNumOperands(), -1);
    factor.resultDim = dim;
  }
  for (unsigned k = 0; k < op->getNumOperands(); ++k) {
    ArrayRef<int64_t> shape = shapeOf(op->getOperand(k));
    SmallVector<std::optional<Link>> links(shape.size());
    auto join = [&](const indexing::OperandMap &map) {
      if (map.devices != 0 || map.map.isKnownEmpty())
        return;
      for (size_t dim = 0; dim < shape.size(); ++dim) {
        Link link =
            linkOf(arena, map.map, map.map.results[dim], shape[dim], result);
        if (links[dim] && (links[dim]->resultDim != link.resultDim ||
                           links[dim]->isSame != link.isSame))
          link = {};
        links[dim] = link;
      }
    };
    // The first result may not read an operand that another one reads.
    for (unsigned r = 0; r < op->getNumResults(); ++r)
      if (shapeOf(op->getResult(r)) == result)
        for (const indexing::OperandMap &map :
             mapsOf(op, arena, indexing::Direction::OutToIn, k, r))
          join(map);
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      if (!links[dim] || links[dim]->resultDim < 0 ||
          isChosen(op, k, int64_t(dim)))
        continue;
      Factor &factor = ofResult[links[dim]->resultDim];
      if (!links[dim]->isSame)
        factor.kind = Factor::Kind::Window;
      if (factor.operandDims[k] >= 0 && !links[dim]->isSame)
        continue; // the first goes with the result
      factor.operandDims[k] = dim;
    }
  }
  if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op))
    linkUpdates(scatter, ofResult);
  linkWindows(op, ofResult);
  // An update may cover the operand, which is then not read, and has its shape.
  if (isa<stablehlo::DynamicUpdateSliceOp>(op))
    for (auto [dim, factor] : llvm::enumerate(ofResult))
      factor.operandDims[0] = factor.operandDims[1] = dim;
  for (auto [dim, factor] : llvm::enumerate(ofResult)) {
    // Operands of the shape of the result are divided with it.
    bool isLinked = true;
    if (op->hasTrait<stablehlo::Elementwise>())
      for (unsigned k = 0; k < op->getNumOperands(); ++k)
        isLinked &=
            shapeOf(op->getOperand(k)).empty() || factor.operandDims[k] >= 0;
    if (!isLinked)
      continue;
    // A constant and an iota have no operands and any shard, and so has a new
    // dimension. Other operations without a link read no element at all.
    bool isMade =
        op->getNumOperands() == 0 || isa<stablehlo::BroadcastInDimOp>(op);
    if (!isMade && llvm::all_of(factor.operandDims,
                                [](int operandDim) { return operandDim < 0; }))
      continue;
    if (!isSplitAlong(op, dim) ||
        (factor.kind == Factor::Kind::Window && !isWindowAlong(op, dim)))
      continue;
    factors.factors.push_back(factor);
  }
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op))
    llvm::append_range(factors.factors, dotFactors(dot));
  if (auto gather = dyn_cast<stablehlo::GatherOp>(op))
    llvm::append_range(factors.factors, gatherFactors(gather));
  if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op))
    llvm::append_range(factors.factors, scatterFactors(scatter));
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op))
    for (int64_t dim : reduce.getDimensions()) {
      Factor factor{Factor::Kind::Reduced, {}, -1};
      factor.operandDims.assign(op->getNumOperands(), -1);
      for (unsigned k = 0; k < reduce.getInputs().size(); ++k)
        factor.operandDims[k] = dim;
      factors.factors.push_back(factor);
    }
  return factors;
}
