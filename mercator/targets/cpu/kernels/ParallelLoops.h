// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Loops whose iterations run in several threads.
///
/// A *parallel loop* is an scf.for with the attribute `mercator.parallel`. Its
/// iterations are independent. They become the parts of a task of the runtime
/// (runtime/Abi.h):
///
///   scf.for %i = 0 to 16 {mercator.parallel}     data = {a, b, c}
///     ... a, b, c ...                      =>    mercator_parallel(16, @task, data)
///
/// Memory that a part needs for itself is that of the thread which computes it, its
/// *worker*: the part before has left it in the cache.
///
/// How often a loop is divided depends on the work alone, never on the number of
/// threads, and the order of a sum not even on that (SumOrder.h). So results do not
/// depend on it either.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_PARALLELLOOPS_H
#define MERCATOR_TARGETS_CPU_KERNELS_PARALLELLOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace mercator::cpu {

inline constexpr llvm::StringLiteral kParallel = "mercator.parallel";
/// On a cast of the number of a part: stands for the number of its worker.
inline constexpr llvm::StringLiteral kWorker = "mercator.worker";
/// On the allocation of a buffer with a piece for each worker: their number.
inline constexpr llvm::StringLiteral kWorkers = "mercator.workers";
/// On a view of one piece of it, whose first offset is the number of the worker.
inline constexpr llvm::StringLiteral kPiece = "mercator.piece";

/// The number of parts for this number of operations: a part takes at least about 20
/// microseconds, and there are at most 64. 1: too little to divide.
[[nodiscard]] int64_t partsFor(double operations);

/// `body` for each part; in a parallel loop if there are several.
void forEachPart(mlir::OpBuilder &builder, mlir::Location loc, int64_t parts,
                 llvm::function_ref<void(mlir::Value part)> body);

/// The number of the worker who computes a part: less than the number of parts.
[[nodiscard]] mlir::Value workerOf(mlir::OpBuilder &builder, mlir::Location loc,
                                   mlir::Value part);

/// A buffer of as many equal pieces as there may be workers, one after the other. In a
/// part, only the piece of its worker is used (Scratch.h). Made where the builder is.
[[nodiscard]] mlir::Value allocateForWorkers(mlir::OpBuilder &builder,
                                             mlir::Location loc,
                                             mlir::MemRefType type,
                                             int64_t workers);

/// Memory of this shape for what a part keeps for itself: that of all workers is one
/// buffer of the function. `padding`: elements after the last dimension that are not
/// used.
[[nodiscard]] mlir::Value localMemory(mlir::OpBuilder &builder,
                                      mlir::Location loc, mlir::Value part,
                                      int64_t parts,
                                      llvm::ArrayRef<int64_t> shape,
                                      mlir::Type element, int64_t padding = 0);

/// Of `total` members, those of a part: from number * total / parts to the begin of the
/// next part. Requires: number < parts.
struct PartRange {
  mlir::Value begin, end;
};
[[nodiscard]] PartRange rangeOfPart(mlir::OpBuilder &builder,
                                    mlir::Location loc, mlir::Value number,
                                    int64_t total, int64_t parts);

/// About the operations of all iterations; their extents are known.
[[nodiscard]] double costOf(mlir::linalg::LinalgOp op);
/// The number of parts to make: the largest divisor of the extent that is at most
/// `parts`, if that divisor is near `parts`. Otherwise the smaller of `parts` and
/// the extent.
[[nodiscard]] int64_t evenParts(int64_t extent, int64_t parts);

/// A loop whose iterations are divided.
struct Division {
  unsigned loop;
  int64_t parts;
};
/// How to divide an operation on buffers along a parallel loop other than `excluded`;
/// none if that does not pay.
[[nodiscard]] std::optional<Division>
chooseDivision(mlir::linalg::LinalgOp op, std::optional<unsigned> excluded);
/// Whether the loop can be divided: it is an index of its own of every result.
[[nodiscard]] bool canDivide(mlir::linalg::LinalgOp op, unsigned loop);
/// Requires: canDivide, and known extents.
void divideOperation(mlir::linalg::LinalgOp op, Division division);

/// Turns parallel loops into tasks.
llvm::LogicalResult outlineParallelLoops(mlir::ModuleOp module);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_PARALLELLOOPS_H
