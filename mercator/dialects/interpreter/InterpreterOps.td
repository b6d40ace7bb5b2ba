// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `interpreter` dialect: requests of a test program to its evaluator.

#ifndef MERCATOR_DIALECTS_INTERPRETER_OPS
#define MERCATOR_DIALECTS_INTERPRETER_OPS

include "mercator/dialects/stablehlo/StablehloBase.td"
include "mlir/IR/SymbolInterfaces.td"

def Interpreter_Dialect : Dialect {
  let name = "interpreter";
  let cppNamespace = "::mercator::interpreter";
  let summary = "Requests of a test program to its evaluator";
  let dependentDialects = ["::mercator::stablehlo::StablehloDialect"];
}

class Interpreter_Op<string mnemonic, list<Trait> traits = []>
    : Op<Interpreter_Dialect, mnemonic, traits>;

def Interpreter_Grid : TypedArrayAttrBase<FlatSymbolRefArrayAttr, "grid of function names">;

def Interpreter_RunParallelOp
    : Interpreter_Op<"run_parallel", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a grid of processes to completion";
  let description = [{
    `programs[r][p]` is the function of replica `r`, partition `p`. The operands
    are the arguments of all functions: those of (0, 0), then of (0, 1), and so on.
    The results have the same order. `infeed` names functions without arguments;
    each `infeed` operation takes the result of the next function.
  }];
  let arguments = (ins Variadic<Stablehlo_Value>:$inputs,
                       OptionalAttr<FlatSymbolRefArrayAttr>:$infeed,
                       Interpreter_Grid:$programs);
  let results = (outs Variadic<Stablehlo_Value>:$results);
  let hasVerifier = 1;
}

def Interpreter_PrintOp : Interpreter_Op<"print"> {
  let summary = "prints a tensor";
  let arguments = (ins Stablehlo_Tensor:$operand);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

def Interpreter_ProbeOp : Interpreter_Op<"probe", [AllTypesMatch<["operand", "result"]>]> {
  let summary = "prints a tensor under a name and returns it";
  let arguments = (ins Stablehlo_Tensor:$operand, StrAttr:$probe_id);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = "$operand `,` `probe_id` `=` $probe_id attr-dict `:` type($result)";
}

#endif // MERCATOR_DIALECTS_INTERPRETER_OPS
