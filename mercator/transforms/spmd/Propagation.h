// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A sharding for every tensor of a program.
///
///   %x: [{"a"}, {}]   %w: [{}, {"b"}]          stated
///   %0 = dot_general %x, %w                    [{"a"}, {"b"}], by its factors
///   %1 = tanh %0                               the same
///
/// What is stated stays. Along each factor of an operation (Factors.h) the
/// longest list of axes spreads to the open dimensions, if all others begin it;
/// else both sides are reported and what they have in common spreads. Priorities
/// are those of Shardy: first the operations that only pass elements on, then
/// all factors that keep an index, then sums and windows.
///
/// A dimension takes an axis only if no other dimension of its tensor has it, and
/// as many axes as it has elements for. Arguments and results of the program have
/// equal shards: they take axes that divide their sizes.
///
/// Every round makes at least one list longer, so the number of rounds is at
/// most that of dimensions times axes; in practice it is the depth of the
/// conflicts, about three. A round is linear in the program.

#ifndef MERCATOR_TRANSFORMS_SPMD_PROPAGATION_H
#define MERCATOR_TRANSFORMS_SPMD_PROPAGATION_H

#include "mercator/transforms/spmd/Annotations.h"
#include "mercator/transforms/spmd/Factors.h"

#include "llvm/ADT/MapVector.h"

namespace mercator::spmd {

/// Two tensors that ask for different axes along one factor.
struct Conflict {
  std::string operation;  ///< `add`
  std::string one, other; ///< `operand 0 along 1: "a"`
};

struct ShardedProgram {
  Mesh mesh;
  /// Of every tensor of static shape.
  llvm::DenseMap<mlir::Value, Sharding> values;
  /// Of the operands of the function's terminator, as they leave the program.
  std::vector<Sharding> results;
  llvm::DenseMap<mlir::Operation *, ManualShardings> manual;
  llvm::DenseMap<mlir::Operation *, Factors> factors;
  std::vector<Conflict> conflicts;

  [[nodiscard]] const Sharding &of(mlir::Value value) const {
    return values.find(value)->second;
  }
};

/// Requires: the function has one block, and calls of it are inlined.
[[nodiscard]] ShardedProgram propagate(mlir::func::FuncOp function,
                                       Annotations annotations);

} // namespace mercator::spmd

#endif // MERCATOR_TRANSFORMS_SPMD_PROPAGATION_H
