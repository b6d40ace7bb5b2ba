// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/hlo/Hlo.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::hlo;

#include "mercator/dialects/hlo/HloDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "mercator/dialects/hlo/HloTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "mercator/dialects/hlo/HloAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "mercator/dialects/hlo/HloOps.cpp.inc"

void HloDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "mercator/dialects/hlo/HloTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "mercator/dialects/hlo/HloAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "mercator/dialects/hlo/HloOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

// `<[0, 1], rest = "T(8,128)", bounds = [4, ?]>`
Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> minorToMajor, bounds;
  std::string rest;
  auto parseNumber = [&](SmallVectorImpl<int64_t> &into, bool mayBeUnknown) {
    return parser.parseCommaSeparatedList(
        AsmParser::Delimiter::Square, [&]() -> ParseResult {
          if (mayBeUnknown && succeeded(parser.parseOptionalQuestion())) {
            into.push_back(ShapedType::kDynamic);
            return success();
          }
          return parser.parseInteger(into.emplace_back());
        });
  };
  if (parser.parseLess() || parseNumber(minorToMajor, false))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    if (succeeded(parser.parseOptionalKeyword("rest"))) {
      if (parser.parseEqual() || parser.parseString(&rest))
        return {};
    } else if (succeeded(parser.parseOptionalKeyword("bounds"))) {
      if (parser.parseEqual() || parseNumber(bounds, true))
        return {};
    } else {
      parser.emitError(parser.getCurrentLocation(),
                       "expected 'rest' or 'bounds'");
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return LayoutAttr::get(parser.getContext(), minorToMajor, rest, bounds);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getMinorToMajor(), printer);
  printer << "]";
  if (!getRest().empty()) {
    printer << ", rest = ";
    printer.printString(getRest());
  }
  if (!getBounds().empty()) {
    printer << ", bounds = [";
    llvm::interleaveComma(getBounds(), printer, [&](int64_t bound) {
      if (ShapedType::isDynamic(bound))
        printer << "?";
      else
        printer << bound;
    });
    printer << "]";
  }
  printer << ">";
}

LogicalResult
LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                           function_ref<InFlightDiagnostic()> emitError) const {
  llvm::SmallBitVector seen(shape.size());
  for (int64_t dim : getMinorToMajor()) {
    if (dim < 0 || dim >= int64_t(shape.size()) || seen.test(dim))
      return emitError() << "expected a layout that is a permutation of the "
                         << shape.size() << " dimensions, got ["
                         << getMinorToMajor() << "]";
    seen.set(dim);
  }
  if (!seen.all())
    return emitError() << "expected a layout of " << shape.size()
                       << " dimensions, got " << getMinorToMajor().size();
  return stablehlo::verifyBounds(getBounds(), shape, emitError);
}

SmallVector<int64_t> mercator::hlo::minorToMajor(RankedTensorType type) {
  if (auto layout = dyn_cast_or_null<LayoutAttr>(type.getEncoding()))
    return SmallVector<int64_t>(layout.getMinorToMajor());
  SmallVector<int64_t> order(type.getRank());
  for (auto [i, dim] : llvm::enumerate(order))
    dim = type.getRank() - 1 - i;
  return order;
}

SmallVector<int64_t> mercator::hlo::boundedShape(RankedTensorType type) {
  ArrayRef<int64_t> bounds;
  if (auto layout = dyn_cast_or_null<LayoutAttr>(type.getEncoding()))
    bounds = layout.getBounds();
  if (auto extensions =
          dyn_cast_or_null<stablehlo::TypeExtensionsAttr>(type.getEncoding()))
    bounds = extensions.getBounds();
  SmallVector<int64_t> shape(type.getShape());
  for (auto [dim, bound] : llvm::zip(shape, bounds))
    if (ShapedType::isDynamic(dim))
      dim = bound;
  return shape;
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

static LogicalResult verifyTypes(Operation *op, TypeRange got,
                                 TypeRange expected, StringRef what) {
  if (got.size() != expected.size())
    return op->emitOpError() << "expected " << expected.size() << " " << what
                             << ", got " << got.size();
  for (auto [i, pair] : llvm::enumerate(llvm::zip(got, expected)))
    if (!stablehlo::typesAgree(std::get<0>(pair), std::get<1>(pair)))
      return op->emitOpError()
             << "expected " << what << " #" << i << " of type "
             << std::get<1>(pair) << ", got " << std::get<0>(pair);
  return success();
}

StringRef FusionOp::getLibraryTarget() {
  return getKind() == kLibraryKind ? getCalls() : StringRef();
}

LogicalResult FusionOp::verify() {
  Block &block = getBody().front();
  if (failed(verifyTypes(*this, block.getArgumentTypes(),
                         getInputs().getTypes(), "region arguments")))
    return failure();
  auto terminator = block.mightHaveTerminator()
                        ? dyn_cast<ReturnOp>(block.back())
                        : ReturnOp();
  if (!terminator)
    return emitOpError() << "expected a region that ends in hlo.return";
  return verifyTypes(*this, terminator.getOperandTypes(), getResultTypes(),
                     "returned values");
}

LogicalResult BitcastOp::verify() {
  auto from = getOperand().getType(), to = getResult().getType();
  // Only for elements of whole bytes: tiles pad, and the packing of narrower
  // elements depends on the target.
  auto bits = [](RankedTensorType type) -> std::optional<int64_t> {
    Type element = type.getElementType();
    int64_t width = 1;
    if (auto complex = dyn_cast<ComplexType>(element)) {
      element = complex.getElementType();
      width = 2;
    }
    auto layout = dyn_cast_or_null<LayoutAttr>(type.getEncoding());
    if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0 ||
        !type.hasStaticShape() || (layout && !layout.getRest().empty()))
      return std::nullopt;
    width *= element.getIntOrFloatBitWidth();
    for (int64_t dim : type.getShape())
      if (llvm::MulOverflow(width, dim, width))
        return std::nullopt;
    return width;
  };
  std::optional<int64_t> fromBits = bits(from), toBits = bits(to);
  if (fromBits && toBits && *fromBits != *toBits)
    return emitOpError() << "expected operand and result of the same size, got "
                         << *fromBits << " and " << *toBits << " bits";
  return success();
}

LogicalResult CopyOp::verify() {
  if (!stablehlo::typesAgree(getOperand().getType(), getResult().getType()))
    return emitOpError()
           << "expected operand and result of the same shape, got "
           << getOperand().getType() << " and " << getResult().getType();
  return success();
}

LogicalResult ElementOp::verify() {
  if (!stablehlo::typesAgree(getOperand().getType(), getResult().getType()))
    return emitOpError() << "expected operand and result of the same type, got "
                         << getOperand().getType() << " and "
                         << getResult().getType();
  return success();
}

OpFoldResult ElementOp::fold(FoldAdaptor) {
  return getOperand().getType() == getResult().getType() ? getOperand()
                                                         : Value();
}
