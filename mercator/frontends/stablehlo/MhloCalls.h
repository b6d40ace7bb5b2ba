// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Operations of mhlo that StableHLO text represents by custom calls:
///
///   stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {}, ..}

#ifndef MERCATOR_FRONTENDS_STABLEHLO_MHLOCALLS_H
#define MERCATOR_FRONTENDS_STABLEHLO_MHLOCALLS_H

#include "mlir/IR/BuiltinOps.h"

namespace mercator::stablehlo {

/// Replaces such calls by the operation of chlo or StableHLO with the same name,
/// and `@mhlo.topk` by `chlo.top_k`. A call that no operation accepts stays.
void spellMhloCalls(mlir::ModuleOp module);

} // namespace mercator::stablehlo

#endif // MERCATOR_FRONTENDS_STABLEHLO_MHLOCALLS_H
