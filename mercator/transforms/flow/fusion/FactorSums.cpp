// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum of large products whose terms another product has added up already. In the
// gradient of an attention, with w = e / l,
//
//   y[i, k] = sum over j of w[i, j] * b[j, k]
//   x[i, j] = sum over k of a[i, k] * b[j, k]
//   d[i]    = sum over j of x[i, j] * w[i, j]
//
// Both sums of d are finite, so they change places:
//
//   d[i]    = sum over k of a[i, k] * y[i, k]
//
// d needs no x then, and a dispatch that needs d needs no row of x before it begins.
// Factors without j may differ. d gets those that w does not have, and is multiplied by
// the l of a softmax, if w alone is divided by it.
//
// The terms are added in another order. Errors are of the size that those of y have.

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/operations/Candidates.h"

#include "mercator/analysis/Sizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

namespace mercator::flow {
#define GEN_PASS_DEF_FACTORSUMS
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

//===----------------------------------------------------------------------===//
// Products of tensors
//===----------------------------------------------------------------------===//

namespace {
/// A tensor whose elements are a factor, or a divisor. The map is from the loops of the
/// operation to the indices of the element.
struct Factor {
  Value tensor = {};
  AffineMap map = {};
  bool divides = false;

  bool operator==(const Factor &) const = default;
};
using Factors = SmallVector<Factor>;
} // namespace

/// Adds the factors of a value in the body. False if it is no product of elements.
static bool addFactors(linalg::LinalgOp op, Value value, bool divides,
                       Factors &factors) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    OpOperand *operand = op.getMatchingOpOperand(argument);
    if (argument.getOwner() != op.getBlock() || op.isDpsInit(operand) ||
        !isa<RankedTensorType>(operand->get().getType()))
      return false;
    factors.push_back(
        {operand->get(), op.getMatchingIndexingMap(operand), divides});
    return true;
  }
  Operation *made = value.getDefiningOp();
  bool isQuotient = isa<arith::DivFOp>(made);
  return (isQuotient || isa<arith::MulFOp>(made)) &&
         addFactors(op, made->getOperand(0), divides, factors) &&
         addFactors(op, made->getOperand(1), divides != isQuotient, factors);
}

static bool isZeroFill(Value init) {
  auto fill = init.getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.getInputs()[0], m_AnyZeroFloat());
}

/// The factors of the terms of a sum with one result.
static std::optional<Factors> termsOf(linalg::LinalgOp op) {
  if (op->getNumResults() != 1 || op.getNumReductionLoops() != 1 ||
      !isa<FloatType>(getElementTypeOrSelf(op->getResult(0))) ||
      !isZeroFill(op.getDpsInits()[0]))
    return std::nullopt;
  auto sum = op.getBlock()
                 ->getTerminator()
                 ->getOperand(0)
                 .getDefiningOp<arith::AddFOp>();
  if (!sum)
    return std::nullopt;
  Value own = op.getRegionOutputArgs()[0], term = sum.getRhs();
  if (term == own)
    term = sum.getLhs();
  else if (sum.getLhs() != own)
    return std::nullopt;
  Factors factors;
  if (!addFactors(op, term, /*divides=*/false, factors) ||
      llvm::any_of(factors, [](const Factor &factor) {
        return !factor.map.isProjectedPermutation();
      }))
    return std::nullopt;
  return factors;
}

static unsigned reductionOf(linalg::LinalgOp op) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  return loops[0];
}

static linalg::LinalgOp makerOf(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  return op ? flow::asLinalgOnTensors(op) : linalg::LinalgOp();
}

/// The factors of the elements of a tensor; itself if it is no product of others.
static Factors factorsOf(Value tensor) {
  Factors factors;
  auto rank = unsigned(cast<RankedTensorType>(tensor.getType()).getRank());
  AffineMap own = AffineMap::getMultiDimIdentityMap(rank, tensor.getContext());
  linalg::LinalgOp op = makerOf(tensor);
  if (op && op->getNumResults() == 1 && op.getNumReductionLoops() == 0 &&
      op.getIndexingMapMatchingResult(op->getResult(0)).isPermutation() &&
      addFactors(op, op.getBlock()->getTerminator()->getOperand(0), false,
                 factors)) {
    AffineMap loops =
        inversePermutation(op.getIndexingMapMatchingResult(op->getResult(0)));
    for (Factor &factor : factors)
      factor.map = factor.map.compose(loops);
    return factors;
  }
  return {{tensor, own}};
}

//===----------------------------------------------------------------------===//
// Sums that change places
//===----------------------------------------------------------------------===//

namespace {
/// Loops of two operations that are the same one.
class Pairing {
public:
  explicit Pairing(unsigned count) : pairs(count) {}

  /// Has both maps give the same indices. False if they cannot.
  bool unify(AffineMap from, AffineMap to) {
    if (from.getNumResults() != to.getNumResults())
      return false;
    for (unsigned i = 0; i < from.getNumResults(); ++i) {
      std::optional<unsigned> &pair = pairs[from.getDimPosition(i)];
      unsigned other = to.getDimPosition(i);
      if (pair ? *pair != other : llvm::is_contained(pairs, other))
        return false;
      pair = other;
    }
    return true;
  }
  [[nodiscard]] std::optional<unsigned> of(unsigned loop) const {
    return pairs[loop];
  }
  /// The map, from `loops` other loops. Requires: all of its loops have pairs.
  [[nodiscard]] std::optional<AffineMap> moved(AffineMap map,
                                               unsigned loops) const {
    SmallVector<AffineExpr> dims;
    for (std::optional<unsigned> pair : pairs)
      dims.push_back(pair ? getAffineDimExpr(*pair, map.getContext())
                          : AffineExpr());
    SmallVector<AffineExpr> results;
    for (unsigned i = 0; i < map.getNumResults(); ++i) {
      if (!dims[map.getDimPosition(i)])
        return std::nullopt;
      results.push_back(dims[map.getDimPosition(i)]);
    }
    return AffineMap::get(loops, 0, results, map.getContext());
  }

private:
  SmallVector<std::optional<unsigned>> pairs;
};

/// d, and what it is computed from. The loops of all maps are those of d, and k.
struct Place {
  linalg::LinalgOp sum;
  unsigned j = 0, k = 0;
  Factor a = {}, b = {};
  Factors weights = {}; ///< other factors with j
  Factors rows = {};    ///< without j
};
} // namespace

/// Whether one of the factors is a product x of a and b.
static bool readProduct(Place &place, const Factor &x) {
  linalg::LinalgOp product = makerOf(x.tensor);
  if (x.divides || !product || !linalg::isaContractionOpInterface(product))
    return false;
  std::optional<Factors> terms = termsOf(product);
  if (!terms || terms->size() != 2)
    return false;
  Pairing pairing(product.getNumLoops());
  AffineMap written =
      product.getIndexingMapMatchingResult(product->getResult(0));
  unsigned inner = reductionOf(product);
  if (product.getStaticLoopRanges()[inner] >=
      place.sum.getStaticLoopRanges()[place.j])
    return false;
  AffineMap ofInner = AffineMap::get(
      product.getNumLoops(), 0, getAffineDimExpr(inner, x.map.getContext()));
  AffineMap toInner = AffineMap::get(
      place.k + 1, 0, getAffineDimExpr(place.k, x.map.getContext()));
  if (!written.isProjectedPermutation() || !pairing.unify(written, x.map) ||
      !pairing.unify(ofInner, toInner))
    return false;
  for (Factor &term : *terms) {
    std::optional<AffineMap> map = pairing.moved(term.map, place.k + 1);
    if (!map || !map->isFunctionOfDim(place.k))
      return false;
    (map->isFunctionOfDim(place.j) ? place.b : place.a) = {term.tensor, *map};
  }
  return place.a.tensor && place.b.tensor;
}

/// Takes the factors that are in both lists from them.
static void cancel(Factors &from, Factors &others) {
  for (size_t i = 0; i < from.size();) {
    auto *found = llvm::find(others, from[i]);
    if (found == others.end()) {
      ++i;
      continue;
    }
    others.erase(found);
    from.erase(from.begin() + ptrdiff_t(i));
  }
}

/// Whether the factor divides by the sum of the exponentials that are among the weights.
/// Only such a divisor may be taken back: where another one is 0, y is infinite and d is
/// not. Where this one is 0, no exponential is a number after the division anyway.
static bool isDenominator(const Factor &factor, const Factors &weights) {
  auto l = dyn_cast<OpResult>(factor.tensor);
  linalg::LinalgOp op = l ? makerOf(l) : linalg::LinalgOp();
  if (!factor.divides || !op || op.getNumReductionLoops() != 1 ||
      !isZeroFill(op.getDpsInits()[l.getResultNumber()]))
    return false;
  Operation *yielded = op.getBlock()->getTerminator();
  auto sum =
      yielded->getOperand(l.getResultNumber()).getDefiningOp<arith::AddFOp>();
  Value own = op.getRegionOutputArgs()[l.getResultNumber()];
  return sum && llvm::any_of(weights, [&](const Factor &weight) {
           auto e = dyn_cast<OpResult>(weight.tensor);
           if (!e || weight.divides || e.getOwner() != l.getOwner())
             return false;
           Value x = yielded->getOperand(e.getResultNumber());
           return x.getDefiningOp<math::ExpOp>() &&
                  ((sum.getLhs() == own && sum.getRhs() == x) ||
                   (sum.getLhs() == x && sum.getRhs() == own));
         });
}

/// The product y, with its factor. `rows` gets what the sum of a * y is multiplied by.
static std::optional<Factor>
readResult(const Place &place, linalg::LinalgOp product, Factors &rows) {
  if (!linalg::isaContractionOpInterface(product) ||
      product->getBlock() != place.sum->getBlock() ||
      !product->isBeforeInBlock(place.sum))
    return std::nullopt;
  std::optional<Factors> terms = termsOf(product);
  if (!terms || terms->size() != 2)
    return std::nullopt;
  if ((*terms)[0].tensor == place.b.tensor)
    std::swap((*terms)[0], (*terms)[1]);
  Factor weight = (*terms)[0], b = (*terms)[1];
  Pairing pairing(product.getNumLoops());
  if (b.tensor != place.b.tensor || !pairing.unify(b.map, place.b.map))
    return std::nullopt;
  Factors own = {weight};
  if (!llvm::any_of(place.weights, [&](const Factor &each) {
        return each.tensor == weight.tensor;
      })) {
    own = factorsOf(weight.tensor);
    for (Factor &factor : own)
      factor.map = factor.map.compose(weight.map);
  }
  if (!llvm::all_of(own, [](const Factor &factor) {
        return factor.map.isProjectedPermutation();
      }))
    return std::nullopt;
  for (const Factor &factor : own)
    for (const Factor &other : place.weights)
      if (factor.tensor == other.tensor && factor.divides == other.divides &&
          !pairing.unify(factor.map, other.map))
        return std::nullopt;
  for (Factor &factor : own) {
    std::optional<AffineMap> map = pairing.moved(factor.map, place.k + 1);
    if (!map)
      return std::nullopt;
    factor.map = *map;
  }
  Factors weights = place.weights;
  rows = place.rows;
  cancel(own, weights);
  if (!weights.empty() || pairing.of(reductionOf(product)) != place.j)
    return std::nullopt;
  cancel(own, rows);
  for (Factor &factor : own) {
    if (factor.map.isFunctionOfDim(place.j) ||
        !isDenominator(factor, place.weights))
      return std::nullopt;
    factor.divides = !factor.divides;
    rows.push_back(factor);
  }
  std::optional<AffineMap> map = pairing.moved(
      product.getIndexingMapMatchingResult(product->getResult(0)), place.k + 1);
  if (!map)
    return std::nullopt;
  return Factor{product->getResult(0), *map};
}

/// Computes the sum from a and y.
static void replaceSum(const Place &place, const Factor &y,
                       const Factors &rows) {
  linalg::LinalgOp sum = place.sum;
  IRRewriter rewriter(sum->getContext());
  rewriter.setInsertionPoint(sum);
  // k takes the place of j.
  SmallVector<AffineExpr> dims;
  for (unsigned loop = 0; loop < place.k; ++loop)
    dims.push_back(rewriter.getAffineDimExpr(loop));
  dims.push_back(rewriter.getAffineDimExpr(place.j));
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  Factors factors = {place.a, y};
  llvm::append_range(factors, rows);
  for (const Factor &factor : factors) {
    inputs.push_back(factor.tensor);
    maps.push_back(factor.map.replaceDimsAndSymbols(dims, {}, place.k, 0));
  }
  maps.push_back(sum.getIndexingMapMatchingResult(sum->getResult(0)));
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      sum, sum->getResultTypes(), inputs, sum.getDpsInits(), maps,
      sum.getIteratorTypesArray(),
      [&](OpBuilder &b, Location loc, ValueRange elements) {
        Value term = elements[0];
        for (auto [factor, element] :
             llvm::drop_begin(llvm::zip(factors, elements)))
          term = factor.divides
                     ? arith::DivFOp::create(b, loc, term, element).getResult()
                     : arith::MulFOp::create(b, loc, term, element).getResult();
        linalg::YieldOp::create(
            b, loc,
            arith::AddFOp::create(b, loc, elements.back(), term).getResult());
      });
}

static void factorSum(linalg::LinalgOp sum, int64_t leastBytes) {
  std::optional<Factors> terms = termsOf(sum);
  if (!terms)
    return;
  for (const Factor &x : *terms) {
    std::optional<int64_t> bytes = bytesOf(x.tensor.getType());
    Place place{.sum = sum, .j = reductionOf(sum), .k = sum.getNumLoops()};
    if (!bytes || *bytes < leastBytes || !x.map.isFunctionOfDim(place.j) ||
        !readProduct(place, x))
      continue;
    for (const Factor &factor : *terms)
      if (&factor != &x)
        (factor.map.isFunctionOfDim(place.j) ? place.weights : place.rows)
            .push_back({factor.tensor,
                        AffineMap::get(place.k + 1, 0, factor.map.getResults(),
                                       sum->getContext()),
                        factor.divides});
    for (Operation *user : place.b.tensor.getUsers()) {
      linalg::LinalgOp product = flow::asLinalgOnTensors(user);
      Factors rows;
      if (!product || product == sum)
        continue;
      if (std::optional<Factor> y = readResult(place, product, rows))
        return replaceSum(place, *y, rows);
    }
  }
}

namespace {
struct FactorSums : flow::impl::FactorSumsBase<FactorSums> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> sums;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (flow::asLinalgOnTensors(op))
        sums.push_back(op);
    });
    for (linalg::LinalgOp sum : sums)
      factorSum(sum, leastBytes);
  }
};
} // namespace
