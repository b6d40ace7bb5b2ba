// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Arithmetic on elements of any type with the semantics of StableHLO, in
/// operators for which GE guarantees these semantics.
///
///   Elements e(builder);
///   Value sum = e.add(x, y);     // i32: Add. ui8: both Cast to i32, Add, the
///                                // low 8 bits, Cast back: GE's Add of uint8
///                                // does not define sums over 255
///   Value low = e.minimum(x, y); // f32: Minimum, and a NaN stays a NaN
///
/// Operands have the same element type, and the same shape unless one is a
/// scalar. Where GE defines nothing and no other operator is available, a
/// comment states the assumption.

#ifndef MERCATOR_TARGETS_ASCEND_OPERATORS_ELEMENTS_H
#define MERCATOR_TARGETS_ASCEND_OPERATORS_ELEMENTS_H

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/operators/Build.h"

namespace mercator::ascend {

[[nodiscard]] inline mlir::Type elementOf(mlir::Value value) {
  return typeOf(value).getElementType();
}
/// Whether the registry has the operator for the type.
[[nodiscard]] bool takes(llvm::StringRef op, mlir::Type element);

class Elements {
public:
  explicit Elements(mlir::ImplicitLocOpBuilder &b) : b(b) {}

  template <typename Op> mlir::Value unary(mlir::Value x) {
    return Op::create(b, x.getType(), x);
  }
  template <typename Op> mlir::Value binary(mlir::Value x, mlir::Value y) {
    return Op::create(b, joint(x, y), x, y);
  }

  /// A scalar of the element type of `like`.
  mlir::Value integer(mlir::Value like, int64_t value);
  mlir::Value real(mlir::Value like, double value);

  mlir::Value compare(stablehlo::ComparisonDirection direction, mlir::Value x,
                      mlir::Value y);
  mlir::Value isLess(mlir::Value x, mlir::Value y) {
    return compare(stablehlo::ComparisonDirection::LT, x, y);
  }
  mlir::Value isEqual(mlir::Value x, mlir::Value y) {
    return compare(stablehlo::ComparisonDirection::EQ, x, y);
  }
  mlir::Value logicalNot(mlir::Value x);
  /// Each of the three may be a scalar.
  mlir::Value choose(mlir::Value condition, mlir::Value x, mlir::Value y);

  /// Converts to any type, except from complex<f64> to a type that is not
  /// complex. Integers keep their low bits. A float loses its fraction and is
  /// clamped to the range of the type; NaN gives 0.
  mlir::Value convert(mlir::Value x, mlir::Type element);

  /// Integers modulo 2^n; for booleans a sum is OR, a product AND.
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value subtract(mlir::Value x, mlir::Value y);
  mlir::Value multiply(mlir::Value x, mlir::Value y);

  /// Not for complex numbers. The result is NaN if an operand is.
  mlir::Value minimum(mlir::Value x, mlir::Value y);
  mlir::Value maximum(mlir::Value x, mlir::Value y);

  /// Bitwise operations; a boolean is one bit.
  mlir::Value bitAnd(mlir::Value x, mlir::Value y);
  mlir::Value bitOr(mlir::Value x, mlir::Value y);
  mlir::Value bitXor(mlir::Value x, mlir::Value y);
  mlir::Value bitNot(mlir::Value x);
  /// Shifts of integers. A count of at least the width leaves 0 or the sign.
  mlir::Value shiftLeft(mlir::Value x, mlir::Value places);
  mlir::Value shiftRightLogical(mlir::Value x, mlir::Value places);
  mlir::Value shiftRightArithmetic(mlir::Value x, mlir::Value places);

private:
  /// A shift count clamped to the valid range, and a boolean tensor that is
  /// true where the original count was valid; null if it is valid everywhere.
  struct Places {
    mlir::Value places, isInside;
  };
  mlir::RankedTensorType joint(mlir::Value x, mlir::Value y) const;
  template <typename Op> mlir::Value test(mlir::Value x, mlir::Value y);
  template <typename Op> mlir::Value arithmetic(mlir::Value x, mlir::Value y);
  template <typename Op> mlir::Value extremum(mlir::Value x, mlir::Value y);
  mlir::Value compareBooleans(stablehlo::ComparisonDirection direction,
                              mlir::Value x, mlir::Value y);
  mlir::Value convertInteger(mlir::Value x, mlir::IntegerType to);
  mlir::Value convertFloat(mlir::Value x, mlir::IntegerType to);
  mlir::Value clip(mlir::Value x, double least, double most);
  mlir::Value lowBits(mlir::Value wide, mlir::IntegerType to);
  mlir::Value towardsZero(mlir::Value x);
  Places placesOf(mlir::Value x, mlir::Value places);

  mlir::ImplicitLocOpBuilder &b;
};

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_OPERATORS_ELEMENTS_H
