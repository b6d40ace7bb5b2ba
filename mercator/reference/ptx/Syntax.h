// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The text of PTX: tokens, and statements with their operands.
///
///   @!%p1 ld.global.nc.v2.b32 {%r1, %r2}, [%rd1+8];
///
///   guard %p1, negated; parts "ld", "global", "nc", "v2", "b32"; operands: a vector of
///   two registers, and an address: the register %rd1 and 8

#ifndef MERCATOR_REFERENCE_PTX_SYNTAX_H
#define MERCATOR_REFERENCE_PTX_SYNTAX_H

#include "mercator/reference/ptx/Module.h"

#include "llvm/ADT/SmallVector.h"

namespace mercator::reference::ptx {

struct Token {
  enum Kind : uint8_t {
    End,
    Word,        ///< letters, digits, _, $ and %, with "::" between two words
    Dotted,      ///< `.word`, without the dot
    Integer,     ///< `integer` has its value
    Float32,     ///< 0f3F800000: `integer` has the bits
    Float64,     ///< 0d3FF0000000000000, or 1.5
    String,      ///< in quotes, which are not in `text`
    Punctuation, ///< one character
    Bad,         ///< a byte that no token begins with, or a number that is none
  };
  Kind kind = End;
  llvm::StringRef text;
  uint64_t integer = 0;
  uint32_t begin = 0, end = 0;
  /// Whether another token of the same line is before this one.
  bool isFirstOfLine = false;
  /// Whether nothing separates this token from the one before.
  bool isGlued = false;

  [[nodiscard]] bool is(char c) const {
    return kind == Punctuation && text[0] == c;
  }
};

/// Cuts a text into tokens. Comments are left out.
class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : text(text) {}
  Token next();

private:
  void skipBlanks(bool &isNewLine);
  llvm::StringRef text;
  size_t at = 0;
  bool isStart = true;
};

/// A declared register.
struct Register {
  Slot slot = 0; ///< of a predicate: its index
  uint8_t bytes = 0;
  bool isPredicate = false;
};

struct Operand {
  enum Kind : uint8_t {
    RegisterOperand,
    Number, ///< `integer`, the bits of a number of `numberBytes`, 0 for an integer
    Symbol, ///< the address of a variable in `integer`, or a function, or a label
    Address, ///< a register and/or a constant in `integer`
    Vector,
    Sink, ///< _
  };
  Kind kind = Number;
  Register reg = {};
  bool hasRegister = false; ///< of an address
  bool isNegated = false;   ///< of a predicate
  uint8_t numberBytes = 0;
  uint64_t integer = 0;
  llvm::StringRef name;
  std::vector<Operand> elements;
  /// After '|': `%p1|%p2`.
  std::vector<Operand> second;
  uint32_t begin = 0, end = 0;
};

struct Statement {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  llvm::SmallVector<Operand, 4> operands;
  bool hasGuard = false, guardIsNegated = false;
  Register guard = {};
  uint32_t begin = 0, end = 0;
  uint32_t opcodeEnd = 0;
};

} // namespace mercator::reference::ptx

#endif // MERCATOR_REFERENCE_PTX_SYNTAX_H
