// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/ascend/Ascend.h"

#include "mercator/dialects/ascend/Infer.h"
#include "mercator/dialects/ascend/Registry.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

#include "mercator/dialects/ascend/AscendDialect.cpp.inc"

void AscendDialect::initialize() { registerAscendDialectOperations(this); }

Operation *AscendDialect::materializeConstant(OpBuilder &builder,
                                              Attribute value, Type type,
                                              Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstOp::create(builder, loc, type, elements);
}

OpFoldResult ConstOp::fold(FoldAdaptor) { return getValueAttr(); }

//===--- Graphs -----------------------------------------------------------===//

LogicalResult GraphOp::verifyRegions() {
  Block &block = getBody().front();
  if (!isa<NetOutputOp>(block.back()))
    return block.back().emitOpError() << "expected a NetOutput at the end";
  // The indices of the inputs are 0, 1, .. without gaps, each once.
  llvm::SmallVector<bool> seen(llvm::range_size(block.getOps<DataOp>()));
  for (DataOp data : block.getOps<DataOp>()) {
    int64_t index = data.getIndex();
    if (index < 0 || index >= (int64_t)seen.size())
      return data.emitOpError() << "expected an index in [0, " << seen.size()
                                << "), one for each input, got " << index;
    if (seen[index])
      return data.emitOpError()
             << "expected each index once, got " << index << " again";
    seen[index] = true;
  }
  return success();
}

LogicalResult DataOp::verify() {
  std::optional<ArrayRef<int64_t>> bounds = getBounds();
  ArrayRef<int64_t> shape = typeOf(getResult()).getShape();
  if (!bounds)
    return success();
  if (bounds->size() != shape.size())
    return emitOpError() << "expected " << shape.size()
                         << " bounds, one for each dimension, got "
                         << bounds->size();
  for (auto [i, bound] : llvm::enumerate(*bounds))
    if (bound < -1 || (bound != -1 && !ShapedType::isDynamic(shape[i])))
      return emitOpError() << "expected bound " << i
                           << " to be -1, or that of a dynamic dimension and "
                              "at least 0, got "
                           << bound;
  return success();
}

llvm::SmallVector<DataOp> ascend::inputsOf(GraphOp graph) {
  llvm::SmallVector<DataOp> inputs(graph.getBody().getOps<DataOp>());
  llvm::sort(inputs, [](DataOp a, DataOp b) {
    return int64_t(a.getIndex()) < int64_t(b.getIndex());
  });
  return inputs;
}

//===--- Operators --------------------------------------------------------===//

static LogicalResult verifyTypes(Operation *op, const Operator &entry) {
  size_t operand = 0, lists = op->getNumOperands() - entry.inputs.size() + 1;
  std::optional<Type> data;
  for (const Input &input : entry.inputs)
    for (size_t i = 0, e = input.isList ? lists : 1; i < e; ++i, ++operand) {
      Type element = getElementTypeOrSelf(op->getOperand(operand));
      std::optional<GeType> type = geType(element);
      if (!type || !input.types.has(*type))
        return op->emitOpError() << "expected '" << input.name << "' of "
                                 << input.types.list() << ", got " << element;
      bool isIndex = input.name == "indices" || input.name == "index";
      if (input.decidesShape || isIndex || !entry.oneType)
        continue;
      if (data && *data != element)
        return op->emitOpError() << "expected inputs of the same type, got "
                                 << *data << " and " << element;
      data = element;
    }
  return success();
}

FailureOr<Type> ascend::inferElement(Operation *op, unsigned result) {
  const Operator *entry = findOperator(op->getName().stripDialect());
  if (!entry)
    return op->emitOpError() << "expected an operator of the registry";
  auto fixed = [&](GeType type) { return elementType(type, op->getContext()); };
  switch (entry->outputs[result].element) {
  case Output::Element::AsData:
    return getElementTypeOrSelf(
        op->getOperand(isa<SelectOp, SelectV2Op, FillOp>(op) ? 1 : 0));
  case Output::Element::AsSecond:
    return getElementTypeOrSelf(op->getOperand(1));
  case Output::Element::Boolean:
    return fixed(GeType::boolean);
  case Output::Element::Uint8:
    return fixed(GeType::uint8);
  case Output::Element::Int32:
    return fixed(GeType::int32);
  case Output::Element::Float32:
    return fixed(GeType::float32);
  case Output::Element::Complex64:
    return fixed(GeType::complex64);
  case Output::Element::Attribute:
    break;
  }
  int64_t number = cast<CastOp>(op).getDstType();
  std::optional<GeType> type = fromAttributeNumber(number);
  if (!type)
    return op->emitOpError()
           << "expected dst_type to be the number of a type, got " << number;
  return elementType(*type, op->getContext());
}

/// The factors of a normalization have one type, that of x or float32.
static LogicalResult verifyFactors(Operation *op) {
  Type x = getElementTypeOrSelf(op->getOperand(0)),
       gamma = getElementTypeOrSelf(op->getOperand(1));
  if (gamma != x && !gamma.isF32())
    return op->emitOpError()
           << "expected 'gamma' of " << x << (x.isF32() ? "" : " or 'f32'")
           << ", got " << gamma;
  if (Type beta = getElementTypeOrSelf(op->getOperands().back()); beta != gamma)
    return op->emitOpError() << "expected 'beta' of " << gamma
                             << ", the type of 'gamma', got " << beta;
  return success();
}

/// Compares the type of a result with its element type in the registry, and
/// with the shape rule.
static LogicalResult verifyResult(Operation *op, unsigned i) {
  FailureOr<Type> element = inferElement(op, i);
  if (failed(element))
    return failure();
  auto type = cast<RankedTensorType>(op->getResult(i).getType());
  if (type.getElementType() != *element)
    return op->emitOpError() << "expected a result of " << *element << ", got "
                             << type.getElementType();
  FailureOr<std::optional<Shape>> shape = inferShape(op, i);
  if (failed(shape))
    return failure();
  if (*shape && failed(verifyCompatibleShape(ArrayRef<int64_t>(**shape),
                                             type.getShape())))
    return op->emitOpError()
           << "expected a result of shape [" << llvm::interleaved(**shape, ", ")
           << "], got " << type;
  return success();
}

LogicalResult ascend::detail::verifyOperator(Operation *op) {
  const Operator *entry = findOperator(op->getName().stripDialect());
  if (!entry)
    return op->emitOpError() << "expected an operator of the registry";
  bool hasList = llvm::any_of(entry->inputs,
                              [](const Input &input) { return input.isList; });
  if (hasList ? op->getNumOperands() + 1 < entry->inputs.size()
              : op->getNumOperands() != entry->inputs.size())
    return op->emitOpError() << "expected " << entry->inputs.size()
                             << " inputs, got " << op->getNumOperands();
  if (failed(verifyTypes(op, *entry)))
    return failure();
  if (isa<SelectOp, SelectV2Op>(op) &&
      getElementTypeOrSelf(op->getOperand(1)) !=
          getElementTypeOrSelf(op->getOperand(2)))
    return op->emitOpError()
           << "expected the two inputs to select from to have the same "
              "type";
  if (isa<ScatterNdUpdateOp, ScatterNdAddOp>(op) &&
      !op->getOperand(0).hasOneUse())
    return op->emitOpError() << "expected 'var' to have no other use, because "
                                "the node overwrites it; copy it by a "
                                "TensorMove";
  if (isa<LayerNormV3Op, RmsNormOp>(op) && failed(verifyFactors(op)))
    return failure();
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    if (failed(verifyResult(op, i)))
      return failure();
  return success();
}
