// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parser of the notation: recursive descent with one token of lookahead,
// limited in depth. It builds expressions in the arena while it reads, and
// resolves names against the variable lists at the front of the map.

#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/notation/Bits.h"
#include "mercator/indexing/notation/Identifiers.h"
#include "mercator/indexing/notation/Lexer.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/support/Suggest.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace mercator::indexing {

void report(const ParseError &error, const SourceBuffer &buffer,
            DiagnosticEngine &diagnostics, size_t offset) {
  (void)diagnostics.error({&buffer, offset + error.begin, offset + error.end},
                          error.message);
  if (!error.note.empty())
    diagnostics.note(
        {&buffer, offset + error.noteBegin, offset + error.noteEnd},
        error.note);
  if (!error.help.empty())
    diagnostics.help(error.help);
}

namespace {
class Parser {
public:
  Parser(Arena &arena, llvm::StringRef text, ParseError &error)
      : arena(arena), lexer(text), error(error) {
    advance();
  }

  bool parseMap(Map &map);
  bool expectEnd();
  bool atEnd() const { return token.kind == Token::End; }

  void declare(Var v, const std::string &name) {
    names[name] = {arena.variable(v), 0, 0};
  }
  Expr parseExpr(unsigned depth);
  /// The bounds of the variables, for bitwise operators.
  void setBounds(const Domain &domain) { bounds.emplace(arena, domain); }

private:
  struct Declared {
    Expr expr;
    size_t begin = 0, end = 0;
  };
  using Names = llvm::StringMap<Declared>;

  //===--- Tokens --------------------------------------------------------===//
  void advance() {
    previousEnd = token.end;
    token = lexer.next();
  }
  bool consume(Token::Kind kind) {
    if (token.kind != kind)
      return false;
    advance();
    return true;
  }
  Token peek() const {
    Lexer copy = lexer;
    return copy.next();
  }
  bool expect(Token::Kind kind, const char *what) {
    return consume(kind) || failAtToken(what);
  }
  bool fail(size_t begin, size_t end, std::string message,
            std::string help = {}) {
    if (error.message.empty()) {
      error.begin = begin, error.end = end;
      error.message = std::move(message), error.help = std::move(help);
    }
    return false;
  }
  bool failAtToken(const std::string &expected, std::string help = {});

  //===--- Expressions ---------------------------------------------------===//
  bool parseInteger(bool negative, int64_t &value);
  Expr parseSum(unsigned depth);
  Expr parseShift(unsigned depth);
  Expr parseTerm(unsigned depth);
  Expr parseFactor(unsigned depth);
  Expr parsePrimary(bool negative, unsigned depth);
  Expr parseMinMax(unsigned depth);
  Expr parseName();
  Expr applyOperator(const Token &op, Expr left, Expr right,
                     const Token &rightToken);
  Expr applyShift(const Token &op, Expr left, Expr right,
                  const Token &rightToken);
  Expr parseBits(Token::Kind op, unsigned depth);
  Expr applyBits(Token::Kind op, Expr left, Expr right, const Token &leftToken,
                 const Token &rightToken);
  std::optional<unsigned> bitsOf(Expr e);
  /// Fails if the expression is nested too deeply, with the place of the last
  /// token.
  Expr checkDepth(Expr e);

  //===--- Maps ----------------------------------------------------------===//
  bool parseMapOnce(Map &map);
  bool parsePrefix();
  bool parseSignature(Map &map);
  /// The lists before the arrow, in this order.
  enum List { Dims, Ranges, Runtimes, Parameters };
  bool parseNames(Map &map, List list);
  bool parseArrowAndResults(Map &map);
  bool parseResults(llvm::SmallVectorImpl<Expr> &results);
  bool parseTail(Map &map, bool isSource);
  bool parseEntry(Map &map);
  bool parseComplement(Map &map);
  bool startsShortInterval() const;
  bool parseInterval(Interval &interval);
  bool parseBound(int64_t &bound);
  bool applyGroup(Domain &domain, VarKind kind, bool each);
  bool parseBox();
  bool parseSourceBelowEntry(Map &map);
  bool parseSourceLines(Map &map);
  bool parseSource(Map &map, Var v, llvm::StringRef source);
  bool startsMap() const;
  bool startsEmpty(bool inDomain) const {
    return token.isWord("KNOWN") && peek().isWord("EMPTY") &&
           (inDomain || !token.startsLine);
  }
  void finish(Map &map);

  Arena &arena;
  Lexer lexer;
  ParseError &error;
  Token token;
  size_t previousEnd = 0;
  Names names;
  /// The intervals of the last entry, and their place in the text.
  llvm::SmallVector<Interval, 6> box;
  size_t boxBegin = 0;
  /// Bounds that precede the map: one for each dimension, or one for all.
  enum { None, Each, All } prefix = None;
  llvm::SmallVector<Interval, 6> prefixBox;
  size_t prefixBegin = 0;
  /// The variable of the last entry.
  std::optional<Var> lastEntry;
  /// Runtime variables that have had their first entry.
  llvm::DenseSet<uint32_t> clamped;
  /// In affine_map<...>, where symbols are parameters.
  bool isAffineMap = false;
  /// What is known of the variables, for bitwise operators of variables, and
  /// whether such an operator was read before it was known.
  std::optional<IntervalAnalysis> bounds;
  bool needsBounds = false;
  /// In the map of a source, which has variables of its own.
  bool isInSource = false;
  /// Symbols of the list of ranges that are runtime variables.
  llvm::SmallVector<std::optional<RuntimeVariable>, 4> asRuntime;
};
} // namespace

bool Parser::failAtToken(const std::string &expected, std::string help) {
  if (token.kind == Token::Ellipsis)
    help = "this text was cut off where it was printed";
  return fail(
      token.begin, token.end,
      "expected " + expected + ", got " +
          (atEnd() ? std::string("the end of the text") : quote(token.text)),
      std::move(help));
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

bool Parser::parseInteger(bool negative, int64_t &value) {
  uint64_t magnitude;
  if (token.kind != Token::Integer)
    return failAtToken("an integer");
  llvm::StringRef digits = token.text;
  unsigned radix = digits.consume_front_insensitive("0x") ? 16 : 10;
  if (digits.getAsInteger(radix, magnitude) ||
      magnitude > uint64_t(Interval::kMax) + negative)
    return failAtToken("an integer of 64 bits");
  value = static_cast<int64_t>(negative ? -magnitude : magnitude);
  advance();
  return true;
}

Expr Parser::parseName() {
  std::string name = normalizedIdentifier(token.text);
  auto it = names.find(name);
  if (it != names.end()) {
    advance();
    return it->second.expr;
  }
  std::string help;
  std::vector<llvm::StringRef> known;
  for (const auto &entry : names)
    known.push_back(entry.first());
  llvm::sort(known);
  if (std::optional<llvm::StringRef> near = suggest(name, known))
    help = "did you mean '" + near->str() + "'?";
  else if (known.empty())
    help = "declare it before the arrow, as in '(" + name + ") -> ...'";
  failAtToken("a variable of the map", help);
  return Expr();
}

Expr Parser::parseMinMax(unsigned depth) {
  bool isMin = token.text == "min";
  advance();
  if (!expect(Token::LeftParen, "'('"))
    return Expr();
  Expr result = parseExpr(depth + 1);
  if (!result)
    return Expr();
  if (token.kind != Token::Comma) {
    failAtToken("',' and a second operand");
    return Expr();
  }
  while (consume(Token::Comma)) {
    Expr next = parseExpr(depth + 1);
    if (!next)
      return Expr();
    result = isMin ? arena.min(result, next) : arena.max(result, next);
    if (arena.height(result) > kMaxDepth) {
      fail(previousEnd - 1, previousEnd,
           "expected at most " + std::to_string(kMaxDepth) +
               " nested operations");
      return Expr();
    }
  }
  return expect(Token::RightParen, "')'") ? result : Expr();
}

/// Integer, name, min, max or parentheses. `negative`: the minus sign before an
/// integer belongs to it.
Expr Parser::parsePrimary(bool negative, unsigned depth) {
  if (token.kind == Token::Integer) {
    int64_t value;
    if (!parseInteger(negative, value))
      return Expr();
    Expr constant = arena.constant(value);
    // 100d0 and 8 d_0, on one line.
    bool multiplies = token.kind == Token::Word && !token.startsLine &&
                      !isReservedIdentifier(token.text) &&
                      (names.contains(normalizedIdentifier(token.text)) ||
                       token.begin == previousEnd);
    if (!multiplies)
      return constant;
    Expr factor = parseName();
    return factor ? arena.mul(constant, factor) : Expr();
  }
  Expr result;
  if (token.kind == Token::LeftParen) {
    size_t open = token.begin;
    advance();
    result = parseExpr(depth + 1);
    if (result && token.kind != Token::RightParen && error.message.empty()) {
      failAtToken("')'");
      error.note = "to close this '('";
      error.noteBegin = open, error.noteEnd = open + 1;
    }
    if (!result || !consume(Token::RightParen))
      return Expr();
  } else if (token.isWord("min") || token.isWord("max")) {
    result = parseMinMax(depth);
  } else if (token.kind == Token::Word && !isReservedIdentifier(token.text)) {
    result = parseName();
  } else {
    failAtToken("an expression");
  }
  if (!result)
    return Expr();
  return negative ? arena.neg(result) : result;
}

Expr Parser::parseFactor(unsigned depth) {
  if (depth > kMaxDepth) {
    fail(token.begin, token.end,
         "expected at most " + std::to_string(kMaxDepth) +
             " nested parentheses");
    return Expr();
  }
  bool negative = false;
  while (consume(Token::Minus))
    negative = !negative;
  return parsePrimary(negative, depth);
}

Expr Parser::applyOperator(const Token &op, Expr left, Expr right,
                           const Token &rightToken) {
  bool multiplies = op.kind == Token::Star;
  if (!multiplies && arena.isConstant(right, 0)) {
    fail(rightToken.begin, previousEnd, "expected a divisor other than zero");
    return Expr();
  }
  Expr result;
  if (multiplies)
    result = arena.mul(left, right);
  else if (op.isWord("mod"))
    result = arena.mod(left, right);
  else if (op.isWord("ceildiv") || op.isWord("ceilDiv"))
    result = arena.ceilDiv(left, right);
  else
    result = arena.floorDiv(left, right);
  if (arena.height(result) > kMaxDepth) {
    fail(op.begin, op.end,
         "expected at most " + std::to_string(kMaxDepth) +
             " nested operations");
    return Expr();
  }
  return result;
}

Expr Parser::parseTerm(unsigned depth) {
  // A minus sign before parentheses negates the whole term: published examples
  // write -(x) / 11 and mean -(x / 11).
  bool negative = false;
  if (token.kind == Token::Minus && peek().kind == Token::LeftParen) {
    advance();
    negative = true;
  }
  Expr left = parseFactor(depth);
  while (left) {
    Token op = token;
    bool isOperator = op.kind == Token::Star || op.kind == Token::Slash ||
                      op.isWord("floordiv") || op.isWord("floorDiv") ||
                      op.isWord("ceildiv") || op.isWord("ceilDiv") ||
                      op.isWord("mod");
    if (!isOperator)
      break;
    advance();
    Token rightToken = token;
    Expr right = parseFactor(depth);
    left = right ? applyOperator(op, left, right, rightToken) : Expr();
  }
  return left && negative ? arena.neg(left) : left;
}

Expr Parser::parseSum(unsigned depth) {
  // All terms are added at once. Adding them one by one takes quadratic time.
  llvm::SmallVector<Term, 8> terms;
  bool minus = false;
  do {
    Expr term = parseTerm(depth);
    if (!term)
      return Expr();
    terms.push_back({term, minus ? -1 : 1});
    minus = token.kind == Token::Minus;
  } while (consume(Token::Plus) || consume(Token::Minus));
  return checkDepth(terms.size() == 1 ? terms[0].expr : arena.sum(terms, 0));
}

Expr Parser::checkDepth(Expr e) {
  if (arena.height(e) <= kMaxDepth)
    return e;
  fail(previousEnd - 1, previousEnd,
       "expected at most " + std::to_string(kMaxDepth) + " nested operations");
  return Expr();
}

/// x << 3 is x * 8, x >> 3 is x / 8, rounded down.
Expr Parser::applyShift(const Token &op, Expr left, Expr right,
                        const Token &rightToken) {
  if (!arena.isConstant(right) || arena.constantValue(right) < 0 ||
      arena.constantValue(right) > 62) {
    fail(rightToken.begin, previousEnd,
         "expected a number of bits from 0 to 62");
    return Expr();
  }
  int64_t power = int64_t(1) << arena.constantValue(right);
  return op.kind == Token::ShiftLeft ? arena.scale(left, power)
                                     : arena.floorDiv(left, power);
}

/// The number of bits of an expression with bounds from 0 to 2^n - 1.
std::optional<unsigned> Parser::bitsOf(Expr e) {
  Interval interval = bounds->interval(e);
  if (interval.isEmpty())
    return 0;
  if (interval.lower < 0 || interval.upper >= kMaxMask)
    return std::nullopt;
  return llvm::bit_width(uint64_t(interval.upper));
}

Expr Parser::applyBits(Token::Kind op, Expr left, Expr right,
                       const Token &leftToken, const Token &rightToken) {
  if (arena.isConstant(left) && !arena.isConstant(right))
    std::swap(left, right);
  if (arena.isConstant(right)) {
    int64_t mask = arena.constantValue(right);
    if (mask >= -kMaxMask && mask <= kMaxMask)
      return combineWithMask(arena, op, left, mask);
    fail(leftToken.begin, previousEnd, "expected constants of at most 61 bits");
    return Expr();
  }
  // The bounds stand behind the results: parseMap reads the map twice.
  if (!bounds && !isInSource) {
    needsBounds = true;
    return left;
  }
  std::optional<unsigned> leftBits, rightBits;
  if (bounds && !isInSource) {
    leftBits = bitsOf(left);
    rightBits = bitsOf(right);
  }
  if (leftBits && rightBits)
    return combineBits(arena, op, left, *leftBits, right, *rightBits);
  const Token &culprit = leftBits ? rightToken : leftToken;
  fail(culprit.begin, leftBits ? previousEnd : culprit.end,
       "expected a constant, or an operand that is bounded and not negative",
       "bounds are written ', domain: d0 in [0, 7]'");
  return Expr();
}

Expr Parser::parseShift(unsigned depth) {
  Expr left = parseSum(depth);
  while (left &&
         (token.kind == Token::ShiftLeft || token.kind == Token::ShiftRight)) {
    Token op = token;
    advance();
    Token rightToken = token;
    Expr right = parseSum(depth);
    left = right ? applyShift(op, left, right, rightToken) : Expr();
    left = left ? checkDepth(left) : Expr();
  }
  return left;
}

/// Operands joined by `op`. As in C and Python, `&` binds tighter than `^`, and
/// `^` tighter than `|`.
Expr Parser::parseBits(Token::Kind op, unsigned depth) {
  auto parseOperand = [&] {
    return op == Token::Bar     ? parseBits(Token::Caret, depth)
           : op == Token::Caret ? parseBits(Token::Ampersand, depth)
                                : parseShift(depth);
  };
  Token leftToken = token;
  Expr left = parseOperand();
  while (left && consume(op)) {
    Token rightToken = token;
    Expr right = parseOperand();
    left = right ? applyBits(op, left, right, leftToken, rightToken) : Expr();
    left = left ? checkDepth(left) : Expr();
  }
  return left;
}

Expr Parser::parseExpr(unsigned depth) { return parseBits(Token::Bar, depth); }

//===----------------------------------------------------------------------===//
// Intervals and entries
//===----------------------------------------------------------------------===//

bool Parser::parseBound(int64_t &bound) {
  bool negative = consume(Token::Minus);
  if (token.isWord("inf")) {
    advance();
    bound = negative ? Interval::kMin : Interval::kMax;
    return true;
  }
  return parseInteger(negative, bound);
}

/// True for `0 .` and `- 4 .`.
bool Parser::startsShortInterval() const {
  Lexer ahead = lexer;
  if (token.kind == Token::Minus)
    (void)ahead.next();
  else if (token.kind != Token::Integer)
    return false;
  return ahead.next().kind == Token::Dot;
}

bool Parser::parseInterval(Interval &interval) {
  if (startsShortInterval()) { // 0..9
    if (!parseBound(interval.lower) || !expect(Token::Dot, "'..'") ||
        !expect(Token::Dot, "'..'") || !parseBound(interval.upper))
      return false;
    if (interval.isEmpty())
      interval = Interval::empty();
    return true;
  }
  if (!expect(Token::LeftSquare, "an interval such as '[0, 9]'"))
    return false;
  if (consume(Token::RightSquare)) {
    interval = Interval::empty();
    return true;
  }
  if (!parseBound(interval.lower) || !expect(Token::Comma, "','") ||
      !parseBound(interval.upper))
    return false;
  if (token.kind == Token::RightParen) {
    // Half open: the upper bound is excluded, if there is one.
    if (interval.upper == Interval::kMin)
      interval = Interval::empty();
    else if (interval.hasUpper())
      --interval.upper;
    advance();
  } else if (!expect(Token::RightSquare, "']'")) {
    return false;
  }
  if (interval.isEmpty())
    interval = Interval::empty();
  return true;
}

/// interval {("x" | "×") interval}, into `box`.
bool Parser::parseBox() {
  box.clear();
  boxBegin = token.begin;
  do {
    if (!parseInterval(box.emplace_back()))
      return false;
    bool times = token.kind == Token::Times || token.kind == Token::Star ||
                 token.isWord("x");
    if (!times || peek().kind != Token::LeftSquare)
      return true;
    advance();
  } while (true);
}

/// True for "d" and "d_i", if no variable has that name. Sets the kind, and
/// `each` if each variable has its own interval.
static bool isGroupName(llvm::StringRef name, VarKind &kind, bool &each) {
  if (name.empty() || (name[0] != 'd' && name[0] != 's'))
    return false;
  kind = name[0] == 'd' ? VarKind::Dim : VarKind::Range;
  each = name.size() == 1;
  llvm::StringRef index = name.substr(1);
  index.consume_front("_");
  return each || index == "i" || index == "j";
}

bool Parser::applyGroup(Domain &domain, VarKind kind, bool each) {
  size_t n = kind == VarKind::Dim ? domain.dims.size() : domain.ranges.size();
  if (each ? box.size() != n : box.size() != 1)
    return fail(boxBegin, previousEnd,
                "expected " + std::to_string(each ? n : 1) +
                    (each ? " intervals, one per variable, got "
                          : " interval for all variables, got ") +
                    std::to_string(box.size()));
  for (uint32_t i = 0; i < n; ++i) {
    Interval &b = domain.bounds(Var{kind, i});
    b = b.intersect(box[each ? i : 0]);
  }
  return true;
}

/// not (a in [l, u], b in ...): one of the excesses l - a, a - u, l - b, ... is
/// above 0.
bool Parser::parseComplement(Map &map) {
  advance();
  if (!expect(Token::LeftParen, "'('"))
    return false;
  Expr most;
  auto add = [&](Expr excess) {
    most = most ? arena.max(most, excess) : excess;
  };
  do {
    Expr e = parseExpr(0);
    if (!e)
      return false;
    if (!token.isWord("in"))
      return failAtToken("'in' and an interval");
    advance();
    Interval i;
    if (!parseInterval(i))
      return false;
    if (i.isEmpty())
      i = {1, 0};
    if (i.hasLower())
      add(arena.add(arena.sub(arena.constant(i.lower), e), -1));
    if (i.hasUpper())
      add(arena.sub(arena.add(e, -1), arena.constant(i.upper)));
  } while (consume(Token::Comma));
  if (most) // else the entries are true everywhere
    map.domain.addConstraint(most, {0, Interval::kMax});
  else
    map.domain.knownEmpty = true;
  return expect(Token::RightParen, "')'") && (!most || checkDepth(most));
}

bool Parser::parseEntry(Map &map) {
  lastEntry.reset();
  if (token.isWord("not") && peek().kind == Token::LeftParen)
    return parseComplement(map);
  VarKind kind;
  bool each;
  if (token.kind == Token::Word &&
      !names.contains(normalizedIdentifier(token.text)) &&
      isGroupName(token.text, kind, each) && peek().isWord("in")) {
    advance();
    advance();
    return parseBox() && applyGroup(map.domain, kind, each);
  }
  Expr subject = parseExpr(0);
  if (!subject)
    return false;
  if (!token.isWord("in"))
    return failAtToken("'in' and an interval");
  advance();
  Interval interval;
  if (!parseInterval(interval))
    return false;
  if (arena.kind(subject) != ExprKind::Variable) {
    map.domain.addConstraint(subject, interval);
    return true;
  }
  lastEntry = arena.var(subject);
  // The first entry of a runtime variable is the interval that its value is
  // clamped to; further entries are constraints.
  if (lastEntry->kind == VarKind::Runtime &&
      !map.domain.runtimes[lastEntry->index].isParameter &&
      !clamped.insert(lastEntry->index).second) {
    map.domain.addConstraint(subject, interval);
    return true;
  }
  Interval &b = map.domain.bounds(*lastEntry);
  b = b.intersect(interval);
  return true;
}

//===----------------------------------------------------------------------===//
// Sources of runtime variables
//===----------------------------------------------------------------------===//

/// "of1" of "%of1 = s32[] parameter(1)", and element 2 of "t{2}".
static void readSource(Arena &arena, llvm::StringRef text, RuntimeVariable &v) {
  if (size_t equals = text.find(" = "); equals != llvm::StringRef::npos) {
    text = text.take_front(equals).trim();
    text.consume_front("ROOT ");
    text = text.trim();
    text.consume_front("%");
  } else if (text.ends_with("}") && !text.contains(' ')) {
    auto [name, element] = text.drop_back().rsplit('{');
    int32_t index;
    if (!name.empty() && !element.getAsInteger(10, index) && index >= 0) {
      v.element = index;
      text = name;
    }
  }
  v.source = arena.intern(text);
}

bool Parser::parseSource(Map &map, Var v, llvm::StringRef source) {
  size_t begin = token.begin;
  Names outer;
  std::swap(outer, names);
  llvm::DenseSet<uint32_t> outerClamped;
  std::swap(outerClamped, clamped);
  Map at(arena);
  bool isOuterSource = std::exchange(isInSource, true);
  bool ok = parseSignature(at) && expect(Token::Arrow, "'->'") &&
            parseResults(at.results) && parseTail(at, /*isSource=*/true);
  isInSource = isOuterSource;
  std::swap(outer, names);
  std::swap(outerClamped, clamped);
  if (!ok)
    return false;
  const Domain &domain = map.domain;
  if (at.domain.dims.size() > domain.dims.size() ||
      at.domain.ranges.size() > domain.ranges.size() ||
      at.domain.runtimes.size() > domain.runtimes.size())
    return fail(begin, previousEnd,
                "expected no more variables than the map itself has");
  RuntimeVariable described{.bounds = domain.bounds(v)};
  readSource(arena, source, described);
  described.index.assign(at.results.begin(), at.results.end());
  if (v.kind == VarKind::Range) {
    asRuntime.resize(domain.ranges.size());
    described.name = domain.ranges[v.index].name;
    asRuntime[v.index] = std::move(described);
  } else {
    described.name = domain.runtimes[v.index].name;
    map.domain.runtimes[v.index] = std::move(described);
  }
  return true;
}

/// "hlo: <instruction>", a line of its own, and the map to the element.
bool Parser::parseSourceBelowEntry(Map &map) {
  if (!lastEntry || lastEntry->kind == VarKind::Dim)
    return fail(token.begin, token.end,
                "expected the entry of a symbol before 'hlo:'");
  Var v = *lastEntry;
  advance();
  if (token.kind != Token::Colon)
    return failAtToken("':'");
  llvm::StringRef source = lexer.takeLine();
  advance();
  return parseSource(map, v, source);
}

/// Lines "rt0: <instruction>; <map>", after "runtime variables:".
bool Parser::parseSourceLines(Map &map) {
  advance();
  advance();
  if (!expect(Token::Colon, "':'"))
    return false;
  while (token.kind == Token::Word && peek().kind == Token::Colon) {
    size_t begin = token.begin, end = token.end;
    Expr e = parseName();
    if (!e)
      return false;
    Var v = arena.var(e);
    if (v.kind == VarKind::Dim)
      return fail(begin, end, "expected a runtime variable, got a dimension");
    llvm::StringRef source = lexer.takeLine(';');
    advance();
    if (!parseSource(map, v, source))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

/// Skips the number of a list item and reads bounds that precede the map, as in
/// "d_i in [0, 9]  (d0) -> (d0)".
bool Parser::parsePrefix() {
  prefix = None;
  if (token.kind == Token::Integer && peek().kind == Token::Dot) {
    advance();
    advance();
  }
  VarKind kind;
  bool each = true;
  prefixBegin = token.begin;
  if (token.kind == Token::Word && isGroupName(token.text, kind, each) &&
      kind == VarKind::Dim && peek().isWord("in")) {
    advance();
    advance();
  } else if (token.kind != Token::LeftSquare) {
    return true;
  }
  if (!parseBox())
    return false;
  prefixBox = box;
  prefix = each ? Each : All;
  if (token.isWord("d"))
    advance();
  return true;
}

bool Parser::parseNames(Map &map, List list) {
  static constexpr struct {
    VarKind kind;
    Token::Kind close;
    const char *what, *prefix;
  } kLists[] = {{VarKind::Dim, Token::RightParen, "')'", "d"},
                {VarKind::Range, Token::RightSquare, "']'", "s"},
                {VarKind::Runtime, Token::RightBrace, "'}'", "rt"},
                {VarKind::Runtime, Token::Greater, "'>'", "p"}};
  auto [kind, close, what, prefix] = kLists[list];
  if (token.kind == Token::LeftSquare) // also the symbols of an affine_map
    close = Token::RightSquare, what = "']'";
  advance();
  uint32_t first = list == Parameters ? map.domain.runtimes.size() : 0;
  for (uint32_t i = first; token.kind != close; ++i) {
    if (token.kind != Token::Word || isReservedIdentifier(token.text))
      return failAtToken(i ? "the name of a variable"
                           : std::string("the name of a variable or ") + what);
    std::string name = normalizedIdentifier(token.text);
    Var v{kind, i};
    auto [it, isNew] = names.try_emplace(
        name, Declared{arena.variable(v), token.begin, token.end});
    if (!isNew) {
      failAtToken("a name that is not taken");
      error.note = "it names this variable";
      error.noteBegin = it->second.begin, error.noteEnd = it->second.end;
      return false;
    }
    uint32_t own = name == prefix + std::to_string(i) ? 0 : arena.intern(name);
    if (list == Dims)
      map.domain.dims.push_back({.bounds = {}, .name = own});
    else if (list == Ranges)
      map.domain.ranges.push_back({.bounds = {}, .name = own});
    else if (list == Runtimes)
      map.domain.runtimes.push_back({.bounds = {}, .name = own});
    else
      (void)map.domain.addParameter(arena, name, {});
    advance();
    if (!consume(Token::Comma) && token.kind != close)
      return failAtToken(std::string("',' or ") + what);
  }
  advance();
  return true;
}

bool Parser::parseSignature(Map &map) {
  if (token.kind != Token::LeftParen)
    return failAtToken("a map",
                       "a map looks like '(d0) -> (d0), domain: d0 in [0, 9]'");
  return parseNames(map, Dims) &&
         (token.kind != Token::LeftSquare ||
          parseNames(map, isAffineMap ? Parameters : Ranges)) &&
         (token.kind != Token::LeftBrace || parseNames(map, Runtimes)) &&
         (token.kind != Token::Less || parseNames(map, Parameters));
}

bool Parser::parseResults(llvm::SmallVectorImpl<Expr> &results) {
  if (!expect(Token::LeftParen, "'('"))
    return false;
  while (token.kind != Token::RightParen) {
    Expr e = parseExpr(0);
    if (!e)
      return false;
    results.push_back(e);
    if (!consume(Token::Comma) && token.kind != Token::RightParen)
      return failAtToken("',' or ')'");
  }
  advance();
  return true;
}

/// True if a map begins at the current "(": names, then an arrow. An entry may
/// begin with a parenthesis too.
bool Parser::startsMap() const {
  static constexpr struct {
    Token::Kind open, close;
  } kLists[] = {{Token::LeftParen, Token::RightParen},
                {Token::LeftSquare, Token::RightSquare},
                {Token::LeftBrace, Token::RightBrace},
                {Token::Less, Token::Greater}};
  Lexer ahead = lexer;
  Token t = token;
  for (auto [open, close] : kLists) {
    if (t.kind != open)
      continue;
    do
      t = ahead.next();
    while (t.kind == Token::Word || t.kind == Token::Comma);
    if (t.kind != close)
      return false;
    t = ahead.next();
  }
  return t.kind == Token::Arrow;
}

bool Parser::parseTail(Map &map, bool isSource) {
  static constexpr llvm::StringLiteral kIntroducesDomain[] = {
      "for", "para", "cho", "durante", "trong", "where", "with", "on"};
  bool inDomain = false, justOpened = false, afterComma = false;
  for (;; justOpened = false) {
    if (consume(Token::Comma)) {
      afterComma = true;
      continue;
    }
    bool continues = std::exchange(afterComma, false);
    if (startsEmpty(justOpened || continues)) {
      advance();
      advance();
      map.domain.knownEmpty = true;
    } else if (token.isWord("domain") && peek().kind == Token::Colon) {
      advance();
      advance();
      inDomain = justOpened = true;
      if (startsEmpty(true)) {
        advance();
        advance();
        map.domain.knownEmpty = true;
      }
    } else if (token.isWord("is_simplified") && peek().kind == Token::Colon) {
      advance();
      advance();
      if (!token.isWord("true") && !token.isWord("false"))
        return failAtToken("'true' or 'false'");
      advance();
    } else if (continues && !inDomain && token.kind == Token::Word &&
               (names.contains(normalizedIdentifier(token.text)) ||
                token.text == "not")) {
      inDomain = true; // the tables of `map` omit "domain:"
    } else if (token.kind == Token::Word && !inDomain && !token.startsLine &&
               llvm::is_contained(kIntroducesDomain, token.text)) {
      advance();
      inDomain = true;
    } else if (token.kind == Token::Becomes && !isSource) {
      lexer.takeLine();
      advance();
      return true;
    } else if (token.isWord("runtime") && peek().isWord("variables") &&
               !isSource) {
      return parseSourceLines(map);
    } else if (token.isWord("hlo") && !isSource) {
      if (!parseSourceBelowEntry(map))
        return false;
    } else if (inDomain && token.isWord("and")) {
      advance();
    } else if (token.kind == Token::Dot &&
               (peek().startsLine || peek().kind == Token::End)) {
      advance();
      return true;
    } else if (!inDomain || atEnd() || token.kind == Token::LeftSquare ||
               startsEmpty(true) ||
               (token.kind == Token::LeftParen && startsMap()) ||
               (token.kind == Token::Word && peek().kind == Token::Colon) ||
               (token.startsLine && token.kind == Token::Integer &&
                peek().kind == Token::Dot)) {
      return true;
    } else if (!parseEntry(map)) {
      return false;
    }
  }
}

bool Parser::parseArrowAndResults(Map &map) {
  if (!expect(Token::Arrow, "'->'"))
    return false;
  if (!startsEmpty(true))
    return parseResults(map.results);
  advance();
  advance();
  map.domain.knownEmpty = true;
  return true;
}

bool Parser::parseMap(Map &map) {
  Lexer start = lexer;
  Token first = token;
  bounds.reset();
  needsBounds = false;
  if (!parseMapOnce(map))
    return false;
  if (needsBounds) {
    // A constraint may hold such an operator too.
    map.domain.constraints.clear();
    setBounds(map.domain);
    map = Map(arena);
    lexer = start;
    token = first;
    if (!parseMapOnce(map))
      return false;
  }
  finish(map);
  return true;
}

/// All but `finish`.
bool Parser::parseMapOnce(Map &map) {
  names.clear();
  asRuntime.clear();
  clamped.clear();
  lastEntry.reset();
  if (!parsePrefix())
    return false;
  if (startsEmpty(true)) {
    advance();
    advance();
    map = Map::makeEmpty(arena, 0, 0);
    return true;
  }
  if (token.isWord("UNDEFINED"))
    return failAtToken("a map", "an undefined map has no meaning to work with");
  isAffineMap = token.isWord("affine_map") && peek().kind == Token::Less;
  if (isAffineMap) {
    advance();
    advance();
  }
  if (!parseSignature(map) || !parseArrowAndResults(map))
    return false;
  if (isAffineMap && !expect(Token::Greater, "'>'"))
    return false;
  if (prefix != None) {
    box = prefixBox;
    boxBegin = prefixBegin;
    if (!applyGroup(map.domain, VarKind::Dim, prefix == Each))
      return false;
  }
  return parseTail(map, /*isSource=*/false);
}

/// Moves the ranges that have a source to the runtime variables, and brings
/// known empty maps into their canonical form.
void Parser::finish(Map &map) {
  Domain &domain = map.domain;
  asRuntime.resize(domain.ranges.size());
  if (llvm::any_of(asRuntime, [](const auto &v) { return v.has_value(); })) {
    llvm::SmallVector<Variable, 4> kept;
    llvm::SmallVector<Expr, 4> ranges;
    for (uint32_t i = 0; i < asRuntime.size(); ++i) {
      if (asRuntime[i]) {
        asRuntime[i]->bounds = domain.ranges[i].bounds;
        ranges.push_back(arena.runtime(domain.runtimes.size()));
        domain.runtimes.push_back(std::move(*asRuntime[i]));
      } else {
        ranges.push_back(arena.range(kept.size()));
        kept.push_back(domain.ranges[i]);
      }
    }
    domain.ranges.assign(kept.begin(), kept.end());
    substitute(map, {{}, ranges, {}});
    moveParametersLast(map);
  }
  domain.forEachVar(
      [&](Var v) { domain.knownEmpty |= domain.bounds(v).isEmpty(); });
  for (const Constraint &c : domain.constraints)
    domain.knownEmpty |= c.bounds.isEmpty();
  if (!domain.knownEmpty)
    return;
  domain.constraints.clear();
  domain.forEachVar([&](Var v) { domain.bounds(v) = Interval::empty(); });
  for (RuntimeVariable &v : domain.runtimes)
    if (!v.isParameter)
      v = {.bounds = Interval::empty(), .name = v.name};
}

bool Parser::expectEnd() {
  return atEnd() ||
         failAtToken("the end of the map",
                     token.kind == Token::Word
                         ? "the domain is written ', domain: d0 in [0, 9]'"
                         : "");
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

std::optional<Map> parseMap(Arena &arena, llvm::StringRef text,
                            ParseError &error) {
  error = {};
  Parser parser(arena, text, error);
  Map map(arena);
  if (!parser.parseMap(map) || !parser.expectEnd())
    return std::nullopt;
  return map;
}

std::optional<std::vector<Map>> parseMaps(Arena &arena, llvm::StringRef text,
                                          ParseError &error) {
  error = {};
  Parser parser(arena, text, error);
  std::vector<Map> maps;
  while (!parser.atEnd()) {
    if (!parser.parseMap(maps.emplace_back(arena)))
      return std::nullopt;
  }
  return maps;
}

std::optional<Expr> parseExpr(Arena &arena, llvm::StringRef text,
                              const Domain &names, ParseError &error) {
  error = {};
  Parser parser(arena, text, error);
  std::vector<std::string> known = variableNames(arena, names);
  size_t i = 0;
  names.forEachVar([&](Var v) { parser.declare(v, known[i++]); });
  parser.setBounds(names);
  Expr e = parser.parseExpr(0);
  if (!e || !parser.expectEnd())
    return std::nullopt;
  return e;
}

} // namespace mercator::indexing
