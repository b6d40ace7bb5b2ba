// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Where the parser saw the operations of a module.
///
/// MLIR's `AsmParserState` keeps a pointer to every operation that it parsed, also
/// to one that a parser of ours replaced and erased, such as `util.func`. Those
/// pointers lead nowhere, or to a later operation.

#ifndef MERCATOR_FRONTENDS_STABLEHLO_DEFINITIONS_H
#define MERCATOR_FRONTENDS_STABLEHLO_DEFINITIONS_H

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mercator::stablehlo {

/// Calls `visit(op, definition)` for each operation below `root` that the text
/// defines.
template <typename Visit>
void visitDefinitions(const mlir::AsmParserState &state, mlir::Operation *root,
                      Visit visit) {
  using Definition = mlir::AsmParserState::OperationDefinition;
  // The last one is of the operation that is there now.
  llvm::DenseMap<mlir::Operation *, const Definition *> last;
  for (const Definition &definition : state.getOpDefs())
    last[definition.op] = &definition;
  root->walk([&](mlir::Operation *op) {
    if (const Definition *definition = last.lookup(op))
      visit(op, *definition);
  });
}

} // namespace mercator::stablehlo

#endif // MERCATOR_FRONTENDS_STABLEHLO_DEFINITIONS_H
