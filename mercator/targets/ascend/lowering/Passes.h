// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The passes of this folder. Passes.td says what each is called and takes;
/// each has a `createX()` and, where it takes options, one that takes
/// `XOptions`.

#ifndef MERCATOR_TRANSFORMS_ASCEND_PASSES_H
#define MERCATOR_TRANSFORMS_ASCEND_PASSES_H

#include "mercator/dialects/ascend/Ascend.h"

#include "mlir/Pass/Pass.h"

namespace mercator::ascend {

#define GEN_PASS_DECL
#include "mercator/transforms/ascend/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "mercator/transforms/ascend/Passes.h.inc"

} // namespace mercator::ascend

#endif // MERCATOR_TRANSFORMS_ASCEND_PASSES_H
