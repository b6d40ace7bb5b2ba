// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The `interpreter` dialect: requests of a test program to its evaluator. The
/// programs that accompany the StableHLO specification use it.
///
///   %r:2 = "interpreter.run_parallel"(%a, %b)
///            <{programs = [[@f], [@f]]}>        // two replicas
///          : (tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>)
///   interpreter.print %r#0 : tensor<4xi64>
///   %p = interpreter.probe %r#1, probe_id = "second" : tensor<4xi64>

#ifndef MERCATOR_DIALECTS_INTERPRETER_INTERPRETER_H
#define MERCATOR_DIALECTS_INTERPRETER_INTERPRETER_H

#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/SymbolTable.h"

#include "mercator/dialects/interpreter/InterpreterDialect.h.inc"
#define GET_OP_CLASSES
#include "mercator/dialects/interpreter/InterpreterOps.h.inc"

#endif // MERCATOR_DIALECTS_INTERPRETER_INTERPRETER_H
