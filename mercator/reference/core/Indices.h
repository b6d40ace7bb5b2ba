// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Shapes and indices that a program computes, read from tensors.

#ifndef MERCATOR_REFERENCE_CORE_INDICES_H
#define MERCATOR_REFERENCE_CORE_INDICES_H

#include "mercator/reference/core/Evaluator.h"

namespace mercator::reference {

/// Element `place` of an integer tensor as an index. Unsigned values beyond
/// int64_t become its maximum: no tensor has that many elements.
inline int64_t indexAt(const Tensor &tensor, int64_t place) {
  int64_t value = tensor.at(place).integer;
  bool beyond = tensor.element().kind == ElementKind::UnsignedInt && value < 0;
  return beyond ? INT64_MAX : value;
}

/// All elements of an integer tensor; an error at the step unless there are
/// `count`.
llvm::FailureOr<llvm::SmallVector<int64_t>>
indicesOf(Step &step, const Tensor &tensor, int64_t count);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_INDICES_H
