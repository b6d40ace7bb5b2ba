// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/program/Selection.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using llvm::StringRef;

std::optional<Selector> Selector::make(const Selection &selection,
                                       DiagnosticEngine &diagnostics) {
  Selector selector;
  struct {
    StringRef option;
    const std::optional<std::string> &text;
    Pattern &pattern;
  } parts[] = {{"op", selection.operation, selector.operation},
               {"computation", selection.computation, selector.computation},
               {"match", selection.match, selector.match}};
  for (auto &[option, text, pattern] : parts) {
    if (!text)
      continue;
    std::string given = StringRef(*text).ltrim('%').str();
    if (option == "op") // HLO writes dynamic-slice
      llvm::replace(given, '-', '_');
    pattern.text = std::make_shared<const std::string>(std::move(given));
    llvm::Expected<llvm::GlobPattern> read =
        llvm::GlobPattern::create(*pattern.text);
    if (!read) {
      (void)diagnostics.error({}, ("expected a pattern for --" + option +
                                   ", got " + quote(*text) + ": " +
                                   llvm::toString(read.takeError()))
                                      .str());
      diagnostics.help(
          ("`*` stands for any text: --" + option + "='add*'").str());
      return std::nullopt;
    }
    pattern.glob = std::move(*read);
  }
  return selector;
}

bool Selector::hasInstruction(StringRef name, StringRef operationName) const {
  name.consume_front("%");
  return fits(match, name) && (fits(operation, operationName) ||
                               fits(operation, shortName(operationName)));
}
