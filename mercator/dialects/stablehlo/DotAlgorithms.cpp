// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/DotAlgorithms.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace mercator::stablehlo {

int64_t componentsOf(DotAlgorithmAttr algorithm) {
  int64_t stated = algorithm.getLhsComponentCount();
  if (stated != 1)
    return stated;
  switch (algorithm.getNumPrimitiveOperations()) {
  case 3:
    return 2;
  case 6:
  case 9:
    return 3;
  default:
    return 1;
  }
}

static Type typeOf(StringRef name, MLIRContext *context) {
  return llvm::StringSwitch<Type>(name)
      .Case("f16", Float16Type::get(context))
      .Case("bf16", BFloat16Type::get(context))
      .Case("tf32", FloatTF32Type::get(context))
      .Case("f32", Float32Type::get(context))
      .Case("f64", Float64Type::get(context))
      .Default(Type());
}

DotAlgorithmAttr algorithmOfHlo(StringRef name, Type lhs, Type rhs) {
  MLIRContext *context = lhs.getContext();
  auto isF8 = [](Type type) {
    return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8;
  };
  if (!name.consume_front("dot_"))
    return {};
  if (name.consume_front("any_f8_any_f8_")) {
    bool isFast = name.consume_back("_fast_accum");
    // The accumulator `any` is left to the target.
    if (name != "f32" || !isF8(lhs) || !isF8(rhs))
      return {};
    return DotAlgorithmAttr::get(context, lhs, rhs, Float32Type::get(context),
                                 1, 1, 1, isFast);
  }
  SmallVector<StringRef> words;
  name.split(words, '_');
  int64_t products = 1;
  if (words.size() == 4 &&
      (!words[3].consume_front("x") || words[3].getAsInteger(10, products)))
    return {};
  if (words.size() < 3 || words.size() > 4)
    return {};
  Type types[3];
  for (auto [type, word] : llvm::zip(types, words))
    if (!(type = typeOf(word, context)))
      return {};
  return DotAlgorithmAttr::get(context, types[0], types[1], types[2], 1, 1,
                               products, false);
}

} // namespace mercator::stablehlo
