// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operations of two programs correspond, by data flow.
//
//   A: %1 = transpose %x    %2 = negate %1               %3 = add %2, %y
//   B: %a = transpose %x    %b = abs %a   %c = negate %b  %d = add %c, %y
//
//   %1 is equal to %a: it computes the same from the same arguments
//   %2 corresponds to %c, and operand 0 is another value: changed
//   %3 corresponds to %d, and only what its operands compute differs: affected
//   %b has no counterpart
//
// Names do not matter where data flow decides: renamed and reordered programs
// are equal. The two programs may belong to different contexts.
//
// Method. An operation has two hashes: up, of everything it is computed from,
// and down, of everything that is computed from it. Operations with equal
// hashes correspond: first by both, then by up, then by the operation itself
// and down. From these pairs the correspondence spreads along operands and
// users, first to equal operations, then to operations that differ in
// attributes, then to those of another kind with the same operands. Names, then
// the order of the text, decide between several candidates. Blocks of
// corresponding operations that differ are compared in the same way.
//
// Complexity: linear in the size of both programs, including constants.

#ifndef MERCATOR_ANALYSIS_CORRESPONDENCE_H
#define MERCATOR_ANALYSIS_CORRESPONDENCE_H

#include "mlir/IR/Operation.h"

#include <string>
#include <vector>

namespace mercator {

/// Two operations that correspond.
struct OperationPair {
  mlir::Operation *first = nullptr, *second = nullptr;
  /// Everything that they are computed from is equal, too.
  bool isEqual = false;
  /// How they differ themselves: "operand 0 is %a, was %b". Empty for two
  /// operations that differ only in what their operands, or the operations in
  /// their regions, compute.
  std::vector<std::string> changes = {};
};

struct Correspondence {
  /// In the order of the first program. Operations inside of equal operations
  /// are not listed, nor are terminators.
  std::vector<OperationPair> pairs;
  /// Operations without counterpart, in the order of their program. Operations
  /// inside of them are not listed.
  std::vector<mlir::Operation *> onlyFirst, onlySecond;
  /// The pairs of blocks that were compared, the blocks given first.
  std::vector<std::pair<mlir::Block *, mlir::Block *>> blocks;
};

/// Requires: both are the only block of a function.
[[nodiscard]] Correspondence correspond(mlir::Block &first,
                                        mlir::Block &second);

} // namespace mercator

#endif // MERCATOR_ANALYSIS_CORRESPONDENCE_H
