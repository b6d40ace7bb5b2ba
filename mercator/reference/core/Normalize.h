// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The bits of a byte beyond an element of fewer than 8 bits: copies of the sign
/// of a signed integer, else zero. Machine code and files may have others there.

#ifndef MERCATOR_REFERENCE_CORE_NORMALIZE_H
#define MERCATOR_REFERENCE_CORE_NORMALIZE_H

#include "mercator/reference/core/Tensor.h"

namespace mercator::reference {

/// Gives these bits their values. Writes to the storage of the tensor.
void normalize(Tensor &tensor);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_NORMALIZE_H
