// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Reads the graphs of an `.air` file.
///
/// ```cpp (llvm::StringRef bytes, mlir::MLIRContext &context)
/// auto module = readAir(bytes, "embed.air", &context);
/// if (module)
///   module->dump(); // module { ascend.graph @embed {..} }
/// ```
///
/// Every graph of the file becomes an `ascend.graph`, the main one first; a
/// node's name becomes its location. A graph round-trips: it is written and
/// read without change, and equal graphs are written as equal bytes. A file of
/// another tool keeps its meaning: attributes at their default may be added or
/// omitted, and GE's annotations are dropped.
///
/// If a file has no type for a tensor, as before GE's shape inference, the
/// inferred type is used. Inputs are matched by name if the file has names.
/// Control edges are dropped, because operations here have no effects.
/// Attributes that begin with an underscore are GE's annotations and are
/// ignored. Any other unknown attribute is an error, because it could change
/// the meaning of the node; so is an unsupported value (Attributes.h).
///
/// Nothing in the file is trusted. The operators and their inputs must be in
/// the registry. Shapes are inferred and must equal those in the file. A
/// constant must have the bytes of its type. Otherwise an error names the file
/// and the node. Memory is proportional to the file: about three times the size
/// of a file of constants, up to a hundred times that of a file of empty
/// messages.
///
/// Source: the published schema `ge_ir.proto`, and files written by GE.

#ifndef MERCATOR_TARGETS_ASCEND_FORMATS_AIRREADER_H
#define MERCATOR_TARGETS_ASCEND_FORMATS_AIRREADER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mercator::ascend {

/// Null after an error at `fileName`, line 0. Loads the required dialects.
[[nodiscard]] mlir::OwningOpRef<mlir::ModuleOp>
readAir(llvm::StringRef bytes, llvm::StringRef fileName,
        mlir::MLIRContext *context);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_FORMATS_AIRREADER_H
