// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Reads the parts that encodings of attributes and types are made of.
///
/// Each function reports an error and gives nothing if the bytes are not what it
/// expects, or end. A list never reserves what its length claims: its elements are
/// read one by one, and each takes at least a byte.

#ifndef MERCATOR_FRONTENDS_VHLO_DECODER_H
#define MERCATOR_FRONTENDS_VHLO_DECODER_H

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace mercator::vhlo {

class Decoder {
public:
  explicit Decoder(mlir::DialectBytecodeReader &reader) : reader(reader) {}

  mlir::MLIRContext *context() { return reader.getContext(); }
  /// True after the first error.
  [[nodiscard]] bool hasFailed() const { return failed; }
  /// Reports an error, once.
  void fail(const llvm::Twine &message) {
    if (!failed)
      reader.emitError(message);
    failed = true;
  }

  // After a failure: 0, null, and so on.
  uint64_t natural() { return take<uint64_t>(&Reader::readVarInt); }
  /// A number whose lowest bit is a flag.
  uint64_t naturalAndFlag(bool &flag) {
    uint64_t value = natural();
    flag = value & 1;
    return value >> 1;
  }
  int64_t integer() { return take<int64_t>(&Reader::readSignedVarInt); }
  bool boolean() { return take<bool>(&Reader::readBool); }
  llvm::StringRef string() {
    return take<llvm::StringRef>(&Reader::readString);
  }
  llvm::ArrayRef<char> blob() {
    return take<llvm::ArrayRef<char>>(&Reader::readBlob);
  }
  llvm::APFloat real(const llvm::fltSemantics &semantics) {
    llvm::FailureOr<llvm::APFloat> value =
        failed ? llvm::FailureOr<llvm::APFloat>(llvm::failure())
               : reader.readAPFloatWithKnownSemantics(semantics);
    failed |= mlir::failed(value);
    return failed ? llvm::APFloat(semantics) : *value;
  }
  llvm::APInt bits(unsigned width) {
    llvm::FailureOr<llvm::APInt> value =
        failed ? llvm::FailureOr<llvm::APInt>(llvm::failure())
               : reader.readAPIntWithKnownWidth(width);
    failed |= mlir::failed(value);
    return failed ? llvm::APInt(width, 0) : *value;
  }

  mlir::Attribute attribute() {
    auto attr = take<mlir::Attribute>(&Reader::readAttribute);
    if (!failed && !attr)
      fail("expected an attribute");
    return attr;
  }
  /// Null if there is none.
  mlir::Attribute optionalAttribute() {
    return take<mlir::Attribute>(&Reader::readOptionalAttribute);
  }
  /// An attribute of one class.
  template <typename T> T attribute(llvm::StringRef what) {
    T attr = llvm::dyn_cast_if_present<T>(attribute());
    if (!attr)
      fail("expected " + what);
    return attr;
  }
  mlir::Type type() {
    auto type = take<mlir::Type>(&Reader::readType);
    if (!failed && !type)
      fail("expected a type");
    return type;
  }

  template <typename F> auto list(F &&element) {
    llvm::SmallVector<decltype(element())> elements;
    for (uint64_t size = natural(), i = 0; i < size && !failed; ++i)
      elements.push_back(element());
    return elements;
  }
  llvm::SmallVector<int64_t> integers() {
    return list([&] { return integer(); });
  }
  llvm::SmallVector<mlir::Attribute> attributes() {
    return list([&] { return attribute(); });
  }
  llvm::SmallVector<mlir::Type> types() {
    return list([&] { return type(); });
  }

  /// A number of an enumeration, as its attribute.
  template <typename Attr, typename F>
  mlir::Attribute enumeration(F symbolize) {
    uint64_t number = natural();
    auto value = symbolize(uint32_t(number));
    if (!value || number >> 32)
      fail("unknown case " + llvm::Twine(number) + " of an enumeration");
    return failed ? mlir::Attribute() : Attr::get(context(), *value);
  }

  /// An attribute or type from parts; null after an error. Its own verifier
  /// decides.
  template <typename T, typename... Parts> T checked(Parts &&...parts) {
    if (failed)
      return {};
    T made = T::getChecked([&] { return reader.emitError(); },
                           std::forward<Parts>(parts)...);
    failed |= !made;
    return made;
  }

  /// The same for an attribute without a verifier.
  template <typename T, typename... Parts> T make(Parts &&...parts) {
    return failed ? T() : T::get(context(), std::forward<Parts>(parts)...);
  }

private:
  using Reader = mlir::DialectBytecodeReader;

  template <typename T> T take(llvm::LogicalResult (Reader::*read)(T &)) {
    T value = {};
    if (!failed && mlir::failed((reader.*read)(value)))
      failed = true;
    return failed ? T() : value;
  }

  mlir::DialectBytecodeReader &reader;
  bool failed = false;
};

} // namespace mercator::vhlo

#endif // MERCATOR_FRONTENDS_VHLO_DECODER_H
