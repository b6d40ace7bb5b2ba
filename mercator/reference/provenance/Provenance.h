// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The provenance evaluator: the elements of the arguments that each element of
/// a result depends on, found by running the program.
///
/// ```cpp (mlir::ModuleOp module, mlir::func::FuncOp main, const Tensor &p)
/// // func @main(%p: tensor<2x3xf32>) -> tensor<2xf32> sums each row
/// ProvenanceSets sets(6);
/// Provenance provenance(module, sets);
/// size_t first = 0;
/// auto results = provenance.call(main, {provenance.identify(p, first)});
/// if (succeeded(results))
///   (void)(*results)[0].origin.elements[1]; // {3, 4, 5}
/// ```
///
/// Each value carries a set for each of its elements. Values are computed by
/// the Evaluator. The sets are computed by *access rules*, one for each
/// operation, which iterate over indices as the specification's text does. An
/// element depends on the elements that this text mentions:
///
///   - `select` and `clamp` depend on all their operands; every element that a
///     predicate or a loop condition decides depends on it;
///   - an element that is found by an index depends on the index; an element of
///     a scatter depends on all index vectors that could send an update to it;
///   - an operand that only gives the shape of the result is no dependence;
///   - padding has no origin; an element that comes from the operand does not
///     depend on the padding value;
///   - the body of a reduction, a scatter or a map is traced; folds take one
///     element after the other, starting with the initial value.
///
/// This is the oracle for indexing maps, and it shares no code with them. An
/// operation without a rule is an error; it never "depends on nothing".
///
/// Source: the StableHLO specification, openxla.org/stablehlo/spec.

#ifndef MERCATOR_REFERENCE_PROVENANCE_PROVENANCE_H
#define MERCATOR_REFERENCE_PROVENANCE_PROVENANCE_H

#include "mercator/reference/core/Evaluator.h"
#include "mercator/reference/provenance/Sets.h"

namespace mercator::reference {

/// The origins of the elements of a value.
struct Origin {
  /// One set for each element, in row-major order; a token has one.
  std::vector<ProvenanceSets::Id> elements;
  std::vector<Origin> members; ///< of a tuple
};

/// A value and its origin.
struct Traced {
  Value value;
  Origin origin;
};

class Provenance {
public:
  /// Both must outlive this object.
  Provenance(mlir::ModuleOp module, ProvenanceSets &sets);

  /// A value whose elements (for a tuple: of its members, in order) are the
  /// numbers `first`, `first` + 1, ..; increases `first` accordingly.
  [[nodiscard]] Traced identify(const Value &value, size_t &first);

  /// Runs a function. Requires: an argument for each parameter.
  llvm::FailureOr<std::vector<Traced>> call(mlir::func::FuncOp function,
                                            llvm::ArrayRef<Traced> arguments);

  /// Applies a single operation. Values from outside must have been computed by
  /// earlier calls.
  llvm::FailureOr<std::vector<Traced>> apply(mlir::Operation *op,
                                             llvm::ArrayRef<Traced> operands);

  /// The last computed value of an SSA value; null if there is none.
  [[nodiscard]] const Value *lastValue(mlir::Value value) const;

  //===--- For the rules --------------------------------------------------===//

  ProvenanceSets &sets;

  /// Runs a region of one block and returns its terminator's operands.
  llvm::FailureOr<std::vector<Traced>> region(mlir::Region &region,
                                              llvm::ArrayRef<Traced> arguments);
  llvm::FailureOr<std::vector<Traced>> call(mlir::FlatSymbolRefAttr name,
                                            llvm::ArrayRef<Traced> arguments,
                                            mlir::Operation *from);
  [[nodiscard]] const Traced *lookup(mlir::Value value) const;
  /// Defines an SSA value from outside.
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
