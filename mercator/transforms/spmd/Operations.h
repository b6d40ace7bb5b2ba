// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One operation on shards: a plan, its check, its code. Internal.
//
//   %0 = dot_general %x, %w      %x [{}, {"a"}]  %w [{"a"}, {}]  %0 [{}, {}]
//
//   plan    x and w as they are, all-reduce "a"        sends 2 * 3/4 of %0
//   or      all-gather x and w                         sends 3/4 of %x and %w
//
// A plan is a struct of numbers. `planOperation` draws up the possible ones and
// takes the one that sends least, `checkPlan` asks the maps of the operation
// whether every device has what its shard of the result reads, `emitLocal` reads
// the plan and decides nothing.

#ifndef MERCATOR_TRANSFORMS_SPMD_OPERATIONS_H
#define MERCATOR_TRANSFORMS_SPMD_OPERATIONS_H

#include "mercator/transforms/spmd/Emitter.h"
#include "mercator/transforms/spmd/Factors.h"

namespace mercator::spmd {

struct LocalPlan {
  /// Of the results while a sum is incomplete, and when it is complete.
  Sharding compute, result;
  /// What the operation reads of each operand, and how it gets there.
  std::vector<Need> needs;
  std::vector<Movement> movements;
  std::vector<Axes> reduced; ///< that divide the sum of each factor
  /// The dimensions of each operand of which a device has a part of a sum.
  std::vector<llvm::SmallVector<bool, 4>> isPartial;
  /// The dimensions of the result whose boxes are fetched as windows.
  llvm::SmallVector<bool, 4> isWindow;
  /// The axes of the devices that have parts of a sum.
  Axes summed;
  std::optional<unsigned> scatteredDim; ///< reduce-scatter along it
  /// Elements that a device receives for the sum.
  int64_t reducedElements = 0;

  [[nodiscard]] std::string reductionText(const Mesh &mesh) const;
};

/// The plan that sends the fewest elements. Requires: factors without refusal,
/// shardings of all operands and of the results, which are alike.
[[nodiscard]] LocalPlan planOperation(mlir::Operation *op,
                                      const Factors &factors, const Mesh &mesh,
                                      llvm::ArrayRef<Sharding> operands,
                                      const Sharding &wanted);

/// Why a device would not have what its shard reads; empty if all do.
[[nodiscard]] std::string checkPlan(mlir::Operation *op, const LocalPlan &plan,
                                    const Mesh &mesh, indexing::Arena &arena);

/// The shards of the results.
[[nodiscard]] llvm::SmallVector<mlir::Value>
emitLocal(mlir::Operation *op, const LocalPlan &plan, const Mesh &mesh,
          llvm::ArrayRef<mlir::Value> operands, Emitter &emitter);

} // namespace mercator::spmd

#endif // MERCATOR_TRANSFORMS_SPMD_OPERATIONS_H
