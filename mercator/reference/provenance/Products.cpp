// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Access rules of sums of products: dot, einsum, ragged_dot, convolutions.

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Places.h"
#include "mercator/reference/provenance/Window.h"

#include <map>
#include <string>

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

using Set = ProvenanceSets::Id;

//===----------------------------------------------------------------------===//
// Dimensions with letters
//===----------------------------------------------------------------------===//

/// Each dimension has a letter. For each assignment of values to the letters,
/// the element of the result depends on those of the operands.
static LogicalResult traceEinsum(Access &access, ArrayRef<std::string> operands,
                                 const std::string &result) {
  std::map<char, size_t> number;
  SmallVector<int64_t> extents;
  for (auto [i, letters] : llvm::enumerate(operands))
    for (auto [d, letter] : llvm::enumerate(letters))
      if (number.try_emplace(letter, extents.size()).second)
        extents.push_back(access.shape(i)[d]);
  for (Index values(extents); values; ++values) {
    auto index = [&](const std::string &letters) {
      SmallVector<int64_t> at;
      for (char letter : letters)
        at.push_back(values[number[letter]]);
      return at;
    };
    int64_t place = access.result(0).linear(index(result));
    for (auto [i, letters] : llvm::enumerate(operands))
      access.reads(0, place, access.at(i, index(letters)));
  }
  return success();
}

static LogicalResult traceDot(Access &access, ArrayRef<int64_t> lhsBatch,
                              ArrayRef<int64_t> rhsBatch,
                              ArrayRef<int64_t> lhsSummed,
                              ArrayRef<int64_t> rhsSummed) {
  std::string lhs(access.tensor(0).rank(), 0), rhs(access.tensor(1).rank(), 0),
      result;
  char next = 'a';
  for (size_t i = 0; i < lhsBatch.size(); ++i) {
    result += next;
    lhs[lhsBatch[i]] = rhs[rhsBatch[i]] = next++;
  }
  for (size_t i = 0; i < lhsSummed.size(); ++i)
    lhs[lhsSummed[i]] = rhs[rhsSummed[i]] = next++;
  for (std::string *own : {&lhs, &rhs})
    for (char &letter : *own)
      if (!letter) {
        letter = next++;
        result += letter;
      }
  return traceEinsum(access, {lhs, rhs}, result);
}

static LogicalResult traceDotGeneral(DotGeneralOp op, Access &access) {
  DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
  return traceDot(
      access, dims.getLhsBatchingDimensions(), dims.getRhsBatchingDimensions(),
      dims.getLhsContractingDimensions(), dims.getRhsContractingDimensions());
}
static LogicalResult traceSimpleDot(DotOp, Access &access) {
  return traceDot(access, {}, {}, {access.tensor(0).rank() - 1}, {0});
}
template <typename Op> static LogicalResult traceEinsum(Op op, Access &access) {
  auto [left, right] = op.getEinsumConfig().split("->");
  SmallVector<StringRef> texts;
  left.split(texts, ',');
  std::vector<std::string> operands;
  for (StringRef text : texts)
    operands.push_back(text.trim().str());
  return traceEinsum(access, operands, right.trim().str());
}

// By the operation's definition: lhs is grouped by rows or by contracted
// indices, or by batches as in dot_general.
static LogicalResult traceRaggedDot(chlo::RaggedDotOp op, Access &access) {
  auto dims = op.getRaggedDotDimensionNumbers();
  chlo::RaggedDotShapes shapes = chlo::raggedDotShapes(op);
  using Mode = chlo::RaggedDotShapes::Mode;
  const Tensor &lhs = access.tensor(0), &rhs = access.tensor(1),
               &sizes = access.tensor(2);
  int64_t ragged = dims.getLhsRaggedDimensions().front(),
          groups = sizes.shape().back();
  bool byGroup = shapes.mode == Mode::Contracting;
  // The group of an index of lhs, `groups` if it has none; and all the sizes
  // that determine it.
  auto groupOf = [&](ArrayRef<int64_t> lhsIndex) {
    SmallVector<int64_t> at;
    if (sizes.rank() > 1)
      for (int64_t dim : shapes.prefix)
        at.push_back(lhsIndex[dim]);
    at.push_back(0);
    int64_t end = 0, found = groups;
    Set set = ProvenanceSets::kNone;
    for (int64_t g = 0; g < groups; ++g) {
      at.back() = g;
      end += indexAt(sizes, sizes.linear(at));
      set = access.unite(set, access.at(2, at));
      if (found == groups && lhsIndex[ragged] < end)
        found = g;
    }
    return std::pair(found, set);
  };
  SmallVector<int64_t> summed;
  for (int64_t dim : dims.getLhsContractingDimensions())
    summed.push_back(lhs.dim(dim));
  access.forEach(0, [&](ArrayRef<int64_t> rest) {
    SmallVector<int64_t> lhsIndex(lhs.rank(), 0), rhsIndex(rhs.rank(), 0);
    int64_t wanted = byGroup ? rest.consume_front() : -1;
    for (auto [l, r] : llvm::zip(dims.getLhsBatchingDimensions(),
                                 dims.getRhsBatchingDimensions()))
      lhsIndex[l] = rhsIndex[r] = rest.consume_front();
    for (int64_t dim : shapes.lhsFree)
      lhsIndex[dim] = rest.consume_front();
    for (int64_t dim : shapes.rhsFree)
      rhsIndex[dim] = rest.consume_front();
    Set set = ProvenanceSets::kNone;
    if (shapes.mode == Mode::Rows) {
      auto [own, said] = groupOf(lhsIndex);
      set = said;
      if (own == groups)
        return set;
      rhsIndex[dims.getRhsGroupDimensions().front()] = own;
    }
    for (Index k(summed); k; ++k) {
      for (auto [i, value] : llvm::enumerate(*k)) {
        lhsIndex[dims.getLhsContractingDimensions()[i]] = value;
        rhsIndex[dims.getRhsContractingDimensions()[i]] = value;
      }
      if (byGroup) {
        auto [own, said] = groupOf(lhsIndex);
        set = access.unite(set, said);
        if (own != wanted)
          continue;
      }
      set = access.unite(set, access.at(0, lhsIndex));
      set = access.unite(set, access.at(1, rhsIndex));
    }
    return set;
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

// The features of the output are in groups: group g uses group g of the input's
// features or batches. Every element of the kernel's slice is a dependence,
// also those multiplied with padding.
template <typename Op>
static LogicalResult traceConvolution(Op op, Access &access,
                                      ArrayRef<int64_t> low, Set always) {
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  const Tensor &lhs = access.tensor(0), &rhs = access.tensor(1);
  int64_t outputs = rhs.dim(dims.getKernelOutputFeatureDimension()),
          features = rhs.dim(dims.getKernelInputFeatureDimension()),
          batchesInGroup = lhs.dim(dims.getInputBatchDimension()) /
                           int64_t(op.getBatchGroupCount());
  SmallVector<int64_t> sizes, extents;
  for (int64_t dim : dims.getKernelSpatialDimensions())
    sizes.push_back(rhs.dim(dim));
  SmallVector<WindowAxis> axes =
      windowAxes(sizes, op.getWindowStrides(), low, op.getLhsDilation(),
                 op.getRhsDilation());
  SmallVector<int64_t> terms(sizes);
  terms.push_back(features);
  access.forEach(0, [&](ArrayRef<int64_t> index) {
    int64_t output = index[dims.getOutputFeatureDimension()],
            featureGroup =
                output * int64_t(op.getFeatureGroupCount()) / outputs,
            batchGroup = output * int64_t(op.getBatchGroupCount()) / outputs;
    Set set = always;
    for (Index term(terms); term; ++term) {
      SmallVector<int64_t> left(lhs.rank()), right(rhs.rank());
      left[dims.getInputBatchDimension()] =
          batchGroup * batchesInGroup + index[dims.getOutputBatchDimension()];
      left[dims.getInputFeatureDimension()] =
          featureGroup * features + (*term).back();
      right[dims.getKernelOutputFeatureDimension()] = output;
      right[dims.getKernelInputFeatureDimension()] = (*term).back();
      bool isThere = true;
      for (size_t i = 0; i < axes.size(); ++i) {
        right[dims.getKernelSpatialDimensions()[i]] = term[i];
        bool isReversed =
            op.getWindowReversal() && (*op.getWindowReversal())[i];
        int64_t dim = dims.getInputSpatialDimensions()[i];
        std::optional<int64_t> element = axes[i].element(
            index[dims.getOutputSpatialDimensions()[i]],
            isReversed ? sizes[i] - 1 - term[i] : term[i], lhs.dim(dim));
        isThere &= element.has_value();
        left[dim] = element.value_or(0);
      }
      set = access.unite(set, access.at(1, right));
      if (isThere)
        set = access.unite(set, access.at(0, left));
    }
    return set;
  });
  return success();
}
static LogicalResult traceConvolution(ConvolutionOp op, Access &access) {
  return traceConvolution(op, access, lowPadding(op.getPadding()),
                          ProvenanceSets::kNone);
}
/// The high padding only determines where the result ends.
static LogicalResult traceDynamicConv(DynamicConvOp op, Access &access) {
  SmallVector<int64_t> low;
  Set always = ProvenanceSets::kNone;
  for (int64_t i = 0; i < access.tensor(2).size(); i += 2) {
    low.push_back(indexAt(access.tensor(2), i));
    always = access.unite(always, access.at(2, i));
  }
  return traceConvolution(op, access, low, always);
}

void addProductAccess(AccessRules &rules) {
  rules.add<DotGeneralOp, traceDotGeneral>();
  rules.add<DotOp, traceSimpleDot>();
  rules.add<EinsumOp, traceEinsum<EinsumOp>>();
  rules.add<UnaryEinsumOp, traceEinsum<UnaryEinsumOp>>();
  rules.add<chlo::RaggedDotOp, traceRaggedDot>();
  rules.add<ConvolutionOp, traceConvolution>();
  rules.add<DynamicConvOp, traceDynamicConv>();
}

} // namespace mercator::reference
