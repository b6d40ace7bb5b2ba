// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The names of values in a text, kept as locations.
///
///   %sum, %count = "f"(%x) : ...   is at   loc("%sum,%count"("t.mlir":1:16))
///
/// MLIR drops these names after parsing. Users refer to an operation by the
/// name in the file.

#ifndef MERCATOR_FRONTENDS_STABLEHLO_NAMES_H
#define MERCATOR_FRONTENDS_STABLEHLO_NAMES_H

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Operation.h"

namespace mercator::stablehlo {

/// Wraps the location of each operation with results, and of each block
/// argument, in a NameLoc with the names of its values, '%' included. `%a:2`
/// counts as one name. The values of one region have different names. Requires:
/// the text that `state` was made from is alive.
void nameValues(const mlir::AsmParserState &state, mlir::Operation *root);

} // namespace mercator::stablehlo

#endif // MERCATOR_FRONTENDS_STABLEHLO_NAMES_H
