// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/lowering/RandomWords.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace mercator::stablehlo {

static Value word(ImplicitLocOpBuilder &b, uint32_t value) {
  return integer(b, b.getI32Type(), int32_t(value));
}
Value wide(ImplicitLocOpBuilder &b, uint64_t value) {
  return integer(b, b.getI64Type(), int64_t(value));
}
static Value lowWord(ImplicitLocOpBuilder &b, Value value) {
  return arith::TruncIOp::create(b, b.getI32Type(), value);
}
static Value highWord(ImplicitLocOpBuilder &b, Value value) {
  return lowWord(b, arith::ShRUIOp::create(b, value, wide(b, 32)));
}
Value join(ImplicitLocOpBuilder &b, Value low, Value high) {
  Value first = arith::ExtUIOp::create(b, b.getI64Type(), low),
        second = arith::ExtUIOp::create(b, b.getI64Type(), high);
  second = arith::ShLIOp::create(b, second, wide(b, 32));
  return arith::OrIOp::create(b, first, second);
}
Value add(ImplicitLocOpBuilder &b, Value x, Value y) {
  return arith::AddIOp::create(b, x, y);
}
static Value exclusiveOr(ImplicitLocOpBuilder &b, Value x, Value y) {
  return arith::XOrIOp::create(b, x, y);
}
static Value rotateLeft(ImplicitLocOpBuilder &b, Value x, uint32_t count) {
  Value up = arith::ShLIOp::create(b, x, word(b, count)),
        down = arith::ShRUIOp::create(b, x, word(b, 32 - count));
  return arith::OrIOp::create(b, up, down);
}

Values threefry(ImplicitLocOpBuilder &b, Value key, Value counter) {
  constexpr uint32_t rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  Value low = lowWord(b, key), high = highWord(b, key);
  Value parity = exclusiveOr(b, exclusiveOr(b, low, high), word(b, 0x1BD11BDA));
  Value keys[3] = {low, high, parity};
  Value x = add(b, lowWord(b, counter), low),
        y = add(b, highWord(b, counter), high);
  for (uint32_t group = 0; group < 5; ++group) {
    for (uint32_t rotation : rotations[group % 2]) {
      x = add(b, x, y);
      y = exclusiveOr(b, rotateLeft(b, y, rotation), x);
    }
    x = add(b, x, keys[(group + 1) % 3]);
    y = add(b, add(b, y, keys[(group + 2) % 3]), word(b, group + 1));
  }
  return {x, y};
}

Values philox(ImplicitLocOpBuilder &b, Value key, Value counterLow,
              Value counterHigh) {
  auto product = [&](Value x, uint32_t factor) -> Value {
    Value extended = arith::ExtUIOp::create(b, b.getI64Type(), x);
    return arith::MulIOp::create(b, extended, wide(b, factor));
  };
  Values words = {lowWord(b, counterLow), highWord(b, counterLow),
                  lowWord(b, counterHigh), highWord(b, counterHigh)};
  Value keyLow = lowWord(b, key), keyHigh = highWord(b, key);
  for (int round = 0; round < 10; ++round) {
    Value first = product(words[0], 0xD2511F53),
          second = product(words[2], 0xCD9E8D57);
    words[0] =
        exclusiveOr(b, exclusiveOr(b, highWord(b, second), words[1]), keyLow);
    words[1] = lowWord(b, second);
    words[2] =
        exclusiveOr(b, exclusiveOr(b, highWord(b, first), words[3]), keyHigh);
    words[3] = lowWord(b, first);
    keyLow = add(b, keyLow, word(b, 0x9E3779B9));
    keyHigh = add(b, keyHigh, word(b, 0xBB67AE85));
  }
  return words;
}

Value asElement(ImplicitLocOpBuilder &b, Value bits, Type element) {
  unsigned width = element.getIntOrFloatBitWidth();
  if (bits.getType().getIntOrFloatBitWidth() > width)
    bits = arith::TruncIOp::create(b, b.getIntegerType(width), bits);
  if (isa<FloatType>(element))
    bits = arith::BitcastOp::create(b, element, bits);
  return bits;
}

} // namespace mercator::stablehlo
