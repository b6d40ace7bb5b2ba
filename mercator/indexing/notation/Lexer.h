// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tokens of the notation of maps (Notation.h). The lexer removes variants
// of spelling: `\mapsto`, `→` and `->` are one Arrow, `\in` is the word "in".
// Typesetting (`\(`, `$`, backquotes, bullets) is no token.
//
// Internal: included by the .cpp files of this library only.

#ifndef MERCATOR_INDEXING_NOTATION_LEXER_H
#define MERCATOR_INDEXING_NOTATION_LEXER_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace mercator::indexing {

struct Token {
  enum Kind : uint8_t {
    End,
    Integer,
    Word,
    Arrow,      ///< -> → ↦ \mapsto
    Becomes,    ///< "becomes": the text behind it is not read
    Times,      ///< × \times, between intervals
    Slash,      ///< / and //
    Ellipsis,   ///< ... where the printer cut an expression off
    ShiftLeft,  ///< <<
    ShiftRight, ///< >>
    Unknown,
    // The value of these kinds is the character.
    LeftParen = '(',
    RightParen = ')',
    LeftSquare = '[',
    RightSquare = ']',
    LeftBrace = '{',
    RightBrace = '}',
    Comma = ',',
    Colon = ':',
    Semicolon = ';',
    Plus = '+',
    Minus = '-',
    Star = '*',
    Dot = '.',
    Less = '<',
    Greater = '>',
    Ampersand = '&',
    Caret = '^',
    Bar = '|',
  };
  Kind kind = End;
  bool startsLine = false; ///< first of its line
  size_t begin = 0, end = 0;
  llvm::StringRef text; ///< the normal form of a word; else the characters

  bool isWord(llvm::StringRef word) const {
    return kind == Word && text == word;
  }
};

class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : text(text) {}

  /// The next token. Ensures: at the end of the text, every call gives End.
  Token next();
  /// Returns the rest of the current line up to `stop`, without surrounding
  /// white space, and continues behind it.
  llvm::StringRef takeLine(char stop = '\n');

private:
  bool skipNoise();
  Token lexWord();
  Token lexCommand();
  Token make(Token::Kind kind, size_t length, llvm::StringRef meaning = {});

  llvm::StringRef text;
  size_t at = 0;
  bool startsLine = true;
};

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_NOTATION_LEXER_H
