// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A reduction in progress: accumulators that take elements one after another.
///
/// ```cpp (Step &step, mlir::Region &body, llvm::MutableArrayRef<Tensor> out)
/// auto inputs = step.tensors(0, 1), inits = step.tensors(1, 1);
/// Fold fold(step, body, inputs, inits);
/// if (failed(fold.check()))
///   return;
/// fold.start(); // the accumulators are the init values
/// for (int64_t place : {0, 1, 2})
///   if (failed(fold.take(place))) // the inputs' elements there
///     return;
/// fold.store(out, /*place=*/0);
/// ```
///
/// The specification leaves the order of a reduction open. Here it is the
/// simplest one: an init value, then the elements in row-major order.

#ifndef MERCATOR_REFERENCE_STABLEHLO_FOLD_H
#define MERCATOR_REFERENCE_STABLEHLO_FOLD_H

#include "mercator/reference/stablehlo/Reducer.h"

namespace mercator::reference {

class Fold {
public:
  /// Requires: the body takes two scalars for each input and returns one.
  Fold(Step &step, mlir::Region &body, llvm::ArrayRef<Tensor> inputs,
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

  llvm::SmallVector<Tensor> inputs;
  /// The element types of the body.
  llvm::SmallVector<Element> elements;
  llvm::SmallVector<Scalar> initValues;
  /// The accumulators, then one element for each input.
  llvm::SmallVector<Scalar> arguments;
  bool isPromoted = true;
  Reducer body;
};

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_STABLEHLO_FOLD_H
