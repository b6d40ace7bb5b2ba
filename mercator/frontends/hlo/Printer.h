// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a syntax tree as HLO text in one canonical form: every name with `%`,
// every result shape written, operands without shapes, one instruction a line.
//
// Law: the tree round-trips. parse(print(m)) equals m, except for source
// locations and for the parts that the parser completed (inferred shapes and
// hoisted operands are written out). So print(parse(print(m))) == print(m),
// byte for byte.
//
// Time is linear in the size of the text written.

#ifndef MERCATOR_FRONTENDS_HLO_PRINTER_H
#define MERCATOR_FRONTENDS_HLO_PRINTER_H

#include "mercator/frontends/hlo/Syntax.h"

#include "llvm/Support/raw_ostream.h"

namespace mercator::hlo {

void print(const Module &module, llvm::raw_ostream &os);
void print(const Computation &computation, llvm::raw_ostream &os);
/// One line without the line end: `%add = f32[4] add(%p0, %p1)`.
void print(const Instruction &instruction, const Computation &computation,
           llvm::raw_ostream &os);
void print(const Literal &literal, llvm::raw_ostream &os);

[[nodiscard]] std::string toString(const Module &module);

} // namespace mercator::hlo

#endif // MERCATOR_FRONTENDS_HLO_PRINTER_H
