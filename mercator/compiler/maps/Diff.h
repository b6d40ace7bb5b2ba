// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What differs between two programs, and whether their results read the same
/// elements of their parameters.
///
/// ```cpp (Compilation &a, Compilation &b)
/// #include "mercator/compiler/Compilation.h"
/// Answer<ProgramDiff> answer = a.diff(b);
/// if (answer && answer->verdict() == Proof::Verdict::Equal)
///   writeJson(*answer, llvm::outs());
/// ```
///
/// Instructions correspond by data flow (analysis/Correspondence.h). The entry
/// computations are compared, and what they enter.
///
/// The maps are those through the dispatches of flow: a program and its lowered
/// text can be compared.
///
/// Two programs with equal maps may compute different values: `add` and
/// `multiply` read the same elements. Two programs without differences have
/// equal maps.

#ifndef MERCATOR_COMPILER_MAPS_DIFF_H
#define MERCATOR_COMPILER_MAPS_DIFF_H

#include "mercator/compiler/maps/Prove.h"

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace mercator {

struct ProgramDiff {
  /// An instruction of one of the programs.
  struct Place {
    std::string computation, instruction;
    std::string operation;   ///< `stablehlo.add`
    std::string location;    ///< `f.mlir:12`
    std::string origin = {}; ///< `model.py:12`, or empty
  };
  struct Change {
    Place first, second;
    /// "dimensions is array<i64: 1, 0>, was array<i64: 0, 1>"
    std::vector<std::string> changes;
  };
  /// A kernel of compiled HLO that has changed, also inside of a fusion, or that
  /// only one program has: the other place has no instruction.
  struct Kernel {
    Place first, second;
    /// The bytes of its operands and results; none if one is unknown.
    std::optional<int64_t> firstBytes = {}, secondBytes = {};
  };
  /// A result and a parameter of the entry.
  struct Reads {
    unsigned result = 0, parameter = 0;
    Proof::Verdict verdict = Proof::Verdict::Undecided;
    /// For a difference: "at (0, 1), element (1, 0) is read by the second
    /// program only". For an undecided pair: why. Empty for an equal pair.
    std::string reason = {};
    /// The maps of both programs, in the notation.
    std::vector<std::string> first = {}, second = {};
  };

  std::string firstName, secondName; ///< of the modules
  /// The kernels of compiled HLO; none if a program has no fusions.
  std::optional<int64_t> firstKernels = {}, secondKernels = {};
  /// The kernels of two programs with fusions.
  std::vector<Kernel> kernels = {};
  int64_t equal = 0;    ///< instructions that compute the same
  int64_t affected = 0; ///< that differ only in what they are computed from
  std::vector<Change> changed;
  std::vector<Place> onlyFirst, onlySecond;
  /// Results that are computed by equal instructions: their maps are equal.
  int64_t equalResults = 0;
  /// The other results, and the parameters that they read.
  std::vector<Reads> reads;
  /// Not empty: why the maps of the programs cannot be compared: "2 parameters,
  /// and 3".
  std::string notComparable = {};

  [[nodiscard]] bool hasSameInstructions() const {
    return affected == 0 && changed.empty() && onlyFirst.empty() &&
           onlySecond.empty();
  }
  /// Equal if every result reads the same elements of every parameter.
  /// Different if one does not, and depends on what only one program reads
  /// (Dependence.h), or if the programs have other parameters or
  /// results.
  [[nodiscard]] Proof::Verdict verdict() const;
};

/// Writes `mercator.diff/1`.
void writeJson(const ProgramDiff &diff, llvm::raw_ostream &os);

} // namespace mercator

#endif // MERCATOR_COMPILER_MAPS_DIFF_H
