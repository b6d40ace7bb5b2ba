// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of values, operations, computations and modules, for printing.
//
//   %y = stablehlo.negate %x      in func @f       "f/%y"
//
// Two values may have the same name, so a name does not identify a value. The
// source of a runtime variable does: see Sources.h.

#ifndef MERCATOR_ANALYSIS_NAMES_H
#define MERCATOR_ANALYSIS_NAMES_H

#include "mlir/IR/Operation.h"

#include <string>

namespace mercator {

/// "computation/value": the name of the function, or of the computation that a
/// fusion calls, and valueName. Two values of a function may have one name:
/// after inlining or cloning they have one location.
[[nodiscard]] std::string sourceName(mlir::Value value);
/// The name of a value in its computation: the name that its instruction has in
/// its location, or the line and column, or the number in its block.
[[nodiscard]] std::string valueName(mlir::Value value);
/// Which result it is, of an operation whose results have one name; else -1.
[[nodiscard]] int32_t elementOf(mlir::Value value);

/// The path of the modules that contain an operation, outermost first, without
/// the outermost: "inner/" in `module { module @inner { .. } }`. A module
/// without a name is "module#1", by its position.
[[nodiscard]] std::string modulePath(mlir::Operation *op);

/// The two halves of a source name: the name of the computation of a region,
/// and the name of an operation within its block.
[[nodiscard]] std::string computationName(mlir::Region *region);
[[nodiscard]] std::string instructionName(mlir::Operation *op);
/// The name of one result of an operation named "%a,%b" in the text (see
/// mercator/frontends/stablehlo/Names.h). Empty if the result has no name of
/// its own.
[[nodiscard]] llvm::StringRef resultName(llvm::StringRef instruction,
                                         unsigned result);
/// The name of the first NameLoc in a location, or the empty string.
[[nodiscard]] llvm::StringRef nameIn(mlir::Location location);

/// The location of what is made from `op`: its own, and the name of the
/// operation. When a stablehlo.add becomes a linalg.generic, this still tells
/// `%1 = stablehlo.add`.
[[nodiscard]] mlir::Location sourceLocation(mlir::Operation *op);
/// The name of the operation that sourceLocation noted, or the empty string.
[[nodiscard]] llvm::StringRef sourceOperationIn(mlir::Location location);

} // namespace mercator

#endif // MERCATOR_ANALYSIS_NAMES_H
