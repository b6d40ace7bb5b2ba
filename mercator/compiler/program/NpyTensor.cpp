// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/program/NpyTensor.h"

#include "mercator/support/Diagnostic.h"
#include "mercator/support/File.h"

#include <cstring>

using namespace mercator;
using namespace mercator::reference;

llvm::Expected<NpyArray> mercator::readNpy(llvm::StringRef path) {
  llvm::Expected<std::string> bytes = readFile(path, kMaxNpyBytes);
  if (!bytes)
    return bytes.takeError();
  Fallible<NpyArray> array = parseNpy(*bytes);
  if (!array)
    return llvm::createStringError("cannot read " + quote(path, 400) + ": " +
                                   array.why());
  return std::move(*array);
}

llvm::Expected<std::vector<NpzMember>> mercator::readNpz(llvm::StringRef path) {
  llvm::Expected<std::string> bytes = readFile(path, kMaxNpyBytes);
  if (!bytes)
    return bytes.takeError();
  Fallible<std::vector<NpzMember>> members = parseNpz(*bytes);
  if (!members)
    return llvm::createStringError("cannot read " + quote(path, 400) + ": " +
                                   members.why());
  return std::move(*members);
}

llvm::Error mercator::writeNpy(llvm::StringRef path, const NpyArray &array) {
  return writeFile(path, [&](llvm::raw_ostream &os) { os << printNpy(array); });
}

static bool isNative(const llvm::fltSemantics *format) {
  return format == &llvm::APFloat::IEEEhalf() ||
         format == &llvm::APFloat::IEEEsingle() ||
         format == &llvm::APFloat::IEEEdouble();
}

NpyType mercator::npyType(const Element &element) {
  switch (element.kind) {
  case ElementKind::Boolean:
    return {NpyKind::Boolean, 1};
  case ElementKind::SignedInt:
    return {NpyKind::SignedInt, element.bytes};
  case ElementKind::UnsignedInt:
    return {NpyKind::UnsignedInt, element.bytes};
  case ElementKind::Real:
    return {isNative(element.format) ? NpyKind::Real : NpyKind::Raw,
            element.bytes};
  case ElementKind::Complex:
    return {NpyKind::Complex, element.bytes};
  }
  llvm_unreachable("a kind without a case");
}

/// True if elements stored that way can be read as `element`.
static bool mayBe(const Element &element, NpyType stored) {
  if (stored == npyType(element))
    return true;
  if (stored.bytes != 1 || element.bytes != 1)
    return false;
  if (element.isReal())
    return stored.kind == NpyKind::Real && element.bits == 8;
  return element.isInteger() && element.bits < 8 && stored.kind == NpyKind::Raw;
}

llvm::Expected<Tensor> mercator::toTensor(const NpyArray &array,
                                          mlir::RankedTensorType wanted) {
  std::string message;
  auto refuse = [&] { return llvm::createStringError(message); };
  llvm::raw_string_ostream os(message);
  mlir::Type elementType = wanted.getElementType();
  std::optional<Element> element = Element::of(elementType);
  if (!element || !mayBe(*element, array.type)) {
    os << "expected elements of type " << elementType;
    if (element)
      os << " (" << toString(npyType(*element)) << ")";
    os << ", got " << toString(array.type);
    return refuse();
  }
  auto type = mlir::RankedTensorType::get(array.shape, elementType);
  llvm::FailureOr<Tensor> tensor = Tensor::zeros(type, [&] {
    os << "expected a tensor that fits into memory, got " << type;
    return mlir::InFlightDiagnostic();
  });
  if (failed(tensor))
    return refuse();
  if (element->bits >= 8 || element->kind == ElementKind::Boolean) {
    if (!array.elements.empty())
      std::memcpy(tensor->data(), array.elements.data(), array.elements.size());
    return *tensor;
  }
  for (auto [place, byte] : llvm::enumerate(array.elements)) {
    int64_t value = array.type.kind == NpyKind::SignedInt
                        ? int64_t(int8_t(byte))
                        : uint8_t(byte);
    int64_t low = 0, high = (int64_t(1) << element->bits) - 1;
    if (array.type.kind == NpyKind::SignedInt) {
      low = element->lowest();
      high = element->highest();
    }
    if (value < low || value > high) {
      os << "expected elements of type " << elementType << ", from " << low
         << " to " << high << ", got " << value;
      return refuse();
    }
    if (element->isReal())
      tensor->data()[place] = std::byte(value);
    else // rounding keeps the low bits and so the sign
      tensor->set(int64_t(place), Scalar::whole(value));
  }
  return *tensor;
}

NpyArray mercator::toNpy(const Tensor &tensor) {
  NpyArray array;
  array.type = npyType(tensor.element());
  array.shape.assign(tensor.shape().begin(), tensor.shape().end());
  array.elements.assign(reinterpret_cast<const char *>(tensor.data()),
                        tensor.byteSize());
  return array;
}
