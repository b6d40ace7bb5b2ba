// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The graphs of an `.air` file.
///
///   OwningOpRef<ModuleOp> module = readAir(bytes, "embed.air", &context);
///   // module { ascend.graph @embed {..} }, null after a diagnostic
///
/// Every graph of the file is an `ascend.graph`, the main one first; a node's
/// name is its location. A graph round-trips: written and read again it is the
/// same graph, and it is written as the same bytes. A file of another tool
/// round-trips in meaning: attributes at their default may be added or left
/// out, and GE's own notes are dropped.
///
/// Where a file says no type, as one that GE exports before it has found
/// shapes, the inferred one is taken; inputs go by their names where it has
/// them. Edges that only order are dropped, as nothing here has effects.
/// Attributes that begin with an underscore are GE's notes and passed over. Any
/// other attribute that the operator does not have is an error, as it could
/// change what the node means; so is a value that is not supported
/// (Attributes.h).
///
/// Nothing in the file is believed: the operators are those of the registry
/// with inputs that it lists, shapes are inferred again and must be those that
/// the file says, and a constant has the bytes of its type. What is not so is
/// an error that names the file and the node. Memory is in proportion to the
/// file: about three times a file of constants, up to a hundredfold where a
/// file is nothing but empty messages.
///
/// Source: the published schema `ge_ir.proto`, and files that GE wrote.

#ifndef MERCATOR_TARGETS_ASCEND_FORMATS_AIRREADER_H
#define MERCATOR_TARGETS_ASCEND_FORMATS_AIRREADER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mercator::ascend {

/// Null after an error at `fileName`, line 0. Loads the dialects it needs.
[[nodiscard]] mlir::OwningOpRef<mlir::ModuleOp>
readAir(llvm::StringRef bytes, llvm::StringRef fileName,
        mlir::MLIRContext *context);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_FORMATS_AIRREADER_H
