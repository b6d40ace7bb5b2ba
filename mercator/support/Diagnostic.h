// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Diagnostics about a text: what is wrong, and where.
///
/// A SourceBuffer is a text with a name and a line table. A SourceRange is a
/// piece of the text, as two byte offsets. A DiagnosticEngine prints messages
/// about such pieces to one stream, in the usual form of a compiler:
///
/// ```cpp
/// SourceBuffer buffer("a.hlo", "ROOT r = f32[4 add(p0, p1)\n");
/// DiagnosticEngine diagnostics(llvm::errs());
/// (void)diagnostics.error({&buffer, 15, 18}, "expected ']', got 'add'");
/// diagnostics.note({&buffer, 12, 13}, "the shape begins here");
/// diagnostics.help("write 'f32[4]'");
/// ```
///
///   a.hlo:1:16: error: expected ']', got 'add'
///     ROOT r = f32[4 add(p0, p1)
///                    ^~~
///   a.hlo:1:13: note: the shape begins here
///     ...
///   help: write 'f32[4]'
///
/// Wording: lower case, "expected X, got Y", no full stop. A `note` says where
/// something came from. At most one `help` follows, and it can be typed.
///
/// No source text can harm the output. Control characters and bytes that are
/// not UTF-8 are shown as <1B>, tabs are expanded, and of a very long line only
/// a window around the marked position is shown.

#ifndef MERCATOR_SUPPORT_DIAGNOSTIC_H
#define MERCATOR_SUPPORT_DIAGNOSTIC_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/raw_ostream.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mercator {

/// A position in a text as people count: line and column from 1, in bytes.
struct LineColumn {
  unsigned line = 1;
  unsigned column = 1;
  friend bool operator==(const LineColumn &, const LineColumn &) = default;
};

/// A text, its name, and the offsets where its lines begin. The buffer owns the
/// text and never changes it. A zero byte follows the text; lexers may rely on
/// it.
class SourceBuffer {
public:
  SourceBuffer(std::string name, std::string text);

  // Ranges refer to the buffer by address.
  SourceBuffer(const SourceBuffer &) = delete;
  SourceBuffer &operator=(const SourceBuffer &) = delete;

  [[nodiscard]] llvm::StringRef getName() const { return name; }
  [[nodiscard]] llvm::StringRef getText() const { return text; }
  [[nodiscard]] unsigned getLineCount() const { return lineStarts.size(); }

  /// Ensures: offsets past the end give the position just after the last byte.
  /// Time: logarithmic in the number of lines.
  [[nodiscard]] LineColumn getLineColumn(size_t offset) const;

  /// The offset of a position. getOffset(getLineColumn(o)) == o for every
  /// offset `o` of the text. Positions outside are moved to the nearest one
  /// inside.
  [[nodiscard]] size_t getOffset(LineColumn place) const;

  /// The text of a line, counted from 1, without its line end. Empty if there
  /// is no such line.
  [[nodiscard]] llvm::StringRef getLine(unsigned line) const;

private:
  std::string name;
  std::string text;
  std::vector<size_t> lineStarts;
};

/// The bytes [begin, end) of a buffer; if end <= begin, only the position
/// `begin`. Without a buffer, the diagnostic is about no text in particular.
struct SourceRange {
  const SourceBuffer *buffer = nullptr;
  size_t begin = 0;
  size_t end = 0;
};

enum class Severity { Error, Warning, Note };

/// Prints diagnostics to a stream and counts them.
///
/// After `errorLimit` errors one line says so. Further errors are dropped with
/// their notes and help lines; they are still counted. A warning's notes follow
/// the warning. Not thread-safe.
class DiagnosticEngine {
public:
  explicit DiagnosticEngine(llvm::raw_ostream &os, bool color = false,
                            unsigned errorLimit = 20)
      : os(os), color(color), errorLimit(errorLimit) {}

  DiagnosticEngine(const DiagnosticEngine &) = delete;
  DiagnosticEngine &operator=(const DiagnosticEngine &) = delete;

  /// From here on, each diagnostic, note and help line is a line of JSON, for
  /// programs:
  ///
  ///   {"schema":"mercator.diagnostic/1","severity":"error","file":"f.hlo",
  ///    "line":3,"column":7,"end_line":3,"end_column":11,"message":"expected .."}
  ///
  /// `severity` is `error`, `warning`, `note` or `help`; the last two belong to
  /// the line before. Without a text there are no places.
  void useJson() { isJson = true; }

  /// Returns failure, so that a parser may write `return diags.error(...)`.
  llvm::LogicalResult error(SourceRange where, const llvm::Twine &message);
  void warning(SourceRange where, const llvm::Twine &message);
  void note(SourceRange where, const llvm::Twine &message);
  /// Prints a line that can be typed. It belongs to the preceding diagnostic.
  void help(const llvm::Twine &message);

  [[nodiscard]] unsigned getErrorCount() const { return errorCount; }
  [[nodiscard]] bool hasErrors() const { return errorCount != 0; }
  /// Whether further errors would be dropped. A parser that recovers from
  /// errors may stop.
  [[nodiscard]] bool isOverLimit() const { return errorCount > errorLimit; }

private:
  void print(Severity severity, SourceRange where, const llvm::Twine &message);
  void printJson(llvm::StringRef severity, SourceRange where,
                 llvm::StringRef message);

  llvm::raw_ostream &os;
  bool color;
  bool isJson = false;
  unsigned errorLimit;
  unsigned errorCount = 0;
  bool muted = false; // the last error or warning was dropped
};

/// `text` in single quotes for use in a message: escaped like a source line,
/// and cut in the middle if it is longer than `limit` bytes.
///
///   quote("add") == "'add'"        quote("a\n") == "'a<0A>'"
[[nodiscard]] std::string quote(llvm::StringRef text, size_t limit = 60);

} // namespace mercator

#endif // MERCATOR_SUPPORT_DIAGNOSTIC_H
