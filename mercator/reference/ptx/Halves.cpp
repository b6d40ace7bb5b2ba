// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Instructions of f16 and bf16, and of two of them in 32 bits.

#include "mercator/reference/ptx/Arithmetic.h"
#include "mercator/reference/ptx/Functors.h"

namespace mercator::reference::ptx {

/// Operations on halves; flags >> 16.
enum class HalfOperation : uint8_t {
  Add,
  Sub,
  Mul,
  Fma,
  Min,
  Max,
  Abs,
  Neg,
  Exp2,
  Tanh
};
static constexpr uint32_t kIsBFloat = kFirstFlag;
static constexpr uint32_t kIsPacked = kFirstFlag << 1;
static constexpr unsigned kOperationShift = 16;

static uint16_t halfResult(HalfOperation operation, uint32_t flags,
                           const Format &format, uint16_t a, uint16_t b,
                           uint16_t c) {
  uint16_t sign = 0x8000;
  if (operation == HalfOperation::Abs)
    return a & ~sign;
  if (operation == HalfOperation::Neg)
    return a ^ sign;
  auto input = [&](uint16_t bits) {
    double x = decode(format, bits);
    if (flags & kFlush && std::fabs(x) < std::ldexp(1.0, 1 - format.bias))
      x = std::copysign(0.0, x);
    return x;
  };
  double x = input(a), y = input(b), z = input(c);
  Exact exact;
  switch (operation) {
  case HalfOperation::Add:
    exact = sum(x, y);
    break;
  case HalfOperation::Sub:
    exact = sum(x, -y);
    break;
  case HalfOperation::Mul:
    exact = {x * y, 0};
    break;
  case HalfOperation::Fma:
    exact = sum(x * y, z);
    break;
  case HalfOperation::Min:
  case HalfOperation::Max:
    exact = {lesser(x, y, flags, operation == HalfOperation::Max), 0};
    break;
  case HalfOperation::Exp2:
    exact = {std::exp2(x), 0};
    break;
  default:
    exact = {std::tanh(x), 0};
    break;
  }
  if (flags & kSaturate && !(exact.high > 0))
    exact = {0, 0};
  if (flags & kSaturate && exact.high > 1)
    exact = {1, 0};
  if (flags & kRelu && exact.high < 0)
    exact = {0, 0};
  return uint16_t(encode(format, exact, roundingOf(flags)));
}

static void arithmeticHalf(Machine &m, const Instruction &i, uint32_t mask) {
  const Format &format = i.flags & kIsBFloat ? kBF16 : kF16;
  auto operation = HalfOperation(i.flags >> kOperationShift);
  Slot b = i.b == kNoSlot ? i.a : i.b, c = i.c == kNoSlot ? i.a : i.c;
  unsigned count = i.flags & kIsPacked ? 2 : 1;
  auto *d = m.registers<uint16_t>(i.d);
  const auto *as = m.values<uint16_t>(i.a), *bs = m.values<uint16_t>(b),
             *cs = m.values<uint16_t>(c);
  forLanes(mask, [&](unsigned lane) {
    for (unsigned k = count * lane; k < count * lane + count; ++k)
      d[k] = halfResult(operation, i.flags, format, as[k], bs[k], cs[k]);
  });
}

bool decodeHalf(Decoder &d) {
  Type type = d.peekType();
  if (!type.isHalf())
    return false;
  static constexpr std::pair<llvm::StringLiteral, HalfOperation> kOperations[] =
      {{"add", HalfOperation::Add},  {"sub", HalfOperation::Sub},
       {"mul", HalfOperation::Mul},  {"fma", HalfOperation::Fma},
       {"min", HalfOperation::Min},  {"max", HalfOperation::Max},
       {"abs", HalfOperation::Abs},  {"neg", HalfOperation::Neg},
       {"ex2", HalfOperation::Exp2}, {"tanh", HalfOperation::Tanh}};
  for (auto [name, operation] : kOperations) {
    if (d.base() != name)
      continue;
    d.take("approx");
    d.out.flags = takeRounding(d) | (d.take("NaN") ? kNotNumber : 0) |
                  (d.take("abs") ? kMagnitude : 0) |
                  (type.kind == Type::BFloat ? kIsBFloat : 0) |
                  (type.count == 2 ? kIsPacked : 0) |
                  (uint32_t(operation) << kOperationShift);
    if (d.out.flags & kRoundingMask)
      return d.fail("expected '.rn'");
    (void)d.takeType();
    d.out.d = d.result(type);
    d.out.a = d.value(type);
    bool isUnary = operation >= HalfOperation::Abs;
    if (!isUnary)
      d.out.b = d.value(type);
    if (operation == HalfOperation::Fma)
      d.out.c = d.value(type);
    bool isSpecial =
        operation == HalfOperation::Exp2 || operation == HalfOperation::Tanh;
    return d.done(isSpecial ? Unit::Special : Unit::Float, &arithmeticHalf);
  }
  return false;
}

} // namespace mercator::reference::ptx
