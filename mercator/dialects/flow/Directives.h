// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The `custom<..>` directives of the assembly formats. Each is a pair parseX /
/// printX; parseX reads the output of printX.

#ifndef MERCATOR_DIALECTS_FLOW_DIRECTIVES_H
#define MERCATOR_DIALECTS_FLOW_DIRECTIVES_H

#include "mercator/dialects/flow/Flow.h"

namespace mercator::flow {

using Operand = mlir::OpAsmParser::UnresolvedOperand;
using Operands = llvm::SmallVectorImpl<Operand>;
using Types = llvm::SmallVectorImpl<mlir::Type>;

/// `readonly`, `readwrite` or `writeonly`.
mlir::ParseResult parseTensorAccess(mlir::AsmParser &parser,
                                    TensorAccess &access);
void printTensorAccess(mlir::AsmPrinter &printer, TensorAccess access);

/// `T{%d0, %d1}`: a type, then a value for each of its `?`.
mlir::ParseResult parseShapedType(mlir::OpAsmParser &parser, mlir::Type &type,
                                  Operands &dims);
/// Removes the extents that it prints from the front of `dims`.
void printShapedType(mlir::OpAsmPrinter &printer, mlir::Type type,
                     mlir::ValueRange &dims);

/// `(T{%d}, U) -> (V{%e}, %a, %b as W)`. A result written as an operand is tied
/// to it. `%a at 2` names operand 2 if %a is also an earlier operand. The
/// parentheses around a single result are omitted.
mlir::ParseResult
parseShapedFunctionType(mlir::OpAsmParser &parser,
                        llvm::ArrayRef<Operand> operands, Types &operandTypes,
                        Operands &operandDims, Types &resultTypes,
                        Operands &resultDims, mlir::ArrayAttr &ties);
void printShapedFunctionType(mlir::OpAsmPrinter &printer, mlir::Operation *,
                             mlir::ValueRange operands,
                             mlir::TypeRange operandTypes,
                             mlir::ValueRange operandDims,
                             mlir::TypeRange resultTypes,
                             mlir::ValueRange resultDims, mlir::ArrayAttr ties);

/// `%t as T{%d}`. The tie to the target is optional.
mlir::ParseResult parseTiedTarget(mlir::OpAsmParser &parser,
                                  const Operand &target, mlir::Type &type,
                                  Operands &dims);
void printTiedTarget(mlir::OpAsmPrinter &printer, mlir::Operation *,
                     mlir::Value target, mlir::Type type,
                     mlir::ValueRange dims);

/// `%a, %b : T, U`, or `()`. Nothing is read as `()` too, unless a name
/// follows: the name would be an operand.
mlir::ParseResult parseTracedTensors(mlir::OpAsmParser &parser,
                                     Operands &tensors, Types &types);
void printTracedTensors(mlir::OpAsmPrinter &printer, mlir::Operation *,
                        mlir::ValueRange tensors, mlir::TypeRange types);

/// `(%a: T, %b: U) { ... }`.
mlir::ParseResult parseDispatchWorkgroupBody(mlir::OpAsmParser &parser,
                                             mlir::Region &body);
void printDispatchWorkgroupBody(mlir::OpAsmPrinter &printer, mlir::Operation *,
                                mlir::Region &body);

/// `count(%a: index) -> (index, index, index) { ... }`, or nothing. The second
/// directive reads `workgroups` in place of `count`.
mlir::ParseResult parseDispatchWorkgroupsCountRegion(mlir::OpAsmParser &parser,
                                                     mlir::Region &count);
void printDispatchWorkgroupsCountRegion(mlir::OpAsmPrinter &printer,
                                        mlir::Operation *, mlir::Region &count);
mlir::ParseResult parseWorkgroupCountRegion(mlir::OpAsmParser &parser,
                                            mlir::Region &count);
void printWorkgroupCountRegion(mlir::OpAsmPrinter &printer, mlir::Operation *,
                               mlir::Region &count);

/// `public` or `private`; the default is public.
mlir::ParseResult parseSymbolVisibility(mlir::OpAsmParser &parser,
                                        mlir::StringAttr &visibility);
void printSymbolVisibility(mlir::OpAsmPrinter &printer, mlir::Operation *,
                           mlir::StringAttr visibility);

/// `@f`, or `@f as("g")`: the function, and its exported name.
mlir::ParseResult parseSymbolAlias(mlir::OpAsmParser &parser,
                                   mlir::StringAttr &name,
                                   mlir::FlatSymbolRefAttr &function);
void printSymbolAlias(mlir::OpAsmPrinter &printer, mlir::Operation *,
                      mlir::StringAttr name, mlir::FlatSymbolRefAttr function);

} // namespace mercator::flow

#endif // MERCATOR_DIALECTS_FLOW_DIRECTIVES_H
