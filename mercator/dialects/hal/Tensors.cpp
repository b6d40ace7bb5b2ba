// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Verifiers and folds of imports and exports of tensors and of the arguments of
// dispatches.

#include "mercator/dialects/hal/Hal.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::hal;

/// The number of bits of the elements: whole bytes for each element, or without
/// gaps between them. Nothing if the size is not fixed.
static std::optional<int64_t> countBits(ShapedType type, bool roundUp) {
  Type element = type.getElementType();
  int64_t parts = 1;
  if (auto complex = dyn_cast<ComplexType>(element)) {
    element = complex.getElementType();
    parts = 2;
  }
  if (!element.isIntOrFloat() || !type.hasStaticShape())
    return std::nullopt;
  int64_t width = element.getIntOrFloatBitWidth();
  std::optional<int64_t> bits =
      (roundUp ? llvm::alignTo(width, 8) : width) * parts;
  for (int64_t extent : type.getShape())
    bits = bits ? llvm::checkedMul(*bits, extent) : std::nullopt;
  return bits;
}

/// Checks that `storage` can hold a value of type `encoding`.
static LogicalResult verifyEncoding(Operation *op, Type encodingType,
                                    Type storageType) {
  auto encoding = dyn_cast<ShapedType>(encodingType);
  auto storage = cast<ShapedType>(storageType);
  // Types of other dialects are not checked.
  if (!encoding || encoding == storage)
    return success();
  if (util::getNumDynamicDims(encoding) != util::getNumDynamicDims(storage))
    return op->emitOpError()
           << "expected a type with " << storage.getNumDynamicDims()
           << " dynamic dimensions, as " << storage << " has, got " << encoding;
  auto differ = [&](bool roundUp) {
    std::optional<int64_t> outside = countBits(encoding, roundUp);
    std::optional<int64_t> inside = countBits(storage, roundUp);
    return outside && inside && *outside != *inside;
  };
  // A program may pack small integers or store each in whole bytes.
  if (differ(/*roundUp=*/false) && differ(/*roundUp=*/true))
    return op->emitOpError() << "expected a type of the size of " << storage
                             << ", got " << encoding;
  return success();
}

//===----------------------------------------------------------------------===//
// Import
//===----------------------------------------------------------------------===//

LogicalResult TensorImportOp::verify() {
  Type type = getTarget().getType();
  if (failed(util::verifyDynamicDims(*this, "result", type, getTargetDims())))
    return failure();
  return verifyEncoding(*this, getTargetEncoding(), type);
}

SmallVector<int64_t> TensorImportOp::getTiedResultOperandIndices() {
  return {0};
}
ValueRange TensorImportOp::getOperandDynamicDims(unsigned) { return {}; }
ValueRange TensorImportOp::getResultDynamicDims(unsigned) {
  return getTargetDims();
}

/// The import of an exported tensor is the tensor, unless others may write to
/// the buffer before the fence.
OpFoldResult TensorImportOp::fold(FoldAdaptor) {
  auto exported = getSource().getDefiningOp<TensorExportOp>();
  if (exported && !getWaitFence() &&
      exported.getSource().getType() == getTarget().getType() &&
      exported.getSourceEncoding() == getTargetEncoding())
    return exported.getSource();
  return {};
}

//===----------------------------------------------------------------------===//
// Export
//===----------------------------------------------------------------------===//

LogicalResult TensorExportOp::verify() {
  Type type = getSource().getType();
  if (failed(util::verifyDynamicDims(*this, "operand", type, getSourceDims())))
    return failure();
  return verifyEncoding(*this, getSourceEncoding(), type);
}

void TensorExportOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpOperand &storage : getTargetStorageMutable())
    effects.emplace_back(MemoryEffects::Write::get(), &storage);
}

SmallVector<int64_t> TensorExportOp::getTiedResultOperandIndices() {
  return {0};
}
ValueRange TensorExportOp::getOperandDynamicDims(unsigned index) {
  return index == 0 ? ValueRange(getSourceDims()) : ValueRange();
}
ValueRange TensorExportOp::getResultDynamicDims(unsigned) { return {}; }

/// The export of an imported buffer is the buffer, unless the export has other
/// storage or waits for a fence.
OpFoldResult TensorExportOp::fold(FoldAdaptor) {
  auto imported = getSource().getDefiningOp<TensorImportOp>();
  if (imported && !imported.getWaitFence() && !getTargetStorage() &&
      imported.getSource().getType() == getTarget().getType() &&
      imported.getTargetEncoding() == getSourceEncoding())
    return imported.getSource();
  return {};
}

//===----------------------------------------------------------------------===//
// Barrier
//===----------------------------------------------------------------------===//

std::pair<unsigned, unsigned> TensorBarrierOp::getTiedOperandsIndexAndLength() {
  return {0, getSources().size()};
}
SmallVector<int64_t> TensorBarrierOp::getTiedResultOperandIndices() {
  return llvm::to_vector(llvm::seq<int64_t>(0, getSources().size()));
}

/// Removes duplicate tensors.
LogicalResult TensorBarrierOp::canonicalize(TensorBarrierOp op,
                                            PatternRewriter &rewriter) {
  llvm::MapVector<Value, unsigned> places;
  SmallVector<unsigned> placeOf;
  for (Value source : op.getSources())
    placeOf.push_back(
        places.insert({source, unsigned(places.size())}).first->second);
  if (places.size() == op.getSources().size())
    return failure();
  SmallVector<Value> sources = llvm::to_vector(llvm::make_first_range(places));
  auto barrier = TensorBarrierOp::create(rewriter, op.getLoc(),
                                         TypeRange(ValueRange(sources)),
                                         sources, op.getSignalFence());
  barrier->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceOp(op, llvm::map_to_vector(placeOf, [&](unsigned place) {
                       return Value(barrier.getResult(place));
                     }));
  return success();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult BufferViewDimOp::verify() {
  if (!getIndex().isNegative())
    return success();
  return emitOpError() << "expected a dimension, got "
                       << getIndex().getSExtValue();
}

/// An extent of an exported tensor is an extent of the tensor.
OpFoldResult BufferViewDimOp::fold(FoldAdaptor) {
  auto exported = getBufferView().getDefiningOp<TensorExportOp>();
  auto type = exported
                  ? dyn_cast<RankedTensorType>(exported.getSourceEncoding())
                  : RankedTensorType();
  uint64_t index = getIndex().getZExtValue();
  if (!type || index >= uint64_t(type.getRank()))
    return {};
  if (!type.isDynamicDim(index))
    return IntegerAttr::get(getType(), type.getDimSize(index));
  // The dynamic extents of another type may have another order.
  if (type != exported.getSource().getType())
    return {};
  return exported.getSourceDims()[type.getDynamicDimIndex(index)];
}

//===----------------------------------------------------------------------===//
// Arguments of a dispatch
//===----------------------------------------------------------------------===//

LogicalResult InterfaceBindingSubspanOp::verify() {
  if (getDescriptorType() != "storage_buffer" &&
      getDescriptorType() != "uniform_buffer")
    return emitOpError()
           << "expected 'storage_buffer' or 'uniform_buffer', got "
           << getDescriptorTypeAttr();
  if (!isa<ShapedType>(getType()))
    return success();
  return util::verifyDynamicDims(*this, "result", getType(), getDynamicDims());
}

ValueRange InterfaceBindingSubspanOp::getOperandDynamicDims(unsigned) {
  return {};
}
ValueRange InterfaceBindingSubspanOp::getResultDynamicDims(unsigned) {
  return getDynamicDims();
}
