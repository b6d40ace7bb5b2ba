// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Any bytes give the text of a module or a diagnostic, and the text gives modules
/// or a diagnostic.

#include "mercator/frontends/hlo/Parser.h"
#include "mercator/frontends/hlo/Proto.h"

#include <cstdlib>

using namespace mercator;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes(reinterpret_cast<const char *>(data), size), said;
  if (!hlo::looksLikeProto(bytes))
    return 0;
  llvm::raw_string_ostream os(said);
  DiagnosticEngine diagnostics(os);
  SourceBuffer source("t", bytes);
  std::optional<std::string> text = hlo::readProto(source, diagnostics);
  if (!text != diagnostics.hasErrors()) {
    llvm::errs() << "bytes are a text exactly if there was no error\n" << said;
    std::abort();
  }
  if (!text)
    return 0;
  SourceBuffer decoded("t", *text);
  if (hlo::parseAll(decoded, diagnostics).empty() != diagnostics.hasErrors()) {
    llvm::errs() << "a text is modules exactly if there was no error\n" << said;
    std::abort();
  }
  return 0;
}
