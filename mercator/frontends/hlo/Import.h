// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Imports the syntax tree of HLO text into MLIR.
///
///   p0 = f32[1000,1000] parameter(0)
///   t = f32[1000,1000]{0,1} transpose(p0), dimensions={1,0}
///   ROOT a = f32[1000,1000] add(p0, t)
///
/// becomes
///
///   func.func @entry(%arg0: ..) {
///     %0 = stablehlo.transpose %arg0, ..
///     %1 = stablehlo.add %arg0, %0 : ..
///     return %1
///   }
///
/// Each part of the text, and the result of its import:
///
///   computation     a func.func of its name; the entry computation has the
///                   attribute `hlo.entry`. A computation that is only used as
///                   the body of a fusion, a reduction, a sort, .. becomes the
///                   region of that operation, once for each use. An unused
///                   computation becomes a function too.
///   call            func.call. The regions of `while` and `conditional` call
///                   the functions of their computations and keep their types.
///   instruction     the stablehlo operation with that meaning, or the chlo
///                   operation (erf, acos, .., mulhi, topk, scan, ragged-dot),
///                   or hlo.fusion, hlo.copy, hlo.bitcast; any other
///                   instruction is hlo.opaque with the opcode's spelling. A call
///                   of a GPU library is an hlo.fusion of what it computes
///                   (frontends/calls).
///                   RATIONALE.md of the dialects lists these and explains why.
///   tuple           a value of type tuple<..>. But reduce, reduce-window,
///                   scatter, sort, batch-norm, rng-bit-generator, collectives,
///                   infeed, recv-done, fusion, while, conditional and
///                   opt-barrier have several results, and get-tuple-element of
///                   these is hlo.element. Tuple operands of while, conditional
///                   and opt-barrier are likewise split into their members, one
///                   level deep.
///   name            the NameLoc of the operation, as written but without `%`;
///                   the name of a parameter is the NameLoc of the block
///                   argument. Operations that HLO does not have (an assembled
///                   tuple, a copy between two layouts) have no name.
///   location        NameLoc(name, text), where text is the FileLineColLoc of
///                   the name in the HLO text. With metadata, text is replaced
///                   by FusedLoc[text, NameLoc(op_name,
///                   FileLineColLoc(source_file))].
///   constant {...}  stablehlo.constant dense_resource<__elided__>
///   to_apply=max    a region with that one operation; `hlo.to_apply` keeps the
///                   name
///   scalar operand  kept for select and clamp; else broadcast by an operation
///                   without a name
///   layout          `#hlo.layout`, unless it is the default layout
///   sharding, frontend_attributes, backend_config, control-predecessors, ..
///                   discardable attributes `mhlo.sharding`, ..; any attribute
///                   of an opcode without a StableHLO counterpart is
///                   `hlo.<name>`, as written
///
/// Laws. The instructions of a function are in the order of the text. Equal
/// input gives equal output. The result passes the MLIR verifier.
///
/// Time and memory are linear in the text plus the bodies that are cloned into
/// fusions and reductions. The clones are limited: nesting to 64, operations to
/// 2^18 plus four times those of the text.

#ifndef MERCATOR_FRONTENDS_HLO_IMPORT_H
#define MERCATOR_FRONTENDS_HLO_IMPORT_H

#include "mercator/frontends/hlo/Syntax.h"
#include "mercator/support/Diagnostic.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mercator::hlo {

/// Requires: `module` comes from parse(source, ..) without an error; the
/// dialects are registered with the context (dialects/Register.h). Loads the
/// dialects. Ensures: null exactly if an error was reported.
[[nodiscard]] mlir::OwningOpRef<mlir::ModuleOp>
importHlo(const Module &module, const SourceBuffer &source,
          mlir::MLIRContext &context, DiagnosticEngine &diagnostics);

} // namespace mercator::hlo

#endif // MERCATOR_FRONTENDS_HLO_IMPORT_H
