// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/formats/Elements.h"

#include "mercator/dialects/ascend/Registry.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"

#include <bit>

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

static_assert(std::endian::native == std::endian::little,
              "elements are copied as they lie in memory");

static unsigned bytesOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * bytesOf(complex.getElementType());
  return (element.getIntOrFloatBitWidth() + 7) / 8;
}

std::optional<uint64_t> ascend::byteSize(RankedTensorType type) {
  if (!geType(type.getElementType()))
    return std::nullopt;
  int64_t bytes = bytesOf(type.getElementType());
  for (int64_t extent : type.getShape())
    if (llvm::MulOverflow(bytes, extent, bytes))
      return std::nullopt;
  return uint64_t(bytes);
}

bool ascend::hasTooManyElements(ArrayRef<int64_t> shape) {
  constexpr int64_t kMostElements = int64_t(1) << 40;
  int64_t elements = 1;
  for (int64_t extent : shape) {
    if (extent > kMostElements / elements)
      return true;
    elements *= std::max<int64_t>(extent, 1);
  }
  return false;
}

LogicalResult ascend::checkHeld(const Nodes &nodes, llvm::StringRef file) {
  uint64_t total = 0;
  for (Operation *op : nodes.operations()) {
    for (Value result : op->getResults()) {
      RankedTensorType type = typeOf(result);
      if (!geType(type.getElementType()))
        return op->emitOpError()
               << "expected elements of a type that graphs can hold, got "
               << type;
    }
    if (!isa<ConstOp>(op))
      continue;
    total += byteSize(typeOf(op->getResult(0))).value_or(kMaxFileBytes);
    if (total >= kMaxFileBytes)
      return op->emitError("expected constants of less than 2 GiB together, "
                           "which is all that ")
             << file << " holds; make inputs of the largest";
  }
  return success();
}

FailureOr<std::string> ascend::elementBytes(ConstOp constant) {
  auto type = dyn_cast<RankedTensorType>(constant.getResult().getType());
  std::optional<uint64_t> size = byteSize(type);
  if (!size)
    return constant.emitError(
               "expected elements of a type that graphs can hold, got ")
           << type;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue()))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      if (blob->getData().size() == *size)
        return std::string(blob->getData().data(), *size);
  auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!dense)
    return constant.emitError("expected the elements of the constant, which "
                              "the text omits");
  std::string bytes;
  bytes.reserve(*size);
  // Only booleans differ between memory and file.
  if (type.getElementType().isInteger(1)) {
    for (bool element : dense.getValues<bool>())
      bytes.push_back(char(element));
    return bytes;
  }
  ArrayRef<char> raw = dense.getRawData();
  if (*size > 0)
    bytes.assign(raw.data(), raw.size());
  // The element of a splat, doubled until it fills the tensor.
  while (bytes.size() < *size)
    bytes.append(bytes, 0, *size - bytes.size());
  return bytes;
}
