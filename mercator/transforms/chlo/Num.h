// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formulas that create StableHLO operations.
//
// ```cpp (mlir::ImplicitLocOpBuilder &builder, mlir::Value operand)
// Emitter e(builder, operand);
// Num x = e.num(operand);
// Num y = select(x < 0.0, -x, sqrt(x) * 2.0);
// operand.replaceAllUsesWith(y.value);
// ```
//
// A Num is a tensor, and each operator creates an elementwise operation on it.
// Numbers become constants of the same shape, one for each number. For dynamic
// shapes, a constant is broadcast to the shape of the tensor that the emitter
// was constructed with.

#ifndef MERCATOR_TRANSFORMS_CHLO_NUM_H
#define MERCATOR_TRANSFORMS_CHLO_NUM_H

#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseMap.h"

namespace mercator::chlo {

class Emitter;

struct Num {
  mlir::Value value;
  Emitter *emitter;

  [[nodiscard]] mlir::RankedTensorType type() const {
    return mlir::cast<mlir::RankedTensorType>(value.getType());
  }
  [[nodiscard]] mlir::Type element() const { return type().getElementType(); }
};

class Emitter {
public:
  /// Constants get the shape of `like`.
  Emitter(mlir::ImplicitLocOpBuilder &builder, mlir::Value like)
      : builder(builder), like(like) {}
  Emitter(const Emitter &) = delete;
  Emitter &operator=(const Emitter &) = delete;

  [[nodiscard]] Num num(mlir::Value value) { return {value, this}; }
  [[nodiscard]] Num constant(mlir::Type element, double number);
  /// For integers: all bits are given.
  [[nodiscard]] Num constant(mlir::Type element, const llvm::APInt &number);
  /// The largest finite number, the smallest normal one, and so on.
  [[nodiscard]] Num constant(mlir::Type element, const llvm::APFloat &number);

  /// An elementwise operation whose result has this element type.
  template <typename Op>
  Num make(mlir::Type element, llvm::ArrayRef<Num> operands) {
    llvm::SmallVector<mlir::Value, 3> values;
    for (Num operand : operands)
      values.push_back(operand.value);
    return num(Op::create(builder,
                          mlir::TypeRange{operands[0].type().clone(element)},
                          mlir::ValueRange(values))
                   ->getResult(0));
  }

  mlir::ImplicitLocOpBuilder &builder;

private:
  Num splat(mlir::TypedAttr number);

  mlir::Value like, shape;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
};

/// The extents of a tensor, as a tensor<rank x i32>.
mlir::Value shapeOf(mlir::ImplicitLocOpBuilder &builder, mlir::Value tensor);

//===--- Arithmetic -------------------------------------------------------===//

template <typename Op> Num unary(Num x) {
  return x.emitter->make<Op>(x.element(), {x});
}
template <typename Op> Num binary(Num x, Num y) {
  return x.emitter->make<Op>(x.element(), {x, y});
}
inline Num constantLike(Num x, double number) {
  return x.emitter->constant(x.element(), number);
}

#define MERCATOR_UNARY(NAME, OP)                                               \
  inline Num NAME(Num x) { return unary<stablehlo::OP>(x); }
MERCATOR_UNARY(operator-, NegOp)
MERCATOR_UNARY(operator!, NotOp)
MERCATOR_UNARY(cos, CosineOp)
MERCATOR_UNARY(exp, ExpOp)
MERCATOR_UNARY(expm1, Expm1Op)
MERCATOR_UNARY(floor, FloorOp)
MERCATOR_UNARY(log, LogOp)
MERCATOR_UNARY(log1p, Log1pOp)
MERCATOR_UNARY(sign, SignOp)
MERCATOR_UNARY(sin, SineOp)
MERCATOR_UNARY(sqrt, SqrtOp)
MERCATOR_UNARY(tan, TanOp)
#undef MERCATOR_UNARY

#define MERCATOR_BINARY(NAME, OP)                                              \
  inline Num NAME(Num x, Num y) { return binary<stablehlo::OP>(x, y); }        \
  inline Num NAME(Num x, double y) { return NAME(x, constantLike(x, y)); }     \
  inline Num NAME(double x, Num y) { return NAME(constantLike(y, x), y); }
MERCATOR_BINARY(operator+, AddOp)
MERCATOR_BINARY(operator-, SubtractOp)
MERCATOR_BINARY(operator*, MulOp)
MERCATOR_BINARY(operator/, DivOp)
MERCATOR_BINARY(operator&, AndOp)
MERCATOR_BINARY(operator|, OrOp)
MERCATOR_BINARY(max, MaxOp)
MERCATOR_BINARY(min, MinOp)
MERCATOR_BINARY(atan2, Atan2Op)
MERCATOR_BINARY(pow, PowOp)
#undef MERCATOR_BINARY

//===--- Comparison and select --------------------------------------------===//

Num compare(Num x, Num y, stablehlo::ComparisonDirection direction);

#define MERCATOR_COMPARE(NAME, DIRECTION)                                      \
  inline Num NAME(Num x, Num y) {                                              \
    return compare(x, y, stablehlo::ComparisonDirection::DIRECTION);           \
  }                                                                            \
  inline Num NAME(Num x, double y) { return NAME(x, constantLike(x, y)); }
MERCATOR_COMPARE(operator<, LT)
MERCATOR_COMPARE(operator<=, LE)
MERCATOR_COMPARE(operator>, GT)
MERCATOR_COMPARE(operator>=, GE)
MERCATOR_COMPARE(operator==, EQ)
MERCATOR_COMPARE(operator!=, NE)
#undef MERCATOR_COMPARE

Num select(Num predicate, Num onTrue, Num onFalse);
inline Num select(Num predicate, double onTrue, Num onFalse) {
  return select(predicate, constantLike(onFalse, onTrue), onFalse);
}
inline Num select(Num predicate, Num onTrue, double onFalse) {
  return select(predicate, onTrue, constantLike(onTrue, onFalse));
}

//===--- Types and parts --------------------------------------------------===//

Num abs(Num x); ///< also of a complex number
Num real(Num z);
Num imag(Num z);
Num complexOf(Num re, Num im);
Num convert(Num x, mlir::Type element);
/// The bits as integers or floats of the same width.
Num bitcast(Num x, mlir::Type element);
/// The magnitude of `x`, which is >= 0 or NaN, with the sign of `sign`. Minus
/// zero counts as negative.
Num withSignOf(Num x, Num sign);
/// c[0] x^(n-1) + .. + c[n-1].
Num polynomial(Num x, llvm::ArrayRef<double> coefficients);

[[nodiscard]] inline bool isDouble(Num x) { return x.element().isF64(); }

} // namespace mercator::chlo

#endif // MERCATOR_TRANSFORMS_CHLO_NUM_H
