// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The provenance evaluator: which elements of the arguments each element of a
/// result depends on, found by running the program.
///
///   func @main(%p: tensor<2x3xf32>) -> tensor<2xf32>     // a sum of rows
///
///   ProvenanceSets sets(6);
///   Provenance provenance(module, sets);
///   results = provenance.call(main, {provenance.identify(p, /*first=*/0)});
///   results[0].origin.elements[1]                        // {3, 4, 5}
///
/// Beside each value goes a set for each of its elements. Values are what the
/// Evaluator says; the sets are made by *access rules*, one an operation, which
/// walk over indices as the specification's text does and say what is
/// mentioned:
///
///   - `select` and `clamp` mention all their operands; a predicate, or the
///     condition of a loop, is read by everything that it decides;
///   - an index is read by every element that is found by it; a scatter's
///     element by all index vectors that could send an update to it;
///   - an operand that only says the shape of the result is not read;
///   - padding is not there, so it is not read, and neither is the padding
///     value by an element that comes from the operand;
///   - the body of a reduction, a scatter, a map is followed; folds go one
///     element after the other, from the initial value on.
///
/// So this is the oracle for indexing maps, and shares nothing with them. An
/// operation without a rule is an error, never "depends on nothing".
///
/// Source: the StableHLO specification, openxla.org/stablehlo/spec.

#ifndef MERCATOR_REFERENCE_PROVENANCE_PROVENANCE_H
#define MERCATOR_REFERENCE_PROVENANCE_PROVENANCE_H

#include "mercator/reference/core/Evaluator.h"
#include "mercator/reference/provenance/Sets.h"

namespace mercator::reference {

/// Where the elements of a value come from.
struct Origin {
  /// One set an element, in row-major order; a token has one.
  std::vector<ProvenanceSets::Id> elements;
  std::vector<Origin> members; ///< of a tuple
};

/// A value, and where it comes from.
struct Traced {
  Value value;
  Origin origin;
};

class Provenance {
public:
  /// Both must outlive it.
  Provenance(mlir::ModuleOp module, ProvenanceSets &sets);

  /// A value whose elements (of a tuple: of its members, one after the other)
  /// are the numbers `first`, `first` + 1, ..; counts `first` up.
  [[nodiscard]] Traced identify(const Value &value, size_t &first);

  /// Runs a function. Requires: an argument for each parameter.
  llvm::FailureOr<std::vector<Traced>> call(mlir::func::FuncOp function,
                                            llvm::ArrayRef<Traced> arguments);

  /// One operation alone, which sees no values from outside but those that
  /// have been computed by calls before.
  llvm::FailureOr<std::vector<Traced>> apply(mlir::Operation *op,
                                             llvm::ArrayRef<Traced> operands);

  /// What an SSA value was when it was last computed; null if it never was.
  [[nodiscard]] const Value *lastValue(mlir::Value value) const;

  //===--- For the rules --------------------------------------------------===//

  ProvenanceSets &sets;

  /// Runs a region of one block; its terminator's operands.
  llvm::FailureOr<std::vector<Traced>> region(mlir::Region &region,
                                              llvm::ArrayRef<Traced> arguments);
  llvm::FailureOr<std::vector<Traced>> call(mlir::FlatSymbolRefAttr name,
                                            llvm::ArrayRef<Traced> arguments,
                                            mlir::Operation *from);
  [[nodiscard]] const Traced *lookup(mlir::Value value) const;
  /// Says what an SSA value from outside is.
  void bind(mlir::Value value, Traced traced) {
    values[value] = std::move(traced);
  }
  /// Adds a set to all elements of a value.
  void addEverywhere(Origin &origin, ProvenanceSets::Id set);

private:
  llvm::FailureOr<std::vector<Traced>> run(mlir::Operation *op,
                                           llvm::ArrayRef<Traced> operands);

  Evaluator evaluator;
  mlir::SymbolTableCollection symbols;
  llvm::DenseMap<mlir::Value, Traced> values;
  int depth = 0;
};

/// Why an operation has no access rule; nothing if it has one. Every operation
/// of the dialects stablehlo, hlo and chlo has a rule or a reason.
[[nodiscard]] std::optional<llvm::StringRef>
whyWithoutProvenance(mlir::OperationName name);
/// Whether an operation has an access rule.
[[nodiscard]] bool hasProvenance(mlir::OperationName name);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_PROVENANCE_PROVENANCE_H
