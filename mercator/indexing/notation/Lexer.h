// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of the notation of maps (Notation.h). Spelling variants end here:
// `\mapsto`, `→` and `->` are one Arrow, `\in` is the word "in", and what only
// typesets (`\(`, `$`, backquotes, bullets) is no token at all.
//
// Internal to the room: included by its .cpp files only.

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
    Arrow,    ///< -> → ↦ \mapsto
    Becomes,  ///< what follows is the answer, not the question
    Times,    ///< × \times, between intervals
    Slash,    ///< / and //
    Ellipsis, ///< what the printer writes for what it cut off
    Unknown,
    // These are their characters.
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
  };
  Kind kind = End;
  bool startsLine = false; ///< first of its line
  size_t begin = 0, end = 0;
  llvm::StringRef text; ///< of a word, what it stands for; else as written

  bool isWord(llvm::StringRef word) const {
    return kind == Word && text == word;
  }
};

class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : text(text) {}

  /// Ensures: at the end of the text, End for ever.
  Token next();
  /// What is left of the current line up to `stop`, white space trimmed; goes
  /// on behind it.
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
