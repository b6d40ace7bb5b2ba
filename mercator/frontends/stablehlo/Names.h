// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The names that a text gives its values, kept as locations.
///
///   %sum, %count = "f"(%x) : ...   is at   loc("%sum,%count"("t.mlir":1:16))
///
/// MLIR forgets such names when it has read them. Who asks about an operation
/// wants to hear the name that stands in the file.

#ifndef MERCATOR_FRONTENDS_STABLEHLO_NAMES_H
#define MERCATOR_FRONTENDS_STABLEHLO_NAMES_H

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Operation.h"

namespace mercator::stablehlo {

/// Wraps the location of each operation with results, and of each argument of a
/// block, in a NameLoc with the names of its values, '%' included. Names of
/// `%a:2` count once. The values of one region have different names.
/// Requires: the text that `state` was made from lives.
void nameValues(const mlir::AsmParserState &state, mlir::Operation *root);

} // namespace mercator::stablehlo

#endif // MERCATOR_FRONTENDS_STABLEHLO_NAMES_H
