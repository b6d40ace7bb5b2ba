// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tokens of HLO text.
//
// HLO's numbers and patterns depend on context: `3x3` is a window size,
// `1_1x0_0` a padding, `01io` a part of dimension labels. The lexer knows only
// plain tokens. Where the parser expects a pattern, it lexes the same offset
// again: lexPattern(token.begin).
//
//     %add.1 = f32[4]{0} add(p0, -1.5e3), pad=1_1   // comment
//     Name   = Word [ Integer ] { .. } Word ( Word , Real ) , Word = Pattern
//
// A token is two offsets; its text is a slice of the buffer. Every call is
// linear in the bytes it reads. The lexer has no state except its text.

#ifndef MERCATOR_FRONTENDS_HLO_LEXER_H
#define MERCATOR_FRONTENDS_HLO_LEXER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace mercator::hlo {

enum class TokenKind : uint8_t {
  Eof,
  Error,   // see Token::problem
  Word,    // [A-Za-z_][A-Za-z0-9_.-]*, a trailing `-` of `->` excluded
  Name,    // % and a word
  Integer, // [-]digits
  Real,    // with a point or an exponent; -inf, -nan
  String,  // ".." or '..', quotes included
  Pattern, // only from lexPattern
  LParen,
  RParen,
  LBrace,
  RBrace,
  LBracket,
  RBracket,
  Comma,
  Equal,
  Colon,
  Star,
  Hash,
  Question,
  Plus,
  Tilde,
  Arrow,     // ->
  LessEqual, // <=
  Ellipsis,  // ...
};

/// The name of a token kind in a message: "a name", "'{'".
[[nodiscard]] llvm::StringRef describe(TokenKind kind);

struct Token {
  TokenKind kind = TokenKind::Eof;
  uint32_t begin = 0, end = 0;
  /// Only for Error: the problem with the bytes from `begin`.
  const char *problem = nullptr;

  [[nodiscard]] bool is(TokenKind k) const { return kind == k; }
};

class Lexer {
public:
  /// Requires: a zero byte after `text`, and fewer than 2^32 - 1 bytes.
  explicit Lexer(llvm::StringRef text) : text(text) {}

  /// The first token at or after `offset`, past white space and comments.
  [[nodiscard]] Token lex(uint32_t offset) const;

  /// The longest run of letters, digits and `_ ? . - + >` from `offset`, for a
  /// window size, a padding or dimension labels. Empty if there is none.
  [[nodiscard]] Token lexPattern(uint32_t offset) const;

  /// A value kept as text, from `offset`: everything up to white space, a comma
  /// or an unopened bracket outside brackets and strings; a bracket may follow
  /// a space, `mesh['x'=2] {'x'}`. Brackets must match and nest at most
  /// `maxDepth` deep.
  [[nodiscard]] Token lexRaw(uint32_t offset, unsigned maxDepth) const;

  [[nodiscard]] llvm::StringRef spelling(const Token &token) const {
    return text.slice(token.begin, token.end);
  }
  [[nodiscard]] llvm::StringRef buffer() const { return text; }

private:
  [[nodiscard]] Token lexNumber(uint32_t begin) const;
  [[nodiscard]] Token lexString(uint32_t begin) const;

  llvm::StringRef text;
};

/// Decodes the escapes inside a string: \n \t \" \' \\ \xHH \ooo \uXXXX and so
/// on. For an unknown escape, returns false and its offset in `problemAt`.
[[nodiscard]] bool unescape(llvm::StringRef inside,
                            llvm::SmallVectorImpl<char> &out,
                            size_t &problemAt);

/// The inverse, with double quotes added: unescape(escape(s)) == s.
[[nodiscard]] std::string escape(llvm::StringRef text);

} // namespace mercator::hlo

#endif // MERCATOR_FRONTENDS_HLO_LEXER_H
