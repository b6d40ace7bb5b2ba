// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Traits for operations of any dialect.
///
///   DebugOnly    the meaning of the program does not depend on the operation

#ifndef MERCATOR_DIALECTS_UTIL_UTILTRAITS_H
#define MERCATOR_DIALECTS_UTIL_UTILTRAITS_H

#include "mlir/IR/OpDefinition.h"

namespace mercator::util {

/// The trait is Util_DebugOnly in TableGen.
template <typename ConcreteOp>
struct DebugOnly : mlir::OpTrait::TraitBase<ConcreteOp, DebugOnly> {};

} // namespace mercator::util

#endif // MERCATOR_DIALECTS_UTIL_UTILTRAITS_H
