// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Any text gives a list of maps or a diagnostic, and the printed maps parse.

#include "mercator/indexing/notation/Notation.h"

#include <cstdlib>

using namespace mercator;
using namespace mercator::indexing;

static void check(bool holds, const char *law, const std::string &text) {
  if (holds)
    return;
  llvm::errs() << law << ":\n" << text << '\n';
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  Arena arena;
  ParseError error;
  auto maps = parseMaps(arena, text, error);
  if (!maps) {
    check(!error.message.empty() && error.begin <= error.end &&
              error.end <= size && error.noteEnd <= size,
          "an error has a message and a place", error.message);
    std::string out;
    llvm::raw_string_ostream os(out);
    SourceBuffer buffer("map", text.str());
    DiagnosticEngine diagnostics(os);
    report(error, buffer, diagnostics);
    return 0;
  }
  for (const Map &map : *maps)
    for (const std::string &printed : {toString(map), toLines(map)}) {
      if (llvm::StringRef(printed).contains("..."))
        continue;
      auto again = parseMap(arena, printed, error);
      check(again.has_value(), "what is printed can be read", printed);
      check(again->numResults() == map.numResults() &&
                again->domain.numVars() == map.domain.numVars() &&
                again->isKnownEmpty() == map.isKnownEmpty(),
            "what is printed is the same map", printed);
    }
  return 0;
}
