// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text form of maps: parser and printer.
//
//   (d0)[s0]{rt0} -> (s0, d0 + rt0),
//     domain: d0 in [0, 9], s0 in [0, 255], rt0 in [0, 3], d0 + s0 in [0, 99]
//
// The printer writes the one-line form that XLA prints today, and a form with
// one entry per line. The parser reads every form that XLA and its
// documentation ever used:
//
//   map      := vars() [vars[]] [vars{}] [vars<>] arrow results tail
//             | "affine_map" "<" vars() [vars[]] arrow results ">" tail
//   results  := "(" [expr {"," expr}] ")"
//   arrow    := "->" | "→" | "↦" | "\mapsto"
//   tail     := {"," | "domain" ":" entry {[","] entry} | "KNOWN EMPTY" | ...}
//   entry    := expr "in" interval | "not" "(" entry {"," entry} ")"
//   interval := "[" bound "," bound ("]" | ")")        a ")" excludes the upper
//             | bound ".." bound
//   bound    := ["-"] (integer | "inf")
//   expr     := xor {"|" xor}
//   xor      := and {"^" and}
//   and      := shift {"&" shift}
//   shift    := sum {("<<" | ">>") sum}
//   sum      := term {("+" | "-") term}
//   term     := factor {operator factor}
//   operator := "*" | "/" | "//" | "floordiv" | "ceildiv" | "mod" | "%"
//   factor   := "-" factor | integer | integer name | name | "(" expr ")"
//             | ("min" | "max") "(" expr "," expr {"," expr} ")"
//
// ```cpp
// Arena arena;
// ParseError error;
// auto map = parseMap(arena, "(d0) -> (d0 * 2), domain: d0 in [0, 9]", error);
// assert(map && toString(*map) == "(d0) -> (d0 * 2), domain: d0 in [0, 9]");
// assert(!parseMap(arena, "(d0) -> (d1)", error) && error.begin == 9);
// ```
//
// Operators. The operators of a term associate to the left. "/" rounds down, as
// floordiv does, and "%" is mod, as in Python; C rounds toward zero, which
// differs for negative numbers. `x << 3` is `x * 8`, `x >> 3` is `x / 8`, and
// `x & 7` is `x mod 8`. One operand of `&`, `^` and `|` is a constant, or both
// have bounds that are not negative: `x ^ y` is a sum over the bits (Bits.h).
// Integers are decimal or 0xff. `100d0` is `100 * d0`. `#` starts a comment. A minus sign
// binds tightest, with one exception: a term that begins with "-(" is negated
// as a whole, so -(x) / 11 is -(x / 11). The published documents mean that; the
// printer never writes it.
//
// Beyond the grammar
//   - d_0 is d0, likewise s_0, rt_0 and p_0. The wrappers of LaTeX (\(, $,
//     \boldsymbol) are skipped; \in, \times, \mod, \cdot are read.
//   - `d in [0, 6] x [0, 14]` bounds the dimensions in order, `d_i in [0, 9]`
//     bounds all of them; s likewise for ranges. Either may precede the map.
//   - "domain:" may be omitted before `d0 in 0..9` and `not (...)`.
//   - "for" and its translations introduce the domain. Text after "becomes" is
//     not read.
//   - An entry `s0 in [0, 3]` followed by `hlo: of1 = s32[] parameter(1)` and a
//     map makes the symbol s0 a runtime variable. So does `rt0: of1; (d0) ->
//     ()` below `runtime variables:`, where `of1{2}` is element 2 of a tuple.
//   - The symbols of `affine_map<(d0)[s0] -> (d0 + s0)>` are parameters: a
//     symbol has one value for the whole map. `#map = ` before it is skipped.
//   - `is_simplified: true` is read and ignored.
//
// Missing and repeated entries
//   - A variable without an entry is unbounded.
//   - Two entries of one variable intersect. For a runtime variable, the first
//     entry is the interval that its value is clamped to; further ones are
//     constraints.
//   - An entry whose subject is not a variable is a constraint. So is
//     `not (d0 in 2..3, d1 in 0..9)`: at least one of the entries is false.
//   - A lower bound above the upper bound makes the map known empty. A known
//     empty map has no bounds and no constraints, and prints as
//     `(d0) -> (d0), KNOWN EMPTY`.
//   - `KNOWN EMPTY` alone is a map without dimensions and results.
//
// Names. A variable has a name of its own only if it differs from the default
// d<i>, s<i>, rt<i> of its position. A parameter always has its own. Names that would clash are printed with a
// suffix.
//
// Laws
//   parse(toString(m)) == m for maps without runtime sources, and
//   parse(toLines(m)) == m for all maps: the same handles, in the same arena.
//   Constraints are printed in the order of their text, and come back in that
//   order. A constraint on a bare dimension or range comes back as a bound of
//   the variable. These come back equal in value only: names that clash,
//   sources that are not a single word, division by the constant zero, products
//   whose factors are large sums, expressions with coefficients beyond int64.
//   The text depends on the structure of the map alone, never on the order in
//   which its arena was filled.
//
// Limits. Expressions nest up to `kMaxDepth` deep. An expression prints at most
// `kMaxPrinted` bytes, since sharing can make the text exponentially longer
// than the expression. The rest prints as `...`, which does not parse.
//
// Complexity: linear in the text, and sorting terms and constraints.

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

/// An error in a text, and its place as byte offsets into the text.
struct ParseError {
  size_t begin = 0, end = 0;
  std::string message; ///< "expected X, got Y"
  size_t noteBegin = 0, noteEnd = 0;
  std::string note; ///< the origin of an expectation; may be empty
  std::string help; ///< a correction to type; may be empty
};

/// Prints the error as a diagnostic about `buffer`. The parsed text begins at
/// `offset` of the buffer.
void report(const ParseError &error, const SourceBuffer &buffer,
            DiagnosticEngine &diagnostics, size_t offset = 0);

/// The map that the text denotes. The text must contain nothing else.
[[nodiscard]] std::optional<Map> parseMap(Arena &arena, llvm::StringRef text,
                                          ParseError &error);
/// The maps of a text, in order; none for an empty text.
[[nodiscard]] std::optional<std::vector<Map>>
parseMaps(Arena &arena, llvm::StringRef text, ParseError &error);
/// An expression over the variables of `names`.
[[nodiscard]] std::optional<Expr> parseExpr(Arena &arena, llvm::StringRef text,
                                            const Domain &names,
                                            ParseError &error);

/// The printed names of the variables: dims, ranges, runtimes, each in order.
/// Ensures: the names are distinct, and each can be parsed.
[[nodiscard]] std::vector<std::string> variableNames(const Arena &arena,
                                                     const Domain &domain);

/// Prints an expression. Without `names`, variables have their default names.
void print(llvm::raw_ostream &os, const Arena &arena, Expr expr,
           const Domain *names = nullptr);
[[nodiscard]] std::string toString(const Arena &arena, Expr expr,
                                   const Domain *names = nullptr);

/// The one-line form. As in XLA, it omits the sources of runtime variables.
void print(llvm::raw_ostream &os, const Map &map);
[[nodiscard]] std::string toString(const Map &map);
/// The form with one entry per line, including the sources of runtime
/// variables. Ends with a new line.
[[nodiscard]] std::string toLines(const Map &map);
/// The entries of the domain in the short form of tables: `d0 in 0..9`, and
/// `not (d0 in 2..3)` for a constraint that cuts a box out. Omits dimensions
/// with the bounds in `known`, and runtime variables.
[[nodiscard]] std::vector<std::string>
shortEntries(const Map &map, llvm::ArrayRef<Interval> known = {});
/// `0..9`, `-inf..4`.
[[nodiscard]] std::string toShortString(Interval interval);
/// The map to the element of its source that runtime variable i is read from,
/// as `(d0) -> (d0, 0)`. Requires: i < map.domain.runtimes.size().
[[nodiscard]] std::string sourceMapToString(const Map &map, unsigned i);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_NOTATION_NOTATION_H
