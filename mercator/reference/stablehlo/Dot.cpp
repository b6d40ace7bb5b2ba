// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sums of products over named dimensions: dot, dot_general, einsum and
// unary_einsum.
//
// All of them follow one definition. Each dimension of an operand and of the
// result has a label. Element d of the result is the sum, over all values of
// the labels that the result does not have, of the product of the operands'
// elements at those labels.

#include "mercator/dialects/stablehlo/DotAlgorithms.h"
#include "mercator/reference/core/Strides.h"
#include "mercator/reference/core/SumOfProducts.h"
#include "mercator/reference/stablehlo/Rules.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

/// The label of each dimension, counted from 0.
using Labels = SmallVector<unsigned, 6>;

namespace {

class Contraction {
public:
  explicit Contraction(Step &step) : step(step) {}

  /// Fails with an error if a label already has another extent.
  LogicalResult addOperand(const Tensor &operand, const Labels &labels) {
    Ints strides = stridesOf(operand.shape());
    operands.push_back({operand, labels, strides});
    for (auto [label, extent] : llvm::zip(labels, operand.shape())) {
      if (label >= extents.size())
        extents.resize(label + 1, -1);
      if (extents[label] >= 0 && extents[label] != extent)
        return step.error()
               << "expected paired dimensions of the same extent, got "
               << extents[label] << " and " << extent;
      extents[label] = extent;
    }
    return success();
  }

  /// Requires: each label of the result is a label of an operand.
  LogicalResult evaluate(const Labels &resultLabels,
                         const std::optional<DotAlgorithm> &algorithm = {}) {
    Labels summedLabels;
    for (unsigned label = 0; label < extents.size(); ++label)
      if (!llvm::is_contained(resultLabels, label) && extents[label] >= 0)
        summedLabels.push_back(label);
    Ints shape = extentsOf(resultLabels), summed = extentsOf(summedLabels);
    FailureOr<Tensor> result = step.make(0, shape);
    if (failed(result) || failed(charge(shape, summed)))
      return failure();
    bool isUnary = operands.size() == 1;
    const Tensor &lhs = operands[0].tensor,
                 &rhs = operands[isUnary ? 0 : 1].tensor;
    FailureOr<SumOfProducts> sum = SumOfProducts::make(
        step, lhs.element(), rhs.element(), result->element(), algorithm);
    if (failed(sum))
      return failure();

    Scalar one = lhs.element().isReal() || lhs.element().isComplex()
                     ? Scalar::real(1)
                     : Scalar::whole(1);
    SmallVector<Ints, 2> resultStrides, summedStrides;
    for (const Operand &operand : operands) {
      resultStrides.push_back(stridesAlong(operand, resultLabels));
      summedStrides.push_back(stridesAlong(operand, summedLabels));
    }
    int64_t place = 0;
    for (Index d(shape); d; ++d, ++place) {
      int64_t lhsFirst = offset(*d, resultStrides.front()),
              rhsFirst = offset(*d, resultStrides.back());
      sum->start();
      for (Index s(summed); s; ++s)
        sum->add(lhs.at(lhsFirst + offset(*s, summedStrides.front())),
                 isUnary ? one
                         : rhs.at(rhsFirst + offset(*s, summedStrides.back())));
      result->set(place, sum->value());
    }
    step.results[0] = *result;
    return success();
  }

private:
  struct Operand {
    Tensor tensor;
    Labels labels;
    Ints strides;
  };

  Ints extentsOf(const Labels &labels) const {
    Ints list;
    for (unsigned label : labels)
      list.push_back(extents[label]);
    return list;
  }
  /// The strides of each label in the operand. A label that occurs twice runs
  /// along the diagonal.
  static Ints stridesAlong(const Operand &operand, const Labels &labels) {
    Ints list;
    for (unsigned label : labels) {
      int64_t stride = 0;
      for (auto [own, ownStride] : llvm::zip(operand.labels, operand.strides))
        if (own == label)
          stride += ownStride;
      list.push_back(stride);
    }
    return list;
  }
  LogicalResult charge(const Ints &shape, const Ints &summed) const {
    Ints all(shape);
    llvm::append_range(all, summed);
    return step.charge(all);
  }

  Step &step;
  SmallVector<Operand, 2> operands;
  Ints extents;
};

} // namespace

/// Dimensions are batching, contracting, or free. Batching label i is i;
/// contracting labels follow; then the free dimensions of sides 0 and 1.
static LogicalResult evaluateDot(Step &step, ArrayRef<int64_t> lhsBatching,
                                 ArrayRef<int64_t> lhsContracting,
                                 ArrayRef<int64_t> rhsBatching,
                                 ArrayRef<int64_t> rhsContracting,
                                 const std::optional<DotAlgorithm> &algorithm) {
  Contraction contraction(step);
  unsigned next = lhsBatching.size() + lhsContracting.size();
  Labels resultLabels;
  for (unsigned i = 0; i < lhsBatching.size(); ++i)
    resultLabels.push_back(i);
  auto add = [&](const Tensor &operand, ArrayRef<int64_t> batching,
                 ArrayRef<int64_t> contracting) {
    Labels labels(operand.rank(), ~0u);
    for (auto [i, dim] : llvm::enumerate(batching))
      labels[dim] = i;
    for (auto [i, dim] : llvm::enumerate(contracting))
      labels[dim] = batching.size() + i;
    for (unsigned &label : labels)
      if (label == ~0u) {
        label = next++;
        resultLabels.push_back(label);
      }
    return contraction.addOperand(operand, labels);
  };
  if (failed(add(step.tensor(0), lhsBatching, lhsContracting)) ||
      failed(add(step.tensor(1), rhsBatching, rhsContracting)))
    return failure();
  return contraction.evaluate(resultLabels, algorithm);
}

static std::optional<DotAlgorithm>
algorithmOf(std::optional<DotAlgorithmAttr> attr) {
  if (!attr)
    return std::nullopt;
  int64_t components = componentsOf(*attr);
  return DotAlgorithm{attr->getLhsPrecisionType(),
                      attr->getRhsPrecisionType(),
                      attr->getAccumulationType(),
                      components,
                      components,
                      attr->getNumPrimitiveOperations()};
}

static LogicalResult evaluateDotGeneral(DotGeneralOp op, Step &step) {
  DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
  return evaluateDot(
      step, dims.getLhsBatchingDimensions(), dims.getLhsContractingDimensions(),
      dims.getRhsBatchingDimensions(), dims.getRhsContractingDimensions(),
      algorithmOf(op.getAlgorithm()));
}

static LogicalResult evaluateSimpleDot(DotOp op, Step &step) {
  return evaluateDot(step, {}, {step.tensor(0).rank() - 1}, {}, {0}, {});
}

/// Evaluates "ij,jk->ik": letters are labels, and every label of the result is
/// a label of an operand.
static LogicalResult evaluateConfig(Step &step, StringRef config) {
  auto [left, right] = config.split("->");
  SmallVector<StringRef, 2> texts;
  left.split(texts, ',');
  if (!config.contains("->") || texts.size() != step.operands.size())
    return step.error() << "expected an einsum_config of "
                        << step.operands.size()
                        << " operands and a result as in \"ij,jk->ik\", got \""
                        << config << "\"";
  // Labels are numbered in the order of the letters.
  std::string letters;
  auto labelsOf = [&](StringRef text, bool isResult) -> FailureOr<Labels> {
    Labels labels;
    for (char letter : text.trim()) {
      size_t known = letters.find(letter);
      if (!llvm::isAlpha(letter) || (isResult && known == std::string::npos) ||
          (isResult && llvm::is_contained(labels, unsigned(known))))
        return step.unsupported("einsum_config \"" + config +
                                "\" has more than letters, or letters of the "
                                "result that no operand has");
      if (known == std::string::npos) {
        known = letters.size();
        letters.push_back(letter);
      }
      labels.push_back(known);
    }
    return labels;
  };
  Contraction contraction(step);
  for (auto [i, text] : llvm::enumerate(texts)) {
    FailureOr<Labels> labels = labelsOf(text, false);
    if (failed(labels))
      return failure();
    if (int64_t(labels->size()) != step.tensor(i).rank())
      return step.error() << "expected an einsum_config with one letter for "
                             "each dimension of "
                          << step.tensor(i).type() << ", got \"" << text
                          << "\"";
    if (failed(contraction.addOperand(step.tensor(i), *labels)))
      return failure();
  }
  FailureOr<Labels> labels = labelsOf(right, true);
  if (failed(labels))
    return failure();
  return contraction.evaluate(*labels);
}

static LogicalResult evaluateEinsum(EinsumOp op, Step &step) {
  return evaluateConfig(step, op.getEinsumConfig());
}

static LogicalResult evaluateUnaryEinsum(UnaryEinsumOp op, Step &step) {
  return evaluateConfig(step, op.getEinsumConfig());
}

void addDotRules(EvaluationRules &rules) {
  rules.addOnFloats<DotGeneralOp, evaluateDotGeneral>();
  rules.add<DotOp, evaluateSimpleDot>();
  rules.add<EinsumOp, evaluateEinsum>();
  rules.add<UnaryEinsumOp, evaluateUnaryEinsum>();
}

} // namespace mercator::reference
