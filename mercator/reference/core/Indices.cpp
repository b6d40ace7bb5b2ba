// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/core/Indices.h"

using namespace mlir;

namespace mercator::reference {

FailureOr<SmallVector<int64_t>> indicesOf(Step &step, const Tensor &tensor,
                                          int64_t count) {
  if (tensor.rank() != 1 || tensor.size() != count) {
    step.error() << "expected " << count << " indices, got " << tensor.type();
    return failure();
  }
  SmallVector<int64_t> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(indexAt(tensor, i));
  return values;
}

} // namespace mercator::reference
