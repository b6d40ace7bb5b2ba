// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/stablehlo/Limits.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mercator;
using llvm::LogicalResult;
using llvm::StringRef;

namespace {

class Scan {
public:
  Scan(const SourceBuffer &source, DiagnosticEngine &diagnostics, bool shapes)
      : source(source), text(source.getText()), diagnostics(diagnostics),
        shapes(shapes) {}
  LogicalResult run();

private:
  /// The definition of a name, or the part read so far.
  struct Alias {
    uint64_t levels = 0, parts = 1;
  };

  LogicalResult tooMuch(size_t begin, size_t end, const llvm::Twine &most) {
    return diagnostics.error({&source, begin, end},
                             "expected " + most + ", got more");
  }

  LogicalResult refuse(size_t begin, size_t end, const llvm::Twine &expected) {
    return diagnostics.error({&source, begin, end},
                             "expected " + expected + ", got " +
                                 quote(text.slice(begin, end)));
  }
  /// The elements of `array<..>`: the parser crashes on `index`, also behind a
  /// name.
  LogicalResult checkArrayElement(size_t begin, size_t end) {
    return refuse(begin, end, "an array of i1, i8, .. or a float");
  }
  /// MLIR reads a symbol without a name, but cannot read its own output for it.
  LogicalResult checkSymbol(size_t begin);

  LogicalResult open(char bracket);
  void close(char bracket);
  LogicalResult reachLevel(uint64_t level, size_t begin, size_t end);
  LogicalResult checkShape(size_t begin);
  LogicalResult readName();
  LogicalResult readValue();
  LogicalResult checkInteger(size_t begin);
  LogicalResult countOperator();
  void endDefinition();
  void readLineEnd();

  [[nodiscard]] char at(size_t i) const {
    return i < text.size() ? text[i] : '\0';
  }
  [[nodiscard]] size_t pastSpace(size_t i) const {
    while (i < text.size() && llvm::isSpace(text[i]))
      ++i;
    return i;
  }
  /// The same, also after comments.
  [[nodiscard]] size_t pastBlank(size_t i) const {
    for (i = pastSpace(i); at(i) == '/' && at(i + 1) == '/'; i = pastSpace(i))
      i = std::min(text.find('\n', i), text.size());
    return i;
  }
  static bool isWord(char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
  }

  const SourceBuffer &source;
  StringRef text;
  DiagnosticEngine &diagnostics;
  bool shapes;
  size_t pos = 0;

  llvm::SmallVector<char> brackets;
  /// The word before `pos`, if only space is in between, and the last character
  /// that is neither space nor in a comment.
  StringRef word;
  char last = '\0';
  bool beginsArray = false; ///< `array<` precedes `pos`
  StringRef key;            ///< the word before the last `=`
  /// The number of open brackets within an affine map or set; 0 outside.
  size_t affineBrackets = 0;
  unsigned operators = 0;

  llvm::StringMap<Alias> aliases;
  StringRef defining; ///< the name being defined
  Alias definition;
  uint64_t partsTogether = 0;

  /// For the name of a value and its level: the largest number of results that
  /// its uses ask for. Nested operations may each have a value of the same
  /// name.
  llvm::DenseMap<std::pair<StringRef, size_t>, uint64_t> resultNumbers;
  uint64_t resultsTogether = 0;
};

} // namespace

LogicalResult Scan::run() {
  while (pos < text.size()) {
    char c = text[pos];
    if (c == '\n') {
      readLineEnd();
      ++pos;
      continue;
    }
    if (llvm::isSpace(c)) {
      ++pos;
      continue;
    }
    // MLIR's parser treats it as a space; other tools do not.
    if (c == '\0')
      return refuse(pos, pos + 1, "text");
    if (c == '/' && at(pos + 1) == '/') {
      pos = std::min(text.find('\n', pos), text.size());
      continue;
    }
    if (isWord(c)) {
      size_t begin = pos;
      while (pos < text.size() && isWord(text[pos]))
        ++pos;
      word = text.slice(begin, pos);
      if (failed(checkInteger(begin)))
        return llvm::failure();
      last = c;
      if (std::exchange(beginsArray, false) && word == "index")
        return checkArrayElement(begin, pos);
      if (affineBrackets &&
          (word == "floordiv" || word == "ceildiv" || word == "mod") &&
          failed(countOperator()))
        return llvm::failure();
      continue;
    }
    if (std::exchange(beginsArray, false) && c == '!')
      return checkArrayElement(pos, pos + 1);
    LogicalResult result = llvm::success();
    switch (c) {
    case '=':
      key = word;
      break;
    case '@':
      result = checkSymbol(pos + 1);
      break;
    case '"': // a string ends at the end of the line at the latest
      if (last == '=' && key == "sym_name")
        result = checkSymbol(pos);
      for (++pos; pos < text.size() && text[pos] != '"' && text[pos] != '\n';
           ++pos)
        if (text[pos] == '\\' && at(pos + 1) != '\n')
          ++pos;
      break;
    case '(':
    case '[':
    case '{':
    case '<':
      result = open(c);
      break;
    case ')':
    case ']':
    case '}':
    case '>':
      close(c);
      break;
    case '#':
    case '!':
      result = readName();
      break;
    case '%':
      result = readValue();
      break;
    case '-':
      if (at(pos + 1) == '>')
        ++pos;
      else
        result = countOperator();
      break;
    case '+':
    case '*':
      result = countOperator();
      break;
    default:
      break;
    }
    if (failed(result))
      return result;
    last = c;
    word = {};
    // readLineEnd reads the end of the line.
    if (at(pos) != '\n')
      ++pos;
  }
  return llvm::success();
}

LogicalResult Scan::checkSymbol(size_t begin) {
  if (!text.substr(begin).starts_with("\"\""))
    return llvm::success();
  return refuse(begin, begin + 2, "a symbol with a name");
}

//===--- Levels -----------------------------------------------------------===//

LogicalResult Scan::reachLevel(uint64_t level, size_t begin, size_t end) {
  definition.levels = std::max(definition.levels, level);
  if (level <= stablehlo::kMaxLevels)
    return llvm::success();
  return tooMuch(begin, end,
                 "at most " + llvm::Twine(stablehlo::kMaxLevels) +
                     " levels of nesting");
}

LogicalResult Scan::open(char bracket) {
  brackets.push_back(bracket);
  if (bracket == '<') {
    beginsArray = word == "array";
    if (shapes && (word == "tensor" || word == "vector" || word == "memref") &&
        failed(checkShape(pos + 1)))
      return llvm::failure();
    if (!affineBrackets && (word == "affine_map" || word == "affine_set")) {
      affineBrackets = brackets.size();
      operators = 0;
    }
  }
  return reachLevel(brackets.size(), pos, pos + 1);
}

void Scan::close(char bracket) {
  char opening = bracket == ')'   ? '('
                 : bracket == ']' ? '['
                 : bracket == '}' ? '{'
                                  : '<';
  // `<` and `>` are also comparisons: one without a partner is no bracket.
  if (bracket != '>')
    while (!brackets.empty() && brackets.back() == '<')
      brackets.pop_back();
  if (!brackets.empty() && brackets.back() == opening)
    brackets.pop_back();
  if (brackets.size() < affineBrackets)
    affineBrackets = 0;
}

LogicalResult Scan::countOperator() {
  if (!affineBrackets || ++operators <= stablehlo::kMaxOperators)
    return llvm::success();
  return tooMuch(pos, pos + 1,
                 "at most " + llvm::Twine(stablehlo::kMaxOperators) +
                     " operators in an affine expression");
}

//===--- Shapes -----------------------------------------------------------===//

LogicalResult Scan::checkShape(size_t begin) {
  uint64_t elements = 1;
  bool beyond = false;
  size_t i = pastSpace(begin);
  while (true) {
    if (at(i) == '?') {
      ++i;
    } else if (llvm::isDigit(at(i))) {
      uint64_t extent = 0;
      for (; llvm::isDigit(at(i)); ++i)
        extent =
            llvm::SaturatingMultiplyAdd<uint64_t>(extent, 10, text[i] - '0');
      elements =
          llvm::SaturatingMultiply(elements, std::max<uint64_t>(extent, 1));
      beyond |= elements > stablehlo::kMaxElements;
    } else {
      break;
    }
    size_t x = pastSpace(i);
    if (at(x) != 'x')
      break;
    i = pastSpace(x + 1);
  }
  if (!beyond)
    return llvm::success();
  return tooMuch(begin, i,
                 "a shape of at most " + llvm::Twine(stablehlo::kMaxElements) +
                     " elements");
}

/// `i4097` or `4x?xi4097`, unless it is a name.
LogicalResult Scan::checkInteger(size_t begin) {
  StringRef type = word.drop_while(llvm::isDigit);
  while (type.starts_with("x"))
    type = type.drop_front().drop_while(llvm::isDigit);
  StringRef digits = type;
  if (!digits.consume_front("si") && !digits.consume_front("ui"))
    (void)digits.consume_front("i");
  uint64_t bits = 0;
  if (digits.size() == type.size() || digits.size() < 4 ||
      !llvm::all_of(digits, llvm::isDigit) || last == '@' || last == '^' ||
      at(pastSpace(pos)) == '=' ||
      (!digits.getAsInteger(10, bits) && bits <= stablehlo::kMaxIntegerBits))
    return llvm::success();
  return refuse(begin + (word.size() - type.size()), pos,
                "an integer type of at most " +
                    llvm::Twine(stablehlo::kMaxIntegerBits) + " bits");
}

//===--- Values -----------------------------------------------------------===//

/// `%a`, `%a#7`, and `%a:8` at its definition.
LogicalResult Scan::readValue() {
  size_t begin = pos++;
  while (pos < text.size() && (isWord(text[pos]) || text[pos] == '-'))
    ++pos;
  StringRef name = text.slice(begin, pos);
  size_t sign = pastBlank(pos), digits = pastBlank(sign + 1), end = digits;
  --pos; // run() steps over the last character
  if ((at(sign) != '#' && at(sign) != ':') || !llvm::isDigit(at(digits)))
    return llvm::success();
  uint64_t results = at(sign) == '#';
  uint64_t number = 0;
  for (; llvm::isDigit(at(end)); ++end)
    number = llvm::SaturatingMultiplyAdd<uint64_t>(number, 10, text[end] - '0');
  results = llvm::SaturatingAdd(results, number);
  // Each result has a type, which takes at least one byte of text.
  uint64_t most = std::max<uint64_t>(stablehlo::kMaxResultNumbers, text.size());
  if (results > most)
    return refuse(digits, end,
                  "the number of a result, at most " + llvm::Twine(most));
  uint64_t &sofar = resultNumbers[{name, brackets.size()}];
  if (results <= sofar)
    return llvm::success();
  resultsTogether += results - sofar;
  sofar = results;
  if (resultsTogether > most)
    return tooMuch(digits, end,
                   "numbers of at most " + llvm::Twine(most) +
                       " results together");
  return llvm::success();
}

//===--- Names of types, attributes and locations -------------------------===//

LogicalResult Scan::readName() {
  size_t begin = pos++;
  while (pos < text.size() && (isWord(text[pos]) || text[pos] == '-'))
    ++pos;
  StringRef name = text.slice(begin, pos);
  size_t next = pastSpace(pos);
  --pos; // run() steps over the last character
  if (brackets.empty() && at(next) == '=' && at(next + 1) != '=') {
    endDefinition();
    defining = name;
    definition = {};
    return llvm::success();
  }
  auto found = aliases.find(name);
  if (found == aliases.end())
    return llvm::success();
  const Alias &alias = found->second;
  if (failed(reachLevel(brackets.size() + alias.levels, begin, pos + 1)))
    return llvm::failure();
  definition.parts += alias.parts;
  // Locations are not expanded when printed.
  if (name.front() == '!' || !name.starts_with("#loc"))
    partsTogether += alias.parts;
  if (definition.parts > stablehlo::kMaxParts && !defining.empty())
    return tooMuch(begin, pos + 1,
                   "a name for at most " + llvm::Twine(stablehlo::kMaxParts) +
                       " parts");
  if (partsTogether > stablehlo::kMaxPartsTogether)
    return tooMuch(begin, pos + 1,
                   "names for at most " +
                       llvm::Twine(stablehlo::kMaxPartsTogether) +
                       " parts together");
  return llvm::success();
}

void Scan::endDefinition() {
  if (!defining.empty())
    aliases[defining] = definition;
  defining = {};
}

/// A definition ends with its line, unless a bracket is open or the surrounding
/// text requires a continuation.
void Scan::readLineEnd() {
  if (defining.empty() || !brackets.empty() || StringRef("=:,-").contains(last))
    return;
  size_t next = pastSpace(pos);
  if (next < text.size() && StringRef("=:-,<([{").contains(text[next]))
    return;
  endDefinition();
}

LogicalResult mercator::stablehlo::checkLimits(const SourceBuffer &source,
                                               DiagnosticEngine &diagnostics) {
  return Scan(source, diagnostics, /*shapes=*/true).run();
}

LogicalResult mercator::stablehlo::checkNesting(const SourceBuffer &source,
                                                DiagnosticEngine &diagnostics) {
  return Scan(source, diagnostics, /*shapes=*/false).run();
}
