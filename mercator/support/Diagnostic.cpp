// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/support/Diagnostic.h"

#include "mercator/support/Color.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Unicode.h"

#include <algorithm>

using namespace mercator;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// SourceBuffer
//===----------------------------------------------------------------------===//

SourceBuffer::SourceBuffer(std::string nameIn, std::string textIn)
    : name(std::move(nameIn)), text(std::move(textIn)) {
  lineStarts.push_back(0);
  for (size_t at = text.find('\n'); at != std::string::npos;
       at = text.find('\n', at + 1))
    lineStarts.push_back(at + 1);
}

LineColumn SourceBuffer::getLineColumn(size_t offset) const {
  offset = std::min(offset, text.size());
  auto next = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset);
  size_t start = *std::prev(next);
  return {static_cast<unsigned>(next - lineStarts.begin()),
          static_cast<unsigned>(offset - start + 1)};
}

size_t SourceBuffer::getOffset(LineColumn place) const {
  size_t line = std::clamp<size_t>(place.line, 1, lineStarts.size());
  size_t last = line < lineStarts.size() ? lineStarts[line] - 1 : text.size();
  size_t column = std::max(place.column, 1u);
  return std::min(lineStarts[line - 1] + column - 1, last);
}

StringRef SourceBuffer::getLine(unsigned line) const {
  if (line == 0 || line > lineStarts.size())
    return {};
  size_t begin = lineStarts[line - 1];
  size_t end = line < lineStarts.size() ? lineStarts[line] - 1 : text.size();
  return StringRef(text).slice(begin, end).rtrim('\r');
}

//===----------------------------------------------------------------------===//
// Printable forms of bytes
//===----------------------------------------------------------------------===//

/// The length of the printable UTF-8 character at the front of `text`; 0 if
/// `text` does not begin with one.
static size_t printableLength(StringRef text) {
  unsigned char first = text.front();
  if (first < 0x80)
    return first >= 0x20 && first != 0x7f ? 1 : 0;
  size_t length = llvm::getNumBytesForUTF8(first);
  // The width is negative for invalid UTF-8 and for control characters.
  return llvm::sys::unicode::columnWidthUTF8(text.take_front(length)) >= 0
             ? length
             : 0;
}

/// Appends the character at the front of `text` in a form that can be shown,
/// and returns the number of bytes it took from `text`.
static size_t appendVisible(std::string &out, StringRef text) {
  if (size_t length = printableLength(text)) {
    out.append(text.data(), length);
    return length;
  }
  out += '<';
  out += llvm::toHex(text.take_front(1));
  out += '>';
  return 1;
}

static std::string makeVisible(StringRef text) {
  std::string out;
  while (!text.empty())
    text = text.drop_front(appendVisible(out, text));
  return out;
}

static bool isContinuationByte(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

/// Moves a cut at `at` back so that it does not split a character.
static size_t atCharacter(StringRef text, size_t at) {
  for (int i = 0; i < 3 && at > 0 && at < text.size(); ++i, --at)
    if (!isContinuationByte(text[at]))
      break;
  return at;
}

std::string mercator::quote(StringRef text, size_t limit) {
  if (text.size() <= limit)
    return "'" + makeVisible(text) + "'";
  size_t head = atCharacter(text, limit / 2);
  size_t tail = atCharacter(text, text.size() - limit / 4);
  return "'" + makeVisible(text.take_front(head)) + "..." +
         makeVisible(text.drop_front(tail)) + "'";
}

//===----------------------------------------------------------------------===//
// DiagnosticEngine
//===----------------------------------------------------------------------===//

/// Lines up to this many bytes are shown whole. Of longer lines a window is
/// shown.
static constexpr size_t windowSize = 120;
/// How much of a long line is shown before the marked position.
static constexpr size_t windowLead = 48;
/// Longer messages are cut.
static constexpr size_t messageLimit = 2000;
static constexpr unsigned tabWidth = 4;

/// Prints `line` and under it a caret from byte `begin` up to byte `end`.
static void printExcerpt(llvm::raw_ostream &os, StringRef line, size_t begin,
                         size_t end, bool color) {
  begin = std::min(begin, line.size());
  size_t first = 0, last = line.size();
  if (line.size() > windowSize) {
    first = atCharacter(line, begin > windowLead ? begin - windowLead : 0);
    last = atCharacter(line, std::min(line.size(), first + windowSize));
  }

  std::string shown = first > 0 ? "..." : "";
  // The columns of `shown` where the marked part begins and ends.
  unsigned column = shown.size(), caret = column, caretEnd = column;
  for (size_t at = first; at < last;) {
    if (at <= begin)
      caret = column;
    std::string character;
    size_t taken = 1;
    if (line[at] == '\t')
      character.assign(tabWidth - column % tabWidth, ' ');
    else
      taken = appendVisible(character, line.slice(at, last));
    column += displayWidth(character);
    shown += character;
    at += taken;
    if (at <= begin)
      caret = column;
    if (at <= end || at - taken < end)
      caretEnd = column;
  }
  if (last < line.size())
    shown += "...";

  unsigned marks = caretEnd > caret ? caretEnd - caret : 1;
  os << "  " << shown << "\n  " << std::string(caret, ' ')
     << paint("^" + std::string(marks - 1, '~'), Style::Green, color) << '\n';
}

void DiagnosticEngine::printJson(StringRef severity, SourceRange where,
                                 StringRef message) {
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("schema", "mercator.diagnostic/1");
    json.attribute("severity", severity);
    if (where.buffer) {
      LineColumn begin = where.buffer->getLineColumn(where.begin),
                 end = where.buffer->getLineColumn(
                     std::max(where.begin, where.end));
      json.attribute("file", makeVisible(where.buffer->getName()));
      json.attribute("line", begin.line);
      json.attribute("column", begin.column);
      json.attribute("end_line", end.line);
      json.attribute("end_column", end.column);
    }
    json.attribute("message", makeVisible(message));
  });
  os << '\n';
}

static StringRef nameOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "note";
  }
  llvm_unreachable("a severity");
}

void DiagnosticEngine::print(Severity severity, SourceRange where,
                             const llvm::Twine &message) {
  if (isJson)
    return printJson(nameOf(severity), where, message.str());
  if (where.buffer) {
    LineColumn place = where.buffer->getLineColumn(where.begin);
    std::string prefix =
        (where.buffer->getName() + ":" + llvm::Twine(place.line) + ":" +
         llvm::Twine(place.column) + ": ")
            .str();
    os << paint(prefix, Style::Bold, color);
  }
  switch (severity) {
  case Severity::Error:
    os << paint("error: ", Style::Red, color);
    break;
  case Severity::Warning:
    os << paint("warning: ", Style::Magenta, color);
    break;
  case Severity::Note:
    os << paint("note: ", Style::Cyan, color);
    break;
  }
  std::string text = message.str();
  StringRef cut = StringRef(text).take_front(atCharacter(text, messageLimit));
  os << makeVisible(cut) << (cut.size() < text.size() ? "...\n" : "\n");

  if (!where.buffer)
    return;
  LineColumn place = where.buffer->getLineColumn(where.begin);
  StringRef line = where.buffer->getLine(place.line);
  if (line.trim().empty())
    return;
  size_t begin = place.column - 1;
  size_t length = where.end > where.begin ? where.end - where.begin : 0;
  printExcerpt(os, line, begin, begin + length, color);
}

llvm::LogicalResult DiagnosticEngine::error(SourceRange where,
                                            const llvm::Twine &message) {
  ++errorCount;
  muted = isOverLimit();
  if (!muted)
    print(Severity::Error, where, message);
  else if (errorCount == errorLimit + 1)
    print(Severity::Note, {},
          llvm::Twine(errorLimit) +
              " errors shown, further ones are not; fix these first");
  return llvm::failure();
}

void DiagnosticEngine::warning(SourceRange where, const llvm::Twine &message) {
  muted = isOverLimit();
  if (!muted)
    print(Severity::Warning, where, message);
}

void DiagnosticEngine::note(SourceRange where, const llvm::Twine &message) {
  if (!muted)
    print(Severity::Note, where, message);
}

void DiagnosticEngine::help(const llvm::Twine &message) {
  if (muted)
    return;
  if (isJson)
    printJson("help", {}, message.str());
  else
    os << paint("help: ", Style::Cyan, color) << makeVisible(message.str())
       << '\n';
}
