// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/support/Table.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace mercator;

namespace {

std::string print(const Table &table, bool color = false, unsigned indent = 0) {
  std::string out;
  llvm::raw_string_ostream os(out);
  table.print(os, color, indent);
  return out;
}

TEST(Table, AlignsColumnsAndEndsNoLineInASpace) {
  Table table({{"operand"}, {"reads", Style::Plain, Align::Right}, {"map"}});
  table.addRow({"p0", "1024", "(d0) -> (d0)"});
  table.addRow({"weights", "8"});
  table.addRow({"", "16", ""});
  EXPECT_EQ(print(table), "operand  reads  map\n"
                          "p0        1024  (d0) -> (d0)\n"
                          "weights      8\n"
                          "            16\n");
}

TEST(Table, WithoutTitlesThereIsNoTitleLine) {
  Table table({{""}, {""}});
  table.addRow({"a", "b"});
  EXPECT_EQ(print(table, false, 2), "  a  b\n");
  EXPECT_FALSE(table.empty());
  EXPECT_EQ(print(Table({{""}})), "");
}

TEST(Table, WidthIsMeasuredInTerminalColumns) {
  Table table({{"a"}, {"b"}});
  table.addRow({"\xe6\xbc\xa2", "x"}); // three bytes, two columns
  table.addRow({"abc", "y"});
  EXPECT_EQ(print(table), "a    b\n\xe6\xbc\xa2   x\nabc  y\n");
}

TEST(Table, ColorDoesNotMoveAnything) {
  Table table({{"a", Style::Cyan}, {"b"}});
  table.addRow({"x", "y"});
  EXPECT_EQ(print(table, true), "\033[1ma\033[0m  \033[1mb\033[0m\n"
                                "\033[36mx\033[0m  y\n");
}

TEST(Color, EmptyTextIsNotPainted) {
  std::string out;
  llvm::raw_string_ostream os(out);
  os << paint("", Style::Red, true) << paint("a", Style::Plain, true)
     << paint("b", Style::Red, false) << paint("c", Style::Red, true);
  EXPECT_EQ(out, "ab\033[1;31mc\033[0m");
}

TEST(Color, ModesAndNoColor) {
  EXPECT_TRUE(useColor(ColorMode::Always, -1));
  EXPECT_FALSE(useColor(ColorMode::Never, STDOUT_FILENO));
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::setenv("TERM", "xterm", 1);
  EXPECT_FALSE(useColor(ColorMode::Automatic, ends[1])); // not a terminal
  ::close(ends[0]);
  ::close(ends[1]);
  // The flag takes precedence over NO_COLOR.
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_TRUE(useColor(ColorMode::Always, STDOUT_FILENO));
  ::unsetenv("NO_COLOR");
}

TEST(Color, OnATerminalUnlessNoColorIsSet) {
  int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0)
    GTEST_SKIP() << "no pseudo terminal can be opened here";
  ::setenv("TERM", "xterm", 1);
  ::unsetenv("NO_COLOR");
  EXPECT_TRUE(useColor(ColorMode::Automatic, terminal));
  ::setenv("NO_COLOR", "", 1); // empty counts as absent
  EXPECT_TRUE(useColor(ColorMode::Automatic, terminal));
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(useColor(ColorMode::Automatic, terminal));
  ::unsetenv("NO_COLOR");
  ::setenv("TERM", "dumb", 1);
  EXPECT_FALSE(useColor(ColorMode::Automatic, terminal));
  ::close(terminal);
}

} // namespace
