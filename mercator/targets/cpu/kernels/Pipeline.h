// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The steps that make a kernel of a dispatched function, in order:
///
///   buffers       its tensors become buffers (Kernels.h)
///   windows       small ones become operands of their own (Windows.h)
///   copied parts  what is put together from copies is read where they come from
///                 (CopiedParts.h)
///   cells         products and what is around them, in tiles (CellLoops.h)
///   narrow        products of narrow numbers take pairs (NarrowProducts.h)
///   contractions  products and convolutions (ContractionCode.h)
///   transposes    (TransposeCode.h)
///   siblings      sums of columns that read the same elements (SiblingSums.h)
///   rows          loops over blocks of rows, in parts (RowLoops.h); short rows
///                 side by side (ShortRows.h)
///   sums          (SumCode.h)
///   flat loops    short innermost loops are joined with those around (FlatLoops.h)
///   scratch       buffers become parts of one parameter (Scratch.h)
///
/// What is left of linalg becomes loops later (Loops.h).

#ifndef MERCATOR_TARGETS_CPU_KERNELS_PIPELINE_H
#define MERCATOR_TARGETS_CPU_KERNELS_PIPELINE_H

#include "mercator/targets/cpu/kernels/ScheduleNotes.h"
#include "mercator/targets/cpu/kernels/Scratch.h"
#include "mercator/targets/cpu/machine/Machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <string>

namespace mercator::cpu {

/// The steps exchange schedules as attributes of operations (Schedules.h). A step
/// obeys one that it finds, and chooses where it finds none.
struct Kernel {
  mlir::func::FuncOp function;
  ScheduleNotes notes;
  Scratch scratch; ///< its last parameter
};

/// The kernel of each entry point.
using Kernels = llvm::DenseMap<mlir::Attribute, Kernel>;

/// Makes a kernel of a dispatched function, in place. Fails after an error.
[[nodiscard]] llvm::FailureOr<Kernel> makeKernel(mlir::func::FuncOp function,
                                                 const Machine &machine);

/// The functions that `source` dispatches, in the order of their first dispatch, by
/// their entry points. Null where there is no function.
using DispatchedFunctions =
    llvm::MapVector<mlir::Attribute, mlir::func::FuncOp>;
[[nodiscard]] DispatchedFunctions dispatchedBy(mlir::ModuleOp module,
                                               mlir::func::FuncOp source);

/// The symbol of the kernel of a dispatched function, by its number in this order.
[[nodiscard]] std::string kernelName(size_t number,
                                     mlir::func::FuncOp function);

/// Makes a kernel of the module of each function that `source` dispatches:
/// `kernel_0_NAME`, and so on. Fails after an error.
[[nodiscard]] llvm::FailureOr<Kernels> makeKernels(mlir::ModuleOp module,
                                                   mlir::func::FuncOp source,
                                                   const Machine &machine);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_PIPELINE_H
