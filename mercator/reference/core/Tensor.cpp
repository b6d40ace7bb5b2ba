// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/core/Tensor.h"
#include "mercator/reference/core/Normalize.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/CheckedArithmetic.h"

#include <atomic>
#include <cstdlib>
#include <cstring>

#if defined(__linux__)
#include <sys/mman.h>
#endif

using namespace mlir;

namespace mercator::reference {

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

static std::atomic<int64_t> liveBytes = 0;

/// Aligned as compiled programs want it; large ones in pages of 2 MiB, where the
/// system has them. Null if there is no memory.
static void *allocateZeros(int64_t size) {
  constexpr int64_t kPage = int64_t(2) << 20, kLine = 64;
  int64_t step = size >= 2 * kPage ? kPage : kLine;
  int64_t rounded = (std::max(size, kLine) + step - 1) / step * step;
  void *bytes = std::aligned_alloc(size_t(step), size_t(rounded));
#if defined(__linux__)
  if (bytes && step == kPage)
    madvise(bytes, size_t(rounded), MADV_HUGEPAGE);
#endif
  return bytes ? std::memset(bytes, 0, size_t(rounded)) : nullptr;
}

/// Nothing if the count exceeds the limit.
static std::optional<int64_t> countElements(RankedTensorType type,
                                            const Element &element) {
  if (llvm::is_contained(type.getShape(), 0))
    return 0;
  std::optional<int64_t> count = 1;
  for (int64_t extent : type.getShape())
    if (count)
      count = llvm::checkedMul(*count, extent);
  return count && *count <= kMaxTensorBytes / element.bytes ? count
                                                            : std::nullopt;
}

bool Tensor::isTooLarge(RankedTensorType type) {
  std::optional<Element> element = Element::of(type.getElementType());
  if (!element)
    return false;
  std::optional<int64_t> count = countElements(type, *element);
  return !count || liveBytes + *count * element->bytes > 4 * kMaxTensorBytes;
}

FailureOr<Tensor> Tensor::zeros(RankedTensorType type, EmitError emitError) {
  assert(type.hasStaticShape() && "expected a shape that is known");
  std::optional<Element> element = Element::of(type.getElementType());
  if (!element) {
    emitError() << "expected an element type of the StableHLO specification, "
                   "got "
                << type.getElementType();
    return failure();
  }
  std::optional<int64_t> count = countElements(type, *element);
  if (!count) {
    emitError() << "expected tensors of at most " << (kMaxTensorBytes >> 30)
                << " GiB, got " << type;
    return failure();
  }
  int64_t size = *count * element->bytes;
  if (liveBytes + size > 4 * kMaxTensorBytes) {
    emitError() << "expected tensors that take at most "
                << (4 * kMaxTensorBytes >> 30)
                << " GiB together, got one more: " << type;
    return failure();
  }
  auto *memory = static_cast<std::byte *>(allocateZeros(size));
  if (!memory) {
    emitError() << "expected " << size << " bytes of memory for " << type
                << ", got none";
    return failure();
  }
  Tensor tensor;
  tensor.tensorType = type;
  tensor.elementType = *element;
  tensor.elementCount = *count;
  liveBytes += size;
  tensor.bytes = std::shared_ptr<std::byte[]>(memory, [size](std::byte *bytes) {
    liveBytes -= size;
    std::free(bytes);
  });
  return tensor;
}

static Scalar toScalar(const APInt &value, const Element &element) {
  return Scalar::whole(element.kind == ElementKind::SignedInt
                           ? value.getSExtValue()
                           : int64_t(value.getZExtValue()));
}

static double toDouble(APFloat value) {
  bool lost = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
  return value.convertToDouble();
}

/// Writes bits unchanged, so that a NaN keeps its payload.
static void storeBits(std::byte *at, const APInt &bits, unsigned bytes) {
  uint64_t word = bits.getZExtValue();
  std::memcpy(at, &word, bytes);
}

bool Tensor::isElided(ElementsAttr value) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  return resource && !resource.getRawHandle().getBlob();
}

FailureOr<Tensor> Tensor::from(ElementsAttr value, EmitError emitError) {
  auto type = dyn_cast<RankedTensorType>(value.getShapedType());
  if (!type || !type.hasStaticShape()) {
    emitError() << "expected a constant of a known shape, got "
                << value.getShapedType();
    return failure();
  }
  FailureOr<Tensor> tensor = zeros(type, emitError);
  if (failed(tensor))
    return failure();
  const Element &element = tensor->element();
  unsigned size = element.bytes;

  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    // A resource contains the bytes of the elements; booleans and narrow
    // integers take one byte each.
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || int64_t(blob->getData().size()) != tensor->byteSize()) {
      emitError() << "expected the value of this constant, which the text "
                     "omits (dense_resource<"
                  << resource.getRawHandle().getKey() << ">)";
      return failure();
    }
    llvm::copy(blob->getData(), reinterpret_cast<char *>(tensor->data()));
    normalize(*tensor);
    return tensor;
  }

  // Elements of whole bytes are held as they are, and a NaN keeps its payload.
  auto dense = dyn_cast<DenseIntOrFPElementsAttr>(value);
  bool isSplat = dense && dense.isSplat() && tensor->size() != 0;
  if (dense && element.bits >= 8 &&
      int64_t(dense.getRawData().size()) ==
          (isSplat ? int64_t(size) : tensor->byteSize())) {
    auto *to = reinterpret_cast<char *>(tensor->data());
    for (int64_t i = 0, e = isSplat ? tensor->size() : 1; i < e; ++i)
      to = llvm::copy(dense.getRawData(), to);
    return tensor;
  }

  auto fill = [&](auto values, auto write) {
    std::byte *at = tensor->data();
    if (value.isSplat() && tensor->size() != 0) {
      write(at, *values.begin());
      for (int64_t i = 1; i < tensor->size(); ++i)
        std::memcpy(at + i * size, at, size);
      return;
    }
    for (auto element : values) {
      write(at, element);
      at += size;
    }
  };
  // MLIR does not read sparse complex numbers.
  if (element.isComplex() && isa<DenseElementsAttr>(value)) {
    auto values = value.tryGetValues<std::complex<APFloat>>();
    if (values) {
      fill(*values, [&](std::byte *at, const std::complex<APFloat> &number) {
        element.store(at, Scalar::complex(toDouble(number.real()),
                                          toDouble(number.imag())));
      });
      return tensor;
    }
  } else if (element.isReal()) {
    auto values = value.tryGetValues<APFloat>();
    if (values) {
      fill(*values, [&](std::byte *at, const APFloat &number) {
        storeBits(at, number.bitcastToAPInt(), size);
      });
      return tensor;
    }
  } else if (!element.isComplex()) {
    auto values = value.tryGetValues<APInt>();
    if (values) {
      fill(*values, [&](std::byte *at, const APInt &number) {
        element.store(at, toScalar(number, element));
      });
      return tensor;
    }
  }
  emitError() << "expected a constant whose elements can be read";
  return failure();
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

int64_t Tensor::linear(ArrayRef<int64_t> index) const {
  ArrayRef<int64_t> extents = shape();
  assert(index.size() == extents.size() && "expected one index a dimension");
  int64_t place = 0;
  for (auto [i, extent] : llvm::zip(index, extents)) {
    assert(i >= 0 && i < extent && "expected an index within the shape");
    place = place * extent + i;
  }
  return place;
}

void Tensor::copy(int64_t place, const Tensor &from, int64_t fromPlace) {
  assert(elementType == from.elementType && "expected one element type");
  std::memcpy(data() + place * elementType.bytes,
              from.data() + fromPlace * elementType.bytes, elementType.bytes);
}

Tensor Tensor::withType(RankedTensorType type) const {
  Tensor result = *this;
  result.tensorType = type;
  result.elementType = *Element::of(type.getElementType());
  assert(type.getNumElements() == elementCount &&
         result.elementType.bytes == elementType.bytes &&
         "expected as many elements of the same width");
  return result;
}

void normalize(Tensor &tensor) {
  if (tensor.element().bits < 8)
    for (int64_t i = 0; i < tensor.size(); ++i)
      tensor.set(i, tensor.at(i));
}

FailureOr<Tensor> Tensor::clone(EmitError emitError) const {
  FailureOr<Tensor> result = zeros(tensorType, emitError);
  if (succeeded(result))
    std::memcpy(result->data(), data(), byteSize());
  return result;
}

} // namespace mercator::reference
