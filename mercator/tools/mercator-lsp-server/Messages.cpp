// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/mercator-lsp-server/Messages.h"

using namespace mercator;
using llvm::StringRef;

std::optional<std::string> lsp::readMessage(std::FILE *in) {
  constexpr size_t kMost = size_t(256) << 20;
  std::optional<size_t> length;
  std::string line;
  for (int c; (c = std::fgetc(in)) != EOF;) {
    if (c != '\n') {
      line += char(c);
      continue;
    }
    StringRef header = StringRef(line).rtrim('\r');
    if (header.empty()) {
      if (!length || *length > kMost)
        return std::nullopt;
      std::string text(*length, 0);
      if (std::fread(text.data(), 1, text.size(), in) != text.size())
        return std::nullopt;
      return text;
    }
    size_t number;
    if (header.consume_front_insensitive("content-length:") &&
        !header.trim().getAsInteger(10, number))
      length = number;
    line.clear();
  }
  return std::nullopt;
}

void lsp::writeMessage(std::FILE *out, StringRef text) {
  std::fprintf(out, "Content-Length: %zu\r\n\r\n", text.size());
  std::fwrite(text.data(), 1, text.size(), out);
  std::fflush(out);
}
