// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/Lexer.h"

#include <gtest/gtest.h>

#include <string>

using namespace mercator::hlo;
using llvm::StringRef;

/// Tokens as `kind:text`, blanks between them.
static std::string lexAll(const std::string &text) {
  static const char *letters[] = {"eof", "error", "word",   "name",
                                  "int", "real",  "string", "pattern"};
  Lexer lexer(text);
  std::string out;
  uint32_t at = 0;
  for (;;) {
    Token token = lexer.lex(at);
    if (token.is(TokenKind::Eof))
      return out;
    if (!out.empty())
      out += ' ';
    if (token.kind < TokenKind::LParen)
      out += std::string(letters[unsigned(token.kind)]) + ":";
    out += lexer.spelling(token).str();
    if (token.is(TokenKind::Error))
      return out + " (" + token.problem + ")";
    at = token.end;
  }
}

struct LexerRow {
  const char *text, *tokens;
};

TEST(Lexer, Tokens) {
  const LexerRow rows[] = {
      {"", ""},
      {" \t\r\n ", ""},
      {"%add.1 = f32[4]{0} add(p0, -1.5e3)",
       "name:%add.1 = word:f32 [ int:4 ] { int:0 } word:add ( word:p0 , "
       "real:-1.5e3 )"},
      {"a-b.c_d", "word:a-b.c_d"},
      {"(f32[])->s32[]", "( word:f32 [ ] ) -> word:s32 [ ]"},
      {"token->b", "word:token -> word:b"},
      {"<=10,?", "<= int:10 , ?"},
      {"{...}", "{ ... }"},
      {"a /* b */ c // d\ne", "word:a word:c word:e"},
      {"/*index=5*/%x", "name:%x"},
      {"#(u32)*~+:", "# ( word:u32 ) * ~ + :"},
      {"\"a\\\"b\" 'c'", "string:\"a\\\"b\" string:'c'"},
      {"control-predecessors={%a}", "word:control-predecessors = { name:%a }"},
  };
  for (const LexerRow &row : rows)
    EXPECT_EQ(lexAll(row.text), row.tokens) << row.text;
}

TEST(Lexer, Numbers) {
  const LexerRow rows[] = {
      {"0 -7 18446744073709551615", "int:0 int:-7 int:18446744073709551615"},
      {"1. .5 1.25 1e5 1E-5 1.e+3",
       "real:1. real:.5 real:1.25 real:1e5 real:1E-5 "
       "real:1.e+3"},
      {"-inf -nan inf nan", "real:-inf real:-nan word:inf word:nan"},
      {"1e", "int:1 word:e"},
      {"3x3", "int:3 word:x3"},
      {"-", "error:- (unexpected character)"},
      {"-infinite", "error:- (unexpected character)"},
  };
  for (const LexerRow &row : rows)
    EXPECT_EQ(lexAll(row.text), row.tokens) << row.text;
}

TEST(Lexer, Errors) {
  const LexerRow rows[] = {
      {"a /* b", "word:a error:/* (this comment is never closed)"},
      {"\"abc", "error:\" (this string is never closed)"},
      {"\"abc\\\"", "error:\" (this string is never closed)"},
      {"/", "error:/ (unexpected character '/')"},
      {"% x", "error:% (expected a name after '%')"},
      {"<", "error:< (unexpected character '<')"},
      {"..", "error:. (unexpected character)"},
      {"\xff", "error:\xff (unexpected character)"},
  };
  for (const LexerRow &row : rows)
    EXPECT_EQ(lexAll(row.text), row.tokens) << row.text;
  EXPECT_EQ(lexAll(std::string("a\0b", 3)),
            std::string("word:a error:") + '\0' + " (unexpected character)");
}

TEST(Lexer, PatternsAreTheLongestRun) {
  const LexerRow rows[] = {
      {"3x3 stride", "3x3"},
      {"1_1x-2_0_1}", "1_1x-2_0_1"},
      {"b01f_01io->b01f, x", "b01f_01io->b01f"},
      {"?b_io->bf", "?b_io->bf"},
      {"{", ""},
      {"0x7fe)", "0x7fe"},
  };
  for (const LexerRow &row : rows) {
    std::string text = row.text;
    Lexer lexer(text);
    EXPECT_EQ(lexer.spelling(lexer.lexPattern(0)), row.tokens);
  }
}

TEST(Lexer, RawValuesKeepTheirBrackets) {
  const LexerRow rows[] = {
      {"{devices=[8,1]<=[8]}, metadata={}", "{devices=[8,1]<=[8]}"},
      {"[2,4]<=[8]T(1,0), x", "[2,4]<=[8]T(1,0)"},
      {"{\"a\":\"}\"}\n%x", "{\"a\":\"}\"}"},
      {"mesh['x'=2] {'x'}, y", "mesh['x'=2] {'x'}"},
      {"abc)", "abc"},
      {"{a /* } */ b} c", "{a /* } */ b}"},
      {", x", ""},
  };
  for (const LexerRow &row : rows) {
    std::string text = row.text;
    Lexer lexer(text);
    EXPECT_EQ(lexer.spelling(lexer.lexRaw(0, 256)), row.tokens) << row.text;
  }
}

TEST(Lexer, RawValuesMustBalance) {
  for (auto [text, problem, where] :
       {std::tuple{"{a", "this bracket is never closed", 0u},
        {"{(]", "this bracket has no matching opening bracket", 2u},
        {"{\"a}", "this string is never closed", 1u},
        {"{{{}}}", "brackets are nested too deeply", 2u}}) {
    std::string copy = text;
    Token token = Lexer(copy).lexRaw(0, 2);
    ASSERT_EQ(token.kind, TokenKind::Error) << text;
    EXPECT_STREQ(token.problem, problem);
    EXPECT_EQ(token.begin, where) << text;
  }
}

TEST(Lexer, Escapes) {
  const LexerRow rows[] = {{"a\\nb", "a\nb"},
                           {"\\x41\\102", "AB"},
                           {"\\u00e9", "\xc3\xa9"},
                           {"\\\"\\'\\\\", "\"'\\"}};
  for (const LexerRow &row : rows) {
    llvm::SmallVector<char> out;
    size_t problem;
    ASSERT_TRUE(unescape(row.text, out, problem)) << row.text;
    EXPECT_EQ(StringRef(out.data(), out.size()), row.tokens);
  }
  for (StringRef bad : {"\\q", "\\x", "\\u12", "ab\\"}) {
    llvm::SmallVector<char> out;
    size_t problem = 99;
    EXPECT_FALSE(unescape(bad, out, problem)) << bad.str();
    EXPECT_EQ(problem, bad.find('\\'));
  }
}

TEST(Lexer, UnescapeUndoesEscape) {
  std::string all;
  for (int c = 0; c < 256; ++c)
    all += char(c);
  all += "1\n2"; // digits after an escape
  std::string escaped = escape(all);
  llvm::SmallVector<char> out;
  size_t problem;
  ASSERT_TRUE(
      unescape(StringRef(escaped).drop_front().drop_back(), out, problem));
  EXPECT_EQ(StringRef(out.data(), out.size()), all);
}
