// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/vhlo/Parts.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using mercator::vhlo::Decoder;

Attribute mercator::vhlo::dictionaryAttribute(Decoder &in) {
  NamedAttrList entries;
  llvm::SmallDenseSet<StringAttr> names;
  (void)in.list([&] {
    auto name = in.attribute<StringAttr>("the name of an attribute");
    Attribute value = in.attribute();
    if (in.hasFailed())
      return 0;
    if (name.empty() || !names.insert(name).second)
      in.fail("expected different names of attributes");
    else
      entries.push_back({name, value});
    return 0;
  });
  return in.hasFailed() ? Attribute() : entries.getDictionary(in.context());
}

Attribute mercator::vhlo::floatAttribute(Decoder &in) {
  auto type = dyn_cast_if_present<FloatType>(in.type());
  if (!type)
    in.fail("expected a floating-point type");
  if (in.hasFailed())
    return {};
  llvm::APFloat value = in.real(type.getFloatSemantics());
  return in.hasFailed() ? Attribute() : FloatAttr::get(type, value);
}

Attribute mercator::vhlo::integerAttribute(Decoder &in) {
  Type type = in.type();
  if (in.hasFailed())
    return {};
  if (!type.isIntOrIndex()) {
    in.fail("expected an integer type");
    return {};
  }
  llvm::APInt value =
      in.bits(type.isIndex() ? IndexType::kInternalStorageBitWidth
                             : type.getIntOrFloatBitWidth());
  return in.hasFailed() ? Attribute() : IntegerAttr::get(type, value);
}

/// The elements of a boolean tensor: bits, one byte for all, or bytes.
static Attribute booleanElements(Decoder &in, RankedTensorType type,
                                 ArrayRef<char> bytes) {
  size_t count = type.getNumElements(), packed = llvm::divideCeil(count, 8);
  if (bytes.size() == 1 && (count > 8 || bytes[0] == char(~0)))
    return DenseElementsAttr::get(type, bytes[0] != 0);
  if (bytes.size() != packed && bytes.size() != count) {
    in.fail("expected " + Twine(packed) + " bytes of booleans, got " +
            Twine(bytes.size()));
    return {};
  }
  SmallVector<bool> elements(count);
  for (size_t i = 0; i < count; ++i)
    elements[i] =
        bytes.size() == packed ? bytes[i / 8] >> (i % 8) & 1 : bytes[i] != 0;
  return DenseElementsAttr::get(type, ArrayRef(elements));
}

Attribute mercator::vhlo::elementsAttribute(Decoder &in) {
  auto type = dyn_cast_if_present<RankedTensorType>(in.type());
  ArrayRef<char> bytes = in.blob();
  int64_t count = 1;
  bool isSized = type && type.hasStaticShape();
  if (isSized)
    for (int64_t extent : type.getShape())
      isSized &= !llvm::MulOverflow(count, extent, count);
  if (!isSized)
    in.fail("expected the type of a tensor of known size");
  if (in.hasFailed())
    return {};
  if (type.getElementType().isInteger(1))
    return booleanElements(in, type, bytes);
  bool isSplat = false;
  if (!type.getElementType().isIntOrIndexOrFloat() &&
      !isa<ComplexType>(type.getElementType())) {
    in.fail("expected a tensor of numbers");
    return {};
  }
  if (!DenseElementsAttr::isValidRawBuffer(type, bytes, isSplat)) {
    in.fail("expected the elements of a tensor, got " + Twine(bytes.size()) +
            " bytes");
    return {};
  }
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

Type mercator::vhlo::tensorType(Decoder &in, bool hasEncoding) {
  Attribute encoding = hasEncoding ? in.attribute() : Attribute();
  auto shape = in.integers();
  Type element = in.type();
  return in.checked<RankedTensorType>(shape, element, encoding);
}
