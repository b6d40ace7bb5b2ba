// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// GELU: x * (1 + erf(x / sqrt(2))) / 2, or with tanh in place of erf
//
//   x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) / 2
//
// Products and sums have many orders. So both the result and the argument of erf
// or tanh are multiplied out, and their coefficients are compared:
//
//   0.5 * x * (1 + t)  =  0.5 x + 0.5 x t
//
// erfc(u) is 1 + erf(-u), and the logistic function of u is
// (1 + tanh(u / 2)) / 2.

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/targets/ascend/prepare/Erfc.h"
#include "mercator/targets/ascend/prepare/FuseOperators.h"
#include "mercator/targets/ascend/prepare/Views.h"

#include <array>
#include <cmath>
#include <numbers>

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

namespace sh = mercator::stablehlo;

//===--- Polynomials ------------------------------------------------------===//

namespace {
/// The sum of coefficients[i][j] x^i t^j for i <= 3 and j <= 1.
struct Polynomial {
  std::array<std::array<double, 2>, 4> coefficients = {};
  /// The relative error of a coefficient, from constants that were rounded.
  double error = 0;

  static Polynomial constant(double value) {
    Polynomial out;
    out.coefficients[0][0] = value;
    return out;
  }
  static Polynomial x() {
    Polynomial out;
    out.coefficients[1][0] = 1;
    return out;
  }
  static Polynomial t() {
    Polynomial out;
    out.coefficients[0][1] = 1;
    return out;
  }
  [[nodiscard]] bool isConstant() const {
    Polynomial other = constant(coefficients[0][0]);
    return coefficients == other.coefficients;
  }

  [[nodiscard]] Polynomial plus(const Polynomial &other, double sign) const {
    Polynomial out = *this;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 2; ++j)
        out.coefficients[i][j] += sign * other.coefficients[i][j];
    out.error = std::max(error, other.error);
    return out;
  }
  /// Nothing if the degree is too high.
  [[nodiscard]] std::optional<Polynomial> times(const Polynomial &other) const {
    Polynomial out;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 2; ++j)
        for (int k = 0; k < 4; ++k)
          for (int l = 0; l < 2; ++l) {
            double product = coefficients[i][j] * other.coefficients[k][l];
            if (product == 0)
              continue;
            if (i + k > 3 || j + l > 1)
              return std::nullopt;
            out.coefficients[i + k][j + l] += product;
          }
    out.error = error + other.error;
    return out;
  }
  /// Whether the coefficients are those of another, up to rounding.
  [[nodiscard]] bool is(const Polynomial &other) const {
    // The bound for coefficients that are known exactly, and for sums in doubles.
    constexpr double kExact = 0x1p-22;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 2; ++j) {
        double wanted = other.coefficients[i][j];
        if (std::fabs(coefficients[i][j] - wanted) >
            std::fabs(wanted) * (error + kExact))
          return false;
      }
    return true;
  }
};

/// A function in the result: t, and the argument of erf or tanh.
struct Inner {
  View argument;
  bool isTanh = false;
  /// The factor of the argument.
  double scale = 1;
};

/// Multiplies a computation out. x is known, t is found.
class Expansion {
public:
  Expansion(const Views &views, View x) : views(views), x(std::move(x)) {}

  /// Nothing for a computation that is no polynomial. `findsInner` allows t.
  std::optional<Polynomial> of(const View &view, bool findsInner,
                               int depth = 12);

  std::optional<Inner> inner;

private:
  std::optional<Polynomial> functionOf(const View &view);
  std::optional<Polynomial> arithmetic(const View &view, bool findsInner,
                                       int depth);
  std::optional<Polynomial> take(View argument, bool isTanh, double scale);

  const Views &views;
  View x;
};
} // namespace

/// t of this argument. There is one t only.
std::optional<Polynomial> Expansion::take(View argument, bool isTanh,
                                          double scale) {
  if (inner && (inner->isTanh != isTanh || inner->scale != scale ||
                !views.same(inner->argument, argument)))
    return std::nullopt;
  inner = Inner{std::move(argument), isTanh, scale};
  return Polynomial::t();
}

std::optional<Polynomial> Expansion::functionOf(const View &view) {
  Operation *op = view.op();
  auto half = [](std::optional<Polynomial> t, double factor) {
    if (t)
      t = t->plus(Polynomial::constant(1), 1)
              .times(Polynomial::constant(factor));
    return t;
  };
  if (isa<chlo::ErfOp>(op))
    return take(views.operand(view, 0), false, 1);
  if (isa<chlo::ErfcOp>(op))
    return half(take(views.operand(view, 0), false, -1), 1);
  if (std::optional<View> argument = erfcArgument(views, view))
    return half(take(*argument, false, -1), 1);
  if (isa<sh::TanhOp>(op))
    return take(views.operand(view, 0), true, 1);
  if (isa<sh::LogisticOp>(op))
    return half(take(views.operand(view, 0), true, 0.5), 0.5);
  return std::nullopt;
}

std::optional<Polynomial> Expansion::arithmetic(const View &view,
                                                bool findsInner, int depth) {
  Operation *op = view.op();
  auto operand = [&](unsigned i) {
    return of({op->getOperand(i), view.origin}, findsInner, depth - 1);
  };
  if (isa<sh::NegOp>(op)) {
    std::optional<Polynomial> a = operand(0);
    return a ? a->times(Polynomial::constant(-1)) : std::nullopt;
  }
  if (isa<chlo::SquareOp>(op)) {
    std::optional<Polynomial> a = operand(0);
    return a ? a->times(*a) : std::nullopt;
  }
  if (!isa<sh::AddOp, sh::SubtractOp, sh::MulOp, sh::DivOp, sh::PowOp>(op))
    return std::nullopt;
  std::optional<Polynomial> a = operand(0), b = operand(1);
  if (!a || !b)
    return std::nullopt;
  if (isa<sh::AddOp, sh::SubtractOp>(op))
    return a->plus(*b, isa<sh::AddOp>(op) ? 1 : -1);
  if (isa<sh::MulOp>(op))
    return a->times(*b);
  double number = b->coefficients[0][0];
  if (!b->isConstant() || number == 0)
    return std::nullopt;
  if (isa<sh::DivOp>(op)) {
    Polynomial inverse = Polynomial::constant(1 / number);
    inverse.error = b->error;
    return a->times(inverse);
  }
  if (number != 2 && number != 3)
    return std::nullopt;
  std::optional<Polynomial> power = a->times(*a);
  return power && number == 3 ? power->times(*a) : power;
}

std::optional<Polynomial> Expansion::of(const View &given, bool findsInner,
                                        int depth) {
  View view = views.strip(given);
  if (views.same(view, x))
    return Polynomial::x();
  if (std::optional<Known> known = knownNumber(view.value)) {
    Polynomial out = Polynomial::constant(known->value);
    // Half a unit in the last place.
    out.error = std::ldexp(1.0, -int(known->precision));
    return out;
  }
  if (!view.op() || depth == 0)
    return std::nullopt;
  if (findsInner)
    if (std::optional<Polynomial> t = functionOf(view))
      return t;
  std::optional<Polynomial> out = arithmetic(view, findsInner, depth);
  // Beyond x, an intermediate result overflows earlier than the operator.
  if (out && findsInner &&
      std::fabs(out->coefficients[1][0]) + std::fabs(out->coefficients[1][1]) >
          1 + out->error)
    return std::nullopt;
  return out;
}

//===--- The pattern ------------------------------------------------------===//

/// The operands from which x may come: those of the arithmetic that leads to a
/// function of t, and of the argument of t.
static void candidates(const Views &views, const View &given, int depth,
                       SmallVectorImpl<View> &out) {
  constexpr size_t kMost = 24;
  View view = views.strip(given);
  if (out.size() >= kMost || knownNumber(view.value) ||
      llvm::is_contained(out, given))
    return;
  out.push_back(given);
  if (depth > 0 && view.op() &&
      isa<sh::MulOp, sh::DivOp, sh::AddOp, sh::NegOp, sh::SubtractOp>(
          view.op()))
    for (Value operand : view.op()->getOperands())
      candidates(views, {operand, view.origin}, depth - 1, out);
}

static std::optional<Fusion> matchGeluOf(const Views &views, const View &result,
                                         const View &x) {
  Expansion outer(views, x);
  std::optional<Polynomial> y = outer.of(result, /*findsInner=*/true);
  Polynomial wanted;
  wanted.coefficients[1] = {0.5, 0.5};
  if (!y || !outer.inner || !y->is(wanted))
    return std::nullopt;
  Expansion argument(views, x);
  std::optional<Polynomial> inner =
      argument.of(outer.inner->argument, /*findsInner=*/false);
  if (!inner)
    return std::nullopt;
  Polynomial expected;
  double scale = outer.inner->scale,
         first = outer.inner->isTanh ? std::sqrt(2 / std::numbers::pi)
                                     : std::sqrt(0.5);
  expected.coefficients[1][0] = first / scale;
  if (outer.inner->isTanh)
    expected.coefficients[3][0] = 0.044715 * first / scale;
  Value operand = views.inType(x.value);
  if (!inner->is(expected) || !operand)
    return std::nullopt;
  return Fusion{
      .kind = Fusion::Kind::Gelu, .x = operand, .isTanh = outer.inner->isTanh};
}

/// Whether a function of t is near: the first test, which nearly all
/// computations fail.
static bool hasInner(const Views &views, const View &given, int depth) {
  View view = views.strip(given);
  Operation *op = view.op();
  if (!op || depth == 0)
    return false;
  if (isa<chlo::ErfOp, chlo::ErfcOp, sh::TanhOp, sh::LogisticOp>(op) ||
      erfcArgument(views, view))
    return true;
  return isa<sh::MulOp, sh::DivOp, sh::AddOp, sh::SubtractOp>(op) &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return hasInner(views, {operand, view.origin}, depth - 1);
         });
}

std::optional<Fusion> ascend::matchGelu(Operation *root) {
  if (!isa<sh::MulOp, sh::DivOp, sh::AddOp, sh::ConvertOp>(root))
    return std::nullopt;
  Value value = root->getResult(0);
  Views views(value);
  View result = views.strip(views.whole(value));
  if (!hasInner(views, result, 5))
    return std::nullopt;
  SmallVector<View, 24> from;
  candidates(views, result, 4, from);
  for (const View &x : from) {
    if (!views.isWhole(x.value) || x.origin != views.whole(x.value).origin)
      continue;
    std::optional<Fusion> fusion = matchGeluOf(views, result, x);
    if (fusion)
      return fusion;
  }
  return std::nullopt;
}
