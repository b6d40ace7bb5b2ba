// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/chlo/Functions.h"
#include "mercator/transforms/chlo/Passes.h"
#include "mercator/transforms/chlo/Rewrites.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::chlo;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

//===--- Functions --------------------------------------------------------===//

using Function = Num (*)(Num);
using Function2 = Num (*)(Num, Num);

/// Computes narrower numbers in f32 and converts back.
static Num inFloat(Num x, function_ref<Num(Num)> function) {
  auto type = cast<FloatType>(x.element());
  if (type.isF32() || type.isF64())
    return function(x);
  return convert(function(convert(x, x.emitter->builder.getF32Type())), type);
}

static Num square(Num x) {
  if (!isa<ComplexType>(x.element()))
    return x * x;
  // For equal sizes the sum may overflow, but the difference is 0.
  Num re = real(x), im = imag(x);
  Num difference = select(abs(re) == abs(im), 0.0, (re - im) * (re + im));
  return complexOf(difference, 2.0 * (re * im));
}

static Num conj(Num x) {
  return isa<ComplexType>(x.element()) ? complexOf(real(x), -imag(x)) : x;
}

/// The formulas of a function of one operand; null if there is none.
struct Formulas {
  Function ofReal, ofComplex;
};
static Formulas formulasOf(Operation *op) {
  return TypeSwitch<Operation *, Formulas>(op)
      .Case([](AcosOp) { return Formulas{acos, complexAcos}; })
      .Case([](AcoshOp) { return Formulas{acosh, complexAcosh}; })
      .Case([](AsinOp) { return Formulas{asin, complexAsin}; })
      .Case([](AsinhOp) { return Formulas{asinh, complexAsinh}; })
      .Case([](AtanOp) { return Formulas{atan, complexAtan}; })
      .Case([](AtanhOp) { return Formulas{atanh, complexAtanh}; })
      .Case([](CoshOp) { return Formulas{cosh, complexCosh}; })
      .Case([](SinhOp) { return Formulas{sinh, complexSinh}; })
      .Case([](TanOp) { return Formulas{tan, tan}; })
      .Case([](SquareOp) { return Formulas{square, square}; })
      .Case([](ConjOp) { return Formulas{conj, conj}; })
      .Case([](AsinAcosKernelOp) { return Formulas{nullptr, asinAcosKernel}; })
      .Case([](BesselI1eOp) { return Formulas{besselI1e, nullptr}; })
      .Case([](DigammaOp) { return Formulas{digamma, nullptr}; })
      .Case([](ErfOp) { return Formulas{erf, nullptr}; })
      .Case([](ErfcOp) { return Formulas{erfc, nullptr}; })
      .Case([](ErfInvOp) { return Formulas{erfInv, nullptr}; })
      .Case([](LgammaOp) { return Formulas{lgamma, nullptr}; })
      .Case([](IsInfOp) {
        return Formulas{[](Num x) { return abs(x) == kInfinity; }, nullptr};
      })
      .Case([](IsPosInfOp) {
        return Formulas{[](Num x) { return x == kInfinity; }, nullptr};
      })
      .Case([](IsNegInfOp) {
        return Formulas{[](Num x) { return x == -kInfinity; }, nullptr};
      })
      .Default(Formulas{nullptr, nullptr});
}

/// erf or erfc as an operation.
template <typename Op> static Num keptOp(Num x) {
  return {Op::create(x.emitter->builder, x.value.getType(), x.value),
          x.emitter};
}

/// Of f64 its formula: the C library has no vectors.
static Num keptErfc(Num x) {
  return x.element().isF64() ? erfc(x) : keptOp<ErfcOp>(x);
}

static FailureOr<Values> spellFunction(ImplicitLocOpBuilder &b, Operation *op,
                                       Formulas formulas) {
  Emitter e(b, op->getOperand(0));
  Num x = e.num(op->getOperand(0));
  bool isPredicate = isa<IsInfOp, IsPosInfOp, IsNegInfOp>(op);
  auto type = dyn_cast<FloatType>(x.element());
  if (isPredicate && type &&
      !APFloat::semanticsHasInf(type.getFloatSemantics()))
    return Values{e.constant(b.getI1Type(), APInt(1, 0)).value};
  if (isa<ComplexType>(x.element()) && formulas.ofComplex)
    return Values{formulas.ofComplex(x).value};
  if (isa<FloatType>(x.element()) && formulas.ofReal)
    return Values{(isPredicate || isa<SquareOp, ConjOp>(op)
                       ? formulas.ofReal(x)
                       : inFloat(x, formulas.ofReal))
                      .value};
  return op->emitOpError() << "expected element types that StableHLO has, "
                              "got "
                           << x.element();
}

static FailureOr<Values> spellFunction2(ImplicitLocOpBuilder &b, Operation *op,
                                        ValueRange operands,
                                        Function2 function) {
  Emitter e(b, operands[0]);
  Num x = e.num(operands[0]), y = e.num(operands[1]);
  if (!isa<FloatType>(x.element()))
    return op->emitOpError() << "expected floats, got " << x.element();
  // The neighbors depend on the number's own type.
  if (function == nextAfter)
    return Values{nextAfter(x, y).value};
  auto type = cast<FloatType>(x.element());
  if (!type.isF32() && !type.isF64()) {
    Type wide = b.getF32Type();
    return Values{
        convert(function(convert(x, wide), convert(y, wide)), type).value};
  }
  return Values{function(x, y).value};
}

//===--- Broadcasting -----------------------------------------------------===//

template <typename To>
static FailureOr<Values> broadcastTo(ImplicitLocOpBuilder &b, Operation *op,
                                     std::optional<ArrayRef<int64_t>> dims) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Values operands = broadcastOperands(b, op->getOperands(), dims, type);
  return Values{To::create(b, TypeRange{type}, ValueRange(operands))};
}

/// The StableHLO operation for the broadcasting operation `From`.
#define MERCATOR_BROADCASTS(X)                                                 \
  X(BroadcastAddOp, AddOp)                                                     \
  X(BroadcastAndOp, AndOp)                                                     \
  X(BroadcastAtan2Op, Atan2Op)                                                 \
  X(BroadcastComplexOp, ComplexOp)                                             \
  X(BroadcastDivOp, DivOp)                                                     \
  X(BroadcastMaxOp, MaxOp)                                                     \
  X(BroadcastMinOp, MinOp)                                                     \
  X(BroadcastMulOp, MulOp)                                                     \
  X(BroadcastOrOp, OrOp)                                                       \
  X(BroadcastPowOp, PowOp)                                                     \
  X(BroadcastRemOp, RemOp)                                                     \
  X(BroadcastShiftLeftOp, ShiftLeftOp)                                         \
  X(BroadcastShiftRightArithmeticOp, ShiftRightArithmeticOp)                   \
  X(BroadcastShiftRightLogicalOp, ShiftRightLogicalOp)                         \
  X(BroadcastSubOp, SubtractOp)                                                \
  X(BroadcastXorOp, XorOp)

template <typename Op>
static FailureOr<Values> broadcastFunction2(ImplicitLocOpBuilder &b, Op op,
                                            Function2 function) {
  Values operands = broadcastOperands(
      b, op->getOperands(), op.getBroadcastDimensions(), op.getType());
  return spellFunction2(b, op, operands, function);
}

static FailureOr<Values> spellBroadcast(ImplicitLocOpBuilder &b,
                                        BroadcastCompareOp op) {
  Values operands = broadcastOperands(
      b, op->getOperands(), op.getBroadcastDimensions(), op.getType());
  stablehlo::ComparisonTypeAttr order;
  if (std::optional<ComparisonType> type = op.getCompareType())
    order = stablehlo::ComparisonTypeAttr::get(
        b.getContext(), stablehlo::ComparisonType(*type));
  return Values{stablehlo::CompareOp::create(
      b, op.getType(), operands[0], operands[1],
      stablehlo::ComparisonDirection(op.getComparisonDirection()), order)};
}

// A scalar predicate needs no broadcast.
static FailureOr<Values> spellBroadcast(ImplicitLocOpBuilder &b,
                                        BroadcastSelectOp op) {
  return broadcastTo<stablehlo::SelectOp>(b, op, std::nullopt);
}

//===--- Constants --------------------------------------------------------===//

static FailureOr<Values> spellConstantLike(ImplicitLocOpBuilder &b,
                                           ConstantLikeOp op) {
  Emitter e(b, op.getOperand());
  if (auto number = dyn_cast<FloatAttr>(op.getValue()))
    return Values{e.constant(number.getType(), number.getValue()).value};
  if (auto number = dyn_cast<IntegerAttr>(op.getValue()))
    return Values{e.constant(number.getType(), number.getValue()).value};
  return op.emitOpError() << "expected an integer or a float, got "
                          << op.getValue();
}

//===--- The pass ---------------------------------------------------------===//

static FailureOr<Values> spell(ImplicitLocOpBuilder &b, Operation *op,
                               bool keepsErf) {
  if (keepsErf && isa<ErfOp>(op))
    return spellFunction(b, op, {keptOp<ErfOp>, nullptr});
  if (keepsErf && isa<ErfcOp>(op))
    return spellFunction(b, op, {keptErfc, nullptr});
  if (Formulas formulas = formulasOf(op); formulas.ofReal || formulas.ofComplex)
    return spellFunction(b, op, formulas);
  return TypeSwitch<Operation *, FailureOr<Values>>(op)
#define MERCATOR_CASE(FROM, TO)                                                \
  .Case([&](FROM from) {                                                       \
    return broadcastTo<stablehlo::TO>(b, from, from.getBroadcastDimensions()); \
  })
      MERCATOR_BROADCASTS(MERCATOR_CASE)
#undef MERCATOR_CASE
          .Case([&](BroadcastNextAfterOp from) {
            return broadcastFunction2(b, from, nextAfter);
          })
          .Case([&](BroadcastPolygammaOp from) {
            return broadcastFunction2(b, from, polygamma);
          })
          .Case([&](BroadcastZetaOp from) {
            return broadcastFunction2(b, from, zeta);
          })
          .Case<BroadcastCompareOp, BroadcastSelectOp>(
              [&](auto from) { return spellBroadcast(b, from); })
          .Case([&](NextAfterOp from) {
            return spellFunction2(b, from, from->getOperands(), nextAfter);
          })
          .Case([&](PolygammaOp from) {
            return spellFunction2(b, from, from->getOperands(), polygamma);
          })
          .Case([&](ZetaOp from) {
            return spellFunction2(b, from, from->getOperands(), zeta);
          })
          .Case([&](ConstantOp from) -> FailureOr<Values> {
            return Values{stablehlo::ConstantOp::create(b, from.getValue())};
          })
          .Case([&](ConstantLikeOp from) { return spellConstantLike(b, from); })
          .Case([&](MulhiOp from) { return mulhi(b, from); })
          .Case([&](TopKOp from) { return topK(b, from); })
          .Case([&](RaggedDotOp from) { return raggedDot(b, from); })
          .Case([&](ScanOp from) { return scan(b, from); })
          .Default([](Operation *unknown) -> FailureOr<Values> {
            return unknown->emitOpError()
                   << "expected an operation that StableHLO can express";
          });
}

namespace {
struct ChloLegalizeToStablehlo
    : PassWrapper<ChloLegalizeToStablehlo, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ChloLegalizeToStablehlo)
  explicit ChloLegalizeToStablehlo(bool keepsErf) : keepsErf(keepsErf) {}
  StringRef getArgument() const final { return "chlo-legalize-to-stablehlo"; }
  StringRef getDescription() const final {
    return "Expand the operations of chlo to StableHLO";
  }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<stablehlo::StablehloDialect>();
  }
  void runOnOperation() final {
    // Inner operations first: the body of a scan is expanded, then cloned.
    SmallVector<Operation *> found;
    getOperation()->walk<WalkOrder::PostOrder>([&](Operation *op) {
      if (isa_and_nonnull<ChloDialect>(op->getDialect()))
        found.push_back(op);
    });
    for (Operation *op : found) {
      ImplicitLocOpBuilder builder(op->getLoc(), op);
      FailureOr<Values> values = spell(builder, op, keepsErf);
      if (failed(values))
        return signalPassFailure();
      for (auto [old, value] : llvm::zip_equal(op->getResults(), *values)) {
        // The type of a result may know less than the formulas.
        if (value.getType() != old.getType())
          value = stablehlo::ConvertOp::create(builder, old.getType(), value);
        old.replaceAllUsesWith(value);
      }
      op->erase();
    }
  }

private:
  bool keepsErf;
};
} // namespace

std::unique_ptr<Pass> chlo::createChloLegalizeToStablehlo(bool keepsErf) {
  return std::make_unique<ChloLegalizeToStablehlo>(keepsErf);
}

void chlo::registerChloPasses() {
  registerPass([] { return createChloLegalizeToStablehlo(); });
}
