// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A sum of products in progress, for dots and convolutions.
///
///   FailureOr<SumOfProducts> sum = SumOfProducts::make(step, algorithm);
///   sum->start();
///   sum->add(a, b);
///   result.set(place, sum->value());
///
/// The specification sums in the type of the result, each step rounded, in an
/// unspecified order: FloatSum.h says in which. With an algorithm the operands are
/// split and rounded, and the sum is rounded, as the algorithm defines.

#ifndef MERCATOR_REFERENCE_CORE_SUMOFPRODUCTS_H
#define MERCATOR_REFERENCE_CORE_SUMOFPRODUCTS_H

#include "mercator/reference/core/Evaluator.h"
#include "mercator/reference/core/FloatSum.h"

namespace mercator::reference {

/// How the operands of a product are split into components, and to which types
/// the components and the sum are rounded.
struct DotAlgorithm {
  mlir::Type lhs, rhs, accumulator;
  int64_t lhsComponents, rhsComponents, products;
};

class SumOfProducts {
public:
  /// For products of elements of `lhs` and `rhs` that become elements of
  /// `result`. Fails if they cannot, or if the algorithm is unknown.
  static llvm::FailureOr<SumOfProducts>
  make(const Step &step, const Element &lhs, const Element &rhs,
       const Element &result,
       const std::optional<DotAlgorithm> &algorithm = {});

  void start() {
    integer = 0;
    re = im = FloatSum(bits, 0);
  }
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

  Element lhs, rhs, result;
  std::optional<Algorithm> algorithm;
  /// One of them is the sum, as the type of the result says.
  int64_t integer = 0;
  FloatSum re, im;
  unsigned bits = 64; ///< of the type of the steps
};

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_SUMOFPRODUCTS_H
