// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps in tests are written in the notation.

#ifndef MERCATOR_TESTS_INDEXING_MAPTEXT_H
#define MERCATOR_TESTS_INDEXING_MAPTEXT_H

#include "mercator/indexing/notation/Notation.h"

#include "gtest/gtest.h"

namespace mercator::indexing {

/// The diagnostic for `error` about `text`, as a user sees it.
inline std::string diagnose(llvm::StringRef text, const ParseError &error) {
  std::string out;
  llvm::raw_string_ostream os(out);
  SourceBuffer buffer("map", text.str());
  DiagnosticEngine diagnostics(os);
  report(error, buffer, diagnostics);
  return out;
}

/// The map that the text denotes. Text that is no map fails the test.
inline Map mapOf(Arena &arena, llvm::StringRef text) {
  ParseError error;
  std::optional<Map> map = parseMap(arena, text, error);
  if (!map)
    ADD_FAILURE() << diagnose(text, error);
  return map ? *map : Map(arena);
}

/// For GoogleTest.
inline void PrintTo(const Map &map, std::ostream *os) { *os << toLines(map); }

/// The same for an expression over the variables of `domain`.
inline Expr exprOf(Arena &arena, llvm::StringRef text, const Domain &domain) {
  ParseError error;
  std::optional<Expr> e = parseExpr(arena, text, domain, error);
  if (!e)
    ADD_FAILURE() << diagnose(text, error);
  return e ? *e : arena.constant(0);
}

} // namespace mercator::indexing

#endif // MERCATOR_TESTS_INDEXING_MAPTEXT_H
