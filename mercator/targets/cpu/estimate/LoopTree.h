// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The loops of a kernel, how often they run, and what one iteration does.
///
///   scf.for %i = 0 to 8 {                     loop 0, 8 iterations
///     scf.for %j = 0 to 1000 {                  loop 1, 1000 iterations
///       %x = memref.load %a[%i, %j]               reads a: 4000 bytes a step of loop
///       memref.store %x, %b[%j]                   0, 4 of loop 1; writes b: 4 of loop 1
///     }
///   }
///
/// A kernel is a program of numbers that are known: bounds, strides and conditions
/// on indices. They are computed here as the code computes them, as linear functions
/// of the iterations of the loops around them. Where a bound or a condition depends
/// on a loop, the iterations of that loop are divided into segments, and each segment
/// counts as its middle: four segments, or every iteration of a short loop. So the
/// triangle of a causal mask is half a square.
///
/// Iterations that are alike are not divided: tiles of 16 of 960 rows are 60 tiles
/// of 16 rows, though the code asks for the end of each with a minimum.
///
/// An address that depends on data is random in its buffer. A bound that does makes
/// the tree unknown.

#ifndef MERCATOR_TARGETS_CPU_ESTIMATE_LOOPTREE_H
#define MERCATOR_TARGETS_CPU_ESTIMATE_LOOPTREE_H

#include "mercator/analysis/device/Device.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Value.h"

#include <utility>
#include <vector>

namespace mercator::cpu {

/// How far an address moves in one iteration of a loop.
using LoopStride = std::pair<unsigned, double>;

/// A load or a store.
struct LoopAccess {
  mlir::Value root;     ///< the buffer, without its views
  double rootBytes = 0; ///< of the buffer
  double offset = 0;    ///< in bytes, in the first iterations
  llvm::SmallVector<LoopStride, 4> strides = {}; ///< in bytes; no zeros
  double bytes = 0;                              ///< of one execution
  bool isWrite = false;
  bool isRandom = false; ///< the address depends on data
  /// Of a store to an element that was loaded before: how long it takes until the
  /// next load of this element has it, in nanoseconds.
  double chain = 0;
  bool isSeen = false; ///< of a chain: no register has it, and nothing hides it
  bool isOrderless = false; ///< of a store: terms are combined in any order
  bool isSplit = false;     ///< its bytes are in two lines
  double cost = 0; ///< of a load or a store in the core, in nanoseconds
};

/// What one execution occupies in a core, in nanoseconds. Different units of a core
/// work at the same time.
struct CoreWork {
  double multiplyAdds = 0;
  double additions = 0; ///< and all other short operations
  double functions = 0; ///< exp, tanh, ..: of the same units as additions
  double divisions = 0; ///< and roots: they have a unit of their own
  double gathers = 0;   ///< elements that are not neighbors, one by one
  double loads = 0, stores = 0;
  double scalars = 0; ///< operations that are not in vectors
  double chain = 0;   ///< from one iteration to the next, if it needs that
  double path = 0;    ///< from the first operation to the last one

  CoreWork &operator+=(const CoreWork &other);
  [[nodiscard]] CoreWork scaled(double factor) const;
  /// Of one execution, without loads and stores.
  [[nodiscard]] double arithmetic() const;
  /// Of one execution.
  [[nodiscard]] double nanoseconds() const;
};

struct LoopNode {
  /// Of a loop; -1: what a block executes beside its loops.
  int loop = -1;
  double iterations = 1;
  bool isParallel = false; ///< the iterations are parts for several threads
  /// Of a parallel loop: the parts of all its segments, and whether this is the first.
  double parts = 1;
  bool isFirst = true;
  double entry = 0; ///< of one execution of the loop, in nanoseconds
  std::vector<LoopNode> inner = {};

  CoreWork work = {};
  double stall = 0;    ///< of one execution, hidden by nothing, in nanoseconds
  double overhead = 0; ///< of one iteration of the loop, in nanoseconds
  std::vector<LoopAccess> accesses = {};
  /// It only moves data, to a buffer of the kernel itself.
  bool isPacking = false;
  double instructions = 0;   ///< of one execution
  double lanes = 1;          ///< executions that LLVM makes one vector of
  bool loadsNumbers = false; ///< whole numbers, which may be indices
};

struct LoopTree {
  std::vector<LoopNode> nodes;
  std::vector<double> iterations; ///< of each loop, by its number
  bool isKnown = true;            ///< false: a bound depends on data
};

/// The time of a cycle of a core, in nanoseconds.
[[nodiscard]] double cycleOf(const Device &device);

/// Requires: the body has loops, memref, vector and arith, no linalg (Loops.h).
[[nodiscard]] LoopTree loopTreeOf(mlir::func::FuncOp kernel,
                                  const Device &device);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_ESTIMATE_LOOPTREE_H
