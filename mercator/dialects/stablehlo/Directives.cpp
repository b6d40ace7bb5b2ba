// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/Directives.h"
#include "mercator/dialects/Common.h"
#include "mercator/dialects/stablehlo/ConvLabels.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace mercator::stablehlo {

//===----------------------------------------------------------------------===//
// Operands and numbers
//===----------------------------------------------------------------------===//

ParseResult parseOperandsThenComma(OpAsmParser &parser, Operands &operands) {
  while (true) {
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult parsed = parser.parseOptionalOperand(operand);
    if (!parsed.has_value())
      return success();
    if (failed(*parsed) || parser.parseComma())
      return failure();
    operands.push_back(operand);
  }
}

void printOperandsThenComma(OpAsmPrinter &printer, Operation *,
                            OperandRange operands) {
  printer.printOperands(operands);
  if (!operands.empty())
    printer << ",";
}

ParseResult parseExponentMantissa(OpAsmParser &parser, IntegerAttr &exponent,
                                  IntegerAttr &mantissa) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word)))
    return parser.emitError(loc, "expected a float format such as e8m7");
  int32_t exponentBits, mantissaBits;
  StringRef rest = word;
  if (!rest.consume_front("e") || rest.consumeInteger(10, exponentBits) ||
      !rest.consume_front("m") || rest.getAsInteger(10, mantissaBits))
    return parser.emitError(loc)
           << "expected a float format such as e8m7, got '" << word << "'";
  exponent = parser.getBuilder().getI32IntegerAttr(exponentBits);
  mantissa = parser.getBuilder().getI32IntegerAttr(mantissaBits);
  return success();
}

void printExponentMantissa(OpAsmPrinter &printer, Operation *,
                           IntegerAttr exponent, IntegerAttr mantissa) {
  printer << "e" << exponent.getInt() << "m" << mantissa.getInt();
}

ParseResult parseSliceRanges(OpAsmParser &parser, DenseI64ArrayAttr &start,
                             DenseI64ArrayAttr &limit,
                             DenseI64ArrayAttr &stride) {
  SmallVector<int64_t> starts, limits, strides;
  auto parseOne = [&]() -> ParseResult {
    if (parser.parseInteger(starts.emplace_back()) || parser.parseColon() ||
        parser.parseInteger(limits.emplace_back()))
      return failure();
    strides.push_back(1);
    return failure(succeeded(parser.parseOptionalColon()) &&
                   failed(parser.parseInteger(strides.back())));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  start = parser.getBuilder().getDenseI64ArrayAttr(starts);
  limit = parser.getBuilder().getDenseI64ArrayAttr(limits);
  stride = parser.getBuilder().getDenseI64ArrayAttr(strides);
  return success();
}

void printSliceRanges(OpAsmPrinter &printer, Operation *,
                      DenseI64ArrayAttr start, DenseI64ArrayAttr limit,
                      DenseI64ArrayAttr stride) {
  printer << "[";
  llvm::interleaveComma(
      llvm::zip(start.asArrayRef(), limit.asArrayRef(), stride.asArrayRef()),
      printer, [&](auto range) {
        auto [first, last, step] = range;
        printer << first << ":" << last;
        if (step != 1)
          printer << ":" << step;
      });
  printer << "]";
}

ParseResult parseCustomCallTarget(OpAsmParser &parser, StringAttr &target) {
  return parser.parseSymbolName(target);
}

void printCustomCallTarget(OpAsmPrinter &printer, Operation *,
                           StringAttr target) {
  printer.printSymbolName(target.getValue());
}

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

/// `[..] x [..]`
static ParseResult parsePair(OpAsmParser &parser, SmallVectorImpl<int64_t> &lhs,
                             SmallVectorImpl<int64_t> &rhs) {
  return failure(parser.parseEqual() || parseIntegers(parser, lhs) ||
                 parser.parseKeyword("x") || parseIntegers(parser, rhs));
}

ParseResult parseDotDimensions(OpAsmParser &parser,
                               DotDimensionNumbersAttr &dims) {
  SmallVector<int64_t> lhsBatching, rhsBatching, lhsContracting, rhsContracting;
  if (succeeded(parser.parseOptionalKeyword("batching_dims")))
    if (parsePair(parser, lhsBatching, rhsBatching) || parser.parseComma())
      return failure();
  if (parser.parseKeyword("contracting_dims") ||
      parsePair(parser, lhsContracting, rhsContracting))
    return failure();
  dims =
      DotDimensionNumbersAttr::get(parser.getContext(), lhsBatching,
                                   rhsBatching, lhsContracting, rhsContracting);
  return success();
}

void printDotDimensions(OpAsmPrinter &printer, Operation *,
                        DotDimensionNumbersAttr dims) {
  auto pair = [&](ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
    printIntegers(printer, lhs);
    printer << " x ";
    printIntegers(printer, rhs);
  };
  if (!dims.getLhsBatchingDimensions().empty() ||
      !dims.getRhsBatchingDimensions().empty()) {
    printer << "batching_dims = ";
    pair(dims.getLhsBatchingDimensions(), dims.getRhsBatchingDimensions());
    printer << ", ";
  }
  printer << "contracting_dims = ";
  pair(dims.getLhsContractingDimensions(), dims.getRhsContractingDimensions());
}

/// `= [HIGH, DEFAULT]`: keywords or whole attributes.
static ParseResult parsePrecisions(OpAsmParser &parser, ArrayAttr &precision) {
  SmallVector<Attribute> values;
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef word;
    if (failed(parser.parseOptionalKeyword(&word))) {
      PrecisionAttr value;
      if (parser.parseAttribute(value))
        return failure();
      values.push_back(value);
      return success();
    }
    std::optional<Precision> value = symbolizePrecision(word);
    if (!value)
      return parser.emitError(loc)
             << "expected DEFAULT, HIGH or HIGHEST, got '" << word << "'";
    values.push_back(PrecisionAttr::get(parser.getContext(), *value));
    return success();
  };
  if (parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  precision = parser.getBuilder().getArrayAttr(values);
  return success();
}

ParseResult parsePrecisionList(OpAsmParser &parser, ArrayAttr &precision) {
  if (failed(parser.parseOptionalComma()))
    return success();
  return failure(parser.parseKeyword("precision") ||
                 parsePrecisions(parser, precision));
}

void printPrecisionList(OpAsmPrinter &printer, Operation *,
                        ArrayAttr precision) {
  if (!precision)
    return;
  printer << ", precision = [";
  llvm::interleaveComma(
      precision.getAsRange<PrecisionAttr>(), printer,
      [&](PrecisionAttr p) { printer << stringifyPrecision(p.getValue()); });
  printer << "]";
}

ParseResult parsePrecisionAndAlgorithm(OpAsmParser &parser,
                                       ArrayAttr &precision,
                                       DotAlgorithmAttr &algorithm) {
  while (succeeded(parser.parseOptionalComma())) {
    if (!precision && succeeded(parser.parseOptionalKeyword("precision"))) {
      if (parsePrecisions(parser, precision))
        return failure();
      continue;
    }
    if (parser.parseKeyword("algorithm") || parser.parseEqual() ||
        parser.parseCustomAttributeWithFallback(algorithm))
      return failure();
    return success();
  }
  return success();
}

void printPrecisionAndAlgorithm(OpAsmPrinter &printer, Operation *op,
                                ArrayAttr precision,
                                DotAlgorithmAttr algorithm) {
  printPrecisionList(printer, op, precision);
  if (!algorithm)
    return;
  printer << ", algorithm = ";
  printer.printStrippedAttrOrType(algorithm);
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

ParseResult parseConvolutionDimensions(OpAsmParser &parser,
                                       ConvDimensionNumbersAttr &dims) {
  return parseConvLabels(parser, dims);
}

void printConvolutionDimensions(OpAsmPrinter &printer, Operation *,
                                ConvDimensionNumbersAttr dims) {
  printConvLabels(printer, dims);
}

/// `[[1, 2], [0, 0]]` as a matrix of two columns.
static ParseResult parsePadding(OpAsmParser &parser,
                                DenseIntElementsAttr &padding) {
  SmallVector<int64_t> values;
  auto parseRow = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    size_t before = values.size();
    if (parseIntegers(parser, values))
      return failure();
    if (values.size() - before != 2)
      return parser.emitError(loc) << "expected [low, high], got "
                                   << values.size() - before << " numbers";
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRow))
    return failure();
  Builder &builder = parser.getBuilder();
  auto type = RankedTensorType::get({int64_t(values.size() / 2), 2},
                                    builder.getI64Type());
  padding = DenseIntElementsAttr::get(type, values);
  return success();
}

ParseResult parseWindowAttributes(OpAsmParser &parser,
                                  DenseI64ArrayAttr &strides,
                                  DenseIntElementsAttr &padding,
                                  DenseI64ArrayAttr &lhsDilation,
                                  DenseI64ArrayAttr &rhsDilation,
                                  DenseBoolArrayAttr &reversal,
                                  ConvDimensionNumbersAttr dims) {
  // Without spatial dimensions, every list is empty.
  bool keepsEmpty = dims.getInputSpatialDimensions().empty();
  llvm::SmallDenseSet<StringRef> seen;
  StringRef key;
  SMLoc loc = parser.getCurrentLocation();
  while (succeeded(parser.parseOptionalKeyword(&key))) {
    if (!seen.insert(key).second)
      return parser.emitError(loc)
             << "expected each key once, got '" << key << "' again";
    if (parser.parseEqual())
      return failure();
    if (key == "pad") {
      if (parsePadding(parser, padding))
        return failure();
      if (padding.empty() && !keepsEmpty)
        padding = {};
    } else if (key == "reverse") {
      SmallVector<bool> values;
      if (parser.parseCommaSeparatedList(
              AsmParser::Delimiter::Square, [&]() -> ParseResult {
                if (succeeded(parser.parseOptionalKeyword("true"))) {
                  values.push_back(true);
                  return success();
                }
                if (succeeded(parser.parseOptionalKeyword("false"))) {
                  values.push_back(false);
                  return success();
                }
                int64_t number;
                if (parser.parseInteger(number))
                  return failure();
                values.push_back(number != 0);
                return success();
              }))
        return failure();
      if (!values.empty() || keepsEmpty)
        reversal = DenseBoolArrayAttr::get(parser.getContext(), values);
    } else {
      DenseI64ArrayAttr *slot = key == "stride"       ? &strides
                                : key == "lhs_dilate" ? &lhsDilation
                                : key == "rhs_dilate" ? &rhsDilation
                                                      : nullptr;
      if (!slot)
        return parser.emitError(loc)
               << "expected stride, pad, lhs_dilate, rhs_dilate or "
                  "reverse, got '"
               << key << "'";
      SmallVector<int64_t> values;
      if (parseIntegers(parser, values))
        return failure();
      if (!values.empty() || keepsEmpty)
        *slot = parser.getBuilder().getDenseI64ArrayAttr(values);
    }
    if (failed(parser.parseOptionalComma()))
      return success();
    loc = parser.getCurrentLocation();
  }
  return success();
}

void printWindowAttributes(OpAsmPrinter &printer, Operation *,
                           DenseI64ArrayAttr strides,
                           DenseIntElementsAttr padding,
                           DenseI64ArrayAttr lhsDilation,
                           DenseI64ArrayAttr rhsDilation,
                           DenseBoolArrayAttr reversal,
                           ConvDimensionNumbersAttr /*dims*/) {
  llvm::ListSeparator comma;
  auto integers = [&](StringRef key, DenseI64ArrayAttr values) {
    if (!values)
      return;
    printer << StringRef(comma) << key << " = ";
    printIntegers(printer, values);
  };
  integers("stride", strides);
  if (padding) {
    printer << StringRef(comma) << "pad = [";
    SmallVector<int64_t> values(padding.getValues<int64_t>());
    for (size_t i = 0; i + 1 < values.size(); i += 2) {
      printer << (i ? ", " : "");
      printIntegers(printer, ArrayRef(values).slice(i, 2));
    }
    printer << "]";
  }
  integers("lhs_dilate", lhsDilation);
  integers("rhs_dilate", rhsDilation);
  if (reversal) {
    printer << StringRef(comma) << "reverse = [";
    llvm::interleaveComma(reversal.asArrayRef(), printer, [&](bool value) {
      printer << (value ? "true" : "false");
    });
    printer << "]";
  }
}

} // namespace mercator::stablehlo
