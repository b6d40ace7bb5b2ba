// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The arithmetic of dots and convolutions: `sum + a * b` on numbers.
///
///   FailureOr<MultiplyAdd> step = MultiplyAdd::make(l, lhs, rhs, result);
///   ... a structured operation whose initial values have step->sumType() and
///   ... whose body yields step->emit(b, a, b, sum)
///   return step->toResult(l.b, sums);
///
/// Floats narrower than f32 are summed in f32. With an algorithm the operands
/// are split and rounded, and the sum is rounded, as the algorithm defines.

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_RULES_MULTIPLYADD_H
#define MERCATOR_TRANSFORMS_STABLEHLO_RULES_MULTIPLYADD_H

#include "mercator/transforms/stablehlo/lowering/Lowering.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mercator::stablehlo {

class MultiplyAdd {
public:
  /// Takes element types before lowering. Fails after an error if products of
  /// these types have no meaning in that of the result.
  static llvm::FailureOr<MultiplyAdd>
  make(Lowering &l, mlir::Type lhs, mlir::Type rhs, mlir::Type result,
       std::optional<DotAlgorithmAttr> algorithm = {});

  /// The lowered type of a sum.
  [[nodiscard]] mlir::Type sumType() const;
  /// How a named operation of linalg has to extend its operands so that its
  /// body computes the same. Nothing if no named operation does.
  [[nodiscard]] std::optional<mlir::linalg::TypeFn> namedForm() const;

  mlir::Value emit(mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Value y,
                   mlir::Value sum) const;
  /// `sum + x`, for sums of the elements of one operand.
  mlir::Value emitSum(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                      mlir::Value sum) const;

  /// A tensor of sums with the elements of the result.
  mlir::Value toResult(mlir::ImplicitLocOpBuilder &b, mlir::Value sums) const;

private:
  mlir::Value emitByAlgorithm(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                              mlir::Value y, mlir::Value sum) const;
  mlir::Value multiply(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                       mlir::Value y) const;
  mlir::Value add(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                  mlir::Value y) const;

  /// Element types before lowering.
  mlir::Type lhs, rhs, result, accumulator;
  /// Only if the algorithm splits or rounds the operands.
  std::optional<DotAlgorithmAttr> algorithm;
};

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_RULES_MULTIPLYADD_H
