// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/support/Color.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Unicode.h"

#include <cstdlib>
#include <unistd.h>

using namespace mercator;

bool mercator::useColor(ColorMode mode, int fd) {
  if (mode != ColorMode::Automatic)
    return mode == ColorMode::Always;
  const char *noColor = std::getenv("NO_COLOR");
  if (noColor && *noColor)
    return false;
  const char *term = std::getenv("TERM");
  if (!term || llvm::StringRef(term) == "dumb")
    return false;
  return ::isatty(fd) == 1;
}

static const char *escapeOf(Style style) {
  switch (style) {
  case Style::Plain:
    return "";
  case Style::Bold:
    return "\033[1m";
  case Style::Dim:
    return "\033[2m";
  case Style::Red:
    return "\033[1;31m";
  case Style::Green:
    return "\033[32m";
  case Style::Yellow:
    return "\033[33m";
  case Style::Blue:
    return "\033[34m";
  case Style::Magenta:
    return "\033[1;35m";
  case Style::Cyan:
    return "\033[36m";
  }
  llvm_unreachable("all styles are listed");
}

llvm::raw_ostream &mercator::operator<<(llvm::raw_ostream &os,
                                        const Painted &painted) {
  if (!painted.color || painted.style == Style::Plain || painted.text.empty())
    return os << painted.text;
  return os << escapeOf(painted.style) << painted.text << "\033[0m";
}

unsigned mercator::displayWidth(llvm::StringRef text) {
  int width = llvm::sys::unicode::columnWidthUTF8(text);
  return width >= 0 ? static_cast<unsigned>(width)
                    : static_cast<unsigned>(text.size());
}
