// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/mercator-lsp-server/Documents.h"

#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/maps/Maps.h"
#include "mercator/compiler/maps/RecordDomains.h"
#include "mercator/frontends/hlo/Looks.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace mercator;
using namespace mercator::lsp;
using llvm::StringRef;
namespace json = llvm::json;

struct Documents::Document {
  std::string uri, text;
  /// Errors are shown by diagnose(). The program may still have some to say.
  llvm::raw_null_ostream nowhere;
  std::unique_ptr<DiagnosticEngine> diagnostics;
  /// The program of this text. Null until somebody asks, and if the text has errors.
  std::unique_ptr<Compilation> program;
  bool isRead = false;

  [[nodiscard]] std::string name() const {
    return llvm::sys::path::filename(uri).str();
  }
  Compilation *read();
};

Documents::Documents() = default;
Documents::~Documents() = default;

void Documents::open(StringRef uri, std::string text) {
  auto document = std::make_unique<Document>();
  document->uri = uri.str();
  document->text = std::move(text);
  documents[uri] = std::move(document);
}

void Documents::close(StringRef uri) { documents.erase(uri); }

const std::string *Documents::textOf(StringRef uri) const {
  auto found = documents.find(uri);
  return found == documents.end() ? nullptr : &found->second->text;
}

bool Documents::isHlo(StringRef uri) const {
  const std::string *text = textOf(uri);
  return uri.ends_with(".hlo") || (text && hlo::looksLikeHlo(*text));
}

//===--- Positions --------------------------------------------------------===//

namespace {
/// A character at an offset: its bytes in UTF-8, and its units in UTF-16.
struct Character {
  Character(StringRef text, size_t at) {
    auto first = static_cast<unsigned char>(text[at]);
    bytes = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    units = bytes == 4 ? 2 : 1;
  }
  size_t bytes;
  unsigned units;
};
} // namespace

/// The offset of a position; the end of its line, or of the text, if it is behind it.
static size_t offsetOf(StringRef text, Position position) {
  size_t at = 0;
  for (unsigned line = 0; line < position.line; ++line) {
    size_t end = text.find('\n', at);
    if (end == StringRef::npos)
      return text.size();
    at = end + 1;
  }
  for (unsigned unit = 0;
       unit < position.character && at < text.size() && text[at] != '\n';) {
    Character character(text, at);
    unit += character.units;
    at = std::min(at + character.bytes, text.size());
  }
  return at;
}

static std::optional<Position> positionIn(const json::Object *range,
                                          StringRef end) {
  const json::Object *position = range ? range->getObject(end) : nullptr;
  if (!position)
    return std::nullopt;
  std::optional<int64_t> line = position->getInteger("line"),
                         character = position->getInteger("character");
  constexpr int64_t kMost = int64_t(1) << 31;
  if (!line || !character || *line < 0 || *character < 0 || *line >= kMost ||
      *character >= kMost)
    return std::nullopt;
  return Position{unsigned(*line), unsigned(*character)};
}

void Documents::change(StringRef uri, const json::Array &changes) {
  auto found = documents.find(uri);
  if (found == documents.end())
    return;
  Document &document = *found->second;
  document.program = nullptr;
  document.isRead = false;
  for (const json::Value &value : changes) {
    const json::Object *change = value.getAsObject();
    std::optional<StringRef> text =
        change ? change->getString("text") : std::nullopt;
    if (!text)
      continue;
    const json::Object *range = change->getObject("range");
    if (!range) {
      document.text = text->str();
      continue;
    }
    std::optional<Position> first = positionIn(range, "start"),
                            last = positionIn(range, "end");
    if (!first || !last)
      continue;
    size_t begin = offsetOf(document.text, *first),
           end = std::max(begin, offsetOf(document.text, *last));
    document.text.replace(begin, end - begin, text->str());
  }
}

//===--- Programs ---------------------------------------------------------===//

Compilation *Documents::Document::read() {
  if (isRead)
    return program.get();
  isRead = true;
  program = nullptr;
  diagnostics = std::make_unique<DiagnosticEngine>(nowhere);
  program = Compilation::load(name(), text, *diagnostics);
  return program.get();
}

json::Array Documents::diagnose(StringRef uri) const {
  json::Array all;
  auto found = documents.find(uri);
  if (found == documents.end())
    return all;
  const Document &document = *found->second;
  std::string lines;
  {
    llvm::raw_string_ostream os(lines);
    DiagnosticEngine diagnostics(os);
    diagnostics.useJson();
    // Of a text that is being written, only what it says matters.
    (void)Compilation::load(document.name(), document.text, diagnostics);
  }
  SourceBuffer source(document.name(), document.text);
  for (StringRef line : llvm::split(StringRef(lines).trim(), '\n')) {
    llvm::Expected<json::Value> parsed = json::parse(line);
    if (!parsed) {
      llvm::consumeError(parsed.takeError());
      continue;
    }
    const json::Object &said = *parsed->getAsObject();
    StringRef severity = said.getString("severity").value_or(""),
              message = said.getString("message").value_or("");
    if (severity == "note" || severity == "help") {
      if (!all.empty()) {
        json::Object &last = *all.back().getAsObject();
        last["message"] =
            (*last.getString("message") + "\n" + severity + ": " + message)
                .str();
      }
      continue;
    }
    auto place = [&](StringRef lineKey, StringRef columnKey) {
      int64_t line = said.getInteger(lineKey).value_or(1),
              column = said.getInteger(columnKey).value_or(1);
      StringRef before =
          source.getLine(unsigned(line)).take_front(size_t(column) - 1);
      int64_t units = 0;
      for (size_t at = 0; at < before.size();) {
        Character character(before, at);
        units += character.units;
        at += character.bytes;
      }
      return json::Object{{"line", line - 1}, {"character", units}};
    };
    all.push_back(json::Object{
        {"range", json::Object{{"start", place("line", "column")},
                               {"end", place("end_line", "end_column")}}},
        {"severity", severity == "error" ? 1 : 2},
        {"source", "mercator"},
        {"message", message.str()}});
  }
  return all;
}

//===--- Hover ------------------------------------------------------------===//

/// The name at an offset, as the text spells it: `%sum`, `add.3`.
static StringRef nameAt(StringRef text, size_t offset) {
  auto isPart = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-' || c == '$';
  };
  size_t begin = offset, end = offset;
  while (begin > 0 && isPart(text[begin - 1]))
    --begin;
  while (end < text.size() && isPart(text[end]))
    ++end;
  if (begin > 0 && text[begin - 1] == '%')
    --begin;
  else if (end < text.size() && text[end] == '%' && begin == end) {
    // The cursor is before the sign.
    ++end;
    while (end < text.size() && isPart(text[end]))
      ++end;
  }
  return text.slice(begin, end);
}

/// The line of a place such as `t.mlir:12`; 0 if it has none.
static unsigned lineOf(StringRef place) {
  unsigned line = 0;
  return place.rsplit(':').second.getAsInteger(10, line) ? 0 : line;
}

static std::string describeRecord(const MapRecord &record) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string own = record.resultName(record.from);
  os << '`' << (own.empty() ? record.instruction : own) << "` reads";
  RecordDomains domains(record);
  std::string common = domains.common();
  for (const MapTarget &target : record.to) {
    for (const indexing::OperandMap &map : target.maps) {
      MapDescription said = describe(map);
      os << "\n- `" << target.name << "`: `" << said.formula << '`';
      std::string rest = domains.own(map.map);
      for (const std::string &part : {common, rest})
        if (!part.empty())
          os << ", " << part;
      for (const auto &variable : said.runtimeVariables)
        os << ", " << toShortString(variable);
      if (!said.exact)
        os << " (not exact: " << said.reason << ')';
    }
  }
  return text;
}

std::string Documents::hover(StringRef uri, Position position) {
  auto found = documents.find(uri);
  if (found == documents.end())
    return {};
  Document &document = *found->second;
  Compilation *program = document.read();
  if (!program)
    return {};
  size_t offset = offsetOf(document.text, position);
  StringRef name = nameAt(document.text, offset).ltrim('%');
  unsigned line = position.line + 1;
  // Of equal names in several computations, the nearest above the cursor.
  const InstructionTable &table = program->getInstructions();
  std::optional<Instruction> named;
  unsigned nearest = 0;
  llvm::SmallVector<Instruction> here;
  for (const Computation &computation : table.getComputations())
    table.forEachOperation(computation, [&](mlir::Operation *op) {
      unsigned at = lineOf(placeOf(op->getLoc()));
      if (at == line)
        here.push_back({.computation = &computation, .op = op});
      llvm::SmallVector<StringRef> names;
      std::string whole = table.nameOf(op);
      StringRef(whole).split(names, ',');
      bool isNamed = llvm::any_of(names, [&](StringRef each) {
        return each.ltrim('%').split(':').first == name && !name.empty();
      });
      if (isNamed && at <= line && at >= nearest) {
        named = Instruction{.computation = &computation, .op = op};
        nearest = at;
      }
    });
  if (named)
    here = {*named};
  std::string text;
  for (const Instruction &instruction : here)
    forEachRecord(table, instruction, indexing::Direction::OutToIn,
                  [&](const MapRecord &record) {
                    if (!text.empty())
                      text += "\n\n";
                    text += describeRecord(record);
                  });
  return text;
}
