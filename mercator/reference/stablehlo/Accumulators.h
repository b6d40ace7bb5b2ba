// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A reduction in progress: accumulators that take elements one after another.
///
///   Accumulators accumulators(step, body, inputs, initValues);
///   if (failed(accumulators.check()))
///     return failure();
///   accumulators.start();                         // the accumulators are init values
///   for (int64_t place : places)
///     if (failed(accumulators.take(place)))       // the inputs' elements there
///       return failure();
///   accumulators.store(results, resultPlace);
///
/// The specification leaves the order of a reduction open. Here it is the
/// simplest one: an init value, then the elements in row-major order. If the
/// body is an addition of floats, they come in blocks (FloatSum.h).

#ifndef MERCATOR_REFERENCE_STABLEHLO_ACCUMULATORS_H
#define MERCATOR_REFERENCE_STABLEHLO_ACCUMULATORS_H

#include "mercator/reference/core/FloatSum.h"
#include "mercator/reference/stablehlo/ScalarRegion.h"

namespace mercator::reference {

class Accumulators {
public:
  /// Requires: the body takes two scalars for each input and returns one.
  Accumulators(Step &step, mlir::Region &body, llvm::ArrayRef<Tensor> inputs,
               llvm::ArrayRef<Tensor> initValues);

  /// Fails if the inputs' element types do not promote to the body's. The error
  /// was reported before.
  [[nodiscard]] llvm::LogicalResult check() const {
    return llvm::success(isPromoted);
  }

  void start();
  /// Whether folding only init values gives the init values, bit for bit.
  llvm::FailureOr<bool> isStartFixed();
  llvm::LogicalResult take(int64_t place);
  /// Takes the init values, as a window does for each element of padding.
  llvm::LogicalResult takeInit();
  void store(llvm::MutableArrayRef<Tensor> results, int64_t place) const;

private:
  llvm::LogicalResult combine();
  /// Result `i` of the elements taken so far.
  [[nodiscard]] Scalar current(size_t i) const;

  llvm::SmallVector<Tensor> inputs;
  /// The element types of the body.
  llvm::SmallVector<Element> elements;
  llvm::SmallVector<Scalar> initValues;
  /// The accumulators, then one element for each input.
  llvm::SmallVector<Scalar> arguments;
  bool isPromoted = true;
  /// If all results are sums of floats: these.
  bool isSum = false;
  llvm::SmallVector<ScalarSum> sums;
  ScalarRegion body;
};

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_STABLEHLO_ACCUMULATORS_H
