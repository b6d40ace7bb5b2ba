// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The passes of this folder. Passes.td gives their names and options. Each has
/// a `createX()` and, if it has options, one that takes `XOptions`.

#ifndef MERCATOR_TARGETS_ASCEND_PASSES_H
#define MERCATOR_TARGETS_ASCEND_PASSES_H

#include "mercator/dialects/ascend/Ascend.h"

#include "mlir/Pass/Pass.h"

namespace mercator::ascend {

#define GEN_PASS_DECL
#include "mercator/targets/ascend/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "mercator/targets/ascend/Passes.h.inc"

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_PASSES_H
