// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A sum of products in progress, for dots and convolutions.
///
/// ```cpp (const Step &step, const Element &f32, Scalar a, Scalar b)
/// llvm::FailureOr<ProductSum> sum = ProductSum::make(step, f32, f32, f32);
/// if (failed(sum))
///   return;
/// sum->start();
/// sum->add(a, b);
/// Scalar value = f32.round(sum->value());
/// (void)value;
/// ```
///
/// The specification sums in the type of the result, each step rounded, in an
/// unspecified order: here, row-major. Floats narrower than f32 are summed in
/// f32, as in every implementation, because a sum in their own type stops
/// growing after a few hundred steps. With an algorithm the operands are split
/// and rounded, and each step is rounded, as the algorithm defines.

#ifndef MERCATOR_REFERENCE_STABLEHLO_PRODUCTSUM_H
#define MERCATOR_REFERENCE_STABLEHLO_PRODUCTSUM_H

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Evaluator.h"

namespace mercator::reference {

class ProductSum {
public:
  /// For products of elements of `lhs` and `rhs` that become elements of
  /// `result`. Fails if they cannot, or if the algorithm is unknown.
  static llvm::FailureOr<ProductSum>
  make(const Step &step, const Element &lhs, const Element &rhs,
       const Element &result, stablehlo::DotAlgorithmAttr algorithm = {});

  void start() { sum = {}; }
  void add(Scalar a, Scalar b);
  /// The sum, not yet rounded to the result type.
  [[nodiscard]] Scalar value() const;

private:
  /// The splitting and rounding of floats.
  struct Algorithm {
    Element lhs, rhs, accumulator;
    int64_t lhsComponents, rhsComponents, products;
  };
  void addByAlgorithm(double a, double b);
  /// Rounds a float to the type of the sum.
  [[nodiscard]] double round(double value) const {
    return isSingle ? double(float(value)) : value;
  }

  Element lhs, rhs, result;
  std::optional<Algorithm> algorithm;
  /// Whether floats are summed in f32 and not in f64.
  bool isSingle = false;
  Scalar sum;
};

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_STABLEHLO_PRODUCTSUM_H
