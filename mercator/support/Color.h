// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Color on a terminal: when to use it, and which escape sequences.
///
/// ```cpp (llvm::raw_ostream &os)
/// bool color = useColor(ColorMode::Automatic, /*fd=*/1);
/// os << paint("error:", Style::Red, color) << " no such file\n";
/// ```
///
/// With `color == false` every function here writes the plain text, so callers
/// never branch on it.

#ifndef MERCATOR_SUPPORT_COLOR_H
#define MERCATOR_SUPPORT_COLOR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace mercator {

enum class ColorMode { Automatic, Always, Never };

/// The styles of Mercator's output. They are chosen from the eight base colors,
/// so they follow the theme of the terminal, light or dark.
enum class Style { Plain, Bold, Dim, Red, Green, Yellow, Blue, Magenta, Cyan };

/// Whether to color the text written to the file descriptor `fd`. Ensures:
/// `always` and `never` are obeyed; `automatic` is true only for a terminal
/// other than `dumb`, and false if NO_COLOR is set and not empty.
[[nodiscard]] bool useColor(ColorMode mode, int fd);

/// A text and the style to write it in. Refers to the text: write it at once,
/// do not keep it.
struct Painted {
  llvm::StringRef text;
  Style style;
  bool color;
};
[[nodiscard]] inline Painted paint(llvm::StringRef text, Style style,
                                   bool color) {
  return {text, style, color};
}
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Painted &painted);

/// The number of terminal columns that `text` takes. Wide characters count two,
/// combining characters none. Text that is not printable UTF-8 counts its
/// bytes.
[[nodiscard]] unsigned displayWidth(llvm::StringRef text);

} // namespace mercator

#endif // MERCATOR_SUPPORT_COLOR_H
