// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of values, operations, computations and modules, for printing.
//
//   %y = stablehlo.negate %x      in func @f       "f/%y"
//
// Two values may have one name, so a name identifies nothing: Sources.h does.

#ifndef MERCATOR_ANALYSIS_NAMES_H
#define MERCATOR_ANALYSIS_NAMES_H

#include "mlir/IR/Operation.h"

#include <string>

namespace mercator {

/// "computation/instruction" for a value: the name of the function or of the
/// computation that a fusion calls, and the name the instruction has in its
/// location, or its line and column, or its number in its block.
/// Two values of a function may have one name: after inlining or cloning they
/// have one location. So a name is for printing; internSource tells them apart.
struct SourceName {
  std::string name;
  int32_t element = -1; ///< which result, where the operation has several
};
[[nodiscard]] SourceName sourceName(mlir::Value value);

/// Which modules an operation is in, outermost first: "inner/" in
/// `module { module @inner { .. } }`, where the outermost one is not named. A
/// module without a name is "module#1", by its place.
[[nodiscard]] std::string modulePath(mlir::Operation *op);

/// Its two halves: the name of the computation that a region is, and what an
/// operation is called within its block.
[[nodiscard]] std::string computationName(mlir::Region *region);
[[nodiscard]] std::string instructionName(mlir::Operation *op);
/// What follows the name of the computation in the name of one of its values.
[[nodiscard]] llvm::StringRef nameWithin(llvm::StringRef source,
                                         mlir::Region *region);
/// What the text calls one result of an operation that it calls "%a,%b" (see
/// mercator/frontends/stablehlo/Names.h). Empty if it has no name of its own.
[[nodiscard]] llvm::StringRef resultName(llvm::StringRef instruction,
                                         unsigned result);
/// The name that a location carries: of the first NameLoc in it, or none.
[[nodiscard]] llvm::StringRef nameIn(mlir::Location location);

} // namespace mercator

#endif // MERCATOR_ANALYSIS_NAMES_H
