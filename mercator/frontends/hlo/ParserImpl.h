// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The implementation of the parser, shared by its .cpp files only: Parser.cpp
// (module and computations), ParseInstructions.cpp, ParseAttributes.cpp,
// ParsePatterns.cpp (windows, dimension labels, slices, padding),
// ParseShapes.cpp and ParseLiterals.cpp. Each parseX returns false after it
// reported an error.

#ifndef MERCATOR_FRONTENDS_HLO_PARSERIMPL_H
#define MERCATOR_FRONTENDS_HLO_PARSERIMPL_H

#include "mercator/frontends/hlo/Lexer.h"
#include "mercator/frontends/hlo/OpcodeTable.h"
#include "mercator/frontends/hlo/Syntax.h"
#include "mercator/support/Diagnostic.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

namespace mercator::hlo {

using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::Twine;

class ParserImpl {
public:
  /// Parses a module that begins at `begin` of `source`. Requires: a zero byte
  /// follows `source`, which outlives the module.
  ParserImpl(const SourceBuffer &buffer, DiagnosticEngine &diagnostics,
             Module &module, StringRef source, uint32_t begin = 0);
  /// Ensures: stops at the end, at the beginning of another module, or after an
  /// error.
  bool run();
  [[nodiscard]] bool atEnd() const { return at(TokenKind::Eof); }
  [[nodiscard]] bool atHeader() const { return atWord("HloModule"); }
  [[nodiscard]] uint32_t place() const { return token.begin; }
  void refuseSecondModule();

private:
  struct Range {
    uint32_t begin = 0, end = 0;
  };
  /// An instruction under construction: the tree's node and the places of its
  /// parts.
  struct Draft {
    Instruction node;
    Range name, shape, opcode;
    SmallVector<uint32_t, 8> operands;
    SmallVector<Range, 8> operandRanges;
    SmallVector<Attribute, 4> attributes;
    bool poisoned = false; // an operand or callee had an error: report no more
  };

  //===--- Tokens ---------------------------------------------------------===//
  bool at(TokenKind kind) const { return token.is(kind); }
  bool atWord(StringRef word) const {
    return at(TokenKind::Word) && text() == word;
  }
  StringRef text() const { return lexer.spelling(token); }
  Token peek() const { return lexer.lex(token.end); }
  void advance();
  void moveTo(uint32_t offset); // lexing continues there
  bool eat(TokenKind kind);
  bool expect(TokenKind kind, const Twine &role);
  Range range() const { return {token.begin, token.end}; }

  //===--- Errors ---------------------------------------------------------===//
  bool error(Range where, const Twine &message);
  /// Whether the text ends at this place, in the middle of a computation.
  bool isCutOff(Range where) const;
  void note(Range where, const Twine &message);
  void help(const Twine &message) { diagnostics.help(message); }
  /// "expected WHAT, got TOKEN", or the problem with the token itself.
  bool unexpected(const Twine &what);
  std::string describeToken() const;

  //===--- Module (Parser.cpp) --------------------------------------------===//
  bool parseHeader();
  bool parseStackTables();
  bool parseNameTable(StringRef title, std::vector<StringRef> &rows);
  bool parseRow(int64_t id, ArrayRef<StringRef> keys,
                llvm::MutableArrayRef<int64_t> values);
  bool parseTopLevel();
  bool atComputation() const;
  bool parseComputation();
  bool parseSignature(Computation &computation);
  bool parseBody(Computation &computation, Range open);
  bool parseInlineComputation(AttrName attr, ComputationRef &ref,
                              bool &poisoned);
  void parseBareInstructions();
  bool finishComputation(Computation &computation, Range name, bool good);
  bool checkSignature(const Computation &computation, Range where);
  bool numberParameters(Computation &computation);
  bool checkEntryLayout();
  bool chooseEntry();

  //===--- Instructions (ParseInstructions.cpp) ---------------------------===//
  bool parseInstruction(Computation &computation);
  bool parseRhs(Draft &draft, Computation &computation);
  bool parseOpcode(Draft &draft);
  bool parseArguments(Draft &draft, Computation &computation);
  bool parseParameterNumber(Draft &draft);
  bool parseOperand(Draft &draft, Computation &computation);
  bool parseNestedOperand(Draft &draft, Computation &computation,
                          const Shape *shape, Range shapeRange);
  uint32_t implicitParameter(Computation &computation, StringRef name,
                             const Shape &shape, SourceLoc loc);
  bool undefinedOperand(Computation &computation, StringRef name, Range where);
  bool finishInstruction(Draft &draft, Computation &computation);
  bool checkOperandCount(const Draft &draft);
  bool checkRequiredAttributes(const Draft &draft);
  bool checkShape(Draft &draft, Computation &computation);
  uint32_t append(Draft &draft, Computation &computation);
  StringRef freshName(StringRef stem);
  bool parseTupleIndices(Computation &computation, StringRef name,
                         uint32_t &index);
  void skipToNextInstruction(uint32_t start);
  bool looksLikeInstruction(uint32_t lineStart) const;

  //===--- Attributes (ParseAttributes.cpp) -------------------------------===//
  bool parseInstructionAttributes(Draft &draft, Computation &computation);
  bool parseHeaderAttributes();
  bool parseAttributeName(StringRef owner, const AttributeSet &allowed,
                          bool keepUnknown, Attribute &attribute, Range &where);
  bool parseValue(Attribute &attribute, AttrKind kind, Draft *draft,
                  Computation *computation);
  bool parseInteger(int64_t &value, const Twine &role);
  bool parseIntList(SmallVectorImpl<int64_t> &values);
  bool parseIntLists(Attribute &attribute);
  bool parseReal(double &value);
  bool parseString(StringRef &value);
  bool parseRaw(StringRef &value);
  bool parseFlag(Attribute &attribute);
  bool parseWord(Attribute &attribute);
  bool parseWords(Attribute &attribute);
  bool parseShapesValue(Attribute &attribute);
  bool parseDictionary(Attribute &attribute);
  bool parseMetadata(Attribute &attribute);
  bool parseWindow(Attribute &attribute);
  bool parseDimLabels(Attribute &attribute);
  bool parseSlices(Attribute &attribute);
  bool parsePadding(Attribute &attribute);
  bool parseCallees(Attribute &attribute, Draft *draft, bool list);
  bool resolveCallee(StringRef name, Range where, AttrName attr, Draft *draft,
                     ComputationRef &ref);
  bool parsePredecessors(Attribute &attribute, Draft *draft,
                         Computation &computation);
  bool parseEntryLayout();

  //===--- Shapes (ParseShapes.cpp) ---------------------------------------===//
  /// Whether a shape begins here: a type and `[`, `token`, `opaque`, `(`, `b(`.
  bool atShape() const;
  /// `layoutAlways`: a brace after the shape must be a layout (never the body
  /// of a computation), so `{}` is a layout too.
  const Shape *parseShape(bool layoutAlways = false);
  const Shape *parseTupleShape();
  const Shape *parseArrayShape(ElementType type, bool layoutAlways);
  bool parseDims(Shape &shape, Range where);
  const Layout *parseLayout(unsigned rank);
  bool parseLayoutProperty(Layout &layout);
  bool parseParenInteger(int64_t &value);
  bool parseParenType(std::optional<ElementType> &type);

  //===--- Literals (ParseLiterals.cpp) -----------------------------------===//
  const Literal *parseLiteral(const Shape &shape);
  const Literal *parseDenseLiteral(const Shape &shape);
  bool parseElement(ElementType type, SmallVectorImpl<char> &bytes);
  bool parseScalar(ElementType type, SmallVectorImpl<char> &bytes);
  bool parseNan(ElementType type, bool negative, Range where,
                SmallVectorImpl<char> &bytes);

  //===--- State ----------------------------------------------------------===//
  const SourceBuffer &buffer;
  DiagnosticEngine &diagnostics;
  Module &module;
  StringRef source; // the module's copy of the text
  Lexer lexer;
  Token token;
  uint32_t previousEnd = 0;
  unsigned depth = 0;  // of nested shapes, operands, literals, computations
  bool ranOut = false; // recovery found no place to continue
  unsigned inlineCounter = 0; // names of computations written at their call

  /// The value of a name whose definition had an error. Uses of it are not
  /// reported.
  static constexpr uint32_t kPoisoned = kNone - 1;
  llvm::DenseMap<StringRef, uint32_t> computationNames;

  /// The current body; saved and restored around a computation that is written
  /// at its call.
  struct Body {
    StringRef computation; // its name
    llvm::DenseMap<StringRef, uint32_t> names;
    SmallVector<uint32_t, 1> implicitParameters;
    uint32_t root = kNone; // kPoisoned: marked ROOT, but in error
    StringRef defining;    // the current instruction
    unsigned freshCounter = 0;
    bool bare = false;         // instructions without a computation around them
    bool sawParameter = false; // it wrote `parameter(n)`
    bool good = true;          // every instruction is in the tree
  };
  Body body;
};

} // namespace mercator::hlo

#endif // MERCATOR_FRONTENDS_HLO_PARSERIMPL_H
