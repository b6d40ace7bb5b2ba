// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps of custom calls: the parser of statements, and the answers from them.

#include "mercator/analysis/maps/models/CustomCalls.h"
#include "mercator/analysis/maps/models/KnownCalls.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/stablehlo/Annotations.h"
#include "mercator/indexing/simplify/Inverse.h"

#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::StringRef;

//===--- Statements -------------------------------------------------------===//

namespace {
/// Reads words from a text, and keeps the position for diagnostics.
class Words {
public:
  explicit Words(StringRef text, size_t at = 0) : text(text), at(at) {}

  bool take(StringRef word) {
    skipSpace();
    return rest().starts_with(word) && ((at += word.size()), true);
  }
  std::optional<unsigned> takeNumber() {
    skipSpace();
    StringRef digits =
        rest().take_while([](char c) { return c >= '0' && c <= '9'; });
    unsigned number;
    if (digits.getAsInteger(10, number))
      return std::nullopt;
    at += digits.size();
    return number;
  }
  StringRef takeName() {
    skipSpace();
    StringRef name =
        rest().take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    at += name.size();
    return name;
  }
  StringRef rest() const { return text.substr(at); }
  /// Reports an error. Returns nothing.
  std::nullopt_t fail(ParseError &error, StringRef expected) {
    skipSpace();
    StringRef got = rest().take_until([](char c) { return c == ' '; });
    error.begin = at;
    error.end = at + got.size();
    error.message = ("expected " + expected + ", got " +
                     (got.empty() ? "the end" : "'" + got + "'"))
                        .str();
    return std::nullopt;
  }
  void skipSpace() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
      ++at;
  }
  size_t place() const { return at; }

private:
  StringRef text;
  size_t at = 0;
};

/// A part of a text, by its offsets.
struct Span {
  size_t begin, end;
};
} // namespace

/// The parts between commas that are outside all brackets.
static llvm::SmallVector<Span> splitAtCommas(StringRef text, Span span) {
  llvm::SmallVector<Span> parts = {{span.begin, span.end}};
  int depth = 0;
  for (size_t i = span.begin; i < span.end; ++i) {
    if (StringRef("([{").contains(text[i]))
      ++depth;
    else if (StringRef(")]}").contains(text[i]))
      --depth;
    else if (text[i] == ',' && depth == 0) {
      parts.back().end = i;
      parts.push_back({i + 1, span.end});
    }
  }
  return parts;
}

static void shift(ParseError &error, size_t by) {
  error.begin += by;
  error.end += by;
  error.noteBegin += by;
  error.noteEnd += by;
}

static constexpr StringRef kSourceHelp = "p = operand 1 at (d0)";

/// Parses `p = operand 1 at (d0, 0)`. False after an error.
static bool parseSource(CustomMap &out, StringRef text, Span span,
                        llvm::MutableArrayRef<bool> isKnown,
                        ParseError &error) {
  Map &map = *out.map;
  Arena &arena = *map.arena;
  text = text.take_front(span.end);
  Words words(text, span.begin);
  words.skipSpace();
  size_t begin = words.place();
  StringRef name = words.takeName();
  std::vector<std::string> names = variableNames(arena, map.domain);
  size_t first = map.domain.dims.size() + map.domain.ranges.size();
  auto found = std::find(names.begin() + first, names.end(), name);
  auto refuse = [&](size_t from, size_t to, const llvm::Twine &message) {
    error.begin = from;
    error.end = to;
    error.message = message.str();
    error.help = kSourceHelp.str();
    return false;
  };
  auto expect = [&](StringRef what) {
    (void)words.fail(error, what);
    error.help = kSourceHelp.str();
    return false;
  };
  if (found == names.end())
    return refuse(begin, begin + name.size(),
                  "expected a runtime variable of the map, got '" + name + "'");
  size_t number = found - names.begin() - first;
  if (isKnown[number])
    return refuse(begin, begin + name.size(),
                  "expected one source of '" + name + "', got a second");
  isKnown[number] = true;
  if (!words.take("="))
    return expect("`=`");
  if (!words.take("operand"))
    return expect("`operand`");
  std::optional<unsigned> operand = words.takeNumber();
  if (!operand)
    return expect("a number");
  if (!words.take("at"))
    return expect("`at`");
  if (!words.take("("))
    return expect("`(`");
  size_t open = words.place(), close = text.rtrim().size();
  if (close <= open || text[close - 1] != ')')
    return refuse(close, close, "expected `)`, got the end");
  --close;
  RuntimeVariable &variable = map.domain.runtimes[number];
  variable.index.clear();
  out.sources[number] = *operand;
  if (text.slice(open, close).trim().empty())
    return true;
  for (Span part : splitAtCommas(text, {open, close})) {
    std::optional<Expr> index =
        parseExpr(arena, text.slice(part.begin, part.end), map.domain, error);
    if (!index) {
      shift(error, part.begin);
      return false;
    }
    for (uint32_t i = 0; i < map.domain.runtimes.size(); ++i)
      if (arena.uses(*index, {VarKind::Runtime, i}))
        return refuse(part.begin, part.end,
                      "expected dimensions and range variables, got '" +
                          names[first + i] + "'");
    variable.index.push_back(*index);
  }
  return true;
}

/// The end of the results of a map: the offset behind the closing bracket.
static size_t endOfResults(StringRef text) {
  size_t at = text.find("->"), depth = 0;
  for (at = text.find('(', at); at < text.size(); ++at) {
    if (text[at] == '(')
      ++depth;
    else if (text[at] == ')' && --depth == 0)
      return at + 1;
  }
  return text.size();
}

/// Parses a map, followed by the sources of its runtime variables. The word
/// `domain:` before the intervals is optional.
static bool parseMapWithSources(Arena &arena, CustomMap &out, StringRef text,
                                ParseError &error) {
  // The parser of maps gets a text with spaces instead of the sources.
  llvm::SmallVector<Span> sources;
  std::string rest = text.str();
  size_t tail = endOfResults(text);
  for (Span part : splitAtCommas(text, {tail, text.size()}))
    if (text.slice(part.begin, part.end).contains('=')) {
      sources.push_back(part);
      size_t from = std::max(part.begin, tail + 1) - 1; // and the comma
      std::fill(rest.begin() + from, rest.begin() + part.end, ' ');
    }
  constexpr StringRef kDomain = " domain:";
  size_t comma = StringRef(rest).find(',', tail);
  bool addsDomain =
      comma != StringRef::npos && !StringRef(rest).contains("domain");
  if (addsDomain)
    rest.insert(comma + 1, kDomain);
  out.map = parseMap(arena, rest, error);
  if (!out.map) {
    for (size_t *at :
         {&error.begin, &error.end, &error.noteBegin, &error.noteEnd})
      if (addsDomain && *at > comma)
        *at = std::max(*at - std::min(*at, kDomain.size()), comma);
    return false;
  }
  size_t count = out.map->domain.runtimes.size();
  llvm::SmallVector<bool> isKnown(count, false);
  out.sources.assign(count, 0);
  for (Span source : sources)
    if (!parseSource(out, text, source, isKnown, error))
      return false;
  const auto *missing = llvm::find(isKnown, false);
  if (missing == isKnown.end())
    return true;
  std::string name =
      variableNames(arena, out.map->domain)[out.map->domain.dims.size() +
                                            out.map->domain.ranges.size() +
                                            (missing - isKnown.begin())];
  error = {};
  error.begin = error.end = text.rtrim().size();
  error.message = "expected where '" + name + "' is read from, got the end";
  error.help = name + " = operand 1 at (d0)";
  return false;
}

std::optional<CustomMap> mercator::parseCustomMap(Arena &arena, StringRef text,
                                                  ParseError &error) {
  Words words(text);
  CustomMap out;
  bool fromResult = words.take("result");
  if (!fromResult && !words.take("operand"))
    return words.fail(error, "`result` or `operand`");
  std::optional<unsigned> from = words.takeNumber();
  if (!from)
    return words.fail(error, "a number");
  if (!words.take("->"))
    return words.fail(error, "`->`");
  if (!words.take(fromResult ? "operand" : "result"))
    return words.fail(error, fromResult ? "`operand`" : "`result`");
  std::optional<unsigned> to = words.takeNumber();
  if (!to)
    return words.fail(error, "a number");
  if (!words.take(":"))
    return words.fail(error, "`:`");
  words.skipSpace();
  out.direction = fromResult ? Direction::OutToIn : Direction::InToOut;
  out.result = fromResult ? *from : *to;
  out.operand = fromResult ? *to : *from;
  if (words.rest().trim() == "nothing")
    return out;
  if (parseMapWithSources(arena, out, words.rest(), error))
    return out;
  shift(error, words.place());
  return std::nullopt;
}

//===--- Answers ----------------------------------------------------------===//

/// The map, restricted to elements of tensors of the given sizes.
static Map within(const Map &map, Sizes from, Sizes to) {
  Arena &arena = *map.arena;
  return indexing::compose(indexing::compose(Map::identity(arena, from), map),
                           Map::identity(arena, to));
}

/// The maps that the user states for this pair; nothing without a statement.
static std::optional<MapSet> statedMaps(stablehlo::CustomCallOp op,
                                        const Query &q) {
  auto statements = op->getAttrOfType<mlir::ArrayAttr>(kCustomMapsName);
  if (!statements)
    return std::nullopt;
  std::string who = ("custom_call @" + op.getCallTargetName()).str();
  std::optional<MapSet> out;
  for (mlir::Attribute attribute : statements) {
    auto text = llvm::dyn_cast<mlir::StringAttr>(attribute);
    ParseError error;
    std::optional<CustomMap> stated =
        text ? parseCustomMap(q.arena, text.getValue(), error) : std::nullopt;
    if (!stated)
      return q.everything(who + ": a stated map does not parse");
    if (stated->operand != q.operand || stated->result != q.result)
      continue;
    if (!out)
      out = MapSet();
    if (!stated->map)
      continue;
    bool fromResult = stated->direction == Direction::OutToIn;
    Sizes from = fromResult ? q.out : q.in, to = fromResult ? q.in : q.out;
    if (stated->map->numDims() != from.size() ||
        stated->map->numResults() != to.size())
      return q.everything(who +
                          ": the stated map has other ranks than the tensors");
    for (auto [variable, operand] :
         llvm::zip_equal(stated->map->domain.runtimes, stated->sources)) {
      auto type = llvm::dyn_cast<mlir::RankedTensorType>(
          operand < op->getNumOperands() ? op->getOperand(operand).getType()
                                         : mlir::Type());
      if (!type || type.getRank() != (int64_t)variable.index.size())
        return q.everything(
            who +
            ": a runtime variable of the stated map is read from no element of an operand");
      Source source = internSource(q.arena, op->getOperand(operand));
      variable.source = source.id;
      variable.element = source.element;
    }
    Map map = within(*stated->map, from, to);
    out->insert({stated->direction == q.direction ? map : inverse(map, to)});
  }
  if (!out)
    return q.everything(who + ": no map is stated for this operand");
  if (out->empty())
    return MapSet(q.nothing());
  return out;
}

static MapSet customCallMaps(stablehlo::CustomCallOp op, const Query &q) {
  if (std::optional<MapSet> stated = statedMaps(op, q))
    return *stated;
  if (stablehlo::isAnnotation(op))
    return q.operand == q.result ? q.identity() : q.nothing();
  if (std::optional<MapSet> known = knownCallMaps(op, q))
    return *known;
  auto unread = op->getAttrOfType<mlir::StringAttr>(hlo::kUnreadAttr);
  return q.everything("custom_call @" + op.getCallTargetName() + ": " +
                      (unread ? unread.getValue()
                              : "the elements that it reads are not known"));
}

void maps::attachCustomCallMaps(mlir::MLIRContext *context) {
  attach<stablehlo::CustomCallOp, customCallMaps>(context);
}
