// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A region on scalars as a list of steps: the body of a reduction, a scatter,
/// a sort or a map. The body is evaluated for each element, so a tensor for
/// each value would be too slow.
///
///   Reducer body(region, evaluator);      // once for each operation
///   if (failed(body({a, b}, {&c, 1}))) .. // once for each element
///
/// A region with other than elementwise operations on tensors of rank 0 is
/// evaluated by the Evaluator, with the same results.

#ifndef MERCATOR_REFERENCE_STABLEHLO_REDUCER_H
#define MERCATOR_REFERENCE_STABLEHLO_REDUCER_H

#include "mercator/reference/core/ElementFunction.h"
#include "mercator/reference/core/Evaluator.h"

namespace mercator::reference {

class Reducer {
public:
  /// Requires: arguments and results of the region are tensors of rank 0.
  /// Values from outside have been evaluated.
  Reducer(mlir::Region &region, Evaluator &evaluator);

  /// Applies the region. Requires: one scalar for each argument, rounded to its
  /// type; room for one for each operand of the terminator.
  llvm::LogicalResult operator()(llvm::ArrayRef<Scalar> arguments,
                                 llvm::MutableArrayRef<Scalar> results);

  /// Whether the region became a list of steps.
  [[nodiscard]] bool isCompiled() const { return compiled; }

private:
  struct ScalarStep {
    ElementFunction function;
    llvm::SmallVector<unsigned, 3> operands;
    unsigned result;
  };
  bool compile();
  llvm::LogicalResult interpret(llvm::ArrayRef<Scalar> arguments,
                                llvm::MutableArrayRef<Scalar> results);

  mlir::Region &region;
  Evaluator &evaluator;
  std::vector<ScalarStep> steps;
  /// Arguments first, then constants and values from outside, then results.
  std::vector<Scalar> slots;
  llvm::SmallVector<unsigned> returned;
  /// The last member, because compile() fills the lists.
  bool compiled;
};

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_STABLEHLO_REDUCER_H
