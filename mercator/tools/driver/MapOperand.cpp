// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/MapOperand.h"

#include "mercator/indexing/notation/Notation.h"

using namespace mercator;
using namespace mercator::indexing;

std::optional<Map> mercator::readMap(Invocation &invocation, unsigned i,
                                     Arena &arena) {
  const SourceBuffer *source = invocation.readText(i);
  if (!source)
    return std::nullopt;
  ParseError error;
  std::optional<Map> map = parseMap(arena, source->getText(), error);
  if (!map)
    report(error, *source, invocation.getDiagnostics());
  return map;
}

std::string mercator::shownText(const Map &map) {
  return map.isKnownEmpty() ? "KNOWN EMPTY" : toString(map);
}

ExitCode mercator::exitCodeOf(const Verdict &verdict) {
  switch (verdict.kind) {
  case Decision::Kind::Yes:
    return ExitCode::done;
  case Decision::Kind::No:
    return ExitCode::propertyFalse;
  case Decision::Kind::Unknown:
    break;
  }
  return ExitCode::undecided;
}

llvm::StringRef mercator::wordOf(Decision::Kind kind) {
  switch (kind) {
  case Decision::Kind::Yes:
    return "equal";
  case Decision::Kind::No:
    return "different";
  case Decision::Kind::Unknown:
    break;
  }
  return "undecided";
}

void mercator::writeVerdict(const Verdict &verdict, llvm::json::OStream &json) {
  json.attribute("verdict", wordOf(verdict.kind));
  json.attribute("reason", verdict.reason);
  if (!verdict.counterexample)
    return;
  const Counterexample &c = *verdict.counterexample;
  auto list = [&](llvm::StringRef name, llvm::ArrayRef<int64_t> values) {
    json.attributeArray(name, [&] {
      for (int64_t value : values)
        json.value(value);
    });
  };
  const Map &reader = c.firstReads ? verdict.first : verdict.second,
            &other = c.firstReads ? verdict.second : verdict.first;
  json.attributeObject("counterexample", [&] {
    list("dims", c.dims);
    list("runtimes", c.runtimesOf(reader, true));
    list("other_runtimes", c.runtimesOf(other, false));
    list("element", c.element);
    json.attribute("read_by", c.firstReads ? "first" : "second");
    list("ranges", c.ranges);
  });
}
