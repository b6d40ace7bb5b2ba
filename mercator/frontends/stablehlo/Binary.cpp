// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/stablehlo/Binary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace mercator;
using llvm::LogicalResult;
using llvm::StringRef;

static constexpr StringRef kBytecodeMagic = "ML\xEFR";

bool stablehlo::isBinary(StringRef bytes) {
  constexpr size_t kLooked = 4096;
  return llvm::any_of(bytes.take_front(kLooked), [](char c) {
    return (unsigned char)c < 0x20 && !StringRef("\t\n\v\f\r").contains(c);
  });
}

std::optional<StringRef> stablehlo::bytecodeProducer(StringRef bytes) {
  if (!bytes.consume_front(kBytecodeMagic))
    return std::nullopt;
  // The version: a number whose length in bytes is one plus the trailing zeros
  // of its first byte. A string that ends in a zero byte follows.
  unsigned zeros =
      bytes.empty() ? 0 : llvm::countr_zero((unsigned char)bytes.front());
  return bytes.drop_front(std::min<size_t>(zeros + 1, bytes.size()))
      .take_until([](char c) { return c == '\0'; })
      .take_front(60);
}

/// What another program's first bytes say of a file; empty if it is not known.
static StringRef formatOf(StringRef bytes) {
  struct Row {
    StringRef begin, format;
  };
  static constexpr Row kRows[] = {
      {"\x1F\x8B", "text compressed by gzip"},
      {"\x28\xB5\x2F\xFD", "text compressed by zstd"},
      {"\xFD"
       "7zXZ",
       "text compressed by xz"},
      {"BZh", "text compressed by bzip2"},
      {"PK\x03\x04", "a zip archive"},
      {"\x93NUMPY", "an array of numpy"},
      {"\x7F"
       "ELF",
       "machine code"},
  };
  for (const Row &row : kRows)
    if (bytes.starts_with(row.begin))
      return row.format;
  return {};
}

/// The text of the module that XLA has written beside a .pb, if there is one.
static std::string textBeside(StringRef name) {
  if (!name.consume_back(".hlo.pb") && !name.consume_back(".pb"))
    return {};
  std::string text = (name + ".txt").str();
  return llvm::sys::fs::exists(text) ? text : std::string();
}

LogicalResult stablehlo::refuseBinary(const SourceBuffer &source,
                                      DiagnosticEngine &diagnostics) {
  StringRef bytes = source.getText();
  if (!isBinary(bytes))
    return llvm::success();
  StringRef format = formatOf(bytes);
  // The diagnostic has no place: it would show the bytes.
  (void)diagnostics.error({}, "expected StableHLO or HLO text, got " +
                                  (format.empty() ? "binary data" : format) +
                                  " in " + quote(source.getName()));
  if (format.consume_back(" compressed by gzip")) {
    diagnostics.help("gunzip --stdout " + source.getName() +
                     " | mercator COMMAND -");
    return llvm::failure();
  }
  if (!format.empty())
    return llvm::failure();
  if (std::string text = textBeside(source.getName()); !text.empty()) {
    diagnostics.note({}, "XLA has written the text of this module beside it");
    diagnostics.help("take " + text);
    return llvm::failure();
  }
  // The first field of a module is its name.
  if (!bytes.starts_with("\x0A"))
    return llvm::failure();
  diagnostics.note({}, "XLA writes modules as text, not as .pb, with "
                       "--xla_dump_hlo_as_text");
  diagnostics.help("XLA_FLAGS='--xla_dump_to=DIR --xla_dump_hlo_as_text' "
                   "python PROGRAM.py");
  return llvm::failure();
}
