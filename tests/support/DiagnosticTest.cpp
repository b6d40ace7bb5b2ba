// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/support/Diagnostic.h"

#include <gtest/gtest.h>

using namespace mercator;

namespace {

/// The output of one error about the bytes [begin, end) of `text`.
std::string errorAt(std::string text, size_t begin, size_t end,
                    bool color = false) {
  SourceBuffer buffer("a.hlo", std::move(text));
  std::string out;
  llvm::raw_string_ostream os(out);
  DiagnosticEngine diagnostics(os, color);
  EXPECT_TRUE(failed(diagnostics.error({&buffer, begin, end}, "bad")));
  return out;
}

TEST(SourceBuffer, CountsLinesAndColumnsFromOne) {
  SourceBuffer buffer("a", "ab\n\nc");
  EXPECT_EQ(buffer.getLineCount(), 3u);
  EXPECT_EQ(buffer.getLineColumn(0), (LineColumn{1, 1}));
  EXPECT_EQ(buffer.getLineColumn(2), (LineColumn{1, 3})); // the newline itself
  EXPECT_EQ(buffer.getLineColumn(3), (LineColumn{2, 1}));
  EXPECT_EQ(buffer.getLineColumn(4), (LineColumn{3, 1}));
  EXPECT_EQ(buffer.getLineColumn(5), (LineColumn{3, 2}));
  EXPECT_EQ(buffer.getLineColumn(999), (LineColumn{3, 2}));
}

TEST(SourceBuffer, OffsetInvertsLineColumn) {
  SourceBuffer buffer("a", "first\r\n\nthird line\n");
  for (size_t offset = 0; offset <= buffer.getText().size(); ++offset)
    EXPECT_EQ(buffer.getOffset(buffer.getLineColumn(offset)), offset);
  EXPECT_EQ(buffer.getOffset({0, 0}), 0u);
  EXPECT_EQ(buffer.getOffset({1, 1000}), 6u); // the newline of line 1
  EXPECT_EQ(buffer.getOffset({1000, 1}), buffer.getText().size());
}

TEST(SourceBuffer, LinesComeWithoutTheirEnd) {
  SourceBuffer buffer("a", "first\r\n\nthird");
  EXPECT_EQ(buffer.getLine(1), "first");
  EXPECT_EQ(buffer.getLine(2), "");
  EXPECT_EQ(buffer.getLine(3), "third");
  EXPECT_EQ(buffer.getLine(0), "");
  EXPECT_EQ(buffer.getLine(4), "");
}

TEST(SourceBuffer, TextEndsWithAZeroByte) {
  SourceBuffer buffer("a", "xy");
  EXPECT_EQ(buffer.getText().end()[0], '\0');
}

TEST(Diagnostic, ShowsPlaceLineAndCaret) {
  EXPECT_EQ(errorAt("one\nROOT r = f32[4 add(p0)\n", 4 + 15, 4 + 18),
            "a.hlo:2:16: error: bad\n"
            "  ROOT r = f32[4 add(p0)\n"
            "                 ^~~\n");
}

TEST(Diagnostic, AnEmptyRangeIsOneCaret) {
  EXPECT_EQ(errorAt("abc", 1, 1), "a.hlo:1:2: error: bad\n  abc\n   ^\n");
  EXPECT_EQ(errorAt("abc", 1, 0), "a.hlo:1:2: error: bad\n  abc\n   ^\n");
}

TEST(Diagnostic, TheEndOfATextCanBePointedAt) {
  EXPECT_EQ(errorAt("abc", 3, 3), "a.hlo:1:4: error: bad\n  abc\n     ^\n");
  // After the last newline there is no line to show.
  EXPECT_EQ(errorAt("abc\n", 4, 4), "a.hlo:2:1: error: bad\n");
  EXPECT_EQ(errorAt("", 0, 0), "a.hlo:1:1: error: bad\n");
}

TEST(Diagnostic, ARangeOverSeveralLinesStopsAtTheFirst) {
  EXPECT_EQ(errorAt("ab\ncd", 1, 5), "a.hlo:1:2: error: bad\n  ab\n   ^\n");
  EXPECT_EQ(errorAt("abc\ncd", 1, 6), "a.hlo:1:2: error: bad\n  abc\n   ^~\n");
}

TEST(Diagnostic, TabsAreExpandedAndTheCaretFollows) {
  EXPECT_EQ(errorAt("\tx\ty", 3, 4),
            "a.hlo:1:4: error: bad\n      x   y\n          ^\n");
}

TEST(Diagnostic, WideCharactersMoveTheCaretTwice) {
  // U+6F22 is three bytes and two columns.
  EXPECT_EQ(errorAt("\xe6\xbc\xa2 x", 4, 5),
            "a.hlo:1:5: error: bad\n  \xe6\xbc\xa2 x\n     ^\n");
}

TEST(Diagnostic, ControlBytesAreSpelledOut) {
  EXPECT_EQ(errorAt("a\x1b[31m x", 7, 8),
            "a.hlo:1:8: error: bad\n  a<1B>[31m x\n            ^\n");
  EXPECT_EQ(errorAt("\xff\xe6 x", 3, 4),
            "a.hlo:1:4: error: bad\n  <FF><E6> x\n           ^\n");
  EXPECT_EQ(errorAt(std::string("a\0b", 3), 1, 2),
            "a.hlo:1:2: error: bad\n  a<00>b\n   ^~~~\n");
}

TEST(Diagnostic, OfALongLineOnlyAWindowIsShown) {
  std::string text(3'000'000, 'x');
  text[2'000'000] = '!';
  std::string out = errorAt(text, 2'000'000, 2'000'001);
  EXPECT_EQ(out, "a.hlo:1:2000001: error: bad\n  ..." + std::string(48, 'x') +
                     "!" + std::string(71, 'x') + "...\n  " +
                     std::string(51, ' ') + "^\n");
}

TEST(Diagnostic, AWindowNeverSplitsACharacter) {
  std::string text;
  for (int i = 0; i < 200; ++i)
    text += "\xe6\xbc\xa2";
  for (size_t at = 0; at < text.size(); at += 3)
    EXPECT_EQ(errorAt(text, at, at + 3).find('<'), std::string::npos) << at;
}

TEST(Diagnostic, ALongRangeStaysInTheWindow) {
  std::string out = errorAt(std::string(1000, 'x'), 500, 1000);
  EXPECT_LT(out.size(), 350u);
}

TEST(Diagnostic, MessagesAreMadeVisibleAndCut) {
  std::string out;
  llvm::raw_string_ostream os(out);
  DiagnosticEngine diagnostics(os);
  diagnostics.note({}, "a\nb\x1b");
  EXPECT_EQ(out, "note: a<0A>b<1B>\n");
  out.clear();
  diagnostics.note({}, std::string(1'000'000, 'x'));
  EXPECT_EQ(out, "note: " + std::string(2000, 'x') + "...\n");
}

TEST(Diagnostic, NotesAndHelpFollow) {
  SourceBuffer buffer("-", "ab");
  std::string out;
  llvm::raw_string_ostream os(out);
  DiagnosticEngine diagnostics(os);
  diagnostics.warning({&buffer, 0, 1}, "odd");
  diagnostics.note({&buffer, 1, 2}, "from here");
  diagnostics.help("try `--fused`");
  EXPECT_EQ(out, "-:1:1: warning: odd\n  ab\n  ^\n"
                 "-:1:2: note: from here\n  ab\n   ^\n"
                 "help: try `--fused`\n");
  EXPECT_FALSE(diagnostics.hasErrors());
}

TEST(Diagnostic, TheErrorLimitIsReportedOnce) {
  std::string out;
  llvm::raw_string_ostream os(out);
  DiagnosticEngine diagnostics(os, /*color=*/false, /*errorLimit=*/2);
  for (int i = 0; i < 5; ++i) {
    (void)diagnostics.error({}, "e" + llvm::Twine(i));
    diagnostics.note({}, "n" + llvm::Twine(i));
    diagnostics.help("h" + llvm::Twine(i));
  }
  EXPECT_EQ(out, "error: e0\nnote: n0\nhelp: h0\n"
                 "error: e1\nnote: n1\nhelp: h1\n"
                 "note: 2 errors shown, further ones are not; fix these "
                 "first\n");
  EXPECT_EQ(diagnostics.getErrorCount(), 5u);
  EXPECT_TRUE(diagnostics.isOverLimit());
}

TEST(Diagnostic, ColorIsOnlyAnAddition) {
  std::string colored = errorAt("abc", 1, 2, /*color=*/true);
  std::string stripped;
  for (size_t i = 0; i < colored.size(); ++i) {
    if (colored[i] != '\033')
      stripped += colored[i];
    else
      i = colored.find('m', i);
  }
  EXPECT_NE(colored, stripped);
  EXPECT_EQ(stripped, errorAt("abc", 1, 2));
}

TEST(Quote, EscapesAndShortens) {
  EXPECT_EQ(quote("add"), "'add'");
  EXPECT_EQ(quote("a\n"), "'a<0A>'");
  EXPECT_EQ(quote(""), "''");
  EXPECT_EQ(quote(std::string(100, 'x'), 8), "'xxxx...xx'");
  // A cut falls between characters.
  EXPECT_EQ(quote("\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2", 8),
            "'\xe6\xbc\xa2...\xe6\xbc\xa2'");
}

} // namespace
