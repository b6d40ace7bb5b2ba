// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/Common.h"
#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/stablehlo/KeyedFields.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator::chlo;

#include "mercator/dialects/chlo/ChloDialect.cpp.inc"
#include "mercator/dialects/chlo/ChloEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "mercator/dialects/chlo/ChloAttrs.cpp.inc"

void ChloDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "mercator/dialects/chlo/ChloAttrs.cpp.inc"
      >();
  registerChloDialectOperations(this);
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

Attribute RaggedDotDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> lhsBatching, rhsBatching, lhsContracting, rhsContracting,
      lhsRagged, rhsGroup;
  if (stablehlo::parseFields(parser,
                             {{"lhs_batching_dimensions", &lhsBatching},
                              {"rhs_batching_dimensions", &rhsBatching},
                              {"lhs_contracting_dimensions", &lhsContracting},
                              {"rhs_contracting_dimensions", &rhsContracting},
                              {"lhs_ragged_dimensions", &lhsRagged},
                              {"rhs_group_dimensions", &rhsGroup}}))
    return {};
  return get(parser.getContext(), lhsBatching, rhsBatching, lhsContracting,
             rhsContracting, lhsRagged, rhsGroup);
}

void RaggedDotDimensionNumbersAttr::print(AsmPrinter &printer) const {
  stablehlo::FieldPrinter fields(printer);
  fields.list("lhs_batching_dimensions", getLhsBatchingDimensions());
  fields.list("rhs_batching_dimensions", getRhsBatchingDimensions());
  fields.list("lhs_contracting_dimensions", getLhsContractingDimensions());
  fields.list("rhs_contracting_dimensions", getRhsContractingDimensions());
  fields.list("lhs_ragged_dimensions", getLhsRaggedDimensions());
  fields.list("rhs_group_dimensions", getRhsGroupDimensions());
}

void ScanOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument,
            argument.getArgNumber() < getInputs().size() ? "input" : "carry");
}

// `(%x) inits (%a) dimension=0 attributes {..} {region} : (T, U) -> (V, W)`.
// There is one carry for each init; the first results are the carries.
ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> inputs, inits;
  int64_t dimension;
  FunctionType signature;
  if (parser.parseOperandList(inputs, OpAsmParser::Delimiter::Paren) ||
      parser.parseKeyword("inits") ||
      parser.parseOperandList(inits, OpAsmParser::Delimiter::Paren) ||
      parser.parseKeyword("dimension") || parser.parseEqual() ||
      parser.parseInteger(dimension) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion()))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseColonType(signature))
    return failure();
  if (signature.getNumInputs() != inputs.size() + inits.size())
    return parser.emitError(loc)
           << "expected " << inputs.size() + inits.size()
           << " operand types, got " << signature.getNumInputs();
  if (signature.getNumResults() < inits.size())
    return parser.emitError(loc) << "expected at least " << inits.size()
                                 << " result types, one for each init, got "
                                 << signature.getNumResults();
  inputs.append(inits);
  if (parser.resolveOperands(inputs, signature.getInputs(), loc,
                             result.operands))
    return failure();
  result.addTypes(signature.getResults());
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.dimension = parser.getBuilder().getI64IntegerAttr(dimension);
  properties.operandSegmentSizes = {int32_t(inputs.size() - inits.size()),
                                    int32_t(inits.size())};
  properties.resultSegmentSizes = {
      int32_t(signature.getNumResults() - inits.size()), int32_t(inits.size())};
  return success();
}

void ScanOp::print(OpAsmPrinter &printer) {
  printer << "(" << getInputs() << ") inits (" << getInits()
          << ") dimension=" << getDimension() << " ";
  printer.printOptionalAttrDictWithKeyword(
      getOperation()->getAttrs(),
      {"dimension", "operandSegmentSizes", "resultSegmentSizes"});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/true);
  printer << " : ";
  printer.printFunctionalType(getOperation());
}
