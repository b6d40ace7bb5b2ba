// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// HLO text in tests: parsed, with its diagnostics.

#ifndef MERCATOR_TESTS_FRONTENDS_HLO_HLOTEXT_H
#define MERCATOR_TESTS_FRONTENDS_HLO_HLOTEXT_H

#include "mercator/frontends/hlo/Parser.h"
#include "mercator/frontends/hlo/Printer.h"
#include "tests/Folders.h"

#include <memory>
#include <string>

namespace mercator::hlo {

struct Parsed {
  std::unique_ptr<Module> module; // null after an error
  std::string said;               // diagnostics, as printed
  unsigned errors = 0;
};

inline Parsed parseText(llvm::StringRef text) {
  Parsed parsed;
  llvm::raw_string_ostream os(parsed.said);
  SourceBuffer buffer("t.hlo", text.str());
  DiagnosticEngine diagnostics(os);
  parsed.module = parse(buffer, diagnostics);
  parsed.errors = diagnostics.getErrorCount();
  return parsed;
}

} // namespace mercator::hlo

#endif // MERCATOR_TESTS_FRONTENDS_HLO_HLOTEXT_H
