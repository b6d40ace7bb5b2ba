// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/ptx/Syntax.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"

namespace mercator::reference::ptx {

void Lexer::skipBlanks(bool &isNewLine) {
  while (at < text.size()) {
    llvm::StringRef rest = text.drop_front(at);
    if (rest[0] == '\n')
      isNewLine = true;
    if (llvm::isSpace(rest[0]))
      ++at;
    else if (rest.starts_with("//"))
      at += std::min(rest.find('\n'), rest.size());
    else if (rest.starts_with("/*")) {
      size_t close = rest.find("*/", 2);
      at += close == llvm::StringRef::npos ? rest.size() : close + 2;
    } else
      return;
  }
}

static bool isWordByte(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '%';
}

/// Reads a number: 12, 0x1F, 0b1, 12U, 0f3F800000, 0d3FF0000000000000, 1.5.
static void readNumber(Token &token) {
  llvm::StringRef digits = token.text;
  auto isHex = [&](llvm::StringRef prefix, size_t count) {
    return digits.size() == prefix.size() + count &&
           digits.starts_with_insensitive(prefix) &&
           !digits.drop_front(2).getAsInteger(16, token.integer);
  };
  if (isHex("0f", 8)) {
    token.kind = Token::Float32;
    return;
  }
  if (isHex("0d", 16)) {
    token.kind = Token::Float64;
    return;
  }
  if (digits.contains('.')) {
    double value;
    token.kind = digits.getAsDouble(value) ? Token::Bad : Token::Float64;
    token.integer =
        std::bit_cast<uint64_t>(token.kind == Token::Bad ? 0 : value);
    return;
  }
  digits.consume_back("U");
  token.kind =
      digits.getAsInteger(0, token.integer) ? Token::Bad : Token::Integer;
}

Token Lexer::next() {
  Token token;
  bool isNewLine = isStart;
  isStart = false;
  size_t before = at;
  skipBlanks(isNewLine);
  token.isFirstOfLine = isNewLine;
  token.isGlued = before == at;
  token.begin = token.end = at;
  if (at >= text.size())
    return token;
  auto takeWord = [&](size_t from) {
    size_t to = from;
    while (to < text.size() &&
           (isWordByte(text[to]) ||
            (text.substr(to, 2) == "::" && to + 2 < text.size() &&
             isWordByte(text[to + 2]))))
      to += text[to] == ':' ? 2 : 1;
    return to;
  };
  char first = text[at];
  size_t end = at + 1;
  if (llvm::isDigit(first)) {
    end = takeWord(at);
    // A decimal fraction; of an instruction, a part begins with a letter.
    if (end + 1 < text.size() && text[end] == '.' &&
        llvm::isDigit(text[end + 1]))
      end = takeWord(end + 1);
    token.text = text.slice(at, end);
    readNumber(token);
  } else if (isWordByte(first)) {
    end = takeWord(at);
    token.kind = Token::Word;
    token.text = text.slice(at, end);
  } else if (first == '.' && at + 1 < text.size() && isWordByte(text[at + 1])) {
    end = takeWord(at + 1);
    token.kind = Token::Dotted;
    token.text = text.slice(at + 1, end);
  } else if (first == '"') {
    size_t close = text.find_first_of("\"\n", at + 1);
    bool isClosed = close != llvm::StringRef::npos && text[close] == '"';
    token.kind = isClosed ? Token::String : Token::Bad;
    token.text = text.slice(at + 1, std::min(close, text.size()));
    end = isClosed ? close + 1 : std::min(close, text.size());
  } else {
    token.kind = llvm::StringRef("{}[]()<>,;:@!+-|=").contains(first)
                     ? Token::Punctuation
                     : Token::Bad;
    token.text = text.slice(at, end);
  }
  at = end;
  token.end = at;
  return token;
}

} // namespace mercator::reference::ptx
