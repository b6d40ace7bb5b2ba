// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/support/Terminal.h"

#include "mercator/support/Color.h"

#include "llvm/ADT/SmallVector.h"

#include <sys/ioctl.h>
#include <unistd.h>

using namespace mercator;
using llvm::StringRef;

unsigned mercator::terminalColumns(int fd) {
  winsize size = {};
  return ::isatty(fd) == 1 && ::ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col
                                                                  : 0;
}

/// Pieces of a text that `separator` ends.
static llvm::SmallVector<StringRef> pieces(StringRef text,
                                           StringRef separator) {
  llvm::SmallVector<StringRef> found;
  while (!text.empty()) {
    size_t at = text.find(separator);
    size_t n = at == StringRef::npos ? text.size() : at + separator.size();
    found.push_back(text.take_front(n));
    text = text.drop_front(n);
  }
  return found;
}

std::vector<std::string> mercator::wrap(StringRef text, unsigned width) {
  if (width == 0 || displayWidth(text) <= width)
    return {text.str()};
  std::vector<std::string> lines;
  std::string line;
  unsigned used = 0;
  auto end = [&] {
    if (!line.empty())
      lines.push_back(StringRef(line).rtrim(' ').str());
    line.clear();
    used = 0;
  };
  auto add = [&](StringRef piece) {
    unsigned needed = displayWidth(piece.rtrim(' '));
    if (used > 0 && used + needed > width)
      end();
    line += piece;
    used += displayWidth(piece);
  };
  for (StringRef piece : pieces(text, ", ")) {
    if (displayWidth(piece.rtrim(' ')) <= width)
      add(piece);
    else
      for (StringRef word : pieces(piece, " "))
        add(word);
  }
  end();
  return lines;
}
