// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Buffers, linalg and scalars to the LLVM dialect.

#ifndef MERCATOR_TARGETS_CPU_LLVM_LOWER_H
#define MERCATOR_TARGETS_CPU_LLVM_LOWER_H

#include "mercator/targets/cpu/llvm/Object.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace mercator::cpu {

/// Registers the dialects and interfaces that code generation needs.
void registerDialects(mlir::DialectRegistry &registry);

/// The same for a context, and loads them.
void loadDialects(mlir::MLIRContext &context);

/// Rewrites a module of kernels and @mercator_main. With `preciseMath` of the machine,
/// functions are those of the C library. Fails after an error.
llvm::LogicalResult lowerToLlvm(mlir::ModuleOp module, const Machine &machine);

/// Functions of complex numbers become functions of their parts, within a few units in
/// the last place, where those of MLIR lose digits or overflow.
void expandComplexMath(mlir::ModuleOp module);

/// Numbers of formats that the CPU cannot compute with become numbers that it
/// can: bf16, f16 functions, and floats of 8 bits and fewer.
llvm::LogicalResult expandSmallFloats(mlir::ModuleOp module);

/// Functions that MathCode has become arithmetic, within 2 units in the last place.
/// `scales`: the CPU has an instruction for x * 2^n. `fuses`: it has one for x * y + z.
void expandMath(mlir::ModuleOp module, bool scales, bool fuses);

/// Functions of the math dialect that no instruction computes become calls of
/// the C library.
void callMathLibrary(mlir::ModuleOp module);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_LLVM_LOWER_H
