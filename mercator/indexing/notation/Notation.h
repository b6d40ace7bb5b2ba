// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps as text, read and written.
//
//   (d0)[s0]{rt0} -> (s0, d0 + rt0),
//     domain: d0 in [0, 9], s0 in [0, 255], rt0 in [0, 3], d0 + s0 in [0, 99]
//
// Printed is the one-line form that XLA prints today, and a form with one entry
// a line. Read is every form that XLA and its documentation ever used:
//
//   map      := vars() [vars[]] [vars{}] arrow "(" [expr {"," expr}] ")" tail
//   arrow    := "->" | "→" | "↦" | "\mapsto"
//   tail     := {"," | "domain" ":" entry {[","] entry} | "KNOWN EMPTY" | ...}
//   entry    := expr "in" interval
//   interval := "[" bound "," bound ("]" | ")")        a ")" excludes the upper
//   bound    := ["-"] (integer | "inf")
//   expr     := term {("+" | "-") term}
//   term     := factor {("*" | "/" | "//" | "floordiv" | "ceildiv" | "mod")
//   factor} factor   := "-" factor | integer | integer name | name | "(" expr
//   ")"
//             | ("min" | "max") "(" expr "," expr {"," expr} ")"
//
// Operators of a term associate to the left; "/" rounds down, as floordiv does;
// `100d0` is `100 * d0`; `#` starts a comment. A minus binds tightest, but that
// a term which begins with "-(" is negated as a whole: -(x) / 11 is -(x / 11),
// since the published documents mean that; nothing prints so. Beyond the
// grammar:
//   - d_0 is d0, likewise s_0 and rt_0; the wrappers of LaTeX (\(, $,
//   \boldsymbol)
//     are skipped; \in, \times, \mod, \cdot are read.
//   - `d in [0, 6] x [0, 14]` bounds the dimensions in order, `d_i in [0, 9]`
//   all of
//     them; s likewise for ranges. Either may stand before the map. "for" and
//     its translations introduce the domain; what follows "becomes" is not
//     read.
//   - An entry `s0 in [0, 3]` followed by `hlo: of1 = s32[] parameter(1)` and a
//   map
//     makes the symbol s0 a runtime variable; so does `rt0: of1; (d0) -> ()`
//     below `runtime variables:`, where `of1{2}` is element 2 of a tuple.
//   - `is_simplified: true` is read and ignored.
//
// Meaning of what is left out or repeated. A variable without an entry is
// unbounded. Two entries of one variable intersect; but the first entry of a
// runtime variable is what its value is clamped to, and a second one is a
// constraint. An entry whose subject is not a variable is a constraint. A lower
// bound above the upper makes the map known empty; a known empty map has no
// bounds and no constraints, and prints as
// `(d0) -> (d0), KNOWN EMPTY`. `KNOWN EMPTY` alone is a map of no dimensions
// and no results.
//
// Names. A variable has a name of its own only where it differs from the
// default d<i>, s<i>, rt<i> of its place. Names that would clash are printed
// with a suffix.
//
// Laws. parse(toString(m)) == m for maps without runtime sources, and
// parse(toLines(m)) == m for all: the same handles, in the same arena.
// Constraints are printed, and so come back, in the order of their text; one on
// a bare dimension or range comes back as that variable's bounds. Equal in
// value only: names that clash, sources that are no single word, division by
// the constant zero, products whose factors are large sums, expressions with
// coefficients beyond int64. What is printed depends on the structure of the
// map alone, never on the order in which its arena was filled.
//
// Limits. Expressions nest up to `kMaxDepth` deep and an expression prints at
// most `kMaxPrinted` bytes, since sharing can make the text exponentially
// longer than the expression; what is cut off prints as `...`, which does not
// parse. Time: linear in the text, but for sorting terms and constraints.

#ifndef MERCATOR_INDEXING_NOTATION_NOTATION_H
#define MERCATOR_INDEXING_NOTATION_NOTATION_H

#include "mercator/indexing/map/Map.h"
#include "mercator/support/Diagnostic.h"

#include <optional>
#include <string>
#include <vector>

namespace mercator::indexing {

inline constexpr unsigned kMaxDepth = 1000;
inline constexpr size_t kMaxPrinted = size_t(1) << 20;

/// What is wrong with a text, and where, as byte offsets into it.
struct ParseError {
  size_t begin = 0, end = 0;
  std::string message; ///< "expected X, got Y"
  size_t noteBegin = 0, noteEnd = 0;
  std::string note; ///< where something came from; may be empty
  std::string help; ///< what to type; may be empty
};

/// Prints the error as a diagnostic about `buffer`, whose text was parsed; the
/// parsed text begins at `offset` of it.
void report(const ParseError &error, const SourceBuffer &buffer,
            DiagnosticEngine &diagnostics, size_t offset = 0);

/// The map that the text denotes, and nothing else in it.
[[nodiscard]] std::optional<Map> parseMap(Arena &arena, llvm::StringRef text,
                                          ParseError &error);
/// The maps of a text, one after the other; none in an empty text.
[[nodiscard]] std::optional<std::vector<Map>>
parseMaps(Arena &arena, llvm::StringRef text, ParseError &error);
/// An expression over the variables of `names`.
[[nodiscard]] std::optional<Expr> parseExpr(Arena &arena, llvm::StringRef text,
                                            const Domain &names,
                                            ParseError &error);

/// The names that variables are printed with: dims, ranges, runtimes, each in
/// order. Ensures: distinct, and each can be parsed.
[[nodiscard]] std::vector<std::string> variableNames(const Arena &arena,
                                                     const Domain &domain);

/// Prints an expression; without `names` variables have their default names.
void print(llvm::raw_ostream &os, const Arena &arena, Expr expr,
           const Domain *names = nullptr);
[[nodiscard]] std::string toString(const Arena &arena, Expr expr,
                                   const Domain *names = nullptr);

/// The one-line form. Sources of runtime variables are left out, as XLA does.
void print(llvm::raw_ostream &os, const Map &map);
[[nodiscard]] std::string toString(const Map &map);
/// The form with one entry a line, sources of runtime variables included. Ends
/// with a new line.
[[nodiscard]] std::string toLines(const Map &map);
/// Which element of its source a runtime variable is, as `(d0) -> (d0, 0)`.
/// Requires: i < map.domain.runtimes.size().
[[nodiscard]] std::string sourceMapToString(const Map &map, unsigned i);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_NOTATION_NOTATION_H
