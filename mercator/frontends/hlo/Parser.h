// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses HLO text into a syntax tree (Syntax.h).
//
// ```cpp
// SourceBuffer buffer("a.hlo", "a = f32[4] add(f32[4] p0, f32[4] p1)");
// mercator::DiagnosticEngine diagnostics(llvm::errs());
// auto module = parse(buffer, diagnostics);
// assert(module); // else every error was printed with its place
// assert(module->computations.size() == 1);
// ```
//
// Accepted:
//   - a module as XLA prints it, including header tables, with operands written
//     `f32[4]{0} %p0`, `%p0` or `p0`;
//   - computations without a header: the entry is the computation marked ENTRY,
//     else the last one;
//   - bare instructions: they form computation `entry`; an operand that is
//     written with its shape and has no definition becomes a parameter;
//   - an omitted result shape, if the operands determine it;
//   - `to_apply=max` without a computation `max`, for reductions
//     (ComputationRef::builtin).
//
// Refused, each with a place, a reason and, if possible, a line to type:
// unknown opcodes, attributes and names, uses before definitions, recursive
// computations, wrong operand counts, shapes that contradict their operands,
// and texts beyond the limits of Syntax.h (nesting, rank, tuple size, an
// element count of 2^63 or more). After an error parsing continues at the next
// instruction, so one run reports several errors. Consequences of an error are
// not reported.
//
// Time and memory are linear in the text, about 0.1 s for 3 MB.

#ifndef MERCATOR_FRONTENDS_HLO_PARSER_H
#define MERCATOR_FRONTENDS_HLO_PARSER_H

#include "mercator/frontends/hlo/Syntax.h"
#include "mercator/support/Diagnostic.h"

#include <memory>
#include <vector>

namespace mercator::hlo {

/// Parses a text of one module. Ensures: null exactly if an error was reported.
[[nodiscard]] std::unique_ptr<Module> parse(const SourceBuffer &buffer,
                                            DiagnosticEngine &diagnostics);

/// Parses the modules of a text, in order. A module ends at a line `// -----`
/// or at the `HloModule` of the next one. Ensures: empty exactly if an error
/// was reported.
[[nodiscard]] std::vector<std::unique_ptr<Module>>
parseAll(const SourceBuffer &buffer, DiagnosticEngine &diagnostics);

} // namespace mercator::hlo

#endif // MERCATOR_FRONTENDS_HLO_PARSER_H
