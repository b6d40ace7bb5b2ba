// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The families of elementwise operations on numbers. Each gives the result of
/// an operation for given numbers, or null: then the operation is none of the
/// family, or has no meaning for that kind of element. Only Scalar.cpp and the
/// families themselves include this.
///
/// What arith leaves undefined (a division by zero, a shift by the width, a
/// float beyond an integer type) never reaches an operation of arith: an operand
/// is replaced first, and the result after.

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_SCALARS_SCALARFAMILIES_H
#define MERCATOR_TRANSFORMS_STABLEHLO_SCALARS_SCALARFAMILIES_H

#include "mercator/transforms/stablehlo/lowering/Builders.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mercator::stablehlo {

/// One elementwise operation and the numbers that it is applied to.
struct ScalarCall {
  mlir::ImplicitLocOpBuilder &b;
  mlir::Operation *op;
  mlir::ValueRange x;
  /// How numbers are read: as the first operand says; for select and clamp as the
  /// second says.
  Kind kind;
  /// The lowered type of that operand's elements, and of the result's.
  mlir::Type element, result;
};

namespace families {

/// Addition, division, extrema, signs.
mlir::Value arithmetic(const ScalarCall &c);
/// Logic, shifts, counts.
mlir::Value bits(const ScalarCall &c);
/// Comparisons, and choices between operands.
mlir::Value comparison(const ScalarCall &c);
/// From one element type to another, and to fewer digits.
mlir::Value conversion(const ScalarCall &c);
/// Roots, exponentials, logarithms, angles.
mlir::Value transcendental(const ScalarCall &c);

/// Extrema of complex numbers, ordered by the real part, then the imaginary
/// one. A NaN wins.
mlir::Value complexMaximum(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                           mlir::Value y);
mlir::Value complexMinimum(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                           mlir::Value y);
/// Whether `strict` holds for the real parts, or `last` for the imaginary parts
/// of numbers with the same real part.
mlir::Value complexOrder(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                         mlir::Value y, mlir::arith::CmpFPredicate strict,
                         mlir::arith::CmpFPredicate last);
mlir::Value complexCbrt(mlir::ImplicitLocOpBuilder &b, mlir::Value z);
mlir::Value complexLogistic(mlir::ImplicitLocOpBuilder &b, mlir::Value z);
mlir::Value complexSign(mlir::ImplicitLocOpBuilder &b, mlir::Value z);

} // namespace families

//===--- One operation for each kind --------------------------------------===//

/// In place of an operation where a kind has none.
struct None {};

template <typename Op> mlir::Value makeUnary(const ScalarCall &c) {
  if constexpr (std::is_same_v<Op, None>)
    return mlir::Value();
  else
    return Op::create(c.b, c.result, c.x[0]);
}
template <typename Op> mlir::Value makeBinary(const ScalarCall &c) {
  if constexpr (std::is_same_v<Op, None>)
    return mlir::Value();
  else
    return Op::create(c.b, c.x[0], c.x[1]);
}

template <typename Real, typename Complex>
mlir::Value unary(const ScalarCall &c) {
  return c.kind == Kind::Real      ? makeUnary<Real>(c)
         : c.kind == Kind::Complex ? makeUnary<Complex>(c)
                                   : mlir::Value();
}

template <typename Boolean, typename Signed, typename Unsigned, typename Real,
          typename Complex>
mlir::Value binary(const ScalarCall &c) {
  switch (c.kind) {
  case Kind::Boolean:
    return makeBinary<Boolean>(c);
  case Kind::SignedInt:
    return makeBinary<Signed>(c);
  case Kind::UnsignedInt:
    return makeBinary<Unsigned>(c);
  case Kind::Real:
    return makeBinary<Real>(c);
  case Kind::Complex:
    return makeBinary<Complex>(c);
  }
  llvm_unreachable("all kinds are handled");
}

//===--- Pieces -----------------------------------------------------------===//

/// A constant of a float type, rounded: also of a type without a zero or a sign.
mlir::Value realConstant(mlir::ImplicitLocOpBuilder &b, mlir::Type type,
                         double value);
/// The same value as f32 if the type is narrower, else `x`. f8E8M0FNU becomes f64:
/// its smallest number is subnormal in f32.
mlir::Value atLeastF32(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
/// A float as one of another type, rounded once.
mlir::Value toReal(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                   mlir::Type type);
/// A float without its fraction, clamped to the integer type; of a NaN, 0.
mlir::Value toInteger(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                      mlir::Type type, bool isUnsigned);
mlir::Value compareInts(mlir::ImplicitLocOpBuilder &b,
                        mlir::arith::CmpIPredicate predicate, mlir::Value x,
                        mlir::Value y);
mlir::Value compareReals(mlir::ImplicitLocOpBuilder &b,
                         mlir::arith::CmpFPredicate predicate, mlir::Value x,
                         mlir::Value y);
mlir::Value choose(mlir::ImplicitLocOpBuilder &b, mlir::Value condition,
                   mlir::Value onTrue, mlir::Value onFalse);
mlir::Value realPart(mlir::ImplicitLocOpBuilder &b, mlir::Value z);
mlir::Value imaginaryPart(mlir::ImplicitLocOpBuilder &b, mlir::Value z);
/// re + i im
mlir::Value complexOf(mlir::ImplicitLocOpBuilder &b, mlir::Value re,
                      mlir::Value im);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_SCALARS_SCALARFAMILIES_H
