// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The part of a program between its dispatches, as native code: buffers with
/// fixed places, calls of kernels, branches.
///
///   func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
///     %0 = flow.dispatch @x::@f(%a) : (tensor<4xf32>) -> tensor<4xf32>
///     %1 = flow.dispatch @x::@f(%0) : (tensor<4xf32>) -> tensor<4xf32>
///     return %1 : tensor<4xf32>
///   }
///
/// becomes
///
///   func.func @mercator_main(%context: !llvm.ptr, %inputs: !llvm.ptr,
///                            %results: !llvm.ptr) -> i32
///
/// which calls @f twice. %0 lies in the arena (machine/Arena.h), and %1 is written to
/// the caller's memory.
///
/// Which tensors share a buffer, InPlace.h decides. An operation that updates a
/// tensor in another buffer copies it first, and so does a branch to a block
/// argument in another buffer. A tensor of unknown extents has a *slot* of the
/// context, which grows when it must and is used again when the operation runs
/// again. Where a loop gives the tensor of a slot to its next iteration in another
/// one, the slots exchange their memory.
///
/// The memory of a parameter that the caller gives away (Machine::usesDonations) is
/// a buffer like others, and may be that of a result.

#ifndef MERCATOR_TARGETS_CPU_HOST_HOST_H
#define MERCATOR_TARGETS_CPU_HOST_HOST_H

#include "mercator/targets/cpu/estimate/CallTime.h"
#include "mercator/targets/cpu/estimate/Time.h"
#include "mercator/targets/cpu/kernels/ScheduleNotes.h"
#include "mercator/targets/cpu/machine/Machine.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <optional>
#include <string>
#include <vector>

namespace mercator::cpu {

/// The address of every constant is a multiple of this: code loads constants with
/// aligned vectors.
inline constexpr int64_t kConstantAlignment = 64;

/// Constant elements that the object refers to by name.
struct Constant {
  std::string symbol;
  mlir::ElementsAttr elements;
};

/// What a trace says of a dispatch, or of a call of the runtime.
struct TracedDispatch {
  std::string name;   ///< the operations, as the user calls them
  std::string kernel; ///< the symbol of its code
  std::optional<LibraryCall> call = {}; ///< what is called instead of a kernel
  int64_t bytes = 0; ///< of the tensors that it reads and writes
  int64_t flops = 0; ///< 0 if extents are not known
  /// Of each parameter of the kernel, the bytes since its last use (Reuse.h).
  std::vector<double> distances = {};
  /// How long it takes by the estimate; none if that is not known.
  std::optional<Time> predicted = {};
};

/// A tensor that the program copies, since its buffer cannot be another's
/// (InPlace.h).
struct TensorCopy {
  std::string where;  ///< the operation, or the kernel
  int64_t bytes = -1; ///< -1 if an extent is not known
  unsigned depth = 0; ///< of loops around it
};

/// A kernel, and how it computes what it has a schedule for.
struct KernelSchedule {
  std::string name;   ///< of the dispatched function, or of the runtime's
  std::string kernel; ///< the symbol of its code
  ScheduleNotes notes = {};
  std::optional<LibraryCall> call = {}; ///< what is called instead of a kernel
  std::vector<double> distances = {};   ///< of the first call (TracedDispatch)
  /// How long it takes by the estimate; none if that is not known.
  std::optional<Time> predicted = {};
  /// Its loops with what each costs; empty if that is not known.
  std::vector<NestNode> nest = {};
};

struct HostProgram {
  std::vector<Constant> constants;
  int64_t arenaBytes = 0;
  std::vector<KernelSchedule> kernels; ///< in the order of their first calls
  std::vector<TensorCopy> copies;
  /// For each result the parameter in whose memory it lies, which the caller gives
  /// away; else -1, and the caller passes memory for it. Tensors count.
  std::vector<int64_t> aliases;
  /// The parameters whose memory the program may write, in order of their numbers.
  std::vector<int64_t> overwritten;
  /// By the numbers that a traced program reports.
  std::vector<TracedDispatch> dispatches;
  /// Of the first call of each kernel, by its symbol (TracedDispatch).
  llvm::StringMap<std::vector<double>> distances;
};

/// Rewrites a module of flow: the function `name`, with the functions that it
/// calls, becomes @mercator_main, and dispatched functions become kernels of
/// the module. Everything else is erased. Fails after an error.
llvm::FailureOr<HostProgram>
lowerHost(mlir::ModuleOp module, llvm::StringRef name, const Machine &machine);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_HOST_HOST_H
