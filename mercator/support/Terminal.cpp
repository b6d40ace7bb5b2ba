// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/support/Terminal.h"

#include "mercator/support/Color.h"

#include "llvm/ADT/SmallVector.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

using namespace mercator;
using llvm::StringRef;

unsigned mercator::terminalColumns(int fd) {
  winsize size = {};
  return ::isatty(fd) == 1 && ::ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col
                                                                  : 0;
}

unsigned mercator::outputColumns(int fd) {
  const char *given = std::getenv("COLUMNS");
  unsigned columns = 0;
  if (given && !StringRef(given).getAsInteger(10, columns) && columns >= 20)
    return columns;
  return terminalColumns(fd);
}

/// The columns of a text in which colors may begin and end.
static unsigned visibleWidth(StringRef text) {
  if (!text.contains('\033'))
    return displayWidth(text);
  std::string visible;
  while (!text.empty()) {
    auto [before, escape] = text.split('\033');
    visible += before;
    text = escape.drop_until([](char c) { return c == 'm'; })
               .drop_front(escape.contains('m'));
  }
  return displayWidth(visible);
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
  if (width == 0 || visibleWidth(text) <= width)
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
    unsigned needed = visibleWidth(piece.rtrim(' '));
    if (used > 0 && used + needed > width)
      end();
    line += piece;
    used += visibleWidth(piece);
  };
  for (StringRef piece : pieces(text, ", ")) {
    if (visibleWidth(piece.rtrim(' ')) <= width)
      add(piece);
    else
      for (StringRef word : pieces(piece, " "))
        add(word);
  }
  end();
  return lines;
}

FoldedStream::~FoldedStream() {
  if (!line.empty())
    writeLine();
}

void FoldedStream::write_impl(const char *text, size_t size) {
  written += size;
  StringRef rest(text, size);
  while (!rest.empty()) {
    size_t end = rest.find('\n');
    line += rest.take_front(end);
    if (end == StringRef::npos)
      return;
    writeLine();
    to << '\n';
    rest = rest.drop_front(end + 1);
  }
}

void FoldedStream::writeLine() {
  unsigned indent = line.size() - StringRef(line).ltrim(' ').size();
  unsigned hanging = indent + 4;
  if (visibleWidth(line) <= columns || hanging + 10 > columns) {
    to << line;
  } else {
    bool isFirst = true;
    for (const std::string &part :
         wrap(StringRef(line).drop_front(indent), columns - hanging)) {
      if (!isFirst)
        to << '\n';
      to.indent(isFirst ? indent : hanging) << part;
      isFirst = false;
    }
  }
  line.clear();
}
