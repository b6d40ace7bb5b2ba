// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Any text gives a verified module or a diagnostic, and modules round-trip.

#include "mercator/dialects/Register.h"
#include "mercator/frontends/stablehlo/BoolElements.h"
#include "mercator/frontends/stablehlo/Parse.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cstdlib>

using namespace mercator;

static void check(bool holds, const char *law, const std::string &text) {
  if (holds)
    return;
  llvm::errs() << law << ":\n" << text << '\n';
  std::abort();
}

/// The printed module, if the text is valid; `said` gets the diagnostics.
static std::optional<std::string> read(const std::string &text,
                                       std::string &said) {
  llvm::raw_string_ostream os(said);
  SourceBuffer source("t.mlir", text);
  DiagnosticEngine diagnostics(os);
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = stablehlo::parseStablehlo(source, context, diagnostics);
  check(!module == diagnostics.hasErrors(),
        "a text is a module exactly if there was no error", text);
  if (!module)
    return std::nullopt;
  std::string printed;
  llvm::raw_string_ostream into(printed);
  stablehlo::print(*module, into);
  return printed;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size), said;
  std::optional<std::string> printed = read(text, said);
  if (!printed)
    return 0;
  std::string complaint;
  std::optional<std::string> again = read(*printed, complaint);
  check(again.has_value(), "what is printed can be read", *printed + complaint);
  check(*again == *printed, "what is printed is the same module", *printed);
  return 0;
}
