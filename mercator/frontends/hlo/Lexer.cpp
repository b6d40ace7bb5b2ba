// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/Lexer.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace mercator::hlo;
using llvm::StringRef;

static bool isWordStart(char c) { return llvm::isAlpha(c) || c == '_'; }
static bool isWordPart(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-';
}
static bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

StringRef mercator::hlo::describe(TokenKind kind) {
  switch (kind) {
  case TokenKind::Eof:
    return "the end of the text";
  case TokenKind::Error:
    return "an invalid token";
  case TokenKind::Word:
    return "a word";
  case TokenKind::Name:
    return "a name";
  case TokenKind::Integer:
    return "an integer";
  case TokenKind::Real:
    return "a number";
  case TokenKind::String:
    return "a string";
  case TokenKind::Pattern:
    return "a pattern";
  case TokenKind::LParen:
    return "'('";
  case TokenKind::RParen:
    return "')'";
  case TokenKind::LBrace:
    return "'{'";
  case TokenKind::RBrace:
    return "'}'";
  case TokenKind::LBracket:
    return "'['";
  case TokenKind::RBracket:
    return "']'";
  case TokenKind::Comma:
    return "','";
  case TokenKind::Equal:
    return "'='";
  case TokenKind::Colon:
    return "':'";
  case TokenKind::Star:
    return "'*'";
  case TokenKind::Hash:
    return "'#'";
  case TokenKind::Question:
    return "'?'";
  case TokenKind::Plus:
    return "'+'";
  case TokenKind::Tilde:
    return "'~'";
  case TokenKind::Arrow:
    return "'->'";
  case TokenKind::LessEqual:
    return "'<='";
  case TokenKind::Ellipsis:
    return "'...'";
  }
  return "";
}

static Token errorToken(uint32_t begin, uint32_t end, const char *problem) {
  return {TokenKind::Error, begin, end, problem};
}

Token Lexer::lex(uint32_t offset) const {
  const char *p = text.data();
  const uint32_t size = text.size();
  // The zero byte after the text ends every loop below.
  for (;;) {
    while (isBlank(p[offset]))
      ++offset;
    if (p[offset] != '/')
      break;
    if (p[offset + 1] == '/') {
      size_t end = text.find_first_of("\r\n", offset);
      offset = end == StringRef::npos ? size : end;
    } else if (p[offset + 1] == '*') {
      size_t end = text.find("*/", offset + 2);
      if (end == StringRef::npos)
        return errorToken(offset, offset + 2, "this comment is never closed");
      offset = end + 2;
    } else {
      return errorToken(offset, offset + 1, "unexpected character '/'");
    }
  }

  if (offset >= size)
    return {TokenKind::Eof, size, size};
  const uint32_t begin = offset;
  auto single = [&](TokenKind kind) { return Token{kind, begin, begin + 1}; };
  auto word = [&](uint32_t from, TokenKind kind) {
    uint32_t end = from;
    while (isWordPart(p[end]))
      ++end;
    if (p[end] == '>' && p[end - 1] == '-')
      --end; // `a->b`
    return Token{kind, begin, end};
  };

  switch (p[begin]) {
  case '(':
    return single(TokenKind::LParen);
  case ')':
    return single(TokenKind::RParen);
  case '{':
    return single(TokenKind::LBrace);
  case '}':
    return single(TokenKind::RBrace);
  case '[':
    return single(TokenKind::LBracket);
  case ']':
    return single(TokenKind::RBracket);
  case ',':
    return single(TokenKind::Comma);
  case '=':
    return single(TokenKind::Equal);
  case ':':
    return single(TokenKind::Colon);
  case '*':
    return single(TokenKind::Star);
  case '#':
    return single(TokenKind::Hash);
  case '?':
    return single(TokenKind::Question);
  case '+':
    return single(TokenKind::Plus);
  case '~':
    return single(TokenKind::Tilde);
  case '"':
  case '\'':
    return lexString(begin);
  case '%':
    if (isWordStart(p[begin + 1]))
      return word(begin + 1, TokenKind::Name);
    return errorToken(begin, begin + 1, "expected a name after '%'");
  case '<':
    if (p[begin + 1] == '=')
      return {TokenKind::LessEqual, begin, begin + 2};
    return errorToken(begin, begin + 1, "unexpected character '<'");
  case '.':
    if (p[begin + 1] == '.' && p[begin + 2] == '.')
      return {TokenKind::Ellipsis, begin, begin + 3};
    return lexNumber(begin);
  case '-':
    if (p[begin + 1] == '>')
      return {TokenKind::Arrow, begin, begin + 2};
    return lexNumber(begin);
  default:
    if (isWordStart(p[begin]))
      return word(begin, TokenKind::Word);
    if (llvm::isDigit(p[begin]))
      return lexNumber(begin);
    return errorToken(begin, begin + 1, "unexpected character");
  }
}

Token Lexer::lexNumber(uint32_t begin) const {
  const char *p = text.data();
  uint32_t at = begin + (p[begin] == '-');
  StringRef rest = text.substr(at);
  for (StringRef special : {"inf", "nan"})
    if (at > begin && rest.starts_with(special) &&
        !isWordPart(p[at + special.size()]))
      return {TokenKind::Real, begin, uint32_t(at + special.size())};

  auto digits = [&] {
    uint32_t from = at;
    while (llvm::isDigit(p[at]))
      ++at;
    return at - from;
  };
  bool real = false;
  unsigned count = digits();
  if (p[at] == '.' && p[at + 1] != '.') {
    real = true;
    ++at;
    count += digits();
  }
  if (count == 0)
    return errorToken(begin, begin + 1, "unexpected character");
  if (p[at] == 'e' || p[at] == 'E') {
    uint32_t mark = at++;
    if (p[at] == '+' || p[at] == '-')
      ++at;
    if (digits())
      real = true;
    else
      at = mark;
  }
  return {real ? TokenKind::Real : TokenKind::Integer, begin, at};
}

Token Lexer::lexString(uint32_t begin) const {
  const char quote = text[begin];
  const char stops[] = {quote, '\\', 0};
  size_t at = begin + 1;
  for (;;) {
    at = text.find_first_of(stops, at);
    if (at == StringRef::npos)
      return errorToken(begin, begin + 1, "this string is never closed");
    if (text[at] == quote)
      return {TokenKind::String, begin, uint32_t(at + 1)};
    at += 2; // an escape of any kind
  }
}

Token Lexer::lexPattern(uint32_t offset) const {
  const char *p = text.data();
  uint32_t end = offset;
  for (char c = p[end];
       isWordPart(c) || c == '?' || c == '+' || (c == '>' && p[end - 1] == '-');
       c = p[end])
    ++end;
  return {TokenKind::Pattern, offset, end};
}

Token Lexer::lexRaw(uint32_t offset, unsigned maxDepth) const {
  llvm::SmallVector<std::pair<char, uint32_t>, 16> open; // closer, offset
  uint32_t at = offset;
  const uint32_t size = text.size();
  while (at < size) {
    char c = text[at];
    if (c == '"' || c == '\'') {
      Token string = lexString(at);
      if (string.is(TokenKind::Error))
        return string;
      at = string.end;
      continue;
    }
    if (c == '{' || c == '[' || c == '(') {
      if (open.size() == maxDepth)
        return errorToken(at, at + 1, "brackets are nested too deeply");
      open.push_back({c == '{' ? '}' : c == '[' ? ']' : ')', at});
    } else if (c == '}' || c == ']' || c == ')') {
      if (open.empty())
        break;
      if (open.back().first != c)
        return errorToken(at, at + 1,
                          "this bracket has no matching opening bracket");
      open.pop_back();
    } else if (open.empty() && c == ' ' && at > offset && at + 1 < size &&
               StringRef("{[(<").contains(text[at + 1])) {
      ++at; // the bracket belongs to the value
      continue;
    } else if (open.empty() && (isBlank(c) || c == ',')) {
      break;
    } else if (c == '/' && text.substr(at).starts_with("/*")) {
      size_t end = text.find("*/", at + 2);
      if (end == StringRef::npos)
        return errorToken(at, at + 2, "this comment is never closed");
      if (open.empty())
        break;
      at = end + 1;
    }
    ++at;
  }
  if (!open.empty())
    return errorToken(open.back().second, open.back().second + 1,
                      "this bracket is never closed");
  return {TokenKind::Pattern, offset, at};
}

//===----------------------------------------------------------------------===//
// Escapes
//===----------------------------------------------------------------------===//

static int simpleEscape(char c) {
  switch (c) {
  case 'n':
    return '\n';
  case 't':
    return '\t';
  case 'r':
    return '\r';
  case 'a':
    return '\a';
  case 'b':
    return '\b';
  case 'f':
    return '\f';
  case 'v':
    return '\v';
  case '"':
  case '\'':
  case '\\':
  case '?':
  case '/':
    return c;
  default:
    return -1;
  }
}

/// Appends the UTF-8 form of \uXXXX or \UXXXXXXXX.
static bool appendUnicode(StringRef digits, llvm::SmallVectorImpl<char> &out) {
  unsigned code;
  if (digits.getAsInteger(16, code))
    return false;
  char bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *end = bytes;
  if (!llvm::ConvertCodePointToUTF8(code, end))
    return false;
  out.append(bytes, end);
  return true;
}

bool mercator::hlo::unescape(StringRef inside, llvm::SmallVectorImpl<char> &out,
                             size_t &problemAt) {
  for (size_t at = 0; at < inside.size();) {
    char c = inside[at];
    if (c != '\\') {
      out.push_back(c);
      ++at;
      continue;
    }
    problemAt = at++;
    if (at == inside.size())
      return false;
    char kind = inside[at];
    if (int plain = simpleEscape(kind); plain >= 0) {
      out.push_back(char(plain));
      ++at;
    } else if (kind == 'u' || kind == 'U') {
      size_t length = kind == 'u' ? 4 : 8;
      StringRef digits = inside.substr(at + 1, length);
      if (digits.size() != length || !appendUnicode(digits, out))
        return false;
      at += 1 + length;
    } else if (kind == 'x') {
      size_t end = at + 1;
      unsigned value = 0;
      for (;
           end < inside.size() && end < at + 3 && llvm::isHexDigit(inside[end]);
           ++end)
        value = value * 16 + llvm::hexDigitValue(inside[end]);
      if (end == at + 1)
        return false;
      out.push_back(char(value));
      at = end;
    } else if (kind >= '0' && kind <= '7') {
      size_t end = at;
      unsigned value = 0;
      for (; end < inside.size() && end < at + 3 && inside[end] >= '0' &&
             inside[end] <= '7';
           ++end)
        value = value * 8 + (inside[end] - '0');
      if (value > 255)
        return false;
      out.push_back(char(value));
      at = end;
    } else {
      return false;
    }
  }
  return true;
}

std::string mercator::hlo::escape(StringRef text) {
  std::string out = "\"";
  for (char c : text) {
    switch (c) {
    case '\n':
      out += "\\n";
      break;
    case '\t':
      out += "\\t";
      break;
    case '\r':
      out += "\\r";
      break;
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    default:
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
        // Three octal digits never merge with a digit that follows.
        out += '\\';
        out += char('0' + (c >> 6 & 7));
        out += char('0' + (c >> 3 & 7));
        out += char('0' + (c & 7));
      } else {
        out += c;
      }
    }
  }
  out += '"';
  return out;
}
