// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/stablehlo/Names.h"
#include "mercator/frontends/stablehlo/Definitions.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using mlir::AsmParserState;

static llvm::StringRef textOf(const AsmParserState::SMDefinition &definition) {
  if (!definition.loc.isValid())
    return {};
  const char *begin = definition.loc.Start.getPointer();
  llvm::StringRef text(begin, definition.loc.End.getPointer() - begin);
  return text.starts_with("%") ? text : llvm::StringRef();
}

static mlir::Location named(llvm::StringRef name, mlir::Location location) {
  return mlir::NameLoc::get(mlir::StringAttr::get(location.getContext(), name),
                            location);
}

void stablehlo::nameValues(const AsmParserState &state, mlir::Operation *root) {
  using Definition = AsmParserState::OperationDefinition;
  visitDefinitions(
      state, root, [&](mlir::Operation *op, const Definition &definition) {
        auto texts =
            llvm::map_range(definition.resultGroups,
                            [](const Definition::ResultGroupDefinition &group) {
                              return textOf(group.definition);
                            });
        std::string name = llvm::join(texts, ",");
        if (!name.empty())
          op->setLoc(named(name, op->getLoc()));
      });
  root->walk([&](mlir::Block *block) {
    const AsmParserState::BlockDefinition *definition =
        state.getBlockDef(block);
    if (!definition)
      return;
    for (auto [argument, text] :
         llvm::zip(block->getArguments(), definition->arguments))
      if (llvm::StringRef name = textOf(text); !name.empty())
        argument.setLoc(named(name, argument.getLoc()));
  });
}
