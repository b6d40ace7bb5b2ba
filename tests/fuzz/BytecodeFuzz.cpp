// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Any bytes give a text that can be parsed, or a diagnostic.

#include "mercator/dialects/Register.h"
#include "mercator/frontends/stablehlo/Parse.h"
#include "mercator/frontends/vhlo/Read.h"

#include <cstdlib>

using namespace mercator;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes(reinterpret_cast<const char *>(data), size), said;
  if (!vhlo::findBytecode(bytes))
    return 0;
  llvm::raw_string_ostream os(said);
  DiagnosticEngine diagnostics(os);
  SourceBuffer source("t", bytes);
  std::optional<std::string> text = vhlo::readBytecode(source, diagnostics);
  if (!text != diagnostics.hasErrors()) {
    llvm::errs() << "bytes are a text exactly if there was no error\n" << said;
    std::abort();
  }
  if (!text)
    return 0;
  SourceBuffer decoded("t", *text);
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  // A text may be refused, too: an encoded name may be one that a text cannot have.
  (void)stablehlo::parseStablehlo(decoded, context, diagnostics);
  return 0;
}
