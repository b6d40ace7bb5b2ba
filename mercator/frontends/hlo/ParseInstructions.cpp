// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/ParserImpl.h"
#include "mercator/frontends/hlo/ShapeInference.h"
#include "mercator/support/Suggest.h"

#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using namespace mercator::hlo;

/// instruction := [ROOT] name = [shape] opcode ( operands ) {, attribute}
bool ParserImpl::parseInstruction(Computation &computation) {
  Draft draft;
  Range root = range();
  if (atWord("ROOT") && !peek().is(TokenKind::Equal)) {
    draft.node.isRoot = true;
    advance();
  }
  if (!at(TokenKind::Word) && !at(TokenKind::Name))
    return unexpected("an instruction");
  draft.name = range();
  draft.node.loc = token.begin;
  draft.node.name = text();
  if (!draft.node.name.consume_front("%") &&
      elementTypeFromSpelling(draft.node.name))
    return error(range(), quote(text()) +
                              " is the name of a type and cannot be "
                              "that of an instruction");
  advance();

  auto [previous, isNew] = body.names.try_emplace(draft.node.name, kPoisoned);
  uint32_t twice = isNew ? kNone : previous->second;
  body.defining = isNew ? draft.node.name : StringRef();
  bool good = expect(TokenKind::Equal, "after the name of an instruction") &&
              parseRhs(draft, computation) &&
              parseInstructionAttributes(draft, computation);
  if (!good)
    return false;
  if (draft.node.isRoot) {
    if (body.root != kNone) {
      error(root,
            "computation " + quote(body.computation) + " has a second ROOT");
      if (body.root != kPoisoned) {
        SourceLoc first = computation.instructions[body.root].loc;
        note({first, first}, "the first is here");
      }
      return true; // its text was well formed; nothing is skipped
    }
    body.root = kPoisoned;
  }
  if (twice != kNone) {
    error(draft.name,
          "instruction " + quote(draft.node.name) + " is defined twice");
    if (twice != kPoisoned) {
      SourceLoc first = computation.instructions[twice].loc;
      note({first, first + uint32_t(draft.node.name.size())},
           "the first is here");
    }
    return true;
  }
  if (!finishInstruction(draft, computation)) {
    body.good = false;
    return true;
  }
  uint32_t index = append(draft, computation);
  body.sawParameter |= draft.node.opcode == Opcode::Parameter;
  body.names[draft.node.name] = index;
  if (draft.node.isRoot)
    body.root = index;
  return true;
}

/// Everything from `=` to the attributes.
bool ParserImpl::parseRhs(Draft &draft, Computation &computation) {
  if (atShape()) {
    draft.shape = range();
    draft.node.shape = parseShape(/*layoutAlways=*/true);
    if (!draft.node.shape)
      return false;
    draft.shape.end = previousEnd;
    draft.node.shapeWritten = true;
  }
  return parseOpcode(draft) && parseArguments(draft, computation);
}

/// `add`, or the shorthand `custom-call-start` for async-start of a
/// custom-call.
bool ParserImpl::parseOpcode(Draft &draft) {
  if (!at(TokenKind::Word))
    return unexpected("an opcode");
  StringRef word = text();
  draft.opcode = range();
  draft.node.opcodeLoc = token.begin;
  if (auto opcode = opcodeFromSpelling(word)) {
    draft.node.opcode = *opcode;
    advance();
    return true;
  }
  static constexpr std::pair<StringRef, Opcode> sugar[] = {
      {"-start", Opcode::AsyncStart},
      {"-update", Opcode::AsyncUpdate},
      {"-done", Opcode::AsyncDone}};
  for (auto [suffix, opcode] : sugar) {
    StringRef wrapped = word;
    if (!wrapped.consume_back(suffix))
      continue;
    if (auto inner = opcodeFromSpelling(wrapped)) {
      draft.node.opcode = opcode;
      draft.node.asyncWrapped = *inner;
      advance();
      return true;
    }
  }
  error(range(), "unknown opcode " + quote(word));
  if (auto meant = suggestOpcode(word); meant && !isCutOff(range()))
    help("write '" + *meant + "'");
  return false;
}

/// The parenthesis after the opcode: a parameter's number, a constant's value,
/// or operands.
bool ParserImpl::parseArguments(Draft &draft, Computation &computation) {
  Range open = range();
  if (!expect(TokenKind::LParen, "after the opcode"))
    return false;
  if (draft.node.opcode == Opcode::Parameter)
    return parseParameterNumber(draft);
  if (draft.node.opcode == Opcode::Constant) {
    if (!draft.node.shape) {
      error(draft.opcode, "the shape of a constant must be written");
      help("write for example '" + draft.node.name + " = f32[] constant(0)'");
      return false;
    }
    draft.node.literal = parseLiteral(*draft.node.shape);
    return draft.node.literal && expect(TokenKind::RParen, "after a constant");
  }
  while (!at(TokenKind::RParen)) {
    if (!draft.operands.empty() &&
        !expect(TokenKind::Comma, "between operands"))
      break;
    if (!parseOperand(draft, computation))
      return false;
  }
  if (eat(TokenKind::RParen))
    return true;
  note(open, "the operands begin here");
  return false;
}

bool ParserImpl::parseParameterNumber(Draft &draft) {
  Range where = range();
  if (!parseInteger(draft.node.parameterNumber, "the number of the parameter"))
    return false;
  if (draft.node.parameterNumber < 0 || draft.node.parameterNumber > INT32_MAX)
    return error(where, "expected a parameter number of 0 or more, got " +
                            Twine(draft.node.parameterNumber));
  if (!draft.node.shape) {
    error(draft.opcode, "the shape of a parameter must be written");
    help("write for example '" + draft.node.name + " = f32[] parameter(" +
         Twine(draft.node.parameterNumber) + ")'");
    return false;
  }
  return expect(TokenKind::RParen, "after the number of the parameter");
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// operand := [shape] name | [shape] opcode ( operands ) | shape The last form
/// is a parameter. In bare instructions without an explicit parameter, an
/// undefined name is a parameter too.
bool ParserImpl::parseOperand(Draft &draft, Computation &computation) {
  Range shapeRange = range();
  const Shape *shape = nullptr;
  if (atShape()) {
    shape = parseShape(/*layoutAlways=*/true);
    if (!shape)
      return false;
    shapeRange.end = previousEnd;
  }
  if (body.bare && shape && !body.sawParameter &&
      (at(TokenKind::Comma) || at(TokenKind::RParen))) {
    draft.operands.push_back(implicitParameter(
        computation, freshName("parameter"), *shape, shapeRange.begin));
    draft.operandRanges.push_back(shapeRange);
    return true;
  }
  if (!at(TokenKind::Name) && !at(TokenKind::Word))
    return unexpected(draft.operands.empty() ? "an operand or ')'"
                                             : "an operand");
  if (at(TokenKind::Word) && peek().is(TokenKind::LParen))
    return parseNestedOperand(draft, computation, shape, shapeRange);

  Range where = range();
  StringRef name = text();
  name.consume_front("%");
  auto found = body.names.find(name);
  uint32_t index;
  if (found != body.names.end()) {
    index = found->second;
    if (index == kPoisoned && name == body.defining)
      return error(where, "instruction " + quote(name) + " uses itself");
  } else if (body.bare && shape && !body.sawParameter) {
    index = implicitParameter(computation, name, *shape, where.begin);
  } else {
    return undefinedOperand(computation, name, where);
  }
  advance();
  while (index != kPoisoned && at(TokenKind::Hash))
    if (!parseTupleIndices(computation, name, index))
      return false;
  where.end = previousEnd;
  if (index == kPoisoned) {
    draft.poisoned = true;
  } else if (shape &&
             !compatible(*shape, *computation.instructions[index].shape)) {
    const Instruction &node = computation.instructions[index];
    error(shapeRange, "operand " + quote(name) + " is written as " +
                          quote(toString(*shape)) + " but has shape " +
                          quote(toString(*node.shape)));
    note({node.loc, node.loc + uint32_t(node.name.size())},
         "it is defined here");
    draft.poisoned = true;
  }
  draft.operands.push_back(index);
  draft.operandRanges.push_back(where);
  return true;
}

/// `%p#0`, `%p#0#1`: an element of a tuple. It becomes a get-tuple-element
/// before the instruction. `name` is the operand so far, `index` its
/// instruction.
bool ParserImpl::parseTupleIndices(Computation &computation, StringRef name,
                                   uint32_t &index) {
  advance();
  Range where = range();
  Draft draft;
  Attribute attribute;
  attribute.name = AttrName::Index;
  attribute.loc = attribute.valueLoc = token.begin;
  if (!parseInteger(attribute.integer, "the index of a tuple element"))
    return false;
  attribute.kind = AttrKind::Integer;
  attribute.text = source.slice(where.begin, where.end);
  // Equal spellings share an instruction: `%p#0` twice gives one.
  std::string key = ("#" + Twine(index) + "#" + Twine(attribute.integer)).str();
  auto known = body.names.find(key);
  if (known != body.names.end()) {
    index = known->second;
    return true;
  }
  draft.node.opcode = Opcode::GetTupleElement;
  draft.node.nested = true;
  draft.node.loc = draft.node.opcodeLoc = where.begin;
  draft.opcode = draft.name = where;
  draft.operands.push_back(index);
  draft.operandRanges.push_back(where);
  draft.attributes.push_back(attribute);
  if (!finishInstruction(draft, computation))
    return false;
  draft.node.name = freshName(name);
  index = append(draft, computation);
  body.names[draft.node.name] = index;
  body.names[module.save(StringRef(key))] = index;
  return true;
}

/// `add(f32[] maximum(x, y), z)`: the inner instruction goes before the outer.
bool ParserImpl::parseNestedOperand(Draft &draft, Computation &computation,
                                    const Shape *shape, Range shapeRange) {
  if (depth == kMaxDepth)
    return error(range(),
                 "operands are nested more than " + Twine(kMaxDepth) + " deep");
  Draft inner;
  inner.node.shape = shape;
  inner.node.shapeWritten = shape != nullptr;
  inner.node.nested = true;
  inner.shape = shapeRange;
  inner.name = range();
  inner.node.loc = token.begin;
  ++depth;
  bool good = parseOpcode(inner) && parseArguments(inner, computation);
  --depth;
  if (!good)
    return false;
  Range where{inner.name.begin, previousEnd};
  uint32_t index = kPoisoned;
  if (finishInstruction(inner, computation)) {
    inner.node.name = freshName(spelling(inner.node.opcode));
    index = append(inner, computation);
    body.names[inner.node.name] = index;
  } else {
    draft.poisoned = true;
  }
  draft.operands.push_back(index);
  draft.operandRanges.push_back(where);
  return true;
}

/// A name that no earlier instruction of the computation has.
StringRef ParserImpl::freshName(StringRef stem) {
  std::string name = (stem + ".anon").str();
  while (body.names.contains(name))
    name = (stem + ".anon." + Twine(++body.freshCounter)).str();
  return module.save(StringRef(name));
}

uint32_t ParserImpl::implicitParameter(Computation &computation, StringRef name,
                                       const Shape &shape, SourceLoc loc) {
  Draft draft;
  draft.node.name = name;
  draft.node.opcode = Opcode::Parameter;
  draft.node.shape = &shape;
  draft.node.shapeWritten = true;
  draft.node.nested = true;
  draft.node.loc = draft.node.opcodeLoc = loc;
  uint32_t index = append(draft, computation);
  body.implicitParameters.push_back(index); // numbered at the end
  body.names[name] = index;
  return index;
}

/// Reports a name without an earlier definition, and a suggestion.
bool ParserImpl::undefinedOperand(Computation &computation, StringRef name,
                                  Range where) {
  // Looks for a later definition. Only done for wrong text.
  for (uint32_t line = where.end; line < source.size();) {
    size_t next = source.find('\n', line);
    if (next == StringRef::npos)
      break;
    line = next + 1;
    StringRef rest = source.substr(line).ltrim(" \t");
    if (rest.starts_with("}"))
      break;
    if (rest.consume_front("ROOT"))
      rest = rest.ltrim(" \t");
    rest.consume_front("%");
    if (!rest.consume_front(name) || !rest.ltrim(" \t").starts_with("="))
      continue;
    uint32_t begin = rest.data() - name.size() - source.data();
    error(where,
          "instruction " + quote(name) + " is used before its definition");
    note({begin, begin + uint32_t(name.size())}, "it is defined here");
    return false;
  }
  error(where, "no instruction is called " + quote(name) + " in computation " +
                   quote(body.computation));
  SmallVector<StringRef> candidates;
  for (const Instruction &node : computation.instructions)
    if (!node.nested)
      candidates.push_back(node.name);
  if (auto meant = suggest(name, candidates))
    help("write '" + *meant + "'");
  return false;
}

//===----------------------------------------------------------------------===//
// Called computations
//===----------------------------------------------------------------------===//

/// The opcodes whose computation may be given by an opcode's name alone.
static bool takesBuiltinReducer(Opcode opcode) {
  switch (opcode) {
  case Opcode::Reduce:
  case Opcode::ReduceWindow:
  case Opcode::AllReduce:
  case Opcode::AllReduceStart:
  case Opcode::ReduceScatter:
  case Opcode::CollectiveReduce:
  case Opcode::Scatter:
  case Opcode::SelectAndScatter:
  case Opcode::Map:
    return true;
  default:
    return false;
  }
}

bool ParserImpl::resolveCallee(StringRef name, Range where, AttrName attr,
                               Draft *draft, ComputationRef &ref) {
  ref.name = name;
  auto found = computationNames.find(name);
  if (found != computationNames.end()) {
    ref.index = found->second;
    if (found->second == kPoisoned)
      draft->poisoned = true;
    return true;
  }
  Opcode opcode = draft->node.asyncWrapped.value_or(draft->node.opcode);
  if (takesBuiltinReducer(opcode) && attr != AttrName::Select) {
    ref.builtin = builtinReducer(name);
    if (ref.builtin)
      return true;
  }
  if (name == body.computation)
    return error(where, "computation " + quote(name) + " calls itself");

  // If the definition comes later, the order is the error.
  for (uint32_t line = where.end; line < source.size();) {
    size_t next = source.find('\n', line);
    if (next == StringRef::npos)
      break;
    line = next + 1;
    StringRef rest = source.substr(line).ltrim(" \t");
    if (rest.consume_front("ENTRY"))
      rest = rest.ltrim(" \t");
    rest.consume_front("%");
    if (!rest.consume_front(name))
      continue;
    StringRef after = rest.ltrim(" \t");
    if (!after.starts_with("{") && !after.starts_with("("))
      continue;
    uint32_t begin = rest.data() - name.size() - source.data();
    error(where,
          "computation " + quote(name) + " is used before its definition");
    note({begin, begin + uint32_t(name.size())},
         "it is defined here; a computation comes before those that call it");
    return false;
  }
  error(where, "no computation is called " + quote(name));
  SmallVector<StringRef> candidates;
  for (const Computation &computation : module.computations)
    candidates.push_back(computation.name);
  if (auto meant = suggest(name, candidates))
    help("write '" + *meant + "'");
  else if (takesBuiltinReducer(opcode))
    help("write '" + spelling(attr) +
         "=maximum', or minimum, add, multiply, and, or, xor");
  return false;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The checks that need the whole instruction. False if it has an error: a
/// reported one, or one that follows from an earlier error and is not reported.
bool ParserImpl::finishInstruction(Draft &draft, Computation &computation) {
  draft.node.operands = module.save(ArrayRef<uint32_t>(draft.operands));
  draft.node.attributes = module.save(ArrayRef<Attribute>(draft.attributes));
  return checkOperandCount(draft) && checkRequiredAttributes(draft) &&
         !draft.poisoned && checkShape(draft, computation);
}

bool ParserImpl::checkOperandCount(const Draft &draft) {
  const OpcodeInfo &row = info(draft.node.opcode);
  int count = draft.operands.size();
  if (count >= row.minOperands &&
      (row.maxOperands < 0 || count <= row.maxOperands))
    return true;
  std::string wanted = std::to_string(row.minOperands);
  if (row.maxOperands < 0)
    wanted = "at least " + wanted;
  return error(draft.opcode, "expected " + wanted + " operand" +
                                 (row.minOperands == 1 ? "" : "s") + " for " +
                                 quote(row.spelling) + ", got " + Twine(count));
}

bool ParserImpl::checkRequiredAttributes(const Draft &draft) {
  AttributeSet present;
  for (const Attribute &attribute : draft.attributes)
    present.set(unsigned(attribute.name));
  const Instruction &node = draft.node;
  AttributeSet missing = info(node.opcode).required & ~present;
  StringRef opcode = spelling(node.opcode);
  if (node.asyncWrapped) {
    // The callee of the shorthand is implied; only the start repeats the
    // attributes.
    missing.reset();
    if (node.opcode == Opcode::AsyncStart)
      missing = info(*node.asyncWrapped).required & ~present;
    opcode = spelling(*node.asyncWrapped);
  }
  for (unsigned i = 0; i < missing.size(); ++i) {
    if (!missing.test(i))
      continue;
    error(draft.opcode, quote(opcode) + " needs the attribute " +
                            quote(spelling(AttrName(i))));
    return false;
  }
  return true;
}

bool ParserImpl::checkShape(Draft &draft, Computation &computation) {
  InferredShape inferred;
  ShapeProblem problem;
  if (!inferShape(module, computation, draft.node, inferred, problem)) {
    Range where = draft.opcode;
    if (problem.part == ShapeProblem::Part::Operand)
      where = draft.operandRanges[problem.operand];
    if (problem.part == ShapeProblem::Part::Attribute)
      if (const Attribute *attribute = draft.node.find(problem.attribute)) {
        uint32_t end = attribute->valueLoc + attribute->text.size();
        where = {attribute->valueLoc, end};
      }
    error(where, problem.message);
    if (problem.part == ShapeProblem::Part::Operand) {
      const Instruction &node =
          computation.instructions[draft.operands[problem.operand]];
      note({node.loc, node.loc + uint32_t(node.name.size())},
           "it is defined here");
    }
    if (!problem.help.empty())
      help(problem.help);
    return false;
  }
  if (!draft.node.shape) {
    if (!inferred.shape) {
      error(draft.opcode, "the shape of " + quote(spelling(draft.node.opcode)) +
                              " does not follow from its operands and must be "
                              "written");
      help("write for example '" +
           (draft.node.name.empty() ? "" : draft.node.name + " = ") +
           "f32[2,3] " + spelling(draft.node.opcode) + "(..)'");
      return false;
    }
    draft.node.shape = inferred.shape;
    return true;
  }
  if (!inferred.shape || agrees(*draft.node.shape, inferred))
    return true;
  error(draft.shape, "expected shape " + quote(toString(*inferred.shape)) +
                         " for " + quote(spelling(draft.node.opcode)) +
                         ", got " + quote(toString(*draft.node.shape)));
  return false;
}

uint32_t ParserImpl::append(Draft &draft, Computation &computation) {
  computation.instructions.push_back(draft.node);
  return computation.instructions.size() - 1;
}

//===----------------------------------------------------------------------===//
// Recovery
//===----------------------------------------------------------------------===//

/// Whether the line from `begin` starts an instruction or a computation or ends
/// a computation. Parsing continues there after an error.
bool ParserImpl::looksLikeInstruction(uint32_t begin) const {
  StringRef line = source.substr(begin);
  line = line.take_until([](char c) { return c == '\n'; }).trim();
  if (line.starts_with("}") || line.starts_with("ROOT ") ||
      line.starts_with("ENTRY "))
    return true;
  bool percent = line.consume_front("%");
  StringRef name = line.take_while([](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-';
  });
  if (name.empty() || llvm::isDigit(name.front()))
    return false;
  line = line.drop_front(name.size());
  if (line.ends_with("{") && line.ltrim().find_first_of("({") == 0)
    return true; // the head of a computation
  // `dimensions={0}` continues an instruction, `x = f32[] ..` begins one.
  bool spaced = line.starts_with(" ");
  return line.ltrim().starts_with("=") &&
         (percent || spaced || !attrNameFromSpelling(name));
}

/// `start` is the beginning of the failed part; parsing continues after it.
void ParserImpl::skipToNextInstruction(uint32_t start) {
  for (uint32_t at = std::max(previousEnd, start + 1); at < source.size();) {
    size_t newline = source.find('\n', at);
    if (newline == StringRef::npos)
      break;
    at = newline + 1;
    if (looksLikeInstruction(at)) {
      moveTo(at);
      return;
    }
  }
  ranOut = true;
  moveTo(source.size());
}
