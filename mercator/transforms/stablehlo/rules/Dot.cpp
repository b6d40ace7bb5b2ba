// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Dot_general, dot, einsum, unary_einsum.
//
// Each dimension of an operand and of the result has a label. An element of the
// result is the sum of products over all values of the labels that the result
// does not have. A label is a loop: those of the result come first, in its
// order. So every operand is read through a map, and none is transposed. An
// operand that the program transposes is read as it was before.

#include "mercator/transforms/stablehlo/lowering/Builders.h"
#include "mercator/transforms/stablehlo/lowering/Translation.h"
#include "mercator/transforms/stablehlo/rules/MultiplyAdd.h"

using namespace mlir;

namespace mercator::stablehlo {

/// The label of each dimension, counted from 0. Becomes the loop of each.
using Labels = SmallVector<unsigned, 6>;

namespace {
struct Contraction {
  SmallVector<Labels, 2> operands;
  unsigned parallel, loops;

  AffineMap map(ImplicitLocOpBuilder &b, ArrayRef<unsigned> labels) const {
    SmallVector<AffineExpr> exprs;
    for (unsigned label : labels)
      exprs.push_back(b.getAffineDimExpr(label));
    return AffineMap::get(loops, 0, exprs, b.getContext());
  }
  /// The maps of the operands, then that of the result.
  SmallVector<AffineMap> maps(ImplicitLocOpBuilder &b) const {
    SmallVector<AffineMap> all;
    for (const Labels &labels : operands)
      all.push_back(map(b, labels));
    all.push_back(map(b, llvm::to_vector(llvm::seq(parallel))));
    return all;
  }
  bool isForm(unsigned parallel, unsigned loops, ArrayRef<unsigned> lhs,
              ArrayRef<unsigned> rhs) const {
    return this->parallel == parallel && this->loops == loops &&
           ArrayRef(operands[0]) == lhs && ArrayRef(operands[1]) == rhs;
  }
  bool isFormOfSets(unsigned parallel, unsigned loops, ArrayRef<unsigned> lhs,
                    ArrayRef<unsigned> rhs) const;
  /// Whether linalg.contract has this form: there is a sum, and each of its
  /// loops reads both operands; no operand is read along a diagonal.
  bool isContract() const;
};
} // namespace

/// The same up to the order of the last two dimensions of each operand.
bool Contraction::isFormOfSets(unsigned parallel, unsigned loops,
                               ArrayRef<unsigned> lhs,
                               ArrayRef<unsigned> rhs) const {
  auto swapped = [](ArrayRef<unsigned> labels) {
    Labels other(labels);
    std::swap(other[other.size() - 2], other.back());
    return other;
  };
  Labels left = swapped(lhs), right = swapped(rhs);
  return isForm(parallel, loops, lhs, rhs) ||
         isForm(parallel, loops, left, rhs) ||
         isForm(parallel, loops, lhs, right) ||
         isForm(parallel, loops, left, right);
}

bool Contraction::isContract() const {
  if (operands.size() != 2 || parallel == loops)
    return false;
  for (const Labels &labels : operands) {
    llvm::SmallDenseSet<unsigned, 8> own(labels.begin(), labels.end());
    if (own.size() != labels.size())
      return false;
    for (unsigned loop = parallel; loop < loops; ++loop)
      if (!own.contains(loop))
        return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// The extents of the result: known ones are taken from any of the tensors.
static Sizes resultSizes(ImplicitLocOpBuilder &b, RankedTensorType type,
                         ValueRange operands, const Contraction &c) {
  Sizes sizes;
  for (unsigned loop = 0; loop < c.parallel; ++loop) {
    OpFoldResult size;
    if (!type.isDynamicDim(loop))
      size = b.getIndexAttr(type.getDimSize(loop));
    for (auto [operand, labels] : llvm::zip_equal(operands, c.operands))
      for (auto [dim, label] : llvm::enumerate(labels)) {
        auto own = cast<RankedTensorType>(operand.getType());
        if (label != loop || isa_and_nonnull<Attribute>(size))
          continue;
        if (!size || !own.isDynamicDim(unsigned(dim)))
          size = extentOf(b, operand, int64_t(dim));
      }
    sizes.push_back(size);
  }
  return sizes;
}

/// With `cast_signed`, which all named operations do by default.
template <typename Op>
static Value createNamed(ImplicitLocOpBuilder &b, ValueRange operands,
                         Value init) {
  return Op::create(b, TypeRange{init.getType()}, operands, ValueRange{init})
      ->getResult(0);
}

/// A matmul whose maps say which operands are transposed.
template <typename Op>
static Value createMatmul(ImplicitLocOpBuilder &b, ValueRange operands,
                          Value init, ArrayRef<AffineMap> maps,
                          ArrayRef<NamedAttribute> cast) {
  auto op = Op::create(b, TypeRange{init.getType()}, operands, ValueRange{init},
                       cast);
  if (maps != ArrayRef(Op::getDefaultIndexingMaps(b.getContext())))
    op.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
  return op->getResult(0);
}

/// Nothing if no named operation has this form.
static Value createNamed(ImplicitLocOpBuilder &b, const Contraction &c,
                         ValueRange operands, Value init, linalg::TypeFn type) {
  if (!c.isContract())
    return {};
  SmallVector<AffineMap> maps = c.maps(b);
  SmallVector<NamedAttribute, 1> cast;
  if (type != linalg::TypeFn::cast_signed)
    cast.push_back(
        b.getNamedAttr("cast", linalg::TypeFnAttr::get(b.getContext(), type)));
  if (c.isFormOfSets(2, 3, {0, 2}, {2, 1}))
    return createMatmul<linalg::MatmulOp>(b, operands, init, maps, cast);
  if (c.isFormOfSets(3, 4, {0, 1, 3}, {0, 3, 2}))
    return createMatmul<linalg::BatchMatmulOp>(b, operands, init, maps, cast);
  if (type == linalg::TypeFn::cast_signed) {
    if (c.isForm(1, 2, {0, 1}, {1}))
      return createNamed<linalg::MatvecOp>(b, operands, init);
    if (c.isForm(1, 2, {1}, {1, 0}))
      return createNamed<linalg::VecmatOp>(b, operands, init);
    if (c.isForm(0, 1, {0}, {0}))
      return createNamed<linalg::DotOp>(b, operands, init);
    if (c.isForm(2, 3, {0, 1, 2}, {0, 2}))
      return createNamed<linalg::BatchMatvecOp>(b, operands, init);
    if (c.isForm(2, 3, {0, 2}, {0, 2, 1}))
      return createNamed<linalg::BatchVecmatOp>(b, operands, init);
  }
  return linalg::ContractOp::create(b, TypeRange{init.getType()}, operands,
                                    ValueRange{init},
                                    b.getAffineMapArrayAttr(maps), cast)
      ->getResult(0);
}

/// The lowered operand. If it is a transpose, what is transposed: then `labels`
/// are those of its dimensions.
static Value readTransposed(Lowering &l, Value old, Labels &labels) {
  auto transpose = old.getDefiningOp<TransposeOp>();
  if (!transpose)
    return l.translation.one(old);
  Labels before(labels);
  for (auto [label, dim] : llvm::zip_equal(before, transpose.getPermutation()))
    labels[size_t(dim)] = label;
  return l.translation.one(transpose.getOperand());
}

/// The number that all elements of a constant of floats are; null if there is none.
static FloatAttr onlyNumberOf(Value old) {
  while (auto broadcast = old.getDefiningOp<BroadcastInDimOp>())
    old = broadcast.getOperand();
  auto constant = old.getDefiningOp<ConstantOp>();
  auto elements = constant ? dyn_cast<SplatElementsAttr>(constant.getValue())
                           : SplatElementsAttr();
  return elements && isa<FloatType>(elements.getElementType())
             ? elements.getSplatValue<FloatAttr>()
             : FloatAttr();
}

/// A product with a constant of equal elements is a sum over the other operand,
/// the same for all loops that only the constant has:
///
///   c[i, j] = sum over k of 1 * b[k, j]    =>    s[j] = sum over k of 1 * b[k, j]
///                                                c[i, j] = s[j]
///
/// Such products are in gradients of sums. Nothing if the operation is none.
static Value lowerSplatProduct(Lowering &l, const Contraction &c,
                               const MultiplyAdd &step, ValueRange operands,
                               ArrayRef<OpFoldResult> sizes) {
  if (operands.size() != 2 || c.parallel == c.loops)
    return {};
  for (unsigned side = 0; side < 2; ++side) {
    FloatAttr number = onlyNumberOf(l.op->getOperand(side));
    const Labels &labels = c.operands[1 - side];
    auto hasLoop = [&](unsigned loop) {
      return llvm::is_contained(labels, loop);
    };
    if (!number || !llvm::all_of(llvm::seq(c.parallel, c.loops), hasLoop))
      continue;
    ImplicitLocOpBuilder &b = l.b;
    // The loops that are left: those of the sum of the other operand.
    SmallVector<unsigned> loops =
        llvm::to_vector(llvm::make_filter_range(llvm::seq(c.loops), hasLoop));
    SmallVector<AffineExpr> read, write, back;
    Sizes own;
    SmallVector<Iterator> iterators;
    for (unsigned label : labels)
      read.push_back(b.getAffineDimExpr(
          unsigned(llvm::find(loops, label) - loops.begin())));
    for (auto [i, loop] : llvm::enumerate(loops)) {
      bool isParallel = loop < c.parallel;
      iterators.push_back(isParallel ? Iterator::parallel
                                     : Iterator::reduction);
      if (!isParallel)
        continue;
      write.push_back(b.getAffineDimExpr(unsigned(i)));
      back.push_back(b.getAffineDimExpr(loop));
      own.push_back(sizes[loop]);
    }
    auto map = [&](size_t dims, ArrayRef<AffineExpr> exprs) {
      return AffineMap::get(unsigned(dims), 0, exprs, b.getContext());
    };
    Value init = filled(b, own, zero(b, step.sumType()));
    Value sums =
        generic(
            b, operands[1 - side], init,
            {map(loops.size(), read), map(loops.size(), write)}, iterators,
            [&](ImplicitLocOpBuilder &inside, ValueRange numbers) -> Values {
              Value constant = arith::ConstantOp::create(inside, number);
              Value x = side == 0 ? constant : numbers[0];
              Value y = side == 0 ? numbers[0] : constant;
              return {step.emit(inside, x, y, numbers[1])};
            })
            .front();
    sums = step.toResult(b, sums);
    if (back.size() == c.parallel)
      return sums;
    return compute(b, sizes,
                   cast<RankedTensorType>(sums.getType()).getElementType(),
                   sums, map(c.parallel, back),
                   [](ImplicitLocOpBuilder &, ValueRange numbers) -> Values {
                     return {numbers[0]};
                   });
  }
  return {};
}

/// Labels of operands and of the result in any numbering. Requires: a label of
/// the result is one of an operand and occurs once.
static FailureOr<Value>
lowerContraction(Lowering &l, SmallVector<Labels, 2> labels,
                 ArrayRef<unsigned> resultLabels,
                 std::optional<DotAlgorithmAttr> algorithm = {}) {
  ImplicitLocOpBuilder &b = l.b;
  auto elementOf = [](Value old) {
    return cast<RankedTensorType>(old.getType()).getElementType();
  };
  FailureOr<MultiplyAdd> step = MultiplyAdd::make(
      l, elementOf(l.op->getOperand(0)), elementOf(l.op->getOperands().back()),
      elementOf(l.op->getResult(0)), algorithm);
  if (failed(step))
    return failure();

  Values operands;
  for (auto [old, own] : llvm::zip_equal(l.op->getOperands(), labels))
    operands.push_back(readTransposed(l, old, own));
  Contraction c;
  llvm::DenseMap<unsigned, unsigned> loopOf;
  for (unsigned label : resultLabels)
    loopOf.try_emplace(label, loopOf.size());
  c.parallel = loopOf.size();
  for (const Labels &own : labels) {
    Labels &loops = c.operands.emplace_back();
    for (unsigned label : own)
      loops.push_back(loopOf.try_emplace(label, loopOf.size()).first->second);
  }
  c.loops = loopOf.size();

  Sizes sizes = resultSizes(b, l.type(), operands, c);
  if (Value sums = lowerSplatProduct(l, c, *step, operands, sizes))
    return castTo(b, sums, l.type());
  auto body = [&](ImplicitLocOpBuilder &inside, ValueRange numbers) -> Values {
    Value sum = numbers.size() > operands.size()
                    ? numbers.back()
                    : zero(inside, step->sumType());
    return {operands.size() == 1
                ? step->emitSum(inside, numbers[0], sum)
                : step->emit(inside, numbers[0], numbers[1], sum)};
  };
  SmallVector<AffineMap> maps = c.maps(b);
  Value sums;
  if (c.parallel == c.loops) {
    sums = compute(b, sizes, step->sumType(), operands,
                   ArrayRef(maps).drop_back(), body);
  } else {
    Value init = filled(b, sizes, zero(b, step->sumType()));
    if (std::optional<linalg::TypeFn> named = step->namedForm())
      sums = createNamed(b, c, operands, init, *named);
    if (!sums) {
      SmallVector<Iterator> iterators(c.parallel, Iterator::parallel);
      iterators.append(c.loops - c.parallel, Iterator::reduction);
      sums = generic(b, operands, init, maps, iterators, body).front();
    }
  }
  return castTo(b, step->toResult(b, sums), l.type());
}

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

/// Labels: batching dimensions, contracting ones, then the free ones of lhs and
/// of rhs.
static FailureOr<Value> lowerDot(Lowering &l, ArrayRef<int64_t> lhsBatching,
                                 ArrayRef<int64_t> lhsContracting,
                                 ArrayRef<int64_t> rhsBatching,
                                 ArrayRef<int64_t> rhsContracting,
                                 std::optional<DotAlgorithmAttr> algorithm) {
  auto next = unsigned(lhsBatching.size() + lhsContracting.size());
  Labels resultLabels(
      llvm::to_vector<6>(llvm::seq(unsigned(lhsBatching.size()))));
  auto labelsOf = [&](Value operand, ArrayRef<int64_t> batching,
                      ArrayRef<int64_t> contracting) {
    Labels labels(cast<RankedTensorType>(operand.getType()).getRank(), ~0U);
    for (auto [i, dim] : llvm::enumerate(batching))
      labels[dim] = unsigned(i);
    for (auto [i, dim] : llvm::enumerate(contracting))
      labels[dim] = unsigned(batching.size() + i);
    for (unsigned &label : labels)
      if (label == ~0U) {
        label = next++;
        resultLabels.push_back(label);
      }
    return labels;
  };
  Labels lhs = labelsOf(l.op->getOperand(0), lhsBatching, lhsContracting);
  Labels rhs = labelsOf(l.op->getOperand(1), rhsBatching, rhsContracting);
  return lowerContraction(l, {lhs, rhs}, resultLabels, algorithm);
}

static FailureOr<Value> lowerDotGeneral(DotGeneralOp op,
                                        DotGeneralOp::Adaptor in, Lowering &l) {
  DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
  return lowerDot(l, dims.getLhsBatchingDimensions(),
                  dims.getLhsContractingDimensions(),
                  dims.getRhsBatchingDimensions(),
                  dims.getRhsContractingDimensions(), op.getAlgorithm());
}

static FailureOr<Value> lowerSimpleDot(DotOp op, DotOp::Adaptor, Lowering &l) {
  return lowerDot(l, {}, {op.getLhs().getType().getRank() - 1}, {}, {0}, {});
}

//===----------------------------------------------------------------------===//
// Einsums
//===----------------------------------------------------------------------===//

/// Lowers "ij,jk->ik": letters are labels. The verifier has checked their
/// number, and that each of the result is one of an operand.
static FailureOr<Value> lowerConfig(Lowering &l, StringRef config) {
  if (config.contains('.'))
    return l.refuse("einsum_config \"" + config + "\" has an ellipsis");
  auto [left, right] = config.split("->");
  auto labelsOf = [](StringRef letters) {
    Labels labels;
    for (char letter : letters.trim())
      labels.push_back(static_cast<unsigned char>(letter));
    return labels;
  };
  SmallVector<StringRef, 2> texts;
  left.split(texts, ',');
  SmallVector<Labels, 2> labels;
  for (StringRef text : texts)
    labels.push_back(labelsOf(text));
  Labels result = labelsOf(right);
  if (llvm::SmallDenseSet<unsigned>(result.begin(), result.end()).size() !=
      result.size())
    return l.refuse("einsum_config \"" + config +
                    "\" repeats a letter of the result");
  return lowerContraction(l, labels, result);
}

static FailureOr<Value> lowerEinsum(EinsumOp op, EinsumOp::Adaptor,
                                    Lowering &l) {
  return lowerConfig(l, op.getEinsumConfig());
}

static FailureOr<Value> lowerUnaryEinsum(UnaryEinsumOp op,
                                         UnaryEinsumOp::Adaptor, Lowering &l) {
  return lowerConfig(l, op.getEinsumConfig());
}

void addDotRules(LoweringRules &rules) {
  rules.add<DotGeneralOp, lowerDotGeneral>();
  rules.add<DotOp, lowerSimpleDot>();
  rules.add<EinsumOp, lowerEinsum>();
  rules.add<UnaryEinsumOp, lowerUnaryEinsum>();
}

} // namespace mercator::stablehlo
