// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The open documents of an editor, and what each position reads.
///
/// ```cpp
/// mercator::lsp::Documents documents;
/// documents.open("file:///t.hlo", R"(HloModule m
/// ENTRY e {
///   x = f32[4,8] parameter(0)
///   ROOT t = f32[8,4] transpose(x), dimensions={1,0}
/// })");
/// // The cursor is on `t`, in line 3 from 0.
/// assert(documents.hover("file:///t.hlo", {3, 7}) ==
///        "`t` reads\n"
///        "- `x`: `(d0, d1) -> (d1, d0)`, d0 in 0..7, d1 in 0..3");
/// ```
///
/// A program is read when it is asked about, and kept until its text changes.

#ifndef MERCATOR_TOOLS_MERCATORLSPSERVER_DOCUMENTS_H
#define MERCATOR_TOOLS_MERCATORLSPSERVER_DOCUMENTS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

#include <memory>
#include <string>

namespace mercator::lsp {

/// A position as the protocol counts: lines from 0, and UTF-16 units from 0.
struct Position {
  unsigned line = 0, character = 0;
};

class Documents {
public:
  Documents();
  ~Documents();

  void open(llvm::StringRef uri, std::string text);
  /// Applies the `contentChanges` of a didChange notification, in order. A change
  /// that the protocol does not know leaves the text as it was.
  void change(llvm::StringRef uri, const llvm::json::Array &changes);
  void close(llvm::StringRef uri);

  /// Whether this is HLO text, which MLIR's server cannot read.
  [[nodiscard]] bool isHlo(llvm::StringRef uri) const;
  /// The text, or null.
  [[nodiscard]] const std::string *textOf(llvm::StringRef uri) const;

  /// The maps of the instruction whose name is at the position, or else of those that
  /// begin in this line, in Markdown. Empty if there is none, or if the program has
  /// errors.
  [[nodiscard]] std::string hover(llvm::StringRef uri, Position position);
  /// The errors and warnings of the text, as the protocol's diagnostics.
  [[nodiscard]] llvm::json::Array diagnose(llvm::StringRef uri) const;

private:
  struct Document;
  llvm::StringMap<std::unique_ptr<Document>> documents;
};

} // namespace mercator::lsp

#endif // MERCATOR_TOOLS_MERCATORLSPSERVER_DOCUMENTS_H
