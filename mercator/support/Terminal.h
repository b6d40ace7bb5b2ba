// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The width of a terminal, and text that fits it.
///
/// ```cpp
/// // A line, broken after its commas.
/// auto lines = wrap("d0 in 0..9, d1 in 0..9, d2 in 0..9", /*width=*/23);
/// assert(lines.size() == 2 && lines[0] == "d0 in 0..9, d1 in 0..9,");
/// ```

#ifndef MERCATOR_SUPPORT_TERMINAL_H
#define MERCATOR_SUPPORT_TERMINAL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace mercator {

/// The number of columns of the terminal behind a file descriptor; 0 if it is
/// no terminal, or one that does not say.
[[nodiscard]] unsigned terminalColumns(int fd);

/// The width that lines written to a file descriptor should have: $COLUMNS if it
/// is set, else that of the terminal; 0 for a pipe or a file.
[[nodiscard]] unsigned outputColumns(int fd);

/// The text in lines of at most `width` columns, broken at spaces behind
/// commas, or at any spaces if that is not enough. A word that is wider has a
/// line of its own. One line if `width` is 0. Escapes for colors take no columns.
/// Complexity: linear.
[[nodiscard]] std::vector<std::string> wrap(llvm::StringRef text,
                                            unsigned width);

/// Breaks the lines that are written to it, as `wrap` does. What follows the first
/// part of a line is indented by four columns more than that. The rest is written
/// at the end of its life.
class FoldedStream : public llvm::raw_ostream {
public:
  FoldedStream(llvm::raw_ostream &to, unsigned columns)
      : llvm::raw_ostream(/*unbuffered=*/true), to(to), columns(columns) {}
  ~FoldedStream() override;

private:
  void write_impl(const char *text, size_t size) override;
  uint64_t current_pos() const override { return written; }
  void writeLine();

  llvm::raw_ostream &to;
  unsigned columns;
  std::string line;
  uint64_t written = 0;
};

} // namespace mercator

#endif // MERCATOR_SUPPORT_TERMINAL_H
