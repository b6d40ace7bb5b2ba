// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Snippet.h"

#include "mercator/indexing/decide/Prove.h"
#include "mercator/indexing/evaluate/Evaluate.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/indexing/simplify/Simplify.h"
#include "mercator/tools/driver/Command.h"
#include "tests/Folders.h"
#include "tests/indexing/Points.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

using namespace mercator;
using namespace mercator::e2e;
using namespace mercator::indexing;
using llvm::ArrayRef;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Outcome e2e::runCommand(ArrayRef<const char *> words) {
  Outcome outcome;
  llvm::raw_string_ostream out(outcome.out), err(outcome.err);
  DiagnosticEngine diagnostics(err);
  const Command *command = nullptr;
  for (const Command *c :
       {&mapCommand, &simplifyCommand, &proveCommand, &explainCommand})
    if (c->name == words.front())
      command = c;
  EXPECT_NE(command, nullptr);
  auto arguments = Arguments::parse(*command, words.drop_front(), diagnostics);
  if (failed(arguments)) {
    outcome.code = static_cast<int>(ExitCode::WrongUsage);
    return outcome;
  }
  Invocation invocation(*arguments, out, /*color=*/false, /*columns=*/0,
                        /*terminal=*/false, diagnostics);
  outcome.code = static_cast<int>(command->run(invocation));
  return outcome;
}

Snippet::Snippet(StringRef text) {
  llvm::SmallString<128> name;
  int fd = -1;
  std::error_code error =
      llvm::sys::fs::createTemporaryFile("snippet", "hlo", fd, name);
  EXPECT_FALSE(error) << error.message();
  llvm::raw_fd_ostream(fd, /*shouldClose=*/true) << text;
  path = name.str().str();
}

Snippet::~Snippet() { llvm::sys::fs::remove(path); }

Outcome Snippet::run(ArrayRef<const char *> options) {
  std::vector<const char *> words = {"map", path.c_str()};
  llvm::append_range(words, options);
  return runCommand(words);
}

llvm::json::Array Snippet::records(StringRef instruction, StringRef direction) {
  std::string what = ("--instruction=" + instruction).str(),
              way = ("--direction=" + direction).str();
  std::vector<const char *> words = {"map", path.c_str(), "--json",
                                     what.c_str(), way.c_str()};
  for (const std::string &option : options)
    words.push_back(option.c_str());
  Outcome outcome = runCommand(words);
  EXPECT_EQ(outcome.code, 0) << instruction.str();
  EXPECT_EQ(outcome.err, "");
  auto parsed = llvm::json::parse(outcome.out);
  if (!parsed) {
    ADD_FAILURE() << llvm::toString(parsed.takeError()) << outcome.out;
    return {};
  }
  const llvm::json::Object *object = parsed->getAsObject();
  EXPECT_EQ(object->getString("schema"), "mercator.map/1");
  const llvm::json::Array *records = object->getArray("records");
  return records ? *records : llvm::json::Array();
}

static Answer toAnswer(const llvm::json::Object &to) {
  Answer answer;
  answer.found = true;
  answer.name = to.getString("name").value_or("").str();
  answer.json = *to.getArray("maps");
  for (const llvm::json::Value &value : answer.json) {
    const llvm::json::Object &map = *value.getAsObject();
    answer.maps.push_back(map.getString("map")->str());
    bool exact = *map.getBoolean("exact");
    answer.reasons.push_back(
        exact ? "" : map.getString("reason").value_or("no reason").str());
  }
  return answer;
}

Answer Snippet::ask(StringRef instruction, bool inToOut, unsigned operand,
                    unsigned result) {
  StringRef fromKey = inToOut ? "operand" : "result",
            toKey = inToOut ? "result" : "operand";
  unsigned from = inToOut ? operand : result, to = inToOut ? result : operand;
  for (const llvm::json::Value &value :
       records(instruction, inToOut ? "in-to-out" : "out-to-in")) {
    const llvm::json::Object &record = *value.getAsObject();
    if (record.getObject("from")->getInteger(fromKey) != from)
      continue;
    for (const llvm::json::Value &target : *record.getArray("to"))
      if (target.getAsObject()->getInteger(toKey) == to)
        return toAnswer(*target.getAsObject());
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

Map e2e::parse(Arena &arena, StringRef text) {
  ParseError error;
  std::optional<Map> map = parseMap(arena, text, error);
  if (map)
    return *map;
  ADD_FAILURE() << error.message << " at byte " << error.begin << " of "
                << text.str();
  return Map::makeEmpty(arena, 0, 0);
}

testing::AssertionResult e2e::sameMaps(ArrayRef<std::string> actual,
                                       ArrayRef<std::string> expected) {
  Arena arena;
  std::vector<Map> left, right;
  for (const std::string &text : actual)
    left.push_back(parse(arena, text));
  for (const std::string &text : expected)
    right.push_back(parse(arena, text));
  auto missing = [](ArrayRef<Map> from, ArrayRef<Map> in) -> const Map * {
    for (const Map &map : from)
      if (llvm::none_of(in, [&](const Map &m) {
            return prove(map, m).kind == Decision::Kind::Yes;
          }))
        return &map;
    return nullptr;
  };
  auto result = testing::AssertionFailure();
  if (const Map *map = missing(left, right))
    result << "\n  given, not expected: " << toString(*map);
  if (const Map *map = missing(right, left))
    result << "\n  expected, not given: " << toString(*map);
  else if (!missing(left, right) && left.size() == right.size())
    return testing::AssertionSuccess();
  for (const std::string &text : actual)
    result << "\n  given: " << text;
  return result;
}

void Snippet::reads(StringRef instruction, unsigned operand,
                    ArrayRef<std::string> maps, unsigned result) {
  Answer answer = ask(instruction, /*inToOut=*/false, operand, result);
  EXPECT_TRUE(sameMaps(answer.maps, maps))
      << instruction.str() << ", operand " << operand << ", result " << result;
}

void Snippet::reaches(StringRef instruction, unsigned operand,
                      ArrayRef<std::string> maps, unsigned result) {
  Answer answer = ask(instruction, /*inToOut=*/true, operand, result);
  EXPECT_TRUE(sameMaps(answer.maps, maps))
      << instruction.str() << " from operand " << operand << " to result "
      << result;
}

static void expectDifferent(const Answer &answer, StringRef map) {
  ASSERT_EQ(answer.maps.size(), 1u);
  Arena arena;
  Verdict verdict = prove(parse(arena, answer.maps.front()), parse(arena, map));
  EXPECT_EQ(verdict.kind, Decision::Kind::No) << answer.maps.front() << "\n"
                                              << map.str();
}

void Snippet::doesNotRead(StringRef instruction, unsigned operand,
                          StringRef map) {
  expectDifferent(ask(instruction, /*inToOut=*/false, operand, 0), map);
}

void Snippet::doesNotReach(StringRef instruction, unsigned operand,
                           StringRef map) {
  expectDifferent(ask(instruction, /*inToOut=*/true, operand, 0), map);
}

void Snippet::readsWithin(StringRef instruction, unsigned operand,
                          StringRef text) {
  Answer answer = ask(instruction, /*inToOut=*/false, operand, 0);
  ASSERT_FALSE(answer.maps.empty());
  Arena arena;
  Map bound = parse(arena, text);
  ASSERT_TRUE(bound.domain.ranges.empty());
  for (const std::string &actual : answer.maps) {
    Map map = parse(arena, actual);
    ASSERT_TRUE(map.domain.ranges.empty()) << actual;
    size_t shared = bound.domain.numVars();
    ASSERT_LE(shared, map.domain.numVars());
    bool within = true;
    PointWalk::End all = forEachPoint(
        arena, map.domain, 10'000'000, [&](ArrayRef<int64_t> point) {
          // `bound` may omit the runtime variables, which come last.
          ArrayRef<int64_t> head = point.take_front(shared);
          within &= contains(arena, bound.domain, head);
          for (auto [a, b] : llvm::zip_equal(map.results, bound.results))
            within &= evaluate(arena, a, map.domain, point) ==
                      evaluate(arena, b, bound.domain, head);
          return within;
        });
    EXPECT_EQ(all, PointWalk::End::Complete) << actual;
    EXPECT_TRUE(within) << actual;
  }
}

void Snippet::hasNoRecords(StringRef instruction) {
  EXPECT_TRUE(records(instruction, "both").empty());
}

std::string Snippet::textOf(StringRef instruction, unsigned operand) {
  Answer answer = ask(instruction, /*inToOut=*/false, operand, 0);
  return answer.maps.size() == 1 ? answer.maps.front() : std::string();
}

void e2e::becomes(StringRef before, StringRef after) {
  Arena arena;
  Map from = parse(arena, before), to = parse(arena, after);
  EXPECT_EQ(toString(simplify(from)), toString(to));
}

std::optional<std::string> e2e::sharedData() {
  std::string folder = sharedFolder();
  if (!llvm::sys::fs::is_directory(folder))
    return std::nullopt;
  return folder;
}
