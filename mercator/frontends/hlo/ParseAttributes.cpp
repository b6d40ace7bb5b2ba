// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/ParserImpl.h"
#include "mercator/support/Suggest.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <limits>

using namespace mercator;
using namespace mercator::hlo;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Reads `name=`. Messages name the `owner` of the attribute.
bool ParserImpl::parseAttributeName(StringRef owner,
                                    const AttributeSet &allowed,
                                    bool keepUnknown, Attribute &attribute,
                                    Range &where) {
  if (!at(TokenKind::Word))
    return unexpected("the name of an attribute");
  StringRef word = text();
  where = range();
  attribute.loc = token.begin;
  auto name = attrNameFromSpelling(word);
  if (!name || !allowed.test(unsigned(*name))) {
    if (!keepUnknown) {
      error(where, (name ? "" : "unknown ") + Twine("attribute ") +
                       quote(word) + (name ? " does not belong to " : " of ") +
                       quote(owner));
      if (auto meant = suggestAttribute(word, allowed))
        help("write '" + *meant + "='");
      return false;
    }
    name = AttrName::Other;
    attribute.otherName = word;
  }
  attribute.name = *name;
  advance();
  if (!expect(TokenKind::Equal, "after the name of an attribute"))
    return false;
  attribute.valueLoc = token.begin;
  return true;
}

bool ParserImpl::parseInstructionAttributes(Draft &draft,
                                            Computation &computation) {
  const OpcodeInfo *row = &info(draft.node.opcode);
  AttributeSet allowed = row->allowed;
  bool keepUnknown = row->keepsUnknownAttributes;
  if (draft.node.asyncWrapped) {
    allowed |= info(*draft.node.asyncWrapped).allowed;
    keepUnknown |= info(*draft.node.asyncWrapped).keepsUnknownAttributes;
  }
  AttributeSet seen;
  while (eat(TokenKind::Comma)) {
    Attribute attribute;
    Range where;
    if (!parseAttributeName(row->spelling, allowed, keepUnknown, attribute,
                            where))
      return false;
    if (attribute.name != AttrName::Other &&
        seen.test(unsigned(attribute.name)))
      return error(where, "attribute " + quote(spelling(attribute.name)) +
                              " is written twice");
    seen.set(unsigned(attribute.name));
    AttrKind kind = kindOf(attribute.name);
    Opcode op = draft.node.asyncWrapped.value_or(draft.node.opcode);
    if (attribute.name == AttrName::SliceSizes && op != Opcode::Gather)
      kind = AttrKind::IntLists;
    if (!parseValue(attribute, kind, &draft, &computation))
      return false;
    draft.attributes.push_back(attribute);
  }
  // `add(a, b) metadata={..}`: the comma is missing.
  if (at(TokenKind::Word) && source.substr(token.end).starts_with("=") &&
      !source.slice(previousEnd, token.begin).contains('\n') &&
      attrNameFromSpelling(text()))
    return error(range(), "expected ',' before attribute " + quote(text()));
  return true;
}

bool ParserImpl::parseHeaderAttributes() {
  AttributeSet seen;
  while (eat(TokenKind::Comma)) {
    Attribute attribute;
    Range where;
    if (!parseAttributeName("HloModule", headerAttributes(), false, attribute,
                            where))
      return false;
    if (seen.test(unsigned(attribute.name)))
      return error(where, "attribute " + quote(spelling(attribute.name)) +
                              " is written twice");
    seen.set(unsigned(attribute.name));
    if (attribute.name == AttrName::EntryComputationLayout) {
      uint32_t begin = token.begin;
      if (!parseEntryLayout())
        return false;
      attribute.text = source.slice(begin, previousEnd);
    } else if (!parseValue(attribute, kindOf(attribute.name), nullptr,
                           nullptr)) {
      return false;
    }
    module.attributes.push_back(attribute);
  }
  return true;
}

bool ParserImpl::parseValue(Attribute &attribute, AttrKind kind, Draft *draft,
                            Computation *computation) {
  attribute.kind = kind;
  uint32_t begin = token.begin;
  auto finish = [&](bool good) {
    if (good && attribute.text.empty() && kind != AttrKind::String)
      attribute.text = source.slice(begin, previousEnd);
    return good;
  };
  switch (kind) {
  case AttrKind::Flag:
    return finish(parseFlag(attribute));
  case AttrKind::Integer:
    return finish(parseInteger(attribute.integer, "an integer"));
  case AttrKind::Real:
    return finish(parseReal(attribute.real));
  case AttrKind::Ints: {
    SmallVector<int64_t, 8> values;
    if (!parseIntList(values))
      return false;
    attribute.ints = module.save(ArrayRef<int64_t>(values));
    return finish(true);
  }
  case AttrKind::IntLists:
    return finish(parseIntLists(attribute));
  case AttrKind::Word:
    return parseWord(attribute);
  case AttrKind::Words:
    return finish(parseWords(attribute));
  case AttrKind::String:
    return parseString(attribute.text);
  case AttrKind::Shapes:
    return finish(parseShapesValue(attribute));
  case AttrKind::Dictionary:
    return finish(parseDictionary(attribute));
  case AttrKind::Metadata:
    return finish(parseMetadata(attribute));
  case AttrKind::Window:
    return finish(parseWindow(attribute));
  case AttrKind::ConvLabels:
    return finish(parseDimLabels(attribute));
  case AttrKind::Slices:
    return finish(parseSlices(attribute));
  case AttrKind::Padding:
    return finish(parsePadding(attribute));
  case AttrKind::Computation:
    return finish(parseCallees(attribute, draft, /*list=*/false));
  case AttrKind::Computations:
    return finish(parseCallees(attribute, draft, /*list=*/true));
  case AttrKind::Predecessors:
    return finish(parsePredecessors(attribute, draft, *computation));
  case AttrKind::Raw:
    if (attribute.name == AttrName::Literal && !at(TokenKind::LParen)) {
      const Shape *shape = parseShape(/*layoutAlways=*/true);
      return finish(shape && parseLiteral(*shape));
    }
    if (attribute.name == AttrName::BackendConfig && at(TokenKind::String)) {
      attribute.kind = AttrKind::String;
      return parseString(attribute.text);
    }
    if (!parseRaw(attribute.text))
      return false;
    // `mesh['x'=4], device_ids=(..) {'x'}` is one value.
    if (attribute.name == AttrName::ReplicaGroups &&
        attribute.text.starts_with("mesh") && at(TokenKind::Comma) &&
        lexer.spelling(peek()) == "device_ids") {
      advance();
      StringRef rest;
      if (!parseRaw(rest))
        return false;
      attribute.text = source.slice(begin, previousEnd);
    }
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Plain values
//===----------------------------------------------------------------------===//

bool ParserImpl::parseInteger(int64_t &value, const Twine &role) {
  if (!at(TokenKind::Integer))
    return unexpected(role);
  if (text().getAsInteger(10, value))
    return error(range(), text() + " does not fit 64 bits");
  advance();
  return true;
}

bool ParserImpl::parseIntList(SmallVectorImpl<int64_t> &values) {
  if (!expect(TokenKind::LBrace, "before a list of integers"))
    return false;
  while (!at(TokenKind::RBrace)) {
    int64_t value;
    if ((!values.empty() &&
         !expect(TokenKind::Comma, "in a list of integers")) ||
        !parseInteger(value, "an integer"))
      return false;
    values.push_back(value);
  }
  advance();
  return true;
}

bool ParserImpl::parseIntLists(Attribute &attribute) {
  if (!expect(TokenKind::LBrace, "before lists of integers"))
    return false;
  SmallVector<ArrayRef<int64_t>> lists;
  while (!at(TokenKind::RBrace)) {
    SmallVector<int64_t, 8> values;
    if ((!lists.empty() && !expect(TokenKind::Comma, "between lists")) ||
        !parseIntList(values))
      return false;
    lists.push_back(module.save(ArrayRef<int64_t>(values)));
  }
  advance();
  attribute.setList(AttrKind::IntLists,
                    module.save(ArrayRef<ArrayRef<int64_t>>(lists)));
  return true;
}

bool ParserImpl::parseReal(double &value) {
  StringRef word = text();
  if (word == "inf" || word == "-inf") {
    value = std::numeric_limits<double>::infinity();
    if (word.starts_with("-"))
      value = -value;
  } else if (word == "nan" || word == "-nan") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if ((!at(TokenKind::Integer) && !at(TokenKind::Real)) ||
             word.size() > 4096 ||
             word.getAsDouble(value, /*AllowInexact=*/true)) {
    return unexpected("a number");
  }
  advance();
  return true;
}

bool ParserImpl::parseString(StringRef &value) {
  if (!at(TokenKind::String))
    return unexpected("a string in quotes");
  StringRef inside = text().drop_front().drop_back();
  value = inside;
  if (inside.contains('\\')) {
    SmallVector<char> bytes;
    size_t problem = 0;
    if (!unescape(inside, bytes, problem)) {
      uint32_t at = token.begin + 1 + problem;
      return error({at, at + 2}, "unknown escape in a string");
    }
    value = module.save(StringRef(bytes.data(), bytes.size()));
  }
  advance();
  return true;
}

bool ParserImpl::parseRaw(StringRef &value) {
  Token raw = lexer.lexRaw(token.begin, kMaxDepth);
  if (raw.is(TokenKind::Error))
    return error({raw.begin, raw.end}, raw.problem);
  if (raw.begin == raw.end)
    return unexpected("a value");
  value = lexer.spelling(raw);
  moveTo(raw.end);
  return true;
}

bool ParserImpl::parseFlag(Attribute &attribute) {
  if (!atWord("true") && !atWord("false"))
    return unexpected("'true' or 'false'");
  attribute.integer = text() == "true";
  advance();
  return true;
}

/// The possible words of an attribute, if the list is short and settled.
static ArrayRef<StringRef> choices(AttrName name) {
  static constexpr StringRef direction[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  static constexpr StringRef type[] = {"FLOAT", "TOTALORDER", "SIGNED",
                                       "UNSIGNED"};
  static constexpr StringRef order[] = {"TOTAL", "PARTIAL", "TOTALORDER",
                                        "PARTIALORDER"};
  static constexpr StringRef kind[] = {"kLoop", "kInput", "kOutput", "kCustom"};
  static constexpr StringRef fft[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
  static constexpr StringRef distribution[] = {"rng_uniform", "rng_normal",
                                               "rng_bernoulli"};
  static constexpr StringRef transpose[] = {"NO_TRANSPOSE", "TRANSPOSE",
                                            "ADJOINT"};
  switch (name) {
  case AttrName::Direction:
    return direction;
  case AttrName::Type:
    return type;
  case AttrName::Order:
    return order;
  case AttrName::Kind:
    return kind;
  case AttrName::FftType:
    return fft;
  case AttrName::Distribution:
    return distribution;
  case AttrName::TransposeA:
    return transpose;
  default:
    return {};
  }
}

bool ParserImpl::parseWord(Attribute &attribute) {
  ArrayRef<StringRef> words = choices(attribute.name);
  std::string expected =
      words.empty() ? "a word" : "one of " + llvm::join(words, ", ");
  if (!at(TokenKind::Word))
    return unexpected(expected);
  if (!words.empty() && !llvm::is_contained(words, text())) {
    unexpected(expected);
    std::string upper = text().upper();
    auto meant = llvm::is_contained(words, upper)
                     ? std::optional<StringRef>(upper)
                     : suggest(text(), words);
    if (meant)
      help("write '" + spelling(attribute.name) + "=" + *meant + "'");
    return false;
  }
  attribute.text = text();
  advance();
  return true;
}

bool ParserImpl::parseWords(Attribute &attribute) {
  if (!expect(TokenKind::LBrace, "before a list of words"))
    return false;
  SmallVector<StringRef> words;
  while (!at(TokenKind::RBrace)) {
    if (!words.empty() && !expect(TokenKind::Comma, "in a list of words"))
      return false;
    if (!at(TokenKind::Word))
      return unexpected("a word");
    words.push_back(text());
    advance();
  }
  advance();
  attribute.setList(AttrKind::Words, module.save(ArrayRef<StringRef>(words)));
  return true;
}

bool ParserImpl::parseShapesValue(Attribute &attribute) {
  SmallVector<const Shape *> shapes;
  if (!at(TokenKind::LBrace)) { // outfeed_shape=f32[4]
    const Shape *shape = parseShape(/*layoutAlways=*/true);
    if (!shape)
      return false;
    shapes.push_back(shape);
  } else {
    advance();
    while (!at(TokenKind::RBrace)) {
      if (!shapes.empty() && !expect(TokenKind::Comma, "between shapes"))
        return false;
      const Shape *shape = parseShape(/*layoutAlways=*/true);
      if (!shape)
        return false;
      shapes.push_back(shape);
    }
    advance();
  }
  attribute.setList(AttrKind::Shapes,
                    module.save(ArrayRef<const Shape *>(shapes)));
  return true;
}

/// entry_computation_layout := `{(` shapes `)->` shape `}`
bool ParserImpl::parseEntryLayout() {
  if (!expect(TokenKind::LBrace, "before the entry computation's layout") ||
      !expect(TokenKind::LParen, "before the parameters' shapes"))
    return false;
  SmallVector<const Shape *> shapes;
  while (!at(TokenKind::RParen)) {
    if (!shapes.empty() && !expect(TokenKind::Comma, "between shapes"))
      return false;
    const Shape *shape = parseShape(/*layoutAlways=*/true);
    if (!shape)
      return false;
    shapes.push_back(shape);
  }
  advance();
  if (!expect(TokenKind::Arrow, "before the result's shape"))
    return false;
  module.entryLayoutResult = parseShape(/*layoutAlways=*/true);
  if (!module.entryLayoutResult)
    return false;
  module.entryLayoutParameters = module.save(ArrayRef<const Shape *>(shapes));
  module.hasEntryLayout = true;
  return expect(TokenKind::RBrace, "after the entry computation's layout");
}

//===----------------------------------------------------------------------===//
// Dictionaries
//===----------------------------------------------------------------------===//

/// `{key="text",key2={"a":1}}`
bool ParserImpl::parseDictionary(Attribute &attribute) {
  if (!expect(TokenKind::LBrace, "before a dictionary"))
    return false;
  SmallVector<DictionaryEntry> entries;
  while (!at(TokenKind::RBrace)) {
    DictionaryEntry entry;
    if (!entries.empty() && !expect(TokenKind::Comma, "between entries"))
      return false;
    if (at(TokenKind::String)) {
      if (!parseString(entry.key))
        return false;
    } else if (at(TokenKind::Word)) {
      entry.key = text();
      advance();
    } else {
      return unexpected("a key");
    }
    if (!expect(TokenKind::Equal, "after a key"))
      return false;
    if (at(TokenKind::String) ? !parseString(entry.value)
                              : !parseRaw(entry.value))
      return false;
    entries.push_back(entry);
  }
  advance();
  attribute.setList(AttrKind::Dictionary,
                    module.save(ArrayRef<DictionaryEntry>(entries)));
  return true;
}

/// `{op_name="x" source_line=3}`; commas between the pairs are tolerated.
bool ParserImpl::parseMetadata(Attribute &attribute) {
  if (!expect(TokenKind::LBrace, "before metadata"))
    return false;
  Metadata data;
  std::string others;
  while (!at(TokenKind::RBrace)) {
    if (eat(TokenKind::Comma))
      continue;
    if (!at(TokenKind::Word))
      return unexpected("a key of metadata");
    StringRef key = text();
    uint32_t begin = token.begin;
    advance();
    if (!expect(TokenKind::Equal, "after a key"))
      return false;
    StringRef *string = llvm::StringSwitch<StringRef *>(key)
                            .Case("op_type", &data.opType)
                            .Case("op_name", &data.opName)
                            .Case("source_file", &data.sourceFile)
                            .Default(nullptr);
    int64_t *integer = llvm::StringSwitch<int64_t *>(key)
                           .Case("source_line", &data.sourceLine)
                           .Case("source_end_line", &data.sourceEndLine)
                           .Case("source_column", &data.sourceColumn)
                           .Case("source_end_column", &data.sourceEndColumn)
                           .Case("stack_frame_id", &data.stackFrameId)
                           .Default(nullptr);
    if (string) {
      if (!parseString(*string))
        return false;
    } else if (integer) {
      if (!parseInteger(*integer, "an integer"))
        return false;
    } else {
      StringRef ignored;
      if (!parseRaw(ignored))
        return false;
      if (!others.empty())
        others += ' ';
      others += source.slice(begin, previousEnd);
    }
  }
  advance();
  data.others = module.save(StringRef(others));
  attribute.setList(AttrKind::Metadata, module.save(ArrayRef<Metadata>(data)));
  return true;
}

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

bool ParserImpl::parseCallees(Attribute &attribute, Draft *draft, bool list) {
  SmallVector<ComputationRef> refs;
  if (list && !expect(TokenKind::LBrace, "before computations"))
    return false;
  while (!list || !at(TokenKind::RBrace)) {
    if (!refs.empty() && !expect(TokenKind::Comma, "between computations"))
      return false;
    ComputationRef ref;
    if (at(TokenKind::LBrace)) {
      if (!parseInlineComputation(attribute.name, ref, draft->poisoned))
        return false;
    } else if (at(TokenKind::Name) || at(TokenKind::Word)) {
      Range where = range();
      StringRef name = text();
      name.consume_front("%");
      advance();
      if (!resolveCallee(name, where, attribute.name, draft, ref))
        return false;
    } else {
      return unexpected("the name of a computation");
    }
    refs.push_back(ref);
    if (!list)
      break;
  }
  if (list)
    advance();
  attribute.setList(list ? AttrKind::Computations : AttrKind::Computation,
                    module.save(ArrayRef<ComputationRef>(refs)));
  return true;
}

bool ParserImpl::parsePredecessors(Attribute &attribute, Draft *draft,
                                   Computation &computation) {
  if (!expect(TokenKind::LBrace, "before instructions"))
    return false;
  SmallVector<int64_t> indices;
  bool first = true;
  while (!at(TokenKind::RBrace)) {
    if (!first && !expect(TokenKind::Comma, "between instructions"))
      return false;
    first = false;
    if (!at(TokenKind::Name) && !at(TokenKind::Word))
      return unexpected("the name of an instruction");
    Range where = range();
    StringRef name = text();
    name.consume_front("%");
    auto found = body.names.find(name);
    if (found == body.names.end())
      return undefinedOperand(computation, name, where);
    if (found->second == kPoisoned)
      draft->poisoned = true;
    indices.push_back(found->second);
    advance();
  }
  advance();
  attribute.ints = module.save(ArrayRef<int64_t>(indices));
  return true;
}
