// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upward and downward data-flow hashes: of what a value is computed from, and of
// what is computed from it.
//
//   f: %1 = transpose %x   %2 = negate %1      up(%2) = up(%b)
//   g: %a = transpose %y   %b = negate %a      for the same type of %x and %y
//
// Two values with equal hashes are computed by the same operations, with the
// same attributes and constants, from arguments with the same numbers. Names,
// locations and the order of the text do not matter, and the two values may
// belong to different contexts: types and attributes are hashed as text, and
// constants by their bytes. Two values of an operation with side effects have
// equal hashes, too, although they may differ.
//
// Hashes have 64 bits, and equal hashes are taken for equality.
//
// Complexity: linear in the size of the program, once.

#ifndef MERCATOR_ANALYSIS_VALUEHASHES_H
#define MERCATOR_ANALYSIS_VALUEHASHES_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace mercator {

/// Caches hashes. Requires: the program outlives this object and is not
/// changed.
class ValueHashes {
public:
  using Hash = uint64_t;

  /// Everything that an operation, or a value, is computed from.
  [[nodiscard]] Hash up(mlir::Operation *op);
  [[nodiscard]] Hash up(mlir::Value value);
  /// Everything in the block that is computed from each of its operations.
  [[nodiscard]] llvm::DenseMap<mlir::Operation *, Hash>
  down(mlir::Block &block);

  /// The kind, attributes, types and regions of an operation, without its
  /// operands. The computation that it calls counts as a region.
  [[nodiscard]] Hash own(mlir::Operation *op);
  /// The kind of an operation, and the types of its results.
  [[nodiscard]] Hash label(mlir::Operation *op);
  /// The types of the results.
  [[nodiscard]] Hash types(mlir::Operation *op);
  [[nodiscard]] Hash content(mlir::Attribute attribute);
  [[nodiscard]] Hash content(mlir::Type type);

  /// The blocks that an operation enters: those of its regions, or of the
  /// computation that it calls.
  [[nodiscard]] llvm::SmallVector<mlir::Block *> blocksOf(mlir::Operation *op);
  /// True for an attribute that is the name of a computation in blocksOf.
  [[nodiscard]] bool namesComputation(mlir::Operation *op,
                                      mlir::NamedAttribute attribute);

  /// Two hashes to one. The order matters.
  [[nodiscard]] static Hash mix(Hash a, Hash b);
  [[nodiscard]] static Hash ofText(llvm::StringRef text);

private:
  Hash body(mlir::Block &block);
  Hash depthOf(mlir::Block *block);

  mlir::SymbolTableCollection symbols;
  llvm::DenseMap<mlir::Operation *, Hash> owns, ups;
  llvm::DenseMap<mlir::Block *, Hash> bodies, depths;
  llvm::DenseMap<const void *, Hash> contents;
  llvm::DenseSet<mlir::Block *> visited;
};

} // namespace mercator

#endif // MERCATOR_ANALYSIS_VALUEHASHES_H
