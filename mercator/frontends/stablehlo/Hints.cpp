// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/stablehlo/Hints.h"
#include "mercator/frontends/stablehlo/Foreign.h"

#include "mercator/support/Suggest.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mercator;
using llvm::StringRef;

/// The operation of the same dialect with the nearest name.
static std::optional<std::string> nearestOperation(StringRef message,
                                                   mlir::MLIRContext &context) {
  StringRef name = message.split('\'').second.split('\'').first;
  auto [dialect, mnemonic] = name.split('.');
  llvm::SmallVector<StringRef> mnemonics;
  for (mlir::RegisteredOperationName other : context.getRegisteredOperations())
    if (other.getDialectNamespace() == dialect)
      mnemonics.push_back(other.getStringRef().drop_front(dialect.size() + 1));
  auto nearest = suggest(mnemonic, mnemonics);
  if (!nearest)
    return std::nullopt;
  return ("did you mean `" + dialect + "." + *nearest + "`?").str();
}

/// The element type that another language calls `word`.
static StringRef elementNamed(StringRef word) {
  return llvm::StringSwitch<StringRef>(word)
      .Cases({"float", "float32", "fp32", "single"}, "f32")
      .Cases({"double", "float64", "fp64"}, "f64")
      .Cases({"half", "float16", "fp16"}, "f16")
      .Cases({"bfloat", "bfloat16"}, "bf16")
      .Cases({"bool", "pred", "boolean"}, "i1")
      .Cases({"int8", "s8"}, "i8")
      .Cases({"int16", "s16"}, "i16")
      .Cases({"int", "int32", "s32"}, "i32")
      .Cases({"long", "int64", "s64"}, "i64")
      .Cases({"uint8", "u8"}, "ui8")
      .Cases({"uint16", "u16"}, "ui16")
      .Cases({"uint", "uint32", "u32"}, "ui32")
      .Cases({"uint64", "u64"}, "ui64")
      .Cases({"complex64", "c64"}, "complex<f32>")
      .Cases({"complex128", "c128"}, "complex<f64>")
      .Default("");
}

/// The same for the word at an offset, after the `x` of an extent.
static std::optional<std::string> nearestElement(StringRef text,
                                                 size_t offset) {
  StringRef rest = text.substr(offset);
  for (StringRef from : {rest, rest.drop_front(rest.starts_with("x"))}) {
    StringRef word = from.take_while(llvm::isAlnum);
    if (StringRef element = elementNamed(word); !element.empty())
      return ("did you mean `" + element + "`?").str();
  }
  return std::nullopt;
}

std::optional<std::string> stablehlo::hintFor(StringRef message, StringRef text,
                                              size_t offset,
                                              mlir::MLIRContext &context) {
  if (auto foreign = hintForForeign(message))
    return foreign;
  if (message.starts_with("custom op '") ||
      message.contains("unregistered operation '"))
    return nearestOperation(message, context);
  if (message == "expected non-function type")
    return nearestElement(text, offset);
  return std::nullopt;
}
