// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// HLO text in tests: imported and printed.

#ifndef MERCATOR_TESTS_FRONTENDS_HLO_IMPORT_IMPORTTEXT_H
#define MERCATOR_TESTS_FRONTENDS_HLO_IMPORT_IMPORTTEXT_H

#include "mercator/frontends/hlo/Import.h"
#include "mercator/frontends/hlo/Parser.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

namespace mercator::hlo {

struct ImportedText {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module; // null after an error
  std::string said;                         // diagnostics, as printed

  [[nodiscard]] std::string print(bool locations = false) const {
    std::string text;
    llvm::raw_string_ostream os(text);
    mlir::OpPrintingFlags flags;
    if (locations)
      flags.enableDebugInfo(true, /*prettyForm=*/true).useLocalScope();
    if (module)
      module.get()->print(os, flags);
    return text;
  }
};

inline ImportedText importText(llvm::StringRef text) {
  ImportedText result;
  result.context = std::make_unique<mlir::MLIRContext>(
      mlir::MLIRContext::Threading::DISABLED);
  llvm::raw_string_ostream os(result.said);
  SourceBuffer source("t.hlo", text.str());
  DiagnosticEngine diagnostics(os);
  std::unique_ptr<Module> module = parse(source, diagnostics);
  if (!module)
    return result;
  result.module = importHlo(*module, source, *result.context, diagnostics);
  EXPECT_EQ(bool(result.module), !diagnostics.hasErrors());
  return result;
}

/// Whether the lines occur in this order; says which one does not.
inline testing::AssertionResult
inOrder(const std::string &text, std::initializer_list<llvm::StringRef> lines) {
  size_t at = 0;
  for (llvm::StringRef line : lines) {
    size_t found = text.find(line.str(), at);
    if (found == std::string::npos)
      return testing::AssertionFailure()
             << "expected after byte " << at << ": " << line.str() << "\nin:\n"
             << text;
    at = found + line.size();
  }
  return testing::AssertionSuccess();
}

/// Imports and expects these pieces, in this order, in the printed result.
inline void expectImport(llvm::StringRef text,
                         std::initializer_list<llvm::StringRef> lines,
                         bool locations = false) {
  ImportedText result = importText(text);
  EXPECT_EQ(result.said, "");
  ASSERT_TRUE(result.module) << text.str();
  EXPECT_TRUE(inOrder(result.print(locations), lines));
}

/// Expects exactly this diagnostic, without its source lines.
inline void expectRefusal(llvm::StringRef text, llvm::StringRef message) {
  ImportedText result = importText(text);
  EXPECT_FALSE(result.module);
  EXPECT_EQ(llvm::StringRef(result.said).split('\n').first.str(),
            message.str());
}

} // namespace mercator::hlo

#endif // MERCATOR_TESTS_FRONTENDS_HLO_IMPORT_IMPORTTEXT_H
