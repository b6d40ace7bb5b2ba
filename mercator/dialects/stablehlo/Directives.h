// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The `custom<..>` directives of the assembly formats. Each is a pair parseX /
/// printX; parseX reads the output of printX. Only the file that includes the
/// generated operations needs this header.

#ifndef MERCATOR_DIALECTS_STABLEHLO_DIRECTIVES_H
#define MERCATOR_DIALECTS_STABLEHLO_DIRECTIVES_H

#include "mercator/dialects/stablehlo/Stablehlo.h"

namespace mercator::stablehlo {

using Operands = llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand>;
using Types = llvm::SmallVectorImpl<mlir::Type>;

/// `T` if all types are T, else `(operands) -> result`. The last type is the
/// result's.
mlir::ParseResult parseTypesOrSignature(mlir::OpAsmParser &parser,
                                        llvm::ArrayRef<mlir::Type *> types);
void printTypesOrSignature(mlir::OpAsmPrinter &printer,
                           llvm::ArrayRef<mlir::Type> types);

template <typename... Rest>
mlir::ParseResult parseSameTypeOrSignature(mlir::OpAsmParser &parser,
                                           mlir::Type &first, Rest &...rest) {
  return parseTypesOrSignature(parser, {&first, &rest...});
}
template <typename... Rest>
void printSameTypeOrSignature(mlir::OpAsmPrinter &printer, mlir::Operation *,
                              Rest... types) {
  printTypesOrSignature(printer, {types...});
}

/// `tensor<complex<f32>>` if both parts are `tensor<f32>`.
mlir::ParseResult parseComplexTypes(mlir::OpAsmParser &parser, mlir::Type &lhs,
                                    mlir::Type &rhs, mlir::Type &result);
void printComplexTypes(mlir::OpAsmPrinter &printer, mlir::Operation *,
                       mlir::Type lhs, mlir::Type rhs, mlir::Type result);

/// `Tpred, T` if the other three types are T.
mlir::ParseResult parseSelectTypes(mlir::OpAsmParser &parser, mlir::Type &pred,
                                   mlir::Type &onTrue, mlir::Type &onFalse,
                                   mlir::Type &result);
void printSelectTypes(mlir::OpAsmPrinter &printer, mlir::Operation *,
                      mlir::Type pred, mlir::Type onTrue, mlir::Type onFalse,
                      mlir::Type result);

/// `T, T`: operand i and result i have type i.
mlir::ParseResult parsePairwiseTypes(mlir::OpAsmParser &parser, Types &operands,
                                     Types &results);
void printPairwiseTypes(mlir::OpAsmPrinter &printer, mlir::Operation *,
                        mlir::TypeRange operands, mlir::TypeRange results);

/// `tuple<T, U>` if the operands are T and U.
mlir::ParseResult parseTupleTypes(mlir::OpAsmParser &parser, Types &operands,
                                  mlir::Type &result);
void printTupleTypes(mlir::OpAsmPrinter &printer, mlir::Operation *,
                     mlir::TypeRange operands, mlir::Type result);

/// `T`: the type of every operand and of the result.
mlir::ParseResult parseAllOneType(mlir::OpAsmParser &parser,
                                  const Operands &operands, Types &types,
                                  mlir::Type &result);
void printAllOneType(mlir::OpAsmPrinter &printer, mlir::Operation *,
                     mlir::OperandRange, mlir::TypeRange, mlir::Type result);

/// `%a, %b,` up to the following keyword.
mlir::ParseResult parseOperandsThenComma(mlir::OpAsmParser &parser,
                                         Operands &operands);
void printOperandsThenComma(mlir::OpAsmPrinter &printer, mlir::Operation *,
                            mlir::OperandRange operands);

/// `e8m7`.
mlir::ParseResult parseExponentMantissa(mlir::OpAsmParser &parser,
                                        mlir::IntegerAttr &exponent,
                                        mlir::IntegerAttr &mantissa);
void printExponentMantissa(mlir::OpAsmPrinter &printer, mlir::Operation *,
                           mlir::IntegerAttr exponent,
                           mlir::IntegerAttr mantissa);

/// `[0:4, 1:9:2]`: start, limit, and the stride unless it is 1.
mlir::ParseResult parseSliceRanges(mlir::OpAsmParser &parser,
                                   mlir::DenseI64ArrayAttr &start,
                                   mlir::DenseI64ArrayAttr &limit,
                                   mlir::DenseI64ArrayAttr &stride);
void printSliceRanges(mlir::OpAsmPrinter &printer, mlir::Operation *,
                      mlir::DenseI64ArrayAttr start,
                      mlir::DenseI64ArrayAttr limit,
                      mlir::DenseI64ArrayAttr stride);

/// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`.
mlir::ParseResult parseDotDimensions(mlir::OpAsmParser &parser,
                                     DotDimensionNumbersAttr &dims);
void printDotDimensions(mlir::OpAsmPrinter &printer, mlir::Operation *,
                        DotDimensionNumbersAttr dims);

/// `, precision = [HIGH, DEFAULT]`, or nothing.
mlir::ParseResult parsePrecisionList(mlir::OpAsmParser &parser,
                                     mlir::ArrayAttr &precision);
void printPrecisionList(mlir::OpAsmPrinter &printer, mlir::Operation *,
                        mlir::ArrayAttr precision);

/// `, precision = [..], algorithm = <..>`: either, both or nothing.
mlir::ParseResult parsePrecisionAndAlgorithm(mlir::OpAsmParser &parser,
                                             mlir::ArrayAttr &precision,
                                             DotAlgorithmAttr &algorithm);
void printPrecisionAndAlgorithm(mlir::OpAsmPrinter &printer, mlir::Operation *,
                                mlir::ArrayAttr precision,
                                DotAlgorithmAttr algorithm);

/// `[b, 0, f]x[0, i, o]->[b, 0, f]`.
mlir::ParseResult parseConvolutionDimensions(mlir::OpAsmParser &parser,
                                             ConvDimensionNumbersAttr &dims);
void printConvolutionDimensions(mlir::OpAsmPrinter &printer, mlir::Operation *,
                                ConvDimensionNumbersAttr dims);

/// `stride = [..], pad = [[l, h], ..], lhs_dilate = [..], ..`. Defaulted
/// attributes are omitted. An empty list means the same as no list, unless `dims`
/// has no spatial dimensions.
mlir::ParseResult parseWindowAttributes(mlir::OpAsmParser &parser,
                                        mlir::DenseI64ArrayAttr &strides,
                                        mlir::DenseIntElementsAttr &padding,
                                        mlir::DenseI64ArrayAttr &lhsDilation,
                                        mlir::DenseI64ArrayAttr &rhsDilation,
                                        mlir::DenseBoolArrayAttr &reversal,
                                        ConvDimensionNumbersAttr dims);
void printWindowAttributes(mlir::OpAsmPrinter &printer, mlir::Operation *,
                           mlir::DenseI64ArrayAttr strides,
                           mlir::DenseIntElementsAttr padding,
                           mlir::DenseI64ArrayAttr lhsDilation,
                           mlir::DenseI64ArrayAttr rhsDilation,
                           mlir::DenseBoolArrayAttr reversal,
                           ConvDimensionNumbersAttr dims);

/// `@name` for an attribute of type string.
mlir::ParseResult parseCustomCallTarget(mlir::OpAsmParser &parser,
                                        mlir::StringAttr &target);
void printCustomCallTarget(mlir::OpAsmPrinter &printer, mlir::Operation *,
                           mlir::StringAttr target);

} // namespace mercator::stablehlo

#endif // MERCATOR_DIALECTS_STABLEHLO_DIRECTIVES_H
