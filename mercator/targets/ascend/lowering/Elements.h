// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Arithmetic on elements of any type that means what StableHLO means by it,
/// in operators of which GE says that they mean it.
///
///   Elements e(builder);
///   Value sum = e.add(x, y);     // i32: Add. ui8: both Cast to i32, Add, the
///                                // low 8 bits, Cast back: what GE's Add of
///                                // uint8 does over 255 it does not say
///   Value low = e.minimum(x, y); // f32: Minimum, and a NaN stays a NaN
///
/// Operands have one element type, and one shape unless one of them is a
/// scalar. Wherever GE is silent and no other operator would do, the comment
/// says what is taken to be so.

#ifndef MERCATOR_TARGETS_ASCEND_LOWERING_ELEMENTS_H
#define MERCATOR_TARGETS_ASCEND_LOWERING_ELEMENTS_H

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/lowering/Build.h"

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

  /// To any type but from complex<f64> to one that is not complex. Integers
  /// keep their low bits. A float loses its fraction; one that an integer type
  /// does not have is nothing that StableHLO defines.
  mlir::Value convert(mlir::Value x, mlir::Type element);

  /// Integers modulo 2^n; of booleans a sum is OR, a product AND.
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value subtract(mlir::Value x, mlir::Value y);
  mlir::Value multiply(mlir::Value x, mlir::Value y);

  /// Not of complex numbers. A NaN in either is a NaN in the result.
  mlir::Value minimum(mlir::Value x, mlir::Value y);
  mlir::Value maximum(mlir::Value x, mlir::Value y);

  /// Bits. Those of a boolean are itself.
  mlir::Value bitAnd(mlir::Value x, mlir::Value y);
  mlir::Value bitOr(mlir::Value x, mlir::Value y);
  mlir::Value bitXor(mlir::Value x, mlir::Value y);
  mlir::Value bitNot(mlir::Value x);
  /// Shifts of integers. As many places as the type has bits, or more, leave 0,
  /// or the sign.
  mlir::Value shiftLeft(mlir::Value x, mlir::Value places);
  mlir::Value shiftRightLogical(mlir::Value x, mlir::Value places);
  mlir::Value shiftRightArithmetic(mlir::Value x, mlir::Value places);

private:
  /// How far to shift, in range; and where that is what was asked for, null
  /// where it is everywhere.
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
  mlir::Value lowBits(mlir::Value wide, mlir::IntegerType to);
  mlir::Value towardsZero(mlir::Value x);
  Places placesOf(mlir::Value x, mlir::Value places);

  mlir::ImplicitLocOpBuilder &b;
};

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_LOWERING_ELEMENTS_H
