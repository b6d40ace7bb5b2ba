// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// exp(x - max(x)) / sum(exp(x - max(x))). A maximum that is raised to the lowest
// finite number changes nothing: it differs only in a row of -inf, where both
// quotients are NaN.

#include "mercator/targets/ascend/prepare/FuseOperators.h"
#include "mercator/targets/ascend/prepare/Views.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

namespace sh = mercator::stablehlo;

/// The quotient of two views; the divisor may also be a factor 1 / divisor.
static std::optional<std::pair<View, View>> quotient(const Views &views,
                                                     const View &view) {
  if (view.as<sh::DivOp>())
    return std::pair(views.operand(view, 0), views.operand(view, 1));
  if (!view.as<sh::MulOp>())
    return std::nullopt;
  for (unsigned i : {0, 1}) {
    View inverse = views.operand(view, i);
    if (inverse.as<sh::DivOp>() && views.isNumber(views.operand(inverse, 0), 1))
      return std::pair(views.operand(view, 1 - i), views.operand(inverse, 1));
  }
  return std::nullopt;
}

/// The maximum of a row, if it is at least the maximum of nothing.
static std::optional<Reduced> greatest(const Views &views, View view) {
  view = views.strip(view);
  if (view.as<sh::MaxOp>())
    for (unsigned i : {0, 1}) {
      auto type = cast<FloatType>(getElementTypeOrSelf(view.value));
      std::optional<double> least = views.number(views.operand(view, i));
      if (least && isLowest(*least, type))
        return greatest(views, views.operand(view, 1 - i));
    }
  return views.reduced(view, Reduction::Greatest);
}

/// Whether a view is the exponential, or its selection by a mask. Where the mask
/// is false, the operand of the exponential has to be -inf.
static bool isExponential(const Views &views, View view,
                          const View &exponential, const View &x) {
  if (views.same(view, exponential))
    return true;
  view = views.strip(view);
  View masked = views.strip(x);
  return view.as<sh::SelectOp>() && masked.as<sh::SelectOp>() &&
         views.same(views.operand(view, 1), exponential) &&
         views.isNumber(views.operand(view, 2), 0) &&
         views.same(views.operand(view, 0), views.operand(masked, 0)) &&
         views.isNumber(views.operand(masked, 2), -INFINITY);
}

std::optional<Fusion> ascend::matchSoftmax(Operation *root) {
  if (!isa<sh::DivOp, sh::MulOp, sh::ConvertOp>(root))
    return std::nullopt;
  Views views(root->getResult(0));
  auto parts = quotient(views, views.strip(views.whole(root->getResult(0))));
  if (!parts || !parts->first.as<sh::ExpOp>())
    return std::nullopt;
  auto &[exponential, divisor] = *parts;
  std::optional<Reduced> sum = views.reduced(divisor, Reduction::Sum);
  View shifted = views.operand(exponential, 0);
  if (!sum || !shifted.as<sh::SubtractOp>())
    return std::nullopt;
  std::optional<Reduced> most = greatest(views, views.operand(shifted, 1));
  if (!most || most->dims != sum->dims)
    return std::nullopt;
  Value x = shifted.op()->getOperand(0);
  // A sum of at most this many elements, each at most 1, is finite in f16.
  constexpr int64_t kMostShort = 1 << 15;
  if (views.element().isF16() && views.count(sum->dims) > kMostShort)
    return std::nullopt;
  if (!views.isWhole(x) || exponential.origin != views.whole(x).origin ||
      !isExponential(views, views.whole(sum->input), exponential,
                     views.whole(x)) ||
      !views.same(views.whole(most->input), views.whole(x)))
    return std::nullopt;
  x = views.inType(x);
  if (!x)
    return std::nullopt;
  return Fusion{
      .kind = Fusion::Kind::Softmax, .x = x, .dims = std::move(sum->dims)};
}
