// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/ConvLabels.h"
#include "mercator/dialects/stablehlo/KeyedFields.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mercator::stablehlo;

//===----------------------------------------------------------------------===//
// `<key = [1, 2], other = 3>`
//===----------------------------------------------------------------------===//

static ParseResult parseIntegers(AsmParser &parser,
                                 SmallVectorImpl<int64_t> &into) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(into.emplace_back());
  });
}

/// Reads up to and including the `>`. Keys come in any order, each at most
/// once. A comma may follow the last field.
static ParseResult parseFieldsThenGreater(AsmParser &parser,
                                          ArrayRef<Field> fields) {
  SmallVector<bool> seen(fields.size());
  while (failed(parser.parseOptionalGreater())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef key;
    if (failed(parser.parseOptionalKeyword(&key)))
      return parser.emitError(loc, "expected a key or '>'");
    auto *field =
        llvm::find_if(fields, [&](const Field &f) { return f.key == key; });
    if (field == fields.end()) {
      InFlightDiagnostic error = parser.emitError(loc) << "expected one of ";
      llvm::interleaveComma(fields, error,
                            [&](const Field &f) { error << f.key; });
      return error << ", got '" << key << "'";
    }
    if (std::exchange(seen[field - fields.begin()], true))
      return parser.emitError(loc)
             << "expected each key once, got '" << key << "' again";
    if (parser.parseEqual())
      return failure();
    if (field->list ? parseIntegers(parser, *field->list)
                    : ParseResult(parser.parseInteger(*field->number)))
      return failure();
    if (failed(parser.parseOptionalComma()))
      return parser.parseGreater();
  }
  return success();
}

ParseResult mercator::stablehlo::parseFields(AsmParser &parser,
                                             ArrayRef<Field> fields) {
  return failure(parser.parseLess() || parseFieldsThenGreater(parser, fields));
}

//===----------------------------------------------------------------------===//
// Gather, scatter, dot
//===----------------------------------------------------------------------===//

Attribute GatherDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> offset, collapsed, operandBatching, startBatching, map;
  int64_t indexVectorDim = 0;
  if (parseFields(parser, {{"offset_dims", &offset},
                           {"collapsed_slice_dims", &collapsed},
                           {"operand_batching_dims", &operandBatching},
                           {"start_indices_batching_dims", &startBatching},
                           {"start_index_map", &map},
                           {"index_vector_dim", nullptr, &indexVectorDim}}))
    return {};
  return get(parser.getContext(), offset, collapsed, operandBatching,
             startBatching, map, indexVectorDim);
}

void GatherDimensionNumbersAttr::print(AsmPrinter &printer) const {
  FieldPrinter fields(printer);
  fields.list("offset_dims", getOffsetDims());
  fields.list("collapsed_slice_dims", getCollapsedSliceDims());
  fields.list("operand_batching_dims", getOperandBatchingDims());
  fields.list("start_indices_batching_dims", getStartIndicesBatchingDims());
  fields.list("start_index_map", getStartIndexMap());
  fields.number("index_vector_dim", getIndexVectorDim());
}

Attribute ScatterDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> window, inserted, inputBatching, indicesBatching, map;
  int64_t indexVectorDim = 0;
  if (parseFields(parser, {{"update_window_dims", &window},
                           {"inserted_window_dims", &inserted},
                           {"input_batching_dims", &inputBatching},
                           {"scatter_indices_batching_dims", &indicesBatching},
                           {"scatter_dims_to_operand_dims", &map},
                           {"index_vector_dim", nullptr, &indexVectorDim}}))
    return {};
  return get(parser.getContext(), window, inserted, inputBatching,
             indicesBatching, map, indexVectorDim);
}

void ScatterDimensionNumbersAttr::print(AsmPrinter &printer) const {
  FieldPrinter fields(printer);
  fields.list("update_window_dims", getUpdateWindowDims());
  fields.list("inserted_window_dims", getInsertedWindowDims());
  fields.list("input_batching_dims", getInputBatchingDims());
  fields.list("scatter_indices_batching_dims", getScatterIndicesBatchingDims());
  fields.list("scatter_dims_to_operand_dims", getScatterDimsToOperandDims());
  fields.number("index_vector_dim", getIndexVectorDim());
}

Attribute DotDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> lhsBatching, rhsBatching, lhsContracting, rhsContracting;
  if (parseFields(parser, {{"lhs_batching_dimensions", &lhsBatching},
                           {"rhs_batching_dimensions", &rhsBatching},
                           {"lhs_contracting_dimensions", &lhsContracting},
                           {"rhs_contracting_dimensions", &rhsContracting}}))
    return {};
  return get(parser.getContext(), lhsBatching, rhsBatching, lhsContracting,
             rhsContracting);
}

void DotDimensionNumbersAttr::print(AsmPrinter &printer) const {
  FieldPrinter fields(printer);
  fields.list("lhs_batching_dimensions", getLhsBatchingDimensions());
  fields.list("rhs_batching_dimensions", getRhsBatchingDimensions());
  fields.list("lhs_contracting_dimensions", getLhsContractingDimensions());
  fields.list("rhs_contracting_dimensions", getRhsContractingDimensions());
}

Attribute OutputOperandAliasAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> output, operand;
  int64_t index = 0;
  if (parseFields(parser, {{"output_tuple_indices", &output},
                           {"operand_index", nullptr, &index},
                           {"operand_tuple_indices", &operand}}))
    return {};
  return get(parser.getContext(), output, index, operand);
}

void OutputOperandAliasAttr::print(AsmPrinter &printer) const {
  FieldPrinter fields(printer);
  fields.list("output_tuple_indices", getOutputTupleIndices(), /*always=*/true);
  fields.number("operand_index", getOperandIndex(), /*always=*/true);
  fields.list("operand_tuple_indices", getOperandTupleIndices(),
              /*always=*/true);
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

namespace {
/// One bracket of `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`.
struct ConvSide {
  char firstLetter, secondLetter;
  int64_t first = -1, second = -1;
  SmallVector<int64_t> spatial = {};
};
} // namespace

static ParseResult parseConvSide(AsmParser &parser, ConvSide &side) {
  SMLoc start = parser.getCurrentLocation();
  SmallVector<std::pair<int64_t, int64_t>> spatial; // number, dimension
  int64_t dim = 0;
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    int64_t number;
    OptionalParseResult isNumber = parser.parseOptionalInteger(number);
    if (isNumber.has_value()) {
      spatial.emplace_back(number, dim++);
      return *isNumber;
    }
    if (succeeded(
            parser.parseOptionalQuestion())) { // a dimension without a role
      ++dim;
      return success();
    }
    StringRef word;
    if (failed(parser.parseOptionalKeyword(&word)))
      return parser.emitError(
          loc, "expected a spatial dimension number or a letter");
    int64_t *slot = word.size() != 1               ? nullptr
                    : word[0] == side.firstLetter  ? &side.first
                    : word[0] == side.secondLetter ? &side.second
                                                   : nullptr;
    if (!slot)
      return parser.emitError(loc)
             << "expected '" << Twine(side.firstLetter) << "' or '"
             << Twine(side.secondLetter) << "', got '" << word << "'";
    if (*slot >= 0)
      return parser.emitError(loc) << "expected '" << word << "' once";
    *slot = dim++;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  if (side.first < 0 || side.second < 0)
    return parser.emitError(start)
           << "expected both '" << Twine(side.firstLetter) << "' and '"
           << Twine(side.secondLetter) << "'";
  llvm::sort(spatial);
  for (auto [i, entry] : llvm::enumerate(spatial)) {
    if (entry.first != int64_t(i))
      return parser.emitError(start) << "expected spatial dimensions 0 to "
                                     << spatial.size() - 1 << ", each once";
    side.spatial.push_back(entry.second);
  }
  return success();
}

ParseResult
mercator::stablehlo::parseConvLabels(AsmParser &parser,
                                     ConvDimensionNumbersAttr &labels) {
  ConvSide input{'b', 'f'}, kernel{'i', 'o'}, output{'b', 'f'};
  if (parseConvSide(parser, input) || parser.parseKeyword("x") ||
      parseConvSide(parser, kernel) || parser.parseArrow() ||
      parseConvSide(parser, output))
    return failure();
  labels = ConvDimensionNumbersAttr::get(
      parser.getContext(), input.first, input.second, input.spatial,
      kernel.first, kernel.second, kernel.spatial, output.first, output.second,
      output.spatial);
  return success();
}

static void printConvSide(AsmPrinter &printer, StringRef letters, int64_t first,
                          int64_t second, ArrayRef<int64_t> spatial) {
  SmallVector<int64_t> dims{first, second};
  dims.append(spatial.begin(), spatial.end());
  // A number out of range for its bracket has no position; it is printed last.
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, dims.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(dims[a], a) < std::pair(dims[b], b);
  });
  printer << "[";
  int64_t next = 0;
  llvm::ListSeparator comma;
  for (unsigned i : order) {
    for (; next < dims[i] && next < int64_t(dims.size()); ++next)
      printer << StringRef(comma) << "?";
    ++next;
    printer << StringRef(comma);
    if (i < 2)
      printer << letters.substr(i, 1);
    else
      printer << i - 2;
  }
  printer << "]";
}

void mercator::stablehlo::printConvLabels(AsmPrinter &printer,
                                          ConvDimensionNumbersAttr labels) {
  printConvSide(printer, "bf", labels.getInputBatchDimension(),
                labels.getInputFeatureDimension(),
                labels.getInputSpatialDimensions());
  printer << "x";
  printConvSide(printer, "io", labels.getKernelInputFeatureDimension(),
                labels.getKernelOutputFeatureDimension(),
                labels.getKernelSpatialDimensions());
  printer << "->";
  printConvSide(printer, "bf", labels.getOutputBatchDimension(),
                labels.getOutputFeatureDimension(),
                labels.getOutputSpatialDimensions());
}

Attribute ConvDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  ConvDimensionNumbersAttr labels;
  if (failed(parser.parseOptionalKeyword("raw"))) {
    if (parseConvLabels(parser, labels) || parser.parseGreater())
      return {};
    return labels;
  }
  int64_t ib = 0, jf = 0, ki = 0, ko = 0, ob = 0, of = 0;
  SmallVector<int64_t> inputs, kernels, outputs;
  if (parseFieldsThenGreater(parser,
                             {{"input_batch_dimension", nullptr, &ib},
                              {"input_feature_dimension", nullptr, &jf},
                              {"input_spatial_dimensions", &inputs},
                              {"kernel_input_feature_dimension", nullptr, &ki},
                              {"kernel_output_feature_dimension", nullptr, &ko},
                              {"kernel_spatial_dimensions", &kernels},
                              {"output_batch_dimension", nullptr, &ob},
                              {"output_feature_dimension", nullptr, &of},
                              {"output_spatial_dimensions", &outputs}}))
    return {};
  return get(parser.getContext(), ib, jf, inputs, ki, ko, kernels, ob, of,
             outputs);
}

void ConvDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printConvLabels(printer, *this);
  printer << ">";
}

//===----------------------------------------------------------------------===//
// Accuracy
//===----------------------------------------------------------------------===//

// `<atol = 1.0e-05, rtol = 0.0, ulps = 1, mode = #..>`. Only the mode is
// required.
Attribute ResultAccuracyAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  double atol = 0, rtol = 0;
  int64_t ulps = 0;
  ResultAccuracyModeAttr mode;
  auto parseOne = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalKeyword("atol")))
      return failure(parser.parseEqual() || parser.parseFloat(atol));
    if (succeeded(parser.parseOptionalKeyword("rtol")))
      return failure(parser.parseEqual() || parser.parseFloat(rtol));
    if (succeeded(parser.parseOptionalKeyword("ulps")))
      return failure(parser.parseEqual() || parser.parseInteger(ulps));
    return failure(parser.parseKeyword("mode") || parser.parseEqual() ||
                   parser.parseAttribute(mode));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseOne))
    return {};
  if (!mode)
    mode = ResultAccuracyModeAttr::get(parser.getContext(),
                                       ResultAccuracyMode::DEFAULT);
  return parser.getChecked<ResultAccuracyAttr>(loc, parser.getContext(),
                                               llvm::APFloat(atol),
                                               llvm::APFloat(rtol), ulps, mode);
}

void ResultAccuracyAttr::print(AsmPrinter &printer) const {
  printer << "<";
  if (!getAtol().isZero())
    printer << "atol = ", printer.printFloat(getAtol()), printer << ", ";
  if (!getRtol().isZero())
    printer << "rtol = ", printer.printFloat(getRtol()), printer << ", ";
  if (getUlps() != 0)
    printer << "ulps = " << getUlps() << ", ";
  printer << "mode = " << getMode() << ">";
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

Attribute TypeExtensionsAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> bounds;
  auto parseOne = [&]() -> ParseResult {
    bounds.push_back(ShapedType::kDynamic);
    if (succeeded(parser.parseOptionalQuestion()))
      return success();
    return parser.parseInteger(bounds.back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseOne))
    return {};
  return get(parser.getContext(), bounds);
}

void TypeExtensionsAttr::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(getBounds(), printer, [&](int64_t bound) {
    if (ShapedType::isDynamic(bound))
      printer << "?";
    else
      printer << bound;
  });
  printer << ">";
}

Attribute OldTypeExtensionsAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> bounds;
  auto parseOne = [&]() -> ParseResult {
    bounds.push_back(ShapedType::kDynamic);
    if (succeeded(parser.parseOptionalQuestion()))
      return success();
    if (parser.parseInteger(bounds.back()))
      return failure();
    if (bounds.back() == -1)
      bounds.back() = ShapedType::kDynamic;
    return success();
  };
  if (parser.parseLess() || parser.parseKeyword("bounds") ||
      parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne) ||
      parser.parseGreater())
    return {};
  return TypeExtensionsAttr::get(parser.getContext(), bounds);
}

void OldTypeExtensionsAttr::print(AsmPrinter &) const {}

LogicalResult TypeExtensionsAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type,
    function_ref<InFlightDiagnostic()> emitError) const {
  return verifyBounds(getBounds(), shape, emitError);
}

LogicalResult mercator::stablehlo::verifyBounds(
    ArrayRef<int64_t> bounds, ArrayRef<int64_t> shape,
    function_ref<InFlightDiagnostic()> emitError) {
  if (bounds.empty())
    return success();
  if (bounds.size() != shape.size())
    return emitError() << "expected " << shape.size()
                       << " bounds, one for each dimension, got "
                       << bounds.size();
  for (auto [i, bound] : llvm::enumerate(bounds)) {
    if (ShapedType::isDynamic(bound))
      continue;
    if (!ShapedType::isDynamic(shape[i]))
      return emitError() << "expected bound '?' for the static dimension " << i
                         << ", got " << bound;
    if (bound < 0)
      return emitError() << "expected a bound of at least 0, got " << bound;
  }
  return success();
}
