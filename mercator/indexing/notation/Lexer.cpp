// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lexer of the notation: longest match, with tables of the spellings of
// each token.

#include "mercator/indexing/notation/Lexer.h"
#include "mercator/indexing/notation/Identifiers.h"

#include "llvm/Support/ConvertUTF.h"

namespace mercator::indexing {

namespace {
struct Spelling {
  llvm::StringLiteral written;
  Token::Kind kind;
  llvm::StringLiteral meaning = "";
};

constexpr Spelling kCommands[] = {
    {"mapsto", Token::Arrow},     {"to", Token::Arrow},
    {"rightarrow", Token::Arrow}, {"times", Token::Times},
    {"cdot", Token::Star, "*"},   {"in", Token::Word, "in"},
    {"mod", Token::Word, "mod"},  {"bmod", Token::Word, "mod"},
};

// Commands that only change the font: \boldsymbol{d} is d.
constexpr llvm::StringLiteral kFonts[] = {"boldsymbol", "boldSymbol", "mathbf",
                                          "mathrm"};

constexpr Spelling kCharacters[] = {
    {"→", Token::Arrow},        {"↦", Token::Arrow},
    {"∈", Token::Word, "in"},   {"×", Token::Times},
    {"−", Token::Minus, "-"},   {"\xef\xbc\x8c", Token::Comma, ","},
    {"会变成", Token::Becomes}, {"會變成", Token::Becomes},
};

// No-break and ideographic spaces, the bullet, and filler words of published
// texts.
constexpr llvm::StringLiteral kNoise[] = {"\xc2\xa0", "\xe3\x80\x80", "•",
                                          "中的", "的"};
} // namespace

Token Lexer::make(Token::Kind kind, size_t length, llvm::StringRef meaning) {
  Token t{kind, startsLine, at, at + length, text.substr(at, length)};
  if (!meaning.empty())
    t.text = meaning;
  at += length;
  startsLine = false;
  return t;
}

/// Skips one white space, comment or typesetting command. False if there is
/// none.
bool Lexer::skipNoise() {
  llvm::StringRef rest = text.substr(at);
  if (rest.empty())
    return false;
  char c = rest.front();
  if (llvm::isSpace(c)) {
    startsLine |= c == '\n';
    ++at;
    return true;
  }
  if (c == '#') {
    // The name of `#map = affine_map<...>` is no comment.
    llvm::StringRef name = rest.drop_front().take_while(isIdentifierCharacter);
    llvm::StringRef behind = rest.drop_front(1 + name.size()).ltrim(' ');
    if (behind.consume_front("=") &&
        behind.ltrim(' ').starts_with("affine_map<")) {
      at = behind.begin() - text.begin();
      return true;
    }
    at += std::min(rest.find('\n'), rest.size());
    return true;
  }
  if (c == '$' || c == '`') {
    ++at;
    return true;
  }
  if (c == '\\' && rest.size() > 1 &&
      llvm::StringRef("()[],; \\").contains(rest[1])) {
    at += 2;
    return true;
  }
  if (static_cast<unsigned char>(c) >= 0x80)
    for (llvm::StringRef noise : kNoise)
      if (rest.starts_with(noise)) {
        at += noise.size();
        return true;
      }
  return false;
}

/// Of 123 and of 0x7f.
static size_t lengthOfInteger(llvm::StringRef text) {
  if (text.starts_with_insensitive("0x"))
    if (size_t n = text.drop_front(2).take_while(llvm::isHexDigit).size())
      return 2 + n;
  return text.take_while(llvm::isDigit).size();
}

Token Lexer::lexWord() {
  llvm::StringRef rest = text.substr(at);
  size_t n = rest.take_while(isIdentifierCharacter).size();
  // LaTeX writes long subscripts in braces: d_{10}.
  if (rest[n - 1] == '_' && rest.substr(n).starts_with("{")) {
    llvm::StringRef digits = rest.substr(n + 1).take_while(llvm::isDigit);
    if (!digits.empty() && rest.substr(n + 1 + digits.size()).starts_with("}"))
      n += digits.size() + 2;
  }
  Token t = make(Token::Word, n);
  if (t.text == "becomes")
    t.kind = Token::Becomes;
  return t;
}

Token Lexer::lexCommand() {
  llvm::StringRef rest = text.substr(at + 1);
  llvm::StringRef name = rest.take_while(llvm::isAlpha);
  for (const Spelling &s : kCommands)
    if (name == s.written)
      return make(s.kind, 1 + name.size(), s.meaning);
  if (llvm::is_contained(kFonts, name)) {
    llvm::StringRef tail = rest.substr(name.size());
    llvm::StringRef inner = tail.ltrim(" {").take_while(isIdentifierCharacter);
    size_t length = inner.end() - text.data() - at;
    if (!inner.empty() && isIdentifierStart(inner.front())) {
      llvm::StringRef close = text.substr(at + length).ltrim(' ');
      if (tail.ltrim(' ').starts_with("{") && close.starts_with("}"))
        length = close.begin() + 1 - text.data() - at;
      return make(Token::Word, length, inner);
    }
  }
  return make(Token::Unknown, 1 + name.size());
}

Token Lexer::next() {
  while (skipNoise()) {
  }
  llvm::StringRef rest = text.substr(at);
  if (rest.empty())
    return make(Token::End, 0);
  char c = rest.front();
  if (isIdentifierStart(c))
    return lexWord();
  if (llvm::isDigit(c))
    return make(Token::Integer, lengthOfInteger(rest));
  if (c == '\\')
    return lexCommand();
  if (rest.starts_with("->"))
    return make(Token::Arrow, 2);
  if (rest.starts_with("..."))
    return make(Token::Ellipsis, 3);
  if (c == '/')
    return make(Token::Slash, rest.starts_with("//") ? 2 : 1);
  if (c == '%')
    return make(Token::Word, 1, "mod");
  if (rest.starts_with("<<"))
    return make(Token::ShiftLeft, 2);
  if (rest.starts_with(">>"))
    return make(Token::ShiftRight, 2);
  if (llvm::StringRef("()[]{},:;+-*.<>&^|").contains(c))
    return make(static_cast<Token::Kind>(c), 1);
  if (static_cast<unsigned char>(c) < 0x80)
    return make(Token::Unknown, 1);
  for (const Spelling &s : kCharacters)
    if (rest.starts_with(s.written))
      return make(s.kind, s.written.size(), s.meaning);
  return make(Token::Unknown,
              std::min<size_t>(llvm::getNumBytesForUTF8(c), rest.size()));
}

llvm::StringRef Lexer::takeLine(char stop) {
  size_t begin = at;
  while (at < text.size() && text[at] != '\n' && text[at] != stop)
    ++at;
  llvm::StringRef taken = text.slice(begin, at).trim();
  if (at < text.size() && text[at] == stop && stop != '\n')
    ++at;
  return taken;
}

} // namespace mercator::indexing
