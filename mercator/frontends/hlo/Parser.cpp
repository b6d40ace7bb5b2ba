// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules and computations; instructions are in ParseInstructions.cpp.

#include "mercator/frontends/hlo/Parser.h"
#include "mercator/frontends/hlo/ParserImpl.h"
#include "mercator/frontends/hlo/ShapeInference.h"

using namespace mercator;
using namespace mercator::hlo;

static constexpr char kGotNothing[] =
    "expected HLO or StableHLO text, got nothing";

static llvm::LogicalResult checkSize(const SourceBuffer &buffer,
                                     DiagnosticEngine &diagnostics) {
  if (buffer.getText().size() < kNoLoc)
    return llvm::success();
  return diagnostics.error({&buffer, 0, 0}, "HLO text is limited to 4 GB");
}

std::unique_ptr<Module> mercator::hlo::parse(const SourceBuffer &buffer,
                                             DiagnosticEngine &diagnostics) {
  if (failed(checkSize(buffer, diagnostics)))
    return nullptr;
  auto module = std::make_unique<Module>();
  module->text = std::make_shared<std::string>(buffer.getText());
  ParserImpl parser(buffer, diagnostics, *module, *module->text);
  if (!parser.run())
    return nullptr;
  if (parser.atHeader()) {
    parser.refuseSecondModule();
    return nullptr;
  }
  return module;
}

/// A line that separates two modules in MLIR's and XLA's output.
static bool isSeparator(StringRef line) { return line.trim() == "// -----"; }

std::vector<std::unique_ptr<Module>>
mercator::hlo::parseAll(const SourceBuffer &buffer,
                        DiagnosticEngine &diagnostics) {
  if (failed(checkSize(buffer, diagnostics)))
    return {};
  // All parts share one copy, in which each part ends with a zero byte.
  auto text = std::make_shared<std::string>(buffer.getText());
  std::vector<std::pair<size_t, size_t>> parts;
  size_t begin = 0;
  for (size_t at = 0; at < text->size();) {
    size_t end = std::min(text->find('\n', at), text->size());
    if (isSeparator(StringRef(*text).slice(at, end))) {
      (*text)[at] = 0;
      parts.emplace_back(begin, at);
      begin = end;
    }
    at = end + 1;
  }
  parts.emplace_back(begin, text->size());

  unsigned errorsBefore = diagnostics.getErrorCount();
  std::vector<std::unique_ptr<Module>> modules;
  for (auto [from, to] : parts) {
    uint32_t at = from;
    for (bool isMore = true; isMore && !diagnostics.isOverLimit();) {
      auto module = std::make_unique<Module>();
      module->text = text;
      ParserImpl parser(buffer, diagnostics, *module,
                        StringRef(*text).take_front(to), at);
      if (parser.atEnd())
        break;
      uint32_t first = parser.place();
      if (parser.run())
        modules.push_back(std::move(module));
      at = parser.place();
      isMore = parser.atHeader() && at > first;
    }
  }
  if (diagnostics.getErrorCount() != errorsBefore)
    return {};
  if (modules.empty())
    (void)diagnostics.error({&buffer, 0, 0}, kGotNothing);
  return modules;
}

ParserImpl::ParserImpl(const SourceBuffer &buffer,
                       DiagnosticEngine &diagnostics, Module &module,
                       StringRef source, uint32_t begin)
    : buffer(buffer), diagnostics(diagnostics), module(module), source(source),
      lexer(source) {
  bool hasMark = begin == 0 && source.starts_with("\xef\xbb\xbf");
  moveTo(hasMark ? 3 : begin); // after a byte order mark
}

void ParserImpl::refuseSecondModule() {
  error(range(), "expected one module, a second begins here");
}

//===----------------------------------------------------------------------===//
// Tokens and errors
//===----------------------------------------------------------------------===//

void ParserImpl::advance() { moveTo(token.end); }

void ParserImpl::moveTo(uint32_t offset) {
  previousEnd = offset;
  token = lexer.lex(offset);
}

bool ParserImpl::eat(TokenKind kind) {
  if (!at(kind))
    return false;
  advance();
  return true;
}

bool ParserImpl::expect(TokenKind kind, const Twine &role) {
  if (eat(kind))
    return true;
  return unexpected(describe(kind) + " " + role);
}

bool ParserImpl::error(Range where, const Twine &message) {
  (void)diagnostics.error({&buffer, where.begin, where.end}, message);
  if (isCutOff(where))
    diagnostics.note({}, "the text ends here: the file is cut off");
  return false;
}

bool ParserImpl::isCutOff(Range where) const {
  StringRef whole = buffer.getText().rtrim();
  return where.end >= whole.size() && whole.count('{') > whole.count('}');
}

void ParserImpl::note(Range where, const Twine &message) {
  diagnostics.note({&buffer, where.begin, where.end}, message);
}

std::string ParserImpl::describeToken() const {
  return at(TokenKind::Eof) ? "the end of the text" : quote(text());
}

bool ParserImpl::unexpected(const Twine &what) {
  if (at(TokenKind::Error))
    return error(range(), token.problem);
  // The end of the text is shown after the last token, not on an empty line.
  Range where = at(TokenKind::Eof) ? Range{previousEnd, previousEnd} : range();
  return error(where, "expected " + what + ", got " + describeToken());
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

bool ParserImpl::run() {
  unsigned errorsBefore = diagnostics.getErrorCount();
  uint32_t begin = token.begin;
  if (atEnd())
    return error({0, 0}, kGotNothing);
  if (atHeader() && !parseHeader()) {
    // Parsing continues with the computations, to report their errors too.
    skipToNextInstruction(begin);
  }
  if (!parseStackTables())
    return false;
  // Another module may follow.
  while (!atEnd() && !atHeader() && !diagnostics.isOverLimit())
    if (!parseTopLevel())
      break;
  if (diagnostics.getErrorCount() != errorsBefore)
    return false;
  return chooseEntry() && checkEntryLayout();
}

bool ParserImpl::parseHeader() {
  module.hasHeader = true;
  advance();
  if (!at(TokenKind::Word) && !at(TokenKind::Name))
    return unexpected("the module's name");
  StringRef name = text();
  name.consume_front("%");
  module.name = name.str();
  advance();
  eat(TokenKind::Colon); // some texts write `HloModule name:`
  return parseHeaderAttributes();
}

bool ParserImpl::parseNameTable(StringRef title, std::vector<StringRef> &rows) {
  if (!atWord(title))
    return unexpected("'" + title + "'");
  advance();
  while (at(TokenKind::Integer)) {
    advance();
    StringRef name;
    if (!parseString(name))
      return false;
    rows.push_back(name);
  }
  return true;
}

/// `{key=1 key2=2}` after the number of a row.
bool ParserImpl::parseRow(int64_t id, ArrayRef<StringRef> keys,
                          llvm::MutableArrayRef<int64_t> values) {
  if (!expect(TokenKind::LBrace, "after the number of row " + Twine(id)))
    return false;
  while (!at(TokenKind::RBrace)) {
    if (eat(TokenKind::Comma))
      continue;
    const StringRef *key = llvm::find(keys, at(TokenKind::Word) ? text() : "");
    if (key == keys.end())
      return unexpected("a key of this table");
    advance();
    if (!expect(TokenKind::Equal, "after a key") ||
        !parseInteger(values[key - keys.begin()], "an integer"))
      return false;
  }
  advance();
  return true;
}

/// The four tables after the header in newer texts.
bool ParserImpl::parseStackTables() {
  if (!atWord("FileNames"))
    return true;
  if (!parseNameTable("FileNames", module.fileNames) ||
      !parseNameTable("FunctionNames", module.functionNames))
    return false;
  if (!atWord("FileLocations"))
    return unexpected("'FileLocations'");
  advance();
  while (at(TokenKind::Integer)) {
    static constexpr StringRef keys[] = {"file_name_id", "function_name_id",
                                         "line",         "end_line",
                                         "column",       "end_column"};
    int64_t v[6] = {};
    advance();
    if (!parseRow(module.fileLocations.size() + 1, keys, v))
      return false;
    module.fileLocations.push_back({v[0], v[1], v[2], v[3], v[4], v[5]});
  }
  if (!atWord("StackFrames"))
    return unexpected("'StackFrames'");
  advance();
  while (at(TokenKind::Integer)) {
    static constexpr StringRef keys[] = {"file_location_id", "parent_frame_id"};
    int64_t v[2] = {0, 1};
    Range where = range();
    advance();
    int64_t id = module.stackFrames.size() + 1;
    if (!parseRow(id, keys, v))
      return false;
    // The text has a parent's number plus one; 1 and 0 mean no parent.
    int64_t parent = std::max<int64_t>(v[1] - 1, 0);
    if (v[1] < 0 || parent >= id)
      return error(where, "expected the parent of stack frame " + Twine(id) +
                              " to be an earlier one");
    module.stackFrames.push_back({v[0], parent});
  }
  return true;
}

/// Whether a computation begins here: [ENTRY] name, then `{` or `(`.
bool ParserImpl::atComputation() const {
  if (atWord("ENTRY"))
    return true;
  if (!at(TokenKind::Word) && !at(TokenKind::Name))
    return false;
  Token next = peek();
  return next.is(TokenKind::LBrace) || next.is(TokenKind::LParen);
}

bool ParserImpl::parseTopLevel() {
  if (atComputation())
    return parseComputation();
  if (at(TokenKind::Word) || at(TokenKind::Name)) {
    parseBareInstructions();
    return true;
  }
  if (at(TokenKind::RBrace)) {
    error(range(), "this '}' has no matching '{'");
    advance();
    return true;
  }
  return unexpected("a computation or an instruction");
}

bool ParserImpl::chooseEntry() {
  if (module.computations.empty())
    return error({previousEnd, previousEnd},
                 "expected a computation, got " + describeToken());
  uint32_t entry = module.computations.size() - 1;
  bool marked = false;
  for (auto [index, computation] : llvm::enumerate(module.computations)) {
    if (!computation.isEntry)
      continue;
    SourceLoc loc = computation.loc;
    if (marked) {
      error({loc, loc}, "a module has one ENTRY, this is the second");
      SourceLoc first = module.computations[entry].loc;
      note({first, first}, "the first is here");
      return false;
    }
    marked = true;
    entry = index;
  }
  module.entry = entry;
  module.computations[entry].isEntry = true;
  return true;
}

/// entry_computation_layout must agree with the entry computation.
bool ParserImpl::checkEntryLayout() {
  if (!module.hasEntryLayout)
    return true;
  const Computation &entry = module.entryComputation();
  SourceLoc loc = 0;
  for (const Attribute &attribute : module.attributes)
    if (attribute.name == AttrName::EntryComputationLayout)
      loc = attribute.loc;
  Range where{
      loc, loc + uint32_t(spelling(AttrName::EntryComputationLayout).size())};
  auto refuse = [&](const Twine &message) {
    error(where, message);
    note({entry.loc, entry.loc + uint32_t(entry.name.size())},
         "the entry computation is here");
    return false;
  };
  if (module.entryLayoutParameters.size() != entry.parameters.size())
    return refuse(
        "the layout has " + Twine(module.entryLayoutParameters.size()) +
        " parameters, the entry computation " + Twine(entry.parameters.size()));
  for (auto [number, shape] : llvm::enumerate(module.entryLayoutParameters)) {
    const Shape &actual = *entry.instructions[entry.parameters[number]].shape;
    if (!compatible(*shape, actual))
      return refuse("parameter " + Twine(number) + " is " +
                    quote(toString(*shape)) + " in the layout, " +
                    quote(toString(actual)) + " in the entry computation");
  }
  const Shape &result = *entry.rootInstruction().shape;
  if (!compatible(*module.entryLayoutResult, result))
    return refuse("the result is " +
                  quote(toString(*module.entryLayoutResult)) +
                  " in the layout, " + quote(toString(result)) +
                  " in the entry computation");
  return true;
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

/// computation :=
///   [ENTRY] name [signature] `{` instruction+ `}` [, execution_thread=".."]
/// Returns false only if parsing cannot continue.
bool ParserImpl::parseComputation() {
  Computation computation;
  if (atWord("ENTRY")) {
    computation.isEntry = true;
    advance();
  }
  if (!at(TokenKind::Word) && !at(TokenKind::Name))
    return unexpected("the name of a computation");
  Range name = range();
  computation.name = text();
  computation.name.consume_front("%");
  computation.loc = token.begin;
  advance();

  unsigned errorsBefore = diagnostics.getErrorCount();
  if (at(TokenKind::LParen) && !parseSignature(computation)) {
    // Continues at the body in spite of the error.
    while (!at(TokenKind::LBrace) && !at(TokenKind::Eof))
      moveTo(at(TokenKind::Error) ? token.begin + 1 : token.end);
  }
  Range open = range();
  if (!expect(TokenKind::LBrace,
              "before the instructions of " + quote(computation.name))) {
    computationNames.try_emplace(computation.name, kPoisoned);
    return false;
  }
  body = Body();
  body.computation = computation.name;
  bool closed = parseBody(computation, open);
  if (closed) {
    if (at(TokenKind::Comma)) {
      advance();
      if (!atWord("execution_thread")) {
        unexpected("'execution_thread'");
        skipToNextInstruction(token.begin);
      } else {
        advance();
        if (!expect(TokenKind::Equal, "after 'execution_thread'") ||
            !parseString(computation.executionThread))
          skipToNextInstruction(token.begin);
      }
    }
  }
  bool good = body.good && diagnostics.getErrorCount() == errorsBefore;
  finishComputation(computation, name, good);
  return closed;
}

/// `(p: f32[], q: s32[2]) -> f32[]`
bool ParserImpl::parseSignature(Computation &computation) {
  advance();
  computation.hasSignature = true;
  SmallVector<Computation::SignatureParameter> parameters;
  while (!at(TokenKind::RParen)) {
    if (!parameters.empty() && !expect(TokenKind::Comma, "between parameters"))
      return false;
    if (!at(TokenKind::Word) && !at(TokenKind::Name))
      return unexpected("the name of a parameter");
    StringRef name = text();
    name.consume_front("%");
    advance();
    if (!expect(TokenKind::Colon, "after the name of a parameter"))
      return false;
    const Shape *shape = parseShape(/*layoutAlways=*/true);
    if (!shape)
      return false;
    parameters.push_back({name, shape});
  }
  advance();
  computation.signature =
      module.save(ArrayRef<Computation::SignatureParameter>(parameters));
  if (!expect(TokenKind::Arrow, "after the parameters"))
    return false;
  computation.signatureResult = parseShape();
  return computation.signatureResult != nullptr;
}

/// Instructions and the closing brace. `open` is the opening brace. False at
/// the end of the text and at the error limit.
bool ParserImpl::parseBody(Computation &computation, Range open) {
  while (!at(TokenKind::RBrace)) {
    if (diagnostics.isOverLimit())
      return false;
    if (at(TokenKind::Eof)) {
      if (ranOut)
        return false; // recovery came here: the brace may be skipped
      error({previousEnd, previousEnd},
            "expected '}' after the instructions of " +
                quote(computation.name) + ", got the end of the text");
      note(open, "they begin here");
      return false;
    }
    uint32_t start = token.begin;
    if (!parseInstruction(computation)) {
      body.good = false;
      skipToNextInstruction(start);
    }
  }
  advance();
  return true;
}

/// `to_apply={ .. }`: a computation written at its call.
bool ParserImpl::parseInlineComputation(AttrName attr, ComputationRef &ref,
                                        bool &poisoned) {
  // One such level uses the stack of several levels of shapes.
  constexpr unsigned levels = 8;
  constexpr unsigned limit =
      kMaxDepth / levels - 1; // the innermost contains shapes too
  if (depth >= limit * levels)
    return error(range(),
                 "computations are nested more than " + Twine(limit) + " deep");
  Computation computation;
  std::string name;
  do
    name = (spelling(attr) + ".inline." + Twine(inlineCounter++)).str();
  while (computationNames.contains(name));
  computation.name = module.save(StringRef(name));
  computation.loc = token.begin;
  Range open = range();
  advance();

  Body outer = std::move(body);
  body = Body();
  body.computation = computation.name;
  unsigned errorsBefore = diagnostics.getErrorCount();
  depth += levels;
  bool closed = parseBody(computation, open);
  depth -= levels;
  bool good = body.good && diagnostics.getErrorCount() == errorsBefore;
  ref.name = computation.name;
  poisoned |= !finishComputation(computation, open, good);
  ref.index = module.computations.size() - 1; // unless it had an error
  body = std::move(outer);
  return closed;
}

/// Bare instructions, up to the end or to a computation, form computation
/// `entry`.
void ParserImpl::parseBareInstructions() {
  Computation computation;
  computation.name = "entry";
  computation.loc = token.begin;
  Range where = range();
  unsigned errorsBefore = diagnostics.getErrorCount();
  body = Body();
  body.computation = computation.name;
  body.bare = true;
  while ((at(TokenKind::Word) || at(TokenKind::Name)) && !atComputation() &&
         !diagnostics.isOverLimit()) {
    uint32_t start = token.begin;
    if (!parseInstruction(computation))
      skipToNextInstruction(start);
  }
  computation.isEntry = true;
  finishComputation(computation, where,
                    body.good && diagnostics.getErrorCount() == errorsBefore);
}

/// Registers the computation. After an error in it, registers only its name and
/// returns false.
bool ParserImpl::finishComputation(Computation &computation, Range name,
                                   bool good) {
  if (good && computation.instructions.empty())
    good = error(name, "computation " + quote(computation.name) +
                           " has no instructions");
  good = good && numberParameters(computation);
  if (good) {
    computation.root =
        body.root == kNone ? computation.instructions.size() - 1 : body.root;
    computation.instructions[computation.root].isRoot = true;
    good = checkSignature(computation, name);
  }
  uint32_t index = good ? uint32_t(module.computations.size()) : kPoisoned;
  auto [previous, inserted] =
      computationNames.try_emplace(computation.name, index);
  if (!inserted) {
    error(name, "computation " + quote(computation.name) + " is defined twice");
    if (previous->second < module.computations.size()) {
      SourceLoc first = module.computations[previous->second].loc;
      note({first, first}, "the first is here");
    }
    return false;
  }
  if (good)
    module.computations.push_back(std::move(computation));
  return good;
}

bool ParserImpl::numberParameters(Computation &computation) {
  auto instructionRange = [&](uint32_t index) {
    const Instruction &node = computation.instructions[index];
    return Range{node.loc, node.loc + uint32_t(node.name.size())};
  };
  SmallVector<uint32_t> written;
  for (auto [index, node] : llvm::enumerate(computation.instructions))
    if (node.opcode == Opcode::Parameter && node.parameterNumber >= 0)
      written.push_back(index);
  int64_t count = written.size() + body.implicitParameters.size();
  computation.parameters.assign(count, kNone);
  for (uint32_t index : written) {
    int64_t number = computation.instructions[index].parameterNumber;
    if (number >= int64_t(written.size()))
      return error(instructionRange(index),
                   "expected a parameter number below " +
                       Twine(written.size()) +
                       ", the number of parameters, got " + Twine(number));
    if (computation.parameters[number] != kNone) {
      error(instructionRange(index),
            "parameter " + Twine(number) + " is defined twice");
      note(instructionRange(computation.parameters[number]),
           "the first is here");
      return false;
    }
    computation.parameters[number] = index;
  }
  for (auto [offset, index] : llvm::enumerate(body.implicitParameters)) {
    int64_t number = written.size() + offset;
    computation.instructions[index].parameterNumber = number;
    computation.parameters[number] = index;
  }
  return true;
}

/// The result must agree with the signature. Differing parameters are a
/// warning: edited texts often contain them, and only the body counts.
bool ParserImpl::checkSignature(const Computation &computation, Range where) {
  if (!computation.hasSignature)
    return true;
  auto warn = [&](const Twine &message) {
    diagnostics.warning({&buffer, where.begin, where.end}, message);
  };
  size_t written = computation.signature.size();
  if (written != computation.parameters.size()) {
    warn("the signature of " + quote(computation.name) + " has " +
         Twine(written) + " parameters, its body " +
         Twine(computation.parameters.size()));
    written = 0;
  }
  for (size_t number = 0; number < written; ++number) {
    const Shape &shape = *computation.signature[number].shape;
    const Instruction &node =
        computation.instructions[computation.parameters[number]];
    if (compatible(shape, *node.shape))
      continue;
    warn("parameter " + Twine(number) + " of " + quote(computation.name) +
         " is " + quote(toString(shape)) + " in the signature, " +
         quote(toString(*node.shape)) + " in the body");
    note({node.loc, node.loc + uint32_t(node.name.size())},
         "it is defined here");
  }
  const Instruction &root = computation.rootInstruction();
  if (compatible(*computation.signatureResult, *root.shape))
    return true;
  error(where, "the result of " + quote(computation.name) + " is " +
                   quote(toString(*computation.signatureResult)) +
                   " in the signature, " + quote(toString(*root.shape)) +
                   " in the body");
  note({root.loc, root.loc + uint32_t(root.name.size())}, "the root is here");
  return false;
}
