// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/explore/Simplifications.h"
#include "mercator/compiler/maps/Prove.h"
#include "mercator/indexing/notation/Notation.h"

using namespace mercator;
using namespace mercator::indexing;

void ComposedPairs::add(unsigned producer, const OperandMap &m) {
  if (tried.size() >= kMostTried || found.size() >= kMostKept ||
      m.map.isKnownEmpty() || !m.map.domain.runtimes.empty())
    return;
  std::string reader = toString(m.map);
  if (auto it = ofInstruction.find(producer); it != ofInstruction.end())
    tryPair(reader, it->second);
  if (first.empty())
    first = std::move(reader);
}

void ComposedPairs::finish(unsigned number,
                           const Exploration::Instruction &instruction) {
  if (!first.empty())
    ofInstruction[number] = std::move(first);
  first.clear();
}

void ComposedPairs::tryPair(const std::string &reader,
                            const std::string &read) {
  if (!tried.insert(reader + " then " + read).second)
    return;
  Arena arena;
  ParseError error;
  std::optional<Map> outer = parseMap(arena, reader, error),
                     inner = parseMap(arena, read, error);
  if (!outer || !inner || outer->results.size() != inner->numDims())
    return;
  std::string quiet;
  llvm::raw_string_ostream os(quiet);
  DiagnosticEngine diagnostics(os);
  SourceBuffer text("<MAP>", toString(compose(*outer, *inner)));
  Answer<Simplified> answer = simplify(text, diagnostics);
  if (!answer || answer->steps.empty() ||
      !tried.insert("= " + answer->before).second)
    return;
  llvm::raw_string_ostream json(found.emplace_back());
  writeJson(*answer, json);
}

std::vector<std::string> ComposedPairs::take() { return std::move(found); }
