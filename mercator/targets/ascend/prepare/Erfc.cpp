// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/prepare/Erfc.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

namespace sh = mercator::stablehlo;

// From the highest power down.
static constexpr double kNear[] = {7.853861353153693E-5, -8.010193625184903E-4,
                                   5.188327685732524E-3, -2.685381193529856E-2,
                                   1.128358514861418E-1, -3.761262582423300E-1,
                                   1.128379165726710E+0};
static constexpr double kMiddle[] = {
    2.326819970068386E-2,  -1.387039388740657E-1, 3.687424674597105E-1,
    -5.824733027278666E-1, 6.210004621745983E-1,  -4.944515323274145E-1,
    3.404879937665872E-1,  -2.741127028184656E-1, 5.638259427386472E-1};
static constexpr double kFar[] = {-1.047766399936249E+1, 1.297719955372516E+1,
                                  -7.495518717768503E+0, 2.921019019210786E+0,
                                  -1.015265279202700E+0, 4.218463358204948E-1,
                                  -2.820767439740514E-1, 5.641895067754075E-1};

namespace {
class ErfcMatcher {
public:
  ErfcMatcher(const Views &views, View u) : views(views), u(std::move(u)) {}

  [[nodiscard]] bool matches(const View &view) const {
    std::optional<Choice> choice = isLess(view);
    return choice && isAbs(choice->left) && views.isNumber(choice->right, 1) &&
           isNear(choice->yes) && isBeyondOne(choice->no);
  }

private:
  /// left < right ? yes : no
  struct Choice {
    View left, right, yes, no;
  };
  std::optional<Choice> isLess(const View &view) const {
    if (!view.as<sh::SelectOp>())
      return std::nullopt;
    View condition = views.operand(view, 0);
    auto compare = condition.as<sh::CompareOp>();
    if (!compare ||
        compare.getComparisonDirection() != sh::ComparisonDirection::LT)
      return std::nullopt;
    return Choice{views.operand(condition, 0), views.operand(condition, 1),
                  views.operand(view, 1), views.operand(view, 2)};
  }
  bool isAbs(const View &view) const {
    return view.as<sh::AbsOp>() && views.same(views.operand(view, 0), u);
  }
  bool isSquare(const View &view) const {
    std::optional<View> root = views.square(view);
    return root && views.same(*root, u);
  }
  bool isMinusSquare(const View &view) const {
    return view.as<sh::NegOp>() && isSquare(views.operand(view, 0));
  }
  template <typename Is> bool isInverse(const View &view, Is is) const {
    return view.as<sh::DivOp>() && views.isNumber(views.operand(view, 0), 1) &&
           is(views.operand(view, 1));
  }
  /// Whether a view is `Op` of two views that satisfy the predicates, in either
  /// order.
  template <typename Op, typename One, typename Other>
  bool isEither(const View &view, One one, Other other) const {
    return view.as<Op>() &&
           ((one(views.operand(view, 0)) && other(views.operand(view, 1))) ||
            (one(views.operand(view, 1)) && other(views.operand(view, 0))));
  }
  /// (..(c0 * x + c1) * x + ..) + cn
  template <typename Is>
  bool isPolynomial(const View &view, ArrayRef<double> coefficients,
                    Is isX) const {
    auto isLast = [&](const View &it) {
      return views.isNumber(it, coefficients.back());
    };
    if (coefficients.size() == 1)
      return isLast(view);
    return isEither<sh::AddOp>(view, isLast, [&](const View &rest) {
      return isEither<sh::MulOp>(rest, isX, [&](const View &it) {
        return isPolynomial(it, coefficients.drop_back(), isX);
      });
    });
  }
  /// 1 - u * E(u^2)
  bool isNear(const View &view) const {
    return view.as<sh::SubtractOp>() &&
           views.isNumber(views.operand(view, 0), 1) &&
           isEither<sh::MulOp>(
               views.operand(view, 1),
               [&](const View &it) { return views.same(it, u); },
               [&](const View &it) {
                 return isPolynomial(
                     it, kNear, [&](const View &x) { return isSquare(x); });
               });
  }
  /// u < 0 ? 2 - tail : tail
  bool isBeyondOne(const View &view) const {
    std::optional<Choice> choice = isLess(view);
    return choice && views.same(choice->left, u) &&
           views.isNumber(choice->right, 0) &&
           choice->yes.as<sh::SubtractOp>() &&
           views.isNumber(views.operand(choice->yes, 0), 2) &&
           views.operand(choice->yes, 1) == choice->no && isTail(choice->no);
  }
  bool isTail(const View &view) const {
    std::optional<Choice> choice = isLess(view);
    constexpr double kLeast = -88.7228394; // exp of less is 0
    return choice && isMinusSquare(choice->left) &&
           views.isNumber(choice->right, double(float(kLeast))) &&
           views.isNumber(choice->yes, 0) &&
           isEither<sh::MulOp>(
               choice->no, [&](const View &it) { return isWeight(it); },
               [&](const View &it) { return isSeries(it); });
  }
  /// exp(-u^2) * (1 / |u|)
  bool isWeight(const View &view) const {
    return isEither<sh::MulOp>(
        view,
        [&](const View &it) {
          return it.as<sh::ExpOp>() && isMinusSquare(views.operand(it, 0));
        },
        [&](const View &it) {
          return isInverse(it, [&](const View &x) { return isAbs(x); });
        });
  }
  bool isSeries(const View &view) const {
    std::optional<Choice> choice = isLess(view);
    auto isX = [&](const View &it) {
      return isInverse(it, [&](const View &x) { return isSquare(x); });
    };
    return choice && isAbs(choice->left) && views.isNumber(choice->right, 2) &&
           isPolynomial(choice->yes, kMiddle, isX) &&
           isPolynomial(choice->no, kFar, isX);
  }

  const Views &views;
  View u;
};
} // namespace

std::optional<View> ascend::erfcArgument(const Views &views, const View &view) {
  if (!view.as<sh::SelectOp>())
    return std::nullopt;
  View condition = views.operand(view, 0);
  if (!condition.as<sh::CompareOp>())
    return std::nullopt;
  View abs = views.operand(condition, 0);
  if (!abs.as<sh::AbsOp>())
    return std::nullopt;
  View u = views.operand(abs, 0);
  if (!ErfcMatcher(views, u).matches(view))
    return std::nullopt;
  return u;
}
