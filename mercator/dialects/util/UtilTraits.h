// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What operations of any dialect may declare of themselves.
///
///   DebugOnly    the program means the same without the operation

#ifndef MERCATOR_DIALECTS_UTIL_UTILTRAITS_H
#define MERCATOR_DIALECTS_UTIL_UTILTRAITS_H

#include "mlir/IR/OpDefinition.h"

namespace mercator::util {

/// Util_DebugOnly in TableGen.
template <typename ConcreteOp>
struct DebugOnly : mlir::OpTrait::TraitBase<ConcreteOp, DebugOnly> {};

} // namespace mercator::util

#endif // MERCATOR_DIALECTS_UTIL_UTILTRAITS_H
