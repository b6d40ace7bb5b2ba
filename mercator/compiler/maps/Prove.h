// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Whether two maps, given as text, read the same elements; and the simple form
/// of one map with a proof.
///
///   Answer<Proof> proof = prove(first, second, diagnostics);
///   proof->verdict               // Proof::Verdict::Different
///   proof->counterexample->dims  // {4}
///
/// Both need no program. The algorithms are in mercator/indexing/.

#ifndef MERCATOR_COMPILER_MAPS_PROVE_H
#define MERCATOR_COMPILER_MAPS_PROVE_H

#include "mercator/compiler/program/Answer.h"
#include "mercator/support/Diagnostic.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mercator {

namespace indexing {
struct Map;
}

/// The answer to "are these maps equal?".
struct Proof {
  enum class Verdict { Equal, Different, Undecided };
  /// A point at which one map reads an element that the other map does not.
  struct Counterexample {
    std::vector<int64_t> dims;
    std::vector<int64_t> runtimes;      ///< of the map that reads
    std::vector<int64_t> otherRuntimes; ///< of the other map
    std::vector<int64_t> element;
    std::vector<int64_t> ranges; ///< of the map that reads
    bool firstReads = true;
  };

  /// The maps in the notation.
  std::string first, second;
  Verdict verdict = Verdict::Undecided;
  /// How it was decided, or why it was not: one line.
  std::string reason;
  std::optional<Counterexample> counterexample = {};
  /// All of it for a reader, with every intermediate value of the
  /// counterexample.
  std::string explanation = {};
};

/// `equal`, `different` or `undecided`.
[[nodiscard]] llvm::StringRef nameOf(Proof::Verdict verdict);

/// Fails with `inputRejected` after an error if a text is no map.
Answer<Proof> prove(const SourceBuffer &first, const SourceBuffer &second,
                    DiagnosticEngine &diagnostics);

/// A map, its simple form, the rules used, and the proof that both are equal.
struct Simplified {
  /// One use of a rewrite rule. The expressions are empty for a rule that
  /// changes the domain only.
  struct Rewrite {
    std::string rule, rewrite, condition;
    std::string before, after;
    bool operator==(const Rewrite &) const = default;
  };
  std::string before, after;
  /// In the order of their use, each once.
  std::vector<Rewrite> steps;
  /// Made for this answer alone, without the rules. `different` is a bug of
  /// Mercator.
  Proof proof;
};

/// Fails with `inputRejected` after an error if the text is no map.
Answer<Simplified> simplify(const SourceBuffer &map,
                            DiagnosticEngine &diagnostics);

/// Writes `mercator.prove/1` and `mercator.simplify/1`.
void writeJson(const Proof &proof, llvm::raw_ostream &os);
void writeJson(const Simplified &simplified, llvm::raw_ostream &os);

/// A map in the notation; a map without points is `KNOWN EMPTY`, as in XLA.
[[nodiscard]] std::string shownText(const indexing::Map &map);

} // namespace mercator

#endif // MERCATOR_COMPILER_MAPS_PROVE_H
