// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/stablehlo/Limits.h"
#include "mercator/frontends/vhlo/Decoder.h"
#include "mercator/frontends/vhlo/Encodings.h"
#include "mercator/frontends/vhlo/Parts.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using llvm::StringRef;
using mercator::vhlo::Decoder;

static Attribute builtinFused(Decoder &in, bool hasMetadata) {
  SmallVector<Location> parts;
  for (LocationAttr part :
       in.list([&] { return in.attribute<LocationAttr>("a location"); }))
    if (part)
      parts.push_back(part);
  Attribute metadata = hasMetadata ? in.attribute() : Attribute();
  if (in.hasFailed())
    return {};
  return LocationAttr(FusedLoc::get(in.context(), parts, metadata));
}

static Attribute builtinDenseArray(Decoder &in) {
  Type type = in.type();
  uint64_t count = in.natural();
  ArrayRef<char> bytes = in.blob();
  if (in.hasFailed())
    return {};
  unsigned width = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  // Booleans take a byte.
  width = width == 1 ? 8 : width;
  if (width == 0 || width % 8 || bytes.size() / (width / 8) != count ||
      bytes.size() % (width / 8)) {
    in.fail("expected an array of numbers");
    return {};
  }
  return DenseArrayAttr::get(type, int64_t(count), bytes);
}

static Attribute builtinAttribute(Decoder &in, bool &isOurs) {
  MLIRContext *context = in.context();
  switch (in.natural()) {
  case 0: {
    auto elements = in.attributes();
    return in.hasFailed() ? Attribute() : ArrayAttr::get(context, elements);
  }
  case 1:
    return mercator::vhlo::dictionaryAttribute(in);
  case 5: {
    auto root = in.attribute<StringAttr>("the name of a symbol");
    auto nested = in.list(
        [&] { return in.attribute<FlatSymbolRefAttr>("a nested symbol"); });
    return in.hasFailed() ? Attribute() : SymbolRefAttr::get(root, nested);
  }
  case 8:
    return mercator::vhlo::integerAttribute(in);
  case 9:
    return mercator::vhlo::floatAttribute(in);
  case 12:
    return builtinFused(in, /*hasMetadata=*/false);
  case 13:
    return builtinFused(in, /*hasMetadata=*/true);
  case 17:
    return builtinDenseArray(in);
  case 18:
    return mercator::vhlo::elementsAttribute(in);
  // Names, places, types, resources.
  case 2:
  case 4:
  case 6:
  case 7:
  case 10:
  case 11:
  case 14:
  case 15:
  case 16:
  case 22:
    isOurs = false;
    return {};
  default:
    in.fail("expected an attribute of StableHLO");
    return {};
  }
}

static Type builtinType(Decoder &in, bool &isOurs) {
  MLIRContext *context = in.context();
  switch (in.natural()) {
  case 0: {
    uint64_t number = in.natural();
    if ((number >> 2) == 0 ||
        (number >> 2) > mercator::stablehlo::kMaxIntegerBits ||
        (number & 3) == 3)
      in.fail("expected an integer type");
    if (in.hasFailed())
      return {};
    return IntegerType::get(context, unsigned(number >> 2),
                            IntegerType::SignednessSemantics(number & 3));
  }
  case 2: {
    auto inputs = in.types(), results = in.types();
    return in.hasFailed() ? Type()
                          : FunctionType::get(context, inputs, results);
  }
  case 9: {
    Type element = in.type();
    return in.checked<ComplexType>(element);
  }
  case 13:
    return mercator::vhlo::tensorType(in, /*hasEncoding=*/false);
  case 14:
    return mercator::vhlo::tensorType(in, /*hasEncoding=*/true);
  case 15: {
    auto members = in.types();
    return in.hasFailed() ? Type() : TupleType::get(context, members);
  }
  case 1:
  case 3:
  case 4:
  case 5:
  case 6:
  case 12:
    isOurs = false;
    return {};
  default:
    in.fail("expected a type of StableHLO");
    return {};
  }
}

void mercator::vhlo::addBuiltinEncodings(BytecodeReaderConfig &config,
                                         size_t size) {
  // The reader is here before it reads any part. It reads a part again if it met a
  // deep one in it, and does so forever if a part has itself as a part.
  auto left = std::make_shared<size_t>(1000 + 16 * size);
  auto read = [left](auto readPart) {
    return [left, readPart](DialectBytecodeReader &reader, StringRef dialect,
                            auto &part) -> LogicalResult {
      if (*left == 0)
        return reader.emitError("an attribute or type is a part of itself");
      --*left;
      if (dialect != "builtin")
        return success();
      Decoder in(reader);
      bool isOurs = true;
      part = readPart(in, isOurs);
      if (!isOurs)
        part = {};
      return failure(in.hasFailed());
    };
  };
  config.attachAttributeCallback(
      AttrTypeBytecodeReader<Attribute>::fromCallable(
          [=](DialectBytecodeReader &reader, StringRef dialect,
              Attribute &part) {
            return read(builtinAttribute)(reader, dialect, part);
          }));
  config.attachTypeCallback(AttrTypeBytecodeReader<Type>::fromCallable(
      [=](DialectBytecodeReader &reader, StringRef dialect, Type &part) {
        return read(builtinType)(reader, dialect, part);
      }));
}
