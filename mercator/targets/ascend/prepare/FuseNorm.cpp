// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Normalizations: a product of x (or x - mean), of the inverse of a root, and of
// a factor; and a summand. The operands of products may stand in any order.
//
//   RmsNorm      x * rsqrt(mean(x * x) + epsilon) * gamma
//   LayerNormV3  (x - mean(x)) * rsqrt(variance + epsilon) * gamma + beta
//
// where the variance is mean((x - mean(x))^2), or mean(x^2) - mean(x)^2, which
// may be raised to 0.

#include "mercator/targets/ascend/prepare/FuseOperators.h"
#include "mercator/targets/ascend/prepare/Views.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

namespace sh = mercator::stablehlo;
using Dims = SmallVector<int64_t, 4>;

namespace {
/// A factor of a product, or a divisor.
struct Factor {
  /// The operand of the product or quotient, and what it is after `strip`.
  View given, view;
  bool isDivisor;
};

/// What the root is taken of.
struct Spread {
  /// x, or x - mean(x).
  View data;
  /// Null for the mean of squares of `data` itself.
  Value x;
  Dims dims;
  float epsilon;
};

class NormMatcher {
public:
  explicit NormMatcher(Value result)
      : views(result), exact(result, /*mayRound=*/false),
        statistics(result, /*mayRound=*/exact.element().isBF16()) {}

  std::optional<Fusion> match(Value result) const;

private:
  std::optional<Fusion> product(const View &view) const;
  void factorsOf(const View &view, bool isDivisor, const Spread *spread,
                 SmallVectorImpl<Factor> &factors) const;
  std::optional<Spread> spreadOf(const Factor &factor) const;
  std::optional<Spread> variance(const View &view) const;
  std::optional<Spread> fastVariance(const View &view) const;
  /// The x of x - mean(x) over the dimensions; null for another view.
  Value centered(const View &view, const Dims &dims) const;
  bool isData(const View &view, const Spread &spread) const;
  bool hasData(const View &view, const Spread &spread, int depth = 4) const;
  bool overflowsEarly(const View &view) const {
    return views.element().isF16() && getElementTypeOrSelf(view.value).isF16();
  }

  /// For the product and the sum: the result may be rounded before them.
  Views views;
  /// For the data and the parameters.
  Views exact;
  /// For the mean and the root. In f16, a sum of squares overflows.
  Views statistics;
};
} // namespace

//===--- Statistics -------------------------------------------------------===//

Value NormMatcher::centered(const View &view, const Dims &dims) const {
  View stripped = statistics.strip(view);
  if (!stripped.as<sh::SubtractOp>() || overflowsEarly(stripped))
    return nullptr;
  Value x = stripped.op()->getOperand(0);
  std::optional<Reduced> mean =
      statistics.mean(statistics.operand(stripped, 1));
  if (!mean || mean->dims != dims || !statistics.isWhole(x) ||
      stripped.origin != statistics.whole(x).origin ||
      !statistics.same(statistics.whole(mean->input), statistics.whole(x)))
    return nullptr;
  return x;
}

/// mean(x * x) - mean(x) * mean(x), in f32. In bf16, nearly nothing is left of
/// such a difference.
std::optional<Spread> NormMatcher::fastVariance(const View &view) const {
  View stripped = statistics.strip(view);
  if (!stripped.as<sh::SubtractOp>())
    return std::nullopt;
  std::optional<Reduced> squares =
      statistics.mean(statistics.operand(stripped, 0));
  std::optional<View> root = statistics.square(statistics.operand(stripped, 1));
  if (!squares || !root)
    return std::nullopt;
  std::optional<Reduced> mean = statistics.mean(*root);
  std::optional<View> x = statistics.square(statistics.whole(squares->input));
  if (!mean || !x || mean->dims != squares->dims ||
      !getElementTypeOrSelf(
           statistics.strip(statistics.whole(squares->input)).value)
           .isF32() ||
      !statistics.same(statistics.whole(mean->input), *x))
    return std::nullopt;
  return Spread{*x, x->value, squares->dims, 0};
}

std::optional<Spread> NormMatcher::variance(const View &view) const {
  View stripped = statistics.strip(view);
  if (stripped.as<sh::MaxOp>())
    for (unsigned i : {0, 1})
      if (statistics.isNumber(statistics.operand(stripped, i), 0))
        return fastVariance(statistics.operand(stripped, 1 - i));
  if (std::optional<Spread> fast = fastVariance(stripped))
    return fast;
  std::optional<Reduced> mean = statistics.mean(stripped);
  if (!mean)
    return std::nullopt;
  View squares = statistics.strip(statistics.whole(mean->input));
  std::optional<View> data = statistics.square(squares);
  if (!data || overflowsEarly(squares))
    return std::nullopt;
  return Spread{*data, centered(*data, mean->dims), mean->dims, 0};
}

/// The statistics in a factor 1 / sqrt(variance + epsilon).
std::optional<Spread> NormMatcher::spreadOf(const Factor &factor) const {
  const View &view = factor.view;
  bool isInverse = view.as<sh::RsqrtOp>() ||
                   (view.as<sh::PowOp>() &&
                    statistics.isNumber(statistics.operand(view, 1), -0.5));
  if (factor.isDivisor ? !view.as<sh::SqrtOp>() : !isInverse)
    return std::nullopt;
  View sum = statistics.operand(view, 0);
  if (!sum.as<sh::AddOp>())
    return std::nullopt;
  for (unsigned i : {0, 1}) {
    std::optional<double> epsilon =
        statistics.number(statistics.operand(sum, i));
    if (!epsilon)
      continue;
    std::optional<Spread> spread = variance(statistics.operand(sum, 1 - i));
    if (!spread || *epsilon < 0 || double(float(*epsilon)) != *epsilon)
      return std::nullopt;
    spread->epsilon = float(*epsilon);
    return spread;
  }
  return std::nullopt;
}

//===--- Products ---------------------------------------------------------===//

bool NormMatcher::isData(const View &view, const Spread &spread) const {
  return spread.x ? centered(view, spread.dims) != nullptr
                  : exact.same(view, spread.data);
}

/// Whether the data or the root is a factor of a product.
bool NormMatcher::hasData(const View &view, const Spread &spread,
                          int depth) const {
  View stripped = views.strip(view);
  if (isData(view, spread) || spreadOf({view, stripped, false}) ||
      spreadOf({view, stripped, true}))
    return true;
  return depth > 0 && isa_and_nonnull<sh::MulOp, sh::DivOp>(stripped.op()) &&
         llvm::any_of(stripped.op()->getOperands(), [&](Value operand) {
           return hasData({operand, stripped.origin}, spread, depth - 1);
         });
}

/// Goes on to the data and to factors that vary only along the normalized
/// dimensions, if these are known.
void NormMatcher::factorsOf(const View &view, bool isDivisor,
                            const Spread *spread,
                            SmallVectorImpl<Factor> &factors) const {
  constexpr size_t kMost = 8;
  View stripped = exact.strip(view);
  bool isLeaf = factors.size() >= kMost;
  if (spread && (isData(stripped, *spread) ||
                 (exact.variesOnlyAlong(stripped, spread->dims) &&
                  !hasData(stripped, *spread))))
    isLeaf = true;
  if (!isLeaf)
    stripped = views.strip(stripped);
  bool isQuotient = bool(stripped.as<sh::DivOp>());
  if (isLeaf || (!isQuotient && !stripped.as<sh::MulOp>())) {
    factors.push_back({view, stripped, isDivisor});
    return;
  }
  factorsOf({stripped.op()->getOperand(0), stripped.origin}, isDivisor, spread,
            factors);
  factorsOf({stripped.op()->getOperand(1), stripped.origin},
            isDivisor != isQuotient, spread, factors);
}

std::optional<Fusion> NormMatcher::product(const View &view) const {
  SmallVector<Factor, 8> factors;
  factorsOf(view, /*isDivisor=*/false, nullptr, factors);
  std::optional<Spread> spread;
  for (const Factor &factor : factors)
    if (!spread)
      spread = spreadOf(factor);
  if (!spread)
    return std::nullopt;
  // The normalized dimensions are the last ones.
  for (auto [i, dim] : llvm::enumerate(spread->dims))
    if (dim != views.rank() - int64_t(spread->dims.size()) + int64_t(i))
      return std::nullopt;
  factors.clear();
  factorsOf(view, /*isDivisor=*/false, &*spread, factors);

  Fusion fusion{.kind =
                    spread->x ? Fusion::Kind::LayerNorm : Fusion::Kind::RmsNorm,
                .x = nullptr,
                .dims = spread->dims,
                .epsilon = spread->epsilon};
  bool hasRoot = false;
  for (const Factor &factor : factors) {
    const View &it = factor.view;
    if (!factor.isDivisor && exact.isNumber(it, 1))
      continue;
    if (!factor.isDivisor && !fusion.x && isData(factor.given, *spread)) {
      fusion.x = spread->x ? centered(it, spread->dims) : factor.given.value;
    } else if (std::optional<Spread> other = spreadOf(factor);
               other && !hasRoot) {
      hasRoot = other->data == spread->data && other->dims == spread->dims &&
                other->epsilon == spread->epsilon;
      if (!hasRoot)
        return std::nullopt;
    } else if (!factor.isDivisor && !fusion.gamma.value &&
               exact.variesOnlyAlong(it, spread->dims)) {
      fusion.gamma = {it.value, it.origin};
    } else {
      return std::nullopt;
    }
  }
  if (!hasRoot || !fusion.x || !views.isWhole(fusion.x))
    return std::nullopt;
  if (spread->x && !exact.same(exact.whole(fusion.x), exact.whole(spread->x)))
    return std::nullopt;
  fusion.x = views.inType(fusion.x);
  return fusion.x ? std::optional(fusion) : std::nullopt;
}

std::optional<Fusion> NormMatcher::match(Value result) const {
  View view = views.strip(views.whole(result));
  if (!view.as<sh::AddOp>())
    return product(view);
  for (unsigned i : {0, 1}) {
    std::optional<Fusion> fusion = product(views.operand(view, i));
    View beta = exact.operand(view, 1 - i);
    if (!fusion || fusion->kind != Fusion::Kind::LayerNorm ||
        !exact.variesOnlyAlong(beta, fusion->dims))
      continue;
    fusion->beta = {beta.value, beta.origin};
    return fusion;
  }
  return std::nullopt;
}

std::optional<Fusion> ascend::matchNorm(Operation *root) {
  if (!isa<sh::AddOp, sh::MulOp, sh::DivOp, sh::ConvertOp>(root))
    return std::nullopt;
  return NormMatcher(root->getResult(0)).match(root->getResult(0));
}
