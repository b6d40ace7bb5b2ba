// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/FloatFormat.h"
#include "mercator/frontends/hlo/ParserImpl.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

using namespace mercator;
using namespace mercator::hlo;

/// constant := literal; literal := `{...}` | tuple | nested braces of scalars.
/// Old texts repeat the shape before the value; this is accepted.
const Literal *ParserImpl::parseLiteral(const Shape &shape) {
  if (!shape.isTuple()) {
    if (atShape() && !at(TokenKind::LParen)) {
      Range where = range();
      const Shape *written = parseShape(/*layoutAlways=*/true);
      if (!written)
        return nullptr;
      if (!sameShape(*written, shape)) {
        error(where, "the literal says " + quote(toString(*written)) +
                         ", the instruction " + quote(toString(shape)));
        return nullptr;
      }
    }
    return parseDenseLiteral(shape);
  }
  if (depth == kMaxDepth) {
    error(range(),
          "literals are nested more than " + Twine(kMaxDepth) + " deep");
    return nullptr;
  }
  Literal *literal = new (module.arena().Allocate<Literal>()) Literal;
  literal->shape = &shape;
  if (at(TokenKind::LBrace) && peek().is(TokenKind::Ellipsis)) {
    advance();
    advance();
    literal->elided = true;
    return expect(TokenKind::RBrace, "after '...'") ? literal : nullptr;
  }
  if (!expect(TokenKind::LParen, "before the members of a tuple constant"))
    return nullptr;
  SmallVector<const Literal *> members;
  for (const Shape *member : shape.elements) {
    if (!members.empty() && !expect(TokenKind::Comma, "between tuple members"))
      return nullptr;
    ++depth;
    const Literal *value = parseLiteral(*member);
    --depth;
    if (!value)
      return nullptr;
    members.push_back(value);
  }
  literal->elements = module.save(ArrayRef<const Literal *>(members));
  return expect(TokenKind::RParen, "after the members of a tuple constant")
             ? literal
             : nullptr;
}

/// Braces are counted without recursion: `open[k]` is the number of entries of
/// the array at level k so far.
const Literal *ParserImpl::parseDenseLiteral(const Shape &shape) {
  Literal *literal = new (module.arena().Allocate<Literal>()) Literal;
  literal->shape = &shape;
  if (!shape.isArray()) {
    error(range(), "a constant of shape " + quote(toString(shape)) +
                       " cannot be written");
    return nullptr;
  }
  const unsigned rank = shape.rank();
  if (at(TokenKind::LBrace) && peek().is(TokenKind::Ellipsis)) {
    advance();
    advance();
    literal->elided = true;
    return expect(TokenKind::RBrace, "after '...'") ? literal : nullptr;
  }
  SmallVector<char> bytes;
  if (rank == 0 || !at(TokenKind::LBrace)) {
    if (!parseElement(shape.elementType, bytes))
      return nullptr;
    literal->bytes = module.save(ArrayRef<char>(bytes));
    literal->splat = rank != 0;
    return literal;
  }
  if (at(TokenKind::LBrace) && peek().is(TokenKind::RBrace) &&
      shape.isStatic() && shape.elementCount() == 0) {
    advance();
    advance();
    return literal;
  }

  SmallVector<int64_t> open;
  SmallVector<Range> openedAt;
  auto wanted = [&](unsigned level) { return shape.dims[level]; };
  auto countEntry = [&]() { // a scalar or a sub-array begins here
    if (open.back() == wanted(open.size() - 1))
      return error(range(), "expected " + Twine(open.back()) +
                                " entries in dimension " +
                                Twine(open.size() - 1) + " of " +
                                quote(toString(shape)) + ", got more");
    if (open.back() > 0 && !expect(TokenKind::Comma, "between entries"))
      return false;
    ++open.back();
    return true;
  };
  do {
    if (at(TokenKind::RBrace)) {
      unsigned level = open.size() - 1;
      if (open.back() != wanted(level)) {
        error(range(), "expected " + Twine(wanted(level)) +
                           " entries in dimension " + Twine(level) + " of " +
                           quote(toString(shape)) + ", got " +
                           Twine(open.back()));
        note(openedAt.back(), "they begin here");
        return nullptr;
      }
      open.pop_back();
      openedAt.pop_back();
      advance();
      continue;
    }
    if (!open.empty() && !countEntry())
      return nullptr;
    if (open.size() < rank) {
      openedAt.push_back(range());
      if (!expect(TokenKind::LBrace, "before dimension " + Twine(open.size())))
        return nullptr;
      open.push_back(0);
    } else if (!parseElement(shape.elementType, bytes)) {
      return nullptr;
    }
  } while (!open.empty());
  literal->bytes = module.save(ArrayRef<char>(bytes));
  return literal;
}

bool ParserImpl::parseElement(ElementType type, SmallVectorImpl<char> &bytes) {
  if (!isComplex(type))
    return parseScalar(type, bytes);
  ElementType part = realPart(type);
  return expect(TokenKind::LParen, "before a complex number") &&
         parseScalar(part, bytes) &&
         expect(TokenKind::Comma, "between real and imaginary part") &&
         parseScalar(part, bytes) &&
         expect(TokenKind::RParen, "after a complex number");
}

/// Little endian, in whole bytes for each element.
static void appendBits(uint64_t bits, unsigned count,
                       SmallVectorImpl<char> &bytes) {
  for (unsigned i = 0; i < count; ++i)
    bytes.push_back(char(bits >> (8 * i)));
}

bool ParserImpl::parseScalar(ElementType type, SmallVectorImpl<char> &bytes) {
  StringRef word = text();
  Range where = range();
  if (type == ElementType::PRED) {
    bool isTrue = word == "true" || word == "1";
    if (!isTrue && word != "false" && word != "0")
      return unexpected("'true' or 'false'");
    bytes.push_back(isTrue);
    advance();
    return true;
  }

  if (isInteger(type)) {
    if (!at(TokenKind::Integer))
      return unexpected("an integer for " + quote(spelling(type)));
    bool negative = word.consume_front("-");
    uint64_t magnitude;
    bool fits = !word.getAsInteger(10, magnitude);
    unsigned bits = bitWidth(type);
    if (isSignedInteger(type))
      fits = fits && magnitude <= (uint64_t(1) << (bits - 1)) - !negative;
    else
      fits = fits && !(negative && magnitude) &&
             magnitude <= (~uint64_t(0) >> (64 - bits));
    if (!fits)
      return error(where, text() + " does not fit " + quote(spelling(type)));
    appendBits(negative ? -magnitude : magnitude, byteWidth(type), bytes);
    advance();
    return true;
  }

  // A float.
  if (word == "nan" || word == "-nan")
    return parseNan(type, word.starts_with("-"), where, bytes);
  llvm::APFloat value(floatSemantics(type));
  if (word == "inf" || word == "-inf") {
    value = llvm::APFloat::getInf(floatSemantics(type), word.starts_with("-"));
  } else {
    if (!at(TokenKind::Integer) && !at(TokenKind::Real))
      return unexpected("a number for " + quote(spelling(type)));
    if (word.size() > 4096)
      return error(where, "a number has at most 4096 characters");
    auto status = parseFloat(word, type, value);
    if (status == FloatStatus::Overflow)
      return error(where, word + " does not fit " + quote(spelling(type)));
  }
  appendBits(value.bitcastToAPInt().getZExtValue(), byteWidth(type), bytes);
  advance();
  return true;
}

/// `nan`, `-nan`, `nan(0x7fe)`: the payload is the whole mantissa.
bool ParserImpl::parseNan(ElementType type, bool negative, Range where,
                          SmallVectorImpl<char> &bytes) {
  const llvm::fltSemantics &semantics = floatSemantics(type);
  uint64_t bits = llvm::APFloat::getQNaN(semantics, negative)
                      .bitcastToAPInt()
                      .getZExtValue();
  advance();
  if (at(TokenKind::LParen)) {
    // The lexer splits 0x7fe into a number and a word, so it is read as one
    // pattern.
    Token payload = lexer.lexPattern(token.end);
    StringRef digits = lexer.spelling(payload);
    uint64_t value = 0;
    unsigned mantissa = llvm::APFloat::semanticsPrecision(semantics) - 1;
    where.end = payload.end;
    if (!digits.consume_front("0x") || digits.getAsInteger(16, value))
      return error(where, "expected a NaN payload such as 'nan(0x400000)'");
    if (!hasIeeeNans(type) || value == 0 || value >> mantissa)
      return error(where,
                   "this NaN payload does not fit " + quote(spelling(type)));
    bits = (bits >> mantissa << mantissa) | value;
    moveTo(payload.end);
    if (!expect(TokenKind::RParen, "after a NaN payload"))
      return false;
  }
  appendBits(bits, byteWidth(type), bytes);
  return true;
}
